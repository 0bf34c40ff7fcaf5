//! The directory: the data of the dashboard's lists, cached by each process under the versions of its parts. A request reads 66
//! versions, reloads the parts that changed, and sorts and pages in memory, so that any page of 10,000 sites costs the same,
//! with the same result on both engines.

use std::collections::HashMap;
use std::sync::Arc;

use berth_db::Tx;
use berth_domain::id::{OrganizationId, SiteId, UserId};
use berth_domain::role::{MembershipStatus, Role};
use berth_domain::value::name_key;
use tokio::sync::Mutex;

use super::parts::{self, Part};
use crate::{App, Result};

/// The columns of an organization.
#[derive(Debug)]
pub struct OrganizationFacts {
    pub id: OrganizationId,
    pub name: String,
    pub name_key: String,
    pub logo_path: Option<String>,
    pub is_commercial: bool,
    pub site_count: i64,
}

/// The columns of a site, with its counters.
#[derive(Debug)]
pub struct SiteFacts {
    pub id: SiteId,
    pub organization_id: OrganizationId,
    pub name: String,
    pub name_key: String,
    pub contact_web: Option<String>,
    pub contact_phone: String,
    pub contact_email: String,
    pub rooms: i64,
    pub beds: i64,
    pub vacant: i64,
}

/// A membership of a user.
#[derive(Debug)]
pub struct MembershipFacts {
    pub role: Role,
    pub status: MembershipStatus,
    /// The organization, or that of the site; `None` for a global admin.
    pub organization_id: Option<OrganizationId>,
    pub site_id: Option<SiteId>,
}

/// A person: all access user records with one email, merged (spec A 3).
#[derive(Debug)]
pub struct PersonFacts {
    pub id: UserId,
    pub email: String,
    pub email_key: String,
    pub first_name: String,
    pub first_key: String,
    pub last_name: String,
    pub last_key: String,
    /// Distinct roles in the order in which they were granted, separated by commas.
    pub roles: String,
    pub memberships: Vec<MembershipFacts>,
}

/// A snapshot of the directory. Lists are in the order of ids.
#[derive(Clone, Default)]
pub struct Snapshot {
    pub organizations: Arc<Vec<Arc<OrganizationFacts>>>,
    pub people: Arc<Vec<Arc<PersonFacts>>>,
    sites: Vec<Arc<Vec<Arc<SiteFacts>>>>,
}

impl Snapshot {
    /// Finds an organization.
    #[must_use]
    pub fn organization(&self, id: OrganizationId) -> Option<&Arc<OrganizationFacts>> {
        self.organizations.binary_search_by_key(&id, |row| row.id).ok().map(|at| &self.organizations[at])
    }

    /// Finds a site.
    #[must_use]
    pub fn site(&self, id: SiteId) -> Option<&Arc<SiteFacts>> {
        self.sites.iter().find_map(|part| part.binary_search_by_key(&id, |row| row.id).ok().map(|at| &part[at]))
    }

    /// Returns all sites whose organization exists.
    pub fn sites(&self) -> impl Iterator<Item = &Arc<SiteFacts>> {
        self.sites.iter().flat_map(|part| part.iter()).filter(|site| self.organization(site.organization_id).is_some())
    }
}

/// The cached directory.
#[derive(Default)]
pub struct Directory(Mutex<(HashMap<i64, i64>, Option<Snapshot>)>);

impl Directory {
    /// Returns the current snapshot, which includes every change committed before this call.
    pub async fn now(&self, app: &App) -> Result<Snapshot> {
        let mut remembered = self.0.lock().await;
        let (known, snapshot) = &mut *remembered;
        // Mostly nothing has changed. A transaction around one statement would cost two more round trips on PostgreSQL.
        if let Some(snapshot) = snapshot
            && parts::versions(&app.db).await? == *known
        {
            return Ok(snapshot.clone());
        }
        // One read transaction for versions and rows, so that rows are not cached under another version.
        let mut tx = app.db.read().await?;
        let versions = parts::versions(&mut tx).await?;
        let is_first = snapshot.is_none();
        let mut next = snapshot.take().unwrap_or_default();
        let is_changed = |part: Part| is_first || versions.get(&part.number()) != known.get(&part.number());
        if is_changed(Part::Organizations) {
            next.organizations = Arc::new(organizations(&mut tx).await?);
        }
        if is_changed(Part::People) {
            next.people = Arc::new(people(&mut tx).await?);
        }
        next.sites.resize_with(usize::try_from(Part::OF_SITES).unwrap_or_default(), Arc::default);
        if is_first {
            for (part, rows) in next.sites.iter_mut().zip(all_sites(&mut tx).await?) {
                *part = Arc::new(rows);
            }
        } else {
            for (number, part) in (0..).zip(&mut next.sites) {
                if is_changed(Part::Sites(number)) {
                    *part = Arc::new(sites_of(&mut tx, number).await?);
                }
            }
        }
        *known = versions;
        *snapshot = Some(next.clone());
        Ok(next)
    }
}

