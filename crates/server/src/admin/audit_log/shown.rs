//! Answers that show guests. A guest's id can be serialized only inside of [`Shown`], which collects it, and a [`Shown`] gives
//! out its bytes only together with an audit row that names the collected guests. So an answer that shows guests without a
//! row does not compile (an id that is not serialized by [`guest`]) or fails ([`guest`] outside of a [`Shown`]) (I11;
//! docs/decisions/0038).

use std::cell::RefCell;
use std::collections::HashSet;
use std::sync::Arc;

use axum::body::Bytes;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use berth_db::Tx;
use berth_domain::id::GuestId;
use serde::ser::Error as _;
use serde::{Serialize, Serializer};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::{AuditAction, Author, Entry, Look};
use crate::auth::caller::{Caller, Site};
use crate::{App, Error, Result};

thread_local! {
    /// The guests in the value that is being serialized; `None` outside of [`Shown::of`].
    static COLLECTED: RefCell<Option<Vec<GuestId>>> = const { RefCell::new(None) };
}

/// Serializes the id of a guest: `#[serde(serialize_with = "audit_log::guest")]`.
///
/// # Errors
/// Outside of a [`Shown`].
pub fn guest<S: Serializer>(id: &GuestId, serializer: S) -> Result<S::Ok, S::Error> {
    COLLECTED.with_borrow_mut(|collected| match collected {
        Some(guests) => {
            guests.push(*id);
            Ok(())
        }
        None => Err(S::Error::custom("a guest is shown without a row in the audit trail")),
    })?;
    id.0.serialize(serializer)
}

/// The guests that an answer shows, at least one. Equal sets have equal ids, so that a set is stored once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GuestSet {
    id: Uuid,
    guests: Arc<[GuestId]>,
}

impl GuestSet {
    /// Creates a set; `None` if there are no guests.
    #[must_use]
    pub fn of(mut guests: Vec<GuestId>) -> Option<Self> {
        guests.sort_unstable();
        guests.dedup();
        if guests.is_empty() {
            return None;
        }
        let mut digest = Sha256::new();
        for guest in &guests {
            digest.update(guest.0.as_bytes());
        }
        Some(Self { id: first_16_bytes(digest), guests: guests.into() })
    }

    /// Returns its id: the first 16 bytes of the SHA-256 of the sorted guest ids.
    #[must_use]
    pub const fn id(&self) -> Uuid {
        self.id
    }

    /// Returns its guests, sorted.
    #[must_use]
    pub fn guests(&self) -> &[GuestId] {
        &self.guests
    }
}

fn first_16_bytes(digest: Sha256) -> Uuid {
    let mut id = [0; 16];
    id.copy_from_slice(&digest.finalize()[..16]);
    Uuid::from_bytes(id)
}

/// The guests of an answer about several sites, by site. Cheap to clone.
#[derive(Debug, Clone)]
pub struct GuestsBySite {
    id: Uuid,
    answer: Option<Uuid>,
    sites: Arc<[(Site, GuestSet)]>,
}

impl GuestsBySite {
    /// Creates it for an answer that callers with the same `memberships`, a digest, get.
    ///
    /// # Errors
    /// 500 if the answer shows a guest who is at none of the sites.
    pub fn of(shown: &Shown, memberships: &[u8], sites: Vec<(Site, GuestSet)>) -> Result<Self> {
        shown.check_named(sites.iter().map(|(_, guests)| guests))?;
        let mut digest = Sha256::new_with_prefix(memberships);
        for (site, guests) in &sites {
            digest.update(site.id.0.as_bytes());
            digest.update(guests.id().as_bytes());
        }
        Ok(Self { id: first_16_bytes(digest), answer: shown.guests().map(GuestSet::id), sites: sites.into() })
    }

    /// Returns its id: the first 16 bytes of the SHA-256 of the memberships and of the ids of sites and sets of guests.
    #[must_use]
    pub const fn id(&self) -> Uuid {
        self.id
    }

    /// Returns the guests of each site.
    #[must_use]
    pub fn sites(&self) -> &[(Site, GuestSet)] {
        &self.sites
    }
}

/// A JSON answer and the guests that it shows. Cheap to clone.
#[derive(Debug, Clone)]
#[must_use = "the answer is given out by one of its methods, against a row in the audit trail"]
pub struct Shown {
    bytes: Bytes,
    guests: Option<GuestSet>,
}

impl Shown {
    /// Serializes an answer.
    pub fn of(value: &impl Serialize) -> Result<Self> {
        Self::with(value, Vec::new())
    }

    /// Serializes an answer that shows `others` as well, by code or name instead of id.
    pub fn with(value: &impl Serialize, others: Vec<GuestId>) -> Result<Self> {
        let before = COLLECTED.replace(Some(others));
        let bytes = serde_json::to_vec(value);
        let collected = COLLECTED.replace(before);
        let bytes = bytes.map_err(|error| Error::Internal(error.into()))?;
        Ok(Self { bytes: bytes.into(), guests: GuestSet::of(collected.unwrap_or_default()) })
    }

    /// Creates an answer from the bytes of an earlier one.
    pub const fn again(bytes: Bytes, guests: Option<GuestSet>) -> Self {
        Self { bytes, guests }
    }

    /// Returns the guests that the answer shows.
    #[must_use]
    pub const fn guests(&self) -> Option<&GuestSet> {
        self.guests.as_ref()
    }

