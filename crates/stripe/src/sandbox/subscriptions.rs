//! Subscriptions: create, read, change, cancel.

use serde_json::{Value, json};

use super::invoices::{self, Attempt, Outcome, Period};
use super::rejection::Rejection;
use super::serve::Call;
use super::state::{self, State, id_of, text};
use super::{clock, coupons, customers, list, payment_methods};

pub(super) const KIND: &str = "subscription";
const UPDATED: &str = "customer.subscription.updated";
/// The longest trial, in seconds.
const MAX_TRIAL: i64 = 730 * 24 * 60 * 60;

/// The checked fields of a new subscription.
struct New {
    customer: String,
    price: Value,
    discounts: Vec<(Value, Value)>,
    description: Option<String>,
    metadata: Value,
    method: Option<String>,
    /// The end of a trial.
    trial_end: Option<i64>,
    /// The start of the first full period.
    anchor: Option<i64>,
    is_on_session: bool,
    is_attempted: bool,
    on_missing_card: String,
    cancels_at_end: bool,
}

pub(super) fn create(state: &mut State, call: &mut Call) -> Result<Value, Rejection> {
    create_as(state, call, &state::id("sub"))
}

/// Creates a subscription with an id that is known beforehand.
pub(super) fn create_as(state: &mut State, call: &mut Call, id: &str) -> Result<Value, Rejection> {
    let new = read(state, call)?;
    let now = state.now();
    let recurring = new.price["recurring"].clone();
    let (interval, count) = (text(&recurring["interval"]), recurring["interval_count"].as_i64().unwrap_or(1));
    let anchor = new.trial_end.or(new.anchor).unwrap_or(now);
    let end = clock::period_end(anchor, &interval, count, now);
    let is_free = new.trial_end.is_some() || new.anchor.is_some();
    let subscription = object(id, &new, (now, end), anchor);
    // A card must be there before anything is written, unless nothing is to be paid.
    let amount = if is_free { 0 } else { price_after(&new) };
    if amount > 0 && new.is_attempted && invoices::method_of(state, &subscription).is_none() {
        let sentence = "This customer has no attached payment source or default payment method. Please consider adding \
            a default payment method.";
        return Err(Rejection::invalid(sentence).code("resource_missing"));
    }
    state.add(subscription);
    let ids: Vec<Value> = new
        .discounts
        .iter()
        .map(|(coupon, code)| coupons::redeem(state, coupon, code, id, &new.customer)["id"].clone())
        .collect();
    let subscription = state.set(KIND, id, &[("discounts", ids.into())]);
    let invoice = invoices::create(state, &subscription, "subscription_create", Period { start: now, end, is_free });
    let invoice_id = id_of(&invoice);
    invoices::finalize(state, &invoice_id);
    let attempt = if new.is_on_session { Attempt::OnSession } else { Attempt::OffSession };
    let is_paid = invoices::is_paid(state, &invoice_id)
        || (new.is_attempted && matches!(invoices::collect(state, &invoice_id, None, attempt), Outcome::Paid));
    let status = match (is_paid, new.trial_end) {
        (false, _) => "incomplete",
        (true, Some(_)) => "trialing",
        (true, None) => "active",
    };
    let subscription = state.set(KIND, id, &[("status", status.into()), ("latest_invoice", invoice["id"].clone())]);
    state.emit("customer.subscription.created", &subscription);
    Ok(subscription)
}