async fn organizations(tx: &mut Tx) -> Result<Vec<Arc<OrganizationFacts>>> {
    #[derive(berth_db::FromRow)]
    struct Row {
        id: OrganizationId,
        name: String,
        name_key: String,
        logo_path: Option<String>,
        is_commercial: bool,
        site_count: i64,
    }
    const ORGANIZATIONS: &str = "SELECT o.id, o.name, o.name_key, o.logo_path, o.is_commercial, \
        (SELECT COUNT(*) FROM sites s WHERE s.organization_id = o.id AND s.deleted_at IS NULL) AS site_count \
        FROM organizations o WHERE o.deleted_at IS NULL ORDER BY o.id";
    let rows: Vec<Row> = tx.query(ORGANIZATIONS).all().await?;
    let facts = |row: Row| {
        let Row { id, name, name_key, logo_path, is_commercial, site_count } = row;
        Arc::new(OrganizationFacts { id, name, name_key, logo_path, is_commercial, site_count })
    };
    Ok(rows.into_iter().map(facts).collect())
}

#[derive(berth_db::FromRow)]
struct SiteRow {
    part: i64,
    id: SiteId,
    organization_id: OrganizationId,
    name: String,
    name_key: String,
    contact_web: Option<String>,
    contact_phone: String,
    contact_email: String,
    rooms: i64,
    beds: i64,
    vacant: i64,
}

impl From<SiteRow> for Arc<SiteFacts> {
    fn from(row: SiteRow) -> Self {
        let SiteRow { id, organization_id, name, name_key, contact_web, contact_phone, contact_email, .. } = row;
        let SiteRow { rooms, beds, vacant, .. } = row;
        Self::new(SiteFacts {
            id,
            organization_id,
            name,
            name_key,
            contact_web,
            contact_phone,
            contact_email,
            rooms,
            beds,
            vacant,
        })
    }
}

async fn all_sites(tx: &mut Tx) -> Result<Vec<Vec<Arc<SiteFacts>>>> {
    const SITES: &str = "SELECT c.part, s.id, s.organization_id, s.name, s.name_key, s.contact_web, s.contact_phone, \
        s.contact_email, c.rooms, c.beds, c.beds - c.disabled - c.occupied AS vacant \
        FROM site_counts c JOIN sites s ON s.id = c.site_id AND s.deleted_at IS NULL ORDER BY s.id";
    let rows: Vec<SiteRow> = tx.query(SITES).all().await?;
    let mut parts = Vec::new();
    parts.resize_with(usize::try_from(Part::OF_SITES).unwrap_or_default(), Vec::new);
    for row in rows {
        if let Some(part) = usize::try_from(row.part).ok().and_then(|part| parts.get_mut(part)) {
            part.push(row.into());
        }
    }
    Ok(parts)
}

async fn sites_of(tx: &mut Tx, part: i64) -> Result<Vec<Arc<SiteFacts>>> {
    const SITES: &str = "SELECT c.part, s.id, s.organization_id, s.name, s.name_key, s.contact_web, s.contact_phone, \
        s.contact_email, c.rooms, c.beds, c.beds - c.disabled - c.occupied AS vacant \
        FROM site_counts c JOIN sites s ON s.id = c.site_id AND s.deleted_at IS NULL WHERE c.part = $1 ORDER BY s.id";
    let rows: Vec<SiteRow> = tx.query(SITES).bind(part).all().await?;
    Ok(rows.into_iter().map(Into::into).collect())
}

async fn people(tx: &mut Tx) -> Result<Vec<Arc<PersonFacts>>> {
    #[derive(berth_db::FromRow)]
    struct Row {
        id: UserId,
        email: String,
        email_key: String,
        first_name: String,
        last_name: String,
        role: Role,
        status: MembershipStatus,
        organization_id: Option<OrganizationId>,
        site_id: Option<SiteId>,
    }
    /// Without memberships at removed places. An email belongs to one user, so merging by user also merges by email.
    const PEOPLE: &str = "SELECT u.id, u.email, u.email_key, u.first_name, u.last_name, m.role, m.status, \
        o.id AS organization_id, m.site_id FROM memberships m \
        JOIN users u ON u.id = m.user_id AND u.deleted_at IS NULL \
        LEFT JOIN sites s ON s.id = m.site_id AND s.deleted_at IS NULL \
        LEFT JOIN organizations o ON o.id = COALESCE(m.organization_id, s.organization_id) AND o.deleted_at IS NULL \
        WHERE m.deleted_at IS NULL AND (m.role = 'GlobalAdmin' OR o.id IS NOT NULL) \
        ORDER BY u.id, m.created_at, m.id";
    let rows: Vec<Row> = tx.query(PEOPLE).all().await?;
    let mut people: Vec<PersonFacts> = Vec::new();
    for row in rows {
        if people.last().is_none_or(|person| person.id != row.id) {
            people.push(PersonFacts {
                id: row.id,
                email: row.email,
                email_key: row.email_key,
                first_key: name_key(&row.first_name),
                first_name: row.first_name,
                last_key: name_key(&row.last_name),
                last_name: row.last_name,
                roles: String::new(),
                memberships: Vec::new(),
            });
        }
        if let Some(person) = people.last_mut() {
            if person.memberships.iter().all(|held| held.role != row.role) {
                if !person.roles.is_empty() {
                    person.roles.push(',');
                }
                person.roles.push_str(row.role.as_str());
            }
            let (role, status) = (row.role, row.status);
            let (organization_id, site_id) = (row.organization_id, row.site_id);
            person.memberships.push(MembershipFacts { role, status, organization_id, site_id });
        }
    }
    Ok(people.into_iter().map(Arc::new).collect())
}
