//! The steps of a sequence, who takes them, and how they are printed.

use std::fmt;

use crate::world;

/// The caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Who {
    Nobody,
    FirstStep,
    Global,
    Owner,
    OwnerFree,
    OwnerForeign,
    Admin,
    Intake,
    Staff,
}

impl Who {
    /// The bearer token.
    pub const fn token(self) -> Option<&'static str> {
        match self {
            Self::Nobody => None,
            Self::FirstStep => Some(world::FIRST_STEP),
            Self::Global => Some(world::GLOBAL),
            Self::Owner => Some(world::OWNER),
            Self::OwnerFree => Some(world::OWNER_FREE),
            Self::OwnerForeign => Some(world::OWNER_FOREIGN),
            Self::Admin => Some(world::ADMIN),
            Self::Intake => Some(world::INTAKE),
            Self::Staff => Some(world::STAFF),
        }
    }
}

/// A command on a guest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Move {
    Accept,
    Reassign,
    Swap,
    Decline,
    Discharge,
    Arrive,
    UndoArrival,
    NoShow,
    Undo,
}

impl Move {
    /// The status in the payload.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Accept => "ACCEPTED",
            Self::Reassign => "REASSIGNED",
            Self::Swap => "SWAP",
            Self::Decline => "REJECTED",
            Self::Discharge => "DISCHARGED",
            Self::Arrive => "ARRIVED",
            Self::UndoArrival => "NOT_ARRIVED",
            Self::NoShow => "NO_SHOW",
            Self::Undo => "UNDO",
        }
    }
}

/// The version of the guest that a command names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Version {
    None,
    Current,
    Stale,
    /// This one, for a step that was sent before.
    Seen(i64),
}

/// What happens to a person on a waitlist, except for taking the offered bed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answering {
    Decline,
    Leave,
    /// Priority is given, or ends.
    Prioritize(bool),
}

/// The form of a person on a waitlist, as far as stories change it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Form {
    /// The person whose phone number and email address it has.
    pub contact: u8,
    /// The person whose name it has.
    pub name: u8,
    /// The type of bed that is needed. `None` if each will do.
    pub kind: Option<&'static str>,
}

/// What an edit of such a form changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edit {
    Nothing,
    Contact(u8),
    Name(u8),
    Kind(Option<&'static str>),
    /// Everything. Also an edit that was sent before.
    All(Form),
}

/// The requested states of guests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct States(pub &'static [&'static str]);

/// One step. Sites are 0 to 2, and 3 is an unknown one. Houses, beds and guests are numbers that wrap around the existing
/// ones; 250 and above are unknown ids.
#[derive(Debug, Clone)]
pub enum Step {
    Add {
        who: Who,
        site: usize,
        person: u8,
        third: bool,
        over: bool,
        key: Option<u8>,
    },
    Reserve {
        site: usize,
        person: u8,
        key: Option<u8>,
    },
    /// The number wraps around the public requests.
    Confirm {
        asked: u8,
        right: bool,
        key: Option<u8>,
    },
    /// The guest cancels on the public side. The number wraps around the guests who came from there; without any, the step does
    /// nothing.
    Cancel {
        guest: u8,
    },
    /// A move of a guest to a bed for which it is possible, if there are any; otherwise of any.
    Place {
        who: Who,
        guest: u8,
        how: Move,
        bed: u8,
        version: Version,
        key: Option<u8>,
        aimed: bool,
    },
    /// Merges a guest into another one; if possible two for whom it is possible.
    Merge {
        who: Who,
        kept: u8,
        duplicate: u8,
        version: Version,
        aimed: bool,
    },
    /// Undoes a merge, of a merged guest if there is one.
    Unmerge {
        who: Who,
        guest: u8,
        version: Version,
        aimed: bool,
    },
    /// A person is put on the waitlist of a site.
    Join {
        who: Who,
        site: usize,
        person: u8,
        kind: Option<&'static str>,
        priority: bool,
        third: bool,
        key: Option<u8>,
    },
    /// An offered bed is taken, if possible by somebody who has an offer.
    Take {
        who: Who,
        waiting: u8,
        third: bool,
        version: Version,
        key: Option<u8>,
        aimed: bool,
    },
    /// Another command on a person on a waitlist.
    Answer {
        who: Who,
        waiting: u8,
        how: Answering,
        version: Version,
        key: Option<u8>,
        aimed: bool,
    },
    /// The form of a person on a waitlist is edited, if possible of somebody who waits, and for another type of bed if possible of
    /// somebody who has an offer.
    Edit {
        who: Who,
        waiting: u8,
        edit: Edit,
        third: bool,
        version: Version,
        key: Option<u8>,
        aimed: bool,
    },
    Waitlist {
        who: Who,
        site: usize,
    },
    /// The form of a person on a waitlist.
    Form {
        who: Who,
        waiting: u8,
    },
    Misspell {
        who: Who,
        guest: u8,
    },
    Read {
        who: Who,
        guest: u8,
    },
    Board {
        who: Who,
        site: usize,
    },
    History {
        who: Who,
        site: usize,
        states: States,
    },
    Beds {
        who: Who,
        site: usize,
    },
    Bed {
        who: Who,
        bed: u8,
    },
    Details {
        who: Who,
        site: usize,
    },
    Public {
        site: usize,
    },
    AddBeds {
        who: Who,
        room: u8,
        count: u8,
    },
    SetBed {
        who: Who,
        bed: u8,
        name: Option<u8>,
        disabled: bool,
        /// What the bed waits for; absent from the request if `None`.
        kind: Option<&'static str>,
    },
    RemoveBed {
        who: Who,
        bed: u8,
    },
    AddRoom {
        who: Who,
        site: usize,
        name: Option<u8>,
    },
    RenameRoom {
        who: Who,
        room: u8,
        name: u8,
    },
    RemoveRoom {
        who: Who,
        room: u8,
    },
    /// The last request with a key once more, with the same bytes.
    Again,
    Pay {
        active: bool,
    },
    Wait {
        minutes: i32,
    },
    Pause {
        seconds: i32,
    },
    ToHoldEnd {
        guest: u8,
        offset: i8,
    },
    ExpireHolds,
    /// The job that ends and makes offers.
    OfferBeds,
    CleanUp,
    Send,
}

impl Step {
    /// The kind of the step, for counting.
    pub fn kind(&self) -> String {
        match self {
            Self::Place { how, .. } => format!("{how:?}"),
            Self::Answer { how, .. } => format!("{how:?} offer"),
            other => format!("{other:?}").split(' ').next().unwrap_or_default().to_owned(),
        }
    }
}

impl fmt::Display for Step {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{self:?}")
    }
}
