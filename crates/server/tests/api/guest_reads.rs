//! Every answer that shows guests is recorded with these guests (I11): each operation of the OpenAPI document is called,
//! and what its answer shows is compared with the audit rows of the same call.

use std::collections::{BTreeMap, BTreeSet};

use berth_db::Engine;
use berth_server::admin::audit_log::MAX_WAITING;
use berth_server::routes;
use serde_json::{Value, json};
use tokio::task::JoinSet;
use uuid::Uuid;

use crate::both_engines;
use crate::harness::{Answer, Ask, HOUR, House, MINUTE};
use crate::matrix::{self, guest_id};
use crate::steps::{add, command, id, place};
use crate::world;

/// Schemas with the name or the code of a guest.
const GUEST_SCHEMAS: [&str; 10] = [
    "BedStay",
    "EarlierReservation",
    "FoundGuest",
    "Guest",
    "GuestCreation",
    "GuestShort",
    "GuestTimeline",
    "Reservation",
    "ReservationState",
    "TrailEntry",
];

/// Files, whose schema does not describe their content.
const FILES: [&str; 3] =
    ["GET /api/EventLogs/internal.csv", "GET /api/Sites/{id}/beds.csv", "GET /api/Sites/{id}/beds.xlsx"];

/// Schemas with the name of a person who is no guest yet: views of the waitlist have rows of their own.
const WAITING_SCHEMAS: [&str; 2] = ["NewGuest", "WaitingGuest"];

/// Schemas with a first name that is not a guest's. Schemas of requests show nothing.
const STAFF_SCHEMAS: [&str; 9] = [
    "AccessUser",
    "AccessUserEdit",
    "AccessUserPerson",
    "DashboardOwner",
    "DashboardUser",
    "DashboardUserDetails",
    "InvitationShown",
    "Invitation",
    "UserInfo",
];

/// The names of the schemas that a part of the document refers to, directly or indirectly.
fn reached(document: &Value, part: &Value, found: &mut BTreeSet<String>) {
    match part {
        Value::Object(fields) => {
            if let Some(name) = fields.get("$ref").and_then(Value::as_str).and_then(|path| path.rsplit('/').next())
                && found.insert(name.to_owned())
            {
                reached(document, &document["components"]["schemas"][name], found);
            }
            fields.values().for_each(|field| reached(document, field, found));
        }
        Value::Array(items) => items.iter().for_each(|item| reached(document, item, found)),
        _ => {}
    }
}

/// The operations whose successful answer can show a guest, as "METHOD path".
fn operations_that_show_guests() -> BTreeSet<String> {
    let document = serde_json::to_value(routes::document()).unwrap();
    let shows = |operation: &String| {
        let (method, path) = operation.split_once(' ').unwrap();
        let responses = &document["paths"][path][method.to_lowercase()]["responses"];
        let mut found = BTreeSet::new();
        for (_, response) in responses.as_object().unwrap().iter().filter(|(status, _)| status.starts_with('2')) {
            reached(&document, response, &mut found);
        }
        GUEST_SCHEMAS.iter().any(|schema| found.contains(*schema))
    };
    let files = FILES.iter().map(|file| (*file).to_owned());
    matrix::operations().into_iter().filter(shows).chain(files).collect()
}

/// Texts that identify a guest in an answer, each with the guest's id.
async fn marks(house: &House) -> Vec<(String, Uuid)> {
    const GUESTS: &str = "SELECT id, code, first_name FROM guests";
    let guests: Vec<(Uuid, String, String)> = house.db().query(GUESTS).all().await.unwrap();
    let marks = guests.into_iter().flat_map(|(id, code, name)| {
        [id.to_string(), format!("\"{code}\""), format!("\"{name}\"")].map(|mark| (mark, id))
    });
    marks.collect()
}

/// The guests that an answer shows.
async fn shown(house: &House, answer: &Answer) -> BTreeSet<Uuid> {
    let marks = marks(house).await;
    marks.into_iter().filter(|(mark, _)| answer.text.contains(mark.as_str())).map(|(_, id)| id).collect()
}

