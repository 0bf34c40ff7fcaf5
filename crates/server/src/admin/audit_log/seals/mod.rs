//! Seals: a hash chain over the rows of the audit trail, in a table of its own, so that writers of the trail do not wait for
//! it (security-and-proof 2.1, attack 20; docs/decisions/0038).
//!
//! A seal covers the rows of a range of ids, and the previous seal. Ranges are adjacent and do not overlap. A job seals the
//! newer rows: on SQLite all of them, since rows appear in the order of their ids; on PostgreSQL only those that are old
//! enough that no running transaction can add a row with a smaller id.

mod chain;
mod head;
mod verify;

use berth_db::{Db, Engine};
use berth_domain::time::Timestamp;
use uuid::Uuid;

pub use self::chain::SealedRow;
pub use self::head::Head;
pub use self::verify::{Report, verify};
use super::Author;
use super::lists::{first_id_at, made_at};
use crate::{App, Result, change};

/// Maximum number of rows in a seal. A broken seal locates a change to this many rows.
pub const ROWS_PER_SEAL: i64 = 2_000;
/// Maximum number of seals in one run of the job.
const MAX_SEALS_PER_RUN: usize = 1_000;
/// Time, in milliseconds, after which no transaction on PostgreSQL can add a row with an older id: requests and idle
/// transactions end after 30 seconds.
const SETTLED_AFTER_MS: i64 = 120_000;
/// Maximum time, in milliseconds, that a clock may be behind the newest sealed row for new ids to continue after it. Also the
/// longest time without a row that a seal covers.
const MAX_CLOCK_GAP_MS: i64 = 24 * 3_600_000;

/// A stored seal.
#[derive(Debug, Clone, PartialEq, Eq, berth_db::FromRow)]
pub struct Seal {
    /// Position in the chain, from 1.
    pub ordinal: i64,
    /// The row before the first covered row.
    pub after_id: Uuid,
    /// The last covered row.
    pub last_id: Uuid,
    /// Number of covered rows.
    pub row_count: i64,
    /// When it was created.
    pub sealed_at: Timestamp,
    /// Hash in hex.
    pub hash: String,
    /// MAC of the hash with the operator's key, in hex.
    pub mac: Option<String>,
}

/// Returns the last seal of the chain.
async fn last_seal(db: &Db) -> Result<Option<Seal>> {
    const LAST: &str = "SELECT ordinal, after_id, last_id, row_count, sealed_at, hash, mac FROM audit_seals \
        ORDER BY ordinal DESC LIMIT 1";
    Ok(db.query(LAST).optional().await?)
}

/// A range of ids without a seal: after `after`, up to and including `until`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Gap {
    after: Uuid,
    until: Uuid,
}

/// Returns the ranges without a seal. Usually one, after the last seal; two if a clock was ahead while rows were sealed and
/// was then set back.
async fn gaps(app: &App) -> Result<Vec<Gap>> {
    const TOP: &str = "SELECT last_id FROM audit_seals ORDER BY last_id DESC LIMIT 1";
    const BELOW: &str = "SELECT last_id FROM audit_seals WHERE last_id < $1 ORDER BY last_id DESC LIMIT 1";
    const NEXT: &str = "SELECT after_id FROM audit_seals WHERE after_id >= $1 ORDER BY after_id LIMIT 1";
    let limit = limit(app).await?;
    let top: Option<(Uuid,)> = app.db.query(TOP).optional().await?;
    let Some((top,)) = top else { return Ok(vec![Gap { after: Uuid::nil(), until: limit }]) };
    let mut gaps = Vec::new();
    let now = first_id_at(app.now());
    if top > now {
        let below: Option<(Uuid,)> = app.db.query(BELOW).bind(now).optional().await?;
        let after = below.map_or(Uuid::nil(), |(id,)| id);
        let next: Option<(Uuid,)> = app.db.query(NEXT).bind(after).optional().await?;
        gaps.extend(next.map(|(until,)| Gap { after, until: until.min(limit) }));
    }
    gaps.push(Gap { after: top, until: limit });
    Ok(gaps.into_iter().filter(|gap| gap.after < gap.until).collect())
}

