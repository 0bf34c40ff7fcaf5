//! A new guest: the payload, the rules of the form (spec B 3, 5) and the parsed values.

use crate::catalog::{AgeGroup, Gender, PaymentMethod, Service, ServiceCategory, SitePaymentOption, service};
use crate::check::{Check, FieldErrors};
use crate::guest::Source;
use crate::id::{InsuranceCompanyId, SiteId};
use crate::locale::Locale;
use crate::offer::{NotServed, SiteOffer, any_general};
use crate::placement;
use crate::value::{Email, FirstName, LastInitial, Phone, clean_text};
use serde::{Deserialize, Serialize};

/// A guest to add.
#[derive(Debug, Clone, Default, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct NewGuestForm {
    /// 1 male, 2 female, otherwise other.
    #[schema(value_type = Option<i64>)]
    pub gender: Option<Gender>,
    /// 1, 2 or 3. Can be sent instead of `ageServiceId`.
    pub age_group: Option<i64>,
    /// Id of an age service.
    pub age_service_id: Option<String>,
    /// At most 50 characters.
    pub first_name: Option<String>,
    /// The initial: one character.
    pub last_name: Option<String>,
    /// +1 and 10 digits.
    pub phone: Option<String>,
    /// An email address.
    pub email: Option<String>,
    /// City or address, at most 100 characters.
    pub location: Option<String>,
    /// Ids of services, at least one general one.
    pub service_ids: Option<Vec<String>>,
    /// The site to stay at.
    pub site_id: Option<SiteId>,
    /// Commercial sites: id of a client service.
    pub type_of_client_service_id: Option<String>,
    /// Commercial sites: 1 Private pay, 2 Insurance, 3 Medicaid or No Insurance.
    pub payment_method: Option<i64>,
    /// With payment method 2: which insurer.
    pub insurance_company_id: Option<String>,
    /// At most 50 characters.
    pub policy_number: Option<String>,
    /// At most 50 characters.
    pub group_number: Option<String>,
    /// Non-commercial sites: pp, ss, sch, ins, moc, mla or msd.
    pub medi_cal_choice: Option<String>,
    /// Path of an uploaded image.
    pub insurance_card_front: Option<String>,
    /// Path of an uploaded image.
    pub insurance_card_back: Option<String>,
    /// 'Admin' from the admin site. Ignored.
    pub source: Option<String>,
    /// Allows a third active reservation of the same person.
    pub allow_third: Option<bool>,
    /// Staff only: adds the guest even if the site does not serve all of this, for example a minor.
    pub allow_not_served: Option<bool>,
    /// Admin and above: adds a walk-in to a vacant bed even if reservations hold all of them. The reason, at most 200 characters.
    pub over_capacity_reason: Option<String>,
    /// The language of the guest's text messages. The default is `Accept-Language` on the public side, otherwise English.
    #[schema(nullable = false)]
    pub language: Option<Locale>,
}

/// A valid new guest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewGuest {
    /// Gender.
    pub gender: Gender,
    /// Age group. Its service is `age_group.service_id()`.
    pub age_group: AgeGroup,
    /// First name.
    pub first_name: FirstName,
    /// Initial of the last name, upper case.
    pub last_initial: LastInitial,
    /// Email.
    pub email: Email,
    /// Telephone.
    pub phone: Phone,
    /// City or address.
    pub location: Option<String>,
    /// The services, each once, in the order sent.
    pub services: Vec<&'static Service>,
    /// Type of client, at commercial sites only.
    pub type_of_client: Option<&'static Service>,
    /// Payment method, at commercial sites only.
    pub payment_method: Option<PaymentMethod>,
    /// The insurance company, if the method is Insurance. The server checks that the site accepts it.
    pub insurance_company_id: Option<InsuranceCompanyId>,
    /// Number of the policy.
    pub policy_number: Option<String>,
    /// Number of the group.
    pub group_number: Option<String>,
    /// Payment option, at non-commercial sites only.
    pub medi_cal_choice: Option<SitePaymentOption>,
    /// Path of an uploaded image. The server checks that it is a card that the caller uploaded.
    pub insurance_card_front: Option<String>,
    /// Path of an uploaded image.
    pub insurance_card_back: Option<String>,
    /// The needs that the site does not serve and staff have allowed.
    pub not_served: NotServed,
    /// The reason for adding the guest over held capacity.
    pub over_capacity_reason: Option<String>,
    /// The language of text messages, if one was sent.
    pub language: Option<Locale>,
}

