//! Makes and ends offers, under the lock of the site.

use berth_domain::bed::BedKind;
use berth_domain::id::{BedId, OrganizationId, SiteId, WaitingGuestId};
use berth_domain::locale::Locale;
use berth_domain::new_guest::NewGuestForm;
use berth_domain::time::{Timestamp, moment_text};
use berth_domain::value::Phone;
use berth_domain::waitlist::{self, FreeBed, NewOffer, OfferOutcome, UNDO_SECONDS, WaitOutcome};

use super::line::{free_beds, line};
use super::store::{end_offer, end_wait, entry, raise};
use crate::admin::audit_log::AuditAction;
use crate::auth::caller::Site;
use crate::change::Change;
use crate::housing::guests::{self, PersonKey};
use crate::housing::{capacity, sites};
use crate::integrations::outbox::{self, Channel, Message};
use crate::jobs::holds;
use crate::{Error, Result};

/// Ends the offers of a site that were not answered in time, and offers its free beds to those who wait. The site was touched. Returns how
/// many offers ended and were made.
pub async fn offer_due(change: &mut Change, site: &Site, persons: PersonKey) -> Result<u64> {
    let ended = lapse(change, site).await?;
    let made = offer(change, site, persons).await?;
    if ended + made > 0 {
        sites::settle_offers(&mut change.tx, site.id).await?;
    }
    Ok(ended + made)
}

/// SQL query: the open offers that match a condition.
macro_rules! open_offers {
    ($which:literal) => {
        concat!(
            "SELECT f.waiting_guest_id, w.code, b.name AS bed_name FROM bed_offers f \
             JOIN waiting_guests w ON w.id = f.waiting_guest_id JOIN beds b ON b.id = f.bed_id \
             WHERE f.ended_at IS NULL AND ",
            $which
        )
    };
}

/// An open offer.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, berth_db::FromRow)]
struct Open {
    waiting_guest_id: WaitingGuestId,
    code: String,
    bed_name: String,
}

/// An open offer with its bed.
#[derive(berth_db::FromRow)]
struct OpenAt {
    bed_id: BedId,
    kind: BedKind,
    #[row(flatten)]
    offer: Open,
}

async fn lapse(change: &mut Change, site: &Site) -> Result<u64> {
    const OVER: &str = open_offers!("f.site_id = $1 AND f.expires_at <= $2 ORDER BY f.expires_at, f.id");
    let over: Vec<Open> = change.tx.query(OVER).bind(site.id).bind(change.now).all().await?;
    for Open { waiting_guest_id: person, code, bed_name } in &over {
        end_offer(&mut change.tx, *person, OfferOutcome::Lapsed, change.now).await?;
        let summary = format!("{code} did not answer the offer of bed {bed_name}");
        let place = (site.organization_id, site.id);
        change.record(entry(place, AuditAction::WaitlistOfferLapsed, *person, summary)).await?;
    }
    Ok(u64::try_from(over.len()).unwrap_or_default())
}

/// Offers the free beds of a site that no reservation holds. Beds and reservations that were given up a moment ago are left alone until
/// that can no longer be undone by the user who did it.
async fn offer(change: &mut Change, site: &Site, persons: PersonKey) -> Result<u64> {
    const JUST_DECLINED: &str =
        "SELECT COUNT(*) FROM guests WHERE site_id = $1 AND rejected_at > $2 AND cancelled_at IS NULL";
    const PERIOD: &str = "SELECT offer_minutes FROM sites WHERE id = $1";
    let now = change.now;
    let left_by = now.plus_millis(-UNDO_SECONDS * 1000);
    let line = line(&mut change.tx, site.id, now).await?;
    if line.iter().all(|guest| guest.has_offer) {
        return Ok(0);
    }
    let beds = free_beds(&mut change.tx, site.id, left_by).await?;
    if beds.is_empty() {
        return Ok(0);
    }
    let room = capacity::capacity(&mut change.tx, site.id, now).await?;
    if room.overdue > 0 {
        // Otherwise these reservations would be valid again if the clock went back, although their beds had been offered.
        holds::end_overdue_of(&change.app, &mut change.tx, site, now).await?;
    }
    let just_declined: i64 = change.tx.query(JUST_DECLINED).bind(site.id).bind(left_by).scalar().await?;
    let available = i64::try_from(beds.len()).unwrap_or(i64::MAX) - room.pending - just_declined;
    let offers = waitlist::offers(line, &beds, available);
    let minutes: i64 = change.tx.query(PERIOD).bind(site.id).scalar().await?;
    for new in &offers {
        make(change, site, persons, new, now.plus_minutes(minutes)).await?;
    }
    Ok(u64::try_from(offers.len()).unwrap_or_default())
}

