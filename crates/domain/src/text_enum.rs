//! A macro for enums that are a text in JSON and in the database.

/// The error for a text that is no value of an enum.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{text}' is not a {kind}")]
pub struct UnknownText {
    /// The Rust name of the enum.
    pub kind: &'static str,
    /// The text that was found.
    pub text: String,
}

/// Declares an enum whose values are texts: `as_str`, `from_text` (exact), `ALL`, `Display`, `FromStr`, serde's
/// `Serialize`, OpenAPI schema (under another name by `as`) and, behind the feature `database`, a TEXT column. `Deserialize` is derived by the caller.
macro_rules! text_enum {
    (
        $(#[$meta:meta])*
        pub enum $name:ident $(as $schema:ident)? { $( $(#[$variant_meta:meta])* $variant:ident = $text:literal ),+ $(,)? }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
        pub enum $name { $( $(#[$variant_meta])* #[serde(rename = $text)] $variant ),+ }

        impl $name {
            /// Every value, in the order of declaration.
            pub const ALL: &'static [Self] = &[ $( Self::$variant ),+ ];

            /// Returns the text in JSON and in the database.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $( Self::$variant => $text ),+ }
            }

            /// Finds the value with exactly this text.
            #[must_use]
            pub fn from_text(text: &str) -> Option<Self> {
                match text { $( $text => Some(Self::$variant), )+ _ => None }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.pad(self.as_str())
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::text_enum::UnknownText;
            fn from_str(text: &str) -> Result<Self, Self::Err> {
                Self::from_text(text)
                    .ok_or_else(|| $crate::text_enum::UnknownText { kind: stringify!($name), text: text.to_owned() })
            }
        }

        // Not derived: utoipa does not see renames that a macro has written.
        impl utoipa::PartialSchema for $name {
            fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
                utoipa::openapi::ObjectBuilder::new()
                    .schema_type(utoipa::openapi::schema::Type::String)
                    .enum_values(Some([ $( $text ),+ ]))
                    .into()
            }
        }

        impl utoipa::ToSchema for $name {
            fn name() -> std::borrow::Cow<'static, str> {
                [$(stringify!($schema),)? stringify!($name)][0].into()
            }
        }

        #[cfg(feature = "database")]
        impl berth_db::Bind for $name {
            const NULL: berth_db::Value<'static> = berth_db::Value::Text(None);
            fn value(&self) -> berth_db::Value<'_> {
                berth_db::Value::Text(Some(self.as_str()))
            }
        }

        #[cfg(feature = "database")]
        impl berth_db::Column for $name {
            fn read(cell: &berth_db::Cell<'_>) -> berth_db::Result<Self> {
                cell.text()?.parse().map_err(|error: $crate::text_enum::UnknownText| berth_db::Error::Other(error.into()))
            }
        }
    };
}
