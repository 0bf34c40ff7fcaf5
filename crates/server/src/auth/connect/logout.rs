//! `POST /connect/logout`: ends the session.

use axum::extract::State;
use axum::http::{HeaderMap, Method};
use axum::response::{IntoResponse, Response};

use crate::admin::audit_log::{AuditAction, Author, Entry};
use crate::auth::caller::{self, AnyStage, Caller};
use crate::auth::sessions;
use crate::http::body::Done;
use crate::{App, Error, Result, change};

/// Ends the session on the server and clears its cookies. Without a session, it only clears the cookies.
#[utoipa::path(post, path = "/connect/logout", tag = "Sign-in", responses((status = 204, description = "signed out")))]
pub async fn logout(State(app): State<App>, headers: HeaderMap, caller: Result<AnyStage>) -> Result<Response> {
    match caller {
        Ok(AnyStage(caller)) => end(&app, &caller).await?,
        Err(Error::Unauthenticated(_) | Error::SessionOver(_)) => {}
        // The session may still be open, so the user must not be told that it ended.
        Err(error) => return Err(error),
    }
    let mut response = Done.into_response();
    // A form on another site must not sign a browser out.
    if caller::check_origin(&app, &Method::POST, &headers).is_ok() {
        sessions::forget_session(response.headers_mut());
    }
    Ok(response)
}

async fn end(app: &App, caller: &Caller) -> Result<()> {
    const USE_SECRET: &str = "UPDATE secrets SET used_at = $2 WHERE hash = $1 AND used_at IS NULL";
    change::run(app, Author::caller(caller, None), |mut change| async move {
        let hash = caller.secret_hash.clone();
        change.tx.query(USE_SECRET).bind(hash).bind(change.now).execute().await?;
        if let Some(id) = caller.session_id {
            sessions::end(&change.app, &mut change.tx, id, "logout").await?;
        }
        change.record(Entry::anywhere(AuditAction::SessionEnded, None, "signed out")).await?;
        change.done(())
    })
    .await
}
