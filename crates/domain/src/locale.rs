//! The languages of the web pages and of the messages that Berth sends.

text_enum! {
    /// A language of pages, mails and text messages.
    #[derive(Default, serde::Deserialize)]
    pub enum Locale {
        /// English, the default.
        #[default]
        English = "en",
        /// Spanish.
        Spanish = "es",
    }
}

impl Locale {
    /// Returns the supported language that an `Accept-Language` header prefers. English if it names none.
    #[must_use]
    pub fn of_header(header: &str) -> Self {
        let mut best = (Self::default(), 0.0_f32);
        for part in header.split(',') {
            let (range, weight) = part.split_once(";q=").unwrap_or((part, "1"));
            let language = range.trim().split('-').next().unwrap_or_default().to_ascii_lowercase();
            let weight: f32 = weight.trim().parse().unwrap_or(0.0);
            if let Some(known) = Self::from_text(&language).filter(|_| weight > best.1) {
                best = (known, weight);
            }
        }
        best.0
    }

    /// Returns the text in this language.
    #[must_use]
    pub const fn pick<'a>(self, english: &'a str, spanish: &'a str) -> &'a str {
        match self {
            Self::English => english,
            Self::Spanish => spanish,
        }
    }
}
