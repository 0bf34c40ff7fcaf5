//! Runs random commands on a random site and on a small model that shares no code with the domain and knows beds and
//! states only, no times and no stays. After every step both agree, and I1, I2, I4, I5 and I6 hold (I3: a board is one
//! site).

use crate::support::{NOW, bed_id, guest_id, pending};
use berth_domain::guest::{GuestFacts, GuestStatus, Source};
use berth_domain::stay::{
    ActiveReservations, BedChange, BedFacts, Board, Change, Command, Overrides, Refusal, Reopened, Stamp, UndoFacts,
    capacity, decide, may_change_bed, merge, time_of_merge, undo_merge,
};
use berth_domain::{BedId, GuestId, Hold, Timestamp};
use proptest::prelude::{Just, ProptestConfig, Strategy, any, prop_oneof, proptest};

/// One step; beds and guests are numbers, some of which do not exist.
#[derive(Debug, Clone)]
enum Step {
    Reserve { from_web: bool, hold_hours: i64 },
    Accept { guest: usize, bed: usize },
    Reassign { guest: usize, bed: usize },
    Swap { guest: usize, bed: usize },
    Reject { guest: usize },
    Discharge { guest: usize },
    Undo { guest: usize },
    Arrive { guest: usize },
    UndoArrival { guest: usize },
    NoShow { guest: usize },
    Merge { kept: usize, duplicate: usize },
    UndoMerge { guest: usize },
    Disable { bed: usize },
    Enable { bed: usize },
    Pay { active: bool },
    Wait { hours: i64 },
}

fn step() -> impl Strategy<Value = Step> {
    let (guest, bed) = (0..9_usize, 0..7_usize);
    prop_oneof![
        4 => (any::<bool>(), 1..=72_i64).prop_map(|(from_web, hold_hours)| Step::Reserve { from_web, hold_hours }),
        6 => (guest.clone(), bed.clone()).prop_map(|(guest, bed)| Step::Accept { guest, bed }),
        4 => (guest.clone(), bed.clone()).prop_map(|(guest, bed)| Step::Reassign { guest, bed }),
        4 => (guest.clone(), bed.clone()).prop_map(|(guest, bed)| Step::Swap { guest, bed }),
        1 => guest.clone().prop_map(|guest| Step::Reject { guest }),
        2 => guest.clone().prop_map(|guest| Step::Discharge { guest }),
        3 => guest.clone().prop_map(|guest| Step::Undo { guest }),
        2 => guest.clone().prop_map(|guest| Step::Arrive { guest }),
        1 => guest.clone().prop_map(|guest| Step::UndoArrival { guest }),
        1 => guest.clone().prop_map(|guest| Step::NoShow { guest }),
        4 => (guest.clone(), guest.clone()).prop_map(|(kept, duplicate)| Step::Merge { kept, duplicate }),
        3 => guest.prop_map(|guest| Step::UndoMerge { guest }),
        1 => bed.clone().prop_map(|bed| Step::Disable { bed }),
        1 => bed.prop_map(|bed| Step::Enable { bed }),
        1 => any::<bool>().prop_map(|active| Step::Pay { active }),
        1 => prop_oneof![Just(1), 0..30_i64].prop_map(|hours| Step::Wait { hours }),
    ]
}

/// A guest as the model sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Waiting {
        until: Option<i64>,
    },
    InBed {
        bed: usize,
        moved: bool,
        /// When the guest was accepted, and the end of the hold; none once a discharge was undone.
        fresh: Option<(i64, Option<i64>)>,
    },
    Declined {
        at: i64,
        until: Option<i64>,
    },
    Left {
        at: i64,
        bed: usize,
        moved: bool,
    },
    /// Was waiting, and ended in favor of another reservation.
    Ended {
        until: Option<i64>,
    },
}

/// The model, which uses no code of the domain.
#[derive(Debug, Clone)]
struct Model {
    guests: Vec<(bool, Phase)>,
    /// Guests whose decline was undone: their hold was paused once.
    paused: Vec<usize>,
    /// Guests who have arrived, and when.
    arrived: Vec<(usize, i64)>,
    /// Merged duplicates, each with the one that was kept.
    merged: Vec<(usize, usize)>,
    disabled: Vec<bool>,
    commercial: bool,
    paid: bool,
    hour: i64,
}

