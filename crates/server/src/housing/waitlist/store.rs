//! Writes that several changes of the waitlist share: ending an offer, ending the wait of a person, and their rows in the audit log.

use berth_db::Tx;
use berth_domain::bed::BedKind;
use berth_domain::id::{BedId, GuestId, OrganizationId, SiteId, WaitingGuestId};
use berth_domain::time::Timestamp;
use berth_domain::waitlist::{OfferOutcome, WaitOutcome};

use super::cards::Cards;
use crate::Result;
use crate::admin::audit_log::{AuditAction, Entry, ObjectKind};
use crate::http::idempotency;

/// A person on the waitlist, as stored.
#[derive(berth_db::FromRow)]
pub(super) struct Stored {
    pub code: String,
    /// JSON of the form of the new guest; `None` once the person no longer waits.
    pub form: Option<String>,
    pub version: i64,
    pub bed_kind: Option<BedKind>,
    pub bed_id: Option<BedId>,
    pub bed_name: Option<String>,
    #[row(flatten)]
    pub cards: Cards,
}

/// Loads a person of the waitlist with the bed that is offered to them.
///
/// # Errors
/// 404 if there is no such person.
pub(super) async fn load(tx: &mut Tx, id: WaitingGuestId) -> Result<Stored> {
    const PERSON: &str = "SELECT w.code, w.form, w.version, w.bed_kind, f.bed_id, b.name AS bed_name, \
        w.insurance_card_front, w.insurance_card_back FROM waiting_guests w \
        LEFT JOIN bed_offers f ON f.waiting_guest_id = w.id AND f.ended_at IS NULL \
        LEFT JOIN beds b ON b.id = f.bed_id WHERE w.id = $1";
    Ok(tx.query(PERSON).bind(id).one().await?)
}

/// Ends the open offer to a person, and raises the person's version.
pub(super) async fn end_offer(
    tx: &mut Tx,
    person: WaitingGuestId,
    outcome: OfferOutcome,
    now: Timestamp,
) -> Result<()> {
    // Never before its beginning, although the clock may have gone back.
    const END: &str = "UPDATE bed_offers SET ended_at = CASE WHEN offered_at > $2 THEN offered_at ELSE $2 END, outcome = $3 \
        WHERE waiting_guest_id = $1 AND ended_at IS NULL";
    tx.query(END).bind(person).bind(now).bind(outcome.as_str()).execute().await?;
    raise(tx, person).await
}

/// Raises the version of a person.
pub(super) async fn raise(tx: &mut Tx, person: WaitingGuestId) -> Result<()> {
    const RAISE: &str = "UPDATE waiting_guests SET version = version + 1 WHERE id = $1";
    tx.query(RAISE).bind(person).execute().await?;
    Ok(())
}

/// Ends the wait of a person and erases what was known of them, also in stored answers: a guest has it now, or nobody needs it.
pub(super) async fn end_wait(
    tx: &mut Tx,
    person: WaitingGuestId,
    outcome: WaitOutcome,
    guest: Option<GuestId>,
    now: Timestamp,
) -> Result<()> {
    const END: &str = "UPDATE waiting_guests SET ended_at = $2, outcome = $3, guest_id = $4, form = NULL, person = NULL, \
        priority_reason = NULL, insurance_card_front = NULL, insurance_card_back = NULL, version = version + 1 WHERE id = $1";
    let card = Cards::load(tx, person).await?;
    tx.query(END).bind(person).bind(now).bind(outcome.as_str()).bind(guest).execute().await?;
    idempotency::erase_answers(tx, person).await?;
    if outcome != WaitOutcome::Placed {
        card.give_up(tx, &Cards::default(), now).await?;
    }
    Ok(())
}

/// Returns a row of the audit log about a person on the waitlist.
pub(super) fn entry(
    (organization, site): (OrganizationId, SiteId),
    action: AuditAction,
    person: WaitingGuestId,
    summary: String,
) -> Entry {
    Entry::placed((Some(organization), Some(site)), action, Some((ObjectKind::WaitingGuest, person.0)), summary)
}
