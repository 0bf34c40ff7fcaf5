//! Looks of tables and kept filters that follow a user to other devices (docs/decisions/0069).

use serde_json::{Value, json};

use crate::harness::{Answer, House};
use crate::{both_engines, steps, world};

async fn store(house: &House, name: &str, text: &str) -> Answer {
    house.put("/api/Users/views", json!({"name": name, "text": text})).by(world::INTAKE).send().await
}

async fn views_of(house: &House, token: &str) -> Value {
    house.get("/connect/userinfo").by(token).send().await.expect(200)["views"].clone()
}

async fn count(house: &House) -> i64 {
    house.db().query("SELECT COUNT(*) FROM user_views").scalar().await.unwrap()
}

both_engines! {
    async fn a_user_gets_the_last_choice_at_the_sign_in_and_nobody_else_does(house: House) {
        let filters = format!("siteId={}&service=medical-detox payer=MediCal", world::HARBOR_HOUSE);
        store(&house, "tableLook.guests", "25 dense -phone").await.expect(204);
        store(&house, "savedFilters.today", &filters).await.expect(204);
        store(&house, "tableLook.guests", "10").await.expect(204);
        let views = json!({"tableLook.guests": "10", "savedFilters.today": filters});
        assert_eq!(views_of(&house, world::INTAKE).await, views);
        assert_eq!(views_of(&house, world::FIRST_STEP).await, json!({}), "the same user, before the code");
        assert_eq!(views_of(&house, world::STAFF).await, json!({}));
        store(&house, "savedFilters.today", "").await.expect(204);
        assert_eq!(views_of(&house, world::INTAKE).await["savedFilters.today"], "");
    }

    async fn only_what_screens_write_is_stored(house: House) {
        let refused = async |name, text| store(&house, name, text).await.field_errors();
        assert_eq!(refused("guests", "25").await, ["/name: This is not the name of a view."]);
        assert_eq!(refused("tableLook.guests", "25 Anna Bell").await, ["/text: A view has ids and codes only, such as 25 dense -phone."]);
        assert_eq!(refused("savedFilters.today", "name=Anna").await, ["/text: A view has ids and codes only, such as 25 dense -phone."]);
        let long = format!("25{}", " -phone".repeat(150));
        assert_eq!(refused("tableLook.guests", &long).await, ["/text: Maximum length of a view is 1000 symbols."]);
        assert_eq!(count(&house).await, 0);
    }

    async fn a_user_has_at_most_60_views_even_if_they_are_stored_at_the_same_time(house: House) {
        let name = |number: usize| format!("tableLook.{}", "x".repeat(number));
        for number in 1..=20 {
            store(&house, &name(number), "5").await.expect(204);
        }
        let mut tx = house.db().begin().await.unwrap();
        for number in 0..38 {
            tx.query("INSERT INTO user_views (user_id, name, text) SELECT user_id, $1, text FROM user_views WHERE name = $2")
                .bind(format!("tableLook.y{number}")).bind(name(1)).execute().await.unwrap();
        }
        tx.commit().await.unwrap();
        let calls = (21..=26).map(|number| {
            house.put("/api/Users/views", json!({"name": name(number), "text": "5"})).by(world::INTAKE)
        });
        let statuses = steps::statuses(&steps::all_at_once(calls.collect()).await);
        assert_eq!(statuses.into_iter().collect::<Vec<_>>(), [(204, 2), (422, 4)]);
        assert_eq!(store(&house, "tableLook.guests", "5").await.field_errors(), ["/name: There are 60 views of this user already."]);
        store(&house, &name(1), "25").await.expect(204);
        assert_eq!(count(&house).await, 60);
    }

    async fn views_are_deleted_with_the_profile(house: House) {
        store(&house, "tableLook.guests", "25").await.expect(204);
        house.put("/api/Users/views", json!({"name": "tableLook.guests", "text": "5"})).by(world::STAFF).send().await.expect(204);
        house.delete("/api/Users").by(world::INTAKE).send().await.expect(204);
        assert_eq!(count(&house).await, 1);
        assert_eq!(views_of(&house, world::STAFF).await, json!({"tableLook.guests": "5"}));
    }
}
