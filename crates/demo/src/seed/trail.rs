//! Writes the stays of a site, and five audit rows about each guest: a row for each change of state, as the handlers
//! write it, and views of the guest for the rest.

use berth_domain::guest::Source;
use berth_domain::id::StayId;
use berth_domain::stay::EndReason;
use berth_domain::time::Timestamp;
use uuid::Uuid;

use super::guest::reminded;
use super::life::{Active, Life, ROWS_PER_GUEST};
use super::people::Seat;
use super::rows::{Actor, AuditRow, Batch, StayRow};
use crate::words::{DECLINED, LEFT};
use berth_server::admin::audit_log::{AuditAction, ObjectKind};

/// Time between the view of a guest and the decision, in milliseconds.
const LOOKED_BEFORE: i64 = 30 * 60_000;

impl Life<'_> {
    /// Chooses who decides.
    pub(super) fn decider(&mut self) -> Seat {
        *self.dice.pick(&self.team.deciders)
    }

    /// Chooses who adds a guest; none if the reservation comes from the public side.
    pub(super) fn creator(&mut self, source: Source, is_third: bool) -> Option<Seat> {
        match source {
            Source::Web => None,
            Source::Admin if is_third => Some(*self.dice.pick(&self.team.admins)),
            Source::Admin => Some(self.decider()),
        }
    }

    /// Opens a stay.
    pub(super) fn open(&mut self, index: usize, bed: usize, at: Timestamp, by: Seat) {
        let stay = StayRow {
            id: StayId(self.dice.id(at)),
            site_id: self.host.site.id,
            guest_id: self.active[index].row.id,
            bed_id: self.host.site.beds[bed].id,
            started_at: at,
            started_by: self.users[by.0].id,
            ended: None,
        };
        self.holders[bed] = Some(index);
        let guest = &mut self.active[index];
        guest.stays.push(stay);
        guest.bed = Some(bed);
    }

    /// Ends the open stay and returns the bed that is now free.
    pub(super) fn end(&mut self, index: usize, at: Timestamp, by: Seat, reason: EndReason) -> Option<usize> {
        let guest = &mut self.active[index];
        let bed = guest.bed.take()?;
        self.holders[bed] = None;
        if let Some(stay) = guest.stays.last_mut() {
            stay.ended = Some((at, self.users[by.0].id, reason));
        }
        Some(bed)
    }

    /// Writes the guest's rows; the guest has no more events by `until`.
    pub(super) fn close(&mut self, index: usize, until: Timestamp, out: &mut Batch) {
        let mut guest = self.active.swap_remove(index);
        self.due.swap_remove(index);
        if let Some(bed) = guest.bed {
            self.holders[bed] = None;
        }
        if let Some(bed) = self.active.get(index).and_then(|moved| moved.bed) {
            self.holders[bed] = Some(index);
        }
        if self.active.iter().all(|other| other.person.phone != guest.person.phone) {
            self.persons.leave(guest.person);
        }
        guest.row.reminded =
            reminded(guest.row.created_at, guest.row.expires_at, guest.row.accepted_at.unwrap_or(until));
        out.services.extend(guest.services.into_iter().map(|service| (guest.row.id, service)));
        out.guests.push(guest.row);
        out.stays.extend(guest.stays);
    }

    pub(super) fn record_created(
        &mut self,
        guest: &mut Active,
        by: Option<Seat>,
        is_third: bool,
        at: Timestamp,
        out: &mut Batch,
    ) {
        let by = by.map_or(Actor::Stranger, Actor::User);
        let code = &guest.row.code;
        let object = (ObjectKind::Guest, guest.row.id.0);
        let summary = format!("{code} ({})", guest.row.source);
        self.record(AuditAction::GuestCreated, by, object, summary, at, out);
        guest.rows = 1;
        if is_third {
            let summary = format!("{code} is the person's third active reservation");
            self.record(AuditAction::GuestThirdAllowed, by, object, summary, at, out);
            guest.rows = 2;
        }
    }

    /// Records that a user viewed the guest before `at`.
    pub(super) fn record_viewed(&mut self, index: usize, at: Timestamp, out: &mut Batch) {
        let from = self.active[index].touched.max(at.plus_millis(-LOOKED_BEFORE));
        let seen = from.plus_millis(self.dice.between(0, at.millis() - from.millis()));
        let by = Actor::User(*self.dice.pick(&self.team.everyone));
        let guest = &mut self.active[index];
        guest.rows += 1;
        guest.touched = seen;
        let (object, code) = ((ObjectKind::Guest, guest.row.id.0), guest.row.code.clone());
        self.record(AuditAction::GuestViewed, by, object, code, seen, out);
    }

    /// Records as many views as are missing to five rows.
    pub(super) fn record_rest(&mut self, index: usize, at: Timestamp, out: &mut Batch) {
        while self.active[index].rows < ROWS_PER_GUEST {
            self.record_viewed(index, at, out);
        }
    }

    /// Records that the guest got a bed or moved to another one.
    pub(super) fn record_placed(
        &mut self,
        index: usize,
        action: AuditAction,
        (from, to): (Option<usize>, Option<usize>),
        by: Seat,
        at: Timestamp,
        out: &mut Batch,
    ) {
        let code = &self.active[index].row.code;
        let bed = |index: usize| self.host.site.beds[index].id;
        let summary = match (from.map(bed), to.map(bed)) {
            (Some(from), Some(to)) => format!("{code} from bed {from} to bed {to}"),
            (None, Some(to)) => format!("{code} to bed {to}"),
            (Some(from), None) => format!("{code} out of bed {from}"),
            (None, None) => code.clone(),
        };
        self.record_change(index, action, Actor::User(by), summary, at, out);
    }

    /// Records the end of the guest's events: the missing views, then the last change.
    pub(super) fn record_ended(
        &mut self,
        index: usize,
        action: AuditAction,
        by: Option<Seat>,
        at: Timestamp,
        out: &mut Batch,
    ) {
        while self.active[index].rows + 1 < ROWS_PER_GUEST {
            self.record_viewed(index, at, out);
        }
        let words = if action == AuditAction::GuestDischarged { &LEFT } else { &DECLINED };
        let feedback = (by.is_some() && self.dice.chance(40)).then(|| *self.dice.pick(words));
        let guest = &mut self.active[index];
        guest.row.feedback = feedback;
        let code = &guest.row.code;
        let summary = match guest.bed {
            Some(bed) => format!("{code} out of bed {}", self.host.site.beds[bed].id),
            None => code.clone(),
        };
        self.record_change(index, action, by.map_or(Actor::Job, Actor::User), summary, at, out);
    }

    /// Records that a bed was disabled or removed.
    pub(super) fn record_retired(&mut self, bed: usize, is_removed: bool, at: Timestamp, out: &mut Batch) {
        let bed = &self.host.site.beds[bed];
        let (action, summary) = if is_removed {
            let room = &self.host.site.rooms[bed.room].name;
            (AuditAction::BedRemoved, format!("bed {} of house {room} removed", bed.name))
        } else {
            (AuditAction::BedDisabled, format!("bed {}: disabled changed", bed.name))
        };
        let by = Actor::User(self.decider());
        self.record(action, by, (ObjectKind::Bed, bed.id.0), summary, at, out);
    }

    /// Makes a row for a change of the guest's state.
    fn record_change(
        &mut self,
        index: usize,
        action: AuditAction,
        by: Actor,
        summary: String,
        at: Timestamp,
        out: &mut Batch,
    ) {
        let guest = &mut self.active[index];
        guest.rows += 1;
        guest.row.version += 1;
        guest.touched = at;
        let object = (ObjectKind::Guest, guest.row.id.0);
        self.record(action, by, object, summary, at, out);
    }

    fn record(
        &mut self,
        action: AuditAction,
        by: Actor,
        object: (ObjectKind, Uuid),
        summary: String,
        at: Timestamp,
        out: &mut Batch,
    ) {
        out.audit.push(AuditRow {
            id: self.dice.id(at),
            at,
            action,
            by,
            organization_id: self.host.organization.id,
            site_id: self.host.site.id,
            object,
            summary,
            request: self.dice.number(),
        });
    }
}
