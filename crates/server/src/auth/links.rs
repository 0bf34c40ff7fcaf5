//! Links in emails. The client sends the target of a link; only our own origins and the page of the link are accepted, and the
//! `Host` header is ignored (security-and-proof 2.3, row 10).

use berth_domain::id::UserId;
use url::Url;

use crate::auth::throttle::{self, LINK_REQUESTER};
use crate::auth::tokens::{self, Kind};
use crate::http::requester::Requester;
use crate::{App, Error, Result};

/// Target of a link: one of our origins with the path of a page.
#[derive(Debug, Clone)]
pub struct Target(Url);

impl Target {
    /// Parses the `redirectUri` of a request: an origin from the settings, with or without `path`.
    ///
    /// # Errors
    /// [`Error::Unreadable`] for anything else.
    pub fn parse(app: &App, redirect_uri: &str, path: &str) -> Result<Self> {
        let invalid = || Error::Unreadable("redirectUri is not an address of this site.".to_owned());
        // `Url::parse` removes line breaks, as the standard demands; only an attacker sends one.
        if redirect_uri.chars().any(|letter| letter.is_control() || letter.is_whitespace()) {
            return Err(invalid());
        }
        let mut url = Url::parse(redirect_uri).map_err(|_| invalid())?;
        let is_ours = app.settings.origins.contains(&url.origin().ascii_serialization());
        let has_no_login = url.username().is_empty() && url.password().is_none();
        let has_no_query = url.query().is_none() && url.fragment().is_none();
        if !(is_ours && has_no_login && has_no_query && (url.path() == "/" || url.path() == path)) {
            return Err(invalid());
        }
        url.set_path(path);
        Ok(Self(url))
    }

    /// Returns a page at one of our origins, for links without a `redirectUri`: at `origin` if it is still ours, else at the
    /// first origin. `None` without origins.
    #[must_use]
    pub fn ours(app: &App, origin: &str, path: &str) -> Option<Self> {
        let origins = &app.settings.origins;
        let origin = origins.iter().find(|ours| *ours == origin).or_else(|| origins.first())?;
        let mut url = Url::parse(origin).ok()?;
        url.set_path(path);
        Some(Self(url))
    }

    /// Returns scheme, host and port.
    #[must_use]
    pub fn origin(&self) -> String {
        self.0.origin().ascii_serialization()
    }

    /// Returns the address of another page at the same origin.
    #[must_use]
    pub fn page(&self, path: &str) -> String {
        let mut url = self.0.clone();
        url.set_path(path);
        url.into()
    }

    /// Returns the link of an invitation. Its one-time secret is in the fragment, which browsers do not send to servers.
    #[must_use]
    pub fn with_hash(&self, secret: &str) -> String {
        let mut url = self.0.clone();
        url.set_fragment(Some(&format!("access_token={secret}")));
        url.into()
    }

    /// Returns a link with a one-time secret and its user in the fragment. Pages also read both from the query string (spec A 2),
    /// but no email has them there (docs/decisions/0036).
    #[must_use]
    pub fn with(&self, secret: &str, user_id: &str) -> String {
        let mut url = self.0.clone();
        url.set_fragment(Some(&format!("token={secret}&userId={user_id}")));
        url.into()
    }
}

/// Returns the error of a link that is unknown, used or expired.
#[must_use]
pub fn expired() -> Error {
    Error::conflict_code("expired-link", "This link has been used or has expired. Please ask for a new one.")
}

/// Checks that a link with this token was mailed to a user, whether or not it is still valid. A link that was not counts as
/// [`count_unknown`] says.
///
/// # Errors
/// [`expired`] if it was not; [`Error::TooMany`] after too many of them.
pub async fn require_known(
    app: &App,
    requester: &Requester,
    (kind, page): (Kind, &str),
    token: &str,
    user_id: UserId,
) -> Result<()> {
    const KNOWN: &str = "SELECT user_id FROM secrets WHERE hash = $1 AND kind = $2 AND user_id = $3";
    let known = app.db.query(KNOWN).bind(tokens::hash(token)).bind(kind.as_str()).bind(user_id);
    if known.optional::<(UserId,)>().await?.is_some() {
        return Ok(());
    }
    count_unknown(app, requester, page).await?;
    Err(expired())
}

/// Counts a link that was looked up and never existed, or rejects it after too many of one requester for this page. Known links do
/// not count: many people may open theirs at one address, and a stranger there must not stop them (docs/decisions/0035).
///
/// # Errors
/// [`Error::TooMany`] with the seconds to wait.
pub async fn count_unknown(app: &App, requester: &Requester, page: &str) -> Result<()> {
    let by_requester = format!("{page}:requester:{}", requester.network());
    throttle::attempt(app, &by_requester, LINK_REQUESTER, app.now()).await
}
