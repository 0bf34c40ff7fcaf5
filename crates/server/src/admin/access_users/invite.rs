//! Inviting an owner, a user of a site or a global admin, and sending an invitation again (spec A 7).

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use berth_domain::check::Check;
use berth_domain::id::{MembershipId, OrganizationId, SiteId};
use berth_domain::locale::Locale;
use berth_domain::policy::Action;
use berth_domain::role::Role;
use berth_domain::value::{Email, Name};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{AccessUserView, load, refused, show};
use crate::admin::audit_log::Author;
use crate::admin::invitations::{self, Callback, Invite, Scope};
use crate::auth::account::proof;
use crate::auth::caller::Caller;
use crate::change::{self, Answer};
use crate::http::body::{Body, Path};
use crate::{App, Error, Result};

/// An invitation of an owner.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct OwnerInvitation {
    /// Target of the link in the email: an origin of this server, bare or with `/login/callback`.
    redirect_uri: String,
    /// Email.
    #[serde(default)]
    email: String,
    /// First name.
    #[serde(default)]
    first_name: String,
    /// Last name.
    #[serde(default)]
    last_name: String,
    /// The organization.
    organization_id: OrganizationId,
    /// Always `Owner`.
    role: Role,
    /// True if the person gets text messages about reservations.
    #[serde(default)]
    receive_reservation_texts: bool,
    /// Language of the email for a person without an account. The inviter's if absent.
    #[schema(nullable = false)]
    language: Option<Locale>,
}

/// An invitation of a user of a site.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SiteInvitation {
    /// Target of the link in the email: an origin of this server, bare or with `/login/callback`.
    redirect_uri: String,
    /// Email.
    #[serde(default)]
    email: String,
    /// First name.
    #[serde(default)]
    first_name: String,
    /// Last name.
    #[serde(default)]
    last_name: String,
    /// The site.
    site_id: SiteId,
    /// `Admin` (the default), `Intake` or `Staff` (spec A 7).
    #[serde(default = "admin")]
    #[schema(required = false)]
    role: Role,
    /// True, the default, if the person gets text messages about reservations (spec A 5).
    #[serde(default = "yes")]
    receive_reservation_texts: bool,
    /// Language of the email for a person without an account. The inviter's if absent.
    #[schema(nullable = false)]
    language: Option<Locale>,
}

const fn yes() -> bool {
    true
}

const fn admin() -> Role {
    Role::Admin
}

/// An invitation of a global admin.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GlobalAdminInvitation {
    /// Target of the link in the email: an origin of this server, bare or with `/login/callback`.
    redirect_uri: String,
    /// Email.
    #[serde(default)]
    email: String,
    /// First name.
    #[serde(default)]
    first_name: String,
    /// Last name.
    #[serde(default)]
    last_name: String,
    /// Language of the email for a person without an account. The inviter's if absent.
    #[schema(nullable = false)]
    language: Option<Locale>,
}

/// Messages for empty fields.
struct RequiredMessages {
    email: &'static str,
    first_name: &'static str,
    last_name: &'static str,
}

/// Spec A 5, "Owner invite". Also used for global admins, whose form is not in the spec.
const OWNER_MESSAGES: RequiredMessages = RequiredMessages {
    email: "Email is a required field.",
    first_name: "First Name is mandatory.",
    last_name: "Last Name is mandatory.",
};
/// Spec A 5, "Site user invite".
const SITE_MESSAGES: RequiredMessages = RequiredMessages {
    email: "Please enter your new email",
    first_name: "Please enter your first name",
    last_name: "Please enter your last name",
};

/// Parses the email and the names, and checks that `role` is one of `roles`.
fn parse_person(
    typed: [&str; 3],
    messages: &RequiredMessages,
    roles: &[Role],
    role: Role,
) -> Result<(Email, Name, Name)> {
    fn required<T>(
        text: &str,
        empty: &'static str,
        read: fn(&str) -> Result<T, &'static str>,
    ) -> Result<T, &'static str> {
        if text.trim().is_empty() { Err(empty) } else { read(text) }
    }
    let [email, first_name, last_name] = typed;
    let mut check = Check::new();
    let email = check.field("/email", required(email, messages.email, Email::parse));
    let first_name = check.field("/firstName", required(first_name, messages.first_name, Name::parse));
    let last_name = check.field("/lastName", required(last_name, messages.last_name, Name::parse));
    check.require(roles.contains(&role), "/role", "This role cannot be held here.");
    Ok(check.build(|| Some((email?, first_name?, last_name?)))?)
}

