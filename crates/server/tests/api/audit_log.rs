//! The audit log (spec B 2, "Audit log"; DESIGN 6, "Internal audit tab"): what its four lists show, and who sees them.

use berth_server::admin::audit_log::{AuditAction, ObjectKind};
use serde_json::{Value, json};

use crate::both_engines;
use crate::harness::{HOUR, House, MINUTE};
use crate::sign_in::{challenge, code, exchange, invite, password, token_of};
use crate::steps::{add, command, id, reserve};
use crate::world;

const NEW: &str = "Calm-Harbor 7 lights";

/// The lists, by the last part of their path.
const LISTS: [&str; 4] = ["internal", "loginFailed", "guestCreated", "passwordChanged"];

async fn list(house: &House, path: &str) -> Value {
    house.get(&format!("/api/EventLogs/{path}")).by(world::GLOBAL).send().await.expect(200)
}

/// The rows of a list without their ids, which are the ids of the trail's rows.
async fn rows(house: &House, path: &str) -> Vec<Value> {
    let mut rows = list(house, path).await["items"].as_array().unwrap().clone();
    for row in &mut rows {
        assert!(row.as_object_mut().unwrap().remove("id").is_some_and(|id| id.is_string()));
    }
    rows
}

/// Lets an invited user choose a first password and confirm the first phone.
async fn first_password(house: &House) {
    let link = invite(house).await;
    let fields = [("grant_type", "invitation"), ("access_token", link.as_str())];
    let first = token_of(&house.form("/connect/token", &fields).send().await);
    house.post("/api/Users/password", json!({"password": NEW})).by(&first).send().await.expect(204);
}

