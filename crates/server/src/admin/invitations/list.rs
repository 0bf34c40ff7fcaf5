//! `GET /api/Users/invitations`.

use axum::Json;
use axum::extract::State;
use berth_domain::id::MembershipId;
use berth_domain::role::Role;
use berth_domain::time::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use crate::auth::caller::SignedIn;
use crate::{App, Result};

/// A pending invitation of the caller.
#[derive(Debug, Serialize, ToSchema, berth_db::FromRow)]
#[serde(rename_all = "camelCase")]
#[schema(as = PendingInvitation)]
pub struct PendingInvitation {
    /// The access user that accepting activates.
    id: MembershipId,
    /// Role.
    role: Role,
    /// Name of the organization; null for a global admin.
    organization_name: Option<String>,
    /// Name of the site; null for an owner or a global admin.
    site_name: Option<String>,
    /// Name of the inviter, or the email if the inviter has no name; null if it was made on the command line.
    invited_by: Option<String>,
    /// When it was sent.
    created_at: Timestamp,
}

/// Lists the caller's pending invitations, oldest first, without those to removed places.
#[utoipa::path(get, path = "/api/Users/invitations", tag = "Users",
    responses((status = 200, body = Vec<PendingInvitation>)))]
pub async fn list(State(app): State<App>, SignedIn(caller): SignedIn) -> Result<Json<Vec<PendingInvitation>>> {
    const PENDING: &str = "SELECT m.id, m.role, o.name AS organization_name, s.name AS site_name, \
        CASE WHEN i.id IS NULL THEN NULL WHEN i.first_name = '' AND i.last_name = '' THEN i.email \
            ELSE TRIM(i.first_name || ' ' || i.last_name) END AS invited_by, m.created_at \
        FROM memberships m LEFT JOIN sites s ON s.id = m.site_id AND s.deleted_at IS NULL \
        LEFT JOIN organizations o ON o.id = COALESCE(m.organization_id, s.organization_id) AND o.deleted_at IS NULL \
        LEFT JOIN users i ON i.id = m.created_by AND i.deleted_at IS NULL \
        WHERE m.user_id = $1 AND m.status = 'PendingInvitation' AND m.deleted_at IS NULL \
        AND (m.role = 'GlobalAdmin' OR o.id IS NOT NULL) ORDER BY m.created_at, m.id";
    Ok(Json(app.db.query(PENDING).bind(caller.actor.user_id).all().await?))
}
