//! Merging duplicates: two reservations of one person, of which one is kept (docs/decisions/0070).

use super::undo::reservations;
use super::{Change, Refusal, Stamp, UndoFacts, capacity};
use crate::guest::{GuestFacts, GuestStatus};
use crate::time::Timestamp;

/// What an undone merge does to the reservation itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reopened {
    /// It had ended before it was merged, and stays as it was.
    No,
    /// It is pending again until the end of its hold.
    Pending,
    /// It would be pending, but its hold has ended since.
    Expired {
        /// The end of the hold.
        at: Timestamp,
    },
}

/// Decides whether `duplicate` is merged into `kept`. A pending duplicate ends with it and holds no bed any more; a past stay or a closed
/// reservation stays as it is and is only known as the same person's. `duplicate_has_others` is true if other reservations were merged into
/// the duplicate.
///
/// # Errors
/// [`Refusal::Merged`] and [`Refusal::MergeKeptMerged`] if one of the two was merged before, [`Refusal::MergeHasOthers`];
/// [`Refusal::MergeHasBed`] if the duplicate has a bed; [`Refusal::MergeWouldEnd`] if a pending one would end in favor of one that has
/// ended.
pub fn merge(
    kept: &GuestFacts,
    duplicate: &GuestFacts,
    duplicate_has_others: bool,
    now: Timestamp,
) -> Result<Change, Refusal> {
    if duplicate.merged_at.is_some() {
        return Err(Refusal::Merged);
    }
    if kept.merged_at.is_some() {
        return Err(Refusal::MergeKeptMerged);
    }
    if duplicate_has_others {
        return Err(Refusal::MergeHasOthers);
    }
    let status = duplicate.status(now);
    if status.is_assigned() {
        return Err(Refusal::MergeHasBed);
    }
    let ends = status == GuestStatus::Pending;
    if ends && !kept.status(now).is_active() {
        return Err(Refusal::MergeWouldEnd);
    }
    Ok(Change { stamps: vec![(duplicate.id, Stamp::Merged { ends })], ..Change::default() })
}

/// Returns the time to record for a merge: now, or a moment after the end of a reservation that had ended before. The two times are the same
/// only if the reservation ended with the merge.
#[must_use]
pub fn time_of_merge(duplicate: &GuestFacts, now: Timestamp) -> Timestamp {
    duplicate.rejected_at.map_or(now, |ended| now.max(ended.plus_millis(1)))
}

/// Decides the undo of a merge. A reservation that ended with it is pending again, with the hold that it had: it needs a free bed, and the
/// person may have no more active reservations than else. If the hold has ended since, it is expired.
///
/// # Errors
/// [`Refusal::NotMerged`]; those of an undone decline for a reservation that would be pending again.
pub fn undo_merge(duplicate: &GuestFacts, vacant: i64, facts: &UndoFacts, now: Timestamp) -> Result<Change, Refusal> {
    if duplicate.merged_at.is_none() {
        return Err(Refusal::NotMerged);
    }
    let reopened = match duplicate.expires_at {
        _ if !duplicate.ended_by_merge() => Reopened::No,
        Some(at) if at <= now => Reopened::Expired { at },
        _ => {
            capacity(vacant, facts.live_pending, facts.allowed).map_err(|_| Refusal::UndoNoRoom)?;
            reservations(facts)?;
            Reopened::Pending
        }
    };
    Ok(Change { stamps: vec![(duplicate.id, Stamp::MergeUndone(reopened))], ..Change::default() })
}
