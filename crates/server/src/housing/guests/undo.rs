//! Loads the facts for an undo while the site is locked, and records the undo (docs/decisions/0047).

use berth_db::Tx;
use berth_domain::guest::{GuestFacts, GuestStatus};
use berth_domain::id::{BedId, GuestId, UserId};
use berth_domain::policy::Action;
use berth_domain::stay::{ActiveReservations, Overrides, UndoFacts};
use berth_domain::time::Timestamp;
use uuid::Uuid;

use super::failure::Failure;
use super::person::{self, Active, PersonKey};
use crate::auth::caller::{Caller, Site};
use crate::housing::capacity;
use crate::{App, Error};

/// The decision that is undone.
pub(super) struct Decision {
    row: Row,
    is_accept: bool,
}

/// A decision, as its row in the audit trail.
#[derive(berth_db::FromRow)]
struct Row {
    id: Uuid,
    actor_id: Option<UserId>,
    bed_id: Option<BedId>,
}

/// Loads the decision about a guest and the facts for its undo. Locks the person if the undo adds an active
/// reservation: that of a decline or discharge. `None` if there is nothing to undo.
///
/// # Errors
/// [`Failure::Overdue`] if a hold has ended, but its end is not recorded yet.
pub(super) async fn read(
    tx: &mut Tx,
    (caller, site): (&Caller, &Site),
    guest: &GuestFacts,
    persons: PersonKey,
    now: Timestamp,
) -> Result<Option<(Decision, UndoFacts)>, Failure> {
    // The audit rows of demo data name no bed, so the bed comes from the last stay.
    const DECISION: &str = "SELECT a.id, a.actor_id, COALESCE(a.from_bed_id, (SELECT s.bed_id FROM stays s \
        WHERE s.guest_id = a.object_id AND s.end_reason = 'discharged' ORDER BY s.started_at DESC, s.id DESC LIMIT 1)) \
        AS bed_id FROM audit a WHERE a.object_id = $1 \
        AND a.action IN ('guest.rejected', 'guest.discharged') \
        AND NOT EXISTS (SELECT 1 FROM guest_undos u WHERE u.decision_id = a.id) ORDER BY a.id DESC LIMIT 1";
    const DECLINES: &str = "SELECT COUNT(*) FROM guest_undos WHERE guest_id = $1 AND kind = 'declined'";
    match guest.status(now) {
        GuestStatus::Accepted => return accept(tx, caller, guest).await.map(Some),
        GuestStatus::Rejected | GuestStatus::Discharged
            if guest.cancelled_at.is_none() && guest.merged_at.is_none() => {}
        _ => return Ok(None),
    }
    let row: Option<Row> = tx.query(DECISION).bind(guest.id).optional().await?;
    let row = row.ok_or_else(|| Error::internal("a decision without an audit row"))?;
    let undone_declines: i64 = tx.query(DECLINES).bind(guest.id).scalar().await?;
    let facts = UndoFacts {
        may_undo_all: caller.may(Action::UndoDecision, &site.target()),
        is_own: row.actor_id == Some(caller.actor.user_id),
        was_decline_undone: undone_declines > 0,
        bed: row.bed_id,
        ..reopening(tx, (caller, site), guest.id, persons, now).await?.facts
    };
    Ok(Some((Decision { row, is_accept: false }, facts)))
}

/// What decides whether a reservation may be active again.
pub(super) struct Reopening {
    /// The vacant beds of the site.
    pub vacant: i64,
    /// Without what is known of a decision.
    pub facts: UndoFacts,
}

