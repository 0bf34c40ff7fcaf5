//! Authenticator apps (RFC 6238) and recovery codes: a second factor beside the code by SMS, which stays the default
//! (security-and-proof 2.3, row 2; docs/decisions/0013). Set up, confirmed and turned off in an open session with a proof
//! of the last five minutes; the mailbox is told of each step.

mod recovery;

use axum::Json;
use axum::extract::State;
use berth_db::Tx;
use berth_domain::id::UserId;
use serde::{Deserialize, Serialize};
use totp_rs::{Algorithm, Builder, Secret, Totp};
use utoipa::ToSchema;

use super::letters::{self, Letter};
use super::proof;
use crate::admin::audit_log::{self, AuditAction, ObjectKind};
use crate::auth::caller::Caller;
use crate::auth::seal::{Keys, Purpose};
use crate::auth::throttle::{self, AUTHENTICATOR_USER};
use crate::http::body::{Body, Done};
use crate::{App, Error, Result};

/// Seconds that a code lasts; one before and one after are taken too, since clocks differ.
const STEP_SECONDS: u64 = 30;
/// Every failure of a code reads like this (spec A 8).
const WRONG: &str = "Invalid confirmation code.";

/// What an authenticator app needs.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AuthenticatorSetup {
    /// The secret in base32, for typing.
    secret: String,
    /// The same as an `otpauth:` address.
    uri: String,
    /// The same as a picture: an SVG element.
    qr_svg: String,
}

/// A code of the app.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AuthenticatorCode {
    /// Six digits.
    token: String,
}

/// Codes to be kept in a safe place; shown once.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RecoveryCodes {
    /// Ten codes, each good for one sign-in.
    recovery_codes: Vec<String>,
}

/// An app as stored.
#[derive(berth_db::FromRow)]
struct Stored {
    totp_sealed: Option<String>,
    is_confirmed: bool,
}

const STORED: &str = "SELECT totp_sealed, (totp_confirmed_at IS NOT NULL) AS is_confirmed FROM users WHERE id = $1 AND deleted_at IS NULL";
/// Each step of 30 seconds counts once: whoever saw a code cannot use it again.
const USE_STEP: &str =
    "UPDATE users SET totp_last_step = $2 WHERE id = $1 AND totp_last_step < $2 AND totp_sealed = $3";

fn totp(secret: Vec<u8>, email: &str) -> Result<Totp> {
    Builder::new()
        .with_algorithm(Algorithm::SHA1)
        .with_digits(6)
        .with_skew(1)
        .with_step_duration(STEP_SECONDS)
        .with_secret(Secret::new(secret.into()))
        .with_account_name(email)
        .with_issuer(Some("Berth"))
        .build()
        .map_err(|error| Error::Internal(anyhow::anyhow!("authenticator: {error:?}")))
}

/// The 30-second step that a code stands for, now or next to now.
fn step_of(app: &App, totp: &Totp, typed: &str) -> Option<i64> {
    let code: String = typed.chars().filter(char::is_ascii_digit).collect();
    let seconds = u64::try_from(app.now().millis() / 1000).unwrap_or_default();
    totp.check(&code, seconds).and_then(|step| i64::try_from(step).ok())
}

/// Begins: makes a secret and shows it. It counts once a code of the app has come back.
#[utoipa::path(post, path = "/api/Users/totp", tag = "Users", responses((status = 200, body = AuthenticatorSetup),
    (status = 409, description = "there is one already")))]
pub async fn set_up_authenticator(State(app): State<App>, caller: Caller) -> Result<Json<AuthenticatorSetup>> {
    const STORE: &str = "UPDATE users SET totp_sealed = $2, totp_last_step = 0 \
        WHERE id = $1 AND deleted_at IS NULL AND totp_confirmed_at IS NULL";
    proof::require_fresh(&app, &caller)?;
    let user_id = caller.actor.user_id;
    let secret = app.random::<20>();
    let totp = totp(secret.to_vec(), &caller.email)?;
    let uri = totp.to_url().map_err(|error| Error::Internal(anyhow::anyhow!("authenticator: {error:?}")))?;
    let code = qrcode::QrCode::new(uri.as_bytes()).map_err(|error| Error::Internal(error.into()))?;
    let svg = code.render::<qrcode::render::svg::Color<'_>>().min_dimensions(200, 200).build();
    let qr_svg = svg.split_once("?>").map_or(svg.as_str(), |(_, element)| element).to_owned();
    let sealed = Keys::load(&app, Purpose::SecondFactors).await?.seal(&app, user_id.0, &secret)?;
    let mut tx = app.db.begin().await?;
    if tx.query(STORE).bind(user_id).bind(sealed).execute().await? != 1 {
        return Err(Error::conflict("You already have an authenticator app. Turn it off first."));
    }
    let entry = audit_log::Entry::anywhere(
        AuditAction::TotpBegun,
        Some((ObjectKind::User, user_id.0)),
        "an authenticator app is being set up",
    );
    audit_log::write(&app, &mut tx, &audit_log::Author::caller(&caller, None), &entry).await?;
    tx.commit().await?;
    Ok(Json(AuthenticatorSetup { secret: totp.secret().to_base32(), uri, qr_svg }))
}

