//! The whole trail (DESIGN 6, "Internal audit tab"): who did what, when, where, to what and from where, including views of
//! guests. Names are looked up only for the rows of the page; a guest is named by code.

use axum::extract::State;
use axum::response::Response;
use berth_db::Db;
use berth_domain::id::{GuestId, OrganizationId, SiteId};
use berth_domain::policy::Action;
use berth_domain::time::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::filter::TrailQuery;
use super::page::{PagingMetadata, answer};
use crate::admin::audit_log::lists::{List, page_by_id};
use crate::admin::audit_log::search::{Found, Rows};
use crate::admin::audit_log::{self, AuditAction, Author, Entry, Look, ObjectKind, Repeats, Shown};
use crate::auth::caller::Caller;
use crate::http::body::{Path, Query};
use crate::http::export::csv;
use crate::http::paging::{Page, PageQuery, Paged};
use crate::{App, Error, Result};

/// Maximum number of rows in a file.
const MAX_EXPORTED: i64 = 10_000;
/// Notice at the top of each file with guests (42 CFR 2.32, the short form).
const NOTICE: &str = "42 CFR part 2 prohibits unauthorized use or disclosure of these records.";

/// A row of the audit trail.
#[derive(Debug, Serialize, ToSchema, berth_db::FromRow)]
#[serde(rename_all = "camelCase")]
pub struct TrailEntry {
    /// Id of the row.
    id: Uuid,
    /// When it was done.
    at: Timestamp,
    /// The action, such as `guest.accepted`.
    action: String,
    /// Email of the user; null for jobs, the command line and callers who were not signed in. For a failed sign-in, the login.
    actor_email: Option<String>,
    /// Highest role of the user at the place.
    actor_role: Option<String>,
    /// The organization, if any.
    organization_id: Option<OrganizationId>,
    /// Its name.
    organization_name: Option<String>,
    /// The site, if any.
    site_id: Option<SiteId>,
    /// Its name.
    site_name: Option<String>,
    /// Kind of the object, such as `guest`.
    object_type: Option<String>,
    /// Id of the object.
    object_id: Option<Uuid>,
    /// Name of the object: the code of a guest, the email of a user, the name of a place.
    object_name: Option<String>,
    /// Summary by the server, in English.
    summary: String,
    /// The bed that the guest left.
    from_bed: Option<String>,
    /// The bed that the guest got, or was shown in.
    to_bed: Option<String>,
    /// The filters of a list, or the method and path of a denied request.
    query: Option<String>,
    /// Number of guests that were shown, besides the object.
    guest_count: i64,
    /// IP address of the requester; `job` or `command line` if there is none.
    address: String,
}

impl TrailEntry {
    /// The guest, if the object is one.
    fn guest(&self) -> Option<GuestId> {
        self.object_id.filter(|_| self.object_type.as_deref() == Some(ObjectKind::Guest.as_str())).map(GuestId)
    }
}

/// A page of the trail.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Trail {
    #[serde(flatten)]
    page: Paged<TrailEntry>,
    /// The same numbers under the names of the spec.
    metadata: PagingMetadata,
    /// False if only the newest rows were searched. Choose days to find older ones.
    is_complete: bool,
}

/// A guest that an audit row names.
#[derive(Debug, Serialize, ToSchema, berth_db::FromRow)]
#[serde(rename_all = "camelCase")]
pub struct TrailGuest {
    /// The guest.
    #[serde(serialize_with = "audit_log::guest")]
    #[schema(value_type = GuestId)]
    id: GuestId,
    /// The code of the reservation.
    code: String,
}

