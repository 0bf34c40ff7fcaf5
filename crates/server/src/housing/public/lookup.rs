//! Finds a reservation by its code and the last four digits of its phone (docs/decisions/0049).
//!
//! A wrong code, wrong digits and a reservation that is no longer shown run the same statements and get the same
//! answer. Tries are counted before the lookup, and subtracted again if the reservation is found.

use axum::http::HeaderMap;
use berth_domain::id::GuestId;
use berth_domain::stay::GuestFacts;
use berth_domain::time::Timestamp;

use super::limits;
use crate::admin::audit_log::{AuditAction, Author, Entry, ObjectKind};
use crate::auth::caller::Site;
use crate::change::{self, Change};
use crate::housing::guests;
use crate::http::requester::Requester;
use crate::{App, Error, Result};

/// The header with the last four digits. They are not part of the URL, which proxies and browsers log.
const DIGITS_HEADER: &str = "phone-last-four";

/// What the caller knows about the reservation: its code and the last four digits of its phone.
pub(super) struct Proof {
    code: String,
    digits: String,
}

impl Proof {
    /// Parses a code and digits as people type them: in upper or lower case, with spaces or hyphens.
    ///
    /// # Errors
    /// A field error unless there are four digits.
    pub(super) fn new(code: &str, digits: &str) -> Result<Self> {
        let code = code.chars().filter(char::is_ascii_alphanumeric).take(20).collect::<String>().to_uppercase();
        let digits: String = digits.chars().filter(|character| !character.is_whitespace()).collect();
        let are_four = digits.len() == 4 && digits.chars().all(|digit| digit.is_ascii_digit());
        if !are_four {
            return Err(Error::field("/phoneLastFour", "Enter the last four digits of the phone number."));
        }
        Ok(Self { code, digits })
    }

    /// Parses the code from the path and the digits from the header.
    ///
    /// # Errors
    /// As [`Proof::new`].
    pub(super) fn of_headers(code: &str, headers: &HeaderMap) -> Result<Self> {
        let digits = headers.get(DIGITS_HEADER).and_then(|value| value.to_str().ok()).unwrap_or_default();
        Self::new(code, digits)
    }
}

/// A reservation that was found.
pub(super) struct Found {
    pub site: Site,
    pub code: String,
    pub guest: GuestFacts,
}

/// Finds a reservation that is still shown. With `is_read` an audit row is written before the answer leaves (I11).
///
/// # Errors
/// 404 for every wrong pair of code and digits; [`Error::TooMany`].
pub(super) async fn find(app: &App, requester: &Requester, proof: &Proof, is_read: bool) -> Result<Found> {
    let network = &requester.network();
    let found: Result<Result<Found>> = change::run(app, Author::stranger(requester), |mut change| async move {
        let found = find_counted(&mut change, network, proof).await?;
        if let (Ok(found), true) = (&found, is_read) {
            let object = (ObjectKind::Guest, found.guest.id.0);
            let code = found.code.as_str();
            change.record(Entry::at(&found.site, AuditAction::GuestViewedByGuest, object, code)).await?;
        }
        change.done(found)
    })
    .await;
    found?
}

/// Counts a try, then looks for the reservation. The inner error is an answer to the caller: the count must be
/// committed with it.
async fn find_counted(change: &mut Change, network: &str, proof: &Proof) -> Result<Result<Found>> {
    const KNOWN: &str = "SELECT n.network FROM reservation_networks n JOIN guests g ON g.id = n.guest_id \
        WHERE g.code = $1 AND n.network = $2";
    let (now, tx) = (change.now, &mut change.tx);
    let mut lookup = limits::add_lookup(tx, &proof.code, network, now).await?;
    let known: Option<(String,)> = tx.query(KNOWN).bind(proof.code.as_str()).bind(network).optional().await?;
    let found = guests::find_by_code(tx, &proof.code, &proof.digits).await?;
    let may_look = lookup.refusal.is_none() || (known.is_some() && lookup.is_open_to_guest);
    let found = found.filter(|(_, guest)| may_look && guest.public_status(now).is_some());
    let Some((site, guest)) = found else {
        // The same answer for everyone, even if the guest's own limit has room left: it must not reveal that a code
        // exists.
        return Ok(Err(lookup.refusal.take().unwrap_or(Error::NotFound)));
    };
    limits::remove_lookup(tx, &lookup).await?;
    remember(tx, guest.id, network, now).await?;
    // Also a hidden or removed site: its guests must still find their reservations.
    let site = Site::load_removed_too(tx, site).await?;
    Ok(Ok(Found { site, code: proof.code.clone(), guest }))
}

/// Remembers that the guest has used this network.
pub(super) async fn remember(tx: &mut berth_db::Tx, guest: GuestId, network: &str, now: Timestamp) -> Result<()> {
    const UPSERT: &str = "INSERT INTO reservation_networks (guest_id, network, seen_at) VALUES ($1, $2, $3) \
        ON CONFLICT (guest_id, network) DO UPDATE SET seen_at = excluded.seen_at";
    tx.query(UPSERT).bind(guest).bind(network).bind(now).execute().await?;
    Ok(())
}
