//! Links that a mail carries. The client says where it wants to be called back; only our own origins and the one page
//! that the link is for are taken, and the Host header is never asked (security-and-proof 2.3, row 10).

use url::Url;

use crate::{App, Error, Result};

/// Where a link leads: one of our origins, with the path of a page.
pub struct Target(Url);

impl Target {
    /// Reads the `redirectUri` of a call: an origin of the settings, bare or with `path`, and nothing else.
    ///
    /// # Errors
    /// 400 for anything else.
    pub fn parse(app: &App, redirect_uri: &str, path: &str) -> Result<Self> {
        let refusal = || Error::Unreadable("redirectUri is not an address of this site.".to_owned());
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

    /// The link with a secret and the user it belongs to.
    #[must_use]
    pub fn with(&self, secret: &str, user_id: &str) -> String {
        let mut url = self.0.clone();
        url.query_pairs_mut().append_pair("token", secret).append_pair("userId", user_id);
        url.into()
    }
}