/// The columns of a row.
macro_rules! trail_columns {
    () => {
        "SELECT a.id, a.at, a.action, \
         COALESCE(a.actor_email, (SELECT u.email FROM users u WHERE u.id = a.actor_id)) AS actor_email, \
         a.actor_role, a.organization_id, \
         (SELECT o.name FROM organizations o WHERE o.id = a.organization_id) AS organization_name, \
         a.site_id, (SELECT s.name FROM sites s WHERE s.id = a.site_id) AS site_name, a.object_type, a.object_id, \
         CASE a.object_type \
         WHEN 'guest' THEN (SELECT g.code FROM guests g WHERE g.id = a.object_id) \
         WHEN 'bed' THEN (SELECT b.name FROM beds b WHERE b.id = a.object_id) \
         WHEN 'room' THEN (SELECT r.name FROM rooms r WHERE r.id = a.object_id) \
         WHEN 'site' THEN (SELECT s.name FROM sites s WHERE s.id = a.object_id) \
         WHEN 'organization' THEN (SELECT o.name FROM organizations o WHERE o.id = a.object_id) \
         WHEN 'insuranceCompany' THEN (SELECT i.name FROM insurance_companies i WHERE i.id = a.object_id) \
         WHEN 'user' THEN (SELECT u.email FROM users u WHERE u.id = a.object_id) \
         WHEN 'card' THEN (SELECT c.brand || ' ' || c.last_four FROM saved_cards c WHERE c.id = a.object_id) \
         WHEN 'membership' THEN (SELECT u.email FROM memberships m JOIN users u ON u.id = m.user_id \
         WHERE m.id = a.object_id) \
         END AS object_name, a.summary, \
         (SELECT b.name FROM beds b WHERE b.id = a.from_bed_id) AS from_bed, \
         (SELECT b.name FROM beds b WHERE b.id = a.to_bed_id) AS to_bed, a.query, \
         (SELECT COUNT(*) FROM guest_sets s WHERE s.id = a.guest_set_id) AS guest_count, a.address"
    };
}

/// Reads the rows of a page, newest first.
async fn load(db: &Db, found: Rows) -> Result<Vec<TrailEntry>> {
    const OF_WHOLE: &str = page_by_id!(trail_columns!(), "");
    const OF_ORGANIZATION: &str = page_by_id!(trail_columns!(), "organization_id = $9 AND ");
    const OF_IDS: &str = concat!(trail_columns!(), " FROM audit a WHERE a.id IN ($1..) ORDER BY a.id DESC");
    let mut rows: Vec<TrailEntry> = match found {
        Rows::Ids(ids) if ids.is_empty() => Vec::new(),
        Rows::Ids(ids) => db.query(OF_IDS).bind_list(ids).all().await?,
        Rows::Cut(list @ List::Organization(_), cut) => list.rows(db, OF_ORGANIZATION, cut).await?,
        Rows::Cut(list, cut) => list.rows(db, OF_WHOLE, cut).await?,
    };
    for row in rows.iter_mut().filter(|row| row.from_bed.is_some() || row.to_bed.is_some()) {
        // Earlier versions also wrote the ids of the beds into the summary, after the code of the guest.
        row.summary.truncate(row.summary.find(' ').unwrap_or(row.summary.len()));
    }
    Ok(rows)
}

/// Finds a page of the rows that match the filter.
async fn find(app: &App, query: &TrailQuery, page: Page) -> Result<Found> {
    query.filter(&app.db).await?.find(app, page).await
}

/// Lists the audit trail, newest first: changes, views, sign-ins. Global admins read all of it, owners that of their
/// organization. With a filter other than organization and days, only the newest 20,000 rows of the narrowest filter are
/// searched; `isComplete` is false if there are more.
#[utoipa::path(get, path = "/api/EventLogs/internal", tag = "EventLogs", params(TrailQuery, PageQuery),
    responses((status = 200, body = Trail)))]
pub async fn internal(
    State(app): State<App>,
    caller: Caller,
    Query(query): Query<TrailQuery>,
    Query(page): Query<PageQuery>,
) -> Result<Response> {
    query.authorize(&caller).await?;
    let page = page.page();
    let Found { total, is_complete, rows } = find(&app, &query, page).await?;
    let items = load(&app.db, rows).await?;
    let guests = items.iter().filter_map(TrailEntry::guest).collect();
    let listed: Paged<TrailEntry> = page.of(items, total);
    let body = Trail { metadata: PagingMetadata::from(&listed), page: listed, is_complete };
    answer(&app, &caller, (List::Whole, page), Some(&query), &body, guests).await
}

