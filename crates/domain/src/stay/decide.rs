//! Deciding a command by the table of DESIGN 3.

use super::undo::undo;
use super::{BedFacts, Board, Change, Command, EndReason, EndedStay, OpenedStay, Refusal, Stamp};
use crate::guest::{GuestFacts, GuestStatus, Source};
use crate::id::BedId;
use crate::time::Timestamp;

/// Decides `command` for `guest` on the board of the guest's site, read under its lock.
///
/// # Errors
/// The refusal, if the table of DESIGN 3 has no row for the state of the guest and the bed.
pub fn decide(board: &Board, guest: &GuestFacts, command: &Command, now: Timestamp) -> Result<Change, Refusal> {
    match command {
        Command::Accept { bed } => accept(board, guest, *bed, now),
        Command::Reassign { bed } => reassign(board, guest, *bed, now),
        Command::Swap { bed } => swap(board, guest, *bed, now),
        Command::Reject { feedback } => {
            pending(board, guest, now).map_err(|refusal| match refusal {
                Refusal::AlreadyAssigned => Refusal::AssignedCannotBeDeclined,
                other => other,
            })?;
            Ok(Change { stamps: vec![(guest.id, Stamp::Rejected)], ..noting(guest, feedback.as_ref()) })
        }
        Command::Discharge { feedback } => {
            let bed = assigned(board, guest, now)?;
            let ended = vec![EndedStay { guest: guest.id, bed: bed.id, reason: EndReason::Discharged }];
            Ok(Change { ended, stamps: vec![(guest.id, Stamp::Discharged)], ..noting(guest, feedback.as_ref()) })
        }
        Command::Arrive => {
            arriving(board, guest, now)?;
            Ok(Change { stamps: vec![(guest.id, Stamp::Arrived)], ..Change::default() })
        }
        Command::UndoArrival => {
            assigned(board, guest, now)?;
            if !board.asks_arrival {
                return Err(Refusal::ArrivalsNotAsked);
            }
            let arrived_at = guest.arrived_at.ok_or(Refusal::NotArrived)?;
            if now > arrived_at.plus_days(1) {
                return Err(Refusal::UndoArrivalTooLate);
            }
            Ok(Change { stamps: vec![(guest.id, Stamp::ArrivalUndone)], ..Change::default() })
        }
        Command::NoShow { feedback } => {
            let bed = arriving(board, guest, now)?;
            let ended = vec![EndedStay { guest: guest.id, bed: bed.id, reason: EndReason::Discharged }];
            Ok(Change { ended, stamps: vec![(guest.id, Stamp::NoShow)], ..noting(guest, feedback.as_ref()) })
        }
        Command::Undo => undo(board, guest, now),
    }
}

/// Checks that the day of departure of a guest may be set: the guest has a bed.
///
/// # Errors
/// The refusal that tells why there is none.
pub fn may_set_departure(guest: &GuestFacts, now: Timestamp) -> Result<(), Refusal> {
    unassigned(guest, now).map_or(Ok(()), Err)
}

/// Returns the bed that is reserved for a guest who has not arrived.
fn arriving<'a>(board: &'a Board, guest: &GuestFacts, now: Timestamp) -> Result<&'a BedFacts, Refusal> {
    let bed = assigned(board, guest, now)?;
    if !board.asks_arrival {
        return Err(Refusal::ArrivalsNotAsked);
    }
    if guest.is_arriving(true, now) { Ok(bed) } else { Err(Refusal::AlreadyArrived) }
}

/// ACCEPTED: a pending guest gets an enabled, vacant bed. A guest from the public search needs a subscription at a commercial site.
fn accept(board: &Board, guest: &GuestFacts, bed: BedId, now: Timestamp) -> Result<Change, Refusal> {
    pending(board, guest, now).map_err(|refusal| own_bed_first(board, guest, bed, refusal))?;
    if board.needs_subscription && guest.source == Source::Web && !board.subscription_active {
        return Err(Refusal::SubscriptionNeeded);
    }
    let bed = vacant(board, bed)?;
    let opened = vec![OpenedStay { guest: guest.id, bed: bed.id }];
    Ok(Change { opened, stamps: vec![(guest.id, Stamp::Accepted)], ..Change::default() })
}

/// REASSIGNED: a guest with a bed moves to another one, enabled and vacant.
fn reassign(board: &Board, guest: &GuestFacts, bed: BedId, now: Timestamp) -> Result<Change, Refusal> {
    let own = assigned(board, guest, now)?;
    if own.id == bed {
        return Err(Refusal::OwnBed);
    }
    let bed = vacant(board, bed)?;
    Ok(Change {
        ended: vec![EndedStay { guest: guest.id, bed: own.id, reason: EndReason::Reassigned }],
        opened: vec![OpenedStay { guest: guest.id, bed: bed.id }],
        stamps: vec![(guest.id, Stamp::Reassigned)],
        ..Change::default()
    })
}

