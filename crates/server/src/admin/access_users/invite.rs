//! Invitations from the lists of users: to an organization, to a site, to the platform, and once more (spec A 7).

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
use crate::admin::invitations::{self, Callback, Invite, Scope};
use crate::auth::account::proof;
use crate::auth::caller::Caller;
use crate::http::body::{Body, Path};
use crate::http::idempotency::{self, Claim, Claimed};
use crate::{App, Error, Result};

/// An owner to be.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct OwnerInvitation {
    /// An origin of this site, bare or with `/login/callback`: where the link in the mail leads.
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
    /// Whether messages about reservations go there.
    #[serde(default)]
    receive_reservation_texts: bool,
    /// Language of the email for someone without an account; the inviter's when absent.
    #[schema(nullable = false)]
    language: Option<Locale>,
}

/// A user of a site to be.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SiteInvitation {
    /// An origin of this site, bare or with `/login/callback`: where the link in the mail leads.
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
    /// `Admin` (when left out), `Intake` or `Staff` (spec A 7).
    #[serde(default = "admin")]
    #[schema(required = false)]
    role: Role,
    /// Whether messages about reservations go there; yes when absent (spec A 5).
    #[serde(default = "yes")]
    receive_reservation_texts: bool,
    /// Language of the email for someone without an account; the inviter's when absent.
    #[schema(nullable = false)]
    language: Option<Locale>,
}

const fn yes() -> bool {
    true
}

const fn admin() -> Role {
    Role::Admin
}

/// A global admin to be.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GlobalAdminInvitation {
    /// An origin of this site, bare or with `/login/callback`: where the link in the mail leads.
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
    /// Language of the email for someone without an account; the inviter's when absent.
    #[schema(nullable = false)]
    language: Option<Locale>,
}

/// What the forms say of a field that is empty.
struct Sentences {
    email: &'static str,
    first_name: &'static str,
    last_name: &'static str,
}

/// Spec A 5, "Owner invite"; the form of global admins is ours and says the same.
const OF_OWNERS: Sentences = Sentences {
    email: "Email is a required field.",
    first_name: "First Name is mandatory.",
    last_name: "Last Name is mandatory.",
};
/// Spec A 5, "Site user invite".
const OF_SITES: Sentences = Sentences {
    email: "Please enter your new email",
    first_name: "Please enter your first name",
    last_name: "Please enter your last name",
};

/// Checks email and names, all at once; `place` says which roles fit.
fn person(typed: [&str; 3], sentences: &Sentences, roles: &[Role], role: Role) -> Result<(Email, Name, Name)> {
    fn required<T>(
        text: &str,
        empty: &'static str,
        read: fn(&str) -> Result<T, &'static str>,
    ) -> Result<T, &'static str> {
        if text.trim().is_empty() { Err(empty) } else { read(text) }
    }
    let [email, first_name, last_name] = typed;
    let mut check = Check::new();
    let email = check.field("/email", required(email, sentences.email, Email::parse));
    let first_name = check.field("/firstName", required(first_name, sentences.first_name, Name::parse));
    let last_name = check.field("/lastName", required(last_name, sentences.last_name, Name::parse));
    check.require(roles.contains(&role), "/role", "This role cannot be held here.");
    Ok(check.build(|| Some((email?, first_name?, last_name?)))?)
}

/// The call that asked for an invitation, as the idempotency key covers it.
struct InvitationRequest<'a, Input> {
    app: &'a App,
    caller: &'a Caller,
    headers: &'a HeaderMap,
    /// The operation and the body as the caller sent it.
    input: (&'static str, &'a Input),
}

impl<Input: Serialize> InvitationRequest<'_, Input> {
    /// Invites; a repeated call with the same `Idempotency-Key` gets the first answer again.
    async fn send(self, invite: Invite) -> Result<Response> {
        let Self { app, caller, headers, input } = self;
        let mut tx = app.db.begin().await?;
        let claim =
            match idempotency::claim_for(app, &mut tx, headers, caller.actor.user_id.to_string(), &input).await? {
                Claimed::Go(claim) => claim,
                Claimed::Replay(replay) => return replay.of_nobody(),
            };
        let invited = invitations::invite(app, &mut tx, caller, invite).await?;
        let view = show(&mut tx, caller, invited.membership_id).await?;
        let response = Claim::answer_body(claim, &mut tx, StatusCode::CREATED, &view).await?;
        tx.commit().await?;
        Ok(response)
    }
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
    let (email, first_name, last_name) = person(typed, &OF_OWNERS, &[Role::Owner], body.role)?;
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
    let input = ("POST owner", &body);
    InvitationRequest { app: &app, caller: &caller, headers: &headers, input }.send(invite).await
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
    let (email, first_name, last_name) = person(typed, &OF_SITES, &Role::OF_SITES, body.role)?;
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
    let input = ("POST site user", &body);
    InvitationRequest { app: &app, caller: &caller, headers: &headers, input }.send(invite).await
}

/// Invites a global admin. Needs a proof of the last five minutes: whoever finds an open session must not make himself one
/// of those who see everything.
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
    let (email, first_name, last_name) = person(typed, &OF_OWNERS, &[role], role)?;
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
    let input = ("POST global admin", &body);
    InvitationRequest { app: &app, caller: &caller, headers: &headers, input }.send(invite).await
}

/// Where the link of another mail leads.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct InvitationAgain {
    /// An origin of this site, bare or with `/login/callback`.
    redirect_uri: String,
}

/// Sends an invitation again; the link of the mail before opens nothing any more. Pending ones only, five a minute.
#[utoipa::path(post, path = "/api/AccessUsers/{id}/invitation", tag = "Access users", request_body = InvitationAgain,
    params(("id" = MembershipId, Path, description = "the access user")),
    responses((status = 202, description = "the mail is on its way")))]
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
    invitations::again(&app, &caller, id, place, &callback).await?;
    Ok(StatusCode::ACCEPTED)
}
