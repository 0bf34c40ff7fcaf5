//! Search of the audit trail by person, guest, site, action and day. If the marks of the lists cannot answer it, only the newest
//! rows of the narrowest filter are searched, so that no search reads millions of rows. To find older rows, the reader
//! chooses days.

use berth_db::Db;
use berth_domain::id::{OrganizationId, SiteId};
use berth_domain::time::Timestamp;
use uuid::Uuid;

use super::AuditAction;
use super::lists::{Cut, List, first_id_at};
use crate::http::paging::Page;
use crate::{App, Result};

/// Maximum number of searched rows of the narrowest filter.
const SEARCH_DEPTH: i64 = 20_000;

/// Filter of audit rows. All fields must match.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    /// Rows of an organization and its sites.
    pub organization_id: Option<OrganizationId>,
    /// Rows of a site.
    pub site_id: Option<SiteId>,
    /// Rows whose author is this user.
    pub actor_id: Option<Uuid>,
    /// Rows about this guest or person on the waitlist, and rows that show the guest.
    pub guest_id: Option<Uuid>,
    /// Rows of this action.
    pub action: Option<AuditAction>,
    /// Earliest time.
    pub from: Option<Timestamp>,
    /// Latest time, exclusive.
    pub until: Option<Timestamp>,
}

/// A page of found rows.
#[derive(Debug)]
pub struct Found {
    /// Number of found rows.
    pub total: i64,
    /// False if older rows were not searched.
    pub is_complete: bool,
    /// The rows of the page.
    pub rows: Rows,
}

/// The rows of a page.
#[derive(Debug)]
pub enum Rows {
    /// A range of a list.
    Cut(List, Cut),
    /// Rows by id, newest first.
    Ids(Vec<Uuid>),
}

/// SQL of the rows of the narrowest filter ($1) between two ids ($2, $3), at most $8, and those of them that match the other
/// filters.
macro_rules! search {
    ($narrowest:expr, $result:literal) => {
        concat!(
            "WITH narrowest AS (",
            $narrowest,
            " LIMIT $8), hits AS (SELECT a.id FROM narrowest n CROSS JOIN audit a WHERE a.id = n.id \
             AND ($4 IS NULL OR a.organization_id = $4) AND ($5 IS NULL OR a.site_id = $5) \
             AND ($6 IS NULL OR a.actor_id = $6) AND ($7 IS NULL OR a.action = $7)) ",
            $result
        )
    };
}

/// Number of searched rows and number of matches.
macro_rules! count {
    ($narrowest:expr) => {
        search!($narrowest, "SELECT (SELECT COUNT(*) FROM narrowest) AS looked_at, (SELECT COUNT(*) FROM hits) AS hits")
    };
}

/// The newest matches.
macro_rules! ids {
    ($narrowest:expr) => {
        search!($narrowest, "SELECT id FROM hits ORDER BY id DESC LIMIT $9 OFFSET $10")
    };
}

/// The rows about a guest: those of the guest and of the time on the waitlist, and those that show the guest.
macro_rules! of_guest {
    () => {
        "SELECT id FROM (SELECT id FROM audit WHERE object_id = $1 AND id > $2 AND id <= $3 UNION \
         SELECT x.id FROM waiting_guests w CROSS JOIN audit x WHERE w.guest_id = $1 AND x.object_id = w.id \
         AND x.id > $2 AND x.id <= $3 UNION \
         SELECT x.id FROM guest_sets s CROSS JOIN audit x WHERE s.guest_id = $1 AND x.guest_set_id = s.id \
         AND x.id > $2 AND x.id <= $3) seen ORDER BY id DESC"
    };
}

impl Filter {
    /// Returns the range of ids of the days.
    fn between(&self) -> (Uuid, Uuid) {
        (self.from.map_or(Uuid::nil(), first_id_at), self.until.map_or(Uuid::max(), first_id_at))
    }

    /// Returns the list that has exactly these rows, days aside; `None` if they must be searched.
    fn list(&self) -> Option<List> {
        let is_plain =
            self.site_id.is_none() && self.actor_id.is_none() && self.guest_id.is_none() && self.action.is_none();
        is_plain.then(|| self.organization_id.map_or(List::Whole, List::Organization))
    }

