//! Invoices and charges.

use super::part;
use crate::form::Form;
use crate::objects::{Charge, Invoice};
use crate::{Client, Result};

impl Client {
    /// Previews the next invoice of a subscription.
    ///
    /// # Errors
    /// See [`crate::Error`]. 404 with the code `invoice_upcoming_none` if there will be no further invoice.
    pub async fn preview_invoice(&self, subscription: &str) -> Result<Invoice> {
        self.post("/v1/invoices/create_preview", &Form::new().with("subscription", subscription), None).await
    }

    /// Lists all invoices of a subscription with their payments, the newest first, including drafts.
    pub async fn invoices(&self, subscription: &str) -> Result<Vec<Invoice>> {
        let query = Form::new().with("subscription", subscription).with("expand[]", "data.payments");
        self.all("/v1/invoices", &query).await
    }

    /// Reads an invoice with its payments and the secret that a browser needs to confirm its payment.
    ///
    /// # Errors
    /// See [`crate::Error`]. `resource_missing` at `invoice` if there is no such invoice.
    pub async fn invoice(&self, id: &str) -> Result<Invoice> {
        let query = Form::new().with("expand[]", "payments").with("expand[]", "confirmation_secret");
        self.get(&format!("/v1/invoices/{}", part(id, "invoice")?), &query).await
    }

    /// Pays an open invoice with the default card of its customer. The payer is at the screen, so the bank may ask for
    /// a confirmation.
    ///
    /// # Errors
    /// See [`crate::Error`], [`crate::Error::card_sentence`], [`crate::Error::needs_authentication`] and
    /// [`crate::Error::is_already_paid`].
    pub async fn pay_invoice(&self, id: &str, key: &str) -> Result<Invoice> {
        let form = Form::new().with("off_session", "false");
        self.post(&format!("/v1/invoices/{}/pay", part(id, "invoice")?), &form, Some(key)).await
    }

    /// Lists all charges of a customer, including failed ones, the newest first.
    pub async fn charges(&self, customer: &str) -> Result<Vec<Charge>> {
        self.all("/v1/charges", &Form::new().with("customer", customer)).await
    }
}
