//! The name of the database's state: the same as long as nothing is committed, so that what was read in it is still true.

use berth_db::testing::{ENGINES, TestDatabase};
use berth_db::{Db, Engine};

const STATE: &str = "SELECT name FROM database_state";
const RAISE: &str = "INSERT INTO directory_versions (part, version) VALUES (1, 1) \
    ON CONFLICT (part) DO UPDATE SET version = directory_versions.version + 1";

async fn state(db: &Db) -> String {
    db.query(STATE).scalar().await.unwrap()
}

#[tokio::test]
async fn each_commit_makes_a_state_with_another_name() {
    for engine in ENGINES {
        let test = TestDatabase::migrated(engine).await;
        let other = test.another_node().await;
        let mut names = vec![state(&test.db).await];
        for program in [&test.db, &other, &test.db] {
            let mut tx = program.begin().await.unwrap();
            tx.query(RAISE).execute().await.unwrap();
            if engine == Engine::Sqlite {
                assert_eq!(names.last(), Some(&state(&test.db).await), "nothing is committed");
            }
            tx.commit().await.unwrap();
            names.push(state(&test.db).await);
        }
        let mut different = names.clone();
        different.sort_unstable();
        different.dedup();
        assert_eq!(different.len(), names.len(), "{engine:?}: {names:?}");
    }
}

#[tokio::test]
async fn connections_of_sqlite_give_no_name_twice() {
    let test = TestDatabase::migrated(Engine::Sqlite).await;
    let (mut first, mut second) = (test.db.read().await.unwrap(), test.db.read().await.unwrap());
    let one: String = first.query(STATE).scalar().await.unwrap();
    let two: String = second.query(STATE).scalar().await.unwrap();
    assert_ne!(one, two);
}
