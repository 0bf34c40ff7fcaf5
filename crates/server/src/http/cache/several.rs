//! Cached answers about several sites that show guests, such as `GET /api/Today`.
//!
//! An answer is valid for one sum of the versions of the caller's sites: every change of their houses, beds and guests raises it, and so
//! does every edit of a site or an organization. Callers with the same memberships share it. It is given out against one audit row for
//! each site whose guests it shows.

use axum::http::HeaderMap;
use axum::response::Response;
use berth_db::{Queries, Tx};
use berth_domain::id::{OrganizationId, SiteId};
use berth_domain::role::{Membership, Role};
use berth_domain::time::Timestamp;
use serde::Serialize;

use super::one_maker::OneMaker;
use super::{Cached, Rendered};
use crate::admin::audit_log::{AuditAction, GuestSet, GuestsBySite, Shown};
use crate::auth::caller::{Caller, Site};
use crate::http::etag;
use crate::{App, Result};

/// An answer and the guests that it shows.
pub struct Answer<T> {
    /// The answer.
    pub value: T,
    /// When it changes with time. `None` if it does not.
    pub valid_until: Option<Timestamp>,
    /// The guests by site.
    pub shown: Vec<(Site, GuestSet)>,
}

/// A rendered answer, with the guests by site.
#[derive(Clone)]
pub struct SeveralRendered {
    rendered: Rendered,
    guests: GuestsBySite,
}

impl Cached for SeveralRendered {
    fn rendered(&self) -> &Rendered {
        &self.rendered
    }
}

/// The recent answers of this process.
pub type SeveralCache = OneMaker<SeveralRendered>;

/// Answers from the cache, or with what `render` reads from a snapshot. `list` is the name of the list and its filter, which the audit log
/// records.
pub async fn several<T: Serialize>(
    app: &App,
    caller: &Caller,
    headers: &HeaderMap,
    (list, filter): (&'static str, &str),
    render: impl AsyncFnOnce(&mut Tx, Timestamp) -> Result<Answer<T>>,
) -> Result<Response> {
    let key = super::landing::key(list, caller, filter);
    let ask = app.several.ask(key);
    let version = known_versions(app, caller).await?;
    let kept = match app.several.get(ask, version, app.now()) {
        Some(kept) => kept,
        None => {
            let make = async |now| {
                let mut view = app.db.read().await?;
                // Of this snapshot, which may be newer than the one that was asked before.
                let version = versions(&mut view, caller).await?;
                let are_current = are_memberships_current(&mut view, caller).await?;
                let Answer { value, valid_until, shown } = render(&mut view, now).await?;
                drop(view);
                let valid_until = valid_until.unwrap_or(Timestamp::from_millis(i64::MAX));
                let answer = Shown::of(&value)?;
                let guests = GuestsBySite::of(&answer, &key, shown)?;
                let rendered = Rendered { version, valid_from: now, valid_until, shown: answer };
                Ok((SeveralRendered { rendered, guests }, are_current))
            };
            app.several.get_or_make(ask, version, || app.now(), make).await?
        }
    };
    let SeveralRendered { rendered, guests } = kept;
    let bytes = rendered.shown.noted_at_sites(app, (caller, AuditAction::GuestsListed, filter), &guests).await?;
    let tag = format!("{}-{}-{}", rendered.version, hex::encode(&key[..4]), rendered.valid_until.millis());
    Ok(etag::answer(headers, &tag, bytes))
}

/// Returns the sum of [`versions`] from memory if nothing was committed since it was read.
async fn known_versions(app: &App, caller: &Caller) -> Result<i64> {
    // Read without a snapshot: it is one statement, and on PostgreSQL a snapshot would cost two more round trips.
    let Some(state) = caller.database_state() else { return versions(&app.db, caller).await };
    // The sum is read by the user's memberships, which may be others by now than those that the caller has.
    let user = if caller.is_global() { String::new() } else { caller.actor.user_id.to_string() };
    let who = super::landing::key("versions", caller, &user);
    if let Some(version) = app.known_versions.get(&who, state) {
        return Ok(version);
    }
    // The sum may be of a later state than its name. No request can see the older state any more, so no older answer is valid for it.
    let version = versions(&app.db, caller).await?;
    app.known_versions.put(who, state.to_owned(), version);
    Ok(version)
}

/// Returns true if the caller has the memberships of the key in this snapshot, too. Otherwise the answer is not kept: people with the
/// memberships of the key would get it, and it may show sites that they may not see.
async fn are_memberships_current(tx: &mut Tx, caller: &Caller) -> Result<bool> {
    const MEMBERSHIPS: &str = "SELECT role, organization_id, site_id FROM memberships \
        WHERE user_id = $1 AND deleted_at IS NULL AND status = 'Active'";
    let rows: Vec<(Role, Option<OrganizationId>, Option<SiteId>)> =
        tx.query(MEMBERSHIPS).bind(caller.actor.user_id).all().await?;
    let known = &caller.actor.memberships;
    let is_known = |(role, organization_id, site_id): &(Role, Option<OrganizationId>, Option<SiteId>)| {
        known.contains(&Membership { role: *role, organization_id: *organization_id, site_id: *site_id })
    };
    Ok(rows.len() == known.len() && rows.iter().all(is_known))
}

/// Returns the sum of the versions of the caller's sites and their organizations, for a global admin of all. It never falls while the
/// caller's memberships are the same: removed sites are part of it.
async fn versions(mut db: impl Queries, caller: &Caller) -> Result<i64> {
    const MINE: &str = concat!(
        "SELECT CAST(COALESCE(SUM(s.version + s.edit_version + o.version + CASE WHEN s.deleted_at IS NULL THEN 0 ELSE 1 END), 0) \
         AS BIGINT) FROM (",
        crate::housing::sites::ids_seen_by!("$1"),
        ") y CROSS JOIN sites s JOIN organizations o ON o.id = s.organization_id WHERE s.id = y.id"
    );
    // Two sums of narrow columns: a join would look up an organization for each of thousands of sites.
    const ALL: &str = "SELECT CAST((SELECT COALESCE(SUM(s.version + s.edit_version \
        + CASE WHEN s.deleted_at IS NULL THEN 0 ELSE 1 END), 0) FROM sites s) \
        + (SELECT COALESCE(SUM(o.version), 0) FROM organizations o) AS BIGINT)";
    if caller.is_global() {
        return Ok(db.query(ALL).scalar().await?);
    }
    Ok(db.query(MINE).bind(caller.actor.user_id).scalar().await?)
}
