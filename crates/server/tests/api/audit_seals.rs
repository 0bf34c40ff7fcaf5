//! The audit trail cannot be changed unnoticed (attack 20): the database refuses it, and if someone gets around the
//! database, the seals show it.

use std::sync::Arc;

use berth_db::Engine;
use berth_server::admin::audit_log::seals::{self, Head, Report};
use berth_server::app::{App, Clock, Random};
use berth_server::settings::Settings;
use secrecy::SecretString;
use uuid::Uuid;

use crate::audit_pages::write;
use crate::both_engines;
use crate::harness::{HOUR, House, MINUTE, START};
use crate::steps::{self, place};
use crate::world;

const DAY: i64 = 24 * HOUR;

/// Seals the existing rows; on PostgreSQL, only those older than two minutes.
async fn seal(house: &House) -> u64 {
    house.advance(3 * MINUTE);
    seals::run(&house.app).await.unwrap()
}

async fn verify(house: &House, heads: &[Head]) -> Report {
    seals::verify(house.db(), None, heads, house.app.now()).await.unwrap()
}

/// Three seals over 60 rows, and one over a view of a board with a guest.
async fn sealed(house: &House) -> Head {
    // Another test house may have used the same folder.
    let _ = std::fs::remove_file(Head::file(&house.app.settings));
    for number in 0..3 {
        write(house, 20, START - (3 - number) * HOUR, 1_000).await;
        assert_eq!(seal(house).await, 1);
    }
    place(house, world::HARBOR_HOUSE, 1, world::BED_A).await;
    house.get(&format!("/api/Sites/{}", world::HARBOR_HOUSE)).by(world::STAFF).send().await.expect(200);
    house.app.reads.flush(&house.app).await.unwrap();
    assert_eq!(seal(house).await, 1);
    let report = verify(house, &[]).await;
    assert_eq!((report.findings.as_slice(), report.seals, report.unsealed), (&[][..], 4, 0));
    assert_eq!(report.rows, 63, "two changes of the guest and a view");
    report.head.unwrap()
}

