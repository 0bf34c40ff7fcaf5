//! Loads the rows that are counted, with a few indexed queries on one snapshot. Stays are found by their beds, because
//! they have an index by bed; declined, discharged and expired guests by the indexes of the history.

use berth_db::Tx;
use berth_domain::id::{GuestId, OrganizationId, SiteId};
use berth_domain::numbers::Period;
use berth_domain::time::Timestamp;

use crate::Result;

/// The sites to count.
#[derive(Debug, Clone, Copy)]
pub(super) enum Scope {
    /// One site.
    Site(SiteId),
    /// All current sites of an organization.
    Organization(OrganizationId),
}

/// A site and its IANA time zone.
#[derive(Debug, berth_db::FromRow)]
pub(super) struct SiteRow {
    pub(super) id: SiteId,
    pub(super) time_zone: String,
}

/// A period of a bed.
#[derive(Debug, berth_db::FromRow)]
pub(super) struct PeriodRow {
    pub(super) site_id: SiteId,
    pub(super) started_at: Timestamp,
    pub(super) ended_at: Option<Timestamp>,
}

impl PeriodRow {
    pub(super) const fn period(&self) -> Period {
        Period { from: self.started_at, to: self.ended_at }
    }
}

/// A stay that began within the range, and the reservation of its guest.
#[derive(Debug, berth_db::FromRow)]
pub(super) struct StayRow {
    #[row(flatten)]
    pub(super) period: PeriodRow,
    pub(super) guest_id: GuestId,
    pub(super) reserved_at: Timestamp,
    /// True if the stay began when the guest was accepted, false after a move.
    pub(super) is_first: bool,
    pub(super) has_hold: bool,
    pub(super) is_public: bool,
}

/// A guest who was declined, or cancelled.
#[derive(Debug, berth_db::FromRow)]
pub(super) struct DeclinedRow {
    pub(super) site_id: SiteId,
    pub(super) reserved_at: Timestamp,
    pub(super) declined_at: Timestamp,
    pub(super) is_cancelled: bool,
    pub(super) has_hold: bool,
    pub(super) is_public: bool,
    pub(super) phone: String,
    pub(super) feedback: Option<String>,
    pub(super) reason_name: Option<String>,
}

/// A guest whose hold expired.
#[derive(Debug, berth_db::FromRow)]
pub(super) struct ExpiredRow {
    pub(super) site_id: SiteId,
    pub(super) expired_at: Timestamp,
}

/// A guest who was discharged.
#[derive(Debug, berth_db::FromRow)]
pub(super) struct DischargedRow {
    pub(super) site_id: SiteId,
    pub(super) accepted_at: Timestamp,
    pub(super) discharged_at: Timestamp,
    pub(super) phone: String,
    pub(super) feedback: Option<String>,
    pub(super) reason_name: Option<String>,
}

/// What happened at some sites within a range of time.
pub(super) struct Facts {
    pub(super) beds: Vec<PeriodRow>,
    pub(super) outages: Vec<PeriodRow>,
    /// Stays that began before the range and reach into it.
    pub(super) stays_before: Vec<PeriodRow>,
    pub(super) stays: Vec<StayRow>,
    pub(super) declined: Vec<DeclinedRow>,
    pub(super) expired: Vec<ExpiredRow>,
    pub(super) discharged: Vec<DischargedRow>,
}

/// Loads the sites of a scope.
pub(super) async fn sites(tx: &mut Tx, scope: Scope) -> Result<Vec<SiteRow>> {
    const SITE: &str = "SELECT id, time_zone FROM sites WHERE id = $1 AND deleted_at IS NULL";
    const OF_ORGANIZATION: &str =
        "SELECT id, time_zone FROM sites WHERE organization_id = $1 AND deleted_at IS NULL ORDER BY time_zone, id";
    let query = match scope {
        Scope::Site(id) => tx.query(SITE).bind(id),
        Scope::Organization(id) => tx.query(OF_ORGANIZATION).bind(id),
    };
    Ok(query.all().await?)
}

