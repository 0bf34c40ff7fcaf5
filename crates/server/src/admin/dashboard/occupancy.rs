//! Occupancy of the beds by day, computed from the stays, so that no history needs to be stored (DESIGN 3).
//!
//! A day shows the state at its end in the time zone of each site; today shows the current state. The computation goes back from
//! the current counters over all stays and beds that began or ended since.

use std::collections::{BTreeMap, HashMap};

use axum::Json;
use axum::extract::State;
use berth_db::Tx;
use berth_domain::id::{OrganizationId, SiteId};
use berth_domain::policy::Action;
use berth_domain::time::{Timestamp, last_days};
use serde::{Deserialize, Serialize};
use tokio::sync::Mutex;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::parts::{self, Part};
use crate::auth::caller::Caller;
use crate::http::body::{Path, Query};
use crate::{App, Error, Result};

/// A day.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct OccupancyDay {
    /// Date, as in 2026-03-02.
    #[schema(format = Date)]
    date: String,
    /// Number of beds at the end of the day, including disabled ones.
    beds: i64,
    /// Number of occupied beds at the end of the day.
    occupied: i64,
}

/// Occupancy by day.
#[derive(Debug, Serialize, ToSchema)]
pub struct Occupancy {
    /// The days; today is the last.
    days: Vec<OccupancyDay>,
}

/// Number of days.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct DaysQuery {
    /// 30 (the default), 90 or 365.
    #[param(value_type = Option<i64>)]
    days: Option<String>,
}

/// Scope of the occupancy; the platform if neither is sent.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
pub struct ScopeQuery {
    /// A site.
    site_id: Option<SiteId>,
    /// An organization.
    organization_id: Option<OrganizationId>,
}

impl DaysQuery {
    fn count(&self) -> Result<u16> {
        match self.days.as_deref().map(str::trim) {
            None | Some("" | "30") => Ok(30),
            Some("90") => Ok(90),
            Some("365") => Ok(365),
            Some(_) => Err(Error::field("/days", "Choose one of: 30, 90, 365.")),
        }
    }
}

/// Half an hour, in milliseconds: in every time zone, days begin at a multiple of it.
const SLOT: i64 = 1_800_000;

/// The beds to count.
#[derive(Debug, Clone, Copy)]
enum Scope {
    All,
    Organization(OrganizationId),
    Site(SiteId),
}

/// The current state in one time zone.
#[derive(berth_db::FromRow)]
struct Present {
    time_zone: String,
    beds: i64,
    occupied: i64,
}

/// What began minus what ended within half an hour.
#[derive(berth_db::FromRow)]
struct Event {
    time_zone: String,
    slot: i64,
    beds: i64,
    occupied: i64,
}

/// SQL of the current beds by time zone; `$1` is the scope.
macro_rules! present {
    ($scope:literal) => {
        concat!(
            "SELECT i.time_zone, CAST(SUM(c.beds) AS BIGINT) AS beds, CAST(SUM(c.occupied) AS BIGINT) AS occupied \
             FROM sites i JOIN site_counts c ON c.site_id = i.id \
             JOIN organizations o ON o.id = i.organization_id AND o.deleted_at IS NULL \
             WHERE i.deleted_at IS NULL AND ",
            $scope,
            " GROUP BY i.time_zone ORDER BY i.time_zone"
        )
    };
}

/// SQL of what began and ended since `$2`, by time zone and half hour; `$1` is the scope, `$3` half an hour.
macro_rules! events {
    ($beds:literal, $stays:literal, $scope:literal) => {
        concat!(
            "SELECT e.time_zone, e.slot, CAST(SUM(e.beds) AS BIGINT) AS beds, \
             CAST(SUM(e.occupied) AS BIGINT) AS occupied FROM (\
             SELECT i.time_zone, b.created_at / $3 AS slot, COUNT(*) AS beds, 0 AS occupied FROM ",
            $beds,
            " WHERE i.deleted_at IS NULL AND b.created_at >= $2 AND ",
            $scope,
            " GROUP BY i.time_zone, b.created_at / $3 UNION ALL \
             SELECT i.time_zone, b.deleted_at / $3 AS slot, -COUNT(*) AS beds, 0 AS occupied FROM ",
            $beds,
            " WHERE i.deleted_at IS NULL AND b.deleted_at >= $2 AND ",
            $scope,
            " GROUP BY i.time_zone, b.deleted_at / $3 UNION ALL \
             SELECT i.time_zone, t.started_at / $3 AS slot, 0 AS beds, COUNT(*) AS occupied FROM ",
            $stays,
            " WHERE i.deleted_at IS NULL AND t.started_at >= $2 AND ",
            $scope,
            " GROUP BY i.time_zone, t.started_at / $3 UNION ALL \
             SELECT i.time_zone, t.ended_at / $3 AS slot, 0 AS beds, -COUNT(*) AS occupied FROM ",
            $stays,
            " WHERE i.deleted_at IS NULL AND t.ended_at >= $2 AND ",
            $scope,
            " GROUP BY i.time_zone, t.ended_at / $3) e GROUP BY e.time_zone, e.slot"
        )
    };
}

