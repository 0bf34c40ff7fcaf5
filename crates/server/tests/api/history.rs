//! Pages of a site's history: order, totals (also of long lists) and search results (spec B 2, 7; DESIGN 6).

use berth_domain::value::name_key;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::audit_pages::id_at;
use crate::both_engines;
use crate::harness::{HOUR, House};
use crate::steps::{DAY, add, command, form, id, place, reserve};
use crate::world;

/// The lists that only grow: how they are requested, and the plain query of their guests.
const LISTS: [(&str, &str); 3] = [
    (
        "discharged",
        "SELECT id FROM guests WHERE discharged_at IS NOT NULL AND first_name_key LIKE $1 ORDER BY discharged_at DESC, id DESC",
    ),
    (
        "rejected",
        "SELECT id FROM guests WHERE rejected_at IS NOT NULL AND first_name_key LIKE $1 ORDER BY rejected_at DESC, id DESC",
    ),
    (
        "expired",
        "SELECT id FROM guests WHERE accepted_at IS NULL AND rejected_at IS NULL AND expires_at IS NOT NULL \
         AND first_name_key LIKE $1 ORDER BY expires_at DESC, id DESC",
    ),
];

/// Writes guests of Harbor House that were declined, discharged or expired in turn, the last one `age` before now. Several
/// ended in the same moment, and every tenth is called Ann.
async fn write(house: &House, count: u64, age: i64) {
    const ROWS: &str = "INSERT INTO guests (id, site_id, code, first_name, first_name_key, last_name, gender, \
        age_service_id, phone, email, email_key, source, created_at, expires_at, accepted_at, rejected_at, discharged_at, \
        expired_at) VALUES ($1..)";
    let now = house.app.now().millis();
    let first = now - age - i64::try_from(count).unwrap() * 1000;
    let numbers: Vec<u64> = (0..count).collect();
    let mut tx = house.db().begin().await.unwrap();
    tx.insert(ROWS, &numbers, |values, number| {
        let ended = first + i64::try_from(*number).unwrap() / 7 * 7 * 1000;
        let created = ended - HOUR;
        let of = |list: u64, at: i64| (number % 3 == list).then_some(at);
        let name = if number % 10 == 0 { "Ánn".to_owned() } else { format!("Guest {number}") };
        values.bind(id_at(created, *number)).bind(world::HARBOR_HOUSE).bind(format!("W{age}-{number}"));
        values.bind(name.clone()).bind(name_key(&name)).bind("G").bind("Female").bind("age-18-26");
        values.bind("+17145550100").bind("old@guests.example").bind("old@guests.example").bind("Web").bind(created);
        values.bind(of(2, ended)).bind(of(0, created)).bind(of(1, ended)).bind(of(0, ended)).bind(of(2, ended));
    })
    .await
    .unwrap();
    tx.commit().await.unwrap();
}

async fn ask(house: &House, rest: &str) -> Value {
    let path = format!("/api/Guests?siteId={}&{rest}", world::HARBOR_HOUSE);
    house.get(&path).by(world::INTAKE).send().await.expect(200)
}

fn texts(page: &Value, field: &str) -> Vec<String> {
    page["items"].as_array().unwrap().iter().map(|guest| guest[field].as_str().unwrap().to_owned()).collect()
}

/// Compares pages of every list, including the first and last ones, with the plain query.
async fn compare(house: &House, when: &str) {
    for (list, plain) in LISTS {
        for (search, pattern) in [("", "%"), ("ann", "%ann%")] {
            let found: Vec<(Uuid,)> = house.db().query(plain).bind(pattern).all().await.unwrap();
            let all: Vec<String> = found.into_iter().map(|(id,)| id.to_string()).collect();
            for (number, size) in [(1, 5), (2, 5), (3, 250), (5, 100), (41, 25), (6, 300), (9, 300)] {
                let page = ask(house, &format!("Status={list}&search={search}&page={number}&pageSize={size}")).await;
                let what = format!("{list} \"{search}\", page {number} of {size} rows, {when}");
                assert_eq!(page["totalCount"], json!(all.len()), "{what}");
                let wanted: Vec<String> = all.iter().skip((number - 1) * size).take(size).cloned().collect();
                assert_eq!(texts(&page, "id"), wanted, "{what}");
            }
        }
    }
}

