//! The languages that Berth itself speaks: in its web pages and in what it sends.

text_enum! {
    /// A language of pages, mails and text messages.
    #[derive(Default, serde::Deserialize)]
    pub enum Locale {
        /// English, unless somebody chose otherwise.
        #[default]
        English = "en",
        /// Spanish.
        Spanish = "es",
    }
}

impl Locale {
    /// One of two texts that say the same.
    #[must_use]
    pub const fn pick<'a>(self, english: &'a str, spanish: &'a str) -> &'a str {
        match self {
            Self::English => english,
            Self::Spanish => spanish,
        }
    }
}
