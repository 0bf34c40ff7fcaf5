//! Writes what the rules decided: ends and opens stays, sets times, stores feedback, and writes one audit row for each
//! guest.

use std::collections::HashMap;

use berth_db::Tx;
use berth_domain::guest::GuestFacts;
use berth_domain::id::{GuestId, ReasonId, UserId};
use berth_domain::message::GuestText;
use berth_domain::stay::{Change, EndReason, EndedStay, OpenedStay, Refusal, Reopened, Stamp};
use berth_domain::time::Timestamp;

use super::failure::Failure;
use super::state::is_undecided;
use super::texts;
use crate::App;
use crate::admin::audit_log::{self, AuditAction, Author, Entry, ObjectKind};
use crate::auth::caller::Site;
use crate::housing::sites;

/// Writes a decided change.
pub(super) struct Writer<'a> {
    pub app: &'a App,
    pub site: &'a Site,
    pub by: &'a Author,
    /// `None` if the guest cancels on the public side, which ends and opens no stay.
    pub user_id: Option<UserId>,
    /// The time of the change, never before the start of a stay that it ends.
    pub at: Timestamp,
    /// The codes of the guests.
    pub codes: &'a HashMap<GuestId, String>,
}

impl Writer<'_> {
    /// Writes a whole change: first what ends, then what begins. Each statement has its expected state as a condition;
    /// if the state is another one, the change is refused and the transaction must be dropped.
    pub(super) async fn write(&self, tx: &mut Tx, change: &Change) -> Result<(), Failure> {
        if let Some(stay) = &change.withdrawn {
            self.withdraw(tx, stay).await?;
        }
        for stay in &change.ended {
            self.end(tx, stay).await?;
        }
        for stay in &change.opened {
            self.open(tx, stay).await?;
        }
        for (guest, stamp) in &change.stamps {
            self.stamp(tx, *guest, *stamp).await?;
        }
        if let Some((guest, text)) = &change.feedback {
            const FEEDBACK: &str = "UPDATE guests SET feedback = $2 WHERE id = $1";
            tx.query(FEEDBACK).bind(*guest).bind(text.as_str()).execute().await?;
        }
        for (guest, stamp) in &change.stamps {
            if let Some(text) = text_about(*stamp) {
                texts::queue(tx, *guest, text, self.at).await?;
            }
        }
        for (guest, stamp) in &change.stamps {
            self.record(tx, change, *guest, *stamp).await?;
        }
        // Moves and swaps do not change the number of occupied beds.
        if change.ended.len() != change.opened.len() || change.withdrawn.is_some() {
            sites::settle(tx, self.site.id).await?;
        }
        Ok(())
    }

    async fn end(&self, tx: &mut Tx, stay: &EndedStay) -> Result<(), Failure> {
        const END: &str = "UPDATE stays SET ended_at = $3, ended_by = $4, end_reason = $5 \
            WHERE guest_id = $1 AND bed_id = $2 AND ended_at IS NULL";
        let end = tx.query(END).bind(stay.guest).bind(stay.bed).bind(self.at).bind(self.user_id).bind(stay.reason);
        changed_one(end.execute().await?)
    }

    /// Deletes a stay whose accept is undone. It was copied to `undone_accepts` before.
    async fn withdraw(&self, tx: &mut Tx, stay: &OpenedStay) -> Result<(), Failure> {
        const WITHDRAW: &str = "DELETE FROM stays WHERE guest_id = $1 AND bed_id = $2 AND ended_at IS NULL";
        changed_one(tx.query(WITHDRAW).bind(stay.guest).bind(stay.bed).execute().await?)
    }

    async fn open(&self, tx: &mut Tx, stay: &OpenedStay) -> Result<(), Failure> {
        const OPEN: &str = "INSERT INTO stays (id, site_id, guest_id, bed_id, started_at, started_by) \
            VALUES ($1, $2, $3, $4, $5, $6)";
        let open = tx.query(OPEN).bind(self.app.id()).bind(self.site.id).bind(stay.guest).bind(stay.bed);
        changed_one(open.bind(self.at).bind(self.user_id).execute().await?)
    }

    async fn stamp(&self, tx: &mut Tx, guest: GuestId, stamp: Stamp) -> Result<(), Failure> {
        const ACCEPTED: &str =
            concat!("UPDATE guests SET accepted_at = $2, version = version + 1 WHERE id = $1 AND ", is_undecided!(""));
        const REJECTED: &str =
            concat!("UPDATE guests SET rejected_at = $2, version = version + 1 WHERE id = $1 AND ", is_undecided!(""));
        const CANCELLED: &str = concat!(
            "UPDATE guests SET rejected_at = $2, cancelled_at = $2, version = version + 1 \
             WHERE id = $1 AND ",
            is_undecided!("")
        );
        const REASSIGNED: &str = "UPDATE guests SET reassigned_at = $2, version = version + 1 \
            WHERE id = $1 AND accepted_at IS NOT NULL AND discharged_at IS NULL";
        const DISCHARGED: &str = "UPDATE guests SET discharged_at = $2, version = version + 1 \
            WHERE id = $1 AND accepted_at IS NOT NULL AND discharged_at IS NULL";
        const DECLINE_UNDONE: &str = "UPDATE guests SET rejected_at = NULL, feedback = NULL, reason_id = NULL, expires_at = $2, \
            version = version + 1 WHERE id = $1 AND rejected_at IS NOT NULL AND cancelled_at IS NULL";
        const ARRIVED: &str = "UPDATE guests SET arrived_at = $2, version = version + 1 \
            WHERE id = $1 AND accepted_at IS NOT NULL AND arrived_at IS NULL AND discharged_at IS NULL";
        const ARRIVAL_UNDONE: &str = "UPDATE guests SET arrived_at = NULL, version = version + 1 \
            WHERE id = $1 AND arrived_at IS NOT NULL AND discharged_at IS NULL";
        const NO_SHOW: &str = "UPDATE guests SET discharged_at = $2, no_show_at = $2, version = version + 1 \
            WHERE id = $1 AND accepted_at IS NOT NULL AND arrived_at IS NULL AND discharged_at IS NULL";
        const DISCHARGE_UNDONE: &str = "UPDATE guests SET discharged_at = NULL, no_show_at = NULL, feedback = NULL, reason_id = NULL, version = version + 1 \
            WHERE id = $1 AND discharged_at IS NOT NULL";
        const ACCEPT_UNDONE: &str = "UPDATE guests SET accepted_at = NULL, arrived_at = NULL, expected_departure = NULL, version = version + 1 \
            WHERE id = $1 AND accepted_at IS NOT NULL AND reassigned_at IS NULL AND discharged_at IS NULL";
        const MERGED: &str =
            "UPDATE guests SET merged_at = $2, version = version + 1 WHERE id = $1 AND merged_at IS NULL";
        const MERGED_PENDING: &str = concat!(
            "UPDATE guests SET merged_at = $2, rejected_at = $2, version = version + 1 WHERE id = $1 AND merged_at IS NULL AND ",
            is_undecided!("")
        );
        const MERGE_UNDONE: &str =
            "UPDATE guests SET merged_at = NULL, version = version + 1 WHERE id = $1 AND merged_at IS NOT NULL";
        const REOPENED: &str = "UPDATE guests SET merged_at = NULL, rejected_at = NULL, expired_at = $2, version = version + 1 \
            WHERE id = $1 AND merged_at = rejected_at";
        let stamp = match stamp {
            Stamp::Accepted => tx.query(ACCEPTED).bind(guest).bind(self.at),
            Stamp::Cancelled => tx.query(CANCELLED).bind(guest).bind(self.at),
            Stamp::Reassigned => tx.query(REASSIGNED).bind(guest).bind(self.at),
            Stamp::Rejected => tx.query(REJECTED).bind(guest).bind(self.at),
            Stamp::Discharged => tx.query(DISCHARGED).bind(guest).bind(self.at),
            Stamp::Arrived => tx.query(ARRIVED).bind(guest).bind(self.at),
            Stamp::ArrivalUndone => tx.query(ARRIVAL_UNDONE).bind(guest),
            Stamp::NoShow => tx.query(NO_SHOW).bind(guest).bind(self.at),
            Stamp::DeclineUndone { expires_at } => tx.query(DECLINE_UNDONE).bind(guest).bind(expires_at),
            Stamp::DischargeUndone => tx.query(DISCHARGE_UNDONE).bind(guest),
            Stamp::AcceptUndone => tx.query(ACCEPT_UNDONE).bind(guest),
            Stamp::Merged { ends: false } => tx.query(MERGED).bind(guest).bind(self.at),
            Stamp::Merged { ends: true } => tx.query(MERGED_PENDING).bind(guest).bind(self.at),
            Stamp::MergeUndone(Reopened::No) => tx.query(MERGE_UNDONE).bind(guest),
            Stamp::MergeUndone(Reopened::Pending) => tx.query(REOPENED).bind(guest).bind(None::<Timestamp>),
            Stamp::MergeUndone(Reopened::Expired { at }) => tx.query(REOPENED).bind(guest).bind(Some(at)),
        };
        changed_one(stamp.execute().await?)
    }

    /// Writes the audit row of a guest. Each change of a guest has exactly one, so a swap has two (I11).
    async fn record(&self, tx: &mut Tx, change: &Change, guest: GuestId, stamp: Stamp) -> Result<(), Failure> {
        let code = self.codes.get(&guest).ok_or(berth_db::Error::NotFound)?;
        let is_swap = change.ended.iter().any(|stay| stay.reason == EndReason::Swapped);
        let action = match stamp {
            Stamp::Accepted => AuditAction::GuestAccepted,
            Stamp::Reassigned if is_swap => AuditAction::GuestSwapped,
            Stamp::Reassigned => AuditAction::GuestReassigned,
            Stamp::Rejected => AuditAction::GuestRejected,
            Stamp::Cancelled => AuditAction::GuestCancelled,
            Stamp::Discharged | Stamp::NoShow => AuditAction::GuestDischarged,
            Stamp::Arrived => AuditAction::GuestArrived,
            Stamp::ArrivalUndone => AuditAction::GuestArrivalUndone,
            Stamp::DeclineUndone { .. } => AuditAction::GuestDeclineUndone,
            Stamp::DischargeUndone => AuditAction::GuestDischargeUndone,
            Stamp::AcceptUndone => AuditAction::GuestAcceptUndone,
            Stamp::Merged { .. } => AuditAction::GuestMerged,
            Stamp::MergeUndone(_) => AuditAction::GuestMergeUndone,
        };
        let ended = change.ended.iter().find(|stay| stay.guest == guest).map(|stay| stay.bed);
        let from = ended.or_else(|| change.withdrawn.filter(|stay| stay.guest == guest).map(|stay| stay.bed));
        let to = change.opened.iter().find(|stay| stay.guest == guest).map(|stay| stay.bed);
        let summary = if stamp == Stamp::NoShow { format!("{code}: no-show") } else { code.clone() };
        let entry = Entry::at(self.site, action, (ObjectKind::Guest, guest.0), summary).between(from, to);
        Ok(audit_log::write(self.app, tx, self.by, &entry).await?)
    }
}

