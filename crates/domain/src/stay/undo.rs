//! Undoing an accept, a decline or a discharge (DESIGN 3, docs/decisions/0047).

use super::{ActiveReservations, Board, Change, OpenedStay, Overrides, Refusal, Stamp, capacity, may_take_beds};
use crate::guest::{GuestFacts, GuestStatus};
use crate::id::BedId;
use crate::time::Timestamp;

/// How long the user who made a decision can undo it, in milliseconds.
pub(crate) const OWN_UNDO_MILLIS: i64 = 10 * 1000;
/// How long a caller with [`crate::Action::UndoDecision`] can undo a decision, in milliseconds.
const UNDO_MILLIS: i64 = 24 * 60 * 60 * 1000;

/// The facts that an undo needs besides the beds, read under the site's lock.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UndoFacts {
    /// True if the caller can undo other users' decisions ([`crate::Action::UndoDecision`]).
    pub may_undo_all: bool,
    /// True if the caller made the decision.
    pub is_own: bool,
    /// True if the guest had a stay before the present one: a discharge was undone since the accept.
    pub has_earlier_stay: bool,
    /// True if a decline of this reservation was undone before. Its hold is paused only once.
    pub was_decline_undone: bool,
    /// The bed that a discharged guest left.
    pub bed: Option<BedId>,
    /// Live pending reservations of the site.
    pub live_pending: i64,
    /// The other active reservations of the person.
    pub active: ActiveReservations,
    /// Exceptions that were made when the guest was added. They still count.
    pub allowed: Overrides,
}

/// Decides [`super::Command::Undo`]. A discharged guest gets the same bed again, in a new stay. A declined one is pending
/// again, with as much of the hold as was left when it was declined; from the second undo on, the hold ends when it would have.
/// An accepted one is pending again and the bed is free; the hold ends when it would have.
pub(super) fn undo(board: &Board, guest: &GuestFacts, now: Timestamp) -> Result<Change, Refusal> {
    if guest.merged_at.is_some() {
        return Err(Refusal::Merged);
    }
    if guest.cancelled_at.is_some() {
        return Err(Refusal::CancelledByGuest);
    }
    let decided_at = match guest.status(now) {
        GuestStatus::Accepted => return accept(board, guest, now),
        GuestStatus::Rejected => guest.rejected_at,
        GuestStatus::Discharged => guest.discharged_at,
        GuestStatus::Pending | GuestStatus::Reassigned | GuestStatus::Expired => None,
    };
    let Some(decided_at) = decided_at else { return Err(Refusal::NothingToUndo) };
    let facts = board.undo.as_ref().ok_or(Refusal::BoardChanged)?;
    in_time(facts, decided_at, now)?;
    let change = if guest.discharged_at.is_some() {
        discharge(board, guest, facts)?
    } else {
        decline(board, guest, facts, now)?
    };
    reservations(facts)?;
    Ok(change)
}

/// Checks the time: ten seconds for one's own decision, a day for a caller with the right to undo.
const fn in_time(facts: &UndoFacts, decided_at: Timestamp, now: Timestamp) -> Result<(), Refusal> {
    let passed = now.millis().saturating_sub(decided_at.millis());
    if facts.is_own && passed <= OWN_UNDO_MILLIS {
        return Ok(());
    }
    if !facts.may_undo_all {
        Err(Refusal::UndoNeedsAdmin)
    } else if passed > UNDO_MILLIS {
        Err(Refusal::UndoTooLate)
    } else {
        Ok(())
    }
}

/// Undoes an accept by the user who accepted, within ten seconds and while the hold lasts. The bed frees a unit of capacity, and the number
/// of active reservations stays, so neither limit is checked.
fn accept(board: &Board, guest: &GuestFacts, now: Timestamp) -> Result<Change, Refusal> {
    let facts = board.undo.as_ref().ok_or(Refusal::BoardChanged)?;
    let (Some(bed), Some(accepted_at)) = (board.bed_of(guest.id), guest.accepted_at) else {
        return Err(Refusal::BoardChanged);
    };
    if facts.has_earlier_stay {
        return Err(Refusal::NothingToUndo);
    }
    // Somebody has recorded since that the guest is here.
    if guest.arrived_at.is_some() {
        return Err(Refusal::AlreadyArrived);
    }
    if !facts.is_own || now.millis().saturating_sub(accepted_at.millis()) > OWN_UNDO_MILLIS {
        return Err(Refusal::UndoAcceptTooLate);
    }
    if guest.expires_at.is_some_and(|end| end <= now) {
        return Err(Refusal::UndoAcceptHoldOver);
    }
    let withdrawn = Some(OpenedStay { guest: guest.id, bed: bed.id });
    Ok(Change { withdrawn, stamps: vec![(guest.id, Stamp::AcceptUndone)], ..Change::default() })
}

/// Undoes a discharge: the guest gets the same bed, if it is vacant and no pending reservation needs it.
fn discharge(board: &Board, guest: &GuestFacts, facts: &UndoFacts) -> Result<Change, Refusal> {
    let bed = facts.bed.and_then(|bed| board.bed(bed)).ok_or(Refusal::UndoBedRemoved)?;
    if bed.disabled {
        return Err(Refusal::UndoBedDisabled);
    }
    if bed.guest.is_some() {
        return Err(Refusal::UndoBedTaken);
    }
    if bed.offered {
        return Err(Refusal::UndoBedOffered);
    }
    if !facts.allowed.over_capacity {
        may_take_beds(vacant(board), 1, facts.live_pending).map_err(|_| Refusal::UndoNoRoom)?;
    }
    let opened = vec![OpenedStay { guest: guest.id, bed: bed.id }];
    Ok(Change { opened, stamps: vec![(guest.id, Stamp::DischargeUndone)], ..Change::default() })
}

/// Undoes a decline: the reservation is pending again, if capacity is left. The first time, the time since the decline does not count
/// for its hold. After that the hold keeps its end; otherwise repeated declines and undos would hold a bed forever.
fn decline(board: &Board, guest: &GuestFacts, facts: &UndoFacts, now: Timestamp) -> Result<Change, Refusal> {
    capacity(vacant(board), facts.live_pending, facts.allowed).map_err(|_| Refusal::UndoNoRoom)?;
    let expires_at = guest.expires_at.map(|end| match guest.rejected_at {
        Some(declined) if !facts.was_decline_undone => end.plus_millis((now.millis() - declined.millis()).max(0)),
        _ => end,
    });
    if expires_at.is_some_and(|end| end <= now) {
        return Err(Refusal::UndoHoldOver);
    }
    Ok(Change { stamps: vec![(guest.id, Stamp::DeclineUndone { expires_at })], ..Change::default() })
}

fn vacant(board: &Board) -> i64 {
    i64::try_from(board.vacant()).unwrap_or(i64::MAX)
}

/// Checks the limit of two active reservations per person, or three if a third was allowed. If only reservations that the caller may
/// not see exceed it, the refusal reads like that of a full house.
pub(super) const fn reservations(facts: &UndoFacts) -> Result<(), Refusal> {
    let UndoFacts { active, allowed, .. } = facts;
    let others = if allowed.third { 2 } else { 1 };
    if active.visible > others {
        Err(Refusal::UndoTooManyReservations)
    } else if active.all > others && !allowed.over_capacity {
        Err(Refusal::UndoHiddenReservations)
    } else {
        Ok(())
    }
}
