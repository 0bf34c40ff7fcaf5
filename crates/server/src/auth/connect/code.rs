//! `grant_type=two_factor_exchange`: exchanges a first-step token and a code for a session. The code is the one sent by SMS,
//! one of the user's authenticator app, or a recovery code. Each token allows five tries, counted before the code is
//! checked; every failure reads 'Invalid confirmation code.' (spec A 8).

use axum::response::Response;
use berth_domain::id::UserId;
use berth_domain::value::Phone;
use uuid::Uuid;

use super::enter::{Factor, OpenedSession, enter};
use super::{GrantRequest, TokenError};
use crate::admin::audit_log::{AuditAction, Author, Entry, ObjectKind};
use crate::auth::account::totp::{self, CodeCheck};
use crate::auth::code_limits::CodeLimits;
use crate::auth::sessions::{self, FIRST_STEP_COOKIE};
use crate::auth::tokens;
use crate::change::Change;
use crate::{App, Result, change};

/// Maximum number of codes tried with one first-step token.
pub const MAX_TRIES: i64 = berth_domain::limits::MAX_CODE_ATTEMPTS;

/// Checks the code and opens the session.
pub(super) async fn grant(request: GrantRequest) -> Result<Response, TokenError> {
    let app = &request.app;
    let token = request.form.pre_two_factor_token.clone();
    let token = token.or_else(|| sessions::cookie(&request.headers, FIRST_STEP_COOKIE).filter(|_| request.is_cookie));
    let (Some(token), Some(otp)) = (token, request.form.otp.as_deref()) else {
        return Err(TokenError::wrong_code(request.form.otp.is_some()));
    };
    let hash = tokens::hash(&token);
    let counted = count_try(app, &hash).await?;
    let (user_id, tries) = counted.ok_or_else(|| TokenError::wrong_code(true))?;
    let device = sessions::known_device(app, &request.headers, Some(user_id)).await?;
    let step = FirstStep { token, hash, user_id, tries, device };
    let code = Code::load(app, &step, otp).await?;
    let opened = open_session(&request, &step, &code, otp).await?;
    Ok(opened?.response(app))
}

/// The first step of a sign-in.
struct FirstStep {
    token: String,
    hash: String,
    user_id: UserId,
    /// Codes tried with the token, including this one.
    tries: i64,
    /// Hash of the device secret, for a known device.
    device: Option<String>,
}

/// Counts a try of a first-step token and returns its user and the number of tries. Commits on its own, so that parallel
/// requests cannot share a try. Returns `None` if the token is not valid any more.
async fn count_try(app: &App, hash: &str) -> Result<Option<(UserId, i64)>> {
    const COUNT: &str = "UPDATE secrets SET tries = tries + 1 WHERE hash = $1 AND kind = 'first_step' \
        AND used_at IS NULL AND expires_at > $2 AND tries < $3 RETURNING user_id, tries";
    change::run(app, Author::job(), |mut change| async move {
        let count = change.tx.query(COUNT).bind(hash.to_owned()).bind(change.now).bind(MAX_TRIES);
        let counted: Option<(UserId, i64)> = count.optional().await?;
        change.done(counted)
    })
    .await
}

/// What the code of a request is checked against. Loaded before the transaction.
enum Code {
    /// Equal to the code sent by SMS.
    Sms(SentCode),
    /// Still to be checked as an authenticator or recovery code.
    Other(CodeCheck),
    /// Wrong.
    Wrong,
}

#[derive(berth_db::FromRow)]
struct SentCode {
    id: Uuid,
    phone: String,
    hash: String,
}

