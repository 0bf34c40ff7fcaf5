//! Live boards: one event for each change, none for what was rolled back (DESIGN 2).

use std::time::Duration;

use axum::body::{Body, BodyDataStream};
use axum::http::Method;
use berth_db::Engine;
use berth_domain::id::SiteId;
use berth_server::app::{Clock, Random};
use berth_server::integrations::live;
use berth_server::jobs::holds;
use berth_server::settings::Settings;
use berth_server::{App, routes};
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
    /// Opens a stream as a user and returns once the events of this node arrive.
    async fn new(house: &House, token: &str) -> Self {
        let response = house.get("/api/live").by(token).open().await;
        assert_eq!(response.status().as_u16(), 200);
        let body: Body = response.into_body();
        let mut watcher = Self { stream: body.into_data_stream(), text: String::new() };
        assert_eq!(watcher.next().await, Some(("ready".to_owned(), json!({"now": house.app.now()}))));
        watcher
    }

    /// The next event and its data, or none if there is none for half a second or the stream has ended.
    async fn next(&mut self) -> Option<(String, Value)> {
        timeout(Duration::from_millis(500), self.wait()).await.ok()?
    }

    /// The next event that is not a heartbeat, however long it takes; none if the stream has ended.
    async fn wait(&mut self) -> Option<(String, Value)> {
        loop {
            let event = self.read().await;
            if event.as_ref().is_none_or(|(name, _)| name != "heartbeat") {
                return event;
            }
        }
    }

    /// Waits for a resync as the next event.
    async fn resync(&mut self) {
        let event = timeout(Duration::from_secs(60), self.wait()).await.expect("an event comes");
        assert_eq!(event.unwrap().0, "resync");
    }

    /// The next event and its data.
    async fn read(&mut self) -> Option<(String, Value)> {
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
            let bytes = self.stream.next().await?;
            self.text.push_str(std::str::from_utf8(&bytes.unwrap()).unwrap());
        }
    }

    /// Waits for the end of the stream and returns the names of the events until then.
    async fn until_end(&mut self) -> Vec<String> {
        let mut names = Vec::new();
        let end = async {
            while let Some((name, _)) = self.wait().await {
                names.push(name);
            }
        };
        timeout(Duration::from_secs(60), end).await.expect("the stream ends");
        names
    }

    /// The versions of a site's events until no more arrive.
    async fn versions(&mut self, site: SiteId) -> Vec<i64> {
        let mut versions = Vec::new();
        while let Some((name, data)) = self.next().await {
            assert_eq!((name.as_str(), &data["siteId"]), ("site", &json!(site)));
            versions.push(data["version"].as_i64().unwrap());
        }
        versions
    }
}

/// Passes on events over PostgreSQL, as `serve` does. The node listens when this returns.
async fn relay(node: App) {
    let ear = live::listen(&node).await;
    tokio::spawn(live::relay(node, ear));
}

async fn version(house: &House, site: SiteId) -> i64 {
    house.db().query("SELECT version FROM sites WHERE id = $1").bind(site).scalar().await.unwrap()
}

