//! The offer of a site: whom it serves, its services and payment methods. New guests are checked against it (spec B 3).

use crate::catalog::{AgeGroup, Gender, PaymentMethod, Service, ServiceCategory, SitePaymentOption, service};

/// The offer of a site, chosen in its form and that of its organization. A category without a choice has no limit: a site without ages
/// serves all ages.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SiteOffer {
    /// True if the organization is commercial.
    pub is_commercial: bool,
    /// The services of the site, of all categories.
    pub services: Vec<&'static Service>,
    /// Commercial: the payment methods of the organization.
    pub payment_methods: Vec<PaymentMethod>,
    /// Non-commercial: the payment options of the site.
    pub payment_options: Vec<SitePaymentOption>,
    /// True if the organization works with an insurance company. Otherwise it accepts no insurance (DESIGN 6).
    pub has_insurers: bool,
}

impl SiteOffer {
    /// Returns true if the site offers this service, or serves guests of this age, gender or type.
    #[must_use]
    pub fn serves(&self, wanted: &Service) -> bool {
        let mut chosen = self.services.iter().filter(|service| service.category == wanted.category).peekable();
        chosen.peek().is_none() || chosen.any(|service| service.id == wanted.id)
    }

    /// Returns true if the site serves guests of this age.
    #[must_use]
    pub fn serves_age(&self, age: AgeGroup) -> bool {
        service(age.service_id()).is_none_or(|age| self.serves(age))
    }

    /// Returns true if the site serves guests of this gender.
    #[must_use]
    pub fn serves_gender(&self, gender: Gender) -> bool {
        service(gender.service_id()).is_none_or(|gender| self.serves(gender))
    }

    /// The payment methods that guests may choose: those of the organization, insurance only where it has an insurer.
    pub fn methods(&self) -> impl Iterator<Item = PaymentMethod> {
        let chosen = |method: &PaymentMethod| self.payment_methods.is_empty() || self.payment_methods.contains(method);
        let insured = |method: &PaymentMethod| self.has_insurers || *method != PaymentMethod::Insurance;
        PaymentMethod::ALL.iter().copied().filter(move |method| self.is_commercial && chosen(method) && insured(method))
    }

    /// Returns true if guests may pay by this option of a non-commercial site.
    #[must_use]
    pub fn takes_option(&self, option: SitePaymentOption) -> bool {
        self.payment_options.is_empty() || self.payment_options.contains(&option)
    }
}

/// The needs of a guest that the site does not serve. Staff may allow them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NotServed {
    /// The gender.
    pub gender: Option<Gender>,
    /// The age group.
    pub age: Option<AgeGroup>,
    /// Services, in the order sent.
    pub services: Vec<&'static Service>,
    /// The type of client.
    pub client: Option<&'static Service>,
}

impl NotServed {
    /// Returns true if the site serves all needs.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Returns each field with a need that is not served, and its message.
    #[must_use]
    pub fn errors(&self) -> Vec<(&'static str, String)> {
        let mut errors = Vec::new();
        if self.gender.is_some() {
            errors.push(("/gender", "This site does not serve guests of this gender.".to_owned()));
        }
        if let Some(age) = self.age {
            let sentence = match age {
                AgeGroup::Under18 => "This site does not accept guests under 18.",
                AgeGroup::From18To26 | AgeGroup::Over27 => "This site does not serve guests of this age.",
            };
            errors.push(("/ageServiceId", sentence.to_owned()));
        }
        if !self.services.is_empty() {
            let names = self.services.iter().map(|service| service.name).collect::<Vec<_>>().join(", ");
            errors.push(("/serviceIds", format!("This site does not offer: {names}.")));
        }
        if self.client.is_some() {
            errors.push(("/typeOfClientServiceId", "This site does not serve this type of client.".to_owned()));
        }
        errors
    }

    /// Returns the names of these needs, for the audit log.
    #[must_use]
    pub fn names(&self) -> String {
        let gender = self.gender.and_then(|gender| service(gender.service_id()));
        let age = self.age.and_then(|age| service(age.service_id()));
        let all = gender.into_iter().chain(age).chain(self.services.iter().copied()).chain(self.client);
        all.map(|service| service.name).collect::<Vec<_>>().join(", ")
    }
}

/// Returns true if at least one service is a general one, and not only a gender, an age or a type of client.
pub fn any_general<'a>(services: impl IntoIterator<Item = &'a &'static Service>) -> bool {
    services.into_iter().any(|service| service.category == ServiceCategory::General)
}
