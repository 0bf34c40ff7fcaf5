//! Removes what is no longer needed: expired secrets and codes, requests for reservations that nobody confirmed, old
//! idempotency keys, sent messages, limits that nobody touches any more, pictures that nothing refers to.

use crate::integrations::files;
use crate::{App, Result};

/// How long an expired secret or code is kept, in days: an invitation that ran out is still told apart from a wrong one.
const EXPIRED_DAYS: i64 = 30;
/// How long the networks from which a guest looked at a reservation are kept, in days: longer than any reservation can be looked at
/// without a decision.
const NETWORK_DAYS: i64 = 14;
/// How long the answer to a repeated request is kept, in hours (I13).
const ANSWER_HOURS: i64 = 24;
/// How long a message is kept after it was sent or given up, in days: it names a telephone or an address.
const MESSAGE_DAYS: i64 = 30;
/// How long a handled event of the card provider is kept, in days, to know a repetition; it repeats for three days.
const EVENT_DAYS: i64 = 30;
/// After how many days of quiet a limit is forgotten.
const QUIET_DAYS: i64 = 1;

/// Returns true if the last time was long enough ago.
pub async fn is_due(app: &App) -> Result<bool> {
    const LATER: &str = "SELECT name FROM jobs WHERE name = 'cleanup' AND due_at > $1";
    let later: Option<(String,)> = app.db.query(LATER).bind(app.now()).optional().await?;
    Ok(later.is_none())
}

/// Removes them. Returns how many rows went.
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
    let mut removed = 0;
    for (text, before) in [
        (SECRETS, now.plus_days(-EXPIRED_DAYS)),
        (CODES, now.plus_days(-EXPIRED_DAYS)),
        // Phone, name and email of a person who may never have asked for a reservation.
        (REQUESTS, now),
        (NETWORKS, now.plus_days(-NETWORK_DAYS)),
        (ANSWERS, now.plus_hours(-ANSWER_HOURS)),
        (MESSAGES, now.plus_days(-MESSAGE_DAYS)),
        (NOTICES, now.plus_days(-MESSAGE_DAYS)),
        (EVENTS, now.plus_days(-EVENT_DAYS)),
    ] {
        let mut tx = app.db.begin().await?;
        removed += tx.query(text).bind(before).execute().await?;
        tx.commit().await?;
    }
    let mut tx = app.db.begin().await?;
    removed += tx.query(LIMITS).bind(now.plus_days(-QUIET_DAYS)).bind(now).execute().await?;
    tx.commit().await?;
    Ok(removed + files::sweep(app).await?)
}
