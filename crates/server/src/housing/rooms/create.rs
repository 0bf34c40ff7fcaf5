//! `POST /api/Rooms`: adds a house.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use berth_domain::bed::next_room_name;
use berth_domain::check::Check;
use berth_domain::id::{RoomId, SiteId};
use berth_domain::placement::MeantFor;
use berth_domain::policy::Action;
use berth_domain::value::Name;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{RoomView, taken};
use crate::admin::audit_log::{AuditAction, Author, Entry, ObjectKind};
use crate::auth::caller::Caller;
use crate::change::{self, Answer};
use crate::housing::sites;
use crate::http::body::Body;
use crate::integrations::files::{self, Prefix};
use crate::{App, Result};

/// A house to add.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NewRoom {
    /// The site.
    site_id: SiteId,
    /// The name. If absent: `House #N`.
    #[schema(nullable = false)]
    name: Option<String>,
    /// The photo: the path that the upload returned.
    #[schema(nullable = false)]
    image_path: Option<String>,
    /// Ids of the genders, ages and types of client that the house is for. If absent: all that the site serves.
    #[schema(nullable = false)]
    meant_for: Option<Vec<String>>,
}

/// Adds a house to a site.
#[utoipa::path(post, path = "/api/Rooms", tag = "Rooms", request_body = NewRoom,
    params(("Idempotency-Key" = Option<String>, Header, description = "a repeated request has one effect")),
    responses((status = 201, body = RoomView)))]
pub async fn create(
    State(app): State<App>,
    caller: Caller,
    headers: HeaderMap,
    Body(input): Body<NewRoom>,
) -> Result<Response> {
    const NAMES: &str = "SELECT name FROM rooms WHERE site_id = $1 AND deleted_at IS NULL";
    const INSERT: &str = "INSERT INTO rooms (id, site_id, name, name_key, image_path, position, created_at, meant_for) \
        SELECT $1, $2, $3, $4, $5, COALESCE(MAX(position), 0) + 1, $6, $7 FROM rooms WHERE site_id = $2";
    let site = caller.site(input.site_id, Action::EditHouses).await?;
    let mut check = Check::new();
    let name = check.optional("/name", input.name.as_deref(), Name::parse).map(String::from);
    let image_path = sites::photo(&mut check, input.image_path.as_deref());
    let meant_for =
        input.meant_for.as_deref().and_then(|ids| check.field("/meantFor", MeantFor::parse(ids))).unwrap_or_default();
    check.finish()?;
    if meant_for != MeantFor::default() {
        caller.check(&site, Action::EditSite)?;
    }

    let (site, name, image_path, meant_for) = (&site, &name, image_path.as_deref(), meant_for.to_text());
    let meant_for = meant_for.as_str();
    let by = Author::caller(&caller, Some(site));
    change::once(&app, by, &headers, &("POST house", &input), |mut change| async move {
        let (id, now) = (RoomId(change.app.id()), change.now);
        change.touch(site).await?;
        files::claim(&mut change.tx, Prefix::Room, "/imagePath", image_path, None, now).await?;
        let name = match name {
            Some(name) => name.clone(),
            None => {
                let names: Vec<(String,)> = change.tx.query(NAMES).bind(site.id).all().await?;
                next_room_name(&names.into_iter().map(|(name,)| name).collect::<Vec<_>>())
            }
        };
        let key = berth_domain::name_key(&name);
        let insert = change.tx.query(INSERT).bind(id).bind(site.id).bind(&name).bind(key).bind(image_path).bind(now);
        let insert = insert.bind(meant_for);
        insert.execute().await.map_err(taken)?;
        let object = (ObjectKind::Room, id.0);
        change.record(Entry::at(site, AuditAction::RoomCreated, object, format!("house {name} added"))).await?;
        sites::settle(&mut change.tx, site.id).await?;
        let room = sites::house(&mut change.tx, site, id, now).await?;
        change.done(Answer::new(StatusCode::CREATED, &room)?)
    })
    .await
}
