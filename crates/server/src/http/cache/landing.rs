//! The lists that people land on, `GET /api/Sites` and `GET /api/Organizations`: answered like a board from bytes that were
//! rendered before (DESIGN 2, "Reads"; docs/decisions/0039). What they are good for is the sum of the versions of the
//! dashboard's parts, which every change raises that such a list can show; it is read together with the session.

use axum::http::HeaderMap;
use axum::response::Response;
use berth_db::Tx;
use berth_domain::role::Membership;
use berth_domain::time::Timestamp;
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::admin::audit_log::Shown;
use crate::auth::caller::Caller;
use crate::http::cache::{Cache, Rendered};
use crate::http::etag;
use crate::{App, Result};

/// Which answer: the list, who may see what, and what was asked for, as one digest.
type Key = [u8; 32];

/// The answers rendered lately by this process.
pub type LandingCache = Cache<Key>;

/// What is asked for.
pub struct Ask<'a> {
    /// The name of the list.
    pub list: &'static str,
    /// Who asks.
    pub caller: &'a Caller,
    /// The filters and the page.
    pub filter: String,
}

impl Ask<'_> {
    /// People with the same memberships get the same answer.
    fn key(&self) -> Key {
        let mut digest = Sha256::new();
        digest.update(self.list);
        for Membership { role, organization_id, site_id } in &self.caller.actor.memberships {
            digest.update([0, role.rank()]);
            digest.update(organization_id.map_or([0; 16], |id| id.0.into_bytes()));
            digest.update(site_id.map_or([0; 16], |id| id.0.into_bytes()));
        }
        digest.update([1]);
        digest.update(&self.filter);
        digest.finalize().into()
    }

    /// Answers from the cache, or with what `render` reads in a view of the database: the list, and when time itself changes
    /// it.
    pub async fn answer<T: Serialize>(
        &self,
        app: &App,
        headers: &HeaderMap,
        render: impl AsyncFnOnce(&mut Tx, Timestamp) -> Result<(T, Option<Timestamp>)>,
    ) -> Result<Response> {
        let (key, now) = (self.key(), app.now());
        let version = self.caller.directory_version().await?;
        let rendered = match app.landing.get(key, version, now) {
            Some(rendered) => rendered,
            None => {
                let mut view = app.db.read().await?;
                // As of this view, which may be newer than the one that the caller was let in with.
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

/// The sum of the versions of all parts of the dashboard's lists.
pub async fn directory_version(tx: &mut Tx) -> Result<i64> {
    const VERSION: &str = "SELECT CAST(COALESCE(SUM(version), 0) AS BIGINT) FROM directory_versions";
    Ok(tx.query(VERSION).scalar().await?)
}
