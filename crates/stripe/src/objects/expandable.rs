//! A field in which Stripe sends an id, or the whole object if the call expands it.

use serde::Deserialize;

/// An object with an id.
pub trait Identified {
    /// Returns the id.
    fn id(&self) -> &str;
}

/// An id, or the object itself.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum Expandable<T> {
    /// The id.
    Id(String),
    /// The object.
    Object(Box<T>),
}

impl<T: Identified> Expandable<T> {
    /// Returns the id, whether or not the object was expanded.
    #[must_use]
    pub fn id(&self) -> &str {
        match self {
            Self::Id(id) => id,
            Self::Object(object) => object.id(),
        }
    }
}

impl<T> Expandable<T> {
    /// Returns the object, if the call expanded it.
    #[must_use]
    pub fn object(&self) -> Option<&T> {
        match self {
            Self::Id(_) => None,
            Self::Object(object) => Some(object),
        }
    }
}
