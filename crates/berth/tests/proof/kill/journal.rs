//! What the server acknowledged to a writer, kept outside the killed process and compared with the database.

use std::collections::HashMap;

use berth_db::{Db, FromRow};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::world;

/// The times of a guest that changes set and clear, as the API names them.
const TIMES: [&str; 6] = ["acceptedAt", "rejectedAt", "arrivedAt", "dischargedAt", "noShowAt", "mergedAt"];

/// The last acknowledged state of a guest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownGuest {
    pub id: String,
    pub status: String,
    pub version: i64,
    bed: Option<String>,
    /// Which of [`TIMES`] are set.
    times: [bool; 6],
    /// The reservation that this one is merged into. Answers do not name it, so the writer sets it.
    pub merged_into: Option<String>,
}

impl KnownGuest {
    fn of(body: &Value) -> Self {
        let text = |name: &str| body[name].as_str().map(str::to_owned);
        Self {
            id: text("id").unwrap_or_default(),
            status: text("status").unwrap_or_default(),
            version: body["version"].as_i64().unwrap_or_default(),
            bed: text("assignedBedId"),
            times: TIMES.map(|name| !body[name].is_null()),
            merged_into: None,
        }
    }

    /// Returns true if an answer shows this state.
    fn is_in(&self, body: &Value) -> bool {
        Self { merged_into: self.merged_into.clone(), ..Self::of(body) } == *self
    }

    fn is_stored(&self, row: &GuestRow) -> bool {
        let times =
            [row.accepted_at, row.rejected_at, row.arrived_at, row.discharged_at, row.no_show_at, row.merged_at];
        let text = |id: Option<Uuid>| id.map(|id| id.to_string());
        row.version == self.version
            && times.map(|time| time.is_some()) == self.times
            && text(row.bed_id) == self.bed
            && text(row.kept_id) == self.merged_into
    }
}

/// The bed that was offered to a person on the waitlist.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Offer {
    /// None was.
    None,
    /// A bed is free for the person, so the job offers it at some moment.
    Due,
    /// The person has not answered.
    Open,
    Declined,
    Withdrawn,
    Taken,
}

/// The last acknowledged state of a person on the waitlist.
#[derive(Debug, Clone)]
pub struct KnownPerson {
    pub id: String,
    pub version: i64,
    pub phone: String,
    /// The type of bed that the person needs.
    pub kind: &'static str,
    pub offer: Offer,
    /// Why the person no longer waits.
    pub outcome: Option<&'static str>,
    /// The guest that the person became.
    pub guest: Option<String>,
}

impl KnownPerson {
    fn is_stored(&self, row: &PersonRow) -> bool {
        let offer = match (row.offer_id.is_some(), row.offer_outcome.as_deref()) {
            (false, _) => Some(Offer::None),
            (true, None) => Some(Offer::Open),
            (true, Some("declined")) => Some(Offer::Declined),
            (true, Some("withdrawn")) => Some(Offer::Withdrawn),
            (true, Some("taken")) => Some(Offer::Taken),
            (true, Some(_)) => None,
        };
        let is_same = match (self.offer, offer) {
            (Offer::Due, Some(Offer::None)) => row.version == self.version,
            (Offer::Due, Some(Offer::Open)) => row.version == self.version + 1,
            (known, offer) => row.version == self.version && offer == Some(known),
        };
        let form: Value = row.form.as_deref().and_then(|form| serde_json::from_str(form).ok()).unwrap_or_default();
        // The form is erased once the person no longer waits.
        let phone = if self.outcome.is_none() { json!(self.phone) } else { Value::Null };
        let has_form = form["phone"] == phone && row.bed_kind == self.kind;
        is_same
            && has_form
            && row.outcome.as_deref() == self.outcome
            && row.guest_id.map(|guest| guest.to_string()) == self.guest
    }
}

/// What one writer knows.
#[derive(Debug, Default)]
pub struct Journal {
    /// In the order in which they were added.
    pub guests: Vec<KnownGuest>,
    /// In the order in which they were put on the waitlist.
    pub people: Vec<KnownPerson>,
    /// Number of beds added to Open Door.
    pub beds: i64,
}

impl Journal {
    /// Records the guest of an acknowledged change.
    ///
    /// # Errors
    /// A sentence, unless the guest is new or was changed exactly once.
    pub fn record(&mut self, body: &Value) -> Result<&mut KnownGuest, String> {
        let mut now = KnownGuest::of(body);
        let Some(index) = self.guests.iter().rposition(|guest| guest.id == now.id) else {
            self.guests.push(now);
            return self.guests.last_mut().ok_or_else(String::new);
        };
        let known = &mut self.guests[index];
        if now.version != known.version + 1 {
            return Err(format!("{known:?} was followed by {body}"));
        }
        now.merged_into = known.merged_into.take();
        *known = now;
        Ok(known)
    }

