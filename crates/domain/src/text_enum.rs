//! One short macro for enums that are a text in JSON and in the database.
//!
//! sqlx's own derive for enums asks PostgreSQL for the type's number by name on each connection; the macro's
//! implementations are those of `str`, so that a TEXT column just works on both engines.

/// A text that is none of an enum's values.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{text}' is not a {kind}")]
pub struct UnknownText {
    /// The Rust name of the enum.
    pub kind: &'static str,
    /// The text that was found.
    pub text: String,
}

/// Declares an enum whose values are texts: `as_str`, `from_text` (exact), `ALL`, `Display`, `FromStr`, serde's
/// `Serialize`, OpenAPI schema (under another name by `as`) and, behind the feature `sqlx`, a TEXT column. `Deserialize` is derived by the caller.
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

            /// The text in JSON and in the database.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $( Self::$variant => $text ),+ }
            }

            /// The value with exactly this text.
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

        // By hand: utoipa's derive does not see a rename that a macro wrote.
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

        #[cfg(feature = "sqlx")]
        impl<DB: sqlx::Database> sqlx::Type<DB> for $name where str: sqlx::Type<DB> {
            fn type_info() -> DB::TypeInfo {
                <str as sqlx::Type<DB>>::type_info()
            }
            fn compatible(found: &DB::TypeInfo) -> bool {
                <str as sqlx::Type<DB>>::compatible(found)
            }
        }

        #[cfg(feature = "sqlx")]
        impl<'q, DB: sqlx::Database> sqlx::Encode<'q, DB> for $name where &'q str: sqlx::Encode<'q, DB> {
            fn encode_by_ref(
                &self,
                buffer: &mut DB::ArgumentBuffer,
            ) -> Result<sqlx::encode::IsNull, sqlx::error::BoxDynError> {
                <&'q str as sqlx::Encode<'q, DB>>::encode_by_ref(&self.as_str(), buffer)
            }
        }

        #[cfg(feature = "sqlx")]
        impl<'r, DB: sqlx::Database> sqlx::Decode<'r, DB> for $name where &'r str: sqlx::Decode<'r, DB> {
            fn decode(value: DB::ValueRef<'r>) -> Result<Self, sqlx::error::BoxDynError> {
                Ok(<&'r str as sqlx::Decode<'r, DB>>::decode(value)?.parse::<Self>()?)
            }
        }
    };
}
