//! `GET /api/Guests/{id}/timeline`: the events of a guest, from the stays, the audit log and the undone decisions.

use std::collections::HashMap;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use berth_db::{Queries, Tx};
use berth_domain::id::{GuestId, UserId};
use berth_domain::policy::Action;
use berth_domain::stay::EndReason;
use berth_domain::time::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::merges::{self, MergeEvent};
use crate::admin::audit_log::{self, AuditAction, Look, Shown};
use crate::auth::caller::{Caller, Site};
use crate::http::body::Path;
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
    /// The guest cancelled the reservation on the public side.
    Cancelled,
    /// The guest arrived.
    Arrived,
    /// The guest did not come, and the bed was freed.
    NoShow,
    /// The guest left.
    Discharged,
    /// The hold was extended, because somebody began to pay for the subscription that the reservation waits for.
    HoldExtended,
    /// The hold ran out.
    Expired,
    /// The accept was undone: the reservation is pending again, and the bed free.
    AcceptUndone,
    /// The decline was undone: the reservation is pending again.
    DeclineUndone,
    /// The discharge was undone: the guest has the same bed again.
    DischargeUndone,
    /// The reservation was merged into another one, which is kept.
    Merged,
    /// Another reservation was merged into this one.
    MergedHere,
    /// A merge was undone.
    MergeUndone,
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
    /// The new end of a hold that was extended. Null for other events.
    pub held_until: Option<Timestamp>,
    /// The feedback of a decision that was undone later. The feedback of a decision that was not undone is a field of
    /// the guest.
    pub feedback: Option<String>,
    /// The chosen reason of a decision that was undone later.
    pub reason_name: Option<String>,
    /// Why the guest got this bed against the rules of the site or the house. Null for other events.
    pub placement_reason: Option<String>,
    /// First name, last initial and code of the other reservation of a merge. Null for other events, and if it is at a site whose guests the
    /// caller may not see.
    pub merged_with: Option<String>,
}

/// The events of a guest, oldest first.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GuestTimeline {
    /// The guest.
    #[serde(serialize_with = "audit_log::guest")]
    pub guest_id: GuestId,
    /// The events.
    pub events: Vec<GuestEvent>,
}

/// Lists the events of a guest, oldest first. The read is recorded in the audit log.
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
    Ok(audit_log::json(StatusCode::OK, bytes))
}

#[derive(berth_db::FromRow)]
struct GuestRow {
    code: String,
    version: i64,
    created_at: Timestamp,
    created_by: Option<UserId>,
    accepted_at: Option<Timestamp>,
    rejected_at: Option<Timestamp>,
    cancelled_at: Option<Timestamp>,
    expired_at: Option<Timestamp>,
    merged_at: Option<Timestamp>,
    expires_at: Option<Timestamp>,
    arrived_at: Option<Timestamp>,
    no_show_at: Option<Timestamp>,
}

async fn guest(tx: &mut Tx, site: &Site, id: GuestId) -> Result<GuestRow> {
    const GUEST: &str = "SELECT code, version, created_at, created_by, accepted_at, rejected_at, cancelled_at, expired_at, \
        merged_at, expires_at, arrived_at, no_show_at FROM guests WHERE id = $1 AND site_id = $2";
    Ok(tx.query(GUEST).bind(id).bind(site.id).one().await?)
}

#[derive(berth_db::FromRow)]
struct StayRow {
    started_at: Timestamp,
    started_by: Option<UserId>,
    ended_at: Option<Timestamp>,
    ended_by: Option<UserId>,
    end_reason: Option<EndReason>,
    placement_reason: Option<String>,
    bed_name: String,
    room_name: String,
}

/// An event whose person is not resolved to a name yet.
struct RawEvent<'a> {
    at: Timestamp,
    kind: GuestEventKind,
    stay: Option<&'a StayRow>,
    by: Option<UserId>,
    feedback: Option<&'a str>,
    reason_name: Option<&'a str>,
    placement_reason: Option<&'a str>,
    held_until: Option<Timestamp>,
    merged_with: Option<&'a MergeEvent>,
}

impl<'a> RawEvent<'a> {
    const fn new(at: Timestamp, kind: GuestEventKind, by: Option<UserId>) -> Self {
        Self {
            at,
            kind,
            stay: None,
            by,
            feedback: None,
            reason_name: None,
            placement_reason: None,
            held_until: None,
            merged_with: None,
        }
    }

    const fn at_bed(self, stay: &'a StayRow) -> Self {
        Self { stay: Some(stay), ..self }
    }

    /// Adds the feedback and the reason of a decision that was undone.
    fn undone_by(self, undo: Option<&'a UndoRow>) -> Self {
        let feedback = undo.and_then(|undo| undo.feedback.as_deref());
        Self { feedback, reason_name: undo.and_then(|undo| undo.reason_name.as_deref()), ..self }
    }
}

