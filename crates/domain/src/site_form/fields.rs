//! The profile of a site: the rules of About, Contacts, Intake hours and Services (spec A 2, 5).

use super::{ImageForm, SiteForm, required, text};
use crate::catalog::{Language, Service, SitePaymentOption, language, service};
use crate::check::{Check, FieldErrors};
use crate::offer::any_general;
use crate::time::{Hold, IntakePeriod, ScreeningPeriod, is_time_zone, parse_intake_periods};
use crate::value::{Alias, Description, Email, Name, Phone, WebAddress, clean_text, is_plain_address};

/// Maximum number of photos of a site.
const MOST_IMAGES: usize = 50;
/// Maximum length of an address, in characters.
const LONGEST_ADDRESS: usize = 300;
/// Maximum length of a stay that can be set, in days: ten years.
const LONGEST_STAY: i64 = 3650;

/// How an edit changes the longest stay of a site.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LongestStay {
    /// Keeps it.
    Same,
    /// Removes the limit.
    Unlimited,
    /// Sets the limit, in days.
    Days(i64),
}

impl LongestStay {
    /// Returns the longest stay after the edit, in days.
    #[must_use]
    pub const fn after(self, before: Option<i64>) -> Option<i64> {
        match self {
            Self::Same => before,
            Self::Unlimited => None,
            Self::Days(days) => Some(days),
        }
    }
}

/// A photo of a site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Photo {
    /// Its path.
    pub path: String,
    /// Its index in the payload, for errors.
    pub sent_at: usize,
}

/// The valid profile of a site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SiteValues {
    /// Its name.
    pub name: Name,
    /// A second name.
    pub alias: Option<Alias>,
    /// The description.
    pub description: Description,
    /// The address, on one line, without markup.
    pub address: String,
    /// IANA time zone. `None` for that of the place, or to keep it.
    pub time_zone: Option<String>,
    /// Web site.
    pub contact_web: Option<WebAddress>,
    /// Telephone.
    pub contact_phone: Phone,
    /// Email.
    pub contact_email: Email,
    /// The intake periods, each group of days once, at least one enabled.
    pub intake_periods: Vec<IntakePeriod>,
    /// True if intake hours are shown by groups of days.
    pub show_days_of_week: bool,
    /// How long a reservation from the public side is held.
    pub hold: Hold,
    /// The languages, at least one, each once.
    pub languages: Vec<&'static Language>,
    /// The services, each once, at least one general one, all allowed at this kind of site.
    pub services: Vec<&'static Service>,
    /// The payment options, each once. Empty at commercial sites.
    pub payment_options: Vec<SitePaymentOption>,
    /// The photos, each once, the cover first; at least one at commercial sites. The server checks that they were uploaded as photos of a
    /// site.
    pub images: Vec<Photo>,
    /// Shortest stay, in days. `None` keeps it.
    pub length_of_stay_days_min: Option<i64>,
    /// Longest stay.
    pub length_of_stay_days_max: LongestStay,
}

impl SiteForm {
    /// Returns the address as stored: on one line, without markup.
    #[must_use]
    pub fn address_line(&self) -> String {
        clean_text(text(self.address.as_ref())).split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// Applies the rules that a new site and an edit share.
    ///
    /// # Errors
    /// All field errors.
    pub fn parse(&self, is_commercial: bool, address_is_chosen: bool) -> Result<SiteValues, FieldErrors> {
        let mut check = Check::new();
        let name = check.field("/name", Name::parse(text(self.name.as_ref())));
        let alias = check.optional("/alias", self.alias.as_deref(), Alias::parse);
        let description = check.field("/description", Description::parse(text(self.description.as_ref())));
        let images = self.images(&mut check, is_commercial);
        let address = self.address(&mut check, address_is_chosen);
        let time_zone = self.time_zone(&mut check);
        let contact_phone = required(&mut check, "/contactPhone", self.contact_phone.as_ref(), Phone::parse);
        let contact_web = check.optional("/contactWeb", self.contact_web.as_deref(), WebAddress::parse);
        let contact_email = required(&mut check, "/contactEmail", self.contact_email.as_ref(), Email::parse);
        let periods = parse_intake_periods(self.intake_periods.as_deref().unwrap_or_default());
        let intake_periods = check.nested("/intakePeriods", periods);
        let hold = required(&mut check, "/screeningPeriod", self.screening_period.as_ref(), |text| {
            ScreeningPeriod::parse(text).and_then(ScreeningPeriod::hold)
        });
        let languages = self.languages(&mut check);
        let services = self.services(&mut check, is_commercial);
        let payment_options = self.payment_options(&mut check, is_commercial);
        let no_insurers = self.insurance_ids.as_ref().is_none_or(Vec::is_empty);
        check.require(no_insurers, "/insuranceIds", "Insurers are chosen for the organization, not for a site.");
        let (shortest, longest) = self.length_of_stay(&mut check);
        check.build(|| {
            let mut intake_periods = intake_periods?;
            intake_periods.sort_by_key(|period| period.time_period);
            Some(SiteValues {
                name: name?,
                alias,
                description: description?,
                address,
                time_zone,
                contact_web,
                contact_phone: contact_phone?,
                contact_email: contact_email?,
                intake_periods,
                show_days_of_week: self.show_days_of_week.unwrap_or(true),
                hold: hold?,
                languages,
                services,
                payment_options,
                images,
                length_of_stay_days_min: shortest,
                length_of_stay_days_max: longest,
            })
        })
    }

    /// Returns the photos in the order of their indexes, each path once.
    fn images(&self, check: &mut Check, is_commercial: bool) -> Vec<Photo> {
        let mut sent: Vec<(usize, &ImageForm)> = self.images.iter().flatten().enumerate().collect();
        sent.sort_by_key(|(_, image)| image.index);
        let mut photos: Vec<Photo> = Vec::new();
        for (sent_at, image) in sent {
            let path = image.image_path.trim();
            if !path.is_empty() && !photos.iter().any(|known| known.path == path) {
                photos.push(Photo { path: path.to_owned(), sent_at });
            }
        }
        check.require(!is_commercial || !photos.is_empty(), "/images", "Please add at least one photo.");
        check.require(photos.len() <= MOST_IMAGES, "/images", "A site can have at most 50 photos.");
        photos
    }

    /// Parses the address. An address that is no chosen place is an error.
    fn address(&self, check: &mut Check, is_chosen: bool) -> String {
        let address = self.address_line();
        // A stored address that stays is not checked again. Messages hide telephone numbers in it.
        let reads_otherwise = !is_chosen && !is_plain_address(&address);
        check.require(
            !reads_otherwise,
            "/address",
            "Enter the street with its number, without web addresses, phone numbers or symbols.",
        );
        if reads_otherwise {
            return address;
        }
        let fits = !address.is_empty() && address.chars().count() <= LONGEST_ADDRESS;
        check.require(is_chosen && fits, "/address", "Please choose address from dropdown.");
        address
    }

    fn time_zone(&self, check: &mut Check) -> Option<String> {
        check.optional("/timeZone", self.time_zone.as_deref(), |name| {
            if is_time_zone(name) { Ok(name.to_owned()) } else { Err("This time zone does not exist.") }
        })
    }

    fn languages(&self, check: &mut Check) -> Vec<&'static Language> {
        let ids = self.language_ids.as_deref().unwrap_or_default();
        let chosen = chosen(check, "/languageIds", ids, language, "One of the languages does not exist.");
        check.require(!ids.is_empty(), "/languageIds", "Required field.");
        chosen
    }

