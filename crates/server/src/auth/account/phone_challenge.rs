//! `POST /api/Users/phone/challenge`: sends a code by SMS.

use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use berth_db::Tx;
use berth_domain::id::UserId;
use berth_domain::locale::Locale;
use berth_domain::policy::Stage;
use berth_domain::time::Timestamp;
use berth_domain::value::Phone;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::proof;
use crate::admin::audit_log::Author;
use crate::auth::caller::{AnyStage, Caller};
use crate::auth::code_limits::CodeLimits;
use crate::auth::{sessions, tokens};
use crate::change::Change;
use crate::http::body::Body;
use crate::integrations::outbox::{self, Channel, Message};
use crate::{App, Error, Result, change, locks};

/// Lifetime of a code, in minutes.
const CODE_MINUTES: i64 = berth_domain::limits::PHONE_CODE_MINUTES;

/// Minimum time between two codes, in seconds.
const RESEND_SECONDS: i64 = 30;

/// The phone to send a code to.
#[derive(Debug, Deserialize, ToSchema)]
pub struct PhoneChallenge {
    /// +1 and 10 digits. Required if no phone is confirmed yet, and in an open session to change the phone.
    #[schema(nullable = false)]
    phone: Option<String>,
}

/// A code was sent.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PhoneChallengeAnswer {
    /// The phone, masked except for the last four digits.
    phone: String,
    /// Seconds until another code can be requested.
    resend_after_seconds: i64,
}

#[derive(berth_db::FromRow)]
struct User {
    phone: Option<Phone>,
    is_confirmed: bool,
    has_password: bool,
    language: Locale,
}

/// Sends a code by SMS. At sign-in it goes to the stored phone, or to the one in the body if none is confirmed yet; in an open
/// session it goes to the new phone in the body, and a proof from the last five minutes is required. A code is valid for 5
/// minutes and only for this sign-in or session. A request within 30 seconds of the last code is rejected and counts toward no
/// limit.
#[utoipa::path(post, path = "/api/Users/phone/challenge", tag = "Users", request_body = PhoneChallenge,
    responses((status = 200, body = PhoneChallengeAnswer)))]
pub async fn phone_challenge(
    State(app): State<App>,
    headers: HeaderMap,
    AnyStage(caller): AnyStage,
    Body(body): Body<PhoneChallenge>,
) -> Result<Json<PhoneChallengeAnswer>> {
    const USER: &str = "SELECT phone, (phone_confirmed_at IS NOT NULL) AS is_confirmed, \
        (password_hash IS NOT NULL) AS has_password, language FROM users WHERE id = $1";
    if caller.actor.stage == Stage::Full {
        proof::require_fresh(&app, &caller)?;
    }
    let user: User = app.db.query(USER).bind(caller.actor.user_id).one().await?;
    if !user.has_password {
        return Err(Error::conflict("Please create your password first."));
    }
    let language = user.language;
    let (phone, limits) = choose_phone(&app, &headers, &caller, user, body.phone.as_deref()).await?;
    let (caller, to, limits) = (&caller, &phone, &limits);
    change::run(&app, Author::caller(caller, None), |mut change| async move {
        require_pause(&mut change.tx, caller.actor.user_id, change.now).await?;
        limits.count(&mut change.tx, change.now).await?;
        let code = store_code(&mut change, caller, to).await?;
        send(&mut change, language, to, &code).await?;
        change.done(Json(PhoneChallengeAnswer { phone: to.masked(), resend_after_seconds: RESEND_SECONDS }))
    })
    .await
}

/// Returns the phone to send the code to, and the limits that the code counts toward.
async fn choose_phone(
    app: &App,
    headers: &HeaderMap,
    caller: &Caller,
    user: User,
    typed: Option<&str>,
) -> Result<(Phone, CodeLimits)> {
    let user_id = caller.actor.user_id;
    let is_signed_in = caller.actor.stage == Stage::Full;
    if let Some(stored) = user.phone.filter(|_| user.is_confirmed && !is_signed_in) {
        let device = sessions::known_device(app, headers, Some(user_id)).await?;
        return Ok((stored, CodeLimits::own_phone(user_id, device.as_deref(), &caller.requester)));
    }
    let typed = typed.map(str::trim).filter(|phone| !phone.is_empty());
    let typed = typed.ok_or_else(|| Error::field("/phone", "Please enter your phone number"))?;
    let phone = Phone::parse_personal(typed).map_err(|message| Error::field("/phone", message))?;
    let requester = (!is_signed_in).then_some(&caller.requester);
    let limits = CodeLimits::new_phone(user_id, &phone, requester);
    Ok((phone, limits))
}

/// Rejects a code within 30 seconds of the last one. Locks the user's row first, so that two requests at the same moment do
/// not both pass.
async fn require_pause(tx: &mut Tx, user_id: UserId, now: Timestamp) -> Result<()> {
    const LAST: &str = "SELECT created_at FROM codes WHERE user_id = $1 ORDER BY created_at DESC, id DESC LIMIT 1";
    locks::user(tx, user_id).await?;
    let last: Option<(Timestamp,)> = tx.query(LAST).bind(user_id).optional().await?;
    if let Some((last,)) = last {
        let wait = last.plus_millis(RESEND_SECONDS * 1000).millis() - now.millis();
        if wait > 0 {
            return Err(Error::CodeJustSent((wait + 999) / 1000));
        }
    }
    Ok(())
}

/// Creates a code for this sign-in or session, which replaces earlier ones, and returns it.
async fn store_code(change: &mut Change, caller: &Caller, phone: &Phone) -> Result<String> {
    const RETIRE: &str = "UPDATE codes SET used_at = $2 WHERE bound_to = $1 AND used_at IS NULL";
    const INSERT: &str = "INSERT INTO codes (id, user_id, bound_to, phone, hash, created_at, expires_at) \
        VALUES ($1, $2, $3, $4, $5, $6, $7)";
    let (app, tx, now) = (&change.app, &mut change.tx, change.now);
    let code = tokens::code(app);
    tx.query(RETIRE).bind(caller.secret_hash.clone()).bind(now).execute().await?;
    tx.query(INSERT)
        .bind(app.id())
        .bind(caller.actor.user_id)
        .bind(caller.secret_hash.clone())
        .bind(phone.as_str().to_owned())
        .bind(tokens::code_hash(&caller.secret, phone.as_str(), &code))
        .bind(now)
        .bind(now.plus_minutes(CODE_MINUTES))
        .execute()
        .await?;
    Ok(code)
}

async fn send(change: &mut Change, language: Locale, phone: &Phone, code: &str) -> Result<()> {
    let body = match language {
        Locale::English => format!(
            "{code} is your Berth code. It is valid for {CODE_MINUTES} minutes. We never ask for it by phone: do not \
             share it with anyone."
        ),
        Locale::Spanish => format!(
            "{code} es su código de Berth. Sirve durante {CODE_MINUTES} minutos. Nunca lo pedimos por teléfono: no se lo \
             diga a nadie."
        ),
    };
    let message = Message { channel: Channel::Sms, to: phone.as_str().to_owned(), subject: String::new(), body };
    let expires_at = change.now.plus_minutes(CODE_MINUTES);
    outbox::put_until(&change.app, &mut change.tx, language, message, expires_at).await
}
