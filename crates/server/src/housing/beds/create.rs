//! `POST /api/Beds`: adds beds to a house (spec B 5, "Bed add form").

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use berth_domain::bed::{BedKind, new_bed_names_from};
use berth_domain::check::Check;
use berth_domain::id::{BedId, RoomId};
use berth_domain::policy::Action;
use berth_domain::value::{Name, name_key};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::{BedView, edit};
use crate::admin::audit_log::{AuditAction, Author, Entry, ObjectKind};
use crate::auth::caller::Caller;
use crate::change::{self, Answer};
use crate::housing::sites;
use crate::http::body::Body;
use crate::{App, Result};

/// Maximum number of beds that are added at once.
const MAX_COUNT: i64 = berth_domain::limits::MAX_NEW_BEDS;

/// Beds to add.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NewBeds {
    /// The house.
    room_id: RoomId,
    /// The name, with a number if there are several beds or the name is taken. If absent: the name of the type.
    #[schema(nullable = false)]
    name: Option<String>,
    /// What the beds are for. If absent: Sober Living.
    #[serde(rename = "type")]
    #[schema(value_type = Option<BedKind>, nullable = false)]
    kind: Option<Value>,
    /// How many, 1 to 100.
    count: i64,
    /// A description.
    #[schema(nullable = false)]
    description: Option<String>,
}

/// Adds one or several beds to a house.
#[utoipa::path(post, path = "/api/Beds", tag = "Beds", request_body = NewBeds,
    params(("Idempotency-Key" = Option<String>, Header, description = "a repeated request has one effect")),
    responses((status = 201, body = Vec<BedView>)))]
pub async fn create(
    State(app): State<App>,
    caller: Caller,
    headers: HeaderMap,
    Body(input): Body<NewBeds>,
) -> Result<Response> {
    const INSERT: &str = "INSERT INTO beds (id, site_id, room_id, name, name_key, kind, description, position, created_at) \
        SELECT $1, $2, $3, $4, $5, $6, $7, COALESCE(MAX(position), 0) + 1, $8 FROM beds WHERE room_id = $3";
    let site = caller.room(input.room_id, Action::EditHouses).await?;
    let mut check = Check::new();
    let name = input.name.as_deref().and_then(|name| check.field("/name", Name::parse(name)));
    let kind = edit::kind(&mut check, input.kind.clone());
    let description = edit::description(&mut check, input.description.as_deref());
    check.require(input.count >= 1, "/count", "Add at least one bed.");
    check.require(input.count <= MAX_COUNT, "/count", "At most 100 beds can be added at once.");
    let kind = check.build(|| kind)?;

    let (site, name, description) = (&site, &name, &description);
    let (room_id, count) = (input.room_id, usize::try_from(input.count).unwrap_or(1));
    let by = Author::caller(&caller, Some(site));
    change::once(&app, by, &headers, &("POST beds", &input), |mut change| async move {
        let now = change.now;
        change.touch(site).await?;
        let room = sites::house(&mut change.tx, site, room_id, now).await?;
        let existing: Vec<String> = room.beds.into_iter().map(|bed| bed.name).collect();
        let base = name.as_ref().map_or_else(|| kind.as_str().to_owned(), ToString::to_string);
        let names = new_bed_names_from(&base, count, &existing);
        let mut added = Vec::with_capacity(names.len());
        for name in names {
            let id = BedId(change.app.id());
            let insert = change.tx.query(INSERT).bind(id).bind(site.id).bind(room_id).bind(&name).bind(name_key(&name));
            insert.bind(kind).bind(description).bind(now).execute().await?;
            let summary = format!("bed {name} added to house {}", room.name);
            change.record(Entry::at(site, AuditAction::BedCreated, (ObjectKind::Bed, id.0), summary)).await?;
            added.push(id);
        }
        sites::settle(&mut change.tx, site.id).await?;
        let room = sites::house(&mut change.tx, site, room_id, now).await?;
        let beds: Vec<BedView> = room.beds.into_iter().filter(|bed| added.contains(&bed.id)).collect();
        change.done(Answer::new(StatusCode::CREATED, &beds)?)
    })
    .await
}
