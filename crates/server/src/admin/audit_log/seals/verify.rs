//! Verifies the chain: whether the audit trail is still what was sealed.

use berth_db::Db;
use berth_domain::time::Timestamp;
use secrecy::SecretString;
use uuid::Uuid;

use super::{Head, Seal, chain};
use crate::Result;
use crate::admin::audit_log::lists::{first_id_at, made_at};

/// Seals per query.
const SEALS_AT_ONCE: i64 = 500;

/// The result of a verification.
#[derive(Debug, Default)]
pub struct Report {
    /// Number of seals in the chain.
    pub seals: i64,
    /// Number of sealed rows.
    pub rows: i64,
    /// Number of rows that are not sealed yet.
    pub unsealed: i64,
    /// The last seal.
    pub head: Option<Head>,
    /// Problems, as sentences; empty if the trail is intact.
    pub findings: Vec<String>,
}

/// Recomputes every seal from its rows. `heads` are seals that must be in the chain: the one that this node stored, and one from
/// a log or a backup.
pub async fn verify(db: &Db, key: Option<&SecretString>, heads: &[Head], now: Timestamp) -> Result<Report> {
    const SEALS: &str = "SELECT ordinal, after_id, last_id, row_count, sealed_at, hash, mac FROM audit_seals \
        WHERE ordinal > $1 ORDER BY ordinal LIMIT $2";
    let mut report = Report::default();
    let mut before: Option<Seal> = None;
    let mut has_macs = false;
    loop {
        let known = before.as_ref().map_or(0, |seal| seal.ordinal);
        let seals: Vec<Seal> = db.query(SEALS).bind(known).bind(SEALS_AT_ONCE).all().await?;
        if seals.is_empty() {
            break;
        }
        for seal in seals {
            let expected = before.as_ref().map_or(1, |seal| seal.ordinal + 1);
            if seal.ordinal != expected {
                let missing = format!("Seals {expected} to {} are missing.", seal.ordinal - 1);
                report.findings.push(missing);
            }
            check_rows(db, before.as_ref(), &seal, &mut report).await?;
            check_mac(key, &seal, &mut has_macs, &mut report);
            report.seals += 1;
            report.rows += seal.row_count;
            before = Some(seal);
        }
    }
    check_overlap(db, &mut report).await?;
    check_gaps(db, now, &mut report).await?;
    report.head = before.map(|seal| Head { ordinal: seal.ordinal, hash: seal.hash });
    for head in heads {
        if !head.is_in(db).await? {
            let last = report.head.as_ref().map_or(0, |last| last.ordinal);
            report.findings.push(if head.ordinal > last {
                format!(
                    "The chain ends with seal {last}, but seal {} was made: newer seals were removed.",
                    head.ordinal
                )
            } else {
                format!("Seal {} is not the one that was made: the chain was written anew.", head.ordinal)
            });
        }
    }
    Ok(report)
}

/// Returns when the rows of a seal were written, for people.
fn span(seal: &Seal) -> String {
    // The first seal starts before every row.
    let from = if seal.after_id.is_nil() { "the beginning".to_owned() } else { made_at(seal.after_id).to_string() };
    format!("rows written from {from} to {}", made_at(seal.last_id))
}

async fn check_rows(db: &Db, before: Option<&Seal>, seal: &Seal, report: &mut Report) -> Result<()> {
    // One row more than the seal covers proves that rows were added; no need to read all of them.
    let rows = chain::rows(db, (seal.after_id, seal.last_id), seal.row_count + 1).await?;
    let found = i64::try_from(rows.len()).unwrap_or(i64::MAX);
    let wrong = if found < seal.row_count {
        format!("{} of {} rows were removed", seal.row_count - found, seal.row_count)
    } else if found > seal.row_count {
        "rows were added".to_owned()
    } else if chain::hash(before.map(|seal| seal.hash.as_str()), seal, &rows) != seal.hash {
        "a row, the guests that it shows, or the seal itself was changed".to_owned()
    } else {
        return Ok(());
    };
    report.findings.push(format!("Seal {} ({}): {wrong}.", seal.ordinal, span(seal)));
    Ok(())
}

/// After a seal with the operator's key, all later seals must have one.
fn check_mac(key: Option<&SecretString>, seal: &Seal, has_macs: &mut bool, report: &mut Report) {
    let Some(key) = key else { return };
    match &seal.mac {
        Some(mac) => {
            *has_macs = true;
            if chain::mac(Some(key), &seal.hash).as_ref() != Some(mac) {
                report.findings.push(format!("Seal {} was not made with this secret_key.", seal.ordinal));
            }
        }
        None if *has_macs => {
            report.findings.push(format!("Seal {} was made without secret_key, unlike those before it.", seal.ordinal));
        }
        None => {}
    }
}

/// Checks that no two ranges overlap: a row could be in both.
async fn check_overlap(db: &Db, report: &mut Report) -> Result<()> {
    const OVERLAPS: &str = "SELECT COUNT(*) FROM (SELECT last_id, LEAD(after_id) OVER (ORDER BY after_id) AS next \
        FROM audit_seals) pairs WHERE next < last_id";
    let overlaps: i64 = db.query(OVERLAPS).scalar().await?;
    if overlaps > 0 {
        report.findings.push(format!("{overlaps} seals cover rows of others."));
    }
    Ok(())
}

/// Counts rows outside of all ranges. Rows after the last seal are not sealed yet; nor, while a clock that was ahead is set back,
/// are the rows written now. Rows in any other gap were added later.
async fn check_gaps(db: &Db, now: Timestamp, report: &mut Report) -> Result<()> {
    const GAPS: &str = "SELECT last_id, next FROM (SELECT last_id, LEAD(after_id) OVER (ORDER BY after_id) AS next \
        FROM audit_seals) pairs WHERE next IS NULL OR next > last_id";
    const FIRST: &str = "SELECT after_id FROM audit_seals ORDER BY after_id LIMIT 1";
    const COUNT: &str = "SELECT COUNT(*) FROM audit WHERE id > $1 AND id <= $2";
    let mut gaps: Vec<(Uuid, Option<Uuid>)> = db.query(GAPS).all().await?;
    let first: Option<(Uuid,)> = db.query(FIRST).optional().await?;
    gaps.push((Uuid::nil(), first.map(|(id,)| id)));
    let now = first_id_at(now);
    for (after, until) in gaps {
        let rows: i64 = db.query(COUNT).bind(after).bind(until.unwrap_or(Uuid::max())).scalar().await?;
        match until {
            Some(until) if rows > 0 && !(after < now && now < until) => report.findings.push(format!(
                "{rows} rows between {} and {} are not sealed: they were put in later.",
                made_at(after),
                made_at(until)
            )),
            _ => report.unsealed += rows,
        }
    }
    Ok(())
}