/// Reads and checks the fields of a new subscription. The state is not changed.
fn read(state: &State, call: &mut Call) -> Result<New, Rejection> {
    let parameters = &mut call.parameters;
    let customer = parameters.required("customer")?;
    customers::find(state, &customer, "customer")?;
    let mut items = parameters.many("items")?;
    if items.len() != 1 {
        return Err(Rejection::invalid("In the sandbox, a subscription has one item.").param("items"));
    }
    let mut item = items.remove(0);
    let price_id = item.required("price")?;
    item.done("items[0]")?;
    let price =
        state.one("price", &price_id, "price", "items[0][price]").map_err(|rejection| rejection.with_status(400))?;
    if price["active"] != true {
        let sentence = "The price specified is inactive. This field only accepts active prices.";
        return Err(Rejection::invalid(sentence).param("items[0][price]"));
    }
    if price["recurring"].is_null() {
        let sentence = "The price specified is set to `type=one_time` but this field only accepts prices with \
            `type=recurring`.";
        return Err(Rejection::invalid(sentence).param("items[0][price]"));
    }
    let method = parameters.text("default_payment_method")?;
    let behavior = parameters.text("payment_behavior")?.unwrap_or_else(|| "allow_incomplete".to_owned());
    let is_attempted = match behavior.as_str() {
        "allow_incomplete" => true,
        "default_incomplete" => false,
        _ => {
            return Err(
                Rejection::invalid("The sandbox does not know this payment_behavior.").param("payment_behavior")
            );
        }
    };
    let description = parameters.text("description")?;
    let trial_end = parameters.integer("trial_end")?;
    let anchor = parameters.integer("billing_cycle_anchor")?;
    let proration = parameters.text("proration_behavior")?;
    let new = New {
        discounts: coupons::read(state, parameters, &customer)?,
        metadata: parameters.metadata(&Value::Null)?,
        is_on_session: !parameters.flag("off_session")?,
        cancels_at_end: parameters.flag("cancel_at_period_end")?,
        on_missing_card: on_missing_card(parameters)?,
        description,
        customer,
        price,
        method,
        trial_end,
        anchor,
        is_attempted,
    };
    std::mem::take(parameters).done("")?;
    check_times(state, &new, proration.as_deref())?;
    if let Some(method) = &new.method {
        let is_theirs = payment_methods::of(state, &new.customer).iter().any(|row| row["id"] == method.as_str());
        if !is_theirs {
            return Err(Rejection::missing("PaymentMethod", method, "default_payment_method").with_status(400));
        }
    }
    Ok(new)
}

/// Reads what happens if there is no card when a trial ends.
fn on_missing_card(parameters: &mut super::parameters::Parameters) -> Result<String, Rejection> {
    let invoice = "create_invoice".to_owned();
    let Some(mut settings) = parameters.inner("trial_settings")? else { return Ok(invoice) };
    let Some(mut end) = settings.inner("end_behavior")? else { return Ok(invoice) };
    let wish = end.required("missing_payment_method")?;
    end.done("trial_settings[end_behavior]")?;
    settings.done("trial_settings")?;
    Ok(wish)
}

/// Rejects times that Stripe does not accept.
fn check_times(state: &State, new: &New, proration: Option<&str>) -> Result<(), Rejection> {
    let now = state.now();
    if let Some(at) = new.trial_end {
        let wrong = if at <= now {
            Some("Invalid timestamp: must be an integer Unix timestamp in the future.")
        } else {
            (at > now + MAX_TRIAL).then_some("Invalid timestamp: can be no more than two years in the future.")
        };
        if let Some(sentence) = wrong {
            return Err(Rejection::invalid(sentence).param("trial_end"));
        }
    }
    let Some(at) = new.anchor else { return Ok(()) };
    let recurring = &new.price["recurring"];
    let (interval, count) = (text(&recurring["interval"]), recurring["interval_count"].as_i64().unwrap_or(1));
    let wrong = if at <= now {
        Some("Invalid timestamp: must be an integer Unix timestamp in the future.")
    } else if at > clock::period_end(now, &interval, count, now) {
        Some("billing_cycle_anchor cannot be later than next natural billing date for the price.")
    } else {
        None
    };
    if let Some(sentence) = wrong {
        return Err(Rejection::invalid(sentence).param("billing_cycle_anchor"));
    }
    if proration != Some("none") {
        let sentence = "In the sandbox, billing_cycle_anchor needs proration_behavior=none.";
        return Err(Rejection::invalid(sentence).param("proration_behavior"));
    }
    Ok(())
}

/// Returns the price of the first period in cents, or 0 if a discount covers all of it. Smaller discounts are ignored.
fn price_after(new: &New) -> i64 {
    let mut left = new.price["unit_amount"].as_i64().unwrap_or_default();
    for (coupon, _) in &new.discounts {
        let is_all = coupon["percent_off"].as_f64() == Some(100.0) || coupon["amount_off"].as_i64() >= Some(left);
        left = if is_all { 0 } else { left };
    }
    left
}

