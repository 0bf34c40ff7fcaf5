//! A typed client of Stripe's API, and a sandbox that serves the same API over HTTP (guide payments 1).
//!
//! No other crate knows the format of Stripe's calls and answers. The same client talks to Stripe and to the sandbox.
//! In tests, `judge` checks the sandbox against Stripe's own OpenAPI document.

// `json!` needs a deeper recursion limit for all the fields of a Stripe invoice.
#![recursion_limit = "256"]

pub mod client;
pub mod error;
pub mod form;
#[cfg(feature = "judge")]
pub mod judge;
pub mod live_check;
pub mod objects;
mod operations;
#[cfg(feature = "sandbox")]
pub mod sandbox;
pub mod webhook;

pub use client::Client;
pub use error::{ApiError, Error, Result};
pub use objects::{
    Card, Charge, ConfirmationSecret, Coupon, Customer, Event, Expandable, Invoice, InvoiceStatus, PaymentMethod,
    PortalSession, Price, Product, PromotionCode, SetupIntent, Subscription, SubscriptionStatus,
};
pub use operations::{Discount, FirstPayment, NewCustomer, NewSubscription};

/// The version of Stripe's API that the client, the sandbox and the schema use.
pub const API_VERSION: &str = "2026-08-26.dahlia";
