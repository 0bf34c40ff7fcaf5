//! Loading sites, organizations, houses, beds and guests with a check of the rights.

use berth_db::Tx;
use berth_domain::id::{BedId, GuestId, OrganizationId, RoomId, SavedCardId, SiteId, WaitingGuestId};
use berth_domain::policy::{Action, Target};

use super::Caller;
use crate::Result;

/// A site that the caller may act on.
#[derive(Debug, Clone, berth_db::FromRow)]
pub struct Site {
    /// The site.
    pub id: SiteId,
    /// Its owner.
    pub organization_id: OrganizationId,
    /// Its name.
    pub name: String,
    /// True if its organization is commercial.
    pub is_commercial: bool,
    /// IANA time zone.
    pub time_zone: String,
    /// Screening period, in hours: the hold of a reservation from the public side.
    pub hold_hours: i64,
    /// True if the site asks whether accepted guests have arrived.
    pub asks_arrival: bool,
    /// True if guests are placed by the rules of the site and its houses only (docs/decisions/0068).
    pub strict_placement: bool,
    /// Counts the changes to its houses, beds and guests.
    pub version: i64,
}

/// An organization that the caller may act on.
#[derive(Debug, Clone, berth_db::FromRow)]
pub struct Organization {
    /// The organization.
    pub id: OrganizationId,
    /// Its name.
    pub name: String,
    /// True if it is commercial (paid).
    pub is_commercial: bool,
    /// True if a global admin has hidden it.
    pub is_disabled: bool,
}

/// SQL query: a [`Site`] from `sites s` and `organizations o`, followed by the given text.
macro_rules! select_site {
    ($($rest:tt)*) => {
        concat!(
            "SELECT s.id, s.organization_id, s.name, o.is_commercial, s.time_zone, s.hold_hours, s.asks_arrival, s.strict_placement, s.version \
             FROM sites s JOIN organizations o ON o.id = s.organization_id ",
            $($rest)*
        )
    };
}
pub(crate) use select_site;

impl Caller {
    /// Loads a site for an action.
    ///
    /// # Errors
    /// 404 if the caller may not view it, 403 if the caller may not do this.
    pub async fn site(&self, id: SiteId, action: Action) -> Result<Site> {
        const SITE: &str = select_site!("WHERE s.id = $1 AND s.deleted_at IS NULL AND o.deleted_at IS NULL");
        let site = match self.named.as_ref().filter(|named| named.id == id) {
            Some(named) => named.clone(),
            None => self.app.db.query(SITE).bind(id).one().await?,
        };
        self.admit(site, action)
    }

    /// Checks another action on a site that is loaded already, without a query.
    ///
    /// # Errors
    /// 404 if the caller may not view it, 403 if the caller may not do this.
    pub fn check(&self, site: &Site, action: Action) -> Result<()> {
        self.decide(action, &site.target())
    }

    fn admit(&self, site: Site, action: Action) -> Result<Site> {
        self.check(&site, action)?;
        Ok(site)
    }

    /// Loads an organization for an action.
    ///
    /// # Errors
    /// 404 if the caller may not view it, 403 if the caller may not do this.
    pub async fn organization(&self, id: OrganizationId, action: Action) -> Result<Organization> {
        const ORGANIZATION: &str = "SELECT id, name, is_commercial, is_disabled FROM organizations \
            WHERE id = $1 AND deleted_at IS NULL";
        const SITES: &str = "SELECT id FROM sites WHERE organization_id = $1 AND deleted_at IS NULL";
        let organization: Organization = self.app.db.query(ORGANIZATION).bind(id).one().await?;
        let worked_at = self.worked_at();
        let actor_sites = if worked_at.is_empty() {
            false
        } else {
            let sites: Vec<(SiteId,)> = self.app.db.query(SITES).bind(id).all().await?;
            sites.iter().any(|(site,)| worked_at.contains(site))
        };
        let target = Target::Organization { id, is_commercial: organization.is_commercial, actor_sites };
        self.decide(action, &target)?;
        Ok(organization)
    }

    /// Loads the organization of a saved card for an action.
    ///
    /// # Errors
    /// 404 if the caller may not view it, 403 if the caller may not do this.
    pub async fn card(&self, id: SavedCardId, action: Action) -> Result<Organization> {
        const CARD: &str = "SELECT organization_id FROM saved_cards WHERE id = $1 AND deleted_at IS NULL";
        let organization: OrganizationId = self.app.db.query(CARD).bind(id).scalar().await?;
        self.organization(organization, action).await
    }

    /// Loads the site of a house for an action.
    ///
    /// # Errors
    /// 404 if the caller may not view it, 403 if the caller may not do this.
    pub async fn room(&self, id: RoomId, action: Action) -> Result<Site> {
        const SITE: &str = select_site!(
            "JOIN rooms x ON x.site_id = s.id AND x.deleted_at IS NULL \
             WHERE x.id = $1 AND s.deleted_at IS NULL AND o.deleted_at IS NULL"
        );
        self.admit(self.app.db.query(SITE).bind(id).one().await?, action)
    }

    /// Loads the site of a bed for an action.
    ///
    /// # Errors
    /// 404 if the caller may not view it, 403 if the caller may not do this.
    pub async fn bed(&self, id: BedId, action: Action) -> Result<Site> {
        const SITE: &str = select_site!(
            "JOIN beds x ON x.site_id = s.id AND x.deleted_at IS NULL \
             WHERE x.id = $1 AND s.deleted_at IS NULL AND o.deleted_at IS NULL"
        );
        self.admit(self.app.db.query(SITE).bind(id).one().await?, action)
    }

    /// Loads the site of a guest for an action.
    ///
    /// # Errors
    /// 404 if the caller may not view it, 403 if the caller may not do this.
    pub async fn guest(&self, id: GuestId, action: Action) -> Result<Site> {
        const SITE: &str = select_site!(
            "JOIN guests x ON x.site_id = s.id WHERE x.id = $1 AND s.deleted_at IS NULL AND o.deleted_at IS NULL"
        );
        let site = match self.named.as_ref().filter(|_| self.named_guest == Some(id)) {
            Some(named) => named.clone(),
            None => self.app.db.query(SITE).bind(id).one().await?,
        };
        self.admit(site, action)
    }

    /// Loads the site of a person on a waitlist for an action.
    ///
    /// # Errors
    /// 404 if the caller may not view it, 403 if the caller may not do this.
    pub async fn waiting_guest(&self, id: WaitingGuestId, action: Action) -> Result<Site> {
        const SITE: &str = select_site!(
            "JOIN waiting_guests x ON x.site_id = s.id WHERE x.id = $1 AND s.deleted_at IS NULL AND o.deleted_at IS NULL"
        );
        self.admit(self.app.db.query(SITE).bind(id).one().await?, action)
    }
}

impl Site {
    /// Loads a site without a check of rights, even a removed one: for jobs, and for the guest who has a reservation there.
    ///
    /// # Errors
    /// 404 if there is no such site.
    pub async fn load_removed_too(tx: &mut Tx, id: SiteId) -> Result<Self> {
        const SITE: &str = select_site!("WHERE s.id = $1");
        Ok(tx.query(SITE).bind(id).one().await?)
    }

    /// Returns the site as a target of the policy.
    #[must_use]
    pub const fn target(&self) -> Target {
        Target::Site { id: self.id, organization_id: self.organization_id, is_commercial: self.is_commercial }
    }
}