/// SWAP: two guests of the site exchange beds.
fn swap(board: &Board, guest: &GuestFacts, bed: BedId, now: Timestamp) -> Result<Change, Refusal> {
    let own = assigned(board, guest, now)?;
    if own.id == bed {
        return Err(Refusal::OwnBed);
    }
    let theirs = board.bed(bed).ok_or(Refusal::BedUnknown)?;
    if own.disabled || theirs.disabled {
        return Err(Refusal::BedDisabled);
    }
    let other = theirs.guest.as_ref().ok_or(Refusal::BedVacant)?;
    if !other.status(now).is_assigned() {
        return Err(Refusal::BoardChanged);
    }
    let reason = EndReason::Swapped;
    Ok(Change {
        ended: vec![
            EndedStay { guest: guest.id, bed: own.id, reason },
            EndedStay { guest: other.id, bed: theirs.id, reason },
        ],
        opened: vec![OpenedStay { guest: guest.id, bed: theirs.id }, OpenedStay { guest: other.id, bed: own.id }],
        stamps: vec![(guest.id, Stamp::Reassigned), (other.id, Stamp::Reassigned)],
        ..Change::default()
    })
}

/// Checks that the guest is pending and holds no bed.
fn pending(board: &Board, guest: &GuestFacts, now: Timestamp) -> Result<(), Refusal> {
    match guest.status(now) {
        GuestStatus::Pending if board.bed_of(guest.id).is_some() => Err(Refusal::BoardChanged),
        GuestStatus::Pending => Ok(()),
        GuestStatus::Accepted | GuestStatus::Reassigned => Err(Refusal::AlreadyAssigned),
        GuestStatus::Rejected => Err(declined(guest)),
        GuestStatus::Discharged => Err(Refusal::AlreadyDischarged),
        GuestStatus::Expired => Err(Refusal::AlreadyExpired),
    }
}

/// Returns the bed of an assigned guest.
fn assigned<'a>(board: &'a Board, guest: &GuestFacts, now: Timestamp) -> Result<&'a BedFacts, Refusal> {
    match unassigned(guest, now) {
        Some(refusal) => Err(refusal),
        None => board.bed_of(guest.id).ok_or(Refusal::BoardChanged),
    }
}

/// Returns why a guest has no bed. `None` for an assigned guest.
fn unassigned(guest: &GuestFacts, now: Timestamp) -> Option<Refusal> {
    match guest.status(now) {
        GuestStatus::Accepted | GuestStatus::Reassigned => None,
        GuestStatus::Pending => Some(Refusal::NotAssigned),
        GuestStatus::Rejected => Some(declined(guest)),
        GuestStatus::Discharged => Some(Refusal::AlreadyDischarged),
        GuestStatus::Expired => Some(Refusal::AlreadyExpired),
    }
}

/// Returns the refusal of a declined reservation: it was merged into another one, the guest cancelled it, or the site declined it.
const fn declined(guest: &GuestFacts) -> Refusal {
    if guest.merged_at.is_some() {
        Refusal::Merged
    } else if guest.cancelled_at.is_some() {
        Refusal::CancelledByGuest
    } else {
        Refusal::AlreadyDeclined
    }
}

/// Returns the bed if it is enabled, vacant and not on offer.
fn vacant(board: &Board, bed: BedId) -> Result<&BedFacts, Refusal> {
    let bed = board.bed(bed).ok_or(Refusal::BedUnknown)?;
    match bed {
        BedFacts { disabled: true, .. } => Err(Refusal::BedDisabled),
        BedFacts { guest: Some(_), .. } => Err(Refusal::BedTaken),
        BedFacts { offered: true, .. } => Err(Refusal::BedOffered),
        BedFacts { guest: None, .. } => Ok(bed),
    }
}

/// Returns the refusal of accepting a guest into its own bed, for instance by a double click: the sentence of the spec.
fn own_bed_first(board: &Board, guest: &GuestFacts, bed: BedId, refusal: Refusal) -> Refusal {
    let is_own = refusal == Refusal::AlreadyAssigned && board.bed_of(guest.id).is_some_and(|own| own.id == bed);
    if is_own { Refusal::OwnBed } else { refusal }
}

/// Returns a change that only stores the feedback.
fn noting(guest: &GuestFacts, feedback: Option<&String>) -> Change {
    Change { feedback: feedback.map(|text| (guest.id, text.clone())), ..Change::default() }
}
