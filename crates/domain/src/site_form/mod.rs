//! New and edited sites: the payloads, the rules of the form (spec A 3, 5) and the parsed values. All field errors are returned at once,
//! at JSON pointers into the payload.

mod fields;
mod rooms;

pub use fields::{LongestStay, Photo, SiteValues};
pub use rooms::{BedsForm, NewRoom, NewRoomForm, RoomChange, RoomChangeForm};

use std::collections::BTreeSet;
use std::fmt;

use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use crate::check::{Check, FieldErrors};
use crate::id::{OrganizationId, SiteId};
use crate::time::IntakePeriodForm;
use crate::value::{Email, Name};

/// Unknown fields. Each is an error, so that nobody sets by chance what the form does not show.
type Unknown = BTreeSet<String>;

/// A photo with its index. The photo with the lowest index is the cover.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(as = SiteImageForm)]
pub struct ImageForm {
    /// Path from the upload, or of a photo of the site.
    pub image_path: String,
    /// Position of the photo. Any numbers, the lowest first.
    pub index: i64,
}

/// The profile of a site, as sent.
#[derive(Debug, Clone, Default, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SiteForm {
    /// The name.
    #[schema(value_type = String, required = true)]
    pub name: Option<String>,
    /// A second name, at least 3 characters.
    pub alias: Option<String>,
    /// The description, at least 80 characters.
    #[schema(value_type = String, required = true)]
    pub description: Option<String>,
    /// The address: the label of a place from the list.
    #[schema(value_type = String, required = true)]
    pub address: Option<String>,
    /// The id of that place. Not needed by an edit that keeps the address.
    pub place_id: Option<String>,
    /// IANA time zone. If left out, that of the place; an edit that keeps the address keeps it.
    pub time_zone: Option<String>,
    /// Web site.
    pub contact_web: Option<String>,
    /// +1 and 10 digits.
    #[schema(value_type = String, required = true)]
    pub contact_phone: Option<String>,
    /// Email for guests and partners.
    #[schema(value_type = String, required = true)]
    pub contact_email: Option<String>,
    /// The intake hours, at least one period enabled.
    #[schema(value_type = Vec<IntakePeriodForm>, required = true)]
    pub intake_periods: Option<Vec<IntakePeriodForm>>,
    /// True if intake hours are shown by groups of days. The default is true.
    pub show_days_of_week: Option<bool>,
    /// How long a reservation is held: `dd:hh:mm:ss`, 1 to 72 whole hours.
    #[schema(value_type = String, required = true, example = "03:00:00:00")]
    pub screening_period: Option<String>,
    /// Ids of languages, at least one.
    #[schema(value_type = Vec<String>, required = true)]
    pub language_ids: Option<Vec<String>>,
    /// Ids of services that are allowed at this kind of site, at least one general one.
    #[schema(value_type = Vec<String>, required = true)]
    pub service_ids: Option<Vec<String>>,
    /// Non-commercial sites: pp, ss, sch, ins, moc, mla, msd.
    pub non_commercial_payment_method_ids: Option<Vec<String>>,
    /// Always empty: insurance companies belong to the organization.
    pub insurance_ids: Option<Vec<String>>,
    /// Photos. A commercial site needs one.
    #[schema(value_type = Vec<ImageForm>, required = true)]
    pub images: Option<Vec<ImageForm>>,
    /// Shortest stay in days. Null keeps it.
    pub length_of_stay_days_min: Option<i64>,
    /// Longest stay in days, 1 to 3650. 0 removes the limit, null keeps it.
    pub length_of_stay_days_max: Option<i64>,
}

