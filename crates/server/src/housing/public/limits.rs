//! Limits of the public side for each address, phone and site (security-and-proof 2.2). Requests count until their code
//! is confirmed; rejected and repeated ones do not count.

use berth_db::Tx;
use berth_domain::id::SiteId;
use berth_domain::time::Timestamp;

use crate::auth::throttle::{self, Limit};
use crate::{App, Error, Result};

/// Minutes until a code expires.
pub(super) const CODE_MINUTES: i64 = berth_domain::limits::RESERVATION_CODE_MINUTES;
/// Maximum number of tries of a code.
pub(super) const MAX_TRIES: i64 = berth_domain::limits::MAX_CODE_ATTEMPTS;

const WINDOW: i64 = CODE_MINUTES * 60_000;
const HOUR: i64 = 3_600_000;
const DAY: i64 = 24 * HOUR;

/// Unconfirmed requests of one address: 30 in 10 minutes. A whole shelter or clinic may have one address.
const REQUESTER: Limit = Limit { count: 30, window: WINDOW, doubling: false };
/// Maximum number of unconfirmed requests at one site. A further one replaces another, see [`make_room`].
const MAX_WAITING: i64 = 100;
/// Codes that one address requests for one phone: 3 an hour.
const CODES_OF_REQUESTER: Limit = Limit { count: 3, window: HOUR, doubling: false };
/// The same for a day: 6.
const CODES_OF_REQUESTER_A_DAY: Limit = Limit { count: 6, window: DAY, doubling: false };
/// Whether a code is the first of a day that an address requests for a phone, see [`may_send_code`].
const FIRST_CODE: Limit = Limit { count: 1, window: DAY, doubling: false };
/// First codes to one phone: 20 an hour from all addresses. To use them up, an attacker needs 20 addresses, not just 20
/// requests.
const FIRST_CODES: Limit = Limit { count: 20, window: HOUR, doubling: false };
/// The same for a day: 60.
const FIRST_CODES_A_DAY: Limit = Limit { count: 60, window: DAY, doubling: false };
/// Further codes to one phone: 10 an hour from all addresses.
const FURTHER_CODES: Limit = Limit { count: 10, window: HOUR, doubling: false };
/// The same for a day: 30. So nobody can cause more than 90 texts a day to one phone.
const FURTHER_CODES_A_DAY: Limit = Limit { count: 30, window: DAY, doubling: false };
/// Texts to one phone about a reservation that was not made: 1 an hour.
const FAILURES: Limit = Limit { count: 1, window: HOUR, doubling: false };
/// Wrong pairs of a code and digits from one address: 30 an hour.
const LOOKUPS_OF_REQUESTER: Limit = Limit { count: 30, window: HOUR, doubling: false };
/// Wrong digits for one code from one address: 5 an hour.
const LOOKUPS_OF_CODE: Limit = Limit { count: 5, window: HOUR, doubling: false };
/// Wrong digits for one code from all addresses: 10 in 3 hours.
const LOOKUPS_OF_CODE_IN_ALL: Limit = Limit { count: 10, window: 3 * HOUR, doubling: false };
/// Wrong digits for one code from all addresses: 24 a day. So an attacker with many addresses can try 240 of 10,000 in
/// the ten days for which a reservation is shown at most.
const LOOKUPS_OF_CODE_A_DAY: Limit = Limit { count: 24, window: DAY, doubling: false };
/// Wrong digits for one code from an address that its guest has used before: 10 an hour. Counted separately from the
/// limits above, so that strangers cannot lock the guest out.
const LOOKUPS_OF_GUEST: Limit = Limit { count: 10, window: HOUR, doubling: false };
/// The same for a day: 20.
const LOOKUPS_OF_GUEST_A_DAY: Limit = Limit { count: 20, window: DAY, doubling: false };
/// Uploads of card images for one reservation: 6 an hour.
const CARDS: Limit = Limit { count: 6, window: HOUR, doubling: false };

fn requester_key(network: &str) -> String {
    format!("reservation:{network}")
}

/// Counts an unconfirmed request of an address.
///
/// # Errors
/// [`Error::TooMany`]. The transaction must be dropped then, which undoes the count.
pub(super) async fn add_waiting(tx: &mut Tx, network: &str, now: Timestamp) -> Result<()> {
    throttle::attempt_within(tx, &requester_key(network), REQUESTER, now).await
}

/// Subtracts a request that was confirmed.
pub(super) async fn remove_waiting(tx: &mut Tx, network: &str) -> Result<()> {
    throttle::give_back(tx, &requester_key(network), 1).await
}

