//! The commands on a guest (spec B 3, 4: the guest update payload).

use crate::check::{Check, FieldErrors};
use crate::id::BedId;
use crate::limits::MAX_NOTE_CHARS;
use crate::value::clean_text;

/// A command of PATCH /api/guests/{id}.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// Give a pending guest a vacant bed.
    Accept {
        /// The bed to give.
        bed: BedId,
    },
    /// Move a guest to a vacant bed.
    Reassign {
        /// The bed to move to.
        bed: BedId,
    },
    /// Exchange beds with the guest who holds `bed`.
    Swap {
        /// The other guest's bed.
        bed: BedId,
    },
    /// Decline a pending guest.
    Reject {
        /// The feedback of the staff.
        feedback: Option<String>,
    },
    /// Let a guest leave.
    Discharge {
        /// The feedback of the staff.
        feedback: Option<String>,
    },
    /// Record that an accepted guest has arrived.
    Arrive,
    /// Take back that a guest has arrived.
    UndoArrival,
    /// Free the bed of an accepted guest who did not come.
    NoShow {
        /// The reason of the staff.
        feedback: Option<String>,
    },
    /// Undo the accept, the decline or the discharge of a guest.
    Undo,
}

impl Command {
    /// Parses the payload. `status` is ACCEPTED, REASSIGNED, SWAP, REJECTED, DISCHARGED, ARRIVED, NOT_ARRIVED, NO_SHOW or UNDO, in any case. The first three need a bed; the
    /// others ignore it. Markup is removed from the feedback; a blank one is `None`.
    ///
    /// # Errors
    /// Field errors at `/status`, `/bedId` and `/feedback`.
    pub fn parse(status: &str, bed: Option<BedId>, feedback: Option<String>) -> Result<Self, FieldErrors> {
        let mut check = Check::new();
        let feedback = feedback.map(|text| clean_text(&text)).filter(|text| !text.is_empty());
        let fits = feedback.as_ref().is_none_or(|text| text.chars().count() <= MAX_NOTE_CHARS);
        check.require(fits, "/feedback", "Maximum length of feedback is 2000 symbols.");
        let command = match status.trim().to_lowercase().as_str() {
            "accepted" => need_bed(&mut check, bed).map(|bed| Self::Accept { bed }),
            "reassigned" => need_bed(&mut check, bed).map(|bed| Self::Reassign { bed }),
            "swap" => need_bed(&mut check, bed).map(|bed| Self::Swap { bed }),
            "rejected" => Some(Self::Reject { feedback }),
            "discharged" => Some(Self::Discharge { feedback }),
            "arrived" => Some(Self::Arrive),
            "not_arrived" => Some(Self::UndoArrival),
            "no_show" => Some(Self::NoShow { feedback }),
            "undo" => Some(Self::Undo),
            _ => {
                check.reject(
                    "/status",
                    "The status must be ACCEPTED, REASSIGNED, SWAP, REJECTED, DISCHARGED, ARRIVED, NOT_ARRIVED, NO_SHOW or UNDO.",
                );
                None
            }
        };
        check.build(|| command)
    }

    /// Returns the bed that the command names.
    #[must_use]
    pub const fn bed(&self) -> Option<BedId> {
        match self {
            Self::Accept { bed } | Self::Reassign { bed } | Self::Swap { bed } => Some(*bed),
            Self::Reject { .. }
            | Self::Discharge { .. }
            | Self::Arrive
            | Self::UndoArrival
            | Self::NoShow { .. }
            | Self::Undo => None,
        }
    }
}

/// Returns the bed, or collects an error if there is none.
fn need_bed(check: &mut Check, bed: Option<BedId>) -> Option<BedId> {
    check.field("/bedId", bed.ok_or("Choose a bed."))
}