impl Model {
    fn holder(&self, bed: usize) -> Option<usize> {
        self.guests.iter().position(|(_, phase)| matches!(phase, Phase::InBed { bed: b, .. } if *b == bed))
    }

    fn arrival(&self, guest: usize) -> Option<i64> {
        self.arrived.iter().find(|(arrived, _)| *arrived == guest).map(|(_, at)| *at)
    }

    fn is_in_bed(&self, guest: usize) -> bool {
        matches!(self.guests.get(guest), Some((_, Phase::InBed { .. })))
    }

    fn is_merged(&self, guest: usize) -> bool {
        self.merged.iter().any(|(duplicate, _)| *duplicate == guest)
    }

    fn waiting(&self, guest: usize) -> bool {
        match self.guests.get(guest) {
            Some((_, Phase::Waiting { until })) => until.is_none_or(|until| until > self.hour),
            _ => false,
        }
    }

    fn free(&self, bed: usize) -> bool {
        self.disabled.get(bed) == Some(&false) && self.holder(bed).is_none()
    }

    /// Does the step if it is allowed. Returns true if it was.
    fn take(&mut self, step: &Step) -> bool {
        match *step {
            Step::Reserve { from_web, hold_hours } => {
                let free = (0..self.disabled.len()).filter(|bed| self.free(*bed)).count();
                let waiting = (0..self.guests.len()).filter(|guest| self.waiting(*guest)).count();
                let fits = free > waiting;
                if fits {
                    let until = from_web.then_some(self.hour + hold_hours);
                    self.guests.push((from_web, Phase::Waiting { until }));
                }
                fits
            }
            Step::Accept { guest, bed } => {
                let Some((from_web, phase)) = self.guests.get(guest).copied() else { return false };
                let paid = self.paid || !self.commercial || !from_web;
                match phase {
                    Phase::Waiting { until } if paid && self.waiting(guest) && self.free(bed) => {
                        let fresh = Some((self.hour, until));
                        self.guests[guest].1 = Phase::InBed { bed, moved: false, fresh };
                        true
                    }
                    _ => false,
                }
            }
            Step::Reassign { guest, bed } => {
                let in_bed = matches!(self.guests.get(guest), Some((_, Phase::InBed { .. })));
                let allowed = in_bed && self.free(bed);
                if allowed {
                    self.guests[guest].1 = Phase::InBed { bed, moved: true, fresh: None };
                }
                allowed
            }
            Step::Swap { guest, bed } => match (self.guests.get(guest), self.holder(bed)) {
                (Some((_, Phase::InBed { bed: own, .. })), Some(other)) if other != guest => {
                    let own = *own;
                    self.guests[guest].1 = Phase::InBed { bed, moved: true, fresh: None };
                    self.guests[other].1 = Phase::InBed { bed: own, moved: true, fresh: None };
                    true
                }
                _ => false,
            },
            Step::Reject { guest } => {
                let allowed = self.waiting(guest);
                if let Some((_, Phase::Waiting { until })) = self.guests.get(guest).filter(|_| allowed) {
                    self.guests[guest].1 = Phase::Declined { at: self.hour, until: *until };
                }
                allowed
            }
            Step::Discharge { guest } => {
                let Some((_, Phase::InBed { bed, moved, .. })) = self.guests.get(guest).copied() else { return false };
                self.guests[guest].1 = Phase::Left { at: self.hour, bed, moved };
                true
            }
            Step::Arrive { guest } => {
                let allowed = self.is_in_bed(guest) && self.arrival(guest).is_none();
                if allowed {
                    self.arrived.push((guest, self.hour));
                }
                allowed
            }
            Step::UndoArrival { guest } => {
                let allowed = self.is_in_bed(guest) && self.arrival(guest).is_some_and(|at| self.hour - at <= 24);
                if allowed {
                    self.arrived.retain(|(arrived, _)| *arrived != guest);
                }
                allowed
            }
            Step::NoShow { guest } => self.arrival(guest).is_none() && self.take(&Step::Discharge { guest }),
            Step::Merge { kept, duplicate } => {
                let exist = kept != duplicate && kept.max(duplicate) < self.guests.len();
                let has_others = self.merged.iter().any(|(_, kept)| *kept == duplicate);
                let ends = self.waiting(duplicate);
                let allowed = exist
                    && !self.is_merged(kept)
                    && !self.is_merged(duplicate)
                    && !has_others
                    && !self.is_in_bed(duplicate)
                    && (!ends || self.waiting(kept) || self.is_in_bed(kept));
                if allowed {
                    self.merged.push((duplicate, kept));
                    if let Phase::Waiting { until } = self.guests[duplicate].1
                        && ends
                    {
                        self.guests[duplicate].1 = Phase::Ended { until };
                    }
                }
                allowed
            }
            Step::UndoMerge { guest } => {
                let vacant = (0..self.disabled.len()).filter(|bed| self.free(*bed)).count();
                let has_room = vacant > (0..self.guests.len()).filter(|guest| self.waiting(*guest)).count();
                if !self.is_merged(guest) {
                    return false;
                }
                if let Phase::Ended { until } = self.guests[guest].1 {
                    if !has_room && until.is_none_or(|until| until > self.hour) {
                        return false;
                    }
                    self.guests[guest].1 = Phase::Waiting { until };
                }
                self.merged.retain(|(duplicate, _)| *duplicate != guest);
                true
            }
            Step::Undo { guest } if self.is_merged(guest) => false,
            Step::Undo { guest } => {
                let vacant = (0..self.disabled.len()).filter(|bed| self.free(*bed)).count();
                let has_room = vacant > (0..self.guests.len()).filter(|guest| self.waiting(*guest)).count();
                match self.guests.get(guest).copied() {
                    Some((_, Phase::Declined { at, until })) if has_room && self.hour - at <= 24 => {
                        let pause = if self.paused.contains(&guest) { 0 } else { self.hour - at };
                        let until = until.map(|until| until + pause);
                        let is_held = until.is_none_or(|until| until > self.hour);
                        if is_held {
                            self.guests[guest].1 = Phase::Waiting { until };
                            self.paused.push(guest);
                        }
                        is_held
                    }
                    // Time passes in whole hours, so an accept can be undone only before the next one.
                    Some((_, Phase::InBed { fresh: Some((at, until)), .. }))
                        if at == self.hour && self.arrival(guest).is_none() =>
                    {
                        self.guests[guest].1 = Phase::Waiting { until };
                        true
                    }
                    Some((_, Phase::Left { at, bed, moved })) if has_room && self.free(bed) && self.hour - at <= 24 => {
                        self.guests[guest].1 = Phase::InBed { bed, moved, fresh: None };
                        true
                    }
                    _ => false,
                }
            }
            Step::Disable { bed } => {
                let allowed = bed < self.disabled.len() && self.holder(bed).is_none();
                if allowed {
                    self.disabled[bed] = true;
                }
                allowed
            }
            Step::Enable { bed } => {
                let allowed = bed < self.disabled.len();
                if allowed {
                    self.disabled[bed] = false;
                }
                allowed
            }
            Step::Pay { active } => {
                self.paid = active;
                true
            }
            Step::Wait { hours } => {
                self.hour += hours;
                true
            }
        }
    }

