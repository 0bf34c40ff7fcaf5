//! Which of two reservations of one person may be merged into the other, and what an undo restores (docs/decisions/0070).

use crate::support::{NOW, accepted, guest_id, pending};
use berth_domain::guest::{GuestFacts, PublicStatus, Source};
use berth_domain::stay::{
    ActiveReservations, Change, Overrides, Refusal, Reopened, Stamp, UndoFacts, merge, time_of_merge, undo_merge,
};

fn stamped(change: Result<Change, Refusal>) -> Result<Stamp, Refusal> {
    let change = change?;
    let [(guest, stamp)] = change.stamps[..] else { panic!("one guest changes: {change:?}") };
    assert_eq!((guest, change.ended.len(), change.opened.len()), (guest_id(2), 0, 0));
    Ok(stamp)
}

fn declined(number: u128) -> GuestFacts {
    GuestFacts { rejected_at: Some(NOW.plus_hours(-1)), ..pending(number) }
}

fn discharged(number: u128) -> GuestFacts {
    GuestFacts { discharged_at: Some(NOW.plus_hours(-1)), ..accepted(number) }
}

fn expired(number: u128) -> GuestFacts {
    GuestFacts { source: Source::Web, expires_at: Some(NOW), ..pending(number) }
}

/// A reservation that was pending until it was merged an hour ago.
fn ended() -> GuestFacts {
    let at = Some(NOW.plus_hours(-1));
    GuestFacts { rejected_at: at, merged_at: at, ..pending(2) }
}

fn facts() -> UndoFacts {
    UndoFacts {
        may_undo_all: true,
        is_own: false,
        has_earlier_stay: false,
        was_decline_undone: false,
        bed: None,
        live_pending: 1,
        active: ActiveReservations { visible: 1, all: 1 },
        allowed: Overrides::default(),
    }
}

#[test]
fn a_pending_duplicate_ends_and_what_has_ended_stays_as_it_was() {
    for kept in [pending(1), accepted(1)] {
        assert_eq!(stamped(merge(&kept, &pending(2), false, NOW)), Ok(Stamp::Merged { ends: true }));
    }
    for kept in [pending(1), accepted(1), declined(1), discharged(1), expired(1)] {
        for duplicate in [declined(2), discharged(2), expired(2)] {
            assert_eq!(stamped(merge(&kept, &duplicate, false, NOW)), Ok(Stamp::Merged { ends: false }));
        }
    }
}

#[test]
fn no_bed_and_no_pending_reservation_is_lost_by_a_merge() {
    assert_eq!(merge(&accepted(1), &accepted(2), false, NOW), Err(Refusal::MergeHasBed));
    for kept in [declined(1), discharged(1), expired(1)] {
        assert_eq!(merge(&kept, &pending(2), false, NOW), Err(Refusal::MergeWouldEnd));
    }
}

#[test]
fn a_merged_reservation_is_merged_once_and_nothing_is_merged_into_it() {
    assert_eq!(merge(&pending(1), &ended(), false, NOW), Err(Refusal::Merged));
    let kept = GuestFacts { merged_at: Some(NOW), ..discharged(1) };
    assert_eq!(merge(&kept, &discharged(2), false, NOW), Err(Refusal::MergeKeptMerged));
    assert_eq!(merge(&pending(1), &discharged(2), true, NOW), Err(Refusal::MergeHasOthers));
}

#[test]
fn a_merge_is_told_from_an_earlier_decline_of_the_same_moment() {
    let declined = GuestFacts { rejected_at: Some(NOW), ..pending(2) };
    assert_eq!(time_of_merge(&declined, NOW), NOW.plus_millis(1));
    assert_eq!(time_of_merge(&pending(2), NOW), NOW);
    let merged = GuestFacts { merged_at: Some(NOW.plus_millis(1)), ..declined };
    assert!(!merged.ended_by_merge());
    assert_eq!(merged.public_status(NOW), Some(PublicStatus::Declined));
    assert!(ended().ended_by_merge());
    assert_eq!(ended().public_status(NOW), Some(PublicStatus::Merged), "not declined: the guest is expected");
}

#[test]
fn an_undone_merge_opens_the_reservation_again_while_its_hold_lasts() {
    let undo = |guest: &GuestFacts| stamped(undo_merge(guest, 2, &facts(), NOW));
    assert_eq!(undo(&ended()), Ok(Stamp::MergeUndone(Reopened::Pending)));
    let held = GuestFacts { source: Source::Web, expires_at: Some(NOW.plus_millis(1)), ..ended() };
    assert_eq!(undo(&held), Ok(Stamp::MergeUndone(Reopened::Pending)));
    let over = GuestFacts { expires_at: Some(NOW), ..held };
    assert_eq!(undo(&over), Ok(Stamp::MergeUndone(Reopened::Expired { at: NOW })));
    let past = GuestFacts { merged_at: Some(NOW), ..discharged(2) };
    assert_eq!(undo(&past), Ok(Stamp::MergeUndone(Reopened::No)));
    assert_eq!(undo_merge(&pending(2), 2, &facts(), NOW), Err(Refusal::NotMerged));
}

#[test]
fn an_undone_merge_needs_a_bed_and_counts_for_the_person_only_if_the_reservation_is_pending_again() {
    let crowded = UndoFacts { active: ActiveReservations { visible: 2, all: 2 }, ..facts() };
    assert_eq!(undo_merge(&ended(), 1, &facts(), NOW), Err(Refusal::UndoNoRoom));
    assert_eq!(undo_merge(&ended(), 2, &crowded, NOW), Err(Refusal::UndoTooManyReservations));
    let past = GuestFacts { merged_at: Some(NOW), ..discharged(2) };
    assert!(undo_merge(&past, 0, &crowded, NOW).is_ok());
}