/// Stores the reason that was chosen for a decline or a discharge, which is written already.
pub(super) async fn set_reason(tx: &mut Tx, guest: GuestId, reason: ReasonId) -> Result<(), Failure> {
    const REASON: &str = "UPDATE guests SET reason_id = $2 WHERE id = $1";
    changed_one(tx.query(REASON).bind(guest).bind(reason).execute().await?)
}

/// Refuses the change unless a statement changed exactly one row.
fn changed_one(rows: u64) -> Result<(), Failure> {
    if rows == 1 { Ok(()) } else { Err(Refusal::BoardChanged.into()) }
}

/// Returns the text message to a guest about a change.
const fn text_about(stamp: Stamp) -> Option<GuestText> {
    match stamp {
        Stamp::Accepted => Some(GuestText::Accepted),
        Stamp::Rejected => Some(GuestText::Declined),
        Stamp::Cancelled => Some(GuestText::Cancelled),
        Stamp::AcceptUndone | Stamp::DeclineUndone { .. } => Some(GuestText::Reopened),
        Stamp::Reassigned
        | Stamp::Discharged
        | Stamp::DischargeUndone
        | Stamp::Arrived
        | Stamp::ArrivalUndone
        | Stamp::NoShow
        | Stamp::Merged { .. }
        | Stamp::MergeUndone(_) => None,
    }
}

/// Checks that the client's version of the guest, from the header or the body, is the current one.
pub(super) fn check_version(guest: &GuestFacts, header: Option<&[i64]>, body: Option<i64>) -> Result<(), Failure> {
    let present = header.is_none_or(|versions| versions.contains(&guest.version))
        && body.is_none_or(|version| version == guest.version);
    if present { Ok(()) } else { Err(Failure::Stale) }
}
