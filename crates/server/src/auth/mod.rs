//! Authentication: sign-in, sessions, secrets, rate limits, and the user's own account.

pub mod account;
pub mod caller;
pub(crate) mod code_limits;
pub mod connect;
pub mod hasher;
pub(crate) mod installation_key;
pub mod links;
pub(crate) mod seal;
pub mod sessions;
pub mod throttle;
pub mod tokens;
