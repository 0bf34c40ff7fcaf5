//! The authenticated caller, and the loaders of sites, organizations, cards, houses, beds and guests. A loader names the action that
//! the record is loaded for, and fails with 404 if the caller may not view it, or 403 if the caller may not do this (DESIGN 2, 4).

mod extract;
mod load;
mod secrets;
mod session;

use berth_domain::id::{GuestId, OrganizationId, SessionId, SiteId};
use berth_domain::policy::{self, Action, Actor, Decision, Target};
use berth_domain::time::Timestamp;

pub use self::extract::{carries_secret, check_origin};
pub(crate) use self::load::select_site;
pub use self::load::{Organization, Site};
pub use self::secrets::SecretLookups;
use crate::admin::audit_log::Author;
use crate::http::cache::landing;
use crate::http::requester::Requester;
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
    /// The name of the database's state, if the request is for Today (see [`several`](crate::http::cache::several)).
    database_state: Option<String>,
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

impl Caller {
    /// Returns the directory version, by which the landing lists are cached (see [`landing`]), as it was loaded with the session.
    pub async fn directory_version(&self) -> Result<i64> {
        match self.directory_version {
            Some(version) => Ok(version),
            None => landing::directory_version(&self.app.db).await,
        }
    }

    /// Returns the name of the database state in which the session was loaded; `None` if the request did not ask for it. Nothing was
    /// committed between two requests with the same name.
    #[must_use]
    pub fn database_state(&self) -> Option<&str> {
        self.database_state.as_deref()
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
