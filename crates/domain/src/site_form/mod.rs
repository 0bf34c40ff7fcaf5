//! A site as it is sent: the payloads of a new site and of an edit, the rules of the form (spec A 3, 5), the values
//! that come out. All field errors are told at once, at JSON pointers into the payload.

mod fields;
mod rooms;

pub use fields::{Photo, SiteValues};
pub use rooms::{BedsForm, NewRoom, NewRoomForm, RoomChange, RoomChangeForm};

use std::collections::BTreeMap;

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use crate::check::{Check, FieldErrors};
use crate::id::{OrganizationId, SiteId};
use crate::time::IntakePeriodForm;
use crate::value::{Email, Name};

/// Fields that no rule knows; each is refused, so that nobody sets by chance what the form does not show.
type Unknown = BTreeMap<String, IgnoredAny>;

/// A photo and its place in the order; the one with the lowest index is the cover.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(as = SiteImageForm)]
pub struct ImageForm {
    /// As the upload answered, or as the site has it.
    pub image_path: String,
    /// Its place in the order; any numbers, the lowest first.
    pub index: i64,
}

/// What a site tells about itself, nothing of it judged yet.
#[derive(Debug, Clone, Default, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SiteForm {
    /// Required.
    #[schema(value_type = String, required = true)]
    pub name: Option<String>,
    /// A second name, at least 3 characters.
    pub alias: Option<String>,
    /// At least 80 characters.
    #[schema(value_type = String, required = true)]
    pub description: Option<String>,
    /// The label of a place chosen from the list.
    #[schema(value_type = String, required = true)]
    pub address: Option<String>,
    /// The id of that place; an edit that leaves the address as it is needs none.
    pub place_id: Option<String>,
    /// IANA time zone; that of the place when left out, and as it was when the address stays.
    pub time_zone: Option<String>,
    /// Web site.
    pub contact_web: Option<String>,
    /// +1 and 10 digits.
    #[schema(value_type = String, required = true)]
    pub contact_phone: Option<String>,
    /// E-mail for guests and partners.
    #[schema(value_type = String, required = true)]
    pub contact_email: Option<String>,
    /// When guests are taken in, at least one period enabled.
    #[schema(value_type = Vec<IntakePeriodForm>, required = true)]
    pub intake_periods: Option<Vec<IntakePeriodForm>>,
    /// Whether intake hours are shown by groups of days; true when left out.
    pub show_days_of_week: Option<bool>,
    /// How long a reservation is held: `dd:hh:mm:ss`, 1 to 72 whole hours.
    #[schema(value_type = String, required = true, example = "03:00:00:00")]
    pub screening_period: Option<String>,
    /// Ids of languages, at least one.
    #[schema(value_type = Vec<String>, required = true)]
    pub language_ids: Option<Vec<String>>,
    /// Ids of services that this kind of site may offer, at least one.
    #[schema(value_type = Vec<String>, required = true)]
    pub service_ids: Option<Vec<String>>,
    /// Non-commercial sites: pp, ss, sch, ins, moc, mla, msd.
    pub non_commercial_payment_method_ids: Option<Vec<String>>,
    /// Always empty: insurers belong to the organization.
    pub insurance_ids: Option<Vec<String>>,
    /// Photos; a commercial site needs one.
    #[schema(value_type = Vec<ImageForm>, required = true)]
    pub images: Option<Vec<ImageForm>>,
    /// Shortest stay in days; null leaves it as it is.
    pub length_of_stay_days_min: Option<i64>,
    /// Longest stay in days; null leaves it as it is.
    pub length_of_stay_days_max: Option<i64>,
}

