//! What people answer to text messages: STOP and START, in English and Spanish.

/// What a phone asks for by an answer to a text message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OptOut {
    /// No more texts.
    Stop,
    /// Texts again.
    Start,
}

/// The words that carriers know, and those that people write in Spanish.
const STOP: [&str; 10] =
    ["STOP", "STOPALL", "UNSUBSCRIBE", "CANCEL", "END", "QUIT", "OPTOUT", "REVOKE", "ALTO", "PARAR"];
const START: [&str; 4] = ["START", "UNSTOP", "INICIAR", "COMENZAR"];

impl OptOut {
    /// Reads the text of an answer. `None` unless it is one of the words and nothing else, in any case, with or without marks
    /// around it: "I want to stop by" is no STOP.
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
