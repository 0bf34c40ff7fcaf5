//! The transactional outbox: mail and SMS are rows, written in the transaction that causes them and sent by a job
//! (DESIGN 7). A change that is rolled back sends nothing.

use std::fmt;

use berth_db::Tx;
use berth_domain::locale::Locale;
use serde::Serialize;
use utoipa::ToSchema;

use crate::{App, Result};

/// How a message travels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Channel {
    /// E-mail.
    Email,
    /// Text message.
    Sms,
}

impl Channel {
    /// As the database spells it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Email => "email",
            Self::Sms => "sms",
        }
    }
}

/// A message to be sent.
#[derive(Clone)]
pub struct Message {
    /// How it travels.
    pub channel: Channel,
    /// E-mail address, or +1 and 10 digits.
    pub to: String,
    /// Subject of a mail; empty for an SMS.
    pub subject: String,
    /// Plain text.
    pub body: String,
}

impl fmt::Debug for Message {
    /// Without recipient and text: nothing that prints a message may show a code.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Message").field("channel", &self.channel).finish_non_exhaustive()
    }
}

/// Puts an English message into the outbox; it is due at once.
///
/// # Errors
/// Those of the database.
pub async fn put(app: &App, tx: &mut Tx, message: Message) -> Result<()> {
    put_in(app, tx, Locale::English, message).await
}

/// Puts a message into the outbox, saying in which language it is written; it is due at once.
///
/// # Errors
/// Those of the database.
pub async fn put_in(app: &App, tx: &mut Tx, language: Locale, message: Message) -> Result<()> {
    const INSERT: &str = "INSERT INTO outbox (id, channel, recipient, subject, body, language, created_at, due_at) \
        VALUES ($1, $2, $3, $4, $5, $7, $6, $6)";
    tx.query(INSERT)
        .bind(app.id())
        .bind(message.channel.as_str())
        .bind(message.to)
        .bind(message.subject)
        .bind(message.body)
        .bind(app.now())
        .bind(language)
        .execute()
        .await?;
    Ok(())
}

/// A name that somebody typed, for the text of a message: no mail or SMS program makes a link of any part of it.
/// "evil.example/x" becomes "evil. example/x", while "St. Mary" stays as it is.
#[must_use]
pub fn without_links(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    let mut characters = name.chars().peekable();
    while let Some(character) = characters.next() {
        text.push(character);
        let joins = matches!(character, '.' | ':' | '@' | '。' | '．' | '｡');
        if joins && characters.peek().is_some_and(|next| !next.is_whitespace()) {
            text.push(' ');
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::without_links;

    #[test]
    fn no_part_of_a_typed_name_reads_as_an_address() {
        for (typed, told) in [
            ("St. Mary's House", "St. Mary's House"),
            ("Renewal, Inc.", "Renewal, Inc."),
            ("https://evil.example/login", "https: //evil. example/login"),
            ("www.evil.example", "www. evil. example"),
            ("call me@evil.example", "call me@ evil. example"),
            ("evil。example", "evil。 example"),
            ("mailto:x", "mailto: x"),
        ] {
            assert_eq!(without_links(typed), told);
        }
    }
}
