//! What someone with an invitation link may ask before signing in: what it is for, and for a new one (DESIGN 5,
//! `/signup` and `/signup-expired`). Mail scanners open links, so looking never uses one up.

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

use super::{CALLBACK_PATH, Person, invited, letter};
use crate::admin::audit_log::{self, AuditAction, ObjectKind};
use crate::auth::links::Target;
use crate::auth::throttle::{self, LINK_MAIL, LINK_REQUESTER};
use crate::auth::tokens;
use crate::http::body::Body;
use crate::http::requester::Requester;
use crate::{App, Error, Result};

/// No answer about a new link leaves earlier, so that its time does not tell whether a mail was written.
const ANSWER_AFTER: Duration = Duration::from_millis(250);

/// Whether a link still opens something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum InvitationState {
    /// It waits.
    Open,
    /// It was used, or the person has signed in since.
    Used,
    /// It came too late, was replaced by a newer one or taken back.
    Expired,
}

/// What an invitation is for.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Invitation)]
pub struct InvitationView {
    /// The organization; null for a global admin.
    organization_name: Option<String>,
    /// The site; null for an owner.
    site_name: Option<String>,
    /// The role.
    role: Role,
    /// The address that it went to, masked.
    email: String,
    /// Whether the link still opens something.
    state: InvitationState,
}

/// A link and what it is for.
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

/// Which membership a link is for, and the origin that it led to.
async fn detail(app: &App, secret: &str) -> Result<Option<(MembershipId, String)>> {
    const DETAIL: &str = "SELECT detail FROM secrets WHERE hash = $1 AND kind = 'invitation' AND detail IS NOT NULL";
    let detail: Option<(String,)> = app.db.query(DETAIL).bind(tokens::hash(secret)).optional().await?;
    Ok(detail.and_then(|(detail,)| {
        let (id, origin) = detail.split_once(' ')?;
        Some((id.parse().ok()?, origin.to_owned()))
    }))
}

/// "maria@house.example" as "m•••@house.example".
fn masked(email: &str) -> String {
    let (local, domain) = email.split_once('@').unwrap_or((email, ""));
    let first: String = local.chars().take(1).collect();
    format!("{first}•••@{domain}")
}

/// Tells what an invitation link is for. It may be asked any number of times and uses nothing up. The token travels in the
/// body, since addresses stand in logs.
#[utoipa::path(post, path = "/api/public/invitation", tag = "Sign-in", request_body = InvitationToken,
    responses((status = 200, body = InvitationView), (status = 404, description = "no such link")))]
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
    let by_requester = format!("invitation:requester:{}", requester.network());
    throttle::attempt(&app, &by_requester, LINK_REQUESTER, app.now()).await?;
    let (membership_id, _) = detail(&app, &body.token).await?.ok_or(Error::NotFound)?;
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
    /// What stands in the link after `access_token=`.
    token: String,
}

/// Mails a new link to the person whom an old one was for, if the invitation still stands. The answer never tells.
#[utoipa::path(post, path = "/api/public/invitation/renewal", tag = "Sign-in", request_body = InvitationToken,
    responses((status = 202, description = "a new link was sent, if the invitation still stands")))]
pub async fn renew(
    State(app): State<App>,
    requester: Requester,
    Body(body): Body<InvitationToken>,
) -> Result<StatusCode> {
    let earliest = Instant::now() + ANSWER_AFTER;
    let done = send(&app, &requester, &body.token).await;
    tokio::time::sleep_until(earliest).await;
    done.map(|()| StatusCode::ACCEPTED)
}

async fn send(app: &App, requester: &Requester, old: &str) -> Result<()> {
    let now = app.now();
    let by_requester = format!("invitation-renewal:requester:{}", requester.network());
    throttle::attempt(app, &by_requester, LINK_MAIL, now).await?;
    let found = standing(app, old).await?;
    let is_within_limit = match &found {
        Some((_, person, _)) => {
            let by_address = format!("invite:address:{}", tokens::hash(&search_key(&person.email)));
            // Beyond the limit nothing is sent, and nothing is told: only an address that is known could have one.
            match throttle::attempt(app, &by_address, LINK_MAIL, now).await {
                Err(Error::TooMany(_)) => false,
                answer => answer.map(|()| true)?,
            }
        }
        None => false,
    };
    let mut tx = app.db.begin().await?;
    let mut object = None;
    if let Some((membership_id, person, target)) = found.filter(|_| is_within_limit) {
        letter::send(app, &mut tx, &person, membership_id, &target).await?;
        object = Some((ObjectKind::Membership, membership_id.0));
    }
    let entry =
        audit_log::Entry::anywhere(AuditAction::MembershipRenewalAsked, object, "a new invitation link was asked for");
    audit_log::write(app, &mut tx, &audit_log::Author::stranger(requester), &entry).await?;
    Ok(tx.commit().await?)
}

/// The invitation that an old link was for, if it is still pending, and the page that a new link leads to.
async fn standing(app: &App, old: &str) -> Result<Option<(MembershipId, Person, Target)>> {
    let Some((membership_id, origin)) = detail(app, old).await? else { return Ok(None) };
    let mut tx = app.db.read().await?;
    let person = invited(&mut tx, membership_id).await?;
    let target = Target::ours(app, &origin, CALLBACK_PATH);
    Ok(person.zip(target).map(|(person, target)| (membership_id, person, target)))
}