impl NewGuest {
    /// Returns what placement rules look at.
    #[must_use]
    pub fn traits(&self) -> Vec<&'static Service> {
        let client = self.type_of_client.map(|service| service.id);
        placement::traits(self.gender, Some(self.age_group.service_id()), client)
    }

    /// "First L. CODE".
    #[must_use]
    pub fn display_name(&self, code: &str) -> String {
        display_name(self.first_name.as_str(), self.last_initial.as_str(), code)
    }

    /// Returns a form with the values of this guest, without images, permissions of staff and the source.
    #[must_use]
    pub fn to_form(&self, site_id: SiteId) -> NewGuestForm {
        NewGuestForm {
            gender: Some(self.gender),
            age_service_id: Some(self.age_group.service_id().to_owned()),
            first_name: Some(self.first_name.to_string()),
            last_name: Some(self.last_initial.to_string()),
            phone: Some(self.phone.to_string()),
            email: Some(self.email.to_string()),
            location: self.location.clone(),
            service_ids: Some(self.services.iter().map(|service| service.id.to_owned()).collect()),
            site_id: Some(site_id),
            type_of_client_service_id: self.type_of_client.map(|service| service.id.to_owned()),
            payment_method: self.payment_method.map(PaymentMethod::id),
            insurance_company_id: self.insurance_company_id.map(|id| id.to_string()),
            policy_number: self.policy_number.clone(),
            group_number: self.group_number.clone(),
            medi_cal_choice: self.medi_cal_choice.map(|option| option.as_str().to_owned()),
            language: self.language,
            ..NewGuestForm::default()
        }
    }
}

/// Returns the display name of a guest: first name, last initial, code (spec B 3).
#[must_use]
pub fn display_name(first_name: &str, last_initial: &str, code: &str) -> String {
    format!("{first_name} {last_initial}. {code}")
}

impl NewGuestForm {
    /// Applies the rules of the form for a site with this offer. Needs that the site does not serve are rejected from the public side
    /// ([`Source::Web`]); staff may allow them.
    ///
    /// # Errors
    /// All field errors.
    pub fn parse(&self, offer: &SiteOffer, source: Source) -> Result<NewGuest, FieldErrors> {
        let is_commercial = offer.is_commercial;
        let by_staff = source == Source::Admin;
        let mut check = Check::new();
        let gender = check.field("/gender", self.gender.ok_or("Gender is a required field."));
        let age_group = self.age(&mut check);
        let first_name = check.field("/firstName", FirstName::parse(text(self.first_name.as_ref())));
        let last_initial = check.field("/lastName", LastInitial::parse(text(self.last_name.as_ref())));
        let email = Email::parse(text(self.email.as_ref()));
        let email = check.field_as("/email", email, "Email must be a valid email");
        // The code that confirms a reservation from the public side is sent to its phone.
        let parse_phone = if by_staff { Phone::parse } else { Phone::parse_personal };
        let phone = check.field("/phone", parse_phone(text(self.phone.as_ref())));
        let location = limited(&mut check, "/location", self.location.as_ref(), 100);
        let services = self.services(&mut check, is_commercial);
        let type_of_client = if is_commercial { self.client(&mut check) } else { None };
        let payment_method = if is_commercial { self.payment(&mut check, offer) } else { None };
        let insurance_company_id = self.insurer(&mut check, payment_method);
        let policy_number = limited(&mut check, "/policyNumber", self.policy_number.as_ref(), 50);
        let group_number = limited(&mut check, "/groupNumber", self.group_number.as_ref(), 50);
        let medi_cal_choice = if is_commercial { None } else { self.choice(&mut check, offer) };
        let insurance_card_front = limited(&mut check, "/insuranceCardFront", self.insurance_card_front.as_ref(), 500);
        let insurance_card_back = limited(&mut check, "/insuranceCardBack", self.insurance_card_back.as_ref(), 500);
        let over_capacity_reason = if by_staff { self.reason(&mut check) } else { None };
        let not_served = NotServed {
            gender: gender.filter(|gender| !offer.serves_gender(*gender)),
            age: age_group.filter(|age| !offer.serves_age(*age)),
            services: services.iter().copied().filter(|service| !offer.serves(service)).collect(),
            client: type_of_client.filter(|client| !offer.serves(client)),
        };
        if !(by_staff && self.allow_not_served == Some(true)) {
            for (pointer, sentence) in not_served.errors() {
                check.reject(pointer, sentence);
            }
        }
        check.build(|| {
            Some(NewGuest {
                gender: gender?,
                age_group: age_group?,
                first_name: first_name?,
                last_initial: last_initial?,
                email: email?,
                phone: phone?,
                location,
                services,
                type_of_client,
                payment_method,
                insurance_company_id,
                policy_number,
                group_number,
                medi_cal_choice,
                insurance_card_front,
                insurance_card_back,
                not_served,
                over_capacity_reason,
                language: self.language,
            })
        })
    }

    /// Parses the age group, by its service or by its number.
    fn age(&self, check: &mut Check) -> Option<AgeGroup> {
        let by_service = text(self.age_service_id.as_ref());
        let group = if by_service.is_empty() {
            self.age_group.and_then(AgeGroup::from_number)
        } else {
            AgeGroup::from_service_id(by_service)
        };
        check.field("/ageServiceId", group.ok_or("Age is a required field."))
    }

