//! Pages of a long audit trail: found with marks, equal to the result of a plain query, with the exact total (P6;
//! docs/decisions/0031).

use berth_server::App;
use berth_server::admin::audit_log::lists::{List, ROWS_PER_MARK};
use berth_server::cli::invariants;
use berth_server::jobs::audit_marks;
use serde_json::json;
use uuid::Uuid;

use crate::both_engines;
use crate::harness::{HOUR, House, MINUTE, START};
use crate::world;

/// How often each action occurs, so that some lists have many marks and some none.
const ACTIONS: [&str; 10] = [
    "guest.viewed",
    "login.failed",
    "guest.created",
    "board.viewed",
    "guest.viewed",
    "password.changed",
    "board.viewed",
    "guest.viewed",
    "password.reset",
    "login.failed",
];

/// The path of each list.
const LISTS: [(List, &str); 4] = [
    (List::Whole, "internal"),
    (List::FailedSignIns, "loginFailed"),
    (List::GuestCreations, "guestCreated"),
    (List::PasswordChanges, "passwordChanged"),
];

/// A unique id with the given time.
pub fn id_at(at: i64, number: u64) -> Uuid {
    let mut random = [0; 10];
    random[2..].copy_from_slice(&number.to_be_bytes());
    uuid::Builder::from_unix_timestamp_millis(u64::try_from(at).unwrap(), &random).into_uuid()
}

/// Writes rows starting at `from`, one every `step` milliseconds; if `step` is 0, seven at the same moment.
pub async fn write(house: &House, count: u64, from: i64, step: i64) {
    const ROWS: &str = "INSERT INTO audit (id, at, action, summary, address, request_id) VALUES ($1..)";
    let numbers: Vec<u64> = (0..count).collect();
    let mut tx = house.db().begin().await.unwrap();
    tx.insert(ROWS, &numbers, |values, number| {
        let at = from + i64::try_from(*number).unwrap() / 7 * 7 * step;
        let action = ACTIONS[usize::try_from(*number).unwrap() % ACTIONS.len()];
        values.bind(id_at(at, *number)).bind(at).bind(action).bind("made up").bind("job").bind("");
    })
    .await
    .unwrap();
    tx.commit().await.unwrap();
}

/// The ids of a list according to a plain query, newest first.
async fn plainly(house: &House, list: List) -> Vec<String> {
    const WHOLE: &str = "SELECT id FROM audit ORDER BY id DESC";
    const SOME: &str = "SELECT id FROM audit WHERE action IN ($1..) ORDER BY at DESC, id DESC";
    let rows: Vec<(Uuid,)> = match list {
        List::Whole => house.db().query(WHOLE).all().await.unwrap(),
        _ => house.db().query(SOME).bind_list(list.action_words()).all().await.unwrap(),
    };
    rows.into_iter().map(|(id,)| id.to_string()).collect()
}

/// Requests many pages of every list and compares each with the plain query.
async fn compare(house: &House) {
    for (list, path) in LISTS {
        // No jobs run here, and this many recorded views do not fit into the queue.
        house.app.reads.flush(&house.app).await.unwrap();
        // A count of more than 500 rows behind the marks may be a second old.
        house.advance(1000);
        let all = plainly(house, list).await;
        for (size, step) in [(10, 17), (300, 1), (7, 41), (25, 13)] {
            for number in (1..=all.len().div_ceil(size) + 1).step_by(step).chain([all.len().div_ceil(size)]) {
                let path = format!("/api/EventLogs/{path}?page={number}&pageSize={size}");
                let page = house.get(&path).by(world::GLOBAL).send().await.expect(200);
                let ids: Vec<&str> =
                    page["items"].as_array().unwrap().iter().map(|row| row["id"].as_str().unwrap()).collect();
                let from = ((number.max(1) - 1) * size).min(all.len());
                assert_eq!(ids, all[from..(from + size).min(all.len())], "{path}");
                assert_eq!(page["totalCount"], json!(all.len()), "{path}");
            }
        }
    }
}