/// Loads what happened at the sites from `start` until before `end`. A hold that ended before `now` has expired, even
/// if that is not recorded yet.
pub(super) async fn facts(
    tx: &mut Tx,
    sites: &[SiteRow],
    (start, end): (Timestamp, Timestamp),
    now: Timestamp,
) -> Result<Facts> {
    const BEDS: &str = "SELECT site_id, created_at AS started_at, deleted_at AS ended_at FROM beds \
        WHERE created_at < $2 AND (deleted_at IS NULL OR deleted_at > $1) AND site_id IN ($3..)";
    // The outage of a bed that was removed ends with the bed.
    const OUTAGES: &str = "SELECT b.site_id, o.started_at, \
        CASE WHEN o.ended_at IS NULL OR o.ended_at > b.deleted_at THEN b.deleted_at ELSE o.ended_at END AS ended_at \
        FROM beds b JOIN bed_outages o ON o.bed_id = b.id AND o.started_at < $2 \
        WHERE (o.ended_at IS NULL OR o.ended_at > $1) AND (b.deleted_at IS NULL OR b.deleted_at > $1) AND b.site_id IN ($3..)";
    // A bed has one guest at a time, so only its last stay before the range can reach into it.
    const STAYS_BEFORE: &str = "SELECT b.site_id, t.started_at, t.ended_at FROM beds b JOIN stays t ON t.bed_id = b.id \
        AND t.started_at = (SELECT MAX(x.started_at) FROM stays x WHERE x.bed_id = b.id AND x.started_at < $1) \
        WHERE (t.ended_at IS NULL OR t.ended_at > $1) AND b.site_id IN ($2..)";
    const STAYS: &str = "SELECT b.site_id, t.started_at, t.ended_at, t.guest_id, g.created_at AS reserved_at, \
        (g.accepted_at IS NOT NULL AND g.accepted_at = t.started_at) AS is_first, \
        (g.expires_at IS NOT NULL) AS has_hold, (g.source = 'Web') AS is_public \
        FROM beds b JOIN stays t ON t.bed_id = b.id AND t.started_at >= $1 AND t.started_at < $2 \
        JOIN guests g ON g.id = t.guest_id WHERE b.site_id IN ($3..)";
    const DECLINED: &str = "SELECT site_id, created_at AS reserved_at, rejected_at AS declined_at, \
        (cancelled_at IS NOT NULL) AS is_cancelled, (expires_at IS NOT NULL) AS has_hold, (source = 'Web') AS is_public, \
        phone, feedback, (SELECT q.name FROM reasons q WHERE q.id = guests.reason_id) AS reason_name \
        FROM guests WHERE rejected_at >= $1 AND rejected_at < $2 \
        AND (merged_at IS NULL OR merged_at <> rejected_at) AND site_id IN ($3..)";
    const EXPIRED: &str = "SELECT site_id, expires_at AS expired_at FROM guests WHERE expires_at >= $1 AND expires_at < $2 \
        AND (expired_at IS NOT NULL OR expires_at <= $3) AND accepted_at IS NULL AND rejected_at IS NULL AND site_id IN ($4..)";
    const DISCHARGED: &str = "SELECT site_id, accepted_at, discharged_at, phone, feedback, \
        (SELECT q.name FROM reasons q WHERE q.id = guests.reason_id) AS reason_name FROM guests \
        WHERE discharged_at >= $1 AND discharged_at < $2 AND no_show_at IS NULL AND site_id IN ($3..)";
    let ids = || sites.iter().map(|site| site.id);
    Ok(Facts {
        beds: tx.query(BEDS).bind(start).bind(end).bind_list(ids()).all().await?,
        outages: tx.query(OUTAGES).bind(start).bind(end).bind_list(ids()).all().await?,
        stays_before: tx.query(STAYS_BEFORE).bind(start).bind_list(ids()).all().await?,
        stays: tx.query(STAYS).bind(start).bind(end).bind_list(ids()).all().await?,
        declined: tx.query(DECLINED).bind(start).bind(end).bind_list(ids()).all().await?,
        expired: tx.query(EXPIRED).bind(start).bind(end).bind(now).bind_list(ids()).all().await?,
        discharged: tx.query(DISCHARGED).bind(start).bind(end).bind_list(ids()).all().await?,
    })
}