/// Confirms the app by one of its codes, and shows the recovery codes.
#[utoipa::path(put, path = "/api/Users/totp", tag = "Users", request_body = AuthenticatorCode,
    responses((status = 200, body = RecoveryCodes)))]
pub async fn confirm_authenticator(
    State(app): State<App>,
    caller: Caller,
    Body(body): Body<AuthenticatorCode>,
) -> Result<Json<RecoveryCodes>> {
    const CONFIRM: &str = "UPDATE users SET totp_confirmed_at = $2 WHERE id = $1 AND totp_confirmed_at IS NULL";
    let user_id = caller.actor.user_id;
    throttle::attempt(&app.db, &format!("totp:confirm:{user_id}"), AUTHENTICATOR_USER, app.now()).await?;
    let stored: Stored = app.db.query(STORED).bind(user_id).one().await?;
    let sealed = stored.totp_sealed.filter(|_| !stored.is_confirmed);
    let sealed = sealed.ok_or_else(|| Error::conflict("Start setting up the authenticator app again."))?;
    let keys = Keys::load(&app, Purpose::SecondFactors).await?;
    let totp = totp(keys.open(user_id.0, &sealed)?, &caller.email)?;
    let step = step_of(&app, &totp, &body.token).ok_or_else(|| Error::field("/token", WRONG))?;
    let mut tx = app.db.begin().await?;
    let used = tx.query(USE_STEP).bind(user_id).bind(step).bind(sealed).execute().await? == 1;
    if !used || tx.query(CONFIRM).bind(user_id).bind(app.now()).execute().await? != 1 {
        return Err(Error::field("/token", WRONG));
    }
    let recovery_codes = recovery::renew(&app, &mut tx, &keys, user_id).await?;
    throttle::forget(&mut tx, &format!("totp:confirm:{user_id}")).await?;
    note(&app, &mut tx, &caller, AuditAction::TotpEnabled, "authenticator app set up", Letter::AuthenticatorOn).await?;
    tx.commit().await?;
    Ok(Json(RecoveryCodes { recovery_codes }))
}

/// Turns the app off; recovery codes are void then. The code by SMS stays.
#[utoipa::path(delete, path = "/api/Users/totp", tag = "Users",
    responses((status = 204, description = "there is no authenticator app any more")))]
pub async fn turn_off_authenticator(State(app): State<App>, caller: Caller) -> Result<Done> {
    proof::require_fresh(&app, &caller)?;
    let mut tx = app.db.begin().await?;
    if clear(&mut tx, caller.actor.user_id).await? {
        note(
            &app,
            &mut tx,
            &caller,
            AuditAction::TotpDisabled,
            "authenticator app turned off",
            Letter::AuthenticatorOff,
        )
        .await?;
    }
    tx.commit().await?;
    Ok(Done)
}

/// Makes new recovery codes; the old ones are void.
#[utoipa::path(post, path = "/api/Users/totp/recoveryCodes", tag = "Users",
    responses((status = 200, body = RecoveryCodes), (status = 409, description = "there is no authenticator app")))]
pub async fn renew_recovery_codes(State(app): State<App>, caller: Caller) -> Result<Json<RecoveryCodes>> {
    proof::require_fresh(&app, &caller)?;
    let user_id = caller.actor.user_id;
    let keys = Keys::load(&app, Purpose::SecondFactors).await?;
    let mut tx = app.db.begin().await?;
    let stored: Stored = tx.query(STORED).bind(user_id).one().await?;
    if !stored.is_confirmed {
        return Err(Error::conflict("Set up an authenticator app first."));
    }
    let recovery_codes = recovery::renew(&app, &mut tx, &keys, user_id).await?;
    let letter = Letter::RecoveryCodesRenewed;
    note(&app, &mut tx, &caller, AuditAction::TotpCodesRenewed, "new recovery codes", letter).await?;
    tx.commit().await?;
    Ok(Json(RecoveryCodes { recovery_codes }))
}

