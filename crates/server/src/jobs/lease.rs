//! A lease on a job: a row that one node at a time holds until a moment.
//!
//! A node that dies keeps its lease until it runs out, so leases are short: a hold must not expire more than a minute
//! late, also when its node was killed half way (I9).

use berth_domain::time::Timestamp;

use crate::{App, Result};

/// A job that this node has taken.
#[derive(Debug)]
pub struct Lease {
    name: &'static str,
    until: Timestamp,
}

/// Takes a job for `seconds`, or none when it is not due yet or another node is at it.
pub async fn take(app: &App, name: &'static str, seconds: i64) -> Result<Option<Lease>> {
    const KNOWN: &str = "INSERT INTO jobs (name, due_at) VALUES ($1, 0) ON CONFLICT (name) DO NOTHING";
    const TAKE: &str = "UPDATE jobs SET locked_until = $2 WHERE name = $1 AND locked_until <= $3 AND due_at <= $3 \
        RETURNING name";
    let now = app.now();
    let until = now.plus_millis(seconds * 1000);
    let mut tx = app.db.begin().await?;
    tx.query(KNOWN).bind(name).execute().await?;
    let taken: Option<(String,)> = tx.query(TAKE).bind(name).bind(until).bind(now).optional().await?;
    tx.commit().await?;
    Ok(taken.map(|_| Lease { name, until }))
}

impl Lease {
    /// Lets the next one in after a pause of so many milliseconds, unless the lease has run out and is somebody else's
    /// by now.
    pub async fn give_back(self, app: &App, pause: i64) -> Result<()> {
        const GIVE_BACK: &str = "UPDATE jobs SET locked_until = 0, due_at = $3 WHERE name = $1 AND locked_until = $2";
        let mut tx = app.db.begin().await?;
        let due = app.now().plus_millis(pause);
        tx.query(GIVE_BACK).bind(self.name).bind(self.until).bind(due).execute().await?;
        Ok(tx.commit().await?)
    }
}
