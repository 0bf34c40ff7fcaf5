//! The audit log (spec B 2, "Audit log"): four lists of the trail for global admins, the one of their organization for owners,
//! and what the web app reports. A failed sign-in is recorded by the server itself, so that call writes nothing of its own
//! (security-and-proof 2.3, 9).

mod filter;
pub(crate) mod guests;
mod page;
pub(crate) mod passwords;
pub(crate) mod sign_ins;
pub(crate) mod trail;
