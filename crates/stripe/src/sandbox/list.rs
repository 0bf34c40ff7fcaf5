//! Lists in Stripe's format, the newest first, with `limit`, `starting_after` and `ending_before`; and `expand`.

use serde_json::{Value, json};

use super::invoices;
use super::parameters::Parameters;
use super::rejection::Rejection;
use super::state::State;

/// Returns a page of `rows`, which come newest first.
pub(super) fn page(rows: &[Value], parameters: &mut Parameters, url: &str) -> Result<Value, Rejection> {
    let limit =
        match parameters.text("limit")? {
            None => 10,
            Some(text) => text.parse().ok().filter(|limit| (1..=100).contains(limit)).ok_or_else(|| {
                Rejection::invalid("This value must be between 1 and 100 (inclusive).").param("limit")
            })?,
        };
    let place = |id: &str, param: &str| {
        rows.iter()
            .position(|row| row["id"] == id)
            .ok_or_else(|| Rejection::missing("object", id, param).with_status(400))
    };
    let (after, before) = (parameters.text("starting_after")?, parameters.text("ending_before")?);
    let (page, has_more) = if let Some(id) = before {
        let end = place(&id, "ending_before")?;
        let start = end.saturating_sub(limit);
        (&rows[start..end], start > 0)
    } else {
        let start = match after {
            Some(id) => place(&id, "starting_after")? + 1,
            None => 0,
        };
        let end = (start + limit).min(rows.len());
        (&rows[start..end], end < rows.len())
    };
    Ok(json!({"object": "list", "data": page, "has_more": has_more, "url": url}))
}

/// Replaces ids by their objects where `expand[]` asks for it.
pub(super) fn expand(state: &State, answer: &mut Value, paths: &[String]) -> Result<(), Rejection> {
    for path in paths {
        let steps: Vec<&str> = path.split('.').collect();
        if steps.len() > 4 {
            let sentence = "You cannot expand more than 4 levels of a property.";
            return Err(Rejection::invalid(format!("{sentence} Property: {path}")).param("expand"));
        }
        step(state, answer, &steps, path)?;
    }
    Ok(())
}

fn step(state: &State, place: &mut Value, steps: &[&str], path: &str) -> Result<(), Rejection> {
    match place {
        Value::Array(items) => return items.iter_mut().try_for_each(|item| step(state, item, steps, path)),
        Value::String(id) => {
            let found = state.any(id).cloned();
            *place = found.ok_or_else(|| {
                Rejection::invalid(format!("This property cannot be expanded ({path}).")).param("expand")
            })?;
        }
        _ => {}
    }
    match (steps.split_first(), place) {
        (None, _) | (_, Value::Null) => Ok(()),
        (Some((first, rest)), place @ Value::Object(_))
            if place["object"] == invoices::KIND && is_includable(first) =>
        {
            let included = invoices::included(state, place, first).unwrap_or_default();
            place[*first] = included;
            step(state, &mut place[*first], rest, path)
        }
        (Some((first, rest)), Value::Object(fields)) if fields.contains_key(*first) => {
            let inner = fields.entry(*first).or_insert(Value::Null);
            step(state, inner, rest, path)
        }
        _ => Err(Rejection::invalid(format!("This property cannot be expanded ({path}).")).param("expand")),
    }
}

/// Returns true for a part of an invoice that Stripe shows only if the call expands it.
fn is_includable(name: &str) -> bool {
    matches!(name, "payments" | "confirmation_secret")
}
