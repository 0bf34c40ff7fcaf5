//! `GET /api/Beds/{id}/stays`: the guests who have had a bed.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use berth_domain::id::{BedId, GuestId, UserId};
use berth_domain::new_guest::display_name;
use berth_domain::policy::Action;
use berth_domain::stay::EndReason;
use berth_domain::time::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use crate::admin::audit_log::{self, AuditAction, Look, Shown};
use crate::auth::caller::Caller;
use crate::housing::guests;
use crate::http::body::{Path, Query};
use crate::http::paging::{PageQuery, Paged};
use crate::{App, Result};

/// A stay of a guest in a bed.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BedStay {
    /// The guest.
    #[serde(serialize_with = "audit_log::guest")]
    pub guest_id: GuestId,
    /// First name, last initial, code.
    pub display_name: String,
    /// When the guest got the bed.
    pub started_at: Timestamp,
    /// First and last name of the person who assigned the bed. Null for an account without a name.
    pub started_by: Option<String>,
    /// When the guest left the bed. Null while the guest holds it.
    pub ended_at: Option<Timestamp>,
    /// First and last name of the person who ended the stay. Null for an account without a name, and while the guest
    /// holds the bed.
    pub ended_by: Option<String>,
    /// Why the stay ended: reassigned, swapped or discharged. Null while the guest holds the bed.
    #[schema(value_type = Option<String>)]
    pub end_reason: Option<EndReason>,
}

#[derive(berth_db::FromRow)]
struct Row {
    guest_id: GuestId,
    first_name: String,
    last_name: String,
    code: String,
    started_at: Timestamp,
    started_by: Option<UserId>,
    ended_at: Option<Timestamp>,
    ended_by: Option<UserId>,
    end_reason: Option<EndReason>,
}

/// Lists the guests who have had a bed, newest first. The read is recorded in the audit log with the guests that it
/// shows.
#[utoipa::path(get, path = "/api/Beds/{id}/stays", tag = "Beds",
    params(("id" = BedId, Path, description = "the bed"), PageQuery),
    responses((status = 200, description = "newest first", body = Paged<BedStay>)))]
pub async fn stays(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<BedId>,
    Query(page): Query<PageQuery>,
) -> Result<Response> {
    const BED: &str = "SELECT name FROM beds WHERE id = $1 AND deleted_at IS NULL";
    const COUNT: &str = "SELECT COUNT(*) FROM stays WHERE bed_id = $1";
    const STAYS: &str = "SELECT s.guest_id, g.first_name, g.last_name, g.code, s.started_at, s.started_by, s.ended_at, \
        s.ended_by, s.end_reason FROM stays s JOIN guests g ON g.id = s.guest_id WHERE s.bed_id = $1 \
        ORDER BY s.started_at DESC, s.id DESC LIMIT $2 OFFSET $3";
    let site = caller.bed(id, Action::ViewGuests).await?;
    let page = page.page();
    let mut tx = app.db.read().await?;
    let name: String = tx.query(BED).bind(id).scalar().await?;
    let total: i64 = tx.query(COUNT).bind(id).scalar().await?;
    let rows: Vec<Row> = tx.query(STAYS).bind(id).bind(page.size).bind(page.offset()).all().await?;
    let people: Vec<UserId> = rows.iter().flat_map(|row| [row.started_by, row.ended_by]).flatten().collect();
    let names = guests::names(&mut tx, people).await?;
    drop(tx);
    let name_of = |person: Option<UserId>| person.and_then(|person| names.get(&person).cloned());
    let stay = |row: Row| BedStay {
        guest_id: row.guest_id,
        display_name: display_name(&row.first_name, &row.last_name, &row.code),
        started_at: row.started_at,
        started_by: name_of(row.started_by),
        ended_at: row.ended_at,
        ended_by: name_of(row.ended_by),
        end_reason: row.end_reason,
    };
    let shown = Shown::of(&page.of(rows.into_iter().map(stay).collect(), total))?;
    let filter = format!("stays in bed {name}, page {} of {} rows each", page.number, page.size);
    let look = Look::at(&caller, &site, AuditAction::GuestsListed).asking(filter);
    Ok(audit_log::json(StatusCode::OK, shown.noted(&app, look).await?))
}
