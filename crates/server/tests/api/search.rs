//! Searches: every one ignores accents and case, for new rows and for rows of earlier versions; and `POST /api/Search` finds guests,
//! sites, organizations and users.

use berth_domain::id::SiteId;
use berth_server::jobs::name_keys;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::both_engines;
use crate::harness::{House, MINUTE};
use crate::steps::{add, command, form, id, place};
use crate::world;

/// Searches that must find a name with accents, however it is typed.
const TYPED: [&str; 4] = ["jose%20n", "JOS%C3%89%20%C3%91", "jose%CC%81%20n", "Jos%C3%A9%20n"];

async fn run(house: &House, texts: &[&'static str]) {
    let mut tx = house.db().begin().await.unwrap();
    for text in texts {
        tx.query(text).execute().await.unwrap();
    }
    tx.commit().await.unwrap();
}

async fn count(house: &House, path: &str) -> u64 {
    let list = house.get(path).by(world::GLOBAL).send().await.expect(200);
    let all = list.as_array().map(|rows| u64::try_from(rows.len()).unwrap());
    all.or(list["totalCount"].as_u64()).unwrap()
}

/// The number of rows that each search finds: sites, public sites, organizations, and the lists of the dashboard.
async fn found(house: &House, typed: &str) -> Vec<u64> {
    let mut counts = Vec::new();
    for path in [
        "/api/Sites",
        "/api/public/sites",
        "/api/Organizations",
        "/api/Dashboard/sites",
        "/api/Dashboard/organizations",
    ] {
        counts.push(count(house, &format!("{path}?search={typed}")).await);
    }
    counts
}

both_engines! {
    async fn places_of_an_earlier_version_are_found_without_accents_too(house: House) {
        // As an earlier version stored them.
        run(&house, &[
            "UPDATE sites SET name = 'Casa José Ñuñez', name_key = 'casa josé ñuñez' WHERE name_key = 'harbor house'",
            "UPDATE organizations SET name = 'Fundación José Ñuñez', name_key = 'fundación josé ñuñez' \
             WHERE name_key = 'harbor recovery'",
            "UPDATE sites SET address = '1 Peña Street, Orange, CA', address_key = '1 peña street, orange, ca' \
             WHERE name_key = 'open door'",
            "UPDATE rooms SET name = 'Águila', name_key = 'águila' WHERE site_id = \
             (SELECT id FROM sites WHERE name_key = 'open door')",
        ]).await;
        // Landing lists cache answers, and keys are renewed before a server answers, so this asks a list without a cache.
        assert_eq!(count(&house, &format!("/api/public/sites?search={}", TYPED[0])).await, 0);
        assert_eq!(name_keys::renew(house.db()).await.unwrap(), 4);
        for typed in TYPED {
            assert_eq!(found(&house, typed).await, [1; 5], "{typed}");
        }
        assert_eq!(count(&house, "/api/Sites?search=pena").await, 1);
        assert_eq!(name_keys::renew(house.db()).await.unwrap(), 0, "once");
        let room = house.post("/api/Rooms", json!({"siteId": world::OPEN_DOOR, "name": "ÁGUILA"})).by(world::GLOBAL);
        assert_eq!(room.send().await.field_errors(), ["/name: A house with this name already exists."]);
        let room = house.post("/api/Rooms", json!({"siteId": world::OPEN_DOOR, "name": "Aguila"})).by(world::GLOBAL);
        room.send().await.expect(201);
    }

    async fn people_are_found_without_accents(house: House) {
        let mut person = form(world::HARBOR_HOUSE, 1);
        person["firstName"] = json!("Jose\u{301} N");
        person["lastName"] = json!("e\u{301}");
        let guest = house.post("/api/Guests", person).by(world::INTAKE).send().await.expect(201);
        assert_eq!((&guest["firstName"], &guest["lastName"]), (&json!("Jos\u{e9} N"), &json!("\u{c9}")));
        add(&house, world::HARBOR_HOUSE, 2).await;
        run(&house, &["UPDATE users SET first_name = 'José N', last_name = 'Zoë' WHERE email_key = 'owner@test.example'"])
            .await;
        for typed in TYPED {
            let history = format!("/api/Guests?siteId={}&Status=pending&search={typed}", world::HARBOR_HOUSE);
            assert_eq!(count(&house, &history).await, 1, "{typed}");
            assert_eq!(count(&house, &format!("/api/AccessUsers?search={typed}")).await, 1, "{typed}");
            assert_eq!(count(&house, &format!("/api/Dashboard/users?search={typed}")).await, 1, "{typed}");
        }
        assert_eq!(count(&house, "/api/Dashboard/users?field=lastName&search=zoe").await, 1);
        assert_eq!(count(&house, "/api/AccessUsers?search=zoe").await, 1);
    }

    async fn names_with_invisible_characters_are_refused_at_their_field(house: House) {
        const INVISIBLE: &str = "This contains characters that cannot be seen. Please type it again.";
        let mut person = form(world::HARBOR_HOUSE, 1);
        person["firstName"] = json!("An\u{200b}na");
        person["lastName"] = json!("\u{202e}");
        let errors = house.post("/api/Guests", person).by(world::INTAKE).send().await.field_errors();
        assert_eq!(errors, [format!("/firstName: {INVISIBLE}"), format!("/lastName: {INVISIBLE}")]);
        let room = house.post("/api/Rooms", json!({"siteId": world::OPEN_DOOR, "name": "\u{feff}"})).by(world::GLOBAL);
        assert_eq!(room.send().await.field_errors(), [format!("/name: {INVISIBLE}")]);
    }
}

/// Adds a pending guest with this first name and phone number.
async fn add_named(house: &House, site: SiteId, name: &str, phone: &str) -> Value {
    let mut person = form(site, 1);
    person["firstName"] = json!(name);
    person["phone"] = json!(phone);
    person["email"] = json!(format!("{name}@guests.example").replace(' ', "."));
    house.post("/api/Guests", person).by(world::ADMIN).send().await.expect(201)
}

/// What `POST /api/Search` answers; `query` with escapes as in an address (`%20`).
async fn search(house: &House, query: &str, token: &'static str) -> Value {
    let pairs = format!("query={}", query.replace('+', "%2B"));
    let (_, query) = url::form_urlencoded::parse(pairs.as_bytes()).next().unwrap();
    house.post("/api/Search", json!({"query": query})).by(token).send().await.expect(200)
}

/// The first names of the guests that are found, in their order.
async fn guests(house: &House, query: &str, token: &'static str) -> Vec<String> {
    let found = search(house, query, token).await;
    let name = |guest: &Value| {
        let name = guest["displayName"].as_str().unwrap();
        name.rsplitn(3, ' ').nth(2).unwrap().to_owned()
    };
    found["guests"].as_array().unwrap().iter().map(name).collect()
}

fn names(found: &Value, kind: &str) -> Vec<String> {
    found[kind].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap().to_owned()).collect()
}

