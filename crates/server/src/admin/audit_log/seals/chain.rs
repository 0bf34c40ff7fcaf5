//! The hash of a seal: over every value of every row, each with its length, so that different trails have different bytes.

use std::collections::HashMap;

use berth_db::Db;
use berth_domain::time::Timestamp;
use hmac::{Hmac, KeyInit, Mac};
use secrecy::{ExposeSecret, SecretString};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::Seal;
use crate::Result;

/// Version of the hashed format. A new format gets another text, so that old seals are still verified with theirs.
const FORM: &[u8] = b"berth audit seal 1\n";
/// Domain separator for the operator's key.
const PURPOSE: &[u8] = b"berth audit seal mac 1\n";

/// An audit row as it is sealed, and the guests that it shows.
#[derive(Debug, Clone)]
pub struct SealedRow {
    row: Row,
    guests: Vec<Uuid>,
}

#[derive(Debug, Clone, berth_db::FromRow)]
struct Row {
    id: Uuid,
    at: Timestamp,
    action: String,
    actor_id: Option<Uuid>,
    actor_email: Option<String>,
    actor_role: Option<String>,
    organization_id: Option<Uuid>,
    site_id: Option<Uuid>,
    object_type: Option<String>,
    object_id: Option<Uuid>,
    summary: String,
    address: String,
    request_id: String,
    from_bed_id: Option<Uuid>,
    to_bed_id: Option<Uuid>,
    query: Option<String>,
    guest_set_id: Option<Uuid>,
}

impl SealedRow {
    /// Returns its id.
    #[must_use]
    pub const fn id(&self) -> Uuid {
        self.row.id
    }

    /// Names every field, so that a new one cannot be forgotten.
    fn add_to(&self, bytes: &mut Bytes) {
        let Row {
            id,
            at,
            action,
            actor_id,
            actor_email,
            actor_role,
            organization_id,
            site_id,
            object_type,
            object_id,
            summary,
            address,
            request_id,
            from_bed_id,
            to_bed_id,
            query,
            guest_set_id,
        } = &self.row;
        bytes.id(Some(*id));
        bytes.number(at.millis());
        bytes.text(Some(action));
        bytes.id(*actor_id);
        bytes.text(actor_email.as_deref());
        bytes.text(actor_role.as_deref());
        bytes.id(*organization_id);
        bytes.id(*site_id);
        bytes.text(object_type.as_deref());
        bytes.id(*object_id);
        bytes.text(Some(summary));
        bytes.text(Some(address));
        bytes.text(Some(request_id));
        bytes.id(*from_bed_id);
        bytes.id(*to_bed_id);
        bytes.text(query.as_deref());
        bytes.id(*guest_set_id);
        bytes.number(i64::try_from(self.guests.len()).unwrap_or(i64::MAX));
        for guest in &self.guests {
            bytes.id(Some(*guest));
        }
    }
}

/// Feeds values into a hash.
struct Bytes(Sha256);

impl Bytes {
    fn value(&mut self, value: Option<&[u8]>) {
        match value {
            None => self.0.update([0]),
            Some(value) => {
                self.0.update([1]);
                self.0.update((value.len() as u64).to_be_bytes());
                self.0.update(value);
            }
        }
    }

    fn id(&mut self, id: Option<Uuid>) {
        self.value(id.as_ref().map(|id| id.as_bytes().as_slice()));
    }

    fn text(&mut self, text: Option<&str>) {
        self.value(text.map(str::as_bytes));
    }

    fn number(&mut self, number: i64) {
        self.value(Some(&number.to_be_bytes()));
    }
}

/// Reads at most `most` rows of a range in the order of their ids, each with the guests that it shows.
pub(super) async fn rows(db: &Db, (after, until): (Uuid, Uuid), most: i64) -> Result<Vec<SealedRow>> {
    const ROWS: &str = "SELECT id, at, action, actor_id, actor_email, actor_role, organization_id, site_id, object_type, \
        object_id, summary, address, request_id, from_bed_id, to_bed_id, query, guest_set_id FROM audit \
        WHERE id > $1 AND id <= $2 ORDER BY id LIMIT $3";
    const GUESTS: &str = "SELECT id, guest_id FROM guest_sets WHERE id IN ($1..) ORDER BY id, guest_id";
    let rows: Vec<Row> = db.query(ROWS).bind(after).bind(until).bind(most).all().await?;
    let mut ids: Vec<Uuid> = rows.iter().filter_map(|row| row.guest_set_id).collect();
    ids.sort_unstable();
    ids.dedup();
    let mut sets: HashMap<Uuid, Vec<Uuid>> = HashMap::new();
    if !ids.is_empty() {
        let members: Vec<(Uuid, Uuid)> = db.query(GUESTS).bind_list(ids).all().await?;
        for (set, guest) in members {
            sets.entry(set).or_default().push(guest);
        }
    }
    let with_guests = |row: Row| {
        let guests = row.guest_set_id.and_then(|set| sets.get(&set)).cloned().unwrap_or_default();
        SealedRow { row, guests }
    };
    Ok(rows.into_iter().map(with_guests).collect())
}

/// Returns the hash of a seal, in hex: over the previous seal, its own values and its rows.
#[must_use]
pub(super) fn hash(before: Option<&str>, seal: &Seal, rows: &[SealedRow]) -> String {
    let mut bytes = Bytes(Sha256::new());
    bytes.0.update(FORM);
    bytes.text(before);
    bytes.number(seal.ordinal);
    bytes.id(Some(seal.after_id));
    bytes.id(Some(seal.last_id));
    bytes.number(seal.row_count);
    bytes.number(seal.sealed_at.millis());
    for row in rows {
        row.add_to(&mut bytes);
    }
    hex::encode(bytes.0.finalize())
}

/// Returns the MAC of the hash with the operator's key, in hex; `None` without a key.
#[must_use]
pub(super) fn mac(key: Option<&SecretString>, hash: &str) -> Option<String> {
    let key = key?;
    let mut mac = Hmac::<Sha256>::new_from_slice(key.expose_secret().as_bytes()).expect("HMAC takes any key");
    mac.update(PURPOSE);
    mac.update(hash.as_bytes());
    Some(hex::encode(mac.finalize().into_bytes()))
}
