//! Rate limits. They are kept in the database, so that they hold across nodes, and count by two keys: the account or phone,
//! and the requester (security-and-proof 2.2).

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use berth_db::Tx;
use berth_domain::time::Timestamp;

use crate::admin::audit_log::Author;
use crate::{App, Error, Result, change};

/// A rate limit.
#[derive(Debug, Clone, Copy)]
pub struct Limit {
    /// Attempts allowed in one window.
    pub count: i64,
    /// Length of the window, in milliseconds.
    pub window: i64,
    /// True if the pause after the limit doubles each time the limit is exceeded; false if it ends with the window.
    pub doubling: bool,
}

/// Failed sign-ins by one requester from unknown devices: 30 a minute. Attempts in progress count until they succeed, so this
/// leaves room for twenty people who sign in at the same moment.
pub const SIGN_IN_REQUESTER: Limit = Limit { count: 30, window: 60_000, doubling: false };
/// Failed sign-ins to one account from unknown devices, or from one known device: 5 in 5 minutes, then a doubling pause.
pub const SIGN_IN_ACCOUNT: Limit = Limit { count: 5, window: 300_000, doubling: true };
/// Text messages to one phone about its reservations: 12 a day. A reservation causes four at most, rarely six if a decision
/// is undone. Keeps anyone from flooding a stranger's phone by adding and declining it again and again.
pub const GUEST_TEXTS: Limit = Limit { count: 12, window: 86_400_000, doubling: false };
/// Codes to a user's own phone, or for one known device of the user, that were not followed by a sign-in: 5 an hour.
pub const CODE_USER: Limit = Limit { count: 5, window: 3_600_000, doubling: false };
/// Codes to one unconfirmed phone, requested by all users together: 10 an hour. One user alone ([`CODE_USER`]) cannot use
/// them up.
pub const CODE_NEW_PHONE: Limit = Limit { count: 10, window: 3_600_000, doubling: false };
/// Codes requested by one requester from unknown devices that were not followed by a sign-in: 60 an hour.
pub const CODE_REQUESTER: Limit = Limit { count: 60, window: 3_600_000, doubling: false };
/// Links that one requester tried and that never existed, or asked for from unknown devices: 20 a minute.
pub const LINK_REQUESTER: Limit = Limit { count: 20, window: 60_000, doubling: false };
/// Emails with a link, by one requester or to one address: 5 a minute.
pub const LINK_MAIL: Limit = Limit { count: 5, window: 60_000, doubling: false };
/// Password reset links sent to one address for unknown devices, or for one known device: 5 in half an hour, the lifetime of
/// a link.
pub const RESET_ACCOUNT: Limit = Limit { count: 5, window: 1_800_000, doubling: false };
/// Invitations sent by one user: 10 an hour.
pub const INVITE_USER: Limit = Limit { count: 10, window: 3_600_000, doubling: false };
/// Invitations sent by one global admin: 100 an hour.
pub const INVITE_GLOBAL_ADMIN: Limit = Limit { count: 100, window: 3_600_000, doubling: false };
/// Authenticator and recovery codes tried for one user, over all sign-ins: 10 in 15 minutes, then a doubling pause.
pub const AUTHENTICATOR_USER: Limit = Limit { count: 10, window: 900_000, doubling: true };
/// Lookups by one user whether an email is taken: 10 an hour.
pub const BUSYNESS_USER: Limit = Limit { count: 10, window: 3_600_000, doubling: false };
/// Attempts at one code for a new phone: 5 in its whole life.
pub const CODE_TRIES: Limit = Limit { count: 5, window: 3_600_000, doubling: false };
/// Searches over all sites by one user: 240 a minute, as often as a person types. Each leaves a row of the audit trail.
pub const SEARCH_USER: Limit = Limit { count: 240, window: 60_000, doubling: false };
/// Questions by one user whether a person was here before: 60 a minute. Each names a phone or an email.
pub const EARLIER_USER: Limit = Limit { count: 60, window: 60_000, doubling: false };
/// Calls of the public API by one requester: 120 a minute.
pub const PUBLIC_REQUESTER: Limit = Limit { count: 120, window: 60_000, doubling: false };
/// Image uploads by one user: 120 in 10 minutes, of at most five files each.
pub const UPLOAD_USER: Limit = Limit { count: 120, window: 600_000, doubling: false };
/// Image uploads by one user: 600 a day.
pub const UPLOAD_USER_DAY: Limit = Limit { count: 600, window: 86_400_000, doubling: false };
/// Image uploads by one requester: 480 in 10 minutes.
pub const UPLOAD_REQUESTER: Limit = Limit { count: 480, window: 600_000, doubling: false };
/// Place searches by one user: 240 a minute. Each key pressed may cause one.
pub const PLACES_USER: Limit = Limit { count: 240, window: 60_000, doubling: false };
/// Place searches by one requester: 960 a minute.
pub const PLACES_REQUESTER: Limit = Limit { count: 960, window: 60_000, doubling: false };
/// Attempts to start or restart a subscription by one organization: 20 an hour. Keeps anyone from testing stolen cards.
pub const BILLING_ORGANIZATION: Limit = Limit { count: 20, window: 3_600_000, doubling: false };
/// Messages to owners that a reservation waits for a subscription, sent by one user: 10 an hour.
pub const OWNER_MESSAGE_USER: Limit = Limit { count: 10, window: 3_600_000, doubling: false };
/// Promo codes checked by one user: 30 in 10 minutes.
pub const COUPON_USER: Limit = Limit { count: 30, window: 600_000, doubling: false };

