//! `berth seed`: its data is complete, repeatable, and keeps every invariant at every instant of its history, recounted
//! here from the rows only.

use std::collections::{BTreeMap, HashMap};

use berth_db::testing::{ENGINES, TestDatabase};
use berth_db::{Db, Engine};
use berth_demo::accounts;
use berth_demo::seed::{self, Plan, Tier};
use berth_domain::time::Timestamp;
use serde_json::json;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::both_engines;
use crate::harness::{House, START};
use crate::invariants;
use crate::sign_in::sign_in;

const PLAN: Plan = Plan { tier: Tier::S, seed: 1, now: Timestamp::from_millis(START) };

async fn fill(db: &Db, plan: Plan) {
    seed::fill(db, plan, &mut |_| ()).await.unwrap();
}

async fn count(db: &Db, text: &'static str) -> i64 {
    db.query(text).scalar().await.unwrap()
}

/// A guest of the seeded data, with the times that determine its state.
#[derive(Debug, berth_db::FromRow)]
struct Guest {
    id: Uuid,
    site_id: Uuid,
    phone: String,
    email_key: String,
    source: String,
    version: i64,
    created_at: i64,
    expires_at: Option<i64>,
    accepted_at: Option<i64>,
    reassigned_at: Option<i64>,
    rejected_at: Option<i64>,
    discharged_at: Option<i64>,
    expired_at: Option<i64>,
}

impl Guest {
    /// When it stopped being pending; never, if it still is.
    fn pending_until(&self) -> i64 {
        let ends = [self.accepted_at, self.rejected_at, self.expired_at, self.expires_at];
        let decided = [self.accepted_at, self.rejected_at].into_iter().flatten().next();
        decided.or_else(|| ends.into_iter().flatten().min()).unwrap_or(i64::MAX)
    }

    /// When it stopped being active, that is pending or assigned.
    fn active_until(&self) -> i64 {
        match self.accepted_at {
            Some(_) => self.discharged_at.unwrap_or(i64::MAX),
            None => self.pending_until(),
        }
    }

    fn state(&self) -> &'static str {
        match self {
            Self { discharged_at: Some(_), .. } => "discharged",
            Self { rejected_at: Some(_), .. } => "rejected",
            Self { reassigned_at: Some(_), .. } => "reassigned",
            Self { accepted_at: Some(_), .. } => "accepted",
            Self { expired_at: Some(_), .. } => "expired",
            _ => "pending",
        }
    }
}

async fn guests(db: &Db) -> Vec<Guest> {
    const GUESTS: &str = "SELECT id, site_id, phone, email_key, source, version, created_at, expires_at, accepted_at, \
        reassigned_at, rejected_at, discharged_at, expired_at FROM guests ORDER BY created_at, id";
    db.query(GUESTS).all().await.unwrap()
}

#[derive(Debug, berth_db::FromRow)]
struct Stay {
    guest_id: Uuid,
    bed_id: Uuid,
    site_id: Uuid,
    started_at: i64,
    ended_at: Option<i64>,
    end_reason: Option<String>,
}

impl Stay {
    fn end(&self) -> i64 {
        self.ended_at.unwrap_or(i64::MAX)
    }
}

async fn stays(db: &Db) -> Vec<Stay> {
    const STAYS: &str = "SELECT guest_id, bed_id, site_id, started_at, ended_at, end_reason FROM stays \
        ORDER BY started_at, id";
    db.query(STAYS).all().await.unwrap()
}

/// Stays by `key`, in chronological order.
fn by(stays: &[Stay], key: impl Fn(&Stay) -> Uuid) -> HashMap<Uuid, Vec<&Stay>> {
    let mut found: HashMap<Uuid, Vec<&Stay>> = HashMap::new();
    for stay in stays {
        found.entry(key(stay)).or_default().push(stay);
    }
    found
}

/// When beds were disabled or removed, according to the audit trail.
async fn retirements(db: &Db) -> HashMap<Uuid, i64> {
    const RETIRED: &str = "SELECT object_id, at FROM audit WHERE action IN ('bed.disabled', 'bed.removed')";
    db.query(RETIRED).all::<(Uuid, i64)>().await.unwrap().into_iter().collect()
}

