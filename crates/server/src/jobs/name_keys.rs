//! Recomputes the search keys of names that an earlier version stored, so that a search without accents finds them, too.

use berth_db::{Db, Tx};
use berth_domain::value::name_key;
use uuid::Uuid;

use crate::Result;

/// Name of this upgrade in `finished_upgrades`.
const UPGRADE: &str = "name-keys";

/// A column of names: the SELECT of rows whose key may change, and the UPDATE of a key.
struct Column {
    names: &'static str,
    renew: &'static str,
}

// Only names with non-ASCII characters have another key than before. Two rows whose names differ only in accents keep their
// old keys, since the index is unique.
const COLUMNS: [Column; 7] = [
    Column { names: ORGANIZATIONS, renew: RENEW_ORGANIZATION },
    Column { names: INSURERS, renew: RENEW_INSURER },
    Column { names: SITES, renew: RENEW_SITE },
    Column { names: ADDRESSES, renew: RENEW_ADDRESS },
    Column { names: ROOMS, renew: RENEW_ROOM },
    Column { names: BEDS, renew: RENEW_BED },
    Column { names: GUESTS, renew: RENEW_GUEST },
];

const ORGANIZATIONS: &str = "SELECT id, name FROM organizations WHERE OCTET_LENGTH(name) > LENGTH(name)";
const RENEW_ORGANIZATION: &str = "UPDATE organizations SET name_key = $2 WHERE id = $1 \
    AND NOT EXISTS (SELECT 1 FROM organizations o WHERE o.name_key = $2 AND o.deleted_at IS NULL)";
const INSURERS: &str = "SELECT id, name FROM insurance_companies WHERE OCTET_LENGTH(name) > LENGTH(name)";
const RENEW_INSURER: &str = "UPDATE insurance_companies SET name_key = $2 WHERE id = $1 \
    AND NOT EXISTS (SELECT 1 FROM insurance_companies i WHERE i.name_key = $2 AND i.deleted_at IS NULL)";
const SITES: &str = "SELECT id, name FROM sites WHERE OCTET_LENGTH(name) > LENGTH(name)";
const RENEW_SITE: &str = "UPDATE sites SET name_key = $2 WHERE id = $1";
const ADDRESSES: &str = "SELECT id, address FROM sites WHERE OCTET_LENGTH(address) > LENGTH(address)";
const RENEW_ADDRESS: &str = "UPDATE sites SET address_key = $2 WHERE id = $1";
const ROOMS: &str = "SELECT id, name FROM rooms WHERE OCTET_LENGTH(name) > LENGTH(name)";
const RENEW_ROOM: &str = "UPDATE rooms SET name_key = $2 WHERE id = $1 AND NOT EXISTS (SELECT 1 FROM rooms r \
    WHERE r.site_id = rooms.site_id AND r.name_key = $2 AND r.deleted_at IS NULL)";
const BEDS: &str = "SELECT id, name FROM beds WHERE OCTET_LENGTH(name) > LENGTH(name)";
const RENEW_BED: &str = "UPDATE beds SET name_key = $2 WHERE id = $1 AND NOT EXISTS (SELECT 1 FROM beds b \
    WHERE b.room_id = beds.room_id AND b.name_key = $2 AND b.deleted_at IS NULL)";
const GUESTS: &str = "SELECT id, first_name FROM guests WHERE OCTET_LENGTH(first_name) > LENGTH(first_name)";
const RENEW_GUEST: &str = "UPDATE guests SET first_name_key = $2 WHERE id = $1";

/// Recomputes the keys, once for each database. Returns the number of checked rows. Part of the migration, which runs before
/// there is an `App`, so not by [`change::run`](crate::change::run).
pub async fn renew(db: &Db) -> Result<u64> {
    const DONE: &str = "SELECT name FROM finished_upgrades WHERE name = $1";
    const FINISH: &str = "INSERT INTO finished_upgrades (name) VALUES ($1) ON CONFLICT (name) DO NOTHING";
    let done: Option<(String,)> = db.query(DONE).bind(UPGRADE).optional().await?;
    if done.is_some() {
        return Ok(0);
    }
    let mut tx = db.begin().await?;
    // First, so that nodes that start at the same time wait for each other.
    if tx.query(FINISH).bind(UPGRADE).execute().await? == 0 {
        return Ok(0);
    }
    let mut count = 0;
    for column in &COLUMNS {
        count += renew_column(&mut tx, column).await?;
    }
    tx.commit().await?;
    Ok(count)
}

async fn renew_column(tx: &mut Tx, column: &Column) -> Result<u64> {
    let rows: Vec<(Uuid, String)> = tx.query(column.names).all().await?;
    let mut count = 0;
    for (id, name) in rows {
        tx.query(column.renew).bind(id).bind(name_key(&name)).execute().await?;
        count += 1;
    }
    Ok(count)
}
