//! The authenticated caller, and the loaders of sites, organizations, cards, houses, beds and guests. A loader names the action that
//! the record is loaded for, and fails with 404 if the caller may not view it, or 403 if the caller may not do this (DESIGN 2, 4).

mod load;

use std::collections::HashMap;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, Uri, header};
use berth_domain::id::{GuestId, MembershipId, OrganizationId, SessionId, SiteId, UserId};
use berth_domain::policy::{self, Action, Actor, Decision, Stage, Target};
use berth_domain::role::{Membership, Role};
use berth_domain::time::Timestamp;

pub(crate) use self::load::select_site;
pub use self::load::{Organization, Site};
use crate::admin::audit_log::Author;
use crate::auth::sessions::{self, BACKGROUND_HEADER, FIRST_STEP_COOKIE, HEADER, SESSION_COOKIE};
use crate::auth::tokens::{self, Kind};
use crate::http::cache::landing;
use crate::http::requester::{self, Requester};
use crate::{App, Error, Result, change};

/// Minimum interval between two updates of a session's last-seen time, in milliseconds.
const TOUCH_INTERVAL: i64 = 30_000;

/// A fully signed-in user with at least one role, and the requester.
#[derive(Clone)]
pub struct Caller {
    app: App,
    /// User, stage and memberships, for the policy.
    pub actor: Actor,
    /// The user's email.
    pub email: String,
    /// The session.
    pub session_id: Option<SessionId>,
    /// When the password and the code were last entered.
    pub proved_at: Option<Timestamp>,
    /// The sender of the request.
    pub requester: Requester,
    /// The hash of the secret that was sent.
    pub secret_hash: String,
    /// The secret, for codes that are bound to it.
    pub secret: String,
    /// True if the secret was sent in a cookie.
    pub by_cookie: bool,
    last_seen_at: Option<Timestamp>,
    /// The site that the request names, loaded together with the session.
    named: Option<Site>,
    /// The guest that the request names. Its site is `named`.
    named_guest: Option<GuestId>,
    /// The directory version, if the request is for a landing list (see [`landing`]).
    directory_version: Option<i64>,
}

/// A signed-in user at any stage: for userinfo, the steps of sign-in, and logout. Everything else takes [`Caller`].
#[derive(Clone)]
pub struct AnyStage(pub Caller);

/// A fully signed-in user who may have no role yet, but a pending invitation. For invitations and the calls that every session needs;
/// everything else takes [`Caller`].
#[derive(Clone)]
pub struct SignedIn(pub Caller);

/// A [`Caller`] of a live stream. It does not restart the idle limit, since browsers open streams by themselves.
pub struct Listener(pub Caller);

#[derive(berth_db::FromRow)]
struct SecretRow {
    hash: String,
    kind: String,
    user_id: UserId,
    email: String,
    expires_at: Timestamp,
    used_at: Option<Timestamp>,
    session_id: Option<SessionId>,
    last_seen_at: Option<Timestamp>,
    session_expires_at: Option<Timestamp>,
    proved_at: Option<Timestamp>,
    ended_at: Option<Timestamp>,
    membership_id: Option<MembershipId>,
    status: Option<String>,
    role: Option<Role>,
    organization_id: Option<OrganizationId>,
    site_id: Option<SiteId>,
}

/// A [`SecretRow`] with the directory version.
#[derive(berth_db::FromRow)]
struct SecretAndVersionRow {
    #[row(flatten)]
    secret: SecretRow,
    directory_version: i64,
}

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
            version: self.version?,
        })
    }
}

/// SQL query: a secret with its session, its user and the memberships of the user that are not disabled, one row for each.
macro_rules! secret {
    ($columns:expr, $tables:literal, $which:literal) => {
        concat!(
            "SELECT s.hash, s.kind, s.user_id, u.email, s.expires_at, s.used_at, s.session_id, \
             x.last_seen_at, x.expires_at AS session_expires_at, x.proved_at, x.ended_at, \
             m.id AS membership_id, m.status, m.role, m.organization_id, m.site_id",
            $columns,
            " FROM secrets s JOIN users u ON u.id = s.user_id AND u.deleted_at IS NULL \
             LEFT JOIN sessions x ON x.id = s.session_id \
             LEFT JOIN memberships m ON m.user_id = s.user_id AND m.deleted_at IS NULL AND m.status <> 'Disabled'",
            $tables,
            " WHERE ",
            $which,
            " ORDER BY m.id"
        )
    };
}

/// The columns of the site in a [`SecretAndSiteRow`].
macro_rules! place_columns {
    () => {
        ", p.id AS place_id, p.organization_id AS place_organization_id, p.name AS place_name, o.is_commercial, \
         p.time_zone, p.hold_hours, p.version"
    };
}