impl Code {
    async fn load(app: &App, step: &FirstStep, otp: &str) -> Result<Self> {
        // A code for another phone than the one that was confirmed meanwhile is worth nothing.
        const SENT: &str = "SELECT c.id, c.phone, c.hash FROM codes c JOIN users u ON u.id = $3 \
            AND (u.phone_confirmed_at IS NULL OR u.phone = c.phone) WHERE c.bound_to = $1 AND c.used_at IS NULL \
            AND c.expires_at > $2 ORDER BY c.created_at DESC, c.id DESC LIMIT 1";
        let sent = app.db.query(SENT).bind(step.hash.clone()).bind(app.now()).bind(step.user_id);
        let sent: Option<SentCode> = sent.optional().await?;
        let digits: String = otp.chars().filter(char::is_ascii_digit).collect();
        let is_equal =
            |sent: &SentCode| tokens::same(&sent.hash, &tokens::code_hash(&step.token, &sent.phone, &digits));
        if let Some(sent) = sent.filter(is_equal) {
            return Ok(Self::Sms(sent));
        }
        let check = totp::prepare(app, step.user_id, step.device.as_deref()).await?;
        Ok(check.map_or(Self::Wrong, Self::Other))
    }

    /// Uses the code up. Returns `None` if it is wrong or was used before.
    async fn use_up(&self, change: &mut Change, user_id: UserId, otp: &str) -> Result<Option<Factor>> {
        const USE: &str = "UPDATE codes SET used_at = $2 WHERE id = $1 AND used_at IS NULL";
        match self {
            Self::Sms(sent) => {
                let used = change.tx.query(USE).bind(sent.id).bind(change.now).execute().await?;
                Ok((used == 1).then(|| Factor::Sms(sent.phone.clone())))
            }
            Self::Other(check) => Ok(check.use_up(change, user_id, otp).await?.map(Factor::Other)),
            Self::Wrong => Ok(None),
        }
    }
}

/// Uses the code up and opens a session. A wrong code is recorded although the request is rejected.
async fn open_session(
    request: &GrantRequest,
    step: &FirstStep,
    code: &Code,
    otp: &str,
) -> Result<Result<OpenedSession, TokenError>> {
    let by = Author { user_id: Some(step.user_id.0), ..request.stranger() };
    change::run(&request.app, by, |mut change| async move {
        let Some(factor) = code.use_up(&mut change, step.user_id, otp).await? else {
            let is_last = step.tries >= MAX_TRIES;
            if is_last {
                use_token(&mut change, &step.hash).await?;
            }
            let object = Some((ObjectKind::User, step.user_id.0));
            change.record(Entry::anywhere(AuditAction::CodeFailed, object, "wrong confirmation code")).await?;
            return change.done(Err(TokenError::wrong_code(is_last)));
        };
        if !use_token(&mut change, &step.hash).await? {
            return change::unchanged(Err(TokenError::wrong_code(true)));
        }
        give_codes_back(&mut change, request, step).await?;
        match enter(&mut change, request, step.user_id, &factor).await? {
            Some(opened) => change.done(Ok(opened)),
            None => change::unchanged(Err(TokenError::access_disabled())),
        }
    })
    .await
}

/// Uses a first-step token up. Returns false if it was used before.
async fn use_token(change: &mut Change, hash: &str) -> Result<bool> {
    const USE_TOKEN: &str = "UPDATE secrets SET used_at = $2 WHERE hash = $1 AND used_at IS NULL";
    Ok(change.tx.query(USE_TOKEN).bind(hash.to_owned()).bind(change.now).execute().await? == 1)
}

/// Returns the codes that led to this sign-in to their limits. Must run before the phone is confirmed, because the limits
/// depend on that.
async fn give_codes_back(change: &mut Change, request: &GrantRequest, step: &FirstStep) -> Result<()> {
    const CONFIRMED: &str = "SELECT (phone_confirmed_at IS NOT NULL) AS confirmed FROM users WHERE id = $1";
    const SENT: &str = "SELECT phone, COUNT(*) FROM codes WHERE bound_to = $1 GROUP BY phone ORDER BY phone";
    let is_confirmed: bool = change.tx.query(CONFIRMED).bind(step.user_id).scalar().await?;
    let sent: Vec<(Phone, i64)> = change.tx.query(SENT).bind(step.hash.clone()).all().await?;
    for (phone, codes) in sent {
        let limits = if is_confirmed {
            CodeLimits::own_phone(step.user_id, step.device.as_deref(), &request.requester)
        } else {
            CodeLimits::new_phone(step.user_id, &phone, Some(&request.requester))
        };
        limits.give_back(&mut change.tx, codes).await?;
    }
    Ok(())
}