/// The payload of a new site.
#[derive(Debug, Clone, Default, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = NewSite)]
pub struct NewSiteForm {
    /// The profile of the site.
    #[serde(flatten)]
    pub site: SiteForm,
    /// Its organization.
    #[schema(value_type = OrganizationId, required = true)]
    pub organization_id: Option<OrganizationId>,
    /// Email of the admin to invite.
    #[schema(value_type = String, required = true)]
    pub admin_email: Option<String>,
    /// First name of the admin.
    #[schema(value_type = String, required = true)]
    pub admin_first_name: Option<String>,
    /// Last name of the admin.
    #[schema(value_type = String, required = true)]
    pub admin_last_name: Option<String>,
    /// Houses with their beds. A non-commercial site needs one.
    pub rooms: Option<Vec<NewRoomForm>>,
    /// Target of the link in the invitation: an origin of this site with /login/callback.
    #[schema(value_type = String, required = true)]
    pub redirect_uri: Option<String>,
    #[serde(skip)]
    #[schema(ignore)]
    unknown: Unknown,
}

/// The payload of an edit.
#[derive(Debug, Clone, Default, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = SiteEdit)]
pub struct SiteEditForm {
    /// The profile of the site.
    #[serde(flatten)]
    pub site: SiteForm,
    /// The site. If sent, the one in the path.
    pub id: Option<SiteId>,
    /// Hides the site from the search. If left out, it is kept.
    pub is_disabled: Option<bool>,
    /// Houses to add (without id) or rename (with id). None are removed.
    pub rooms: Option<Vec<RoomChangeForm>>,
    /// `editVersion` that the caller saw, as an alternative to `If-Match`. 412 if the site has another one.
    pub edit_version: Option<i64>,
    #[serde(skip)]
    #[schema(ignore)]
    unknown: Unknown,
}

/// Deserializes forms that contain the fields of a [`SiteForm`]. Not by serde's `flatten`, which loses the field of an error.
macro_rules! read_with_site {
    ($form:ident { $($name:literal => $field:ident),+ $(,)? }) => {
        impl<'de> Deserialize<'de> for $form {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct Fields;
                impl<'de> Visitor<'de> for Fields {
                    type Value = $form;

                    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                        formatter.write_str("a map")
                    }

                    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<$form, A::Error> {
                        let mut form = $form::default();
                        while let Some(name) = map.next_key::<String>()? {
                            match name.as_str() {
                                $( $name => form.$field = map.next_value()?, )+
                                site if form.site.read(site, &mut map)? => {}
                                _ => {
                                    map.next_value::<IgnoredAny>()?;
                                    form.unknown.insert(name);
                                }
                            }
                        }
                        Ok(form)
                    }
                }
                deserializer.deserialize_map(Fields)
            }
        }
    };
}

read_with_site!(NewSiteForm {
    "organizationId" => organization_id,
    "adminEmail" => admin_email,
    "adminFirstName" => admin_first_name,
    "adminLastName" => admin_last_name,
    "rooms" => rooms,
    "redirectUri" => redirect_uri,
});

read_with_site!(SiteEditForm {
    "id" => id,
    "isDisabled" => is_disabled,
    "rooms" => rooms,
    "editVersion" => edit_version,
});

impl SiteForm {
    /// Reads the value of a field. Returns false, without reading it, if the form has no such field.
    fn read<'de, A: MapAccess<'de>>(&mut self, name: &str, map: &mut A) -> Result<bool, A::Error> {
        match name {
            "name" => self.name = map.next_value()?,
            "alias" => self.alias = map.next_value()?,
            "description" => self.description = map.next_value()?,
            "address" => self.address = map.next_value()?,
            "placeId" => self.place_id = map.next_value()?,
            "timeZone" => self.time_zone = map.next_value()?,
            "contactWeb" => self.contact_web = map.next_value()?,
            "contactPhone" => self.contact_phone = map.next_value()?,
            "contactEmail" => self.contact_email = map.next_value()?,
            "intakePeriods" => self.intake_periods = map.next_value()?,
            "showDaysOfWeek" => self.show_days_of_week = map.next_value()?,
            "screeningPeriod" => self.screening_period = map.next_value()?,
            "languageIds" => self.language_ids = map.next_value()?,
            "serviceIds" => self.service_ids = map.next_value()?,
            "nonCommercialPaymentMethodIds" => self.non_commercial_payment_method_ids = map.next_value()?,
            "insuranceIds" => self.insurance_ids = map.next_value()?,
            "images" => self.images = map.next_value()?,
            "lengthOfStayDaysMin" => self.length_of_stay_days_min = map.next_value()?,
            "lengthOfStayDaysMax" => self.length_of_stay_days_max = map.next_value()?,
            _ => return Ok(false),
        }
        Ok(true)
    }
}

