//! Authenticator apps (RFC 6238) and recovery codes: a second factor besides the code by SMS, which stays the default
//! (security-and-proof 2.3, row 2; docs/decisions/0013). They are set up, confirmed and turned off in an open session with a
//! proof from the last five minutes; each step is confirmed by email.

mod recovery;

use axum::Json;
use axum::extract::State;
use berth_db::Tx;
use berth_domain::id::UserId;
use serde::{Deserialize, Serialize};
use totp_rs::{Algorithm, Builder, Secret, Totp};
use utoipa::ToSchema;

use super::mail::{self, Mail};
use super::proof;
use crate::admin::audit_log::{AuditAction, Author, Entry, ObjectKind};
use crate::auth::caller::Caller;
use crate::auth::seal::{Keys, Purpose};
use crate::auth::throttle::{self, AUTHENTICATOR_USER};
use crate::change::Change;
use crate::http::body::{Body, Done};
use crate::{App, Error, Result, change};

/// Validity of a code, in seconds. The previous and the next code are accepted as well, since clocks differ.
const STEP_SECONDS: u64 = 30;
/// Message for every failure of a code (spec A 8).
const WRONG_CODE: &str = "Invalid confirmation code.";

/// The secret for an authenticator app.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AuthenticatorSetup {
    /// The secret in base32, to type it in.
    secret: String,
    /// The secret as an `otpauth:` URI.
    uri: String,
    /// The URI as a QR code: an SVG element.
    qr_svg: String,
}

/// A code from the app.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AuthenticatorCode {
    /// Six digits.
    token: String,
}

/// Recovery codes. They are shown only once.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RecoveryCodes {
    /// Ten codes, each valid for one sign-in.
    recovery_codes: Vec<String>,
}

/// The authenticator app of a user, as stored.
#[derive(berth_db::FromRow)]
struct StoredApp {
    totp_sealed: Option<String>,
    is_confirmed: bool,
}

const STORED: &str = "SELECT totp_sealed, (totp_confirmed_at IS NOT NULL) AS is_confirmed FROM users WHERE id = $1 AND deleted_at IS NULL";
/// Marks a 30-second step as used, so that a code works only once.
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

/// Returns the 30-second step of a code that is valid now.
fn step_of(app: &App, totp: &Totp, typed: &str) -> Option<i64> {
    let code: String = typed.chars().filter(char::is_ascii_digit).collect();
    let seconds = u64::try_from(app.now().millis() / 1000).unwrap_or_default();
    totp.check(&code, seconds).and_then(|step| i64::try_from(step).ok())
}

/// Creates a secret for an authenticator app and shows it. The app can be used after it is confirmed by a code.
#[utoipa::path(post, path = "/api/Users/totp", tag = "Users", responses((status = 200, body = AuthenticatorSetup),
    (status = 409, description = "there is an authenticator app already")))]
pub async fn set_up_authenticator(State(app): State<App>, caller: Caller) -> Result<Json<AuthenticatorSetup>> {
    proof::require_fresh(&app, &caller)?;
    let secret = app.random::<20>();
    let totp = totp(secret.to_vec(), &caller.email)?;
    let uri = totp.to_url().map_err(|error| Error::Internal(anyhow::anyhow!("authenticator: {error:?}")))?;
    let qr_svg = qr_svg(&uri)?;
    let sealed = Keys::load(&app, Purpose::SecondFactors).await?.seal(&app, caller.actor.user_id.0, &secret)?;
    store(&app, &caller, &sealed).await?;
    Ok(Json(AuthenticatorSetup { secret: totp.secret().to_base32(), uri, qr_svg }))
}

/// Returns a QR code as an SVG element.
fn qr_svg(uri: &str) -> Result<String> {
    let code = qrcode::QrCode::new(uri.as_bytes()).map_err(|error| Error::Internal(error.into()))?;
    let svg = code.render::<qrcode::render::svg::Color<'_>>().min_dimensions(200, 200).build();
    Ok(svg.split_once("?>").map_or(svg.as_str(), |(_, element)| element).to_owned())
}

/// Stores the sealed secret of an app that is still to be confirmed.
async fn store(app: &App, caller: &Caller, sealed: &str) -> Result<()> {
    const STORE: &str = "UPDATE users SET totp_sealed = $2, totp_last_step = 0 \
        WHERE id = $1 AND deleted_at IS NULL AND totp_confirmed_at IS NULL";
    let user_id = caller.actor.user_id;
    change::run(app, Author::caller(caller, None), |mut change| async move {
        if change.tx.query(STORE).bind(user_id).bind(sealed.to_owned()).execute().await? != 1 {
            return Err(Error::conflict("You already have an authenticator app. Turn it off first."));
        }
        let object = Some((ObjectKind::User, user_id.0));
        change.record(Entry::anywhere(AuditAction::TotpBegun, object, "an authenticator app is being set up")).await?;
        change.done(())
    })
    .await
}

