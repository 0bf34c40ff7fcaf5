//! Subscriptions: create, read, cancel.

use super::part;
use crate::form::Form;
use crate::objects::Subscription;
use crate::{Client, Result};

/// A subscription to create.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewSubscription<'a> {
    /// The customer who pays, `cus_…`.
    pub customer: &'a str,
    /// The price of the plan, `price_…`.
    pub price: &'a str,
    /// The discount, if any.
    pub discount: Option<Discount<'a>>,
    /// When the first payment is due.
    pub first_payment: FirstPayment,
    /// What Stripe's pages show of the subscription: the name of the site, at most 500 characters.
    pub description: Option<&'a str>,
    /// The site that the subscription is for, kept in its metadata.
    pub site_id: &'a str,
    /// The organization that pays, kept in its metadata.
    pub organization_id: &'a str,
}

/// A discount of a subscription.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Discount<'a> {
    /// The id of a promotion code, `promo_…`.
    PromotionCode(&'a str),
    /// The id of a coupon.
    Coupon(&'a str),
}

/// When the first payment of a subscription is due.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FirstPayment {
    /// At once.
    Now,
    /// At the start of the first full period, in Unix seconds, at most one interval of the price ahead. The time until
    /// then is free.
    Anchor(i64),
    /// At the end of a trial, in Unix seconds. The time until then is free.
    TrialEnd(i64),
}

impl Client {
    /// Creates a subscription. Its latest invoice is expanded, with the secret that a browser needs to confirm the
    /// payment. A declined card is not an error: the subscription is then `incomplete`.
    ///
    /// # Errors
    /// See [`crate::Error`], [`crate::Error::has_no_payment_method`] and [`crate::Error::is_bad_discount`].
    pub async fn create_subscription(&self, new: &NewSubscription<'_>, key: &str) -> Result<Subscription> {
        let form = Form::new().with("customer", new.customer).with("items[0][price]", new.price);
        let form = match new.discount {
            None => form,
            Some(Discount::PromotionCode(id)) => form.with("discounts[0][promotion_code]", id),
            Some(Discount::Coupon(id)) => form.with("discounts[0][coupon]", id),
        };
        let form = match new.first_payment {
            FirstPayment::Now => form,
            FirstPayment::Anchor(at) => {
                form.with("billing_cycle_anchor", at.to_string()).with("proration_behavior", "none")
            }
            FirstPayment::TrialEnd(at) => form.with("trial_end", at.to_string()),
        };
        let form = match new.description {
            Some(description) => form.with("description", description),
            None => form,
        };
        let form = form
            .with("payment_behavior", "allow_incomplete")
            .with("metadata[site_id]", new.site_id)
            .with("metadata[organization_id]", new.organization_id)
            .with("expand[]", "latest_invoice.confirmation_secret");
        self.post("/v1/subscriptions", &form, Some(key)).await
    }

    /// Reads a subscription with its latest invoice.
    ///
    /// # Errors
    /// See [`crate::Error`]. `resource_missing` at `id` if there is no such subscription.
    pub async fn subscription(&self, id: &str) -> Result<Subscription> {
        let query = Form::new().with("expand[]", "latest_invoice");
        self.get(&format!("/v1/subscriptions/{}", part(id, "id")?), &query).await
    }

    /// Lists all subscriptions of a customer, including canceled ones, the newest first. Their latest invoices are
    /// expanded.
    ///
    /// # Errors
    /// See [`crate::Error`]. `resource_missing` at `customer` if the customer no longer exists.
    pub async fn subscriptions(&self, customer: &str) -> Result<Vec<Subscription>> {
        let query = Form::new().with("customer", customer).with("status", "all");
        self.all("/v1/subscriptions", &query.with("expand[]", "data.latest_invoice")).await
    }

    /// Cancels a subscription at once, without a refund.
    ///
    /// # Errors
    /// See [`crate::Error`]. `resource_missing` at `id` if it has already ended or never existed.
    pub async fn cancel_subscription(&self, id: &str) -> Result<Subscription> {
        let form = Form::new().with("prorate", "false").with("invoice_now", "false");
        self.delete(&format!("/v1/subscriptions/{}", part(id, "id")?), &form).await
    }
}
