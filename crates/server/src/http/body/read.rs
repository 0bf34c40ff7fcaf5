//! Deserializes JSON, forms and queries with error messages for people: a sentence at the field, where parsers name Rust types and
//! byte offsets.

use std::collections::BTreeMap;

use berth_domain::check::FieldError;
use serde::de::value::StrDeserializer;
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, Error as _, IntoDeserializer, MapAccess, SeqAccess,
    VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;
use serde_json::Value;

use super::controls::{CONTROL, find_controls, is_control};
use super::misfit::{Misfit, pointer};
use crate::{Error, Result};

/// A value of a request.
#[derive(Debug)]
enum Sent {
    /// JSON, whose values have types.
    Json(Value),
    /// A value of a form or a query: a text that may stand for a number or a boolean.
    Text(String),
    /// Several values with one name.
    Texts(Vec<String>),
}

/// Deserializes JSON.
///
/// # Errors
/// 400 for invalid JSON, 422 at an invalid field.
pub fn json<T: DeserializeOwned>(bytes: &[u8]) -> Result<T> {
    let value = serde_json::from_slice(bytes)
        .map_err(|_| Error::Unreadable("The request is not valid JSON. Correct it and send it again.".to_owned()))?;
    let mut errors = Vec::new();
    find_controls(&value, "", &mut errors);
    if errors.is_empty() { value_of(value) } else { Err(Error::Fields(errors)) }
}

/// Deserializes parsed JSON.
///
/// # Errors
/// 422 at an invalid field.
pub fn value_of<T: DeserializeOwned>(value: Value) -> Result<T> {
    T::deserialize(Sent::Json(value)).map_err(Into::into)
}

/// Deserializes the pairs of a form or a query.
///
/// # Errors
/// 422 at an invalid field.
pub fn pairs<T: DeserializeOwned>(encoded: &[u8]) -> Result<T> {
    let mut fields: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut errors = Vec::new();
    for (name, value) in url::form_urlencoded::parse(encoded) {
        if name.chars().chain(value.chars()).any(is_control) {
            errors.push(FieldError::new(pointer(&name), CONTROL));
        }
        fields.entry(name.into_owned()).or_default().push(value.into_owned());
    }
    if !errors.is_empty() {
        return Err(Error::Fields(errors));
    }
    let one_or_more = |mut values: Vec<String>| match values.len() {
        1 => Sent::Text(values.remove(0)),
        _ => Sent::Texts(values),
    };
    let fields = fields.into_iter().map(|(name, values)| (name, one_or_more(values)));
    T::deserialize(Fields(Map { rest: fields, value: None })).map_err(Into::into)
}

/// Visits a value of a form or a query as a number if it is one, else as a text.
macro_rules! parsed {
    ($($method:ident $visit:ident $kind:ty),+ $(,)?) => { $(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
            if let Self::Text(text) = &self
                && let Ok(value) = text.trim().parse::<$kind>()
            {
                return visitor.$visit(value);
            }
            self.deserialize_any(visitor)
        }
    )+ };
}

