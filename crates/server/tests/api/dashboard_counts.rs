//! The dashboard's counts are right immediately after every kind of change, on every node (I15); and occupancy is counted
//! from the stays.

use berth_db::Engine;
use berth_domain::id::BedId;
use berth_server::routes;
use serde_json::{Value, json};

use crate::harness::{Ask, HOUR, House};
use crate::steps::{DAY, add, command, id};
use crate::{both_engines, invariants, world};

/// Sites, rooms, beds, vacant beds and filled beds of the platform, as a node shows them.
async fn totals(ask: Ask) -> Vec<i64> {
    let page = ask.by(world::GLOBAL).send().await.expect(200);
    ["sites", "rooms", "beds", "vacantBeds", "filledBeds"].map(|name| page["totals"][name].as_i64().unwrap()).to_vec()
}

/// The same, counted by SQL.
async fn recount(house: &House) -> Vec<i64> {
    const COUNT: &str = "SELECT (SELECT COUNT(*) FROM sites WHERE deleted_at IS NULL), \
        (SELECT COUNT(*) FROM rooms WHERE deleted_at IS NULL), (SELECT COUNT(*) FROM beds WHERE deleted_at IS NULL), \
        (SELECT COUNT(*) FROM beds b WHERE deleted_at IS NULL AND NOT disabled AND NOT EXISTS (SELECT 1 FROM stays s \
        WHERE s.bed_id = b.id AND s.ended_at IS NULL))";
    let (sites, rooms, beds, vacant): (i64, i64, i64, i64) = house.db().query(COUNT).one().await.unwrap();
    vec![sites, rooms, beds, vacant, beds - vacant]
}

/// Checks that both nodes show what a recount finds, and that the stored counters are right.
async fn agree(house: &House, other: &axum::Router, after: &str) -> Vec<i64> {
    let here = totals(house.get("/api/Dashboard/sites")).await;
    assert_eq!(here, recount(house).await, "{after}");
    let mut there = house.get("/api/Dashboard/sites");
    there.router = other.clone();
    assert_eq!(totals(there).await, here, "the other node after {after}");
    invariants::hold(house).await;
    here
}

/// Runs a command, which must succeed.
async fn change(house: &House, guest: &str, status: &str, bed: Option<BedId>) {
    command(house, guest, status, bed).send().await.expect(200);
}

/// The last days as date, beds, occupied.
async fn days(house: &House, path: &str) -> Vec<(String, i64, i64)> {
    let answer = house.get(path).by(world::GLOBAL).send().await.expect(200);
    let day = |day: &Value| {
        (day["date"].as_str().unwrap().to_owned(), day["beds"].as_i64().unwrap(), day["occupied"].as_i64().unwrap())
    };
    answer["days"].as_array().unwrap().iter().map(day).collect()
}