    fn status(&self, guest: usize) -> GuestStatus {
        match self.guests[guest].1 {
            Phase::Waiting { .. } if self.waiting(guest) => GuestStatus::Pending,
            Phase::Waiting { .. } => GuestStatus::Expired,
            Phase::InBed { moved: false, .. } => GuestStatus::Accepted,
            Phase::InBed { moved: true, .. } => GuestStatus::Reassigned,
            Phase::Declined { .. } | Phase::Ended { .. } => GuestStatus::Rejected,
            Phase::Left { .. } => GuestStatus::Discharged,
        }
    }
}

/// What a server would store: guests with their times, beds, and the open stays.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Store {
    guests: Vec<GuestFacts>,
    disabled: Vec<bool>,
    stays: Vec<(GuestId, BedId)>,
    /// The bed that each guest left last.
    left: Vec<(GuestId, BedId)>,
    /// The guests whose decline was undone.
    declines_undone: Vec<GuestId>,
    /// Merged duplicates, each with the one that was kept.
    merged: Vec<(GuestId, GuestId)>,
    commercial: bool,
    paid: bool,
    now: Timestamp,
}

impl Store {
    fn board(&self) -> Board {
        let holder = |bed| {
            let (guest, _) = self.stays.iter().find(|(_, held)| *held == bed)?;
            self.guests.iter().find(|facts| facts.id == *guest).cloned()
        };
        let beds = self.disabled.iter().zip(0..).map(|(disabled, number)| {
            let id = bed_id(number);
            BedFacts { id, disabled: *disabled, offered: false, guest: holder(id) }
        });
        Board {
            beds: beds.collect(),
            needs_subscription: self.commercial,
            subscription_active: self.paid,
            asks_arrival: true,
            undo: None,
        }
    }