const EVERYONE: [&str; 6] =
    [world::GLOBAL, world::OWNER, world::OWNER_FREE, world::OWNER_FOREIGN, world::ADMIN, world::INTAKE];

both_engines! {
    async fn a_guest_is_found_by_those_who_may_see_the_site(house: House) {
        let guest = add_named(&house, world::HARBOR_HOUSE, "Quentin", "(714) 555-0177").await;
        let code = guest["code"].as_str().unwrap();
        for query in ["quen", code, "0177", "714555", "Quentin%20P", "QUENTIN%20p.", &code[..4], &code.to_lowercase(),
            &format!("Quentin%20P.%20{code}"), &format!("{}%20{}", &code[..3], &code[3..]), "(714)%20555-01", "1%20714%20555%200177"] {
            for token in EVERYONE {
                let may = ![world::OWNER_FREE, world::OWNER_FOREIGN].contains(&token);
                let found = guests(&house, query, token).await;
                assert_eq!(found.contains(&"Quentin".to_owned()), may, "{query} by {token}");
            }
        }
        let found = search(&house, "quen", world::INTAKE).await;
        assert_eq!(found["guests"][0], json!({"id": guest["id"], "displayName": guest["displayName"], "code": code,
            "status": "pending", "siteId": world::HARBOR_HOUSE, "siteName": "Harbor House", "cancelledAt": null, "isArriving": false, "noShowAt": null, "organizationId": world::HARBOR, "isCommercial": true, "phone": "+17145550177"}));
        command(&house, &id(&guest), "ACCEPTED", Some(world::BED_A)).send().await.expect(200);
        let found = search(&house, "quen", world::INTAKE).await;
        assert_eq!((&found["guests"][0]["roomName"], &found["guests"][0]["bedName"]), (&json!("House #1"), &json!("Detox")));
        for query in ["uentin", "Quentin%20X", "9999", "%25%25", "quen_in", "q%25"] {
            assert_eq!(guests(&house, query, world::INTAKE).await, [""; 0], "{query}");
        }
    }

    async fn staff_find_guests_by_name_and_code_and_see_no_phone_numbers(house: House) {
        let guest = add_named(&house, world::HARBOR_HOUSE, "Quentin", "(714) 555-0177").await;
        for query in ["quentin", guest["code"].as_str().unwrap()] {
            let found = search(&house, query, world::STAFF).await;
            assert_eq!(found["guests"][0]["id"], guest["id"], "{query}");
            assert!(found["guests"][0].get("phone").is_none() && !found.to_string().contains("0177"), "{found}");
        }
        for query in ["0177", "7145550177", "714%20555"] {
            assert_eq!(guests(&house, query, world::STAFF).await, [""; 0], "{query}");
        }
    }

    async fn whoever_is_staff_at_one_site_and_more_at_another_sees_the_contact_only_there(house: House) {
        add_named(&house, world::HARBOR_HOUSE, "Quentin", "(714) 555-0177").await;
        add_named(&house, world::OPEN_DOOR, "Quirin", "(714) 555-0178").await;
        let mut tx = house.db().begin().await.unwrap();
        let text = "UPDATE memberships SET role = 'Staff' WHERE user_id = $1 AND site_id = $2";
        tx.query(text).bind(world::PEOPLE[5].2).bind(world::OPEN_DOOR).execute().await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(guests(&house, "555017", world::INTAKE).await, ["Quentin"]);
        let found = search(&house, "qu", world::INTAKE).await;
        let phones: Vec<Option<&str>> =
            found["guests"].as_array().unwrap().iter().map(|guest| guest["phone"].as_str()).collect();
        assert_eq!(phones, [Some("+17145550177"), None]);
    }

    async fn a_person_on_a_waitlist_is_found_by_those_who_may_see_it_and_only_while_waiting(house: House) {
        place(&house, world::OPEN_DOOR, 2, world::BED_F).await;
        place(&house, world::OPEN_DOOR, 3, world::BED_G).await;
        let mut person = form(world::OPEN_DOOR, 1);
        person["firstName"] = json!("José");
        person["phone"] = json!("(714) 555-0177");
        let path = format!("/api/Sites/{}/waitlist", world::OPEN_DOOR);
        let waiting = house.post(&path, json!({"guest": person})).by(world::INTAKE).send().await.expect(201);
        let code = waiting["code"].as_str().unwrap();
        let found = async |query: &str, token| search(&house, query, token).await["waiting"].clone();
        for query in ["jose", "Jos%C3%A9", code, &code[..4], &code.to_lowercase(), "jose%20p", "0177", "714555"] {
            assert_eq!(found(query, world::INTAKE).await[0]["id"], waiting["id"], "{query}");
            assert_eq!(found(query, world::OWNER_FOREIGN).await, json!([]), "{query}");
            let by_phone = ["0177", "714555"].contains(&query);
            let seen_by_staff = !found(query, world::STAFF).await.as_array().unwrap().is_empty();
            assert_eq!(seen_by_staff, !by_phone, "{query}");
        }
        for query in ["ose", "jose%20x", "9999", "%25%25"] {
            assert_eq!(found(query, world::INTAKE).await, json!([]), "{query}");
        }
        assert_eq!(found("jose", world::INTAKE).await[0], json!({"id": waiting["id"], "displayName": format!("José P. {code}"),
            "code": code, "hasOffer": false, "siteId": world::OPEN_DOOR, "siteName": "Open Door",
            "organizationId": world::OPEN_HANDS, "isCommercial": false, "phone": "+17145550177"}));
        assert_eq!(found("jose", world::STAFF).await[0]["phone"], Value::Null);
        let leave = json!({"command": "LEAVE", "version": waiting["version"]});
        let left = format!("/api/Waitlist/{}", id(&waiting));
        house.patch(&left, leave).by(world::INTAKE).send().await.expect(204);
        assert_eq!(found("jose", world::INTAKE).await, json!([]), "the list holds nothing of who has left it");
    }

    async fn current_guests_come_before_past_ones_and_the_beginning_of_a_name_before_another_word(house: House) {
        for (number, name) in ["Anna", "Mary Ann", "Annabel", "Joanna"].into_iter().enumerate() {
            add_named(&house, world::HARBOR_HOUSE, name, &format!("(714) 555-018{number}")).await;
        }
        let all = house.get(&format!("/api/Guests?siteId={}", world::HARBOR_HOUSE)).by(world::ADMIN).send().await.expect(200);
        let anna = all["items"].as_array().unwrap().iter().find(|guest| guest["firstName"] == "Anna").unwrap();
        assert_eq!(guests(&house, "ann", world::OWNER).await, ["Anna", "Annabel", "Mary Ann"]);
        command(&house, &id(anna), "REJECTED", None).send().await.expect(200);
        for token in [world::OWNER, world::GLOBAL, world::STAFF] {
            assert_eq!(guests(&house, "ann", token).await, ["Annabel", "Mary Ann", "Anna"], "{token}");
        }
        assert_eq!(guests(&house, anna["code"].as_str().unwrap(), world::OWNER).await, ["Anna"]);
        // The last digits of a past guest's number are enough everywhere, any of them at the caller's own sites.
        assert_eq!(guests(&house, "0180", world::GLOBAL).await, ["Anna"]);
        assert_eq!(guests(&house, "5018", world::OWNER).await.len(), 4);
        assert_eq!(guests(&house, "5018", world::OWNER).await[3], "Anna");
    }

    async fn at_most_eight_guests_are_found_and_expired_ones_are_past(house: House) {
        for number in 1..=9 {
            let site = if number < 4 { world::OPEN_DOOR } else { world::HARBOR_HOUSE };
            let text = "INSERT INTO guests (id, site_id, code, first_name, first_name_key, last_name, gender, age_service_id, phone, \
                email, email_key, source, created_at, expires_at) VALUES ($1, $2, $3, 'Zoe', 'zoe', 'P', 'Other', 'age-over-27', \
                '+17145550100', 'z@guests.example', 'z@guests.example', 'Web', $4, $5)";
            let now = house.app.now();
            // The hold of the newest is over, though no job has recorded it.
            let ends = if number == 9 { now } else { now.plus_hours(1) };
            let mut tx = house.db().begin().await.unwrap();
            tx.query(text).bind(Uuid::from_u128(number)).bind(site).bind(format!("ZZZZZ{number}")).bind(now).bind(ends)
                .execute().await.unwrap();
            tx.commit().await.unwrap();
        }
        for token in [world::GLOBAL, world::ADMIN] {
            for query in ["zo", "0100", "zzzz"] {
                let found = search(&house, query, token).await;
                let found = found["guests"].as_array().unwrap();
                assert!(found.len() == 8 && found.iter().all(|guest| guest["status"] == "pending"), "{query} by {token}");
            }
        }
        let expired = search(&house, "zzzzz9", world::ADMIN).await;
        assert_eq!(expired["guests"][0]["status"], "expired");
    }

    async fn places_are_found_by_the_beginning_of_their_words(house: House) {
        let found = search(&house, "har", world::INTAKE).await;
        assert_eq!((names(&found, "sites"), names(&found, "organizations")),
            (vec!["Harbor House".to_owned()], vec!["Harbor Recovery".to_owned()]));
        let site = &found["sites"][0];
        assert_eq!((&site["organizationName"], &site["isCommercial"], &site["available"]),
            (&json!("Harbor Recovery"), &json!(true), &json!(4)));
        add(&house, world::HARBOR_HOUSE, 1).await;
        place(&house, world::HARBOR_HOUSE, 2, world::BED_A).await;
        assert_eq!(search(&house, "house", world::GLOBAL).await["sites"][0]["available"], 2);
        assert_eq!(names(&search(&house, "house", world::GLOBAL).await, "sites"), ["Harbor House"]);
        assert_eq!(names(&search(&house, "arbor", world::GLOBAL).await, "sites"), [""; 0]);
        assert_eq!(names(&search(&house, "ha_bor", world::GLOBAL).await, "sites"), [""; 0]);
        for token in [world::INTAKE, world::OWNER, world::STAFF, world::ADMIN] {
            let found = search(&house, "fa", token).await;
            assert_eq!((names(&found, "sites"), names(&found, "organizations")), (vec![], vec![]), "{token}");
            assert_eq!(names(&search(&house, "foreign", token).await, "organizations"), [""; 0], "{token}");
        }
        assert_eq!(names(&search(&house, "fa", world::OWNER_FOREIGN).await, "sites"), ["Far Away"]);
        assert_eq!(names(&search(&house, "foreign", world::GLOBAL).await, "organizations"), ["Foreign Homes"]);
    }

    async fn users_are_found_by_those_who_manage_them(house: House) {
        run(&house, &["UPDATE users SET first_name = 'José', last_name = 'Zapata' WHERE email_key = 'intake@test.example'"]).await;
        for token in [world::GLOBAL, world::OWNER, world::OWNER_FREE, world::ADMIN] {
            for query in ["jose", "JOS%C3%89%20za", "zap", "intake%40"] {
                let found = search(&house, query, token).await;
                let rows = found["users"].as_array().unwrap();
                let count = if [world::GLOBAL, world::ADMIN].contains(&token) { 2 } else { 1 };
                assert!(rows.len() == count && rows.iter().all(|user| user["name"] == "José Zapata"), "{query} by {token}: {found}");
            }
        }
        for token in [world::INTAKE, world::STAFF, world::OWNER_FOREIGN] {
            assert_eq!(names(&search(&house, "jose", token).await, "users"), [""; 0], "{token}");
        }
        // An invited person is found by what the inviter typed, not by the account.
        run(&house, &["UPDATE memberships SET status = 'PendingInvitation', invited_first_name = 'Pepe', invited_last_name = 'Z', \
            invited_email = 'pepe@test.example' WHERE user_id = (SELECT id FROM users WHERE email_key = 'intake@test.example')"]).await;
        assert_eq!(names(&search(&house, "jose", world::ADMIN).await, "users"), [""; 0]);
        assert_eq!(names(&search(&house, "pep", world::ADMIN).await, "users"), ["Pepe Z", "Pepe Z"]);
    }

    async fn each_search_is_on_record_with_its_text_and_its_guests(house: House) {
        const ROWS: &str = "SELECT action, query, guest_set_id, organization_id FROM audit WHERE action LIKE 'guests.searched%' ORDER BY id";
        const MEMBERS: &str = "SELECT guest_id FROM guest_sets WHERE id = $1";
        let guest: Uuid = id(&add_named(&house, world::HARBOR_HOUSE, "Quentin", "(714) 555-0177").await).parse().unwrap();
        search(&house, "Quen", world::INTAKE).await;
        search(&house, "Quen", world::INTAKE).await;
        search(&house, "nobody", world::GLOBAL).await;
        house.app.reads.flush(&house.app).await.unwrap();
        let rows: Vec<(String, String, Option<Uuid>, Option<Uuid>)> = house.db().query(ROWS).all().await.unwrap();
        let told: Vec<(&str, &str, bool)> =
            rows.iter().map(|(action, query, set, _)| (action.as_str(), query.as_str(), set.is_some())).collect();
        assert_eq!(told, [("guests.searched", "Quen", true), ("guests.searched", "Quen", true),
            ("guests.searched-by-global-admin", "nobody", false)]);
        assert_eq!(rows[2].3, None, "a global admin searches the platform");
        assert_eq!(rows[0].3, Some(world::HARBOR.0), "in the log of the organization, too");
        add_named(&house, world::OPEN_DOOR, "Quentina", "(714) 555-0178").await;
        search(&house, "Quentin", world::GLOBAL).await;
        house.app.reads.flush(&house.app).await.unwrap();
        let later: Vec<(String, String, Option<Uuid>, Option<Uuid>)> = house.db().query(ROWS).all().await.unwrap();
        let mut told: Vec<Option<Uuid>> = later[3..].iter().map(|row| row.3).collect();
        told.sort_unstable();
        assert_eq!(told, [Some(world::HARBOR.0), Some(world::OPEN_HANDS.0)], "a row for each organization");
        let members: Vec<(Uuid,)> = house.db().query(MEMBERS).bind(rows[0].2).all().await.unwrap();
        assert_eq!(members, [(guest,)]);
    }

    async fn a_search_that_finds_nobody_is_in_the_log_of_the_organizations_that_were_searched(house: House) {
        const ROWS: &str = "SELECT organization_id, query FROM audit WHERE action = 'guests.searched' ORDER BY id";
        search(&house, "5625550123", world::OWNER).await;
        house.app.reads.flush(&house.app).await.unwrap();
        search(&house, "5625550123", world::STAFF).await;
        house.app.reads.flush(&house.app).await.unwrap();
        let rows: Vec<(Option<Uuid>, Option<String>)> = house.db().query(ROWS).all().await.unwrap();
        let text = Some("5625550123".to_owned());
        assert_eq!(rows[0], (Some(world::HARBOR.0), text.clone()), "the user works for one organization");
        let mut of_two = rows[1..].to_vec();
        of_two.sort();
        assert_eq!(of_two, [(None, text), (Some(world::HARBOR.0), None), (Some(world::OPEN_HANDS.0), None)], "neither learns what the other was called about");
    }

    async fn nobody_searches_faster_than_a_person_types(house: House) {
        for _ in 0..240 {
            search(&house, "nobody", world::STAFF).await;
            // The jobs' loop does so when the queue is full.
            house.app.reads.flush(&house.app).await.unwrap();
        }
        let answer = house.post("/api/Search", json!({"query": "nobody"})).by(world::STAFF).send().await;
        assert_eq!(answer.status, 429);
        search(&house, "nobody", world::INTAKE).await;
        house.advance(MINUTE);
        search(&house, "nobody", world::STAFF).await;
    }

    async fn a_text_that_cannot_be_searched_is_refused_at_its_field(house: House) {
        for (body, wanted) in [
            (json!({"query": "a"}), "/query: Type 2 to 50 characters."),
            (json!({"query": " a "}), "/query: Type 2 to 50 characters."),
            (json!({}), "/query: Required field."),
            (json!({"query": "a".repeat(51)}), "/query: Type 2 to 50 characters."),
            (json!({"query": "a\u{0}b"}), "/query: This text contains a control character that cannot be stored. Type it instead of pasting it."),
        ] {
            let answer = house.post("/api/Search", body.clone()).by(world::INTAKE).send().await;
            assert_eq!((answer.status, answer.field_errors()), (422, vec![wanted.to_owned()]), "{body}");
        }
    }
}
