//! The address of a site: chosen from the list of places, whose ids the server has signed (spec A 5).

use berth_domain::site_form::SiteForm;

use crate::integrations::places::{self, Place};
use crate::{App, Result};

/// The place that a payload names; none when its id was not given by us or has expired. Asked before a transaction
/// begins: a provider may be asked over the network.
pub(super) async fn chosen(app: &App, form: &SiteForm) -> Result<Option<Place>> {
    match form.place_id.as_deref().map(str::trim) {
        None | Some("") => Ok(None),
        Some(id) => places::resolve(app, id).await,
    }
}

/// Degrees as they are stored: decimal text, a tenth of a metre.
pub(super) fn degrees(of: Option<f64>) -> Option<String> {
    of.map(|degrees| format!("{degrees:.6}"))
}
