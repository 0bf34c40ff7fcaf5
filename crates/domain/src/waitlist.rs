//! The waitlist of a site: who is offered the beds that become free (docs/decisions/0066).
//!
//! [`offers`] goes through the line and gives each person the first free bed that fits. A person who lets an offer pass stays in the
//! line, behind those who have let fewer pass in the last [`PASSED_HOURS`], and is not asked about the same bed again in that time:
//! once everybody has let a bed pass, it is free for newcomers.

use std::ops::RangeInclusive;

use crate::bed::BedKind;
use crate::id::{BedId, WaitingGuestId};
use crate::outage::reason as reason_text;
use crate::stay::Refusal;
use crate::time::Timestamp;

/// Hours for which an offer that was let pass counts.
pub const PASSED_HOURS: i64 = 24;
/// How long an offer may stand, in minutes.
pub const OFFER_MINUTES: RangeInclusive<i64> = 5..=1440;
/// How long an offer stands unless the site says otherwise, in minutes.
pub const DEFAULT_OFFER_MINUTES: i64 = 30;
/// Seconds that a bed is left alone before it is offered: so long can a discharge or a decline by mistake be undone by the user who made
/// it (docs/decisions/0047).
pub const UNDO_SECONDS: i64 = crate::stay::OWN_UNDO_MILLIS / 1000;
/// Maximum number of people who wait at one site.
pub const MAX_WAITING: i64 = 200;

text_enum! {
    /// How an offer ended.
    pub enum OfferOutcome {
        /// The person got the bed.
        Taken = "taken",
        /// The person did not want the bed.
        Declined = "declined",
        /// The person did not answer in time.
        Lapsed = "lapsed",
        /// The bed was disabled or removed or does not fit any more, or the person stopped waiting.
        Withdrawn = "withdrawn",
    }
}

text_enum! {
    /// Why a person no longer waits.
    pub enum WaitOutcome {
        /// The person got a bed.
        Placed = "placed",
        /// The person was taken off the list.
        Left = "left",
        /// The site was removed.
        SiteRemoved = "site-removed",
    }
}

/// A person in the line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WaitingGuest {
    /// The person.
    pub id: WaitingGuestId,
    /// The type of bed that the person needs. `None` if each will do.
    pub kind: Option<BedKind>,
    /// True if staff gave the person priority, with a reason.
    pub has_priority: bool,
    /// When the person was put on the list.
    pub since: Timestamp,
    /// The beds that the person let pass in the last [`PASSED_HOURS`], one for each offer.
    pub passed: Vec<BedId>,
    /// The beds that are not for the person, by the rules of a strict site.
    pub unfit: Vec<BedId>,
    /// True if a bed is offered to the person now.
    pub has_offer: bool,
}

impl WaitingGuest {
    /// Returns what the line is sorted by: fewest offers let pass, then priority, then arrival.
    #[must_use]
    pub const fn order(&self) -> (usize, bool, Timestamp, WaitingGuestId) {
        (self.passed.len(), !self.has_priority, self.since, self.id)
    }

    /// Returns true if the bed is of the type that the person needs, and for the person by the rules of a strict site.
    #[must_use]
    pub fn fits(&self, bed: &FreeBed) -> bool {
        self.kind.is_none_or(|kind| kind == bed.kind) && !self.unfit.contains(&bed.id)
    }

    fn takes(&self, bed: &FreeBed) -> bool {
        self.fits(bed) && !self.passed.contains(&bed.id)
    }
}

/// A vacant, enabled bed that is not on offer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FreeBed {
    /// The bed.
    pub id: BedId,
    /// Its type.
    pub kind: BedKind,
}

/// A bed to offer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewOffer {
    /// The person who is offered the bed.
    pub guest: WaitingGuestId,
    /// The bed.
    pub bed: BedId,
    /// The people before this one in the line: no free bed fits them, or they let it pass.
    pub passed_over: Vec<WaitingGuestId>,
}

