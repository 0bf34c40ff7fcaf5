//! Refusals of commands, with sentences that a user can act on (spec B 8).

use std::fmt;

/// Why the current state does not allow a command: 409, or 402 if a subscription is missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Refusal {
    /// Accept, reject: the guest has a bed already.
    AlreadyAssigned,
    /// Reassign, swap, discharge: the guest has no bed yet.
    NotAssigned,
    /// Reject: the guest has a bed.
    AssignedCannotBeDeclined,
    /// The reservation was declined.
    AlreadyDeclined,
    /// The guest cancelled the reservation on the public side. It can neither be accepted nor declined, and not be undone.
    CancelledByGuest,
    /// The guest has left.
    AlreadyDischarged,
    /// The hold ran out.
    AlreadyExpired,
    /// The bed is not one of the guest's site, or was removed.
    BedUnknown,
    /// The bed is disabled.
    BedDisabled,
    /// Another guest holds the bed.
    BedTaken,
    /// The bed is offered to a person on the waitlist.
    BedOffered,
    /// Swap: nobody holds the bed.
    BedVacant,
    /// The bed is the guest's own.
    OwnBed,
    /// Accepting a guest of the search at a commercial site needs an active subscription: 402.
    SubscriptionNeeded,
    /// Guest and board contradict each other, since they were read at different times.
    BoardChanged,
    /// No capacity for another reservation.
    NoVacantBeds,
    /// The person has two active reservations that the caller may not know of. It reads like [`Self::NoVacantBeds`].
    HiddenReservations,
    /// The person has two active reservations; someone with the right may allow a third.
    TwoActiveReservations,
    /// The person has three active reservations, or the third may not be allowed.
    NoMoreReservations,
    /// The bed has a guest: no edit.
    OccupiedBedEdit,
    /// The bed has a guest: no disabling.
    OccupiedBedDisable,
    /// The bed has a guest: no removal.
    OccupiedBedRemove,
    /// The room has occupied beds: no removal.
    OccupiedRoomDelete,
    /// The vacant beds are needed for pending reservations: no disabling, no removal.
    ReservedBeds,
    /// The site has occupied beds or pending reservations: no removal.
    BusySiteDelete,
    /// A site of the organization has occupied beds or pending reservations: no removal.
    BusyOrganizationDelete,
    /// Undo: the guest is neither declined nor discharged.
    NothingToUndo,
    /// The site does not ask for arrivals.
    ArrivalsNotAsked,
    /// The guest has arrived before, so it is no no-show.
    AlreadyArrived,
    /// The arrival was recorded more than 24 hours ago: what followed is a stay.
    UndoArrivalTooLate,
    /// Arrivals cannot be turned off while guests are arriving.
    GuestsArriving,
    /// The guest has not arrived, so there is no arrival to take back.
    NotArrived,
    /// Undo: more than 24 hours have passed.
    UndoTooLate,
    /// Undo of an accept: somebody else accepted, or more than 10 seconds ago.
    UndoAcceptTooLate,
    /// Undo of an accept: the hold has ended since.
    UndoAcceptHoldOver,
    /// Undo of a decline: the hold has ended, and it is paused only once.
    UndoHoldOver,
    /// Undo: somebody else decided, or more than 10 seconds ago, and the caller's role does not reach further.
    UndoNeedsAdmin,
    /// Undo of a discharge: the bed has another guest.
    UndoBedTaken,
    /// Undo of a discharge: the bed is offered to a person on the waitlist.
    UndoBedOffered,
    /// Undo of a discharge: the bed is disabled.
    UndoBedDisabled,
    /// Undo of a discharge: the bed was removed.
    UndoBedRemoved,
    /// Undo: pending reservations hold all vacant beds.
    UndoNoRoom,
    /// Undo: the person has active reservations that the caller may not know of. It reads like [`Self::UndoNoRoom`].
    UndoHiddenReservations,
    /// Undo: the person has as many other active reservations as one may have.
    UndoTooManyReservations,
    /// Cancel by the guest: the site has accepted the reservation.
    CancelNeedsCall,
    /// The guest cannot cancel a reservation that staff entered: nobody has proved its phone.
    CancelByHand,
    /// Cancel by the guest: the reservation was declined, has expired, or its stay has ended.
    NothingToCancel,
    /// Waitlist: a bed is available, so nobody needs to wait.
    BedAvailable,
    /// Waitlist: as many people wait as one list can hold.
    WaitlistFull,
    /// Waitlist: the person no longer waits.
    NotWaiting,
    /// Waitlist: no bed is offered to the person.
    NoOffer,
    /// The site is strict, and the bed is not for this guest: a reason is missing.
    PlacementReasonNeeded,
    /// The site is strict, and the bed is not for this guest: the caller may not override that.
    PlacementNeedsAdmin,
    /// The reservation was merged into another one.
    Merged,
    /// Merge: the reservation to keep was merged into another one.
    MergeKeptMerged,
    /// Merge: others were merged into the duplicate.
    MergeHasOthers,
    /// Merge: the duplicate has a bed.
    MergeHasBed,
    /// Merge: a pending reservation would end, and the one to keep has ended.
    MergeWouldEnd,
    /// Undo of a merge: the reservation was not merged.
    NotMerged,
}

