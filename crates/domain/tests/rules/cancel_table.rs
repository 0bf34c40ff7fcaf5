//! Which reservations a guest may cancel, and which status the public side shows (docs/decisions/0049).

use crate::support::{NOW, accepted, bed, board, pending};
use berth_domain::Timestamp;
use berth_domain::guest::{GuestFacts, PUBLIC_DAYS, PublicStatus, Source};
use berth_domain::stay::{Change, Command, Refusal, Stamp, cancel, decide};

fn web(guest: &GuestFacts) -> GuestFacts {
    GuestFacts { source: Source::Web, ..guest.clone() }
}

fn held(until: Timestamp) -> GuestFacts {
    GuestFacts { expires_at: Some(until), ..web(&pending(1)) }
}

fn declined(at: Timestamp) -> GuestFacts {
    GuestFacts { rejected_at: Some(at), ..held(NOW.plus_hours(1)) }
}

fn cancelled(at: Timestamp) -> GuestFacts {
    GuestFacts { cancelled_at: Some(at), ..declined(at) }
}

#[test]
fn only_a_pending_public_reservation_can_be_cancelled() {
    let waiting = held(NOW.plus_millis(1));
    let change = Change { stamps: vec![(waiting.id, Stamp::Cancelled)], ..Change::default() };
    assert_eq!(cancel(&waiting, NOW), Ok(change));
    assert_eq!(cancel(&pending(1), NOW), Err(Refusal::CancelByHand), "its phone was not proved");
    assert_eq!(cancel(&held(NOW), NOW), Err(Refusal::NothingToCancel), "the hold is over");
    assert_eq!(cancel(&declined(NOW), NOW), Err(Refusal::NothingToCancel));
    assert_eq!(cancel(&cancelled(NOW), NOW), Err(Refusal::CancelledByGuest));
    assert_eq!(cancel(&web(&accepted(1)), NOW), Err(Refusal::CancelNeedsCall));
    let left = GuestFacts { discharged_at: Some(NOW), ..web(&accepted(1)) };
    assert_eq!(cancel(&left, NOW), Err(Refusal::NothingToCancel));
}

#[test]
fn a_cancelled_reservation_rejects_every_command() {
    let board = board(vec![bed(1, None)]);
    let bed = board.beds[0].id;
    let commands = [
        Command::Accept { bed },
        Command::Reassign { bed },
        Command::Swap { bed },
        Command::Reject { feedback: None },
        Command::Discharge { feedback: None },
        Command::Undo,
    ];
    for command in commands {
        assert_eq!(decide(&board, &cancelled(NOW), &command, NOW), Err(Refusal::CancelledByGuest), "{command:?}");
    }
}

#[test]
fn the_public_status_is_shown_until_a_week_after_the_decision() {
    let last = NOW.plus_days(-PUBLIC_DAYS).plus_millis(1);
    let left = |at: Timestamp| GuestFacts { accepted_at: Some(at), discharged_at: Some(NOW), ..web(&pending(1)) };
    let lodging = |at: Timestamp| GuestFacts { accepted_at: Some(at), ..web(&pending(1)) };
    let over = |guest: fn(Timestamp) -> GuestFacts, status: PublicStatus| {
        assert_eq!(guest(last).public_status(NOW), Some(status));
        assert_eq!(guest(last.plus_millis(-1)).public_status(NOW), None, "{status}");
    };
    over(declined, PublicStatus::Declined);
    over(cancelled, PublicStatus::Cancelled);
    over(held, PublicStatus::Expired);
    assert_eq!(lodging(last).public_status(NOW), Some(PublicStatus::Accepted));
    assert_eq!(left(last).public_status(NOW), Some(PublicStatus::Ended));
    for guest in [lodging(last.plus_millis(-1)), left(last.plus_millis(-1))] {
        assert_eq!(guest.public_status(NOW), None, "a long stay is not public");
    }
    assert_eq!(held(NOW.plus_millis(1)).public_status(NOW), Some(PublicStatus::Waiting));
    assert_eq!(pending(1).public_status(NOW), Some(PublicStatus::Waiting), "added by hand");
}
