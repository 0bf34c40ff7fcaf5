//! Searches and loads sites for people without an account.

use std::collections::HashMap;

use berth_db::{Query, Tx};
use berth_domain::bed::BedKind;
use berth_domain::catalog::{
    AgeGroup, Gender, LANGUAGES, Language, Payer, PaymentMethod, SERVICES, Service, SitePaymentOption, services_for,
};
use berth_domain::id::SiteId;
use berth_domain::stay::available_beds;
use berth_domain::time::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::reserve::open_site;
use crate::admin::insurance_companies::InsuranceCompany;
use crate::admin::organizations;
use crate::housing::reference::{PaymentMethodView, PaymentOption};
use crate::housing::sites::{self, SiteImage};
use crate::housing::{guests, waitlist};
use crate::http::paging::{Page, Paged};
use crate::http::search::contains;
use crate::{App, Error, Result};

/// A site, as shown to people without an account.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PublicSite {
    id: SiteId,
    name: String,
    /// A second name.
    alias: Option<String>,
    description: String,
    address: String,
    /// True if its organization is commercial: guests pay privately or by insurance.
    is_commercial: bool,
    /// The cover photo.
    cover_image: Option<SiteImage>,
    /// Its services, in the order of the catalog.
    services: Vec<Service>,
    /// Its languages, in the order of the catalog.
    languages: Vec<Language>,
    /// Vacant beds that no pending reservation needs, at least 0.
    available_beds: i64,
    /// When the beds were counted.
    as_of: Timestamp,
    /// The types of its enabled beds.
    bed_types: Vec<BedKind>,
    /// How long a reservation is held, 1 to 72 hours.
    hold_hours: i64,
    contact_phone: String,
}

/// A site with the options of its reservation form.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PublicSiteDetails {
    #[serde(flatten)]
    site: PublicSite,
    /// Payment methods. Commercial sites only; insurance only if there is an insurance company to choose.
    payment_methods: Vec<PaymentMethodView>,
    /// Insurance companies of the organization, if insurance can be chosen: top ones first, then by name.
    insurance_companies: Vec<InsuranceCompany>,
    /// Payment options. Non-commercial sites only.
    payment_options: Vec<PaymentOption>,
    /// Services that the form offers: for each category those of the site, or all if the site has none of the category.
    choices: Vec<Service>,
}

/// The filter of the public search.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
pub struct SiteSearch {
    /// Part of the name or the address, in upper or lower case.
    #[serde(default)]
    search: Option<String>,
    /// Sites with a vacant bed of this type.
    #[serde(default)]
    bed_type: Option<BedKind>,
    /// Sites that serve guests of this age: the id of its service. Sites without ages serve all.
    #[serde(default)]
    age: Option<String>,
    /// Sites that serve guests of this gender. Sites without genders serve all.
    #[serde(default)]
    #[param(value_type = Option<Gender>)]
    gender: Option<Gender>,
    /// Sites that accept this way to pay.
    #[serde(default)]
    #[param(inline)]
    payer: Option<Payer>,
    /// Sites where this language is spoken: its id.
    #[serde(default)]
    language: Option<String>,
    /// True to find only sites with available beds.
    #[serde(default)]
    available: Option<bool>,
}

/// The parsed filter, as SQL parameters. An empty text is no condition.
struct Filter {
    pattern: String,
    bed_type: String,
    age: &'static str,
    gender: &'static str,
    language: String,
    method: Option<PaymentMethod>,
    options: [&'static str; 3],
    has_payer: bool,
    only_available: bool,
}

impl Filter {
    /// # Errors
    /// A field error for an unknown age.
    fn new(search: &SiteSearch) -> Result<Self> {
        let age = match search.age.as_deref().unwrap_or_default() {
            "" => "",
            id => match AgeGroup::from_service_id(id) {
                Some(age) => age.service_id(),
                None => return Err(Error::field("/age", "This value cannot be used here.")),
            },
        };
        let options = search.payer.map(Payer::options).unwrap_or_default();
        let option = |place: usize| options.get(place).map_or("", |option| option.as_str());
        Ok(Self {
            pattern: contains(search.search.as_deref().unwrap_or_default()),
            bed_type: search.bed_type.map_or_else(String::new, |kind| kind.as_str().to_owned()),
            age,
            gender: search.gender.map_or("", Gender::service_id),
            language: search.language.clone().unwrap_or_default(),
            method: search.payer.and_then(Payer::method),
            options: [option(0), option(1), option(2)],
            has_payer: search.payer.is_some(),
            only_available: search.available.unwrap_or_default(),
        })
    }

