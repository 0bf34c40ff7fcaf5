//! Cached answers of the landing lists, `GET /api/Sites` and `GET /api/Organizations` (DESIGN 2, "Reads"; docs/decisions/0039).
//!
//! An answer is valid for one directory version: the sum of the versions of the dashboard's parts. Every change that such a list
//! shows raises it, and it is read together with the session.

use axum::http::HeaderMap;
use axum::response::Response;
use berth_db::{Queries, Tx};
use berth_domain::role::Membership;
use berth_domain::time::Timestamp;
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::admin::audit_log::Shown;
use crate::auth::caller::Caller;
use crate::http::cache::{Cache, Rendered};
use crate::http::etag;
use crate::{App, Result};

/// Digest of the list, the memberships of the caller and the filters.
pub type Key = [u8; 32];

/// The recent answers of this process.
pub type LandingCache = Cache<Key>;

/// A request for a landing list.
pub struct Ask<'a> {
    /// The name of the list.
    pub list: &'static str,
    /// The caller.
    pub caller: &'a Caller,
    /// The filters and the page.
    pub filter: String,
}

/// Returns the key of a list. Users with the same memberships get the same answer.
pub(super) fn key(list: &str, caller: &Caller, filter: &str) -> Key {
    let mut digest = Sha256::new();
    digest.update(list);
    for Membership { role, organization_id, site_id } in &caller.actor.memberships {
        digest.update([0, role.rank()]);
        digest.update(organization_id.map_or([0; 16], |id| id.0.into_bytes()));
        digest.update(site_id.map_or([0; 16], |id| id.0.into_bytes()));
    }
    digest.update([1]);
    digest.update(filter);
    digest.finalize().into()
}

impl Ask<'_> {
    /// Answers from the cache, or with the list that `render` reads from a snapshot, and the time until which it is valid without
    /// changes.
    pub async fn answer<T: Serialize>(
        &self,
        app: &App,
        headers: &HeaderMap,
        render: impl AsyncFnOnce(&mut Tx, Timestamp) -> Result<(T, Option<Timestamp>)>,
    ) -> Result<Response> {
        let (key, now) = (key(self.list, self.caller, &self.filter), app.now());
        let version = self.caller.directory_version().await?;
        let rendered = match app.landing.get(key, version, now) {
            Some(rendered) => rendered,
            None => {
                let mut view = app.db.read().await?;
                // Of this snapshot, which may be newer than the one in which the caller was authenticated.
                let version = directory_version(&mut view).await?;
                let (list, until) = render(&mut view, now).await?;
                let valid_until = until.unwrap_or(Timestamp::from_millis(i64::MAX));
                let rendered = Rendered { version, valid_from: now, valid_until, shown: Shown::of(&list)? };
                app.landing.put(key, rendered.clone());
                rendered
            }
        };
        let tag = format!("{}-{}-{}", rendered.version, hex::encode(&key[..4]), rendered.valid_until.millis());
        Ok(etag::answer(headers, &tag, rendered.shown.named(&[])?))
    }
}

/// Returns the directory version: the sum of the versions of all parts of the dashboard's lists.
pub async fn directory_version(mut db: impl Queries) -> Result<i64> {
    const VERSION: &str = "SELECT CAST(COALESCE(SUM(version), 0) AS BIGINT) FROM directory_versions";
    Ok(db.query(VERSION).scalar().await?)
}
