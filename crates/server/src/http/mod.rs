//! The parts of HTTP that all handlers share: the layer around requests, extractors, errors, paging, caching, exports.

pub mod body;
pub mod cache;
pub mod connections;
pub mod demo_guard;
pub mod docs;
pub mod etag;
pub mod export;
pub mod frame;
pub mod health;
pub mod html;
pub mod idempotency;
pub mod local;
pub mod log_limit;
pub mod metrics;
pub mod openapi;
pub mod outbox_page;
pub mod paging;
pub mod path_case;
pub mod problem;
pub mod requester;
pub mod search;
pub mod security_headers;
pub mod ui;
