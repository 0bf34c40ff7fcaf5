//! `PUT /api/Users/phone`: changes the phone that receives codes, proved by a code sent to it (spec A 2, Profile).

use axum::extract::State;
use berth_domain::value::Phone;
use serde::Deserialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::mail::{self, Mail};
use super::proof;
use crate::admin::audit_log::{AuditAction, Author, Entry, ObjectKind};
use crate::auth::caller::Caller;
use crate::auth::code_limits::CodeLimits;
use crate::auth::sessions;
use crate::auth::throttle::{self, CODE_TRIES};
use crate::auth::tokens;
use crate::change::Change;
use crate::http::body::{Body, Done};
use crate::{App, Error, Result, change};

/// The new phone and the code that was sent to it.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PhoneChange {
    /// +1 and 10 digits.
    phone: String,
    /// The code.
    token: String,
}

#[derive(berth_db::FromRow)]
struct SentCode {
    id: Uuid,
    hash: String,
}

/// Changes the phone. Requires a proof from the last five minutes and the code that was sent for this session. Each code
/// allows five tries; every failure reads 'Invalid confirmation code.' (spec A 8).
#[utoipa::path(put, path = "/api/Users/phone", tag = "Users", request_body = PhoneChange,
    responses((status = 204, description = "the phone was changed")))]
pub async fn change_phone(State(app): State<App>, caller: Caller, Body(body): Body<PhoneChange>) -> Result<Done> {
    proof::require_fresh(&app, &caller)?;
    let phone = Phone::parse_personal(&body.phone).map_err(|message| Error::field("/phone", message))?;
    let Some(code_id) = find_code(&app, &caller, &phone, &body.token).await? else {
        record_failure(&app, &caller).await?;
        return Err(wrong_code());
    };
    let (caller, phone, user_id) = (&caller, &phone, caller.actor.user_id);
    change::run(&app, Author::caller(caller, None), |mut change| async move {
        confirm(&mut change, caller, phone, code_id).await?;
        let object = Some((ObjectKind::User, user_id.0));
        change.record(Entry::anywhere(AuditAction::PhoneChanged, object, "another telephone")).await?;
        mail::send(&mut change, user_id, None, Mail::PhoneChanged { phone: &phone.masked() }).await?;
        change.done(Done)
    })
    .await
}

async fn record_failure(app: &App, caller: &Caller) -> Result<()> {
    let object = Some((ObjectKind::User, caller.actor.user_id.0));
    let summary = "wrong confirmation code for another telephone";
    change::run(app, Author::caller(caller, None), |mut change| async move {
        change.record(Entry::anywhere(AuditAction::CodeFailed, object, summary)).await?;
        change.done(())
    })
    .await
}

fn wrong_code() -> Error {
    Error::field("/token", "Invalid confirmation code.")
}

/// Counts a try of the last code that was sent to `phone` and returns its id, or `None` if `token` is not that code.
async fn find_code(app: &App, caller: &Caller, phone: &Phone, token: &str) -> Result<Option<Uuid>> {
    const SENT: &str = "SELECT id, hash FROM codes WHERE bound_to = $1 AND phone = $2 AND used_at IS NULL \
        AND expires_at > $3 ORDER BY created_at DESC, id DESC LIMIT 1";
    let now = app.now();
    let sent = app.db.query(SENT).bind(caller.secret_hash.clone()).bind(phone.as_str().to_owned()).bind(now);
    let sent: SentCode = sent.optional().await?.ok_or_else(wrong_code)?;
    throttle::attempt(app, &format!("code:tries:{}", sent.id), CODE_TRIES, now)
        .await
        .map_err(|error| if matches!(error, Error::TooMany(_)) { wrong_code() } else { error })?;
    let code: String = token.chars().filter(char::is_ascii_digit).collect();
    let is_right = tokens::same(&sent.hash, &tokens::code_hash(&caller.secret, phone.as_str(), &code));
    Ok(is_right.then_some(sent.id))
}

/// Uses the code up and stores the phone.
async fn confirm(change: &mut Change, caller: &Caller, phone: &Phone, code_id: Uuid) -> Result<()> {
    const USE_CODE: &str = "UPDATE codes SET used_at = $2 WHERE id = $1 AND used_at IS NULL";
    const COUNT: &str = "SELECT COUNT(*) FROM codes WHERE bound_to = $1 AND phone = $2";
    const SET: &str = "UPDATE users SET phone = $2, phone_confirmed_at = $3 WHERE id = $1 AND deleted_at IS NULL";
    let user_id = caller.actor.user_id;
    let (tx, now) = (&mut change.tx, change.now);
    if tx.query(USE_CODE).bind(code_id).bind(now).execute().await? != 1 {
        return Err(wrong_code());
    }
    tx.query(SET).bind(user_id).bind(phone.as_str().to_owned()).bind(now).execute().await?;
    // Their codes were sent to the old phone.
    sessions::end_first_steps(change, user_id, None).await?;
    let tx = &mut change.tx;
    let codes = tx.query(COUNT).bind(caller.secret_hash.clone()).bind(phone.clone()).scalar().await?;
    CodeLimits::new_phone(user_id, phone, None).give_back(tx, codes).await
}
