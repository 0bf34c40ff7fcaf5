//! The audit trail: a row per change in the transaction of the change, a row per read of a guest before the answer
//! leaves, and rows for reads of boards and lists that ride together (security-and-proof 2.1, I11). Rows never change.

mod action;
pub mod lists;

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use berth_db::{Query, Tx};
use berth_domain::id::{OrganizationId, SessionId, SiteId, UserId};
use berth_domain::role::Role;
use berth_domain::time::Timestamp;
use uuid::Uuid;

pub use self::action::{AuditAction, ObjectKind};
use crate::caller::{Caller, Site};
use crate::requester::Requester;
use crate::{App, Result, dashboard};

/// One row of the trail.
#[derive(Debug, Clone)]
pub struct Entry {
    /// What was done.
    pub action: AuditAction,
    /// Where, if at a place.
    pub organization_id: Option<OrganizationId>,
    /// Where, if at a site.
    pub site_id: Option<SiteId>,
    /// The kind and id of the thing it was done to.
    pub object: Option<(ObjectKind, Uuid)>,
    /// A sentence for the reader of the trail. Ids and codes, never a guest's name or telephone.
    pub summary: String,
}

impl Entry {
    /// An entry at a site.
    #[must_use]
    pub fn at(site: &Site, action: AuditAction, object: (ObjectKind, Uuid), summary: impl Into<String>) -> Self {
        Self {
            action,
            organization_id: Some(site.organization_id),
            site_id: Some(site.id),
            object: Some(object),
            summary: summary.into(),
        }
    }

    /// An entry that belongs to no place.
    #[must_use]
    pub fn anywhere(action: AuditAction, object: Option<(ObjectKind, Uuid)>, summary: impl Into<String>) -> Self {
        Self { action, organization_id: None, site_id: None, object, summary: summary.into() }
    }
}

/// Who did it.
#[derive(Debug, Clone, Default)]
pub struct By {
    /// The user, unless a job or the public side did it.
    pub user_id: Option<Uuid>,
    /// The user's e-mail, or the login that was tried.
    pub email: Option<String>,
    /// The strongest role the user had at the place.
    pub role: Option<String>,
    /// The requester's address, or `job`.
    pub address: String,
    /// The request.
    pub request_id: String,
}

impl By {
    /// A background job.
    #[must_use]
    pub fn job() -> Self {
        Self { address: "job".to_owned(), ..Self::default() }
    }

    /// Someone who is not signed in.
    #[must_use]
    pub fn stranger(requester: &Requester) -> Self {
        Self { address: requester.address.clone(), request_id: requester.request_id.clone(), ..Self::default() }
    }

    /// A signed-in caller, with the role at `site` where there is one.
    #[must_use]
    pub fn caller(caller: &Caller, site: Option<&Site>) -> Self {
        Self {
            user_id: Some(caller.actor.user_id.0),
            email: Some(caller.email.clone()),
            role: caller.role_text(site),
            address: caller.requester.address.clone(),
            request_id: caller.requester.request_id.clone(),
        }
    }
}

const INSERT: &str = "INSERT INTO audit (id, at, action, actor_id, actor_email, actor_role, organization_id, site_id, \
    object_type, object_id, summary, address, request_id) \
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)";

/// Writes a row in the transaction of what it tells.
///
/// # Errors
/// Those of the database.
pub async fn write(app: &App, tx: &mut Tx, by: &By, entry: &Entry) -> Result<()> {
    write_at(app, tx, by, entry, app.now()).await
}

/// Writes a row in the transaction of what it tells, together with the statements around it.
///
/// # Errors
/// Those of the database.
pub async fn write_ahead(app: &App, tx: &mut Tx, by: &By, entry: &Entry) -> Result<()> {
    let _ = insert(app, tx, by, entry, app.now()).ahead().await?;
    dashboard::note(tx, entry).await
}

async fn write_at(app: &App, tx: &mut Tx, by: &By, entry: &Entry, at: Timestamp) -> Result<()> {
    insert(app, tx, by, entry, at).execute().await?;
    dashboard::note(tx, entry).await
}

