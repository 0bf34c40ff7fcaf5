//! Promotion codes: what customers type to get a coupon.

use serde_json::{Value, json};

use super::invoices;
use super::list;
use super::rejection::Rejection;
use super::serve::Call;
use super::state::{self, State};

const KIND: &str = "promotion_code";

/// Creates a new promotion code in Stripe's format.
pub(super) fn object(id: &str, code: &str, coupon: &str, created: i64) -> Value {
    json!({
        "id": id, "object": KIND, "active": true, "code": code, "created": created, "customer": null,
        "customer_account": null, "expires_at": null, "livemode": false, "max_redemptions": null, "metadata": {},
        "promotion": {"coupon": coupon, "type": "coupon"},
        "restrictions": {"first_time_transaction": false, "minimum_amount": null, "minimum_amount_currency": null},
        "times_redeemed": 0,
    })
}

pub(super) fn create(state: &mut State, call: &mut Call) -> Result<Value, Rejection> {
    let parameters = &mut call.parameters;
    let missing =
        || Rejection::invalid("Missing required param: promotion.").code("parameter_missing").param("promotion");
    let mut promotion = parameters.inner("promotion")?.ok_or_else(missing)?;
    let (kind, coupon) = (promotion.required("type")?, promotion.required("coupon")?);
    promotion.done("promotion")?;
    let code = parameters.text("code")?.unwrap_or_else(|| state::random::<4>().to_uppercase());
    let (customer, expires_at) = (parameters.text("customer")?, parameters.integer("expires_at")?);
    let most = parameters.integer("max_redemptions")?;
    let mut is_for_new_customers = false;
    if let Some(mut restrictions) = parameters.inner("restrictions")? {
        is_for_new_customers = restrictions.flag("first_time_transaction")?;
        restrictions.done("restrictions")?;
    }
    let metadata = parameters.metadata(&Value::Null)?;
    std::mem::take(parameters).done("")?;
    if kind != "coupon" {
        return Err(Rejection::invalid("Invalid promotion type.").param("promotion[type]"));
    }
    state.one("coupon", &coupon, "coupon", "promotion[coupon]").map_err(|rejection| rejection.with_status(400))?;
    let is_taken = |row: &Value| row["active"] == true && is_same(row, &code) && row["customer"] == json!(customer);
    if state.all(KIND).any(is_taken) {
        let sentence = "An active promotion code with the same code already exists.";
        return Err(Rejection::invalid(sentence).code("resource_already_exists").param("code"));
    }
    let mut promotion_code = object(&state::id("promo"), &code, &coupon, state.now());
    promotion_code["customer"] = json!(customer);
    promotion_code["expires_at"] = json!(expires_at);
    promotion_code["max_redemptions"] = json!(most);
    promotion_code["metadata"] = metadata;
    promotion_code["restrictions"]["first_time_transaction"] = is_for_new_customers.into();
    state.add(promotion_code.clone());
    state.emit("promotion_code.created", &promotion_code);
    Ok(promotion_code)
}

pub(super) fn update(state: &mut State, call: &mut Call) -> Result<Value, Rejection> {
    let code = state.one(KIND, call.id(), "promotion code", KIND)?;
    let metadata = call.parameters.metadata(&code["metadata"])?;
    let active = call.parameters.maybe_flag("active")?.map_or_else(|| code["active"].clone(), Value::from);
    std::mem::take(&mut call.parameters).done("")?;
    Ok(state.change(KIND, call.id(), &[("active", active), ("metadata", metadata)], "promotion_code.updated"))
}

pub(super) fn get(state: &mut State, call: &mut Call) -> Result<Value, Rejection> {
    state.one(KIND, call.id(), "promotion code", KIND)
}

pub(super) fn all(state: &mut State, call: &mut Call) -> Result<Value, Rejection> {
    let active = call.parameters.maybe_flag("active")?;
    let code = call.parameters.text("code")?;
    let coupon = call.parameters.text("coupon")?;
    let rows: Vec<Value> = state
        .all(KIND)
        .filter(|row| active.is_none_or(|active| row["active"] == active))
        .filter(|row| code.as_deref().is_none_or(|code| is_same(row, code)))
        .filter(|row| coupon.as_deref().is_none_or(|coupon| row["promotion"]["coupon"] == coupon))
        .cloned()
        .collect();
    list::page(&rows, &mut call.parameters, "/v1/promotion_codes")
}

/// Compares codes without regard to case.
fn is_same(row: &Value, code: &str) -> bool {
    row["code"].as_str().is_some_and(|known| known.eq_ignore_ascii_case(code))
}

/// Returns a promotion code that the customer may use now.
pub(super) fn usable(state: &State, id: &str, customer: &str, param: &str) -> Result<Value, Rejection> {
    let code = state.one(KIND, id, "promotion code", param).map_err(|rejection| rejection.with_status(400))?;
    if code["active"] != true {
        return Err(Rejection::invalid("This promotion code is expired or inactive.").param(param));
    }
    if code["customer"].as_str().is_some_and(|owner| owner != customer) {
        let sentence = "This promotion code cannot be redeemed because it is restricted to another customer.";
        return Err(Rejection::invalid(sentence).param(param));
    }
    if code["restrictions"]["first_time_transaction"] == true && has_transactions(state, customer) {
        let sentence = "This promotion code cannot be redeemed because the associated customer has prior transactions.";
        return Err(Rejection::invalid(sentence).param(param));
    }
    Ok(code)
}

/// Returns true if a customer has a successful payment or an invoice. Stripe counts open and uncollectible invoices,
/// too, but neither drafts nor void ones.
fn has_transactions(state: &State, customer: &str) -> bool {
    let is_theirs = |row: &&Value| row["customer"] == customer;
    state.all("charge").filter(is_theirs).any(|charge| charge["paid"] == true)
        || state
            .all(invoices::KIND)
            .filter(is_theirs)
            .any(|invoice| matches!(invoice["status"].as_str(), Some("open" | "paid" | "uncollectible")))
}

/// Deactivates promotion codes that have expired, are used up, or whose coupon is no longer valid.
pub(super) fn expire(state: &mut State) {
    let now = state.now();
    let is_over = |code: &Value| {
        let coupon = code["promotion"]["coupon"].as_str().and_then(|coupon| state.find("coupon", coupon));
        code["expires_at"].as_i64().is_some_and(|at| at <= now)
            || code["max_redemptions"].as_i64().is_some_and(|most| code["times_redeemed"].as_i64() >= Some(most))
            || coupon.is_none_or(|coupon| coupon["valid"] != true)
    };
    let over: Vec<String> =
        state.all(KIND).filter(|code| code["active"] == true && is_over(code)).map(state::id_of).collect();
    for id in over {
        state.set(KIND, &id, &[("active", false.into())]);
    }
}
