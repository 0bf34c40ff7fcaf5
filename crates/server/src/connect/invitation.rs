//! `grant_type=invitation`: the one-time token of an invitation link gives a user who has no password yet a first-step
//! token. It opens nothing for anyone else: a known user signs in with his password (DESIGN 5).

use axum::response::Response;
use berth_domain::id::{MembershipId, UserId};

use super::{Ask, TokenError, first_step_answer};
use crate::audit::{AuditAction, ObjectKind};
use crate::sessions::{self, FIRST_STEP_LIFE};
use crate::throttle::{self, LINK_REQUESTER};
use crate::token::{self, Kind};
use crate::{Result, audit};

/// Uses up an invitation link.
pub(super) async fn grant(ask: Ask) -> Result<Response, TokenError> {
    const KNOWN: &str = "SELECT (u.password_hash IS NOT NULL) AS known, s.detail FROM secrets s \
        JOIN users u ON u.id = s.user_id WHERE s.hash = $1 AND s.kind = 'invitation'";
    const USE: &str = "UPDATE secrets SET used_at = $2 WHERE hash = $1 AND kind = 'invitation' AND used_at IS NULL \
        AND expires_at > $2 AND EXISTS (SELECT 1 FROM users u JOIN memberships m ON m.user_id = u.id \
        WHERE u.id = secrets.user_id AND u.deleted_at IS NULL AND u.password_hash IS NULL \
        AND m.deleted_at IS NULL AND m.status = 'PendingInvitation' AND ($3 IS NULL OR m.id = $3)) RETURNING user_id";
    let app = &ask.app;
    let by_requester = format!("link:requester:{}", ask.requester.network());
    throttle::attempt(&app.db, &by_requester, LINK_REQUESTER, app.now()).await?;
    let expired =
        || TokenError::new("expired_token", "This invitation has been used or has expired. Ask for a new one.");
    let hash = token::hash(ask.form.access_token.as_deref().ok_or_else(expired)?);
    let known: Option<(bool, Option<String>)> = app.db.query(KNOWN).bind(hash.clone()).optional().await?;
    let Some((has_password, detail)) = known else { return Err(expired()) };
    if has_password {
        return Err(TokenError::new("login_required", "You already have an account. Please sign in."));
    }
    // The link opens what it was sent for; one of the command line names no membership.
    let membership_id: Option<MembershipId> = detail.as_deref().and_then(crate::invitations::membership_of);
    let mut tx = app.db.begin().await?;
    let user: Option<(UserId,)> = tx.query(USE).bind(hash).bind(app.now()).bind(membership_id).optional().await?;
    let Some((user_id,)) = user else { return Err(expired()) };
    let ends = app.now().plus_millis(FIRST_STEP_LIFE);
    let secret = sessions::issue(app, &mut tx, Kind::FirstStep, user_id, None, ends).await?;
    let by = audit::By { user_id: Some(user_id.0), ..audit::By::stranger(&ask.requester) };
    let entry = audit::Entry::anywhere(
        AuditAction::InvitationUsed,
        Some((ObjectKind::User, user_id.0)),
        "invitation link used",
    );
    audit::write(app, &mut tx, &by, &entry).await?;
    tx.commit().await?;
    Ok(first_step_answer(&ask, &secret))
}
