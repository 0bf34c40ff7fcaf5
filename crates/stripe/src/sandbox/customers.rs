//! Customers.

use serde_json::{Value, json};

use super::parameters::Parameters;
use super::rejection::Rejection;
use super::serve::Call;
use super::state::{self, State};
use super::{list, payment_methods, subscriptions};

const KIND: &str = "customer";

/// Creates a new customer in Stripe's format.
pub(super) fn object(id: &str, metadata: &Value) -> Value {
    json!({
        "id": id, "object": KIND, "address": null, "balance": 0, "created": state::now(), "currency": null,
        "default_source": null, "delinquent": false, "description": null, "discount": null, "email": null,
        "invoice_prefix": state::random::<4>().to_uppercase(),
        "invoice_settings": {
            "custom_fields": null, "default_payment_method": null, "footer": null, "rendering_options": null,
        },
        "livemode": false, "metadata": metadata, "name": null, "next_invoice_sequence": 1, "phone": null,
        "preferred_locales": [], "shipping": null, "tax_exempt": "none", "test_clock": null,
    })
}

/// Returns a customer that was not deleted.
pub(super) fn find(state: &State, id: &str, param: &str) -> Result<Value, Rejection> {
    state.one(KIND, id, KIND, param)
}

pub(super) fn create(state: &mut State, call: &mut Call) -> Result<Value, Rejection> {
    let metadata = call.parameters.metadata(&Value::Null)?;
    let customer = object(&state::id("cus"), &metadata);
    change(state, call, customer, true)
}

pub(super) fn update(state: &mut State, call: &mut Call) -> Result<Value, Rejection> {
    let mut customer = find(state, call.id(), "id")?;
    customer["metadata"] = call.parameters.metadata(&customer["metadata"])?;
    change(state, call, customer, false)
}

/// Sets the fields of a customer, and stores it only if all of them are valid: a rejected call changes nothing.
fn change(state: &mut State, call: &mut Call, mut customer: Value, is_new: bool) -> Result<Value, Rejection> {
    let parameters = &mut call.parameters;
    for name in ["email", "name", "description", "phone"] {
        if let Some(text) = parameters.text(name)? {
            if name == "email"
                && !text.is_empty()
                && !text.split_once('@').is_some_and(|(a, b)| !a.is_empty() && !b.is_empty())
            {
                return Err(Rejection::invalid(format!("Invalid email address: {text}"))
                    .code("email_invalid")
                    .param(name));
            }
            customer[name] = if text.is_empty() { Value::Null } else { text.into() };
        }
    }
    let id = customer["id"].as_str().unwrap_or_default().to_owned();
    let attached = parameters.text("payment_method")?;
    if let Some(mut settings) = parameters.inner("invoice_settings")? {
        if let Some(method) = settings.text("default_payment_method")? {
            customer["invoice_settings"]["default_payment_method"] =
                if method.is_empty() { Value::Null } else { method.into() };
        }
        settings.done("invoice_settings")?;
    }
    std::mem::take(parameters).done("")?;
    if let Some(method) = &attached {
        payment_methods::give(state, method, &id)?;
    }
    if let Some(method) = customer["invoice_settings"]["default_payment_method"].as_str() {
        let is_theirs = state.find("payment_method", method).is_some_and(|found| found["customer"] == id.as_str());
        if !is_theirs {
            let sentence = format!(
                "No such PaymentMethod: '{method}'; the payment method must be attached to the customer before it can \
                 be its default."
            );
            let rejection = Rejection::invalid(sentence).code("resource_missing");
            return Err(rejection.param("invoice_settings[default_payment_method]"));
        }
    }
    if is_new {
        state.add(customer.clone());
        state.emit("customer.created", &customer);
        return Ok(customer);
    }
    let fields: Vec<(&str, Value)> =
        customer.as_object().into_iter().flatten().map(|(name, value)| (name.as_str(), value.clone())).collect();
    Ok(state.change(KIND, &id, &fields, "customer.updated"))
}

/// Like Stripe, still returns a deleted customer.
pub(super) fn get(state: &mut State, call: &mut Call) -> Result<Value, Rejection> {
    let found = state.find(KIND, call.id()).cloned();
    found.ok_or_else(|| Rejection::missing(KIND, call.id(), "id"))
}

pub(super) fn all(state: &mut State, call: &mut Call) -> Result<Value, Rejection> {
    let email = call.parameters.text("email")?;
    let rows: Vec<Value> = state
        .all(KIND)
        .filter(|row| row["deleted"] != true)
        .filter(|row| email.as_deref().is_none_or(|email| row["email"] == email))
        .cloned()
        .collect();
    list::page(&rows, &mut call.parameters, "/v1/customers")
}

/// Deletes a customer with all payment methods, and ends its subscriptions.
pub(super) fn delete(state: &mut State, call: &mut Call) -> Result<Value, Rejection> {
    let id = call.id().to_owned();
    let customer = find(state, &id, "id")?;
    subscriptions::end_all(state, &id);
    for method in payment_methods::of(state, &id) {
        payment_methods::take(state, method["id"].as_str().unwrap_or_default());
    }
    let deleted = json!({"id": id, "object": KIND, "deleted": true});
    if let Some(kept) = state.find_mut(KIND, &id) {
        *kept = deleted.clone();
    }
    state.emit("customer.deleted", &customer);
    Ok(deleted)
}

/// Returns the payment methods of a customer, the newest first.
pub(super) fn methods(state: &mut State, call: &mut Call) -> Result<Value, Rejection> {
    let id = call.id().to_owned();
    find(state, &id, KIND)?;
    let kind = call.parameters.text("type")?;
    let mut rows = payment_methods::of(state, &id);
    rows.retain(|row| kind.as_deref().is_none_or(|kind| row["type"] == kind));
    list::page(&rows, &mut call.parameters, &format!("/v1/customers/{id}/payment_methods"))
}

/// Sets the default payment method, for our own pages.
pub(super) fn set_default(state: &mut State, id: &str, method: &str) -> Result<Value, Rejection> {
    let parameters = Parameters::parse(&format!("invoice_settings[default_payment_method]={method}"));
    let customer = find(state, id, "id")?;
    change(state, &mut Call::inner(id, parameters), customer, false)
}
