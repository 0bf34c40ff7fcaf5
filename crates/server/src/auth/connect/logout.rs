//! `POST /connect/logout`: the session ends.

use axum::extract::State;
use axum::http::{HeaderMap, Method};
use axum::response::{IntoResponse, Response};

use crate::admin::audit_log::{self, AuditAction};
use crate::auth::caller::{self, AnyStage};
use crate::auth::sessions;
use crate::http::body::Done;
use crate::{App, Error, Result};

/// Ends the session on the server and clears its cookies. Without a session it does nothing, and says the same.
#[utoipa::path(post, path = "/connect/logout", tag = "Sign-in", responses((status = 204, description = "signed out")))]
pub async fn logout(State(app): State<App>, headers: HeaderMap, caller: Result<AnyStage>) -> Result<Response> {
    const BURN: &str = "UPDATE secrets SET used_at = $2 WHERE hash = $1 AND used_at IS NULL";
    match caller {
        Ok(AnyStage(caller)) => {
            let mut tx = app.db.begin().await?;
            tx.query(BURN).bind(caller.secret_hash.clone()).bind(app.now()).execute().await?;
            if let Some(id) = caller.session_id {
                sessions::end(&app, &mut tx, id, "logout").await?;
            }
            let entry = audit_log::Entry::anywhere(AuditAction::SessionEnded, None, "signed out");
            audit_log::write(&app, &mut tx, &audit_log::Author::caller(&caller, None), &entry).await?;
            tx.commit().await?;
        }
        Err(Error::Unauthenticated(_) | Error::SessionOver(_)) => {}
        // Whoever is told that a session ended goes away from an open one.
        Err(error) => return Err(error),
    }
    let mut response = Done.into_response();
    // A form of another site must not sign a browser out.
    if caller::check_origin(&app, &Method::POST, &headers).is_ok() {
        sessions::forget_session(response.headers_mut());
    }
    Ok(response)
}