/// Removes app and recovery codes; true if there was an app that counted.
pub(super) async fn clear(tx: &mut Tx, user_id: UserId) -> Result<bool> {
    const COUNTED: &str = "SELECT (totp_confirmed_at IS NOT NULL) AS counted FROM users WHERE id = $1";
    const CLEAR: &str = "UPDATE users SET totp_sealed = NULL, totp_confirmed_at = NULL, totp_last_step = 0 \
        WHERE id = $1 AND totp_sealed IS NOT NULL";
    let (counted,): (bool,) = tx.query(COUNTED).bind(user_id).one().await?;
    tx.query(CLEAR).bind(user_id).execute().await?;
    recovery::remove(tx, user_id).await?;
    Ok(counted)
}

/// A row of the trail and a mail.
async fn note(
    app: &App,
    tx: &mut Tx,
    caller: &Caller,
    action: AuditAction,
    summary: &str,
    letter: Letter<'_>,
) -> Result<()> {
    let entry = audit_log::Entry::anywhere(action, Some((ObjectKind::User, caller.actor.user_id.0)), summary);
    audit_log::write(app, tx, &audit_log::Author::caller(caller, None), &entry).await?;
    letters::send(app, tx, caller.actor.user_id, None, letter).await
}

/// What a code other than one by SMS turned out to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OtherFactor {
    /// Of the authenticator app.
    Authenticator,
    /// A recovery code.
    Recovery,
}

/// What is needed to check such a code, read before the transaction that uses it up.
pub(crate) struct Check {
    keys: Keys,
    sealed: String,
    totp: Totp,
    /// What the tries are counted by.
    tries: String,
}

/// Prepares the check of a code of the app or a recovery code; none for a user without an app. Tries are counted by user
/// beside those of the first-step token, so that somebody who knows the password cannot go on with new first steps;
/// codes by SMS work on meanwhile. A known `device` has tries of its own, which nobody else uses up.
///
/// # Errors
/// Those of the database, or when the app's secret cannot be opened.
pub(crate) async fn prepare(app: &App, user_id: UserId, device: Option<&str>) -> Result<Option<Check>> {
    let stored: Option<Stored> = app.db.query(STORED).bind(user_id).optional().await?;
    let Some(Stored { totp_sealed: Some(sealed), is_confirmed: true }) = stored else { return Ok(None) };
    let tries = device.map_or_else(|| format!("totp:user:{user_id}"), |device| format!("totp:device:{device}"));
    match throttle::attempt(&app.db, &tries, AUTHENTICATOR_USER, app.now()).await {
        Err(Error::TooMany(_)) => return Ok(None),
        answer => answer?,
    }
    let keys = Keys::load(app, Purpose::SecondFactors).await?;
    // The name is only for the app's list.
    let totp = totp(keys.open(user_id.0, &sealed)?, "user")?;
    Ok(Some(Check { keys, sealed, totp, tries }))
}

impl Check {
    /// Uses a code up, if it is right and was not used before.
    pub(crate) async fn spend(
        &self,
        app: &App,
        tx: &mut Tx,
        user_id: UserId,
        typed: &str,
    ) -> Result<Option<OtherFactor>> {
        let factor = if let Some(code) = recovery::plain(typed) {
            let is_right = recovery::spend(app, tx, &self.keys, user_id, &code).await?;
            is_right.then_some(OtherFactor::Recovery)
        } else if let Some(step) = step_of(app, &self.totp, typed) {
            let used = tx.query(USE_STEP).bind(user_id).bind(step).bind(self.sealed.clone()).execute().await?;
            (used == 1).then_some(OtherFactor::Authenticator)
        } else {
            None
        };
        if factor.is_some() {
            throttle::forget(tx, &self.tries).await?;
        }
        if factor == Some(OtherFactor::Recovery) {
            let left = recovery::left(tx, user_id).await?;
            letters::send(app, tx, user_id, None, Letter::RecoveryCodeUsed { left }).await?;
        }
        Ok(factor)
    }
}

#[cfg(test)]
mod tests {
    use super::totp;

    #[test]
    fn codes_are_those_of_rfc_6238() {
        let totp = totp(b"12345678901234567890".to_vec(), "ana@test.example").ok();
        // The last six digits of the RFC's table; one step before and one after are taken, two are not.
        for (seconds, code) in [(59, "287082"), (1_111_111_109, "081804"), (20_000_000_000, "353130")] {
            let check = |time: u64| totp.as_ref().and_then(|totp| totp.check(code, time));
            assert_eq!(check(seconds), Some(seconds / 30));
            assert_eq!((check(seconds - 30), check(seconds + 30)), (Some(seconds / 30), Some(seconds / 30)));
            assert_eq!(check(seconds + 60), None);
        }
    }
}
