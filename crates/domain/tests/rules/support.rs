//! Helpers that several tests share.

use berth_domain::guest::{GuestFacts, Source};
use berth_domain::stay::{BedFacts, Board};
use berth_domain::{BedId, GuestId, Timestamp};
use uuid::Uuid;

/// 2026-11-21T10:15:00Z
pub const NOW: Timestamp = Timestamp::from_millis(1_795_256_100_000);

/// The bed with this number.
pub fn bed_id(number: u128) -> BedId {
    BedId(Uuid::from_u128(0xbed_0000 + number))
}

/// The guest with this number.
pub fn guest_id(number: u128) -> GuestId {
    GuestId(Uuid::from_u128(0x9e57_0000 + number))
}

/// A pending guest without a hold, added by hand an hour ago.
pub fn pending(number: u128) -> GuestFacts {
    GuestFacts {
        id: guest_id(number),
        source: Source::Admin,
        version: 1,
        created_at: NOW.plus_hours(-1),
        expires_at: None,
        accepted_at: None,
        reassigned_at: None,
        rejected_at: None,
        cancelled_at: None,
        merged_at: None,
        arrived_at: None,
        discharged_at: None,
        no_show_at: None,
        expired_at: None,
    }
}

/// A guest who was accepted half an hour ago.
pub fn accepted(number: u128) -> GuestFacts {
    GuestFacts { accepted_at: Some(NOW.plus_minutes(-30)), ..pending(number) }
}

/// An enabled bed.
pub fn bed(number: u128, guest: Option<GuestFacts>) -> BedFacts {
    BedFacts { id: bed_id(number), disabled: false, offered: false, guest }
}

/// A non-commercial board.
pub fn board(beds: Vec<BedFacts>) -> Board {
    Board { beds, needs_subscription: false, subscription_active: false, asks_arrival: false, undo: None }
}

/// The messages of a result's field errors, each with its pointer.
pub fn errors<T>(result: Result<T, berth_domain::FieldErrors>) -> Vec<(String, String)> {
    result.err().map_or_else(Vec::new, |errors| errors.0.into_iter().map(|e| (e.pointer, e.message)).collect())
}
