//! Rendered boards: the JSON bytes of a site's board by kind, site and view, good for one version of the site and until
//! the next moment at which time itself changes the answer (a hold ends, a night passes).
//!
//! The view is part of the key: what was rendered for one role is never given to another (I16).

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use axum::body::Bytes;
use berth_domain::id::SiteId;
use berth_domain::time::Timestamp;

/// What is rendered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// `GET /api/Sites/{id}`.
    Site,
    /// `GET /api/Beds?siteId`.
    Beds,
    /// `GET /api/Guests?siteId` without Status.
    Guests,
}

/// For whose eyes it is rendered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum View {
    /// Everything, and of sites what their edit needs: global admins, owners, admins.
    Manage,
    /// Everything that those who work with guests see.
    Full,
    /// Without the contact fields that staff may not see.
    Staff,
}

/// A rendered board.
#[derive(Debug, Clone)]
pub struct Rendered {
    /// The site's version that it shows.
    pub version: i64,
    /// When it was read; before that, should the clock go back, it may have read differently.
    pub valid_from: Timestamp,
    /// From when on it would read differently though nothing was changed.
    pub valid_until: Timestamp,
    /// JSON.
    pub bytes: Bytes,
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

/// Most boards that are kept.
const MOST: usize = 4096;

/// The boards rendered lately by this process.
#[derive(Default)]
pub struct BoardCache(Mutex<HashMap<(Kind, SiteId, View), Rendered>>);

impl BoardCache {
    /// The board of exactly this version, if it is still true now.
    #[must_use]
    pub fn get(&self, kind: Kind, site_id: SiteId, view: View, version: i64, now: Timestamp) -> Option<Rendered> {
        let boards = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_true =
            |board: &&Rendered| board.version == version && (board.valid_from..board.valid_until).contains(&now);
        boards.get(&(kind, site_id, view)).filter(is_true).cloned()
    }

    /// Keeps a board, unless a newer one is there already.
    pub fn put(&self, kind: Kind, site_id: SiteId, view: View, board: Rendered) {
        let mut boards = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if boards.len() >= MOST {
            boards.clear();
        }
        let newer = boards.get(&(kind, site_id, view)).is_some_and(|kept| kept.version > board.version);
        if !newer {
            boards.insert((kind, site_id, view), board);
        }
    }
}
