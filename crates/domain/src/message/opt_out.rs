//! Opting out of text messages by an answer: STOP and START, in English and Spanish.

/// The request of an answer to a text message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OptOut {
    /// Stop sending texts.
    Stop,
    /// Send texts again.
    Start,
}

/// The keywords of carriers, and Spanish ones.
const STOP: [&str; 10] =
    ["STOP", "STOPALL", "UNSUBSCRIBE", "CANCEL", "END", "QUIT", "OPTOUT", "REVOKE", "ALTO", "PARAR"];
const START: [&str; 4] = ["START", "UNSTOP", "INICIAR", "COMENZAR"];

impl OptOut {
    /// Parses an answer. `None` unless it is a single keyword, in any case, with or without punctuation around it: "I want to stop by" is no
    /// STOP.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let word = text.trim_matches(|character: char| !character.is_alphanumeric()).to_uppercase();
        if STOP.contains(&word.as_str()) {
            Some(Self::Stop)
        } else if START.contains(&word.as_str()) {
            Some(Self::Start)
        } else {
            None
        }
    }
}
