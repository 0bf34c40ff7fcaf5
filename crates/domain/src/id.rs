//! Ids: one type per noun around a UUIDv7, so that a bed's id can never be passed for a guest's.
//!
//! The server makes them from its own clock and random source; in the database they are UUID columns.

use uuid::Uuid;

/// Declares the id of one noun.
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

        // By hand: the texts of the parser are not for people.
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
    /// Names an organization.
    OrganizationId,
    /// Names a site.
    SiteId,
    /// Names a room (shown as house).
    RoomId,
    /// Names a bed.
    BedId,
    /// Names a guest, and thereby a reservation. It is not [`serde::Serialize`]: an answer that shows a guest goes through the
    /// server's audit trail, which has the one function that writes such an id.
    GuestId,
    /// Names one stay of a guest in a bed.
    StayId,
    /// Names a user.
    UserId,
    /// Names a membership (access user) of a user in an organization, a site or the platform.
    MembershipId,
    /// Names a session.
    SessionId,
    /// Names an insurance company.
    InsuranceCompanyId,
    /// Names a row of the audit log.
    AuditId,
    /// Names a row of the outbox.
    OutboxId,
    /// Names a saved card.
    SavedCardId,
    /// Names a subscription of a site.
    SubscriptionId,
    /// Names a stored secret: a code, a reset or an invitation.
    SecretId,
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
    SecretId,
}
