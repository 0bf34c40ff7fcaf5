//! The Stripe operations that Berth uses (guide payments 1.4). With an idempotency `key`, a change happens once.

mod catalog;
mod events;
mod invoices;
mod subscriptions;

use serde::de::DeserializeOwned;

use crate::form::Form;
use crate::objects::{Identified, List};
use crate::{ApiError, Client, Customer, Error, PaymentMethod, PortalSession, Result, SetupIntent};
pub use subscriptions::{Discount, FirstPayment, NewSubscription};

/// Rows in a page of a list, the most that Stripe allows.
const PAGE: &str = "100";

/// A customer to create.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewCustomer<'a> {
    /// The email address for receipts.
    pub email: &'a str,
    /// The organization's name.
    pub name: &'a str,
    /// The id of the organization, kept in the customer's metadata.
    pub organization_id: &'a str,
}

/// Checks that an id can be a part of a path. An id that cannot be one of Stripe's is rejected here and not sent.
fn part<'a>(id: &'a str, param: &str) -> Result<&'a str> {
    let is_plain =
        !id.is_empty() && id.len() <= 255 && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if is_plain {
        return Ok(id);
    }
    Err(Error::Api(Box::new(ApiError {
        status: 404,
        kind: "invalid_request_error".to_owned(),
        code: Some("resource_missing".to_owned()),
        param: Some(param.to_owned()),
        ..ApiError::default()
    })))
}

impl Client {
    /// Creates a customer.
    pub async fn create_customer(&self, new: &NewCustomer<'_>, key: &str) -> Result<Customer> {
        let form = Form::new()
            .with("email", new.email)
            .with("name", new.name)
            .with("metadata[organization_id]", new.organization_id);
        self.post("/v1/customers", &form, Some(key)).await
    }

    /// Reads a customer. A deleted customer has `deleted` set.
    pub async fn customer(&self, id: &str) -> Result<Customer> {
        self.get(&format!("/v1/customers/{}", part(id, "id")?), &Form::new()).await
    }

    /// Makes a payment method the customer's default for invoices. A subscription never has one of its own (guide
    /// payments 1.5).
    ///
    /// # Errors
    /// See [`Error`]. `resource_missing` if the payment method is not the customer's.
    pub async fn set_default_payment_method(&self, id: &str, payment_method: &str) -> Result<Customer> {
        let form = Form::new().with("invoice_settings[default_payment_method]", payment_method);
        self.post(&format!("/v1/customers/{}", part(id, "id")?), &form, None).await
    }

    /// Deletes a customer with all saved cards.
    pub async fn delete_customer(&self, id: &str) -> Result<Customer> {
        self.delete(&format!("/v1/customers/{}", part(id, "id")?), &Form::new()).await
    }

    /// Lists all cards of a customer, the newest first.
    ///
    /// # Errors
    /// See [`Error`]. `resource_missing` if the customer no longer exists.
    pub async fn cards(&self, customer: &str) -> Result<Vec<PaymentMethod>> {
        let path = format!("/v1/customers/{}/payment_methods", part(customer, "customer")?);
        self.all(&path, &Form::new().with("type", "card")).await
    }

    /// Reads a payment method.
    pub async fn payment_method(&self, id: &str) -> Result<PaymentMethod> {
        self.get(&format!("/v1/payment_methods/{}", part(id, "payment_method")?), &Form::new()).await
    }

    /// Attaches a payment method to a customer.
    ///
    /// # Errors
    /// See [`Error`]. A card error if the bank declines.
    pub async fn attach(&self, id: &str, customer: &str, key: &str) -> Result<PaymentMethod> {
        let path = format!("/v1/payment_methods/{}/attach", part(id, "payment_method")?);
        self.post(&path, &Form::new().with("customer", customer), Some(key)).await
    }

    /// Detaches a payment method from its customer for good.
    ///
    /// # Errors
    /// See [`Error`]. An invalid request if the payment method is not attached to a customer.
    pub async fn detach(&self, id: &str) -> Result<PaymentMethod> {
        let path = format!("/v1/payment_methods/{}/detach", part(id, "payment_method")?);
        self.post(&path, &Form::new(), None).await
    }

    /// Starts to save a card for later payments.
    pub async fn create_setup_intent(&self, customer: &str) -> Result<SetupIntent> {
        let form =
            Form::new().with("customer", customer).with("usage", "off_session").with("payment_method_types[]", "card");
        self.post("/v1/setup_intents", &form, None).await
    }

    /// Opens a session of Stripe's customer portal.
    pub async fn open_portal(&self, customer: &str, return_url: &str) -> Result<PortalSession> {
        let form = Form::new().with("customer", customer).with("return_url", return_url);
        self.post("/v1/billing_portal/sessions", &form, None).await
    }

    /// Reads all pages of a list, the newest row first.
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
