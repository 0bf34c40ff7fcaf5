//! Invitation links before sign-in: what a link is for, and a new link for an expired one (DESIGN 5, `/signup` and
//! `/signup-expired`). Mail scanners open links, so showing one does not use it up.

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use berth_domain::id::MembershipId;
use berth_domain::role::{MembershipStatus, Role};
use berth_domain::time::Timestamp;
use berth_domain::value::search_key;
use serde::{Deserialize, Serialize};
use tokio::time::Instant;
use utoipa::ToSchema;

use super::{CALLBACK_PATH, Person, address_key, find_pending, letter};
use crate::admin::audit_log::{AuditAction, Author, Entry, ObjectKind};
use crate::auth::links::{self, Target};
use crate::auth::throttle::{self, LINK_MAIL};
use crate::auth::tokens;
use crate::http::body::Body;
use crate::http::requester::Requester;
use crate::{App, Error, Result, change};

/// Minimum duration of a request for a new link, so that its timing does not reveal whether an email was sent.
const MIN_ANSWER_TIME: Duration = Duration::from_millis(250);

/// State of an invitation link.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum InvitationState {
    /// It can be used.
    Open,
    /// It was used, or the person has signed in since.
    Used,
    /// It has expired, was replaced by a newer one, or the invitation was removed.
    Expired,
}

/// What an invitation is for.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Invitation)]
pub struct InvitationView {
    /// Name of the organization; null for a global admin.
    organization_name: Option<String>,
    /// Name of the site; null for an owner.
    site_name: Option<String>,
    /// Role.
    role: Role,
    /// Masked email address that it was sent to.
    email: String,
    /// State of the link.
    state: InvitationState,
}

/// A stored link and its membership.
#[derive(berth_db::FromRow)]
struct Link {
    expires_at: Timestamp,
    used_at: Option<Timestamp>,
    email: String,
    role: Role,
    status: MembershipStatus,
    is_gone: bool,
    organization_name: Option<String>,
    site_name: Option<String>,
}

/// Finds the membership that a link was sent for, and the origin in the link.
async fn detail(app: &App, secret: &str) -> Result<Option<(MembershipId, String)>> {
    const DETAIL: &str = "SELECT detail FROM secrets WHERE hash = $1 AND kind = 'invitation' AND detail IS NOT NULL";
    let detail: Option<(String,)> = app.db.query(DETAIL).bind(tokens::hash(secret)).optional().await?;
    Ok(detail.and_then(|(detail,)| {
        let (id, origin) = detail.split_once(' ')?;
        Some((id.parse().ok()?, origin.to_owned()))
    }))
}

/// Masks an email address: "maria@house.example" becomes "m•••@house.example".
fn masked(email: &str) -> String {
    let (local, domain) = email.split_once('@').unwrap_or((email, ""));
    let first: String = local.chars().take(1).collect();
    format!("{first}•••@{domain}")
}

/// Shows what an invitation link is for, without using it up. The token is in the body because URLs are logged.
#[utoipa::path(post, path = "/api/public/invitation", tag = "Sign-in", request_body = InvitationToken,
    responses((status = 200, body = InvitationView), (status = 404, description = "unknown link")))]
pub async fn show(
    State(app): State<App>,
    requester: Requester,
    Body(body): Body<InvitationToken>,
) -> Result<Json<InvitationView>> {
    const LINK: &str = "SELECT s.expires_at, s.used_at, u.email, m.role, m.status, \
        (m.deleted_at IS NOT NULL OR u.deleted_at IS NOT NULL) AS is_gone, o.name AS organization_name, \
        x.name AS site_name FROM secrets s JOIN users u ON u.id = s.user_id \
        JOIN memberships m ON m.id = $2 AND m.user_id = s.user_id LEFT JOIN sites x ON x.id = m.site_id \
        LEFT JOIN organizations o ON o.id = COALESCE(m.organization_id, x.organization_id) \
        WHERE s.hash = $1 AND s.kind = 'invitation'";
    let Some((membership_id, _)) = detail(&app, &body.token).await? else {
        links::count_unknown(&app, &requester, "invitation").await?;
        return Err(Error::NotFound);
    };
    let link: Link = app.db.query(LINK).bind(tokens::hash(&body.token)).bind(membership_id).one().await?;
    let state = if link.is_gone || link.status == MembershipStatus::Disabled {
        InvitationState::Expired
    } else if link.used_at.is_some() || link.status == MembershipStatus::Active {
        InvitationState::Used
    } else if link.expires_at <= app.now() {
        InvitationState::Expired
    } else {
        InvitationState::Open
    };
    Ok(Json(InvitationView {
        organization_name: link.organization_name,
        site_name: link.site_name,
        role: link.role,
        email: masked(&link.email),
        state,
    }))
}

/// The token of an invitation link.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct InvitationToken {
    /// The part of the link after `access_token=`.
    token: String,
}

/// Emails a new link to the person whom an old one was sent to, if the invitation is still pending. The answer is the same if
/// it is not.
#[utoipa::path(post, path = "/api/public/invitation/renewal", tag = "Sign-in", request_body = InvitationToken,
    responses((status = 202, description = "a new link was sent if the invitation is still pending")))]
pub async fn renew(
    State(app): State<App>,
    requester: Requester,
    Body(body): Body<InvitationToken>,
) -> Result<StatusCode> {
    let earliest = Instant::now() + MIN_ANSWER_TIME;
    let done = send(&app, &requester, &body.token).await;
    tokio::time::sleep_until(earliest).await;
    done.map(|()| StatusCode::ACCEPTED)
}

async fn send(app: &App, requester: &Requester, old: &str) -> Result<()> {
    let by_requester = format!("invitation-renewal:requester:{}", requester.network());
    throttle::attempt(app, &by_requester, LINK_MAIL, app.now()).await?;
    let renewal = match find_renewal(app, old).await? {
        Some(renewal) if is_within_limit(app, &renewal.person).await? => Some(renewal),
        _ => None,
    };
    let renewal = &renewal;
    change::run(app, Author::stranger(requester), |mut change| async move {
        let mut object = None;
        if let Some(Renewal { membership_id, person, target }) = renewal {
            letter::send(&change.app, &mut change.tx, person, *membership_id, target).await?;
            object = Some((ObjectKind::Membership, membership_id.0));
        }
        let summary = "a new invitation link was asked for";
        change.record(Entry::anywhere(AuditAction::MembershipRenewalAsked, object, summary)).await?;
        change.done(())
    })
    .await
}

/// Counts an email to the person. Returns false, instead of a 429, if there were too many: only a known address has a limit,
/// so a 429 would reveal that it is known.
async fn is_within_limit(app: &App, person: &Person) -> Result<bool> {
    let by_address = address_key(&search_key(&person.email));
    match throttle::attempt(app, &by_address, LINK_MAIL, app.now()).await {
        Err(Error::TooMany(_)) => Ok(false),
        counted => counted.map(|()| true),
    }
}

/// A pending invitation whose link is replaced by a new one.
struct Renewal {
    membership_id: MembershipId,
    person: Person,
    target: Target,
}

/// Finds the invitation that an old link was sent for, if it is still pending.
async fn find_renewal(app: &App, old: &str) -> Result<Option<Renewal>> {
    let Some((membership_id, origin)) = detail(app, old).await? else { return Ok(None) };
    let person = find_pending(&app.db, membership_id).await?;
    let target = Target::ours(app, &origin, CALLBACK_PATH);
    Ok(person.zip(target).map(|(person, target)| Renewal { membership_id, person, target }))
}
