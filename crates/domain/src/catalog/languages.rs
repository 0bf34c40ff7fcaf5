//! The languages spoken at a site (spec A 3).

/// A language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, utoipa::ToSchema)]
pub struct Language {
    /// ISO 639-1 code (ISO 639-2 where there is none).
    pub id: &'static str,
    /// English name.
    pub name: &'static str,
}

/// Creates a language.
const fn row(id: &'static str, name: &'static str) -> Language {
    Language { id, name }
}

/// English, Spanish, French, then by name.
pub const LANGUAGES: [Language; 26] = [
    row("en", "English"),
    row("es", "Spanish"),
    row("fr", "French"),
    row("am", "Amharic"),
    row("ar", "Arabic"),
    row("hy", "Armenian"),
    row("zh", "Chinese"),
    row("nl", "Dutch"),
    row("fa", "Farsi"),
    row("tl", "Filipino"),
    row("de", "German"),
    row("el", "Greek"),
    row("ht", "Haitian Creole"),
    row("he", "Hebrew"),
    row("hi", "Hindi"),
    row("it", "Italian"),
    row("ja", "Japanese"),
    row("km", "Khmer"),
    row("ko", "Korean"),
    row("pl", "Polish"),
    row("pt", "Portuguese"),
    row("ru", "Russian"),
    row("ase", "Sign Language"),
    row("th", "Thai"),
    row("uk", "Ukrainian"),
    row("vi", "Vietnamese"),
];

/// Finds the language with this id.
#[must_use]
pub fn language(id: &str) -> Option<&'static Language> {
    LANGUAGES.iter().find(|language| language.id == id)
}