const PRESENT_ALL: &str = present!("$1 IS NOT NULL");
const PRESENT_ORGANIZATION: &str = present!("i.organization_id = $1");
const PRESENT_SITE: &str = present!("i.id = $1");

const EVENTS_ALL: &str = events!(
    "beds b JOIN sites i ON i.id = b.site_id JOIN organizations o ON o.id = i.organization_id AND o.deleted_at IS NULL",
    "stays t JOIN sites i ON i.id = t.site_id JOIN organizations o ON o.id = i.organization_id \
     AND o.deleted_at IS NULL",
    "$1 IS NOT NULL"
);
// Joined through the beds: stays have an index on them.
const EVENTS_ORGANIZATION: &str = events!(
    "sites i JOIN beds b ON b.site_id = i.id",
    "sites i JOIN beds b ON b.site_id = i.id JOIN stays t ON t.bed_id = b.id",
    "i.organization_id = $1"
);
const EVENTS_SITE: &str = events!(
    "sites i JOIN beds b ON b.site_id = i.id",
    "sites i JOIN beds b ON b.site_id = i.id JOIN stays t ON t.bed_id = b.id",
    "i.id = $1"
);

impl Scope {
    fn key(self) -> Uuid {
        match self {
            Self::All => Uuid::nil(),
            Self::Organization(id) => id.0,
            Self::Site(id) => id.0,
        }
    }

    async fn present(self, tx: &mut Tx) -> Result<Vec<Present>> {
        let text = match self {
            Self::All => PRESENT_ALL,
            Self::Organization(_) => PRESENT_ORGANIZATION,
            Self::Site(_) => PRESENT_SITE,
        };
        Ok(tx.query(text).bind(self.key()).all().await?)
    }

    async fn events(self, tx: &mut Tx, since: Timestamp) -> Result<Vec<Event>> {
        let text = match self {
            Self::All => EVENTS_ALL,
            Self::Organization(_) => EVENTS_ORGANIZATION,
            Self::Site(_) => EVENTS_SITE,
        };
        Ok(tx.query(text).bind(self.key()).bind(since).bind(SLOT).all().await?)
    }
}

/// Returns the dates to show: the last ones that have begun in every time zone of the scope.
fn dates(present: &[Present], now: Timestamp, count: u16) -> Vec<String> {
    let zones = present.iter().map(|row| row.time_zone.as_str());
    let latest = zones.map(|zone| last_days(now, zone, count)).min_by(|a, b| a.last().cmp(&b.last()));
    let days = latest.unwrap_or_else(|| last_days(now, "UTC", count));
    days.into_iter().map(|(date, _)| date).collect()
}