fn object(id: &str, new: &New, period: (i64, i64), anchor: i64) -> Value {
    let (now, end) = period;
    let item = json!({
        "id": state::id("si"), "object": "subscription_item", "billing_thresholds": null, "created": now,
        "current_period_end": end, "current_period_start": now, "discounts": [], "metadata": {}, "price": new.price,
        "quantity": 1, "subscription": id, "tax_rates": [],
    });
    json!({
        "id": id, "object": KIND, "application": null, "application_fee_percent": null,
        "automatic_tax": {"disabled_reason": null, "enabled": false, "liability": null},
        "billing_cycle_anchor": anchor, "billing_cycle_anchor_config": null,
        "billing_mode": {"type": "flexible", "flexible": null}, "billing_schedules": [], "billing_thresholds": null,
        "cancel_at": new.cancels_at_end.then_some(end), "cancel_at_period_end": new.cancels_at_end,
        "canceled_at": new.cancels_at_end.then_some(now),
        "cancellation_details": {"comment": null, "feedback": null, "reason": null},
        "collection_method": "charge_automatically", "created": now, "currency": "usd", "customer": new.customer,
        "customer_account": null, "days_until_due": null, "default_payment_method": new.method,
        "default_source": null, "default_tax_rates": [], "description": new.description, "discounts": [], "ended_at": null,
        "invoice_settings": {"account_tax_ids": null, "issuer": {"type": "self"}},
        "items": {
            "object": "list", "data": [item], "has_more": false, "url": format!("/v1/subscription_items?subscription={id}"),
        },
        "latest_invoice": null, "livemode": false, "metadata": new.metadata,
        "next_pending_invoice_item_invoice": null, "on_behalf_of": null, "pause_collection": null,
        "payment_settings": {
            "payment_method_options": null, "payment_method_types": null, "save_default_payment_method": "off",
        },
        "pending_invoice_item_interval": null, "pending_setup_intent": null, "pending_update": null, "schedule": null,
        "start_date": now, "status": "incomplete", "test_clock": null, "transfer_data": null,
        "trial_end": new.trial_end,
        "trial_settings": {"end_behavior": {"missing_payment_method": new.on_missing_card}},
        "trial_start": new.trial_end.map(|_| now),
    })
}

pub(super) fn get(state: &mut State, call: &mut Call) -> Result<Value, Rejection> {
    state.one(KIND, call.id(), KIND, "id")
}

pub(super) fn all(state: &mut State, call: &mut Call) -> Result<Value, Rejection> {
    let (customer, status) = (call.parameters.text("customer")?, call.parameters.text("status")?);
    let price = call.parameters.text("price")?;
    if let Some(customer) = &customer {
        // Like Stripe, rejects the list of a customer that does not exist.
        customers::find(state, customer, "customer").map_err(|rejection| rejection.with_status(400))?;
    }
    let has_status = |row: &Value| match status.as_deref() {
        None => row["status"] != "canceled",
        Some("all") => true,
        Some("ended") => matches!(row["status"].as_str(), Some("canceled" | "incomplete_expired")),
        Some(status) => row["status"] == status,
    };
    let rows: Vec<Value> = state
        .all(KIND)
        .filter(|row| has_status(row))
        .filter(|row| customer.as_deref().is_none_or(|customer| row["customer"] == customer))
        .filter(|row| price.as_deref().is_none_or(|price| row["items"]["data"][0]["price"]["id"] == price))
        .cloned()
        .collect();
    list::page(&rows, &mut call.parameters, "/v1/subscriptions")
}

/// Returns a subscription that has not ended. Like Stripe, answers as if one that has ended did not exist.
fn live(state: &State, id: &str) -> Result<Value, Rejection> {
    let subscription = state.one(KIND, id, KIND, "id")?;
    if is_over(&subscription) { Err(Rejection::missing(KIND, id, "id")) } else { Ok(subscription) }
}

pub(super) fn is_over(subscription: &Value) -> bool {
    matches!(subscription["status"].as_str(), Some("canceled" | "incomplete_expired"))
}

/// Changes only `cancel_at_period_end` and `metadata`, as the portal and the operator's dashboard do.
pub(super) fn update(state: &mut State, call: &mut Call) -> Result<Value, Rejection> {
    let subscription = live(state, call.id())?;
    let metadata = call.parameters.metadata(&subscription["metadata"])?;
    let ends = call.parameters.maybe_flag("cancel_at_period_end")?;
    std::mem::take(&mut call.parameters).done("")?;
    let mut fields = vec![("metadata", metadata)];
    if let Some(ends) = ends {
        let end = &subscription["items"]["data"][0]["current_period_end"];
        fields.push(("cancel_at_period_end", ends.into()));
        fields.push(("cancel_at", if ends { end.clone() } else { Value::Null }));
        fields.push(("canceled_at", if ends { state.now().into() } else { Value::Null }));
    }
    Ok(state.change(KIND, call.id(), &fields, UPDATED))
}