both_engines! {
    async fn counters_equal_a_recount_after_every_kind_of_change(house: House) {
        let other = if house.db().engine() == Engine::Postgres {
            routes::build(house.another_node().await)
        } else {
            house.router.clone()
        };
        let site = world::HARBOR_HOUSE;
        assert_eq!(agree(&house, &other, "nothing").await, [3, 4, 8, 7, 1]);

        let first = id(&add(&house, site, 1).await);
        let second = id(&add(&house, site, 2).await);
        agree(&house, &other, "two reservations").await;
        change(&house, &first, "ACCEPTED", Some(world::BED_A)).await;
        assert_eq!(agree(&house, &other, "an acceptance").await[3], 6);
        change(&house, &second, "ACCEPTED", Some(world::BED_B)).await;
        assert_eq!(agree(&house, &other, "another acceptance").await[3], 5);
        change(&house, &first, "REASSIGNED", Some(world::BED_C)).await;
        agree(&house, &other, "a move").await;
        change(&house, &first, "SWAP", Some(world::BED_B)).await;
        agree(&house, &other, "a swap").await;
        change(&house, &first, "DISCHARGED", None).await;
        assert_eq!(agree(&house, &other, "a discharge").await[3], 6);

        let ask = house.post("/api/Rooms", json!({"siteId": site, "name": "Pier"})).by(world::OWNER);
        let room = ask.send().await.expect(201)["id"].as_str().unwrap().to_owned();
        assert_eq!(agree(&house, &other, "a new house").await[1], 5);
        let ask = house.post("/api/Beds", json!({"roomId": room, "type": "Detox", "count": 3})).by(world::OWNER);
        let beds = ask.send().await.expect(201);
        assert_eq!(agree(&house, &other, "new beds").await[2..4], [11, 9]);
        let bed = beds[0]["id"].as_str().unwrap();
        let edit = |disabled: bool| {
            house.put(&format!("/api/Beds/{bed}"), json!({"name": "Window", "type": "Detox", "disabled": disabled}))
        };
        edit(true).by(world::OWNER).send().await.expect(200);
        assert_eq!(agree(&house, &other, "a bed disabled").await[2..4], [11, 8]);
        edit(false).by(world::OWNER).send().await.expect(200);
        assert_eq!(agree(&house, &other, "a bed enabled").await[2..4], [11, 9]);
        house.delete(&format!("/api/Beds/{bed}")).by(world::OWNER).send().await.expect(204);
        assert_eq!(agree(&house, &other, "a bed removed").await[2..4], [10, 8]);
        house.delete(&format!("/api/Rooms/{room}")).by(world::OWNER).send().await.expect(204);
        assert_eq!(agree(&house, &other, "a house removed").await, [3, 4, 8, 6, 2]);
    }

    async fn a_refused_change_keeps_the_counters(house: House) {
        let guest = id(&add(&house, world::HARBOR_HOUSE, 1).await);
        change(&house, &guest, "ACCEPTED", Some(world::BED_A)).await;
        let before = totals(house.get("/api/Dashboard/sites")).await;
        let late = id(&add(&house, world::HARBOR_HOUSE, 2).await);
        command(&house, &late, "ACCEPTED", Some(world::BED_A)).send().await.expect(409);
        house.delete(&format!("/api/Beds/{}", world::BED_A)).by(world::OWNER).send().await.expect(409);
        assert_eq!(totals(house.get("/api/Dashboard/sites")).await, before);
        invariants::hold(&house).await;
    }

    async fn people_and_places_are_listed_in_their_current_state(house: House) {
        let names = |path: &'static str, field: &'static str| {
            let ask = house.get(path).by(world::GLOBAL);
            async move {
                let page = ask.send().await.expect(200);
                let items = page["items"].as_array().unwrap().clone();
                items.iter().map(|row| row[field].as_str().unwrap().to_owned()).collect::<Vec<_>>()
            }
        };
        let users = "/api/Dashboard/users?sort=email";
        assert_eq!(names(users, "email").await.len(), 7);
        house.post("/connect/prove", json!({"password": world::PASSWORD})).by(world::STAFF).send().await;
        house.delete("/api/Users").by(world::STAFF).send().await.expect(204);
        assert!(!names(users, "email").await.contains(&"staff@test.example".to_owned()), "a removed user is not listed");
        house.delete(&format!("/api/Organizations/{}", world::FOREIGN)).by(world::GLOBAL).send().await.expect(204);
        assert_eq!(names("/api/Dashboard/organizations", "organizationName").await, ["Harbor Recovery", "Open Hands"]);
        assert_eq!(names("/api/Dashboard/sites", "name").await, ["Harbor House", "Open Door"]);
        assert!(!names(users, "email").await.contains(&"owner.foreign@test.example".to_owned()), "nor a user without any access");
        invariants::hold(&house).await;
    }

    async fn occupancy_is_counted_day_by_day_from_the_stays(house: House) {
        let path = format!("/api/Sites/{}/occupancy", world::HARBOR_HOUSE);
        // March 2, 10 a.m. in California, where the house is.
        let first = id(&add(&house, world::HARBOR_HOUSE, 1).await);
        change(&house, &first, "ACCEPTED", Some(world::BED_A)).await;
        house.advance(12 * HOUR); // 22:00
        let second = id(&add(&house, world::HARBOR_HOUSE, 2).await);
        change(&house, &second, "ACCEPTED", Some(world::BED_B)).await;
        house.advance(3 * HOUR); // March 3, 01:00: at midnight there were two
        change(&house, &first, "DISCHARGED", None).await;
        house.advance(6 * DAY); // March 9; the clocks changed on the 8th
        let third = id(&add(&house, world::HARBOR_HOUSE, 3).await);
        change(&house, &third, "ACCEPTED", Some(world::BED_A)).await;
        let all = days(&house, &path).await;
        assert_eq!(all.len(), 30);
        let told: Vec<(&str, i64, i64)> = all[21..].iter().map(|(date, beds, full)| (date.as_str(), *beds, *full)).collect();
        assert_eq!(
            told,
            [
                ("2026-03-01", 0, 0),
                ("2026-03-02", 5, 2),
                ("2026-03-03", 5, 1),
                ("2026-03-04", 5, 1),
                ("2026-03-05", 5, 1),
                ("2026-03-06", 5, 1),
                ("2026-03-07", 5, 1),
                ("2026-03-08", 5, 1),
                ("2026-03-09", 5, 2),
            ]
        );
        assert_eq!(days(&house, &format!("{path}?days=365")).await.len(), 365);
        let here = format!("/api/Dashboard/occupancy?siteId={}", world::HARBOR_HOUSE);
        assert_eq!(days(&house, &here).await, all);
        let of = format!("/api/Dashboard/occupancy?organizationId={}&days=30", world::HARBOR);
        assert_eq!(days(&house, &of).await, all);
        let everywhere = days(&house, "/api/Dashboard/occupancy").await;
        assert_eq!(everywhere.last().unwrap(), &("2026-03-09".to_owned(), 8, 2));
        change(&house, &third, "DISCHARGED", None).await;
        let again = days(&house, "/api/Dashboard/occupancy").await;
        assert_eq!(again.last().unwrap(), &("2026-03-09".to_owned(), 8, 1), "today shows the current state");
        assert_eq!(again[..29], everywhere[..29]);
        house.advance(DAY);
        let next = days(&house, "/api/Dashboard/occupancy").await;
        assert_eq!(next[28..], [("2026-03-09".to_owned(), 8, 1), ("2026-03-10".to_owned(), 8, 1)]);
        let odd = house.get(&format!("{path}?days=31")).by(world::GLOBAL).send().await;
        assert_eq!(odd.field_errors(), ["/days: Choose one of: 30, 90, 365."]);
    }

    async fn a_day_ends_at_midnight_of_each_site(house: House) {
        const ZONE: &str = "UPDATE sites SET time_zone = 'America/New_York' WHERE id IN ($1, $2)";
        crate::sites::run(&house, ZONE, (world::OPEN_DOOR.0, world::OPEN_DOOR.0)).await;
        house.advance(9 * HOUR); // March 3, 03:00 UTC: 19:00 on March 2 in California, 22:00 in New York
        for (number, (site, bed)) in [(world::HARBOR_HOUSE, world::BED_A), (world::OPEN_DOOR, world::BED_F)].into_iter().enumerate() {
            crate::sites::assigned(&house, site, bed, 1 + u128::try_from(number).unwrap()).await;
        }
        house.advance(3 * HOUR); // 22:00 in California, 01:00 on March 3 in New York
        let dates = days(&house, "/api/Dashboard/occupancy").await;
        assert_eq!(dates.last().unwrap(), &("2026-03-02".to_owned(), 8, 2), "the last day that has begun in every zone");
        house.advance(3 * HOUR);
        let dates = days(&house, "/api/Dashboard/occupancy").await;
        assert_eq!(dates[28..], [("2026-03-02".to_owned(), 8, 2), ("2026-03-03".to_owned(), 8, 2)]);
    }
}