/// Confirms the app by one of its codes and returns recovery codes.
#[utoipa::path(put, path = "/api/Users/totp", tag = "Users", request_body = AuthenticatorCode,
    responses((status = 200, body = RecoveryCodes)))]
pub async fn confirm_authenticator(
    State(app): State<App>,
    caller: Caller,
    Body(body): Body<AuthenticatorCode>,
) -> Result<Json<RecoveryCodes>> {
    let user_id = caller.actor.user_id;
    let limit_key = format!("totp:confirm:{user_id}");
    throttle::attempt(&app, &limit_key, AUTHENTICATOR_USER, app.now()).await?;
    let stored: StoredApp = app.db.query(STORED).bind(user_id).one().await?;
    let sealed = stored.totp_sealed.filter(|_| !stored.is_confirmed);
    let sealed = sealed.ok_or_else(|| Error::conflict("Start setting up the authenticator app again."))?;
    let keys = Keys::load(&app, Purpose::SecondFactors).await?;
    let totp = totp(keys.open(user_id.0, &sealed)?, &caller.email)?;
    let step = step_of(&app, &totp, &body.token).ok_or_else(wrong_code)?;
    let (sealed, keys, limit_key) = (&sealed, &keys, &limit_key);
    change::run(&app, Author::caller(&caller, None), |mut change| async move {
        confirm(&mut change, user_id, step, sealed).await?;
        let recovery_codes = recovery::replace(&mut change, keys, user_id).await?;
        throttle::forget(&mut change.tx, limit_key).await?;
        let (action, summary) = (AuditAction::TotpEnabled, "authenticator app set up");
        notify(&mut change, user_id, action, summary, Mail::AuthenticatorOn).await?;
        change.done(Json(RecoveryCodes { recovery_codes }))
    })
    .await
}

fn wrong_code() -> Error {
    Error::field("/token", WRONG_CODE)
}

async fn confirm(change: &mut Change, user_id: UserId, step: i64, sealed: &str) -> Result<()> {
    const CONFIRM: &str = "UPDATE users SET totp_confirmed_at = $2 WHERE id = $1 AND totp_confirmed_at IS NULL";
    let (tx, now) = (&mut change.tx, change.now);
    let is_used = tx.query(USE_STEP).bind(user_id).bind(step).bind(sealed.to_owned()).execute().await? == 1;
    if !is_used || tx.query(CONFIRM).bind(user_id).bind(now).execute().await? != 1 {
        return Err(wrong_code());
    }
    Ok(())
}

/// Turns the authenticator app off. Recovery codes stop working; codes by SMS still work.
#[utoipa::path(delete, path = "/api/Users/totp", tag = "Users",
    responses((status = 204, description = "there is no authenticator app any more")))]
pub async fn turn_off_authenticator(State(app): State<App>, caller: Caller) -> Result<Done> {
    proof::require_fresh(&app, &caller)?;
    let user_id = caller.actor.user_id;
    change::run(&app, Author::caller(&caller, None), |mut change| async move {
        if clear(&mut change.tx, user_id).await? {
            let (action, summary) = (AuditAction::TotpDisabled, "authenticator app turned off");
            notify(&mut change, user_id, action, summary, Mail::AuthenticatorOff).await?;
        }
        change.done(Done)
    })
    .await
}

/// Creates new recovery codes. The old ones stop working.
#[utoipa::path(post, path = "/api/Users/totp/recoveryCodes", tag = "Users",
    responses((status = 200, body = RecoveryCodes), (status = 409, description = "there is no authenticator app")))]
pub async fn renew_recovery_codes(State(app): State<App>, caller: Caller) -> Result<Json<RecoveryCodes>> {
    proof::require_fresh(&app, &caller)?;
    let user_id = caller.actor.user_id;
    let keys = &Keys::load(&app, Purpose::SecondFactors).await?;
    change::run(&app, Author::caller(&caller, None), |mut change| async move {
        let stored: StoredApp = change.tx.query(STORED).bind(user_id).one().await?;
        if !stored.is_confirmed {
            return Err(Error::conflict("Set up an authenticator app first."));
        }
        let recovery_codes = recovery::replace(&mut change, keys, user_id).await?;
        let (action, summary) = (AuditAction::TotpCodesRenewed, "new recovery codes");
        notify(&mut change, user_id, action, summary, Mail::RecoveryCodesReplaced).await?;
        change.done(Json(RecoveryCodes { recovery_codes }))
    })
    .await
}

