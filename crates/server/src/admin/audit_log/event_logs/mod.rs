//! The audit log (spec B 2, "Audit log"): four lists for global admins, one of their organization for owners, and the report of a
//! failed sign-in by the web app. The server records failed sign-ins itself, so that request writes nothing
//! (security-and-proof 2.3, 9).

mod filter;
pub(crate) mod guests;
mod page;
pub(crate) mod passwords;
pub(crate) mod sign_ins;
pub(crate) mod trail;
