//! How much of the public side one address, one phone and one site may use (security-and-proof 2.2). Requests that wait for
//! their code are counted until they are confirmed; a refused or repeated one is not counted.

use berth_db::Tx;
use berth_domain::id::SiteId;
use berth_domain::time::Timestamp;

use crate::auth::throttle::{self, Limit};
use crate::{Error, Result};

/// For how many minutes a request waits for its code.
pub(super) const CODE_MINUTES: i64 = berth_domain::limits::RESERVATION_CODE_MINUTES;
/// Tries of one code.
pub(super) const MAX_TRIES: i64 = berth_domain::limits::MAX_CODE_ATTEMPTS;

const WINDOW: i64 = CODE_MINUTES * 60_000;
const HOUR: i64 = 3_600_000;
const DAY: i64 = 24 * HOUR;

/// Requests of one address that wait for their code: 30 in 10 minutes. A shelter or a clinic is one address.
const REQUESTER: Limit = Limit { count: 30, window: WINDOW, doubling: false };
/// Requests at one site that wait for their code. One more makes room, see [`make_room`].
const MAX_WAITING: i64 = 100;
/// Codes to one phone that one address asks for: 3 an hour.
const CODES_OF_REQUESTER: Limit = Limit { count: 3, window: HOUR, doubling: false };
/// The same for a day: 6.
const CODES_OF_REQUESTER_A_DAY: Limit = Limit { count: 6, window: DAY, doubling: false };
/// The first code of a day that an address asks for, see [`may_send_code`].
const FIRST_CODE: Limit = Limit { count: 1, window: DAY, doubling: false };
/// First codes to one phone: 20 an hour from all addresses. Whoever wants to use them up needs as many addresses, not as many requests.
const FIRST_CODES: Limit = Limit { count: 20, window: HOUR, doubling: false };
/// The same for a day: 60.
const FIRST_CODES_A_DAY: Limit = Limit { count: 60, window: DAY, doubling: false };
/// Further codes to one phone: 10 an hour from all addresses.
const FURTHER_CODES: Limit = Limit { count: 10, window: HOUR, doubling: false };
/// The same for a day: 30. So nobody makes a phone cost more than 90 texts a day.
const FURTHER_CODES_A_DAY: Limit = Limit { count: 30, window: DAY, doubling: false };
/// Texts to one phone about a reservation that was not made: 1 an hour.
const NOTES: Limit = Limit { count: 1, window: HOUR, doubling: false };
/// Wrong pairs of a code and digits from one address: 30 an hour.
const LOOKUPS_OF_REQUESTER: Limit = Limit { count: 30, window: HOUR, doubling: false };
/// Wrong digits for one code from one address: 5 an hour.
const LOOKUPS_OF_CODE: Limit = Limit { count: 5, window: HOUR, doubling: false };
/// Wrong digits for one code from all addresses: 10 in 3 hours.
const LOOKUPS_OF_CODE_IN_ALL: Limit = Limit { count: 10, window: 3 * HOUR, doubling: false };
/// Wrong digits for one code from all addresses: 24 a day. So somebody with many addresses tries 240 of the 10,000 in the ten days that a
/// reservation is shown at most.
const LOOKUPS_OF_CODE_A_DAY: Limit = Limit { count: 24, window: DAY, doubling: false };
/// Wrong digits for one code from an address that its guest has used before: 10 an hour. They are room of its own beside the limits
/// above: strangers must not be able to keep the guest out.
const LOOKUPS_OF_GUEST: Limit = Limit { count: 10, window: HOUR, doubling: false };
/// The same for a day: 20.
const LOOKUPS_OF_GUEST_A_DAY: Limit = Limit { count: 20, window: DAY, doubling: false };
/// Uploads of card images for one reservation: 6 an hour.
const CARDS: Limit = Limit { count: 6, window: HOUR, doubling: false };

fn requester_key(network: &str) -> String {
    format!("reservation:{network}")
}

/// Counts one more request of an address that waits for its code.
///
/// # Errors
/// [`Error::TooMany`]; the transaction is to be dropped then, which takes the count back.
pub(super) async fn add_waiting(tx: &mut Tx, network: &str, now: Timestamp) -> Result<()> {
    throttle::attempt_within(tx, &requester_key(network), REQUESTER, now).await
}

/// A request was confirmed: it waits no longer.
pub(super) async fn remove_waiting(tx: &mut Tx, network: &str) -> Result<()> {
    throttle::give_back(tx, &requester_key(network), 1).await
}

/// Makes room for one more request at a site. Requests that wait hold nothing, so the newest is never refused: the oldest one of the address
/// with the most of them goes. Whoever asks again and again pushes out requests of their own.
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

/// Counts a code to a phone and returns whether it may be sent. The caller is told nothing: whether others asked for codes
/// to this phone is nobody's business.
///
/// The first code that an address asks for in a day and its further ones have room of their own, so that strangers who ask again and again
/// from a few addresses do not use up the first code of the person.
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

/// Counts a note to a phone and returns whether it may be sent.
pub(super) async fn may_send_note(tx: &mut Tx, person: &str, now: Timestamp) -> Result<bool> {
    throttle::is_within(tx, &format!("reservation-note:{person}"), NOTES, now).await
}

/// A try to find a reservation, counted before the reservation is looked for.
pub(super) struct Lookup {
    /// What has counted the try.
    counted: Vec<String>,
    /// The refusal that everybody gets; an address that the guest has used may look all the same.
    pub refusal: Option<Error>,
    /// Whether there is room for a try from an address that the guest has used.
    pub is_open_to_guest: bool,
}

/// Counts a try to find a reservation. Every code is counted in the same way, whether it exists or not and whoever has used it from where:
/// the limits tell nothing of it.
///
/// # Errors
/// Those of the database.
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

/// Counts a try by each limit, or by none of them if one refuses.
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

/// The reservation was found: the try no longer counts.
pub(super) async fn remove_lookup(tx: &mut Tx, lookup: &Lookup) -> Result<()> {
    for key in &lookup.counted {
        throttle::give_back(tx, key, 1).await?;
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
