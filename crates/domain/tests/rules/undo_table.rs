//! What an undo requires, and what it restores (DESIGN 3, docs/decisions/0047).

use crate::support::{NOW, accepted, bed, bed_id, board, guest_id, pending};
use berth_domain::Timestamp;
use berth_domain::guest::{GuestFacts, Source};
use berth_domain::stay::{
    ActiveReservations, BedFacts, Board, Change, Command, OpenedStay, Overrides, Refusal, Stamp, UndoFacts, decide,
};

const SECOND: i64 = 1000;
const HOUR: i64 = 3600 * SECOND;

/// An undo by an admin that nothing prevents; a discharged guest left bed 1.
fn facts() -> UndoFacts {
    UndoFacts {
        may_undo_all: true,
        is_own: false,
        has_earlier_stay: false,
        was_decline_undone: false,
        bed: Some(bed_id(1)),
        live_pending: 0,
        active: ActiveReservations::default(),
        allowed: Overrides::default(),
    }
}

fn declined(at: Timestamp) -> GuestFacts {
    GuestFacts { rejected_at: Some(at), ..pending(1) }
}

fn discharged(at: Timestamp) -> GuestFacts {
    GuestFacts { discharged_at: Some(at), ..accepted(1) }
}

/// Undoes on a board of two vacant beds.
fn undo(guest: &GuestFacts, facts: UndoFacts) -> Result<Change, Refusal> {
    undo_on(board(vec![bed(1, None), bed(2, None)]), guest, facts)
}

fn undo_on(board: Board, guest: &GuestFacts, facts: UndoFacts) -> Result<Change, Refusal> {
    decide(&Board { undo: Some(facts), ..board }, guest, &Command::Undo, NOW)
}

#[test]
fn a_discharged_guest_gets_the_same_bed_again_in_a_new_stay() {
    let change = undo(&discharged(NOW.plus_hours(-1)), facts()).expect("allowed");
    let opened = vec![OpenedStay { guest: guest_id(1), bed: bed_id(1) }];
    assert_eq!(change, Change { opened, stamps: vec![(guest_id(1), Stamp::DischargeUndone)], ..Change::default() });
}

#[test]
fn a_guest_whose_decline_is_undone_gets_the_rest_of_the_hold() {
    let by_hand = undo(&declined(NOW.plus_hours(-1)), facts()).expect("allowed");
    let stamps = |expires_at| vec![(guest_id(1), Stamp::DeclineUndone { expires_at })];
    assert_eq!(by_hand, Change { stamps: stamps(None), ..Change::default() });
    // Two hours were left when it was declined, five hours ago; the hold itself would have ended since.
    let guest =
        GuestFacts { source: Source::Web, expires_at: Some(NOW.plus_hours(-3)), ..declined(NOW.plus_hours(-5)) };
    assert_eq!(undo(&guest, facts()).expect("allowed").stamps, stamps(Some(NOW.plus_hours(2))));
    // A clock that was set back since then does not shorten the hold.
    let guest = GuestFacts { expires_at: Some(NOW.plus_hours(7)), ..declined(NOW.plus_hours(1)) };
    assert_eq!(undo(&guest, facts()).expect("allowed").stamps, stamps(Some(NOW.plus_hours(7))));
}

#[test]
fn only_the_first_undo_of_a_decline_extends_the_hold() {
    let again = UndoFacts { was_decline_undone: true, ..facts() };
    let web = GuestFacts { source: Source::Web, ..declined(NOW.plus_hours(-1)) };
    let held = GuestFacts { expires_at: Some(NOW.plus_millis(1)), ..web.clone() };
    let stamps = vec![(guest_id(1), Stamp::DeclineUndone { expires_at: held.expires_at })];
    assert_eq!(undo(&held, again.clone()).expect("allowed").stamps, stamps, "the end stays where it was");
    let over = GuestFacts { expires_at: Some(NOW), ..web };
    assert_eq!(undo(&over, again.clone()), Err(Refusal::UndoHoldOver));
    assert_eq!(undo(&over, facts()).err(), None, "the first time, an hour was left");
    assert_eq!(undo(&declined(NOW), again).err(), None, "a guest who was added by hand has no hold");
}

/// Undoes the accept of a guest in bed 1.
fn undo_accept(guest: &GuestFacts, facts: UndoFacts) -> Result<Change, Refusal> {
    undo_on(board(vec![bed(1, Some(guest.clone())), bed(2, None)]), guest, facts)
}

fn accepted_ago(millis: i64) -> GuestFacts {
    GuestFacts { accepted_at: Some(NOW.plus_millis(-millis)), ..pending(1) }
}

#[test]
fn an_undone_accept_frees_the_bed_leaves_no_stay_and_keeps_the_hold() {
    let own = UndoFacts { is_own: true, ..facts() };
    let guest = GuestFacts { source: Source::Web, expires_at: Some(NOW.plus_millis(1)), ..accepted_ago(9 * SECOND) };
    let withdrawn = Some(OpenedStay { guest: guest_id(1), bed: bed_id(1) });
    let change = Change { withdrawn, stamps: vec![(guest_id(1), Stamp::AcceptUndone)], ..Change::default() };
    assert_eq!(undo_accept(&guest, own.clone()), Ok(change));
    let over = GuestFacts { expires_at: Some(NOW), ..guest };
    assert_eq!(undo_accept(&over, own), Err(Refusal::UndoAcceptHoldOver));
}