impl Refusal {
    /// Every refusal.
    pub const ALL: [Self; 59] = [
        Self::Merged,
        Self::MergeKeptMerged,
        Self::MergeHasOthers,
        Self::MergeHasBed,
        Self::MergeWouldEnd,
        Self::NotMerged,
        Self::PlacementReasonNeeded,
        Self::PlacementNeedsAdmin,
        Self::BedOffered,
        Self::UndoBedOffered,
        Self::BedAvailable,
        Self::WaitlistFull,
        Self::NotWaiting,
        Self::NoOffer,
        Self::UndoArrivalTooLate,
        Self::GuestsArriving,
        Self::ArrivalsNotAsked,
        Self::AlreadyArrived,
        Self::NotArrived,
        Self::AlreadyAssigned,
        Self::NotAssigned,
        Self::AssignedCannotBeDeclined,
        Self::AlreadyDeclined,
        Self::CancelledByGuest,
        Self::AlreadyDischarged,
        Self::AlreadyExpired,
        Self::BedUnknown,
        Self::BedDisabled,
        Self::BedTaken,
        Self::BedVacant,
        Self::OwnBed,
        Self::SubscriptionNeeded,
        Self::BoardChanged,
        Self::NoVacantBeds,
        Self::HiddenReservations,
        Self::TwoActiveReservations,
        Self::NoMoreReservations,
        Self::OccupiedBedEdit,
        Self::OccupiedBedDisable,
        Self::OccupiedBedRemove,
        Self::OccupiedRoomDelete,
        Self::ReservedBeds,
        Self::BusySiteDelete,
        Self::BusyOrganizationDelete,
        Self::NothingToUndo,
        Self::UndoTooLate,
        Self::UndoAcceptTooLate,
        Self::UndoAcceptHoldOver,
        Self::UndoHoldOver,
        Self::UndoNeedsAdmin,
        Self::UndoBedTaken,
        Self::UndoBedDisabled,
        Self::UndoBedRemoved,
        Self::UndoNoRoom,
        Self::UndoHiddenReservations,
        Self::UndoTooManyReservations,
        Self::CancelNeedsCall,
        Self::CancelByHand,
        Self::NothingToCancel,
    ];

