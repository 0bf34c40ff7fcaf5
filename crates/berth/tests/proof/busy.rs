//! Which proofs may run at the same time.

use tokio::sync::RwLock;

/// Read-locked by proofs that keep the processors busy for long, and write-locked by one that floods a server on purpose: with all of them at
/// once, its thousand clients wait so long for a processor that the server rightly refuses even a board.
pub static PROCESSORS: RwLock<()> = RwLock::const_new(());
