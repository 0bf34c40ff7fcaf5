//! Another email: asked for in an open session, confirmed by a link that goes to the new address; the old one is told
//! (spec A 2, Profile; security-and-proof 2.3, rows 8, 10 and 14).

use axum::Json;
use axum::extract::State;
use berth_db::Tx;
use berth_domain::id::UserId;
use berth_domain::time::Timestamp;
use berth_domain::value::{Email, search_key};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::letters::{self, Letter};
use super::{password, proof};
use crate::admin::audit_log::{self, AuditAction, ObjectKind};
use crate::auth::caller::Caller;
use crate::auth::links::Target;
use crate::auth::sessions;
use crate::auth::throttle::{self, BUSYNESS_USER, LINK_MAIL, LINK_REQUESTER};
use crate::auth::tokens::{self, Kind};
use crate::http::body::{Body, Done, Query};
use crate::http::requester::Requester;
use crate::{App, Error, Result};

/// Life of a link, in minutes.
const LINK_MINUTES: i64 = berth_domain::limits::LINK_MINUTES;
/// How long the old address can take a change back, in hours.
const UNDO_HOURS: i64 = 72;
/// What the detail of a secret begins with that takes a change back; the old address follows.
const UNDO: &str = "undo ";
/// Someone else holds the address.
const TAKEN: &str = "This email is already in use.";

/// Which address is meant.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct BusynessQuery {
    /// An email address.
    email: String,
}

/// Whether an address is taken.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Busyness {
    /// Whether another account holds it.
    is_busy: bool,
}

/// Tells whether another account holds an address. Ten an hour, each in the trail.
#[utoipa::path(get, path = "/api/Users/emailBusyness", tag = "Users", params(BusynessQuery),
    responses((status = 200, body = Busyness)))]
pub async fn email_busyness(
    State(app): State<App>,
    caller: Caller,
    Query(query): Query<BusynessQuery>,
) -> Result<Json<Busyness>> {
    let email = Email::parse(&query.email).map_err(|message| Error::field("/email", message))?;
    let user_id = caller.actor.user_id;
    throttle::attempt(&app.db, &format!("busyness:user:{user_id}"), BUSYNESS_USER, app.now()).await?;
    let mut tx = app.db.begin().await?;
    let is_busy = is_taken(&mut tx, &email, user_id).await?;
    let entry = audit_log::Entry::anywhere(AuditAction::EmailLookedUp, None, "asked whether an email is taken");
    audit_log::write(&app, &mut tx, &audit_log::Author::caller(&caller, None), &entry).await?;
    tx.commit().await?;
    Ok(Json(Busyness { is_busy }))
}

async fn is_taken(tx: &mut Tx, email: &Email, by_other_than: UserId) -> Result<bool> {
    const TAKEN_BY: &str = "SELECT id FROM users WHERE email_key = $1 AND deleted_at IS NULL AND id <> $2";
    let other: Option<(UserId,)> =
        tx.query(TAKEN_BY).bind(search_key(email.as_str())).bind(by_other_than).optional().await?;
    Ok(other.is_some())
}

/// The new address and where its link leads.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EmailChallenge {
    /// The new address.
    email: String,
    /// An origin of this site, bare or with `/confirm-email`.
    redirect_uri: String,
}

/// Sends a link to a new address. Needs a proof of the last five minutes. Whether the address is taken is not told.
#[utoipa::path(post, path = "/api/Users/email/challenge", tag = "Users", request_body = EmailChallenge,
    responses((status = 204, description = "a link was sent, if the address is free")))]
pub async fn email_challenge(State(app): State<App>, caller: Caller, Body(body): Body<EmailChallenge>) -> Result<Done> {
    // Links that take an earlier change back stay good.
    const RETIRE: &str = "UPDATE secrets SET used_at = $2 WHERE user_id = $1 AND kind = 'email' AND used_at IS NULL \
        AND (detail IS NULL OR detail NOT LIKE 'undo %')";
    proof::require_fresh(&app, &caller)?;
    let target = Target::parse(&app, &body.redirect_uri, "/confirm-email")?;
    let email = Email::parse(&body.email).map_err(|message| Error::field("/email", message))?;
    let (now, user_id) = (app.now(), caller.actor.user_id);
    let address = tokens::hash(&search_key(email.as_str()));
    throttle::attempt(&app.db, &format!("email:requester:{}", caller.requester.network()), LINK_MAIL, now).await?;
    throttle::attempt(&app.db, &format!("email:address:{address}"), LINK_MAIL, now).await?;

    let mut tx = app.db.begin().await?;
    tx.query(RETIRE).bind(user_id).bind(now).execute().await?;
    if !is_taken(&mut tx, &email, user_id).await? {
        let ends = now.plus_minutes(LINK_MINUTES);
        let secret = link_secret(&app, &mut tx, user_id, email.as_str(), ends).await?;
        let link = target.with(&secret, &user_id.to_string());
        let letter = Letter::ConfirmEmail { link: &link, minutes: LINK_MINUTES };
        letters::send(&app, &mut tx, user_id, Some(email.as_str()), letter).await?;
    }
    let entry = audit_log::Entry::anywhere(
        AuditAction::EmailChangeAsked,
        Some((ObjectKind::User, user_id.0)),
        "another email was asked for",
    );
    audit_log::write(&app, &mut tx, &audit_log::Author::caller(&caller, None), &entry).await?;
    tx.commit().await?;
    Ok(Done)
}