/// Decides which of the free `beds`, in the order of the board, are offered to whom. At most `available` of them: the others are held by
/// pending reservations. A person for whom each bed will do gets one that nobody else in the line needs, if there is one.
#[must_use]
pub fn offers(mut line: Vec<WaitingGuest>, beds: &[FreeBed], available: i64) -> Vec<NewOffer> {
    line.retain(|guest| !guest.has_offer);
    line.sort_by_key(WaitingGuest::order);
    let mut free = beds.to_vec();
    let (mut made, mut passed_over): (Vec<NewOffer>, Vec<WaitingGuestId>) = (Vec::new(), Vec::new());
    let limit = usize::try_from(available).unwrap_or_default();
    for (place, guest) in line.iter().enumerate() {
        if made.len() >= limit {
            break;
        }
        let later = line.get(place + 1..).unwrap_or_default();
        let is_needed = |bed: &FreeBed| later.iter().any(|other| other.kind == Some(bed.kind));
        let fitting = free.iter().enumerate().filter(|(_, bed)| guest.takes(bed));
        match fitting.min_by_key(|(_, bed)| is_needed(bed)).map(|(index, _)| index) {
            Some(index) => {
                let bed = free.remove(index).id;
                made.push(NewOffer { guest: guest.id, bed, passed_over: passed_over.clone() });
            }
            None => passed_over.push(guest.id),
        }
    }
    made
}

/// Checks that a person may be put on the waitlist: no available bed would do. `available` counts the beds that the site can promise to a
/// newcomer, `beds` are the vacant ones.
///
/// # Errors
/// [`Refusal::BedAvailable`] or [`Refusal::WaitlistFull`]
pub fn may_wait(kind: Option<BedKind>, beds: &[FreeBed], available: i64, waiting: i64) -> Result<(), Refusal> {
    let fits = beds.iter().any(|bed| kind.is_none_or(|kind| kind == bed.kind));
    if available > 0 && fits {
        return Err(Refusal::BedAvailable);
    }
    if waiting >= MAX_WAITING { Err(Refusal::WaitlistFull) } else { Ok(()) }
}

/// What may be done for a person on the waitlist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WaitCommand {
    /// The person takes the offered bed.
    Take,
    /// The person does not want the offered bed; the next one in the line is asked.
    Decline,
    /// The person stops waiting.
    Leave {
        /// Why.
        reason: Option<String>,
    },
    /// The person goes before those without priority. Without a reason the priority ends.
    Prioritize {
        /// Why.
        reason: Option<String>,
    },
}

impl WaitCommand {
    /// Parses a command other than [`Self::Take`]: DECLINE, LEAVE or PRIORITIZE, in any case.
    ///
    /// # Errors
    /// The field and a sentence about it.
    pub fn parse(command: &str, reason: Option<&str>) -> Result<Self, (&'static str, &'static str)> {
        let reason = reason_text(reason.unwrap_or_default()).map_err(|message| ("/reason", message))?;
        match command.trim().to_uppercase().as_str() {
            "DECLINE" => Ok(Self::Decline),
            "LEAVE" => Ok(Self::Leave { reason }),
            "PRIORITIZE" => Ok(Self::Prioritize { reason }),
            _ => Err(("/command", "Choose from: DECLINE, LEAVE, PRIORITIZE.")),
        }
    }

    /// Returns true if the command answers an offer.
    #[must_use]
    pub const fn needs_offer(&self) -> bool {
        matches!(self, Self::Take | Self::Decline)
    }
}

/// Checks that a command on a person of the waitlist is possible.
///
/// # Errors
/// [`Refusal::NotWaiting`] if the person no longer waits, [`Refusal::NoOffer`] if no bed is offered to the person.
pub const fn may_change(is_waiting: bool, has_offer: bool, command: &WaitCommand) -> Result<(), Refusal> {
    if !is_waiting {
        return Err(Refusal::NotWaiting);
    }
    if command.needs_offer() && !has_offer { Err(Refusal::NoOffer) } else { Ok(()) }
}

/// Checks how long a site lets an offer stand, in minutes.
///
/// # Errors
/// A sentence about the field.
pub fn check_offer_minutes(minutes: i64) -> Result<(), &'static str> {
    if OFFER_MINUTES.contains(&minutes) { Ok(()) } else { Err("Choose from 5 to 1440 minutes.") }
}
