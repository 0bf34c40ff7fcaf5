//! The server of Berth: HTTP API, jobs, live events and the embedded web application.
//!
//! The path of a request is described in `ARCHITECTURE.md`: `routes` → `caller` → a noun's handler → `domain` decides →
//! SQL, audit and outbox rows in one transaction → `live`.

pub mod admin;
pub mod app;
pub mod auth;
pub mod billing;
pub mod change;
pub mod cli;
pub mod housing;
pub mod http;
pub mod integrations;
pub mod jobs;
mod locks;
pub mod routes;
pub mod settings;

pub use app::App;
pub use http::problem::{Error, Result};
