//! Extends the holds of reservations while the subscription that they wait for is being paid (docs/decisions/0046).

use berth_domain::guest::GuestFacts;
use berth_domain::stay::{PayingStep, hold_while_paying};

use super::state::{facts_columns, is_undecided};
use super::view::FactsRow;
use crate::admin::audit_log::{self, AuditAction, Author, Entry, ObjectKind};
use crate::auth::caller::Site;
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

/// Extends the holds of a site's reservations that would end while `by` takes a step to pay for its subscription, each once and by
/// at most 30 minutes, and publishes the new version of the site.
///
/// # Errors
/// 404 when the site was deleted in the meantime.
pub async fn extend_holds(app: &App, by: &Author, site: &Site, step: PayingStep) -> Result<()> {
    let now = app.now();
    // What was paid before lasts: the reservations can be accepted already.
    if sites::subscription(&mut app.db.read().await?, site.id, now).await?.is_active {
        return Ok(());
    }
    let ending = app.db.query(ENDING).bind(site.id).bind(now).bind(now.plus_minutes(step.minutes()));
    let ending: Vec<Row> = ending.all().await?;
    // Usually no hold is about to end, and the site's row need not be locked.
    if ending.iter().all(|row| row.extensions > 0) {
        return Ok(());
    }
    berth_db::retry(|| attempt(app, by, site, step)).await
}

/// Locks the site first. A hold that has ended before stays ended, and no other hold can end before the commit.
async fn attempt(app: &App, by: &Author, site: &Site, step: PayingStep) -> Result<()> {
    const RECORD: &str = "INSERT INTO hold_extensions (guest_id, old_end, new_end, extended_at) \
        VALUES ($1, $2, $3, $4) ON CONFLICT (guest_id) DO NOTHING";
    const EXTEND: &str = concat!(
        "UPDATE guests SET expires_at = $3, version = version + 1 WHERE id = $1 AND expires_at = $2 AND ",
        is_undecided!(""),
        " RETURNING version"
    );
    let mut tx = app.db.begin().await?;
    let version = sites::touch(&mut tx, site.id).await?;
    let now = app.now();
    let ending = tx.query(ENDING).bind(site.id).bind(now).bind(now.plus_minutes(step.minutes()));
    let ending: Vec<Row> = ending.all().await?;
    let mut extended = 0;
    for Row { code, facts, extensions } in ending {
        let guest = GuestFacts::from(facts);
        let (Some(old_end), Some(new_end)) = (guest.expires_at, hold_while_paying(&guest, extensions > 0, step, now))
        else {
            continue;
        };
        let record = tx.query(RECORD).bind(guest.id).bind(old_end).bind(new_end).bind(now);
        if record.execute().await? == 0 {
            continue;
        }
        let _: i64 = tx.query(EXTEND).bind(guest.id).bind(old_end).bind(new_end).scalar().await?;
        let summary = format!("{code}: held until {new_end}, not {old_end}");
        let entry = Entry::at(site, AuditAction::GuestHoldExtended, (ObjectKind::Guest, guest.id.0), summary);
        audit_log::write(app, &mut tx, by, &entry).await?;
        extended += 1;
    }
    if extended == 0 {
        return Ok(tx.rollback().await?);
    }
    app.live.commit(tx, site, version).await
}
