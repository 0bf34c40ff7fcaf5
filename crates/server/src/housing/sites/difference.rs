//! Compares an edit of a site with its current state.

use berth_domain::check::FieldError;
use berth_domain::id::RoomId;
use berth_domain::site_form::{NewRoom, RoomChange, SiteValues};
use berth_domain::value::{Alias, Name, WebAddress, name_key};

use super::SiteDetails;
use crate::{Error, Result};

/// Returns the names of the fields that change, for the audit log.
pub(super) fn changed(
    before: &SiteDetails,
    after: &SiteValues,
    time_zone: &str,
    is_disabled: Option<bool>,
) -> Vec<&'static str> {
    let text = |value: Option<&str>, was: &Option<String>| value != was.as_deref();
    let mut languages: Vec<&str> = after.languages.iter().map(|language| language.id).collect();
    let mut services: Vec<&str> = after.services.iter().map(|service| service.id).collect();
    let mut options: Vec<&str> = after.payment_options.iter().map(|option| option.as_str()).collect();
    let mut was_languages: Vec<&str> = before.languages.iter().map(|language| language.id).collect();
    let mut was_services: Vec<&str> = before.services.iter().map(|service| service.id).collect();
    let mut was_options: Vec<&str> = before.non_commercial_payment_methods.iter().map(|option| option.id).collect();
    for codes in [&mut languages, &mut services, &mut options, &mut was_languages, &mut was_services, &mut was_options]
    {
        codes.sort_unstable();
    }
    let photos = after.images.iter().map(|photo| photo.path.as_str());
    let shortest = after.length_of_stay_days_min;
    let was_longest = before.length_of_stay_days_max;
    let fields = [
        ("name", after.name.as_str() != before.name),
        ("alias", text(after.alias.as_ref().map(Alias::as_str), &before.alias)),
        ("description", after.description.as_str() != before.description),
        ("photos", !photos.eq(before.images.iter().map(|image| image.image_path.as_str()))),
        ("address", after.address != before.address),
        ("time zone", time_zone != before.time_zone),
        ("phone", after.contact_phone.as_str() != before.contact_phone),
        ("web", text(after.contact_web.as_ref().map(WebAddress::as_str), &before.contact_web)),
        ("email", after.contact_email.as_str() != before.contact_email),
        ("intake hours", after.intake_periods != before.intake_periods),
        ("days of week", after.show_days_of_week != before.show_days_of_week),
        ("screening period", after.hold.as_hours() != before.screening_period.hours()),
        ("languages", languages != was_languages),
        ("services", services != was_services),
        ("payment options", options != was_options),
        ("shortest stay", shortest.is_some() && shortest != before.length_of_stay_days_min),
        ("longest stay", after.length_of_stay_days_max.after(was_longest) != was_longest),
        ("hidden from search", is_disabled == Some(true) && !before.is_disabled),
        ("shown in search", is_disabled == Some(false) && before.is_disabled),
    ];
    fields.into_iter().filter(|(_, differs)| *differs).map(|(name, _)| name).collect()
}

/// The changes of the houses.
pub(super) struct Houses<'a> {
    /// Id, old name, new name.
    pub(super) renamed: Vec<(RoomId, String, &'a Name)>,
    /// Houses to add.
    pub(super) added: Vec<&'a NewRoom>,
    /// Names of the existing houses, after renaming.
    pub(super) names: Vec<String>,
}

impl<'a> Houses<'a> {
    /// Compares the form with the houses of the site.
    ///
    /// # Errors
    /// 422 for a house of another site, and for a name that another house has.
    pub(super) fn of(before: &SiteDetails, changes: &'a [RoomChange]) -> Result<Self> {
        let mut houses: Vec<(RoomId, String)> = before.rooms.iter().map(|room| (room.id, room.name.clone())).collect();
        let (mut renamed, mut added, mut errors) = (Vec::new(), Vec::new(), Vec::new());
        for (index, change) in changes.iter().enumerate() {
            match change {
                RoomChange::Add(room) => added.push(room),
                RoomChange::Rename(id, name) => match houses.iter_mut().find(|(known, _)| known == id) {
                    None => errors
                        .push(FieldError::new(format!("/rooms/{index}/id"), "This house does not belong to the site.")),
                    Some((_, known)) if known == name.as_str() => {}
                    Some((_, known)) => {
                        renamed.push((*id, std::mem::replace(known, name.as_str().to_owned()), name));
                    }
                },
            }
        }
        for (index, change) in changes.iter().enumerate() {
            let (name, own) = match change {
                RoomChange::Add(room) => (room.name.as_ref(), None),
                RoomChange::Rename(id, name) => (Some(name), Some(*id)),
            };
            let Some(key) = name.map(Name::key) else { continue };
            if houses.iter().any(|(id, other)| Some(*id) != own && name_key(other) == key) {
                let message = "A house with this name already exists.";
                errors.push(FieldError::new(format!("/rooms/{index}/name"), message));
            }
        }
        if !errors.is_empty() {
            return Err(Error::Fields(errors));
        }
        Ok(Self { renamed, added, names: houses.into_iter().map(|(_, name)| name).collect() })
    }

    /// Returns true if no house changes.
    pub(super) const fn are_unchanged(&self) -> bool {
        self.renamed.is_empty() && self.added.is_empty()
    }
}
