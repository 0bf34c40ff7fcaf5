//! The sites of the caller, and whether they offer what the filter asks for.

use std::collections::{HashMap, HashSet};

use berth_db::Tx;
use berth_domain::catalog::{self, Payer, PaymentMethod, SERVICES, Service, SitePaymentOption};
use berth_domain::id::{OrganizationId, SiteId};
use berth_domain::offer::SiteOffer;
use berth_domain::time::{Timestamp, midnight};
use serde::Serialize;
use utoipa::ToSchema;

use super::filter::{TodayFilter, scope};
use crate::Result;
use crate::auth::caller::{Caller, Site};
use crate::housing::guests::GuestView;

/// A site, as far as a row of Today needs it.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TodayPlace {
    /// The site.
    id: SiteId,
    /// Its name.
    name: String,
    /// Its organization.
    organization_id: OrganizationId,
    /// True if the organization is commercial.
    is_commercial: bool,
    /// IANA time zone.
    time_zone: String,
}

impl TodayPlace {
    pub(super) fn of(place: &Place) -> Self {
        let Site { id, name, organization_id, is_commercial, time_zone, .. } = place.site.clone();
        Self { id, name, organization_id, is_commercial, time_zone }
    }
}

/// A site of the caller.
pub(super) struct Place {
    pub(super) site: Site,
    pub(super) organization_name: String,
    /// True if the site offers what the filter asks for.
    pub(super) is_offered: bool,
}

#[derive(berth_db::FromRow)]
struct Row {
    #[row(flatten)]
    site: Site,
    organization_name: String,
}

/// The sites of the caller by id.
pub(super) struct Places(Vec<Place>);

impl Places {
    /// Returns the sites, by name.
    pub(super) fn all(&self) -> &[Place] {
        &self.0
    }

    /// Returns the site of a guest.
    pub(super) fn of(&self, by_id: &HashMap<SiteId, usize>, guest: &GuestView) -> Option<TodayPlace> {
        by_id.get(&guest.site_id).and_then(|index| self.0.get(*index)).map(TodayPlace::of)
    }

    /// Returns the position of each site.
    pub(super) fn by_id(&self) -> HashMap<SiteId, usize> {
        self.0.iter().enumerate().map(|(index, place)| (place.site.id, index)).collect()
    }

    /// Returns the start of today at each site.
    pub(super) fn midnights(&self, now: Timestamp) -> HashMap<SiteId, Timestamp> {
        let mut of_zone: HashMap<&str, Timestamp> = HashMap::new();
        let mut start = |zone| *of_zone.entry(zone).or_insert_with(|| midnight(now, zone));
        self.0.iter().map(|place| (place.site.id, start(place.site.time_zone.as_str()))).collect()
    }
}

/// SQL query: the sites. $2 is the site of the filter.
macro_rules! places {
    ($scope:ident) => {
        concat!(
            "SELECT s.id, s.organization_id, s.name, o.is_commercial, s.time_zone, s.hold_hours, \
             s.asks_arrival, s.strict_placement, s.version, \
             o.name AS organization_name FROM ",
            scope!($scope),
            " CROSS JOIN sites s JOIN organizations o ON o.id = s.organization_id AND o.deleted_at IS NULL \
             WHERE s.id = y.id AND s.deleted_at IS NULL AND ($2 IS NULL OR s.id = $2) \
             ORDER BY s.name_key COLLATE \"C\", s.id"
        )
    };
}

/// Loads the sites of the caller, by name.
pub(super) async fn load(tx: &mut Tx, caller: &Caller, filter: &TodayFilter) -> Result<Places> {
    const MINE: &str = places!(mine);
    const ALL: &str = places!(all);
    let query = tx.query(if caller.is_global() { ALL } else { MINE });
    let rows: Vec<Row> = query.bind(caller.actor.user_id).bind(filter.site_id).all().await?;
    let service = filter.service.as_deref().and_then(catalog::service);
    let lists = match service {
        Some(service) => Some(sites_with_services_like(tx, service).await?),
        None => None,
    };
    let payers = match filter.payer {
        Some(_) => Some(Payers::load(tx).await?),
        None => None,
    };
    let place = |Row { site, organization_name }: Row| {
        let serves = lists.as_ref().zip(service).is_none_or(|(lists, service)| {
            let services = lists.get(&site.id).cloned().unwrap_or_default();
            SiteOffer { services, ..SiteOffer::default() }.serves(service)
        });
        let takes = payers.as_ref().zip(filter.payer).is_none_or(|(payers, payer)| payers.takes(&site, payer));
        Place { site, organization_name, is_offered: serves && takes }
    };
    Ok(Places(rows.into_iter().map(place).collect()))
}

/// Loads which services of the same category each site offers.
async fn sites_with_services_like(tx: &mut Tx, service: &Service) -> Result<HashMap<SiteId, Vec<&'static Service>>> {
    const OFFERED: &str = "SELECT site_id, service_id FROM site_services WHERE service_id IN ($1..)";
    let alike = SERVICES.iter().filter(|other| other.category == service.category).map(|other| other.id);
    let rows: Vec<(SiteId, String)> = tx.query(OFFERED).bind_list(alike).all().await?;
    let mut offered: HashMap<SiteId, Vec<&'static Service>> = HashMap::new();
    for (site, id) in rows {
        offered.entry(site).or_default().extend(catalog::service(&id));
    }
    Ok(offered)
}

/// The ways to pay at each organization and site.
struct Payers {
    methods: HashMap<OrganizationId, Vec<PaymentMethod>>,
    options: HashMap<SiteId, Vec<SitePaymentOption>>,
    insured: HashSet<OrganizationId>,
}

impl Payers {
    async fn load(tx: &mut Tx) -> Result<Self> {
        const METHODS: &str = "SELECT organization_id, method FROM organization_payment_methods";
        const OPTIONS: &str = "SELECT site_id, option_id FROM site_payment_options";
        const INSURED: &str = "SELECT DISTINCT organization_id FROM organization_insurance_companies";
        let methods: Vec<(OrganizationId, i64)> = tx.query(METHODS).all().await?;
        let options: Vec<(SiteId, String)> = tx.query(OPTIONS).all().await?;
        let insured: Vec<(OrganizationId,)> = tx.query(INSURED).all().await?;
        let mut payers = Self {
            methods: HashMap::new(),
            options: HashMap::new(),
            insured: insured.into_iter().map(|(id,)| id).collect(),
        };
        for (organization, method) in methods {
            payers.methods.entry(organization).or_default().extend(PaymentMethod::from_id(method));
        }
        for (site, option) in options {
            payers.options.entry(site).or_default().extend(SitePaymentOption::from_text(&option));
        }
        Ok(payers)
    }

    fn takes(&self, site: &Site, payer: Payer) -> bool {
        let offer = SiteOffer {
            is_commercial: site.is_commercial,
            payment_methods: self.methods.get(&site.organization_id).cloned().unwrap_or_default(),
            payment_options: self.options.get(&site.id).cloned().unwrap_or_default(),
            has_insurers: self.insured.contains(&site.organization_id),
            ..SiteOffer::default()
        };
        if site.is_commercial {
            payer.method().is_some_and(|method| offer.methods().any(|offered| offered == method))
        } else {
            payer.options().iter().any(|option| offer.takes_option(*option))
        }
    }
}
