//! Migrations: any number of nodes may start at once, and a changed migration is detected.

use berth_db::testing::{ENGINES, Template, TestDatabase};
use berth_db::{Db, Error};

const APPLIED: &str = "SELECT COUNT(*) FROM _sqlx_migrations WHERE success";
const ORGANIZATIONS: &str = "SELECT COUNT(*) FROM organizations";

#[tokio::test]
async fn three_nodes_that_start_together_migrate_once() {
    for engine in ENGINES {
        let test = TestDatabase::empty(engine).await;
        let mut nodes: Vec<Db> = vec![test.db.clone()];
        nodes.push(test.another_node().await);
        nodes.push(test.another_node().await);
        let starting: Vec<_> =
            nodes.iter().cloned().map(|node| tokio::spawn(async move { node.migrate().await })).collect();
        for node in starting {
            node.await.unwrap().unwrap();
        }
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/migrations");
        let files = std::fs::read_dir(folder).unwrap().count();
        for node in &nodes {
            assert_eq!(node.query(APPLIED).scalar::<i64>().await.unwrap(), i64::try_from(files).unwrap());
            assert_eq!(node.query(ORGANIZATIONS).scalar::<i64>().await.unwrap(), 0);
        }
    }
}

#[tokio::test]
async fn migrating_again_changes_nothing() {
    for engine in ENGINES {
        let test = TestDatabase::migrated(engine).await;
        let before: i64 = test.db.query(APPLIED).scalar().await.unwrap();
        test.db.migrate().await.unwrap();
        assert_eq!(test.db.query(APPLIED).scalar::<i64>().await.unwrap(), before);
    }
}

#[tokio::test]
async fn an_older_binary_refuses_a_newer_database() {
    for engine in ENGINES {
        let test = TestDatabase::migrated(engine).await;
        let mut tx = test.db.begin().await.unwrap();
        tx.query("UPDATE _sqlx_migrations SET version = version + 900000").execute().await.unwrap();
        tx.commit().await.unwrap();
        assert!(matches!(test.db.migrate().await, Err(Error::Other(_))));
    }
}

#[tokio::test]
async fn migrated_databases_of_tests_share_nothing() {
    for engine in ENGINES {
        let (one, two) = (TestDatabase::migrated(engine).await, TestDatabase::migrated(engine).await);
        let mut tx = one.db.begin().await.unwrap();
        tx.query(
            "INSERT INTO organizations (id, name, name_key, is_commercial, created_at) VALUES ($1, $2, $2, $3, $4)",
        )
        .bind(uuid::Uuid::nil())
        .bind("harbor")
        .bind(true)
        .bind(0_i64)
        .execute()
        .await
        .unwrap();
        tx.commit().await.unwrap();
        assert_eq!(one.db.query(ORGANIZATIONS).scalar::<i64>().await.unwrap(), 1);
        assert_eq!(two.db.query(ORGANIZATIONS).scalar::<i64>().await.unwrap(), 0);
    }
}

#[tokio::test]
async fn copies_of_a_template_start_with_its_rows_and_share_nothing() {
    const INSERT: &str =
        "INSERT INTO organizations (id, name, name_key, is_commercial, created_at) VALUES ($1, $2, $2, TRUE, 0)";
    static HARBOR: Template = Template::new();
    let add = async |db: &Db, number: u128| {
        let mut tx = db.begin().await.unwrap();
        tx.query(INSERT).bind(uuid::Uuid::from_u128(number)).bind(format!("{number}")).execute().await.unwrap();
        tx.commit().await.unwrap();
    };
    for engine in ENGINES {
        let one = HARBOR.copy(engine, async |db| add(db, 1).await).await;
        add(&one.db, 2).await;
        let two = HARBOR.copy(engine, async |_| panic!("a template is filled once")).await;
        assert_eq!(one.db.query(ORGANIZATIONS).scalar::<i64>().await.unwrap(), 2);
        assert_eq!(two.db.query(ORGANIZATIONS).scalar::<i64>().await.unwrap(), 1);
    }
}

#[tokio::test]
async fn both_engines_record_the_same_migrations() {
    const NOTED: &str = "SELECT version, description FROM _sqlx_migrations WHERE success ORDER BY version";
    const CHECKSUMS: [&str; 2] = [
        "SELECT lower(hex(checksum)) FROM _sqlx_migrations ORDER BY version",
        "SELECT encode(checksum, 'hex') FROM _sqlx_migrations ORDER BY version",
    ];
    let mut noted = Vec::new();
    for (engine, checksums) in ENGINES.into_iter().zip(CHECKSUMS) {
        let test = TestDatabase::migrated(engine).await;
        let versions: Vec<(i64, String)> = test.db.query(NOTED).all().await.unwrap();
        let checksums: Vec<(String,)> = test.db.query(checksums).all().await.unwrap();
        noted.push((versions, checksums));
    }
    assert_eq!(
        noted[0], noted[1],
        "must be equal, so that databases of earlier versions open: sqlx wrote what it writes on PostgreSQL"
    );
}

#[tokio::test]
async fn a_migration_that_was_changed_after_it_ran_is_refused() {
    for engine in ENGINES {
        let test = TestDatabase::migrated(engine).await;
        let mut tx = test.db.begin().await.unwrap();
        let text = "UPDATE _sqlx_migrations SET checksum =
            (SELECT m.checksum FROM _sqlx_migrations m ORDER BY m.version DESC LIMIT 1)";
        tx.query(text).execute().await.unwrap();
        tx.commit().await.unwrap();
        assert!(matches!(test.db.migrate().await, Err(Error::Other(_))));
    }
}
