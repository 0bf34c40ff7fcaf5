//! A violated constraint is reported with the same name on both engines.

use berth_db::{Db, Error, Result};
use uuid::Uuid;

use crate::tables::{INSERT_HOUSE, add_house, on_each_engine};

const INSERT_BED: &str = "INSERT INTO beds (id, house_id, label) VALUES ($1, $2, $3)";

async fn add_bed(db: &Db, id: u128, house: u128, label: &str) -> Result<()> {
    let mut tx = db.begin().await?;
    tx.query(INSERT_BED).bind(Uuid::from_u128(id)).bind(Uuid::from_u128(house)).bind(label).execute().await?;
    tx.commit().await
}

#[tokio::test]
async fn a_violated_unique_index_is_reported_by_name() {
    on_each_engine(async |test| {
        add_house(&test.db, 1, "Pier").await.unwrap();
        let error = add_house(&test.db, 2, "PIER").await.unwrap_err();
        assert!(matches!(&error, Error::Unique { constraint } if constraint == "houses_name_key_key"), "{error:?}");
    })
    .await;
}

#[tokio::test]
async fn a_violated_partial_unique_index_of_two_columns_is_reported_by_name() {
    on_each_engine(async |test| {
        add_house(&test.db, 1, "Pier").await.unwrap();
        add_bed(&test.db, 1, 1, "A").await.unwrap();
        let error = add_bed(&test.db, 2, 1, "A").await.unwrap_err();
        assert_eq!(error.unique(), Some("beds_house_id_label_key"));

        let mut tx = test.db.begin().await.unwrap();
        assert_eq!(tx.query("UPDATE beds SET deleted_at = $1").bind(5_i64).execute().await.unwrap(), 1);
        tx.commit().await.unwrap();
        add_bed(&test.db, 2, 1, "A").await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn a_violated_primary_key_is_reported_by_name() {
    on_each_engine(async |test| {
        add_house(&test.db, 1, "Pier").await.unwrap();
        assert_eq!(add_house(&test.db, 1, "Quay").await.unwrap_err().unique(), Some("houses_pkey"));

        let mut tx = test.db.begin().await.unwrap();
        let link = "INSERT INTO links (house_id, other_id) VALUES ($1, $2)";
        let (house, other) = (Uuid::from_u128(1), Uuid::from_u128(2));
        tx.query(link).bind(house).bind(other).execute().await.unwrap();
        let error = tx.query(link).bind(house).bind(other).execute().await.unwrap_err();
        assert_eq!(error.unique(), Some("links_pkey"));
    })
    .await;
}

#[tokio::test]
async fn a_violated_check_is_reported_by_name() {
    on_each_engine(async |test| {
        add_house(&test.db, 1, "Pier").await.unwrap();
        let mut tx = test.db.begin().await.unwrap();
        let error = tx.query("UPDATE houses SET version = $1").bind(-1_i64).execute().await.unwrap_err();
        assert!(matches!(&error, Error::Check { constraint } if constraint == "houses_version_check"), "{error:?}");
    })
    .await;
}

#[tokio::test]
async fn a_foreign_key_holds_in_both_directions() {
    on_each_engine(async |test| {
        assert!(matches!(add_bed(&test.db, 1, 9, "A").await, Err(Error::ForeignKey)));
        add_house(&test.db, 1, "Pier").await.unwrap();
        add_bed(&test.db, 1, 1, "A").await.unwrap();
        let mut tx = test.db.begin().await.unwrap();
        assert!(matches!(tx.query("DELETE FROM houses").execute().await, Err(Error::ForeignKey)));
    })
    .await;
}

#[tokio::test]
async fn null_is_refused_in_not_null_columns_and_in_a_primary_key() {
    on_each_engine(async |test| {
        for (id, name) in [(None, Some("Pier")), (Some(Uuid::from_u128(1)), None)] {
            let mut tx = test.db.begin().await.unwrap();
            let outcome = tx.query(INSERT_HOUSE).bind(id).bind(name).bind("pier").execute().await;
            assert!(matches!(outcome, Err(Error::Other(_))), "{outcome:?}");
        }
    })
    .await;
}
