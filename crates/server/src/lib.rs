//! The server of Berth: HTTP API, jobs, live events and the embedded web application.
//!
//! The way of one request stands in `ARCHITECTURE.md`: `routes` → `caller` → a noun's handler → `domain` decides →
//! SQL, audit and outbox rows in one transaction → `live`.

pub mod access_users;
pub mod app;
pub mod audit;
pub mod beds;
pub mod body;
pub mod cache;
pub mod caller;
pub mod cards;
pub mod cli;
pub mod connect;
pub mod connections;
pub mod dashboard;
pub mod data_folder;
pub mod demo;
pub mod docs;
pub mod etag;
pub mod event_logs;
pub mod files;
pub mod frame;
pub mod guests;
pub mod health;
pub mod html;
pub mod idempotency;
pub mod images;
mod installation_key;
pub mod insurance_companies;
pub mod invariants;
pub mod invitations;
pub mod jobs;
pub mod landing;
pub mod live;
pub mod local;
pub mod mail;
pub mod metrics;
pub mod name_keys;
pub mod organizations;
pub mod outbox;
pub mod paging;
pub mod password;
pub mod path_case;
pub mod payments;
pub mod places;
pub mod problem;
pub mod public_side;
pub mod reference;
pub mod requester;
pub mod rooms;
pub mod routes;
mod seal;
pub mod security_headers;
pub mod seed;
pub mod serve;
pub mod sessions;
pub mod settings;
pub mod sites;
pub mod sms;
pub mod subscriptions;
pub mod throttle;
pub mod token;
pub mod ui;
pub mod users;

pub use app::App;
pub use problem::{Error, Result};
