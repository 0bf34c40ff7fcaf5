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
    /// The language that an `Accept-Language` header prefers among ours; English if it names none of them.
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

    /// One of two texts that say the same.
    #[must_use]
    pub const fn pick<'a>(self, english: &'a str, spanish: &'a str) -> &'a str {
        match self {
            Self::English => english,
            Self::Spanish => spanish,
        }
    }
}
