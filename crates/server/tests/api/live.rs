//! Live boards: one event for each change, none for what was rolled back (DESIGN 2).

use std::time::Duration;

use axum::body::{Body, BodyDataStream};
use berth_db::Engine;
use berth_domain::id::SiteId;
use berth_server::jobs::holds;
use berth_server::{App, live, routes};
use futures_util::StreamExt;
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::both_engines;
use crate::harness::{HOUR, House, MINUTE};
use crate::steps::{add, command, form, id, place, reserve};
use crate::world;

/// An open stream of events.
struct Watcher {
    stream: BodyDataStream,
    text: String,
}

impl Watcher {
    /// Watches as someone, once the news of this node arrive.
    async fn new(house: &House, token: &str) -> Self {
        let response = house.get("/api/live").by(token).open().await;
        assert_eq!(response.status().as_u16(), 200);
        let body: Body = response.into_body();
        let mut watcher = Self { stream: body.into_data_stream(), text: String::new() };
        assert_eq!(watcher.next().await, Some(("ready".to_owned(), json!({}))));
        watcher
    }

    /// The next event and its data, or none if nothing comes for half a second.
    async fn next(&mut self) -> Option<(String, Value)> {
        loop {
            if let Some((event, rest)) = self.text.split_once("\n\n") {
                let mut name = String::new();
                let mut data = Value::Null;
                for line in event.lines() {
                    if let Some(text) = line.strip_prefix("event: ") {
                        text.clone_into(&mut name);
                    } else if let Some(text) = line.strip_prefix("data: ") {
                        data = serde_json::from_str(text).unwrap();
                    }
                }
                self.text = rest.to_owned();
                return Some((name, data));
            }
            let bytes = timeout(Duration::from_millis(500), self.stream.next()).await.ok()??;
            self.text.push_str(std::str::from_utf8(&bytes.unwrap()).unwrap());
        }
    }

    /// The versions told until nothing more comes.
    async fn versions(&mut self, site: SiteId) -> Vec<i64> {
        let mut versions = Vec::new();
        while let Some((name, data)) = self.next().await {
            assert_eq!((name.as_str(), &data["siteId"]), ("site", &json!(site)));
            versions.push(data["version"].as_i64().unwrap());
        }
        versions
    }
}

/// Passes on news over PostgreSQL, as `serve` does: it listens when this returns.
async fn relay(node: App) {
    let ear = live::listen(&node).await;
    tokio::spawn(live::relay(node, ear));
}

async fn version(house: &House, site: SiteId) -> i64 {
    house.db().query("SELECT version FROM sites WHERE id = $1").bind(site).scalar().await.unwrap()
}

both_engines! {
    async fn each_change_is_told_once_with_its_version(house: House) {
        relay(house.app.clone()).await;
        let mut watcher = Watcher::new(&house, world::STAFF).await;
        let before = version(&house, world::HARBOR_HOUSE).await;
        let one = id(&place(&house, world::HARBOR_HOUSE, 1, world::BED_A).await);
        place(&house, world::HARBOR_HOUSE, 2, world::BED_B).await;
        command(&house, &one, "SWAP", Some(world::BED_B)).send().await.expect(200);
        command(&house, &one, "DISCHARGED", None).send().await.expect(200);
        reserve(&house, world::HARBOR_HOUSE, 3).await;
        house.advance(24 * HOUR);
        holds::run(&house.app).await.unwrap();
        let wanted: Vec<i64> = (before + 1..=before + 8).collect();
        assert_eq!(watcher.versions(world::HARBOR_HOUSE).await, wanted);
        assert_eq!(version(&house, world::HARBOR_HOUSE).await, before + 8);
    }

    async fn who_watches_a_node_that_could_not_listen_yet_is_told_to_look_again(house: House) {
        if house.app.db.engine() == Engine::Sqlite {
            assert!(live::listen(&house.app).await.is_none(), "there is no other node");
            return;
        }
        let mut watcher = Watcher::new(&house, world::STAFF).await;
        tokio::spawn(live::relay(house.app.clone(), None));
        place(&house, world::HARBOR_HOUSE, 1, world::BED_A).await;
        let mut heard = async || loop {
            if let Some((name, _)) = watcher.next().await {
                return name;
            }
        };
        assert_eq!(timeout(Duration::from_secs(30), heard()).await.expect("an end to the silence"), "resync");
    }

    async fn an_open_board_does_not_keep_a_session_alive(house: House) {
        // Of the two sessions of the staff user the world's own was seen last in the far future.
        const SEEN: &str = "SELECT MIN(last_seen_at) FROM sessions WHERE user_id = $1";
        let seen = async || -> i64 { house.db().query(SEEN).bind(world::PEOPLE[6].2).scalar().await.unwrap() };
        let (access, _) = crate::sign_in::sign_in(&house, "staff@test.example").await;
        let before = seen().await;
        house.advance(7 * MINUTE);
        Watcher::new(&house, &access).await;
        assert_eq!(seen().await, before, "browsers open the stream again by themselves");
        house.get("/api/Sites").by(&access).send().await.expect(200);
        assert_eq!(seen().await, before + 7 * MINUTE);
    }

    async fn what_was_refused_is_not_told(house: House) {
        relay(house.app.clone()).await;
        let waiting = id(&add(&house, world::HARBOR_HOUSE, 1).await);
        let mut watcher = Watcher::new(&house, world::INTAKE).await;
        while watcher.next().await.is_some() {}
        let before = version(&house, world::HARBOR_HOUSE).await;
        command(&house, &waiting, "DISCHARGED", None).send().await.expect(409);
        command(&house, &waiting, "ACCEPTED", Some(world::BED_E)).send().await.expect(409);
        command(&house, &waiting, "REJECTED", None).header("if-match", "\"7\"").send().await.expect(412);
        house.post("/api/Guests", json!({"siteId": world::HARBOR_HOUSE})).by(world::INTAKE).send().await.expect(422);
        let mut third = form(world::HARBOR_HOUSE, 2);
        third["paymentMethod"] = json!(2);
        third["insuranceCompanyId"] = json!(uuid::Uuid::from_u128(9));
        house.post("/api/Guests", third).by(world::INTAKE).send().await.expect(422);
        assert_eq!(watcher.versions(world::HARBOR_HOUSE).await, Vec::<i64>::new());
        assert_eq!(version(&house, world::HARBOR_HOUSE).await, before);
    }

    async fn nobody_hears_of_a_site_that_is_not_theirs(house: House) {
        relay(house.app.clone()).await;
        let mut stranger = Watcher::new(&house, world::OWNER_FOREIGN).await;
        let mut owner = Watcher::new(&house, world::OWNER_FREE).await;
        add(&house, world::OPEN_DOOR, 1).await;
        assert_eq!(owner.versions(world::OPEN_DOOR).await.len(), 1);
        assert_eq!(stranger.next().await, None);
    }

    async fn another_node_hears_the_same_over_postgres(house: House) {
        if house.db().engine() == berth_db::Engine::Sqlite {
            return;
        }
        let mut house = house;
        let other = house.another_node().await;
        let here = std::mem::replace(&mut house.router, routes::build(other.clone()));
        relay(other).await;
        let mut watcher = Watcher::new(&house, world::STAFF).await;
        house.router = here;
        let before = version(&house, world::HARBOR_HOUSE).await;
        place(&house, world::HARBOR_HOUSE, 1, world::BED_A).await;
        assert_eq!(watcher.versions(world::HARBOR_HOUSE).await, [before + 1, before + 2]);
    }
}
