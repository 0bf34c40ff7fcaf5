//! The fields of a call: `a[b]=c` as a tree. An operation takes its fields one by one; a field that is left over is
//! unknown.

use serde_json::{Map, Value};

use super::refusal::Refused;

/// The fields that were not taken yet.
#[derive(Debug, Clone, Default)]
pub(super) struct Parameters(Map<String, Value>);

/// Reads a form or a query as a tree of texts. `a[]` and `a[0]` make lists.
pub(crate) fn tree(encoded: &str) -> Map<String, Value> {
    let mut root = Map::new();
    for (name, value) in url::form_urlencoded::parse(encoded.as_bytes()) {
        let (first, rest) = name.split_once('[').unwrap_or((&name, ""));
        let inner = rest.trim_end_matches(']');
        let steps: Vec<&str> = if rest.is_empty() { Vec::new() } else { inner.split("][").collect() };
        put(root.entry(first).or_insert(Value::Null), &steps, &value);
    }
    root
}

/// Sets a value at a path below a place.
fn put(place: &mut Value, steps: &[&str], value: &str) {
    let Some((step, rest)) = steps.split_first() else {
        *place = value.into();
        return;
    };
    if step.is_empty() || step.bytes().all(|byte| byte.is_ascii_digit()) {
        if !place.is_array() {
            *place = Value::Array(Vec::new());
        }
        let Value::Array(list) = place else { return };
        let at = step.parse().unwrap_or(list.len()).min(list.len());
        if at == list.len() {
            list.push(Value::Null);
        }
        put(&mut list[at], rest, value);
    } else {
        if !place.is_object() {
            *place = Value::Object(Map::new());
        }
        put(&mut place[*step], rest, value);
    }
}

impl Parameters {
    /// Reads a form or a query.
    pub(super) fn parse(encoded: &str) -> Self {
        Self(tree(encoded))
    }

    /// Takes a text.
    pub(super) fn text(&mut self, name: &str) -> Result<Option<String>, Refused> {
        match self.0.remove(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(Refused::invalid(format!("Invalid string: {name}")).param(name)),
        }
    }

    /// Takes a text that must be there.
    pub(super) fn required(&mut self, name: &str) -> Result<String, Refused> {
        let missing =
            || Refused::invalid(format!("Missing required param: {name}.")).code("parameter_missing").param(name);
        self.text(name)?.filter(|text| !text.is_empty()).ok_or_else(missing)
    }

    /// Takes a flag; false if it is missing.
    pub(super) fn flag(&mut self, name: &str) -> Result<bool, Refused> {
        match self.text(name)?.as_deref() {
            None | Some("false") => Ok(false),
            Some("true") => Ok(true),
            Some(_) => Err(Refused::invalid(format!("Invalid boolean: {name}")).param(name)),
        }
    }

    /// Takes a flag; none if it is missing.
    pub(super) fn maybe_flag(&mut self, name: &str) -> Result<Option<bool>, Refused> {
        if self.0.contains_key(name) { self.flag(name).map(Some) } else { Ok(None) }
    }

    /// Takes a whole number.
    pub(super) fn integer(&mut self, name: &str) -> Result<Option<i64>, Refused> {
        let wrong =
            || Refused::invalid(format!("Invalid integer: {name}")).code("parameter_invalid_integer").param(name);
        self.text(name)?.map(|text| text.parse().map_err(|_| wrong())).transpose()
    }

    /// Takes a list of objects.
    pub(super) fn many(&mut self, name: &str) -> Result<Vec<Self>, Refused> {
        let wrong = || Refused::invalid(format!("Invalid array: {name}")).param(name);
        match self.0.remove(name) {
            None => Ok(Vec::new()),
            // An empty text is an empty list.
            Some(Value::String(text)) if text.is_empty() => Ok(Vec::new()),
            Some(Value::Array(items)) => items
                .into_iter()
                .map(|item| match item {
                    Value::Object(fields) => Ok(Self(fields)),
                    _ => Err(wrong()),
                })
                .collect(),
            Some(_) => Err(wrong()),
        }
    }

    /// Takes nested fields.
    pub(super) fn inner(&mut self, name: &str) -> Result<Option<Self>, Refused> {
        match self.0.remove(name) {
            None => Ok(None),
            Some(Value::Object(fields)) => Ok(Some(Self(fields))),
            Some(_) => Err(Refused::invalid(format!("Invalid object: {name}")).param(name)),
        }
    }

    /// Takes a list of texts.
    pub(super) fn list(&mut self, name: &str) -> Result<Vec<String>, Refused> {
        match self.0.remove(name) {
            None => Ok(Vec::new()),
            Some(Value::Array(items)) => {
                Ok(items.into_iter().filter_map(|item| item.as_str().map(str::to_owned)).collect())
            }
            Some(_) => Err(Refused::invalid(format!("Invalid array: {name}")).param(name)),
        }
    }

    /// Takes `metadata` and merges it into `old`. An empty value removes its key.
    pub(super) fn metadata(&mut self, old: &Value) -> Result<Value, Refused> {
        let mut notes = old.as_object().cloned().unwrap_or_default();
        match self.0.remove("metadata") {
            None => {}
            Some(Value::String(text)) if text.is_empty() => notes.clear(),
            Some(Value::Object(sent)) => {
                for (name, value) in sent {
                    if value == "" {
                        notes.remove(&name);
                    } else {
                        notes.insert(name, value);
                    }
                }
            }
            Some(_) => return Err(Refused::invalid("Invalid object: metadata").param("metadata")),
        }
        Ok(Value::Object(notes))
    }

    /// Rejects fields that are left over.
    pub(super) fn done(self, within: &str) -> Result<(), Refused> {
        let Some(name) = self.0.keys().next() else { return Ok(()) };
        let name = if within.is_empty() { name.clone() } else { format!("{within}[{name}]") };
        Err(Refused::invalid(format!("Received unknown parameter: {name}")).code("parameter_unknown").param(&name))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::tree;

    #[test]
    fn brackets_make_objects_and_lists() {
        let found = tree("a=1&b%5Bc%5D=2&b[d][e]=3&f[]=4&f[]=5&g[0]=6&g[1]=7&h[0][i]=8&j=");
        let wanted = json!({"a": "1", "b": {"c": "2", "d": {"e": "3"}}, "f": ["4", "5"], "g": ["6", "7"],
            "h": [{"i": "8"}], "j": ""});
        assert_eq!(json!(found), wanted);
    }
}