    /// Binds `$2` to `$12` after the time.
    fn bind<'a>(&self, query: Query<'a>, now: Timestamp) -> Query<'a> {
        query
            .bind(now)
            .bind(self.pattern.as_str())
            .bind(self.bed_type.as_str())
            .bind(self.age)
            .bind(self.gender)
            .bind(self.language.as_str())
            .bind(self.has_payer)
            .bind(self.method.map_or(0, PaymentMethod::id))
            .bind(self.options[0])
            .bind(self.options[1])
            .bind(self.options[2])
            .bind(self.only_available)
    }
}

#[derive(berth_db::FromRow)]
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

/// SQL: the number of enabled beds without a guest.
macro_rules! vacant_beds {
    () => {
        concat!(
            "(SELECT COUNT(*) FROM beds b WHERE b.site_id = s.id AND b.deleted_at IS NULL AND NOT b.disabled \
             AND NOT EXISTS (SELECT 1 FROM stays t WHERE t.bed_id = b.id AND t.ended_at IS NULL) AND ",
            waitlist::is_unoffered!("b."),
            ")"
        )
    };
}

/// SQL: the number of pending reservations. `$1` is now.
macro_rules! pending_guests {
    () => {
        concat!("(SELECT COUNT(*) FROM guests g WHERE g.site_id = s.id AND ", guests::is_pending!("g.", "$1"), ")")
    };
}

/// SQL condition: the site matches a [`Filter`]. Sites without ages or genders serve all of them; sites without payment
/// methods accept all, but insurance only if the organization works with an insurance company (`domain::offer`).
macro_rules! matches_filter {
    () => {
        concat!(
            "(s.name_key LIKE $2 ESCAPE '\\' OR s.address_key LIKE $2 ESCAPE '\\') \
             AND ($3 = '' OR EXISTS (SELECT 1 FROM beds b WHERE b.site_id = s.id AND b.kind = $3 AND b.deleted_at IS NULL \
                AND NOT b.disabled AND NOT EXISTS (SELECT 1 FROM stays t WHERE t.bed_id = b.id AND t.ended_at IS NULL))) \
             AND ($4 = '' OR EXISTS (SELECT 1 FROM site_services v WHERE v.site_id = s.id AND v.service_id = $4) \
                OR NOT EXISTS (SELECT 1 FROM site_services v WHERE v.site_id = s.id AND v.service_id LIKE 'age-%')) \
             AND ($5 = '' OR EXISTS (SELECT 1 FROM site_services v WHERE v.site_id = s.id AND v.service_id = $5) \
                OR NOT EXISTS (SELECT 1 FROM site_services v WHERE v.site_id = s.id AND v.service_id LIKE 'gender-%')) \
             AND ($6 = '' OR EXISTS (SELECT 1 FROM site_languages l WHERE l.site_id = s.id AND l.language_id = $6)) \
             AND (NOT $7 OR (o.is_commercial AND $8 > 0 \
                AND (EXISTS (SELECT 1 FROM organization_payment_methods m WHERE m.organization_id = o.id AND m.method = $8) \
                    OR NOT EXISTS (SELECT 1 FROM organization_payment_methods m WHERE m.organization_id = o.id)) \
                AND ($8 <> 2 OR EXISTS (SELECT 1 FROM organization_insurance_companies c \
                    JOIN insurance_companies n ON n.id = c.insurance_company_id AND n.deleted_at IS NULL \
                    WHERE c.organization_id = o.id))) \
                OR (NOT o.is_commercial \
                AND (EXISTS (SELECT 1 FROM site_payment_options p WHERE p.site_id = s.id AND p.option_id IN ($9, $10, $11)) \
                    OR NOT EXISTS (SELECT 1 FROM site_payment_options p WHERE p.site_id = s.id)))) \
             AND (NOT $12 OR ",
            vacant_beds!(),
            " > ",
            pending_guests!(),
            ")"
        )
    };
}

