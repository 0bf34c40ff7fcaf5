//! `PUT /api/Rooms/{id}`: renames a house, changes its photo or whom it is for.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use berth_domain::check::Check;
use berth_domain::id::RoomId;
use berth_domain::placement::MeantFor;
use berth_domain::policy::Action;
use berth_domain::value::Name;
use serde::Deserialize;
use utoipa::ToSchema;

use super::{RoomView, taken};
use crate::admin::audit_log::{self, AuditAction, Author, Entry, Look, ObjectKind, Shown};
use crate::auth::caller::Caller;
use crate::housing::{sites, waitlist};
use crate::http::body::{Body, Path, present};
use crate::http::etag;
use crate::integrations::files::{self, Prefix};
use crate::{App, Result, change};

/// The new state of a house.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RoomEdit {
    /// The name.
    name: String,
    /// The photo. Null removes it; if absent, it does not change.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<String>, required = false)]
    image_path: Option<Option<String>>,
    /// Ids of the genders, ages and types of client that the house is for. If absent, they do not change.
    #[serde(default)]
    #[schema(nullable = false)]
    meant_for: Option<Vec<String>>,
    /// The version that the caller saw; `If-Match` has the same meaning. Another version is answered with 412.
    #[serde(default)]
    version: Option<i64>,
}

/// Renames a house, changes its photo or whom it is for. Guests who have a bed in the house keep it.
#[utoipa::path(put, path = "/api/Rooms/{id}", tag = "Rooms", request_body = RoomEdit,
    params(("id" = RoomId, Path, description = "the house")), responses((status = 200, body = RoomView)))]
pub async fn edit(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<RoomId>,
    headers: HeaderMap,
    Body(input): Body<RoomEdit>,
) -> Result<Response> {
    const UPDATE: &str = "UPDATE rooms SET name = $2, name_key = $3, image_path = $4, meant_for = $5, version = version + 1 \
        WHERE id = $1";
    let site = caller.room(id, Action::EditHouses).await?;
    let mut check = Check::new();
    let name = check.field("/name", Name::parse(&input.name));
    let sent = input.image_path.map(|sent| sites::photo(&mut check, sent.as_deref()));
    let sent_rules = input.meant_for.as_deref().and_then(|ids| check.field("/meantFor", MeantFor::parse(ids)));
    let name = check.build(|| name)?;

    let (app, caller, headers, site, name, sent) = (&app, &caller, &headers, &site, &name, &sent);
    let sent_rules = &sent_rules;
    change::run(app, Author::caller(caller, Some(site)), |mut change| async move {
        let now = change.now;
        change.touch(site).await?;
        let old = sites::house(&mut change.tx, site, id, now).await?;
        let image_path = sent.clone().unwrap_or_else(|| old.image_path.clone());
        let old_rules = MeantFor::of_services(old.meant_for.iter().copied());
        let rules = sent_rules.as_ref().unwrap_or(&old_rules);
        if name.as_str() == old.name && image_path == old.image_path && *rules == old_rules {
            drop(change);
            let bytes = Shown::of(&old)?.noted(app, Look::at(caller, site, AuditAction::BoardViewed)).await?;
            return change::unchanged(audit_log::json(StatusCode::OK, bytes));
        }
        if *rules != old_rules {
            // Only those who may override a rule may change it.
            caller.check(site, Action::EditSite)?;
        }
        etag::guard(headers, input.version, old.version)?;

        let (path, before) = (image_path.as_deref(), old.image_path.as_deref());
        files::claim(&mut change.tx, Prefix::Room, "/imagePath", path, before, now).await?;
        let update = change.tx.query(UPDATE).bind(id).bind(name.as_str()).bind(name.key()).bind(path);
        let update = update.bind(rules.to_text());
        update.execute().await.map_err(taken)?;
        files::give_up(&mut change.tx, before.filter(|before| path != Some(*before)).as_slice(), now).await?;
        let object = (ObjectKind::Room, id.0);
        let mut summary = format!("house {} is now {name}", old.name);
        if *rules != old_rules {
            let names = rules.names();
            summary.push_str(&format!(", for {}", if names.is_empty() { "everybody" } else { &names }));
            waitlist::withdraw_unfit(&mut change, site).await?;
        }
        change.record(Entry::at(site, AuditAction::RoomEdited, object, summary)).await?;
        let room = sites::house(&mut change.tx, site, id, now).await?;
        let seen = Entry::at(site, AuditAction::BoardViewed.by(caller), object, "");
        let bytes = change.show(&room, seen).await?;
        change.done(audit_log::json(StatusCode::OK, bytes))
    })
    .await
}
