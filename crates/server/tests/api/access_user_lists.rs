//! Lists of access users (spec A 2, 7; security-and-proof 2.3, row 28): the caller's scope, search, pages, streaming.

use serde_json::{Value, json};

use crate::access_users::{INTAKE, STAFF, run};
use crate::harness::House;
use crate::{both_engines, world};

fn emails(users: &Value) -> Vec<String> {
    let rows = users.as_array().or_else(|| users["items"].as_array()).unwrap().iter();
    rows.map(|user| user["user"]["email"].as_str().unwrap().trim_end_matches("@test.example").to_owned()).collect()
}

both_engines! {
    async fn each_caller_sees_only_the_access_users_of_their_own_places(house: House) {
        let list = async |by: &str| emails(&house.get("/api/AccessUsers?PageSize=250").by(by).send().await.expect(200));
        let site = ["admin", "intake", "staff"];
        assert_eq!(list(world::OWNER).await, ["admin", "intake", "owner", "staff"]);
        assert_eq!(list(world::OWNER_FOREIGN).await, ["owner.foreign"]);
        assert_eq!(list(world::ADMIN).await, ["admin", "admin", "intake", "intake", "staff", "staff"]);
        assert!(list(world::INTAKE).await.is_empty() && list(world::STAFF).await.is_empty());
        assert_eq!(list(world::GLOBAL).await.len(), 10);
        let all = house.get("/api/AccessUsers/all").by(world::GLOBAL).send().await;
        assert_eq!((all.expect(200).as_array().unwrap().len(), all.header("cache-control")), (10, "no-store"));
        assert_eq!(house.get("/api/AccessUsers/all").by(world::OWNER).send().await.status, 403);

        let of_site = format!("/api/AccessUsers/siteScopeUsers?siteId={}", world::HARBOR_HOUSE);
        assert_eq!(emails(&house.get(&of_site).by(world::ADMIN).send().await.expect(200)), site);
        let only = house.get(&format!("{of_site}&Role=Intake")).by(world::OWNER).send().await.expect(200);
        assert_eq!(emails(&only), ["intake"]);
        assert_eq!(house.get(&of_site).by(world::OWNER_FOREIGN).send().await.status, 404);
        assert_eq!(house.get(&of_site).by(world::INTAKE).send().await.status, 403);
        let owners = format!("/api/AccessUsers/organizationScopeUsers?organizationId={}", world::HARBOR);
        assert_eq!(emails(&house.get(&owners).by(world::OWNER).send().await.expect(200)), ["owner"]);
        assert_eq!(house.get(&owners).by(world::ADMIN).send().await.status, 403);
        assert_eq!(house.get(&owners).by(world::OWNER_FOREIGN).send().await.status, 404);
    }

    async fn access_users_are_searched_by_name_and_email_and_filtered_by_organization_and_role(house: House) {
        run(&house, "UPDATE users SET first_name = 'ÉLISE' WHERE id = (SELECT user_id FROM memberships WHERE id = $1)", STAFF).await;
        let list = async |query: &str| {
            house.get(&format!("/api/AccessUsers?PageSize=2&{query}")).by(world::GLOBAL).send().await.expect(200)
        };
        let page = list("PageNumber=2").await;
        assert_eq!((emails(&page).len(), &page["totalCount"], &page["totalPages"]), (2, &json!(10), &json!(5)));
        assert_eq!(emails(&list("search=%C3%A9lise").await), ["staff", "staff"]);
        let found = list("search=OWNER&PageNumber=2").await;
        assert_eq!((emails(&found), &found["totalCount"]), (vec!["owner".to_owned()], &json!(3)));
        assert_eq!(emails(&list(&format!("organizationId={}&Role=Owner", world::OPEN_HANDS)).await), ["owner.free"]);
        let unknown = house.get("/api/AccessUsers?Role=King").by(world::GLOBAL).send().await;
        assert_eq!(unknown.field_errors(), ["/Role: This role does not exist."]);
    }

    async fn a_search_pages_through_many_users_in_list_order(house: House) {
        const USER: &str = "INSERT INTO users (id, email, email_key, first_name, last_name, created_at) \
            VALUES ($1, $2, $2, $3, 'Many', 0)";
        const MEMBERSHIP: &str = "INSERT INTO memberships (id, user_id, role, site_id, status, created_at) \
            VALUES ($1, $1, 'Staff', $2, 'Active', 0)";
        let mut tx = house.db().begin().await.unwrap();
        for number in 0..450_u128 {
            let id = uuid::Uuid::from_u128(0x0190_0000_0000_7000_9000_0000_0001_0000 + number);
            // Every third has a name, the others have none; two of every hundred share the start of their address.
            let name = if number % 3 == 0 { "Žofie" } else { "Other" };
            let email = format!("many{:03}@test.example", (number * 7) % 450);
            tx.query(USER).bind(id).bind(email).bind(name).execute().await.unwrap();
            tx.query(MEMBERSHIP).bind(id).bind(world::HARBOR_HOUSE).execute().await.unwrap();
        }
        tx.commit().await.unwrap();
        for (by, search, count) in [(world::GLOBAL, "%C5%BEOFIE+many", 150), (world::OWNER, "many", 450), (world::OWNER_FREE, "many", 0)] {
            let mut found = Vec::new();
            for page in 1..=(count / 100 + 1) {
                let path = format!("/api/AccessUsers?search={search}&page={page}&pageSize=100");
                let answer = house.get(&path).by(by).send().await.expect(200);
                assert_eq!(answer["totalCount"], count, "{search}");
                found.extend(emails(&answer));
            }
            assert_eq!(found.len(), count, "{search}");
            assert!(found.is_sorted(), "{search}: {found:?}");
        }
    }

    async fn an_access_user_has_person_place_state_and_allowed_actions(house: House) {
        let of_site = format!("/api/AccessUsers/siteScopeUsers?siteId={}", world::HARBOR_HOUSE);
        let users = house.get(&of_site).by(world::ADMIN).send().await.expect(200);
        assert_eq!(users[1], json!({
            "id": INTAKE, "user": {"id": world::PEOPLE[5].2, "email": "intake@test.example"},
            "firstName": "Test", "lastName": "Person", "role": "Intake", "membershipStatus": "Active",
            "receiveReservationTexts": true,
            "organization": {"id": world::HARBOR, "name": "Harbor Recovery", "isCommercial": true, "logoPath": null, "siteCount": 1},
            "siteId": world::HARBOR_HOUSE, "siteName": "Harbor House", "createdAt": "2026-03-02T18:00:00.000Z",
            // Fixed, so that nodes of two releases agree on it.
            "version": 3_649_375_929_492_352_i64,
            "can": {"edit": true, "rename": true, "remove": true, "disable": true, "resend": false, "roles": ["Admin", "Staff"]},
        }));
        let own = json!({"edit": false, "rename": false, "remove": false, "disable": false, "resend": false, "roles": []});
        assert_eq!(users[0]["can"], own, "no action on oneself");
        let all = house.get("/api/AccessUsers?search=owner@").by(world::GLOBAL).send().await.expect(200);
        let last = json!({"edit": true, "rename": true, "remove": false, "disable": false, "resend": false, "roles": []});
        assert_eq!(all["items"][0]["can"], last, "the last owner cannot be removed");
    }
}

/// Uses more rows than one chunk of the stream holds.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn all_access_users_are_streamed_completely() {
    let house = House::new(berth_db::Engine::Sqlite).await;
    let mut tx = house.db().begin().await.unwrap();
    for number in 0..2_500_u32 {
        let user = house.app.id();
        let email = format!("u{number}@test.example");
        tx.query("INSERT INTO users (id, email, email_key, first_name, last_name, created_at) VALUES ($1, $2, $2, 'A', 'B', 1)")
            .bind(user).bind(email).execute().await.unwrap();
        tx.query("INSERT INTO memberships (id, user_id, role, site_id, status, created_at) VALUES ($1, $2, 'Staff', $3, 'Active', 1)")
            .bind(house.app.id()).bind(user).bind(world::HARBOR_HOUSE).execute().await.unwrap();
    }
    tx.commit().await.unwrap();
    let all = house.get("/api/AccessUsers/all").by(world::GLOBAL).send().await.expect(200);
    let all = all.as_array().unwrap();
    let with_site = all.iter().filter(|user| user["organization"]["siteCount"] == 1).count();
    // All but the global admin.
    assert_eq!((all.len(), with_site), (2_510, 2_509));
}
