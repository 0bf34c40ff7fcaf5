//! Limits that the server, its tests and its messages share: sizes, counts and lifetimes.
//!
//! A limit that one rule alone needs stands beside that rule.

use std::ops::RangeInclusive;

/// Maximum size of an image, in bytes: 5 MB (spec A 9).
pub const MAX_IMAGE_BYTES: usize = 5_242_880;
/// Maximum number of images in one upload.
pub const MAX_IMAGES_PER_UPLOAD: usize = 5;
/// Maximum length of a feedback or of the description of a bed, in characters.
pub const MAX_NOTE_CHARS: usize = 2000;
/// Maximum number of beds that one call adds.
pub const MAX_NEW_BEDS: i64 = 100;

/// Number of rows on a page if the caller asks for no other.
pub const DEFAULT_PAGE_SIZE: i64 = 25;
/// Maximum number of rows on a page.
pub const MAX_PAGE_SIZE: i64 = 300;
/// Minimum number of characters of a search for places, and of one for guests, sites, organizations and users.
pub const MIN_SEARCH_CHARS: usize = 2;
/// Maximum number of characters of a search for guests, sites, organizations and users.
pub const MAX_SEARCH_CHARS: usize = 50;
/// Minimum number of digits by which a phone number is searched.
pub const MIN_PHONE_DIGITS: usize = 3;
/// Maximum number of guests, of sites, of organizations and of users that a search finds.
pub const MAX_FOUND: usize = 8;

/// Minutes without activity after which a session may be set to end.
pub const IDLE_MINUTES: RangeInclusive<i64> = 5..=60;
/// Minutes without activity after which a session ends by default.
pub const DEFAULT_IDLE_MINUTES: i64 = 15;
/// Hours after which a session may be set to end, active or not.
pub const SESSION_HOURS: RangeInclusive<i64> = 1..=24;
/// Hours after which a session ends by default, active or not.
pub const DEFAULT_SESSION_HOURS: i64 = 12;

/// Lifetime of the first step of sign-in, in minutes.
pub const FIRST_STEP_MINUTES: i64 = 10;
/// Lifetime of an access token, in minutes.
pub const ACCESS_TOKEN_MINUTES: i64 = 15;
/// Lifetime of a code that signs in or confirms a phone, in minutes.
pub const PHONE_CODE_MINUTES: i64 = 5;
/// Lifetime of a code that confirms a reservation from the public search, in minutes.
pub const RESERVATION_CODE_MINUTES: i64 = 10;
/// Maximum number of attempts to enter a code.
pub const MAX_CODE_ATTEMPTS: i64 = 5;
/// Lifetime of a link that resets a password or confirms an email, in minutes.
pub const LINK_MINUTES: i64 = 30;
/// Lifetime of an invitation, in days.
pub const INVITATION_DAYS: i64 = 7;
