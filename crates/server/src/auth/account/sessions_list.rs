//! `/api/Users/sessions`: where one is signed in, and the way to end that.

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use berth_domain::id::{SessionId, UserId};
use berth_domain::time::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use crate::admin::audit_log::{self, AuditAction, ObjectKind};
use crate::auth::caller::SignedIn;
use crate::auth::sessions;
use crate::http::body::{Done, Path};
use crate::{App, Error, Result};

/// An open session of the caller.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Session)]
pub struct SessionView {
    /// The session.
    id: SessionId,
    /// When it was opened.
    created_at: Timestamp,
    /// When the user last did something in it, to half a minute.
    last_seen_at: Timestamp,
    /// The network address that it was opened from.
    address: String,
    /// The browser, such as `Firefox`; null when it does not say.
    browser: Option<String>,
    /// The operating system, such as `Windows`; null when it is not known.
    system: Option<String>,
    /// Whether this call came by it.
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

/// The caller's open sessions, the one last used first.
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
    const END: &str = "UPDATE sessions SET ended_at = $3, end_reason = 'ended by the user' \
        WHERE id = $1 AND user_id = $2 AND ended_at IS NULL";
    let mut tx = app.db.begin().await?;
    if tx.query(END).bind(id).bind(caller.actor.user_id).bind(app.now()).execute().await? != 1 {
        return Err(Error::NotFound);
    }
    let entry = audit_log::Entry::anywhere(
        AuditAction::SessionEnded,
        Some((ObjectKind::Session, id.0)),
        "ended in the list of sessions",
    );
    audit_log::write(&app, &mut tx, &audit_log::Author::caller(&caller, None), &entry).await?;
    tx.commit().await?;
    let mut response = Done.into_response();
    if Some(id) == caller.session_id {
        sessions::forget_session(response.headers_mut());
    }
    Ok(response)
}

/// Signs the caller out everywhere: every session ends, this one too, and no browser is a known device any more.
#[utoipa::path(delete, path = "/api/Users/sessions", tag = "Users",
    responses((status = 204, description = "every session has ended")))]
pub async fn end_sessions(State(app): State<App>, SignedIn(caller): SignedIn) -> Result<Response> {
    let mut tx = app.db.begin().await?;
    end_all(&app, &mut tx, caller.actor.user_id).await?;
    let entry = audit_log::Entry::anywhere(AuditAction::SessionEnded, None, "signed out everywhere");
    audit_log::write(&app, &mut tx, &audit_log::Author::caller(&caller, None), &entry).await?;
    tx.commit().await?;
    let mut response = Done.into_response();
    sessions::forget_session(response.headers_mut());
    Ok(response)
}

async fn end_all(app: &App, tx: &mut berth_db::Tx, user_id: UserId) -> Result<()> {
    const END: &str = "UPDATE sessions SET ended_at = $2, end_reason = 'signed out everywhere' \
        WHERE user_id = $1 AND ended_at IS NULL";
    const BURN: &str = "UPDATE secrets SET used_at = $2 WHERE user_id = $1 AND used_at IS NULL \
        AND kind IN ('first_step', 'device')";
    tx.query(END).bind(user_id).bind(app.now()).execute().await?;
    tx.query(BURN).bind(user_id).bind(app.now()).execute().await?;
    Ok(())
}
