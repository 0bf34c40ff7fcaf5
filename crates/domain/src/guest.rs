//! The state of a guest, derived from what happened to it (DESIGN 3).

use crate::id::GuestId;
use crate::time::Timestamp;

text_enum! {
    /// The state of a guest (spec B 4); lower case in JSON.
    #[derive(serde::Deserialize)]
    pub enum GuestStatus {
        /// A reservation that waits for a decision.
        Pending = "pending",
        /// Has a bed, the first one.
        Accepted = "accepted",
        /// Has a bed, after a move.
        Reassigned = "reassigned",
        /// Declined.
        Rejected = "rejected",
        /// Has left.
        Discharged = "discharged",
        /// The hold ran out before a decision.
        Expired = "expired",
    }
}

impl GuestStatus {
    /// Reads a state without regard to case, as filters send it.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::from_text(&text.trim().to_lowercase())
    }

    /// Accepted or reassigned: the guest has a bed.
    #[must_use]
    pub const fn is_assigned(self) -> bool {
        matches!(self, Self::Accepted | Self::Reassigned)
    }

    /// Pending or assigned: counts against the two active reservations of a person.
    #[must_use]
    pub const fn is_active(self) -> bool {
        matches!(self, Self::Pending | Self::Accepted | Self::Reassigned)
    }
}

text_enum! {
    /// Where a guest came from (spec B 3).
    #[derive(serde::Deserialize)]
    pub enum Source {
        /// Added by hand; has no hold.
        Admin = "Admin",
        /// Reserved online.
        Web = "Web",
    }
}

/// What is stored of a guest's way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GuestFacts {
    /// Who.
    pub id: GuestId,
    /// Where from.
    pub source: Source,
    /// Rises with each change of the guest.
    pub version: i64,
    /// When the reservation was made.
    pub created_at: Timestamp,
    /// End of the hold; none for guests added by hand ('N/A').
    pub expires_at: Option<Timestamp>,
    /// When a bed was first given.
    pub accepted_at: Option<Timestamp>,
    /// When the guest was last moved.
    pub reassigned_at: Option<Timestamp>,
    /// When the reservation was declined, or cancelled by the guest.
    pub rejected_at: Option<Timestamp>,
    /// When the guest cancelled the reservation; `rejected_at` is the same time then.
    pub cancelled_at: Option<Timestamp>,
    /// When the guest left.
    pub discharged_at: Option<Timestamp>,
    /// When the expiry was recorded.
    pub expired_at: Option<Timestamp>,
}

text_enum! {
    /// What the public side tells a guest about the reservation (docs/decisions/0049).
    #[derive(serde::Deserialize)]
    pub enum PublicStatus {
        /// The site has not decided yet.
        Waiting = "waiting",
        /// The site has a bed for the guest.
        Accepted = "accepted",
        /// The site declined.
        Declined = "declined",
        /// The guest cancelled.
        Cancelled = "cancelled",
        /// The hold ran out before a decision.
        Expired = "expired",
        /// The stay has ended.
        Ended = "ended",
    }
}

/// For how many days after its decision a reservation is shown on the public side. Later the answer is that of an unknown
/// code, so that nobody learns months afterwards who was in treatment, or still is.
pub const PUBLIC_DAYS: i64 = 7;

impl GuestFacts {
    /// Returns what the public side tells of the reservation at `now`. `None` more than [`PUBLIC_DAYS`] after the
    /// decision.
    #[must_use]
    pub fn public_status(&self, now: Timestamp) -> Option<PublicStatus> {
        let (status, decided_at) = match self.status(now) {
            GuestStatus::Pending => (PublicStatus::Waiting, None),
            GuestStatus::Accepted | GuestStatus::Reassigned => (PublicStatus::Accepted, self.accepted_at),
            GuestStatus::Discharged => (PublicStatus::Ended, self.accepted_at),
            GuestStatus::Rejected if self.cancelled_at.is_some() => (PublicStatus::Cancelled, self.cancelled_at),
            GuestStatus::Rejected => (PublicStatus::Declined, self.rejected_at),
            GuestStatus::Expired => (PublicStatus::Expired, self.expired_at.or(self.expires_at)),
        };
        let is_recent = decided_at.is_none_or(|decided| now < decided.plus_days(PUBLIC_DAYS));
        is_recent.then_some(status)
    }

    /// The state at `now`. A hold is over at `expires_at` sharp, whether or not a job has recorded it yet.
    #[must_use]
    pub fn status(&self, now: Timestamp) -> GuestStatus {
        if self.discharged_at.is_some() {
            GuestStatus::Discharged
        } else if self.rejected_at.is_some() {
            GuestStatus::Rejected
        } else if self.accepted_at.is_some() {
            if self.reassigned_at.is_some() { GuestStatus::Reassigned } else { GuestStatus::Accepted }
        } else if self.expired_at.is_some() || self.expires_at.is_some_and(|end| end <= now) {
            GuestStatus::Expired
        } else {
            GuestStatus::Pending
        }
    }
}
