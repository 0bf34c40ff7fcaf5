//! Values are read back as they were written: the four column types, NULL, newtypes and text enums.

use berth_domain::{BedKind, SiteId, Timestamp};
use uuid::Uuid;

use crate::tables::{add_house, on_each_engine};

#[derive(Debug, PartialEq, berth_db::FromRow)]
struct HouseRow {
    id: Uuid,
    name: String,
    note: Option<String>,
    is_open: bool,
    version: i64,
}

const INSERT: &str = "INSERT INTO houses (id, name, name_key, note, is_open, version) VALUES ($1, $2, $3, $4, $5, $6)";
const HOUSES: &str = r#"SELECT id, name, note, is_open, version FROM houses ORDER BY name_key COLLATE "C", id"#;

#[tokio::test]
async fn values_and_nulls_are_read_back_as_written() {
    on_each_engine(async |test| {
        let rows = [
            HouseRow { id: Uuid::max(), name: "a".into(), note: None, is_open: true, version: i64::MAX },
            HouseRow { id: Uuid::nil(), name: "b".into(), note: Some(String::new()), is_open: false, version: 0 },
            HouseRow {
                id: Uuid::from_u128(7),
                name: "c 'ñ' \u{1F6CF} \\".into(),
                note: Some("$1".into()),
                is_open: true,
                version: 1,
            },
        ];
        let mut tx = test.db.begin().await.unwrap();
        for row in &rows {
            let query = tx.query(INSERT).bind(row.id).bind(&row.name).bind(&row.name).bind(row.note.as_deref());
            assert_eq!(query.bind(row.is_open).bind(row.version).execute().await.unwrap(), 1);
        }
        tx.commit().await.unwrap();
        assert_eq!(test.db.query(HOUSES).all::<HouseRow>().await.unwrap(), rows);
        assert_eq!(test.db.query(HOUSES).one::<HouseRow>().await.unwrap(), rows[0]);
    })
    .await;
}

#[tokio::test]
async fn sums_counts_and_booleans_have_the_same_type_on_both_engines() {
    on_each_engine(async |test| {
        let row: (i64, i64, bool) = test
            .db
            .query("SELECT COUNT(*), CAST(COALESCE(SUM(version), 0) AS BIGINT), COUNT(*) = $1 FROM houses")
            .bind(0_i64)
            .one()
            .await
            .unwrap();
        assert_eq!(row, (0, 0, true));
    })
    .await;
}

#[tokio::test]
async fn a_parameter_may_be_used_twice_and_be_null() {
    on_each_engine(async |test| {
        add_house(&test.db, 1, "Pier").await.unwrap();
        let text = "SELECT COUNT(*) FROM houses WHERE $1 IS NULL OR name = $1";
        for (name, expected) in [(None, 1), (Some("Pier"), 1), (Some("Quay"), 0)] {
            assert_eq!(test.db.query(text).bind(name).scalar::<i64>().await.unwrap(), expected, "{name:?}");
        }
    })
    .await;
}

#[tokio::test]
async fn newtypes_and_text_enums_of_the_domain_are_columns() {
    on_each_engine(async |test| {
        let (site, at) = (SiteId(Uuid::from_u128(3)), Timestamp::from_millis(1_700_000_000_123));
        let mut tx = test.db.begin().await.unwrap();
        let query = tx.query(INSERT).bind(site).bind(BedKind::Detox).bind("k").bind(None::<BedKind>);
        query.bind(false).bind(at).execute().await.unwrap();
        tx.commit().await.unwrap();
        let text = "SELECT id, name, note, version FROM houses WHERE id = $1 AND name = $2 AND version <= $3";
        let row: (SiteId, BedKind, Option<BedKind>, Timestamp) =
            test.db.query(text).bind(site).bind(BedKind::Detox).bind(at).one().await.unwrap();
        assert_eq!(row, (site, BedKind::Detox, None, at));
        assert_eq!(test.db.query("SELECT name FROM houses").scalar::<String>().await.unwrap(), "Detox");
    })
    .await;
}
