//! Looks of tables, kept filters and settings that follow a user to other devices (docs/decisions/0069 and 0076).

use berth_db::Engine;
use berth_domain::id::UserId;
use serde_json::{Value, json};

use crate::harness::{Answer, House};
use crate::{both_engines, world};

const INTAKE: UserId = world::PEOPLE[5].2;

async fn store(house: &House, name: &str, text: &str) -> Answer {
    house.put("/api/Users/views", json!({"name": name, "text": text})).by(world::INTAKE).send().await
}

async fn views_of(house: &House, token: &str) -> Value {
    house.get("/connect/userinfo").by(token).send().await.expect(200)["views"].clone()
}

async fn count(house: &House) -> i64 {
    house.db().query("SELECT COUNT(*) FROM user_views").scalar().await.unwrap()
}

/// Stores views of the intake user.
async fn fill(house: &House, number: usize) {
    const FILL: &str = "INSERT INTO user_views (user_id, name, text) VALUES ($1, $2, '5')";
    let mut tx = house.db().begin().await.unwrap();
    for index in 0..number {
        tx.query(FILL).bind(INTAKE).bind(format!("tableLook.t{index}")).execute().await.unwrap();
    }
    tx.commit().await.unwrap();
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

    async fn a_setting_follows_the_user_and_nobody_else_at_the_computer(house: House) {
        store(&house, "setting.moves-unasked", "on").await.expect(204);
        assert_eq!(views_of(&house, world::INTAKE).await, json!({"setting.moves-unasked": "on"}));
        assert_eq!(views_of(&house, world::STAFF).await, json!({}));
        store(&house, "setting.moves-unasked", "").await.expect(204);
        assert_eq!(views_of(&house, world::INTAKE).await, json!({"setting.moves-unasked": ""}));
    }

    async fn only_what_screens_write_is_stored(house: House) {
        let refused = async |name, text| store(&house, name, text).await.field_errors();
        assert_eq!(refused("guests", "25").await, ["/name: The name of this view is unknown. Reload the page."]);
        assert_eq!(refused("tableLook.guests", "25 Anna Bell").await, ["/text: A view may contain only ids and codes, such as 25 dense -phone."]);
        assert_eq!(refused("savedFilters.today", "name=Anna").await, ["/text: A view may contain only ids and codes, such as 25 dense -phone."]);
        let long = format!("25{}", " -phone".repeat(150));
        assert_eq!(refused("tableLook.guests", &long).await, ["/text: Maximum length of a view is 1000 symbols."]);
        assert_eq!(count(&house).await, 0);
    }

    async fn a_user_has_at_most_60_views(house: House) {
        fill(&house, 59).await;
        store(&house, "tableLook.guests", "5").await.expect(204);
        let refused = store(&house, "tableLook.history", "5").await;
        assert_eq!(refused.field_errors(), ["/name: You already have 60 saved views, and no more can be stored."]);
        store(&house, "tableLook.guests", "25").await.expect(204);
        assert_eq!(count(&house).await, 60);
        house.put("/api/Users/views", json!({"name": "tableLook.history", "text": "5"})).by(world::STAFF).send().await.expect(204);
    }

    async fn views_are_deleted_with_the_profile(house: House) {
        store(&house, "tableLook.guests", "25").await.expect(204);
        house.put("/api/Users/views", json!({"name": "tableLook.guests", "text": "5"})).by(world::STAFF).send().await.expect(204);
        house.delete("/api/Users").by(world::INTAKE).send().await.expect(204);
        assert_eq!(count(&house).await, 1);
        assert_eq!(views_of(&house, world::STAFF).await, json!({"tableLook.guests": "5"}));
    }
}

/// The second call waits for the first, which has not committed its view yet. On SQLite, transactions wait for each other.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_two_views_stored_at_once_the_61st_is_refused() {
    const LOCK: &str = "UPDATE users SET created_at = created_at WHERE id = $1";
    const STORE: &str = "INSERT INTO user_views (user_id, name, text) VALUES ($1, 'tableLook.guests', '5')";
    const WAITING: &str = "SELECT COUNT(*) FROM pg_stat_activity \
        WHERE wait_event_type = 'Lock' AND query LIKE '%UPDATE%' AND datname = current_database()";
    let house = House::new(Engine::Postgres).await;
    fill(&house, 59).await;
    let mut first = house.db().begin().await.unwrap();
    first.query(LOCK).bind(INTAKE).execute().await.unwrap();
    first.query(STORE).bind(INTAKE).execute().await.unwrap();

    let body = json!({"name": "tableLook.history", "text": "5"});
    let second = tokio::spawn(house.put("/api/Users/views", body).by(world::INTAKE).send());
    while !second.is_finished() && house.db().query(WAITING).scalar::<i64>().await.unwrap() == 0 {
        tokio::task::yield_now().await;
    }
    first.commit().await.unwrap();
    assert_eq!(second.await.unwrap().status, 422);
    assert_eq!(count(&house).await, 60);
}
