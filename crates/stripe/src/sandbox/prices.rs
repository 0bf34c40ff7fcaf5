//! Prices.

use serde_json::{Value, json};

use super::list;
use super::rejection::Rejection;
use super::serve::Call;
use super::state::{self, State};

const KIND: &str = "price";

/// Creates a new recurring price in Stripe's format.
pub(super) fn object(id: &str, product: &str, cents: i64, interval: (&str, i64), created: i64) -> Value {
    json!({
        "id": id, "object": KIND, "active": true, "billing_scheme": "per_unit", "created": created, "currency": "usd",
        "custom_unit_amount": null, "livemode": false, "lookup_key": null, "metadata": {}, "nickname": null,
        "product": product,
        "recurring": {"interval": interval.0, "interval_count": interval.1, "meter": null, "usage_type": "licensed"},
        "tax_behavior": "unspecified", "tiers_mode": null, "transform_quantity": null, "type": "recurring",
        "unit_amount": cents, "unit_amount_decimal": cents.to_string(),
    })
}

pub(super) fn create(state: &mut State, call: &mut Call) -> Result<Value, Rejection> {
    let parameters = &mut call.parameters;
    if parameters.required("currency")? != "usd" {
        return Err(Rejection::invalid("Only usd works in the sandbox.").param("currency"));
    }
    let product = parameters.required("product")?;
    let missing =
        || Rejection::invalid("Missing required param: unit_amount.").code("parameter_missing").param("unit_amount");
    let cents = parameters.integer("unit_amount")?.ok_or_else(missing)?;
    let metadata = parameters.metadata(&Value::Null)?;
    let recurring = match parameters.inner("recurring")? {
        None => None,
        Some(mut inner) => {
            let interval = inner.required("interval")?;
            let count = inner.integer("interval_count")?.unwrap_or(1);
            inner.done("recurring")?;
            if !matches!(interval.as_str(), "day" | "week" | "month" | "year") || !(1..=36).contains(&count) {
                return Err(Rejection::invalid("Invalid interval.").param("recurring[interval]"));
            }
            Some((interval, count))
        }
    };
    std::mem::take(parameters).done("")?;
    state.one("product", &product, "product", "product").map_err(|rejection| rejection.with_status(400))?;
    let (interval, count) = recurring.clone().unwrap_or_default();
    let mut price = object(&state::id("price"), &product, cents, (interval.as_str(), count), state.now());
    price["metadata"] = metadata;
    if recurring.is_none() {
        price["recurring"] = Value::Null;
        price["type"] = "one_time".into();
    }
    state.add(price.clone());
    state.emit("price.created", &price);
    Ok(price)
}

/// Changes only `active` and `metadata`, which is enough to archive and restore a price.
pub(super) fn update(state: &mut State, call: &mut Call) -> Result<Value, Rejection> {
    let price = state.one(KIND, call.id(), KIND, KIND)?;
    let metadata = call.parameters.metadata(&price["metadata"])?;
    let active = call.parameters.maybe_flag("active")?.map_or_else(|| price["active"].clone(), Value::from);
    std::mem::take(&mut call.parameters).done("")?;
    Ok(state.change(KIND, call.id(), &[("active", active), ("metadata", metadata)], "price.updated"))
}

pub(super) fn get(state: &mut State, call: &mut Call) -> Result<Value, Rejection> {
    state.one(KIND, call.id(), KIND, KIND)
}

pub(super) fn all(state: &mut State, call: &mut Call) -> Result<Value, Rejection> {
    let active = call.parameters.maybe_flag("active")?;
    let (kind, product) = (call.parameters.text("type")?, call.parameters.text("product")?);
    let rows: Vec<Value> = state
        .all(KIND)
        .filter(|row| active.is_none_or(|active| row["active"] == active))
        .filter(|row| kind.as_deref().is_none_or(|kind| row["type"] == kind))
        .filter(|row| product.as_deref().is_none_or(|product| row["product"] == product))
        .cloned()
        .collect();
    list::page(&rows, &mut call.parameters, "/v1/prices")
}
