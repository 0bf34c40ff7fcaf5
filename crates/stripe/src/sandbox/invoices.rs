//! Invoices: drafted for a period, finalized, paid.

use serde_json::{Value, json};

use super::payment_intents::{self, Charged};
use super::portal::MOUNT;
use super::rejection::Rejection;
use super::serve::Call;
use super::state::{self, State, id_of, text};
use super::{clock, coupons, list, subscriptions};

pub(super) const KIND: &str = "invoice";
const HOUR: i64 = 60 * 60;
/// Days from a failed attempt to the next one. After the last, Stripe gives up.
const RETRY_DAYS: [i64; 3] = [3, 5, 7];

/// The period that an invoice is for.
#[derive(Clone, Copy)]
pub(super) struct Period {
    pub(super) start: i64,
    pub(super) end: i64,
    /// True for a trial, and for the time until the anchor.
    pub(super) is_free: bool,
}

/// An attempt to charge a card, with or without the cardholder at the screen.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Attempt {
    OnSession,
    OffSession,
}

/// The result of an attempt to collect an invoice.
pub(super) enum Outcome {
    Paid,
    Declined(Rejection),
    NeedsAction,
    NoMethod,
}

/// Returns the payment method of a subscription: its own, or the customer's default.
pub(super) fn method_of(state: &State, subscription: &Value) -> Option<String> {
    let own = subscription["default_payment_method"].as_str();
    let of_customer = || {
        let customer = state.find("customer", subscription["customer"].as_str()?)?;
        customer["invoice_settings"]["default_payment_method"].as_str()
    };
    own.or_else(of_customer).map(str::to_owned)
}

/// Creates a draft invoice, and drops the discounts that it uses up.
pub(super) fn create(state: &mut State, subscription: &Value, reason: &str, period: Period) -> Value {
    let id = state::id("in");
    let invoice = draft(state, subscription, &id, reason, period);
    state.add(invoice.clone());
    state.emit("invoice.created", &invoice);
    if invoice["subtotal"].as_i64() > Some(0) {
        let left = coupons::left(state, &subscription["discounts"]);
        state.set(subscriptions::KIND, &id_of(subscription), &[("discounts", left)]);
    }
    invoice
}

/// Creates a draft invoice in Stripe's format. The state is not changed.
fn draft(state: &State, subscription: &Value, id: &str, reason: &str, period: Period) -> Value {
    let now = state.now();
    let item = &subscription["items"]["data"][0];
    let price = &item["price"];
    let amount = if period.is_free { 0 } else { price["unit_amount"].as_i64().unwrap_or_default() };
    let off = coupons::amounts(state, &subscription["discounts"], amount, period.start);
    let discounts: Vec<Value> = off.iter().map(|(id, _)| id.as_str().into()).collect();
    let off_amounts: Vec<Value> = off.iter().map(|(id, cents)| json!({"discount": id, "amount": cents})).collect();
    let total = amount - off.iter().map(|(_, cents)| cents).sum::<i64>();
    let product = price["product"].as_str().and_then(|id| state.find("product", id));
    let name = product.map(|product| text(&product["name"])).unwrap_or_default();
    let interval = text(&price["recurring"]["interval"]);
    let description = if period.is_free {
        format!("Free time for 1 × {name}")
    } else {
        format!("1 × {name} (at {} / {interval})", dollars(amount))
    };
    let customer = state.find("customer", subscription["customer"].as_str().unwrap_or_default());
    let of_customer = |name: &str| customer.map(|customer| customer[name].clone()).unwrap_or_default();
    let line = json!({
        "id": state::id("il"), "object": "line_item", "amount": amount, "currency": "usd", "description": description,
        "discount_amounts": off_amounts, "discountable": true, "discounts": [], "invoice": id, "livemode": false,
        "metadata": subscription["metadata"],
        "parent": {
            "invoice_item_details": null, "type": "subscription_item_details",
            "subscription_item_details": {
                "invoice_item": null, "proration": false, "proration_details": null, "subscription": subscription["id"],
                "subscription_item": item["id"],
            },
        },
        "period": {"start": period.start, "end": period.end}, "pretax_credit_amounts": [],
        "pricing": {
            "price_details": {"price": price["id"], "product": price["product"]}, "type": "price_details",
            "unit_amount_decimal": amount.to_string(),
        },
        "quantity": 1, "subscription": subscription["id"], "subtotal": amount, "taxes": [],
    });
    let mut invoice = blank();
    let fields = json!({
        "id": id, "amount_due": total, "amount_remaining": total, "billing_reason": reason, "created": now,
        "customer": subscription["customer"], "customer_email": of_customer("email"),
        "customer_name": of_customer("name"), "discounts": discounts,
        "lines": {"object": "list", "data": [line], "has_more": false, "url": format!("/v1/invoices/{id}/lines")},
        "parent": {
            "quote_details": null, "type": "subscription_details",
            "subscription_details": {"metadata": subscription["metadata"], "subscription": subscription["id"]},
        },
        "period_end": now, "period_start": now, "subtotal": amount, "subtotal_excluding_tax": amount, "total": total,
        "total_discount_amounts": off_amounts, "total_excluding_tax": total,
    });
    for (name, value) in fields.as_object().into_iter().flatten() {
        invoice[name] = value.clone();
    }
    invoice
}

