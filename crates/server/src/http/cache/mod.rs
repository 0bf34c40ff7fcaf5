//! Cache of boards: the JSON bytes by kind, site and view. An entry is valid for one version of the site, until the next moment at
//! which the answer changes with time (a hold ends, a night passes).
//!
//! The view is part of the key, so an answer for one role is never given to another (I16).

mod known_versions;
pub mod landing;
mod one_maker;
pub mod several;

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, PoisonError};

pub use self::known_versions::KnownVersions;
use berth_domain::id::SiteId;
use berth_domain::time::Timestamp;

use crate::admin::audit_log::Shown;

/// The kind of a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// `GET /api/Sites/{id}`.
    Site,
    /// `GET /api/Beds?siteId`.
    Beds,
    /// `GET /api/Guests?siteId` without Status.
    Guests,
}

/// The fields that a caller may see.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum View {
    /// All fields, with those for editing a site: global admins, owners, admins.
    Manage,
    /// All fields of guests: intake.
    Full,
    /// Without the contact fields that staff may not see.
    Staff,
}

/// A rendered board.
#[derive(Debug, Clone)]
pub struct Rendered {
    /// The site's version that it shows.
    pub version: i64,
    /// When it was read. It is not used for an earlier time, in case the clock goes back.
    pub valid_from: Timestamp,
    /// When it changes with time, without a change of the site.
    pub valid_until: Timestamp,
    /// The JSON and the guests in it.
    pub shown: Shown,
}

impl Rendered {
    /// The entity tag: version, view and the end of validity.
    #[must_use]
    pub fn tag(&self, view: View) -> String {
        let view = match view {
            View::Manage => "m",
            View::Full => "f",
            View::Staff => "s",
        };
        format!("{}-{view}-{}", self.version, self.valid_until.millis())
    }
}

/// Maximum size of a generation of boards, in bytes. Two generations are kept; an entry that is used moves to the young one.
const MAX_GENERATION_BYTES: usize = 8 * 1024 * 1024;
/// Estimated memory of an entry besides its bytes.
const ENTRY_OVERHEAD: usize = 128;

/// What a cache keeps: a rendered answer, perhaps with more.
pub trait Cached: Clone {
    /// Returns the answer.
    fn rendered(&self) -> &Rendered;
}

impl Cached for Rendered {
    fn rendered(&self) -> &Rendered {
        self
    }
}

/// The recent answers of this process.
pub struct Cache<K, V = Rendered>(Mutex<Generations<K, V>>);

/// Boards by kind, site and view.
pub type BoardCache = Cache<(Kind, SiteId, View)>;

impl<K, V> Default for Cache<K, V> {
    fn default() -> Self {
        Self(Mutex::new(Generations { young: HashMap::new(), old: HashMap::new(), young_bytes: 0 }))
    }
}

struct Generations<K, V> {
    young: HashMap<K, V>,
    old: HashMap<K, V>,
    young_bytes: usize,
}

impl<K: Copy + Eq + Hash, V: Cached> Generations<K, V> {
    fn insert(&mut self, key: K, board: V) {
        let bytes = board.rendered().shown.size() + ENTRY_OVERHEAD;
        if self.young_bytes + bytes > MAX_GENERATION_BYTES {
            self.old = std::mem::take(&mut self.young);
            self.young_bytes = 0;
        }
        self.young_bytes += bytes;
        if let Some(former) = self.young.insert(key, board) {
            self.young_bytes -= former.rendered().shown.size() + ENTRY_OVERHEAD;
        }
    }

    /// Returns the entry of a key and moves it to the young generation.
    fn find(&mut self, key: &K) -> Option<&V> {
        if let Some(board) = self.old.remove(key)
            && !self.young.contains_key(key)
        {
            self.insert(*key, board);
        }
        self.young.get(key)
    }
}

impl<K: Copy + Eq + Hash, V: Cached> Cache<K, V> {
    /// Returns the answer of exactly this version, if it is valid now.
    #[must_use]
    pub fn get(&self, key: K, version: i64, now: Timestamp) -> Option<V> {
        self.valid(key, now).filter(|kept| kept.rendered().version == version)
    }

    /// Returns the latest answer that was stored, of whichever version, if it is valid now.
    #[must_use]
    fn valid(&self, key: K, now: Timestamp) -> Option<V> {
        let mut boards = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_valid = |kept: &&V| (kept.rendered().valid_from..kept.rendered().valid_until).contains(&now);
        boards.find(&key).filter(is_valid).cloned()
    }

    /// Stores an answer unless a newer one is stored already.
    pub fn put(&self, key: K, board: V) {
        let mut boards = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let newer = boards.find(&key).is_some_and(|kept| kept.rendered().version > board.rendered().version);
        if !newer {
            boards.insert(key, board);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::http::cache::*;

    fn board(version: i64, bytes: usize) -> Rendered {
        let moment = Timestamp::from_millis;
        Rendered {
            version,
            valid_from: moment(0),
            valid_until: moment(10),
            shown: Shown::of(&" ".repeat(bytes)).unwrap(),
        }
    }

    #[test]
    fn cached_boards_are_bounded_by_bytes_and_recently_read_ones_are_kept() {
        let cache = BoardCache::default();
        let site = |number: u128| SiteId(uuid::Uuid::from_u128(number));
        let get = |number| cache.get((Kind::Beds, site(number), View::Full), 1, Timestamp::from_millis(5));
        for number in 0..400 {
            cache.put((Kind::Beds, site(number), View::Full), board(1, 100_000));
            assert!(get(0).is_some(), "it is read all the time");
            let boards = cache.0.lock().unwrap();
            let all = boards.young.values().chain(boards.old.values());
            assert!(all.map(|board| board.shown.size()).sum::<usize>() <= 2 * MAX_GENERATION_BYTES);
        }
        assert!(get(399).is_some());
        assert!(get(1).is_none());
    }

    #[test]
    fn an_older_board_does_not_replace_a_newer_one() {
        let cache = BoardCache::default();
        let site = SiteId(uuid::Uuid::from_u128(1));
        let get = |version| cache.get((Kind::Beds, site, View::Full), version, Timestamp::from_millis(5));
        cache.put((Kind::Beds, site, View::Full), board(2, 1));
        cache.put((Kind::Beds, site, View::Full), board(1, 1));
        assert!(get(2).is_some());
        assert!(get(1).is_none());
    }
}