#[test]
fn an_accept_can_be_undone_for_ten_seconds_only_by_the_user_who_accepted() {
    let late = Some(Refusal::UndoAcceptTooLate);
    for (passed, own, others) in
        [(0, None, late), (10 * SECOND, None, late), (10 * SECOND + 1, late, late), (-HOUR, None, late)]
    {
        let by = |is_own, may_undo_all| {
            undo_accept(&accepted_ago(passed), UndoFacts { is_own, may_undo_all, ..facts() }).err()
        };
        assert_eq!((by(true, false), by(true, true)), (own, own), "{passed} ms");
        assert_eq!((by(false, false), by(false, true)), (others, others), "{passed} ms");
    }
}

#[test]
fn an_accept_can_be_undone_only_before_anything_else_happens_to_the_guest() {
    let own = UndoFacts { is_own: true, ..facts() };
    let moved = GuestFacts { reassigned_at: Some(NOW), ..accepted_ago(0) };
    assert_eq!(undo_accept(&moved, own.clone()), Err(Refusal::NothingToUndo));
    let back = UndoFacts { has_earlier_stay: true, ..own.clone() };
    assert_eq!(undo_accept(&accepted_ago(0), back), Err(Refusal::NothingToUndo), "was discharged and came back");
    assert_eq!(undo(&accepted_ago(0), own), Err(Refusal::BoardChanged), "a guest without a bed");
}

#[test]
fn pending_moved_or_expired_guests_have_nothing_to_undo() {
    let expired = GuestFacts { expires_at: Some(NOW), ..pending(1) };
    for guest in [pending(1), GuestFacts { reassigned_at: Some(NOW), ..accepted(1) }, expired] {
        assert_eq!(undo(&guest, facts()), Err(Refusal::NothingToUndo), "{guest:?}");
    }
}

#[test]
fn a_user_undoes_its_own_decision_for_ten_seconds_and_with_the_permission_any_for_a_day() {
    let (ok, admin, late) = (None, Some(Refusal::UndoNeedsAdmin), Some(Refusal::UndoTooLate));
    for (passed, own, others, with_right) in [
        (0, ok, admin, ok),
        (10 * SECOND, ok, admin, ok),
        (10 * SECOND + 1, admin, admin, ok),
        (24 * HOUR, admin, admin, ok),
        (24 * HOUR + 1, admin, admin, late),
        (-HOUR, ok, admin, ok),
    ] {
        for guest in [declined(NOW.plus_millis(-passed)), discharged(NOW.plus_millis(-passed))] {
            let by = |is_own, may_undo_all| undo(&guest, UndoFacts { is_own, may_undo_all, ..facts() }).err();
            assert_eq!((by(true, false), by(false, false), by(false, true)), (own, others, with_right), "{passed} ms");
            assert_eq!(by(true, true), with_right, "{passed} ms");
        }
    }
}

#[test]
fn a_discharge_can_be_undone_only_while_its_bed_exists_enabled_and_vacant() {
    let guest = discharged(NOW);
    let on = |beds| undo_on(board(beds), &guest, facts()).err();
    assert_eq!(on(vec![bed(2, None)]), Some(Refusal::UndoBedRemoved));
    assert_eq!(on(vec![BedFacts { disabled: true, ..bed(1, None) }]), Some(Refusal::UndoBedDisabled));
    assert_eq!(on(vec![bed(1, Some(accepted(3))), bed(2, None)]), Some(Refusal::UndoBedTaken));
    assert_eq!(on(vec![bed(1, None)]), None);
}

#[test]
fn an_undo_leaves_a_bed_for_every_pending_reservation() {
    let walk_in = Overrides { over_capacity: true, third: false };
    for guest in [declined(NOW), discharged(NOW)] {
        for (live_pending, refusal) in
            [(0, None), (1, None), (2, Some(Refusal::UndoNoRoom)), (3, Some(Refusal::UndoNoRoom))]
        {
            assert_eq!(undo(&guest, UndoFacts { live_pending, ..facts() }).err(), refusal, "{live_pending} wait");
            let allowed = UndoFacts { live_pending, allowed: walk_in, ..facts() };
            assert_eq!(undo(&guest, allowed).err(), None, "a walk-in only needs a vacant bed");
        }
    }
    let full = board(vec![bed(1, Some(accepted(3)))]);
    assert_eq!(undo_on(full, &declined(NOW), facts()).err(), Some(Refusal::UndoNoRoom));
}

#[test]
fn an_undo_respects_the_limit_of_two_active_reservations_and_names_only_visible_ones() {
    let (many, hidden) = (Some(Refusal::UndoTooManyReservations), Some(Refusal::UndoHiddenReservations));
    for (visible, all, plain, third, walk_in) in [
        (0, 1, None, None, None),
        (1, 1, None, None, None),
        (0, 2, hidden, None, None),
        (1, 2, hidden, None, None),
        (2, 2, many, None, many),
        (1, 3, hidden, hidden, None),
        (3, 3, many, many, many),
    ] {
        for guest in [declined(NOW), discharged(NOW)] {
            let by = |third, over_capacity| {
                let active = ActiveReservations { visible, all };
                undo(&guest, UndoFacts { active, allowed: Overrides { third, over_capacity }, ..facts() }).err()
            };
            assert_eq!(
                (by(false, false), by(true, false), by(false, true)),
                (plain, third, walk_in),
                "{visible} of {all}"
            );
        }
    }
    assert_eq!(Refusal::UndoHiddenReservations.sentence(), Refusal::UndoNoRoom.sentence());
}