/// The guests named by the audit rows of a call, and the actions of these rows.
async fn on_record(house: &House, answer: &Answer) -> (BTreeSet<Uuid>, Vec<String>) {
    const ROWS: &str =
        "SELECT action, object_type, object_id, guest_set_id FROM audit WHERE request_id = $1 ORDER BY id";
    const MEMBERS: &str = "SELECT guest_id FROM guest_sets WHERE id = $1";
    type Row = (String, Option<String>, Option<Uuid>, Option<Uuid>);
    house.app.reads.flush(&house.app).await.unwrap();
    let rows: Vec<Row> = house.db().query(ROWS).bind(answer.header("x-request-id")).all().await.unwrap();
    let mut guests = BTreeSet::new();
    let mut actions = Vec::new();
    for (action, kind, object, set) in rows {
        if kind.as_deref() == Some("guest") {
            guests.extend(object);
        }
        if let Some(set) = set {
            let members: Vec<(Uuid,)> = house.db().query(MEMBERS).bind(set).all().await.unwrap();
            assert!(!members.is_empty(), "the set of {action} is empty");
            guests.extend(members.into_iter().map(|(guest,)| guest));
        }
        actions.push(action);
    }
    (guests, actions)
}

/// Makes a call and compares the guests it shows with its audit rows. Returns the guests that it shows.
async fn compare(house: &House, ask: Ask, what: &str) -> BTreeSet<Uuid> {
    let answer = ask.send().await;
    let shown = shown(house, &answer).await;
    let (named, actions) = on_record(house, &answer).await;
    assert!(
        shown.is_subset(&named),
        "{what} ({}) shows guests that its rows {actions:?} do not name: {:?}",
        answer.status,
        shown.difference(&named).collect::<Vec<_>>()
    );
    if answer.status < 300 && !shown.is_empty() {
        assert!(named.is_subset(&shown), "{what}: the rows {actions:?} name guests that are not shown");
    }
    shown
}

/// A house with guests whose names and codes occur in no other text, two of them with audit rows.
async fn house(engine: Engine) -> House {
    let house = matrix::house(engine).await;
    let mut tx = house.db().begin().await.unwrap();
    let merged = matrix::places().into_iter().take(3).map(|place| matrix::merged_of(&place));
    for (number, guest) in (1..=6).map(guest_id).chain(merged).enumerate() {
        let text = "UPDATE guests SET code = $2, first_name = $3, first_name_key = $4 WHERE id = $1";
        let name = format!("Quincy{number}");
        let query = tx.query(text).bind(guest).bind(format!("QQ{number}QQ{number}")).bind(&name);
        query.bind(name.to_lowercase()).execute().await.unwrap();
    }
    tx.commit().await.unwrap();
    add(&house, world::HARBOR_HOUSE, 31).await;
    house
}

