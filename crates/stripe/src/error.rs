//! Errors of calls to Stripe.

use serde::Deserialize;

/// A result of the client.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a call failed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Stripe rejected the call.
    #[error("Stripe rejected the call: {0}")]
    Api(Box<ApiError>),
    /// No answer came. The call may still have taken effect.
    #[error("Stripe cannot be reached: {0}")]
    Unreachable(&'static str),
    /// The answer does not have Stripe's format.
    #[error("Stripe's answer cannot be read: {0}")]
    Unreadable(String),
    /// The client cannot be created.
    #[error("{0}")]
    Setup(String),
}

/// Stripe's error object, with the HTTP status.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct ApiError {
    /// The HTTP status.
    #[serde(skip)]
    pub status: u16,
    /// `api_error`, `card_error`, `idempotency_error` or `invalid_request_error`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Stripe's error code, such as `resource_missing`.
    pub code: Option<String>,
    /// Why the bank declined the card. Set for card errors only.
    pub decline_code: Option<String>,
    /// The field of the call that caused the error.
    pub param: Option<String>,
    /// A message. For a card error, it is written for the cardholder.
    pub message: Option<String>,
}

impl std::fmt::Display for ApiError {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{} {}", self.status, self.kind)?;
        for part in [&self.code, &self.param, &self.message].into_iter().flatten() {
            write!(formatter, ", {part}")?;
        }
        Ok(())
    }
}

impl Error {
    /// Returns true if the failed call may still have taken effect. Only then is the same idempotency key sent again.
    #[must_use]
    pub fn is_outcome_unknown(&self) -> bool {
        match self {
            Self::Api(api_error) => matches!(api_error.status, 409 | 429 | 500..),
            Self::Unreachable(_) | Self::Unreadable(_) => true,
            Self::Setup(_) => false,
        }
    }

    /// Returns Stripe's error object, if Stripe rejected the call.
    #[must_use]
    pub fn api_error(&self) -> Option<&ApiError> {
        match self {
            Self::Api(api_error) => Some(api_error),
            _ => None,
        }
    }

    /// Returns true if the object that the field `param` names does not exist, or no longer exists.
    #[must_use]
    pub fn is_missing(&self, param: &str) -> bool {
        self.api_error().is_some_and(|api_error| {
            api_error.code.as_deref() == Some("resource_missing") && api_error.param.as_deref() == Some(param)
        })
    }

    /// Returns the message for the cardholder, if the card is the reason.
    #[must_use]
    pub fn card_sentence(&self) -> Option<&str> {
        let api_error = self.api_error().filter(|api_error| api_error.kind == "card_error")?;
        Some(api_error.message.as_deref().unwrap_or("Your card was declined."))
    }

    /// Returns true if a subscription cannot be created because its customer has no default card.
    #[must_use]
    pub fn has_no_payment_method(&self) -> bool {
        // Stripe names no field here, because the missing card is not a field of the call.
        self.api_error().is_some_and(|api_error| {
            api_error.status == 400
                && api_error.code.as_deref() == Some("resource_missing")
                && api_error.param.is_none()
        })
    }

    /// Returns true if a subscription cannot be created because its promotion code or coupon is not valid.
    #[must_use]
    pub fn is_bad_discount(&self) -> bool {
        self.api_error().filter(|api_error| api_error.status == 400).is_some_and(|api_error| {
            // Stripe sends a code for some reasons, names the field for others, and sends only a message for the rest.
            let code = api_error.code.as_deref().unwrap_or_default();
            let param = api_error.param.as_deref().unwrap_or_default();
            let message = api_error.message.as_deref().unwrap_or_default().to_lowercase();
            code.starts_with("coupon_")
                || code.starts_with("promotion_code_")
                || param.starts_with("discounts")
                || message.contains("promotion code")
                || message.contains("coupon")
        })
    }

    /// Returns true if a payment waits for the cardholder to confirm it in a browser.
    #[must_use]
    pub fn needs_authentication(&self) -> bool {
        let code = self.api_error().and_then(|api_error| api_error.code.as_deref());
        matches!(
            code,
            Some(
                "invoice_payment_intent_requires_action" | "authentication_required" | "payment_intent_action_required"
            )
        )
    }

    /// Returns true if an invoice cannot be paid because it is already paid.
    #[must_use]
    pub fn is_already_paid(&self) -> bool {
        // Stripe sends no code for this.
        self.api_error().is_some_and(|api_error| {
            api_error.status == 400
                && api_error.message.as_deref().is_some_and(|message| message.to_lowercase().contains("already paid"))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{ApiError, Error};

    fn refused(status: u16, code: Option<&str>, param: Option<&str>, message: &str) -> Error {
        let owned = |text: Option<&str>| text.map(str::to_owned);
        Error::Api(Box::new(ApiError {
            status,
            kind: "invalid_request_error".to_owned(),
            code: owned(code),
            param: owned(param),
            message: Some(message.to_owned()),
            ..ApiError::default()
        }))
    }

    #[test]
    fn reasons_for_a_rejected_subscription_are_distinguished() {
        let no_card = refused(400, Some("resource_missing"), None, "This customer has no attached payment source");
        assert!(no_card.has_no_payment_method() && !no_card.is_bad_discount());
        let no_customer = refused(400, Some("resource_missing"), Some("customer"), "No such customer: 'cus_1'");
        assert!(!no_customer.has_no_payment_method() && !no_customer.is_bad_discount());
        for bad in [
            refused(400, Some("coupon_expired"), None, "It is over."),
            refused(400, Some("resource_missing"), Some("discounts[0][promotion_code]"), "No such thing"),
            refused(400, None, None, "This promotion code cannot be redeemed."),
        ] {
            assert!(bad.is_bad_discount() && !bad.has_no_payment_method(), "{bad}");
        }
        assert!(!refused(404, None, None, "No such coupon").is_bad_discount());
    }

    #[test]
    fn reasons_for_a_rejected_payment_are_distinguished() {
        let again = refused(400, None, None, "Invoice is already paid");
        assert!(again.is_already_paid() && !again.needs_authentication());
        let asks = refused(402, Some("invoice_payment_intent_requires_action"), None, "More is needed.");
        assert!(asks.needs_authentication() && !asks.is_already_paid());
    }
}
