//! Payment intents: the payment of an invoice, and its confirmation in the browser.

use serde_json::{Value, json};

use super::cards::Behaviour;
use super::invoices::{self, Attempt};
use super::rejection::Rejection;
use super::serve::Call;
use super::state::{self, State, id_of, text};
use super::{cards, charges, payment_methods};

const KIND: &str = "payment_intent";

/// The result of a charge.
pub(super) enum Charged {
    Paid,
    Declined(Rejection),
    NeedsAction,
    NoMethod,
}

/// Creates the intent of a finalized invoice, and the invoice payment that links the two.
pub(super) fn create(state: &mut State, invoice: &Value) {
    let now = state.now();
    let id = state::id("pi");
    let amount = invoice["amount_due"].clone();
    state.add(json!({
        "id": id, "object": KIND, "amount": amount, "amount_capturable": 0, "amount_received": 0, "application": null,
        "application_fee_amount": null, "automatic_payment_methods": null, "canceled_at": null,
        "cancellation_reason": null, "capture_method": "automatic",
        "client_secret": format!("{id}_secret_{}", state::random::<12>()), "confirmation_method": "automatic",
        "created": now, "currency": "usd", "customer": invoice["customer"], "description": null,
        "last_payment_error": null, "latest_charge": null, "livemode": false, "metadata": {}, "next_action": null,
        "on_behalf_of": null, "payment_method": null, "payment_method_types": ["card"], "processing": null,
        "receipt_email": null, "review": null, "setup_future_usage": "off_session", "shipping": null,
        "statement_descriptor": null, "status": "requires_payment_method", "transfer_data": null,
        "transfer_group": null,
    }));
    state.add(json!({
        "id": state::id("inpay"), "object": "invoice_payment", "amount_paid": null, "amount_requested": amount,
        "created": now, "currency": "usd", "invoice": invoice["id"], "is_default": true, "livemode": false,
        "payment": {"payment_intent": id, "type": KIND}, "status": "open",
        "status_transitions": {"canceled_at": null, "paid_at": null},
    }));
}

fn payment_of<'a>(state: &'a State, invoice: &str) -> Option<&'a Value> {
    state.all("invoice_payment").find(|payment| payment["invoice"] == invoice)
}

/// Returns the intent of an invoice, if it has one.
pub(super) fn of(state: &State, invoice: &str) -> Option<Value> {
    let id = payment_of(state, invoice)?["payment"]["payment_intent"].as_str()?;
    state.find(KIND, id).cloned()
}

/// Charges a card for an invoice. With `OnSession`, the bank may ask the cardholder first.
pub(super) fn charge(state: &mut State, invoice: &str, method: &str, attempt: Attempt) -> Charged {
    let Some(intent) = of(state, invoice) else { return Charged::NoMethod };
    let Some(method) =
        state.find("payment_method", method).filter(|row| row["customer"] == intent["customer"]).cloned()
    else {
        return Charged::NoMethod;
    };
    let (id, method_id) = (id_of(&intent), id_of(&method));
    let behaviour = state.behaviours.get(&method_id).copied().unwrap_or(Behaviour::Works);
    if behaviour == Behaviour::AsksForAuthentication && attempt == Attempt::OnSession {
        state.set(
            KIND,
            &id,
            &[
                ("status", "requires_action".into()),
                ("payment_method", method_id.into()),
                ("next_action", json!({"type": "use_stripe_sdk", "use_stripe_sdk": {}})),
            ],
        );
        return Charged::NeedsAction;
    }
    finish(state, &intent, invoice, &method)
}

/// Charges a card without asking the cardholder.
fn finish(state: &mut State, intent: &Value, invoice: &str, method: &Value) -> Charged {
    let id = id_of(intent);
    let behaviour = state.behaviours.get(&id_of(method)).copied().unwrap_or(Behaviour::Works);
    let answer = cards::charge(behaviour);
    let charge = charges::create(state, intent, method, answer.as_ref().err());
    let mut fields = vec![("latest_charge", charge["id"].clone()), ("next_action", Value::Null)];
    match answer {
        Ok(()) => {
            fields.extend([
                ("status", "succeeded".into()),
                ("amount_received", intent["amount"].clone()),
                ("payment_method", method["id"].clone()),
                ("last_payment_error", Value::Null),
            ]);
            let intent = state.set(KIND, &id, &fields);
            state.emit("payment_intent.succeeded", &intent);
            settle(state, invoice, "paid", &intent["amount"]);
            Charged::Paid
        }
        Err(rejection) => {
            fields.extend([
                ("status", "requires_payment_method".into()),
                ("payment_method", Value::Null),
                ("last_payment_error", rejection.body()["error"].clone()),
            ]);
            let intent = state.set(KIND, &id, &fields);
            state.emit("payment_intent.payment_failed", &intent);
            Charged::Declined(rejection)
        }
    }
}

