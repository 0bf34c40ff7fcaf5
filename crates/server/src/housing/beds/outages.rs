//! `GET /api/Beds/{id}/outages`: the times at which a bed was disabled. Also writes their rows.

use axum::Json;
use axum::extract::State;
use berth_db::Tx;
use berth_domain::id::{BedId, UserId};
use berth_domain::outage::{Outage, OutageKind};
use berth_domain::policy::Action;
use berth_domain::time::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use crate::auth::caller::Caller;
use crate::housing::guests;
use crate::http::body::{Path, Query};
use crate::http::paging::{PageQuery, Paged};
use crate::{App, Result};

/// A time during which a bed was disabled.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BedOutage {
    /// What it waited for.
    pub kind: OutageKind,
    /// Why it was disabled. Null if no reason was given.
    pub reason: Option<String>,
    /// The day on which it was expected back, in the site's time zone, such as 2026-12-01. Null if no day was given.
    pub expected_back: Option<String>,
    /// When it was disabled.
    pub started_at: Timestamp,
    /// First and last name of the person who disabled it. Null for an account without a name.
    pub started_by: Option<String>,
    /// When it was enabled again. Null while it is disabled.
    pub ended_at: Option<Timestamp>,
    /// First and last name of the person who enabled it. Null for an account without a name, and while it is disabled.
    pub ended_by: Option<String>,
}

#[derive(berth_db::FromRow)]
struct Row {
    kind: OutageKind,
    reason: Option<String>,
    expected_back: Option<String>,
    started_at: Timestamp,
    started_by: Option<UserId>,
    ended_at: Option<Timestamp>,
    ended_by: Option<UserId>,
}

/// Lists the times at which a bed was disabled, newest first.
#[utoipa::path(get, path = "/api/Beds/{id}/outages", tag = "Beds",
    params(("id" = BedId, Path, description = "the bed"), PageQuery),
    responses((status = 200, description = "newest first", body = Paged<BedOutage>)))]
pub async fn outages(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<BedId>,
    Query(page): Query<PageQuery>,
) -> Result<Json<Paged<BedOutage>>> {
    const COUNT: &str = "SELECT COUNT(*) FROM bed_outages WHERE bed_id = $1";
    const OUTAGES: &str = "SELECT kind, reason, expected_back, started_at, started_by, ended_at, ended_by \
        FROM bed_outages WHERE bed_id = $1 ORDER BY started_at DESC, id DESC LIMIT $2 OFFSET $3";
    caller.bed(id, Action::ViewSite).await?;
    let page = page.page();
    let mut tx = app.db.read().await?;
    let total: i64 = tx.query(COUNT).bind(id).scalar().await?;
    let rows: Vec<Row> = tx.query(OUTAGES).bind(id).bind(page.size).bind(page.offset()).all().await?;
    let people: Vec<UserId> = rows.iter().flat_map(|row| [row.started_by, row.ended_by]).flatten().collect();
    let names = guests::names(&mut tx, people).await?;
    drop(tx);
    let name_of = |person: Option<UserId>| person.and_then(|person| names.get(&person).cloned());
    let listed = rows.into_iter().map(|row| BedOutage {
        kind: row.kind,
        reason: row.reason,
        expected_back: row.expected_back,
        started_at: row.started_at,
        started_by: name_of(row.started_by),
        ended_at: row.ended_at,
        ended_by: name_of(row.ended_by),
    });
    Ok(Json(page.of(listed.collect(), total)))
}

/// Writes the outage of an edited bed: opens one, changes the open one, or ends it.
pub(super) async fn record(
    app: &App,
    tx: &mut Tx,
    caller: &Caller,
    bed_id: BedId,
    outage: Option<&Outage>,
    now: Timestamp,
) -> Result<()> {
    const SET: &str = "INSERT INTO bed_outages (id, bed_id, kind, reason, expected_back, started_at, started_by) \
        VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (bed_id) WHERE ended_at IS NULL \
        DO UPDATE SET kind = excluded.kind, reason = excluded.reason, expected_back = excluded.expected_back";
    const END: &str = "UPDATE bed_outages SET ended_by = $3, \
        ended_at = CASE WHEN $2 < started_at THEN started_at ELSE $2 END WHERE bed_id = $1 AND ended_at IS NULL";
    let by = caller.actor.user_id;
    match outage {
        Some(outage) => {
            let set = tx.query(SET).bind(app.id()).bind(bed_id).bind(outage.kind).bind(&outage.reason);
            set.bind(&outage.expected_back).bind(now).bind(by).execute().await?;
        }
        None => drop(tx.query(END).bind(bed_id).bind(now).bind(by).execute().await?),
    }
    Ok(())
}
