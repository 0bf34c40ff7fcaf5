//! The data layer.