async fn every_operation(engine: Engine) {
    let able = operations_that_show_guests();
    let mut showed: BTreeMap<String, usize> = able.iter().map(|operation| (operation.clone(), 0)).collect();
    let place = &matrix::places()[0];
    let mut shared = house(engine).await;
    for operation in matrix::operations().iter().filter(|operation| *operation != "GET /api/live") {
        let sample = matrix::sample(operation, place).expect("the matrix has a sample of every operation");
        for token in [world::OWNER, world::GLOBAL, world::INTAKE] {
            if able.contains(operation) {
                // There are no earlier views, so that no view is a repetition.
                shared = house(engine).await;
            }
            let ask = matrix::ask(&shared, operation, &sample).by(token);
            let shown = compare(&shared, ask, &format!("{operation} as {token}")).await;
            match showed.get_mut(operation) {
                Some(count) => *count += shown.len(),
                None => assert!(shown.is_empty(), "{operation} shows guests, but its schema does not say so"),
            }
        }
        if !operation.starts_with("GET") {
            shared = house(engine).await;
        }
    }
    // New or vacant beds and houses have no guests, and neither has a new site.
    for never in ["POST /api/Beds", "PUT /api/Beds/{id}", "POST /api/Rooms"] {
        assert_eq!(showed.remove(never), Some(0), "{never}");
    }
    for never in ["POST /api/Sites/commercial", "POST /api/Sites/nonCommercial", "PUT /api/Sites/nonCommercial/{id}"] {
        assert_eq!(showed.remove(never), Some(0), "{never}: the sample is refused there");
    }
    let silent: Vec<&String> =
        showed.iter().filter(|(_, count)| **count == 0).map(|(operation, _)| operation).collect();
    assert!(silent.is_empty(), "nothing was compared for {silent:?}: give their samples a guest");
    assert!(showed.len() >= 9, "{showed:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_trail_names_the_guests_that_each_operation_shows_on_sqlite() {
    every_operation(Engine::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_trail_names_the_guests_that_each_operation_shows_on_postgres() {
    every_operation(Engine::Postgres).await;
}

#[test]
fn a_schema_with_a_first_name_is_listed_as_guest_or_staff() {
    let document = serde_json::to_value(routes::document()).unwrap();
    let mut answered = BTreeSet::new();
    for (_, item) in document["paths"].as_object().unwrap() {
        for (_, operation) in item.as_object().unwrap().iter().filter(|(_, value)| value.get("responses").is_some()) {
            reached(&document, &operation["responses"], &mut answered);
        }
    }
    let unknown: Vec<&String> = answered
        .iter()
        .filter(|name| document["components"]["schemas"][*name]["properties"].get("firstName").is_some())
        .filter(|name| !WAITING_SCHEMAS.contains(&name.as_str()))
        .filter(|name| !GUEST_SCHEMAS.contains(&name.as_str()) && !STAFF_SCHEMAS.contains(&name.as_str()))
        .collect();
    assert!(unknown.is_empty(), "sort them into GUEST_SCHEMAS or STAFF_SCHEMAS: {unknown:?}");
}

both_engines! {
    async fn a_refused_or_stale_command_names_the_guest_that_it_shows(house: House) {
        let first = place(&house, world::HARBOR_HOUSE, 1, world::BED_A).await;
        let second = id(&add(&house, world::HARBOR_HOUSE, 2).await);
        let taken = command(&house, &second, "ACCEPTED", Some(world::BED_A));
        assert_eq!(compare(&house, taken, "a taken bed").await.len(), 1);
        let stale = command(&house, &id(&first), "DISCHARGED", None).header("if-match", "\"1\"");
        assert_eq!(compare(&house, stale, "an old version").await.len(), 1);
    }

    async fn an_edit_that_changes_nothing_names_the_guests_of_the_house(house: House) {
        place(&house, world::HARBOR_HOUSE, 1, world::BED_A).await;
        let room = |token| house.put(&format!("/api/Rooms/{}", world::ROOM_1), json!({"name": "Pier"})).by(token);
        assert_eq!(compare(&house, room(world::OWNER), "a new name").await.len(), 1);
        for _ in 0..2 {
            assert_eq!(compare(&house, room(world::OWNER), "the same name").await.len(), 1);
        }
        assert_eq!(compare(&house, room(world::GLOBAL), "by a global admin").await.len(), 1);
        let last = house.trail().await.pop().unwrap();
        assert_eq!(last, "board.viewed-by-global-admin", "a separate action, also when a house is edited");
    }

    async fn every_search_is_recorded_with_its_text(house: House) {
        const ROWS: &str = "SELECT query FROM audit WHERE action = 'guests.listed' AND query IS NOT NULL ORDER BY id";
        for number in 1..4 {
            add(&house, world::HARBOR_HOUSE, number).await;
        }
        let search = |text: &str| {
            let path = format!("/api/Guests?siteId={}&Status=PENDING&search={text}&pageSize=2", world::HARBOR_HOUSE);
            house.get(&path).by(world::INTAKE)
        };
        assert_eq!(compare(&house, search("person"), "part of a name").await.len(), 2);
        assert_eq!(compare(&house, search("person%203"), "a name").await.len(), 1);
        assert_eq!(compare(&house, search("person%203"), "the same once more").await.len(), 1);
        assert_eq!(compare(&house, search("nobody"), "a name that nobody has").await.len(), 0);
        let rows: Vec<(String,)> = house.db().query(ROWS).all().await.unwrap();
        let rows: Vec<&str> = rows.iter().map(|(query,)| query.as_str()).collect();
        let search = |text: &str| format!("pending, name contains \"{text}\", page 1 of 2 rows each");
        assert_eq!(rows, [search("person"), search("person 3"), search("person 3"), search("nobody")]);
    }

    async fn a_replayed_answer_is_recorded_as_another_view(house: House) {
        let guest = id(&add(&house, world::HARBOR_HOUSE, 1).await);
        let accept = || command(&house, &guest, "ACCEPTED", Some(world::BED_A)).header("idempotency-key", "once");
        for what in ["the first time", "again", "and again"] {
            assert_eq!(compare(&house, accept(), what).await.len(), 1);
        }
        let create = || {
            let form = crate::steps::form(world::HARBOR_HOUSE, 2);
            house.post("/api/Guests", form).by(world::ADMIN).header("idempotency-key", "create")
        };
        for what in ["created", "created again"] {
            assert_eq!(compare(&house, create(), what).await.len(), 1);
        }
    }

    async fn a_board_view_is_recorded_once_per_version_and_again_after_15_minutes(house: House) {
        const ROWS: &str = "SELECT COUNT(*) FROM audit WHERE action = 'board.viewed'";
        place(&house, world::HARBOR_HOUSE, 1, world::BED_A).await;
        let look = async || {
            house.get(&format!("/api/Sites/{}", world::HARBOR_HOUSE)).by(world::STAFF).send().await.expect(200);
            house.app.reads.flush(&house.app).await.unwrap();
            house.db().query(ROWS).scalar::<i64>().await.unwrap()
        };
        assert_eq!((look().await, look().await), (1, 1), "the same board twice");
        place(&house, world::HARBOR_HOUSE, 2, world::BED_B).await;
        assert_eq!((look().await, look().await), (2, 2), "it has changed");
        house.advance(14 * MINUTE);
        assert_eq!(look().await, 2);
        house.advance(MINUTE);
        assert_eq!((look().await, look().await), (3, 3), "a separate view");
    }

    async fn the_audit_log_records_the_guests_of_each_page_once(house: House) {
        for number in 1..4 {
            add(&house, world::HARBOR_HOUSE, number).await;
        }
        let page = |list: &str, number: usize| {
            house.get(&format!("/api/EventLogs/{list}?page={number}&pageSize=2")).by(world::GLOBAL)
        };
        assert_eq!(compare(&house, page("guestCreated", 1), "two names").await.len(), 2);
        assert_eq!(compare(&house, page("guestCreated", 2), "one name").await.len(), 1);
        let rows = async || {
            house.app.reads.flush(&house.app).await.unwrap();
            let text = "SELECT COUNT(*) FROM audit WHERE action = 'audit.viewed'";
            house.db().query(text).scalar::<i64>().await.unwrap()
        };
        assert_eq!(rows().await, 2);
        page("guestCreated", 1).send().await.expect(200);
        assert_eq!(rows().await, 2, "the same page with the same names");
        add(&house, world::HARBOR_HOUSE, 4).await;
        assert_eq!(compare(&house, page("guestCreated", 1), "another name").await.len(), 2);
        assert_eq!(rows().await, 3);
        house.advance(HOUR);
        assert_eq!(compare(&house, page("guestCreated", 1), "an hour later").await.len(), 2);
        assert_eq!(rows().await, 4);
    }

    async fn views_stay_queued_when_writing_them_panics(house: House) {
        const ROWS: &str = "SELECT COUNT(*) FROM audit WHERE action = 'guests.listed'";
        let path = format!("/api/Guests?siteId={}&Status=PENDING", world::HARBOR_HOUSE);
        house.get(&path).by(world::INTAKE).send().await.expect(200);
        // The data layer panics if a request that holds a transaction begins another one.
        let broken = berth_db::in_order(house.db(), async {
            let _held = house.db().read().await.unwrap();
            house.app.reads.flush(&house.app).await
        });
        assert!(broken.await.is_err());
        house.app.reads.flush(&house.app).await.unwrap();
        assert_eq!(house.db().query(ROWS).scalar::<i64>().await.unwrap(), 1);
    }

    /// The queue is bounded. An answer whose row finds it full is not sent before the row is queued.
    async fn when_the_queue_is_full_answers_wait_and_no_view_is_lost(house: House) {
        const MORE: usize = 20;
        const ROWS: &str = "SELECT COUNT(*) FROM audit WHERE action = 'guests.listed'";
        add(&house, world::HARBOR_HOUSE, 1).await;
        let mut calls = JoinSet::new();
        let list = |page: usize| {
            let path = format!("/api/Guests?siteId={}&Status=PENDING&page={page}", world::HARBOR_HOUSE);
            house.get(&path).by(world::INTAKE).status()
        };
        for number in 0..MAX_WAITING {
            calls.spawn(list(number + 1));
        }
        while let Some(status) = calls.join_next().await {
            assert_eq!(status.unwrap(), 200);
        }
        for number in MAX_WAITING..MAX_WAITING + MORE {
            calls.spawn(list(number + 1));
        }
        tokio::select! {
            () = house.app.reads.is_full() => {}
            _ = calls.join_next() => panic!("more answers were sent than rows fit into the queue"),
        }
        house.app.reads.flush(&house.app).await.unwrap();
        while let Some(status) = calls.join_next().await {
            assert_eq!(status.unwrap(), 200);
        }
        house.app.reads.flush(&house.app).await.unwrap();
        let rows = i64::try_from(MAX_WAITING + MORE).unwrap();
        assert_eq!(house.db().query(ROWS).scalar::<i64>().await.unwrap(), rows);
    }
}
