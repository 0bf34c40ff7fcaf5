//! Loads the line of a site and the beds that can be offered, for the rules.

use berth_db::Tx;
use berth_domain::bed::BedKind;
use berth_domain::catalog::{Gender, Service};
use berth_domain::id::{BedId, SiteId, WaitingGuestId};
use berth_domain::new_guest::NewGuestForm;
use berth_domain::placement::{MeantFor, misfits, traits};
use berth_domain::time::Timestamp;
use berth_domain::waitlist::{self, FreeBed, PASSED_HOURS, WaitingGuest};

use super::is_unoffered;
use crate::Result;
use crate::housing::guests;

#[derive(berth_db::FromRow)]
struct Row {
    id: WaitingGuestId,
    bed_kind: Option<BedKind>,
    has_priority: bool,
    waits_since: Timestamp,
    has_offer: bool,
    /// The form of the new guest, at strict sites.
    strict_form: Option<String>,
}

/// Loads the people who wait at a site, in the order of the line.
pub(super) async fn line(tx: &mut Tx, id: SiteId, now: Timestamp) -> Result<Vec<WaitingGuest>> {
    const LINE: &str = "SELECT w.id, w.bed_kind, w.priority_reason IS NOT NULL AS has_priority, w.waits_since, \
        EXISTS (SELECT 1 FROM bed_offers f WHERE f.waiting_guest_id = w.id AND f.ended_at IS NULL) AS has_offer, \
        CASE WHEN s.strict_placement THEN w.form END AS strict_form \
        FROM waiting_guests w JOIN sites s ON s.id = w.site_id WHERE w.site_id = $1 AND w.ended_at IS NULL";
    const PASSED: &str = "SELECT waiting_guest_id, bed_id FROM bed_offers WHERE site_id = $1 AND ended_at > $2 \
        AND outcome IN ('declined', 'lapsed')";
    let rows: Vec<Row> = tx.query(LINE).bind(id).all().await?;
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let since = now.plus_hours(-PASSED_HOURS);
    let passed: Vec<(WaitingGuestId, BedId)> = tx.query(PASSED).bind(id).bind(since).all().await?;
    let passed_by = |person: WaitingGuestId| passed.iter().filter(move |(by, _)| *by == person).map(|(_, bed)| *bed);
    let rules = if rows.iter().any(|row| row.strict_form.is_some()) { Some(Rules::load(tx, id).await?) } else { None };
    let guest = |row: Row| WaitingGuest {
        unfit: unfit(rules.as_ref(), row.strict_form.as_deref()),
        id: row.id,
        kind: row.bed_kind,
        has_priority: row.has_priority,
        since: row.waits_since,
        passed: passed_by(row.id).collect(),
        has_offer: row.has_offer,
    };
    let mut line: Vec<WaitingGuest> = rows.into_iter().map(guest).collect();
    line.sort_by_key(WaitingGuest::order);
    Ok(line)
}

/// Whom a strict site and its beds are for.
pub(super) struct Rules {
    site: MeantFor,
    beds: Vec<(BedId, MeantFor)>,
}

impl Rules {
    pub(super) async fn load(tx: &mut Tx, id: SiteId) -> Result<Self> {
        const BEDS: &str = "SELECT b.id, r.meant_for FROM beds b JOIN rooms r ON r.id = b.room_id \
            WHERE b.site_id = $1 AND b.deleted_at IS NULL";
        let rows: Vec<(BedId, String)> = tx.query(BEDS).bind(id).all().await?;
        let beds = rows.into_iter().map(|(bed, text)| (bed, MeantFor::from_text(&text))).collect();
        Ok(Self { site: guests::meant_for(tx, id).await?, beds })
    }

    /// Returns the beds that are not for a person.
    pub(super) fn unfit(&self, traits: &[&'static Service]) -> Vec<BedId> {
        let is_unfit = |rule: &MeantFor| !misfits(traits, &[&self.site, rule]).is_empty();
        self.beds.iter().filter(|(_, rule)| is_unfit(rule)).map(|(bed, _)| *bed).collect()
    }
}

fn unfit(rules: Option<&Rules>, form: Option<&str>) -> Vec<BedId> {
    let (Some(rules), Some(form)) = (rules, form.and_then(|form| serde_json::from_str::<NewGuestForm>(form).ok()))
    else {
        return Vec::new();
    };
    let gender = form.gender.unwrap_or(Gender::Other);
    rules.unfit(&traits(gender, form.age_service_id.as_deref(), form.type_of_client_service_id.as_deref()))
}

/// Loads the vacant, enabled beds that are not on offer, in the order of the board. Without those whose last guest left after `left_by`.
pub(super) async fn free_beds(tx: &mut Tx, id: SiteId, left_by: Timestamp) -> Result<Vec<FreeBed>> {
    const FREE: &str = concat!(
        "SELECT b.id, b.kind FROM beds b JOIN rooms r ON r.id = b.room_id \
         WHERE b.site_id = $1 AND b.deleted_at IS NULL AND NOT b.disabled \
         AND NOT EXISTS (SELECT 1 FROM stays t WHERE t.bed_id = b.id AND (t.ended_at IS NULL OR t.ended_at > $2)) AND ",
        is_unoffered!("b."),
        " ORDER BY r.position, r.id, b.position, b.id"
    );
    let rows: Vec<(BedId, BedKind)> = tx.query(FREE).bind(id).bind(left_by).all().await?;
    Ok(rows.into_iter().map(|(id, kind)| FreeBed { id, kind }).collect())
}

/// Counts the beds of a site that are about to be offered to people who wait: of `available` beds, those that nobody else may take.
pub async fn due(tx: &mut Tx, id: SiteId, available: i64, now: Timestamp) -> Result<i64> {
    if available <= 0 {
        return Ok(0);
    }
    let line = line(tx, id, now).await?;
    if line.iter().all(|guest| guest.has_offer) {
        return Ok(0);
    }
    let beds = free_beds(tx, id, Timestamp::from_millis(i64::MAX)).await?;
    Ok(i64::try_from(waitlist::offers(line, &beds, available).len()).unwrap_or(i64::MAX))
}