/// A secret of a link that sets an email: `detail` is the address, after [`UNDO`] where a change is taken back.
async fn link_secret(app: &App, tx: &mut Tx, user_id: UserId, detail: &str, ends: Timestamp) -> Result<String> {
    const DETAIL: &str = "UPDATE secrets SET detail = $2 WHERE hash = $1";
    let secret = sessions::issue(app, tx, Kind::Email, user_id, None, ends).await?;
    tx.query(DETAIL).bind(tokens::hash(&secret)).bind(detail.to_owned()).execute().await?;
    Ok(secret)
}

/// What the link of the mail carries.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EmailChange {
    /// The one-time token of the link.
    token: String,
    /// The user of the link.
    user_id: UserId,
}

/// Takes the address that a link stands for: a new one that was confirmed, or the old one, which takes a change back. The
/// link is the proof: it may be opened in another browser than the one in which the change was asked for. A change can be
/// taken back for three days by a link in the mail to the old address; all sessions end then, and links that were mailed.
#[utoipa::path(put, path = "/api/Users/email", tag = "Users", request_body = EmailChange,
    responses((status = 204, description = "the email was changed")))]
pub async fn change_email(State(app): State<App>, requester: Requester, Body(body): Body<EmailChange>) -> Result<Done> {
    const USE: &str = "UPDATE secrets SET used_at = $3 WHERE hash = $1 AND kind = 'email' AND user_id = $2 \
        AND used_at IS NULL AND expires_at > $3 RETURNING detail, created_at";
    const OLD: &str = "SELECT email FROM users WHERE id = $1 AND deleted_at IS NULL";
    const SET: &str = "UPDATE users SET email = $2, email_key = $3 WHERE id = $1";
    let expired =
        || Error::conflict_code("expired-link", "This link has been used or has expired. Please ask for a new one.");
    let (now, user_id) = (app.now(), body.user_id);
    let by_requester = format!("email-link:requester:{}", requester.network());
    throttle::attempt(&app.db, &by_requester, LINK_REQUESTER, now).await?;

    let mut tx = app.db.begin().await?;
    let used: Option<(Option<String>, Timestamp)> =
        tx.query(USE).bind(tokens::hash(&body.token)).bind(user_id).bind(now).optional().await?;
    let old: Option<(String,)> = tx.query(OLD).bind(user_id).optional().await?;
    let (Some((Some(detail), created_at)), Some((old,))) = (used, old) else { return Err(expired()) };
    let (email, is_undo) = match detail.strip_prefix(UNDO) {
        Some(email) => (email, true),
        None => (detail.as_str(), false),
    };
    let email = Email::parse(email).map_err(|_| Error::internal("a stored email cannot be read"))?;
    if is_taken(&mut tx, &email, user_id).await? {
        return Err(Error::conflict(TAKEN));
    }
    let set = tx.query(SET).bind(user_id).bind(email.as_str().to_owned()).bind(search_key(email.as_str()));
    set.execute()
        .await
        .map_err(|error| if error.unique().is_some() { Error::conflict(TAKEN) } else { error.into() })?;
    let by = audit_log::Author {
        user_id: Some(user_id.0),
        email: Some(old.clone()),
        ..audit_log::Author::stranger(&requester)
    };
    let object = Some((ObjectKind::User, user_id.0));
    if is_undo {
        take_back(&app, &mut tx, user_id, &old, created_at).await?;
        let entry = audit_log::Entry::anywhere(
            AuditAction::EmailChangeUndone,
            object,
            "the old email again; all sessions ended",
        );
        audit_log::write(&app, &mut tx, &by, &entry).await?;
    } else {
        let entry = audit_log::Entry::anywhere(AuditAction::EmailChanged, object, "another email, confirmed by link");
        audit_log::write(&app, &mut tx, &by, &entry).await?;
        tell_old_address(&app, &mut tx, user_id, &old).await?;
    }
    tx.commit().await?;
    Ok(Done)
}

/// Tells the old address of the change, with a link that takes it back.
async fn tell_old_address(app: &App, tx: &mut Tx, user_id: UserId, old: &str) -> Result<()> {
    // Links for a new password went to the old mailbox.
    const BURN: &str = "UPDATE secrets SET used_at = $2 WHERE user_id = $1 AND kind = 'reset' AND used_at IS NULL";
    let now = app.now();
    tx.query(BURN).bind(user_id).bind(now).execute().await?;
    let secret = link_secret(app, tx, user_id, &format!("{UNDO}{old}"), now.plus_hours(UNDO_HOURS)).await?;
    let target = Target::ours(app, "", "/undo-email-change").ok_or_else(|| Error::internal("there is no origin"))?;
    let link = target.with(&secret, &user_id.to_string());
    letters::send(app, tx, user_id, Some(old), Letter::EmailChanged { link: &link, hours: UNDO_HOURS }).await
}

/// What goes with a change that is taken back: whoever made it may hold a session, links in the other mailbox, and a link
/// that takes a later change back.
async fn take_back(app: &App, tx: &mut Tx, user_id: UserId, other: &str, since: Timestamp) -> Result<()> {
    const BURN_LATER: &str = "UPDATE secrets SET used_at = $2 WHERE user_id = $1 AND kind = 'email' \
        AND used_at IS NULL AND created_at > $3";
    password::end_entries(app, tx, user_id, None, "email change taken back").await?;
    tx.query(BURN_LATER).bind(user_id).bind(app.now()).bind(since).execute().await?;
    letters::send(app, tx, user_id, Some(other), Letter::EmailTakenBack).await
}
