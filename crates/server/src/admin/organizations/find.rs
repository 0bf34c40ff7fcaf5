//! The organizations that a search finds by name.

use berth_db::Tx;
use berth_domain::id::OrganizationId;
use berth_domain::limits::MAX_FOUND;
use serde::Serialize;
use utoipa::ToSchema;

use crate::Result;
use crate::auth::caller::Caller;
use crate::housing::search::{Scope, Text};

/// An organization in the results of a search.
#[derive(Debug, Serialize, ToSchema, berth_db::FromRow)]
#[serde(rename_all = "camelCase")]
pub struct FoundOrganization {
    /// The organization.
    id: OrganizationId,
    /// Its name.
    name: String,
    /// True if it is commercial.
    is_commercial: bool,
}

/// Finds organizations, the best match first, then by name: all for global admins, for others those that they own or at whose sites they
/// work.
pub async fn find(tx: &mut Tx, caller: &Caller, scope: &Scope, text: &Text) -> Result<Vec<FoundOrganization>> {
    const NAMED: &str = "SELECT id, name, is_commercial FROM organizations WHERE deleted_at IS NULL \
        AND (name_key LIKE $1 ESCAPE '\\' OR name_key LIKE $2 ESCAPE '\\') \
        ORDER BY CASE WHEN name_key LIKE $1 ESCAPE '\\' THEN 0 ELSE 1 END, name_key COLLATE \"C\", id LIMIT $3";
    const NAMED_OF: &str = "SELECT id, name, is_commercial FROM organizations WHERE id IN ($4..) AND deleted_at IS NULL \
        AND (name_key LIKE $1 ESCAPE '\\' OR name_key LIKE $2 ESCAPE '\\') \
        ORDER BY CASE WHEN name_key LIKE $1 ESCAPE '\\' THEN 0 ELSE 1 END, name_key COLLATE \"C\", id LIMIT $3";
    let [beginning, word] = text.patterns();
    let limit = i64::try_from(MAX_FOUND).unwrap_or(i64::MAX);
    let query = tx.query(if caller.is_global() { NAMED } else { NAMED_OF }).bind(beginning).bind(word).bind(limit);
    if caller.is_global() {
        return Ok(query.all().await?);
    }
    let mut ids = scope.organizations();
    ids.extend(caller.owned());
    Ok(query.bind_list(ids).all().await?)
}
