//! Setup intents: a card is saved for later payments, after its holder has answered the bank where the bank asks.

use serde_json::{Value, json};

use super::cards::{self, Behaviour};
use super::rejection::Rejection;
use super::serve::Call;
use super::state::{self, State, text};
use super::{customers, payment_methods};

const KIND: &str = "setup_intent";

pub(super) fn create(state: &mut State, call: &mut Call) -> Result<Value, Rejection> {
    let parameters = &mut call.parameters;
    let customer = parameters.text("customer")?;
    let usage = parameters.text("usage")?.unwrap_or_else(|| "off_session".to_owned());
    if !matches!(usage.as_str(), "off_session" | "on_session") {
        return Err(Rejection::invalid("Invalid usage: must be one of off_session or on_session").param("usage"));
    }
    let mut kinds = parameters.list("payment_method_types")?;
    if kinds.is_empty() {
        kinds.push("card".to_owned());
    }
    if let Some(other) = kinds.iter().find(|kind| *kind != "card") {
        let sentence = format!("The payment method type \"{other}\" is invalid here.");
        return Err(Rejection::invalid(sentence).param("payment_method_types"));
    }
    let description = parameters.text("description")?;
    let metadata = parameters.metadata(&Value::Null)?;
    let (method, confirm) = (parameters.text("payment_method")?, parameters.flag("confirm")?);
    std::mem::take(parameters).done("")?;
    if let Some(customer) = &customer {
        customers::find(state, customer, "customer").map_err(|rejection| rejection.with_status(400))?;
    }
    let id = state::id("seti");
    let status = if method.is_some() { "requires_confirmation" } else { "requires_payment_method" };
    let options = json!({"card": {"mandate_options": null, "network": null, "request_three_d_secure": "automatic"}});
    let intent = json!({
        "id": id, "object": KIND, "application": null, "automatic_payment_methods": null, "cancellation_reason": null,
        "client_secret": format!("{id}_secret_{}", state::random::<12>()), "created": state::now(),
        "customer": customer, "description": description, "flow_directions": null, "last_setup_error": null,
        "latest_attempt": null, "livemode": false, "mandate": null, "metadata": metadata, "next_action": null,
        "on_behalf_of": null, "payment_method": null, "payment_method_configuration_details": null,
        "payment_method_options": options, "payment_method_types": kinds, "single_use_mandate": null,
        "status": status, "usage": usage,
    });
    let Some(method) = method else { return Ok(state.add(intent)) };
    let method = payment_methods::find(state, &method)?;
    state.add(intent);
    let intent = state.set(KIND, &id, &[("payment_method", method["id"].clone())]);
    if confirm { confirm_with(state, &intent, &method) } else { Ok(intent) }
}

/// Returns an intent. A browser must send its client secret.
fn find(state: &State, call: &mut Call) -> Result<Value, Rejection> {
    let intent = state.one(KIND, call.id(), "setupintent", "intent")?;
    let secret = call.parameters.text("client_secret")?;
    let has_secret = secret.as_deref().is_some_and(|secret| intent["client_secret"] == secret);
    if has_secret || (secret.is_none() && !call.by_browser) {
        return Ok(intent);
    }
    let sentence = "The client_secret provided does not match the client_secret associated with the SetupIntent.";
    Err(Rejection::invalid(sentence).param("client_secret"))
}

pub(super) fn get(state: &mut State, call: &mut Call) -> Result<Value, Rejection> {
    find(state, call)
}

pub(super) fn confirm(state: &mut State, call: &mut Call) -> Result<Value, Rejection> {
    let intent = find(state, call)?;
    let method = call.parameters.text("payment_method")?;
    // The address to return to after a page of the bank. The sandbox has no such page.
    let _ = call.parameters.text("return_url")?;
    std::mem::take(&mut call.parameters).done("")?;
    if intent["status"] == "succeeded" {
        let sentence = "You cannot confirm this SetupIntent because it has already succeeded.";
        return Err(Rejection::invalid(sentence).code("setup_intent_unexpected_state"));
    }
    let method = method.or_else(|| intent["payment_method"].as_str().map(str::to_owned)).ok_or_else(|| {
        let sentence = "You cannot confirm this SetupIntent because it's missing a payment method.";
        Rejection::invalid(sentence).code("setup_intent_unexpected_state")
    })?;
    let method = payment_methods::find(state, &method)?;
    confirm_with(state, &intent, &method)
}

/// Saves the card, or asks its holder first.
fn confirm_with(state: &mut State, intent: &Value, method: &Value) -> Result<Value, Rejection> {
    let (id, method_id) = (text(&intent["id"]), text(&method["id"]));
    let behaviour = state.behaviours.get(&method_id).copied().unwrap_or(Behaviour::Works);
    if behaviour == Behaviour::AsksForAuthentication {
        return Ok(state.set(
            KIND,
            &id,
            &[
                ("status", "requires_action".into()),
                ("payment_method", method_id.into()),
                ("next_action", json!({"type": "use_stripe_sdk", "use_stripe_sdk": {}})),
            ],
        ));
    }
    finish(state, &id, &method_id)
}

/// Saves the card, and attaches it to the customer of the intent.
fn finish(state: &mut State, id: &str, method: &str) -> Result<Value, Rejection> {
    let customer = state.find(KIND, id).and_then(|intent| intent["customer"].as_str()).map(str::to_owned);
    let saved = match &customer {
        Some(customer) => payment_methods::give(state, method, customer).map(|_| ()),
        None => state.behaviours.get(method).map_or(Ok(()), |behaviour| cards::save(*behaviour)),
    };
    match saved {
        Ok(()) => {
            let intent = state.set(
                KIND,
                id,
                &[
                    ("status", "succeeded".into()),
                    ("payment_method", method.into()),
                    ("next_action", Value::Null),
                    ("last_setup_error", Value::Null),
                ],
            );
            state.emit("setup_intent.succeeded", &intent);
            Ok(intent)
        }
        Err(rejection) => {
            let intent = state.set(
                KIND,
                id,
                &[
                    ("status", "requires_payment_method".into()),
                    ("payment_method", Value::Null),
                    ("next_action", Value::Null),
                    ("last_setup_error", rejection.body()["error"].clone()),
                ],
            );
            Err(rejection.with(KIND, intent))
        }
    }
}

/// Takes the cardholder's answer to the bank, from our replacement for the bank's page.
pub(super) fn authenticate(state: &mut State, call: &mut Call, agreed: bool) -> Result<Value, Rejection> {
    let intent = find(state, call)?;
    if intent["status"] != "requires_action" {
        return Err(Rejection::invalid("This SetupIntent does not wait for authentication."));
    }
    let (id, method) = (text(&intent["id"]), text(&intent["payment_method"]));
    if agreed {
        return finish(state, &id, &method);
    }
    let sentence =
        "We are unable to authenticate your payment method. Please choose a different payment method and try again.";
    let rejection = Rejection::card("setup_intent_authentication_failure", sentence).with_status(402);
    let intent = state.set(
        KIND,
        &id,
        &[
            ("status", "requires_payment_method".into()),
            ("payment_method", Value::Null),
            ("next_action", Value::Null),
            ("last_setup_error", rejection.body()["error"].clone()),
        ],
    );
    Err(rejection.with(KIND, intent))
}
