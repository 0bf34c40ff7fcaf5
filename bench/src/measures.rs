//! The measures of the scorecard (security-and-proof 6.4), by number.

use std::net::SocketAddr;
use std::sync::Mutex;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Duration;

use anyhow::Context;

use crate::book::Figures;
use crate::crowd::{Until, Work, run};
use crate::database::Database;
use crate::limits;
use crate::peers::Peer;
use crate::place::{Age, Berth};
use crate::platform;
use crate::process::Server;
use crate::records;
use crate::runner::{Bench, OLDER, Running, Target, catch_up};
use crate::search;
use crate::today;
use crate::work;

/// Clients that read boards.
const READERS: usize = 8;
/// Clients that write.
const WRITERS: usize = 16;

/// Makes the work of one client that signs in, from the server's address, the accounts and the client's number.
type SignIn = fn(SocketAddr, Vec<String>, usize) -> Work<'static>;

/// Takes one row of the scorecard.
type Measure = fn(&mut Bench) -> anyhow::Result<()>;

/// Every measure, in the order in which they are taken.
pub const ALL: [(&str, Measure); 22] = [
    ("P1", p1),
    ("P2", p2),
    ("P3", p3),
    ("P3-disk", p3_disk),
    ("P10-pgbench", pgbench),
    ("P4", p4),
    ("P5", platform::dashboard),
    ("P6", platform::audit_log),
    ("P7", platform::access_users),
    ("P8", p8),
    ("P8-storm", p8_storm),
    ("P8-attack", p8_attack),
    ("P9", p9),
    ("P11", p11),
    ("P12", p12),
    ("P12-history", records::history),
    ("P13", p13),
    ("P14", p14),
    ("P15", platform::landing),
    ("P16", records::numbers),
    ("P17", today::today),
    ("P18", search::search),
];

/// The figures of a run if every answer was a success; failures could make it look fast.
///
/// # Errors
/// If any answer was not a success.
pub fn all_well(figures: Figures) -> anyhow::Result<Figures> {
    let wrong: Vec<_> = figures.met.statuses.iter().filter(|(status, _)| !(200..400).contains(*status)).collect();
    anyhow::ensure!(wrong.is_empty() && figures.met.broken.is_none(), "answers {wrong:?}, {:?}", figures.met.broken);
    Ok(figures)
}

/// Runs clients that all do the same, to warm up the server. This run is not counted.
///
/// # Errors
/// If a client fails.
pub fn warm(
    bench: &Bench,
    running: &Running,
    clients: impl Fn() -> anyhow::Result<Vec<Work<'static>>>,
) -> anyhow::Result<()> {
    let already = bench.book.runs.values().any(|servers| servers.is_empty());
    let time = Duration::from_millis(if bench.short || already { 200 } else { 700 });
    let met = run(clients()?, Until::Time(time), |_| ());
    anyhow::ensure!(met.broken.is_none(), "{} breaks off: {:?}", running.target.name(), met.broken);
    Ok(())
}

/// A board of 20 beds: sign-in, scope, read log.
fn p1(bench: &mut Bench) -> anyhow::Result<()> {
    let mut targets = vec![Target::Sqlite, Target::Postgres, Target::Static];
    targets.extend([Peer::Fastify, Peer::FastifyCached, Peer::FastApi].map(Target::Peer));
    bench.in_turns("P1", &targets, |bench, running| {
        let clients =
            || Ok((0..READERS).map(|number| work::board(running.server.address, &running.world, number)).collect());
        warm(bench, running, clients)?;
        all_well(bench.measure(running, clients()?, Until::Time(bench.seconds(3.0)))?)
    })?;
    let name = "bare query and JSON";
    let (folder, world) = bench.place.copy(Age::Newer, "S", "query", true)?;
    while !bench.book.has("P1", name, bench.rounds) {
        let figures = limits::query(&folder.join("berth.sqlite"), &world.usual.site, bench.seconds(2.0))?;
        bench.book.add("P1", name, figures)?;
    }
    // The same with an entity tag, answered with 304.
    bench.in_turns("P1-304", &[Target::Sqlite], |bench, running| {
        let address = running.server.address;
        let path = format!("/api/Beds?siteId={}", running.world.usual.site);
        let bytes = work::call(&crate::world::intake(0), "GET", &path, None);
        let mut client = crate::client::Client::new(address);
        let tag = crate::client::header(client.send(&bytes)?.head, "etag").context("no entity tag")?.to_owned();
        let clients = (0..READERS).map(|number| {
            let authorization = format!("Authorization: Bearer {}", crate::world::intake(number));
            let known = format!("If-None-Match: {tag}");
            let bytes = crate::client::request("GET", &path, &[&authorization, &known], None);
            work::repeat(address, "board", bytes)
        });
        all_well(bench.measure(running, clients.collect(), Until::Time(bench.seconds(2.0)))?)
    })
}

