//! The services of sites, which also carry age, gender and type of client (spec A 3, spec B 3).

text_enum! {
    /// The category of a service.
    #[derive(serde::Deserialize)]
    pub enum ServiceCategory {
        /// What the site offers.
        General = "General",
        /// Groups of people whom the site suits.
        Disability = "Disability",
        /// Allowed genders.
        Gender = "Gender",
        /// Allowed ages.
        Age = "Age",
        /// Type of client, at commercial sites only.
        Client = "Client",
    }
}

/// A service.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Service {
    /// A code in kebab-case.
    pub id: &'static str,
    /// The name for users.
    pub name: &'static str,
    /// The category.
    pub category: ServiceCategory,
    /// The type of spec A 3, if it has one.
    #[serde(rename = "type")]
    pub service_type: Option<&'static str>,
    /// True if commercial sites may offer it.
    #[serde(skip)]
    pub commercial: bool,
    /// True if non-commercial sites may offer it.
    #[serde(skip)]
    pub non_commercial: bool,
}

/// Creates a service of both kinds of site, with the type of spec A 3.
const fn typed(id: &'static str, name: &'static str, category: ServiceCategory, of: &'static str) -> Service {
    Service { id, name, category, service_type: Some(of), commercial: true, non_commercial: true }
}

/// Creates a general service of both kinds of site.
const fn general(id: &'static str, name: &'static str) -> Service {
    let category = ServiceCategory::General;
    Service { id, name, category, service_type: None, commercial: true, non_commercial: true }
}

/// Creates a type of client, for commercial sites.
const fn client(id: &'static str, name: &'static str) -> Service {
    let category = ServiceCategory::Client;
    Service { id, name, category, service_type: None, commercial: true, non_commercial: false }
}

/// Every service, in the order of the screen.
pub const SERVICES: [Service; 37] = [
    typed("drug-treatment", "Drug treatment", ServiceCategory::General, "DRUG_TREATMENT"),
    typed("prenatal", "Prenatal", ServiceCategory::General, "PRENATAL"),
    typed("with-children", "With children", ServiceCategory::General, "WITH_CHILDREN"),
    general("alcohol-treatment", "Alcohol treatment"),
    general("medical-detox", "Medical detox"),
    general("medication-assisted-treatment", "Medication-assisted treatment"),
    general("dual-diagnosis", "Dual diagnosis"),
    general("sober-living", "Sober living"),
    general("outpatient-program", "Outpatient program"),
    general("twelve-step-program", "12-step program"),
    general("individual-therapy", "Individual therapy"),
    general("group-therapy", "Group therapy"),
    general("family-therapy", "Family therapy"),
    general("case-management", "Case management"),
    general("job-assistance", "Job assistance"),
    general("transportation", "Transportation"),
    Service { non_commercial: false, ..general("private-rooms", "Private rooms") },
    Service { non_commercial: false, ..general("holistic-therapy", "Holistic therapy") },
    Service { commercial: false, ..general("food-and-clothing", "Food and clothing") },
    Service { commercial: false, ..general("legal-aid", "Legal aid") },
    typed("physical-disability", "Physical disability", ServiceCategory::Disability, "PHYSICAL_DISABILITY"),
    typed(
        "developmental-disability",
        "Developmental disability",
        ServiceCategory::Disability,
        "DEVELOPMENT_DISABILITY",
    ),
    typed("medically-vulnerable", "Medically vulnerable", ServiceCategory::Disability, "MEDICALLY_VULNERABLE"),
    typed("visually-impaired", "Visually impaired", ServiceCategory::Disability, "VISUALY_IMPAIRED"),
    typed("hearing-impaired", "Hearing impaired", ServiceCategory::Disability, "HEARING_IMPAIRED"),
    typed("mental-health", "Mental health", ServiceCategory::Disability, "MENTAL_HEALTH"),
    typed("gender-male", "Male", ServiceCategory::Gender, "GENDER_MALE"),
    typed("gender-female", "Female", ServiceCategory::Gender, "GENDER_FEMALE"),
    typed("gender-other", "Other", ServiceCategory::Gender, "GENDER_OTHER"),
    typed("age-under-18", "Under 18", ServiceCategory::Age, "AGE_UNDER_18"),
    typed("age-18-26", "18 to 26", ServiceCategory::Age, "AGE_18_26"),
    typed("age-over-27", "27 and over", ServiceCategory::Age, "AGE_OVER_27"),
    client("adults", "Adults"),
    client("young-adults", "Young adults"),
    client("professionals", "Professionals"),
    client("veterans", "Veterans and first responders"),
    client("court-ordered", "Court-ordered clients"),
];

/// Finds the service with this id.
#[must_use]
pub fn service(id: &str) -> Option<&'static Service> {
    SERVICES.iter().find(|service| service.id == id)
}

impl Service {
    /// Returns true if sites of this kind may offer it.
    #[must_use]
    pub const fn is_for(&self, is_commercial: bool) -> bool {
        if is_commercial { self.commercial } else { self.non_commercial }
    }
}

/// Returns the services that sites of this kind may offer, in order.
pub fn services_for(is_commercial: bool) -> impl Iterator<Item = &'static Service> {
    SERVICES.iter().filter(move |service| service.is_for(is_commercial))
}

/// The age groups of the new guest form: 1, 2, 3 stand for the three age services (spec B 3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AgeGroup {
    /// 1, under 18
    Under18,
    /// 2, 18 to 26
    From18To26,
    /// 3, 27 and over
    Over27,
}

impl AgeGroup {
    /// Every group, in order.
    pub const ALL: [Self; 3] = [Self::Under18, Self::From18To26, Self::Over27];

    /// Returns the group with this number, 1 to 3.
    #[must_use]
    pub const fn from_number(number: i64) -> Option<Self> {
        match number {
            1 => Some(Self::Under18),
            2 => Some(Self::From18To26),
            3 => Some(Self::Over27),
            _ => None,
        }
    }

    /// Returns the number.
    #[must_use]
    pub const fn number(self) -> i64 {
        match self {
            Self::Under18 => 1,
            Self::From18To26 => 2,
            Self::Over27 => 3,
        }
    }

    /// Returns the id of its age service.
    #[must_use]
    pub const fn service_id(self) -> &'static str {
        match self {
            Self::Under18 => "age-under-18",
            Self::From18To26 => "age-18-26",
            Self::Over27 => "age-over-27",
        }
    }

    /// Finds the group by the id of its age service.
    #[must_use]
    pub fn from_service_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|group| group.service_id() == id)
    }
}
