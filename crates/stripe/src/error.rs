//! What can go wrong with a call to Stripe.

use serde::Deserialize;

/// A result of the client.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a call failed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Stripe answered, and the answer was no.
    #[error("Stripe refused: {0}")]
    Refused(Box<Refusal>),
    /// No answer came; the call may have had its effect all the same.
    #[error("Stripe cannot be reached: {0}")]
    Unreachable(&'static str),
    /// An answer came that is none of Stripe's.
    #[error("Stripe's answer cannot be read: {0}")]
    Unreadable(String),
    /// The client cannot be made.
    #[error("{0}")]
    Setup(String),
}

/// An error object of Stripe's with its HTTP status.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct Refusal {
    /// The HTTP status.
    #[serde(skip)]
    pub status: u16,
    /// `api_error`, `card_error`, `idempotency_error` or `invalid_request_error`.
    #[serde(rename = "type")]
    pub kind: String,
    /// A stable word, such as `resource_missing`.
    pub code: Option<String>,
    /// Why the bank declined, with a card error.
    pub decline_code: Option<String>,
    /// The field that is wrong.
    pub param: Option<String>,
    /// A sentence; of a card error it is meant for the card's holder.
    pub message: Option<String>,
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{} {}", self.status, self.kind)?;
        for part in [&self.code, &self.param, &self.message].into_iter().flatten() {
            write!(formatter, ", {part}")?;
        }
        Ok(())
    }
}

impl Error {
    /// Whether the call may have had its effect although it failed: only then the same key is sent again.
    #[must_use]
    pub fn is_outcome_unknown(&self) -> bool {
        match self {
            Self::Refused(refusal) => matches!(refusal.status, 409 | 429 | 500..),
            Self::Unreachable(_) | Self::Unreadable(_) => true,
            Self::Setup(_) => false,
        }
    }

    /// The refusal, if that is what it is.
    #[must_use]
    pub fn refusal(&self) -> Option<&Refusal> {
        match self {
            Self::Refused(refusal) => Some(refusal),
            _ => None,
        }
    }

    /// Whether what the call names is not there (any more), or `param` of the call does not.
    #[must_use]
    pub fn is_missing(&self, param: &str) -> bool {
        self.refusal().is_some_and(|refusal| {
            refusal.code.as_deref() == Some("resource_missing") && refusal.param.as_deref() == Some(param)
        })
    }

    /// The sentence for the card's holder, when the card is the reason.
    #[must_use]
    pub fn card_sentence(&self) -> Option<&str> {
        let refusal = self.refusal().filter(|refusal| refusal.kind == "card_error")?;
        Some(refusal.message.as_deref().unwrap_or("Your card was declined."))
    }
}
