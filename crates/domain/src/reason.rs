//! Reasons for declines and discharges that an organization offers to choose from (docs/decisions/0067).

use crate::stay::Command;
use crate::value::{name_key, one_line};

/// Maximum number of reasons of one kind in an organization, retired ones included.
pub const MAX_REASONS: i64 = 100;
/// Maximum length of a reason, in characters.
const MAX_CHARS: usize = 100;

text_enum! {
    /// The decisions that a reason is for.
    #[derive(serde::Deserialize)]
    pub enum ReasonKind {
        /// A guest is declined.
        Decline = "Decline",
        /// A guest is discharged.
        Discharge = "Discharge",
    }
}

impl ReasonKind {
    /// Returns the kind of reason that a command may have. `None` for commands without a reason.
    #[must_use]
    pub const fn of(command: &Command) -> Option<Self> {
        match command {
            Command::Reject { .. } => Some(Self::Decline),
            Command::Discharge { .. } => Some(Self::Discharge),
            Command::Accept { .. }
            | Command::Reassign { .. }
            | Command::Swap { .. }
            | Command::Arrive
            | Command::UndoArrival
            | Command::NoShow { .. }
            | Command::Undo => None,
        }
    }
}

/// The text of a reason: 1 to 100 characters on one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReasonName(String);

impl ReasonName {
    /// Parses the text of a reason.
    ///
    /// # Errors
    /// "Required field.", or a sentence if it is too long or holds invisible characters.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        let text = one_line(text)?;
        match text.chars().count() {
            0 => Err("Required field."),
            1..=MAX_CHARS => Ok(Self(text)),
            _ => Err("Maximum length of a reason is 100 symbols."),
        }
    }

    /// Returns the text as stored and shown.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the key by which reasons of an organization are unique.
    #[must_use]
    pub fn key(&self) -> String {
        name_key(&self.0)
    }
}

/// What a command needs to know about the reason that was chosen for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReasonFacts {
    /// The decisions that it is for.
    pub kind: ReasonKind,
    /// True if it belongs to the organization of the guest's site.
    pub is_of_organization: bool,
    /// True if it is retired.
    pub is_disabled: bool,
}

/// Checks that a reason may be chosen for `command`. `None` is a reason that does not exist.
///
/// # Errors
/// A sentence about the reason. That of another organization is answered like one that does not exist.
pub fn may_choose(reason: Option<ReasonFacts>, command: &Command) -> Result<(), &'static str> {
    let kind = ReasonKind::of(command).ok_or("Only a decline or a discharge has a reason.")?;
    match reason.filter(|reason| reason.is_of_organization && reason.kind == kind) {
        None => Err("This reason is not on the list. Choose another one."),
        Some(reason) if reason.is_disabled => Err("This reason is no longer used. Choose another one."),
        Some(_) => Ok(()),
    }
}

/// Checks that an organization with `count` reasons of a kind may get another one.
///
/// # Errors
/// A sentence about the limit.
pub const fn may_add(count: i64) -> Result<(), &'static str> {
    if count < MAX_REASONS { Ok(()) } else { Err("There are 100 reasons of this kind already. Rename one instead.") }
}