/// Returns the fields that are the same in all drafts.
fn blank() -> Value {
    json!({
        "object": KIND, "account_country": "US", "account_name": "Berth sandbox", "account_tax_ids": null,
        "amount_overpaid": 0, "amount_paid": 0, "amount_paid_off_stripe": 0, "amount_shipping": 0, "application": null,
        "attempt_count": 0, "attempted": false, "auto_advance": false,
        "automatic_tax": {"disabled_reason": null, "enabled": false, "liability": null, "provider": null, "status": null},
        "automatically_finalizes_at": null, "collection_method": "charge_automatically", "currency": "usd",
        "custom_fields": null, "customer_address": null, "customer_phone": null, "customer_shipping": null,
        "customer_tax_exempt": "none", "customer_tax_ids": [], "default_payment_method": null, "default_source": null,
        "default_tax_rates": [], "description": null, "due_date": null, "effective_at": null, "ending_balance": null,
        "footer": null, "from_invoice": null, "hosted_invoice_url": null, "invoice_pdf": null,
        "issuer": {"type": "self"}, "last_finalization_error": null, "latest_revision": null, "livemode": false,
        "metadata": {}, "next_payment_attempt": null, "number": null, "on_behalf_of": null,
        "payment_settings": {"default_mandate": null, "payment_method_options": null, "payment_method_types": null},
        "post_payment_credit_notes_amount": 0, "pre_payment_credit_notes_amount": 0, "receipt_number": null,
        "rendering": null, "shipping_cost": null, "shipping_details": null, "starting_balance": 0,
        "statement_descriptor": null, "status": "draft",
        "status_transitions": {
            "finalized_at": null, "marked_uncollectible_at": null, "paid_at": null, "voided_at": null,
        },
        "test_clock": null, "total_pretax_credit_amounts": [], "total_taxes": [], "webhooks_delivered_at": null,
    })
}

/// Plans that a draft is finalized and charged after an hour, or never if `is_charged` is false.
pub(super) fn schedule(state: &mut State, id: &str, is_charged: bool) {
    let at = if is_charged { (state.now() + HOUR).into() } else { Value::Null };
    let fields =
        [("auto_advance", is_charged.into()), ("automatically_finalizes_at", at.clone()), ("next_payment_attempt", at)];
    state.set(KIND, id, &fields);
}

