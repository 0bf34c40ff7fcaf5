//! `grant_type=invitation`: exchanges the token of an invitation link for a first-step token. Only users without a password
//! can use it; all others sign in with their password (DESIGN 5).

use axum::response::Response;
use berth_domain::id::{MembershipId, UserId};

use super::{GrantRequest, TokenError, first_step_answer};
use crate::auth::links;
use crate::auth::sessions::{self, FIRST_STEP_LIFE};
use crate::auth::tokens::{self, Kind};
use crate::{Result, change};

/// Returns a first-step token to a user who opens an invitation link. This does not use the link up, only saving a password
/// does: a user who goes back, closes the browser or takes too long can open it again.
pub(super) async fn grant(request: GrantRequest) -> Result<Response, TokenError> {
    const KNOWN: &str = "SELECT (u.password_hash IS NOT NULL) AS known, s.detail FROM secrets s \
        JOIN users u ON u.id = s.user_id WHERE s.hash = $1 AND s.kind = 'invitation'";
    let access_token = request.form.access_token.as_deref().map(str::trim).filter(|token| !token.is_empty());
    let access_token = access_token
        .ok_or_else(|| TokenError::new("invalid_request", "The access_token of the invitation is missing."))?;
    let app = &request.app;
    let expired =
        || TokenError::new("expired_token", "This invitation has been used or has expired. Ask for a new one.");
    let hash = tokens::hash(access_token);
    let known: Option<(bool, Option<String>)> = app.db.query(KNOWN).bind(hash.clone()).optional().await?;
    let Some((has_password, detail)) = known else {
        links::count_unknown(app, &request.requester, "link").await?;
        return Err(expired());
    };
    if has_password {
        return Err(TokenError::new("login_required", "You already have an account. Please sign in."));
    }
    // Links from the command line name no membership.
    let membership_id = detail.as_deref().and_then(crate::admin::invitations::membership_of);
    let secret = open_first_step(&request, &hash, membership_id).await?.ok_or_else(expired)?;
    Ok(first_step_answer(&request, &secret))
}

/// Issues a first-step token for the link with this hash. Returns `None` if the link is not valid any more.
async fn open_first_step(
    request: &GrantRequest,
    hash: &str,
    membership_id: Option<MembershipId>,
) -> Result<Option<String>> {
    const FIND_USER: &str = "SELECT s.user_id FROM secrets s JOIN users u ON u.id = s.user_id AND u.deleted_at IS NULL \
        AND u.password_hash IS NULL WHERE s.hash = $1 AND s.kind = 'invitation' AND s.used_at IS NULL \
        AND s.expires_at > $2 AND EXISTS (SELECT 1 FROM memberships m WHERE m.user_id = s.user_id \
        AND m.deleted_at IS NULL AND m.status = 'PendingInvitation' AND ($3 IS NULL OR m.id = $3))";
    // The link that saving a password uses up.
    const SET_DETAIL: &str = "UPDATE secrets SET detail = $2 WHERE hash = $1";
    change::run(&request.app, request.stranger(), |mut change| async move {
        let find = change.tx.query(FIND_USER).bind(hash.to_owned()).bind(change.now).bind(membership_id);
        let user: Option<(UserId,)> = find.optional().await?;
        let Some((user_id,)) = user else { return change::unchanged(None) };
        if request.is_cookie {
            sessions::end_of_browser(&mut change, &request.headers, &request.requester).await?;
        }
        let ends = change.now.plus_millis(FIRST_STEP_LIFE);
        let secret = sessions::issue(&change.app, &mut change.tx, Kind::FirstStep, user_id, None, ends).await?;
        change.tx.query(SET_DETAIL).bind(tokens::hash(&secret)).bind(hash.to_owned()).execute().await?;
        change.done(Some(secret))
    })
    .await
}
