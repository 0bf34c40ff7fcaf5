//! "Was here before": the other reservations of a person at the same organization.

use serde_json::{Value, json};

use crate::both_engines;
use crate::harness::House;
use crate::steps::{add, command, form, id, place};
use crate::world;

async fn asked(house: &House, body: Value) -> Vec<String> {
    let answer = house.post("/api/Guests/earlier", body).by(world::INTAKE).send().await.expect(200);
    answer["items"].as_array().unwrap().iter().map(|item| item["status"].as_str().unwrap().to_owned()).collect()
}

async fn of(house: &House, guest: &str, token: &str) -> Value {
    house.get(&format!("/api/Guests/{guest}/earlier")).by(token).send().await.expect(200)["items"].clone()
}

both_engines! {
    async fn a_person_is_found_by_phone_in_any_form_or_by_email(house: House) {
        let guest = id(&place(&house, world::HARBOR_HOUSE, 1, world::BED_A).await);
        command(&house, &guest, "DISCHARGED", None).send().await.expect(200);
        let site = world::HARBOR_HOUSE;
        assert_eq!(asked(&house, json!({"siteId": site, "phone": "714.555.0001"})).await, ["discharged"]);
        assert_eq!(asked(&house, json!({"siteId": site, "email": " PERSON1@guests.example "})).await, ["discharged"]);
        assert_eq!(asked(&house, json!({"siteId": site, "phone": "714 555"})).await.len(), 0, "not complete");
        assert_eq!(asked(&house, json!({"siteId": site, "phone": "", "email": ""})).await.len(), 0);
    }

    async fn another_organization_and_sites_that_the_caller_does_not_see_are_left_out(house: House) {
        add(&house, world::HARBOR_HOUSE, 1).await;
        assert_eq!(asked(&house, json!({"siteId": world::OPEN_DOOR, "phone": "(714) 555-0001"})).await.len(), 0);
        let far = json!({"siteId": world::FAR_AWAY, "phone": "(714) 555-0001"});
        assert_eq!(house.post("/api/Guests/earlier", far).by(world::INTAKE).send().await.status, 404);
        let by_staff = json!({"siteId": world::HARBOR_HOUSE, "phone": "(714) 555-0001"});
        assert_eq!(house.post("/api/Guests/earlier", by_staff).by(world::STAFF).send().await.status, 403);
    }

    async fn whoever_is_only_staff_at_the_other_site_learns_nothing_by_a_phone(house: House) {
        const MOVE: &str = "UPDATE sites SET organization_id = $1 WHERE id = $2";
        const STAFF: &str = "INSERT INTO memberships (id, user_id, role, site_id, status, created_at) \
            VALUES ($1, $2, 'Staff', $3, 'Active', 0)";
        let mut tx = house.db().begin().await.unwrap();
        tx.query(MOVE).bind(world::HARBOR).bind(world::FAR_AWAY).execute().await.unwrap();
        let staff = tx.query(STAFF).bind(uuid::Uuid::from_u128(0xfa)).bind(world::PEOPLE[5].2);
        staff.bind(world::FAR_AWAY).execute().await.unwrap();
        tx.commit().await.unwrap();
        house.post("/api/Guests", form(world::FAR_AWAY, 1)).by(world::OWNER).send().await.expect(201);
        let question = json!({"siteId": world::HARBOR_HOUSE, "phone": "(714) 555-0001"});
        assert_eq!(asked(&house, question.clone()).await.len(), 0);
        let by_owner = house.post("/api/Guests/earlier", question).by(world::OWNER).send().await.expect(200);
        assert_eq!(by_owner["items"].as_array().unwrap().len(), 1);
        // Nor the other way round: a guest whose contact is hidden is not matched with guests whose contact is read.
        let hidden: uuid::Uuid =
            house.db().query("SELECT id FROM guests WHERE site_id = $1").bind(world::FAR_AWAY).scalar().await.unwrap();
        let mut probe = form(world::HARBOR_HOUSE, 2);
        probe["phone"] = json!("(714) 555-0001");
        house.post("/api/Guests", probe).by(world::INTAKE).send().await.expect(201);
        assert_eq!(of(&house, &hidden.to_string(), world::INTAKE).await, json!([]));
        assert_eq!(of(&house, &hidden.to_string(), world::OWNER).await.as_array().unwrap().len(), 1);
    }

    async fn a_question_that_finds_nobody_is_on_record_and_questions_are_limited(house: House) {
        const ROWS: &str = "SELECT COUNT(*) FROM audit WHERE action = 'guests.listed' AND site_id = $1";
        let question = json!({"siteId": world::HARBOR_HOUSE, "phone": "(714) 555-0999"});
        for _ in 0..60 {
            assert_eq!(asked(&house, question.clone()).await.len(), 0);
        }
        let more = house.post("/api/Guests/earlier", question).by(world::INTAKE).send().await;
        assert_eq!(more.status, 429);
        house.app.reads.flush(&house.app).await.unwrap();
        let rows: i64 = house.db().query(ROWS).bind(world::HARBOR_HOUSE).scalar().await.unwrap();
        assert_eq!(rows, 60);
    }

    async fn a_reservation_says_who_was_here_before_without_itself(house: House) {
        let first = id(&place(&house, world::HARBOR_HOUSE, 1, world::BED_A).await);
        command(&house, &first, "DISCHARGED", None).send().await.expect(200);
        let mut again = form(world::HARBOR_HOUSE, 2);
        again["phone"] = json!("(714) 555-0001");
        let second = house.post("/api/Guests", again).by(world::ADMIN).send().await.expect(201);
        let earlier = of(&house, &id(&second), world::STAFF).await;
        assert_eq!(earlier.as_array().unwrap().len(), 1);
        assert_eq!((&earlier[0]["id"], &earlier[0]["daysStayed"]), (&json!(first), &json!(1)));
        assert!(!earlier.to_string().contains("555"), "no contact: {earlier}");
        assert_eq!(of(&house, &first, world::INTAKE).await[0]["status"], "pending");
    }
}
