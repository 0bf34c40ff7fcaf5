//! A small pure model of the house: beds, guests, roles, a clock. It uses no code of the server or the domain, so that it
//! can check both. Its steps are in `play`, `decide`, `build` and `waiting`.

use std::collections::BTreeMap;

use crate::limit::Limit;
use crate::step::Who;
use crate::waiting::Waiting;

/// The state of a guest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    Waiting,
    InBed(usize),
    Declined,
    /// Discharged from this bed.
    Left(usize),
}

/// A guest.
#[derive(Debug, Clone)]
pub struct Guest {
    pub site: usize,
    pub person: u8,
    pub web: bool,
    pub created: i64,
    pub expires: Option<i64>,
    /// When the guest was accepted; 0 if not accepted.
    pub accepted: i64,
    /// Who accepted the guest.
    pub accepted_by: Option<Who>,
    /// The guest's discharge was undone.
    pub returned: bool,
    /// A decline was undone and the hold was paused in the meantime. That happens once.
    pub paused: bool,
    /// When the stay in the current or last bed began.
    pub began: i64,
    /// When the guest was declined or discharged; 0 if neither.
    pub ended: i64,
    /// The guest cancelled, which counts as declined.
    pub cancelled: bool,
    /// The guest that was kept, if this one was merged into another.
    pub kept: Option<usize>,
    /// The guest was pending when it was merged, which counts as declined.
    pub ended_by_merge: bool,
    /// Who declined or discharged the guest.
    pub ended_by: Option<Who>,
    /// Whether the guest was added with an override as a third reservation, and over capacity.
    pub allowed: [bool; 2],
    /// A job has recorded the end of the hold.
    pub expired: bool,
    pub phase: Phase,
    pub moved: bool,
    /// When the guest arrived.
    pub arrived: Option<i64>,
    /// The guest was discharged without having come.
    pub no_show: bool,
    pub version: i64,
}

/// A public reservation request.
#[derive(Debug, Clone)]
pub struct Asked {
    pub site: usize,
    pub person: u8,
    pub expires: i64,
    /// Whether a code was sent. If not, no code is right.
    pub sent: bool,
    pub tries: u8,
    /// Confirmed, or cleaned up.
    pub gone: bool,
}

/// A house of a site.
#[derive(Debug, Clone)]
pub struct Room {
    pub site: usize,
    pub name: String,
    pub deleted: bool,
}

/// A bed of a house.
#[derive(Debug, Clone)]
pub struct Bed {
    pub room: usize,
    pub name: String,
    pub kind: &'static str,
    pub disabled: bool,
    /// What the bed waits for while it is disabled.
    pub outage: Option<&'static str>,
    /// When the last guest left it.
    pub left: Option<i64>,
    pub deleted: bool,
}

/// The expected answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expected {
    /// The HTTP status.
    pub status: u16,
    /// What the body must show.
    pub shows: Shows,
}

/// What a body must show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shows {
    /// Nothing in particular. A refusal has a sentence.
    Nothing,
    /// Nothing, and nothing has changed: the key of the request can be used again.
    Unchanged,
    /// The current state of this guest, with or without the fields that staff may not see.
    Guest(usize, bool),
    /// The new request.
    Asked(usize),
    /// The reservation of this new guest.
    Reservation(usize),
    /// These guests in this order.
    Guests(Vec<usize>, bool),
    /// The beds of this site.
    Beds(usize),
    /// This bed.
    Bed(usize),
    /// The new house.
    NewRoom(usize),
    /// The new beds.
    NewBeds(Vec<usize>),
    /// The counts of this site.
    Counts(usize),
    /// What strangers see of this site.
    Public(usize),
    /// The public state of this reservation.
    State(usize),
    /// The new person on a waitlist.
    NewWaiting(usize),
    /// The waitlist of this site, with or without the fields that staff may not see.
    Waitlist(usize, bool),
    /// The form of this person on a waitlist.
    Form(usize),
    /// The same bytes as the answer with this number.
    Earlier(usize),
}

/// The permission that a step needs at a site.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Right {
    View,
    Contact,
    Place,
    Third,
    Over,
    Undo,
    Build,
}

