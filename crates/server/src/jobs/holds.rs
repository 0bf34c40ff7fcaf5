//! Records the end of holds, exactly once, and sends the reminders before (DESIGN 3, 6; I9).
//!
//! Reads treat a hold that is over as expired even if that is not recorded yet, so nobody notices if this job is late.

use berth_domain::id::{GuestId, SiteId};
use berth_domain::message::{GuestText, MAX_LATE_MINUTES, Notice};
use berth_domain::time::Timestamp;

use crate::admin::audit_log::{self, AuditAction, Author, Entry, ObjectKind};
use crate::auth::caller::Site;
use crate::housing::{guests, sites};
use crate::{App, Result, change};

/// Returns true if a hold has ended or a reminder is due.
pub async fn is_due(app: &App) -> Result<bool> {
    let now = app.now();
    let over: Vec<(SiteId,)> = app.db.query(SITES).bind(now).all().await?;
    let waiting: Vec<Waiting> = app.db.query(WAITING).bind(now).all().await?;
    Ok(!over.is_empty() || !waiting.is_empty())
}

/// Ends the holds and sends the reminders that are due, with one transaction for each site or reminder. Returns how
/// many there were.
///
/// # Errors
/// The last error, after everything else was done: an error at one site does not stop the others.
pub async fn run(app: &App) -> Result<u64> {
    let now = app.now();
    let (mut done, mut failed) = match end_overdue(app).await {
        Ok(ended) => (ended, None),
        Err(error) => (0, Some(error)),
    };
    let waiting: Vec<Waiting> = app.db.query(WAITING).bind(now).all().await?;
    for guest in waiting {
        match remind(app, &guest).await {
            Ok(reminded) => done += u64::from(reminded),
            Err(error) => failed = Some(error),
        }
    }
    failed.map_or(Ok(done), Err)
}

/// Records the end of every hold that is over, with one transaction for each site. Returns how many there were.
///
/// # Errors
/// The last error, after everything else was done.
pub async fn end_overdue(app: &App) -> Result<u64> {
    let mut done = 0;
    let mut failed = None;
    let over: Vec<(SiteId,)> = app.db.query(SITES).bind(app.now()).all().await?;
    for (site,) in over {
        match expire(app, site).await {
            Ok(expired) => done += expired,
            Err(error) => failed = Some(error),
        }
    }
    failed.map_or(Ok(done), Err)
}

/// Sites with a hold that is over.
const SITES: &str = concat!(
    "SELECT DISTINCT site_id FROM guests WHERE expires_at <= $1 AND ",
    guests::is_undecided!(""),
    " AND expires_at IS NOT NULL ORDER BY site_id"
);

/// Records the expiries of one site. The touch comes first, so an acceptance is either earlier, and then the guest is
/// no longer pending, or later, and then finds the guest expired.
async fn expire(app: &App, id: SiteId) -> Result<u64> {
    let expired: Result<u64> = change::run(app, Author::job(), |mut change| async move {
        // A removed site, too: its overdue holds must end.
        let version = sites::touch_removed_too(&mut change.tx, id).await?;
        change.now = change.app.now();
        let site = Site::load_removed_too(&mut change.tx, id).await?;
        let expired = end_overdue_of(&change.app, &mut change.tx, &site, change.now).await?;
        if expired == 0 {
            // Another node was first.
            return change::unchanged(0);
        }
        change.publish(site.organization_id, site.id, version);
        change.done(expired)
    })
    .await;
    let expired = expired?;
    app.metrics.holds_expired(expired);
    Ok(expired)
}

