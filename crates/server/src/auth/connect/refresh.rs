//! `grant_type=refresh_token`: each refresh token works once. Using one a second time ends the session, because one of the
//! two holders stole it (DESIGN 5).

use axum::response::Response;
use berth_db::Tx;
use berth_domain::id::{SessionId, UserId};
use berth_domain::time::Timestamp;

use super::enter::full;
use super::{GrantRequest, TokenError};
use crate::admin::audit_log::{AuditAction, Entry, ObjectKind};
use crate::auth::sessions;
use crate::auth::tokens::{self, Kind};
use crate::change::Change;
use crate::{Result, change};

/// Renews a bearer session.
pub(super) async fn grant(request: GrantRequest) -> Result<Response, TokenError> {
    let refresh_token = request.form.refresh_token.as_deref().filter(|token| !token.is_empty());
    let refresh_token =
        refresh_token.ok_or_else(|| TokenError::new("invalid_request", "The refresh_token is missing."))?;
    let renewed = renew(&request, &tokens::hash(refresh_token)).await?;
    let ended = || TokenError::new("invalid_grant", "Your session has ended. Please sign in again.");
    let (access, refresh) = renewed.ok_or_else(ended)?;
    Ok(full(Some(access), Some(refresh), sessions::ACCESS_LIFE / 1000))
}

/// Uses the refresh token with this hash and returns a new access and refresh token. Returns `None` if the session has
/// ended, or ends now because the token was used before.
async fn renew(request: &GrantRequest, hash: &str) -> Result<Option<(String, String)>> {
    const USE: &str = "UPDATE secrets SET used_at = $2 WHERE hash = $1 AND kind = 'refresh' AND used_at IS NULL \
        AND expires_at > $2 RETURNING user_id, session_id";
    const SEEN: &str = "UPDATE sessions SET last_seen_at = $2 WHERE id = $1";
    change::run(&request.app, request.stranger(), |mut change| async move {
        let now = change.now;
        let used: Option<(UserId, SessionId)> = change.tx.query(USE).bind(hash.to_owned()).bind(now).optional().await?;
        let Some((user_id, session_id)) = used else {
            // The end of the session is committed although the request is rejected.
            end_if_reused(&mut change, hash).await?;
            return change.done(None);
        };
        let Some(expires_at) = open_until(&mut change.tx, user_id, session_id, now, request).await? else {
            return change::unchanged(None);
        };
        change.tx.query(SEEN).bind(session_id).bind(now).execute().await?;
        let (app, tx, access_end) = (&change.app, &mut change.tx, now.plus_millis(sessions::ACCESS_LIFE));
        let access = sessions::issue(app, tx, Kind::Access, user_id, Some(session_id), access_end).await?;
        let refresh = sessions::issue(app, tx, Kind::Refresh, user_id, Some(session_id), expires_at).await?;
        change.done(Some((access, refresh)))
    })
    .await
}

/// Ends the session of a refresh token that was used before.
async fn end_if_reused(change: &mut Change, hash: &str) -> Result<()> {
    const USED: &str = "SELECT user_id, session_id FROM secrets WHERE hash = $1 AND kind = 'refresh' \
        AND used_at IS NOT NULL";
    let used: Option<(UserId, SessionId)> = change.tx.query(USED).bind(hash.to_owned()).optional().await?;
    let Some((user_id, session_id)) = used else { return Ok(()) };
    sessions::end(&change.app, &mut change.tx, session_id, "refresh token used twice").await?;
    change.by.user_id = Some(user_id.0);
    let object = Some((ObjectKind::Session, session_id.0));
    let summary = "a refresh token was used twice; the session was ended";
    change.record(Entry::anywhere(AuditAction::SessionEnded, object, summary)).await
}

#[derive(berth_db::FromRow)]
struct Session {
    last_seen_at: Timestamp,
    expires_at: Timestamp,
    ended_at: Option<Timestamp>,
}

/// Returns when the session expires, or `None` if it is over or its user has no access any more.
async fn open_until(
    tx: &mut Tx,
    user_id: UserId,
    session_id: SessionId,
    now: Timestamp,
    request: &GrantRequest,
) -> Result<Option<Timestamp>> {
    const SESSION: &str = "SELECT last_seen_at, expires_at, ended_at FROM sessions WHERE id = $1";
    const MEMBERSHIP: &str = "SELECT m.id FROM memberships m JOIN users u ON u.id = m.user_id AND u.deleted_at IS NULL \
        WHERE m.user_id = $1 AND m.status <> 'Disabled' AND m.deleted_at IS NULL LIMIT 1";
    let session: Session = tx.query(SESSION).bind(session_id).one().await?;
    let membership: Option<(uuid::Uuid,)> = tx.query(MEMBERSHIP).bind(user_id).optional().await?;
    let idle_end = session.last_seen_at.plus_minutes(request.app.settings.idle_minutes);
    let is_open = session.ended_at.is_none() && now < session.expires_at && now < idle_end;
    Ok((is_open && membership.is_some()).then_some(session.expires_at))
}
