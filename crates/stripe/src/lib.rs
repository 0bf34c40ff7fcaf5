//! Stripe as Berth uses it: a typed client, and a sandbox that speaks the same over HTTP (guide payments 1).
//!
//! Nothing else in Berth knows how Stripe is spelled. The client is the same for Stripe and for the sandbox; the sandbox is
//! held against Stripe's own OpenAPI document by `judge` in the tests.

// For `json!` with as many fields as an invoice of Stripe's has.
#![recursion_limit = "256"]

pub mod client;
pub mod error;
pub mod form;
#[cfg(feature = "judge")]
pub mod judge;
pub mod objects;
mod operations;
#[cfg(feature = "sandbox")]
pub mod sandbox;
pub mod webhook;

pub use client::Client;
pub use error::{Error, Refusal, Result};
pub use objects::{
    Card, Charge, ConfirmationSecret, Coupon, Customer, Event, Expandable, Invoice, InvoiceStatus, PaymentMethod,
    PortalSession, Price, Product, PromotionCode, SetupIntent, Subscription, SubscriptionStatus,
};
pub use operations::{Discount, FirstPayment, NewCustomer, NewSubscription};

/// The version of Stripe's API that client, sandbox and schema are of.
pub const API_VERSION: &str = "2026-08-26.dahlia";
