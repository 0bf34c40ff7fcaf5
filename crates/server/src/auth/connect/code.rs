//! `grant_type=two_factor_exchange`: a first-step token and a code become a session: the one that was sent for it, one of
//! the user's authenticator app, or a recovery code. Five tries a token, counted before they are looked at; every failure reads 'Invalid confirmation code.' (spec A 8).

use axum::Json;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use berth_db::Tx;
use berth_domain::id::UserId;
use berth_domain::value::Phone;
use uuid::Uuid;

use super::{Ask, SignInStage, TokenAnswer, TokenError, agreements};
use crate::Result;
use crate::admin::audit_log::{self, AuditAction, ObjectKind};
use crate::auth::account::totp::{self, OtherFactor};
use crate::auth::code_limits::CodeLimits;
use crate::auth::sessions::{self, DEVICE_COOKIE, FIRST_STEP_COOKIE, SESSION_COOKIE};
use crate::auth::tokens::{self, Kind};

/// Tries of a code before the first-step token dies.
pub const MOST_TRIES: i64 = berth_domain::limits::MAX_CODE_ATTEMPTS;

#[derive(berth_db::FromRow)]
struct Sent {
    id: Uuid,
    phone: String,
    hash: String,
}

/// Checks the code and opens the session.
pub(super) async fn grant(ask: Ask) -> Result<Response, TokenError> {
    // Counting commits on its own, so that parallel tries cannot share one.
    const TRY: &str = "UPDATE secrets SET tries = tries + 1 WHERE hash = $1 AND kind = 'first_step' \
        AND used_at IS NULL AND expires_at > $2 AND tries < $3 RETURNING user_id, tries";
    const SENT: &str = "SELECT id, phone, hash FROM codes WHERE bound_to = $1 AND used_at IS NULL AND expires_at > $2 \
        ORDER BY created_at DESC, id DESC LIMIT 1";
    const USE: &str = "UPDATE codes SET used_at = $2 WHERE id = $1 AND used_at IS NULL";
    const USE_TOKEN: &str = "UPDATE secrets SET used_at = $2 WHERE hash = $1 AND used_at IS NULL";
    let app = &ask.app;
    let first_step = ask
        .form
        .pre_two_factor_token
        .clone()
        .or_else(|| sessions::cookie(&ask.headers, FIRST_STEP_COOKIE).filter(|_| ask.cookie));
    let (Some(first_step), Some(otp)) = (first_step, ask.form.otp.as_deref()) else {
        return Err(TokenError::wrong_code(ask.form.otp.is_some()));
    };
    let hash = tokens::hash(&first_step);
    let mut tx = app.db.begin().await?;
    let tried: Option<(UserId, i64)> =
        tx.query(TRY).bind(hash.clone()).bind(app.now()).bind(MOST_TRIES).optional().await?;
    tx.commit().await?;
    let Some((user_id, tries)) = tried else { return Err(TokenError::wrong_code(true)) };

    let sent: Option<Sent> = app.db.query(SENT).bind(hash.clone()).bind(app.now()).optional().await?;
    let digits: String = otp.chars().filter(char::is_ascii_digit).collect();
    let by_sms = sent.filter(|sent| tokens::same(&sent.hash, &tokens::code_hash(&first_step, &sent.phone, &digits)));
    let device = sessions::known_device(app, &ask.headers, Some(user_id)).await?;
    let other = if by_sms.is_none() { totp::prepare(app, user_id, device.as_deref()).await? } else { None };
    let mut tx = app.db.begin().await?;
    let factor = match (by_sms, other) {
        (Some(sent), _) => {
            let used = tx.query(USE).bind(sent.id).bind(app.now()).execute().await? == 1;
            used.then_some(Factor::Sms(sent.phone))
        }
        (None, Some(check)) => check.spend(app, &mut tx, user_id, otp).await?.map(Factor::Other),
        (None, None) => None,
    };
    let Some(factor) = factor else {
        let dead = tries >= MOST_TRIES;
        if dead {
            tx.query(USE_TOKEN).bind(hash).bind(app.now()).execute().await?;
        }
        let by = audit_log::Author { user_id: Some(user_id.0), ..audit_log::Author::stranger(&ask.requester) };
        let entry = audit_log::Entry::anywhere(
            AuditAction::CodeFailed,
            Some((ObjectKind::User, user_id.0)),
            "wrong confirmation code",
        );
        audit_log::write(app, &mut tx, &by, &entry).await?;
        tx.commit().await?;
        return Err(TokenError::wrong_code(dead));
    };
    if tx.query(USE_TOKEN).bind(hash.clone()).bind(app.now()).execute().await? != 1 {
        return Err(TokenError::wrong_code(true));
    }
    give_codes_back(&ask, &mut tx, user_id, &hash, device.as_deref()).await?;
    enter(&ask, tx, user_id, &factor).await
}

/// Codes that led to a sign-in count against no limit. To be called before the telephone becomes a confirmed one: it is
/// what the codes were counted by.
async fn give_codes_back(
    ask: &Ask,
    tx: &mut Tx,
    user_id: UserId,
    first_step: &str,
    device: Option<&str>,
) -> Result<()> {
    const CONFIRMED: &str = "SELECT (phone_confirmed_at IS NOT NULL) AS confirmed FROM users WHERE id = $1";
    const SENT: &str = "SELECT phone, COUNT(*) FROM codes WHERE bound_to = $1 GROUP BY phone ORDER BY phone";
    let confirmed: bool = tx.query(CONFIRMED).bind(user_id).scalar().await?;
    let sent: Vec<(Phone, i64)> = tx.query(SENT).bind(first_step.to_owned()).all().await?;
    for (phone, codes) in sent {
        let limits = if confirmed {
            CodeLimits::own_phone(user_id, device, &ask.requester)
        } else {
            CodeLimits::new_phone(user_id, &phone, Some(&ask.requester))
        };
        limits.give_back(tx, codes).await?;
    }
    Ok(())
}

