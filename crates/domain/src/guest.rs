//! The state of a guest, derived from the times of its events (DESIGN 3).

use crate::id::GuestId;
use crate::time::Timestamp;

text_enum! {
    /// The state of a guest (spec B 4). Lower case in JSON.
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
    /// Parses a state in any case, for filters.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::from_text(&text.trim().to_lowercase())
    }

    /// Returns true if the guest has a bed: accepted or reassigned.
    #[must_use]
    pub const fn is_assigned(self) -> bool {
        matches!(self, Self::Accepted | Self::Reassigned)
    }

    /// Returns true if it counts towards the two active reservations of a person: pending or assigned.
    #[must_use]
    pub const fn is_active(self) -> bool {
        matches!(self, Self::Pending | Self::Accepted | Self::Reassigned)
    }
}

text_enum! {
    /// The origin of a guest (spec B 3).
    #[derive(serde::Deserialize)]
    pub enum Source {
        /// Added by staff, without a hold.
        Admin = "Admin",
        /// Reserved online.
        Web = "Web",
    }
}

/// The stored times of a guest, from which the state follows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GuestFacts {
    /// The guest.
    pub id: GuestId,
    /// The origin.
    pub source: Source,
    /// The version, which rises with each change of the guest.
    pub version: i64,
    /// When the reservation was made.
    pub created_at: Timestamp,
    /// End of the hold. `None` for guests added by staff ('N/A').
    pub expires_at: Option<Timestamp>,
    /// When a bed was first given.
    pub accepted_at: Option<Timestamp>,
    /// When the guest was last moved.
    pub reassigned_at: Option<Timestamp>,
    /// When the reservation was declined, or cancelled by the guest.
    pub rejected_at: Option<Timestamp>,
    /// When the guest cancelled the reservation. Then `rejected_at` is the same time.
    pub cancelled_at: Option<Timestamp>,
    /// When the guest arrived. `None` until then, and at sites that do not ask.
    pub arrived_at: Option<Timestamp>,
    /// When the guest left, or was found not to have come.
    pub discharged_at: Option<Timestamp>,
    /// When the guest was found not to have come. Then `discharged_at` is the same time.
    pub no_show_at: Option<Timestamp>,
    /// When the expiry was recorded.
    pub expired_at: Option<Timestamp>,
    /// When the reservation was merged into another one. If it was pending, it ended then: `rejected_at` is the same time.
    pub merged_at: Option<Timestamp>,
}

text_enum! {
    /// The state of a reservation as shown to its guest on the public side (docs/decisions/0049).
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
        /// Another reservation of the guest is kept instead.
        Merged = "merged",
    }
}

/// Number of days after its decision for which a reservation is shown on the public side. Later it is answered like an unknown code, so
/// that nobody learns months later who was in treatment.
pub const PUBLIC_DAYS: i64 = 7;

impl GuestFacts {
    /// Returns true if the bed is reserved for a guest who has not arrived yet. `site_asks` tells whether the site asks for arrivals.
    #[must_use]
    pub fn is_arriving(&self, site_asks: bool, now: Timestamp) -> bool {
        site_asks && self.arrived_at.is_none() && self.status(now).is_assigned()
    }

    /// Returns true if the reservation was pending when it was merged into another one, and ended with that.
    #[must_use]
    pub fn ended_by_merge(&self) -> bool {
        self.merged_at.is_some() && self.merged_at == self.rejected_at
    }

    /// Returns the state of the reservation for the public side. `None` more than [`PUBLIC_DAYS`] after the decision.
    #[must_use]
    pub fn public_status(&self, now: Timestamp) -> Option<PublicStatus> {
        let (status, decided_at) = match self.status(now) {
            GuestStatus::Pending => (PublicStatus::Waiting, None),
            GuestStatus::Accepted | GuestStatus::Reassigned => (PublicStatus::Accepted, self.accepted_at),
            GuestStatus::Discharged => (PublicStatus::Ended, self.accepted_at),
            GuestStatus::Rejected if self.ended_by_merge() => (PublicStatus::Merged, self.merged_at),
            GuestStatus::Rejected if self.cancelled_at.is_some() => (PublicStatus::Cancelled, self.cancelled_at),
            GuestStatus::Rejected => (PublicStatus::Declined, self.rejected_at),
            GuestStatus::Expired => (PublicStatus::Expired, self.expired_at.or(self.expires_at)),
        };
        let is_recent = decided_at.is_none_or(|decided| now < decided.plus_days(PUBLIC_DAYS));
        is_recent.then_some(status)
    }

    /// Returns the state at `now`. A hold ends exactly at `expires_at`, even if no job has recorded it yet.
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