    /// Checks what a server answers about the guest. `may_differ` allows the next version.
    ///
    /// # Errors
    /// The difference, as a sentence.
    pub fn check_shown(&self, guest: usize, body: &Value, may_differ: bool) -> Result<(), String> {
        let known = &self.guests[guest];
        let is_next = may_differ && body["version"].as_i64() == Some(known.version + 1);
        if known.is_in(body) || is_next { Ok(()) } else { Err(format!("acknowledged {known:?}, found {body}")) }
    }

    /// Checks that everything acknowledged is stored. `may_differ` allows a later version: a change was sent and not answered.
    ///
    /// # Errors
    /// The first difference, as a sentence.
    pub fn check_stored(&self, stored: &Stored, may_differ: bool) -> Result<(), String> {
        for known in &self.guests {
            let row = stored.guests.get(&known.id).ok_or_else(|| format!("lost: {known:?}"))?;
            let is_next = may_differ && row.version == known.version + 1;
            if !known.is_stored(row) && !is_next {
                return Err(format!("acknowledged {known:?}, stored {row:?}"));
            }
        }
        for known in &self.people {
            let row = stored.people.get(&known.id).ok_or_else(|| format!("lost: {known:?}"))?;
            let is_later = may_differ && row.version > known.version;
            if !known.is_stored(row) && !is_later {
                return Err(format!("acknowledged {known:?}, stored {row:?}"));
            }
        }
        Ok(())
    }
}

#[derive(Debug, FromRow)]
struct GuestRow {
    id: Uuid,
    version: i64,
    accepted_at: Option<i64>,
    rejected_at: Option<i64>,
    arrived_at: Option<i64>,
    discharged_at: Option<i64>,
    no_show_at: Option<i64>,
    merged_at: Option<i64>,
    bed_id: Option<Uuid>,
    kept_id: Option<Uuid>,
}

#[derive(Debug, FromRow)]
struct PersonRow {
    id: Uuid,
    version: i64,
    form: Option<String>,
    bed_kind: String,
    outcome: Option<String>,
    guest_id: Option<Uuid>,
    offer_id: Option<Uuid>,
    offer_outcome: Option<String>,
}

/// What the database has, as far as writers change it.
pub struct Stored {
    guests: HashMap<String, GuestRow>,
    people: HashMap<String, PersonRow>,
    /// Number of guests of all sites.
    pub all_guests: i64,
    beds: i64,
}

impl Stored {
    /// Reads the database.
    pub async fn load(db: &Db) -> Self {
        const GUESTS: &str = "SELECT g.id, g.version, g.accepted_at, g.rejected_at, g.arrived_at, g.discharged_at, \
            g.no_show_at, g.merged_at, s.bed_id, m.kept_id FROM guests g \
            LEFT JOIN stays s ON s.guest_id = g.id AND s.ended_at IS NULL \
            LEFT JOIN guest_merges m ON m.duplicate_id = g.id AND m.undone_at IS NULL WHERE g.site_id IN ($1, $2)";
        const PEOPLE: &str = "SELECT w.id, w.version, w.form, w.bed_kind, w.outcome, w.guest_id, f.id AS offer_id, f.outcome AS offer_outcome \
            FROM waiting_guests w LEFT JOIN bed_offers f ON f.waiting_guest_id = w.id WHERE w.site_id = $1";
        const BEDS: &str = "SELECT COUNT(*) FROM beds WHERE site_id = $1 AND deleted_at IS NULL";
        let guests = db.query(GUESTS).bind(world::HARBOR_HOUSE).bind(world::OPEN_DOOR).all::<GuestRow>().await.unwrap();
        let people = db.query(PEOPLE).bind(world::OPEN_DOOR).all::<PersonRow>().await.unwrap();
        Self {
            guests: guests.into_iter().map(|row| (row.id.to_string(), row)).collect(),
            people: people.into_iter().map(|row| (row.id.to_string(), row)).collect(),
            all_guests: db.query("SELECT COUNT(*) FROM guests").scalar().await.unwrap(),
            beds: db.query(BEDS).bind(world::OPEN_DOOR).scalar().await.unwrap(),
        }
    }

    /// Checks that nothing is stored that no journal knows. `others` counts guests that no writer added.
    ///
    /// # Errors
    /// The numbers that differ, as a sentence.
    pub fn check_counts<'a>(&self, journals: impl Iterator<Item = &'a Journal>, others: i64) -> Result<(), String> {
        let count = |number: usize| i64::try_from(number).unwrap_or(i64::MAX);
        let mut known = [others, 0, 0];
        for journal in journals {
            known[0] += count(journal.guests.len());
            known[1] += count(journal.people.len());
            known[2] += journal.beds;
        }
        let stored = [self.all_guests, count(self.people.len()), self.beds];
        if stored == known {
            Ok(())
        } else {
            Err(format!("{stored:?} guests, people on the waitlist and beds stored, {known:?} known"))
        }
    }
}
