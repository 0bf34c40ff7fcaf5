//! The parts of what the dashboard lists, each with a version in the database that every change raises. They let a process
//! remember the lists and yet never show an old one: a part is read again when its version is another.

use std::collections::HashMap;

use berth_db::Tx;
use berth_domain::id::SiteId;

use crate::Result;
use crate::audit::Entry;

/// A part of the lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// Some of the sites, 0 to 63: a change of one bed makes others of its part be read again, not all.
    Sites(i64),
    /// Users and their memberships.
    People,
    /// Organizations.
    Organizations,
}

impl Part {
    /// How many parts the sites are spread over.
    pub const OF_SITES: i64 = 64;

    /// The part that a new site comes into. Ids end in random bits.
    #[must_use]
    pub fn of_new_site(id: SiteId) -> i64 {
        i64::from(id.0.as_bytes()[15]) % Self::OF_SITES
    }

    /// Its number in the database.
    #[must_use]
    pub const fn number(self) -> i64 {
        match self {
            Self::Sites(part) => part,
            Self::People => Self::OF_SITES,
            Self::Organizations => Self::OF_SITES + 1,
        }
    }
}

/// Raises the version of a part.
///
/// # Errors
/// Those of the database.
pub async fn raise(tx: &mut Tx, part: Part) -> Result<()> {
    const RAISE: &str = "INSERT INTO directory_versions (part, version) VALUES ($1, 1) \
        ON CONFLICT (part) DO UPDATE SET version = directory_versions.version + 1";
    tx.query(RAISE).bind(part.number()).execute().await?;
    Ok(())
}

/// Raises the versions of all parts, after many rows were loaded at once.
///
/// # Errors
/// Those of the database.
pub async fn raise_all(tx: &mut Tx) -> berth_db::Result<()> {
    const RAISE: &str = "INSERT INTO directory_versions (part, version) VALUES ($1..) \
        ON CONFLICT (part) DO UPDATE SET version = directory_versions.version + 1";
    let parts: Vec<i64> = (0..=Part::Organizations.number()).collect();
    let bind = |values: &mut berth_db::Values<'_, '_>, part: &i64| {
        values.bind(*part).bind(1_i64);
    };
    tx.insert(RAISE, &parts, bind).await?;
    Ok(())
}

/// Actions, by their first word, that change nothing of what the dashboard lists: those of guests, beds and houses (their
/// counters are settled with the site), of cards, of sign-in, and reads.
const OTHERS: [&str; 16] = [
    "guest",
    "card",
    "billing",
    "bed",
    "room",
    "board",
    "session",
    "login",
    "code",
    "proof",
    "password",
    "phone",
    "image",
    "dashboard",
    "audit",
    "insurer",
];

/// Raises what an entry of the trail may have changed. Every change of a user, membership, organization or site has one
/// in its own transaction (I11), so that no handler has to think of the dashboard. An action that is not known to be
/// without consequence raises everything it could concern.
///
/// # Errors
/// Those of the database.
pub async fn note(tx: &mut Tx, entry: &Entry) -> Result<()> {
    const OF_SITE: &str = "INSERT INTO directory_versions (part, version) \
        SELECT part, 1 FROM site_counts WHERE site_id = $1 \
        ON CONFLICT (part) DO UPDATE SET version = directory_versions.version + 1";
    let what = entry.action.split('.').next().unwrap_or_default();
    let only_looked = entry.action.ends_with(".viewed") || entry.action.ends_with(".looked-up");
    if only_looked || OTHERS.contains(&what) {
        return Ok(());
    }
    if let Some(site_id) = entry.site_id {
        tx.query(OF_SITE).bind(site_id).execute().await?;
    }
    raise(tx, Part::People).await?;
    raise(tx, Part::Organizations).await
}

/// The versions of all parts that ever changed.
///
/// # Errors
/// Those of the database.
pub async fn versions(tx: &mut Tx) -> Result<HashMap<i64, i64>> {
    const VERSIONS: &str = "SELECT part, version FROM directory_versions";
    let rows: Vec<(i64, i64)> = tx.query(VERSIONS).all().await?;
    Ok(rows.into_iter().collect())
}