/// Reservations made by hand; they are declined afterwards, so that the next run has the same capacity.
fn p2(bench: &mut Bench) -> anyhow::Result<()> {
    let mut targets = vec![Target::Sqlite, Target::Postgres];
    targets.extend([Peer::Fastify, Peer::FastApi].map(Target::Peer));
    bench.in_turns("P2", &targets, |bench, running| {
        let address = running.server.address;
        let round = |steps: usize| -> anyhow::Result<Figures> {
            let made = Mutex::new(Vec::new());
            let clients =
                (0..READERS).map(|number| work::create(address, &running.world, (number, READERS), &made)).collect();
            let figures = all_well(bench.measure(running, clients, Until::Steps(steps))?)?;
            let mut client = crate::client::Client::new(address);
            for guest in made.lock().map_err(|_| anyhow::anyhow!("a client panicked"))?.iter() {
                client.send(&work::command(&crate::world::owner(0), guest, "REJECTED", None))?;
            }
            Ok(figures)
        };
        round(10)?;
        round(if bench.short { 30 } else { 200 })
    })
}

fn movers(running: &Running, swap: bool, count: usize) -> anyhow::Result<Vec<Work<'static>>> {
    let address = running.server.address;
    let boards = running.world.moving.iter().enumerate().take(count);
    let client = |(number, board)| match swap {
        true => work::swap(address, board, number),
        false => work::assign(address, board, number),
    };
    boards.map(client).collect()
}

/// Moves a guest to another bed, and swaps two guests: CPU, in memory.
fn p3(bench: &mut Bench) -> anyhow::Result<()> {
    let mut targets = vec![Target::Sqlite, Target::Postgres];
    targets.extend([Peer::Fastify, Peer::FastApi].map(Target::Peer));
    for (measure, swap) in [("P3-assign", false), ("P3-swap", true)] {
        bench.in_turns(measure, &targets, |bench, running| {
            warm(bench, running, || movers(running, swap, WRITERS))?;
            all_well(bench.measure(running, movers(running, swap, WRITERS)?, Until::Time(bench.seconds(3.0)))?)
        })?;
    }
    Ok(())
}

/// The same on the disk, together with a measurement of the disk's flushes in the same minute.
fn p3_disk(bench: &mut Bench) -> anyhow::Result<()> {
    let targets =
        [Target::SqliteOnDisk, Target::Postgres, Target::PeerOnDisk(Peer::Fastify), Target::PeerOnDisk(Peer::FastApi)];
    for (measure, clients) in [("P3-disk", WRITERS), ("P3-disk-8", 8)] {
        let targets = if clients == WRITERS { &targets[..] } else { &targets[..2] };
        bench.in_turns(measure, targets, |bench, running| {
            let probe = limits::flush(&bench.place.folder, bench.seconds(1.0))?;
            warm(bench, running, || movers(running, false, clients))?;
            let time = Until::Time(bench.seconds(4.0));
            let mut figures = all_well(bench.measure(running, movers(running, false, clients)?, time)?)?;
            let done = figures.met.statuses.get(&200).copied().unwrap_or_default() as f64;
            let more = [
                ("acknowledged a flush", done / (figures.flushes as f64).max(1.0)),
                ("probe, flushes a second", probe.rate()),
                ("probe, ms a flush p50", probe.met.all.p50),
                ("probe, ms a flush p99", probe.met.all.p99),
            ];
            figures.more = more.map(|(name, value)| (name.to_owned(), value)).into();
            Ok(figures)
        })?;
    }
    Ok(())
}

