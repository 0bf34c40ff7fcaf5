//! Reasons for declines and discharges that an organization offers to choose from (docs/decisions/0067).

pub(crate) mod create;
pub(crate) mod edit;
pub(crate) mod list;

use berth_db::Tx;
use berth_domain::id::{OrganizationId, ReasonId};
use berth_domain::reason::{ReasonFacts, ReasonKind, may_choose};
use berth_domain::stay::Command;
use serde::Serialize;
use utoipa::ToSchema;

use crate::admin::audit_log::{AuditAction, Entry, ObjectKind};
use crate::auth::caller::Site;
use crate::{Error, Result};

/// A reason of an organization.
#[derive(Debug, Clone, Serialize, ToSchema, berth_db::FromRow)]
#[serde(rename_all = "camelCase")]
pub struct Reason {
    /// Id.
    id: ReasonId,
    /// The decisions that it is for.
    kind: ReasonKind,
    /// The text, at most 100 characters.
    name: String,
    /// True if it is retired: it cannot be chosen any more, and remains in the numbers.
    is_disabled: bool,
}

/// Loads a reason of an organization.
///
/// # Errors
/// 404 if the organization has no such reason.
async fn load(tx: &mut Tx, organization: OrganizationId, id: ReasonId) -> Result<Reason> {
    const REASON: &str = "SELECT id, kind, name, is_disabled FROM reasons WHERE id = $1 AND organization_id = $2";
    Ok(tx.query(REASON).bind(id).bind(organization).one().await?)
}

/// Checks that a reason may be chosen for a command on a guest of `site`.
///
/// # Errors
/// 422 at `/reasonId`.
pub async fn check(tx: &mut Tx, site: &Site, reason: ReasonId, command: &Command) -> Result<()> {
    const FACTS: &str = "SELECT kind, organization_id, is_disabled FROM reasons WHERE id = $1";
    let row: Option<(ReasonKind, OrganizationId, bool)> = tx.query(FACTS).bind(reason).optional().await?;
    let facts = row.map(|(kind, organization, is_disabled)| ReasonFacts {
        kind,
        is_of_organization: organization == site.organization_id,
        is_disabled,
    });
    may_choose(facts, command).map_err(|message| Error::field("/reasonId", message))
}

/// Maps a violation of the unique name to an error at the field.
fn taken(error: berth_db::Error) -> Error {
    match error.unique() {
        Some("reasons_organization_id_kind_name_key_key") => {
            Error::field("/name", "This reason is on the list already. If it is retired, restore it.")
        }
        _ => error.into(),
    }
}

/// Returns an audit row about a reason.
fn entry(organization: OrganizationId, action: AuditAction, id: ReasonId, summary: String) -> Entry {
    Entry::placed((Some(organization), None), action, Some((ObjectKind::Reason, id.0)), summary)
}

/// Returns the name of a kind in audit rows.
const fn words(kind: ReasonKind) -> &'static str {
    match kind {
        ReasonKind::Decline => "decline reason",
        ReasonKind::Discharge => "discharge reason",
    }
}
