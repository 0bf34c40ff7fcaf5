//! The states of a guest as SQL conditions, and the columns that decide them. `domain::guest` has the same rules in
//! Rust. `$g` is the alias of `guests` with its dot (`"g."`), or `""`; `$now` is the parameter with the present time.

/// The columns of a [`FactsRow`](super::view::FactsRow).
macro_rules! facts_columns {
    ($g:literal) => {
        concat!(
            $g,
            "id, ",
            $g,
            "source, ",
            $g,
            "version, ",
            $g,
            "created_at, ",
            $g,
            "expires_at, ",
            $g,
            "accepted_at, ",
            $g,
            "reassigned_at, ",
            $g,
            "rejected_at, ",
            $g,
            "cancelled_at, ",
            $g,
            "arrived_at, ",
            $g,
            "discharged_at, ",
            $g,
            "no_show_at, ",
            $g,
            "expired_at, ",
            $g,
            "merged_at"
        )
    };
}

/// SQL condition: neither declined, nor recorded as expired, nor discharged. The guest is pending or in a bed, or the
/// hold has ended and its end is not recorded yet. The partial indexes on `guests` have this condition.
macro_rules! is_open {
    ($g:literal) => {
        concat!($g, "rejected_at IS NULL AND ", $g, "expired_at IS NULL AND ", $g, "discharged_at IS NULL")
    };
}

/// SQL condition: open and not accepted. The guest is pending, or the hold has ended and its end is not recorded yet.
macro_rules! is_undecided {
    ($g:literal) => {
        concat!($crate::housing::guests::is_open!($g), " AND ", $g, "accepted_at IS NULL")
    };
}

/// SQL condition: pending, that is, undecided and the hold has not ended.
macro_rules! is_pending {
    ($g:literal, $now:literal) => {
        concat!(
            $crate::housing::guests::is_undecided!($g),
            " AND (",
            $g,
            "expires_at IS NULL OR ",
            $g,
            "expires_at > ",
            $now,
            ")"
        )
    };
}

/// SQL condition: an active reservation, that is, pending or in a bed.
macro_rules! is_active {
    ($g:literal, $now:literal) => {
        concat!(
            $crate::housing::guests::is_open!($g),
            " AND (",
            $g,
            "accepted_at IS NOT NULL OR ",
            $g,
            "expires_at IS NULL OR ",
            $g,
            "expires_at > ",
            $now,
            ")"
        )
    };
}

pub(crate) use {facts_columns, is_active, is_open, is_pending, is_undecided};
