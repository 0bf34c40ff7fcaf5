//! `/api/Users/sessions`: lists and ends the user's open sessions.

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use berth_domain::id::SessionId;
use berth_domain::time::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use crate::admin::audit_log::{AuditAction, Author, Entry, ObjectKind};
use crate::auth::caller::{Caller, SignedIn};
use crate::auth::sessions;
use crate::http::body::{Done, Path};
use crate::{App, Error, Result, change};

/// An open session of the caller.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Session)]
pub struct SessionView {
    /// Id of the session.
    id: SessionId,
    /// When it was opened.
    created_at: Timestamp,
    /// When the user was last active in it, to within half a minute.
    last_seen_at: Timestamp,
    /// Network address that it was opened from.
    address: String,
    /// Browser, such as `Firefox`; null if unknown.
    browser: Option<String>,
    /// Operating system, such as `Windows`; null if unknown.
    system: Option<String>,
    /// True for the session of this request.
    is_current: bool,
}

#[derive(berth_db::FromRow)]
struct Row {
    id: SessionId,
    created_at: Timestamp,
    last_seen_at: Timestamp,
    address: String,
    browser: Option<String>,
    system: Option<String>,
}

/// Lists the caller's open sessions, most recently used first.
#[utoipa::path(get, path = "/api/Users/sessions", tag = "Users", responses((status = 200, body = Vec<SessionView>)))]
pub async fn list_sessions(State(app): State<App>, SignedIn(caller): SignedIn) -> Result<Json<Vec<SessionView>>> {
    const OPEN: &str = "SELECT id, created_at, last_seen_at, address, browser, system FROM sessions \
        WHERE user_id = $1 AND ended_at IS NULL AND expires_at > $2 AND last_seen_at > $3 \
        ORDER BY last_seen_at DESC, id DESC";
    let idle_since = app.now().plus_minutes(-app.settings.idle_minutes);
    let open = app.db.query(OPEN).bind(caller.actor.user_id).bind(app.now()).bind(idle_since);
    let rows: Vec<Row> = open.all().await?;
    let view = |row: Row| SessionView {
        is_current: Some(row.id) == caller.session_id,
        id: row.id,
        created_at: row.created_at,
        last_seen_at: row.last_seen_at,
        address: row.address,
        browser: row.browser,
        system: row.system,
    };
    Ok(Json(rows.into_iter().map(view).collect()))
}

/// Ends one of the caller's sessions.
#[utoipa::path(delete, path = "/api/Users/sessions/{id}", tag = "Users",
    params(("id" = SessionId, Path, description = "the session")),
    responses((status = 204, description = "the session has ended")))]
pub async fn end_session(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Path(id): Path<SessionId>,
) -> Result<Response> {
    end(&app, &caller, id).await?;
    let mut response = Done.into_response();
    if Some(id) == caller.session_id {
        sessions::forget_session(response.headers_mut());
    }
    Ok(response)
}

/// Signs the caller out everywhere: ends every session, including this one, and removes all known devices.
#[utoipa::path(delete, path = "/api/Users/sessions", tag = "Users",
    responses((status = 204, description = "every session has ended")))]
pub async fn end_sessions(State(app): State<App>, SignedIn(caller): SignedIn) -> Result<Response> {
    end_all(&app, &caller).await?;
    let mut response = Done.into_response();
    sessions::forget_session(response.headers_mut());
    Ok(response)
}

async fn end(app: &App, caller: &Caller, id: SessionId) -> Result<()> {
    const END: &str = "UPDATE sessions SET ended_at = $3, end_reason = 'ended by the user' \
        WHERE id = $1 AND user_id = $2 AND ended_at IS NULL";
    let user_id = caller.actor.user_id;
    change::run(app, Author::caller(caller, None), |mut change| async move {
        if change.tx.query(END).bind(id).bind(user_id).bind(change.now).execute().await? != 1 {
            return Err(Error::NotFound);
        }
        let object = Some((ObjectKind::Session, id.0));
        change.record(Entry::anywhere(AuditAction::SessionEnded, object, "ended in the list of sessions")).await?;
        change.done(())
    })
    .await
}

async fn end_all(app: &App, caller: &Caller) -> Result<()> {
    const END: &str = "UPDATE sessions SET ended_at = $2, end_reason = 'signed out everywhere' \
        WHERE user_id = $1 AND ended_at IS NULL";
    const USE_SECRETS: &str = "UPDATE secrets SET used_at = $2 WHERE user_id = $1 AND used_at IS NULL \
        AND kind IN ('first_step', 'device')";
    let user_id = caller.actor.user_id;
    change::run(app, Author::caller(caller, None), |mut change| async move {
        let now = change.now;
        change.tx.query(END).bind(user_id).bind(now).execute().await?;
        change.tx.query(USE_SECRETS).bind(user_id).bind(now).execute().await?;
        change.record(Entry::anywhere(AuditAction::SessionEnded, None, "signed out everywhere")).await?;
        change.done(())
    })
    .await
}