/// The payload of a new site.
#[derive(Debug, Clone, Default, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = NewSite)]
pub struct NewSiteForm {
    /// What the site tells about itself.
    #[serde(flatten)]
    pub site: SiteForm,
    /// Its owner.
    #[schema(value_type = OrganizationId, required = true)]
    pub organization_id: Option<OrganizationId>,
    /// Who is invited as the site's admin.
    #[schema(value_type = String, required = true)]
    pub admin_email: Option<String>,
    /// First name of the admin.
    #[schema(value_type = String, required = true)]
    pub admin_first_name: Option<String>,
    /// Last name of the admin.
    #[schema(value_type = String, required = true)]
    pub admin_last_name: Option<String>,
    /// Houses with their beds; a non-commercial site needs one.
    pub rooms: Option<Vec<NewRoomForm>>,
    /// Where the link of the invitation leads: our origin with /login/callback.
    #[schema(value_type = String, required = true)]
    pub redirect_uri: Option<String>,
    #[serde(flatten, skip_serializing)]
    #[schema(ignore)]
    unknown: Unknown,
}

/// The payload of an edit.
#[derive(Debug, Clone, Default, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = SiteEdit)]
pub struct SiteEditForm {
    /// What the site tells about itself.
    #[serde(flatten)]
    pub site: SiteForm,
    /// If sent, the site of the address.
    pub id: Option<SiteId>,
    /// Hides the site from search; left out, it stays as it is.
    pub is_disabled: Option<bool>,
    /// Houses to add (without id) or rename (with id); none is ever removed here.
    pub rooms: Option<Vec<RoomChangeForm>>,
    /// `editVersion` of the site as the caller saw it; `If-Match` says the same. Another one is answered by 412.
    pub edit_version: Option<i64>,
    #[serde(flatten, skip_serializing)]
    #[schema(ignore)]
    unknown: Unknown,
}

/// Who is invited as the admin of a new site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SiteAdmin {
    /// Where the invitation goes.
    pub email: Email,
    /// First name.
    pub first_name: Name,
    /// Last name.
    pub last_name: Name,
}

/// A site that may be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewSite {
    /// What it tells about itself.
    pub site: SiteValues,
    /// Its first admin.
    pub admin: SiteAdmin,
    /// Its houses, in order.
    pub rooms: Vec<NewRoom>,
}

/// An edit that may be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SiteEdit {
    /// What the site tells about itself from now on.
    pub site: SiteValues,
    /// Houses to add or rename.
    pub rooms: Vec<RoomChange>,
}

impl NewSiteForm {
    /// Applies every rule of the form for a site of that kind. `address_is_chosen`: the server knows the place that
    /// the address names.
    ///
    /// # Errors
    /// All field errors at once, with the spec's texts.
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
    /// Applies every rule of the form to an edit of the site `id`. `address_is_chosen`: the address is the stored one,
    /// or the server knows the place that it names.
    ///
    /// # Errors
    /// All field errors at once, with the spec's texts.
    pub fn parse(&self, id: SiteId, is_commercial: bool, address_is_chosen: bool) -> Result<SiteEdit, FieldErrors> {
        let mut check = Check::new();
        refuse_unknown(&mut check, &self.unknown);
        let same = self.id.is_none_or(|named| named == id);
        check.require(same, "/id", "The site of the address and of the body differ.");
        let site = check.nested("", self.site.parse(is_commercial, address_is_chosen));
        let rooms = check.nested("/rooms", rooms::parse_changes(self.rooms.as_deref().unwrap_or_default()));
        check.build(|| Some(SiteEdit { site: site?, rooms: rooms? }))
    }
}

/// Notes every field that the payload does not know.
fn refuse_unknown(check: &mut Check, unknown: &Unknown) {
    for name in unknown.keys() {
        // A JSON pointer writes "~" and "/" of a name as "~0" and "~1" (RFC 6901).
        let name = name.replace('~', "~0").replace('/', "~1");
        check.refuse(format!("/{name}"), "This field is not known here.");
    }
}

/// A field's text, trimmed; empty when it was left out.
fn text(field: Option<&String>) -> &str {
    field.map_or("", |text| text.trim())
}

/// A field that must not be empty: "Required field.", else what `parse` says.
fn required<T>(
    check: &mut Check,
    pointer: &str,
    field: Option<&String>,
    parse: impl FnOnce(&str) -> Result<T, &'static str>,
) -> Option<T> {
    let text = text(field);
    check.field(pointer, if text.is_empty() { Err("Required field.") } else { parse(text) })
}
