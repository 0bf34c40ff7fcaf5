//! Limits around the decision: capacity, active reservations, and what an occupied bed does not let happen.

use super::{Board, Refusal};
use crate::id::BedId;

/// Whether one more reservation fits: each live pending one holds one unit of capacity (DESIGN 3, I10).
///
/// # Errors
/// [`Refusal::NoVacantBeds`] unless there are more vacant, enabled beds than live pending reservations.
pub const fn capacity(vacant_enabled: i64, live_pending: i64) -> Result<(), Refusal> {
    if vacant_enabled > live_pending { Ok(()) } else { Err(Refusal::NoVacantBeds) }
}

/// Whether a person with `count` active reservations may have one more: two at most, and a third where somebody with
/// [`crate::Action::AllowThirdReservation`] asks for it (DESIGN 3).
///
/// # Errors
/// [`Refusal::TwoActiveReservations`], or [`Refusal::NoMoreReservations`] from three on.
pub const fn active_reservations(count: i64, allow_third: bool) -> Result<(), Refusal> {
    match count {
        ..=1 => Ok(()),
        2 if allow_third => Ok(()),
        2 => Err(Refusal::TwoActiveReservations),
        3.. => Err(Refusal::NoMoreReservations),
    }
}

/// The vacant bed closest to `near` in the order of the board, the later of two equally close ones; the first vacant
/// bed when `near` is not on the board.
#[must_use]
pub fn next_free_bed(board: &Board, near: BedId) -> Option<BedId> {
    let place = board.beds.iter().position(|bed| bed.id == near).unwrap_or(0);
    let vacant = board.beds.iter().enumerate().filter(|(_, bed)| bed.is_vacant() && bed.id != near);
    vacant.min_by_key(|(index, _)| (index.abs_diff(place), *index < place)).map(|(_, bed)| bed.id)
}

/// What is done to a bed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BedChange {
    /// Another name, type, description or photo.
    Edit,
    /// Take it out of use.
    Disable,
    /// Remove it.
    Remove,
}

/// Whether a bed may be changed: not while a guest holds it (spec B 4, I4).
///
/// # Errors
/// The refusal with the spec's text for that change.
pub const fn may_change_bed(change: BedChange, is_occupied: bool) -> Result<(), Refusal> {
    match (is_occupied, change) {
        (false, _) => Ok(()),
        (true, BedChange::Edit) => Err(Refusal::OccupiedBedEdit),
        (true, BedChange::Disable) => Err(Refusal::OccupiedBedDisable),
        (true, BedChange::Remove) => Err(Refusal::OccupiedBedRemove),
    }
}

/// Whether a room may be deleted: not with occupied beds (spec B 5).
///
/// # Errors
/// [`Refusal::OccupiedRoomDelete`]
pub const fn may_delete_room(occupied_beds: i64) -> Result<(), Refusal> {
    if occupied_beds > 0 { Err(Refusal::OccupiedRoomDelete) } else { Ok(()) }
}

/// Whether `taken` of the vacant, enabled beds may be disabled or removed: each live pending reservation keeps its unit
/// of capacity (DESIGN 3, I10).
///
/// # Errors
/// [`Refusal::ReservedBeds`] when fewer vacant beds than live pending reservations would be left.
pub const fn may_take_beds(vacant_enabled: i64, taken: i64, live_pending: i64) -> Result<(), Refusal> {
    if taken > 0 && vacant_enabled - taken < live_pending { Err(Refusal::ReservedBeds) } else { Ok(()) }
}

/// Whether a site may be deleted: not with occupied beds or live pending reservations (DESIGN 6).
///
/// # Errors
/// [`Refusal::BusySiteDelete`]
pub const fn may_delete_site(occupied_beds: i64, live_pending: i64) -> Result<(), Refusal> {
    if occupied_beds > 0 || live_pending > 0 { Err(Refusal::BusySiteDelete) } else { Ok(()) }
}

/// Whether an organization may be deleted: counted over all its sites, as for one site.
///
/// # Errors
/// [`Refusal::BusyOrganizationDelete`]
pub const fn may_delete_organization(occupied_beds: i64, live_pending: i64) -> Result<(), Refusal> {
    if occupied_beds > 0 || live_pending > 0 { Err(Refusal::BusyOrganizationDelete) } else { Ok(()) }
}