/// The first pause of a doubling limit, in milliseconds. The longest pause is 64 times as long.
const FIRST_PAUSE: i64 = 60_000;

/// Counts one attempt in a transaction of its own, or rejects it. Attempts are counted *before* they are made, so that
/// parallel ones cannot slip past; after a success, return the attempt with [`give_back`] or [`forget`].
///
/// # Errors
/// [`Error::TooMany`] with the seconds to wait.
pub async fn attempt(app: &App, key: &str, limit: Limit, now: Timestamp) -> Result<()> {
    let wait = change::run(app, Author::job(), |mut change| async move {
        // A rejected attempt is committed, too: it may start a pause.
        let wait = count(&mut change.tx, key, limit, now).await?;
        change.done::<_, Error>(wait)
    });
    wait.await?.map_or(Ok(()), |seconds| Err(Error::TooMany(seconds)))
}

/// Counts one attempt as [`attempt`] does, in the caller's transaction.
///
/// # Errors
/// [`Error::TooMany`] with the seconds to wait. Roll the transaction back then, which takes the count back.
pub async fn attempt_within(tx: &mut Tx, key: &str, limit: Limit, now: Timestamp) -> Result<()> {
    count(tx, key, limit, now).await?.map_or(Ok(()), |seconds| Err(Error::TooMany(seconds)))
}

/// Counts one attempt in the caller's transaction and returns false if it exceeds the limit.
pub async fn is_within(tx: &mut Tx, key: &str, limit: Limit, now: Timestamp) -> Result<bool> {
    Ok(count(tx, key, limit, now).await?.is_none())
}

#[derive(berth_db::FromRow)]
struct Row {
    window_start: i64,
    count: i64,
    blocked_until: i64,
    strikes: i64,
}

const COUNT: &str = "INSERT INTO throttles (key, window_start, count, blocked_until, strikes) \
    VALUES ($1, $2, 1, 0, 0) ON CONFLICT (key) DO UPDATE SET count = throttles.count + 1 \
    RETURNING window_start, count, blocked_until, strikes";

const STORE: &str =
    "UPDATE throttles SET window_start = $2, count = $3, blocked_until = $4, strikes = $5 WHERE key = $1";

/// Counts one attempt and returns the seconds to wait if it exceeds the limit. The upsert takes the row lock.
async fn count(tx: &mut Tx, key: &str, limit: Limit, now: Timestamp) -> Result<Option<i64>> {
    let row: Row = tx.query(COUNT).bind(key).bind(now.millis()).one().await?;
    let (next, wait) = decide(&row, limit, now.millis());
    tx.query(STORE)
        .bind(key)
        .bind(next.window_start)
        .bind(next.count)
        .bind(next.blocked_until)
        .bind(next.strikes)
        .execute()
        .await?;
    Ok(wait)
}