fn insert<'a>(app: &App, tx: &'a mut Tx, by: &By, entry: &Entry, at: Timestamp) -> Query<'a> {
    tx.query(INSERT)
        .bind(app.id())
        .bind(at)
        .bind(entry.action.as_str())
        .bind(by.user_id)
        .bind(by.email.clone())
        .bind(by.role.clone())
        .bind(entry.organization_id)
        .bind(entry.site_id)
        .bind(entry.object.map(|(kind, _)| kind.as_str()))
        .bind(entry.object.map(|(_, id)| id))
        .bind(entry.summary.clone())
        .bind(by.address.clone())
        .bind(by.request_id.clone())
}

/// Writes a row in a transaction of its own, for a read that must be on record before its answer leaves.
///
/// # Errors
/// Those of the database.
pub async fn record(app: &App, by: &By, entry: &Entry) -> Result<()> {
    let mut tx = app.db.begin().await?;
    write(app, &mut tx, by, entry).await?;
    Ok(tx.commit().await?)
}

/// The strongest role that a user has anywhere, for a row about somebody who is not signed in, or not yet.
///
/// # Errors
/// Those of the database.
pub async fn strongest_role(tx: &mut Tx, user_id: UserId) -> Result<Option<String>> {
    const ROLES: &str =
        "SELECT role FROM memberships WHERE user_id = $1 AND deleted_at IS NULL AND status <> 'Disabled'";
    let roles: Vec<(Role,)> = tx.query(ROLES).bind(user_id).all().await?;
    Ok(roles.into_iter().max_by_key(|(role,)| role.rank()).map(|(role,)| format!("{role:?}")))
}

/// How long a look at a list of the trail stands for those after it, in milliseconds.
const LOOK_AT_TRAIL: i64 = 3_600_000;

/// Reads of boards and lists on their way into the trail: who saw which version of which site. They are written
/// together about every half second, and once for the same session, site and version.
#[derive(Default)]
pub struct ReadTrail {
    waiting: Mutex<Vec<(By, Entry, Timestamp)>>,
    seen: Mutex<HashMap<Seen, i64>>,
}

/// Which session saw what of which site, or of the platform.
type Seen = (Option<SessionId>, Option<SiteId>, &'static str);

impl ReadTrail {
    /// Notes that the caller was shown `what` of a site at its present version.
    pub fn note(&self, caller: &Caller, site: &Site, what: AuditAction, now: Timestamp) {
        if self.is_new((caller.session_id, Some(site.id), what.as_str()), site.version) {
            let summary = format!("version {}", site.version);
            let entry = Entry::at(site, what, (ObjectKind::Site, site.id.0), summary);
            self.wait((By::caller(caller, Some(site)), entry, now));
        }
    }

    /// Notes that the caller was shown a list of the trail: once an hour for the same session and list.
    pub fn note_trail(&self, caller: &Caller, list: lists::List, now: Timestamp) {
        if self.is_new((caller.session_id, None, list.name()), now.millis() / LOOK_AT_TRAIL) {
            let entry = Entry::anywhere(AuditAction::AuditViewed, None, list.name());
            self.wait((By::caller(caller, None), entry, now));
        }
    }

    /// Remembers that this version was seen; false when it was before.
    fn is_new(&self, key: Seen, version: i64) -> bool {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if seen.len() > 20_000 {
            seen.clear();
        }
        seen.insert(key, version) != Some(version)
    }

    fn wait(&self, row: (By, Entry, Timestamp)) {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).push(row);
    }

    /// Writes what waits. Called by the jobs' loop and at the end of the process.
    ///
    /// # Errors
    /// Those of the database; the rows wait on then.
    pub async fn flush(&self, app: &App) -> Result<()> {
        let rows = std::mem::take(&mut *self.waiting.lock().unwrap_or_else(PoisonError::into_inner));
        if rows.is_empty() {
            return Ok(());
        }
        let result = async {
            let mut tx = app.db.begin().await?;
            for (by, entry, at) in &rows {
                write_at(app, &mut tx, by, entry, *at).await?;
            }
            Ok(tx.commit().await?)
        }
        .await;
        if result.is_err() {
            self.waiting.lock().unwrap_or_else(PoisonError::into_inner).extend(rows);
        }
        result
    }
}
