//! Validated text types. Their field is private, so that only `parse` creates them.
//!
//! Errors are the sentences of spec A 5 and spec B 5. Forms with their own wording use `Check::field_as`.

mod clean;
mod key;
mod line;
mod phone;
mod street;

pub use clean::{clean_text, visible};
pub use key::{fold, name_key, search_key};
pub use street::{hide_phone_numbers, is_plain_address, is_street};

pub(crate) use line::one_line;

/// Declares a text type around a private `String`.
macro_rules! value {
    ($( $(#[$meta:meta])* $name:ident ),+ $(,)?) => { $(
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, utoipa::ToSchema)]
        #[serde(transparent)]
        #[schema(value_type = String)]
        pub struct $name(String);

        impl $name {
            /// Returns the text as stored and shown.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }

            /// Returns the key for search, order and uniqueness (see [`name_key`]).
            #[must_use]
            pub fn key(&self) -> String {
                name_key(&self.0)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.pad(&self.0)
            }
        }

        impl From<$name> for String {
            fn from(value: $name) -> Self {
                value.0
            }
        }

        $crate::column::stored_as!($name, String);
    )+ };
}

value! {
    /// An email address: ASCII, at most 254 characters, a dot in its domain. Kept as typed; `key` ignores case.
    Email,
    /// A telephone number of the North American Numbering Plan, kept as +1 and 10 digits.
    Phone,
    /// A first name of 1 to 50 characters in NFC, on one line, without markup or invisible characters.
    FirstName,
    /// The initial of a last name: one character in NFC, upper case.
    LastInitial,
    /// A name of 1 to 200 characters in NFC, on one line, without markup or invisible characters.
    Name,
    /// Another name of a site, 3 to 200 characters.
    Alias,
    /// Description of a site, at least 80 characters. Line breaks are kept.
    Description,
    /// An http or https address. `https://` is added if there is no scheme.
    WebAddress,
}

/// The message for an empty required field (spec A 5).
const REQUIRED: &str = "Required field.";

impl Email {
    /// Parses an email address.
    ///
    /// # Errors
    /// "Invalid email."
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        let text = text.trim();
        let valid = text.len() <= 254
            && text.split_once('@').is_some_and(|(local, domain)| is_mailbox(local) && is_domain(domain, false));
        if valid { Ok(Self(text.to_owned())) } else { Err("Invalid email.") }
    }
}

/// Returns true for the part before the @: 1 to 64 characters of RFC 5322's atext, dots only between them.
fn is_mailbox(text: &str) -> bool {
    let atom = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-/=?^_`{|}~".contains(c);
    text.len() <= 64 && text.split('.').all(|part| !part.is_empty() && part.chars().all(atom))
}

/// Returns true for two or more labels of letters, digits and inner hyphens, the last one not a number.
fn is_domain(text: &str, unicode: bool) -> bool {
    let letter = |c: char| c.is_ascii_alphanumeric() || c == '-' || (unicode && c.is_alphanumeric());
    let label = |part: &str| {
        (1..=63).contains(&part.len()) && part.chars().all(letter) && !part.starts_with('-') && !part.ends_with('-')
    };
    let last = text.rsplit('.').next().unwrap_or_default();
    text.len() <= 253
        && text.contains('.')
        && text.split('.').all(label)
        && last.chars().count() >= 2
        && !last.chars().all(|c| c.is_ascii_digit())
}

impl FirstName {
    /// Parses a first name.
    ///
    /// # Errors
    /// "Required field.", the spec's sentence on its length, or a sentence on invisible characters.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        let text = one_line(text)?;
        match text.chars().count() {
            0 => Err(REQUIRED),
            1..=50 => Ok(Self(text)),
            _ => Err("Maximum length of first name is 50 symbols."),
        }
    }
}

impl LastInitial {
    /// Parses the initial of a last name, in upper case.
    ///
    /// # Errors
    /// "Required field.", the spec's sentence on its length, or a sentence on invisible characters.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        let text = one_line(text)?;
        let mut characters = text.chars();
        match (characters.next(), characters.next()) {
            (None, _) => Err(REQUIRED),
            (Some(_), Some(_)) => Err("Maximum length of last name is 1 symbols."),
            (Some(initial), None) => {
                let upper = initial.to_uppercase();
                // A letter whose upper case is two characters (ß, SS) is kept.
                Ok(Self(if upper.len() == 1 { upper.to_string() } else { initial.to_string() }))
            }
        }
    }
}

impl Name {
    /// Parses a name.
    ///
    /// # Errors
    /// "Required field.", or a sentence if it is longer than 200 characters or holds invisible ones.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        let text = one_line(text)?;
        match text.chars().count() {
            0 => Err(REQUIRED),
            1..=200 => Ok(Self(text)),
            _ => Err("Maximum length is 200 symbols."),
        }
    }
}

impl Alias {
    /// Parses an alias. Use `Check::optional` if it may be left out.
    ///
    /// # Errors
    /// The spec's sentence, or one if it is longer than 200 characters or holds invisible ones.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        let text = one_line(text)?;
        match text.chars().count() {
            0..=2 => Err("Alias must be at least 3 characters."),
            3..=200 => Ok(Self(text)),
            _ => Err("Maximum length is 200 symbols."),
        }
    }
}

impl Description {
    /// Parses a description. Its limit of 20,000 characters only protects the database; the web warns beyond 2000.
    ///
    /// # Errors
    /// "Required field.", or a sentence on its length.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        let text = clean_text(text);
        match text.chars().count() {
            0 => Err(REQUIRED),
            1..80 => Err("Description must be at least 80 characters."),
            80..=20_000 => Ok(Self(text)),
            _ => Err("Maximum length is 20000 symbols."),
        }
    }
}

impl WebAddress {
    /// Parses a web address.
    ///
    /// # Errors
    /// "Invalid URL."
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        const INVALID: &str = "Invalid URL.";
        let text = text.trim();
        let (scheme, rest) = text.split_once("://").unwrap_or(("https", text));
        let scheme = scheme.to_ascii_lowercase();
        let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
        let (authority, path) = rest.split_at(end);
        let (host, port) = authority.split_once(':').map_or((authority, None), |(host, port)| (host, Some(port)));
        let port_is_fine =
            port.is_none_or(|port| port.bytes().all(|b| b.is_ascii_digit()) && port.parse::<u16>().is_ok());
        let unsafe_character = |c: char| c.is_whitespace() || c.is_control() || matches!(c, '<' | '>' | '"' | '\\');
        let valid = matches!(scheme.as_str(), "http" | "https")
            && text.len() <= 2000
            && is_domain(host, true)
            && port_is_fine
            && !path.contains(unsafe_character);
        if valid { Ok(Self(format!("{scheme}://{rest}"))) } else { Err(INVALID) }
    }
}
