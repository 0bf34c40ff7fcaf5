//! Coupons, and the discounts that they give to subscriptions.

use serde_json::{Value, json};

use super::clock;
use super::parameters::Parameters;
use super::promotion_codes;
use super::rejection::Rejection;
use super::serve::Call;
use super::state::{self, State};

const KIND: &str = "coupon";

/// Creates a new coupon with a percentage, in Stripe's format. `months` is set if the duration is `repeating`.
pub(super) fn object(id: &str, name: &str, percent: f64, duration: &str, months: Option<i64>, created: i64) -> Value {
    json!({
        "id": id, "object": KIND, "amount_off": null, "created": created, "currency": null, "duration": duration,
        "duration_in_months": months, "livemode": false, "max_redemptions": null, "metadata": {}, "name": name,
        "percent_off": percent, "redeem_by": null, "times_redeemed": 0, "valid": true,
    })
}

pub(super) fn create(state: &mut State, call: &mut Call) -> Result<Value, Rejection> {
    let parameters = &mut call.parameters;
    let id = parameters.text("id")?.unwrap_or_else(state::random::<4>);
    let name = parameters.text("name")?;
    let duration = parameters.text("duration")?.unwrap_or_else(|| "once".to_owned());
    let months = parameters.integer("duration_in_months")?;
    let (amount, currency) = (parameters.integer("amount_off")?, parameters.text("currency")?);
    let percent: Option<f64> = parameters.text("percent_off")?.and_then(|text| text.parse().ok());
    let (redeem_by, most) = (parameters.integer("redeem_by")?, parameters.integer("max_redemptions")?);
    let metadata = parameters.metadata(&Value::Null)?;
    std::mem::take(parameters).done("")?;
    let is_percent = percent.is_some_and(|percent| percent > 0.0 && percent <= 100.0);
    if is_percent == amount.is_some_and(|amount| amount > 0) {
        return Err(Rejection::invalid("You must pass either percent_off or amount_off.").param("percent_off"));
    }
    if !matches!(duration.as_str(), "once" | "forever" | "repeating") || (duration == "repeating") != months.is_some() {
        return Err(Rejection::invalid("Invalid duration.").param("duration"));
    }
    if state.find(KIND, &id).is_some() {
        return Err(Rejection::invalid("Coupon already exists.").code("resource_already_exists").param("id"));
    }
    let mut coupon = object(&id, "", 0.0, &duration, months, state.now());
    let more = json!({
        "name": name, "percent_off": percent, "amount_off": amount, "currency": currency, "redeem_by": redeem_by,
        "max_redemptions": most, "metadata": metadata,
    });
    for (name, value) in more.as_object().into_iter().flatten() {
        coupon[name] = value.clone();
    }
    state.add(coupon.clone());
    state.emit("coupon.created", &coupon);
    Ok(coupon)
}

pub(super) fn get(state: &mut State, call: &mut Call) -> Result<Value, Rejection> {
    state.one(KIND, call.id(), KIND, KIND)
}

pub(super) fn delete(state: &mut State, call: &mut Call) -> Result<Value, Rejection> {
    let coupon = state.one(KIND, call.id(), KIND, KIND)?;
    std::mem::take(&mut call.parameters).done("")?;
    let deleted = json!({"id": call.id(), "object": KIND, "deleted": true});
    if let Some(kept) = state.find_mut(KIND, call.id()) {
        *kept = deleted.clone();
    }
    state.emit("coupon.deleted", &coupon);
    expire(state);
    Ok(deleted)
}

/// Marks coupons and promotion codes that have expired or are used up as no longer valid.
pub(super) fn expire(state: &mut State) {
    let now = state.now();
    let is_over = |coupon: &Value| {
        coupon["redeem_by"].as_i64().is_some_and(|at| at <= now)
            || coupon["max_redemptions"].as_i64().is_some_and(|most| coupon["times_redeemed"].as_i64() >= Some(most))
    };
    let over: Vec<String> =
        state.all(KIND).filter(|coupon| coupon["valid"] == true && is_over(coupon)).map(state::id_of).collect();
    for id in over {
        state.set(KIND, &id, &[("valid", false.into())]);
    }
    promotion_codes::expire(state);
}