/// Creates an invitation. A repeated request with the same `Idempotency-Key` gets the same answer.
async fn create(
    app: &App,
    caller: &Caller,
    headers: &HeaderMap,
    asked: (&'static str, &impl Serialize),
    invite: Invite,
) -> Result<Response> {
    let invite = &invite;
    change::once(app, Author::caller(caller, None), headers, &asked, |mut change| async move {
        let invited = invitations::create(&change.app, &mut change.tx, caller, invite.clone()).await?;
        let id = invited.membership_id;
        change.record(invited.entry).await?;
        let view = show(&mut change.tx, caller, id).await?;
        change.done(Answer::new(StatusCode::CREATED, &view)?)
    })
    .await
}

/// Invites an owner of an organization.
#[utoipa::path(post, path = "/api/AccessUsers/organizationScopeUsers", tag = "Access users",
    request_body = OwnerInvitation,
    params(("Idempotency-Key" = Option<String>, Header, description = "the same request again has one effect")),
    responses((status = 201, body = AccessUserView)))]
pub async fn invite_owner(
    State(app): State<App>,
    caller: Caller,
    headers: HeaderMap,
    Body(body): Body<OwnerInvitation>,
) -> Result<Response> {
    let organization = caller.organization(body.organization_id, Action::ManageOwners).await?;
    let callback = Callback::parse(&app, &body.redirect_uri)?;
    let typed = [body.email.as_str(), &body.first_name, &body.last_name];
    let (email, first_name, last_name) = parse_person(typed, &OWNER_MESSAGES, &[Role::Owner], body.role)?;
    let invite = Invite {
        email,
        email_pointer: "/email",
        first_name: Some(first_name),
        last_name: Some(last_name),
        role: body.role,
        scope: Scope::Organization(organization.id),
        receive_reservation_texts: body.receive_reservation_texts,
        callback,
        language: body.language,
    };
    create(&app, &caller, &headers, ("POST owner", &body), invite).await
}

/// Invites a user of a site.
#[utoipa::path(post, path = "/api/AccessUsers/siteScopeUsers", tag = "Access users",
    request_body = SiteInvitation,
    params(("Idempotency-Key" = Option<String>, Header, description = "the same request again has one effect")),
    responses((status = 201, body = AccessUserView)))]
pub async fn invite_to_site(
    State(app): State<App>,
    caller: Caller,
    headers: HeaderMap,
    Body(body): Body<SiteInvitation>,
) -> Result<Response> {
    let site = caller.site(body.site_id, Action::ManageSiteUsers).await?;
    let callback = Callback::parse(&app, &body.redirect_uri)?;
    let typed = [body.email.as_str(), &body.first_name, &body.last_name];
    let (email, first_name, last_name) = parse_person(typed, &SITE_MESSAGES, &Role::OF_SITES, body.role)?;
    let invite = Invite {
        email,
        email_pointer: "/email",
        first_name: Some(first_name),
        last_name: Some(last_name),
        role: body.role,
        scope: Scope::Site(site.id, site.organization_id),
        receive_reservation_texts: body.receive_reservation_texts,
        callback,
        language: body.language,
    };
    create(&app, &caller, &headers, ("POST site user", &body), invite).await
}

/// Invites a global admin. Requires a password proof within the last five minutes, so that an unattended session cannot be
/// used to gain access to everything.
#[utoipa::path(post, path = "/api/AccessUsers/globalAdmins", tag = "Access users",
    request_body = GlobalAdminInvitation,
    params(("Idempotency-Key" = Option<String>, Header, description = "the same request again has one effect")),
    responses((status = 201, body = AccessUserView)))]
pub async fn invite_global_admin(
    State(app): State<App>,
    caller: Caller,
    headers: HeaderMap,
    Body(body): Body<GlobalAdminInvitation>,
) -> Result<Response> {
    caller.platform(Action::ManageGlobalAdmins)?;
    proof::require_fresh(&app, &caller)?;
    let callback = Callback::parse(&app, &body.redirect_uri)?;
    let typed = [body.email.as_str(), &body.first_name, &body.last_name];
    let role = Role::GlobalAdmin;
    let (email, first_name, last_name) = parse_person(typed, &OWNER_MESSAGES, &[role], role)?;
    let invite = Invite {
        email,
        email_pointer: "/email",
        first_name: Some(first_name),
        last_name: Some(last_name),
        role,
        scope: Scope::Platform,
        receive_reservation_texts: false,
        callback,
        language: body.language,
    };
    create(&app, &caller, &headers, ("POST global admin", &body), invite).await
}

/// A request to send an invitation again.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct InvitationAgain {
    /// Target of the link in the email: an origin of this server, bare or with `/login/callback`.
    redirect_uri: String,
}

/// Sends a pending invitation again; earlier links expire. At most five a minute.
#[utoipa::path(post, path = "/api/AccessUsers/{id}/invitation", tag = "Access users", request_body = InvitationAgain,
    params(("id" = MembershipId, Path, description = "the access user")),
    responses((status = 202, description = "the email is queued")))]
pub async fn invite_again(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<MembershipId>,
    Body(body): Body<InvitationAgain>,
) -> Result<StatusCode> {
    let row = load(&app, &caller, id).await?;
    let callback = Callback::parse(&app, &body.redirect_uri)?;
    row.held().may_resend(&caller.actor).map_err(refused)?;
    let place = row.scope().ok_or(Error::NotFound)?;
    invitations::resend(&app, &caller, id, place, &callback).await?;
    Ok(StatusCode::ACCEPTED)
}
