//! `GET /connect/userinfo`: the signed-in user, the stage of the sign-in and the roles (spec A 3, "User info").

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use berth_domain::id::UserId;
use berth_domain::locale::Locale;
use berth_domain::policy::Stage;
use berth_domain::role::Role;
use berth_domain::value::Phone;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::SignInStage;
use crate::auth::account::views;
use crate::auth::caller::{self, AnyStage, Caller};
use crate::http::body::Query;
use crate::{App, Result};

/// The signed-in user. Lists are separated by commas and may be empty. Field names are those of the spec.
#[derive(Debug, Serialize, ToSchema)]
pub struct UserInfo {
    /// The user's id.
    sub: UserId,
    /// Email.
    email: String,
    /// Phone; masked until the sign-in is complete, empty if there is none.
    phone_number: String,
    /// Always false: there is no external login.
    has_external_login: bool,
    /// True if the user has a password.
    has_password: bool,
    /// True if the user has a phone.
    has_phone_number: bool,
    /// True if the phone was confirmed by a code.
    has_phone_number_confirmed: bool,
    /// True if the user is a global admin.
    role_global: bool,
    /// Organizations that the user owns.
    role_owner_organization_ids: String,
    /// Sites where the user is admin.
    role_admin_site_ids: String,
    /// Sites where the user is intake.
    role_intake_site_ids: String,
    /// Sites where the user is staff.
    role_staff_site_ids: String,
    /// Stage of the sign-in.
    stage: SignInStage,
    /// Minutes of inactivity after which the session ends.
    idle_minutes: i64,
    /// First name.
    first_name: String,
    /// Last name.
    last_name: String,
    /// True if one of the owned organizations is commercial, so that cards and billing are shown.
    owns_commercial: bool,
    /// Language of emails and text messages to the user.
    language: Locale,
    /// True if the user has set up an authenticator app.
    has_totp: bool,
    /// Number of unused recovery codes; 0 until the sign-in is complete.
    recovery_codes_left: i64,
    /// Number of invitations to answer; 0 until the sign-in is complete.
    pending_invitations: i64,
    /// What the user chose last, on any device: looks of tables, kept filters and settings by their names, as
    /// `PUT /api/Users/views` stores them. Empty until the sign-in is complete.
    views: BTreeMap<String, String>,
}

#[derive(berth_db::FromRow)]
struct Row {
    email: String,
    first_name: String,
    last_name: String,
    phone: Option<Phone>,
    has_password: bool,
    confirmed: bool,
    owns_commercial: bool,
    language: Locale,
    has_totp: bool,
    recovery_codes: i64,
    pending_invitations: i64,
}

/// Query of `GET /connect/userinfo`.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
pub struct UserInfoQuery {
    /// True to get 204 instead of 401 if the request has neither a token nor a session cookie.
    or_nobody: Option<bool>,
}

/// Shows the signed-in user. A first-step token is sufficient.
#[utoipa::path(get, path = "/connect/userinfo", tag = "Sign-in", params(UserInfoQuery), responses(
    (status = 200, body = UserInfo),
    (status = 204, description = "nobody is signed in, and `orNobody` is true")))]
pub async fn userinfo(
    State(app): State<App>,
    headers: HeaderMap,
    caller: Result<AnyStage>,
    query: Result<Query<UserInfoQuery>>,
) -> Result<Response> {
    let may_be_nobody = query.as_ref().is_ok_and(|Query(query)| query.or_nobody == Some(true));
    // A 401 would show up as an error in the console of every visitor who is not signed in yet.
    if may_be_nobody && !caller::carries_secret(&headers) {
        return Ok(StatusCode::NO_CONTENT.into_response());
    }
    let AnyStage(caller) = caller?;
    query?;
    Ok(Json(load(&app, &caller).await?).into_response())
}

async fn load(app: &App, caller: &Caller) -> Result<UserInfo> {
    const USER: &str = "SELECT email, first_name, last_name, phone, (password_hash IS NOT NULL) AS has_password, \
        (phone_confirmed_at IS NOT NULL) AS confirmed, language, (totp_confirmed_at IS NOT NULL) AS has_totp, \
        (SELECT COUNT(*) FROM recovery_codes r WHERE r.user_id = users.id AND r.used_at IS NULL) AS recovery_codes, \
        (SELECT COUNT(*) FROM memberships p WHERE p.user_id = users.id AND p.status = 'PendingInvitation' \
        AND p.deleted_at IS NULL) AS pending_invitations, \
        EXISTS (SELECT 1 FROM memberships m JOIN organizations o ON o.id = m.organization_id \
        WHERE m.user_id = users.id AND m.status = 'Active' AND m.deleted_at IS NULL AND o.deleted_at IS NULL \
        AND o.is_commercial) AS owns_commercial FROM users WHERE id = $1";
    let row: Row = app.db.query(USER).bind(caller.actor.user_id).one().await?;
    let is_full = caller.actor.stage == Stage::Full;
    let views = if is_full { views::load(app, caller.actor.user_id).await? } else { BTreeMap::new() };
    let sites = |role: Role| {
        let memberships = caller.actor.memberships.iter().filter(|membership| is_full && membership.role == role);
        memberships.filter_map(|membership| membership.site_id).map(|id| id.to_string()).collect::<Vec<_>>().join(",")
    };
    let owned: Vec<String> = caller.owned().iter().filter(|_| is_full).map(ToString::to_string).collect();
    let phone = row.phone;
    let visible_phone = phone.as_ref().map(|phone| if is_full { phone.as_str().to_owned() } else { phone.masked() });
    Ok(UserInfo {
        sub: caller.actor.user_id,
        email: row.email,
        has_phone_number: phone.is_some(),
        phone_number: visible_phone.unwrap_or_default(),
        has_external_login: false,
        has_password: row.has_password,
        has_phone_number_confirmed: row.confirmed,
        role_global: is_full && caller.is_global(),
        role_owner_organization_ids: owned.join(","),
        role_admin_site_ids: sites(Role::Admin),
        role_intake_site_ids: sites(Role::Intake),
        role_staff_site_ids: sites(Role::Staff),
        stage: if is_full { SignInStage::Full } else { SignInStage::FirstStep },
        idle_minutes: app.settings.idle_minutes,
        first_name: row.first_name,
        last_name: row.last_name,
        owns_commercial: is_full && row.owns_commercial,
        language: row.language,
        has_totp: row.has_totp,
        recovery_codes_left: if is_full { row.recovery_codes } else { 0 },
        pending_invitations: if is_full { row.pending_invitations } else { 0 },
        views,
    })
}