/// PostgreSQL on its own in the same minutes: pgbench with its TPC-B-like script and 8 clients.
fn pgbench(bench: &mut Bench) -> anyhow::Result<()> {
    let name = "pgbench, 8 clients";
    if bench.book.has("P10-pgbench", name, bench.rounds) {
        return Ok(());
    }
    let program = |arguments: &[&str]| -> anyhow::Result<String> {
        let mut command = std::process::Command::new(bench.postgres.program("pgbench"));
        let output = command.args(arguments).arg(bench.postgres.url("pgbench")).output().context("pgbench")?;
        anyhow::ensure!(output.status.success(), "pgbench: {}", String::from_utf8_lossy(&output.stderr));
        Ok(String::from_utf8(output.stdout)?)
    };
    let mut database = bench.postgres.open("postgres");
    database.run("DROP DATABASE IF EXISTS pgbench")?;
    database.run("CREATE DATABASE pgbench")?;
    program(&["-i", "-q", "-s", "10"])?;
    let seconds = bench.seconds(5.0).as_secs().max(1).to_string();
    while !bench.book.has("P10-pgbench", name, bench.rounds) {
        let text = program(&["-c", "8", "-j", "1", "-M", "prepared", "-T", &seconds])?;
        let line = text.lines().find_map(|line| line.strip_prefix("tps = ")).context("pgbench tells no rate")?;
        let rate: f64 = line.split_whitespace().next().unwrap_or_default().parse()?;
        bench.book.add("P10-pgbench", name, Figures::only(&[("tps", rate)]))?;
    }
    bench.postgres.open("postgres").run("DROP DATABASE pgbench")
}

/// Eight clients compete for one bed, again and again.
fn p4(bench: &mut Bench) -> anyhow::Result<()> {
    bench.in_turns("P4", &[Target::SqliteOnDisk, Target::Postgres], |bench, running| {
        let address = running.server.address;
        let board = &running.world.moving[0];
        let guests = work::placed(&mut crate::client::Client::new(address), board)?;
        let free =
            board.beds.iter().find(|bed| guests.iter().all(|(_, taken)| taken != *bed)).context("no free bed")?;
        let alone = run(vec![work::assign(address, &running.world.moving[1], 0)?], Until::Steps(50), |_| ());
        let contest = work::Contest::new(8, free.clone());
        let clients =
            guests.iter().take(8).enumerate().map(|(number, guest)| contest.client(address, guest.clone(), number));
        let rounds = if bench.short { 30 } else { 300 };
        let mut figures = bench.measure(running, clients.collect(), Until::Steps(rounds))?;
        figures.more.insert("rounds".to_owned(), rounds as f64);
        figures.more.insert("rounds without one winner".to_owned(), contest.wrong.load(Ordering::SeqCst) as f64);
        figures.more.insert("alone, p99 ms".to_owned(), alone.all.p99);
        Ok(figures)
    })
}

/// Accounts that can sign in; all have the same password.
fn accounts(bench: &Bench, running: &Running) -> anyhow::Result<Vec<String>> {
    let text = "SELECT DISTINCT u.email FROM users u JOIN memberships m ON m.user_id = u.id AND m.status = 'Active' \
        AND m.deleted_at IS NULL WHERE u.password_hash IS NOT NULL AND u.deleted_at IS NULL ORDER BY u.email";
    Ok(platform::database_of(bench, running)?.rows(text)?.into_iter().flatten().collect())
}

/// Passwords checked by the server, compared with the bare hash: one client with one thread, and two clients with two
/// threads.
fn p8(bench: &mut Bench) -> anyhow::Result<()> {
    bench.in_turns("P8", &[Target::Sqlite], |bench, running| {
        let accounts = accounts(bench, running)?;
        let mut more = Vec::new();
        let mut figures = Figures::default();
        for (at_once, bare_name, ratio_name) in
            [(1, "bare argon2, CPU ms", "ratio"), (2, "bare argon2, two at once, CPU ms", "ratio, two at once")]
        {
            let bare = limits::argon2(bench.seconds(2.0), at_once)?;
            let clients = (0..at_once)
                .map(|number| work::sign_in(running.server.address, accounts.clone(), number * 7))
                .collect();
            let met = bench.measure(running, clients, Until::Time(bench.seconds(4.0)))?;
            more.extend([(bare_name, bare), (ratio_name, met.cpu / bare)]);
            if at_once == 1 {
                figures = met;
            }
        }
        figures.more = more.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        Ok(figures)
    })
}

