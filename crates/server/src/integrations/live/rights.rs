//! What the streams of a session may receive, read for all sessions of a node in one query.

use std::collections::HashMap;

use berth_domain::id::{OrganizationId, SiteId};
use berth_domain::role::{Membership, Role};

use crate::auth::caller::Caller;
use crate::{App, Result};

/// The sites whose events a session receives.
#[derive(Debug, Default)]
pub(super) struct Rights {
    is_global: bool,
    organizations: Vec<OrganizationId>,
    sites: Vec<SiteId>,
}

impl Rights {
    /// Those of a user with these active memberships.
    pub(super) fn of(memberships: &[Membership]) -> Self {
        Self {
            is_global: memberships.iter().any(|membership| membership.role == Role::GlobalAdmin),
            organizations: memberships.iter().filter_map(|membership| membership.organization_id).collect(),
            sites: memberships.iter().filter_map(|membership| membership.site_id).collect(),
        }
    }

    /// Returns true if events of the site are for this session.
    pub(super) fn includes(&self, organization_id: OrganizationId, site_id: SiteId) -> bool {
        self.is_global || self.organizations.contains(&organization_id) || self.sites.contains(&site_id)
    }
}

/// Reads the rights of all sessions that still hold, by the hash of their secret.
pub(super) async fn read(app: &App, secret_hashes: Vec<String>) -> Result<HashMap<String, Rights>> {
    let signed_in = Caller::memberships_by_secret(app, secret_hashes).await?;
    Ok(signed_in.into_iter().map(|(hash, memberships)| (hash, Rights::of(&memberships))).collect())
}
