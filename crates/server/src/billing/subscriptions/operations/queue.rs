//! The stored operations. One request or node works on an operation at a time; another one takes it over when its time is up.

use berth_db::Tx;
use berth_domain::id::{OrganizationId, SiteId, UserId};
use berth_domain::subscription::SubscriptionStatus;
use berth_domain::time::Timestamp;
use uuid::Uuid;

use super::super::rows;
use super::{BUSY, Parameters};
use crate::admin::audit_log::Author;
use crate::{App, Error, Result};

/// Milliseconds that a request has before others may take its operation over. Two calls, each with all its attempts, take less.
const BUSY_MILLIS: i64 = 40_000;

/// An operation without a known outcome.
#[derive(Debug, Clone)]
pub(in crate::billing::subscriptions) struct Operation {
    pub(super) id: Uuid,
    pub(super) organization_id: OrganizationId,
    pub(super) site_id: SiteId,
    pub(super) key: String,
    pub(super) parameters: Parameters,
    /// The user who asked for it. The audit trail names this user even if another request finishes it.
    pub(super) by: Author,
    pub(super) created_at: Timestamp,
    /// Calls to Stripe, with the one that is about to be made.
    pub(super) tries: i64,
}

#[derive(berth_db::FromRow)]
struct Row {
    id: Uuid,
    organization_id: OrganizationId,
    site_id: SiteId,
    idempotency_key: String,
    parameters: String,
    actor_id: Option<UserId>,
    actor_email: Option<String>,
    actor_role: Option<String>,
    created_at: Timestamp,
    busy_until: Timestamp,
    tries: i64,
}

impl Row {
    fn operation(self) -> Result<Operation> {
        let parameters = serde_json::from_str(&self.parameters).map_err(|error| Error::Internal(error.into()))?;
        let by = Author {
            user_id: self.actor_id.map(|id| id.0),
            email: self.actor_email,
            role: self.actor_role,
            ..Author::job()
        };
        Ok(Operation {
            id: self.id,
            organization_id: self.organization_id,
            site_id: self.site_id,
            key: self.idempotency_key,
            parameters,
            by,
            created_at: self.created_at,
            tries: self.tries,
        })
    }
}

/// The columns of a [`Row`].
macro_rules! select_operation {
    ($rest:literal) => {
        concat!(
            "SELECT id, organization_id, site_id, idempotency_key, parameters, actor_id, actor_email, actor_role, \
             created_at, busy_until, tries FROM billing_operations ",
            $rest
        )
    };
}

/// Stores what Stripe will be asked, under the lock of the site. If an earlier operation waits, it is taken over and returned
/// instead: it comes first, and the caller checks whether it asks for the same.
///
/// # Errors
/// 404 for a deleted site; 409 if `may` refuses the site's status, or if another request works on its operation.
pub(super) async fn open(
    app: &App,
    (organization_id, site_id): (OrganizationId, SiteId),
    by: &Author,
    parameters: &Parameters,
    may: impl Fn(SubscriptionStatus) -> Result<(), &'static str> + Send,
) -> Result<Operation> {
    const OPEN: &str = select_operation!("WHERE site_id = $1 AND finished_at IS NULL");
    const ATTEMPTS: &str = "SELECT COUNT(*) FROM billing_operations WHERE site_id = $1 AND kind = $2";
    const INSERT: &str = "INSERT INTO billing_operations (id, organization_id, site_id, kind, attempt, idempotency_key, \
        parameters, actor_id, actor_email, actor_role, created_at, busy_until, tries) \
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, 1)";
    let now = app.now();
    let mut tx = app.db.begin().await?;
    rows::lock_site(&mut tx, site_id).await?;
    let open: Option<Row> = tx.query(OPEN).bind(site_id).optional().await?;
    if let Some(row) = open {
        if row.busy_until > now {
            return Err(Error::conflict(BUSY));
        }
        let mut operation = take(&mut tx, row, now).await?;
        tx.commit().await?;
        // The same person tried again: the trail gets the address and the request of this try.
        if operation.by.user_id == by.user_id && by.user_id.is_some() {
            operation.by = by.clone();
        }
        return Ok(operation);
    }
    let status = rows::find_in(&mut tx, site_id, now).await?.map_or(SubscriptionStatus::None, |row| row.status());
    may(status).map_err(Error::conflict)?;
    let kind = parameters.kind();
    let attempts: i64 = tx.query(ATTEMPTS).bind(site_id).bind(kind).scalar().await?;
    let operation = Operation {
        id: app.id(),
        organization_id,
        site_id,
        key: format!("{kind}:{site_id}:{}:{}", attempts + 1, app.id()),
        parameters: parameters.clone(),
        by: by.clone(),
        created_at: now,
        tries: 1,
    };
    let text = serde_json::to_string(parameters).map_err(|error| Error::Internal(error.into()))?;
    let insert = tx.query(INSERT).bind(operation.id).bind(organization_id).bind(site_id).bind(kind);
    let insert = insert.bind(attempts + 1).bind(operation.key.as_str()).bind(text);
    let insert = insert.bind(by.user_id).bind(by.email.clone()).bind(by.role.clone());
    insert.bind(now).bind(now.plus_millis(BUSY_MILLIS)).execute().await?;
    tx.commit().await?;
    Ok(operation)
}

/// Operations that nobody works on, the oldest first, at most 20.
pub(in crate::billing::subscriptions) async fn waiting(app: &App) -> Result<Vec<Uuid>> {
    const WAITING: &str = "SELECT id FROM billing_operations WHERE finished_at IS NULL AND busy_until <= $1 ORDER BY created_at, id LIMIT 20";
    let rows: Vec<(Uuid,)> = app.db.query(WAITING).bind(app.now()).all().await?;
    Ok(rows.into_iter().map(|(id,)| id).collect())
}

/// Takes an operation over, unless another node did.
pub(in crate::billing::subscriptions) async fn take_over(app: &App, id: Uuid) -> Result<Option<Operation>> {
    const ROW: &str = select_operation!("WHERE id = $1 AND finished_at IS NULL AND busy_until <= $2");
    let now = app.now();
    let mut tx = app.db.begin().await?;
    let row: Option<Row> = tx.query(ROW).bind(id).bind(now).optional().await?;
    let Some(row) = row else { return Ok(None) };
    rows::lock_site(&mut tx, row.site_id).await?;
    let row: Option<Row> = tx.query(ROW).bind(id).bind(now).optional().await?;
    let Some(row) = row else { return Ok(None) };
    let operation = take(&mut tx, row, now).await?;
    tx.commit().await?;
    Ok(Some(operation))
}

async fn take(tx: &mut Tx, row: Row, now: Timestamp) -> Result<Operation> {
    const TAKE: &str = "UPDATE billing_operations SET busy_until = $2, tries = tries + 1 WHERE id = $1";
    tx.query(TAKE).bind(row.id).bind(now.plus_millis(BUSY_MILLIS)).execute().await?;
    let mut operation = row.operation()?;
    operation.tries += 1;
    Ok(operation)
}