/// 200 people sign in at once while others read boards, and wait as long as a rejection tells them.
fn p8_storm(bench: &mut Bench) -> anyhow::Result<()> {
    storm(bench, "P8-storm", work::patient_sign_in)
}

/// The same with 200 clients that do not wait: an attack, for which the load generator itself needs half of the CPU.
fn p8_attack(bench: &mut Bench) -> anyhow::Result<()> {
    storm(bench, "P8-attack", work::sign_in)
}

fn storm(bench: &mut Bench, name: &str, sign_in: SignIn) -> anyhow::Result<()> {
    bench.in_turns(name, &[Target::Sqlite], |bench, running| {
        let accounts = accounts(bench, running)?;
        let address = running.server.address;
        let readers =
            || (0..2).map(|number| work::board(address, &running.world, number)).collect::<Vec<Work<'static>>>();
        let time = bench.seconds(3.0);
        let idle = run(readers(), Until::Time(time), |_| ());
        let before = running.server.memory();
        let storm = (0..200).map(|number| sign_in(address, accounts.clone(), number));
        let met = thread::scope(|scope| {
            let storm: Vec<Work<'_>> = storm.collect();
            let crowd = scope.spawn(move || run(storm, Until::Time(time + Duration::from_millis(500)), |_| ()));
            thread::sleep(Duration::from_millis(300));
            let figures = bench.measure(running, readers(), Until::Time(time));
            (figures, crowd.join())
        });
        let mut figures = met.0?;
        let storm = met.1.map_err(|_| anyhow::anyhow!("the storm panicked"))?;
        let count = |status: u16| storm.statuses.get(&status).copied().unwrap_or_default() as f64;
        let more = [
            ("board p99 before, ms", idle.all.p99),
            ("board p99, times", figures.met.all.p99 / idle.all.p99),
            ("signed in", count(200)),
            ("sent away, 503", count(503)),
            ("other answers", storm.requests as f64 - count(200) - count(503)),
            ("memory before, MB", before),
        ];
        figures.more = more.map(|(name, value)| (name.to_owned(), value)).into();
        Ok(figures)
    })
}

/// A working day, 16 clients.
fn p9(bench: &mut Bench) -> anyhow::Result<()> {
    bench.in_turns("P9", &[Target::SqliteOnDisk, Target::Postgres], |bench, running| day(bench, running, 8.0))
}

fn day(bench: &Bench, running: &Running, seconds: f64) -> anyhow::Result<Figures> {
    let accounts = accounts(bench, running)?;
    let clients = || {
        (0..WRITERS)
            .map(|number| work::day(running.server.address, &running.world, accounts.clone(), number))
            .collect::<anyhow::Result<Vec<_>>>()
    };
    bench.measure(running, clients()?, Until::Time(bench.seconds(seconds)))
}

/// Footprint: start, idle memory, size of the program.
fn p11(bench: &mut Bench) -> anyhow::Result<()> {
    let tiers: &[&str] = if bench.short { &["S"] } else { &["S", "M", "L"] };
    for (tier, age) in tiers.iter().flat_map(|tier| bench.place.ages().iter().map(move |age| (*tier, *age))) {
        let name = Target::Tier(tier).name_of(age);
        if bench.book.has("P11", &name, bench.rounds) {
            continue;
        }
        let (folder, _) = bench.place.copy(age, tier, "p11", false)?;
        let start = || bench.place.start_berth(&Berth { age, data: &folder, url: None }, "p11");
        // The first start finds holds that have expired since the world was made, and a trail without marks.
        let first = start()?;
        catch_up(&mut Database::sqlite(&folder.join("berth.sqlite"))?)?;
        first.stop();
        while !bench.book.has("P11", &name, bench.rounds) {
            let server: Server = start()?;
            thread::sleep(Duration::from_secs(2));
            let size = std::fs::metadata(bench.place.program(age))?.len() as f64 / 1e6;
            let figures = Figures::only(&[
                ("ready, ms", server.started_in.as_secs_f64() * 1000.0),
                ("idle, MB", server.memory()),
                ("program, MB", size),
            ]);
            server.stop();
            bench.book.add("P11", &name, figures)?;
        }
        let _ = std::fs::remove_dir_all(folder);
    }
    Ok(())
}

