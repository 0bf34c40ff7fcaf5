//! The runner of changes: what every transaction that writes has in common. It begins, stores the idempotency key, commits,
//! publishes the live events, and starts over while another transaction is in the way. A change itself is a function that
//! decides and writes:
//!
//! ```ignore
//! change::run(&app, Author::caller(&caller, Some(&site)), |mut change| async move {
//!     change.touch(site).await?;
//!     change.tx.query(REMOVE).bind(id).execute().await?;
//!     change.record(Entry::at(site, AuditAction::BedRemoved, (ObjectKind::Bed, id.0), "bed 1 removed")).await?;
//!     change.done(Done)
//! })
//! ```
//!
//! The function may run several times, so nothing outside the database happens in it: no call to Stripe, no hashing, no
//! image work. What it needs of those is made before, what follows from it is done after.

use axum::body::Bytes;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use berth_db::{IsBusy, Tx};
use berth_domain::id::{GuestId, OrganizationId, SiteId, WaitingGuestId};
use berth_domain::time::Timestamp;
use serde::Serialize;

use crate::admin::audit_log::{self, Author, Entry, Shown};
use crate::auth::caller::Site;
use crate::housing::sites;
use crate::http::idempotency::{self, Key, Named, Replay};
use crate::integrations::live::LiveEvent;
use crate::{App, Error, Result};

/// A change in progress. If it is dropped, it did not happen.
pub struct Change {
    /// The application.
    pub app: App,
    /// The transaction.
    pub tx: Tx,
    /// Who makes the change.
    pub by: Author,
    /// The time of the change, the same for everything that it writes.
    pub now: Timestamp,
    events: Vec<(OrganizationId, Vec<LiveEvent>)>,
}

/// A completed change and its answer. [`Change::done`] makes one, or [`unchanged`] if there was nothing to change.
pub struct Finished<T> {
    change: Option<Change>,
    answer: T,
}

impl Change {
    /// Takes the next version of a site, and with it the site's lock; publishes it after the commit. Comes before anything
    /// that is read to decide.
    ///
    /// # Errors
    /// 404 if the site was removed.
    pub async fn touch(&mut self, site: &Site) -> Result<i64> {
        let version = sites::touch(&mut self.tx, site.id).await?;
        // The lock may have been waited for.
        self.now = self.app.now();
        self.publish(site.organization_id, site.id, version);
        Ok(version)
    }

    /// Touches every site of an organization, whose row is locked already.
    pub async fn touch_all(&mut self, organization: OrganizationId) -> Result<()> {
        let events = sites::touch_all(&mut self.tx, organization).await?;
        self.events.push((organization, events));
        Ok(())
    }

    /// Publishes a version of a site after the commit.
    pub fn publish(&mut self, organization_id: OrganizationId, site_id: SiteId, version: i64) {
        self.events.push((organization_id, vec![LiveEvent { site_id, version }]));
    }

    /// Writes a row of the audit trail.
    pub async fn record(&mut self, entry: Entry) -> Result<()> {
        audit_log::write(&self.app, &mut self.tx, &self.by, &entry).await
    }

    /// Returns the bytes of an answer that shows guests whom the change did not name: `seen` records that they were shown.
    pub async fn show(&mut self, answer: &(impl Serialize + Sync), seen: Entry) -> Result<Bytes> {
        Shown::of(answer)?.written(&self.app, &mut self.tx, &self.by, seen).await
    }

    /// Ends the change: it is committed, then answered with `answer`.
    ///
    /// # Errors
    /// Never; a change ends with this line.
    pub fn done<T, E>(self, answer: T) -> Result<Finished<T>, E> {
        Ok(Finished { change: Some(self), answer })
    }
}

/// Ends a change that had nothing to do: it is answered without a commit, so the touch did not happen either.
///
/// # Errors
/// Never; a change ends with this line.
pub fn unchanged<T, E>(answer: T) -> Result<Finished<T>, E> {
    Ok(Finished { change: None, answer })
}

/// The answer of a change that is made once for each idempotency key.
pub struct Answer {
    status: StatusCode,
    shown: Shown,
    etag: Option<String>,
    named: Vec<GuestId>,
    waiting: Option<WaitingGuestId>,
}

impl Answer {
    /// An answer that shows no guest.
    pub fn new(status: StatusCode, body: &impl Serialize) -> Result<Self> {
        Self::naming(status, body, Vec::new())
    }

    /// An answer that shows `guests`, whom audit rows of the change name.
    pub fn naming(status: StatusCode, body: &impl Serialize, guests: Vec<GuestId>) -> Result<Self> {
        Ok(Self { status, shown: Shown::of(body)?, etag: None, named: guests, waiting: None })
    }

    /// The same with a quoted entity tag.
    #[must_use]
    pub fn tagged(self, etag: String) -> Self {
        Self { etag: Some(etag), ..self }
    }

    /// The same, which shows a person on a waitlist: it is repeated only while the person waits.
    #[must_use]
    pub fn of_waiting(self, person: WaitingGuestId) -> Self {
        Self { waiting: Some(person), ..self }
    }

