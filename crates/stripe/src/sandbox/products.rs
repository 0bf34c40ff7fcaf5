//! Products.

use serde_json::{Value, json};

use super::list;
use super::rejection::Rejection;
use super::serve::Call;
use super::state::{self, State};

const KIND: &str = "product";

/// Creates a new product in Stripe's format.
pub(super) fn object(id: &str, name: &str, description: Option<&str>, created: i64) -> Value {
    json!({
        "id": id, "object": KIND, "active": true, "created": created, "default_price": null, "description": description,
        "images": [], "livemode": false, "marketing_features": [], "metadata": {}, "name": name,
        "package_dimensions": null, "shippable": null, "statement_descriptor": null, "tax_code": null,
        "unit_label": null, "updated": created, "url": null,
    })
}

pub(super) fn create(state: &mut State, call: &mut Call) -> Result<Value, Rejection> {
    let parameters = &mut call.parameters;
    let name = parameters.required("name")?;
    let description = parameters.text("description")?;
    let id = parameters.text("id")?.unwrap_or_else(|| state::id("prod"));
    let metadata = parameters.metadata(&Value::Null)?;
    std::mem::take(parameters).done("")?;
    if state.find(KIND, &id).is_some() {
        return Err(Rejection::invalid("Product already exists.").code("resource_already_exists").param("id"));
    }
    let mut product = object(&id, &name, description.as_deref(), state.now());
    product["metadata"] = metadata;
    state.add(product.clone());
    state.emit("product.created", &product);
    Ok(product)
}

pub(super) fn update(state: &mut State, call: &mut Call) -> Result<Value, Rejection> {
    let product = state.one(KIND, call.id(), KIND, "id")?;
    let parameters = &mut call.parameters;
    let mut fields = vec![("updated", state.now().into()), ("metadata", parameters.metadata(&product["metadata"])?)];
    if let Some(active) = parameters.maybe_flag("active")? {
        fields.push(("active", active.into()));
    }
    for name in ["name", "description"] {
        if let Some(text) = parameters.text(name)? {
            fields.push((name, text.into()));
        }
    }
    std::mem::take(parameters).done("")?;
    Ok(state.change(KIND, call.id(), &fields, "product.updated"))
}

pub(super) fn get(state: &mut State, call: &mut Call) -> Result<Value, Rejection> {
    state.one(KIND, call.id(), KIND, "id")
}

pub(super) fn all(state: &mut State, call: &mut Call) -> Result<Value, Rejection> {
    let active = call.parameters.maybe_flag("active")?;
    let rows: Vec<Value> =
        state.all(KIND).filter(|row| active.is_none_or(|active| row["active"] == active)).cloned().collect();
    list::page(&rows, &mut call.parameters, "/v1/products")
}
