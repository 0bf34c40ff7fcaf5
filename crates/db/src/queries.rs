//! What a function that only reads is generic over.

use crate::{Db, Query, Tx};

/// Runs statements: on the database directly (`&Db`) or inside a transaction (`&mut Tx`). A function that takes
/// `impl Queries` serves both kinds of callers with one SQL text.
///
/// ```no_run
/// use berth_db::Queries;
///
/// async fn list_names(mut db: impl Queries) -> berth_db::Result<Vec<(String,)>> {
///     db.query("SELECT name FROM rooms ORDER BY name, id").all().await
/// }
///
/// # async fn example(db: &berth_db::Db) -> berth_db::Result<()> {
/// let committed = list_names(db).await?;
/// let mut tx = db.begin().await?;
/// let with_own_changes = list_names(&mut tx).await?;
/// # Ok(())
/// # }
/// ```
pub trait Queries: Send {
    /// Returns the statement `text`, ready to bind its parameters.
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