/// Runs statements, each on row `number`, counted from the oldest. Returns how many rows they changed.
async fn change(house: &House, number: i64, texts: &[&'static str]) -> u64 {
    const ROW: &str = "SELECT id FROM audit ORDER BY id LIMIT 1 OFFSET $1";
    let id: Uuid = house.db().query(ROW).bind(number).scalar().await.unwrap();
    let mut tx = house.db().begin().await.unwrap();
    let mut changed = 0;
    for text in texts {
        changed += tx.query(text).bind(id).execute().await.unwrap();
    }
    tx.commit().await.unwrap();
    changed
}

/// Ways to tamper with sealed rows: a name, the statements, and the seal that shows it.
const TAMPERINGS: [(&str, &[&str], i64); 14] = [
    ("another summary", &["UPDATE audit SET summary = 'nothing' WHERE id = $1"], 2),
    ("another action", &["UPDATE audit SET action = 'bed.edited' WHERE id = $1"], 2),
    ("another person", &["UPDATE audit SET actor_email = 'other@test.example' WHERE id = $1"], 2),
    ("another time", &["UPDATE audit SET at = at + 1 WHERE id = $1"], 2),
    ("an address that was empty", &["UPDATE audit SET request_id = address, address = '' WHERE id = $1"], 2),
    ("a query that was not asked", &["UPDATE audit SET query = '' WHERE id = $1"], 2),
    ("a row removed", &["DELETE FROM audit WHERE id = $1"], 2),
    (
        "two rows swapped",
        &[
            "UPDATE audit SET summary = (SELECT summary || '!' FROM audit o WHERE o.id < audit.id ORDER BY o.id DESC LIMIT 1) \
             WHERE id = $1",
        ],
        2,
    ),
    (
        "a guest removed from a view",
        &[
            "DELETE FROM guest_sets WHERE $1 IS NOT NULL AND id = (SELECT guest_set_id FROM audit WHERE action = 'board.viewed' \
          AND guest_set_id IS NOT NULL)",
        ],
        4,
    ),
    (
        "another guest added to a view",
        &["INSERT INTO guest_sets (id, guest_id) SELECT guest_set_id, $1 FROM audit WHERE action = 'board.viewed' \
          AND guest_set_id IS NOT NULL"],
        4,
    ),
    ("another count", &["UPDATE audit_seals SET row_count = 19 WHERE $1 IS NOT NULL AND ordinal = 2"], 2),
    (
        "a changed time of a seal",
        &["UPDATE audit_seals SET sealed_at = sealed_at + 1 WHERE $1 IS NOT NULL AND ordinal = 2"],
        2,
    ),
    ("another hash", &["UPDATE audit_seals SET hash = 'x' WHERE $1 IS NOT NULL AND ordinal = 2"], 2),
    ("a seal removed", &["DELETE FROM audit_seals WHERE $1 IS NOT NULL AND ordinal = 2"], 2),
];

both_engines! {
    async fn the_database_refuses_to_change_or_remove_a_row_of_the_trail(house: House) {
        sealed(&house).await;
        let texts = [
            "UPDATE audit SET summary = 'nothing'",
            "DELETE FROM audit",
            "DELETE FROM audit WHERE action = 'guest.viewed'",
            "UPDATE guest_sets SET guest_id = id",
            "DELETE FROM guest_sets",
            "UPDATE audit_seals SET mac = NULL",
            "DELETE FROM audit_seals",
        ];
        for text in texts {
            let mut tx = house.db().begin().await.unwrap();
            let error = tx.query(text).execute().await.expect_err(text);
            let why = std::error::Error::source(&error).map_or_else(|| error.to_string(), ToString::to_string);
            assert!(why.contains("audit trail"), "{text}: {why}");
        }
        if house.db().engine() == Engine::Postgres {
            for text in ["TRUNCATE audit", "TRUNCATE guest_sets", "TRUNCATE audit_seals"] {
                house.db().begin().await.unwrap().query(text).execute().await.expect_err(text);
            }
        }
        assert_eq!(verify(&house, &[]).await.findings, Vec::<String>::new());
    }

    async fn a_row_inserted_into_the_sealed_past_is_found(house: House) {
        const PUT: &str = "INSERT INTO audit (id, at, action, summary, address, request_id) \
            VALUES ($1, $2, 'guest.viewed', 'made up', 'job', '')";
        // The last of seven rows at the same moment.
        const ROW: &str = "SELECT id FROM audit ORDER BY id LIMIT 1 OFFSET 26";
        sealed(&house).await;
        let before: Uuid = house.db().query(ROW).scalar().await.unwrap();
        let mut tx = house.db().begin().await.unwrap();
        let between = Uuid::from_u128(before.as_u128() + 1);
        tx.query(PUT).bind(between).bind(START - 2 * HOUR).execute().await.unwrap();
        tx.commit().await.unwrap();
        let findings = verify(&house, &[]).await.findings;
        assert!(findings.len() == 1 && findings[0].starts_with("Seal 2") && findings[0].contains("added"), "{findings:?}");
    }

    async fn two_rows_that_swap_their_ids_are_found(house: House) {
        const IDS: &str = "SELECT id FROM audit ORDER BY id LIMIT 2 OFFSET 30";
        const MOVE: &str = "UPDATE audit SET id = $2 WHERE id = $1";
        sealed(&house).await;
        steps::disarm(house.db()).await;
        let ids: Vec<(Uuid,)> = house.db().query(IDS).all().await.unwrap();
        let (one, two, none) = (ids[0].0, ids[1].0, Uuid::nil());
        let mut tx = house.db().begin().await.unwrap();
        for (from, to) in [(one, none), (two, one), (none, two)] {
            assert_eq!(tx.query(MOVE).bind(from).bind(to).execute().await.unwrap(), 1);
        }
        tx.commit().await.unwrap();
        let findings = verify(&house, &[]).await.findings;
        assert!(findings.len() == 1 && findings[0].starts_with("Seal 2"), "{findings:?}");
    }

    async fn the_newest_seals_cannot_be_removed_and_recreated(house: House) {
        let head = sealed(&house).await;
        assert_eq!(Head::kept(&house.app.settings).unwrap(), Some(head.clone()));
        steps::disarm(house.db()).await;
        change(&house, 50, &["DELETE FROM audit_seals WHERE $1 IS NOT NULL AND ordinal > 2"]).await;
        let report = verify(&house, std::slice::from_ref(&head)).await;
        assert_eq!(report.findings.len(), 1, "{report:?}");
        assert!(report.findings[0].contains("newer seals were removed"), "{report:?}");
        assert_eq!(report.unsealed, 23);
        // Sealed again with other content: the chain is consistent in itself.
        change(&house, 50, &["UPDATE audit SET summary = 'nothing' WHERE id = $1"]).await;
        assert_eq!(seal(&house).await, 1);
        assert_eq!(seals::run(&house.app).await.unwrap(), 0);
        house.advance(HOUR);
        write(&house, 5, START + 50 * MINUTE, 1_000).await;
        assert_eq!(seal(&house).await, 1);
        assert_eq!(verify(&house, &[]).await.findings, Vec::<String>::new());
        let findings = verify(&house, std::slice::from_ref(&head)).await.findings;
        assert!(findings.len() == 1 && findings[0].contains("written anew"), "{findings:?}");
        assert_eq!(Head::kept(&house.app.settings).unwrap(), Some(head), "the node remembers the seals it made");
    }

    async fn seals_made_with_a_key_cannot_be_made_without_it(house: House) {
        let key = |text: &str| Some(SecretString::from(text.repeat(8)));
        let settings = Settings { secret_key: key("open"), ..house.app.settings.clone() };
        let clock = Clock::Fixed(Arc::clone(&house.clock));
        let app = App::new(house.db().clone(), settings, clock, Random::seeded(7));
        write(&house, 20, START - HOUR, 1_000).await;
        house.advance(3 * MINUTE);
        seals::run(&app).await.unwrap();
        write(&house, 20, START - MINUTE, 1_000).await;
        house.advance(3 * MINUTE);
        seals::run(&app).await.unwrap();
        let with = async |text: &str| seals::verify(house.db(), key(text).as_ref(), &[], house.app.now()).await.unwrap().findings;
        assert_eq!(with("open").await, Vec::<String>::new());
        assert_eq!(with("shut").await.len(), 2, "another key");
        steps::disarm(house.db()).await;
        change(&house, 0, &["UPDATE audit_seals SET mac = NULL WHERE $1 IS NOT NULL AND ordinal = 2"]).await;
        let findings = with("open").await;
        assert!(findings.len() == 1 && findings[0].contains("without secret_key"), "{findings:?}");
    }

    async fn two_nodes_make_one_chain(house: House) {
        let other = house.another_node().await;
        for day in 0..4 {
            write(&house, 2_300, START - (30 - day) * DAY, 100).await;
            house.advance(3 * MINUTE);
            let (one, two) = tokio::join!(seals::run(&house.app), seals::run(&other));
            assert!(one.unwrap() + two.unwrap() >= 2, "2,300 rows are two seals");
        }
        seals::run(&house.app).await.unwrap();
        let report = verify(&house, &[]).await;
        assert_eq!((report.findings.as_slice(), report.rows, report.unsealed), (&[][..], 9_200, 0));
    }

    /// The sealing job and transactions that write audit rows do not wait for each other.
    async fn sealing_blocks_no_transaction_on_postgres(house: House) {
        const ROW: &str = "INSERT INTO audit (id, at, action, summary, address, request_id) \
            VALUES ($1, $2, 'guest.viewed', '', 'job', '')";
        if house.db().engine() == Engine::Sqlite {
            return;
        }
        write(&house, 20, START - HOUR, 1_000).await;
        house.advance(3 * MINUTE);
        let mut writer = house.db().begin().await.unwrap();
        writer.query(ROW).bind(house.app.id()).bind(house.app.now()).execute().await.unwrap();
        assert_eq!(seals::run(&house.app).await.unwrap(), 1, "an open transaction does not block sealing");
        let mut sealer = house.db().begin().await.unwrap();
        let text = "INSERT INTO audit_seals (ordinal, after_id, last_id, row_count, sealed_at, hash) \
            SELECT 2, last_id, $1, 0, 0, '' FROM audit_seals";
        sealer.query(text).bind(Uuid::max()).execute().await.unwrap();
        let mut second = house.db().begin().await.unwrap();
        second.query(ROW).bind(house.app.id()).bind(house.app.now()).execute().await.unwrap();
        second.commit().await.unwrap();
        writer.commit().await.unwrap();
        sealer.rollback().await.unwrap();
    }

    async fn a_clock_that_went_ahead_and_back_leaves_one_intact_chain(house: House) {
        sealed(&house).await;
        house.advance(30 * DAY);
        write(&house, 20, START + 30 * DAY, 1_000).await;
        assert_eq!(seal(&house).await, 1);
        // The clock is corrected and the server restarted: ids must not follow the wrong clock for a year.
        house.advance(-30 * DAY);
        let other = house.another_node().await;
        seals::follow(&other).await.unwrap();
        // On PostgreSQL, ids follow the server's clock, which is not the clock of this test.
        let in_a_day = (START + DAY).unsigned_abs() / 1000;
        assert!(other.id().get_timestamp().unwrap().to_unix().0 < in_a_day || house.db().engine() == Engine::Postgres);
        write(&house, 20, START + 20 * MINUTE, 1_000).await;
        house.advance(HOUR);
        assert!(seals::is_due(&other).await.unwrap());
        assert_eq!(seals::run(&other).await.unwrap(), 1);
        let report = verify(&house, &[]).await;
        assert_eq!((report.findings.as_slice(), report.unsealed), (&[][..], 0));
        // When the clock has caught up, nothing can be inserted into the time before.
        house.advance(40 * DAY);
        write(&house, 1, START + 10 * DAY, 0).await;
        let findings = verify(&house, &[]).await.findings;
        assert!(findings.len() == 1 && findings[0].contains("put in later"), "{findings:?}");
    }

    async fn ids_continue_after_sealed_rows_when_the_clock_goes_back_an_hour(house: House) {
        sealed(&house).await;
        house.advance(-HOUR);
        let other = house.another_node().await;
        seals::follow(&other).await.unwrap();
        const TOP: &str = "SELECT last_id FROM audit_seals ORDER BY ordinal DESC LIMIT 1";
        let top: Uuid = house.db().query(TOP).scalar().await.unwrap();
        assert!(other.id() > top);
    }

    async fn an_idle_trail_needs_no_sealing(house: House) {
        assert!(!seals::is_due(&house.app).await.unwrap());
        write(&house, 3, START - HOUR, 1_000).await;
        assert!(seals::is_due(&house.app).await.unwrap());
        seal(&house).await;
        assert!(!seals::is_due(&house.app).await.unwrap(), "an idle server writes nothing");
    }
}

async fn tamper(engine: Engine) {
    for (name, texts, ordinal) in TAMPERINGS {
        let house = House::new(engine).await;
        sealed(&house).await;
        steps::disarm(house.db()).await;
        assert!(change(&house, 30, texts).await > 0, "{name} changes nothing");
        let findings = verify(&house, &[]).await.findings;
        let told = format!("Seal {ordinal} ");
        let missing = format!("Seals {ordinal} to {ordinal} are missing.");
        assert!(
            findings.iter().any(|finding| finding.starts_with(&told) || *finding == missing),
            "{name} is not found: {findings:?}"
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_way_to_tamper_with_a_sealed_row_is_found_on_sqlite() {
    tamper(Engine::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_way_to_tamper_with_a_sealed_row_is_found_on_postgres() {
    tamper(Engine::Postgres).await;
}

/// A trail has the same bytes on both engines, so that it is still valid after a move from one to the other.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn both_engines_make_the_same_seals() {
    let mut hashes = Vec::new();
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let house = House::new(engine).await;
        sealed(&house).await;
        let text = "SELECT hash FROM audit_seals ORDER BY ordinal";
        let rows: Vec<(String,)> = house.db().query(text).all().await.unwrap();
        hashes.push(rows);
    }
    assert_eq!(hashes[0], hashes[1]);
}