/// Finalizes a draft. If its total is 0, it is paid with that.
pub(super) fn finalize(state: &mut State, id: &str) {
    let Some(invoice) = state.find(KIND, id).cloned() else { return };
    let now = state.now();
    let total = invoice["total"].as_i64().unwrap_or_default();
    let transitions = with(&invoice["status_transitions"], "finalized_at", now);
    let number = next_number(state, &invoice["customer"]);
    let finalized = state.set(
        KIND,
        id,
        &[
            ("status", "open".into()),
            ("number", number.into()),
            ("auto_advance", (total > 0).into()),
            ("automatically_finalizes_at", Value::Null),
            ("effective_at", now.into()),
            ("hosted_invoice_url", format!("{MOUNT}/invoices/{id}").into()),
            ("invoice_pdf", format!("{MOUNT}/invoices/{id}").into()),
            ("status_transitions", transitions),
        ],
    );
    state.emit("invoice.finalized", &finalized);
    if total == 0 {
        mark_paid(state, id);
    } else {
        payment_intents::create(state, &finalized);
    }
}

/// Returns the number of a customer's next invoice: `0A1B2C3D-0001`.
fn next_number(state: &mut State, customer: &Value) -> String {
    let id = text(customer);
    let Some(customer) = state.find_mut("customer", &id) else { return state::random::<4>() };
    let number = customer["next_invoice_sequence"].as_i64().unwrap_or(1);
    if customer["deleted"] != true {
        customer["next_invoice_sequence"] = (number + 1).into();
    }
    format!("{}-{number:04}", customer["invoice_prefix"].as_str().unwrap_or("SANDBOX"))
}

fn with(transitions: &Value, name: &str, at: i64) -> Value {
    let mut transitions = transitions.clone();
    transitions[name] = at.into();
    transitions
}

pub(super) fn is_paid(state: &State, id: &str) -> bool {
    state.find(KIND, id).is_some_and(|invoice| invoice["status"] == "paid")
}

/// Marks an invoice as paid, and activates its subscription if that waits for it.
pub(super) fn mark_paid(state: &mut State, id: &str) {
    let Some(invoice) = state.find(KIND, id).cloned() else { return };
    let transitions = with(&invoice["status_transitions"], "paid_at", state.now());
    let paid = state.set(
        KIND,
        id,
        &[
            ("status", "paid".into()),
            ("amount_paid", invoice["amount_due"].clone()),
            ("amount_remaining", 0.into()),
            ("attempted", true.into()),
            ("auto_advance", false.into()),
            ("next_payment_attempt", Value::Null),
            ("status_transitions", transitions),
        ],
    );
    state.emit("invoice.paid", &paid);
    state.emit("invoice.payment_succeeded", &paid);
    subscriptions::paid(state, &subscription_of(&paid), id);
}

pub(super) fn subscription_of(invoice: &Value) -> String {
    text(&invoice["parent"]["subscription_details"]["subscription"])
}

/// Tries to collect an open invoice with `method`, else with the card of its subscription.
pub(super) fn collect(state: &mut State, id: &str, method: Option<String>, attempt: Attempt) -> Outcome {
    let Some(invoice) = state.find(KIND, id).cloned() else { return Outcome::NoMethod };
    let subscription = state.find(subscriptions::KIND, &subscription_of(&invoice)).cloned().unwrap_or_default();
    let method = method.or_else(|| method_of(state, &subscription));
    let charged = match &method {
        Some(method) => payment_intents::charge(state, id, method, attempt),
        None => Charged::NoMethod,
    };
    let attempts = invoice["attempt_count"].as_i64().unwrap_or_default() + 1;
    let invoice = state.set(KIND, id, &[("attempt_count", attempts.into()), ("attempted", true.into())]);
    match charged {
        Charged::Paid => {
            mark_paid(state, id);
            Outcome::Paid
        }
        Charged::NeedsAction => {
            state.emit("invoice.payment_action_required", &invoice);
            Outcome::NeedsAction
        }
        Charged::Declined(rejection) => {
            fail(state, &invoice, attempts);
            Outcome::Declined(rejection)
        }
        Charged::NoMethod => {
            fail(state, &invoice, attempts);
            Outcome::NoMethod
        }
    }
}