/// Stores an offer and its audit row, which names the people it does not fit, and texts the person.
async fn make(change: &mut Change, site: &Site, persons: PersonKey, new: &NewOffer, until: Timestamp) -> Result<()> {
    const INSERT: &str = "INSERT INTO bed_offers (id, waiting_guest_id, site_id, bed_id, offered_at, expires_at) \
        VALUES ($1, $2, $3, $4, $5, $6)";
    const PERSON: &str = "SELECT code, form FROM waiting_guests WHERE id = $1";
    const BED: &str = "SELECT name FROM beds WHERE id = $1";
    const OTHERS: &str = "SELECT code FROM waiting_guests WHERE id IN ($1..) ORDER BY code";
    let insert = change.tx.query(INSERT).bind(change.app.id()).bind(new.guest).bind(site.id).bind(new.bed);
    insert.bind(change.now).bind(until).execute().await?;
    raise(&mut change.tx, new.guest).await?;
    let (code, form): (String, String) = change.tx.query(PERSON).bind(new.guest).one().await?;
    let bed: String = change.tx.query(BED).bind(new.bed).scalar().await?;
    let mut summary = format!("bed {bed} offered to {code}");
    if !new.passed_over.is_empty() {
        let others: Vec<(String,)> = change.tx.query(OTHERS).bind_list(new.passed_over.iter().copied()).all().await?;
        let codes: Vec<String> = others.into_iter().map(|(code,)| code).collect();
        summary.push_str(&format!("; no free bed fits {}, or they let it pass", codes.join(", ")));
    }
    let place = (site.organization_id, site.id);
    change.record(entry(place, AuditAction::WaitlistOfferMade, new.guest, summary)).await?;
    text(change, site, persons, &form, until).await
}

/// Texts a person whose phone number was corrected about the offer that stands, if there is one.
pub(super) async fn text_again(
    change: &mut Change,
    site: &Site,
    persons: PersonKey,
    person: WaitingGuestId,
) -> Result<()> {
    const OFFER: &str = "SELECT w.form, f.expires_at FROM bed_offers f JOIN waiting_guests w ON w.id = f.waiting_guest_id \
        WHERE f.waiting_guest_id = $1 AND f.ended_at IS NULL AND f.expires_at > $2";
    let offer: Option<(String, Timestamp)> = change.tx.query(OFFER).bind(person).bind(change.now).optional().await?;
    let Some((form, until)) = offer else { return Ok(()) };
    text(change, site, persons, &form, until).await
}

/// Texts the person that a bed is free. Like other texts it names neither a person nor a site (42 CFR Part 2).
async fn text(change: &mut Change, site: &Site, persons: PersonKey, form: &str, until: Timestamp) -> Result<()> {
    const CONTACT: &str = "SELECT contact_phone FROM sites WHERE id = $1";
    let form: NewGuestForm = serde_json::from_str(form).map_err(|error| Error::Internal(error.into()))?;
    let Ok(phone) = Phone::parse(form.phone.as_deref().unwrap_or_default()) else { return Ok(()) };
    if guests::judge_phone(change, persons, &phone).await?.is_err() {
        return Ok(());
    }
    let contact: String = change.tx.query(CONTACT).bind(site.id).scalar().await?;
    let language = form.language.unwrap_or_default();
    let time = moment_text(until, &site.time_zone, language);
    let mut body = match language {
        Locale::English => format!("Berth: A bed is free for you. Call {contact} before {time} to take it."),
        Locale::Spanish => {
            format!("Berth: Hay una cama libre para usted. Llame al {contact} antes de las {time} para tomarla.")
        }
    };
    body.push_str(guests::opt_out_hint(language));
    let message = Message { channel: Channel::Sms, to: phone.as_str().to_owned(), subject: String::new(), body };
    outbox::put_until(&change.app, &mut change.tx, language, message, until).await
}

