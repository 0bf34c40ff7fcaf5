//! `POST /api/Users/password/reset`: mails a link to a user who forgot the password. Known and unknown addresses get the same
//! answer after the same time (security-and-proof 2.3, row 11; spec A 8).

use std::time::Duration;

use axum::extract::State;
use axum::http::HeaderMap;
use berth_domain::id::UserId;
use berth_domain::value::{Email, search_key};
use serde::Deserialize;
use tokio::time::Instant;
use utoipa::ToSchema;

use super::mail::{self, Mail};
use crate::admin::audit_log::{AuditAction, Author, Entry, ObjectKind};
use crate::auth::links::Target;
use crate::auth::sessions;
use crate::auth::throttle::{self, LINK_REQUESTER, RESET_ACCOUNT};
use crate::auth::tokens::{self, Kind};
use crate::http::body::{Body, Done};
use crate::http::requester::Requester;
use crate::{App, Error, Result, change};

/// Lifetime of a link, in minutes.
const LINK_MINUTES: i64 = berth_domain::limits::LINK_MINUTES;
/// Minimum response time, so that it does not reveal whether an email was sent.
const MIN_RESPONSE_TIME: Duration = Duration::from_millis(250);

/// A user who forgot the password.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ResetRequest {
    /// Email of the account.
    email: String,
    /// Where the link in the email leads: an origin of this site, with or without `/reset-password`.
    redirect_uri: String,
}

/// Mails a link to set a new password if there is an account with this email. The answer is the same in both cases.
#[utoipa::path(post, path = "/api/Users/password/reset", tag = "Users", request_body = ResetRequest,
    responses((status = 204, description = "a link was sent if there is such an account")))]
pub async fn ask_for_reset(
    State(app): State<App>,
    requester: Requester,
    headers: HeaderMap,
    Body(body): Body<ResetRequest>,
) -> Result<Done> {
    let target = Target::parse(&app, &body.redirect_uri, "/reset-password")?;
    let email = Email::parse(&body.email).map_err(|message| Error::field("/email", message))?;
    let earliest = Instant::now() + MIN_RESPONSE_TIME;
    let sent = send(&app, &requester, &headers, &target, &email).await;
    tokio::time::sleep_until(earliest).await;
    sent
}

async fn send(app: &App, requester: &Requester, headers: &HeaderMap, target: &Target, email: &Email) -> Result<Done> {
    // Users without a password sign in by their invitation alone; users who are disabled everywhere may not sign in.
    const FIND_USER: &str = "SELECT u.id FROM users u WHERE u.email_key = $1 AND u.deleted_at IS NULL \
        AND u.password_hash IS NOT NULL AND EXISTS (SELECT 1 FROM memberships m WHERE m.user_id = u.id \
        AND m.deleted_at IS NULL AND m.status <> 'Disabled')";
    let address_key = search_key(email.as_str());
    let user: Option<(UserId,)> = app.db.query(FIND_USER).bind(address_key.clone()).optional().await?;
    let user_id = user.map(|(user_id,)| user_id);
    let device = sessions::known_device(app, headers, user_id).await?;
    count(app, requester, device, &address_key).await?;

    let by = Author { email: Some(email.as_str().to_owned()), ..Author::stranger(requester) };
    change::run(app, by, |mut change| async move {
        let object = user_id.map(|user_id| (ObjectKind::User, user_id.0));
        let summary = "a link for a new password was asked for";
        change.record(Entry::anywhere(AuditAction::PasswordResetAsked, object, summary)).await?;
        if let Some(user_id) = user_id {
            // Earlier links stay valid: someone else may have requested this one.
            let ends = change.now.plus_minutes(LINK_MINUTES);
            let secret = sessions::issue(&change.app, &mut change.tx, Kind::Reset, user_id, None, ends).await?;
            let link = target.with(&secret, &user_id.to_string());
            mail::send(&mut change, user_id, None, Mail::Reset { link: &link, minutes: LINK_MINUTES }).await?;
        }
        change.done(Done)
    })
    .await
}

/// Counts the request. A known device has a limit of its own, so that requests by others do not keep the owner of a mailbox
/// from requesting a link.
async fn count(app: &App, requester: &Requester, device: Option<String>, address_key: &str) -> Result<()> {
    let now = app.now();
    if let Some(device) = device {
        return throttle::attempt(app, &format!("reset:device:{device}"), RESET_ACCOUNT, now).await;
    }
    let by_address = format!("reset:address:{}", tokens::hash(address_key));
    throttle::attempt(app, &format!("reset:requester:{}", requester.network()), LINK_REQUESTER, now).await?;
    throttle::attempt(app, &by_address, RESET_ACCOUNT, now).await
}
