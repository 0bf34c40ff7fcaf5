//! Placement rules: whom a site and its houses are for (docs/decisions/0068).

use crate::catalog::{Gender, Service, ServiceCategory, service};
use crate::stay::Refusal;

/// Whom a site or a house is for: genders, ages and types of client. A category without an entry has no limit.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MeantFor(Vec<&'static Service>);

impl MeantFor {
    /// Reads the genders, ages and types of client among the services of a site. Other services are left out.
    pub fn of_services<'a>(ids: impl IntoIterator<Item = &'a str>) -> Self {
        let mut chosen: Vec<_> = ids.into_iter().filter_map(service).filter(|service| is_trait(service)).collect();
        chosen.sort_unstable_by_key(|service| service.id);
        chosen.dedup();
        Self(chosen)
    }

    /// Reads the text of the database: ids separated by spaces.
    #[must_use]
    pub fn from_text(text: &str) -> Self {
        Self::of_services(text.split(' '))
    }

    /// Parses the ids that were chosen for a house.
    ///
    /// # Errors
    /// A sentence if one of them is no gender, age or type of client.
    pub fn parse(ids: &[String]) -> Result<Self, &'static str> {
        if ids.iter().any(|id| !service(id).is_some_and(is_trait)) {
            return Err("Choose genders, ages and types of client only.");
        }
        Ok(Self::of_services(ids.iter().map(String::as_str)))
    }

    /// Returns the text of the database.
    #[must_use]
    pub fn to_text(&self) -> String {
        self.ids().join(" ")
    }

    /// Returns the ids, sorted.
    #[must_use]
    pub fn ids(&self) -> Vec<&'static str> {
        self.0.iter().map(|service| service.id).collect()
    }

    /// Returns the names, for the audit log.
    #[must_use]
    pub fn names(&self) -> String {
        names(&self.0)
    }

    fn allows(&self, wanted: &Service) -> bool {
        let mut chosen = self.0.iter().filter(|service| service.category == wanted.category).peekable();
        chosen.peek().is_none() || chosen.any(|service| service.id == wanted.id)
    }
}

const fn is_trait(service: &Service) -> bool {
    matches!(service.category, ServiceCategory::Gender | ServiceCategory::Age | ServiceCategory::Client)
}

/// Returns the names of services, separated by commas.
#[must_use]
pub fn names(services: &[&Service]) -> String {
    services.iter().map(|service| service.name).collect::<Vec<_>>().join(", ")
}

/// Returns what placement rules look at: the gender, the age and the type of client of a guest.
#[must_use]
pub fn traits(gender: Gender, age_id: Option<&str>, client_id: Option<&str>) -> Vec<&'static Service> {
    [Some(gender.service_id()), age_id, client_id].into_iter().flatten().filter_map(service).collect()
}

/// Returns the traits of a guest that the site or the house is not for.
#[must_use]
pub fn misfits(traits: &[&'static Service], rules: &[&MeantFor]) -> Vec<&'static Service> {
    traits.iter().copied().filter(|one| rules.iter().any(|rule| !rule.allows(one))).collect()
}

/// Checks a placement with these `misfits`: at a strict site it needs a reason, and a role that may override the rules. Elsewhere the
/// web only warns.
///
/// # Errors
/// [`Refusal::PlacementNeedsAdmin`] or [`Refusal::PlacementReasonNeeded`]
pub const fn may_place(
    is_strict: bool,
    misfits: &[&Service],
    has_reason: bool,
    may_override: bool,
) -> Result<(), Refusal> {
    if !is_strict || misfits.is_empty() {
        return Ok(());
    }
    match (may_override, has_reason) {
        (false, _) => Err(Refusal::PlacementNeedsAdmin),
        (true, false) => Err(Refusal::PlacementReasonNeeded),
        (true, true) => Ok(()),
    }
}