/// Ends the offers of beds that are about to be disabled or removed. The people keep their places in the line.
pub async fn withdraw_offers(change: &mut Change, site: &Site, beds: &[BedId]) -> Result<()> {
    const OPEN: &str = open_offers!("f.bed_id IN ($1..)");
    if beds.is_empty() {
        return Ok(());
    }
    let open: Vec<Open> = change.tx.query(OPEN).bind_list(beds.iter().copied()).all().await?;
    if open.is_empty() {
        return Ok(());
    }
    withdraw(change, (site.organization_id, site.id), open).await?;
    sites::settle_offers(&mut change.tx, site.id).await
}

/// Ends the offers of beds that no longer fit the person: the rules of a strict site have changed, or what the person needs. The people keep
/// their places in the line.
pub async fn withdraw_unfit(change: &mut Change, site: &Site) -> Result<()> {
    const OPEN: &str = "SELECT f.bed_id, b.kind, f.waiting_guest_id, w.code, b.name AS bed_name FROM bed_offers f \
        JOIN waiting_guests w ON w.id = f.waiting_guest_id JOIN beds b ON b.id = f.bed_id \
        WHERE f.site_id = $1 AND f.ended_at IS NULL";
    let line = line(&mut change.tx, site.id, change.now).await?;
    if line.iter().all(|guest| !guest.has_offer || (guest.kind.is_none() && guest.unfit.is_empty())) {
        return Ok(());
    }
    let open: Vec<OpenAt> = change.tx.query(OPEN).bind(site.id).all().await?;
    let is_unfit = |open: &OpenAt| {
        let bed = FreeBed { id: open.bed_id, kind: open.kind };
        line.iter().any(|guest| guest.id == open.offer.waiting_guest_id && !guest.fits(&bed))
    };
    let unfit = open.into_iter().filter(is_unfit).map(|open| open.offer).collect();
    withdraw(change, (site.organization_id, site.id), unfit).await?;
    sites::settle_offers(&mut change.tx, site.id).await
}

async fn withdraw(change: &mut Change, place: (OrganizationId, SiteId), mut open: Vec<Open>) -> Result<()> {
    open.sort_unstable();
    for Open { waiting_guest_id: person, code, bed_name } in &open {
        end_offer(&mut change.tx, *person, OfferOutcome::Withdrawn, change.now).await?;
        let summary = format!("the offer of bed {bed_name} to {code} was withdrawn");
        change.record(entry(place, AuditAction::WaitlistOfferWithdrawn, *person, summary)).await?;
    }
    Ok(())
}

/// Ends the offers and the waitlist of a site that is removed.
pub async fn end_all(change: &mut Change, organization: OrganizationId, site: SiteId) -> Result<()> {
    const OPEN: &str = open_offers!("f.site_id = $1");
    const WAITING: &str = "SELECT id, code FROM waiting_guests WHERE site_id = $1 AND ended_at IS NULL";
    let open: Vec<Open> = change.tx.query(OPEN).bind(site).all().await?;
    withdraw(change, (organization, site), open).await?;
    let mut waiting: Vec<(WaitingGuestId, String)> = change.tx.query(WAITING).bind(site).all().await?;
    waiting.sort_unstable();
    for (person, code) in &waiting {
        end_wait(&mut change.tx, *person, WaitOutcome::SiteRemoved, None, change.now).await?;
        let summary = format!("{code} no longer waits: the site was removed");
        change.record(entry((organization, site), AuditAction::WaitlistLeft, *person, summary)).await?;
    }
    sites::settle_offers(&mut change.tx, site).await
}
