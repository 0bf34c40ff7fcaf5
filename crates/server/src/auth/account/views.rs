//! `PUT /api/Users/views`: how the user left tables, the filters that the user keeps, and the user's settings. They come with
//! the user info, so that another device starts with them (docs/decisions/0069 and 0076).

use std::collections::BTreeMap;

use axum::extract::State;
use berth_domain::id::UserId;
use berth_domain::view::{self, View};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::admin::audit_log::Author;
use crate::auth::caller::Caller;
use crate::http::body::{Body, Done};
use crate::{App, Error, Result, change, locks};

/// A view as the user left it.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ViewChoice {
    /// `tableLook.` or `savedFilters.` with the name of a table or a screen, or `setting.` with the name of a setting.
    name: String,
    /// Page size, density and hidden columns, as in `25 dense -phone`; filters as in an address, with spaces between them; or
    /// `on` for a setting, the names of shortcuts for those that are off, and nothing for a setting that is off.
    text: String,
}

/// Remembers a view of the user. A device keeps what the user chose on it. A device without a choice starts with this. A
/// setting is the same on all devices.
#[utoipa::path(put, path = "/api/Users/views", tag = "Users", request_body = ViewChoice,
    responses((status = 204, description = "the view was stored")))]
pub async fn store_view(State(app): State<App>, caller: Caller, Body(choice): Body<ViewChoice>) -> Result<Done> {
    const OTHERS: &str = "SELECT COUNT(*) FROM user_views WHERE user_id = $1 AND name <> $2";
    // Not for somebody whose profile has just been deleted.
    const STORE: &str = "INSERT INTO user_views (user_id, name, text) \
        SELECT id, $2, $3 FROM users WHERE id = $1 AND deleted_at IS NULL \
        ON CONFLICT (user_id, name) DO UPDATE SET text = excluded.text";
    let (view, user_id) = (&View::parse(choice.name, choice.text)?, caller.actor.user_id);
    change::run(&app, Author::caller(&caller, None), |mut change| async move {
        locks::user(&mut change.tx, user_id).await?;
        let others: i64 = change.tx.query(OTHERS).bind(user_id).bind(view.name()).scalar().await?;
        view::may_store(others).map_err(|sentence| Error::field("/name", sentence))?;
        change.tx.query(STORE).bind(user_id).bind(view.name()).bind(view.text()).execute().await?;
        change.done(Done)
    })
    .await
}

/// Loads the views of a user by their names.
pub(in crate::auth) async fn load(app: &App, user_id: UserId) -> Result<BTreeMap<String, String>> {
    const VIEWS: &str = "SELECT name, text FROM user_views WHERE user_id = $1";
    let views: Vec<(String, String)> = app.db.query(VIEWS).bind(user_id).all().await?;
    Ok(views.into_iter().collect())
}
