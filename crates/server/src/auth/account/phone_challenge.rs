//! `POST /api/Users/phone/challenge`: a code by SMS.

use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use berth_domain::id::UserId;
use berth_domain::locale::Locale;
use berth_domain::policy::Stage;
use berth_domain::time::Timestamp;
use berth_domain::value::Phone;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::proof;
use crate::auth::caller::AnyStage;
use crate::auth::code_limits::CodeLimits;
use crate::auth::{sessions, tokens};
use crate::http::body::Body;
use crate::integrations::outbox::{self, Channel, Message};
use crate::{App, Error, Result, locks};

/// Life of a code, in minutes.
const CODE_MINUTES: i64 = berth_domain::limits::PHONE_CODE_MINUTES;

/// Seconds after which another code may be asked for.
const RESEND_SECONDS: i64 = 30;

/// Where a code goes: to the telephone that is known, or to this one.
#[derive(Debug, Deserialize, ToSchema)]
pub struct PhoneChallenge {
    /// +1 and 10 digits; needed as long as no telephone is known, and in an open session: the new one.
    #[schema(nullable = false)]
    phone: Option<String>,
}

/// What the page shows while it waits for the code.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PhoneChallengeAnswer {
    /// The telephone, masked but for its last four digits.
    phone: String,
    /// Seconds until another code may be asked for.
    resend_after_seconds: i64,
}

#[derive(berth_db::FromRow)]
struct Known {
    phone: Option<Phone>,
    confirmed: bool,
    has_password: bool,
    language: Locale,
}

/// Sends a code by SMS: to the stored telephone, or, if none is confirmed yet, to the one in the body; in an open session
/// to the new one in the body, which needs a proof of the last five minutes. A code ends after 5 minutes and belongs to
/// this sign-in, or this session, alone. A call that is refused because the last code is younger than 30 seconds counts
/// against no limit.
#[utoipa::path(post, path = "/api/Users/phone/challenge", tag = "Users", request_body = PhoneChallenge,
    responses((status = 200, body = PhoneChallengeAnswer)))]
pub async fn phone_challenge(
    State(app): State<App>,
    headers: HeaderMap,
    AnyStage(caller): AnyStage,
    Body(body): Body<PhoneChallenge>,
) -> Result<Json<PhoneChallengeAnswer>> {
    const KNOWN: &str = "SELECT phone, (phone_confirmed_at IS NOT NULL) AS confirmed, \
        (password_hash IS NOT NULL) AS has_password, language FROM users WHERE id = $1";
    const RETIRE: &str = "UPDATE codes SET used_at = $2 WHERE bound_to = $1 AND used_at IS NULL";
    const INSERT: &str = "INSERT INTO codes (id, user_id, bound_to, phone, hash, created_at, expires_at) \
        VALUES ($1, $2, $3, $4, $5, $6, $7)";
    let signed_in = caller.actor.stage == Stage::Full;
    if signed_in {
        proof::require_fresh(&app, &caller)?;
    }
    let user_id = caller.actor.user_id;
    let known: Known = app.db.query(KNOWN).bind(user_id).one().await?;
    if !known.has_password {
        return Err(Error::conflict("Please create your password first."));
    }
    let (phone, limits) = match known.phone.filter(|_| known.confirmed && !signed_in) {
        Some(stored) => {
            let device = sessions::known_device(&app, &headers, Some(user_id)).await?;
            (stored, CodeLimits::own_phone(user_id, device.as_deref(), &caller.requester))
        }
        None => {
            let typed = body.phone.as_deref().map(str::trim).filter(|phone| !phone.is_empty());
            let typed = typed.ok_or_else(|| Error::field("/phone", "Please enter your phone number"))?;
            let phone = Phone::parse_personal(typed).map_err(|message| Error::field("/phone", message))?;
            let requester = (!signed_in).then_some(&caller.requester);
            let limits = CodeLimits::new_phone(user_id, &phone, requester);
            (phone, limits)
        }
    };
    let now = app.now();
    let mut tx = app.db.begin().await?;
    wait_between(&mut tx, user_id, now).await?;
    limits.count(&mut tx, now).await?;
    let code = tokens::code(&app);
    tx.query(RETIRE).bind(caller.secret_hash.clone()).bind(now).execute().await?;
    tx.query(INSERT)
        .bind(app.id())
        .bind(user_id)
        .bind(caller.secret_hash.clone())
        .bind(phone.as_str().to_owned())
        .bind(tokens::code_hash(&caller.secret, phone.as_str(), &code))
        .bind(now)
        .bind(now.plus_minutes(CODE_MINUTES))
        .execute()
        .await?;
    let body = match known.language {
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
    outbox::put_until(&app, &mut tx, known.language, message, now.plus_minutes(CODE_MINUTES)).await?;
    tx.commit().await?;
    Ok(Json(PhoneChallengeAnswer { phone: phone.masked(), resend_after_seconds: RESEND_SECONDS }))
}

/// Refuses a code within 30 seconds of the last one. The user's row is locked first, so that two calls at the same
/// moment do not both pass.
async fn wait_between(tx: &mut berth_db::Tx, user_id: UserId, now: Timestamp) -> Result<()> {
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
