//! Billing: the payment provider, saved cards and subscriptions.

pub mod cards;
pub mod payments;
pub mod subscriptions;
