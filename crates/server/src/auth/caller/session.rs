//! Loading the session and the rights of a secret, together with the record that the request names.

use std::collections::HashMap;

use axum::http::{Method, Uri};
use berth_domain::id::{GuestId, OrganizationId, SiteId};
use berth_domain::policy::{Actor, Stage};
use berth_domain::role::Membership;

use super::extract::NOBODY;
use super::secrets::{Extra, SecretRow, secret};
use super::{Caller, Site};
use crate::auth::tokens::{self, Kind};
use crate::http::requester::{self, Requester};
use crate::{App, Result};

/// A [`SecretRow`] with the site that the request names, if it exists.
#[derive(berth_db::FromRow)]
struct SecretAndSiteRow {
    #[row(flatten)]
    secret: SecretRow,
    place_id: Option<SiteId>,
    place_organization_id: Option<OrganizationId>,
    place_name: Option<String>,
    is_commercial: Option<bool>,
    time_zone: Option<String>,
    hold_hours: Option<i64>,
    asks_arrival: Option<bool>,
    strict_placement: Option<bool>,
    version: Option<i64>,
}

impl SecretAndSiteRow {
    fn site(&self) -> Option<Site> {
        Some(Site {
            id: self.place_id?,
            organization_id: self.place_organization_id?,
            name: self.place_name.clone()?,
            is_commercial: self.is_commercial?,
            time_zone: self.time_zone.clone()?,
            hold_hours: self.hold_hours?,
            asks_arrival: self.asks_arrival?,
            strict_placement: self.strict_placement?,
            version: self.version?,
        })
    }
}

/// The columns of the site in a [`SecretAndSiteRow`].
macro_rules! place_columns {
    () => {
        ", p.id AS place_id, p.organization_id AS place_organization_id, p.name AS place_name, o.is_commercial, \
         p.time_zone, p.hold_hours, p.asks_arrival, p.strict_placement, p.version"
    };
}

/// The record that a request names, to load it together with the session. Handlers load it themselves if it is not found so.
#[derive(Debug, Clone, Copy)]
pub(super) enum Names {
    /// A read: `/api/Sites/{id}` or `?siteId=`.
    Site(SiteId),
    /// A read of a guest, or a command on one: `/api/Guests/{id}`.
    Guest(GuestId),
    /// The landing lists: `/api/Sites` and `/api/Organizations`.
    Lists,
    /// Today, at all sites of the caller.
    Today,
}

pub(super) fn names(method: &Method, uri: &Uri) -> Option<Names> {
    let guest = uri.path().strip_prefix("/api/Guests/").and_then(|id| id.parse().ok());
    if let Some(id) = guest.filter(|_| method.is_safe() || *method == Method::PATCH) {
        return Some(Names::Guest(GuestId(id)));
    }
    if !method.is_safe() {
        return None;
    }
    if matches!(uri.path(), "/api/Sites" | "/api/Organizations") {
        return Some(Names::Lists);
    }
    if uri.path() == "/api/Today" {
        return Some(Names::Today);
    }
    let pairs = uri.query().unwrap_or_default().split('&').filter_map(|pair| pair.split_once('='));
    let in_query = pairs.filter(|(key, _)| *key == "siteId").map(|(_, id)| id);
    let in_path = uri.path().strip_prefix("/api/Sites/");
    in_query.chain(in_path).find_map(|id| id.parse().ok()).map(|id| Names::Site(SiteId(id)))
}

/// Returns the stage and the active memberships of a valid secret. `rows` are those of one secret.
fn standing(app: &App, rows: &[SecretRow], by_cookie: bool) -> Result<(Stage, Vec<Membership>)> {
    let now = app.now();
    let first = rows.first().ok_or(NOBODY)?;
    let stage = match first.kind.as_str() {
        kind if kind == Kind::FirstStep.as_str() => Stage::FirstStep,
        kind if kind == Kind::Access.as_str() && !by_cookie => Stage::Full,
        kind if kind == Kind::Cookie.as_str() && by_cookie => Stage::Full,
        _ => return Err(NOBODY),
    };
    if first.expires_at <= now || first.used_at.is_some() {
        return Err(NOBODY);
    }
    if stage == Stage::Full {
        let idle = app.settings.idle_minutes;
        let alive = first.ended_at.is_none()
            && first.session_expires_at.is_some_and(|end| now < end)
            && first.last_seen_at.is_some_and(|seen| now < seen.plus_minutes(idle));
        if !alive {
            return Err(NOBODY);
        }
    }
    let memberships: Vec<Membership> = rows
        .iter()
        .filter(|row| row.status.as_deref() == Some("Active"))
        .filter_map(|row| {
            Some(Membership { role: row.role?, organization_id: row.organization_id, site_id: row.site_id })
        })
        .collect();
    // A user with an invitation may sign in. A user whose memberships are all disabled may not.
    if first.membership_id.is_none() {
        return Err(NOBODY);
    }
    Ok((stage, memberships))
}

