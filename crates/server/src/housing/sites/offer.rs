//! The services and payment methods that a site offers to new guests.

use berth_db::Db;
use berth_domain::catalog::{PaymentMethod, SitePaymentOption, service};
use berth_domain::offer::SiteOffer;

use crate::Result;
use crate::auth::caller::Site;

/// Loads the offer of a site.
pub async fn offer(db: &Db, site: &Site) -> Result<SiteOffer> {
    const CHOSEN: &str = "SELECT 'service' AS kind, service_id AS id FROM site_services WHERE site_id = $1 \
        UNION ALL SELECT 'option', option_id FROM site_payment_options WHERE site_id = $1 \
        UNION ALL SELECT 'method', CAST(method AS TEXT) FROM organization_payment_methods WHERE organization_id = $2 \
        UNION ALL SELECT 'insurer', '' FROM organizations WHERE id = $2 AND EXISTS \
        (SELECT 1 FROM organization_insurance_companies WHERE organization_id = $2)";
    let chosen: Vec<(String, String)> = db.query(CHOSEN).bind(site.id).bind(site.organization_id).all().await?;
    let of = |wanted: &str| {
        let wanted = wanted.to_owned();
        chosen.iter().filter(move |(kind, _)| *kind == wanted).map(|(_, id)| id.as_str())
    };
    Ok(SiteOffer {
        is_commercial: site.is_commercial,
        services: of("service").filter_map(service).collect(),
        payment_methods: of("method").filter_map(|id| PaymentMethod::from_id(id.parse().ok()?)).collect(),
        payment_options: of("option").filter_map(SitePaymentOption::from_text).collect(),
        has_insurers: of("insurer").next().is_some(),
    })
}
