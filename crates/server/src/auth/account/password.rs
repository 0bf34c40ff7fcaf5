//! `PUT /api/Users/password`: a new password, in two strict forms: with the link of a mail, or with the old password in
//! an open session (spec A 7; security-and-proof 2.3, rows 11 and 14).

use axum::extract::State;
use berth_db::Tx;
use berth_domain::id::{SessionId, UserId};
use berth_domain::password::NewPassword;
use serde::Deserialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::letters::{self, Letter};
use super::proof;
use crate::admin::audit_log::{self, AuditAction, ObjectKind};
use crate::auth::caller::Caller;
use crate::auth::throttle::{self, LINK_REQUESTER};
use crate::auth::tokens;
use crate::http::body::{Body, Done, read};
use crate::http::requester::Requester;
use crate::{App, Error, Result};

/// A new password and what gives the right to set it: two forms, told apart by the fields of the link.
#[derive(ToSchema)]
#[serde(untagged)]
pub enum PasswordChange {
    /// By the link of a mail.
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

/// A new password by the link of a mail; nobody needs to be signed in.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PasswordReset {
    /// The one-time token of the link.
    token: String,
    /// The user of the link.
    user_id: UserId,
    /// 12 to 128 characters; see the rules of spec A 5.
    new_password: String,
}

/// A new password in an open session.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PasswordReplacement {
    /// The present password.
    old_password: String,
    /// 12 to 128 characters; see the rules of spec A 5.
    new_password: String,
}

/// What is known of a user and must not be in the password.
#[derive(berth_db::FromRow)]
struct Known {
    email: String,
    first_name: String,
    last_name: String,
}

/// Sets a new password: by the link of a mail (ends all sessions; the next sign-in still asks for the code) or with the
/// old password (ends the other sessions; needs a proof of the last five minutes).
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
    const KNOWN: &str = "SELECT u.email, u.first_name, u.last_name FROM secrets s \
        JOIN users u ON u.id = s.user_id AND u.deleted_at IS NULL WHERE s.hash = $1 AND s.kind = 'reset' \
        AND s.user_id = $2 AND s.used_at IS NULL AND s.expires_at > $3";
    const USE: &str = "UPDATE secrets SET used_at = $3 WHERE hash = $1 AND kind = 'reset' AND user_id = $2 \
        AND used_at IS NULL AND expires_at > $3";
    let expired =
        || Error::conflict_code("expired-link", "This link has been used or has expired. Please ask for a new one.");
    let by_requester = format!("reset-link:requester:{}", requester.network());
    throttle::attempt(&app.db, &by_requester, LINK_REQUESTER, app.now()).await?;
    let hash = tokens::hash(&reset.token);
    let known: Option<Known> =
        app.db.query(KNOWN).bind(hash.clone()).bind(reset.user_id).bind(app.now()).optional().await?;
    let known = known.ok_or_else(expired)?;
    let password = parse(&known, &reset.new_password)?;
    let password_hash = app.hasher.hash(app, password.as_str().to_owned()).await?;

    let mut tx = app.db.begin().await?;
    if tx.query(USE).bind(hash).bind(reset.user_id).bind(app.now()).execute().await? != 1 {
        return Err(expired());
    }
    store(app, &mut tx, reset.user_id, password_hash, None).await?;
    let by = audit_log::Author {
        user_id: Some(reset.user_id.0),
        email: Some(known.email.clone()),
        role: audit_log::strongest_role(&mut tx, reset.user_id).await?,
        ..audit_log::Author::stranger(requester)
    };
    let object = Some((ObjectKind::User, reset.user_id.0));
    let entry =
        audit_log::Entry::anywhere(AuditAction::PasswordReset, object, "new password by link; all sessions ended");
    audit_log::write(app, &mut tx, &by, &entry).await?;
    letters::send(app, &mut tx, reset.user_id, None, Letter::PasswordChanged).await?;
    tx.commit().await?;
    Ok(Done)
}

async fn in_session(app: &App, caller: &Caller, change: PasswordReplacement) -> Result<Done> {
    const KNOWN: &str = "SELECT email, first_name, last_name FROM users WHERE id = $1";
    proof::require_fresh(app, caller)?;
    let user_id = caller.actor.user_id;
    let known: Known = app.db.query(KNOWN).bind(user_id).one().await?;
    let password = parse(&known, &change.new_password)?;
    if !proof::is_password(app, caller, &change.old_password).await? {
        return Err(Error::field("/oldPassword", "The old password is incorrect."));
    }
    let password_hash = app.hasher.hash(app, password.as_str().to_owned()).await?;
    let mut tx = app.db.begin().await?;
    store(app, &mut tx, user_id, password_hash, caller.session_id).await?;
    let entry = audit_log::Entry::anywhere(
        AuditAction::PasswordChanged,
        Some((ObjectKind::User, user_id.0)),
        "new password; the other sessions ended",
    );
    audit_log::write(app, &mut tx, &audit_log::Author::caller(caller, None), &entry).await?;
    letters::send(app, &mut tx, user_id, None, Letter::PasswordChanged).await?;
    tx.commit().await?;
    Ok(Done)
}

fn parse(known: &Known, password: &str) -> Result<NewPassword> {
    let mut check = berth_domain::check::Check::new();
    let words = [known.email.as_str(), &known.first_name, &known.last_name];
    let password = check.field_all("/newPassword", NewPassword::parse_avoiding(password, &words));
    Ok(check.build(|| password)?)
}

/// Stores the hash, and ends what was opened with the old password: sessions but `kept`, sign-ins on their way, links.
async fn store(app: &App, tx: &mut Tx, user_id: UserId, hash: String, kept: Option<SessionId>) -> Result<()> {
    const SET: &str = "UPDATE users SET password_hash = $2 WHERE id = $1 AND deleted_at IS NULL \
        AND password_hash IS NOT NULL";
    if tx.query(SET).bind(user_id).bind(hash).execute().await? != 1 {
        return Err(Error::NotFound);
    }
    end_entries(app, tx, user_id, kept, "new password").await
}

/// Ends a user's sessions but `kept`, sign-ins on their way, and links that were mailed.
pub(super) async fn end_entries(
    app: &App,
    tx: &mut Tx,
    user_id: UserId,
    kept: Option<SessionId>,
    reason: &'static str,
) -> Result<()> {
    const END_ALL: &str = "UPDATE sessions SET ended_at = $2, end_reason = $3 WHERE user_id = $1 AND ended_at IS NULL";
    const END_OTHERS: &str = "UPDATE sessions SET ended_at = $2, end_reason = $3 WHERE user_id = $1 \
        AND ended_at IS NULL AND id <> $4";
    // A link that takes a change of email back stays good: whoever changed the email may have changed the password next.
    const BURN: &str = "UPDATE secrets SET used_at = $2 WHERE user_id = $1 AND used_at IS NULL \
        AND kind IN ('first_step', 'reset', 'email', 'invitation') AND (detail IS NULL OR detail NOT LIKE 'undo %')";
    let now = app.now();
    match kept {
        Some(kept) => tx.query(END_OTHERS).bind(user_id).bind(now).bind(reason).bind(kept).execute().await?,
        None => tx.query(END_ALL).bind(user_id).bind(now).bind(reason).execute().await?,
    };
    tx.query(BURN).bind(user_id).bind(now).execute().await?;
    Ok(())
}
