//! What leaves the process or comes from outside: mail, SMS, files, places, live events.

pub mod files;
pub mod images;
pub mod live;
pub mod mail;
pub mod outbox;
pub mod places;
pub mod sms;