/// Returns the id up to which no rows are missing.
async fn limit(app: &App) -> Result<Uuid> {
    if app.db.engine() == Engine::Sqlite {
        return Ok(Uuid::max());
    }
    // The database's clock, since those of the nodes may differ.
    let now = app.db.clock().await?.map_or(app.now(), |clock| app.now().min(Timestamp::from_millis(clock)));
    Ok(first_id_at(now.plus_millis(-SETTLED_AFTER_MS)))
}

/// Makes the ids of this process continue after the newest sealed row if its clock is behind by up to a day: a row before it
/// would look like one that was inserted later. Called at startup and whenever the job looks for work.
pub async fn follow(app: &App) -> Result<()> {
    const TOP: &str = "SELECT last_id FROM audit_seals ORDER BY last_id DESC LIMIT 1";
    if let Some(clock) = app.db.clock().await? {
        app.follow_clock(Timestamp::from_millis(clock));
    }
    let top: Option<(Uuid,)> = app.db.query(TOP).optional().await?;
    if let Some((top,)) = top
        && top < first_id_at(app.now().plus_millis(MAX_CLOCK_GAP_MS))
    {
        app.follow_id(top);
    }
    Ok(())
}

/// Returns true if there are rows to seal.
pub async fn is_due(app: &App) -> Result<bool> {
    const ANY: &str = "SELECT id FROM audit WHERE id > $1 AND id <= $2 ORDER BY id LIMIT 1";
    for gap in gaps(app).await? {
        let row: Option<(Uuid,)> = app.db.query(ANY).bind(gap.after).bind(gap.until).optional().await?;
        if row.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Seals rows and returns the number of seals. Rows are read and hashed outside of the transaction that adds the seal, which
/// locks nothing that writers of the trail need. If two nodes run at once, one of them adds nothing.
pub async fn run(app: &App) -> Result<u64> {
    head::check(app).await?;
    let mut sealed = 0;
    'gaps: for mut gap in gaps(app).await? {
        for _ in 0..MAX_SEALS_PER_RUN {
            let Some(seal) = next(app, gap).await? else { continue 'gaps };
            gap.after = seal.last_id;
            if !add(app, &seal).await? {
                break 'gaps;
            }
            tracing::info!(ordinal = seal.ordinal, hash = seal.hash, rows = seal.row_count, "audit trail sealed");
            sealed += 1;
        }
    }
    if sealed > 0 {
        head::keep(app).await?;
    }
    Ok(sealed)
}

/// Returns the next seal of a gap, or `None` if it has no rows.
async fn next(app: &App, gap: Gap) -> Result<Option<Seal>> {
    let rows = chain::rows(&app.db, (gap.after, gap.until), ROWS_PER_SEAL).await?;
    let Some(last) = rows.last() else { return Ok(None) };
    let before = last_seal(&app.db).await?;
    // After a day without a row, the clock may have jumped ahead: the time between stays open for rows after it is set back.
    let first = rows[0].id();
    let is_far = !gap.after.is_nil() && made_at(first).millis() - made_at(gap.after).millis() > MAX_CLOCK_GAP_MS;
    let mut seal = Seal {
        ordinal: before.as_ref().map_or(1, |seal| seal.ordinal + 1),
        after_id: if is_far { Uuid::from_u128(first.as_u128() - 1) } else { gap.after },
        last_id: last.id(),
        row_count: i64::try_from(rows.len()).unwrap_or(i64::MAX),
        sealed_at: app.now(),
        hash: String::new(),
        mac: None,
    };
    seal.hash = chain::hash(before.as_ref().map(|seal| seal.hash.as_str()), &seal, &rows);
    seal.mac = chain::mac(app.settings.secret_key.as_ref(), &seal.hash);
    Ok(Some(seal))
}

/// Adds a seal. Returns false if another node added one with this ordinal first.
async fn add(app: &App, seal: &Seal) -> Result<bool> {
    const ADD: &str = "INSERT INTO audit_seals (ordinal, after_id, last_id, row_count, sealed_at, hash, mac) \
        VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING";
    change::run(app, Author::job(), |mut change| async move {
        let query = change.tx.query(ADD).bind(seal.ordinal).bind(seal.after_id).bind(seal.last_id);
        let query = query.bind(seal.row_count).bind(seal.sealed_at).bind(&seal.hash).bind(&seal.mac);
        let added = query.execute().await?;
        change.done(added == 1)
    })
    .await
}