    /// Returns the sentence for the user.
    #[must_use]
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::AlreadyAssigned => "This guest already has a bed. To change the bed, reassign the guest.",
            Self::NotAssigned => "This guest has no bed yet. Accept the reservation first.",
            Self::AssignedCannotBeDeclined => "This guest already has a bed. Discharge the guest instead of declining.",
            Self::AlreadyDeclined => "This reservation has been declined. Add the guest again to give a bed.",
            Self::CancelledByGuest => "The guest cancelled this reservation. Add the guest again to give a bed.",
            Self::AlreadyDischarged => "This guest has been discharged. Add the guest again to give a bed.",
            Self::AlreadyExpired => "This reservation has expired. Add the guest again to give a bed.",
            Self::BedUnknown => "This bed does not belong to the guest's site or was removed. Choose another bed.",
            Self::BedDisabled => "This bed is disabled. Enable it or choose another bed.",
            Self::BedTaken => "This bed has just been taken by another guest. Choose a vacant bed.",
            Self::BedVacant => "This bed is vacant, so there is no one to swap with. Reassign the guest to it instead.",
            Self::OwnBed => "Error: Guest already occupies this bed.",
            Self::SubscriptionNeeded => {
                "This site has no active subscription. The owner must start one before reservations can be accepted."
            }
            Self::BoardChanged => "The beds have changed in the meantime. Reload the page.",
            Self::NoVacantBeds | Self::HiddenReservations => {
                "You cannot add a new guest because there are no vacant beds."
            }
            Self::TwoActiveReservations => {
                "This person already has two active reservations. An admin or owner can allow a third."
            }
            Self::NoMoreReservations => "This person already has three active reservations. End one of them first.",
            Self::OccupiedBedEdit => "You can't edit the Bed. It is occupied: reassign or discharge the guest first.",
            Self::OccupiedBedDisable => "You cannot disable the bed. It is occupied: reassign the guest first.",
            Self::OccupiedBedRemove => {
                "You can't remove the Bed. It is occupied: reassign or discharge the guest first."
            }
            Self::OccupiedRoomDelete => {
                "You can't delete the Room. It has occupied beds: reassign or discharge their guests first."
            }
            Self::ReservedBeds => {
                "Pending reservations need the vacant beds. Decline a reservation or add another bed first."
            }
            Self::BusySiteDelete => {
                "You can't delete the site while beds are occupied or reservations pending. Discharge or decline them first."
            }
            Self::BusyOrganizationDelete => {
                "You can't delete the organization while a site has occupied beds or pending reservations. \
                 Discharge or decline them first."
            }
            Self::ArrivalsNotAsked => "This site does not ask whether guests have arrived.",
            Self::AlreadyArrived => "This guest has arrived. Discharge the guest instead.",
            Self::UndoArrivalTooLate => {
                "More than 24 hours have passed since the arrival. Discharge the guest instead."
            }
            Self::GuestsArriving => "Guests are still arriving at this site. Record first whether they have come.",
            Self::NotArrived => "This guest has not arrived yet.",
            Self::NothingToUndo => "There is nothing to undo. This guest is neither declined nor discharged.",
            Self::UndoTooLate => {
                "This can no longer be undone, because more than 24 hours have passed. Add the guest again."
            }
            Self::UndoAcceptTooLate => {
                "Only the person who accepted a guest can undo it, for 10 seconds. Discharge the guest instead."
            }
            Self::UndoAcceptHoldOver => {
                "The hold of this reservation has ended, so the guest keeps the bed. Discharge the guest instead."
            }
            Self::UndoHoldOver => "The hold of this reservation has ended. Add the guest again.",
            Self::UndoNeedsAdmin => "Only an admin or owner can undo this now. Ask one of them.",
            Self::UndoBedTaken => "The guest's bed has been given to another guest. Add this guest again.",
            Self::UndoBedDisabled => "The guest's bed has been disabled. Enable it first, or add the guest again.",
            Self::UndoBedRemoved => "The guest's bed has been removed. Add the guest again.",
            Self::UndoNoRoom | Self::UndoHiddenReservations => {
                "This cannot be undone now, because no bed is vacant. Free a bed or decline another reservation first."
            }
            Self::UndoTooManyReservations => {
                "This person has other active reservations now and cannot have more. End one of them first."
            }
            Self::CancelNeedsCall => "The site has accepted this reservation. Call the site to cancel it.",
            Self::CancelByHand => "Staff of the site entered this reservation. Call the site to cancel it.",
            Self::NothingToCancel => "This reservation has already ended. There is nothing to cancel.",
            Self::BedOffered => "This bed is offered to someone on the waitlist. Choose another bed.",
            Self::UndoBedOffered => {
                "The guest's bed is offered to someone on the waitlist now. If they decline, try again."
            }
            Self::BedAvailable => "A bed is available now. Add the guest instead.",
            Self::WaitlistFull => "The waitlist is full. Take someone off it first.",
            Self::NotWaiting => "This person is no longer on the waitlist.",
            Self::PlacementReasonNeeded => {
                "This placement is against the rules of the site or the house. Enter a reason to override them."
            }
            Self::PlacementNeedsAdmin => {
                "This placement is against the rules of the site or the house. Only an admin or owner can override them."
            }
            Self::Merged => "This reservation was merged into another one. Undo the merge first.",
            Self::MergeKeptMerged => {
                "The reservation that you want to keep was merged into another one. Open that one instead."
            }
            Self::MergeHasOthers => {
                "Other reservations were merged into this one. Keep it, or undo those merges first."
            }
            Self::MergeHasBed => "This guest has a bed. Keep this reservation, or discharge the guest first.",
            Self::MergeWouldEnd => {
                "This reservation is pending, and the one that you want to keep has ended. Keep the pending one."
            }
            Self::NotMerged => "This reservation is not merged into another one.",
            Self::NoOffer => "No bed is offered to this person now. The offer has ended.",
        }
    }

    /// Returns true if the answer is 402 and the web should offer a subscription.
    #[must_use]
    pub const fn needs_subscription(self) -> bool {
        matches!(self, Self::SubscriptionNeeded)
    }

    /// Returns true if an undo is refused because it is too late or because the situation has changed.
    #[must_use]
    pub const fn is_about_undo(self) -> bool {
        matches!(
            self,
            Self::UndoTooLate
                | Self::UndoAcceptTooLate
                | Self::UndoAcceptHoldOver
                | Self::UndoHoldOver
                | Self::UndoNeedsAdmin
                | Self::UndoBedTaken
                | Self::UndoBedOffered
                | Self::UndoBedDisabled
                | Self::UndoBedRemoved
                | Self::UndoNoRoom
                | Self::UndoHiddenReservations
                | Self::UndoTooManyReservations
        )
    }

    /// Returns the code of a refusal that the web answers with a question of its own: it offers the next free bed, or asks for a reason.
    /// `None` for all others.
    #[must_use]
    pub const fn code(self) -> Option<&'static str> {
        match self {
            Self::BedTaken => Some("bed-taken"),
            Self::PlacementReasonNeeded => Some("placement-reason-needed"),
            _ => None,
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.sentence())
    }
}

impl std::error::Error for Refusal {}