/// (I1, I2, I4, I5, I6) No two stays of a bed or of a guest overlap; a guest's stays follow each other without a gap from
/// acceptance to discharge; a swap ends two stays, and the two guests take each other's beds.
fn check_history(guests: &[Guest], stays: &[Stay], retired: &HashMap<Uuid, i64>) {
    for (bed, of_bed) in by(stays, |stay| stay.bed_id) {
        assert!(of_bed.windows(2).all(|pair| pair[0].end() <= pair[1].started_at), "bed {bed}: {of_bed:#?}");
        let closed = retired.get(&bed).copied().unwrap_or(i64::MAX);
        let last = of_bed.last().unwrap();
        assert!(last.started_at < closed && (closed == i64::MAX || last.end() <= closed), "bed {bed}, closed {closed}");
    }
    let mut of_guests = by(stays, |stay| stay.guest_id);
    let mut swaps: BTreeMap<(Uuid, i64), Vec<(Uuid, Uuid)>> = BTreeMap::new();
    for guest in guests {
        let of_guest = of_guests.remove(&guest.id).unwrap_or_default();
        assert_eq!(of_guest.first().map(|stay| stay.started_at), guest.accepted_at, "{guest:?}");
        assert_eq!(of_guest.last().and_then(|stay| stay.ended_at), guest.discharged_at, "{guest:?}");
        assert!(of_guest.iter().all(|stay| stay.site_id == guest.site_id), "{guest:?}");
        for pair in of_guest.windows(2) {
            assert_eq!(pair[0].ended_at, Some(pair[1].started_at), "{guest:?}");
            match pair[0].end_reason.as_deref() {
                Some("swapped") => {
                    let place = (guest.site_id, pair[1].started_at);
                    swaps.entry(place).or_default().push((pair[0].bed_id, pair[1].bed_id));
                }
                reason => assert_eq!(reason, Some("reassigned"), "{guest:?}"),
            }
        }
        let moved = of_guest.get(1..).and_then(<[_]>::last).map(|stay| stay.started_at);
        assert_eq!(moved, guest.reassigned_at, "{guest:?}");
        assert_eq!(of_guest.last().is_some_and(|stay| stay.ended_at.is_some()), guest.discharged_at.is_some());
    }
    assert!(of_guests.is_empty(), "stays without a guest: {of_guests:?}");
    for ((site, at), beds) in &swaps {
        assert_eq!(beds.len() % 2, 0, "site {site} at {at}: {beds:?}");
        assert!(beds.iter().all(|(from, to)| beds.contains(&(*to, *from))), "site {site} at {at}: {beds:?}");
    }
    assert!(swaps.len() > 10, "{} swaps", swaps.len());
}

/// (I10) When a guest was created, its site had more enabled vacant beds than other pending reservations.
async fn check_capacity(db: &Db, guests: &[Guest], stays: &[Stay], retired: &HashMap<Uuid, i64>) {
    const BEDS: &str = "SELECT id, site_id FROM beds";
    let beds: Vec<(Uuid, Uuid)> = db.query(BEDS).all().await.unwrap();
    for guest in guests {
        let at = guest.created_at;
        let in_use = |bed: &&(Uuid, Uuid)| bed.1 == guest.site_id && retired.get(&bed.0).is_none_or(|end| *end > at);
        let enabled = beds.iter().filter(in_use).count();
        let here = |stay: &&Stay| stay.site_id == guest.site_id && stay.started_at <= at && stay.end() > at;
        let occupied = stays.iter().filter(here).count();
        let waits = |other: &&Guest| {
            other.site_id == guest.site_id
                && other.id != guest.id
                && (other.created_at, other.id) < (at, guest.id)
                && other.pending_until() > at
        };
        let pending = guests.iter().filter(waits).count();
        assert!(enabled > occupied + pending, "{enabled} beds, {occupied} taken, {pending} pending before {guest:?}");
    }
}