/// The second factor that was proved.
enum Factor {
    /// A code by SMS, sent to this telephone.
    Sms(String),
    /// Of an authenticator app, or a recovery code.
    Other(OtherFactor),
}

impl Factor {
    fn told(&self) -> &'static str {
        match self {
            Self::Sms(_) => "signed in with both factors",
            Self::Other(OtherFactor::Authenticator) => "signed in with password and authenticator app",
            Self::Other(OtherFactor::Recovery) => "signed in with password and recovery code",
        }
    }
}

/// What a full sign-in changes: the phone is confirmed, accepted invitations become active, the session opens.
async fn enter(ask: &Ask, mut tx: Tx, user_id: UserId, factor: &Factor) -> Result<Response, TokenError> {
    // Only a code by SMS says something of the telephone.
    const CONFIRM: &str = "UPDATE users SET phone = COALESCE($2, phone), phone_confirmed_at = \
        CASE WHEN $2 IS NULL THEN phone_confirmed_at ELSE COALESCE(phone_confirmed_at, $3) END \
        WHERE id = $1 AND deleted_at IS NULL AND password_hash IS NOT NULL RETURNING email";
    const ACTIVATE: &str = "UPDATE memberships SET status = 'Active' \
        WHERE user_id = $1 AND status = 'PendingInvitation' AND accepted_at IS NOT NULL AND deleted_at IS NULL \
        RETURNING id";
    // Somebody who is only invited gets in, too, and can answer the invitations.
    const ENTERS: &str =
        "SELECT id FROM memberships WHERE user_id = $1 AND status <> 'Disabled' AND deleted_at IS NULL LIMIT 1";
    let app = &ask.app;
    let now = app.now();
    let phone = match factor {
        Factor::Sms(phone) => Some(phone.clone()),
        Factor::Other(_) => None,
    };
    let email: Option<(String,)> = tx.query(CONFIRM).bind(user_id).bind(phone).bind(now).optional().await?;
    let mut activated: Vec<(Uuid,)> = tx.query(ACTIVATE).bind(user_id).all().await?;
    let enters: Option<(Uuid,)> = tx.query(ENTERS).bind(user_id).optional().await?;
    let (Some((email,)), Some(_)) = (email, enters) else { return Err(TokenError::access_disabled()) };
    agreements::accept(ask, &mut tx, user_id).await?;
    if ask.cookie {
        sessions::end_of_browser(app, &mut tx, &ask.headers, &ask.requester).await?;
    }
    let session_id = sessions::open(app, &mut tx, user_id, ask.cookie, &ask.requester.address, &ask.headers).await?;
    let by = audit_log::Author {
        user_id: Some(user_id.0),
        email: Some(email),
        ..audit_log::Author::stranger(&ask.requester)
    };
    let entry = audit_log::Entry::anywhere(
        AuditAction::SessionOpened,
        Some((ObjectKind::Session, session_id.0)),
        factor.told(),
    );
    audit_log::write(app, &mut tx, &by, &entry).await?;
    activated.sort_unstable();
    for (id,) in activated {
        let entry = audit_log::Entry::anywhere(
            AuditAction::MembershipActivated,
            Some((ObjectKind::Membership, id)),
            "invitation accepted",
        );
        audit_log::write(app, &mut tx, &by, &entry).await?;
    }

    let session_end = now.plus_hours(app.settings.session_hours);
    if !ask.cookie {
        let access_end = now.plus_millis(sessions::ACCESS_LIFE);
        let access = sessions::issue(app, &mut tx, Kind::Access, user_id, Some(session_id), access_end).await?;
        let refresh = sessions::issue(app, &mut tx, Kind::Refresh, user_id, Some(session_id), session_end).await?;
        tx.commit().await?;
        return Ok(full(Some(access), Some(refresh), sessions::ACCESS_LIFE / 1000));
    }
    let secret = sessions::issue(app, &mut tx, Kind::Cookie, user_id, Some(session_id), session_end).await?;
    let device = sessions::remember_device(app, &mut tx, &ask.headers, user_id).await?;
    tx.commit().await?;
    let mut response = full(None, None, app.settings.session_hours * 3600);
    let headers = response.headers_mut();
    headers.append(header::SET_COOKIE, sessions::set_cookie(FIRST_STEP_COOKIE, "", false));
    headers.append(header::SET_COOKIE, sessions::set_cookie(SESSION_COOKIE, &secret, false));
    headers.append(header::SET_COOKIE, sessions::set_cookie(DEVICE_COOKIE, &device, true));
    Ok(response)
}

/// The answer after a full sign-in or a renewal.
pub(super) fn full(access_token: Option<String>, refresh_token: Option<String>, expires_in: i64) -> Response {
    let stage = SignInStage::Full;
    Json(TokenAnswer { access_token, refresh_token, token_type: "Bearer", expires_in, stage }).into_response()
}
