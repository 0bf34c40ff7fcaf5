//! The user's own account: passwords, email, phone, authenticator app, sessions, messages, views (spec A 2, 4, 5).

pub(crate) mod email;
pub(crate) mod first_password;
pub(crate) mod language;
mod mail;
pub(crate) mod messages;
pub(crate) mod name;
pub(crate) mod password;
pub(crate) mod phone;
pub(crate) mod phone_challenge;
pub(crate) mod proof;
pub(crate) mod remove;
pub(crate) mod reset;
pub(crate) mod sessions_list;
pub(crate) mod totp;
pub(crate) mod views;
