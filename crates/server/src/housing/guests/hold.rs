//! Extends the holds of reservations while the subscription that they wait for is being paid (docs/decisions/0046).

use berth_domain::guest::GuestFacts;
use berth_domain::stay::{PayingStep, hold_while_paying};

use super::state::{facts_columns, is_undecided};
use super::view::FactsRow;
use crate::admin::audit_log::{AuditAction, Author, Entry, ObjectKind};
use crate::auth::caller::Site;
use crate::change::{self, Change};
use crate::housing::sites;
use crate::{App, Result};

/// A reservation whose hold ends soon.
#[derive(berth_db::FromRow)]
struct Row {
    code: String,
    #[row(flatten)]
    facts: FactsRow,
    extensions: i64,
}

/// Pending reservations from the public side whose holds end after `$2` and before `$3`.
const ENDING: &str = concat!(
    "SELECT g.code, ",
    facts_columns!("g."),
    ", (SELECT COUNT(*) FROM hold_extensions x WHERE x.guest_id = g.id) AS extensions \
     FROM guests g WHERE g.site_id = $1 AND g.source = 'Web' AND ",
    is_undecided!("g."),
    " AND g.expires_at > $2 AND g.expires_at < $3 ORDER BY g.expires_at, g.id"
);

/// Extends the holds of a site's reservations that would end while `by` takes a step to pay for its subscription, each
/// once and by at most 30 minutes, and publishes the new version of the site.
///
/// # Errors
/// 404 if the site was removed in the meantime.
pub async fn extend_holds(app: &App, by: &Author, site: &Site, step: PayingStep) -> Result<()> {
    let now = app.now();
    // The site is already paid for, so the reservations can be accepted.
    if sites::subscription(&app.db, site.id, now).await?.is_active {
        return Ok(());
    }
    let ending = app.db.query(ENDING).bind(site.id).bind(now).bind(now.plus_minutes(step.minutes()));
    let ending: Vec<Row> = ending.all().await?;
    // Usually no hold is about to end, and the site's row need not be locked.
    if ending.iter().all(|row| row.extensions > 0) {
        return Ok(());
    }
    change::run(app, by.clone(), |mut change| async move {
        // A hold that has ended before stays ended, and the lock keeps the others from ending before the commit.
        change.touch(site).await?;
        let (now, until) = (change.now, change.now.plus_minutes(step.minutes()));
        let ending: Vec<Row> = change.tx.query(ENDING).bind(site.id).bind(now).bind(until).all().await?;
        let mut extended = 0;
        for row in ending {
            extended += u64::from(extend(&mut change, site, row, step).await?);
        }
        if extended == 0 { change::unchanged(()) } else { change.done(()) }
    })
    .await
}

/// Extends one hold and returns true, or returns false if the rules do not allow it.
async fn extend(change: &mut Change, site: &Site, row: Row, step: PayingStep) -> Result<bool> {
    const RECORD: &str = "INSERT INTO hold_extensions (guest_id, old_end, new_end, extended_at) \
        VALUES ($1, $2, $3, $4) ON CONFLICT (guest_id) DO NOTHING";
    const EXTEND: &str = concat!(
        "UPDATE guests SET expires_at = $3, version = version + 1 WHERE id = $1 AND expires_at = $2 AND ",
        is_undecided!(""),
        " RETURNING version"
    );
    let (guest, now) = (GuestFacts::from(row.facts), change.now);
    let new_end = hold_while_paying(&guest, row.extensions > 0, step, now);
    let (Some(old_end), Some(new_end)) = (guest.expires_at, new_end) else { return Ok(false) };
    let record = change.tx.query(RECORD).bind(guest.id).bind(old_end).bind(new_end).bind(now);
    if record.execute().await? == 0 {
        return Ok(false);
    }
    let _: i64 = change.tx.query(EXTEND).bind(guest.id).bind(old_end).bind(new_end).scalar().await?;
    let summary = format!("{}: held until {new_end}, not {old_end}", row.code);
    change.record(Entry::at(site, AuditAction::GuestHoldExtended, (ObjectKind::Guest, guest.id.0), summary)).await?;
    Ok(true)
}