/// The complete model.
#[derive(Debug, Clone)]
pub struct Model {
    /// Milliseconds since the start.
    pub now: i64,
    pub rooms: Vec<Room>,
    pub beds: Vec<Bed>,
    pub guests: Vec<Guest>,
    pub asked: Vec<Asked>,
    pub waiting_guests: Vec<Waiting>,
    /// The versions of the three sites.
    pub versions: [i64; 3],
    /// Whether the subscription of the commercial site is active.
    pub paid: bool,
    /// Unconfirmed requests of the only address.
    pub waiting: Limit,
    /// Codes to the phone of each person.
    pub codes: [Limit; 5],
    /// Codes to the phone of each person in a day.
    pub codes_a_day: [Limit; 5],
    /// By owner and key.
    pub keys: BTreeMap<(KeyOwner, u8), Kept>,
}

/// Whom an idempotency key belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum KeyOwner {
    /// A signed-in user.
    User(Who),
    /// The phone of a person, of a public request.
    Phone(u8),
    /// A public request, of its confirmation. None if there is no such request.
    Request(Option<usize>),
}

/// A request with a key, and the number and status of its answer.
#[derive(Debug, Clone)]
pub struct Kept {
    pub asked: String,
    pub number: usize,
    pub status: u16,
    pub at: i64,
    /// The person on a waitlist whom the answer shows.
    pub waiting: Option<usize>,
}

/// The test world of the API tests.
pub fn small_world() -> Model {
    let room = |site, name: &str| Room { site, name: name.to_owned(), deleted: false };
    let bed = |room, name: &str, kind| Bed {
        room,
        name: name.to_owned(),
        kind,
        disabled: false,
        outage: None,
        left: None,
        deleted: false,
    };
    let mut beds = vec![
        bed(0, "Detox", "Detox"),
        bed(0, "Treatment", "Treatment"),
        bed(0, "Sober Living", "Sober Living"),
        bed(1, "Sober Living #1", "Sober Living"),
        bed(1, "Sober Living #2", "Sober Living"),
        bed(2, "Sober Living #1", "Sober Living"),
        bed(2, "Sober Living #2", "Sober Living"),
        bed(3, "Sober Living", "Sober Living"),
    ];
    beds[4].disabled = true;
    beds[4].outage = Some("out-of-service");
    Model {
        now: 0,
        rooms: vec![room(0, "House #1"), room(0, "House #2"), room(1, "House #1"), room(2, "House #1")],
        beds,
        guests: Vec::new(),
        asked: Vec::new(),
        waiting_guests: Vec::new(),
        versions: [1; 3],
        paid: true,
        waiting: Limit::new(30, 600_000),
        codes: [Limit::new(3, 3_600_000); 5],
        codes_a_day: [Limit::new(6, 86_400_000); 5],
        keys: BTreeMap::new(),
    }
}

impl Model {
    /// Returns true if others were merged into the guest.
    pub fn has_merged(&self, guest: usize) -> bool {
        self.guests.iter().any(|other| other.kept == Some(guest))
    }

    /// Returns true if the site asks for arrivals. In this model, only the non-commercial site does.
    pub const fn asks_arrival(site: usize) -> bool {
        site == 1
    }

    /// Returns true if a bed is reserved for the guest, who has not arrived.
    pub fn is_arriving(&self, guest: usize) -> bool {
        let guest = &self.guests[guest];
        Self::asks_arrival(guest.site) && matches!(guest.phase, Phase::InBed(_)) && guest.arrived.is_none()
    }