/// Handles a failed attempt: plans the next one, and changes the status of the subscription.
fn fail(state: &mut State, invoice: &Value, attempts: i64) {
    let id = id_of(invoice);
    let subscription = subscription_of(invoice);
    let status = state.find(subscriptions::KIND, &subscription).map(|found| text(&found["status"])).unwrap_or_default();
    // A failed attempt by hand does not move the next attempt that is already planned.
    let planned = invoice["next_payment_attempt"].as_i64().filter(|at| *at > state.now());
    let pause = usize::try_from(attempts - 1).ok().and_then(|at| RETRY_DAYS.get(at));
    let next = match status.as_str() {
        "active" | "trialing" | "past_due" => planned.or_else(|| pause.map(|days| state.now() + days * 24 * HOUR)),
        _ => None,
    };
    let failed = state.set(KIND, &id, &[("next_payment_attempt", json!(next))]);
    state.emit("invoice.payment_failed", &failed);
    match (status.as_str(), next) {
        ("active" | "trialing", Some(_)) => subscriptions::set_status(state, &subscription, "past_due"),
        ("active" | "trialing" | "past_due", None) => subscriptions::set_status(state, &subscription, "unpaid"),
        _ => {}
    }
}

/// Voids an invoice, and cancels its payment intent.
pub(super) fn mark_void(state: &mut State, id: &str) -> Value {
    let Some(invoice) = state.find(KIND, id).cloned() else { return Value::Null };
    let transitions = with(&invoice["status_transitions"], "voided_at", state.now());
    let fields =
        [("status", "void".into()), ("status_transitions", transitions), ("next_payment_attempt", Value::Null)];
    let invoice = state.set(KIND, id, &fields);
    payment_intents::cancel(state, id);
    state.emit("invoice.voided", &invoice);
    invoice
}

/// Stops charging the draft and open invoices of a subscription.
pub(super) fn stop(state: &mut State, subscription: &str) {
    let theirs = state.all(KIND).filter(|row| subscription_of(row) == subscription);
    let left = theirs.filter(|row| matches!(row["status"].as_str(), Some("draft" | "open")));
    let quiet = [
        ("auto_advance", false.into()),
        ("automatically_finalizes_at", Value::Null),
        ("next_payment_attempt", Value::Null),
    ];
    for id in left.map(id_of).collect::<Vec<_>>() {
        state.set(KIND, &id, &quiet);
    }
}

pub(super) fn get(state: &mut State, call: &mut Call) -> Result<Value, Rejection> {
    state.one(KIND, call.id(), KIND, KIND)
}

pub(super) fn all(state: &mut State, call: &mut Call) -> Result<Value, Rejection> {
    let (customer, status) = (call.parameters.text("customer")?, call.parameters.text("status")?);
    let subscription = call.parameters.text("subscription")?;
    let rows: Vec<Value> = state
        .all(KIND)
        .filter(|row| subscription.as_deref().is_none_or(|subscription| subscription_of(row) == subscription))
        .filter(|row| customer.as_deref().is_none_or(|customer| row["customer"] == customer))
        .filter(|row| status.as_deref().is_none_or(|status| row["status"] == status))
        .cloned()
        .collect();
    list::page(&rows, &mut call.parameters, "/v1/invoices")
}

pub(super) fn pay(state: &mut State, call: &mut Call) -> Result<Value, Rejection> {
    let invoice = state.one(KIND, call.id(), KIND, KIND)?;
    let method = call.parameters.text("payment_method")?;
    let is_off_session = call.parameters.maybe_flag("off_session")?.unwrap_or(true);
    std::mem::take(&mut call.parameters).done("")?;
    match invoice["status"].as_str() {
        Some("paid") => return Err(Rejection::invalid("Invoice is already paid")),
        Some("draft") => finalize(state, call.id()),
        Some("open") => {}
        _ => return Err(Rejection::invalid("You can only pass in open invoices. This invoice isn't open.")),
    }
    if is_paid(state, call.id()) {
        return get(state, call);
    }
    let attempt = if is_off_session { Attempt::OffSession } else { Attempt::OnSession };
    match collect(state, call.id(), method, attempt) {
        Outcome::Paid => get(state, call),
        Outcome::Declined(rejection) => Err(rejection),
        Outcome::NeedsAction => {
            let sentence = "This payment requires additional user action before it can be completed successfully. \
                Payment can be completed using the PaymentIntent associated with the invoice.";
            Err(Rejection::card("invoice_payment_intent_requires_action", sentence))
        }
        Outcome::NoMethod => {
            let sentence = "There is no `default_payment_method` set on this Customer or Invoice. Please consider \
                adding a default payment method.";
            Err(Rejection::invalid(sentence).code("resource_missing"))
        }
    }
}

