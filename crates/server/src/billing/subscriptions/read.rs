//! Converts Stripe's subscriptions to the data that we store.

use berth_domain::subscription::SubscriptionStatus;
use berth_stripe::Expandable;
use berth_stripe::Subscription;

use super::moment;
use super::rows::Read;

impl From<&Subscription> for Read {
    /// Converts a subscription with an expanded latest invoice. Without the invoice, it counts as not paid.
    fn from(subscription: &Subscription) -> Self {
        let item = subscription.item();
        Self {
            stripe_id: subscription.id.clone(),
            customer: subscription.customer.clone(),
            status: SubscriptionStatus::from_stripe(subscription.status.as_str()),
            price: item.map(|item| item.price.id.clone()),
            duration_months: item.and_then(|item| item.price.months()),
            current_period_end: subscription.current_period_end().map(moment),
            is_invoice_paid: subscription.expanded_invoice().is_some_and(berth_stripe::Invoice::is_paid),
            latest_invoice: subscription.latest_invoice.as_ref().map(Expandable::id).map(str::to_owned),
        }
    }
}

/// Returns the secret with which the browser lets the cardholder confirm the first or an overdue payment at the bank.
/// An open invoice has one even if the card was declined.
pub(super) fn client_secret(subscription: &Subscription) -> Option<String> {
    use secrecy::ExposeSecret;
    let invoice = subscription.expanded_invoice().filter(|invoice| !invoice.is_paid())?;
    Some(invoice.confirmation_secret.as_ref()?.client_secret.expose_secret().to_owned())
}