    /// Gives the answer out.
    ///
    /// # Errors
    /// 500 if it shows a guest whom no audit row of the change names.
    fn named(self) -> Result<Named> {
        let Self { status, shown, etag, named, waiting } = self;
        let guests = shown.guests().cloned();
        Ok(Named { status, bytes: shown.named(&named)?, guests, waiting, etag })
    }
}

/// Runs a change, again while the database is busy.
///
/// # Errors
/// Those of the change and of the database.
pub async fn run<T, E, F, W>(app: &App, by: Author, work: W) -> Result<T, E>
where
    E: From<Error> + From<berth_db::Error> + IsBusy,
    W: Fn(Change) -> F,
    F: Future<Output = Result<Finished<T>, E>>,
{
    let (by, work) = (&by, &work);
    berth_db::retry(|| async move {
        let Finished { change, answer } = work(begin(app, by).await?).await?;
        if let Some(change) = change {
            commit(change).await?;
        }
        Ok(answer)
    })
    .await
}

/// Runs a change once for each idempotency key of `by`. The same request again gets the same answer; `asked` is the request
/// as it was understood: path and body. The answer shows no guest.
///
/// # Errors
/// As [`run`]; 422 for a key that was used for another request; 409 if the answer showed a person who no longer waits.
pub async fn once<E, F, W>(
    app: &App,
    by: Author,
    headers: &HeaderMap,
    asked: &impl Serialize,
    work: W,
) -> Result<Response, E>
where
    E: From<Error> + From<berth_db::Error> + IsBusy,
    W: Fn(Change) -> F,
    F: Future<Output = Result<Finished<Answer>, E>>,
{
    let owner = owner_of(&by);
    once_owned(app, by, &owner, headers, asked, work).await
}

/// As [`once`], with keys that belong to `owner` and not to the author. A stranger's network address is no owner for an answer
/// that must not be lost: a phone changes its network at any moment.
///
/// # Errors
/// As [`once`].
pub async fn once_owned<E, F, W>(
    app: &App,
    by: Author,
    owner: &str,
    headers: &HeaderMap,
    asked: &impl Serialize,
    work: W,
) -> Result<Response, E>
where
    E: From<Error> + From<berth_db::Error> + IsBusy,
    W: Fn(Change) -> F,
    F: Future<Output = Result<Finished<Answer>, E>>,
{
    keyed(app, by, owner, &Key::read(headers, asked)?, None, work).await
}

/// As [`once`], for an answer that shows guests: `seen` records it when the same request is answered again.
///
/// # Errors
/// As [`once`].
pub async fn once_showing<E, F, W>(
    app: &App,
    by: Author,
    headers: &HeaderMap,
    asked: &impl Serialize,
    seen: Entry,
    work: W,
) -> Result<Response, E>
where
    E: From<Error> + From<berth_db::Error> + IsBusy,
    W: Fn(Change) -> F,
    F: Future<Output = Result<Finished<Answer>, E>>,
{
    let owner = owner_of(&by);
    keyed(app, by, &owner, &Key::read(headers, asked)?, Some(seen), work).await
}

/// Returns the owner of an author's keys: the user, or the address of a stranger.
fn owner_of(by: &Author) -> String {
    by.user_id.map_or_else(|| format!("requester:{}", by.address), |id| id.to_string())
}

async fn keyed<E, F, W>(
    app: &App,
    by: Author,
    owner: &str,
    key: &Key,
    seen: Option<Entry>,
    work: W,
) -> Result<Response, E>
where
    E: From<Error> + From<berth_db::Error> + IsBusy,
    W: Fn(Change) -> F,
    F: Future<Output = Result<Finished<Answer>, E>>,
{
    let (by, seen, work) = (&by, &seen, &work);
    berth_db::retry(|| async move {
        let refused = match work(begin(app, by).await?).await {
            Ok(Finished { change: Some(mut change), answer }) => {
                let answer = answer.named()?;
                if idempotency::store(&mut change.tx, owner, key, &answer, change.now).await? {
                    commit(change).await?;
                    return Ok(answer.into_response());
                }
                // The same request was carried out at the same moment.
                Err(Error::Busy.into())
            }
            Ok(Finished { change: None, answer }) => Ok(answer.named()?.into_response()),
            Err(error) => Err(error),
        };
        // Nothing was changed, perhaps because the same request was carried out before.
        match idempotency::earlier(&app.db, owner, key).await? {
            None => refused,
            Some(replay) => Ok(repeated(app, by, replay, seen.clone()).await?),
        }
    })
    .await
}

/// Repeats an earlier answer. `seen` records the guests that it shows; `None` if it shows none.
async fn repeated(app: &App, by: &Author, replay: Replay, seen: Option<Entry>) -> Result<Response> {
    let Some(seen) = seen else { return replay.of_nobody() };
    let mut change = begin(app, by).await?;
    let response = replay.written(app, &mut change.tx, by, seen).await?;
    commit(change).await?;
    Ok(response)
}

async fn begin(app: &App, by: &Author) -> Result<Change> {
    let tx = app.db.begin().await?;
    Ok(Change { app: app.clone(), tx, by: by.clone(), now: app.now(), events: Vec::new() })
}

async fn commit(change: Change) -> Result<()> {
    let Change { app, tx, events, .. } = change;
    if events.is_empty() {
        return Ok(tx.commit().await?);
    }
    app.live.commit(tx, events).await
}
