//! Change of email: requested in an open session and confirmed by a link to the new address. The old address gets a link to
//! undo it (spec A 2, Profile; security-and-proof 2.3, rows 8, 10 and 14).

use axum::Json;
use axum::extract::State;
use berth_db::Tx;
use berth_domain::id::UserId;
use berth_domain::time::Timestamp;
use berth_domain::value::{Email, search_key};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::mail::{self, Mail};
use super::{password, proof};
use crate::admin::audit_log::{AuditAction, Author, Entry, ObjectKind};
use crate::auth::caller::Caller;
use crate::auth::links::{self, Target};
use crate::auth::sessions;
use crate::auth::throttle::{self, BUSYNESS_USER, LINK_MAIL};
use crate::auth::tokens::{self, Kind};
use crate::change::Change;
use crate::http::body::{Body, Done, Query};
use crate::http::requester::Requester;
use crate::{App, Error, Result, change};

/// Lifetime of a link, in minutes.
const LINK_MINUTES: i64 = berth_domain::limits::LINK_MINUTES;
/// How long the old address can undo a change, in hours.
const UNDO_HOURS: i64 = 72;
/// Prefix of the `detail` of a secret that undoes a change; the old address follows.
const UNDO_PREFIX: &str = "undo ";

/// The email to look up.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct BusynessQuery {
    /// Email.
    email: String,
}

/// Whether an email is taken.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Busyness {
    /// True if another account uses the email.
    is_busy: bool,
}

/// Returns whether another account uses an email. Limited to ten requests an hour; each is recorded.
#[utoipa::path(get, path = "/api/Users/emailBusyness", tag = "Users", params(BusynessQuery),
    responses((status = 200, body = Busyness)))]
pub async fn email_busyness(
    State(app): State<App>,
    caller: Caller,
    Query(query): Query<BusynessQuery>,
) -> Result<Json<Busyness>> {
    let email = Email::parse(&query.email).map_err(|message| Error::field("/email", message))?;
    let user_id = caller.actor.user_id;
    throttle::attempt(&app, &format!("busyness:user:{user_id}"), BUSYNESS_USER, app.now()).await?;
    let email = &email;
    change::run(&app, Author::caller(&caller, None), |mut change| async move {
        let is_busy = is_taken(&mut change.tx, email, user_id).await?;
        change.record(Entry::anywhere(AuditAction::EmailLookedUp, None, "asked whether an email is taken")).await?;
        change.done(Json(Busyness { is_busy }))
    })
    .await
}

/// Returns true if a user other than `user_id` has this email.
async fn is_taken(tx: &mut Tx, email: &Email, user_id: UserId) -> Result<bool> {
    const TAKEN_BY: &str = "SELECT id FROM users WHERE email_key = $1 AND deleted_at IS NULL AND id <> $2";
    let other = tx.query(TAKEN_BY).bind(search_key(email.as_str())).bind(user_id);
    Ok(other.optional::<(UserId,)>().await?.is_some())
}

/// The new email and where the link to it leads.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EmailChallenge {
    /// The new email.
    email: String,
    /// Where the link in the email leads: an origin of this site, with or without `/confirm-email`.
    redirect_uri: String,
}

/// Mails a link to a new email. Requires a proof from the last five minutes. The answer does not reveal whether the email is
/// taken.
#[utoipa::path(post, path = "/api/Users/email/challenge", tag = "Users", request_body = EmailChallenge,
    responses((status = 204, description = "a link was sent if the email is not taken")))]
