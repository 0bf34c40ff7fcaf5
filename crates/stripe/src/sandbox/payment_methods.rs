//! Payment methods: cards, created by the browser, attached to a customer, detached.

use serde_json::{Value, json};

use super::cards::{self, TestCard, Typed};
use super::customers;
use super::parameters::Parameters;
use super::rejection::Rejection;
use super::serve::Call;
use super::state::{self, State};

const KIND: &str = "payment_method";

/// Creates a new payment method in Stripe's format.
pub(super) fn object(id: &str, card: &Value, billing: &Value, metadata: &Value) -> Value {
    json!({
        "id": id, "object": KIND, "allow_redisplay": "unspecified", "billing_details": billing, "card": card,
        "created": state::now(), "customer": null, "livemode": false, "metadata": metadata, "type": "card",
    })
}

/// Empty billing details.
pub(super) fn no_billing() -> Value {
    let address =
        json!({"city": null, "country": null, "line1": null, "line2": null, "postal_code": null, "state": null});
    json!({"address": address, "email": null, "name": null, "phone": null, "tax_id": null})
}

fn billing(parameters: &mut Parameters) -> Result<Value, Rejection> {
    let mut details = no_billing();
    let Some(mut sent) = parameters.inner("billing_details")? else { return Ok(details) };
    if let Some(mut address) = sent.inner("address")? {
        for name in ["city", "country", "line1", "line2", "postal_code", "state"] {
            if let Some(text) = address.text(name)? {
                details["address"][name] = text.into();
            }
        }
        address.done("billing_details[address]")?;
    }
    for name in ["email", "name", "phone"] {
        if let Some(text) = sent.text(name)? {
            details[name] = text.into();
        }
    }
    sent.done("billing_details")?;
    Ok(details)
}

/// Creates a payment method from a typed card, for the browser. The typed number and security code are not kept.
pub(super) fn create(state: &mut State, call: &mut Call) -> Result<Value, Rejection> {
    let parameters = &mut call.parameters;
    let kind = parameters.required("type")?;
    if kind != "card" {
        return Err(Rejection::invalid(format!("The payment method type \"{kind}\" is invalid here.")).param("type"));
    }
    let missing = || Rejection::invalid("Missing required param: card.").code("parameter_missing").param("card");
    let mut card = parameters.inner("card")?.ok_or_else(missing)?;
    let typed = Typed {
        number: card.required("number")?,
        exp_month: card.required("exp_month")?,
        exp_year: card.required("exp_year")?,
        cvc: card.text("cvc")?,
    };
    card.done("card")?;
    let billing = billing(parameters)?;
    let metadata = parameters.metadata(&Value::Null)?;
    std::mem::take(parameters).done("")?;
    let (test_card, card) = typed.read()?;
    let method = object(&state::id("pm"), &card, &billing, &metadata);
    state.behaviours.insert(method["id"].as_str().unwrap_or_default().to_owned(), test_card.behaviour);
    let method = state.add(method);
    state.forget_loose_methods();
    Ok(method)
}

pub(super) fn get(state: &mut State, call: &mut Call) -> Result<Value, Rejection> {
    find(state, call.id())
}

/// Returns a payment method. For one of Stripe's ids of test cards, such as `pm_card_visa`, creates a new one.
pub(super) fn find(state: &mut State, id: &str) -> Result<Value, Rejection> {
    if let Some(test_card) = TestCard::by_alias(id) {
        let method = object(&state::id("pm"), &test_card.alias_object(), &no_billing(), &json!({}));
        state.behaviours.insert(method["id"].as_str().unwrap_or_default().to_owned(), test_card.behaviour);
        return Ok(state.add(method));
    }
    state.one(KIND, id, "PaymentMethod", KIND)
}

/// Returns the payment methods of a customer, the newest first.
pub(super) fn of(state: &State, customer: &str) -> Vec<Value> {
    state.all(KIND).filter(|method| method["customer"] == customer).cloned().collect()
}

pub(super) fn attach(state: &mut State, call: &mut Call) -> Result<Value, Rejection> {
    let customer = call.parameters.required("customer")?;
    std::mem::take(&mut call.parameters).done("")?;
    customers::find(state, &customer, "customer").map_err(|rejection| rejection.with_status(400))?;
    give(state, call.id(), &customer)
}

/// Attaches a payment method to a customer, unless the bank declines.
pub(super) fn give(state: &mut State, id: &str, customer: &str) -> Result<Value, Rejection> {
    let method = find(state, id)?;
    let id = method["id"].as_str().unwrap_or_default().to_owned();
    if state.spent.contains(&id) {
        return Err(Rejection::invalid(
            "This PaymentMethod was previously used without being attached to a Customer or was detached from a \
             Customer, and may not be used again.",
        ));
    }
    match method["customer"].as_str() {
        Some(owner) if owner == customer => return Ok(method),
        Some(_) => {
            return Err(Rejection::invalid("The payment method you provided has already been attached to a customer."));
        }
        None => {}
    }
    if let Some(behaviour) = state.behaviours.get(&id) {
        cards::save(*behaviour)?;
    }
    let attached = state.set(KIND, &id, &[("customer", customer.into())]);
    state.emit("payment_method.attached", &attached);
    Ok(attached)
}

pub(super) fn detach(state: &mut State, call: &mut Call) -> Result<Value, Rejection> {
    std::mem::take(&mut call.parameters).done("")?;
    let method = state.one(KIND, call.id(), "PaymentMethod", KIND)?;
    if method["customer"].is_null() {
        return Err(Rejection::invalid(
            "The payment method you provided is not attached to a customer so detachment is impossible.",
        ));
    }
    Ok(take(state, call.id()))
}

/// Detaches a payment method from its customer for good.
pub(super) fn take(state: &mut State, id: &str) -> Value {
    let owner = state.find(KIND, id).map(|method| method["customer"].clone()).unwrap_or_default();
    if let Some(customer) = owner.as_str().and_then(|owner| state.find_mut("customer", owner)) {
        let settings = &mut customer["invoice_settings"];
        if settings["default_payment_method"] == id {
            settings["default_payment_method"] = Value::Null;
        }
    }
    state.spent.insert(id.to_owned());
    let detached = state.set(KIND, id, &[("customer", Value::Null)]);
    state.emit("payment_method.detached", &detached);
    detached
}
