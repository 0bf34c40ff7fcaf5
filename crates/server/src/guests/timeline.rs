//! `GET /api/Guests/{id}/timeline`: what happened to a guest, from the stays and, for a decline, from the trail.

use std::collections::HashMap;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use berth_db::Tx;
use berth_domain::id::{GuestId, UserId};
use berth_domain::policy::Action;
use berth_domain::stay::EndReason;
use berth_domain::time::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use crate::audit::{self, AuditAction, Look, Shown};
use crate::body::Path;
use crate::caller::{Caller, Site};
use crate::{App, Result};

/// What can happen to a guest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum GuestEventKind {
    /// The reservation was created.
    Reserved,
    /// The guest got a first bed.
    Accepted,
    /// The guest got another bed.
    Moved,
    /// The guest changed beds with another guest.
    Swapped,
    /// The reservation was declined.
    Declined,
    /// The guest left.
    Discharged,
    /// The hold ran out.
    Expired,
}

/// One event in the life of a guest.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GuestEvent {
    /// When it happened.
    pub at: Timestamp,
    /// What happened.
    pub kind: GuestEventKind,
    /// The house of the bed that the guest got or left. Null for events without a bed.
    pub room_name: Option<String>,
    /// The bed that the guest got or left. Null for events without a bed.
    pub bed_name: Option<String>,
    /// First and last name of the person who did it. Null for an account without a name, for the public side, and for a
    /// hold that ran out.
    pub by: Option<String>,
    /// True if the caller did it.
    pub is_you: bool,
}

/// What happened to a guest, the oldest event first.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GuestTimeline {
    /// The guest.
    #[serde(serialize_with = "audit::guest")]
    pub guest_id: GuestId,
    /// The events.
    pub events: Vec<GuestEvent>,
}

/// What happened to a guest, by whom and when, the oldest event first. The read is recorded in the audit log.
#[utoipa::path(get, path = "/api/Guests/{id}/timeline", tag = "Guests", params(("id" = GuestId, Path)),
    responses((status = 200, description = "the events", body = GuestTimeline)))]
pub async fn timeline(State(app): State<App>, caller: Caller, Path(id): Path<GuestId>) -> Result<Response> {
    let site = caller.guest(id, Action::ViewGuests).await?;
    let mut tx = app.db.read().await?;
    let guest = guest(&mut tx, &site, id).await?;
    let events = events(&mut tx, &caller, id, &guest, app.now()).await?;
    drop(tx);
    let look = Look::at(&caller, &site, AuditAction::GuestViewed).of_version(guest.version);
    let look = look.asking(format!("timeline of {}", guest.code));
    let bytes = Shown::of(&GuestTimeline { guest_id: id, events })?.noted(&app, look).await?;
    Ok(audit::json(StatusCode::OK, bytes))
}

#[derive(sqlx::FromRow)]
struct GuestRow {
    code: String,
    version: i64,
    created_at: Timestamp,
    created_by: Option<UserId>,
    accepted_at: Option<Timestamp>,
    rejected_at: Option<Timestamp>,
    expired_at: Option<Timestamp>,
    expires_at: Option<Timestamp>,
}

async fn guest(tx: &mut Tx, site: &Site, id: GuestId) -> Result<GuestRow> {
    const GUEST: &str = "SELECT code, version, created_at, created_by, accepted_at, rejected_at, expired_at, expires_at \
        FROM guests WHERE id = $1 AND site_id = $2";
    Ok(tx.query(GUEST).bind(id).bind(site.id).one().await?)
}

#[derive(sqlx::FromRow)]
struct StayRow {
    started_at: Timestamp,
    started_by: Option<UserId>,
    ended_at: Option<Timestamp>,
    ended_by: Option<UserId>,
    end_reason: Option<EndReason>,
    bed_name: String,
    room_name: String,
}

/// An event whose person is an id, not a name yet.
struct Happened<'a> {
    at: Timestamp,
    kind: GuestEventKind,
    stay: Option<&'a StayRow>,
    by: Option<UserId>,
}

async fn events(
    tx: &mut Tx,
    caller: &Caller,
    id: GuestId,
    guest: &GuestRow,
    now: Timestamp,
) -> Result<Vec<GuestEvent>> {
    const STAYS: &str = "SELECT s.started_at, s.started_by, s.ended_at, s.ended_by, s.end_reason, b.name AS bed_name, \
        r.name AS room_name FROM stays s JOIN beds b ON b.id = s.bed_id JOIN rooms r ON r.id = b.room_id \
        WHERE s.guest_id = $1 ORDER BY s.started_at, s.id";
    const DECLINED_BY: &str = "SELECT actor_id FROM audit WHERE object_id = $1 AND action = 'guest.rejected' \
        ORDER BY at DESC, id DESC LIMIT 1";
    let stays: Vec<StayRow> = tx.query(STAYS).bind(id).all().await?;
    let mut happened =
        vec![Happened { at: guest.created_at, kind: GuestEventKind::Reserved, stay: None, by: guest.created_by }];
    let mut before: Option<&StayRow> = None;
    for stay in &stays {
        let kind = match before.and_then(|before| before.end_reason) {
            None => GuestEventKind::Accepted,
            Some(EndReason::Swapped) => GuestEventKind::Swapped,
            Some(EndReason::Reassigned | EndReason::Discharged) => GuestEventKind::Moved,
        };
        happened.push(Happened { at: stay.started_at, kind, stay: Some(stay), by: stay.started_by });
        before = Some(stay);
    }
    if let Some(last) = before
        && let (Some(at), Some(EndReason::Discharged)) = (last.ended_at, last.end_reason)
    {
        happened.push(Happened { at, kind: GuestEventKind::Discharged, stay: Some(last), by: last.ended_by });
    }
    if let Some(at) = guest.rejected_at {
        let by: Option<(Option<UserId>,)> = tx.query(DECLINED_BY).bind(id).optional().await?;
        let by = by.and_then(|(by,)| by);
        happened.push(Happened { at, kind: GuestEventKind::Declined, stay: None, by });
    }
    let is_open = guest.accepted_at.is_none() && guest.rejected_at.is_none();
    let over = guest.expires_at.filter(|end| is_open && *end <= now);
    if let Some(at) = guest.expired_at.or(over) {
        happened.push(Happened { at, kind: GuestEventKind::Expired, stay: None, by: None });
    }
    let people: Vec<UserId> = happened.iter().filter_map(|event| event.by).collect();
    let names = names(tx, people).await?;
    let told = |event: Happened<'_>| GuestEvent {
        at: event.at,
        kind: event.kind,
        room_name: event.stay.map(|stay| stay.room_name.clone()),
        bed_name: event.stay.map(|stay| stay.bed_name.clone()),
        by: event.by.and_then(|by| names.get(&by).cloned()),
        is_you: event.by == Some(caller.actor.user_id),
    };
    Ok(happened.into_iter().map(told).collect())
}

/// Returns the first and last names of those people who have any.
///
/// # Errors
/// Those of the database.
pub async fn names(tx: &mut Tx, mut people: Vec<UserId>) -> Result<HashMap<UserId, String>> {
    const NAMES: &str = "SELECT id, first_name, last_name FROM users WHERE id IN ($1..)";
    people.sort_unstable();
    people.dedup();
    let rows: Vec<(UserId, String, String)> = tx.query(NAMES).bind_list(people).all().await?;
    let named = rows.into_iter().map(|(id, first, last)| (id, format!("{first} {last}").trim().to_owned()));
    Ok(named.filter(|(_, name)| !name.is_empty()).collect())
}
