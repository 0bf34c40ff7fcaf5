//! `DELETE /api/AccessUsers/{id}`: the access goes, the row stays for the history.

use axum::extract::State;
use berth_db::Tx;
use berth_domain::id::{MembershipId, UserId};

use super::{last_holder, load, load_again, refused};
use crate::admin::audit_log::{self, AuditAction};
use crate::auth::caller::Caller;
use crate::http::body::{Done, Path};
use crate::{App, Error, Result};

/// Takes an access away, pending ones too. It works on the person's next call.
#[utoipa::path(delete, path = "/api/AccessUsers/{id}", tag = "Access users",
    params(("id" = MembershipId, Path, description = "the access user")),
    responses((status = 204, description = "the access was taken away")))]
pub async fn remove(State(app): State<App>, caller: Caller, Path(id): Path<MembershipId>) -> Result<Done> {
    const REMOVE: &str = "UPDATE memberships SET deleted_at = $2 WHERE id = $1 AND deleted_at IS NULL";
    const LINKS: &str = "UPDATE secrets SET expires_at = $3 WHERE user_id = $1 AND kind = 'invitation' \
        AND used_at IS NULL AND expires_at > $3 AND detail LIKE $2";
    let seen = load(&app, &caller, id).await?;
    let now = app.now();
    let mut tx = app.db.begin().await?;
    last_holder::lock(&mut tx, seen.role, seen.organization_id).await?;
    let row = load_again(&mut tx, id).await?;
    row.held().may_remove(&caller.actor).map_err(refused)?;
    if tx.query(REMOVE).bind(id).bind(now).execute().await? != 1 {
        return Err(Error::NotFound);
    }
    tx.query(LINKS).bind(row.user_id).bind(format!("{id} %")).bind(now).execute().await?;
    end_sessions(&app, &mut tx, row.user_id, "access removed").await?;
    let entry = row.entry(AuditAction::MembershipRemoved, format!("{} removed", row.role));
    audit_log::write(&app, &mut tx, &audit_log::Author::caller(&caller, None), &entry).await?;
    tx.commit().await?;
    Ok(Done)
}

/// Ends what a user without any active access left has open: sessions, and sign-ins and links on their way unless an
/// invitation still waits. Rights are read with every call anyway; this keeps nothing alive that opens nothing.
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
