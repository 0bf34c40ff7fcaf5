//! The fields of a call: `a[b]=c` as a tree. An operation takes its fields one by one; a field that is left over is
//! unknown.

use serde_json::{Map, Value};

use super::rejection::Rejection;

/// The most steps of a field's name that make levels of the tree. Stripe's fields have five. Whatever is deeper stays
/// one name.
const MOST_STEPS: usize = 8;
/// The most characters of a text.
const MOST_CHARACTERS: usize = 5000;
/// The most notes of an object, and the most characters of a note's name and of its text, as with Stripe.
const MOST_NOTES: (usize, usize, usize) = (50, 40, 500);

/// The fields that were not taken yet.
#[derive(Debug, Clone, Default)]
pub(super) struct Parameters(Map<String, Value>);

/// Reads a form or a query as a tree of texts. `a[]` and `a[0]` make lists.
pub(crate) fn tree(encoded: &str) -> Map<String, Value> {
    let mut root = Map::new();
    for (name, value) in url::form_urlencoded::parse(encoded.as_bytes()) {
        let (first, rest) = name.split_once('[').unwrap_or((&name, ""));
        let inner = rest.trim_end_matches(']');
        let steps: Vec<&str> = if rest.is_empty() { Vec::new() } else { inner.splitn(MOST_STEPS, "][").collect() };
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
    pub(super) fn text(&mut self, name: &str) -> Result<Option<String>, Rejection> {
        match self.0.remove(name) {
            None => Ok(None),
            Some(Value::String(text)) if text.chars().count() <= MOST_CHARACTERS => Ok(Some(text)),
            Some(Value::String(_)) => {
                let sentence = format!("Invalid string: {name}; must be at most {MOST_CHARACTERS} characters");
                Err(Rejection::invalid(sentence).param(name))
            }
            Some(_) => Err(Rejection::invalid(format!("Invalid string: {name}")).param(name)),
        }
    }

    /// Takes a text that must be there.
    pub(super) fn required(&mut self, name: &str) -> Result<String, Rejection> {
        let missing =
            || Rejection::invalid(format!("Missing required param: {name}.")).code("parameter_missing").param(name);
        self.text(name)?.filter(|text| !text.is_empty()).ok_or_else(missing)
    }

    /// Takes a flag; false if it is missing.
    pub(super) fn flag(&mut self, name: &str) -> Result<bool, Rejection> {
        match self.text(name)?.as_deref() {
            None | Some("false") => Ok(false),
            Some("true") => Ok(true),
            Some(_) => Err(Rejection::invalid(format!("Invalid boolean: {name}")).param(name)),
        }
    }

    /// Takes a flag; none if it is missing.
    pub(super) fn maybe_flag(&mut self, name: &str) -> Result<Option<bool>, Rejection> {
        if self.0.contains_key(name) { self.flag(name).map(Some) } else { Ok(None) }
    }

    /// Takes a whole number.
    pub(super) fn integer(&mut self, name: &str) -> Result<Option<i64>, Rejection> {
        let wrong =
            || Rejection::invalid(format!("Invalid integer: {name}")).code("parameter_invalid_integer").param(name);
        self.text(name)?.map(|text| text.parse().map_err(|_| wrong())).transpose()
    }

    /// Takes a list of objects.
    pub(super) fn many(&mut self, name: &str) -> Result<Vec<Self>, Rejection> {
        let wrong = || Rejection::invalid(format!("Invalid array: {name}")).param(name);
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
    pub(super) fn inner(&mut self, name: &str) -> Result<Option<Self>, Rejection> {
        match self.0.remove(name) {
            None => Ok(None),
            Some(Value::Object(fields)) => Ok(Some(Self(fields))),
            Some(_) => Err(Rejection::invalid(format!("Invalid object: {name}")).param(name)),
        }
    }

    /// Takes a list of texts.
    pub(super) fn list(&mut self, name: &str) -> Result<Vec<String>, Rejection> {
        match self.0.remove(name) {
            None => Ok(Vec::new()),
            Some(Value::Array(items)) => {
                Ok(items.into_iter().filter_map(|item| item.as_str().map(str::to_owned)).collect())
            }
            Some(_) => Err(Rejection::invalid(format!("Invalid array: {name}")).param(name)),
        }
    }

    /// Takes `metadata` and merges it into `old`. An empty value removes its key. The values are texts.
    pub(super) fn metadata(&mut self, old: &Value) -> Result<Value, Rejection> {
        let (most, most_of_name, most_of_text) = MOST_NOTES;
        let mut notes = old.as_object().cloned().unwrap_or_default();
        match self.0.remove("metadata") {
            None => {}
            Some(Value::String(text)) if text.is_empty() => notes.clear(),
            Some(Value::Object(sent)) => {
                for (name, value) in sent {
                    let fits = name.chars().count() <= most_of_name
                        && value.as_str().is_some_and(|text| text.chars().count() <= most_of_text);
                    if !fits {
                        let sentence = format!(
                            "Metadata values are texts of at most {most_of_text} characters, and their names have at most \
                             {most_of_name}."
                        );
                        return Err(Rejection::invalid(sentence).param("metadata"));
                    }
                    if value == "" {
                        notes.remove(&name);
                    } else {
                        notes.insert(name, value);
                    }
                }
            }
            Some(_) => return Err(Rejection::invalid("Invalid object: metadata").param("metadata")),
        }
        if notes.len() > most {
            return Err(Rejection::invalid(format!("Metadata has at most {most} values.")).param("metadata"));
        }
        Ok(Value::Object(notes))
    }

    /// Rejects fields that are left over.
    pub(super) fn done(self, within: &str) -> Result<(), Rejection> {
        let Some(name) = self.0.keys().next() else { return Ok(()) };
        let name = if within.is_empty() { name.clone() } else { format!("{within}[{name}]") };
        Err(Rejection::invalid(format!("Received unknown parameter: {name}")).code("parameter_unknown").param(&name))
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

    #[test]
    fn a_name_with_many_brackets_makes_a_tree_of_few_levels() {
        let found = tree(&format!("a{}=1&b{}=2", "[b]".repeat(20_000), "[]".repeat(20_000)));
        let (mut levels, mut inner) = (0, &found["a"]);
        while let Some(fields) = inner.as_object() {
            (levels, inner) = (levels + 1, fields.values().next().unwrap());
        }
        assert_eq!((levels, inner), (super::MOST_STEPS, &json!("1")));
    }

    #[test]
    fn metadata_has_short_texts_and_not_too_many() {
        let kept = |form: &str| super::Parameters::parse(form).metadata(&json!({"old": "note"})).map_err(|_| ());
        assert_eq!(kept("metadata[a]=1"), Ok(json!({"old": "note", "a": "1"})));
        let long = "x".repeat(501);
        for form in [
            "metadata[a][b]=1",
            "metadata[a][]=1",
            "metadata=1",
            &format!("metadata[a]={long}"),
            &format!("metadata[{long}]=1"),
        ] {
            assert_eq!(kept(form), Err(()), "{form}");
        }
        let notes = |count| (0..count).map(|number| format!("metadata[{number}a]=1")).collect::<Vec<_>>().join("&");
        assert!(kept(&notes(49)).is_ok());
        assert!(kept(&notes(50)).is_err());
    }
}
