//! Seals: a hash chain over the rows of the trail, in a table of its own, so that nobody who writes the trail waits for it
//! (security-and-proof 2.1, attack 20; docs/decisions/0038).
//!
//! A seal covers the rows of a range of ids and the seal before it. Ranges follow each other and do not overlap. What is
//! newer than the last seal is not sealed yet: on SQLite, rows appear in the order of their ids, so that the job seals all
//! there are; on PostgreSQL it leaves out what a running transaction could still come before.

mod chain;
mod head;
mod verify;

use berth_db::{Db, Engine};
use berth_domain::time::Timestamp;
use uuid::Uuid;

pub use self::chain::SealedRow;
pub use self::head::Head;
pub use self::verify::{Report, verify};
use super::lists::{first_id_at, made_at};
use crate::{App, Result};

/// The most rows of one seal: what a broken one points at.
pub const ROWS_PER_SEAL: i64 = 2_000;
/// Seals in one turn of the job.
const SEALS_PER_TURN: usize = 1_000;
/// After so many milliseconds no transaction on PostgreSQL can still add a row with an older id: a request ends after 30
/// seconds, an idle transaction too.
const SETTLED_AFTER: i64 = 120_000;
/// How far behind the newest sealed row a clock may be for ids to go on behind that row, in milliseconds; also the longest
/// time without a row that a seal covers.
const MAX_FOLLOWED: i64 = 24 * 3_600_000;

/// A seal as it is stored.
#[derive(Debug, Clone, PartialEq, Eq, berth_db::FromRow)]
pub struct Seal {
    /// Its place in the chain, from 1.
    pub ordinal: i64,
    /// It covers the rows behind this one …
    pub after_id: Uuid,
    /// … up to this one.
    pub last_id: Uuid,
    /// How many there are.
    pub row_count: i64,
    /// When it was made.
    pub sealed_at: Timestamp,
    /// The hash in hex.
    pub hash: String,
    /// The hash under the operator's key, in hex.
    pub mac: Option<String>,
}

/// The last seal of the chain.
async fn last_seal(db: &Db) -> Result<Option<Seal>> {
    const LAST: &str = "SELECT ordinal, after_id, last_id, row_count, sealed_at, hash, mac FROM audit_seals \
        ORDER BY ordinal DESC LIMIT 1";
    Ok(db.query(LAST).optional().await?)
}

/// Where rows can stand that are not sealed: behind `after`, up to `until`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Gap {
    after: Uuid,
    until: Uuid,
}

/// The ranges that are not covered. Usually one, behind the last seal; a second one where a clock went ahead, what was
/// written then was sealed, and the clock was put right.
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

/// Rows up to this id are all there.
async fn limit(app: &App) -> Result<Uuid> {
    if app.db.engine() == Engine::Sqlite {
        return Ok(Uuid::max());
    }
    // Nodes whose clocks differ agree on that of the database.
    let now = app.db.clock().await?.map_or(app.now(), |clock| app.now().min(Timestamp::from_millis(clock)));
    Ok(first_id_at(now.plus_millis(-SETTLED_AFTER)))
}

/// Makes the ids of this process come after the newest sealed row, where its clock is behind by up to a day: a row that
/// came before would look like one that was slipped in. Called at the start, and each time the job looks for work.
pub async fn follow(app: &App) -> Result<()> {
    const TOP: &str = "SELECT last_id FROM audit_seals ORDER BY last_id DESC LIMIT 1";
    if let Some(clock) = app.db.clock().await? {
        app.follow_clock(Timestamp::from_millis(clock));
    }
    let top: Option<(Uuid,)> = app.db.query(TOP).optional().await?;
    if let Some((top,)) = top
        && top < first_id_at(app.now().plus_millis(MAX_FOLLOWED))
    {
        app.follow_id(top);
    }
    Ok(())
}

/// Returns true if there are rows to be sealed.
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

/// Seals what can be sealed. Returns the number of seals. Rows are read and hashed outside of any transaction; the one that
/// adds a seal holds nothing that a writer of the trail needs. Should two nodes be at it, one of them adds nothing.
pub async fn run(app: &App) -> Result<u64> {
    head::check(app).await?;
    let mut sealed = 0;
    'gaps: for mut gap in gaps(app).await? {
        for _ in 0..SEALS_PER_TURN {
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

/// The next seal of a gap; none when it has no rows.
async fn next(app: &App, gap: Gap) -> Result<Option<Seal>> {
    let rows = chain::rows(&app.db, (gap.after, gap.until), ROWS_PER_SEAL).await?;
    let Some(last) = rows.last() else { return Ok(None) };
    let before = last_seal(&app.db).await?;
    // After a day without a row, the clock may have gone ahead and come back some day: what lies between stays open.
    let first = rows[0].id();
    let is_far = !gap.after.is_nil() && made_at(first).millis() - made_at(gap.after).millis() > MAX_FOLLOWED;
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

/// Adds a seal, unless another node was quicker: false then.
async fn add(app: &App, seal: &Seal) -> Result<bool> {
    const ADD: &str = "INSERT INTO audit_seals (ordinal, after_id, last_id, row_count, sealed_at, hash, mac) \
        VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING";
    let mut tx = app.db.begin().await?;
    let query = tx.query(ADD).bind(seal.ordinal).bind(seal.after_id).bind(seal.last_id).bind(seal.row_count);
    let added = query.bind(seal.sealed_at).bind(&seal.hash).bind(&seal.mac).execute().await?;
    tx.commit().await?;
    Ok(added == 1)
}
