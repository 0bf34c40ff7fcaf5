//! Limits: capacity, active reservations, and changes that occupied beds prevent.

use super::{Board, Refusal};
use crate::id::BedId;

/// Limits that a caller with the right overrides for a new guest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Overrides {
    /// A third active reservation ([`crate::Action::AllowThirdReservation`]).
    pub third: bool,
    /// A walk-in while reservations hold every vacant bed ([`crate::Action::AddOverCapacity`]).
    pub over_capacity: bool,
}

/// Checks that one more reservation fits: each live pending reservation holds one unit of capacity (DESIGN 3, I10). A
/// walk-in added over capacity only needs a vacant bed.
///
/// # Errors
/// [`Refusal::NoVacantBeds`] unless there are more vacant, enabled beds than live pending reservations.
pub const fn capacity(vacant_enabled: i64, live_pending: i64, overrides: Overrides) -> Result<(), Refusal> {
    let fits = vacant_enabled > live_pending || (overrides.over_capacity && vacant_enabled > 0);
    if fits { Ok(()) } else { Err(Refusal::NoVacantBeds) }
}

/// Returns the beds that a site can still promise: vacant, enabled beds that no live pending reservation holds (DESIGN 3). Never below 0,
/// although walk-ins may have been added over capacity.
#[must_use]
pub const fn available_beds(vacant_enabled: i64, live_pending: i64) -> i64 {
    let free = vacant_enabled - live_pending;
    if free > 0 { free } else { 0 }
}

/// Returns how many of the `vacant` beds of one type a site can still promise. Reservations hold no named bed, so these are at most the
/// available beds of the site.
#[must_use]
pub const fn available_of_type(vacant: i64, available_of_site: i64) -> i64 {
    if vacant < available_of_site { vacant } else { available_of_site }
}

/// The active reservations of a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ActiveReservations {
    /// Those that the caller may see.
    pub visible: i64,
    /// All of them, with those at other organizations whose phone was proved.
    pub all: i64,
}

impl ActiveReservations {
    /// Counts reservations, and those of them that the caller may see.
    pub fn seen<T>(active: &[T], may_see: impl Fn(&T) -> bool) -> Self {
        let count = |number: usize| i64::try_from(number).unwrap_or(i64::MAX);
        Self { visible: count(active.iter().filter(|other| may_see(other)).count()), all: count(active.len()) }
    }
}

/// Checks that a person may have another active reservation: at most two, or a third if a caller with the right allows it (DESIGN 3).
///
/// A refusal names only reservations that the caller may see. If others exceed the limit, it reads like that of a full house.
/// [`Overrides::over_capacity`] admits the guest anyway, so that staff with a vacant bed need not turn away a person at the door.
///
/// # Errors
/// [`Refusal::TwoActiveReservations`], or [`Refusal::NoMoreReservations`] from three on, of those that the caller sees;
/// [`Refusal::HiddenReservations`] for the others.
pub const fn active_reservations(active: ActiveReservations, overrides: Overrides) -> Result<(), Refusal> {
    let allowed = match active.visible {
        ..=1 => 1,
        2 if overrides.third => 2,
        2 => return Err(Refusal::TwoActiveReservations),
        3.. => return Err(Refusal::NoMoreReservations),
    };
    if active.all > allowed && !overrides.over_capacity { Err(Refusal::HiddenReservations) } else { Ok(()) }
}

/// Returns the vacant bed closest to `near` in the order of the board, the later of two equally close ones. The first vacant bed if `near`
/// is not on the board.
#[must_use]
pub fn next_free_bed(board: &Board, near: BedId) -> Option<BedId> {
    let place = board.beds.iter().position(|bed| bed.id == near).unwrap_or(0);
    let vacant = board.beds.iter().enumerate().filter(|(_, bed)| bed.is_vacant() && bed.id != near);
    vacant.min_by_key(|(index, _)| (index.abs_diff(place), *index < place)).map(|(_, bed)| bed.id)
}

/// A change of a bed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BedChange {
    /// Edit its name, type, description or photo.
    Edit,
    /// Disable it.
    Disable,
    /// Remove it.
    Remove,
}

/// Checks that a bed may be changed: no guest holds it (spec B 4, I4).
///
/// # Errors
/// The refusal of that change.
pub const fn may_change_bed(change: BedChange, is_occupied: bool) -> Result<(), Refusal> {
    match (is_occupied, change) {
        (false, _) => Ok(()),
        (true, BedChange::Edit) => Err(Refusal::OccupiedBedEdit),
        (true, BedChange::Disable) => Err(Refusal::OccupiedBedDisable),
        (true, BedChange::Remove) => Err(Refusal::OccupiedBedRemove),
    }
}

/// Checks that a room may be deleted: none of its beds is occupied (spec B 5).
///
/// # Errors
/// [`Refusal::OccupiedRoomDelete`]
pub const fn may_delete_room(occupied_beds: i64) -> Result<(), Refusal> {
    if occupied_beds > 0 { Err(Refusal::OccupiedRoomDelete) } else { Ok(()) }
}

/// Checks that `taken` of the vacant, enabled beds may be disabled or removed: each live pending reservation keeps its
/// unit of capacity (DESIGN 3, I10).
///
/// # Errors
/// [`Refusal::ReservedBeds`] when fewer vacant beds than live pending reservations would be left.
pub const fn may_take_beds(vacant_enabled: i64, taken: i64, live_pending: i64) -> Result<(), Refusal> {
    if taken > 0 && vacant_enabled - taken < live_pending { Err(Refusal::ReservedBeds) } else { Ok(()) }
}

/// Checks that a site may stop to ask for arrivals: nobody is arriving, whose state would be lost.
///
/// # Errors
/// [`Refusal::GuestsArriving`]
pub const fn may_stop_arrivals(arriving: i64) -> Result<(), Refusal> {
    if arriving > 0 { Err(Refusal::GuestsArriving) } else { Ok(()) }
}

/// Checks that a site may be deleted: it has no occupied beds and no live pending reservations (DESIGN 6).
///
/// # Errors
/// [`Refusal::BusySiteDelete`]
pub const fn may_delete_site(occupied_beds: i64, live_pending: i64) -> Result<(), Refusal> {
    if occupied_beds > 0 || live_pending > 0 { Err(Refusal::BusySiteDelete) } else { Ok(()) }
}

/// Checks that an organization may be deleted: the rule of [`may_delete_site`], counted over all its sites.
///
/// # Errors
/// [`Refusal::BusyOrganizationDelete`]
pub const fn may_delete_organization(occupied_beds: i64, live_pending: i64) -> Result<(), Refusal> {
    if occupied_beds > 0 || live_pending > 0 { Err(Refusal::BusyOrganizationDelete) } else { Ok(()) }
}