/// The record that a request names, to load it together with the session. Handlers load it themselves if it is not found so.
#[derive(Debug, Clone, Copy)]
enum Names {
    /// A read: `/api/Sites/{id}` or `?siteId=`.
    Site(SiteId),
    /// A read of a guest, or a command on one: `/api/Guests/{id}`.
    Guest(GuestId),
    /// The landing lists: `/api/Sites` and `/api/Organizations`.
    Lists,
}

fn names(method: &Method, uri: &Uri) -> Option<Names> {
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
    let pairs = uri.query().unwrap_or_default().split('&').filter_map(|pair| pair.split_once('='));
    let in_query = pairs.filter(|(key, _)| *key == "siteId").map(|(_, id)| id);
    let in_path = uri.path().strip_prefix("/api/Sites/");
    in_query.chain(in_path).find_map(|id| id.parse().ok()).map(|id| Names::Site(SiteId(id)))
}

const NOBODY: Error = Error::Unauthenticated("Please sign in.");

/// Returns true if the request has a token or a session cookie, valid or not.
#[must_use]
pub fn carries_secret(headers: &HeaderMap) -> bool {
    headers.contains_key(header::AUTHORIZATION) || !secrets_of(headers).is_empty()
}

/// Returns the secrets of a request, the strongest first, each with the name of its cookie if it was sent in one.
fn secrets_of(headers: &HeaderMap) -> Vec<(String, Option<&'static str>)> {
    if let Some(value) = headers.get(header::AUTHORIZATION) {
        let bearer = value.to_str().ok().and_then(|value| value.split_once(' '));
        let token = bearer.filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer")).map(|(_, token)| token.trim());
        return token.map(|token| (token.to_owned(), None)).into_iter().collect();
    }
    let cookies = [SESSION_COOKIE, FIRST_STEP_COOKIE].into_iter();
    let cookies = cookies.filter_map(|name| Some((sessions::cookie(headers, name)?, Some(name))));
    cookies.filter(|(secret, _)| !secret.is_empty()).collect()
}