    /// The state of a guest, with its name in the spec.
    pub fn status(&self, guest: usize) -> &'static str {
        let guest = &self.guests[guest];
        match guest.phase {
            Phase::InBed(_) if guest.moved => "reassigned",
            Phase::InBed(_) => "accepted",
            Phase::Declined => "rejected",
            Phase::Left(_) => "discharged",
            Phase::Waiting if guest.expired || guest.expires.is_some_and(|end| end <= self.now) => "expired",
            Phase::Waiting => "pending",
        }
    }

    /// The site of a bed.
    pub fn site_of(&self, bed: usize) -> usize {
        self.rooms[self.beds[bed].room].site
    }

    /// The guest in a bed.
    pub fn holder(&self, bed: usize) -> Option<usize> {
        self.guests.iter().position(|guest| guest.phase == Phase::InBed(bed))
    }

    /// The beds of a site that are not removed, in order of creation within each house.
    pub fn beds_of(&self, site: usize) -> Vec<usize> {
        let rooms = (0..self.rooms.len()).filter(|room| self.rooms[*room].site == site);
        rooms.flat_map(|room| self.beds_in(room)).collect()
    }

    pub fn beds_in(&self, room: usize) -> Vec<usize> {
        (0..self.beds.len()).filter(|bed| self.beds[*bed].room == room && !self.beds[*bed].deleted).collect()
    }

    pub fn vacant_among(&self, beds: &[usize]) -> usize {
        beds.iter().filter(|bed| !self.beds[**bed].disabled && self.holder(**bed).is_none()).count()
    }

    /// Enabled beds without a guest.
    pub fn vacant(&self, site: usize) -> usize {
        self.vacant_among(&self.beds_of(site))
    }

    /// Number of pending reservations at a site.
    pub fn pending(&self, site: usize) -> usize {
        (0..self.guests.len()).filter(|g| self.guests[*g].site == site && self.status(*g) == "pending").count()
    }

    /// The sites of a person's active reservations, and whether the phone was confirmed. `web`: only those with a confirmed
    /// phone.
    pub fn active(&self, person: u8, web: bool) -> Vec<(usize, bool)> {
        let mine = (0..self.guests.len()).filter(|guest| self.guests[*guest].person == person);
        let active = mine.filter(|guest| ["pending", "accepted", "reassigned"].contains(&self.status(*guest)));
        let active = active.map(|guest| (self.guests[guest].site, self.guests[guest].web));
        active.filter(|(_, is_proved)| *is_proved || !web).collect()
    }

    /// The status with which a caller is refused at a site.
    pub fn turned_away(who: Who, site: usize, right: Right) -> Option<u16> {
        const PLACES: &str = "GOAI";
        if matches!(who, Who::Nobody | Who::FirstStep) {
            return Some(401);
        }
        let role = match (who, site) {
            (_, 3..) => return Some(404),
            (Who::Global, _) => 'G',
            (Who::Owner, 0) | (Who::OwnerFree, 1) | (Who::OwnerForeign, 2) => 'O',
            (Who::Admin, 0 | 1) => 'A',
            (Who::Intake, 0 | 1) => 'I',
            (Who::Staff, 0 | 1) => 'S',
            _ => return Some(404),
        };
        let roles = match right {
            Right::View => "GOAIS",
            Right::Contact | Right::Place => PLACES,
            Right::Third | Right::Over | Right::Undo => "GOA",
            Right::Build if site == 1 => "GOAS",
            Right::Build => "GO",
        };
        (!roles.contains(role)).then_some(403)
    }

    pub fn sees_contact(who: Who, site: usize) -> bool {
        Self::turned_away(who, site, Right::Contact).is_none()
    }

    /// The guests of a site in one of the states, newest first.
    pub fn sorted(&self, site: usize, states: &[&str]) -> Vec<usize> {
        let of_site = (0..self.guests.len()).filter(|guest| self.guests[*guest].site == site);
        let mut found: Vec<usize> = of_site.filter(|guest| states.contains(&self.status(*guest))).collect();
        found.sort_by_key(|guest| std::cmp::Reverse((self.guests[*guest].created, *guest)));
        found
    }

    /// A page of the history: a single list is sorted by the time at which guests entered it, several lists by reservation.
    pub fn history(&self, site: usize, states: &[&str]) -> Vec<usize> {
        let mut found = self.sorted(site, states);
        let moment = |guest: &Guest| match *states {
            ["discharged" | "rejected"] => guest.ended,
            ["expired"] => guest.expires.unwrap_or_default(),
            ["pending"] | ["accepted", "reassigned"] if matches!(guest.phase, Phase::InBed(_)) => guest.accepted,
            _ => guest.created,
        };
        found.sort_by_key(|guest| std::cmp::Reverse((moment(&self.guests[*guest]), *guest)));
        found
    }
}

/// The name of the bed with a number.
pub fn bed_name(number: u8) -> String {
    format!("Bed {number}")
}

/// The name of the house with a number.
pub fn room_name(number: u8) -> String {
    format!("Wing {number}")
}