both_engines! {
    async fn failed_sign_ins_show_the_login_that_was_typed_and_when(house: House) {
        assert_eq!(password(&house, "intake@test.example", "wrong").await.status, 400);
        house.advance(MINUTE);
        assert_eq!(password(&house, "Nobody <b>", "wrong").await.status, 400);
        password(&house, "intake@test.example", world::PASSWORD).await.expect(200);
        assert_eq!(rows(&house, "loginFailed").await, [
            json!({"login": "Nobody <b>", "loginFailedAt": "2026-03-02T18:01:00.000Z"}),
            json!({"login": "intake@test.example", "loginFailedAt": "2026-03-02T18:00:00.000Z"}),
        ]);
    }

    async fn a_wrong_code_is_in_the_full_trail_but_not_among_failed_sign_ins(house: House) {
        let first = token_of(&password(&house, "intake@test.example", world::PASSWORD).await);
        challenge(&house, &first, json!({})).await.expect(200);
        let right = code(&house).await;
        let wrong = if right == "000000" { "000001" } else { "000000" };
        assert_eq!(exchange(&house, &first, wrong).await.status, 400);
        assert_eq!(list(&house, "loginFailed").await["totalCount"], 0);
        let whole = rows(&house, "internal").await;
        assert_eq!(whole.iter().map(|row| row["action"].as_str().unwrap()).collect::<Vec<_>>(), ["code.failed"]);
        assert_eq!(whole[0]["actorEmail"], "intake@test.example", "the trail has the user's id, the list the email");
    }

    async fn guests_show_who_added_them_and_those_from_the_public_side_show_nobody(house: House) {
        add(&house, world::HARBOR_HOUSE, 1).await;
        house.advance(HOUR);
        reserve(&house, world::OPEN_DOOR, 2).await;
        assert_eq!(rows(&house, "guestCreated").await, [
            json!({"firstName": "Person 2", "lastName": "P", "siteName": "Open Door", "createdByEmail": null,
                "createdByRole": null, "guestCreatedAt": "2026-03-02T19:00:00.000Z"}),
            json!({"firstName": "Person 1", "lastName": "P", "siteName": "Harbor House",
                "createdByEmail": "admin@test.example", "createdByRole": "Admin",
                "guestCreatedAt": "2026-03-02T18:00:00.000Z"}),
        ]);
    }

    async fn every_password_change_is_shown_with_the_role_but_not_the_request_of_a_link(house: House) {
        first_password(&house).await;
        house.advance(MINUTE);
        let change = json!({"oldPassword": world::PASSWORD, "newPassword": NEW});
        house.put("/api/Users/password", change).by(world::ADMIN).send().await.expect(204);
        house.advance(MINUTE);
        let ask = json!({"email": "owner@test.example", "redirectUri": "http://localhost:8080"});
        house.post("/api/Users/password/reset", ask).send().await.expect(204);
        assert_eq!(list(&house, "passwordChanged").await["totalCount"], 2, "nothing has changed yet");
        let (_, _, mail) = house.outbox().await.remove(0);
        let link = mail.split_whitespace().find(|word| word.starts_with("http")).unwrap();
        let link = url::Url::parse(link).unwrap();
        let pairs = url::form_urlencoded::parse(link.fragment().unwrap().as_bytes());
        let of = |wanted: &str| pairs.clone().find(|(name, _)| name == wanted).unwrap().1.into_owned();
        let reset = json!({"token": of("token"), "userId": of("userId"), "newPassword": NEW});
        house.put("/api/Users/password", reset).send().await.expect(204);
        assert_eq!(rows(&house, "passwordChanged").await, [
            json!({"email": "owner@test.example", "role": "Owner", "passwordChangedAt": "2026-03-02T18:02:00.000Z"}),
            json!({"email": "admin@test.example", "role": "Admin", "passwordChangedAt": "2026-03-02T18:01:00.000Z"}),
            json!({"email": "new@test.example", "role": "Staff", "passwordChangedAt": "2026-03-02T18:00:00.000Z"}),
        ]);
    }

    async fn the_full_trail_shows_who_did_what_where_to_whom_and_from_where(house: House) {
        const NAME: &str = "SELECT name FROM beds WHERE id = $1";
        let guest = add(&house, world::HARBOR_HOUSE, 1).await;
        house.advance(MINUTE);
        command(&house, &id(&guest), "ACCEPTED", Some(world::BED_A))
            .header("x-request-id", "told").from(std::net::Ipv4Addr::new(203, 0, 113, 7)).send().await.expect(200);
        house.advance(MINUTE);
        house.get(&format!("/api/Guests/{}", id(&guest))).by(world::GLOBAL).send().await.expect(200);
        let code = guest["code"].as_str().unwrap();
        let bed: String = house.db().query(NAME).bind(world::BED_A).scalar().await.unwrap();
        let rows = rows(&house, "internal").await;
        assert_eq!(rows[1], json!({
            "at": "2026-03-02T18:01:00.000Z", "action": "guest.accepted", "actorEmail": "intake@test.example",
            "actorRole": "Intake", "organizationId": world::HARBOR, "organizationName": "Harbor Recovery",
            "siteId": world::HARBOR_HOUSE, "siteName": "Harbor House", "objectType": "guest", "objectId": id(&guest),
            "objectName": code, "summary": code, "fromBed": null, "toBed": bed, "query": null, "guestCount": 0,
            "address": "203.0.113.7",
        }));
        // Who viewed which guest; a view by a global admin is a separate action.
        assert_eq!((&rows[0]["action"], &rows[0]["actorEmail"], &rows[0]["objectName"]),
            (&json!("guest.viewed-by-global-admin"), &json!("global@test.example"), &json!(code)));
        assert_eq!(rows[2]["action"], "guest.created");
    }

    async fn objects_are_shown_by_the_name_that_people_use(house: House) {
        house.put(&format!("/api/Beds/{}", world::BED_B), json!({"name": "Window", "disabled": true}))
            .by(world::OWNER).send().await.expect(200);
        house.put(&format!("/api/Rooms/{}", world::ROOM_1), json!({"name": "Pier"})).by(world::OWNER).send().await.expect(200);
        let invited = json!({"redirectUri": "http://localhost:8080", "email": "x@test.example", "firstName": "X",
            "lastName": "Y", "siteId": world::HARBOR_HOUSE, "role": "Staff", "receiveReservationTexts": false});
        house.post("/api/AccessUsers/siteScopeUsers", invited).by(world::ADMIN).send().await.expect(201);
        house.app.reads.flush(&house.app).await.unwrap();
        let rows = rows(&house, "internal?PageSize=300").await;
        let named = |action: &str| {
            let row = rows.iter().find(|row| row["action"] == action).unwrap_or_else(|| panic!("{action}: {rows:#?}"));
            row["objectName"].as_str().unwrap_or("nothing").to_owned()
        };
        assert_eq!(named("bed.disabled"), "Window");
        assert_eq!(named("room.edited"), "Pier");
        assert_eq!(named("membership.invited"), "x@test.example");
    }

    async fn no_list_contains_a_phone_number(house: House) {
        for number in 1..4 {
            let guest = add(&house, world::HARBOR_HOUSE, number).await;
            house.get(&format!("/api/Guests/{}", id(&guest))).by(world::ADMIN).send().await.expect(200);
        }
        reserve(&house, world::OPEN_DOOR, 4).await;
        house.app.reads.flush(&house.app).await.unwrap();
        for path in LISTS {
            let answer = house.get(&format!("/api/EventLogs/{path}?PageSize=300")).by(world::GLOBAL).send().await;
            answer.expect(200);
            for telephone in ["714555", "555-0", "phone"] {
                assert!(!answer.text.contains(telephone), "{path}: {}", answer.text);
            }
        }
    }

    async fn a_response_has_rows_and_the_paging_of_the_spec(house: House) {
        for number in 0..23 {
            password(&house, &format!("somebody{number}@test.example"), "wrong").await;
            house.advance(MINUTE);
        }
        let page = list(&house, "loginFailed?PageSize=10&PageNumber=3").await;
        assert_eq!(page["metadata"], json!({"totalCount": 23, "offset": 20, "limit": 10, "page": 3, "pageSize": 10,
            "totalPages": 3}));
        let logins: Vec<&str> = page["items"].as_array().unwrap().iter().map(|row| row["login"].as_str().unwrap()).collect();
        assert_eq!(logins, ["somebody2@test.example", "somebody1@test.example", "somebody0@test.example"]);
        assert_eq!((&page["totalCount"], &page["hasNextPage"], &page["pageIndex"]), (&json!(23), &json!(false), &json!(2)));
        let behind = list(&house, "loginFailed?page=4&pageSize=10").await;
        assert_eq!((&behind["items"], &behind["metadata"]["totalCount"]), (&json!([]), &json!(23)));
    }

    async fn only_global_admins_read_the_full_log_and_denied_calls_are_recorded(house: House) {
        for path in LISTS {
            for token in [world::OWNER, world::ADMIN, world::INTAKE, world::STAFF] {
                let answer = house.get(&format!("/api/EventLogs/{path}")).by(token).send().await;
                assert_eq!(answer.refusal(403), "Your role does not allow this.");
            }
            house.get(&format!("/api/EventLogs/{path}")).by(world::FIRST_STEP).send().await.expect(401);
            house.get(&format!("/api/EventLogs/{path}")).send().await.expect(401);
        }
        assert_eq!(house.trail().await, ["access.denied"; 16]);
    }

    async fn reading_the_log_is_recorded_with_the_list_and_the_page(house: House) {
        for page in 1..3 {
            for path in ["internal", "loginFailed"] {
                list(&house, &format!("{path}?page={page}")).await;
            }
        }
        list(&house, "loginFailed").await;
        assert_eq!(house.trail().await, ["audit.viewed"; 4], "the same page again is the same view");
        house.advance(HOUR);
        list(&house, "loginFailed").await;
        house.app.reads.flush(&house.app).await.unwrap();
        let rows = rows(&house, "internal").await;
        let told: Vec<_> = rows.iter().map(|row| (row["query"].as_str().unwrap(), row["actorRole"].as_str().unwrap())).collect();
        assert_eq!(told, [
            ("failed, page 1 of 25 rows each", "GlobalAdmin"),
            ("failed, page 2 of 25 rows each", "GlobalAdmin"),
            ("internal, page 2 of 25 rows each", "GlobalAdmin"),
            ("failed, page 1 of 25 rows each", "GlobalAdmin"),
            ("internal, page 1 of 25 rows each", "GlobalAdmin"),
        ]);
    }
}

#[test]
fn every_action_and_kind_of_object_has_a_screen_text() {
    for language in ["en", "es"] {
        let path = format!("../../web/src/i18n/locales/{language}/audit-log.json");
        let texts = std::fs::read_to_string(std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap();
        let texts: Value = serde_json::from_str(&texts).unwrap();
        let has = |pointer: String| texts.pointer(&pointer).is_some_and(Value::is_string);
        let actions = AuditAction::ALL.iter().map(|action| format!("/action/{}", action.as_str().replace('.', "/")));
        let kinds = ObjectKind::ALL.iter().map(|kind| format!("/object/{}", kind.as_str()));
        let without: Vec<String> = actions.chain(kinds).filter(|pointer| !has(pointer.clone())).collect();
        assert!(without.is_empty(), "web/src/i18n/locales/{language}/audit-log.json has no words for {without:?}");
    }
}
