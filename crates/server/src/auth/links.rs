//! Links that a mail carries. The client says where it wants to be called back; only our own origins and the one page
//! that the link is for are taken, and the Host header is never asked (security-and-proof 2.3, row 10).

use url::Url;

use crate::{App, Error, Result};

/// Where a link leads: one of our origins, with the path of a page.
#[derive(Debug, Clone)]
pub struct Target(Url);

impl Target {
    /// Reads the `redirectUri` of a call: an origin of the settings, bare or with `path`, and nothing else. To be called
    /// before anything is written.
    ///
    /// # Errors
    /// 400 for anything else.
    pub fn parse(app: &App, redirect_uri: &str, path: &str) -> Result<Self> {
        let refusal = || Error::Unreadable("redirectUri is not an address of this site.".to_owned());
        // The standard takes line ends out of an address before it reads it; whoever sends one means no good.
        if redirect_uri.chars().any(|letter| letter.is_control() || letter.is_whitespace()) {
            return Err(refusal());
        }
        let mut url = Url::parse(redirect_uri).map_err(|_| refusal())?;
        let ours = app.settings.origins.contains(&url.origin().ascii_serialization());
        let plain = url.username().is_empty() && url.password().is_none();
        let bare = url.query().is_none() && url.fragment().is_none();
        if !(ours && plain && bare && (url.path() == "/" || url.path() == path)) {
            return Err(refusal());
        }
        url.set_path(path);
        Ok(Self(url))
    }

    /// The page at one of our origins, for what nobody asked a `redirectUri` for: `origin` if it is still ours, else the
    /// first one.
    #[must_use]
    pub fn ours(app: &App, origin: &str, path: &str) -> Option<Self> {
        let origins = &app.settings.origins;
        let origin = origins.iter().find(|ours| *ours == origin).or_else(|| origins.first())?;
        let mut url = Url::parse(origin).ok()?;
        url.set_path(path);
        Some(Self(url))
    }

    /// Scheme, host and port.
    #[must_use]
    pub fn origin(&self) -> String {
        self.0.origin().ascii_serialization()
    }

    /// Another of our pages at the same origin.
    #[must_use]
    pub fn page(&self, path: &str) -> String {
        let mut url = self.0.clone();
        url.set_path(path);
        url.into()
    }

    /// The link of an invitation: its one-time secret stands behind the hash, which no server on the way gets to see.
    #[must_use]
    pub fn with_hash(&self, secret: &str) -> String {
        let mut url = self.0.clone();
        url.set_fragment(Some(&format!("access_token={secret}")));
        url.into()
    }

    /// The link with a one-time secret and the user it belongs to, behind the hash as well. Pages take both from the query
    /// string, too (spec A 2); no mail puts them there (docs/decisions/0036).
    #[must_use]
    pub fn with(&self, secret: &str, user_id: &str) -> String {
        let mut url = self.0.clone();
        url.set_fragment(Some(&format!("token={secret}&userId={user_id}")));
        url.into()
    }
}
