//! `grant_type=refresh_token`: each refresh token works once. Whoever uses one again ends the whole session, since one
//! of the two holders stole it (DESIGN 5).

use axum::response::Response;
use berth_domain::id::{SessionId, UserId};
use berth_domain::time::Timestamp;

use super::code::full;
use super::{Ask, TokenError};
use crate::Result;
use crate::admin::audit_log::{self, AuditAction, ObjectKind};
use crate::auth::sessions;
use crate::auth::tokens::{self, Kind};

#[derive(berth_db::FromRow)]
struct Session {
    last_seen_at: Timestamp,
    expires_at: Timestamp,
    ended_at: Option<Timestamp>,
}

/// Renews a bearer session.
pub(super) async fn grant(ask: Ask) -> Result<Response, TokenError> {
    const USE: &str = "UPDATE secrets SET used_at = $2 WHERE hash = $1 AND kind = 'refresh' AND used_at IS NULL \
        AND expires_at > $2 RETURNING user_id, session_id";
    const USED: &str = "SELECT user_id, session_id FROM secrets WHERE hash = $1 AND kind = 'refresh' \
        AND used_at IS NOT NULL";
    const SESSION: &str = "SELECT last_seen_at, expires_at, ended_at FROM sessions WHERE id = $1";
    const SEEN: &str = "UPDATE sessions SET last_seen_at = $2 WHERE id = $1";
    const RIGHTS: &str = "SELECT m.id FROM memberships m JOIN users u ON u.id = m.user_id AND u.deleted_at IS NULL \
        WHERE m.user_id = $1 AND m.status <> 'Disabled' AND m.deleted_at IS NULL LIMIT 1";
    let over = || TokenError::new("invalid_grant", "Your session has ended. Please sign in again.");
    let app = &ask.app;
    let now = app.now();
    let refresh_token = ask.form.refresh_token.as_deref().filter(|token| !token.is_empty());
    let refresh_token =
        refresh_token.ok_or_else(|| TokenError::new("invalid_request", "The refresh_token is missing."))?;
    let hash = tokens::hash(refresh_token);
    let mut tx = app.db.begin().await?;
    let used: Option<(UserId, SessionId)> = tx.query(USE).bind(hash.clone()).bind(now).optional().await?;
    let Some((user_id, session_id)) = used else {
        let again: Option<(UserId, SessionId)> = tx.query(USED).bind(hash).optional().await?;
        if let Some((user_id, session_id)) = again {
            sessions::end(app, &mut tx, session_id, "refresh token used twice").await?;
            let by = audit_log::Author { user_id: Some(user_id.0), ..audit_log::Author::stranger(&ask.requester) };
            let entry = audit_log::Entry::anywhere(
                AuditAction::SessionEnded,
                Some((ObjectKind::Session, session_id.0)),
                "a refresh token was used twice; the session was ended",
            );
            audit_log::write(app, &mut tx, &by, &entry).await?;
            tx.commit().await?;
        }
        return Err(over());
    };
    let session: Session = tx.query(SESSION).bind(session_id).one().await?;
    let rights: Option<(uuid::Uuid,)> = tx.query(RIGHTS).bind(user_id).optional().await?;
    let idle_end = session.last_seen_at.plus_minutes(app.settings.idle_minutes);
    if session.ended_at.is_some() || now >= session.expires_at || now >= idle_end || rights.is_none() {
        return Err(over());
    }
    tx.query(SEEN).bind(session_id).bind(now).execute().await?;
    let access_end = now.plus_millis(sessions::ACCESS_LIFE);
    let access = sessions::issue(app, &mut tx, Kind::Access, user_id, Some(session_id), access_end).await?;
    let refresh = sessions::issue(app, &mut tx, Kind::Refresh, user_id, Some(session_id), session.expires_at).await?;
    tx.commit().await?;
    Ok(full(Some(access), Some(refresh), sessions::ACCESS_LIFE / 1000))
}