    fn services(&self, check: &mut Check, is_commercial: bool) -> Vec<&'static Service> {
        let ids = self.service_ids.as_deref().unwrap_or_default();
        let fit = |id: &str| service(id).filter(|service| service.is_for(is_commercial));
        let refusal = "One of the services is not offered by this kind of site.";
        let chosen = chosen(check, "/serviceIds", ids, fit, refusal);
        // Gender, age and client type are no general services, and a guest needs a general one.
        let only_unknown = chosen.is_empty() && !ids.is_empty();
        check.require(any_general(&chosen) || only_unknown, "/serviceIds", "Add at least one service.");
        chosen
    }

    fn payment_options(&self, check: &mut Check, is_commercial: bool) -> Vec<SitePaymentOption> {
        const POINTER: &str = "/nonCommercialPaymentMethodIds";
        let ids = self.non_commercial_payment_method_ids.as_deref().unwrap_or_default();
        if is_commercial {
            check.require(ids.is_empty(), POINTER, "Only non-commercial sites have payment options.");
            return Vec::new();
        }
        let option = |id: &str| SitePaymentOption::from_text(&id.to_lowercase());
        chosen(check, POINTER, ids, option, "One of the payment options does not exist.")
    }

    /// Parses both stays: 1 to 3650 days, the longest not below the shortest. 0 removes the limit of the longest.
    fn length_of_stay(&self, check: &mut Check) -> (Option<i64>, LongestStay) {
        const MINIMUM: &str = "/lengthOfStayDaysMin";
        const MAXIMUM: &str = "/lengthOfStayDaysMax";
        let (shortest, longest) = (self.length_of_stay_days_min, self.length_of_stay_days_max);
        let is_unlimited = longest == Some(0);
        let longest = longest.filter(|_| !is_unlimited);
        for (pointer, days) in [(MINIMUM, shortest), (MAXIMUM, longest)] {
            let fits = days.is_none_or(|days| (1..=LONGEST_STAY).contains(&days));
            check.require(fits, pointer, "The length of stay must be 1 to 3650 days.");
        }
        let in_order = shortest.zip(longest).is_none_or(|(shortest, longest)| shortest <= longest);
        check.require(in_order, MAXIMUM, "The longest stay cannot be shorter than the shortest.");
        let kept_or_set = longest.map_or(LongestStay::Same, LongestStay::Days);
        (shortest, if is_unlimited { LongestStay::Unlimited } else { kept_or_set })
    }
}

/// Returns the values that `find` returns for the ids, each once, in the order sent. One error for all unknown ids.
fn chosen<T: PartialEq>(
    check: &mut Check,
    pointer: &str,
    ids: &[String],
    find: impl Fn(&str) -> Option<T>,
    refusal: &str,
) -> Vec<T> {
    let mut chosen = Vec::new();
    let mut unknown = false;
    for id in ids {
        match find(id.trim()) {
            Some(item) if chosen.contains(&item) => {}
            Some(item) => chosen.push(item),
            None => unknown = true,
        }
    }
    check.require(!unknown, pointer, refusal);
    chosen
}
