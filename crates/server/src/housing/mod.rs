//! Sites with their rooms and beds, and the guests in them.

pub mod beds;
pub mod capacity;
pub mod guests;
pub mod numbers;
pub mod public;
pub mod reference;
pub mod rooms;
pub mod search;
pub mod sites;
pub mod today;
pub mod waitlist;