#[derive(berth_db::FromRow)]
struct UndoRow {
    id: Uuid,
    is_decline: bool,
    decided_at: Timestamp,
    decided_by: Option<UserId>,
    feedback: Option<String>,
    reason_name: Option<String>,
    undone_at: Timestamp,
    undone_by: UserId,
}

/// An accept that was undone, with the stay that it had begun.
#[derive(berth_db::FromRow)]
struct UndoneAccept {
    id: Uuid,
    undone_at: Timestamp,
    undone_by: UserId,
    #[row(flatten)]
    stay: StayRow,
}

#[derive(berth_db::FromRow)]
struct ExtensionRow {
    extended_at: Timestamp,
    new_end: Timestamp,
    extended_by: Option<UserId>,
}

async fn events(
    tx: &mut Tx,
    caller: &Caller,
    id: GuestId,
    guest: &GuestRow,
    now: Timestamp,
) -> Result<Vec<GuestEvent>> {
    const STAYS: &str = "SELECT s.started_at, s.started_by, s.ended_at, s.ended_by, s.end_reason, s.placement_reason, b.name AS bed_name, \
        r.name AS room_name FROM stays s JOIN beds b ON b.id = s.bed_id JOIN rooms r ON r.id = b.room_id \
        WHERE s.guest_id = $1 ORDER BY s.started_at, s.id";
    const DECLINED_BY: &str = "SELECT actor_id FROM audit WHERE object_id = $1 AND action = 'guest.rejected' \
        AND NOT EXISTS (SELECT 1 FROM guest_undos u WHERE u.decision_id = audit.id) ORDER BY at DESC, id DESC LIMIT 1";
    const ARRIVED_BY: &str = "SELECT actor_id FROM audit WHERE object_id = $1 AND action = 'guest.arrived' AND at = $2 \
        ORDER BY id DESC LIMIT 1";
    const ACCEPTS: &str = "SELECT u.id, u.undone_at, u.undone_by, u.accepted_at AS started_at, u.accepted_by AS started_by, \
        u.undone_at AS ended_at, u.undone_by AS ended_by, NULL AS end_reason, u.placement_reason, b.name AS bed_name, r.name AS room_name \
        FROM undone_accepts u JOIN beds b ON b.id = u.bed_id JOIN rooms r ON r.id = b.room_id WHERE u.guest_id = $1";
    const UNDOS: &str = "SELECT u.id, u.kind = 'declined' AS is_decline, u.decided_at, u.decided_by, u.feedback, \
        q.name AS reason_name, u.undone_at, u.undone_by FROM guest_undos u LEFT JOIN reasons q ON q.id = u.reason_id \
        WHERE u.guest_id = $1 ORDER BY u.undone_at, u.id";
    const EXTENSION: &str = "SELECT x.extended_at, x.new_end, (SELECT a.actor_id FROM audit a \
        WHERE a.object_id = x.guest_id AND a.action = 'guest.hold-extended' ORDER BY a.id LIMIT 1) AS extended_by \
        FROM hold_extensions x WHERE x.guest_id = $1";
    let stays: Vec<StayRow> = tx.query(STAYS).bind(id).all().await?;
    let undos: Vec<UndoRow> = tx.query(UNDOS).bind(id).all().await?;
    let accepts: Vec<UndoneAccept> = tx.query(ACCEPTS).bind(id).all().await?;
    let merges = merges::of_guest(tx, id).await?;
    let mut events = vec![RawEvent::new(guest.created_at, GuestEventKind::Reserved, guest.created_by)];
    // Decisions that were undone before the first stay, each followed by its undo.
    let declines = undos.iter().filter(|undo| undo.is_decline).map(|undo| {
        let declined = RawEvent::new(undo.decided_at, GuestEventKind::Declined, undo.decided_by);
        let undone = RawEvent::new(undo.undone_at, GuestEventKind::DeclineUndone, Some(undo.undone_by));
        ((undo.undone_at, undo.id), [declined.undone_by(Some(undo)), undone])
    });
    let accepts = accepts.iter().map(|undo| {
        let accepted = RawEvent::new(undo.stay.started_at, GuestEventKind::Accepted, undo.stay.started_by);
        let undone = RawEvent::new(undo.undone_at, GuestEventKind::AcceptUndone, Some(undo.undone_by));
        let accepted =
            RawEvent { placement_reason: undo.stay.placement_reason.as_deref(), ..accepted.at_bed(&undo.stay) };
        ((undo.undone_at, undo.id), [accepted, undone.at_bed(&undo.stay)])
    });
    let mut undone: Vec<_> = declines.chain(accepts).collect();
    undone.sort_by_key(|(order, _)| *order);
    events.extend(undone.into_iter().flat_map(|(_, events)| events));
    let mut discharges = undos.iter().filter(|undo| !undo.is_decline);
    let mut before: Option<&StayRow> = None;
    for stay in &stays {
        let kind = match before.and_then(|before| before.end_reason) {
            None => GuestEventKind::Accepted,
            Some(EndReason::Swapped) => GuestEventKind::Swapped,
            Some(EndReason::Reassigned) => GuestEventKind::Moved,
            Some(EndReason::Discharged) => GuestEventKind::DischargeUndone,
        };
        let placed = RawEvent::new(stay.started_at, kind, stay.started_by).at_bed(stay);
        events.push(RawEvent { placement_reason: stay.placement_reason.as_deref(), ..placed });
        if let (Some(at), Some(EndReason::Discharged)) = (stay.ended_at, stay.end_reason) {
            let is_no_show = guest.no_show_at == Some(at);
            let kind = if is_no_show { GuestEventKind::NoShow } else { GuestEventKind::Discharged };
            let discharged = RawEvent::new(at, kind, stay.ended_by);
            events.push(discharged.at_bed(stay).undone_by(discharges.next()));
        }
        before = Some(stay);
    }
    if let Some(at) = guest.cancelled_at {
        events.push(RawEvent::new(at, GuestEventKind::Cancelled, None));
    } else if let Some(at) = guest.rejected_at.filter(|at| guest.merged_at != Some(*at)) {
        let by: Option<(Option<UserId>,)> = tx.query(DECLINED_BY).bind(id).optional().await?;
        events.push(RawEvent::new(at, GuestEventKind::Declined, by.and_then(|(by,)| by)));
    }
    let is_open = guest.accepted_at.is_none() && guest.rejected_at.is_none();
    let over = guest.expires_at.filter(|end| is_open && *end <= now);
    if let Some(at) = guest.expired_at.or(over) {
        events.push(RawEvent::new(at, GuestEventKind::Expired, None));
    }
    let extension: Option<ExtensionRow> = tx.query(EXTENSION).bind(id).optional().await?;
    if let Some(ExtensionRow { extended_at, new_end, extended_by }) = extension {
        // Only the hold of a pending reservation is extended, so the decision and the end of the hold come later.
        let later = events.iter().skip(1).position(|event| event.at >= extended_at);
        let at = later.map_or(events.len(), |later| later + 1);
        let extended = RawEvent::new(extended_at, GuestEventKind::HoldExtended, extended_by);
        events.insert(at, RawEvent { held_until: Some(new_end), ..extended });
    }
    if let Some(at) = guest.arrived_at {
        // None for a guest who had a bed when the site began to ask: nobody has said when the guest came.
        let by: Option<(Option<UserId>,)> = tx.query(ARRIVED_BY).bind(id).bind(at).optional().await?;
        let later = events.iter().position(|event| event.at > at).unwrap_or(events.len());
        if let Some((by,)) = by {
            events.insert(later, RawEvent::new(at, GuestEventKind::Arrived, by));
        }
    }
    for merge in &merges {
        let kind = if merge.is_duplicate(id) { GuestEventKind::Merged } else { GuestEventKind::MergedHere };
        let merged = (merge.merged_at, kind, Some(merge.merged_by));
        let undone = merge.undone_at.map(|at| (at, GuestEventKind::MergeUndone, merge.undone_by));
        for (at, kind, by) in [Some(merged), undone].into_iter().flatten() {
            let later = events.iter().position(|event| event.at > at).unwrap_or(events.len());
            events.insert(later, RawEvent { merged_with: Some(merge), ..RawEvent::new(at, kind, by) });
        }
    }
    let people: Vec<UserId> = events.iter().filter_map(|event| event.by).collect();
    let names = names(tx, people).await?;
    let resolve = |event: RawEvent<'_>| GuestEvent {
        at: event.at,
        kind: event.kind,
        room_name: event.stay.map(|stay| stay.room_name.clone()),
        bed_name: event.stay.map(|stay| stay.bed_name.clone()),
        by: event.by.and_then(|by| names.get(&by).cloned()),
        is_you: event.by == Some(caller.actor.user_id),
        held_until: event.held_until,
        feedback: event.feedback.map(str::to_owned),
        reason_name: event.reason_name.map(str::to_owned),
        placement_reason: event.placement_reason.map(str::to_owned),
        merged_with: event.merged_with.and_then(|merge| merge.other(caller)),
    };
    Ok(events.into_iter().map(resolve).collect())
}

/// Returns the first and last names of those people who have any.
pub async fn names(mut db: impl Queries, mut people: Vec<UserId>) -> Result<HashMap<UserId, String>> {
    const NAMES: &str = "SELECT id, first_name, last_name FROM users WHERE id IN ($1..)";
    people.sort_unstable();
    people.dedup();
    let rows: Vec<(UserId, String, String)> = db.query(NAMES).bind_list(people).all().await?;
    let named = rows.into_iter().map(|(id, first, last)| (id, format!("{first} {last}").trim().to_owned()));
    Ok(named.filter(|(_, name)| !name.is_empty()).collect())
}
