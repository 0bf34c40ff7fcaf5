//! Records which SQL text ran on which engine, in tests, to find a text that never ran on one of them.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use crate::Engine;

/// A SQL literal and the engines that ran it in this process.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// Ran on SQLite.
    pub sqlite: bool,
    /// Ran on `PostgreSQL`.
    pub postgres: bool,
}

static SEEN: Mutex<BTreeMap<&'static str, Seen>> = Mutex::new(BTreeMap::new());

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

pub(crate) fn note(engine: Engine, text: &'static str) {
    COUNT.set(COUNT.get() + 1);
    let mut seen = SEEN.lock().unwrap_or_else(PoisonError::into_inner);
    let entry = seen.entry(text).or_default();
    match engine {
        Engine::Sqlite => entry.sqlite = true,
        Engine::Postgres => entry.postgres = true,
    }
}

/// Every SQL text that ran in this process so far, in order of text.
#[must_use]
pub fn seen_texts() -> Vec<(&'static str, Seen)> {
    let seen = SEEN.lock().unwrap_or_else(PoisonError::into_inner);
    seen.iter().map(|(text, engines)| (*text, *engines)).collect()
}

/// Number of statements that ran on this thread so far. In a runtime of one thread these are all statements of the test.
#[must_use]
pub fn statements_of_this_thread() -> usize {
    COUNT.get()
}
