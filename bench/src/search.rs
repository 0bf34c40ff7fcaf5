//! The search over everything (P18), by what people type, compared with plain SQL.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use anyhow::Context;
use serde_json::{Value, json};

use crate::client::{Client, request};
use crate::crowd::{Latency, Step, Until, Work};
use crate::database::Database;
use crate::measures::{all_well, warm};
use crate::people::{Account, GLOBAL, INTAKE, STAFF};
use crate::platform::{database_of, large_targets};
use crate::runner::Bench;

/// Who searches.
pub const CALLERS: [&Account; 3] = [&INTAKE, &STAFF, &GLOBAL];
/// Colleagues of each: a person may search 240 times a minute.
const COLLEAGUES: usize = 24;
/// People who search at once.
const READERS: usize = 2;
/// Guests who are searched for, half of them past ones.
const GUESTS: usize = 16;
/// Searches by each account for each kind of text in a run.
const TIMES: usize = 100;

/// A text to search for.
#[derive(Clone)]
struct Text {
    kind: &'static str,
    typed: String,
}

/// Searches of two people at once, by each account in turn, for each kind of text in turn. The rows that each search
/// leaves in the audit trail are part of it.
///
/// # Errors
/// If a server does not start or an answer is not a success.
pub fn search(bench: &mut Bench) -> anyhow::Result<()> {
    bench.in_turns("P18", &large_targets(bench), |bench, running| {
        let address = running.server.address;
        let mut database = database_of(bench, running)?;
        let texts = texts(&mut database, &running.world.largest)?;
        let mut callers = Vec::new();
        for account in CALLERS {
            callers.push((account.name, account.colleagues(&mut database, COLLEAGUES)?));
        }
        for (account, (_, tokens)) in CALLERS.iter().zip(&callers) {
            check(address, account, &tokens[0], &texts)?;
        }
        let times: Times = Arc::default();
        let clients = || {
            let client = |number| reader(address, callers.clone(), texts.clone(), number, Arc::clone(&times));
            Ok((0..READERS).map(client).collect())
        };
        warm(bench, running, clients)?;
        times.lock().map_err(|_| anyhow::anyhow!("a client panicked"))?.clear();
        let each = if bench.short { 5 } else { TIMES };
        let steps = each * CALLERS.len() * KINDS / READERS;
        let mut figures = all_well(bench.measure(running, clients()?, Until::Steps(steps))?)?;
        for (name, took) in times.lock().map_err(|_| anyhow::anyhow!("a client panicked"))?.iter() {
            let latency = Latency::of(took.clone());
            figures.more.insert(format!("{name}, ms p50"), latency.p50);
            figures.more.insert(format!("{name}, ms p99"), latency.p99);
        }
        for account in CALLERS {
            let plain = by_plain_sql(&mut database, account, &texts)?;
            let ours = figures.met.by_kind.get(&format!("{} 2xx", account.name)).map_or(f64::NAN, |all| all.p50);
            figures.more.insert(format!("{}, plain SQL, ms p50", account.name), plain);
            figures.more.insert(format!("{}, plain SQL, times our p50", account.name), plain / ours);
        }
        Ok(figures)
    })
}

/// The times of a run by account and kind of text.
type Times = Arc<Mutex<BTreeMap<String, Vec<Duration>>>>;

/// One client, who is each account in turn and searches for each kind of text in turn.
fn reader(
    address: SocketAddr,
    callers: Vec<(&'static str, Vec<String>)>,
    texts: Vec<Vec<Text>>,
    number: usize,
    times: Times,
) -> Work<'static> {
    let mut client = Client::new(address);
    // The first begins with current guests, the second with past ones.
    let mut count = number * CALLERS.len() * KINDS * GUESTS / READERS;
    Box::new(move || {
        count += 1;
        let (account, tokens) = &callers[count % callers.len()];
        let round = count / callers.len();
        let text = &texts[round / KINDS % texts.len()][round % KINDS];
        let bytes = call(&tokens[(round * READERS + number) % tokens.len()], &text.typed);
        let begun = Instant::now();
        let status = client.send(&bytes)?.status;
        let took = begun.elapsed();
        let mut times = times.lock().map_err(|_| anyhow::anyhow!("a client panicked"))?;
        times.entry(format!("{account}, {}", text.kind)).or_default().push(took);
        Ok(Step { kind: account, status, took })
    })
}

fn call(token: &str, typed: &str) -> Vec<u8> {
    let authorization = format!("Authorization: Bearer {token}");
    request("POST", "/api/Search", &[&authorization], Some(&json!({ "query": typed }).to_string()))
}

/// Checks that each text finds something, except where it must not: a search that wrongly finds nothing would look fast.
fn check(address: SocketAddr, account: &Account, token: &str, texts: &[Vec<Text>]) -> anyhow::Result<()> {
    let mut client = Client::new(address);
    for text in texts.iter().step_by(GUESTS / 2).flatten() {
        let answer = client.send(&call(token, &text.typed))?;
        anyhow::ensure!(answer.status == 200, "a search answers {}", answer.status);
        let found: Value = serde_json::from_slice(answer.body)?;
        let list = if text.kind == SITE { "sites" } else { "guests" };
        let is_found = found[list].as_array().is_some_and(|list| !list.is_empty());
        let hidden = text.kind == NOTHING || (text.kind.contains("digits") && !account.sees_phones());
        anyhow::ensure!(is_found != hidden, "{}: {} finds {} {list}", account.name, text.kind, found[list]);
    }
    Ok(())
}

