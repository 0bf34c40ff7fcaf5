//! The error of a command on a guest. Refusals and stale versions are variants of their own, because their answers are
//! made after the transaction has ended.

use berth_db::IsBusy;
use berth_domain::stay::Refusal;

use crate::Error;

/// Why a command on a guest made no change.
#[derive(Debug)]
pub enum Failure {
    /// The rules do not allow it in the current state.
    Refused(Refusal),
    /// The client knows an older version of the guest.
    Stale,
    /// A hold that matters has ended, but its end is not recorded yet (see [`retry_overdue`](super::retry_overdue)).
    Overdue,
    /// Any other error.
    Other(Error),
}

impl Failure {
    /// Returns the error of an answer that does not show the guest as it is now.
    pub fn into_error(self) -> Error {
        match self {
            Self::Refused(refusal) => refused(refusal),
            Self::Stale => Error::Stale(None),
            Self::Overdue => Error::Busy,
            Self::Other(error) => error,
        }
    }
}

/// Returns the 409 for a refusal, with the code by which a form chooses what to offer.
pub(super) fn refused(refusal: Refusal) -> Error {
    match refusal {
        Refusal::NoVacantBeds | Refusal::HiddenReservations => {
            Error::conflict_code("no-vacant-beds", refusal.sentence())
        }
        Refusal::TwoActiveReservations => Error::conflict_code("third-reservation", refusal.sentence()),
        Refusal::NoMoreReservations => Error::conflict_code("no-more-reservations", refusal.sentence()),
        other => Error::conflict(other.sentence()),
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Other(error)
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<berth_db::Error> for Failure {
    /// Turns violations of the unique indexes on open stays and undone decisions into refusals: they stop the later of
    /// two commands that got past the rules at the same time.
    fn from(error: berth_db::Error) -> Self {
        match error.unique() {
            Some("stays_bed_id_key") => Self::Refused(Refusal::BedTaken),
            Some("stays_guest_id_key") => Self::Refused(Refusal::BoardChanged),
            Some("guest_undos_decision_id_key" | "undone_accepts_decision_id_key") => {
                Self::Refused(Refusal::NothingToUndo)
            }
            Some("guest_merges_duplicate_id_key") => Self::Refused(Refusal::Merged),
            _ => Self::Other(error.into()),
        }
    }
}

impl IsBusy for Failure {
    fn is_busy(&self) -> bool {
        matches!(self, Self::Other(error) if error.is_busy())
    }
}
