//! Sums of versions that were read before, by the state of the database (docs/decisions/0071). As long as nothing is committed, they need
//! not be read again: for a global admin it is a sum over all sites.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use super::landing::Key;

/// Number of sums after which all are forgotten. Each commit makes a new state, and each connection of SQLite has its own names.
const MAX_KNOWN: usize = 1024;

/// Sums by whose sites they count, and by the name of the state.
#[derive(Default)]
pub struct KnownVersions(Mutex<HashMap<(Key, String), i64>>);

impl KnownVersions {
    /// Returns the sum that was read in this state.
    #[must_use]
    pub fn get(&self, who: &Key, state: &str) -> Option<i64> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.get(&(*who, state.to_owned())).copied()
    }

    /// Remembers a sum that was read in this state or a later one.
    pub fn put(&self, who: Key, state: String, version: i64) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MAX_KNOWN {
            known.clear();
        }
        known.insert((who, state), version);
    }
}
