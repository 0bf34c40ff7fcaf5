//! Accepting and declining an invitation. A membership becomes active only when the person has accepted and signed in fully
//! (DESIGN 5). A person without an account accepts by setting a password through the link.

use axum::extract::State;
use berth_db::Tx;
use berth_domain::id::{MembershipId, OrganizationId, SiteId, UserId};
use berth_domain::role::Role;

use super::membership_of;
use crate::admin::audit_log::{AuditAction, Author, Entry, ObjectKind};
use crate::auth::caller::SignedIn;
use crate::http::body::{Done, Path};
use crate::{App, Error, Result, change};

/// The membership of an accepted or declined invitation.
#[derive(berth_db::FromRow)]
struct Answered {
    role: Role,
    organization_id: Option<OrganizationId>,
    site_id: Option<SiteId>,
    invited_first_name: String,
    invited_last_name: String,
}

impl Answered {
    /// Returns the audit row.
    async fn entry(&self, tx: &mut Tx, id: MembershipId, action: AuditAction, verb: &str) -> Result<Entry> {
        const ORGANIZATION: &str = "SELECT organization_id FROM sites WHERE id = $1";
        let organization_id = match self.site_id {
            Some(site_id) => Some(tx.query(ORGANIZATION).bind(site_id).scalar().await?),
            None => self.organization_id,
        };
        let summary = format!("invitation as {} {verb}", self.role);
        let object = Some((ObjectKind::Membership, id.0));
        Ok(Entry::placed((organization_id, self.site_id), action, object, summary))
    }
}

/// Accepts an invitation. The role is active from the next request on.
#[utoipa::path(post, path = "/api/Users/invitations/{id}/acceptance", tag = "Users",
    params(("id" = MembershipId, Path, description = "the access user")),
    responses((status = 204, description = "accepted")))]
pub async fn accept(State(app): State<App>, SignedIn(caller): SignedIn, Path(id): Path<MembershipId>) -> Result<Done> {
    const ACCEPT: &str = "UPDATE memberships SET status = 'Active', accepted_at = $3 WHERE id = $1 AND user_id = $2 \
        AND status = 'PendingInvitation' AND deleted_at IS NULL \
        RETURNING role, organization_id, site_id, invited_first_name, invited_last_name";
    let user_id = caller.actor.user_id;
    change::run(&app, Author::caller(&caller, None), |mut change| async move {
        let tx = &mut change.tx;
        let accepted: Answered = tx.query(ACCEPT).bind(id).bind(user_id).bind(change.now).one().await?;
        set_missing_name(tx, user_id, &accepted.invited_first_name, &accepted.invited_last_name).await?;
        let entry = accepted.entry(tx, id, AuditAction::MembershipActivated, "accepted").await?;
        change.record(entry).await?;
        change.done(Done)
    })
    .await
}

/// Declines an invitation, which removes it.
#[utoipa::path(delete, path = "/api/Users/invitations/{id}", tag = "Users",
    params(("id" = MembershipId, Path, description = "the access user")),
    responses((status = 204, description = "declined")))]
pub async fn decline(State(app): State<App>, SignedIn(caller): SignedIn, Path(id): Path<MembershipId>) -> Result<Done> {
    const DECLINE: &str = "UPDATE memberships SET deleted_at = $3 WHERE id = $1 AND user_id = $2 \
        AND status = 'PendingInvitation' AND deleted_at IS NULL \
        RETURNING role, organization_id, site_id, invited_first_name, invited_last_name";
    let user_id = caller.actor.user_id;
    change::run(&app, Author::caller(&caller, None), |mut change| async move {
        let tx = &mut change.tx;
        let declined: Answered = tx.query(DECLINE).bind(id).bind(user_id).bind(change.now).one().await?;
        let entry = declined.entry(tx, id, AuditAction::MembershipDeclined, "declined").await?;
        change.record(entry).await?;
        change.done(Done)
    })
    .await
}

/// Uses up an invitation link of a person who sets the first password, and accepts the invitation that the link was sent for.
/// A link made on the command line may name no invitation; it accepts all pending ones.
///
/// # Errors
/// 409 if the link was used or has expired, or the invitation was removed.
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
    set_missing_name(tx, user_id, first_name, last_name).await
}

/// Sets the name that the inviter typed, unless the person already has one.
async fn set_missing_name(tx: &mut Tx, user_id: UserId, first_name: &str, last_name: &str) -> Result<()> {
    const NAME: &str = "UPDATE users SET first_name = $2, last_name = $3 \
        WHERE id = $1 AND first_name = '' AND last_name = ''";
    tx.query(NAME).bind(user_id).bind(first_name.to_owned()).bind(last_name.to_owned()).execute().await?;
    Ok(())
}