both_engines! {
    async fn each_change_is_sent_once_with_its_version(house: House) {
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

    /// The state after a node stopped between its commit and the NOTIFY.
    async fn a_change_that_was_not_published_is_found(house: House) {
        if house.app.db.engine() == Engine::Sqlite {
            // With one node, its own streams get the event as part of the commit.
            return;
        }
        relay(house.app.clone()).await;
        let mut watcher = Watcher::new(&house, world::STAFF).await;
        let told = version(&house, world::HARBOR_HOUSE).await;
        let mut tx = house.db().begin().await.unwrap();
        tx.query("UPDATE sites SET version = version + 1 WHERE id = $1").bind(world::HARBOR_HOUSE).execute().await.unwrap();
        tx.commit().await.unwrap();
        let found = timeout(Duration::from_secs(30), watcher.wait()).await.expect("the change that was lost");
        assert_eq!(found, Some(("site".to_owned(), json!({"siteId": world::HARBOR_HOUSE, "version": told + 1}))));
    }

    async fn streams_of_a_node_that_could_not_listen_yet_get_a_resync(house: House) {
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
        assert_eq!(timeout(Duration::from_secs(30), heard()).await.expect("an event arrives"), "resync");
    }

    async fn a_heartbeat_has_the_servers_time(house: House) {
        let mut watcher = Watcher::new(&house, world::STAFF).await;
        house.advance(HOUR);
        house.app.live.beat(&house.app);
        let heartbeat = json!({"now": house.app.now()});
        // A heartbeat that was sent before the clock was moved may come first.
        while watcher.read().await != Some(("heartbeat".to_owned(), heartbeat.clone())) {}
        let now = house.get("/api/Sites").by(world::STAFF).send().await;
        assert_eq!(now.header("x-berth-time"), house.app.now().to_string());
        // Refusals have it, too, because the screen computes the time left from every answer.
        assert_eq!(house.get("/api/Sites").send().await.header("x-berth-time"), house.app.now().to_string());
    }

    /// I17: at most a second after the permission is gone. Permissions are read every half second, in this test at once.
    async fn a_stream_ends_with_its_session_and_sends_no_events_of_sites_without_access(house: House) {
        relay(house.app.clone()).await;
        let mut disabled = Watcher::new(&house, world::STAFF).await;
        let mut narrowed = Watcher::new(&house, world::ADMIN).await;
        let mut idle = Watcher::new(&house, &crate::sign_in::sign_in(&house, "intake@test.example").await.0).await;
        let mut tx = house.db().begin().await.unwrap();
        let disable = "UPDATE memberships SET status = 'Disabled' WHERE user_id = $1";
        tx.query(disable).bind(world::PEOPLE[6].2).execute().await.unwrap();
        let narrow = "UPDATE memberships SET status = 'Disabled' WHERE user_id = $1 AND site_id = $2";
        tx.query(narrow).bind(world::PEOPLE[4].2).bind(world::HARBOR_HOUSE).execute().await.unwrap();
        tx.commit().await.unwrap();
        house.app.live.check_rights(&house.app).await.unwrap();
        house.post("/api/Guests", form(world::HARBOR_HOUSE, 1)).by(world::OWNER).send().await.expect(201);
        assert_eq!(disabled.until_end().await, Vec::<String>::new(), "a user without any access left");
        house.post("/api/Guests", form(world::OPEN_DOOR, 2)).by(world::ADMIN).send().await.expect(201);
        // What the rights no longer show must go from the screen.
        narrowed.resync().await;
        let (name, data) = narrowed.wait().await.unwrap();
        assert_eq!((name.as_str(), &data["siteId"]), ("site", &json!(world::OPEN_DOOR)), "only the site that is left");
        while idle.next().await.is_some() {}
        house.advance(16 * MINUTE);
        assert_eq!(idle.until_end().await, Vec::<String>::new(), "the expired session is found without a call");
    }

    async fn a_deleted_site_is_told_to_those_who_worked_there_and_elsewhere(house: House) {
        relay(house.app.clone()).await;
        let mut admin = Watcher::new(&house, world::ADMIN).await;
        let mut untouched = Watcher::new(&house, world::OWNER_FREE).await;
        house.app.live.check_rights(&house.app).await.unwrap();
        assert_eq!(admin.next().await, None, "nothing has changed yet");
        let site = format!("/api/Sites/{}", world::HARBOR_HOUSE);
        house.ask(Method::DELETE, &site).by(world::OWNER).send().await.expect(204);
        house.app.live.check_rights(&house.app).await.unwrap();
        admin.resync().await;
        assert_eq!(untouched.next().await, None);
    }

    async fn a_session_holds_eight_streams_and_the_ninth_ends_the_oldest(house: House) {
        let mut watchers = Vec::new();
        for _ in 0..9 {
            watchers.push(Watcher::new(&house, world::STAFF).await);
        }
        assert_eq!(house.app.live.open_streams(), 8);
        let mut oldest = watchers.remove(0);
        // Its last message says to reconnect in half a minute.
        assert_eq!(oldest.until_end().await, [""]);
        let other = Watcher::new(&house, world::INTAKE).await;
        assert_eq!(house.app.live.open_streams(), 9, "streams of another session");
        drop((watchers, oldest, other));
        assert_eq!(house.app.live.open_streams(), 0);
    }

    async fn an_address_has_as_many_streams_as_the_settings_allow(house: House) {
        let mut house = house;
        let settings = Settings { live_streams_per_address: 2, ..house.app.settings.clone() };
        let clock = Clock::Fixed(std::sync::Arc::clone(&house.clock));
        house.router = routes::build(App::new(house.db().clone(), settings, clock, Random::seeded(3)));
        let here = [127, 0, 0, 1].into();
        let open = async |token: &str, address: std::net::Ipv4Addr| {
            let response = house.get("/api/live").by(token).from(address).open().await;
            (response.status().as_u16(), response)
        };
        let first = open(world::STAFF, here).await;
        let second = open(world::INTAKE, here).await;
        let refused = open(world::ADMIN, here).await;
        assert_eq!([first.0, second.0, refused.0], [200, 200, 429]);
        assert!(refused.1.headers().contains_key("retry-after"));
        assert_eq!(open(world::ADMIN, [127, 0, 0, 2].into()).await.0, 200, "from elsewhere");
        drop(first);
        assert_eq!(open(world::ADMIN, here).await.0, 200, "a closed stream frees its place");
    }

    async fn an_open_board_does_not_keep_a_session_alive(house: House) {
        // The staff user has two sessions; the one of the test world has a last-seen time in the far future.
        const SEEN: &str = "SELECT MIN(last_seen_at) FROM sessions WHERE user_id = $1";
        let seen = async || -> i64 { house.db().query(SEEN).bind(world::PEOPLE[6].2).scalar().await.unwrap() };
        let (access, _) = crate::sign_in::sign_in(&house, "staff@test.example").await;
        let before = seen().await;
        house.advance(7 * MINUTE);
        Watcher::new(&house, &access).await;
        assert_eq!(seen().await, before, "browsers reopen the stream on their own");
        house.get("/api/Sites").by(&access).send().await.expect(200);
        assert_eq!(seen().await, before + 7 * MINUTE);
    }

    async fn refused_changes_send_no_event(house: House) {
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

    async fn nobody_gets_events_of_sites_without_access(house: House) {
        relay(house.app.clone()).await;
        let mut stranger = Watcher::new(&house, world::OWNER_FOREIGN).await;
        let mut owner = Watcher::new(&house, world::OWNER_FREE).await;
        add(&house, world::OPEN_DOOR, 1).await;
        assert_eq!(owner.versions(world::OPEN_DOOR).await.len(), 1);
        assert_eq!(stranger.next().await, None);
    }
}

/// SQLite has one node (`serve` refuses another one), so there is nothing to receive.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_node_gets_the_same_events_over_postgres() {
    let mut house = House::new(Engine::Postgres).await;
    let other = house.another_node().await;
    let here = std::mem::replace(&mut house.router, routes::build(other.clone()));
    relay(other).await;
    let mut watcher = Watcher::new(&house, world::STAFF).await;
    house.router = here;
    let before = version(&house, world::HARBOR_HOUSE).await;
    place(&house, world::HARBOR_HOUSE, 1, world::BED_A).await;
    assert_eq!(watcher.versions(world::HARBOR_HOUSE).await, [before + 1, before + 2]);
}
