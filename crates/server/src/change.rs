//! One change: what belongs to every transaction that writes for a person, met once. The runner begins, claims the
//! idempotency key, commits, tells the boards, and does all of it again when another was in the way. The change itself is a
//! function that decides and writes:
//!
//! ```ignore
//! change::run(&app, By::caller(&caller, Some(&site)), |mut change| async move {
//!     change.touch(site).await?;
//!     change.tx.query(REMOVE).bind(id).execute().await?;
//!     change.tell(Entry::at(site, AuditAction::BedRemoved, (ObjectKind::Bed, id.0), "bed 1 removed")).await?;
//!     change.with(Done)
//! })
//! ```

use axum::body::Bytes;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use berth_db::Tx;
use berth_domain::id::OrganizationId;
use berth_domain::time::Timestamp;
use serde::Serialize;

use crate::admin::audit_log::{self, By, Entry, Shown};
use crate::auth::caller::Site;
use crate::housing::sites;
use crate::http::idempotency::{self, Claim, Claimed};
use crate::integrations::live::LiveEvent;
use crate::{App, Result};

/// A change under way. Dropped, it did not happen.
pub struct Change {
    /// The application.
    pub app: App,
    /// Its transaction.
    pub tx: Tx,
    /// Who does it.
    pub by: By,
    /// When: one time for all that it writes.
    pub now: Timestamp,
    events: Vec<(OrganizationId, Vec<LiveEvent>)>,
}

/// A change that is done, and what its caller is told. [`Change::with`] makes one, [`nothing`] where nothing was to do.
pub struct Finished<T> {
    change: Option<Change>,
    answer: T,
}

impl Change {
    /// Takes the site's next version, which is also its lock, and tells its boards after the commit. It comes first.
    pub async fn touch(&mut self, site: &Site) -> Result<i64> {
        let version = sites::touch(&mut self.tx, site.id).await?;
        self.events.push((site.organization_id, vec![LiveEvent { site_id: site.id, version }]));
        Ok(version)
    }

    /// Writes a row of the trail.
    pub async fn tell(&mut self, entry: Entry) -> Result<()> {
        audit_log::write(&self.app, &mut self.tx, &self.by, &entry).await
    }

    /// The bytes of an answer that shows guests whom the change did not name: `seen` goes on record with it.
    pub async fn show(&mut self, answer: &(impl Serialize + Sync), seen: Entry) -> Result<Bytes> {
        Shown::of(answer)?.written(&self.app, &mut self.tx, &self.by, seen).await
    }

    /// Done: to be committed, then answered so.
    ///
    /// # Errors
    /// None; what ends a change is its last line.
    pub fn with<T>(self, answer: T) -> Result<Finished<T>> {
        Ok(Finished { change: Some(self), answer })
    }
}

/// Nothing was to be changed: answered without a commit, so that the touch did not happen.
///
/// # Errors
/// None; what ends a change is its last line.
pub fn nothing<T>(answer: T) -> Result<Finished<T>> {
    Ok(Finished { change: None, answer })
}

/// Runs a change, again while the database is busy.
///
/// # Errors
/// The change's own, and those of the database.
pub async fn run<T, F, W>(app: &App, by: By, work: W) -> Result<T>
where
    W: Fn(Change) -> F,
    F: Future<Output = Result<Finished<T>>>,
{
    let (by, work) = (&by, &work);
    berth_db::retry(|| async move {
        let change = begin(app, by).await?;
        let Finished { change, answer } = work(change).await?;
        if let Some(change) = change {
            commit(change).await?;
        }
        Ok(answer)
    })
    .await
}

/// Runs a change that shows no guest, once for each idempotency key of the caller: the same request again gets the same
/// answer. `asked` is the request as it was understood: path and body.
///
/// # Errors
/// As [`run`]; 409 and 422 for a key that is in use or was used for something else.
pub async fn once<T, F, W>(app: &App, by: By, headers: &HeaderMap, asked: &impl Serialize, work: W) -> Result<Response>
where
    T: Serialize,
    W: Fn(Change) -> F,
    F: Future<Output = Result<Finished<(StatusCode, T)>>>,
{
    let (by, work) = (&by, &work);
    let owner = by.user_id.unwrap_or_default().to_string();
    let owner = &owner;
    berth_db::retry(|| async move {
        let mut change = begin(app, by).await?;
        let claim = match idempotency::claim(app, &mut change.tx, headers, owner.clone(), asked).await? {
            Claimed::Go(claim) => claim,
            Claimed::Replay(replay) => return replay.of_nobody(),
        };
        let Finished { change, answer: (status, body) } = work(change).await?;
        let Some(mut change) = change else {
            return Ok(audit_log::json(status, Shown::of(&body)?.named(&[])?));
        };
        let response = Claim::answer(claim, &mut change.tx, status, &body).await?;
        commit(change).await?;
        Ok(response)
    })
    .await
}

async fn begin(app: &App, by: &By) -> Result<Change> {
    let tx = app.db.begin().await?;
    Ok(Change { app: app.clone(), tx, by: by.clone(), now: app.now(), events: Vec::new() })
}

async fn commit(change: Change) -> Result<()> {
    let Change { app, tx, events, .. } = change;
    if events.is_empty() {
        return Ok(tx.commit().await?);
    }
    app.live.commit_places(tx, events).await
}