pub async fn email_challenge(State(app): State<App>, caller: Caller, Body(body): Body<EmailChallenge>) -> Result<Done> {
    proof::require_fresh(&app, &caller)?;
    let target = Target::parse(&app, &body.redirect_uri, "/confirm-email")?;
    let email = Email::parse(&body.email).map_err(|message| Error::field("/email", message))?;
    let (now, user_id) = (app.now(), caller.actor.user_id);
    let address = tokens::hash(&search_key(email.as_str()));
    throttle::attempt(&app, &format!("email:requester:{}", caller.requester.network()), LINK_MAIL, now).await?;
    throttle::attempt(&app, &format!("email:address:{address}"), LINK_MAIL, now).await?;
    let (target, email) = (&target, &email);
    change::run(&app, Author::caller(&caller, None), |mut change| async move {
        send_link(&mut change, user_id, email, target).await?;
        let object = Some((ObjectKind::User, user_id.0));
        change.record(Entry::anywhere(AuditAction::EmailChangeAsked, object, "another email was asked for")).await?;
        change.done(Done)
    })
    .await
}

/// Mails a link to a new email unless it is taken. Earlier links to new emails stop working.
async fn send_link(change: &mut Change, user_id: UserId, email: &Email, target: &Target) -> Result<()> {
    // Links that undo an earlier change stay valid.
    const RETIRE: &str = "UPDATE secrets SET used_at = $2 WHERE user_id = $1 AND kind = 'email' AND used_at IS NULL \
        AND (detail IS NULL OR detail NOT LIKE 'undo %')";
    change.tx.query(RETIRE).bind(user_id).bind(change.now).execute().await?;
    if is_taken(&mut change.tx, email, user_id).await? {
        return Ok(());
    }
    let ends = change.now.plus_minutes(LINK_MINUTES);
    let secret = issue_link(change, user_id, email.as_str(), ends).await?;
    let link = target.with(&secret, &user_id.to_string());
    let mail = Mail::ConfirmEmail { link: &link, minutes: LINK_MINUTES };
    mail::send(change, user_id, Some(email.as_str()), mail).await
}

/// Creates the secret of a link that sets an email: `detail` is the email, after [`UNDO_PREFIX`] if the link undoes a change.
async fn issue_link(change: &mut Change, user_id: UserId, detail: &str, ends: Timestamp) -> Result<String> {
    const SET_DETAIL: &str = "UPDATE secrets SET detail = $2 WHERE hash = $1";
    let secret = sessions::issue(&change.app, &mut change.tx, Kind::Email, user_id, None, ends).await?;
    change.tx.query(SET_DETAIL).bind(tokens::hash(&secret)).bind(detail.to_owned()).execute().await?;
    Ok(secret)
}

/// The parameters of the link in an email.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EmailChange {
    /// One-time token of the link.
    token: String,
    /// User of the link.
    user_id: UserId,
}

/// Sets the email that a link was sent for: a new one, or the old one to undo a change. Needs no session, since the link may be
/// opened in another browser. The link to the old email can undo a change for three days; this ends all sessions and all links
/// that were mailed.
#[utoipa::path(put, path = "/api/Users/email", tag = "Users", request_body = EmailChange,
    responses((status = 204, description = "the email was changed")))]
pub async fn change_email(State(app): State<App>, requester: Requester, Body(body): Body<EmailChange>) -> Result<Done> {
    let (body, user_id) = (&body, body.user_id);
    links::require_known(&app, &requester, (Kind::Email, "email-link"), &body.token, user_id).await?;
    let by = Author { user_id: Some(user_id.0), ..Author::stranger(&requester) };
    change::run(&app, by, |mut change| async move {
        let link = UsedLink::load(&mut change, body).await?;
        set_email(&mut change.tx, user_id, &link.email).await?;
        change.by.email = Some(link.old_email.clone());
        let object = Some((ObjectKind::User, user_id.0));
        if link.is_undo {
            undo(&mut change, user_id, &link).await?;
            let summary = "the old email again; all sessions ended";
            change.record(Entry::anywhere(AuditAction::EmailChangeUndone, object, summary)).await?;
        } else {
            let summary = "another email, confirmed by link";
            change.record(Entry::anywhere(AuditAction::EmailChanged, object, summary)).await?;
            notify_old_email(&mut change, user_id, &link.old_email).await?;
        }
        change.done(Done)
    })
    .await
}

