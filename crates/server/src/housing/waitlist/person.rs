//! The form of a person on the waitlist, which is checked and stored in the same way when the person is added and when the form is edited.

use berth_db::Tx;
use berth_domain::bed::BedKind;
use berth_domain::guest::Source;
use berth_domain::id::SiteId;
use berth_domain::new_guest::{NewGuest, NewGuestForm};
use berth_domain::policy::Action;
use berth_domain::time::Timestamp;
use berth_domain::value::{Email, name_key};

use crate::auth::caller::{Caller, Site};
use crate::housing::guests::{self, PersonKey};
use crate::housing::sites;
use crate::{App, Error, Result};

/// A person who waits or is to wait, as the form says.
pub(super) struct Person {
    pub guest: NewGuest,
    /// The type of bed that the person needs. `None` if each will do.
    pub kind: Option<BedKind>,
    allows_third: bool,
}

impl Person {
    /// Parses the form, which is the field `guest` of the body.
    ///
    /// # Errors
    /// 403 if a third reservation is allowed by somebody who may not do so, 422 for errors of the form.
    pub async fn parse(
        app: &App,
        (caller, site): (&Caller, &Site),
        form: &NewGuestForm,
        kind: Option<BedKind>,
    ) -> Result<Self> {
        let allows_third = form.allow_third == Some(true);
        if allows_third {
            caller.check(site, Action::AllowThirdReservation)?;
        }
        let guest = form.parse(&sites::offer(&app.db, site).await?, Source::Admin);
        Ok(Self { guest: guest.map_err(|errors| errors.under("/guest"))?, kind, allows_third })
    }

    /// Checks that the person may have another active reservation, and locks the person until the end of the transaction.
    pub async fn check_another(&self, tx: &mut Tx, caller: &Caller, persons: PersonKey, now: Timestamp) -> Result<()> {
        guests::check_another(tx, caller, (persons, &self.guest), self.allows_third, now).await
    }

    /// Returns the form to store.
    pub fn form(&self, site: SiteId) -> NewGuestForm {
        let guest = &self.guest;
        NewGuestForm { allow_not_served: (!guest.not_served.is_empty()).then_some(true), ..guest.to_form(site) }
    }

    /// Returns what tells the person from the others on the list: phone and name.
    pub fn key(&self) -> String {
        let guest = &self.guest;
        let name = name_key(guest.first_name.as_str());
        format!("{} {} {name}", guest.phone.as_str(), guest.last_initial.as_str())
    }

    /// Returns the part of an audit summary about needs that the site does not serve; empty if it serves all.
    pub fn not_served(&self) -> String {
        match &self.guest.not_served {
            none if none.is_empty() => String::new(),
            needs => format!("; allowed although not served: {}", needs.names()),
        }
    }

    /// Returns true if phone or email differ from those of `before`: the reservations of a person are counted by both.
    pub fn has_other_contact_than(&self, before: &NewGuestForm) -> bool {
        let email = before.email.as_deref().and_then(|email| Email::parse(email).ok());
        before.phone.as_deref() != Some(self.guest.phone.as_str())
            || email.is_none_or(|email| email.key() != self.guest.email.key())
    }
}

/// Returns the JSON of a form.
pub(super) fn to_json(form: &NewGuestForm) -> Result<String> {
    serde_json::to_string(form).map_err(|error| Error::Internal(error.into()))
}

/// Returns the form of its JSON.
pub(super) fn from_json(form: &str) -> Result<NewGuestForm> {
    serde_json::from_str(form).map_err(|error| Error::Internal(error.into()))
}

/// Returns the names of the fields that differ, for the audit log.
pub(super) fn changed(before: &NewGuestForm, after: &NewGuestForm) -> Vec<&'static str> {
    let fields = [
        ("gender", before.gender != after.gender),
        ("age", before.age_service_id != after.age_service_id),
        ("first name", before.first_name != after.first_name),
        ("last name", before.last_name != after.last_name),
        ("phone", before.phone != after.phone),
        ("email", before.email != after.email),
        ("location", before.location != after.location),
        ("services", before.service_ids != after.service_ids),
        ("type of client", before.type_of_client_service_id != after.type_of_client_service_id),
        ("payment method", before.payment_method != after.payment_method),
        ("insurance company", before.insurance_company_id != after.insurance_company_id),
        ("policy number", before.policy_number != after.policy_number),
        ("group number", before.group_number != after.group_number),
        ("payment option", before.medi_cal_choice != after.medi_cal_choice),
        ("language", before.language != after.language),
    ];
    fields.into_iter().filter(|(_, differs)| *differs).map(|(name, _)| name).collect()
}

/// Turns the entry that the person has already into a 409.
pub(super) fn waits_already(error: berth_db::Error) -> Error {
    match error.unique() {
        Some("waiting_guests_site_id_person_key") => {
            Error::conflict_code("already-waiting", "This person is already on the waitlist.")
        }
        _ => error.into(),
    }
}
