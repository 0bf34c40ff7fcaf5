//! The rules of Berth as pure functions: no I/O, no clock, no async.
//!
//! - `policy`, `access` and `role`: what a user may do.
//! - `value`, `password`, `new_guest`, `site_form` and `check`: what fields may hold, with all errors at once.
//! - `stay`: which bed a guest may get.
//! - `waitlist`: who is offered the beds that become free.
//! - `message`: which messages about reservations are sent, and when.
//! - `reason`: which reasons a decline or a discharge may have.
//! - `view`: what is remembered of how a user left the screens.
//! - `numbers`: occupancy, lengths of stay and other statistics.
//! - `catalog`, `bed`, `card`, `plan` and `subscription`: the terms of the product.
//! - `limits`: sizes, counts and lifetimes that several parts share.
//!
//! Time and randomness are arguments. Sentences that a user reads stand beside the rule that returns them.

#[macro_use]
mod text_enum;

mod column;

pub mod access;
pub mod bed;
pub mod card;
pub mod catalog;
pub mod check;
pub mod guest;
pub mod id;
pub mod limits;
pub mod locale;
pub mod message;
pub mod new_guest;
pub mod numbers;
pub mod offer;
pub mod outage;
pub mod password;
pub mod placement;
pub mod plan;
pub mod policy;
pub mod reason;
pub mod role;
pub mod site_form;
pub mod stay;
pub mod subscription;
pub mod time;
pub mod value;
pub mod view;
pub mod waitlist;

pub use bed::{BedKind, new_bed_names, new_bed_names_from, next_room_name};
pub use check::{Check, FieldError, FieldErrors};
pub use guest::{GuestFacts, GuestStatus, Source};
pub use id::{
    AuditId, BedId, GuestId, InsuranceCompanyId, MembershipId, OrganizationId, OutboxId, ReasonId, RoomId, SavedCardId,
    SecretId, SessionId, SiteId, StayId, SubscriptionId, UserId, WaitingGuestId,
};
pub use locale::Locale;
pub use new_guest::{NewGuest, NewGuestForm, reservation_code};
pub use offer::SiteOffer;
pub use password::NewPassword;
pub use policy::{Action, Actor, Decision, Stage, Target, may, may_grant, roles_at, roles_with, sees_site};
pub use role::{Membership, MembershipStatus, Role};
pub use subscription::SubscriptionStatus;
pub use time::{Hold, IntakePeriod, SCREENING_PERIODS, ScreeningPeriod, TimeOfDay, Timestamp, days_stayed};
pub use value::{
    Alias, Description, Email, FirstName, LastInitial, Name, Phone, WebAddress, clean_text, fold, name_key, search_key,
};
