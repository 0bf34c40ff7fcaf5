//! Guests: adding one by hand, the lists, and a single guest (spec B 3, 5; DESIGN 3, 4, 6).

use serde_json::{Value, json};

use crate::both_engines;
use crate::harness::HOUR;
use crate::steps::{DAY, add, command, form, id, link_insurer, place, reserve, sorted_trail};
use crate::{invariants, world};

both_engines! {
    async fn a_guest_added_by_hand_is_returned_as_sent(house: House) {
        link_insurer(&house).await;
        let mut sent = form(world::HARBOR_HOUSE, 1);
        sent["paymentMethod"] = json!(2);
        sent["insuranceCompanyId"] = json!(world::INSURER);
        sent["policyNumber"] = json!("P-1");
        sent["groupNumber"] = json!("G-1");
        let answer = house.post("/api/guests", sent).by(world::INTAKE).send().await;
        let mut guest = answer.expect(201);
        assert_eq!(answer.header("etag"), "\"1\"");
        let code = guest["code"].as_str().unwrap().to_owned();
        assert_eq!(code.len(), 6);
        assert_eq!(guest["displayName"], format!("Person 1 P. {code}"));
        for changing in ["id", "code", "displayName"] {
            guest.as_object_mut().unwrap().remove(changing);
        }
        assert_eq!(guest, json!({
            "firstName": "Person 1", "lastName": "P", "gender": "Female",
            "age": {"id": "age-18-26", "name": "18 to 26", "category": "Age", "type": "AGE_18_26"},
            "typeOfClient": {"id": "adults", "name": "Adults", "category": "Client", "type": null},
            "phone": "+17145550001", "email": "Person1@guests.example", "location": "Orange, CA",
            "services": [
                {"id": "drug-treatment", "name": "Drug treatment", "category": "General", "type": "DRUG_TREATMENT"},
                {"id": "mental-health", "name": "Mental health", "category": "Disability", "type": "MENTAL_HEALTH"},
            ],
            "siteId": world::HARBOR_HOUSE, "siteName": "Harbor House", "status": "pending",
            "createdAt": "2026-03-02T18:00:00.000Z", "acceptedAt": null, "rejectedAt": null, "cancelledAt": null, "reassignedAt": null,
            "arrivedAt": null, "isArriving": false, "dischargedAt": null, "noShowAt": null, "mergedAt": null, "expiresAt": null, "expiredAt": null, "source": "Admin", "assignedBedId": null,
            "room": null, "bed": null, "feedback": null, "reasonName": null, "mediCalChoice": null,
            "organizationReservationPaymentMethod": {
                "reservationPaymentMethodName": "Insurance", "reservationPaymentMethodCategory": "Insurance"},
            "insuranceCompanyName": "Blue Anchor", "policyNumber": "P-1", "groupNumber": "G-1",
            "daysStayed": 0, "expectedDeparture": null, "version": 1,
        }));
        assert_eq!(house.trail().await, ["guest.created"]);
    }

    async fn every_field_error_of_a_new_guest_is_reported_at_once(house: House) {
        link_insurer(&house).await;
        let empty = json!({"siteId": world::HARBOR_HOUSE});
        assert_eq!(house.post("/api/Guests", empty).by(world::INTAKE).send().await.field_errors(), [
            "/gender: Gender is a required field.",
            "/ageServiceId: Age is a required field.",
            "/firstName: Required field.",
            "/lastName: Required field.",
            "/email: Email must be a valid email",
            "/phone: Phone number is incorrect",
            "/serviceIds: Add at least one service",
            "/typeOfClientServiceId: Type of client is a required field.",
            "/paymentMethod: Payment method is a required field.",
        ]);
        let mut wrong = form(world::HARBOR_HOUSE, 1);
        wrong["firstName"] = json!("x".repeat(51));
        wrong["lastName"] = json!("Li");
        wrong["phone"] = json!("+4930123456");
        wrong["paymentMethod"] = json!(2);
        assert_eq!(house.post("/api/Guests", wrong).by(world::INTAKE).send().await.field_errors(), [
            "/firstName: Maximum length of first name is 50 symbols.",
            "/lastName: Maximum length of last name is 1 symbols.",
            "/phone: Phone number is incorrect",
            "/insuranceCompanyId: Please select insurance company.",
        ]);
        let nowhere = json!({"firstName": "A"});
        let answer = house.post("/api/Guests", nowhere).by(world::INTAKE).send().await;
        assert_eq!(answer.field_errors(), ["/siteId: Required field."]);
        assert_eq!(house.trail().await, Vec::<String>::new());
    }

    async fn an_insurer_must_exist_and_be_accepted_by_the_organization(house: House) {
        let mut sent = form(world::HARBOR_HOUSE, 1);
        sent["paymentMethod"] = json!(2);
        sent["insuranceCompanyId"] = json!(uuid::Uuid::from_u128(7));
        let answer = house.post("/api/Guests", sent.clone()).by(world::INTAKE).send().await;
        assert_eq!(answer.field_errors(), ["/paymentMethod: This organization accepts no insurance."]);
        let mut tx = house.db().begin().await.unwrap();
        tx.query("INSERT INTO insurance_companies (id, name, name_key, created_at) VALUES ($1, 'Other', 'other', 0)")
            .bind(uuid::Uuid::from_u128(7)).execute().await.unwrap();
        tx.query("INSERT INTO organization_insurance_companies (organization_id, insurance_company_id) VALUES ($1, $2)")
            .bind(world::HARBOR).bind(uuid::Uuid::from_u128(7)).execute().await.unwrap();
        tx.commit().await.unwrap();
        house.post("/api/Guests", sent.clone()).by(world::INTAKE).send().await.expect(201);
        sent["insuranceCompanyId"] = json!(world::INSURER);
        let answer = house.post("/api/Guests", sent).by(world::INTAKE).send().await;
        assert_eq!(answer.field_errors(), ["/insuranceCompanyId: Please select insurance company."]);
    }

    async fn a_non_commercial_site_asks_for_no_client_type_but_a_payment_option(house: House) {
        let guest = add(&house, world::OPEN_DOOR, 1).await;
        assert_eq!(guest["mediCalChoice"], json!({"id": "moc", "name": "Medi-Cal Orange County"}));
        assert_eq!(guest["typeOfClient"], Value::Null);
        assert_eq!(guest["organizationReservationPaymentMethod"], Value::Null);
        assert!(guest.get("policyNumber").is_none());
    }

    async fn no_guest_is_added_beyond_the_vacant_beds(house: House) {
        add(&house, world::OPEN_DOOR, 1).await;
        add(&house, world::OPEN_DOOR, 2).await;
        let answer = house.post("/api/Guests", form(world::OPEN_DOOR, 3)).by(world::INTAKE).send().await;
        assert_eq!(answer.refusal(409), "You cannot add a new guest because there are no vacant beds.");
        assert_eq!(answer.json()["code"], "no-vacant-beds");
        invariants::hold(&house).await;
    }

    async fn a_third_reservation_of_a_person_needs_an_override_and_is_recorded(house: House) {
        let ask = |number: usize, token: &str, extra: Value| {
            let mut sent = form(world::HARBOR_HOUSE, number);
            // The same phone with another email: still the same person.
            sent["phone"] = json!("7145559999");
            sent.as_object_mut().unwrap().extend(extra.as_object().cloned().unwrap_or_default());
            house.post("/api/Guests", sent).by(token)
        };
        ask(1, world::INTAKE, json!({})).send().await.expect(201);
        ask(2, world::INTAKE, json!({})).send().await.expect(201);
        let third = ask(3, world::INTAKE, json!({})).send().await;
        assert_eq!(third.refusal(409),
            "This person already has two active reservations. An admin or owner can allow a third.");
        assert_eq!(third.json()["code"], "third-reservation");
        ask(3, world::INTAKE, json!({"allowThird": true})).send().await.expect(403);
        ask(3, world::ADMIN, json!({"allowThird": true})).send().await.expect(201);
        let fourth = ask(4, world::OWNER, json!({"allowThird": true})).send().await;
        assert_eq!(fourth.refusal(409), "This person already has three active reservations. End one of them first.");
        assert_eq!(sorted_trail(&house).await,
            ["access.denied", "guest.created", "guest.created", "guest.created", "guest.third-allowed"]);
        invariants::hold(&house).await;
    }

    async fn the_same_mailbox_in_another_case_is_the_same_person(house: House) {
        for (number, mailbox) in [(1, "Ann@Guests.Example"), (2, "ann@guests.example")] {
            let mut sent = form(world::HARBOR_HOUSE, number);
            sent["email"] = json!(mailbox);
            house.post("/api/Guests", sent).by(world::INTAKE).send().await.expect(201);
        }
        let mut sent = form(world::OPEN_DOOR, 3);
        sent["email"] = json!("ANN@guests.example");
        house.post("/api/Guests", sent).by(world::INTAKE).send().await.expect(409);
    }

    async fn the_list_without_status_is_the_whole_board(house: House) {
        let pending = add(&house, world::HARBOR_HOUSE, 1).await;
        let placed = place(&house, world::HARBOR_HOUSE, 2, world::BED_A).await;
        let gone = place(&house, world::HARBOR_HOUSE, 3, world::BED_B).await;
        command(&house, &id(&gone), "discharged", None).send().await.expect(200);
        let declined = add(&house, world::HARBOR_HOUSE, 4).await;
        command(&house, &id(&declined), "REJECTED", None).send().await.expect(200);
        let path = format!("/api/guests?siteId={}", world::HARBOR_HOUSE);
        let answer = house.get(&path).by(world::INTAKE).send().await;
        let list = answer.expect(200);
        let items = list["items"].as_array().unwrap();
        let mut found: Vec<&str> = items.iter().map(|guest| guest["id"].as_str().unwrap()).collect();
        found.sort_unstable();
        let (pending, placed) = (id(&pending), id(&placed));
        let mut wanted = [pending.as_str(), placed.as_str()];
        wanted.sort_unstable();
        assert_eq!(found, wanted);
        let paging = (&list["totalCount"], &list["hasNextPage"], &list["totalPages"]);
        assert_eq!(paging, (&json!(2), &json!(false), &json!(1)));
        assert!(house.trail().await.contains(&"guests.listed".to_owned()));
        house.get(&format!("/api/guests?siteId={}", world::FAR_AWAY)).by(world::INTAKE).send().await.expect(404);
        assert_eq!(house.get("/api/guests").by(world::INTAKE).send().await.field_errors(), ["/siteId: Required field."]);
    }

    async fn the_board_has_an_etag_that_changes_with_it(house: House) {
        let guest = add(&house, world::HARBOR_HOUSE, 1).await;
        let path = format!("/api/Guests?siteId={}", world::HARBOR_HOUSE);
        let first = house.get(&path).by(world::INTAKE).send().await;
        let again = house.get(&path).by(world::ADMIN).header("if-none-match", first.header("etag")).send().await;
        assert_eq!((again.status, again.text.as_str()), (304, ""));
        let staff = house.get(&path).by(world::STAFF).header("if-none-match", first.header("etag")).send().await;
        assert_eq!(staff.status, 200, "what staff see has its own tag");
        command(&house, &id(&guest), "ACCEPTED", Some(world::BED_A)).send().await.expect(200);
        let changed = house.get(&path).by(world::INTAKE).header("if-none-match", first.header("etag")).send().await;
        assert_eq!(changed.expect(200)["items"][0]["status"], "accepted");
    }

    async fn midnight_and_the_end_of_a_hold_change_the_board(house: House) {
        place(&house, world::HARBOR_HOUSE, 1, world::BED_A).await;
        reserve(&house, world::HARBOR_HOUSE, 2).await;
        let path = format!("/api/Guests?siteId={}", world::HARBOR_HOUSE);
        let before = house.get(&path).by(world::INTAKE).send().await;
        assert_eq!(before.json()["totalCount"], 2);
        // The first midnight makes one night of one; the second one two.
        house.advance(23 * HOUR);
        let after = house.get(&path).by(world::INTAKE).header("if-none-match", before.header("etag")).send().await;
        assert_eq!(after.expect(200)["totalCount"], 2);
        house.advance(HOUR);
        let over = house.get(&path).by(world::INTAKE).header("if-none-match", after.header("etag")).send().await;
        assert_eq!(over.expect(200)["totalCount"], 1, "the overdue hold is not shown although no job has run");
        house.advance(DAY);
        let later = house.get(&path).by(world::INTAKE).send().await;
        assert_eq!(later.json()["items"][0]["daysStayed"], 2);
    }

    async fn the_history_is_paged_searched_and_newest_first(house: House) {
        for number in 1..=3 {
            house.advance(HOUR);
            let guest = add(&house, world::HARBOR_HOUSE, number).await;
            command(&house, &id(&guest), "rejected", None).send().await.expect(200);
        }
        let mut named = form(world::HARBOR_HOUSE, 4);
        named["firstName"] = json!("Zoë 100%_");
        let zoe = house.post("/api/Guests", named).by(world::ADMIN).send().await.expect(201);
        command(&house, &id(&zoe), "Accepted", Some(world::BED_A)).send().await.expect(200);
        let list = async |rest: &str| {
            let path = format!("/api/Guests?siteId={}&{rest}", world::HARBOR_HOUSE);
            let list = house.get(&path).by(world::STAFF).send().await.expect(200);
            let names: Vec<String> = list["items"].as_array().unwrap().iter()
                .map(|guest| guest["firstName"].as_str().unwrap().to_owned()).collect();
            (names, list)
        };
        let (names, first) = list("Status=rejected&page=1&pageSize=2").await;
        assert_eq!(names, ["Person 3", "Person 2"]);
        assert_eq!((&first["totalCount"], &first["hasNextPage"]), (&json!(3), &json!(true)));
        assert_eq!(list("status=REJECTED&PageNumber=2&PageSize=2").await.0, ["Person 1"]);
        assert_eq!(list("Status=rejected,accepted&search=son%202").await.0, ["Person 2"]);
        assert_eq!(list("Status=rejected&Status=accepted&search=ZOË").await.0, ["Zoë 100%_"]);
        assert_eq!(list("Status=rejected&Status=accepted&search=0%25_").await.0, ["Zoë 100%_"]);
        assert_eq!(list("Status=rejected&Status=accepted&search=%25p").await.0, Vec::<String>::new());
        assert_eq!(list("Status=discharged").await.0, Vec::<String>::new());
        let path = format!("/api/Guests?siteId={}&Status=asleep", world::HARBOR_HOUSE);
        let unknown = house.get(&path).by(world::INTAKE).send().await.field_errors();
        assert_eq!(unknown, ["/Status: Choose from: pending, accepted, reassigned, rejected, discharged, expired."]);
        let path = format!("/api/Guests?siteId={}&Status=rejected", world::HARBOR_HOUSE);
        let page = house.get(&path).by(world::INTAKE).send().await;
        let again = house.get(&path).by(world::INTAKE).header("if-none-match", page.header("etag")).send().await;
        assert_eq!(again.status, 304);
    }

    async fn each_state_is_found_by_its_name(house: House) {
        place(&house, world::HARBOR_HOUSE, 1, world::BED_A).await;
        let moved = place(&house, world::HARBOR_HOUSE, 2, world::BED_B).await;
        command(&house, &id(&moved), "REASSIGNED", Some(world::BED_C)).send().await.expect(200);
        let gone = place(&house, world::HARBOR_HOUSE, 3, world::BED_B).await;
        command(&house, &id(&gone), "DISCHARGED", None).send().await.expect(200);
        let declined = add(&house, world::HARBOR_HOUSE, 4).await;
        command(&house, &id(&declined), "REJECTED", None).send().await.expect(200);
        reserve(&house, world::HARBOR_HOUSE, 5).await;
        house.advance(25 * HOUR);
        add(&house, world::HARBOR_HOUSE, 6).await;
        for (state, name) in [("accepted", "Person 1"), ("reassigned", "Person 2"), ("swap", "Person 2"),
            ("discharged", "Person 3"), ("rejected", "Person 4"), ("expired", "Person 5"), ("pending", "Person 6")] {
            let path = format!("/api/Guests?siteId={}&Status={state}", world::HARBOR_HOUSE);
            let list = house.get(&path).by(world::INTAKE).send().await.expect(200);
            assert_eq!(list["totalCount"], 1, "{state}");
            assert_eq!(list["items"][0]["firstName"], name, "{state}");
        }
    }

    async fn reading_a_guest_is_recorded(house: House) {
        let added = add(&house, world::HARBOR_HOUSE, 1).await;
        let path = format!("/api/guests/{}", id(&added));
        let answer = house.get(&path).by(world::STAFF).send().await;
        answer.expect(200);
        assert_eq!(answer.header("etag"), "\"1\"");
        house.get(&path).by(world::GLOBAL).send().await.expect(200);
        house.get(&path).by(world::OWNER_FOREIGN).send().await.expect(404);
        house.get(&format!("/api/guests/{}", world::HARBOR_HOUSE)).by(world::GLOBAL).send().await.expect(404);
        assert_eq!(sorted_trail(&house).await,
            ["access.denied", "guest.created", "guest.viewed", "guest.viewed-by-global-admin"]);
    }

    async fn staff_answers_contain_no_phone_email_policy_or_group(house: House) {
        link_insurer(&house).await;
        let mut sent = form(world::HARBOR_HOUSE, 1);
        sent["paymentMethod"] = json!(2);
        sent["insuranceCompanyId"] = json!(world::INSURER);
        sent["policyNumber"] = json!("POLICY-77");
        sent["groupNumber"] = json!("GROUP-88");
        let added = house.post("/api/Guests", sent).by(world::INTAKE).send().await.expect(201);
        let site = world::HARBOR_HOUSE;
        let paths = [
            format!("/api/Guests?siteId={site}"),
            format!("/api/Guests?siteId={site}&Status=pending"),
            format!("/api/Guests/{}", id(&added)),
            format!("/api/Sites/{site}"),
            format!("/api/Beds?siteId={site}"),
        ];
        // The intake user first, so that a cached answer with everything could be given out by mistake.
        for (token, sees) in [(world::INTAKE, true), (world::STAFF, false)] {
            for path in &paths {
                let text = house.get(path).by(token).send().await.text;
                for secret in ["+17145550001", "Person1@guests", "POLICY-77", "GROUP-88", "\"phone\"", "\"email\"",
                    "policyNumber", "groupNumber", "insuranceCard"] {
                    let is_guests = path.starts_with("/api/Guests") && secret != "insuranceCard";
                    assert_eq!(text.contains(secret), sees && is_guests, "{path} {secret}");
                }
            }
        }
    }
}