/// Removes the app and the recovery codes. Returns true if there was a confirmed app.
pub(super) async fn clear(tx: &mut Tx, user_id: UserId) -> Result<bool> {
    const CONFIRMED: &str = "SELECT (totp_confirmed_at IS NOT NULL) AS is_confirmed FROM users WHERE id = $1";
    const CLEAR: &str = "UPDATE users SET totp_sealed = NULL, totp_confirmed_at = NULL, totp_last_step = 0 \
        WHERE id = $1 AND totp_sealed IS NOT NULL";
    let (is_confirmed,): (bool,) = tx.query(CONFIRMED).bind(user_id).one().await?;
    tx.query(CLEAR).bind(user_id).execute().await?;
    recovery::remove_all(tx, user_id).await?;
    Ok(is_confirmed)
}

/// Records a change of the second factor and sends an email about it.
async fn notify(
    change: &mut Change,
    user_id: UserId,
    action: AuditAction,
    summary: &str,
    mail: Mail<'_>,
) -> Result<()> {
    change.record(Entry::anywhere(action, Some((ObjectKind::User, user_id.0)), summary)).await?;
    mail::send(change, user_id, None, mail).await
}

/// The kind of a code that was not sent by SMS.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OtherFactor {
    /// A code from the authenticator app.
    Authenticator,
    /// A recovery code.
    Recovery,
}

/// Checks an authenticator or recovery code. Loaded before the transaction that uses the code up.
pub(crate) struct CodeCheck {
    keys: Keys,
    sealed: String,
    totp: Totp,
    /// Key of the limit that tries are counted by.
    limit_key: String,
}

/// Counts a try of an authenticator or recovery code and prepares its check. Tries are counted by user in addition to those of
/// the first-step token, so that starting over does not give someone who knows the password more tries; a known `device` has
/// a limit of its own. Returns `None` for a user without an app, and beyond the limit; codes by SMS still work then.
///
/// # Errors
/// [`Error::Internal`] if the app's secret cannot be opened.
pub(crate) async fn prepare(app: &App, user_id: UserId, device: Option<&str>) -> Result<Option<CodeCheck>> {
    let stored: Option<StoredApp> = app.db.query(STORED).bind(user_id).optional().await?;
    let Some(StoredApp { totp_sealed: Some(sealed), is_confirmed: true }) = stored else { return Ok(None) };
    let limit_key = device.map_or_else(|| format!("totp:user:{user_id}"), |device| format!("totp:device:{device}"));
    match throttle::attempt(app, &limit_key, AUTHENTICATOR_USER, app.now()).await {
        Err(Error::TooMany(_)) => return Ok(None),
        answer => answer?,
    }
    let keys = Keys::load(app, Purpose::SecondFactors).await?;
    // The account name is only shown in the list of the app.
    let totp = totp(keys.open(user_id.0, &sealed)?, "user")?;
    Ok(Some(CodeCheck { keys, sealed, totp, limit_key }))
}

impl CodeCheck {
    /// Uses a code up. Returns `None` if it is wrong or was used before.
    pub(crate) async fn use_up(
        &self,
        change: &mut Change,
        user_id: UserId,
        typed: &str,
    ) -> Result<Option<OtherFactor>> {
        let factor = if let Some(code) = recovery::parse(typed) {
            let is_right = recovery::use_up(change, &self.keys, user_id, &code).await?;
            is_right.then_some(OtherFactor::Recovery)
        } else if let Some(step) = step_of(&change.app, &self.totp, typed) {
            let step = change.tx.query(USE_STEP).bind(user_id).bind(step).bind(self.sealed.clone());
            (step.execute().await? == 1).then_some(OtherFactor::Authenticator)
        } else {
            None
        };
        if factor.is_some() {
            throttle::forget(&mut change.tx, &self.limit_key).await?;
        }
        if factor == Some(OtherFactor::Recovery) {
            let left = recovery::count_unused(&mut change.tx, user_id).await?;
            mail::send(change, user_id, None, Mail::RecoveryCodeUsed { left }).await?;
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
        // The last six digits of the RFC's table; one step before and one after are accepted, two are not.
        for (seconds, code) in [(59, "287082"), (1_111_111_109, "081804"), (20_000_000_000, "353130")] {
            let check = |time: u64| totp.as_ref().and_then(|totp| totp.check(code, time));
            assert_eq!(check(seconds), Some(seconds / 30));
            assert_eq!((check(seconds - 30), check(seconds + 30)), (Some(seconds / 30), Some(seconds / 30)));
            assert_eq!(check(seconds + 60), None);
        }
    }
}
