//! `POST /api/Users/password/reset`: a link for who forgot the password. Known and unknown addresses get the same
//! answer after the same time (security-and-proof 2.3, row 11; spec A 8).

use std::time::Duration;

use axum::extract::State;
use axum::http::HeaderMap;
use berth_domain::id::UserId;
use berth_domain::value::{Email, search_key};
use serde::Deserialize;
use tokio::time::Instant;
use utoipa::ToSchema;

use super::letters::{self, Letter};
use crate::admin::audit_log::{self, AuditAction, ObjectKind};
use crate::auth::links::Target;
use crate::auth::sessions;
use crate::auth::throttle::{self, LINK_MAIL, RESET_ACCOUNT};
use crate::auth::tokens::{self, Kind};
use crate::http::body::{Body, Done};
use crate::http::requester::Requester;
use crate::{App, Error, Result};

/// Life of a link, in minutes.
const LINK_MINUTES: i64 = berth_domain::limits::LINK_MINUTES;
/// No answer leaves earlier than this, so that its time does not tell whether a mail was written.
const ANSWER_AFTER: Duration = Duration::from_millis(250);

/// Who forgot the password.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ResetRequest {
    /// The address of the account.
    email: String,
    /// An origin of this site, bare or with `/reset-password`: where the link in the mail leads.
    redirect_uri: String,
}

/// Sends a link with which a new password can be set, if there is such an account; the answer never tells.
#[utoipa::path(post, path = "/api/Users/password/reset", tag = "Users", request_body = ResetRequest,
    responses((status = 204, description = "a link was sent, if there is such an account")))]
pub async fn ask_for_reset(
    State(app): State<App>,
    requester: Requester,
    headers: HeaderMap,
    Body(body): Body<ResetRequest>,
) -> Result<Done> {
    let target = Target::parse(&app, &body.redirect_uri, "/reset-password")?;
    let email = Email::parse(&body.email).map_err(|message| Error::field("/email", message))?;
    let earliest = Instant::now() + ANSWER_AFTER;
    let done = send(&app, &requester, &headers, &target, &email).await;
    tokio::time::sleep_until(earliest).await;
    done
}

async fn send(app: &App, requester: &Requester, headers: &HeaderMap, target: &Target, email: &Email) -> Result<Done> {
    // Who has no password yet comes in by his invitation alone; who is disabled everywhere does not come in.
    const KNOWN: &str = "SELECT u.id FROM users u WHERE u.email_key = $1 AND u.deleted_at IS NULL \
        AND u.password_hash IS NOT NULL AND EXISTS (SELECT 1 FROM memberships m WHERE m.user_id = u.id \
        AND m.deleted_at IS NULL AND m.status <> 'Disabled')";
    let now = app.now();
    let address_key = search_key(email.as_str());
    let known: Option<(UserId,)> = app.db.query(KNOWN).bind(address_key.clone()).optional().await?;
    // Whoever asks for links to somebody else's mailbox must not keep its owner from asking, too.
    let device = sessions::known_device(app, headers, known.map(|(user_id,)| user_id)).await?;
    if let Some(device) = device {
        throttle::attempt(&app.db, &format!("reset:device:{device}"), RESET_ACCOUNT, now).await?;
    } else {
        let by_address = format!("reset:address:{}", tokens::hash(&address_key));
        throttle::attempt(&app.db, &format!("reset:requester:{}", requester.network()), LINK_MAIL, now).await?;
        throttle::attempt(&app.db, &by_address, RESET_ACCOUNT, now).await?;
    }

    let mut tx = app.db.begin().await?;
    let by = audit_log::Author { email: Some(email.as_str().to_owned()), ..audit_log::Author::stranger(requester) };
    let object = known.as_ref().map(|(user_id,)| (ObjectKind::User, user_id.0));
    let entry =
        audit_log::Entry::anywhere(AuditAction::PasswordResetAsked, object, "a link for a new password was asked for");
    audit_log::write(app, &mut tx, &by, &entry).await?;
    if let Some((user_id,)) = known {
        // Links that were sent before stay good: somebody else may have asked for this one.
        let ends = now.plus_minutes(LINK_MINUTES);
        let secret = sessions::issue(app, &mut tx, Kind::Reset, user_id, None, ends).await?;
        let link = target.with(&secret, &user_id.to_string());
        letters::send(app, &mut tx, user_id, None, Letter::Reset { link: &link, minutes: LINK_MINUTES }).await?;
    }
    tx.commit().await?;
    Ok(Done)
}
