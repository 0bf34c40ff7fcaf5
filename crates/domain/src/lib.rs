//! The rules of Berth.
