//! `PATCH /api/AccessUsers/{id}` takes three strict forms (spec A 7; security-and-proof 2.3, row 15). They are told apart
//! by hand, so that a refusal names the field instead of saying that nothing fitted.

use berth_domain::check::{Check, FieldError};
use berth_domain::id::{MembershipId, OrganizationId, SiteId};
use berth_domain::role::Role;
use berth_domain::value::Name;
use serde::Deserialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::http::body::read;
use crate::{Error, Result};

/// Disables or enables.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AccessUserState {
    /// Whether the access is taken away for now.
    is_disabled: bool,
}

/// Another role at the same place.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AccessUserRole {
    /// The new role.
    role: Role,
    /// The site as stored.
    #[serde(default)]
    site_id: Option<SiteId>,
    /// The organization as stored.
    #[serde(default)]
    organization_id: Option<OrganizationId>,
}

/// The edit form.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AccessUserEdit {
    /// The access user, as in the path.
    access_user_id: MembershipId,
    /// First name.
    #[serde(default)]
    first_name: String,
    /// Last name.
    #[serde(default)]
    last_name: String,
    /// Whether the names are to be taken; else they stay as they are.
    is_names_edit_allowed: bool,
    /// The role, changed or not.
    role: Role,
    /// Whether the access is taken away for now.
    is_disabled: bool,
    /// The organization as stored.
    #[serde(default)]
    organization_id: Option<OrganizationId>,
    /// Whether messages about reservations go there.
    receive_reservation_texts: bool,
    /// The site as stored.
    #[serde(default)]
    site_id: Option<SiteId>,
}

/// One of three forms: `{isDisabled}`, `{role, siteId, organizationId}` or the whole edit form.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only for the OpenAPI document: the forms are told apart by hand")]
pub enum AccessUserChange {
    /// The edit form.
    Edit(AccessUserEdit),
    /// Another role.
    Role(AccessUserRole),
    /// Disables or enables.
    State(AccessUserState),
}

const STATE: &[&str] = &["isDisabled"];
const ROLE: &[&str] = &["role", "siteId", "organizationId"];
const EDIT: &[&str] = &[
    "accessUserId",
    "firstName",
    "lastName",
    "isNamesEditAllowed",
    "role",
    "isDisabled",
    "organizationId",
    "receiveReservationTexts",
    "siteId",
];

/// What a change asks for. What is none stays as it is.
#[derive(Debug, Default)]
pub(super) struct Wish {
    /// The access user that the body names.
    pub(super) access_user_id: Option<MembershipId>,
    /// Whether it shall be disabled.
    pub(super) is_disabled: Option<bool>,
    /// The role, and the place that the body names.
    pub(super) role: Option<Role>,
    /// Whether the body names a place, and which.
    pub(super) place: Option<(Option<OrganizationId>, Option<SiteId>)>,
    /// First and last name.
    pub(super) names: Option<(Name, Name)>,
    /// Whether messages about reservations go there.
    pub(super) receive_reservation_texts: Option<bool>,
}

impl Wish {
    /// Reads one of the forms.
    ///
    /// # Errors
    /// 422 at each field that the form does not have, that is missing or that does not fit.
    pub(super) fn parse(body: Map<String, Value>) -> Result<Self> {
        let known = if body.contains_key("accessUserId") {
            EDIT
        } else if body.contains_key("role") {
            ROLE
        } else {
            STATE
        };
        let unknown: Vec<FieldError> = body
            .keys()
            .filter(|key| !known.contains(&key.as_str()))
            .map(|key| {
                let pointer = format!("/{}", key.replace('~', "~0").replace('/', "~1"));
                FieldError::new(pointer, "This field cannot be changed here.")
            })
            .collect();
        if !unknown.is_empty() {
            return Err(Error::Fields(unknown));
        }
        let body = Value::Object(body);
        if known == STATE {
            let form: AccessUserState = read::value_of(body)?;
            return Ok(Self { is_disabled: Some(form.is_disabled), ..Self::default() });
        }
        if known == ROLE {
            let form: AccessUserRole = read::value_of(body)?;
            let place = Some((form.organization_id, form.site_id));
            return Ok(Self { role: Some(form.role), place, ..Self::default() });
        }
        let form: AccessUserEdit = read::value_of(body)?;
        let mut names = None;
        if form.is_names_edit_allowed {
            let mut check = Check::new();
            let required = |text: &str, sentence: &'static str| {
                Name::parse(text).map_err(|own| if text.trim().is_empty() { sentence } else { own })
            };
            let first = check.field("/firstName", required(&form.first_name, "First name is required"));
            let last = check.field("/lastName", required(&form.last_name, "Last name is required"));
            names = Some(check.build(|| Some((first?, last?)))?);
        }
        Ok(Self {
            access_user_id: Some(form.access_user_id),
            is_disabled: Some(form.is_disabled),
            role: Some(form.role),
            place: Some((form.organization_id, form.site_id)),
            names,
            receive_reservation_texts: Some(form.receive_reservation_texts),
        })
    }
}