/// (I10) Nobody had more than two active reservations, unless a third was allowed for a guest added by an admin.
async fn check_people(db: &Db, guests: &[Guest]) {
    const ALLOWED: &str = "SELECT object_id, actor_role FROM audit WHERE action = 'guest.third-allowed'";
    let allowed: HashMap<Uuid, String> = db.query(ALLOWED).all().await.unwrap().into_iter().collect();
    assert!(allowed.values().all(|role| role == "Admin"), "{allowed:?}");
    let mut doubles = 0;
    for guest in guests {
        let before = |other: &&Guest| {
            (other.created_at, other.id) < (guest.created_at, guest.id) && other.active_until() > guest.created_at
        };
        let same = |other: &&Guest| other.phone == guest.phone || other.email_key == guest.email_key;
        let active = guests.iter().filter(before).filter(same).count();
        doubles += usize::from(active == 1);
        match active {
            0 | 1 => assert!(!allowed.contains_key(&guest.id), "{guest:?} is not a third one"),
            2 => assert!(guest.source == "Admin" && allowed.contains_key(&guest.id), "{guest:?}"),
            _ => panic!("{active} active reservations before {guest:?}"),
        }
    }
    assert!(doubles > 5, "only {doubles} people with two reservations");
}

/// (I8, I9, I11) Every guest has one state and five audit rows, including one for each change with the time of the change.
async fn check_trail(db: &Db, guests: &[Guest]) {
    const TRAIL: &str = "SELECT object_id, action, at FROM audit WHERE object_type = 'guest' ORDER BY at, id";
    let mut trail: HashMap<Uuid, Vec<(String, i64)>> = HashMap::new();
    for (guest, action, at) in db.query(TRAIL).all::<(Uuid, String, i64)>().await.unwrap() {
        trail.entry(guest).or_default().push((action, at));
    }
    let mut states: BTreeMap<&str, usize> = BTreeMap::new();
    for guest in guests {
        *states.entry(guest.state()).or_default() += 1;
        let rows = &trail[&guest.id];
        let times = |action: &str| -> Vec<i64> {
            rows.iter().filter(|(known, _)| known == action).map(|(_, at)| *at).collect()
        };
        assert_eq!(rows.len(), 5, "{guest:?}: {rows:?}");
        assert!(rows.iter().all(|(_, at)| (guest.created_at..=START).contains(at)), "{guest:?}: {rows:?}");
        assert_eq!(times("guest.created"), [guest.created_at]);
        assert_eq!(times("guest.accepted"), Vec::from_iter(guest.accepted_at), "{guest:?}");
        assert_eq!(times("guest.rejected"), Vec::from_iter(guest.rejected_at), "{guest:?}");
        assert_eq!(times("guest.expired"), Vec::from_iter(guest.expired_at), "{guest:?}");
        assert_eq!(times("guest.discharged"), Vec::from_iter(guest.discharged_at), "{guest:?}");
        let changes =
            rows.iter().filter(|(action, _)| !matches!(action.as_str(), "guest.viewed" | "guest.third-allowed"));
        assert_eq!(changes.count(), usize::try_from(guest.version).unwrap(), "{guest:?}: {rows:?}");
        assert_eq!(guest.expires_at.is_some(), guest.source == "Web", "{guest:?}");
        assert!(guest.expired_at.is_none_or(|at| (0..60_000).contains(&(at - guest.expires_at.unwrap()))), "{guest:?}");
        assert!(guest.accepted_at.is_none_or(|at| at < guest.expires_at.unwrap_or(i64::MAX)), "{guest:?}");
        assert!(guest.state() != "pending" || guest.expires_at.is_none_or(|end| end > START), "{guest:?}");
    }
    assert_eq!(states.len(), 6, "every state occurs: {states:?}");
    assert!(states["pending"] >= 8 && states["accepted"] >= 40, "{states:?}");
}

