//! Events: what happened in the account.

use serde::Deserialize;

/// Something that happened. Berth uses only the ids and the type, and reads the objects again.
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
    /// The object. Only its ids are read.
    #[serde(default)]
    pub object: EventObject,
}

/// The ids of an event's object.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct EventObject {
    /// Its id. Stripe leaves it out for a preview of an invoice.
    pub id: Option<String>,
    /// Its type: `subscription`, `invoice` and others.
    pub object: Option<String>,
    /// The customer it belongs to, `cus_…`.
    pub customer: Option<String>,
}

impl super::Identified for Event {
    fn id(&self) -> &str {
        &self.id
    }
}
