//! Creating an organization and inviting its first owner (spec A 5, 7).

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use berth_db::Tx;
use berth_domain::catalog::PaymentMethod;
use berth_domain::check::{Check, FieldErrors};
use berth_domain::id::OrganizationId;
use berth_domain::policy::Action;
use berth_domain::role::Role;
use berth_domain::time::Timestamp;
use berth_domain::value::{Email, Name};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{list, taken};
use crate::admin::audit_log::{AuditAction, Author};
use crate::admin::invitations::{self, Callback, Invite, Scope};
use crate::auth::caller::{Caller, Organization};
use crate::change::{self, Answer};
use crate::http::body::Body;
use crate::integrations::files::{self, Prefix};
use crate::{App, Result};

/// A new organization. All fields are required.
#[derive(Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct NewOrganization {
    /// Name, unique among organizations.
    #[schema(required = true)]
    name: String,
    /// Email address of the first owner, who is invited.
    #[schema(required = true)]
    owner_email: String,
    /// Path of the logo, as returned by the upload.
    #[schema(required = true)]
    logo_path: Option<String>,
    /// Target of the invitation link: an origin of this server, bare or with `/login/callback`.
    #[schema(required = true)]
    redirect_uri: String,
}

/// The validated request.
struct Input {
    name: Name,
    owner_email: Email,
    logo_path: String,
    callback: Callback,
    is_commercial: bool,
}

/// Parses the name of an organization.
///
/// # Errors
/// The message for the field.
pub(super) fn name(text: &str) -> Result<Name, &'static str> {
    if text.trim().is_empty() { Err("Organization name is a required field.") } else { Name::parse(text) }
}

/// Parses the path of a logo, which is required.
pub(super) fn logo(check: &mut Check, sent: Option<&str>) -> Option<String> {
    let path = sent.map(str::trim).filter(|path| !path.is_empty());
    check.require(path.is_some(), "/logoPath", "Please add a logo to organization.");
    path.map(str::to_owned)
}

impl NewOrganization {
    fn parse(&self) -> Result<(Name, Email, String), FieldErrors> {
        let mut check = Check::new();
        let name = check.field("/name", name(&self.name));
        let email = self.owner_email.trim();
        let email = if email.is_empty() { Err("Email is a required field.") } else { Email::parse(email) };
        let owner_email = check.field("/ownerEmail", email);
        let logo_path = logo(&mut check, self.logo_path.as_deref());
        check.build(|| Some((name?, owner_email?, logo_path?)))
    }
}

/// Creates a commercial organization and invites its first owner by email. The name must be unique.
#[utoipa::path(post, path = "/api/Organizations/commercial", tag = "Organizations", request_body = NewOrganization,
    responses((status = 201, body = super::list::OrganizationView)))]
pub async fn create_commercial(
    State(app): State<App>,
    caller: Caller,
    headers: HeaderMap,
    Body(body): Body<NewOrganization>,
) -> Result<Response> {
    create(app, caller, headers, body, true).await
}

/// Creates a non-commercial organization and invites its first owner by email. The name must be unique.
#[utoipa::path(post, path = "/api/Organizations/nonCommercial", tag = "Organizations",
    request_body = NewOrganization, responses((status = 201, body = super::list::OrganizationView)))]
pub async fn create_non_commercial(
    State(app): State<App>,
    caller: Caller,
    headers: HeaderMap,
    Body(body): Body<NewOrganization>,
) -> Result<Response> {
    create(app, caller, headers, body, false).await
}

async fn create(
    app: App,
    caller: Caller,
    headers: HeaderMap,
    body: NewOrganization,
    is_commercial: bool,
) -> Result<Response> {
    caller.platform(Action::CreateOrganization)?;
    let (name, owner_email, logo_path) = body.parse()?;
    let callback = Callback::parse(&app, &body.redirect_uri)?;
    let input = Input { name, owner_email, logo_path, callback, is_commercial };

    let (caller, input) = (&caller, &input);
    let asked = ("POST organization", is_commercial, &body);
    change::once(&app, Author::caller(caller, None), &headers, &asked, |mut change| async move {
        let id = OrganizationId(change.app.id());
        input.insert(&mut change.tx, id, change.now).await?;
        // Before the audit rows, which lock the dashboard's parts (see `locks`).
        let invited = invitations::create(&change.app, &mut change.tx, caller, input.first_owner(id)).await?;
        let kind = if is_commercial { "commercial" } else { "non-commercial" };
        let summary = format!("{kind} organization {}", input.name);
        change.record(super::entry(&input.organization(id), AuditAction::OrganizationCreated, summary)).await?;
        change.record(invited.entry).await?;
        let view = list::load(&change.app, &mut change.tx, caller, id).await?;
        change.done(Answer::new(StatusCode::CREATED, &view)?)
    })
    .await
}

impl Input {
    /// Inserts the organization. It accepts every payment method until an owner changes that.
    async fn insert(&self, tx: &mut Tx, id: OrganizationId, now: Timestamp) -> Result<()> {
        const INSERT: &str = "INSERT INTO organizations (id, name, name_key, logo_path, is_commercial, created_at) \
            VALUES ($1, $2, $3, $4, $5, $6)";
        const METHOD: &str = "INSERT INTO organization_payment_methods (organization_id, method) VALUES ($1, $2)";
        files::claim(tx, Prefix::Organization, "/logoPath", Some(&self.logo_path), None, now).await?;
        let insert = tx.query(INSERT).bind(id).bind(self.name.as_str()).bind(self.name.key()).bind(&self.logo_path);
        insert.bind(self.is_commercial).bind(now).execute().await.map_err(taken)?;
        for method in PaymentMethod::ALL {
            tx.query(METHOD).bind(id).bind(method.id()).execute().await?;
        }
        Ok(())
    }

    fn organization(&self, id: OrganizationId) -> Organization {
        let name = self.name.as_str().to_owned();
        Organization { id, name, is_commercial: self.is_commercial, is_disabled: false }
    }

    /// The invitation of the first owner.
    fn first_owner(&self, id: OrganizationId) -> Invite {
        Invite {
            email: self.owner_email.clone(),
            email_pointer: "/ownerEmail",
            first_name: None,
            last_name: None,
            role: Role::Owner,
            scope: Scope::Organization(id),
            receive_reservation_texts: true,
            callback: self.callback.clone(),
            language: None,
        }
    }
}
