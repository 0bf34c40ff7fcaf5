//! The address of a site, chosen from the list of places. Their ids are signed by the server (spec A 5).

use berth_domain::site_form::SiteForm;

use crate::integrations::places::{self, Place};
use crate::{App, Result};

/// Finds the place that a form names; `None` if its id is not ours or has expired. Must be called outside of
/// transactions: it may call the provider over the network.
pub(super) async fn chosen(app: &App, form: &SiteForm) -> Result<Option<Place>> {
    match form.place_id.as_deref().map(str::trim) {
        None | Some("") => Ok(None),
        Some(id) => places::resolve(app, id).await,
    }
}

/// Formats degrees as they are stored: six decimals, about 0.1 m.
pub(super) fn degrees(of: Option<f64>) -> Option<String> {
    of.map(|degrees| format!("{degrees:.6}"))
}
