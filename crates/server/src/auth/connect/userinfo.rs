//! `GET /connect/userinfo`: who is signed in, how far, and with which roles (spec A 3, "User info").

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
use crate::auth::caller::{self, AnyStage, Caller};
use crate::http::body::Query;
use crate::{App, Result};

/// The signed-in user. Lists are joined by commas, empty when there is none; field names as the spec writes them.
#[derive(Debug, Serialize, ToSchema)]
pub struct UserInfo {
    /// The user's id.
    sub: UserId,
    /// Email.
    email: String,
    /// Telephone; masked until the sign-in is complete, empty when none is known.
    phone_number: String,
    /// Always false: there is no external login.
    has_external_login: bool,
    /// Whether a password was set.
    has_password: bool,
    /// Whether a telephone is known.
    has_phone_number: bool,
    /// Whether it was confirmed by a code.
    has_phone_number_confirmed: bool,
    /// Whether the user is a global admin.
    role_global: bool,
    /// Organizations that the user owns.
    role_owner_organization_ids: String,
    /// Sites where the user is admin.
    role_admin_site_ids: String,
    /// Sites where the user is intake.
    role_intake_site_ids: String,
    /// Sites where the user is staff.
    role_staff_site_ids: String,
    /// How far the sign-in has come.
    stage: SignInStage,
    /// Minutes without a sign of the user after which the session ends.
    idle_minutes: i64,
    /// First name.
    first_name: String,
    /// Last name.
    last_name: String,
    /// Whether one of the owned organizations is commercial (cards and billing are shown then).
    owns_commercial: bool,
    /// The language that Berth writes to the user in.
    language: Locale,
    /// Whether codes of an authenticator app are taken beside those by SMS.
    has_totp: bool,
    /// Recovery codes that are left; 0 until the sign-in is complete.
    recovery_codes_left: i64,
    /// Invitations that wait for an answer; 0 until the sign-in is complete.
    pending_invitations: i64,
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

/// What a page sends that does not know whether anyone is signed in.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
pub struct UserInfoQuery {
    /// If true, a request without a token and without a session cookie gets 204 instead of 401.
    or_nobody: Option<bool>,
}

/// Tells who is signed in. A first-step token may ask, too.
#[utoipa::path(get, path = "/connect/userinfo", tag = "Sign-in", params(UserInfoQuery), responses(
    (status = 200, body = UserInfo),
    (status = 204, description = "Nobody is signed in, and `orNobody` is true")))]
pub async fn userinfo(
    State(app): State<App>,
    headers: HeaderMap,
    caller: Result<AnyStage>,
    query: Result<Query<UserInfoQuery>>,
) -> Result<Response> {
    let is_asked_first = query.as_ref().is_ok_and(|Query(query)| query.or_nobody == Some(true));
    // A browser logs every 401 as an error, and a visitor who has not signed in yet has made none.
    if is_asked_first && !caller::carries_secret(&headers) {
        return Ok(StatusCode::NO_CONTENT.into_response());
    }
    let AnyStage(caller) = caller?;
    query?;
    Ok(Json(describe(&app, &caller).await?).into_response())
}

async fn describe(app: &App, caller: &Caller) -> Result<UserInfo> {
    const USER: &str = "SELECT email, first_name, last_name, phone, (password_hash IS NOT NULL) AS has_password, \
        (phone_confirmed_at IS NOT NULL) AS confirmed, language, (totp_confirmed_at IS NOT NULL) AS has_totp, \
        (SELECT COUNT(*) FROM recovery_codes r WHERE r.user_id = users.id AND r.used_at IS NULL) AS recovery_codes, \
        (SELECT COUNT(*) FROM memberships p WHERE p.user_id = users.id AND p.status = 'PendingInvitation' \
        AND p.deleted_at IS NULL) AS pending_invitations, \
        EXISTS (SELECT 1 FROM memberships m JOIN organizations o ON o.id = m.organization_id \
        WHERE m.user_id = users.id AND m.status = 'Active' AND m.deleted_at IS NULL AND o.deleted_at IS NULL \
        AND o.is_commercial) AS owns_commercial FROM users WHERE id = $1";
    let row: Row = app.db.query(USER).bind(caller.actor.user_id).one().await?;
    let full = caller.actor.stage == Stage::Full;
    let sites = |role: Role| {
        let memberships = caller.actor.memberships.iter().filter(|membership| full && membership.role == role);
        memberships.filter_map(|membership| membership.site_id).map(|id| id.to_string()).collect::<Vec<_>>().join(",")
    };
    let owned: Vec<String> = caller.owned().iter().filter(|_| full).map(ToString::to_string).collect();
    let phone = row.phone;
    let shown = phone.as_ref().map(|phone| if full { phone.as_str().to_owned() } else { phone.masked() });
    Ok(UserInfo {
        sub: caller.actor.user_id,
        email: row.email,
        has_phone_number: phone.is_some(),
        phone_number: shown.unwrap_or_default(),
        has_external_login: false,
        has_password: row.has_password,
        has_phone_number_confirmed: row.confirmed,
        role_global: full && caller.is_global(),
        role_owner_organization_ids: owned.join(","),
        role_admin_site_ids: sites(Role::Admin),
        role_intake_site_ids: sites(Role::Intake),
        role_staff_site_ids: sites(Role::Staff),
        stage: if full { SignInStage::Full } else { SignInStage::FirstStep },
        idle_minutes: app.settings.idle_minutes,
        first_name: row.first_name,
        last_name: row.last_name,
        owns_commercial: full && row.owns_commercial,
        language: row.language,
        has_totp: row.has_totp,
        recovery_codes_left: if full { row.recovery_codes } else { 0 },
        pending_invitations: if full { row.pending_invitations } else { 0 },
    })
}
