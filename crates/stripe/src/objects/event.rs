//! Events: what happened in the account.

use serde::Deserialize;

/// Something that happened. Berth trusts only the id, the type and the ids of the objects, and reads the objects again.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Event {
    /// `evt_…`
    pub id: String,
    /// `customer.subscription.updated` and others.
    #[serde(rename = "type")]
    pub kind: String,
    /// The time at which it happened, in Unix seconds.
    #[serde(default)]
    pub created: i64,
    /// What it happened to.
    #[serde(default)]
    pub data: EventData,
}

/// What an event happened to.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct EventData {
    /// The object, as far as its ids go.
    #[serde(default)]
    pub object: EventObject,
}

/// The ids of an event's object.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct EventObject {
    /// Its id. Stripe leaves it out for a preview of an invoice.
    pub id: Option<String>,
    /// Its kind: `subscription`, `invoice` and others.
    pub object: Option<String>,
    /// The customer it belongs to, `cus_…`.
    pub customer: Option<String>,
}

impl super::Identified for Event {
    fn id(&self) -> &str {
        &self.id
    }
}
