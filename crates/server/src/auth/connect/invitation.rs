//! `grant_type=invitation`: the token of an invitation link gives a user who has no password yet a first-step token. It
//! opens nothing for anyone else: a known user signs in with the password (DESIGN 5).

use axum::response::Response;
use berth_domain::id::{MembershipId, UserId};

use super::{Ask, TokenError, first_step_answer};
use crate::Result;
use crate::auth::sessions::{self, FIRST_STEP_LIFE};
use crate::auth::throttle::{self, LINK_REQUESTER};
use crate::auth::tokens::{self, Kind};

/// Gives a first step to whoever follows an invitation link. The link is not used up by that, only by saving a password:
/// who goes back, closes the browser or takes too long follows it again.
pub(super) async fn grant(ask: Ask) -> Result<Response, TokenError> {
    const KNOWN: &str = "SELECT (u.password_hash IS NOT NULL) AS known, s.detail FROM secrets s \
        JOIN users u ON u.id = s.user_id WHERE s.hash = $1 AND s.kind = 'invitation'";
    const OPEN: &str = "SELECT s.user_id FROM secrets s JOIN users u ON u.id = s.user_id AND u.deleted_at IS NULL \
        AND u.password_hash IS NULL WHERE s.hash = $1 AND s.kind = 'invitation' AND s.used_at IS NULL \
        AND s.expires_at > $2 AND EXISTS (SELECT 1 FROM memberships m WHERE m.user_id = s.user_id \
        AND m.deleted_at IS NULL AND m.status = 'PendingInvitation' AND ($3 IS NULL OR m.id = $3))";
    // What the password will use up.
    const DETAIL: &str = "UPDATE secrets SET detail = $2 WHERE hash = $1";
    let access_token = ask.form.access_token.as_deref().map(str::trim).filter(|token| !token.is_empty());
    let access_token = access_token
        .ok_or_else(|| TokenError::new("invalid_request", "The access_token of the invitation is missing."))?;
    let app = &ask.app;
    let by_requester = format!("link:requester:{}", ask.requester.network());
    throttle::attempt(&app.db, &by_requester, LINK_REQUESTER, app.now()).await?;
    let expired =
        || TokenError::new("expired_token", "This invitation has been used or has expired. Ask for a new one.");
    let hash = tokens::hash(access_token);
    let known: Option<(bool, Option<String>)> = app.db.query(KNOWN).bind(hash.clone()).optional().await?;
    let Some((has_password, detail)) = known else { return Err(expired()) };
    if has_password {
        return Err(TokenError::new("login_required", "You already have an account. Please sign in."));
    }
    // The link opens what it was sent for; one of the command line names no membership.
    let membership_id: Option<MembershipId> = detail.as_deref().and_then(crate::admin::invitations::membership_of);
    let mut tx = app.db.begin().await?;
    let user: Option<(UserId,)> =
        tx.query(OPEN).bind(hash.clone()).bind(app.now()).bind(membership_id).optional().await?;
    let Some((user_id,)) = user else { return Err(expired()) };
    if ask.cookie {
        sessions::end_of_browser(app, &mut tx, &ask.headers, &ask.requester).await?;
    }
    let ends = app.now().plus_millis(FIRST_STEP_LIFE);
    let secret = sessions::issue(app, &mut tx, Kind::FirstStep, user_id, None, ends).await?;
    tx.query(DETAIL).bind(tokens::hash(&secret)).bind(hash).execute().await?;
    tx.commit().await?;
    Ok(first_step_answer(&ask, &secret))
}