both_engines! {
    async fn each_list_begins_with_its_newest_guest(house: House) {
        let (one, two) = (add(&house, world::HARBOR_HOUSE, 1).await, add(&house, world::HARBOR_HOUSE, 2).await);
        for (guest, bed) in [(&two, world::BED_A), (&one, world::BED_B)] {
            house.advance(HOUR);
            command(&house, &id(guest), "ACCEPTED", Some(bed)).send().await.expect(200);
        }
        assert_eq!(texts(&ask(&house, "Status=accepted,reassigned").await, "firstName"), ["Person 1", "Person 2"]);
        command(&house, &id(&one), "REASSIGNED", Some(world::BED_C)).send().await.expect(200);
        assert_eq!(texts(&ask(&house, "Status=accepted,reassigned").await, "firstName"), ["Person 1", "Person 2"]);
        for guest in [&one, &two] {
            house.advance(HOUR);
            command(&house, &id(guest), "DISCHARGED", None).send().await.expect(200);
        }
        assert_eq!(texts(&ask(&house, "Status=discharged").await, "firstName"), ["Person 2", "Person 1"]);
        let (three, four) = (add(&house, world::HARBOR_HOUSE, 3).await, add(&house, world::HARBOR_HOUSE, 4).await);
        for guest in [&four, &three] {
            house.advance(HOUR);
            command(&house, &id(guest), "REJECTED", None).send().await.expect(200);
        }
        assert_eq!(texts(&ask(&house, "Status=rejected").await, "firstName"), ["Person 3", "Person 4"]);
        assert_eq!(texts(&ask(&house, "Status=rejected,discharged").await, "firstName"),
            ["Person 4", "Person 3", "Person 2", "Person 1"], "a mix is in the order of the reservations");
    }

    async fn an_expired_hold_is_in_the_history_before_and_after_a_job_records_it(house: House) {
        let expired = async || texts(&ask(&house, "Status=expired").await, "firstName");
        reserve(&house, world::HARBOR_HOUSE, 1).await;
        house.advance(HOUR);
        reserve(&house, world::HARBOR_HOUSE, 2).await;
        assert_eq!(expired().await, Vec::<String>::new());
        house.advance(23 * HOUR);
        assert_eq!(expired().await, ["Person 1"]);
        berth_server::jobs::holds::run(&house.app).await.unwrap();
        house.advance(HOUR);
        assert_eq!(expired().await, ["Person 2", "Person 1"]);
        house.advance(-10 * HOUR);
        assert_eq!(expired().await, ["Person 1"], "what a job has recorded is kept, also when the clock goes back");
    }

    async fn every_page_of_a_long_list_equals_a_plain_query_with_the_exact_total(house: House) {
        write(&house, 6_300, 30 * DAY).await;
        compare(&house, "without marks").await;
        compare(&house, "with marks").await;
        write(&house, 450, 5 * DAY).await;
        compare(&house, "after some more came").await;
        write(&house, 4_500, HOUR).await;
        compare(&house, "after many came that may still be taken back").await;
        house.advance(2 * DAY);
        compare(&house, "when these have marks, too").await;
        house.advance(-3 * DAY);
        write(&house, 30, 20 * DAY).await;
        compare(&house, "after the clock went back and guests came in between").await;
    }

    async fn a_search_finds_part_of_a_first_name_without_its_accents_in_each_list(house: House) {
        let named = async |name: &str, number: usize| {
            let mut person = form(world::HARBOR_HOUSE, number);
            person["firstName"] = json!(name);
            house.post("/api/Guests", person).by(world::INTAKE).send().await.expect(201)
        };
        let (zoe, jose) = (named("Zoë", 1).await, named("María José", 2).await);
        command(&house, &id(&zoe), "ACCEPTED", Some(world::BED_A)).send().await.expect(200);
        command(&house, &id(&jose), "REJECTED", None).send().await.expect(200);
        let total = async |rest: &str| ask(&house, rest).await["totalCount"].clone();
        for (rest, found) in [
            ("Status=accepted,reassigned&search=zoe", 1), ("Status=accepted,reassigned&search=Z", 1),
            ("Status=accepted,reassigned&search=jos", 0), ("Status=rejected&search=jose", 1),
            ("Status=rejected&search=JOS%C3%89", 1), ("Status=rejected&search=%25", 0), ("Status=rejected&search=zo", 0),
            ("Status=discharged&search=zo", 0), ("Status=expired&search=zo", 0),
        ] {
            assert_eq!(total(rest).await, json!(found), "{rest}");
        }
        command(&house, &id(&zoe), "DISCHARGED", None).send().await.expect(200);
        assert_eq!(total("Status=discharged&search=zo").await, json!(1));
        assert_eq!(total("Status=accepted,reassigned").await, json!(0));
    }

    async fn the_history_shows_staff_no_contact_data_and_strangers_nothing(house: House) {
        let lists = ["accepted,reassigned", "discharged", "rejected", "expired", "rejected,discharged"];
        place(&house, world::HARBOR_HOUSE, 1, world::BED_A).await;
        let gone = place(&house, world::HARBOR_HOUSE, 2, world::BED_B).await;
        let leave = json!({"status": "DISCHARGED", "bedId": null, "feedback": "Went home."});
        house.patch(&format!("/api/Guests/{}", id(&gone)), leave).by(world::INTAKE).send().await.expect(200);
        let declined = add(&house, world::HARBOR_HOUSE, 3).await;
        command(&house, &id(&declined), "REJECTED", None).send().await.expect(200);
        reserve(&house, world::HARBOR_HOUSE, 4).await;
        house.advance(DAY + HOUR);
        for list in lists {
            let path = format!("/api/Guests?siteId={}&Status={list}", world::HARBOR_HOUSE);
            let full = house.get(&path).by(world::INTAKE).send().await.text;
            let staff = house.get(&path).by(world::STAFF).send().await.text;
            for word in ["\"phone\"", "\"email\"", "+1714555", "@guests.example"] {
                assert!(full.contains(word), "{list} for intake: {word}");
                assert!(!staff.contains(word), "{list} for staff: {word}");
            }
            for stranger in [world::OWNER_FOREIGN, world::OWNER_FREE] {
                house.get(&path).by(stranger).send().await.expect(404);
            }
        }
        let left = ask(&house, "Status=discharged").await;
        assert_eq!((&left["items"][0]["feedback"], &left["items"][0]["daysStayed"]), (&json!("Went home."), &json!(1)));
    }
}
