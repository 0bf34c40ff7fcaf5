//! The audit log (spec B 2, "Audit log"): four lists of the trail for global admins, the one of their organization for owners,
//! and what the web app reports. A failed sign-in is recorded by the server itself, so that call writes nothing of its own
//! (security-and-proof 2.3, 9).

mod filter;
mod guests;
mod page;
mod passwords;
mod sign_ins;
mod trail;

pub use guests::{__path_guest_created, guest_created};
pub use passwords::{__path_password_changed, password_changed};
pub use sign_ins::{__path_failed_logins, __path_login_failed, failed_logins, login_failed};
pub use trail::{__path_guests_of, __path_internal, __path_internal_file, guests_of, internal, internal_file};
