//! Requests that arrive together are looked up together on PostgreSQL (docs/decisions/0072), and each gets its own rights.

use berth_db::Engine;
use berth_db::testing::statements_of_this_thread;
use futures_util::future::{join, join_all};
use serde_json::json;

use crate::both_engines;
use crate::harness::House;
use crate::steps::add;
use crate::world;

const NOBODY: &str = "a token that nobody has";
const PEOPLE: [&str; 8] = [
    world::GLOBAL,
    world::OWNER,
    world::ADMIN,
    world::INTAKE,
    world::STAFF,
    NOBODY,
    world::OWNER_FREE,
    world::OWNER_FOREIGN,
];

/// The answer to each person: its status and, if it is a success, its text.
async fn answers(house: &House, path: &str, people: &[&str]) -> Vec<(u16, String)> {
    let asked = people.iter().map(|token| house.get(path).by(token).send());
    join_all(asked)
        .await
        .into_iter()
        .map(|answer| (answer.status, if answer.status == 200 { answer.text } else { String::new() }))
        .collect()
}

both_engines! {
    async fn requests_that_arrive_together_get_their_own_rights(house: House) {
        add(&house, world::HARBOR_HOUSE, 1).await;
        add(&house, world::OPEN_DOOR, 2).await;
        for path in ["/connect/userinfo", "/api/Sites?pageSize=50", "/api/Today"] {
            let mut alone = Vec::new();
            for person in PEOPLE {
                alone.extend(answers(&house, path, &[person]).await);
            }
            assert_eq!(alone.iter().filter(|(status, _)| *status == 401).count(), 1, "{path}");
            for times in [1, 3, 5] {
                let together = answers(&house, path, &PEOPLE.repeat(times)).await;
                let expected: Vec<_> = alone.iter().cycle().take(together.len()).cloned().collect();
                assert_eq!(together, expected, "{path}");
            }
        }
    }

    async fn a_session_that_has_ended_is_refused_whoever_asks_besides(house: House) {
        let crowd = PEOPLE.repeat(3);
        let path = "/connect/userinfo";
        let (others, ()) = join(answers(&house, path, &crowd), async {
            house.post("/connect/logout", json!({})).by(world::INTAKE).send().await.expect(204);
            let after = answers(&house, path, &[world::INTAKE, world::STAFF]).await;
            assert_eq!((after[0].0, after[1].0), (401, 200));
        }).await;
        assert_eq!(others[0].0, 200);
    }
}

/// In a runtime of one thread, so that all statements are counted.
#[tokio::test]
async fn requests_that_arrive_together_take_few_statements_on_postgres() {
    let house = House::new(Engine::Postgres).await;
    let crowd = PEOPLE.repeat(2);
    for path in ["/api/Sites?pageSize=50", "/api/Today"] {
        answers(&house, path, &crowd).await;
        let before = statements_of_this_thread();
        answers(&house, path, &crowd).await;
        let count = statements_of_this_thread() - before;
        assert!(count > 0 && count < crowd.len(), "{path}: {count} statements for {} requests", crowd.len());
    }
}
