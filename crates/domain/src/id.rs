//! Ids: a newtype around a UUIDv7 for each kind of record, so that the id of a bed is never taken for that of a guest.
//!
//! The server creates them from its clock and random source. In the database they are UUID columns.

use uuid::Uuid;

/// Declares the id types.
macro_rules! id {
    ($( $(#[$meta:meta])* $name:ident ),+ $(,)?) => { $(
        $(#[$meta])*
        #[derive(
            Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, utoipa::ToSchema,
        )]
        #[serde(transparent)]
        pub struct $name(pub Uuid);

        $crate::column::stored_as!($name, Uuid);

        impl std::fmt::Display for $name {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.fmt(formatter)
            }
        }

        impl std::str::FromStr for $name {
            type Err = uuid::Error;
            fn from_str(text: &str) -> Result<Self, Self::Err> {
                Uuid::parse_str(text.trim()).map(Self)
            }
        }

        // The messages of the derived parser are not for people.
        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = String::deserialize(deserializer)?;
                text.parse().map_err(|_| serde::de::Error::custom("This id is not valid."))
            }
        }

        impl From<Uuid> for $name {
            fn from(uuid: Uuid) -> Self {
                Self(uuid)
            }
        }
    )+ };
}

/// Lets ids be written as JSON.
macro_rules! serialize {
    ($($name:ident),+ $(,)?) => { $(
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                self.0.serialize(serializer)
            }
        }
    )+ };
}

id! {
    /// Id of an organization.
    OrganizationId,
    /// Id of a site.
    SiteId,
    /// Id of a room (shown as house).
    RoomId,
    /// Id of a bed.
    BedId,
    /// Id of a guest, and thereby of a reservation. It is not [`serde::Serialize`]: an answer that shows a guest must go through the
    /// server's audit log, which has the only function that writes such an id.
    GuestId,
    /// Id of a stay of a guest in a bed.
    StayId,
    /// Id of a user.
    UserId,
    /// Id of a membership (access user) of a user in an organization, a site or the platform.
    MembershipId,
    /// Id of a session.
    SessionId,
    /// Id of an insurance company.
    InsuranceCompanyId,
    /// Id of a row of the audit log.
    AuditId,
    /// Id of a row of the outbox.
    OutboxId,
    /// Id of a saved card.
    SavedCardId,
    /// Id of a subscription of a site.
    SubscriptionId,
    /// Id of a reason for declines or discharges.
    ReasonId,
    /// Id of a stored secret: a code, a reset or an invitation.
    SecretId,
    /// Id of a person on the waitlist of a site, who is no guest yet.
    WaitingGuestId,
}

serialize! {
    OrganizationId,
    SiteId,
    RoomId,
    BedId,
    StayId,
    UserId,
    MembershipId,
    SessionId,
    InsuranceCompanyId,
    AuditId,
    OutboxId,
    SavedCardId,
    SubscriptionId,
    ReasonId,
    SecretId,
    WaitingGuestId,
}
