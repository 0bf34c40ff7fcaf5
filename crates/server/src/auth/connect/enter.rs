//! The end of a sign-in: both factors are proved, and the session opens.

use axum::Json;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use berth_domain::id::{SessionId, UserId};
use uuid::Uuid;

use super::{GrantRequest, SignInStage, TokenAnswer, agreements};
use crate::admin::audit_log::{AuditAction, Entry, ObjectKind};
use crate::auth::account::totp::OtherFactor;
use crate::auth::sessions::{self, DEVICE_COOKIE, FIRST_STEP_COOKIE, SESSION_COOKIE};
use crate::auth::tokens::Kind;
use crate::change::Change;
use crate::{App, Result};

/// The second factor that was proved.
pub(super) enum Factor {
    /// A code sent by SMS to this phone.
    Sms(String),
    /// An authenticator or recovery code.
    Other(OtherFactor),
}

impl Factor {
    /// Summary in the audit log.
    fn summary(&self) -> &'static str {
        match self {
            Self::Sms(_) => "signed in with both factors",
            Self::Other(OtherFactor::Authenticator) => "signed in with password and authenticator app",
            Self::Other(OtherFactor::Recovery) => "signed in with password and recovery code",
        }
    }
}

/// Completes the sign-in: confirms the phone, activates accepted invitations and opens the session. Returns `None` if the
/// user has no access any more.
pub(super) async fn enter(
    change: &mut Change,
    request: &GrantRequest,
    user_id: UserId,
    factor: &Factor,
) -> Result<Option<OpenedSession>> {
    // Only a code sent by SMS confirms the phone, and no sign-in replaces one that is confirmed.
    const CONFIRM: &str = "UPDATE users SET phone = COALESCE($2, phone), phone_confirmed_at = \
        CASE WHEN $2 IS NULL THEN phone_confirmed_at ELSE COALESCE(phone_confirmed_at, $3) END \
        WHERE id = $1 AND deleted_at IS NULL AND password_hash IS NOT NULL \
        AND ($2 IS NULL OR phone_confirmed_at IS NULL OR phone = $2) RETURNING email";
    const ACTIVATE: &str = "UPDATE memberships SET status = 'Active' \
        WHERE user_id = $1 AND status = 'PendingInvitation' AND accepted_at IS NOT NULL AND deleted_at IS NULL \
        RETURNING id";
    // Users with nothing but a pending invitation may sign in, so that they can answer it.
    const MEMBERSHIP: &str =
        "SELECT id FROM memberships WHERE user_id = $1 AND status <> 'Disabled' AND deleted_at IS NULL LIMIT 1";
    let phone = match factor {
        Factor::Sms(phone) => Some(phone.clone()),
        Factor::Other(_) => None,
    };
    let confirm = change.tx.query(CONFIRM).bind(user_id).bind(phone).bind(change.now);
    let email: Option<(String,)> = confirm.optional().await?;
    let mut activated: Vec<(Uuid,)> = change.tx.query(ACTIVATE).bind(user_id).all().await?;
    let membership: Option<(Uuid,)> = change.tx.query(MEMBERSHIP).bind(user_id).optional().await?;
    let (Some((email,)), Some(_)) = (email, membership) else { return Ok(None) };
    agreements::accept(change, request, user_id).await?;
    if request.is_cookie {
        sessions::end_of_browser(change, &request.headers, &request.requester).await?;
    }
    let (address, headers) = (&request.requester.address, &request.headers);
    let (app, tx) = (&change.app, &mut change.tx);
    let session_id = sessions::open(app, tx, user_id, request.is_cookie, address, headers).await?;
    change.by.email = Some(email);
    let object = Some((ObjectKind::Session, session_id.0));
    change.record(Entry::anywhere(AuditAction::SessionOpened, object, factor.summary())).await?;
    activated.sort_unstable();
    for (id,) in activated {
        let object = Some((ObjectKind::Membership, id));
        change.record(Entry::anywhere(AuditAction::MembershipActivated, object, "invitation accepted")).await?;
    }
    OpenedSession::issue(change, request, user_id, session_id).await.map(Some)
}

/// The secrets of a new session.
pub(super) enum OpenedSession {
    Cookie { secret: String, device: String },
    Bearer { access: String, refresh: String },
}

impl OpenedSession {
    async fn issue(
        change: &mut Change,
        request: &GrantRequest,
        user_id: UserId,
        session_id: SessionId,
    ) -> Result<Self> {
        let (app, tx, now) = (&change.app, &mut change.tx, change.now);
        let session_end = now.plus_hours(app.settings.session_hours);
        if request.is_cookie {
            let secret = sessions::issue(app, tx, Kind::Cookie, user_id, Some(session_id), session_end).await?;
            let device = sessions::remember_device(app, tx, &request.headers, user_id).await?;
            return Ok(Self::Cookie { secret, device });
        }
        let access_end = now.plus_millis(sessions::ACCESS_LIFE);
        let access = sessions::issue(app, tx, Kind::Access, user_id, Some(session_id), access_end).await?;
        let refresh = sessions::issue(app, tx, Kind::Refresh, user_id, Some(session_id), session_end).await?;
        Ok(Self::Bearer { access, refresh })
    }

    /// Returns the response, with the secrets as tokens or as cookies.
    pub(super) fn response(self, app: &App) -> Response {
        match self {
            Self::Bearer { access, refresh } => full(Some(access), Some(refresh), sessions::ACCESS_LIFE / 1000),
            Self::Cookie { secret, device } => {
                let mut response = full(None, None, app.settings.session_hours * 3600);
                let headers = response.headers_mut();
                headers.append(header::SET_COOKIE, sessions::set_cookie(FIRST_STEP_COOKIE, "", false));
                headers.append(header::SET_COOKIE, sessions::set_cookie(SESSION_COOKIE, &secret, false));
                headers.append(header::SET_COOKIE, sessions::set_cookie(DEVICE_COOKIE, &device, true));
                response
            }
        }
    }
}

/// Returns the response to a full sign-in or a renewal.
pub(super) fn full(access_token: Option<String>, refresh_token: Option<String>, expires_in: i64) -> Response {
    let stage = SignInStage::Full;
    Json(TokenAnswer { access_token, refresh_token, token_type: "Bearer", expires_in, stage }).into_response()
}
