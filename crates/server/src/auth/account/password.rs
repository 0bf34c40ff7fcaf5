//! `PUT /api/Users/password`: sets a new password, with the link of an email or with the old password in an open session
//! (spec A 7; security-and-proof 2.3, rows 11 and 14).

use axum::extract::State;
use berth_domain::id::{SessionId, UserId};
use berth_domain::password::NewPassword;
use serde::Deserialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::mail::{self, Mail};
use super::proof;
use crate::admin::audit_log::{self, AuditAction, Author, Entry, ObjectKind};
use crate::auth::caller::Caller;
use crate::auth::links;
use crate::auth::tokens::{self, Kind};
use crate::change::Change;
use crate::http::body::{Body, Done, read};
use crate::http::requester::Requester;
use crate::{App, Error, Result, change};

/// A new password, with the link of an email or with the old password. The fields of the link tell the two apart.
#[derive(ToSchema)]
#[serde(untagged)]
pub enum PasswordChange {
    /// With the link of an email.
    Reset(PasswordReset),
    /// In an open session.
    Change(PasswordReplacement),
}

impl PasswordChange {
    fn read(body: Map<String, Value>) -> Result<Self> {
        let is_reset = body.contains_key("token") || body.contains_key("userId");
        let body = Value::Object(body);
        Ok(if is_reset { Self::Reset(read::value_of(body)?) } else { Self::Change(read::value_of(body)?) })
    }
}

/// A new password with the link of an email. Needs no session.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PasswordReset {
    /// One-time token of the link.
    token: String,
    /// User of the link.
    user_id: UserId,
    /// 12 to 128 characters; see the rules of spec A 5.
    new_password: String,
}

/// A new password in an open session.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PasswordReplacement {
    /// Current password.
    old_password: String,
    /// 12 to 128 characters; see the rules of spec A 5.
    new_password: String,
}

/// Words that must not be part of the password.
#[derive(berth_db::FromRow)]
struct PersonalWords {
    email: String,
    first_name: String,
    last_name: String,
}

/// Sets a new password. With the link of an email, all sessions end, and the next sign-in still asks for a code. With the old
/// password, the other sessions end, and a proof from the last five minutes is required.
#[utoipa::path(put, path = "/api/Users/password", tag = "Users", request_body = PasswordChange,
    responses((status = 204, description = "the password was set")))]
pub async fn change_password(
    State(app): State<App>,
    requester: Requester,
    caller: Result<Caller>,
    Body(body): Body<Map<String, Value>>,
) -> Result<Done> {
    match PasswordChange::read(body)? {
        PasswordChange::Reset(reset) => by_link(&app, &requester, reset).await,
        PasswordChange::Change(change) => in_session(&app, &caller?, change).await,
    }
}

async fn by_link(app: &App, requester: &Requester, reset: PasswordReset) -> Result<Done> {
    const WORDS: &str = "SELECT u.email, u.first_name, u.last_name FROM secrets s \
        JOIN users u ON u.id = s.user_id AND u.deleted_at IS NULL WHERE s.hash = $1 AND s.kind = 'reset' \
        AND s.user_id = $2 AND s.used_at IS NULL AND s.expires_at > $3";
    let (link_hash, user_id) = (tokens::hash(&reset.token), reset.user_id);
    links::require_known(app, requester, (Kind::Reset, "reset-link"), &reset.token, user_id).await?;
    let words = app.db.query(WORDS).bind(link_hash.clone()).bind(user_id).bind(app.now()).optional().await?;
    let words: PersonalWords = words.ok_or_else(links::expired)?;
    let password = parse(&words, &reset.new_password)?;
    let password_hash = app.hasher.hash(app, password.as_str().to_owned()).await?;
    let by = Author { user_id: Some(user_id.0), email: Some(words.email), ..Author::stranger(requester) };
    reset_password(app, by, user_id, &link_hash, &password_hash).await
}