/// Makes room for one more unconfirmed request at a site. The newest is never rejected: the oldest request of the
/// address with the most of them is deleted. So an address that sends many requests replaces its own.
pub(super) async fn make_room(tx: &mut Tx, site: SiteId, now: Timestamp) -> Result<()> {
    const WAITING: &str = "SELECT COUNT(*) FROM reservation_requests WHERE site_id = $1 AND confirmed_at IS NULL \
        AND expires_at > $2";
    const DROP: &str = "DELETE FROM reservation_requests WHERE hash = (SELECT r.hash FROM reservation_requests r \
        JOIN (SELECT network, COUNT(*) AS waiting FROM reservation_requests WHERE site_id = $1 \
            AND confirmed_at IS NULL AND expires_at > $2 GROUP BY network) n ON n.network = r.network \
        WHERE r.site_id = $1 AND r.confirmed_at IS NULL AND r.expires_at > $2 \
        ORDER BY n.waiting DESC, r.created_at, r.hash LIMIT 1)";
    let waiting: i64 = tx.query(WAITING).bind(site).bind(now).scalar().await?;
    if waiting >= MAX_WAITING {
        tx.query(DROP).bind(site).bind(now).execute().await?;
    }
    Ok(())
}

/// Counts a code to a phone and returns true if it may be sent. The answer to the caller does not depend on it: it must
/// not reveal whether others requested codes for this phone.
///
/// The first code of a day that an address requests and its further codes have separate limits, so that strangers with
/// a few addresses cannot use up the first code of the person.
pub(super) async fn may_send_code(tx: &mut Tx, person: &str, network: &str, now: Timestamp) -> Result<bool> {
    let own = format!("reservation-code:{person}:{network}");
    let own = [(own.clone(), CODES_OF_REQUESTER), (format!("{own}:day"), CODES_OF_REQUESTER_A_DAY)];
    if count_all(tx, &own, now).await?.1.is_some() {
        return Ok(false);
    }
    let is_first = throttle::is_within(tx, &format!("reservation-first:{person}:{network}"), FIRST_CODE, now).await?;
    let (lane, hour, day) = if is_first {
        ("first", FIRST_CODES, FIRST_CODES_A_DAY)
    } else {
        ("further", FURTHER_CODES, FURTHER_CODES_A_DAY)
    };
    let all = format!("reservation-code:{person}:{lane}");
    let all = [(all.clone(), hour), (format!("{all}:day"), day)];
    Ok(count_all(tx, &all, now).await?.1.is_none())
}

/// Counts a text about a failed reservation and returns true if it may be sent.
pub(super) async fn may_send_failure(tx: &mut Tx, person: &str, now: Timestamp) -> Result<bool> {
    throttle::is_within(tx, &format!("reservation-note:{person}"), FAILURES, now).await
}

/// A counted try to find a reservation.
pub(super) struct Lookup {
    /// The keys under which the try was counted.
    counted: Vec<String>,
    /// The error if a limit is reached. It does not apply to an address that the guest has used.
    pub refusal: Option<Error>,
    /// True if the separate limits of addresses that the guest has used are not reached.
    pub is_open_to_guest: bool,
}

/// Counts a try to find a reservation. Every code is counted in the same way, whether or not it exists, so that the
/// limits reveal nothing about it.
pub(super) async fn add_lookup(tx: &mut Tx, code: &str, network: &str, now: Timestamp) -> Result<Lookup> {
    let of_all = [
        (format!("lookup-requester:{network}"), LOOKUPS_OF_REQUESTER),
        (format!("lookup:{code}:{network}"), LOOKUPS_OF_CODE),
        (format!("lookup-code:{code}"), LOOKUPS_OF_CODE_IN_ALL),
        (format!("lookup-code-day:{code}"), LOOKUPS_OF_CODE_A_DAY),
    ];
    let of_guest = [
        (format!("lookup-guest:{code}:{network}"), LOOKUPS_OF_GUEST),
        (format!("lookup-guest-day:{code}:{network}"), LOOKUPS_OF_GUEST_A_DAY),
    ];
    let (mut counted, refusal) = count_all(tx, &of_all, now).await?;
    let (more, guest_refusal) = count_all(tx, &of_guest, now).await?;
    counted.extend(more);
    Ok(Lookup { counted, refusal, is_open_to_guest: guest_refusal.is_none() })
}

/// Counts a try against all limits, or against none of them if one is reached.
async fn count_all(tx: &mut Tx, limits: &[(String, Limit)], now: Timestamp) -> Result<(Vec<String>, Option<Error>)> {
    let mut counted = Vec::new();
    for (key, limit) in limits {
        match throttle::attempt_within(tx, key, *limit, now).await {
            Ok(()) => counted.push(key.clone()),
            Err(refusal @ Error::TooMany(_)) => {
                for key in &counted {
                    throttle::give_back(tx, key, 1).await?;
                }
                return Ok((Vec::new(), Some(refusal)));
            }
            Err(error) => return Err(error),
        }
    }
    Ok((counted, None))
}

/// Subtracts a try that found the reservation.
pub(super) async fn remove_lookup(tx: &mut Tx, lookup: &Lookup) -> Result<()> {
    for key in &lookup.counted {
        throttle::give_back(tx, key, 1).await?;
    }
    Ok(())
}

/// Counts an upload of card images.
///
/// # Errors
/// [`Error::TooMany`].
pub(super) async fn add_cards(app: &App, hash: &str, now: Timestamp) -> Result<()> {
    throttle::attempt(app, &format!("reservation-cards:{hash}"), CARDS, now).await
}