/// SQL query of public sites. `$1` is now.
macro_rules! select_sites {
    ($($rest:tt)*) => {
        concat!(
            "SELECT s.id, s.name, s.alias, s.description, s.address, o.is_commercial, s.hold_hours, s.contact_phone, \
             i.image_path, i.position AS image_position, \
             ",
            vacant_beds!(),
            " AS vacant, ",
            pending_guests!(),
            " AS pending \
             FROM sites s \
             JOIN organizations o ON o.id = s.organization_id \
             LEFT JOIN site_images i ON i.site_id = s.id \
                AND i.position = (SELECT MIN(x.position) FROM site_images x WHERE x.site_id = s.id) \
             WHERE ",
            $crate::housing::sites::is_public!(),
            " AND ",
            $($rest)*
        )
    };
}

/// Loads a site with the options of its reservation form.
pub(super) async fn one(app: &App, id: SiteId) -> Result<PublicSiteDetails> {
    const SITE: &str = select_sites!("s.id = $2");
    let place = open_site(&app.db, id).await?;
    let offer = sites::offer(&app.db, &place).await?;
    let mut tx = app.db.read().await?;
    let now = app.now();
    let row: Row = tx.query(SITE).bind(now).bind(id).one().await?;
    let site = complete(&mut tx, vec![row], now).await?.pop().ok_or(crate::Error::NotFound)?;
    let methods: Vec<PaymentMethod> = offer.methods().collect();
    let insurance_companies = if methods.contains(&PaymentMethod::Insurance) {
        organizations::insurers(&mut tx, place.organization_id).await?
    } else {
        Vec::new()
    };
    let options = SitePaymentOption::ALL.iter().copied().filter(|option| offer.payment_options.contains(option));
    let choices = services_for(place.is_commercial).filter(|service| offer.serves(service)).copied().collect();
    Ok(PublicSiteDetails {
        site,
        payment_methods: methods.into_iter().map(Into::into).collect(),
        insurance_companies,
        payment_options: options.map(Into::into).collect(),
        choices,
    })
}

/// Loads a page of the sites that match, by name.
pub(super) async fn page(app: &App, search: &SiteSearch, page: Page) -> Result<Paged<PublicSite>> {
    const COUNT: &str = concat!(
        "SELECT COUNT(*) FROM sites s JOIN organizations o ON o.id = s.organization_id WHERE ",
        sites::is_public!(),
        " AND ",
        matches_filter!()
    );
    const PAGE: &str =
        select_sites!(matches_filter!(), " ORDER BY s.name_key COLLATE \"C\", s.id LIMIT $13 OFFSET $14");
    let filter = Filter::new(search)?;
    let now: Timestamp = app.now();
    let mut tx = app.db.read().await?;
    let total: i64 = filter.bind(tx.query(COUNT), now).scalar().await?;
    let rows: Vec<Row> = filter.bind(tx.query(PAGE), now).bind(page.size).bind(page.offset()).all().await?;
    Ok(page.of(complete(&mut tx, rows, now).await?, total))
}

/// Adds services, languages and bed types.
async fn complete(tx: &mut Tx, rows: Vec<Row>, now: Timestamp) -> Result<Vec<PublicSite>> {
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
        available_beds: available_beds(row.vacant, row.pending),
        as_of: now,
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
