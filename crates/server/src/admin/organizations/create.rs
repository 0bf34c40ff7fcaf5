//! Adding an organization and inviting its first owner (spec A 5, 7).

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use berth_domain::catalog::PaymentMethod;
use berth_domain::check::{Check, FieldErrors};
use berth_domain::id::OrganizationId;
use berth_domain::policy::Action;
use berth_domain::role::Role;
use berth_domain::value::{Email, Name};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{list, taken};
use crate::admin::audit_log::{self, AuditAction, Author};
use crate::admin::invitations::{self, Callback, Invite, Scope};
use crate::auth::caller::{Caller, Organization};
use crate::http::body::Body;
use crate::http::idempotency::{self, Claim, Claimed};
use crate::integrations::files::{self, Prefix};
use crate::{App, Result};

/// An organization to add. Every field must be there.
#[derive(Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct NewOrganization {
    /// Its name, no other organization has it.
    #[schema(required = true)]
    name: String,
    /// Who is invited as its first owner.
    #[schema(required = true)]
    owner_email: String,
    /// Its logo, as the upload answered.
    #[schema(required = true)]
    logo_path: Option<String>,
    /// Where the invitation leads: our origin, bare or with `/login/callback`.
    #[schema(required = true)]
    redirect_uri: String,
}

/// The payload once it is understood.
struct Wish {
    name: Name,
    owner_email: Email,
    logo_path: String,
}

/// Reads a name as the forms of organizations word its errors.
///
/// # Errors
/// The sentence for the field.
pub(super) fn name(text: &str) -> Result<Name, &'static str> {
    if text.trim().is_empty() { Err("Organization name is a required field.") } else { Name::parse(text) }
}

/// Reads the path of a logo, which must be there.
pub(super) fn logo(check: &mut Check, sent: Option<&str>) -> Option<String> {
    let path = sent.map(str::trim).filter(|path| !path.is_empty());
    check.require(path.is_some(), "/logoPath", "Please add a logo to organization.");
    path.map(str::to_owned)
}

impl NewOrganization {
    fn parse(&self) -> Result<Wish, FieldErrors> {
        let mut check = Check::new();
        let name = check.field("/name", name(&self.name));
        let email = self.owner_email.trim();
        let email = if email.is_empty() { Err("Email is a required field.") } else { Email::parse(email) };
        let owner_email = check.field("/ownerEmail", email);
        let logo_path = logo(&mut check, self.logo_path.as_deref());
        check.build(|| Some(Wish { name: name?, owner_email: owner_email?, logo_path: logo_path? }))
    }
}

/// Adds a commercial organization; its first owner is invited by mail. The name must be free.
#[utoipa::path(post, path = "/api/Organizations/commercial", tag = "Organizations", request_body = NewOrganization,
    responses((status = 201, body = super::list::OrganizationView)))]
pub async fn create_commercial(
    State(app): State<App>,
    caller: Caller,
    headers: HeaderMap,
    Body(ask): Body<NewOrganization>,
) -> Result<Response> {
    create(app, caller, headers, ask, true).await
}

/// Adds a non-commercial organization; its first owner is invited by mail. The name must be free.
#[utoipa::path(post, path = "/api/Organizations/nonCommercial", tag = "Organizations",
    request_body = NewOrganization, responses((status = 201, body = super::list::OrganizationView)))]
pub async fn create_non_commercial(
    State(app): State<App>,
    caller: Caller,
    headers: HeaderMap,
    Body(ask): Body<NewOrganization>,
) -> Result<Response> {
    create(app, caller, headers, ask, false).await
}

async fn create(
    app: App,
    caller: Caller,
    headers: HeaderMap,
    ask: NewOrganization,
    is_commercial: bool,
) -> Result<Response> {
    caller.platform(Action::CreateOrganization)?;
    let wish = ask.parse()?;
    let callback = Callback::parse(&app, &ask.redirect_uri)?;
    let work = Work { app, caller, headers, ask, wish, callback, is_commercial };
    berth_db::retry(|| work.attempt()).await
}

/// What one call asks for; kept, since a busy attempt is made again.
struct Work {
    app: App,
    caller: Caller,
    headers: HeaderMap,
    ask: NewOrganization,
    wish: Wish,
    callback: Callback,
    is_commercial: bool,
}

impl Work {
    async fn attempt(&self) -> Result<Response> {
        const INSERT: &str = "INSERT INTO organizations (id, name, name_key, logo_path, is_commercial, created_at) \
            VALUES ($1, $2, $3, $4, $5, $6)";
        const METHOD: &str = "INSERT INTO organization_payment_methods (organization_id, method) VALUES ($1, $2)";
        let Self { app, caller, headers, ask, wish, is_commercial, .. } = self;
        let (id, now) = (OrganizationId(app.id()), app.now());
        let mut tx = app.db.begin().await?;
        let asked = ("POST organization", is_commercial, ask);
        let claim =
            match idempotency::claim_for(app, &mut tx, headers, caller.actor.user_id.to_string(), &asked).await? {
                Claimed::Go(claim) => claim,
                Claimed::Replay(replay) => return replay.of_nobody(),
            };
        files::claim(&mut tx, Prefix::Organization, "/logoPath", Some(&wish.logo_path), None, now).await?;
        let insert = tx.query(INSERT).bind(id).bind(wish.name.as_str()).bind(wish.name.key()).bind(&wish.logo_path);
        insert.bind(*is_commercial).bind(now).execute().await.map_err(taken)?;
        // Until an owner narrows them, guests may choose among all ways to pay.
        for method in PaymentMethod::ALL {
            tx.query(METHOD).bind(id).bind(method.id()).execute().await?;
        }
        let organization =
            Organization { id, name: wish.name.as_str().to_owned(), is_commercial: *is_commercial, is_disabled: false };
        let kind = if *is_commercial { "commercial" } else { "non-commercial" };
        let entry =
            super::entry(&organization, AuditAction::OrganizationCreated, format!("{kind} organization {}", wish.name));
        audit_log::write(app, &mut tx, &Author::caller(caller, None), &entry).await?;
        invitations::invite(app, &mut tx, caller, self.owner(id)).await?;
        let view = list::find(app, &mut tx, caller, id).await?;
        let response = Claim::answer_body(claim, &mut tx, StatusCode::CREATED, &view).await?;
        tx.commit().await?;
        Ok(response)
    }

    /// The invitation of the first owner.
    fn owner(&self, id: OrganizationId) -> Invite {
        Invite {
            email: self.wish.owner_email.clone(),
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