both_engines! {
    async fn tier_s_has_its_size_and_keeps_every_invariant_at_every_instant(house: House) {

        for seed in 1..=3 {
            let house = House::empty(house.db().engine()).await;
            let db = house.db();
            fill(db, Plan { seed, ..PLAN }).await;
            invariants::hold(&house).await;
            let (guests, stays, retired) = (guests(db).await, stays(db).await, retirements(db).await);
            assert_eq!(guests.len(), 2_000);
            assert_eq!(count(db, "SELECT COUNT(*) FROM sites").await, 5);
            assert_eq!(count(db, "SELECT COUNT(*) FROM beds WHERE deleted_at IS NULL").await, 120);
            assert_eq!(count(db, "SELECT COUNT(*) FROM users").await, 40);
            assert_eq!(count(db, "SELECT COUNT(*) FROM audit WHERE object_type = 'guest'").await, 10_000);
            check_history(&guests, &stays, &retired);
            check_capacity(db, &guests, &stays, &retired).await;
            check_people(db, &guests).await;
            check_trail(db, &guests).await;
        }
    }

    async fn a_database_that_is_not_empty_is_refused_and_not_changed(house: House) {
        const ROWS: &str = "SELECT (SELECT COUNT(*) FROM users) + (SELECT COUNT(*) FROM sites) + \
            (SELECT COUNT(*) FROM guests) + (SELECT COUNT(*) FROM audit)";
        let before = count(house.db(), ROWS).await;
        let refusal = seed::fill(house.db(), PLAN, &mut |_| ()).await.unwrap_err().to_string();
        assert_eq!(refusal, "the database is not empty, so nothing was changed. Choose another folder with --data, or \
            another database with --database-url.");
        assert_eq!(count(house.db(), ROWS).await, before);
    }

    async fn the_known_accounts_sign_in_and_see_the_board_of_20_beds(house: House) {
        const BOARD: &str = "SELECT site_id FROM beds WHERE deleted_at IS NULL GROUP BY site_id HAVING COUNT(*) = $1";
        let house = House::empty(house.db().engine()).await;
        fill(house.db(), PLAN).await;
        let board: Uuid = house.db().query(BOARD).bind(20_i64).scalar().await.unwrap();
        for accounts::Person { email, role, .. } in accounts::SEED {
            let (token, _) = sign_in(&house, email).await;
            let path = format!("/api/Sites/{board}");
            let expected = if email.contains("free") { 404 } else { 200 };
            let answer = house.get(&path).by(&token).send().await;
            let site = answer.expect(expected);
            if expected == 200 {
                assert_eq!(site["countOfBeds"], json!(20), "{role}");
            }
        }
    }
}

/// A digest of ids, names, times, states and the audit trail.
async fn digest(db: &Db) -> String {
    const TEXTS: [&str; 8] = [
        "SELECT id, created_at, name FROM organizations ORDER BY id",
        "SELECT id, version, name || '|' || address || '|' || description FROM sites ORDER BY id",
        "SELECT id, position, name || '|' || kind || '|' || CAST(COALESCE(deleted_at, 0) AS TEXT) FROM beds ORDER BY id",
        "SELECT id, created_at, email || '|' || COALESCE(phone, '') || '|' || last_name FROM users ORDER BY id",
        "SELECT id, created_at, role || '|' || status FROM memberships ORDER BY id",
        "SELECT id, created_at, code || '|' || first_name || '|' || last_name || '|' || phone || '|' || email || '|' || \
            source || '|' || COALESCE(policy_number, '') || '|' || CAST(COALESCE(accepted_at, 0) AS TEXT) || '|' || \
            CAST(COALESCE(rejected_at, discharged_at, expired_at, 0) AS TEXT) FROM guests ORDER BY id",
        "SELECT id, started_at, CAST(COALESCE(ended_at, 0) AS TEXT) || '|' || COALESCE(end_reason, '') FROM stays \
            ORDER BY id",
        "SELECT id, at, action || '|' || summary || '|' || address || '|' || request_id || '|' || \
            COALESCE(actor_email, '') FROM audit ORDER BY id",
    ];
    let mut digest = Sha256::new();
    for text in TEXTS {
        let rows: Vec<(Uuid, i64, String)> = db.query(text).all().await.unwrap();
        assert!(!rows.is_empty(), "{text}");
        for (id, number, words) in rows {
            digest.update(id.as_bytes());
            digest.update(number.to_le_bytes());
            digest.update(words.as_bytes());
        }
    }
    hex::encode(digest.finalize())
}

async fn digest_of(engine: Engine, plan: Plan) -> String {
    let test = TestDatabase::migrated(engine).await;
    fill(&test.db, plan).await;
    digest(&test.db).await
}

/// Benchmarks of different days and engines use the same data.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_same_seed_and_time_produce_the_same_rows_on_both_engines() {
    let first = digest_of(Engine::Sqlite, PLAN).await;
    for engine in ENGINES {
        assert_eq!(digest_of(engine, PLAN).await, first, "{engine:?}");
    }
    assert_ne!(digest_of(Engine::Sqlite, Plan { seed: 2, ..PLAN }).await, first);
    let later = Plan { now: PLAN.now.plus_millis(1), ..PLAN };
    assert_ne!(digest_of(Engine::Sqlite, later).await, first);
}