/// Exports the same rows as a file, at most 10,000, with the notice of 42 CFR part 2 at the top.
#[utoipa::path(get, path = "/api/EventLogs/internal.csv", tag = "EventLogs", params(TrailQuery),
    responses((status = 200, description = "a file of comma-separated values", body = String,
        content_type = "text/csv")))]
pub async fn internal_file(
    State(app): State<App>,
    caller: Caller,
    Query(query): Query<TrailQuery>,
) -> Result<Response> {
    query.authorize(&caller).await?;
    let found = find(&app, &query, Page { number: 1, size: MAX_EXPORTED }).await?;
    if found.total > MAX_EXPORTED || !found.is_complete {
        return Err(Error::field("/from", "A file takes at most 10,000 rows. Choose fewer days."));
    }
    let rows = load(&app.db, found.rows).await?;
    let guests = rows.iter().filter_map(TrailEntry::guest).collect();
    let summary = format!("{} rows as a file", rows.len());
    let entry = Entry::placed((query.organization(), None), AuditAction::AuditExported, None, summary);
    let entry = entry.asking(Some(format!("internal{}", query.to_text())));
    // Recorded before the file is sent, with the guests that it names.
    let shown = Shown::with(&rows, guests)?;
    shown.recorded(&app, &Author::caller(&caller, None), entry).await?;
    Ok(file(rows))
}

fn file(rows: Vec<TrailEntry>) -> Response {
    let head = [
        "Time (UTC)",
        "Who",
        "Role",
        "Action",
        "Organization",
        "Site",
        "Kind of object",
        "Object",
        "From bed",
        "To bed",
        "Details",
        "Asked for",
        "Guests shown",
        "Address",
    ];
    csv::answer_with_notice("berth-audit-log.csv", Some(NOTICE), head, rows, |row| {
        let text = |value: &Option<String>| value.clone().unwrap_or_default();
        [
            row.at.to_string(),
            text(&row.actor_email),
            text(&row.actor_role),
            row.action.clone(),
            text(&row.organization_name),
            text(&row.site_name),
            text(&row.object_type),
            text(&row.object_name),
            text(&row.from_bed),
            text(&row.to_bed),
            row.summary.clone(),
            text(&row.query),
            row.guest_count.to_string(),
            row.address.clone(),
        ]
    })
}

#[derive(berth_db::FromRow)]
struct Place {
    organization_id: Option<OrganizationId>,
    guest_set_id: Option<Uuid>,
}

/// Lists the guests that an audit row names besides its object, by the codes of their reservations.
#[utoipa::path(get, path = "/api/EventLogs/internal/{id}/guests", tag = "EventLogs",
    params(("id" = Uuid, Path, description = "the row")), responses((status = 200, body = Vec<TrailGuest>)))]
pub async fn guests_of(State(app): State<App>, caller: Caller, Path(id): Path<Uuid>) -> Result<Response> {
    const ROW: &str = "SELECT organization_id, guest_set_id FROM audit WHERE id = $1";
    const GUESTS: &str = "SELECT g.id, g.code FROM guest_sets s JOIN guests g ON g.id = s.guest_id WHERE s.id = $1 \
        ORDER BY g.code, g.id";
    let row: Option<Place> = app.db.query(ROW).bind(id).optional().await?;
    let organization_id = row.as_ref().and_then(|row| row.organization_id);
    match organization_id {
        Some(id) => drop(caller.organization(id, Action::ViewOrganizationAudit).await?),
        None => caller.platform(Action::ViewAudit)?,
    }
    let row = row.ok_or(Error::NotFound)?;
    let guests: Vec<TrailGuest> = app.db.query(GUESTS).bind(row.guest_set_id).all().await?;
    let look = Look {
        caller: &caller,
        site: None,
        organization_id,
        action: AuditAction::AuditViewed,
        query: Some(format!("guests of row {id}")),
        repeats: Repeats::ByGuests,
    };
    let bytes = Shown::of(&guests)?.noted(&app, look).await?;
    Ok(audit_log::json(axum::http::StatusCode::OK, bytes))
}
