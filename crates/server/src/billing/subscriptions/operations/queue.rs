//! SQL on the table `billing_operations`. One request or node works on an operation at a time; when its time is up,
//! another one takes the operation over.

use berth_db::Tx;
use berth_domain::id::{OrganizationId, SiteId, UserId};
use berth_domain::subscription::SubscriptionStatus;
use berth_domain::time::Timestamp;
use uuid::Uuid;

use super::super::rows;
use super::{BUSY, Parameters};
use crate::admin::audit_log::Author;
use crate::change::{self, Change};
use crate::{App, Error, Result};

/// Milliseconds after which others may take an operation over. Two calls to Stripe, each with all its retries, take
/// less.
const BUSY_MILLIS: i64 = 40_000;

/// An operation without a known outcome.
#[derive(Debug, Clone)]
pub(in crate::billing::subscriptions) struct Operation {
    pub(super) id: Uuid,
    pub(super) organization_id: OrganizationId,
    pub(super) site_id: SiteId,
    pub(super) key: String,
    pub(super) parameters: Parameters,
    /// The user who opened it. The audit log names this user even if another request finishes the operation.
    pub(super) by: Author,
    pub(super) created_at: Timestamp,
    /// The number of calls to Stripe, including the one that is about to be made.
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

/// Stores a new operation, under the lock of the site. If an earlier operation waits, it is taken over and returned
/// instead: it comes first, and the caller checks whether it is the same.
///
/// # Errors
/// 404 for a site that does not exist; 409 if `may` rejects the site's status, or if another request works on its
/// operation.
pub(super) async fn open(
    app: &App,
    (organization_id, site_id): (OrganizationId, SiteId),
    by: &Author,
    parameters: &Parameters,
    may: fn(SubscriptionStatus) -> Result<(), &'static str>,
) -> Result<Operation> {
    const OPEN: &str = select_operation!("WHERE site_id = $1 AND finished_at IS NULL");
    change::run(app, by.clone(), |mut change| async move {
        rows::lock_site(&mut change, site_id).await?;
        let (now, tx) = (change.now, &mut change.tx);
        if let Some(row) = tx.query(OPEN).bind(site_id).optional::<Row>().await? {
            if row.busy_until > now {
                return Err(Error::conflict(BUSY));
            }
            let mut operation = take(tx, row, now).await?;
            // The same user tried again: the audit log gets the address and the request id of this try.
            if operation.by.user_id == by.user_id && by.user_id.is_some() {
                operation.by = by.clone();
            }
            return change.done(operation);
        }
        let status = rows::find(tx, site_id, now).await?.map_or(SubscriptionStatus::None, |row| row.status());
        may(status).map_err(Error::conflict)?;
        let operation = insert(&mut change, (organization_id, site_id), parameters).await?;
        change.done(operation)
    })
    .await
}

/// Adds a new operation.
async fn insert(
    change: &mut Change,
    (organization_id, site_id): (OrganizationId, SiteId),
    parameters: &Parameters,
) -> Result<Operation> {
    const ATTEMPTS: &str = "SELECT COUNT(*) FROM billing_operations WHERE site_id = $1 AND kind = $2";
    const INSERT: &str = "INSERT INTO billing_operations (id, organization_id, site_id, kind, attempt, idempotency_key, \
        parameters, actor_id, actor_email, actor_role, created_at, busy_until, tries) \
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, 1)";
    let Change { app, tx, by, now, .. } = change;
    let kind = parameters.kind();
    let attempts: i64 = tx.query(ATTEMPTS).bind(site_id).bind(kind).scalar().await?;
    let operation = Operation {
        id: app.id(),
        organization_id,
        site_id,
        key: format!("{kind}:{site_id}:{}:{}", attempts + 1, app.id()),
        parameters: parameters.clone(),
        by: by.clone(),
        created_at: *now,
        tries: 1,
    };
    let text = serde_json::to_string(parameters).map_err(|error| Error::Internal(error.into()))?;
    let insert = tx.query(INSERT).bind(operation.id).bind(organization_id).bind(site_id).bind(kind);
    let insert = insert.bind(attempts + 1).bind(operation.key.as_str()).bind(text);
    let insert = insert.bind(by.user_id).bind(by.email.clone()).bind(by.role.clone());
    insert.bind(*now).bind(now.plus_millis(BUSY_MILLIS)).execute().await?;
    Ok(operation)
}

/// Lists the operations that nobody works on, the oldest first, at most 20.
pub(in crate::billing::subscriptions) async fn list_waiting(app: &App) -> Result<Vec<Uuid>> {
    const WAITING: &str = "SELECT id FROM billing_operations WHERE finished_at IS NULL AND busy_until <= $1 ORDER BY created_at, id LIMIT 20";
    let rows: Vec<(Uuid,)> = app.db.query(WAITING).bind(app.now()).all().await?;
    Ok(rows.into_iter().map(|(id,)| id).collect())
}

/// Takes an operation over, unless another node did.
pub(in crate::billing::subscriptions) async fn take_over(app: &App, id: Uuid) -> Result<Option<Operation>> {
    const ROW: &str = select_operation!("WHERE id = $1 AND finished_at IS NULL AND busy_until <= $2");
    change::run(app, Author::job(), |mut change| async move {
        let row: Option<Row> = change.tx.query(ROW).bind(id).bind(change.now).optional().await?;
        let Some(row) = row else { return change::unchanged(None) };
        rows::lock_site(&mut change, row.site_id).await?;
        let row: Option<Row> = change.tx.query(ROW).bind(id).bind(change.now).optional().await?;
        let Some(row) = row else { return change::unchanged(None) };
        let operation = take(&mut change.tx, row, change.now).await?;
        change.done(Some(operation))
    })
    .await
}

/// Makes the caller the one who works on an operation.
async fn take(tx: &mut Tx, row: Row, now: Timestamp) -> Result<Operation> {
    const TAKE: &str = "UPDATE billing_operations SET busy_until = $2, tries = tries + 1 WHERE id = $1";
    tx.query(TAKE).bind(row.id).bind(now.plus_millis(BUSY_MILLIS)).execute().await?;
    let mut operation = row.operation()?;
    operation.tries += 1;
    Ok(operation)
}