/// Locks the person of a guest, and loads what decides whether the reservation may be active again.
///
/// # Errors
/// [`Failure::Overdue`] if a hold has ended, but its end is not recorded yet.
pub(super) async fn reopening(
    tx: &mut Tx,
    (caller, site): (&Caller, &Site),
    id: GuestId,
    persons: PersonKey,
    now: Timestamp,
) -> Result<Reopening, Failure> {
    const ALLOWED: &str = "SELECT action FROM audit WHERE object_id = $1 \
        AND action IN ('guest.third-allowed', 'guest.over-capacity')";
    const PERSON: &str = "SELECT phone, email_key, source = 'Admin' FROM guests WHERE id = $1";
    let allowed: Vec<(String,)> = tx.query(ALLOWED).bind(id).all().await?;
    let was_allowed = |wanted: &str| allowed.iter().any(|(action,)| action == wanted);
    let (phone, email, is_by_hand): (String, String, bool) = tx.query(PERSON).bind(id).one().await?;
    let room = capacity::capacity(tx, site.id, now).await?;
    let active = person::lock_active(tx, persons, &phone, is_by_hand.then_some(email.as_str()), now).await?;
    if room.overdue > 0 || active.iter().any(|other| other.is_overdue) {
        return Err(Failure::Overdue);
    }
    let facts = UndoFacts {
        may_undo_all: false,
        is_own: false,
        has_earlier_stay: false,
        was_decline_undone: false,
        bed: None,
        live_pending: room.pending,
        active: Active::counted(&active, |other| caller.may(Action::ViewGuests, &other.target())),
        allowed: Overrides {
            third: was_allowed("guest.third-allowed"),
            over_capacity: was_allowed("guest.over-capacity"),
        },
    };
    Ok(Reopening { vacant: room.vacant, facts })
}

/// Loads who accepted a guest, and whether the guest has had another stay.
async fn accept(tx: &mut Tx, caller: &Caller, guest: &GuestFacts) -> Result<(Decision, UndoFacts), Failure> {
    const DECISION: &str = "SELECT a.id, a.actor_id, a.to_bed_id AS bed_id FROM audit a WHERE a.object_id = $1 \
        AND a.action = 'guest.accepted' \
        AND NOT EXISTS (SELECT 1 FROM undone_accepts u WHERE u.decision_id = a.id) ORDER BY a.id DESC LIMIT 1";
    const STAYS: &str = "SELECT COUNT(*) FROM stays WHERE guest_id = $1";
    let row: Option<Row> = tx.query(DECISION).bind(guest.id).optional().await?;
    let row = row.ok_or_else(|| Error::internal("a decision without an audit row"))?;
    let stays: i64 = tx.query(STAYS).bind(guest.id).scalar().await?;
    let facts = UndoFacts {
        may_undo_all: false,
        is_own: row.actor_id == Some(caller.actor.user_id),
        has_earlier_stay: stays > 1,
        was_decline_undone: false,
        bed: row.bed_id,
        live_pending: 0,
        active: ActiveReservations::default(),
        allowed: Overrides::default(),
    };
    Ok((Decision { row, is_accept: true }, facts))
}

/// Records an undo with the data that the guest's row is about to lose and, for an accept, the stay. The database
/// rejects a second record for the same decision.
pub(super) async fn record(
    app: &App,
    tx: &mut Tx,
    decision: &Decision,
    guest: GuestId,
    (user_id, at): (UserId, Timestamp),
) -> Result<(), Failure> {
    const RECORD: &str = "INSERT INTO guest_undos (id, guest_id, decision_id, kind, decided_at, decided_by, feedback, reason_id, \
        undone_at, undone_by) SELECT $1, g.id, $2, CASE WHEN g.discharged_at IS NULL THEN 'declined' ELSE 'discharged' END, \
        COALESCE(g.discharged_at, g.rejected_at), $3, g.feedback, g.reason_id, $4, $5 FROM guests g WHERE g.id = $6";
    const RECORD_ACCEPT: &str = "INSERT INTO undone_accepts (id, guest_id, bed_id, decision_id, accepted_at, accepted_by, \
        undone_at, undone_by, placement_reason) SELECT $1, s.guest_id, s.bed_id, $2, s.started_at, $3, $4, $5, s.placement_reason FROM stays s \
        WHERE s.guest_id = $6 AND s.ended_at IS NULL";
    let record = tx.query(if decision.is_accept { RECORD_ACCEPT } else { RECORD });
    let record = record.bind(app.id()).bind(decision.row.id).bind(decision.row.actor_id).bind(at).bind(user_id);
    record.bind(guest).execute().await?;
    Ok(())
}
