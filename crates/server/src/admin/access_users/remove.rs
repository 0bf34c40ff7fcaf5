//! `DELETE /api/AccessUsers/{id}`. The row stays for the history.

use axum::extract::State;
use berth_db::Tx;
use berth_domain::id::{MembershipId, UserId};
use berth_domain::time::Timestamp;

use super::{Row, last_holder, load, load_again, refused};
use crate::admin::audit_log::{AuditAction, Author};
use crate::auth::caller::Caller;
use crate::http::body::{Done, Path};
use crate::{App, Error, Result, change};

/// Removes an access user, also a pending one. It is effective from the person's next request on.
#[utoipa::path(delete, path = "/api/AccessUsers/{id}", tag = "Access users",
    params(("id" = MembershipId, Path, description = "the access user")),
    responses((status = 204, description = "removed")))]
pub async fn remove(State(app): State<App>, caller: Caller, Path(id): Path<MembershipId>) -> Result<Done> {
    let (caller, seen) = (&caller, &load(&app, &caller, id).await?);
    change::run(&app, Author::caller(caller, None), |mut change| async move {
        last_holder::lock(&mut change.tx, seen.role, seen.organization_id).await?;
        let row = load_again(&mut change.tx, id).await?;
        row.held().may_remove(&caller.actor).map_err(refused)?;
        remove_membership(&mut change.tx, &row, change.now).await?;
        end_sessions(&change.app, &mut change.tx, row.user_id, "access removed").await?;
        change.record(row.entry(AuditAction::MembershipRemoved, format!("{} removed", row.role))).await?;
        change.done(Done)
    })
    .await
}

/// Removes a membership; its invitation links expire.
async fn remove_membership(tx: &mut Tx, row: &Row, now: Timestamp) -> Result<()> {
    const REMOVE: &str = "UPDATE memberships SET deleted_at = $2 WHERE id = $1 AND deleted_at IS NULL";
    const LINKS: &str = "UPDATE secrets SET expires_at = $3 WHERE user_id = $1 AND kind = 'invitation' \
        AND used_at IS NULL AND expires_at > $3 AND detail LIKE $2";
    if tx.query(REMOVE).bind(row.id).bind(now).execute().await? != 1 {
        return Err(Error::NotFound);
    }
    tx.query(LINKS).bind(row.user_id).bind(format!("{} %", row.id)).bind(now).execute().await?;
    Ok(())
}

/// Ends the sessions of a user without active memberships and, unless an invitation is pending, uses up sign-ins and links in
/// progress. Does nothing if an active membership is left.
pub(super) async fn end_sessions(app: &App, tx: &mut Tx, user_id: UserId, reason: &'static str) -> Result<()> {
    const ACTIVE: &str = "SELECT COUNT(*) FROM memberships WHERE user_id = $1 AND status = 'Active' \
        AND deleted_at IS NULL";
    const WAITING: &str = "SELECT COUNT(*) FROM memberships WHERE user_id = $1 AND status = 'PendingInvitation' \
        AND deleted_at IS NULL";
    const END: &str = "UPDATE sessions SET ended_at = $2, end_reason = $3 WHERE user_id = $1 AND ended_at IS NULL";
    const BURN: &str = "UPDATE secrets SET used_at = $2 WHERE user_id = $1 AND used_at IS NULL \
        AND kind IN ('first_step', 'reset', 'email')";
    let active: i64 = tx.query(ACTIVE).bind(user_id).scalar().await?;
    if active > 0 {
        return Ok(());
    }
    let now = app.now();
    tx.query(END).bind(user_id).bind(now).bind(reason).execute().await?;
    let waiting: i64 = tx.query(WAITING).bind(user_id).scalar().await?;
    if waiting == 0 {
        tx.query(BURN).bind(user_id).bind(now).execute().await?;
    }
    Ok(())
}