/// A link that was just used up.
struct UsedLink {
    /// The email to set.
    email: Email,
    /// The email until now.
    old_email: String,
    /// True if the link undoes a change.
    is_undo: bool,
    created_at: Timestamp,
}

impl UsedLink {
    async fn load(change: &mut Change, input: &EmailChange) -> Result<Self> {
        const USE: &str = "UPDATE secrets SET used_at = $3 WHERE hash = $1 AND kind = 'email' AND user_id = $2 \
            AND used_at IS NULL AND expires_at > $3 RETURNING detail, created_at";
        const OLD_EMAIL: &str = "SELECT email FROM users WHERE id = $1 AND deleted_at IS NULL";
        let (tx, hash) = (&mut change.tx, tokens::hash(&input.token));
        let used: Option<(Option<String>, Timestamp)> =
            tx.query(USE).bind(hash).bind(input.user_id).bind(change.now).optional().await?;
        let old: Option<(String,)> = tx.query(OLD_EMAIL).bind(input.user_id).optional().await?;
        let (Some((Some(detail), created_at)), Some((old_email,))) = (used, old) else {
            return Err(links::expired());
        };
        let (email, is_undo) = match detail.strip_prefix(UNDO_PREFIX) {
            Some(email) => (email, true),
            None => (detail.as_str(), false),
        };
        let email = Email::parse(email).map_err(|_| Error::internal("a stored email cannot be read"))?;
        Ok(Self { email, old_email, is_undo, created_at })
    }
}

async fn set_email(tx: &mut Tx, user_id: UserId, email: &Email) -> Result<()> {
    const SET: &str = "UPDATE users SET email = $2, email_key = $3 WHERE id = $1";
    let taken = || Error::conflict("This email is already in use.");
    if is_taken(tx, email, user_id).await? {
        return Err(taken());
    }
    let set = tx.query(SET).bind(user_id).bind(email.as_str().to_owned()).bind(search_key(email.as_str()));
    let set = set.execute().await;
    set.map_err(|error| if error.unique().is_some() { taken() } else { error.into() })?;
    Ok(())
}

/// Notifies the old email of the change, with a link that undoes it.
async fn notify_old_email(change: &mut Change, user_id: UserId, old: &str) -> Result<()> {
    // Links to reset the password were mailed to the old email.
    const USE_RESETS: &str =
        "UPDATE secrets SET used_at = $2 WHERE user_id = $1 AND kind = 'reset' AND used_at IS NULL";
    let now = change.now;
    change.tx.query(USE_RESETS).bind(user_id).bind(now).execute().await?;
    let secret = issue_link(change, user_id, &format!("{UNDO_PREFIX}{old}"), now.plus_hours(UNDO_HOURS)).await?;
    let target = Target::ours(&change.app, "", "/undo-email-change");
    let target = target.ok_or_else(|| Error::internal("there is no origin"))?;
    let link = target.with(&secret, &user_id.to_string());
    mail::send(change, user_id, Some(old), Mail::EmailChanged { link: &link, hours: UNDO_HOURS }).await
}

/// Ends the access that an attacker may have gained by the change that is undone: sessions, links to the other mailbox, and links that undo a
/// later change.
async fn undo(change: &mut Change, user_id: UserId, link: &UsedLink) -> Result<()> {
    const USE_LATER: &str = "UPDATE secrets SET used_at = $2 WHERE user_id = $1 AND kind = 'email' \
        AND used_at IS NULL AND created_at > $3";
    password::end_access(change, user_id, None, "email change taken back").await?;
    change.tx.query(USE_LATER).bind(user_id).bind(change.now).bind(link.created_at).execute().await?;
    mail::send(change, user_id, Some(&link.old_email), Mail::EmailChangeUndone).await
}
