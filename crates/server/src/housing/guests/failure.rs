//! Why a command on a guest ended without a change, told apart so that the answer can be made when the transaction is
//! gone: a refusal of the rules, a stale version, or anything else.

use berth_db::IsBusy;
use berth_domain::stay::Refusal;

use crate::Error;

/// The end of a command without a change.
#[derive(Debug)]
pub enum Failure {
    /// The rules do not allow it as things are.
    Refused(Refusal),
    /// The client knows an older version of the guest.
    Stale,
    /// A hold that would have to be counted is over but not on record as such (see [`on_record`](super::on_record)).
    Overdue,
    /// Anything else.
    Other(Error),
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
    /// The unique indexes on open stays and undone decisions have the last word: should two commands ever get past the rules together, the
    /// later one is refused like any other.
    fn from(error: berth_db::Error) -> Self {
        match error.unique() {
            Some("stays_bed_id_key") => Self::Refused(Refusal::BedTaken),
            Some("stays_guest_id_key") => Self::Refused(Refusal::BoardChanged),
            Some("guest_undos_decision_id_key" | "undone_accepts_decision_id_key") => {
                Self::Refused(Refusal::NothingToUndo)
            }
            _ => Self::Other(error.into()),
        }
    }
}

impl IsBusy for Failure {
    fn is_busy(&self) -> bool {
        matches!(self, Self::Other(error) if error.is_busy())
    }
}