    /// Finds a page, newest rows first.
    pub async fn find(&self, app: &App, page: Page) -> Result<Found> {
        let Some(list) = self.list() else { return self.search(&app.db, page).await };
        let (total, cut) = if self.from.is_none() && self.until.is_none() {
            list.find(app, page).await?
        } else {
            list.find_between(&app.db, page, self.between(), app.now()).await?
        };
        let rows = cut.map_or_else(|| Rows::Ids(Vec::new()), |cut| Rows::Cut(list, cut));
        Ok(Found { total, is_complete: true, rows })
    }

    async fn search(&self, db: &Db, page: Page) -> Result<Found> {
        const COUNT_BY_GUEST: &str = count!(of_guest!());
        const IDS_BY_GUEST: &str = ids!(of_guest!());
        const COUNT_BY_SITE: &str =
            count!("SELECT id FROM audit WHERE site_id = $1 AND id > $2 AND id <= $3 ORDER BY id DESC");
        const IDS_BY_SITE: &str =
            ids!("SELECT id FROM audit WHERE site_id = $1 AND id > $2 AND id <= $3 ORDER BY id DESC");
        const COUNT_BY_ACTOR: &str =
            count!("SELECT id FROM audit WHERE actor_id = $1 AND id > $2 AND id <= $3 ORDER BY id DESC");
        const IDS_BY_ACTOR: &str =
            ids!("SELECT id FROM audit WHERE actor_id = $1 AND id > $2 AND id <= $3 ORDER BY id DESC");
        const COUNT_BY_ORGANIZATION: &str =
            count!("SELECT id FROM audit WHERE organization_id = $1 AND id > $2 AND id <= $3 ORDER BY id DESC");
        const IDS_BY_ORGANIZATION: &str =
            ids!("SELECT id FROM audit WHERE organization_id = $1 AND id > $2 AND id <= $3 ORDER BY id DESC");
        const COUNT_BY_ACTION: &str =
            count!("SELECT id FROM audit WHERE action = $1 AND at >= $2 AND at < $3 ORDER BY at DESC, id DESC");
        const IDS_BY_ACTION: &str =
            ids!("SELECT id FROM audit WHERE action = $1 AND at >= $2 AND at < $3 ORDER BY at DESC, id DESC");

        let (count, ids, key) = match (self.guest_id, self.site_id, self.actor_id, self.organization_id) {
            (Some(guest), ..) => (COUNT_BY_GUEST, IDS_BY_GUEST, Some(guest)),
            (_, Some(site), ..) => (COUNT_BY_SITE, IDS_BY_SITE, Some(site.0)),
            (_, _, Some(actor), _) => (COUNT_BY_ACTOR, IDS_BY_ACTOR, Some(actor)),
            (.., Some(organization)) => (COUNT_BY_ORGANIZATION, IDS_BY_ORGANIZATION, Some(organization.0)),
            _ => (COUNT_BY_ACTION, IDS_BY_ACTION, None),
        };
        let bound = |text: &'static str| {
            let query = db.query(text);
            let query = match key {
                Some(key) => {
                    let (after, until) = self.between();
                    query.bind(key).bind(after).bind(until)
                }
                None => {
                    let from = self.from.unwrap_or(Timestamp::from_millis(i64::MIN));
                    let until = self.until.unwrap_or(Timestamp::from_millis(i64::MAX));
                    query.bind(self.action.map(AuditAction::as_str)).bind(from).bind(until)
                }
            };
            let query = query.bind(self.organization_id).bind(self.site_id).bind(self.actor_id);
            query.bind(self.action.map(AuditAction::as_str)).bind(SEARCH_DEPTH)
        };
        let (looked_at, total): (i64, i64) = bound(count).one().await?;
        let found: Vec<(Uuid,)> = bound(ids).bind(page.size).bind(page.offset()).all().await?;
        let rows = Rows::Ids(found.into_iter().map(|(id,)| id).collect());
        Ok(Found { total, is_complete: looked_at < SEARCH_DEPTH, rows })
    }
}
