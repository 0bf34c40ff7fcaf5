//! Pictures that are kept: which paths exist, who may use one, who may see one, and the end of those that nobody uses
//! (guide "payments-messages-files-places" 4; security-and-proof 2.3, 16 and 17).
//!
//! The bytes lie in the object store ([`Storage`]); everything that is known of them stands in the table `files`.

mod claim;

/// For how many hours a picture is kept that nothing refers to.
pub const KEPT_FOR: i64 = 24;

pub use claim::{AGAIN, Prefix, claim, claim_card};
