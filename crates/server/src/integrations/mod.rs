//! Connections to the outside: email, SMS, files, places and live events.

pub mod files;
pub mod images;
pub mod live;
pub mod mail;
pub mod outbox;
pub mod places;
pub mod sms;