/// The person to invite as the admin of a new site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SiteAdmin {
    /// Email.
    pub email: Email,
    /// First name.
    pub first_name: Name,
    /// Last name.
    pub last_name: Name,
}

/// A valid new site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewSite {
    /// The profile.
    pub site: SiteValues,
    /// Its first admin.
    pub admin: SiteAdmin,
    /// Its houses, in order.
    pub rooms: Vec<NewRoom>,
}

/// A valid edit of a site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SiteEdit {
    /// The new profile.
    pub site: SiteValues,
    /// Houses to add or rename.
    pub rooms: Vec<RoomChange>,
}

impl NewSiteForm {
    /// Applies the rules of the form for a site of this kind. `address_is_chosen` is true if the address is a known place.
    ///
    /// # Errors
    /// All field errors.
    pub fn parse(&self, is_commercial: bool, address_is_chosen: bool) -> Result<NewSite, FieldErrors> {
        let mut check = Check::new();
        refuse_unknown(&mut check, &self.unknown);
        let site = check.nested("", self.site.parse(is_commercial, address_is_chosen));
        let email = required(&mut check, "/adminEmail", self.admin_email.as_ref(), Email::parse);
        let first_name = check.field("/adminFirstName", Name::parse(text(self.admin_first_name.as_ref())));
        let last_name = check.field("/adminLastName", Name::parse(text(self.admin_last_name.as_ref())));
        let rooms = check.nested("/rooms", rooms::parse_new(self.rooms.as_deref().unwrap_or_default(), is_commercial));
        check.build(|| {
            let admin = SiteAdmin { email: email?, first_name: first_name?, last_name: last_name? };
            Some(NewSite { site: site?, admin, rooms: rooms? })
        })
    }
}

impl SiteEditForm {
    /// Applies the rules of the form to an edit of the site `id`. `address_is_chosen` is true if the address is the stored one or a known
    /// place.
    ///
    /// # Errors
    /// All field errors.
    pub fn parse(&self, id: SiteId, is_commercial: bool, address_is_chosen: bool) -> Result<SiteEdit, FieldErrors> {
        let mut check = Check::new();
        refuse_unknown(&mut check, &self.unknown);
        let same = self.id.is_none_or(|named| named == id);
        check.require(same, "/id", "The address and the body name different sites.");
        let site = check.nested("", self.site.parse(is_commercial, address_is_chosen));
        let rooms = check.nested("/rooms", rooms::parse_changes(self.rooms.as_deref().unwrap_or_default()));
        check.build(|| Some(SiteEdit { site: site?, rooms: rooms? }))
    }
}

/// Collects an error for every unknown field.
fn refuse_unknown(check: &mut Check, unknown: &Unknown) {
    for name in unknown {
        // A JSON pointer writes "~" and "/" of a name as "~0" and "~1" (RFC 6901).
        let name = name.replace('~', "~0").replace('/', "~1");
        check.reject(format!("/{name}"), "This field does not exist here.");
    }
}

/// Returns the trimmed text of a field, empty if it is absent.
fn text(field: Option<&String>) -> &str {
    field.map_or("", |text| text.trim())
}

/// Parses a required field. If empty, the error is "Required field.".
fn required<T>(
    check: &mut Check,
    pointer: &str,
    field: Option<&String>,
    parse: impl FnOnce(&str) -> Result<T, &'static str>,
) -> Option<T> {
    let text = text(field);
    check.field(pointer, if text.is_empty() { Err("Required field.") } else { parse(text) })
}
