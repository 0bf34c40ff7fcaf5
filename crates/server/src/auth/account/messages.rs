//! `/api/Users/messages`: the places whose reservation messages a user receives, and the quiet hours (docs/decisions/0052).

use axum::Json;
use axum::extract::State;
use berth_domain::check::Check;
use berth_domain::id::{MembershipId, OrganizationId, SiteId, UserId};
use berth_domain::message::QuietHours;
use berth_domain::time::TimeOfDay;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::admin::audit_log::{AuditAction, Author, Entry, ObjectKind};
use crate::auth::caller::Caller;
use crate::change::Change;
use crate::http::body::{Body, Done};
use crate::integrations::sms::stops;
use crate::{App, Result, change};

/// A place where the user is a member, and whether the user receives messages about its reservations.
#[derive(Debug, Serialize, ToSchema, berth_db::FromRow)]
#[serde(rename_all = "camelCase")]
pub struct MessagePlace {
    /// Id of the user's membership.
    membership_id: MembershipId,
    /// Name of the site, or of the organization with all of its sites.
    name: String,
    /// True if the user receives messages.
    receives: bool,
    #[serde(skip)]
    #[schema(ignore)]
    organization_id: OrganizationId,
    #[serde(skip)]
    #[schema(ignore)]
    site_id: Option<SiteId>,
}

/// Settings for messages about reservations.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MessageSettings {
    /// The places, sorted by name.
    places: Vec<MessagePlace>,
    /// Start of the quiet hours in the local time of each site; null without quiet hours.
    quiet_from: Option<TimeOfDay>,
    /// End of the quiet hours.
    quiet_until: Option<TimeOfDay>,
    /// True if the user answered STOP by text message: messages are only sent by email until the user answers START.
    has_stopped_sms: bool,
}

/// New settings for messages about reservations.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MessageChoice {
    /// Memberships to receive messages for; messages of all others are turned off. Memberships of other users are ignored.
    receives_for: Vec<MembershipId>,
    /// Start of the quiet hours; null or omitted for none.
    #[serde(default)]
    quiet_from: Option<TimeOfDay>,
    /// End of the quiet hours.
    #[serde(default)]
    quiet_until: Option<TimeOfDay>,
}

impl MessageChoice {
    fn quiet_hours(&self) -> Result<Option<QuietHours>> {
        let mut check = Check::new();
        let is_complete = self.quiet_from.is_some() == self.quiet_until.is_some();
        check.require(is_complete, "/quietUntil", "Enter the start and the end of the quiet hours.");
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

/// Shows for which places the user receives messages about reservations, and the quiet hours.
#[utoipa::path(get, path = "/api/Users/messages", tag = "Users",
    responses((status = 200, description = "the settings", body = MessageSettings)))]
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

/// Sets for which places the user receives messages about reservations, and the quiet hours. Messages that are held back until
/// the end of the earlier quiet hours follow the new ones.
#[utoipa::path(put, path = "/api/Users/messages", tag = "Users", request_body = MessageChoice,
    responses((status = 204, description = "the settings were saved")))]
pub async fn choose_messages(
    State(app): State<App>,
    caller: Caller,
    Body(choice): Body<MessageChoice>,
) -> Result<Done> {
    let quiet_hours = choice.quiet_hours()?;
    let (choice, user_id) = (&choice, caller.actor.user_id);
    change::run(&app, Author::caller(&caller, None), |mut change| async move {
        set_places(&mut change, user_id, choice).await?;
        set_quiet_hours(&mut change, user_id, quiet_hours).await?;
        change.done(Done)
    })
    .await
}

async fn set_places(change: &mut Change, user_id: UserId, choice: &MessageChoice) -> Result<()> {
    const SET: &str = "UPDATE memberships SET receive_reservation_texts = $2 WHERE id = $1 AND receive_reservation_texts <> $2 \
        AND deleted_at IS NULL AND status = 'Active'";
    let places: Vec<MessagePlace> = change.tx.query(PLACES).bind(user_id).all().await?;
    for place in places {
        let receives = choice.receives_for.contains(&place.membership_id);
        if change.tx.query(SET).bind(place.membership_id).bind(receives).execute().await? == 0 {
            continue;
        }
        let at = (Some(place.organization_id), place.site_id);
        let object = Some((ObjectKind::Membership, place.membership_id.0));
        let summary = format!("reservation texts {} by the person", if receives { "on" } else { "off" });
        change.record(Entry::placed(at, AuditAction::MembershipChanged, object, summary)).await?;
    }
    Ok(())
}

async fn set_quiet_hours(change: &mut Change, user_id: UserId, quiet_hours: Option<QuietHours>) -> Result<()> {
    const SET: &str = "UPDATE users SET quiet_from = $2, quiet_until = $3 WHERE id = $1 \
        AND (quiet_from IS DISTINCT FROM $2 OR quiet_until IS DISTINCT FROM $3)";
    const SET_DUE: &str = "UPDATE user_notices SET due_at = $2 WHERE user_id = $1 AND settled_at IS NULL";
    let text = |time: Option<TimeOfDay>| time.map(|time| time.to_string());
    let (from, until) = (text(quiet_hours.map(QuietHours::from)), text(quiet_hours.map(QuietHours::until)));
    if change.tx.query(SET).bind(user_id).bind(from).bind(until).execute().await? == 0 {
        return Ok(());
    }
    let object = Some((ObjectKind::User, user_id.0));
    let summary = if quiet_hours.is_some() { "quiet hours set" } else { "quiet hours turned off" };
    change.record(Entry::anywhere(AuditAction::UserQuietHoursChosen, object, summary)).await?;
    change.tx.query(SET_DUE).bind(user_id).bind(change.now).execute().await?;
    Ok(())
}