/// Checks that a change by cookie has the header [`HEADER`] and, if the browser sends one, a known origin (security-and-proof 2.3, 6).
pub fn check_origin(app: &App, method: &Method, headers: &HeaderMap) -> Result<()> {
    if method.is_safe() {
        return Ok(());
    }
    let foreign = headers
        .get(header::ORIGIN)
        .is_some_and(|origin| !app.settings.origins.iter().any(|ours| origin.as_bytes() == ours.as_bytes()));
    if foreign || !headers.contains_key(HEADER) {
        return Err(Error::Forbidden("This request did not come from the Berth website.".to_owned()));
    }
    Ok(())
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
    async fn authenticate(
        app: &App,
        (secret, by_cookie): (String, bool),
        requester: Requester,
        names: Option<Names>,
    ) -> Result<Self> {
        const SECRET: &str = secret!("", "", "s.hash = $1");
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
        const SECRET_AND_VERSION: &str = secret!(
            ", (SELECT CAST(COALESCE(SUM(v.version), 0) AS BIGINT) FROM directory_versions v) AS directory_version",
            "",
            "s.hash = $1"
        );
        let secret_hash = tokens::hash(&secret);
        let hash = secret_hash.clone();
        let (mut named, mut named_guest, mut directory_version) = (None, None, None);
        let at_site = |rows: Vec<SecretAndSiteRow>| {
            let site = rows.first().and_then(SecretAndSiteRow::site);
            (rows.into_iter().map(|row| row.secret).collect::<Vec<SecretRow>>(), site)
        };
        let rows: Vec<SecretRow> = match names {
            None => app.db.query(SECRET).bind(hash).all().await?,
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
            Some(Names::Lists) => {
                let rows: Vec<SecretAndVersionRow> = app.db.query(SECRET_AND_VERSION).bind(hash).all().await?;
                directory_version = rows.first().map(|row| row.directory_version);
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

    /// Returns the directory version, by which the landing lists are cached (see [`landing`]), as it was loaded with the session.
    pub async fn directory_version(&self) -> Result<i64> {
        match self.directory_version {
            Some(version) => Ok(version),
            None => landing::directory_version(&mut self.app.db.read().await?).await,
        }
    }

    /// Returns true if the caller is a global admin.
    #[must_use]
    pub fn is_global(&self) -> bool {
        self.actor.is_global()
    }

    /// Returns the organizations that the caller owns.
    #[must_use]
    pub fn owned(&self) -> Vec<OrganizationId> {
        self.actor.owned_organizations().collect()
    }

    /// Returns the sites where the caller is admin, intake or staff.
    #[must_use]
    pub fn worked_at(&self) -> Vec<SiteId> {
        self.actor.sites().collect()
    }

    /// Returns true if `action` on `target` is allowed, for fields and lists.
    #[must_use]
    pub fn may(&self, action: Action, target: &Target) -> bool {
        policy::may(&self.actor, action, target) == Decision::Yes
    }

    /// Returns the name of the caller's highest role at `site`, or anywhere.
    #[must_use]
    pub fn role_text(&self, site: Option<&Site>) -> Option<String> {
        let roles = site.map_or_else(
            || self.actor.memberships.iter().map(|membership| membership.role).collect(),
            |site| policy::roles_at(&self.actor, &site.target()),
        );
        roles.into_iter().max_by_key(|role| role.rank()).map(|role| format!("{role:?}"))
    }

    fn decide(&self, action: Action, target: &Target) -> Result<()> {
        let decision = policy::may(&self.actor, action, target);
        self.requester.decisions.decided(action, *target, decision);
        match decision {
            Decision::Yes => Ok(()),
            Decision::Hidden => Err(Error::NotFound),
            Decision::No => Err(Error::Forbidden("Your role does not allow this.".to_owned())),
        }
    }

    /// Checks an action on the platform as a whole.
    ///
    /// # Errors
    /// 403 if the caller may not do this.
    pub fn platform(&self, action: Action) -> Result<()> {
        self.decide(action, &Target::Platform)
    }

    /// Sets the last-seen time of the session, from which the idle limit counts, unless that was done within the last
    /// `min_interval` milliseconds.
    async fn touch_session(&self, min_interval: i64) -> Result<()> {
        const TOUCH: &str = "UPDATE sessions SET last_seen_at = $2 WHERE id = $1 AND last_seen_at <= $3";
        let Some(id) = self.session_id else { return Ok(()) };
        change::run(&self.app, Author::job(), |mut change| async move {
            let now = change.now;
            change.tx.query(TOUCH).bind(id).bind(now).bind(now.plus_millis(-min_interval)).execute().await?;
            change.done(())
        })
        .await
    }

    /// Returns true if the last-seen time of the session is old enough to be written again.
    fn is_touch_due(&self) -> bool {
        self.last_seen_at.is_some_and(|seen| seen.plus_millis(TOUCH_INTERVAL) <= self.app.now())
    }

    /// Restarts the idle limit of the session at the user's request.
    pub async fn extend(&self) -> Result<()> {
        self.touch_session(0).await
    }
}

async fn any_stage(parts: &Parts, app: &App) -> Result<Caller> {
    let requester = Requester::of(parts);
    let names = names(&parts.method, &parts.uri);
    let mut dead = Vec::new();
    for (secret, cookie) in secrets_of(&parts.headers) {
        if cookie.is_some() {
            check_origin(app, &parts.method, &parts.headers)?;
        }
        match Caller::authenticate(app, (secret, cookie.is_some()), requester.clone(), names).await {
            Err(Error::Unauthenticated(_)) => dead.extend(cookie),
            answer => return answer,
        }
    }
    Err(if dead.is_empty() { NOBODY } else { Error::SessionOver(dead) })
}

impl FromRequestParts<App> for AnyStage {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        any_stage(parts, app).await.map(AnyStage)
    }
}

async fn signed_in(parts: &Parts, app: &App) -> Result<Caller> {
    let caller = any_stage(parts, app).await?;
    if caller.actor.stage != Stage::Full {
        return Err(Error::Unauthenticated("Please finish signing in with your code first."));
    }
    Ok(caller)
}

async fn full(parts: &Parts, app: &App) -> Result<Caller> {
    let caller = signed_in(parts, app).await?;
    if caller.actor.memberships.is_empty() {
        return Err(Error::Forbidden("You have no access yet. Accept an invitation first.".to_owned()));
    }
    Ok(caller)
}

/// Restarts the idle limit of the session, unless the web app made the call by itself, without the user.
async fn touched(parts: &Parts, caller: Caller) -> Result<Caller> {
    if !parts.headers.contains_key(BACKGROUND_HEADER) && caller.is_touch_due() {
        caller.touch_session(TOUCH_INTERVAL).await?;
    }
    Ok(caller)
}

impl FromRequestParts<App> for Caller {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        touched(parts, full(parts, app).await?).await
    }
}

impl FromRequestParts<App> for SignedIn {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        touched(parts, signed_in(parts, app).await?).await.map(SignedIn)
    }
}

impl FromRequestParts<App> for Listener {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        full(parts, app).await.map(Listener)
    }
}
