//! `PUT /api/Users/phone`: another telephone for the codes, proved by a code sent to it (spec A 2, Profile).

use axum::extract::State;
use berth_domain::value::Phone;
use serde::Deserialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::letters::{self, Letter};
use super::proof;
use crate::admin::audit_log::{self, AuditAction, ObjectKind};
use crate::auth::caller::Caller;
use crate::auth::code_limits::CodeLimits;
use crate::auth::throttle::{self, CODE_TRIES};
use crate::auth::tokens;
use crate::http::body::{Body, Done};
use crate::{App, Error, Result};

/// The telephone and the code that was sent to it.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PhoneChange {
    /// +1 and 10 digits.
    phone: String,
    /// The code of the message.
    token: String,
}

#[derive(berth_db::FromRow)]
struct Sent {
    id: Uuid,
    hash: String,
}

/// Changes the telephone. Needs a proof of the last five minutes, and the code of the challenge of this session; five
/// tries a code, every failure reads 'Invalid confirmation code.' (spec A 8).
#[utoipa::path(put, path = "/api/Users/phone", tag = "Users", request_body = PhoneChange,
    responses((status = 204, description = "the telephone was changed")))]
pub async fn change_phone(State(app): State<App>, caller: Caller, Body(body): Body<PhoneChange>) -> Result<Done> {
    const SENT: &str = "SELECT id, hash FROM codes WHERE bound_to = $1 AND phone = $2 AND used_at IS NULL \
        AND expires_at > $3 ORDER BY created_at DESC, id DESC LIMIT 1";
    const USE: &str = "UPDATE codes SET used_at = $2 WHERE id = $1 AND used_at IS NULL";
    const COUNT: &str = "SELECT COUNT(*) FROM codes WHERE bound_to = $1 AND phone = $2";
    const SET: &str = "UPDATE users SET phone = $2, phone_confirmed_at = $3 WHERE id = $1 AND deleted_at IS NULL";
    // A sign-in on its way holds a code for the old telephone; let through, it would bring that one back.
    const BURN: &str = "UPDATE secrets SET used_at = $2 WHERE user_id = $1 AND kind = 'first_step' AND used_at IS NULL";
    proof::require_fresh(&app, &caller)?;
    let phone = Phone::parse_personal(&body.phone).map_err(|message| Error::field("/phone", message))?;
    let wrong = || Error::field("/token", "Invalid confirmation code.");
    let (now, user_id) = (app.now(), caller.actor.user_id);
    let sent: Option<Sent> = app
        .db
        .query(SENT)
        .bind(caller.secret_hash.clone())
        .bind(phone.as_str().to_owned())
        .bind(now)
        .optional()
        .await?;
    let sent = sent.ok_or_else(wrong)?;
    throttle::attempt(&app.db, &format!("code:tries:{}", sent.id), CODE_TRIES, now)
        .await
        .map_err(|error| if matches!(error, Error::TooMany(_)) { wrong() } else { error })?;
    let code: String = body.token.chars().filter(char::is_ascii_digit).collect();
    let right = tokens::same(&sent.hash, &tokens::code_hash(&caller.secret, phone.as_str(), &code));

    let mut tx = app.db.begin().await?;
    let by = audit_log::Author::caller(&caller, None);
    let object = Some((ObjectKind::User, user_id.0));
    if !right {
        let entry = audit_log::Entry::anywhere(
            AuditAction::CodeFailed,
            object,
            "wrong confirmation code for another telephone",
        );
        audit_log::write(&app, &mut tx, &by, &entry).await?;
        tx.commit().await?;
        return Err(wrong());
    }
    if tx.query(USE).bind(sent.id).bind(now).execute().await? != 1 {
        return Err(wrong());
    }
    tx.query(SET).bind(user_id).bind(phone.as_str().to_owned()).bind(now).execute().await?;
    tx.query(BURN).bind(user_id).bind(now).execute().await?;
    let codes = tx.query(COUNT).bind(caller.secret_hash.clone()).bind(phone.clone()).scalar().await?;
    CodeLimits::new_phone(user_id, &phone, None).give_back(&mut tx, codes).await?;
    audit_log::write(
        &app,
        &mut tx,
        &by,
        &audit_log::Entry::anywhere(AuditAction::PhoneChanged, object, "another telephone"),
    )
    .await?;
    letters::send(&app, &mut tx, user_id, None, Letter::PhoneChanged { phone: &phone.masked() }).await?;
    tx.commit().await?;
    Ok(Done)
}