async fn marks(house: &House, list: List) -> i64 {
    const MARKS: &str = "SELECT COUNT(*) FROM audit_marks WHERE kind = $1";
    house.db().query(MARKS).bind(list.kind().into_owned()).scalar().await.unwrap()
}

/// Moves each mark of a list except the last to the row before its own, so that a page counted from it is one row too old.
pub async fn shift_marks(house: &House, list: List) {
    const WHOLE: &str = "UPDATE audit_marks SET id = (SELECT a.id FROM audit a WHERE a.id < audit_marks.id \
        ORDER BY a.id DESC LIMIT 1) WHERE kind = $1 AND ordinal < (SELECT MAX(m.ordinal) FROM audit_marks m WHERE m.kind = $1)";
    const ORGANIZATION: &str = "UPDATE audit_marks SET id = (SELECT a.id FROM audit a WHERE a.id < audit_marks.id \
        AND a.organization_id = $2 ORDER BY a.id DESC LIMIT 1) WHERE kind = $1 AND ordinal < (SELECT MAX(m.ordinal) FROM audit_marks m WHERE m.kind = $1)";
    const SOME: &str = "UPDATE audit_marks SET id = (SELECT a.id FROM audit a WHERE a.id < audit_marks.id \
        AND a.action IN ($2..) ORDER BY a.id DESC LIMIT 1) WHERE kind = $1 AND ordinal < (SELECT MAX(m.ordinal) FROM audit_marks m WHERE m.kind = $1)";
    const TIMES: &str =
        "UPDATE audit_marks SET at = (SELECT a.at FROM audit a WHERE a.id = audit_marks.id) WHERE kind = $1";
    let kind = list.kind().into_owned();
    let mut tx = house.db().begin().await.unwrap();
    let shifted = match list {
        List::Whole => tx.query(WHOLE).bind(kind.clone()).execute().await,
        List::Organization(id) => tx.query(ORGANIZATION).bind(kind.clone()).bind(id).execute().await,
        _ => tx.query(SOME).bind(kind.clone()).bind_list(list.action_words()).execute().await,
    };
    assert!(shifted.unwrap() > 0, "{list:?} has marks");
    tx.query(TIMES).bind(kind).execute().await.unwrap();
    tx.commit().await.unwrap();
}

/// Returns the number of marks that a recount does not confirm. (The guests of these rows do not exist.)
async fn broken(house: &House) -> i64 {
    let found = invariants::recount(house.db(), house.app.now()).await.unwrap();
    found.iter().find(|found| found.rule.contains("marks")).expect("the recount includes the marks").violations
}

async fn work(app: &App) -> u64 {
    audit_marks::run(app).await.unwrap()
}