/// Returns the next state of the row, and the seconds to wait if the attempt exceeds the limit.
fn decide(row: &Row, limit: Limit, now: i64) -> (Row, Option<i64>) {
    let seconds = |until: i64| Some(((until - now) + 999) / 1000);
    if row.blocked_until > now {
        let next = Row { window_start: row.window_start, count: row.count - 1, ..*row };
        return (next, seconds(row.blocked_until));
    }
    let fresh = row.window_start + limit.window <= now || (row.blocked_until > 0 && row.count > limit.count);
    let (window_start, count) = if fresh { (now, 1) } else { (row.window_start, row.count) };
    // A day without attempts resets the doubling.
    let strikes = if row.window_start + 86_400_000 <= now { 0 } else { row.strikes };
    if count <= limit.count {
        return (Row { window_start, count, blocked_until: 0, strikes }, None);
    }
    let until = if limit.doubling { now + (FIRST_PAUSE << strikes.min(6)) } else { window_start + limit.window };
    (Row { window_start, count, blocked_until: until, strikes: strikes + 1 }, seconds(until))
}

/// Rate limits of public reads, counted in this process alone: a read must not write to the database, and a limit that
/// protects the processor need not hold across nodes. Windows and pauses are those of [`attempt`].
#[derive(Default)]
pub struct ReadLimits(Mutex<HashMap<String, Row>>);

/// Maximum number of keys in memory, about 3 MB.
const MAX_READERS: usize = 20_000;

impl ReadLimits {
    /// Counts one read, or rejects it.
    ///
    /// # Errors
    /// [`Error::TooMany`] with the seconds to wait.
    pub fn attempt(&self, key: String, limit: Limit, now: Timestamp) -> Result<()> {
        let now = now.millis();
        let mut readers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if readers.len() >= MAX_READERS && !readers.contains_key(&key) {
            readers.retain(|_, row| row.window_start + limit.window > now || row.blocked_until > now);
            // An attacker with this many addresses cannot be limited by address.
            if readers.len() >= MAX_READERS {
                readers.clear();
            }
        }
        let row = readers.entry(key).or_insert(Row { window_start: now, count: 0, blocked_until: 0, strikes: 0 });
        row.count += 1;
        let (next, wait) = decide(row, limit, now);
        *row = next;
        wait.map_or(Ok(()), |seconds| Err(Error::TooMany(seconds)))
    }
}

/// Returns attempts that succeeded, so that they no longer count.
pub async fn give_back(tx: &mut Tx, key: &str, count: i64) -> Result<()> {
    const GIVE_BACK: &str =
        "UPDATE throttles SET count = CASE WHEN count > $2 THEN count - $2 ELSE 0 END WHERE key = $1";
    tx.query(GIVE_BACK).bind(key).bind(count).execute().await?;
    Ok(())
}

/// Removes all attempts of a key, and its pause.
pub async fn forget(tx: &mut Tx, key: &str) -> Result<()> {
    const FORGET: &str = "DELETE FROM throttles WHERE key = $1";
    tx.query(FORGET).bind(key).execute().await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::auth::throttle::*;

    fn play(limit: Limit, times: &[i64]) -> Vec<Option<i64>> {
        let mut row = Row { window_start: times[0], count: 0, blocked_until: 0, strikes: 0 };
        times
            .iter()
            .map(|now| {
                row.count += 1;
                let (next, wait) = decide(&row, limit, *now);
                row = next;
                wait
            })
            .collect()
    }

    #[test]
    fn readers_are_limited_separately_and_forgotten_when_there_are_too_many() {
        let limit = Limit { count: 2, window: 60_000, doubling: false };
        let limits = ReadLimits::default();
        let read = |key: &str, now: i64| limits.attempt(key.to_owned(), limit, Timestamp::from_millis(now)).is_ok();
        assert_eq!(
            [read("a", 0), read("a", 1), read("a", 2), read("b", 2), read("a", 60_000)],
            [true, true, false, true, true]
        );
        for number in 0..MAX_READERS + 5 {
            read(&number.to_string(), 60_001);
        }
        assert!(limits.0.lock().unwrap().len() <= MAX_READERS);
    }

    #[test]
    fn the_attempt_after_the_limit_waits_for_the_end_of_the_window() {
        let limit = Limit { count: 2, window: 60_000, doubling: false };
        assert_eq!(play(limit, &[0, 1_000, 2_000, 59_999, 60_000]), [None, None, Some(58), Some(1), None]);
    }

    #[test]
    fn a_doubling_pause_is_one_minute_then_two_then_four() {
        let limit = Limit { count: 1, window: 300_000, doubling: true };
        let times = [0, 1, 60_001, 60_002, 180_002, 180_003];
        assert_eq!(play(limit, &times), [None, Some(60), None, Some(120), None, Some(240)]);
    }
}
