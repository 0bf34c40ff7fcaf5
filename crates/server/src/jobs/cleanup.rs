//! Deletes data that is no longer needed: expired secrets and codes, reservation requests that were not confirmed, old
//! idempotency keys, sent messages, unused rate limits, and pictures that nothing refers to.

use berth_domain::time::Timestamp;

use crate::admin::audit_log::Author;
use crate::integrations::files;
use crate::{App, Result, change};

/// Days that an expired secret or code is kept, so that an expired invitation gets another message than a wrong one.
const EXPIRED_DAYS: i64 = 30;
/// Days that the networks from which a guest viewed a reservation are kept: longer than a reservation can stay
/// undecided.
const NETWORK_DAYS: i64 = 14;
/// Hours that the answer to a request with an idempotency key is kept (I13).
const ANSWER_HOURS: i64 = 24;
/// Days that a message is kept after it was sent or given up. It contains a phone number or an email address.
const MESSAGE_DAYS: i64 = 30;
/// Days that a handled event of the card provider is kept to recognize repetitions, which come for three days.
const EVENT_DAYS: i64 = 30;
/// Days after which an unused rate limit is deleted.
const UNUSED_LIMIT_DAYS: i64 = 1;

/// Returns true if the pause since the last run is over.
pub async fn is_due(app: &App) -> Result<bool> {
    const LATER: &str = "SELECT name FROM jobs WHERE name = 'cleanup' AND due_at > $1";
    let later: Option<(String,)> = app.db.query(LATER).bind(app.now()).optional().await?;
    Ok(later.is_none())
}

/// Deletes them. Returns the number of deleted rows.
pub async fn run(app: &App) -> Result<u64> {
    const SECRETS: &str = "DELETE FROM secrets WHERE expires_at <= $1";
    const CODES: &str = "DELETE FROM codes WHERE expires_at <= $1";
    const REQUESTS: &str = "DELETE FROM reservation_requests WHERE expires_at <= $1";
    const NETWORKS: &str = "DELETE FROM reservation_networks WHERE seen_at <= $1";
    const ANSWERS: &str = "DELETE FROM idempotency_keys WHERE created_at <= $1";
    const MESSAGES: &str = "DELETE FROM outbox WHERE sent_at <= $1 OR failed_at <= $1";
    const NOTICES: &str = "DELETE FROM user_notices WHERE settled_at <= $1";
    const EVENTS: &str = "DELETE FROM billing_events WHERE handled_at <= $1";
    const LIMITS: &str = "DELETE FROM throttles WHERE window_start <= $1 AND blocked_until <= $2";
    let now = app.now();
    let mut deleted = 0;
    for (text, before) in [
        (SECRETS, now.plus_days(-EXPIRED_DAYS)),
        (CODES, now.plus_days(-EXPIRED_DAYS)),
        // They contain a phone, name and email, perhaps of a person who never requested a reservation.
        (REQUESTS, now),
        (NETWORKS, now.plus_days(-NETWORK_DAYS)),
        (ANSWERS, now.plus_hours(-ANSWER_HOURS)),
        (MESSAGES, now.plus_days(-MESSAGE_DAYS)),
        (NOTICES, now.plus_days(-MESSAGE_DAYS)),
        (EVENTS, now.plus_days(-EVENT_DAYS)),
    ] {
        deleted += delete(app, text, &[before]).await?;
    }
    deleted += delete(app, LIMITS, &[now.plus_days(-UNUSED_LIMIT_DAYS), now]).await?;
    Ok(deleted + files::sweep(app).await?)
}

/// Runs one statement, which takes these times as its parameters.
async fn delete(app: &App, text: &'static str, times: &[Timestamp]) -> Result<u64> {
    change::run(app, Author::job(), |mut change| async move {
        let query = times.iter().fold(change.tx.query(text), |query, time| query.bind(*time));
        let deleted = query.execute().await?;
        change.done(deleted)
    })
    .await
}
