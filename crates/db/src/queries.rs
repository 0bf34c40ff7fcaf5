//! What a database and a transaction have in common.

use crate::{Db, Query, Tx};

/// Runs statements: a [`Db`], each of them by itself, or a [`Tx`].
///
/// A function that reads in both cases takes `mut on: impl Queries` and is called with `&app.db` or `&mut tx`.
pub trait Queries: Send {
    /// A statement about to run.
    fn query(&mut self, text: &'static str) -> Query<'_>;
}

impl Queries for &Db {
    fn query(&mut self, text: &'static str) -> Query<'_> {
        Db::query(self, text)
    }
}

impl Queries for Tx {
    fn query(&mut self, text: &'static str) -> Query<'_> {
        Self::query(self, text)
    }
}

impl Queries for &mut Tx {
    fn query(&mut self, text: &'static str) -> Query<'_> {
        Tx::query(self, text)
    }
}
