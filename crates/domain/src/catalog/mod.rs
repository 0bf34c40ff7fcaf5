//! Catalogs: genders, services, languages and payment methods (spec A 3, 9; spec B 3, 9). Their texts are ids and never change their
//! meaning.

mod languages;
mod services;

pub use languages::{LANGUAGES, Language, language};
pub use services::{AgeGroup, SERVICES, Service, ServiceCategory, service, services_for};

use serde::de::{Deserialize, Deserializer, Error, Visitor};
use std::fmt;

text_enum! {
    /// The gender of a guest. Requests hold 1, 2 or 0, or the text; answers and the database hold the text.
    pub enum Gender {
        /// 1
        Male = "Male",
        /// 2
        Female = "Female",
        /// 0, and every other number
        Other = "Other",
    }
}

impl Gender {
    /// Returns the gender of a number: 1 male, 2 female, otherwise other (spec B 3).
    #[must_use]
    pub const fn from_number(number: i64) -> Self {
        match number {
            1 => Self::Male,
            2 => Self::Female,
            _ => Self::Other,
        }
    }

    /// Returns the number.
    #[must_use]
    pub const fn number(self) -> i64 {
        match self {
            Self::Male => 1,
            Self::Female => 2,
            Self::Other => 0,
        }
    }

    /// Returns the id of the service of this gender.
    #[must_use]
    pub const fn service_id(self) -> &'static str {
        match self {
            Self::Male => "gender-male",
            Self::Female => "gender-female",
            Self::Other => "gender-other",
        }
    }
}

impl<'de> Deserialize<'de> for Gender {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(GenderVisitor)
    }
}

/// Deserializes a gender from a number or a text.
struct GenderVisitor;

impl Visitor<'_> for GenderVisitor {
    type Value = Gender;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a gender: 1 (Male), 2 (Female) or 0 (Other)")
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Gender, E> {
        Ok(Gender::from_number(number))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Gender, E> {
        Ok(i64::try_from(number).map_or(Gender::Other, Gender::from_number))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Gender, E> {
        let named = |gender: &&Gender| text.trim().eq_ignore_ascii_case(gender.as_str());
        let number = || text.trim().parse().ok().map(Gender::from_number);
        let gender = Gender::ALL.iter().find(named).copied().or_else(number);
        gender.ok_or_else(|| E::custom("The gender must be Male, Female or Other."))
    }
}

text_enum! {
    /// How a guest of a commercial organization pays (spec A 3): the category of a reservation method.
    #[derive(serde::Deserialize)]
    pub enum PaymentMethod {
        /// 1 Private pay
        PrivatePay = "PrivatePay",
        /// 2 Insurance
        Insurance = "Insurance",
        /// 3 Medicaid or No Insurance
        MediCal = "MediCal",
    }
}

impl PaymentMethod {
    /// Returns the method with this number, 1 to 3.
    #[must_use]
    pub const fn from_id(id: i64) -> Option<Self> {
        match id {
            1 => Some(Self::PrivatePay),
            2 => Some(Self::Insurance),
            3 => Some(Self::MediCal),
            _ => None,
        }
    }

    /// Returns the number, 1 to 3.
    #[must_use]
    pub const fn id(self) -> i64 {
        match self {
            Self::PrivatePay => 1,
            Self::Insurance => 2,
            Self::MediCal => 3,
        }
    }

    /// Returns the name for users.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::PrivatePay => "Private pay",
            Self::Insurance => "Insurance",
            Self::MediCal => "Medicaid or No Insurance",
        }
    }
}

text_enum! {
    /// A payment option of a non-commercial site (spec A 3), by its code.
    #[derive(serde::Deserialize)]
    pub enum SitePaymentOption {
        /// Private Pay
        PrivatePay = "pp",
        /// Sliding Scale
        SlidingScale = "ss",
        /// Scholarship
        Scholarship = "sch",
        /// Insurance
        Insurance = "ins",
        /// Medi-Cal Orange County
        MediCalOrangeCounty = "moc",
        /// Medi-Cal Los Angeles
        MediCalLosAngeles = "mla",
        /// Medi-Cal San Diego
        MediCalSanDiego = "msd",
    }
}

impl SitePaymentOption {
    /// Returns the name for users.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::PrivatePay => "Private Pay",
            Self::SlidingScale => "Sliding Scale",
            Self::Scholarship => "Scholarship",
            Self::Insurance => "Insurance",
            Self::MediCalOrangeCounty => "Medi-Cal Orange County",
            Self::MediCalLosAngeles => "Medi-Cal Los Angeles",
            Self::MediCalSanDiego => "Medi-Cal San Diego",
        }
    }
}

text_enum! {
    /// Payment filter of the public search, for both kinds of sites.
    #[derive(serde::Deserialize)]
    pub enum Payer {
        /// Private pay
        PrivatePay = "PrivatePay",
        /// Health insurance
        Insurance = "Insurance",
        /// Medicaid, which is Medi-Cal in California
        MediCal = "MediCal",
        /// A price by income (sliding scale)
        SlidingScale = "SlidingScale",
        /// A scholarship of the site
        Scholarship = "Scholarship",
    }
}

impl Payer {
    /// Returns the payment method of commercial organizations, if there is one for it.
    #[must_use]
    pub const fn method(self) -> Option<PaymentMethod> {
        match self {
            Self::PrivatePay => Some(PaymentMethod::PrivatePay),
            Self::Insurance => Some(PaymentMethod::Insurance),
            Self::MediCal => Some(PaymentMethod::MediCal),
            Self::SlidingScale | Self::Scholarship => None,
        }
    }

    /// Returns the payment options of non-commercial sites.
    #[must_use]
    pub const fn options(self) -> &'static [SitePaymentOption] {
        match self {
            Self::PrivatePay => &[SitePaymentOption::PrivatePay],
            Self::Insurance => &[SitePaymentOption::Insurance],
            Self::MediCal => &[
                SitePaymentOption::MediCalOrangeCounty,
                SitePaymentOption::MediCalLosAngeles,
                SitePaymentOption::MediCalSanDiego,
            ],
            Self::SlidingScale => &[SitePaymentOption::SlidingScale],
            Self::Scholarship => &[SitePaymentOption::Scholarship],
        }
    }
}
