//! Types that describe the organizations and sites of the demo.

use berth_domain::bed::BedKind;

use super::pictures::{Look, Mark};

/// An organization.
pub(super) struct OrganizationPlan {
    pub(super) name: &'static str,
    pub(super) is_commercial: bool,
    /// Days since it joined.
    pub(super) age: i64,
    /// Numbers of reservation methods.
    pub(super) methods: &'static [i64],
    /// Names of linked insurers.
    pub(super) insurers: &'static [&'static str],
    /// What its logo shows.
    pub(super) mark: Mark,
    pub(super) sites: &'static [SitePlan],
}

/// A site.
pub(super) struct SitePlan {
    pub(super) name: &'static str,
    pub(super) alias: Option<&'static str>,
    pub(super) description: &'static str,
    pub(super) address: &'static str,
    /// Degrees north and east, as they are stored.
    pub(super) position: (&'static str, &'static str),
    /// What its photos show.
    pub(super) look: Look,
    pub(super) phone: &'static str,
    pub(super) email: &'static str,
    pub(super) web: Option<&'static str>,
    pub(super) hold_hours: i64,
    /// Shortest and longest stay, in days.
    pub(super) stay: (i64, i64),
    pub(super) languages: &'static [&'static str],
    pub(super) services: &'static [&'static str],
    /// Codes of payment options; non-commercial sites.
    pub(super) options: &'static [&'static str],
    pub(super) intake: Intake,
    pub(super) rooms: &'static [RoomPlan],
    /// Ids at the card provider, of [`super::CUSTOMERS`].
    pub(super) subscriptions: &'static [&'static str],
    pub(super) guests: Mix,
}

/// A house: name, beds by type, and which of them are disabled (counted from 0).
pub(super) struct RoomPlan(
    pub(super) &'static str,
    pub(super) &'static [(BedKind, usize)],
    pub(super) &'static [usize],
);

/// Intake hours.
#[derive(Clone, Copy)]
pub(super) enum Intake {
    /// Day and night, every day.
    Always,
    /// 8 to 6 on weekdays, 10 to 2 on weekends.
    Daytime,
    /// 9 to 5 on weekdays only.
    Office,
}

/// Number of guests of a site by their state.
pub(super) struct Mix {
    /// In a bed, never moved.
    pub(super) accepted: usize,
    /// In a bed, moved to it from another.
    pub(super) moved: usize,
    /// Pairs that changed beds.
    pub(super) swaps: usize,
    pub(super) discharged: usize,
    pub(super) rejected: usize,
    pub(super) expired: usize,
    /// Pending from the public side: minutes left of the hold.
    pub(super) waiting: &'static [i64],
    /// Pending, added by hand.
    pub(super) by_hand: usize,
}
