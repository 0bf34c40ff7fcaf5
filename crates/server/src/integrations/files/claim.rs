//! A path is taken into a record only if it was uploaded for such a record.

use berth_db::Tx;
use berth_domain::id::UserId;
use berth_domain::time::Timestamp;
use serde::{Deserialize, Serialize};

use super::KEPT_FOR;
use crate::{Error, Result};

/// What a field says whose path was not uploaded for it, or is gone by now.
pub const AGAIN: &str = "Please upload the image again.";

/// What a picture is for; the beginning of its name (spec B 3).
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
    /// A side of a guest's insurance card: health data, never public.
    #[serde(rename = "card_")]
    Card,
}

impl Prefix {
    /// Every prefix.
    pub const ALL: [Self; 6] = [Self::Organization, Self::Room, Self::Bed, Self::Insurer, Self::Site, Self::Card];

    /// As it stands in names and in the database.
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

    /// The prefix with exactly this text.
    #[must_use]
    pub fn from_text(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|prefix| prefix.as_str() == text)
    }
}

/// Checks that `new` was uploaded with `prefix`, and keeps it from the sweep while the transaction and the form around it
/// last. Nothing is asked when there is no path, or when it is the `old` one: what a record already shows stays as it is.
/// Insurance cards have [`claim_card`].
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
    // The update takes the row's lock: the sweep waits for it and then sees the later day.
    const CLAIM: &str = "UPDATE files SET keep_until = $3 WHERE path = $1 AND prefix = $2 AND state = 'kept'";
    let Some(path) = new.filter(|new| old != Some(new)) else { return Ok(()) };
    let until = now.plus_hours(KEPT_FOR);
    let known = tx.query(CLAIM).bind(path).bind(prefix.as_str()).bind(until).execute().await?;
    if known == 1 { Ok(()) } else { Err(Error::field(pointer, AGAIN)) }
}

/// As [`claim`], for a side of an insurance card: only its uploader may use it, and for one guest.
///
/// # Errors
/// 422 at `pointer` with [`AGAIN`].
pub async fn claim_card(tx: &mut Tx, owner: UserId, pointer: &str, path: Option<&str>, now: Timestamp) -> Result<()> {
    const CLAIM: &str = "UPDATE files SET keep_until = $3 WHERE path = $1 AND prefix = 'card_' AND state = 'kept' \
        AND uploaded_by = $2 AND NOT EXISTS (SELECT 1 FROM guests WHERE insurance_card_front = $1) \
        AND NOT EXISTS (SELECT 1 FROM guests WHERE insurance_card_back = $1)";
    let Some(path) = path else { return Ok(()) };
    let until = now.plus_hours(KEPT_FOR);
    let known = tx.query(CLAIM).bind(path).bind(owner).bind(until).execute().await?;
    if known == 1 { Ok(()) } else { Err(Error::field(pointer, AGAIN)) }
}
