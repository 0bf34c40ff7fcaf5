//! What people without an account see of sites.

use std::collections::HashMap;

use berth_db::Tx;
use berth_domain::bed::BedKind;
use berth_domain::catalog::{LANGUAGES, Language, PaymentMethod, SERVICES, Service, SitePaymentOption};
use berth_domain::id::SiteId;
use berth_domain::time::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::reserve::open_site;
use crate::insurance_companies::InsuranceCompany;
use crate::paging::{Page, Paged};
use crate::reference::{PaymentMethodView, PaymentOption};
use crate::sites::{self, SiteImage, contains};
use crate::{App, Result, organizations};

/// A site as people without an account see it.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PublicSite {
    id: SiteId,
    name: String,
    /// A second name.
    alias: Option<String>,
    description: String,
    address: String,
    /// Whether it takes insurances and private pay.
    is_commercial: bool,
    /// The cover.
    cover_image: Option<SiteImage>,
    /// In the order of the catalog.
    services: Vec<Service>,
    /// In the order of the catalog.
    languages: Vec<Language>,
    /// Vacant beds that no reservation holds, never below 0.
    available_beds: i64,
    /// The types of its enabled beds.
    bed_types: Vec<BedKind>,
    /// How long a reservation is held, 1 to 72 hours.
    hold_hours: i64,
    contact_phone: String,
}

/// A site as people without an account see it before they ask for a reservation: also how a stay can be paid there.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PublicSiteDetails {
    #[serde(flatten)]
    site: PublicSite,
    /// Commercial sites: the ways to pay; insurance is among them only where there is an insurer to choose.
    payment_methods: Vec<PaymentMethodView>,
    /// The insurers of the organization, where insurance can be chosen; top ones first, then by name.
    insurance_companies: Vec<InsuranceCompany>,
    /// Non-commercial sites: the ways to pay.
    payment_options: Vec<PaymentOption>,
}

/// Which sites are looked for.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct SiteSearch {
    /// Part of the name, the city or the rest of the address, without regard to case.
    #[serde(default)]
    search: Option<String>,
}

#[derive(sqlx::FromRow)]
struct Row {
    id: SiteId,
    name: String,
    alias: Option<String>,
    description: String,
    address: String,
    is_commercial: bool,
    hold_hours: i64,
    contact_phone: String,
    image_path: Option<String>,
    image_position: Option<i64>,
    vacant: i64,
    pending: i64,
}

/// Sites that can be found. `$1` is now: a hold that has run out holds nothing.
macro_rules! select_sites {
    ($($rest:tt)*) => {
        concat!(
            "SELECT s.id, s.name, s.alias, s.description, s.address, o.is_commercial, s.hold_hours, s.contact_phone, \
             i.image_path, i.position AS image_position, \
             (SELECT COUNT(*) FROM beds b WHERE b.site_id = s.id AND b.deleted_at IS NULL AND NOT b.disabled \
                AND NOT EXISTS (SELECT 1 FROM stays t WHERE t.bed_id = b.id AND t.ended_at IS NULL)) AS vacant, \
             (SELECT COUNT(*) FROM guests g WHERE g.site_id = s.id AND g.rejected_at IS NULL AND g.expired_at IS NULL \
                AND g.discharged_at IS NULL AND g.accepted_at IS NULL \
                AND (g.expires_at IS NULL OR g.expires_at > $1)) AS pending \
             FROM sites s \
             JOIN organizations o ON o.id = s.organization_id AND o.deleted_at IS NULL AND NOT o.is_disabled \
             LEFT JOIN site_images i ON i.site_id = s.id \
                AND i.position = (SELECT MIN(x.position) FROM site_images x WHERE x.site_id = s.id) \
             WHERE s.deleted_at IS NULL AND NOT s.is_disabled AND ",
            $($rest)*
        )
    };
}