/// Sets the final status of the invoice payment that links an invoice to its intent.
fn settle(state: &mut State, invoice: &str, status: &str, amount: &Value) {
    let now = state.now();
    let Some(id) = payment_of(state, invoice).map(id_of) else { return };
    let is_paid = status == "paid";
    let transitions = json!({"canceled_at": (!is_paid).then_some(now), "paid_at": is_paid.then_some(now)});
    let paid = if is_paid { amount.clone() } else { Value::Null };
    let fields = [("status", status.into()), ("amount_paid", paid), ("status_transitions", transitions)];
    state.set("invoice_payment", &id, &fields);
}

/// Cancels the intent of a voided invoice.
pub(super) fn cancel(state: &mut State, invoice: &str) {
    let Some(intent) = of(state, invoice) else { return };
    let fields = [
        ("status", "canceled".into()),
        ("canceled_at", state.now().into()),
        ("cancellation_reason", "void_invoice".into()),
        ("next_action", Value::Null),
    ];
    state.set(KIND, &id_of(&intent), &fields);
    settle(state, invoice, "canceled", &Value::Null);
}

/// Returns an intent. A browser must send its client secret.
fn find(state: &State, call: &mut Call) -> Result<Value, Rejection> {
    let intent = state.one(KIND, call.id(), KIND, "intent")?;
    let secret = call.parameters.text("client_secret")?;
    let has_secret = secret.as_deref().is_some_and(|secret| intent["client_secret"] == secret);
    if has_secret || (secret.is_none() && !call.by_browser) {
        return Ok(intent);
    }
    let sentence = "The client_secret provided does not match the client_secret associated with the PaymentIntent.";
    Err(Rejection::invalid(sentence).param("client_secret"))
}

pub(super) fn get(state: &mut State, call: &mut Call) -> Result<Value, Rejection> {
    find(state, call)
}

/// Continues a payment in the browser: with the card that waits for its holder, or with another card of the customer.
pub(super) fn confirm(state: &mut State, call: &mut Call) -> Result<Value, Rejection> {
    let intent = find(state, call)?;
    let method = call.parameters.text("payment_method")?;
    let _ = call.parameters.text("return_url")?;
    std::mem::take(&mut call.parameters).done("")?;
    let unexpected = |sentence: &str| Rejection::invalid(sentence).code("payment_intent_unexpected_state");
    match (intent["status"].as_str(), &method) {
        (Some("succeeded" | "canceled"), _) => {
            return Err(unexpected("You cannot confirm this PaymentIntent because it is over."));
        }
        (Some("requires_action"), None) => return Ok(intent),
        (_, None) => {
            let sentence = "You cannot confirm this PaymentIntent because it's missing a payment method.";
            return Err(unexpected(sentence));
        }
        (_, Some(_)) => {}
    }
    let method = payment_methods::find(state, &method.unwrap_or_default())?;
    if method["customer"] != intent["customer"] {
        let sentence = "The payment method does not belong to the customer of this PaymentIntent.";
        return Err(Rejection::invalid(sentence).param("payment_method"));
    }
    let invoice = invoice_of(state, call.id()).ok_or_else(|| unexpected("There is no invoice to pay."))?;
    match invoices::collect(state, &invoice, Some(id_of(&method)), Attempt::OnSession) {
        invoices::Outcome::Declined(rejection) => Err(rejection),
        _ => state.one(KIND, call.id(), KIND, "intent"),
    }
}

fn invoice_of(state: &State, intent: &str) -> Option<String> {
    let mut payments = state.all("invoice_payment");
    let payment = payments.find(|payment| payment["payment"]["payment_intent"] == intent)?;
    payment["invoice"].as_str().map(str::to_owned)
}

/// Takes the cardholder's answer to the bank, from our replacement for the bank's page.
pub(super) fn authenticate(state: &mut State, call: &mut Call, agreed: bool) -> Result<Value, Rejection> {
    let intent = find(state, call)?;
    if intent["status"] != "requires_action" {
        return Err(Rejection::invalid("This PaymentIntent does not wait for authentication."));
    }
    let id = id_of(&intent);
    let invoice = invoice_of(state, &id).unwrap_or_default();
    let method = state.find("payment_method", &text(&intent["payment_method"])).cloned().unwrap_or_default();
    if agreed {
        return match finish(state, &intent, &invoice, &method) {
            Charged::Declined(rejection) => Err(rejection),
            _ => {
                invoices::mark_paid(state, &invoice);
                state.one(KIND, &id, KIND, "intent")
            }
        };
    }
    let sentence =
        "We are unable to authenticate your payment method. Please choose a different payment method and try again.";
    let rejection = Rejection::card("payment_intent_authentication_failure", sentence);
    let intent = state.set(
        KIND,
        &id,
        &[
            ("status", "requires_payment_method".into()),
            ("payment_method", Value::Null),
            ("next_action", Value::Null),
            ("last_payment_error", rejection.body()["error"].clone()),
        ],
    );
    state.emit("payment_intent.payment_failed", &intent);
    if let Some(invoice) = state.find(invoices::KIND, &invoice).cloned() {
        state.emit("invoice.payment_failed", &invoice);
    }
    Err(rejection.with(KIND, intent))
}