pub(super) fn cancel(state: &mut State, call: &mut Call) -> Result<Value, Rejection> {
    live(state, call.id())?;
    let (prorate, invoice) = (call.parameters.flag("prorate")?, call.parameters.flag("invoice_now")?);
    std::mem::take(&mut call.parameters).done("")?;
    if prorate || invoice {
        return Err(Rejection::invalid("The sandbox does not prorate.").param("prorate"));
    }
    Ok(end(state, call.id(), "cancellation_requested"))
}

/// Cancels a subscription now. Its open invoices are no longer charged.
pub(super) fn end(state: &mut State, id: &str, reason: &str) -> Value {
    let now = state.now();
    let subscription = state.set(
        KIND,
        id,
        &[
            ("status", "canceled".into()),
            ("canceled_at", now.into()),
            ("ended_at", now.into()),
            ("cancellation_details", json!({"comment": null, "feedback": null, "reason": reason})),
        ],
    );
    invoices::stop(state, id);
    state.emit("customer.subscription.deleted", &subscription);
    subscription
}

/// Cancels all subscriptions of a customer.
pub(super) fn end_all(state: &mut State, customer: &str) {
    let theirs = state.all(KIND).filter(|row| row["customer"] == customer && !is_over(row));
    for id in theirs.map(id_of).collect::<Vec<_>>() {
        end(state, &id, "cancellation_requested");
    }
}

/// Changes the status of a subscription.
pub(super) fn set_status(state: &mut State, id: &str, status: &str) {
    state.change(KIND, id, &[("status", status.into())], UPDATED);
}

/// Activates a subscription whose latest invoice was paid.
pub(super) fn paid(state: &mut State, id: &str, invoice: &str) {
    let Some(subscription) = state.find(KIND, id) else { return };
    let waits = matches!(subscription["status"].as_str(), Some("incomplete" | "past_due" | "unpaid"));
    if waits && subscription["latest_invoice"] == invoice {
        set_status(state, id, "active");
    }
}

/// Starts the next period of a subscription whose current period has ended.
pub(super) fn renew(state: &mut State, id: &str) {
    let Some(subscription) = state.find(KIND, id).cloned() else { return };
    if subscription["cancel_at_period_end"] == true {
        end(state, id, "cancellation_requested");
        return;
    }
    let trial_is_over = subscription["status"] == "trialing";
    if trial_is_over && invoices::method_of(state, &subscription).is_none() {
        match subscription["trial_settings"]["end_behavior"]["missing_payment_method"].as_str() {
            Some("pause") => {
                let paused = state.set(KIND, id, &[("status", "paused".into())]);
                state.emit("customer.subscription.paused", &paused);
                return;
            }
            Some("cancel") => {
                end(state, id, "payment_failed");
                return;
            }
            _ => {}
        }
    }
    let mut items = subscription["items"].clone();
    let item = &mut items["data"][0];
    let start = item["current_period_end"].as_i64().unwrap_or_default();
    let recurring = &item["price"]["recurring"];
    let (interval, count) = (text(&recurring["interval"]), recurring["interval_count"].as_i64().unwrap_or(1));
    let anchor = subscription["billing_cycle_anchor"].as_i64().unwrap_or(start);
    let end = clock::period_end(anchor, &interval, count, start);
    item["current_period_start"] = start.into();
    item["current_period_end"] = end.into();
    let status = if trial_is_over { "active".into() } else { subscription["status"].clone() };
    let renewed = state.set(KIND, id, &[("items", items.clone()), ("status", status.clone())]);
    let period = Period { start, end, is_free: false };
    let invoice = invoices::create(state, &renewed, "subscription_cycle", period);
    invoices::schedule(state, &id_of(&invoice), status != "unpaid");
    // Put the old values back and change everything at once, so that there is one event.
    let before = [("items", subscription["items"].clone()), ("status", subscription["status"].clone())];
    state.set(KIND, id, &before);
    let after = [("items", items), ("status", status), ("latest_invoice", invoice["id"].clone())];
    state.change(KIND, id, &after, UPDATED);
}