/// One site.
pub(super) async fn one(app: &App, id: SiteId) -> Result<PublicSiteDetails> {
    const SITE: &str = select_sites!("s.id = $2");
    let place = open_site(&app.db, id).await?;
    let offer = sites::offer(&app.db, &place).await?;
    let mut tx = app.db.read().await?;
    let row: Row = tx.query(SITE).bind(app.now()).bind(id).one().await?;
    let site = complete(&mut tx, vec![row]).await?.pop().ok_or(crate::Error::NotFound)?;
    let methods: Vec<PaymentMethod> = offer.methods().collect();
    let insurance_companies = if methods.contains(&PaymentMethod::Insurance) {
        organizations::insurers(&mut tx, place.organization_id).await?
    } else {
        Vec::new()
    };
    let options = SitePaymentOption::ALL.iter().copied().filter(|option| offer.payment_options.contains(option));
    Ok(PublicSiteDetails {
        site,
        payment_methods: methods.into_iter().map(Into::into).collect(),
        insurance_companies,
        payment_options: options.map(Into::into).collect(),
    })
}

/// A page of the sites whose name or address contains the search.
pub(super) async fn page(app: &App, ask: &SiteSearch, page: Page) -> Result<Paged<PublicSite>> {
    const COUNT: &str = "SELECT COUNT(*) FROM sites s \
        JOIN organizations o ON o.id = s.organization_id AND o.deleted_at IS NULL AND NOT o.is_disabled \
        WHERE s.deleted_at IS NULL AND NOT s.is_disabled \
        AND (s.name_key LIKE $1 ESCAPE '\\' OR s.address_key LIKE $1 ESCAPE '\\')";
    const PAGE: &str = select_sites!(
        "(s.name_key LIKE $2 ESCAPE '\\' OR s.address_key LIKE $2 ESCAPE '\\') \
         ORDER BY s.name_key COLLATE \"C\", s.id LIMIT $3 OFFSET $4"
    );
    let now: Timestamp = app.now();
    let pattern = contains(ask.search.as_deref().unwrap_or_default());
    let mut tx = app.db.read().await?;
    let total: i64 = tx.query(COUNT).bind(pattern.as_str()).scalar().await?;
    let rows: Vec<Row> =
        tx.query(PAGE).bind(now).bind(pattern.as_str()).bind(page.size).bind(page.offset()).all().await?;
    Ok(page.of(complete(&mut tx, rows).await?, total))
}

/// Adds what has many values a site.
async fn complete(tx: &mut Tx, rows: Vec<Row>) -> Result<Vec<PublicSite>> {
    const OFFERED: &str = "SELECT site_id, service_id FROM site_services WHERE site_id IN ($1..)";
    const SPOKEN: &str = "SELECT site_id, language_id FROM site_languages WHERE site_id IN ($1..)";
    const KINDS: &str = "SELECT DISTINCT site_id, kind FROM beds WHERE deleted_at IS NULL AND NOT disabled \
        AND site_id IN ($1..)";
    let ids = || rows.iter().map(|row| row.id);
    let offered: Vec<(SiteId, String)> = tx.query(OFFERED).bind_list(ids()).all().await?;
    let spoken: Vec<(SiteId, String)> = tx.query(SPOKEN).bind_list(ids()).all().await?;
    let kinds: Vec<(SiteId, String)> = tx.query(KINDS).bind_list(ids()).all().await?;
    let (offered, spoken, kinds) = (by_site(offered), by_site(spoken), by_site(kinds));
    let has = |texts: &HashMap<SiteId, Vec<String>>, site: SiteId, text: &str| {
        texts.get(&site).is_some_and(|texts| texts.iter().any(|found| found == text))
    };
    let sites = rows.into_iter().map(|row| PublicSite {
        id: row.id,
        name: row.name,
        alias: row.alias,
        description: row.description,
        address: row.address,
        is_commercial: row.is_commercial,
        cover_image: row.image_path.zip(row.image_position).map(|(image_path, index)| SiteImage { image_path, index }),
        services: SERVICES.iter().filter(|service| has(&offered, row.id, service.id)).copied().collect(),
        languages: LANGUAGES.iter().filter(|language| has(&spoken, row.id, language.id)).copied().collect(),
        available_beds: (row.vacant - row.pending).max(0),
        bed_types: BedKind::ALL.iter().filter(|kind| has(&kinds, row.id, kind.as_str())).copied().collect(),
        hold_hours: row.hold_hours,
        contact_phone: row.contact_phone,
    });
    Ok(sites.collect())
}

fn by_site(rows: Vec<(SiteId, String)>) -> HashMap<SiteId, Vec<String>> {
    let mut texts: HashMap<SiteId, Vec<String>> = HashMap::new();
    for (site, text) in rows {
        texts.entry(site).or_default().push(text);
    }
    texts
}