    /// What the server does: decides, then writes. Returns true if the step was allowed.
    fn take(&mut self, step: &Step) -> bool {
        let id = |number: usize| bed_id(u128::try_from(number).expect("small"));
        match *step {
            Step::Reserve { from_web, hold_hours } => self.reserve(from_web, hold_hours).is_ok(),
            Step::Accept { guest, bed } => self.command(guest, &Command::Accept { bed: id(bed) }),
            Step::Reassign { guest, bed } => self.command(guest, &Command::Reassign { bed: id(bed) }),
            Step::Swap { guest, bed } => self.command(guest, &Command::Swap { bed: id(bed) }),
            Step::Reject { guest } => self.command(guest, &Command::Reject { feedback: None }),
            Step::Discharge { guest } => self.command(guest, &Command::Discharge { feedback: None }),
            Step::Arrive { guest } => self.command(guest, &Command::Arrive),
            Step::UndoArrival { guest } => self.command(guest, &Command::UndoArrival),
            Step::NoShow { guest } => self.command(guest, &Command::NoShow { feedback: None }),
            Step::Undo { guest } => self.command(guest, &Command::Undo),
            Step::Merge { kept, duplicate } => self.merge(kept, duplicate),
            Step::UndoMerge { guest } => self.undo_merge(guest),
            Step::Disable { bed } => {
                let facts = self.board();
                let facts = facts.bed(id(bed));
                let allowed = facts.is_some_and(|bed| may_change_bed(BedChange::Disable, bed.guest.is_some()).is_ok());
                if allowed {
                    self.disabled[bed] = true;
                }
                allowed
            }
            Step::Enable { bed } => self.disabled.get_mut(bed).map(|disabled| *disabled = false).is_some(),
            Step::Pay { active } => {
                self.paid = active;
                true
            }
            Step::Wait { hours } => {
                self.now = self.now.plus_hours(hours);
                true
            }
        }
    }

    fn reserve(&mut self, from_web: bool, hold_hours: i64) -> Result<(), Refusal> {
        let vacant = i64::try_from(self.board().vacant()).expect("small");
        let live = self.guests.iter().filter(|guest| guest.status(self.now) == GuestStatus::Pending).count();
        capacity(vacant, i64::try_from(live).expect("small"), Overrides::default())?;
        let hold = Hold::hours(hold_hours).expect("1 to 72");
        let number = u128::try_from(self.guests.len()).expect("small");
        self.guests.push(GuestFacts {
            source: if from_web { Source::Web } else { Source::Admin },
            created_at: self.now,
            expires_at: from_web.then(|| hold.expires_at(self.now)),
            ..pending(number)
        });
        Ok(())
    }

    fn command(&mut self, guest: usize, command: &Command) -> bool {
        let Some(facts) = self.guests.get(guest) else { return false };
        let mut board = self.board();
        if *command == Command::Undo {
            board.undo = Some(self.undo_facts(facts.id));
        }
        match decide(&board, facts, command, self.now) {
            Ok(change) => {
                self.write(&change);
                true
            }
            Err(_) => false,
        }
    }

    fn undo_facts(&self, guest: GuestId) -> UndoFacts {
        let live = self.guests.iter().filter(|guest| guest.status(self.now) == GuestStatus::Pending).count();
        UndoFacts {
            may_undo_all: true,
            is_own: true,
            has_earlier_stay: self.left.iter().any(|(left, _)| *left == guest),
            was_decline_undone: self.declines_undone.contains(&guest),
            bed: self.left.iter().rev().find(|(left, _)| *left == guest).map(|(_, bed)| *bed),
            live_pending: i64::try_from(live).expect("small"),
            active: ActiveReservations::default(),
            allowed: Overrides::default(),
        }
    }

