//! The three strict forms of `PATCH /api/AccessUsers/{id}` (spec A 7; security-and-proof 2.3, row 15). They are told apart by
//! hand, so that an error names the field instead of saying that no form matched.

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
    /// True if the access is disabled.
    is_disabled: bool,
}

/// Changes the role at the same place.
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
    /// True if the names are to be changed.
    is_names_edit_allowed: bool,
    /// The role.
    role: Role,
    /// True if the access is disabled.
    is_disabled: bool,
    /// The organization as stored.
    #[serde(default)]
    organization_id: Option<OrganizationId>,
    /// True if the person gets text messages about reservations.
    receive_reservation_texts: bool,
    /// The site as stored.
    #[serde(default)]
    site_id: Option<SiteId>,
    /// The version that the caller saw; `If-Match` has the same meaning, with each of the forms. Another version is answered with 412.
    #[serde(default)]
    version: Option<i64>,
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
    "version",
];

/// The validated request. `None` leaves a field unchanged.
#[derive(Debug, Default)]
pub(super) struct Input {
    /// The access user in the body.
    pub(super) access_user_id: Option<MembershipId>,
    /// True to disable, false to enable.
    pub(super) is_disabled: Option<bool>,
    /// The role.
    pub(super) role: Option<Role>,
    /// The place in the body.
    pub(super) place: Option<(Option<OrganizationId>, Option<SiteId>)>,
    /// First and last name.
    pub(super) names: Option<(Name, Name)>,
    /// True if the person gets text messages about reservations.
    pub(super) receive_reservation_texts: Option<bool>,
    /// The version that the caller saw.
    pub(super) version: Option<i64>,
}

impl Input {
    /// Parses one of the forms.
    ///
    /// # Errors
    /// 422 at each field that is unknown, missing or invalid.
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
            version: form.version,
        })
    }
}
