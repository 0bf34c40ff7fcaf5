//! Which events the streams of a session receive. Read for all sessions of a node in one query.

use std::collections::HashMap;

use berth_domain::id::{OrganizationId, SiteId};
use berth_domain::policy;
use berth_domain::role::Membership;

use crate::auth::caller::Caller;
use crate::{App, Result};

/// The sites whose events a session receives.
#[derive(Debug, Default)]
pub(super) struct Rights(Vec<Membership>);

impl PartialEq for Rights {
    /// The database returns memberships in any order.
    fn eq(&self, other: &Self) -> bool {
        self.0.len() == other.0.len() && self.0.iter().all(|membership| other.0.contains(membership))
    }
}

impl Rights {
    /// The rights of a user with these active memberships.
    pub(super) fn new(memberships: Vec<Membership>) -> Self {
        Self(memberships)
    }

    /// Returns true if the session receives the events of the site.
    pub(super) fn includes(&self, organization_id: OrganizationId, site_id: SiteId) -> bool {
        policy::sees_site(&self.0, organization_id, site_id)
    }
}

/// Loads the rights of the sessions that have not ended, by the hash of their secret.
pub(super) async fn read(app: &App, secret_hashes: Vec<String>) -> Result<HashMap<String, Rights>> {
    let signed_in = Caller::memberships_by_secret(app, secret_hashes).await?;
    Ok(signed_in.into_iter().map(|(hash, memberships)| (hash, Rights::new(memberships))).collect())
}