    fn merge(&mut self, kept: usize, duplicate: usize) -> bool {
        let (Some(kept), Some(duplicate)) = (self.guests.get(kept), self.guests.get(duplicate)) else { return false };
        let ids = (duplicate.id, kept.id);
        let has_others = self.merged.iter().any(|(_, kept)| *kept == duplicate.id);
        if ids.0 == ids.1 {
            return false;
        }
        let Ok(change) = merge(kept, duplicate, has_others, self.now) else { return false };
        self.merged.push(ids);
        self.write(&change);
        true
    }

    fn undo_merge(&mut self, guest: usize) -> bool {
        let Some(guest) = self.guests.get(guest) else { return false };
        let (id, facts) = (guest.id, self.undo_facts(guest.id));
        let vacant = i64::try_from(self.board().vacant()).expect("small");
        let Ok(change) = undo_merge(guest, vacant, &facts, self.now) else { return false };
        self.merged.retain(|(duplicate, _)| *duplicate != id);
        self.write(&change);
        true
    }

    /// Writes like the database, whose unique indexes refuse a second open stay of a bed or a guest (I1, I2).
    fn write(&mut self, change: &Change) {
        if let Some(withdrawn) = &change.withdrawn {
            let open = self.stays.iter().position(|stay| *stay == (withdrawn.guest, withdrawn.bed));
            self.stays.remove(open.expect("only an open stay is withdrawn"));
        }
        for end in &change.ended {
            let open = self.stays.iter().position(|stay| *stay == (end.guest, end.bed));
            self.left.push(self.stays.remove(open.expect("only open stays end")));
        }
        for start in &change.opened {
            assert!(self.stays.iter().all(|(guest, _)| *guest != start.guest), "I2: a guest has at most one bed");
            assert!(self.stays.iter().all(|(_, bed)| *bed != start.bed), "I1: a bed has at most one guest");
            self.stays.push((start.guest, start.bed));
        }
        for (id, stamp) in &change.stamps {
            let guest = self.guests.iter_mut().find(|guest| guest.id == *id).expect("stamps known guests");
            let time = match stamp {
                Stamp::Accepted => &mut guest.accepted_at,
                Stamp::Reassigned => &mut guest.reassigned_at,
                Stamp::Rejected => &mut guest.rejected_at,
                Stamp::Cancelled => {
                    (guest.rejected_at, guest.cancelled_at) = (Some(self.now), Some(self.now));
                    continue;
                }
                Stamp::Discharged => &mut guest.discharged_at,
                Stamp::Arrived => &mut guest.arrived_at,
                Stamp::ArrivalUndone => {
                    guest.arrived_at = None;
                    continue;
                }
                Stamp::NoShow => {
                    (guest.discharged_at, guest.no_show_at) = (Some(self.now), Some(self.now));
                    continue;
                }
                Stamp::DeclineUndone { expires_at } => {
                    (guest.rejected_at, guest.expires_at) = (None, *expires_at);
                    self.declines_undone.push(*id);
                    continue;
                }
                Stamp::Merged { ends } => {
                    let at = time_of_merge(guest, self.now);
                    guest.merged_at = Some(at);
                    guest.rejected_at = if *ends { Some(at) } else { guest.rejected_at };
                    continue;
                }
                Stamp::MergeUndone(reopened) => {
                    guest.merged_at = None;
                    if *reopened != Reopened::No {
                        guest.rejected_at = None;
                    }
                    if let Reopened::Expired { at } = reopened {
                        guest.expired_at = Some(*at);
                    }
                    continue;
                }
                Stamp::AcceptUndone => {
                    (guest.accepted_at, guest.arrived_at) = (None, None);
                    continue;
                }
                Stamp::DischargeUndone => {
                    (guest.discharged_at, guest.no_show_at) = (None, None);
                    continue;
                }
            };
            *time = Some(self.now);
        }
    }

