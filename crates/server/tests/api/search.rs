//! Every search ignores accents and case, for new rows and for rows of earlier versions.

use berth_server::jobs::name_keys;
use serde_json::json;

use crate::both_engines;
use crate::harness::House;
use crate::steps::{add, form};
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
