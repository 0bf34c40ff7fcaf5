//! Checks that a picture was uploaded for the kind of record that is to use it.

use berth_db::Tx;
use berth_domain::id::UserId;
use berth_domain::time::Timestamp;
use serde::{Deserialize, Serialize};

use super::KEPT_FOR;
use crate::{Error, Result};

/// The message for a path that was not uploaded for this field, or that was removed.
pub const AGAIN: &str = "Please upload the image again.";

/// The purpose of a picture, which its name begins with (spec B 3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, utoipa::ToSchema)]
#[schema(as = ImagePrefix)]
pub enum Prefix {
    /// Logo of an organization.
    #[serde(rename = "org_")]
    Organization,
    /// Photo of a house.
    #[serde(rename = "room_")]
    Room,
    /// Photo of a bed.
    #[serde(rename = "bed_")]
    Bed,
    /// Logo of an insurer; JPEG only.
    #[serde(rename = "ins_")]
    Insurer,
    /// Photo of a site.
    #[serde(rename = "site_")]
    Site,
    /// A side of the insurance card of a guest or of a person on a waitlist: health data, never public.
    #[serde(rename = "card_")]
    Card,
}

impl Prefix {
    /// Every prefix.
    pub const ALL: [Self; 6] = [Self::Organization, Self::Room, Self::Bed, Self::Insurer, Self::Site, Self::Card];

    /// Returns the prefix as it is written in names and in the database.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Organization => "org_",
            Self::Room => "room_",
            Self::Bed => "bed_",
            Self::Insurer => "ins_",
            Self::Site => "site_",
            Self::Card => "card_",
        }
    }

    /// Returns the prefix with exactly this text.
    #[must_use]
    pub fn from_text(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|prefix| prefix.as_str() == text)
    }
}

/// Checks that `new` was uploaded with `prefix`, and protects it from the sweep for a day. Accepts `None` and the `old`
/// path, which the record uses already. Use [`claim_card`] for insurance cards.
///
/// # Errors
/// 422 at `pointer` with [`AGAIN`].
pub async fn claim(
    tx: &mut Tx,
    prefix: Prefix,
    pointer: &str,
    new: Option<&str>,
    old: Option<&str>,
    now: Timestamp,
) -> Result<()> {
    // The update locks the row: the sweep waits for it and then sees the later time.
    const CLAIM: &str = "UPDATE files SET keep_until = $3 WHERE path = $1 AND prefix = $2 AND state = 'kept'";
    let Some(path) = new.filter(|new| old != Some(new)) else { return Ok(()) };
    let until = now.plus_hours(KEPT_FOR);
    let known = tx.query(CLAIM).bind(path).bind(prefix.as_str()).bind(until).execute().await?;
    if known == 1 { Ok(()) } else { Err(Error::field(pointer, AGAIN)) }
}

/// Like [`claim`], for a side of an insurance card: only the user who uploaded it may use it, and only for one guest or one
/// person on a waitlist.
///
/// # Errors
/// 422 at `pointer` with [`AGAIN`].
pub async fn claim_card(tx: &mut Tx, owner: UserId, pointer: &str, path: Option<&str>, now: Timestamp) -> Result<()> {
    const CLAIM: &str = "UPDATE files SET keep_until = $3 WHERE path = $1 AND prefix = 'card_' AND state = 'kept' \
        AND uploaded_by = $2 AND NOT EXISTS (SELECT 1 FROM guests WHERE insurance_card_front = $1) \
        AND NOT EXISTS (SELECT 1 FROM guests WHERE insurance_card_back = $1) \
        AND NOT EXISTS (SELECT 1 FROM waiting_guests WHERE insurance_card_front = $1) \
        AND NOT EXISTS (SELECT 1 FROM waiting_guests WHERE insurance_card_back = $1)";
    let Some(path) = path else { return Ok(()) };
    let until = now.plus_hours(KEPT_FOR);
    let known = tx.query(CLAIM).bind(path).bind(owner).bind(until).execute().await?;
    if known == 1 { Ok(()) } else { Err(Error::field(pointer, AGAIN)) }
}