/// Reads and checks `discounts`. Returns each coupon with its promotion code, or null without one. Nothing is changed.
///
/// # Errors
/// If a promotion code or coupon does not exist, is no longer valid, or is for another customer.
pub(super) fn read(
    state: &State,
    parameters: &mut Parameters,
    customer: &str,
) -> Result<Vec<(Value, Value)>, Rejection> {
    let mut found = Vec::new();
    for (number, mut entry) in parameters.many("discounts")?.into_iter().enumerate() {
        let (code, coupon) = (entry.text("promotion_code")?, entry.text("coupon")?);
        entry.done(&format!("discounts[{number}]"))?;
        let (id, code) = match (code, coupon) {
            (Some(code), None) => {
                let param = format!("discounts[{number}][promotion_code]");
                let code = promotion_codes::usable(state, &code, customer, &param)?;
                (code["promotion"]["coupon"].as_str().unwrap_or_default().to_owned(), code)
            }
            (None, Some(coupon)) => (coupon, Value::Null),
            _ => return Err(Rejection::invalid("Pass either a coupon or a promotion code.").param("discounts")),
        };
        let param = format!("discounts[{number}][coupon]");
        let coupon = state.one(KIND, &id, KIND, &param).map_err(|rejection| rejection.with_status(400))?;
        if coupon["valid"] != true {
            let sentence = format!("Coupon {id} is expired and cannot be applied.");
            return Err(Rejection::invalid(sentence).code("coupon_expired").param(&param));
        }
        found.push((coupon, code));
    }
    Ok(found)
}

/// Creates the discount that a coupon gives, and counts the redemption.
pub(super) fn redeem(state: &mut State, coupon: &Value, code: &Value, subscription: &str, customer: &str) -> Value {
    let now = state.now();
    for (kind, object) in [(KIND, coupon), ("promotion_code", code)] {
        if let Some(id) = object["id"].as_str() {
            let times = object["times_redeemed"].as_i64().unwrap_or_default() + 1;
            state.set(kind, id, &[("times_redeemed", times.into())]);
        }
    }
    let end = coupon["duration_in_months"].as_i64().map(|months| clock::add_months(now, months));
    let discount = state.add(json!({
        "id": state::id("di"), "object": "discount", "checkout_session": null, "customer": customer, "end": end,
        "invoice": null, "invoice_item": null, "promotion_code": code["id"],
        "source": {"type": KIND, "coupon": coupon["id"]}, "start": now, "subscription": subscription,
        "subscription_item": null,
    }));
    expire(state);
    discount
}

/// Returns the discounts of a subscription that apply at the time `at`, each with the cents that it takes off the
/// amount.
pub(super) fn amounts(state: &State, discounts: &Value, amount: i64, at: i64) -> Vec<(String, i64)> {
    let mut left = amount;
    let mut amounts = Vec::new();
    for id in discounts.as_array().into_iter().flatten().filter_map(Value::as_str) {
        let Some(discount) = state.find("discount", id) else { continue };
        if discount["end"].as_i64().is_some_and(|end| end <= at) {
            continue;
        }
        let coupon = discount["source"]["coupon"].as_str().and_then(|coupon| state.find(KIND, coupon));
        let off = coupon.map_or(0, |coupon| match coupon["amount_off"].as_i64() {
            Some(cents) => cents,
            None => percent(left, coupon["percent_off"].as_f64().unwrap_or_default()),
        });
        let off = off.clamp(0, left);
        left -= off;
        amounts.push((id.to_owned(), off));
    }
    amounts
}

/// Returns a percentage of an amount, to the nearest cent. Percentages have at most two decimals.
fn percent(amount: i64, percent: f64) -> i64 {
    let hundredths: i64 = format!("{:.0}", percent * 100.0).parse().unwrap_or_default();
    (amount * hundredths + 5_000) / 10_000
}

/// Returns the discounts that remain after an invoice with an amount: those with the duration `once` are used up.
pub(super) fn left(state: &State, discounts: &Value) -> Value {
    let is_once = |id: &Value| {
        let discount = id.as_str().and_then(|id| state.find("discount", id));
        let coupon = discount.and_then(|found| found["source"]["coupon"].as_str());
        coupon.and_then(|coupon| state.find(KIND, coupon)).is_none_or(|coupon| coupon["duration"] == "once")
    };
    discounts.as_array().into_iter().flatten().filter(|id| !is_once(id)).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::percent;

    #[test]
    fn a_percentage_is_rounded_to_the_nearest_cent() {
        for (amount, off, cents) in
            [(135_000, 20.0, 27_000), (999, 33.33, 333), (1, 50.0, 1), (135_000, 100.0, 135_000)]
        {
            assert_eq!(percent(amount, off), cents, "{off} % of {amount}");
        }
    }
}
