//! A lease on a job: a row that one node at a time holds until a given time.
//!
//! A node that dies keeps its lease until it expires, so leases are short: a hold must not expire more than a minute
//! late, even if the node that was handling it is killed (I9).

use berth_domain::time::Timestamp;

use crate::admin::audit_log::Author;
use crate::{App, Result, change};

/// A job that this node has leased.
#[derive(Debug)]
pub struct Lease {
    name: &'static str,
    until: Timestamp,
}

/// Leases a job for `seconds`. Returns `None` if it is not due yet or leased by another node.
pub async fn take(app: &App, name: &'static str, seconds: i64) -> Result<Option<Lease>> {
    const INSERT: &str = "INSERT INTO jobs (name, due_at) VALUES ($1, 0) ON CONFLICT (name) DO NOTHING";
    const TAKE: &str = "UPDATE jobs SET locked_until = $2 WHERE name = $1 AND locked_until <= $3 AND due_at <= $3 \
        RETURNING name";
    let now = app.now();
    let until = now.plus_millis(seconds * 1000);
    change::run(app, Author::job(), |mut change| async move {
        change.tx.query(INSERT).bind(name).execute().await?;
        let taken: Option<(String,)> = change.tx.query(TAKE).bind(name).bind(until).bind(now).optional().await?;
        change.done(taken.map(|_| Lease { name, until }))
    })
    .await
}

impl Lease {
    /// Releases the job, which is due again after a pause of `pause` milliseconds. Does nothing if the lease has
    /// expired and another node has taken the job.
    pub async fn release(self, app: &App, pause: i64) -> Result<()> {
        const RELEASE: &str = "UPDATE jobs SET locked_until = 0, due_at = $3 WHERE name = $1 AND locked_until = $2";
        let Self { name, until } = self;
        change::run(app, Author::job(), |mut change| async move {
            let due = change.now.plus_millis(pause);
            change.tx.query(RELEASE).bind(name).bind(until).bind(due).execute().await?;
            change.done(())
        })
        .await
    }
}
