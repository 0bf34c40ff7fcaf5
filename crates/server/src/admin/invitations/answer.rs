//! Accepting and declining: a membership becomes active only when its person said yes and has signed in fully (DESIGN 5).
//! The first invitation of somebody without an account is accepted by setting the password behind its link.

use axum::extract::State;
use berth_db::Tx;
use berth_domain::id::{MembershipId, OrganizationId, SiteId, UserId};
use berth_domain::role::Role;

use super::membership_of;
use crate::admin::audit_log::{self, AuditAction, ObjectKind};
use crate::auth::caller::SignedIn;
use crate::http::body::{Done, Path};
use crate::{App, Error, Result};

/// A membership that was answered, and its place.
#[derive(berth_db::FromRow)]
struct Answered {
    role: Role,
    organization_id: Option<OrganizationId>,
    site_id: Option<SiteId>,
    invited_first_name: String,
    invited_last_name: String,
}

impl Answered {
    /// A row of the trail about it.
    async fn entry(
        &self,
        tx: &mut Tx,
        id: MembershipId,
        action: AuditAction,
        summary: String,
    ) -> Result<audit_log::Entry> {
        const ORGANIZATION: &str = "SELECT organization_id FROM sites WHERE id = $1";
        let organization_id = match self.site_id {
            Some(site_id) => Some(tx.query(ORGANIZATION).bind(site_id).scalar().await?),
            None => self.organization_id,
        };
        let object = Some((ObjectKind::Membership, id.0));
        Ok(audit_log::Entry::placed((organization_id, self.site_id), action, object, summary))
    }
}

/// Accepts an invitation. The role counts from the next call on.
#[utoipa::path(post, path = "/api/Users/invitations/{id}/acceptance", tag = "Users",
    params(("id" = MembershipId, Path, description = "the access user")),
    responses((status = 204, description = "the role is the caller's")))]
pub async fn accept(State(app): State<App>, SignedIn(caller): SignedIn, Path(id): Path<MembershipId>) -> Result<Done> {
    const ACCEPT: &str = "UPDATE memberships SET status = 'Active', accepted_at = $3 WHERE id = $1 AND user_id = $2 \
        AND status = 'PendingInvitation' AND deleted_at IS NULL \
        RETURNING role, organization_id, site_id, invited_first_name, invited_last_name";
    let user_id = caller.actor.user_id;
    let mut tx = app.db.begin().await?;
    let accepted: Option<Answered> = tx.query(ACCEPT).bind(id).bind(user_id).bind(app.now()).optional().await?;
    let accepted = accepted.ok_or(Error::NotFound)?;
    take_name(&mut tx, user_id, &accepted.invited_first_name, &accepted.invited_last_name).await?;
    let summary = format!("invitation as {} accepted", accepted.role);
    let entry = accepted.entry(&mut tx, id, AuditAction::MembershipActivated, summary).await?;
    audit_log::write(&app, &mut tx, &audit_log::Author::caller(&caller, None), &entry).await?;
    tx.commit().await?;
    Ok(Done)
}

/// Declines an invitation; it is gone then.
#[utoipa::path(delete, path = "/api/Users/invitations/{id}", tag = "Users",
    params(("id" = MembershipId, Path, description = "the access user")),
    responses((status = 204, description = "the invitation was declined")))]
pub async fn decline(State(app): State<App>, SignedIn(caller): SignedIn, Path(id): Path<MembershipId>) -> Result<Done> {
    const DECLINE: &str = "UPDATE memberships SET deleted_at = $3 WHERE id = $1 AND user_id = $2 \
        AND status = 'PendingInvitation' AND deleted_at IS NULL \
        RETURNING role, organization_id, site_id, invited_first_name, invited_last_name";
    let mut tx = app.db.begin().await?;
    let decline = tx.query(DECLINE).bind(id).bind(caller.actor.user_id).bind(app.now());
    let declined: Option<Answered> = decline.optional().await?;
    let declined = declined.ok_or(Error::NotFound)?;
    let summary = format!("invitation as {} declined", declined.role);
    let entry = declined.entry(&mut tx, id, AuditAction::MembershipDeclined, summary).await?;
    audit_log::write(&app, &mut tx, &audit_log::Author::caller(&caller, None), &entry).await?;
    tx.commit().await?;
    Ok(Done)
}

/// Uses an invitation link up: its person has just set the first password. That accepts the invitation which the link was
/// sent for; a link of the command line may name none, and accepts all that wait.
///
/// # Errors
/// 409 when the link was used up, has expired, or its invitation was taken back.
pub(crate) async fn accept_by_link(app: &App, tx: &mut Tx, user_id: UserId, link_hash: &str) -> Result<()> {
    const USE: &str = "UPDATE secrets SET used_at = $3 WHERE hash = $1 AND user_id = $2 AND kind = 'invitation' \
        AND used_at IS NULL AND expires_at > $3 RETURNING detail";
    const ACCEPT: &str = "UPDATE memberships SET accepted_at = $3 WHERE user_id = $1 AND ($2 IS NULL OR id = $2) \
        AND status = 'PendingInvitation' AND deleted_at IS NULL RETURNING invited_first_name, invited_last_name";
    let expired = || {
        let sentence = "This invitation has been used or has expired. Ask for a new one.";
        Error::conflict_code("expired-invitation", sentence)
    };
    let now = app.now();
    let used: Option<(Option<String>,)> = tx.query(USE).bind(link_hash).bind(user_id).bind(now).optional().await?;
    let (detail,) = used.ok_or_else(expired)?;
    let membership_id = detail.as_deref().and_then(membership_of);
    let accepted: Vec<(String, String)> = tx.query(ACCEPT).bind(user_id).bind(membership_id).bind(now).all().await?;
    let (first_name, last_name) = accepted.first().ok_or_else(expired)?;
    take_name(tx, user_id, first_name, last_name).await
}

/// Gives the name that was typed into the invitation to somebody who has none. Nobody renames a person by inviting.
async fn take_name(tx: &mut Tx, user_id: UserId, first_name: &str, last_name: &str) -> Result<()> {
    const NAME: &str = "UPDATE users SET first_name = $2, last_name = $3 \
        WHERE id = $1 AND first_name = '' AND last_name = ''";
    tx.query(NAME).bind(user_id).bind(first_name.to_owned()).bind(last_name.to_owned()).execute().await?;
    Ok(())
}