/// Uses the link up and stores the new hash.
async fn reset_password(app: &App, by: Author, user_id: UserId, link_hash: &str, password_hash: &str) -> Result<Done> {
    const USE: &str = "UPDATE secrets SET used_at = $3 WHERE hash = $1 AND kind = 'reset' AND user_id = $2 \
        AND used_at IS NULL AND expires_at > $3";
    change::run(app, by, |mut change| async move {
        let link = change.tx.query(USE).bind(link_hash.to_owned()).bind(user_id).bind(change.now);
        if link.execute().await? != 1 {
            return Err(links::expired());
        }
        store(&mut change, user_id, password_hash, None).await?;
        change.by.role = audit_log::strongest_role(&mut change.tx, user_id).await?;
        let object = Some((ObjectKind::User, user_id.0));
        let summary = "new password by link; all sessions ended";
        change.record(Entry::anywhere(AuditAction::PasswordReset, object, summary)).await?;
        mail::send(&mut change, user_id, None, Mail::PasswordChanged).await?;
        change.done(Done)
    })
    .await
}

async fn in_session(app: &App, caller: &Caller, input: PasswordReplacement) -> Result<Done> {
    const WORDS: &str = "SELECT email, first_name, last_name FROM users WHERE id = $1";
    proof::require_fresh(app, caller)?;
    let user_id = caller.actor.user_id;
    let words: PersonalWords = app.db.query(WORDS).bind(user_id).one().await?;
    let password = parse(&words, &input.new_password)?;
    if !proof::is_password(app, caller, &input.old_password).await? {
        return Err(Error::field("/oldPassword", "The old password is incorrect."));
    }
    let hash = &app.hasher.hash(app, password.as_str().to_owned()).await?;
    change::run(app, Author::caller(caller, None), |mut change| async move {
        store(&mut change, user_id, hash, caller.session_id).await?;
        let object = Some((ObjectKind::User, user_id.0));
        let summary = "new password; the other sessions ended";
        change.record(Entry::anywhere(AuditAction::PasswordChanged, object, summary)).await?;
        mail::send(&mut change, user_id, None, Mail::PasswordChanged).await?;
        change.done(Done)
    })
    .await
}

fn parse(words: &PersonalWords, password: &str) -> Result<NewPassword> {
    let mut check = berth_domain::check::Check::new();
    let words = [words.email.as_str(), &words.first_name, &words.last_name];
    let password = check.field_all("/newPassword", NewPassword::parse_avoiding(password, &words));
    Ok(check.build(|| password)?)
}

/// Stores the hash of a new password and ends the access that the old one gave, except for the session `kept`.
async fn store(change: &mut Change, user_id: UserId, hash: &str, kept: Option<SessionId>) -> Result<()> {
    const SET: &str = "UPDATE users SET password_hash = $2 WHERE id = $1 AND deleted_at IS NULL \
        AND password_hash IS NOT NULL";
    if change.tx.query(SET).bind(user_id).bind(hash.to_owned()).execute().await? != 1 {
        return Err(Error::NotFound);
    }
    end_access(change, user_id, kept, "new password").await
}

/// Ends a user's sessions except `kept`, sign-ins in progress, and links that were mailed.
pub(super) async fn end_access(
    change: &mut Change,
    user_id: UserId,
    kept: Option<SessionId>,
    reason: &'static str,
) -> Result<()> {
    const END_ALL: &str = "UPDATE sessions SET ended_at = $2, end_reason = $3 WHERE user_id = $1 AND ended_at IS NULL";
    const END_OTHERS: &str = "UPDATE sessions SET ended_at = $2, end_reason = $3 WHERE user_id = $1 \
        AND ended_at IS NULL AND id <> $4";
    // A link that undoes a change of email stays valid: an attacker who changed the email may change the password next.
    const USE_SECRETS: &str = "UPDATE secrets SET used_at = $2 WHERE user_id = $1 AND used_at IS NULL \
        AND kind IN ('first_step', 'reset', 'email', 'invitation') AND (detail IS NULL OR detail NOT LIKE 'undo %')";
    let (tx, now) = (&mut change.tx, change.now);
    match kept {
        Some(kept) => tx.query(END_OTHERS).bind(user_id).bind(now).bind(reason).bind(kept).execute().await?,
        None => tx.query(END_ALL).bind(user_id).bind(now).bind(reason).execute().await?,
    };
    tx.query(USE_SECRETS).bind(user_id).bind(now).execute().await?;
    Ok(())
}