pub(super) fn void(state: &mut State, call: &mut Call) -> Result<Value, Rejection> {
    let invoice = state.one(KIND, call.id(), KIND, KIND)?;
    std::mem::take(&mut call.parameters).done("")?;
    if invoice["status"] != "open" {
        return Err(Rejection::invalid("You can only pass in open invoices. This invoice isn't open."));
    }
    Ok(mark_void(state, call.id()))
}

/// Previews the next invoice of a subscription. The state is not changed.
pub(super) fn preview(state: &mut State, call: &mut Call) -> Result<Value, Rejection> {
    let id = call.parameters.required("subscription")?;
    std::mem::take(&mut call.parameters).done("")?;
    let found = state.one(subscriptions::KIND, &id, subscriptions::KIND, "subscription")?;
    let is_last = found["cancel_at_period_end"] == true || subscriptions::is_over(&found);
    if is_last {
        let sentence = format!("No upcoming invoices for customer: '{}'", text(&found["customer"]));
        return Err(Rejection::invalid(sentence).code("invoice_upcoming_none").with_status(404));
    }
    let item = &found["items"]["data"][0];
    let start = item["current_period_end"].as_i64().unwrap_or_default();
    let recurring = &item["price"]["recurring"];
    let (interval, count) = (text(&recurring["interval"]), recurring["interval_count"].as_i64().unwrap_or(1));
    let anchor = found["billing_cycle_anchor"].as_i64().unwrap_or(start);
    let period = Period { start, end: clock::period_end(anchor, &interval, count, start), is_free: false };
    let mut invoice = draft(state, &found, &state::id("upcoming_in"), "upcoming", period);
    for name in ["created", "period_end"] {
        invoice[name] = start.into();
    }
    invoice["period_start"] = item["current_period_start"].clone();
    invoice["next_payment_attempt"] = (start + HOUR).into();
    Ok(invoice)
}

/// Returns a part of an invoice that Stripe shows only if the call expands it.
pub(super) fn included(state: &State, invoice: &Value, name: &str) -> Option<Value> {
    let id = invoice["id"].as_str()?;
    match name {
        "payments" => {
            let rows: Vec<Value> =
                state.all("invoice_payment").filter(|payment| payment["invoice"] == id).cloned().collect();
            let url = format!("/v1/invoice_payments?invoice={id}");
            Some(json!({"object": "list", "data": rows, "has_more": false, "url": url}))
        }
        "confirmation_secret" => Some(match payment_intents::of(state, id) {
            Some(intent) => json!({"client_secret": intent["client_secret"], "type": "payment_intent"}),
            None => Value::Null,
        }),
        _ => None,
    }
}

/// Formats cents as dollars, such as `$1,350.00`.
pub(super) fn dollars(cents: i64) -> String {
    let whole = (cents / 100).to_string();
    let mut grouped = String::new();
    for (place, digit) in whole.chars().enumerate() {
        if place > 0 && (whole.len() - place).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    format!("${grouped}.{:02}", cents % 100)
}

#[cfg(test)]
mod tests {
    use super::dollars;

    #[test]
    fn cents_are_shown_as_dollars() {
        for (cents, shown) in [(0, "$0.00"), (5, "$0.05"), (135_000, "$1,350.00"), (123_456_789, "$1,234,567.89")] {
            assert_eq!(dollars(cents), shown);
        }
    }
}
