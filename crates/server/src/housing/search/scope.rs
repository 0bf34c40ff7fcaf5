//! The places that a search covers.

use std::collections::BTreeSet;

use berth_db::Tx;
use berth_domain::id::{OrganizationId, SiteId};
use berth_domain::policy::{Action, Target};

use crate::Result;
use crate::auth::caller::Caller;
use crate::housing::sites;

/// A site that the caller may view.
#[derive(Debug, Clone, berth_db::FromRow)]
pub struct SeenSite {
    /// The site.
    pub id: SiteId,
    /// Its name.
    pub name: String,
    /// The key of its name.
    pub name_key: String,
    /// Its organization.
    pub organization_id: OrganizationId,
    /// The name of the organization.
    pub organization_name: String,
    /// True if the organization is commercial.
    pub is_commercial: bool,
}

impl SeenSite {
    /// Returns the site as the policy needs it.
    #[must_use]
    pub const fn target(&self) -> Target {
        Target::Site { id: self.id, organization_id: self.organization_id, is_commercial: self.is_commercial }
    }
}

/// The sites that the caller may view.
#[derive(Debug)]
pub enum Scope {
    /// The whole platform, for global admins.
    Platform,
    /// These sites.
    Sites(Vec<SeenSite>),
}

impl Scope {
    /// Loads the sites of the caller.
    pub async fn load(tx: &mut Tx, caller: &Caller) -> Result<Self> {
        const MINE: &str = concat!(
            "SELECT s.id, s.name, s.name_key, s.organization_id, o.name AS organization_name, o.is_commercial FROM (",
            sites::ids_seen_by!("$1"),
            ") y CROSS JOIN sites s JOIN organizations o ON o.id = s.organization_id AND o.deleted_at IS NULL \
             WHERE s.id = y.id AND s.deleted_at IS NULL"
        );
        if caller.is_global() {
            return Ok(Self::Platform);
        }
        let mut seen: Vec<SeenSite> = tx.query(MINE).bind(caller.actor.user_id).all().await?;
        seen.retain(|site| caller.may(Action::ViewSite, &site.target()));
        seen.sort_by(|left, right| left.name_key.cmp(&right.name_key).then(left.id.cmp(&right.id)));
        Ok(Self::Sites(seen))
    }

    /// Returns the ids of the sites where the caller may do `action`, which a global admin may do everywhere: `None`.
    #[must_use]
    pub fn sites_with(&self, caller: &Caller, action: Action) -> Option<BTreeSet<SiteId>> {
        match self {
            Self::Platform => None,
            Self::Sites(seen) => {
                let allowed = seen.iter().filter(|site| caller.may(action, &site.target()));
                Some(allowed.map(|site| site.id).collect())
            }
        }
    }

    /// Returns the ids of the organizations of the sites.
    #[must_use]
    pub fn organizations(&self) -> BTreeSet<OrganizationId> {
        match self {
            Self::Platform => BTreeSet::new(),
            Self::Sites(seen) => seen.iter().map(|site| site.organization_id).collect(),
        }
    }
}
