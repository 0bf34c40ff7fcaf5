//! Finding a reservation by its code and the last four digits of its phone (docs/decisions/0049).
//!
//! A wrong code, wrong digits and a reservation that is no longer shown take the same statements and get the same answer, from every
//! address. Tries are counted before the reservation is looked for, and given back when it is found.

use axum::http::HeaderMap;
use berth_domain::id::GuestId;
use berth_domain::stay::GuestFacts;
use berth_domain::time::Timestamp;

use super::limits;
use crate::admin::audit_log::{self, AuditAction, Author, Entry, ObjectKind};
use crate::auth::caller::Site;
use crate::housing::guests;
use crate::http::requester::Requester;
use crate::{App, Error, Result};

/// The header that carries the last four digits. Not the address, which proxies and browsers write down.
const DIGITS_HEADER: &str = "phone-last-four";

/// What the person knows of the reservation.
pub(super) struct Proof {
    code: String,
    digits: String,
}

impl Proof {
    /// Reads a code and digits as people type them: in any case, with spaces or hyphens.
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

    /// Reads the code of the path and the digits of the header.
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

/// Finds a reservation that is still shown. With `is_read` the look is on record before the answer leaves (I11).
///
/// # Errors
/// 404 for every pair that is not right; [`Error::TooMany`].
pub(super) async fn find(app: &App, requester: &Requester, proof: &Proof, is_read: bool) -> Result<Found> {
    berth_db::retry(|| attempt(app, requester, proof, is_read)).await
}

async fn attempt(app: &App, requester: &Requester, proof: &Proof, is_read: bool) -> Result<Found> {
    const KNOWN: &str = "SELECT n.network FROM reservation_networks n JOIN guests g ON g.id = n.guest_id \
        WHERE g.code = $1 AND n.network = $2";
    let (now, network) = (app.now(), requester.network());
    let mut tx = app.db.begin().await?;
    let mut lookup = limits::add_lookup(&mut tx, &proof.code, &network, now).await?;
    let known: Option<(String,)> = tx.query(KNOWN).bind(proof.code.as_str()).bind(network.as_str()).optional().await?;
    let found = guests::find_by_code(&mut tx, &proof.code, &proof.digits).await?;
    let may_look = lookup.refusal.is_none() || (known.is_some() && lookup.is_open_to_guest);
    let found = found.filter(|(_, guest)| may_look && guest.public_status(now).is_some());
    let Some((site, guest)) = found else {
        // What is wrong is answered by what everybody gets, also where the guest has room left: nobody learns that a code exists.
        tx.commit().await?;
        return Err(lookup.refusal.take().unwrap_or(Error::NotFound));
    };
    limits::remove_lookup(&mut tx, &lookup).await?;
    remember(&mut tx, guest.id, &network, now).await?;
    // Hidden or not: the guest still has to find it.
    let site = Site::load_removed_too(&mut tx, site).await?;
    if is_read {
        let object = (ObjectKind::Guest, guest.id.0);
        let entry = Entry::at(&site, AuditAction::GuestViewedByGuest, object, proof.code.as_str());
        audit_log::write(app, &mut tx, &Author::stranger(requester), &entry).await?;
    }
    tx.commit().await?;
    Ok(Found { site, code: proof.code.clone(), guest })
}

/// Remembers that the guest looks from this network.
pub(super) async fn remember(tx: &mut berth_db::Tx, guest: GuestId, network: &str, now: Timestamp) -> Result<()> {
    const SEEN: &str = "INSERT INTO reservation_networks (guest_id, network, seen_at) VALUES ($1, $2, $3) \
        ON CONFLICT (guest_id, network) DO UPDATE SET seen_at = excluded.seen_at";
    tx.query(SEEN).bind(guest).bind(network).bind(now).execute().await?;
    Ok(())
}