/// Goes back from the current state, by time zone.
fn count(dates: &[String], present: &[Present], events: &[Event], now: Timestamp) -> Vec<OccupancyDay> {
    let mut days: BTreeMap<&str, OccupancyDay> =
        dates.iter().map(|date| (date.as_str(), OccupancyDay { date: date.clone(), beds: 0, occupied: 0 })).collect();
    let mut by_zone: HashMap<&str, BTreeMap<i64, (i64, i64)>> = HashMap::new();
    for event in events {
        let sum = by_zone.entry(&event.time_zone).or_default().entry(event.slot).or_default();
        *sum = (sum.0 + event.beds, sum.1 + event.occupied);
    }
    // One more than shown, for a time zone that is a day ahead.
    let most = u16::try_from(dates.len() + 1).unwrap_or(u16::MAX);
    for zone in present {
        let mut later = by_zone.remove(zone.time_zone.as_str()).unwrap_or_default();
        let (mut beds, mut occupied) = (zone.beds, zone.occupied);
        for (date, end) in last_days(now, &zone.time_zone, most).into_iter().rev() {
            if end < now {
                for (_, event) in later.split_off(&(end.millis() / SLOT)) {
                    beds -= event.0;
                    occupied -= event.1;
                }
            }
            if let Some(day) = days.get_mut(date.as_str()) {
                day.beds += beds;
                day.occupied += occupied;
            }
        }
    }
    days.into_values().collect()
}

async fn days(app: &App, scope: Scope, length: u16) -> Result<Vec<OccupancyDay>> {
    let now = app.now();
    let mut tx = app.db.read().await?;
    let present = scope.present(&mut tx).await?;
    let dates = dates(&present, now, length);
    // One day more, for a time zone that is ahead.
    let events = scope.events(&mut tx, now.plus_days(-i64::from(length) - 2)).await?;
    Ok(count(&dates, &present, &events, now))
}

/// Cache of the past days of the whole platform, which are slow to compute and no longer change. Valid until a day begins or a
/// site is created or removed.
#[derive(Default)]
pub struct PastDays(Mutex<HashMap<u16, Past>>);

/// The days up to a date, at a version of the counted rows.
struct Past {
    until: String,
    version: i64,
    days: Vec<OccupancyDay>,
}

impl PastDays {
    async fn of_all(&self, app: &App, length: u16) -> Result<Vec<OccupancyDay>> {
        let mut kept = self.0.lock().await;
        let mut tx = app.db.read().await?;
        let version = parts::versions(&mut tx).await?.get(&Part::Organizations.number()).copied().unwrap_or_default();
        let present = Scope::All.present(&mut tx).await?;
        drop(tx);
        let dates = dates(&present, app.now(), length);
        let today = dates.last().cloned().unwrap_or_default();
        if let Some(past) = kept.get(&length)
            && past.until == today
            && past.version == version
        {
            let mut days = past.days.clone();
            if let Some(last) = days.last_mut() {
                last.beds = present.iter().map(|row| row.beds).sum();
                last.occupied = present.iter().map(|row| row.occupied).sum();
            }
            return Ok(days);
        }
        let days = days(app, Scope::All, length).await?;
        kept.insert(length, Past { until: today, version, days: days.clone() });
        Ok(days)
    }
}

/// Shows the occupancy of the platform, an organization or a site.
#[utoipa::path(get, path = "/api/Dashboard/occupancy", tag = "Dashboard", params(ScopeQuery, DaysQuery),
    responses((status = 200, body = Occupancy)))]
pub async fn occupancy(
    State(app): State<App>,
    caller: Caller,
    Query(scope): Query<ScopeQuery>,
    Query(query): Query<DaysQuery>,
) -> Result<Json<Occupancy>> {
    caller.platform(Action::ViewDashboard)?;
    let length = query.count()?;
    let days = match scope {
        ScopeQuery { site_id: Some(id), .. } => {
            let site = caller.site(id, Action::ViewSite).await?;
            days(&app, Scope::Site(site.id), length).await?
        }
        ScopeQuery { organization_id: Some(id), .. } => {
            let organization = caller.organization(id, Action::ViewOrganization).await?;
            days(&app, Scope::Organization(organization.id), length).await?
        }
        ScopeQuery { .. } => app.past_days.of_all(&app, length).await?,
    };
    Ok(Json(Occupancy { days }))
}

/// Shows the occupancy of a site to global admins, owners and admins.
#[utoipa::path(get, path = "/api/Sites/{id}/occupancy", tag = "Sites",
    params(("id" = SiteId, Path, description = "the site"), DaysQuery), responses((status = 200, body = Occupancy)))]
pub async fn site_occupancy(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<SiteId>,
    Query(query): Query<DaysQuery>,
) -> Result<Json<Occupancy>> {
    let site = caller.site(id, Action::EditSite).await?;
    let days = days(&app, Scope::Site(site.id), query.count()?).await?;
    Ok(Json(Occupancy { days }))
}