const SITE: &str = "name of a site";
const NOTHING: &str = "found nowhere";
/// Number of kinds of texts.
const KINDS: usize = 8;

/// The texts that people type to find some guests of a site and the site: for each guest, one of each kind.
fn texts(database: &mut Database, site: &str) -> anyhow::Result<Vec<Vec<Text>>> {
    let id = database.id(site);
    let name = database.one(&format!("SELECT name FROM sites WHERE id = {id}"))?;
    let mut rows = Vec::new();
    // Codes are random, so their order mixes the guests.
    for state in ["IS NULL", "IS NOT NULL"] {
        rows.extend(database.rows(&format!(
            "SELECT first_name, last_name, code, phone FROM guests WHERE site_id = {id} AND discharged_at {state} \
             AND rejected_at IS NULL AND expired_at IS NULL ORDER BY code LIMIT {}",
            GUESTS / 2
        ))?);
    }
    let of = |row: Vec<String>| {
        let [first, last, code, phone] = row.try_into().ok().context("a guest without a name")?;
        let digits: String = phone.chars().filter(char::is_ascii_digit).collect();
        let end = |count: usize| digits[digits.len().saturating_sub(count)..].to_owned();
        let start: String = first.chars().take(2).collect();
        let kinds: [(&'static str, String); KINDS] = [
            ("first letters", start),
            ("first name", first.clone()),
            ("name and initial", format!("{first} {last}")),
            ("code", code),
            ("last four digits", end(4)),
            ("last seven digits", end(7)),
            (SITE, name.clone()),
            (NOTHING, format!("{first}qq")),
        ];
        Ok(kinds.map(|(kind, typed)| Text { kind, typed }).to_vec())
    };
    rows.into_iter().map(of).collect()
}

/// The time of plain SQL for the same texts: every table is asked for rows that contain the text.
fn by_plain_sql(database: &mut Database, account: &Account, texts: &[Vec<Text>]) -> anyhow::Result<f64> {
    let mut times = Vec::new();
    for text in texts.iter().step_by(GUESTS / 2).flatten() {
        let mut whole = Duration::ZERO;
        for query in queries(account, &text.typed) {
            whole += database.time(&query)?;
        }
        times.push(whole);
    }
    Ok(Latency::of(times).p50)
}

/// Guests, people on waitlists, sites and organizations; a global admin searches for users, too.
fn queries(account: &Account, typed: &str) -> Vec<String> {
    let sites = account.sites();
    let text = typed.to_lowercase().replace('\'', "''");
    let code = text.to_uppercase();
    let phone = if account.sees_phones() { format!("OR g.phone LIKE '%{text}%'") } else { String::new() };
    let mut queries = vec![
        format!(
            "SELECT g.*, s.name, o.name, b.name, r.name FROM guests g JOIN sites s ON s.id = g.site_id \
             JOIN organizations o ON o.id = s.organization_id LEFT JOIN stays t ON t.guest_id = g.id AND t.ended_at IS NULL \
             LEFT JOIN beds b ON b.id = t.bed_id LEFT JOIN rooms r ON r.id = b.room_id WHERE g.site_id IN ({sites}) \
             AND (g.first_name_key LIKE '%{text}%' OR g.first_name_key || ' ' || LOWER(g.last_name) LIKE '%{text}%' \
             OR g.code LIKE '%{code}%' {phone}) \
             ORDER BY CASE WHEN g.rejected_at IS NULL AND g.expired_at IS NULL AND g.discharged_at IS NULL THEN 0 ELSE 1 END, \
             g.first_name_key, g.id DESC LIMIT 8"
        ),
        format!(
            "SELECT w.*, s.name FROM waiting_guests w JOIN sites s ON s.id = w.site_id \
             WHERE w.site_id IN ({sites}) AND w.ended_at IS NULL AND (w.form LIKE '%{text}%' OR w.code LIKE '%{code}%') \
             ORDER BY w.waits_since LIMIT 8"
        ),
        format!(
            "SELECT s.id, s.name, o.name, (SELECT COUNT(*) FROM beds b WHERE b.site_id = s.id AND b.deleted_at IS NULL \
             AND NOT b.disabled AND NOT EXISTS (SELECT 1 FROM stays t WHERE t.bed_id = b.id AND t.ended_at IS NULL)) \
             FROM sites s JOIN organizations o ON o.id = s.organization_id \
             WHERE s.id IN ({sites}) AND s.deleted_at IS NULL AND s.name_key LIKE '%{text}%' ORDER BY s.name_key LIMIT 8"
        ),
        format!(
            "SELECT o.id, o.name FROM organizations o WHERE o.deleted_at IS NULL AND o.name_key LIKE '%{text}%' \
             AND o.id IN (SELECT s.organization_id FROM sites s WHERE s.id IN ({sites})) ORDER BY o.name_key LIMIT 8"
        ),
    ];
    if account.name == GLOBAL.name {
        queries.push(format!(
            "SELECT u.*, m.role, s.name FROM users u JOIN memberships m ON m.user_id = u.id AND m.deleted_at IS NULL \
             LEFT JOIN sites s ON s.id = m.site_id WHERE u.deleted_at IS NULL \
             AND (LOWER(u.first_name || ' ' || u.last_name) LIKE '%{text}%' OR u.email_key LIKE '%{text}%') \
             ORDER BY u.first_name, u.last_name LIMIT 8"
        ));
    }
    queries
}