both_engines! {
    async fn every_page_equals_a_plain_query_before_while_and_after_marks_are_set(house: House) {
        write(&house, 4_321, START - 40 * 24 * HOUR, 5 * MINUTE).await;
        compare(&house).await;
        assert!(audit_marks::is_due(&house.app).await.unwrap());
        assert!(work(&house.app).await > 0);
        assert_eq!(marks(&house, List::Whole).await, 4_321 / ROWS_PER_MARK);
        assert_eq!(marks(&house, List::FailedSignIns).await, 1);
        assert_eq!(marks(&house, List::PasswordChanges).await, 1);
        assert_eq!(marks(&house, List::GuestCreations).await, 0);
        assert!(!audit_marks::is_due(&house.app).await.unwrap(), "an idle server writes nothing");
        compare(&house).await;
        write(&house, 1_300, START - MINUTE, 10).await;
        compare(&house).await;
        house.advance(HOUR);
        assert!(work(&house.app).await > 0);
        compare(&house).await;
        assert_eq!(broken(&house).await, 0);
    }

    /// This makes a page far down as fast as the first: its rows are counted from the next mark.
    async fn a_page_is_counted_from_the_mark_behind_it(house: House) {
        write(&house, 6_000, START - 40 * 24 * HOUR, 5 * MINUTE).await;
        work(&house.app).await;
        for (list, path) in [LISTS[0], LISTS[1], LISTS[3]] {
            let all = plainly(&house, list).await;
            shift_marks(&house, list).await;
            for number in [71, 72, 101, 119, all.len() / 10 - 1] {
                let path = format!("/api/EventLogs/{path}?page={number}&pageSize=10");
                let page = house.get(&path).by(world::GLOBAL).send().await.expect(200);
                let ids: Vec<&str> =
                    page["items"].as_array().unwrap().iter().map(|row| row["id"].as_str().unwrap()).collect();
                assert_eq!(ids, all[(number - 1) * 10 + 1..number * 10 + 1], "{path}");
                assert_eq!(page["totalCount"], json!(all.len()), "{path}");
            }
        }
    }

    async fn rows_that_may_still_change_get_no_mark(house: House) {
        write(&house, 1_200, START - MINUTE, 0).await;
        assert!(!audit_marks::is_due(&house.app).await.unwrap());
        assert_eq!(work(&house.app).await, 0);
        house.advance(HOUR);
        assert_eq!(work(&house.app).await, 2);
    }

    async fn a_late_row_is_found_and_the_marks_behind_it_are_corrected(house: House) {
        write(&house, 2_000, START - HOUR, 100).await;
        house.advance(-50 * MINUTE);
        work(&house.app).await;
        let before = marks(&house, List::Whole).await;
        assert_eq!(before, 4);
        // Written by a node whose clock is ten minutes behind, after these marks were set.
        write(&house, 7, START - HOUR + 50, 0).await;
        assert!(broken(&house).await > 0, "the test would prove nothing");
        assert!(audit_marks::is_due(&house.app).await.unwrap());
        work(&house.app).await;
        assert_eq!(broken(&house).await, 0);
        compare(&house).await;
        assert_eq!(marks(&house, List::Whole).await, before);
    }

    async fn marks_from_a_clock_that_was_ahead_are_not_used_and_are_removed(house: House) {
        write(&house, 1_500, START - 2 * HOUR, 100).await;
        house.advance(24 * HOUR);
        write(&house, 1_500, START + 23 * HOUR, 100).await;
        work(&house.app).await;
        let ahead = marks(&house, List::Whole).await;
        // The clock is corrected; new rows now sort before rows that are marked.
        house.advance(-24 * HOUR);
        write(&house, 700, START - MINUTE, 0).await;
        compare(&house).await;
        work(&house.app).await;
        assert!(marks(&house, List::Whole).await < ahead);
        assert_eq!(broken(&house).await, 0);
        compare(&house).await;
    }

    async fn two_nodes_set_each_mark_once(house: House) {
        let other = house.another_node().await;
        for day in 0..3 {
            write(&house, 3_000, START - (30 - day) * 24 * HOUR, 100).await;
            let (one, two) = tokio::join!(audit_marks::run(&house.app), audit_marks::run(&other));
            let (one, two) = (one.unwrap(), two.unwrap());
            assert!(one + two > 0, "{one} and {two}");
            assert_eq!(broken(&house).await, 0);
        }
        work(&house.app).await;
        assert_eq!(marks(&house, List::Whole).await, 9_000 / ROWS_PER_MARK);
        compare(&house).await;
    }

    async fn marks_can_be_deleted_at_any_time(house: House) {
        write(&house, 2_600, START - 40 * 24 * HOUR, 5 * MINUTE).await;
        work(&house.app).await;
        let mut tx = house.db().begin().await.unwrap();
        tx.query("DELETE FROM audit_marks").execute().await.unwrap();
        tx.commit().await.unwrap();
        compare(&house).await;
        work(&house.app).await;
        compare(&house).await;
        assert_eq!(broken(&house).await, 0);
    }
}
