//! Charges: each attempt to move money, with its receipt.

use serde_json::{Value, json};

use super::list;
use super::payment_methods;
use super::portal::MOUNT;
use super::rejection::Rejection;
use super::serve::Call;
use super::state::{self, State};

const KIND: &str = "charge";

/// Records an attempt to charge a card. If it failed, `rejection` is the reason.
pub(super) fn create(state: &mut State, intent: &Value, method: &Value, rejection: Option<&Rejection>) -> Value {
    let id = state::id("ch");
    let is_paid = rejection.is_none();
    let error = rejection.map(|rejection| rejection.body()["error"].clone()).unwrap_or_default();
    let card = &method["card"];
    let outcome = json!({
        "advice_code": null, "network_advice_code": null, "network_decline_code": null,
        "network_status": if is_paid { "approved_by_network" } else { "declined_by_network" },
        "reason": error["decline_code"], "risk_level": "normal",
        "seller_message": if is_paid { "Payment complete." } else { "The bank did not return any further details." },
        "type": if is_paid { "authorized" } else { "issuer_declined" },
    });
    let charge = state.add(json!({
        "id": id, "object": KIND, "amount": intent["amount"],
        "amount_captured": if is_paid { intent["amount"].clone() } else { 0.into() }, "amount_refunded": 0,
        "application": null, "application_fee": null, "application_fee_amount": null, "balance_transaction": null,
        "billing_details": payment_methods::no_billing(), "calculated_statement_descriptor": "BERTH SANDBOX",
        "captured": is_paid, "created": state.now(), "currency": "usd", "customer": intent["customer"],
        "description": "Subscription", "disputed": false, "failure_balance_transaction": null,
        "failure_code": error["code"], "failure_message": error["message"], "fraud_details": {}, "livemode": false,
        "metadata": {}, "on_behalf_of": null, "outcome": outcome, "paid": is_paid, "payment_intent": intent["id"],
        "payment_method": method["id"],
        "payment_method_details": {
            "type": "card",
            "card": {
                "brand": card["brand"], "country": card["country"], "exp_month": card["exp_month"],
                "exp_year": card["exp_year"], "funding": card["funding"], "last4": card["last4"],
            },
        },
        "receipt_email": null, "receipt_number": null,
        "receipt_url": is_paid.then(|| format!("{MOUNT}/receipts/{id}")), "refunded": false, "review": null,
        "shipping": null, "source_transfer": null, "statement_descriptor": null, "statement_descriptor_suffix": null,
        "status": if is_paid { "succeeded" } else { "failed" }, "transfer_data": null, "transfer_group": null,
    }));
    state.emit(if is_paid { "charge.succeeded" } else { "charge.failed" }, &charge);
    charge
}

pub(super) fn get(state: &mut State, call: &mut Call) -> Result<Value, Rejection> {
    state.one(KIND, call.id(), KIND, KIND)
}

pub(super) fn all(state: &mut State, call: &mut Call) -> Result<Value, Rejection> {
    let (customer, intent) = (call.parameters.text("customer")?, call.parameters.text("payment_intent")?);
    let rows: Vec<Value> = state
        .all(KIND)
        .filter(|row| customer.as_deref().is_none_or(|customer| row["customer"] == customer))
        .filter(|row| intent.as_deref().is_none_or(|intent| row["payment_intent"] == intent))
        .cloned()
        .collect();
    list::page(&rows, &mut call.parameters, "/v1/charges")
}