/// Growth of data: the same board and the same moves in a small world and in the largest.
fn p12(bench: &mut Bench) -> anyhow::Result<()> {
    let [large, large_postgres] = platform::large_targets(bench);
    let targets = if bench.short {
        vec![Target::Tier("S"), Target::Sqlite, Target::Postgres]
    } else {
        vec![Target::Tier("S"), large, Target::PostgresTier("S"), large_postgres]
    };
    bench.in_turns("P12-board", &targets, |bench, running| {
        let clients =
            || Ok((0..READERS).map(|number| work::board(running.server.address, &running.world, number)).collect());
        warm(bench, running, clients)?;
        all_well(bench.measure(running, clients()?, Until::Time(bench.seconds(3.0)))?)
    })?;
    bench.in_turns("P12-assign", &targets, |bench, running| {
        warm(bench, running, || movers(running, false, WRITERS))?;
        all_well(bench.measure(running, movers(running, false, WRITERS)?, Until::Time(bench.seconds(3.0)))?)
    })
}

/// A long day: checks whether memory grows. The figure includes the length of the run.
fn p14(bench: &mut Bench) -> anyhow::Result<()> {
    let minutes = if bench.short { 0.25 } else { 5.0 };
    let rounds = std::mem::replace(&mut bench.rounds, 1);
    let done = bench.in_turns("P14", &[Target::SqliteOnDisk], |bench, running| {
        let slices = 10;
        let mut memory = Vec::new();
        let mut whole = Figures::default();
        let mut errors = 0;
        for _ in 0..slices {
            whole = day(bench, running, minutes * 60.0 / f64::from(slices) * if bench.short { 5.0 } else { 1.0 })?;
            errors += whole.met.statuses.range(500..).map(|(_, count)| count).sum::<usize>();
            memory.push(whole.memory);
        }
        // The slope of the second half: the first half fills the caches.
        let half = memory.len() / 2;
        let hours = minutes / 60.0 / 2.0;
        let growth = (memory[memory.len() - 1] - memory[half - 1]) / hours;
        let more =
            [("minutes", minutes), ("MB an hour", growth), ("MB at its end", whole.memory), ("5xx", errors as f64)];
        whole.more = more.map(|(name, value)| (name.to_owned(), value)).into();
        Ok(whole)
    });
    bench.rounds = rounds;
    done
}

/// The board of 500 beds in a browser with CPU throttling; needs the packages of `e2e/`.
fn p13(bench: &mut Bench) -> anyhow::Result<()> {
    for slower in ["1", "4"] {
        let browser = if slower == "1" { "Chromium".to_owned() } else { format!("Chromium, CPU slowed {slower}×") };
        for age in bench.place.ages() {
            let name = if *age == Age::Newer { browser.clone() } else { format!("{OLDER}, {browser}") };
            if !bench.book.has("P13", &name, bench.rounds) {
                in_browser(bench, *age, slower, &name)?;
            }
        }
    }
    Ok(())
}

fn in_browser(bench: &mut Bench, age: Age, slower: &str, name: &str) -> anyhow::Result<()> {
    let tier = if bench.short { "S" } else { "M" };
    let (folder, world) = bench.place.copy(age, tier, "p13", false)?;
    let server = bench.place.start_berth(&Berth { age, data: &folder, url: None }, "p13")?;
    catch_up(&mut Database::sqlite(&folder.join("berth.sqlite"))?)?;
    while !bench.book.has("P13", name, bench.rounds) {
        let output = std::process::Command::new("node")
            .arg(bench.place.sources.join("bench/browser/board.mjs"))
            .arg(format!("http://127.0.0.1:{}", server.address.port()))
            .args([world.largest.as_str(), &crate::world::owner(0)])
            .arg(bench.place.sources.join("e2e"))
            .arg(slower)
            .output()
            .context("node does not start")?;
        anyhow::ensure!(output.status.success(), "the browser: {}", String::from_utf8_lossy(&output.stderr));
        let told: std::collections::BTreeMap<String, f64> = serde_json::from_slice(&output.stdout)?;
        bench.book.add("P13", name, Figures { more: told, ..Figures::default() })?;
    }
    server.stop();
    let _ = std::fs::remove_dir_all(folder);
    Ok(())
}