    /// Parses the services: all of them allowed at this kind of site, at least one general one.
    fn services(&self, check: &mut Check, is_commercial: bool) -> Vec<&'static Service> {
        let mut chosen: Vec<&'static Service> = Vec::new();
        let mut unknown = false;
        for id in self.service_ids.iter().flatten() {
            match service(id.trim()).filter(|service| service.is_for(is_commercial)) {
                Some(service) if chosen.contains(&service) => {}
                Some(service) => chosen.push(service),
                None => unknown = true,
            }
        }
        if unknown {
            check.reject("/serviceIds", "This site does not offer one of the services.");
        } else {
            check.require(any_general(&chosen), "/serviceIds", "Add at least one service");
        }
        chosen
    }

    /// Parses the type of client, at commercial sites.
    fn client(&self, check: &mut Check) -> Option<&'static Service> {
        let chosen = service(text(self.type_of_client_service_id.as_ref()));
        let client = chosen.filter(|service| service.category == ServiceCategory::Client);
        check.field("/typeOfClientServiceId", client.ok_or("Type of client is a required field."))
    }

    /// Commercial sites: the payment method, one that the organization takes.
    fn payment(&self, check: &mut Check, offer: &SiteOffer) -> Option<PaymentMethod> {
        let method = self.payment_method.and_then(PaymentMethod::from_id);
        let method = method.ok_or("Payment method is a required field.").and_then(|method| {
            if offer.methods().any(|taken| taken == method) {
                Ok(method)
            } else if method == PaymentMethod::Insurance && !offer.has_insurers {
                Err("This organization accepts no insurance.")
            } else {
                Err("This organization does not accept this payment method.")
            }
        });
        check.field("/paymentMethod", method)
    }

    /// Parses the insurance company if the method is Insurance. Otherwise `None`, whatever was sent.
    fn insurer(&self, check: &mut Check, method: Option<PaymentMethod>) -> Option<InsuranceCompanyId> {
        if method != Some(PaymentMethod::Insurance) {
            return None;
        }
        let id = text(self.insurance_company_id.as_ref()).parse();
        check.field_as("/insuranceCompanyId", id, "Please select insurance company.")
    }

    /// Non-commercial sites: the payment option, if one was chosen; one that the site takes.
    fn choice(&self, check: &mut Check, offer: &SiteOffer) -> Option<SitePaymentOption> {
        check.optional("/mediCalChoice", self.medi_cal_choice.as_deref(), |code| {
            let option =
                SitePaymentOption::from_text(&code.to_lowercase()).ok_or("Choose one of the payment options.")?;
            if offer.takes_option(option) { Ok(option) } else { Err("This site does not accept this payment option.") }
        })
    }

    /// Parses the reason for adding a walk-in over held capacity. A blank one is an error.
    fn reason(&self, check: &mut Check) -> Option<String> {
        const POINTER: &str = "/overCapacityReason";
        let reason = limited(check, POINTER, self.over_capacity_reason.as_ref(), 200);
        check.require(self.over_capacity_reason.is_none() || reason.is_some(), POINTER, "Please enter a reason.");
        reason
    }
}

/// Returns the trimmed text of a field, empty if it is absent.
fn text(field: Option<&String>) -> &str {
    field.map_or("", |text| text.trim())
}

/// Parses an optional line of at most `limit` characters. Blank is `None`.
fn limited(check: &mut Check, pointer: &str, field: Option<&String>, limit: usize) -> Option<String> {
    let line = field.map(|text| clean_text(text)).filter(|text| !text.is_empty())?;
    if line.chars().count() > limit {
        check.reject(pointer, format!("Maximum length is {limit} symbols."));
    }
    Some(line)
}

/// Returns a reservation code, which staff read out over the phone: 6 letters and digits, for example "K7M2QX".
///
/// The alphabet has no characters that look alike (I, L, O, U, 0, 1) and no vowels that could spell a word. There are 28^6 codes, about
/// 480 million; the caller draws again if a code is taken.
#[must_use]
pub fn reservation_code(random: [u8; 8]) -> String {
    const ALPHABET: [char; 28] = [
        '2', '3', '4', '5', '6', '7', '8', '9', 'B', 'C', 'D', 'F', 'G', 'H', 'J', 'K', 'M', 'N', 'P', 'Q', 'R', 'S',
        'T', 'V', 'W', 'X', 'Y', 'Z',
    ];
    let mut rest = u64::from_le_bytes(random);
    let mut code = String::with_capacity(6);
    for _ in 0..6 {
        let digit = usize::try_from(rest % 28).unwrap_or_default();
        code.push(ALPHABET[digit]);
        rest /= 28;
    }
    code
}