    /// What must hold after every step (security guide 3).
    fn judge(&self) {
        for (guest, bed) in &self.stays {
            let bed = self.board().bed(*bed).cloned().expect("I3: the bed belongs to the site");
            assert!(!bed.disabled, "I4: a disabled bed has no guest");
            assert!(self.guests.iter().any(|facts| facts.id == *guest), "I3: so does the guest");
        }
        for guest in &self.guests {
            let has_bed = self.stays.iter().any(|(holder, _)| *holder == guest.id);
            let was_accepted = guest.accepted_at.is_some();
            assert_eq!(
                was_accepted,
                has_bed || guest.discharged_at.is_some(),
                "I5: an accepted guest is in a bed or discharged"
            );
            assert_eq!(guest.status(self.now).is_assigned(), has_bed, "I5: assigned means having a bed");
            let ends = [guest.rejected_at, guest.discharged_at, guest.expired_at].iter().flatten().count();
            assert!(ends <= 1, "I5: a guest ends in one way");
            let no_show = guest.no_show_at.is_some();
            assert!(
                !no_show || (guest.no_show_at == guest.discharged_at && guest.arrived_at.is_none()),
                "a no-show never came"
            );
            assert!(guest.arrived_at.is_none() || was_accepted, "only an accepted guest arrives");
            let kept = self.merged.iter().find(|(duplicate, _)| *duplicate == guest.id).map(|(_, kept)| *kept);
            assert_eq!(guest.merged_at.is_some(), kept.is_some(), "a merged reservation knows the one that was kept");
            assert!(kept.is_none() || !has_bed, "a merged reservation has no bed");
            let is_kept = self.guests.iter().any(|other| Some(other.id) == kept && other.merged_at.is_none());
            assert!(kept.is_none() || is_kept, "the one that was kept is not merged itself");
        }
    }
}

/// The guests and the beds that are taken, each sorted.
fn multisets(stays: &[(GuestId, BedId)]) -> (Vec<GuestId>, Vec<BedId>) {
    let mut guests: Vec<_> = stays.iter().map(|stay| stay.0).collect();
    let mut beds: Vec<_> = stays.iter().map(|stay| stay.1).collect();
    guests.sort_unstable();
    beds.sort_unstable();
    (guests, beds)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn random_commands_agree_with_the_model_and_keep_the_invariants(
        beds in 1..6_usize,
        commercial in any::<bool>(),
        steps in proptest::collection::vec(step(), 1..60),
    ) {
        let mut model = Model { guests: vec![], paused: vec![], arrived: vec![], merged: vec![], disabled: vec![false; beds], commercial, paid: false, hour: 0 };
        let mut store =
            Store { guests: vec![], disabled: vec![false; beds], stays: vec![], left: vec![], declines_undone: vec![], merged: vec![], commercial, paid: false, now: NOW };
        for step in &steps {
            let before = store.clone();
            let (expected, found) = (model.take(step), store.take(step));
            assert_eq!(expected, found, "allowed by the model, allowed by the domain: {step:?}");
            if !found {
                assert_eq!(before, store, "a refusal changes nothing");
            }
            if matches!(step, Step::Swap { .. } | Step::Reassign { .. }) {
                assert_eq!(multisets(&before.stays).0, multisets(&store.stays).0, "a move loses nobody");
            }
            if matches!(step, Step::Swap { .. }) {
                assert_eq!(multisets(&before.stays), multisets(&store.stays), "I6: a swap keeps guests and beds");
            }
            store.judge();
            for (guest, facts) in store.guests.iter().enumerate() {
                assert_eq!(facts.status(store.now), model.status(guest), "state of guest {guest} after {step:?}");
                let in_bed = matches!(model.guests[guest].1, Phase::InBed { bed, .. }
                    if store.stays.contains(&(facts.id, bed_id(u128::try_from(bed).expect("small")))));
                assert_eq!(in_bed, facts.status(store.now).is_assigned(), "bed of guest {guest} after {step:?}");
            }
            let sources = model.guests.iter().zip(&store.guests);
            assert!(sources.clone().all(|((web, _), facts)| *web == (facts.source == Source::Web)));
            assert_eq!(store.guests.iter().map(|guest| guest.id).collect::<Vec<_>>(),
                (0..store.guests.len()).map(|n| guest_id(u128::try_from(n).expect("small"))).collect::<Vec<_>>());
        }
    }
}