/// Records the end of the holds of a site that are over, after the site was touched. Returns how many there were.
pub async fn end_overdue_of(app: &App, tx: &mut berth_db::Tx, site: &Site, now: Timestamp) -> Result<u64> {
    const EXPIRE: &str = concat!(
        "UPDATE guests SET expired_at = $2, version = version + 1 WHERE site_id = $1 \
         AND expires_at <= $2 AND ",
        guests::is_undecided!(""),
        " RETURNING id, code"
    );
    let mut expired: Vec<(GuestId, String)> = tx.query(EXPIRE).bind(site.id).bind(now).all().await?;
    expired.sort();
    for (guest, code) in &expired {
        let entry = Entry::at(site, AuditAction::GuestExpired, (ObjectKind::Guest, guest.0), code.as_str());
        audit_log::write(app, tx, &Author::job(), &entry).await?;
        guests::queue_notice(tx, site, *guest, Notice::Expired, now).await?;
        guests::queue_text(tx, *guest, GuestText::Expired, now).await?;
    }
    Ok(u64::try_from(expired.len()).unwrap_or_default())
}

/// A pending guest whose site must be reminded.
#[derive(berth_db::FromRow)]
struct Waiting {
    id: GuestId,
    site_id: SiteId,
    expires_at: Timestamp,
    reminded: i64,
}

/// The site was reminded at half of the hold.
const AT_HALF: i64 = 1;
/// The site was reminded in the last hour.
const IN_LAST_HOUR: i64 = 2;

/// Guests whose reminder at half of the hold or in its last hour is due. A hold of up to two hours has no reminder in
/// the last hour: it would come with the one at half time or before.
const WAITING: &str = concat!(
    "SELECT id, site_id, expires_at, reminded FROM guests WHERE ",
    guests::is_undecided!(""),
    " AND expires_at IS NOT NULL \
     AND expires_at > $1 AND ((reminded = 0 AND created_at + (expires_at - created_at) / 2 <= $1) \
     OR (reminded < 2 AND expires_at - created_at > 7200000 AND expires_at - 3600000 <= $1)) ORDER BY expires_at, id"
);

/// The longest hold, in milliseconds, whose last hour begins at half time or before.
const SHORT_HOLD: i64 = 2 * 3_600_000;

/// Sends a reminder once, unless it is too late. The bits are set in the transaction that writes the messages, and only
/// if they are still unset. Returns true if it was sent.
async fn remind(app: &App, guest: &Waiting) -> Result<bool> {
    const REMINDED: &str = concat!(
        "UPDATE guests SET reminded = $2 WHERE id = $1 AND reminded = $3 AND ",
        guests::is_undecided!(""),
        " AND expires_at > $4 RETURNING id"
    );
    const HOLD: &str = "SELECT expires_at - created_at FROM guests WHERE id = $1";
    change::run(app, Author::job(), |mut change| async move {
        let now = change.now;
        let hold: i64 = change.tx.query(HOLD).bind(guest.id).scalar().await?;
        let is_last_hour = hold > SHORT_HOLD && guest.expires_at.plus_hours(-1) <= now;
        // If both reminders are due, only the later one is sent.
        let (bits, notice, moment) = if is_last_hour {
            (AT_HALF | IN_LAST_HOUR, Notice::LastHour, guest.expires_at.plus_hours(-1))
        } else {
            (AT_HALF, Notice::HalfTime, guest.expires_at.plus_millis(-hold / 2))
        };
        let update = change.tx.query(REMINDED).bind(guest.id).bind(bits).bind(guest.reminded).bind(now);
        let found: Option<(GuestId,)> = update.optional().await?;
        if found.is_none() {
            return change::unchanged(false);
        }
        // After a downtime "one hour left" would be wrong.
        let is_in_time = now <= moment.plus_minutes(MAX_LATE_MINUTES);
        if is_in_time {
            let site = Site::load_removed_too(&mut change.tx, guest.site_id).await?;
            guests::queue_notice(&mut change.tx, &site, guest.id, notice, moment).await?;
            // The guest gets one reminder: in the last hour, or at half of a hold that has no last hour of its own.
            if is_last_hour || hold <= SHORT_HOLD {
                guests::queue_text(&mut change.tx, guest.id, GuestText::Ending, moment).await?;
            }
        }
        change.done(is_in_time)
    })
    .await
}