impl<'de> Deserializer<'de> for Sent {
    type Error = Misfit;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        match self {
            Self::Text(text) => visitor.visit_string(text),
            Self::Texts(texts) => visitor.visit_seq(Items { rest: texts.into_iter().map(Self::Text), index: 0 }),
            Self::Json(Value::Null) => visitor.visit_unit(),
            Self::Json(Value::Bool(value)) => visitor.visit_bool(value),
            Self::Json(Value::Number(number)) => match (number.as_u64(), number.as_i64(), number.as_f64()) {
                (Some(value), ..) => visitor.visit_u64(value),
                (_, Some(value), _) => visitor.visit_i64(value),
                (.., Some(value)) => visitor.visit_f64(value),
                _ => Err(Misfit::new("This number is too large or too small.")),
            },
            Self::Json(Value::String(text)) => visitor.visit_string(text),
            Self::Json(Value::Array(items)) => {
                visitor.visit_seq(Items { rest: items.into_iter().map(Self::Json), index: 0 })
            }
            Self::Json(Value::Object(fields)) => {
                let rest = fields.into_iter().map(|(name, value)| (name, Self::Json(value)));
                visitor.visit_map(Map { rest, value: None })
            }
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        match self {
            Self::Json(Value::Null) => visitor.visit_none(),
            Self::Text(text) if text.is_empty() => visitor.visit_none(),
            other => visitor.visit_some(other),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Misfit> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        match self {
            Self::Text(text) => Self::Texts(vec![text]).deserialize_any(visitor),
            other => other.deserialize_any(visitor),
        }
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        match self {
            Self::Json(Value::Object(_)) => self.deserialize_any(visitor),
            _ => Err(Misfit::new("Send an object with fields here.")),
        }
    }

    /// Accepts objects only: serde would also accept a list of the fields in order.
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Misfit> {
        self.deserialize_map(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Misfit> {
        match self {
            Self::Text(text) | Self::Json(Value::String(text)) => visitor.visit_enum(Word(text)),
            _ => Err(Misfit::unknown_variant("", variants)),
        }
    }

    parsed! {
        deserialize_bool visit_bool bool,
        deserialize_i8 visit_i64 i64,
        deserialize_i16 visit_i64 i64,
        deserialize_i32 visit_i64 i64,
        deserialize_i64 visit_i64 i64,
        deserialize_u8 visit_u64 u64,
        deserialize_u16 visit_u64 u64,
        deserialize_u32 visit_u64 u64,
        deserialize_u64 visit_u64 u64,
        deserialize_f32 visit_f64 f64,
        deserialize_f64 visit_f64 f64,
    }

    forward_to_deserialize_any! {
        i128 u128 char str string bytes byte_buf unit unit_struct tuple tuple_struct identifier ignored_any
    }
}

/// The pairs of a form or a query as a whole.
struct Fields<I>(Map<I>);

impl<'de, I: Iterator<Item = (String, Sent)>> Deserializer<'de> for Fields<I> {
    type Error = Misfit;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        visitor.visit_map(self.0)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

/// Deserializes the items of a list.
struct Items<I> {
    rest: I,
    index: usize,
}

impl<'de, I: Iterator<Item = Sent>> SeqAccess<'de> for Items<I> {
    type Error = Misfit;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, Misfit> {
        let Some(item) = self.rest.next() else { return Ok(None) };
        let step = format!("/{}", self.index);
        self.index += 1;
        seed.deserialize(item).map(Some).map_err(|misfit| misfit.below(&step))
    }
}

/// Deserializes the fields of an object.
struct Map<I> {
    rest: I,
    /// The value of the name that was read last.
    value: Option<(String, Sent)>,
}

impl<'de, I: Iterator<Item = (String, Sent)>> MapAccess<'de> for Map<I> {
    type Error = Misfit;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, Misfit> {
        let Some((name, value)) = self.rest.next() else { return Ok(None) };
        let key: StrDeserializer<'_, Misfit> = name.as_str().into_deserializer();
        let key = seed.deserialize(key)?;
        self.value = Some((name, value));
        Ok(Some(key))
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Misfit> {
        let Some((name, value)) = self.value.take() else { return Err(Misfit::custom("Required field.")) };
        seed.deserialize(value).map_err(|misfit| misfit.below(&pointer(&name)))
    }
}

/// Deserializes an enum of plain words.
struct Word(String);

impl<'de> EnumAccess<'de> for Word {
    type Error = Misfit;
    type Variant = Self;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Self), Misfit> {
        let word: StrDeserializer<'_, Misfit> = self.0.as_str().into_deserializer();
        let value = seed.deserialize(word)?;
        Ok((value, self))
    }
}

impl<'de> VariantAccess<'de> for Word {
    type Error = Misfit;

    fn unit_variant(self) -> Result<(), Misfit> {
        Ok(())
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, _: S) -> Result<S::Value, Misfit> {
        Err(Misfit::new("This value cannot be used here."))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, _: V) -> Result<V::Value, Misfit> {
        Err(Misfit::new("This value cannot be used here."))
    }

    fn struct_variant<V: Visitor<'de>>(self, _: &'static [&'static str], _: V) -> Result<V::Value, Misfit> {
        Err(Misfit::new("This value cannot be used here."))
    }
}

#[cfg(test)]
mod tests {
    use berth_domain::id::SiteId;
    use berth_domain::role::Role;
    use serde::Deserialize;

    use super::{json, pairs};
    use crate::Error;

    #[derive(Debug, Default, PartialEq, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    struct Inner {
        count: i64,
    }

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    struct Form {
        name: String,
        #[serde(default)]
        is_open: bool,
        #[serde(default)]
        items: Vec<Inner>,
        #[serde(default)]
        role: Option<Role>,
        #[serde(default)]
        site_id: Option<SiteId>,
        #[serde(default)]
        small: Option<u8>,
    }

    /// Pointer and sentence of the first error; the status if there is none.
    fn told<T: std::fmt::Debug>(read: Result<T, Error>) -> String {
        match read.unwrap_err() {
            Error::Fields(errors) => format!("{}: {}", errors[0].pointer, errors[0].message),
            error => format!("{} {error}", error.status().as_u16()),
        }
    }

    #[test]
    fn invalid_values_are_a_sentence_at_their_field() {
        for (sent, wanted) in [
            (r#"{"name": "a""#, "400 The request is not valid JSON. Correct it and send it again."),
            ("[]", ": Send an object with fields here."),
            (r#""name""#, ": Send an object with fields here."),
            ("{}", "/name: Required field."),
            (r#"{"name": 7}"#, "/name: Send a text here."),
            (r#"{"name": null}"#, "/name: Send a text here."),
            (r#"{"name": "a", "isOpen": "yes"}"#, "/isOpen: Send true or false here."),
            (r#"{"name": "a", "items": {}}"#, "/items: Send a list here."),
            (r#"{"name": "a", "items": [{"count": 1}, {"count": "2"}]}"#, "/items/1/count: Send a whole number here."),
            (r#"{"name": "a", "items": [{}]}"#, "/items/0/count: Required field."),
            (
                r#"{"name": "a", "items": [{"count": 1, "a/b~": 1}]}"#,
                "/items/0/a~1b~0: This field does not exist here.",
            ),
            (r#"{"name": "a", "role": "King"}"#, "/role: Choose one of: GlobalAdmin, Owner, Admin, Intake, Staff."),
            (r#"{"name": "a", "role": 3}"#, "/role: Choose one of: GlobalAdmin, Owner, Admin, Intake, Staff."),
            (r#"{"name": "a", "siteId": "x"}"#, "/siteId: This id is not valid."),
            (r#"{"name": "a", "siteId": 4}"#, "/siteId: Send a text here."),
            (r#"{"name": "a", "small": 256}"#, "/small: This number is too large or too small."),
            (r#"{"name": "a", "small": 1.5}"#, "/small: Send a whole number here."),
            (r#"{"name": "a", "small": 1e400}"#, "400 The request is not valid JSON. Correct it and send it again."),
        ] {
            assert_eq!(told(json::<Form>(sent.as_bytes())), wanted, "{sent}");
        }
    }

    #[test]
    fn control_characters_except_line_ends_are_refused_at_their_field() {
        const CONTROL: &str =
            "This text contains a control character that cannot be stored. Type it instead of pasting it.";
        for (sent, place) in [
            (r#"{"name": "a\u0000b"}"#, "/name"),
            // A filter with a single pass over the bytes would produce this one.
            (r#"{"name": "a\u00\u000000b"}"#, "400"),
            (r#"{"name": "x", "items": [{"count": 1, "note": "\u001b[31m"}]}"#, "/items/0/note"),
            (r#"{"name": "\u007f"}"#, "/name"),
        ] {
            let told = told(json::<Form>(sent.as_bytes()));
            assert!(told == format!("{place}: {CONTROL}") || (place == "400" && told.starts_with("400 ")), "{told}");
        }
        let named: Form = json(r#"{"name": "back\\u0000slash\r\n\tnext\u000b"}"#.as_bytes()).unwrap();
        assert_eq!(named.name, "back\\u0000slash\r\n\tnext\u{b}");
        assert_eq!(
            told(json::<Form>(r#"{"na\u0000me": "x"}"#.as_bytes())),
            ": The name of a field contains a control character."
        );
        assert_eq!(told(pairs::<Form>(b"name=a%00b")), format!("/name: {CONTROL}"));
        let long = format!(r#"{{"name": "a", "{}": 1}}"#, "x".repeat(5000));
        assert_eq!(
            told(json::<Form>(long.as_bytes())),
            format!("/{}: This field does not exist here.", "x".repeat(60))
        );
    }

    #[derive(Debug, PartialEq, Deserialize)]
    struct Query {
        id: SiteId,
        page: Option<i64>,
        open: Option<bool>,
        #[serde(default, rename = "Status", alias = "status")]
        status: Vec<String>,
        search: Option<String>,
    }

    #[test]
    fn query_values_are_texts_that_may_be_numbers_and_lists() {
        let id = "0190a000-0000-7000-8000-00000000000a";
        let query = |text: &str| pairs::<Query>(format!("id={id}{text}").as_bytes());
        let read = query("&page=+7&open=true&Status=a&Status=b,c&search=&other=1").unwrap();
        assert_eq!((read.page, read.open, read.search), (Some(7), Some(true), None));
        assert_eq!(read.status, ["a", "b,c"]);
        assert_eq!(query("&status=one").unwrap().status, ["one"]);
        for (sent, wanted) in [
            ("&page=x", "/page: Send a whole number here."),
            ("&page=99999999999999999999", "/page: Send a whole number here."),
            ("&open=maybe", "/open: Send true or false here."),
            ("&search=a&search=b", "/search: Send a text here."),
            ("&Status=a&status=b", "/Status: Send this field only once."),
        ] {
            assert_eq!(told(query(sent)), wanted, "{sent}");
        }
        assert_eq!(told(pairs::<Query>(b"id=x")), "/id: This id is not valid.");
        assert_eq!(told(pairs::<Query>(b"")), "/id: Required field.");
    }
}
