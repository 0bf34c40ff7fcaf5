//! A lease on a job: a row that one node at a time holds until a moment.

use berth_domain::time::Timestamp;

use crate::{App, Result};

/// How long a node may work before another one takes over, in minutes.
const MINUTES: i64 = 5;

/// A job that this node has taken.
pub struct Lease {
    name: &'static str,
    until: Timestamp,
}

/// Takes a job, or none when another node is at it.
///
/// # Errors
/// Those of the database.
pub async fn take(app: &App, name: &'static str) -> Result<Option<Lease>> {
    const KNOWN: &str = "INSERT INTO jobs (name, due_at) VALUES ($1, 0) ON CONFLICT (name) DO NOTHING";
    const TAKE: &str = "UPDATE jobs SET locked_until = $2 WHERE name = $1 AND locked_until <= $3 RETURNING name";
    let now = app.now();
    let until = now.plus_minutes(MINUTES);
    let mut tx = app.db.begin().await?;
    tx.query(KNOWN).bind(name).execute().await?;
    let taken: Option<(String,)> = tx.query(TAKE).bind(name).bind(until).bind(now).optional().await?;
    tx.commit().await?;
    Ok(taken.map(|_| Lease { name, until }))
}

impl Lease {
    /// Lets the next one in, unless the lease has run out and is somebody else's by now.
    ///
    /// # Errors
    /// Those of the database.
    pub async fn give_back(self, app: &App) -> Result<()> {
        const GIVE_BACK: &str = "UPDATE jobs SET locked_until = 0, due_at = $3 WHERE name = $1 AND locked_until = $2";
        let mut tx = app.db.begin().await?;
        tx.query(GIVE_BACK).bind(self.name).bind(self.until).bind(app.now()).execute().await?;
        Ok(tx.commit().await?)
    }
}
