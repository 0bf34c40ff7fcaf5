//! Options of forms (languages, services, screening periods), and the settings that pages need before anyone has signed
//! in.

use axum::Json;
use axum::extract::State;
use berth_domain::catalog::{
    LANGUAGES, Language, PaymentMethod, Service, ServiceCategory, SitePaymentOption, services_for,
};
use berth_domain::password::PASSWORD_RULES;
use berth_domain::time::{Hold, SCREENING_PERIODS, ScreeningPeriod};
use serde::Serialize;
use utoipa::ToSchema;

use crate::App;
use crate::auth::caller::Caller;
use crate::settings::AGREEMENTS_VERSION;

/// The services of one kind of site, by group (spec A 3).
#[derive(Debug, Default, Serialize, ToSchema)]
pub struct ServiceGroups {
    /// Allowed ages.
    age: Vec<Service>,
    /// Allowed genders.
    gender: Vec<Service>,
    /// Types of client; empty for non-commercial sites.
    client: Vec<Service>,
    /// General services.
    general: Vec<Service>,
    /// Disabilities that sites are equipped for.
    disability: Vec<Service>,
}

impl ServiceGroups {
    fn of(is_commercial: bool) -> Self {
        let mut groups = Self::default();
        for service in services_for(is_commercial) {
            match service.category {
                ServiceCategory::Age => groups.age.push(*service),
                ServiceCategory::Gender => groups.gender.push(*service),
                ServiceCategory::Client => groups.client.push(*service),
                ServiceCategory::General => groups.general.push(*service),
                ServiceCategory::Disability => groups.disability.push(*service),
            }
        }
        groups
    }
}

/// How long a reservation from the public side is held.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ScreeningPeriod)]
pub struct ScreeningPeriodView {
    /// In hours, 1 to 72.
    total_hours: i64,
    /// As `dd:hh:mm:ss`.
    #[schema(value_type = String, example = "03:00:00:00")]
    value: ScreeningPeriod,
}

impl ScreeningPeriodView {
    /// Returns the period of `hours` hours; `None` if out of range.
    #[must_use]
    pub fn of(hours: i64) -> Option<Self> {
        let value = ScreeningPeriod::of(Hold::hours(hours).ok()?);
        Some(Self { total_hours: value.total_hours(), value })
    }

    /// Returns the hours, 1 to 72.
    #[must_use]
    pub const fn hours(&self) -> i64 {
        self.total_hours
    }
}

/// A payment option of a non-commercial site.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub struct PaymentOption {
    /// Its code, such as `ss`.
    pub id: &'static str,
    /// Name, as shown to users.
    name: &'static str,
}

impl From<SitePaymentOption> for PaymentOption {
    fn from(option: SitePaymentOption) -> Self {
        Self { id: option.as_str(), name: option.name() }
    }
}

/// A way to pay that a commercial organization accepts for reservations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = ReservationPaymentMethod)]
pub struct PaymentMethodView {
    /// 1 Private pay, 2 Insurance, 3 Medicaid or No Insurance.
    pub id: i64,
    /// Name, as shown to users.
    name: &'static str,
    /// Its category.
    category: PaymentMethod,
}

impl From<PaymentMethod> for PaymentMethodView {
    fn from(method: PaymentMethod) -> Self {
        Self { id: method.id(), name: method.name(), category: method }
    }
}

/// Settings that pages need before anyone has signed in.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PublicSettings {
    /// The new address that the yellow banner shows if the product has moved (spec A 1).
    moved_address: Option<String>,
    /// Support phone.
    support_phone: Option<String>,
    /// Support email.
    contact_email: Option<String>,
    /// Family foundation that is credited on the list of non-commercial organizations.
    foundation: Option<String>,
    /// True if the server runs with demo data.
    demo: bool,
    /// The publishable key with which browsers call the card provider.
    stripe_publishable_key: String,
    /// True if payments are simulated: no card is charged.
    test_payments: bool,
    /// Version of the terms and the user agreement: their date.
    agreements_version: &'static str,
    /// The rules for a new password, one sentence each.
    password_rules: Vec<&'static str>,
}

/// Shows the settings that every page needs.
#[utoipa::path(get, path = "/api/public/settings", tag = "Public", responses((status = 200, body = PublicSettings)))]
pub async fn public_settings(State(app): State<App>) -> Json<PublicSettings> {
    let settings = &app.settings;
    Json(PublicSettings {
        moved_address: settings.moved_address.clone(),
        support_phone: settings.support_phone.clone(),
        contact_email: settings.contact_email.clone(),
        foundation: settings.foundation.clone(),
        demo: settings.demo,
        stripe_publishable_key: app.payments.publishable_key().to_owned(),
        test_payments: app.payments.is_sandbox(),
        agreements_version: AGREEMENTS_VERSION,
        password_rules: PASSWORD_RULES.iter().map(|rule| rule.text).collect(),
    })
}

/// Lists the languages of sites: English, Spanish, French, then by name.
#[utoipa::path(get, path = "/api/Languages", tag = "Reference", responses((status = 200, body = Vec<Language>)))]
pub async fn languages(_: Caller) -> Json<&'static [Language]> {
    Json(&LANGUAGES)
}

/// Lists the services of commercial sites.
#[utoipa::path(get, path = "/api/SiteServices/commercial", tag = "Reference",
    responses((status = 200, body = ServiceGroups)))]
pub async fn commercial_services(_: Caller) -> Json<ServiceGroups> {
    Json(ServiceGroups::of(true))
}

/// Lists the services of non-commercial sites.
#[utoipa::path(get, path = "/api/SiteServices/nonCommercial", tag = "Reference",
    responses((status = 200, body = ServiceGroups)))]
pub async fn non_commercial_services(_: Caller) -> Json<ServiceGroups> {
    Json(ServiceGroups::of(false))
}

/// Lists the screening periods, 1 to 72 hours.
#[utoipa::path(get, path = "/api/Sites/screeningPeriods", tag = "Sites",
    responses((status = 200, body = Vec<ScreeningPeriodView>)))]
pub async fn screening_periods(_: Caller) -> Json<Vec<ScreeningPeriodView>> {
    Json(SCREENING_PERIODS.into_iter().filter_map(ScreeningPeriodView::of).collect())
}
