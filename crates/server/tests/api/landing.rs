//! Landing lists: users with the same access share one answer, a client that has it gets 304, and nobody gets an old one.

use serde_json::{Value, json};

use crate::both_engines;
use crate::harness::{Answer, HOUR, House, MINUTE};
use crate::steps::{add, command, id, place, reserve};
use crate::world;

const LISTS: [&str; 2] = ["/api/Sites?pageSize=25", "/api/Organizations"];

async fn get(house: &House, path: &str, token: &str, tag: Option<&str>) -> Answer {
    let ask = house.get(path).by(token);
    match tag {
        Some(tag) => ask.header("if-none-match", tag).send().await,
        None => ask.send().await,
    }
}

/// The row of a place in a list.
fn row(list: &Value, name: &str) -> Value {
    let rows = list.get("items").unwrap_or(list).as_array().unwrap();
    rows.iter().find(|row| row["name"] == name).unwrap_or_else(|| panic!("{name} is not in {list}")).clone()
}

async fn sites(house: &House, token: &str) -> Value {
    get(house, LISTS[0], token, None).await.expect(200)
}

async fn organizations(house: &House, token: &str) -> Value {
    get(house, LISTS[1], token, None).await.expect(200)
}

both_engines! {
    async fn a_client_that_has_the_list_gets_304_until_it_changes(house: House) {
        for path in LISTS {
            for token in [world::GLOBAL, world::OWNER, world::STAFF] {
                let first = get(&house, path, token, None).await;
                first.expect(200);
                let tag = first.header("etag").to_owned();
                let again = get(&house, path, token, Some(&tag)).await;
                assert_eq!((again.status, again.text.as_str()), (304, ""), "{path} by {token}");
                assert_eq!(get(&house, path, token, None).await.text, first.text);
                add(&house, world::HARBOR_HOUSE, usize::from(path == LISTS[0]) + 2 * token.len()).await;
                let changed = get(&house, path, token, Some(&tag)).await;
                assert_eq!(changed.status, 200, "{path} by {token}");
                assert_ne!(changed.header("etag"), tag);
                let guest: Vec<(uuid::Uuid,)> = {
                    let text = "SELECT id FROM guests WHERE rejected_at IS NULL";
                    house.db().query(text).all().await.unwrap()
                };
                command(&house, &guest[0].0.to_string(), "REJECTED", None).send().await.expect(200);
            }
        }
    }

    async fn every_change_is_in_the_lists_at_once(house: House) {
        let counts = async || {
            let site = row(&sites(&house, world::INTAKE).await, "Harbor House")["counts"].clone();
            let organization = row(&organizations(&house, world::OWNER).await, "Harbor Recovery");
            assert_eq!(site["beds"], organization["countOfBeds"]);
            assert_eq!(site["vacant"], organization["countOfVacantBeds"]);
            assert_eq!(site["pending"], organization["countOfPending"]);
            (site["beds"].as_i64().unwrap(), site["vacant"].as_i64().unwrap(), site["pending"].as_i64().unwrap(),
                site["occupied"].as_i64().unwrap(), site["rooms"].as_i64().unwrap())
        };
        assert_eq!(counts().await, (5, 4, 0, 0, 2));
        let guest = id(&add(&house, world::HARBOR_HOUSE, 1).await);
        assert_eq!(counts().await, (5, 4, 1, 0, 2), "a reservation");
        command(&house, &guest, "ACCEPTED", Some(world::BED_A)).send().await.expect(200);
        assert_eq!(counts().await, (5, 3, 0, 1, 2), "accepted");
        command(&house, &guest, "DISCHARGED", None).send().await.expect(200);
        assert_eq!(counts().await, (5, 4, 0, 0, 2), "discharged");
        let guest = id(&add(&house, world::HARBOR_HOUSE, 2).await);
        command(&house, &guest, "REJECTED", None).send().await.expect(200);
        assert_eq!(counts().await, (5, 4, 0, 0, 2), "declined");
        house.post("/api/Rooms", json!({"siteId": world::HARBOR_HOUSE})).by(world::OWNER).send().await.expect(201);
        assert_eq!(counts().await, (5, 4, 0, 0, 3), "a house");
        let beds = json!({"roomId": world::ROOM_2, "type": "Detox", "count": 2});
        house.post("/api/Beds", beds).by(world::OWNER).send().await.expect(201);
        assert_eq!(counts().await, (7, 6, 0, 0, 3), "beds");
        let off = json!({"name": "B", "type": "Treatment", "disabled": true});
        house.put(&format!("/api/Beds/{}", world::BED_B), off).by(world::OWNER).send().await.expect(200);
        assert_eq!(counts().await, (7, 5, 0, 0, 3), "a disabled bed");
    }

    async fn an_expired_hold_leaves_the_lists_without_any_other_change(house: House) {
        reserve(&house, world::HARBOR_HOUSE, 1).await;
        let pending = async || {
            let site = row(&sites(&house, world::GLOBAL).await, "Harbor House");
            let organization = row(&organizations(&house, world::GLOBAL).await, "Harbor Recovery");
            (site["counts"]["pending"].as_i64().unwrap(), organization["countOfPending"].as_i64().unwrap())
        };
        assert_eq!(pending().await, (1, 1));
        let hold: i64 = house.db().query("SELECT hold_hours FROM sites WHERE id = $1").bind(world::HARBOR_HOUSE)
            .scalar().await.unwrap();
        house.advance(hold * HOUR - MINUTE);
        assert_eq!(pending().await, (1, 1));
        house.advance(MINUTE);
        assert_eq!(pending().await, (0, 0), "also before the job has recorded it");
    }

    async fn names_of_organizations_and_insurers_are_current(house: House) {
        let logo = crate::organization_changes::logo;
        logo(&house, "org_matrix").await;
        organizations(&house, world::OWNER).await;
        sites(&house, world::STAFF).await;
        let edit = json!({"name": "Harbor Shore", "logoPath": "uploads/org_matrix.png", "reservationPaymentMethodIds": [1]});
        house.put(&format!("/api/Organizations/{}", world::HARBOR), edit).by(world::OWNER).send().await.expect(200);
        row(&organizations(&house, world::OWNER).await, "Harbor Shore");
        let list = sites(&house, world::STAFF).await;
        assert_eq!(row(&list, "Harbor House")["organizationName"], "Harbor Shore");
    }

    async fn lists_follow_the_users_memberships_and_a_new_one_counts_at_once(house: House) {
        const END: &str = "UPDATE memberships SET deleted_at = 1 WHERE user_id = $1 AND site_id = $2";
        let names = |list: &Value| -> Vec<String> {
            let rows = list.get("items").unwrap_or(list).as_array().unwrap().clone();
            rows.iter().map(|row| row["name"].as_str().unwrap().to_owned()).collect()
        };
        assert_eq!(names(&sites(&house, world::GLOBAL).await), ["Far Away", "Harbor House", "Open Door"]);
        assert_eq!(names(&sites(&house, world::STAFF).await), ["Harbor House", "Open Door"]);
        assert_eq!(names(&sites(&house, world::OWNER).await), ["Harbor House"]);
        assert_eq!(names(&sites(&house, world::OWNER_FOREIGN).await), ["Far Away"]);
        assert_eq!(names(&organizations(&house, world::STAFF).await), ["Harbor Recovery", "Open Hands"]);
        assert_eq!(names(&organizations(&house, world::OWNER_FREE).await), ["Open Hands"]);
        assert_eq!(row(&sites(&house, world::ADMIN).await, "Open Door")["roles"], json!(["Admin"]));
        assert_eq!(row(&sites(&house, world::STAFF).await, "Open Door")["roles"], json!(["Staff"]));
        let mut tx = house.db().begin().await.unwrap();
        tx.query(END).bind(world::PEOPLE[6].2).bind(world::OPEN_DOOR).execute().await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(names(&sites(&house, world::STAFF).await), ["Harbor House"], "no cached answer outlives a permission");
        assert_eq!(names(&organizations(&house, world::STAFF).await), ["Harbor Recovery"]);
    }

    async fn organizations_are_paged_on_request(house: House) {
        let part = async |query: &str| {
            let list = get(&house, &format!("/api/Organizations?{query}"), world::GLOBAL, None).await.expect(200);
            list.as_array().unwrap().iter().map(|row| row["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(part("").await, ["Foreign Homes", "Harbor Recovery", "Open Hands"]);
        assert_eq!(part("pageSize=2").await, ["Foreign Homes", "Harbor Recovery"]);
        assert_eq!(part("page=2&pageSize=2").await, ["Open Hands"]);
        assert_eq!(part("page=3&pageSize=2").await, Vec::<String>::new());
        assert_eq!(part("page=1&pageSize=2&SiteType=nonCommercial").await, ["Open Hands"]);
    }

    async fn the_organization_dialog_counts_its_sites_and_pages_them(house: House) {
        place(&house, world::HARBOR_HOUSE, 1, world::BED_A).await;
        add(&house, world::HARBOR_HOUSE, 2).await;
        let path = format!("/api/Dashboard/organizations/{}", world::HARBOR);
        let dialog = get(&house, &path, world::GLOBAL, None).await.expect(200);
        let site = &dialog["sites"][0];
        assert_eq!((&dialog["siteCount"], &site["countOfBeds"], &site["countOfVacantBeds"], &site["countOfPending"]),
            (&json!(1), &json!(5), &json!(3), &json!(1)));
        assert_eq!(site["subscription"]["isActive"], true);
        let second = get(&house, &format!("{path}?page=2&pageSize=1"), world::GLOBAL, None).await.expect(200);
        assert_eq!((&second["siteCount"], &second["sites"]), (&json!(1), &json!([])));
        let free = format!("/api/Dashboard/organizations/{}", world::OPEN_HANDS);
        assert_eq!(get(&house, &free, world::GLOBAL, None).await.expect(200)["sites"][0]["subscription"], Value::Null);
    }
}
