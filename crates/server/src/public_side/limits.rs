//! How much of the public side one address, one phone and one site may use (security-and-proof 2.2). Requests that wait for
//! their code are counted until they are confirmed; a refused or repeated one is not counted.

use berth_db::Tx;
use berth_domain::id::SiteId;
use berth_domain::time::Timestamp;

use crate::Result;
use crate::throttle::{self, Limit};

/// For how many minutes a request waits for its code.
pub(super) const CODE_MINUTES: i64 = 10;
/// Tries of one code.
pub(super) const MAX_TRIES: i64 = 5;

const WINDOW: i64 = CODE_MINUTES * 60_000;
const HOUR: i64 = 3_600_000;

/// Requests of one address that wait for their code: 10 in 10 minutes.
const REQUESTER: Limit = Limit { count: 10, window: WINDOW, doubling: false };
/// Requests at one site that wait for their code: 100 in 10 minutes.
const SITE: Limit = Limit { count: 100, window: WINDOW, doubling: false };
/// Codes to one phone that one address asks for: 3 an hour.
const CODES_OF_REQUESTER: Limit = Limit { count: 3, window: HOUR, doubling: false };
/// Codes to one phone: 10 an hour, so that a stranger can neither flood it nor use up the owner's codes alone.
const CODES: Limit = Limit { count: 10, window: HOUR, doubling: false };
/// Texts to one phone about a reservation that was not made: 1 an hour.
const NOTES: Limit = Limit { count: 1, window: HOUR, doubling: false };
/// Wrong pairs of a code and digits from one address: 30 an hour.
const LOOKUPS_OF_REQUESTER: Limit = Limit { count: 30, window: HOUR, doubling: false };
/// Wrong digits for one code from one address: 5 an hour.
const LOOKUPS_OF_CODE: Limit = Limit { count: 5, window: HOUR, doubling: false };
/// Wrong digits for one code from all addresses that its guest has not used: 10 in 3 hours, so that somebody with many addresses
/// tries few of the 10,000 in the life of a reservation.
const LOOKUPS_OF_CODE_IN_ALL: Limit = Limit { count: 10, window: 3 * HOUR, doubling: false };
/// Wrong digits for one code from an address that its guest has used before: 10 an hour. No other limit counts there: strangers
/// must not be able to keep the guest out.
const LOOKUPS_OF_GUEST: Limit = Limit { count: 10, window: HOUR, doubling: false };
/// Uploads of card images for one reservation: 6 an hour.
const CARDS: Limit = Limit { count: 6, window: HOUR, doubling: false };

fn requester_key(network: &str) -> String {
    format!("reservation:{network}")
}

fn site_key(site: SiteId) -> String {
    format!("reservation-site:{site}")
}

/// Counts one more request that waits for its code.
///
/// # Errors
/// [`Error::TooMany`]; the transaction is to be dropped then, which takes the count back.
pub(super) async fn add_waiting(tx: &mut Tx, network: &str, site: SiteId, now: Timestamp) -> Result<()> {
    throttle::attempt_within(tx, &requester_key(network), REQUESTER, now).await?;
    throttle::attempt_within(tx, &site_key(site), SITE, now).await
}

/// A request was confirmed: it waits no longer.
pub(super) async fn remove_waiting(tx: &mut Tx, network: &str, site: SiteId) -> Result<()> {
    throttle::give_back(tx, &requester_key(network), 1).await?;
    throttle::give_back(tx, &site_key(site), 1).await
}

/// Counts a code to a phone and returns whether it may be sent. The caller is told nothing: whether others asked for codes
/// to this phone is nobody's business.
pub(super) async fn may_send_code(tx: &mut Tx, person: &str, network: &str, now: Timestamp) -> Result<bool> {
    let by_requester = format!("reservation-code:{person}:{network}");
    Ok(throttle::is_within(tx, &by_requester, CODES_OF_REQUESTER, now).await?
        && throttle::is_within(tx, &format!("reservation-code:{person}"), CODES, now).await?)
}

/// Counts a note to a phone and returns whether it may be sent.
pub(super) async fn may_send_note(tx: &mut Tx, person: &str, now: Timestamp) -> Result<bool> {
    throttle::is_within(tx, &format!("reservation-note:{person}"), NOTES, now).await
}

/// A try to find a reservation.
#[derive(Clone, Copy)]
pub(super) struct Lookup<'a> {
    /// The code that was typed, whether or not it exists: unknown codes are limited like known ones.
    pub code: &'a str,
    /// From where.
    pub network: &'a str,
    /// Whether the guest of the code has looked from there before.
    pub is_known: bool,
}

impl Lookup<'_> {
    /// What counts the try, and how much each allows.
    fn limits(self) -> Vec<(String, Limit)> {
        let Self { code, network, is_known } = self;
        let of_code = format!("lookup:{code}:{network}");
        if is_known {
            return vec![(of_code, LOOKUPS_OF_GUEST)];
        }
        vec![
            (format!("lookup-requester:{network}"), LOOKUPS_OF_REQUESTER),
            (of_code, LOOKUPS_OF_CODE),
            (format!("lookup-code:{code}"), LOOKUPS_OF_CODE_IN_ALL),
        ]
    }
}

/// Counts a try to find a reservation.
///
/// # Errors
/// [`Error::TooMany`]; the transaction is to be dropped then.
pub(super) async fn add_lookup(tx: &mut Tx, lookup: Lookup<'_>, now: Timestamp) -> Result<()> {
    for (key, limit) in lookup.limits() {
        throttle::attempt_within(tx, &key, limit, now).await?;
    }
    Ok(())
}

/// The reservation was found: the try no longer counts.
pub(super) async fn remove_lookup(tx: &mut Tx, lookup: Lookup<'_>) -> Result<()> {
    for (key, _) in lookup.limits() {
        throttle::give_back(tx, &key, 1).await?;
    }
    Ok(())
}

/// Counts an upload of card images.
///
/// # Errors
/// [`Error::TooMany`]
pub(super) async fn add_cards(db: &berth_db::Db, hash: &str, now: Timestamp) -> Result<()> {
    throttle::attempt(db, &format!("reservation-cards:{hash}"), CARDS, now).await
}