impl Caller {
    /// Loads the session and the rights of a secret, at any stage, and the site that the request names, in one query.
    pub(super) async fn authenticate(
        app: &App,
        (secret, by_cookie): (String, bool),
        requester: Requester,
        names: Option<Names>,
    ) -> Result<Self> {
        const SECRET_AND_SITE: &str = secret!(
            place_columns!(),
            " LEFT JOIN sites p ON p.id = $2 AND p.deleted_at IS NULL \
             LEFT JOIN organizations o ON o.id = p.organization_id AND o.deleted_at IS NULL",
            "s.hash = $1"
        );
        const SECRET_AND_SITE_OF_GUEST: &str = secret!(
            place_columns!(),
            " LEFT JOIN guests g ON g.id = $2 LEFT JOIN sites p ON p.id = g.site_id AND p.deleted_at IS NULL \
             LEFT JOIN organizations o ON o.id = p.organization_id AND o.deleted_at IS NULL",
            "s.hash = $1"
        );
        let secret_hash = tokens::hash(&secret);
        let hash = secret_hash.clone();
        let (mut named, mut named_guest, mut directory_version, mut database_state) = (None, None, None, None);
        let at_site = |rows: Vec<SecretAndSiteRow>| {
            let site = rows.first().and_then(SecretAndSiteRow::site);
            (rows.into_iter().map(|row| row.secret).collect::<Vec<SecretRow>>(), site)
        };
        let rows: Vec<SecretRow> = match names {
            Some(Names::Site(id)) => {
                let (rows, site) = at_site(app.db.query(SECRET_AND_SITE).bind(hash).bind(id).all().await?);
                named = site;
                rows
            }
            Some(Names::Guest(id)) => {
                let (rows, site) = at_site(app.db.query(SECRET_AND_SITE_OF_GUEST).bind(hash).bind(id).all().await?);
                (named, named_guest) = (site, Some(id));
                rows
            }
            Some(Names::Lists | Names::Today) | None => {
                let extra = match names {
                    Some(Names::Lists) => Extra::DirectoryVersion,
                    Some(Names::Today) => Extra::DatabaseState,
                    _ => Extra::None,
                };
                let mut rows = app.secret_lookups.find(&app.db, extra, hash).await?;
                if let Some(first) = rows.first_mut() {
                    (directory_version, database_state) = (first.directory_version, first.database_state.take());
                }
                rows.into_iter().map(|row| row.secret).collect()
            }
        };
        let first = rows.first().ok_or(NOBODY)?;
        let (stage, memberships) = standing(app, &rows, by_cookie)?;
        requester.decisions.caller(first.user_id);
        requester::log_user(first.user_id);
        Ok(Self {
            app: app.clone(),
            actor: Actor { user_id: first.user_id, stage, memberships },
            email: first.email.clone(),
            session_id: first.session_id,
            proved_at: first.proved_at,
            requester,
            secret_hash,
            secret,
            by_cookie,
            last_seen_at: first.last_seen_at,
            named,
            named_guest,
            directory_version,
            database_state,
        })
    }

    /// Loads the active memberships of these sessions by the hash of their secret, without those that have ended. One query for all live
    /// streams of a node.
    pub async fn memberships_by_secret(
        app: &App,
        secret_hashes: Vec<String>,
    ) -> Result<HashMap<String, Vec<Membership>>> {
        const SECRETS: &str = secret!("", "", "s.hash IN ($1..)");
        let rows: Vec<SecretRow> = app.db.query(SECRETS).bind_list(secret_hashes).all().await?;
        let mut by_hash: HashMap<String, Vec<SecretRow>> = HashMap::new();
        for row in rows {
            by_hash.entry(row.hash.clone()).or_default().push(row);
        }
        let full = by_hash.into_iter().filter_map(|(hash, rows)| {
            let by_cookie = rows.first()?.kind == Kind::Cookie.as_str();
            match standing(app, &rows, by_cookie) {
                Ok((Stage::Full, memberships)) => Some((hash, memberships)),
                _ => None,
            }
        });
        Ok(full.collect())
    }
}
