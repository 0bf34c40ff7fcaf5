//! The states of a guest as SQL conditions, and the columns that decide them. `domain::guest` says the same in Rust. `$g` is the alias of
//! `guests` with its dot (`"g."`), or `""`; `$now` is the parameter with the present time.

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
            "discharged_at, ",
            $g,
            "expired_at"
        )
    };
}

/// Neither declined, nor recorded as expired, nor discharged: pending or in a bed, or the hold is over and no job has recorded it yet.
/// The condition of the partial indexes on `guests`.
macro_rules! is_open {
    ($g:literal) => {
        concat!($g, "rejected_at IS NULL AND ", $g, "expired_at IS NULL AND ", $g, "discharged_at IS NULL")
    };
}

/// Open and not accepted: pending, or the hold is over and no job has recorded it yet.
macro_rules! is_undecided {
    ($g:literal) => {
        concat!($crate::housing::guests::is_open!($g), " AND ", $g, "accepted_at IS NULL")
    };
}

/// Pending: undecided, and the hold still runs.
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

/// An active reservation: pending or in a bed.
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
