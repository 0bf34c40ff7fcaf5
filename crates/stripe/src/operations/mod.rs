//! The operations that Berth asks of Stripe (guide payments 1.4). A `key` makes a change happen once.

mod catalog;
mod events;
mod invoices;
mod subscriptions;

use serde::de::DeserializeOwned;

use crate::form::Form;
use crate::objects::{Identified, List};
use crate::{Client, Customer, Error, PaymentMethod, PortalSession, Refusal, Result, SetupIntent};
pub use subscriptions::{Discount, FirstPayment, NewSubscription};

/// How many rows of a list come at once; Stripe gives no more.
const PAGE: &str = "100";

/// A customer to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewCustomer<'a> {
    /// Where receipts go.
    pub email: &'a str,
    /// The organization's name.
    pub name: &'a str,
    /// The organization, for our notes on the customer.
    pub organization_id: &'a str,
}

/// An id as a part of an address. One that cannot be Stripe's is not sent.
fn part<'a>(id: &'a str, param: &str) -> Result<&'a str> {
    let is_plain =
        !id.is_empty() && id.len() <= 255 && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if is_plain {
        return Ok(id);
    }
    Err(Error::Refused(Box::new(Refusal {
        status: 404,
        kind: "invalid_request_error".to_owned(),
        code: Some("resource_missing".to_owned()),
        param: Some(param.to_owned()),
        ..Refusal::default()
    })))
}

impl Client {
    /// Makes a customer.
    ///
    /// # Errors
    /// As [`Error`] tells.
    pub async fn create_customer(&self, new: &NewCustomer<'_>, key: &str) -> Result<Customer> {
        let form = Form::new()
            .with("email", new.email)
            .with("name", new.name)
            .with("metadata[organization_id]", new.organization_id);
        self.post("/v1/customers", &form, Some(key)).await
    }

    /// Reads a customer; a deleted one says so.
    ///
    /// # Errors
    /// As [`Error`] tells.
    pub async fn customer(&self, id: &str) -> Result<Customer> {
        self.get(&format!("/v1/customers/{}", part(id, "id")?), &Form::new()).await
    }

    /// Makes a payment method the one that the customer pays invoices with. Never that of a subscription (guide 1.5).
    ///
    /// # Errors
    /// As [`Error`] tells; `resource_missing` when it is not the customer's.
    pub async fn set_default_payment_method(&self, id: &str, payment_method: &str) -> Result<Customer> {
        let form = Form::new().with("invoice_settings[default_payment_method]", payment_method);
        self.post(&format!("/v1/customers/{}", part(id, "id")?), &form, None).await
    }

    /// Deletes a customer with all that is saved of it.
    ///
    /// # Errors
    /// As [`Error`] tells.
    pub async fn delete_customer(&self, id: &str) -> Result<Customer> {
        self.delete(&format!("/v1/customers/{}", part(id, "id")?), &Form::new()).await
    }

    /// All cards of a customer, the newest first.
    ///
    /// # Errors
    /// As [`Error`] tells; `resource_missing` when the customer is not there any more.
    pub async fn cards(&self, customer: &str) -> Result<Vec<PaymentMethod>> {
        let path = format!("/v1/customers/{}/payment_methods", part(customer, "customer")?);
        self.all(&path, &Form::new().with("type", "card")).await
    }

    /// Reads a payment method.
    ///
    /// # Errors
    /// As [`Error`] tells.
    pub async fn payment_method(&self, id: &str) -> Result<PaymentMethod> {
        self.get(&format!("/v1/payment_methods/{}", part(id, "payment_method")?), &Form::new()).await
    }

    /// Gives a payment method to a customer.
    ///
    /// # Errors
    /// As [`Error`] tells; a card error when the bank declines.
    pub async fn attach(&self, id: &str, customer: &str, key: &str) -> Result<PaymentMethod> {
        let path = format!("/v1/payment_methods/{}/attach", part(id, "payment_method")?);
        self.post(&path, &Form::new().with("customer", customer), Some(key)).await
    }

    /// Takes a payment method from its customer for good.
    ///
    /// # Errors
    /// As [`Error`] tells; an invalid request when it is attached to nobody.
    pub async fn detach(&self, id: &str) -> Result<PaymentMethod> {
        let path = format!("/v1/payment_methods/{}/detach", part(id, "payment_method")?);
        self.post(&path, &Form::new(), None).await
    }

    /// Begins to save a card for later payments.
    ///
    /// # Errors
    /// As [`Error`] tells.
    pub async fn create_setup_intent(&self, customer: &str) -> Result<SetupIntent> {
        let form =
            Form::new().with("customer", customer).with("usage", "off_session").with("payment_method_types[]", "card");
        self.post("/v1/setup_intents", &form, None).await
    }

    /// Opens Stripe's own page of a customer.
    ///
    /// # Errors
    /// As [`Error`] tells.
    pub async fn open_portal(&self, customer: &str, return_url: &str) -> Result<PortalSession> {
        let form = Form::new().with("customer", customer).with("return_url", return_url);
        self.post("/v1/billing_portal/sessions", &form, None).await
    }

    /// Lists all rows of a list, the newest first.
    async fn all<T>(&self, path: &str, query: &Form) -> Result<Vec<T>>
    where
        T: Identified + DeserializeOwned,
    {
        let mut rows: Vec<T> = Vec::new();
        loop {
            let after = rows.last().map(T::id);
            let page = query.clone().with("limit", PAGE).maybe("starting_after", after);
            let page: List<T> = self.get(path, &page).await?;
            let is_last = !page.has_more || page.data.is_empty();
            rows.extend(page.data);
            if is_last {
                return Ok(rows);
            }
        }
    }
}
