//! `/api/Users/messages`: for which places the user gets messages about reservations, and when not (docs/decisions/0052).

use axum::Json;
use axum::extract::State;
use berth_domain::check::Check;
use berth_domain::id::{MembershipId, OrganizationId, SiteId};
use berth_domain::message::QuietHours;
use berth_domain::time::TimeOfDay;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::admin::audit_log::{self, AuditAction, Author, Entry, ObjectKind};
use crate::auth::caller::Caller;
use crate::http::body::{Body, Done};
use crate::integrations::sms::stops;
use crate::{App, Result};

/// A place of the user, and whether messages about its reservations are sent.
#[derive(Debug, Serialize, ToSchema, berth_db::FromRow)]
#[serde(rename_all = "camelCase")]
pub struct MessagePlace {
    /// The user's membership there.
    membership_id: MembershipId,
    /// The site, or the organization with all of its sites.
    name: String,
    /// True if messages are sent.
    receives: bool,
    #[serde(skip)]
    #[schema(ignore)]
    organization_id: OrganizationId,
    #[serde(skip)]
    #[schema(ignore)]
    site_id: Option<SiteId>,
}

/// Which messages about reservations the user gets.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MessageSettings {
    /// The places, by name.
    places: Vec<MessagePlace>,
    /// The start of the quiet hours by the clock of each site. Null without quiet hours.
    quiet_from: Option<TimeOfDay>,
    /// The end of the quiet hours.
    quiet_until: Option<TimeOfDay>,
    /// True if the user's phone has answered STOP: messages come by email alone until it answers START.
    has_stopped_sms: bool,
}

/// A choice of messages, whole.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MessageChoice {
    /// The memberships for which messages are wanted; for all others they are turned off. Ids of others are ignored.
    receives_for: Vec<MembershipId>,
    /// The start of the quiet hours; null or left out for none.
    #[serde(default)]
    quiet_from: Option<TimeOfDay>,
    /// The end of the quiet hours.
    #[serde(default)]
    quiet_until: Option<TimeOfDay>,
}

impl MessageChoice {
    fn quiet_hours(&self) -> Result<Option<QuietHours>> {
        let mut check = Check::new();
        let is_whole = self.quiet_from.is_some() == self.quiet_until.is_some();
        check.require(is_whole, "/quietUntil", "Enter the start and the end of the quiet hours.");
        let hours = match (self.quiet_from, self.quiet_until) {
            (Some(from), Some(until)) => check.field("/quietUntil", QuietHours::new(from, until)),
            _ => None,
        };
        check.finish()?;
        Ok(hours)
    }
}

const PLACES: &str = "SELECT m.id AS membership_id, COALESCE(s.name, o.name) AS name, m.receive_reservation_texts AS receives, \
    o.id AS organization_id, s.id AS site_id FROM memberships m LEFT JOIN sites s ON s.id = m.site_id \
    JOIN organizations o ON o.id = COALESCE(m.organization_id, s.organization_id) \
    WHERE m.user_id = $1 AND m.deleted_at IS NULL AND m.status = 'Active' \
    ORDER BY COALESCE(s.name_key, o.name_key) COLLATE \"C\", m.id";

/// The places of the user with and without messages about reservations, and the quiet hours.
#[utoipa::path(get, path = "/api/Users/messages", tag = "Users",
    responses((status = 200, description = "which messages are sent", body = MessageSettings)))]
pub async fn message_settings(State(app): State<App>, caller: Caller) -> Result<Json<MessageSettings>> {
    const QUIET: &str = "SELECT quiet_from, quiet_until, phone FROM users WHERE id = $1";
    type Row = (Option<String>, Option<String>, Option<String>);
    let persons = app.persons.key(&app).await?;
    let user = caller.actor.user_id;
    let mut tx = app.db.read().await?;
    let places: Vec<MessagePlace> = tx.query(PLACES).bind(user).all().await?;
    let (from, until, phone): Row = tx.query(QUIET).bind(user).one().await?;
    let has_stopped_sms = match phone {
        Some(phone) => stops::has_stopped(&mut tx, &persons.phone(&phone)).await?,
        None => false,
    };
    let time = |text: Option<String>| text.and_then(|text| TimeOfDay::parse(&text).ok());
    Ok(Json(MessageSettings { places, quiet_from: time(from), quiet_until: time(until), has_stopped_sms }))
}

/// Chooses for which places messages about reservations are sent, and the quiet hours. What waits for the end of earlier quiet hours
/// is told by the new ones.
#[utoipa::path(put, path = "/api/Users/messages", tag = "Users", request_body = MessageChoice,
    responses((status = 204, description = "the choice was saved")))]
pub async fn choose_messages(
    State(app): State<App>,
    caller: Caller,
    Body(choice): Body<MessageChoice>,
) -> Result<Done> {
    const SET: &str = "UPDATE memberships SET receive_reservation_texts = $2 WHERE id = $1 AND receive_reservation_texts <> $2 \
        AND deleted_at IS NULL AND status = 'Active'";
    const QUIET: &str = "UPDATE users SET quiet_from = $2, quiet_until = $3 WHERE id = $1 \
        AND (quiet_from IS DISTINCT FROM $2 OR quiet_until IS DISTINCT FROM $3)";
    const AGAIN: &str = "UPDATE user_notices SET due_at = $2 WHERE user_id = $1 AND settled_at IS NULL";
    let quiet = choice.quiet_hours()?;
    let user = caller.actor.user_id;
    let by = Author::caller(&caller, None);
    let mut tx = app.db.begin().await?;
    let places: Vec<MessagePlace> = tx.query(PLACES).bind(user).all().await?;
    for place in places {
        let wanted = choice.receives_for.contains(&place.membership_id);
        if tx.query(SET).bind(place.membership_id).bind(wanted).execute().await? == 0 {
            continue;
        }
        let at = (Some(place.organization_id), place.site_id);
        let object = Some((ObjectKind::Membership, place.membership_id.0));
        let summary = format!("reservation texts {} by the person", if wanted { "on" } else { "off" });
        audit_log::write(&app, &mut tx, &by, &Entry::placed(at, AuditAction::MembershipChanged, object, summary))
            .await?;
    }
    let text = |time: Option<TimeOfDay>| time.map(|time| time.to_string());
    let (from, until) = (text(quiet.map(QuietHours::from)), text(quiet.map(QuietHours::until)));
    if tx.query(QUIET).bind(user).bind(from).bind(until).execute().await? > 0 {
        let object = Some((ObjectKind::User, user.0));
        let summary = if quiet.is_some() { "quiet hours set" } else { "quiet hours turned off" };
        audit_log::write(&app, &mut tx, &by, &Entry::anywhere(AuditAction::UserQuietHoursChosen, object, summary))
            .await?;
        tx.query(AGAIN).bind(user).bind(app.now()).execute().await?;
    }
    tx.commit().await?;
    Ok(Done)
}