    /// Returns the length of the answer in bytes.
    #[must_use]
    pub fn size(&self) -> usize {
        self.bytes.len()
    }

    /// Returns the answer and queues its audit row, which is written within half a second. For boards and lists.
    ///
    /// # Errors
    /// 503 if the queue stayed full.
    pub async fn noted(self, app: &App, look: Look<'_>) -> Result<Bytes> {
        app.reads.look(app, look, self.guests).await?;
        Ok(self.bytes)
    }

    /// Returns the answer and queues an audit row for each view of some of its guests, or of none. For answers about several sites or
    /// organizations, each of which has a row of its own.
    ///
    /// # Errors
    /// 500 if it shows a guest who is in none of them, 503 if the queue stayed full.
    pub async fn noted_each(self, app: &App, looks: Vec<(Look<'_>, Option<GuestSet>)>) -> Result<Bytes> {
        self.check_named(looks.iter().filter_map(|(_, guests)| guests.as_ref()))?;
        for (look, guests) in looks {
            app.reads.look(app, look, guests).await?;
        }
        Ok(self.bytes)
    }

    /// Returns the answer and queues an audit row for each site whose guests it shows, once in 15 minutes for the same guests.
    ///
    /// # Errors
    /// 500 if `guests` are those of another answer, 503 if the queue stayed full.
    pub async fn noted_at_sites(
        self,
        app: &App,
        view: (&Caller, AuditAction, &str),
        guests: &GuestsBySite,
    ) -> Result<Bytes> {
        if guests.answer != self.guests.as_ref().map(GuestSet::id) {
            return Err(Error::internal("the rows of an answer are those of another one"));
        }
        app.reads.look_at_sites(app, view, guests).await?;
        Ok(self.bytes)
    }

    /// Fails if the answer shows a guest who is in none of the sets.
    fn check_named<'a>(&self, sets: impl Iterator<Item = &'a GuestSet>) -> Result<()> {
        let named: HashSet<GuestId> = sets.flat_map(GuestSet::guests).copied().collect();
        if self.guests.iter().flat_map(GuestSet::guests).any(|guest| !named.contains(guest)) {
            return Err(Error::internal("an answer shows a guest whom none of its rows names"));
        }
        Ok(())
    }

    /// Returns the answer after writing its audit row in a transaction of its own. For a guest who was opened.
    pub async fn recorded(self, app: &App, by: &Author, entry: Entry) -> Result<Bytes> {
        super::record(app, by, &entry.showing(self.guests)).await?;
        Ok(self.bytes)
    }

    /// Returns the answer of a change that shows guests other than those it changed. Writes their audit row, if there are any
    /// guests, in the transaction of the change.
    pub async fn written(self, app: &App, tx: &mut Tx, by: &Author, entry: Entry) -> Result<Bytes> {
        if self.guests.is_some() {
            super::write(app, tx, by, &entry.showing(self.guests)).await?;
        }
        Ok(self.bytes)
    }

    /// Returns the answer of a change whose audit rows name all guests that it shows.
    ///
    /// # Errors
    /// 500 if it shows another guest.
    pub fn named(self, guests: &[GuestId]) -> Result<Bytes> {
        let shown = self.guests.as_ref().map_or(&[][..], GuestSet::guests);
        if shown.iter().all(|guest| guests.contains(guest)) {
            return Ok(self.bytes);
        }
        Err(Error::internal("an answer shows a guest whom no row of its transaction names"))
    }
}

/// Returns a JSON response from serialized bytes.
#[must_use]
pub fn json(status: StatusCode, bytes: Bytes) -> Response {
    (status, [(header::CONTENT_TYPE, "application/json")], bytes).into_response()
}

#[cfg(test)]
mod tests {
    use berth_domain::id::GuestId;
    use serde::Serialize;
    use uuid::Uuid;

    use super::{GuestSet, Shown};

    #[derive(Serialize)]
    struct Answer {
        #[serde(serialize_with = "super::guest")]
        id: GuestId,
    }

    const fn guest(number: u128) -> GuestId {
        GuestId(Uuid::from_u128(number))
    }

    #[test]
    fn a_guest_is_serialized_only_in_an_answer_that_names_it() {
        let error = serde_json::to_string(&Answer { id: guest(1) }).unwrap_err();
        assert!(error.to_string().contains("audit trail"), "{error}");
        let shown = Shown::of(&[Answer { id: guest(2) }, Answer { id: guest(1) }, Answer { id: guest(2) }]).unwrap();
        assert_eq!(shown.guests().unwrap().guests(), [guest(1), guest(2)]);
        assert!(serde_json::to_string(&Answer { id: guest(1) }).is_err(), "and no state is left behind");
        assert_eq!(Shown::of(&"no guests").unwrap().guests(), None);
    }

    #[test]
    fn a_change_shows_no_guest_that_its_rows_do_not_name() {
        let shown = || Shown::of(&[Answer { id: guest(1) }, Answer { id: guest(2) }]).unwrap();
        assert!(shown().named(&[guest(2), guest(1), guest(3)]).is_ok());
        assert!(shown().named(&[guest(1)]).is_err());
    }

    #[test]
    fn equal_sets_have_equal_ids_and_others_have_not() {
        let id = |guests: &[u128]| GuestSet::of(guests.iter().map(|number| guest(*number)).collect()).unwrap().id();
        assert_eq!(id(&[1, 2, 3]), id(&[3, 1, 2, 2]));
        assert_ne!(id(&[1, 2, 3]), id(&[1, 2]));
    }
}
