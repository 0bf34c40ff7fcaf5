//! The transactional outbox: mail and SMS are rows, written in the transaction that causes them and sent by a job
//! (DESIGN 7). A change that is rolled back sends nothing.

use std::fmt;
use std::sync::OnceLock;

use berth_db::Tx;
use berth_domain::id::OutboxId;
use berth_domain::locale::Locale;
use berth_domain::time::Timestamp;
use berth_domain::value::hide_phone_numbers;
use serde::Serialize;
use utoipa::ToSchema;

use crate::auth::seal::{Keys, Purpose};
use crate::{App, Error, Result};

/// How a message travels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Channel {
    /// Email.
    Email,
    /// Text message.
    Sms,
}

impl Channel {
    /// Every channel.
    pub const ALL: [Self; 2] = [Self::Email, Self::Sms];

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
    /// Email address, or +1 and 10 digits.
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

/// The keys that bodies are sealed with, once they are known to be committed.
#[derive(Default)]
pub struct MessageKeys(OnceLock<Keys>);

impl MessageKeys {
    /// Loads them on first use. Not inside a transaction: it may begin one.
    ///
    /// # Errors
    /// When the stored key is damaged.
    pub(crate) async fn load(&self, app: &App) -> Result<Keys> {
        if let Some(keys) = self.0.get() {
            return Ok(keys.clone());
        }
        let keys = Keys::load(app, Purpose::Messages).await?;
        Ok(self.0.get_or_init(|| keys).clone())
    }

    /// The same inside a transaction, whose new key is not remembered: the transaction may still be rolled back.
    async fn load_in(&self, app: &App, tx: &mut Tx) -> Result<Keys> {
        match self.0.get() {
            Some(keys) => Ok(keys.clone()),
            None => Keys::load_in(app, tx, Purpose::Messages).await,
        }
    }
}

/// Puts an English message into the outbox; it is due at once.
pub async fn put(app: &App, tx: &mut Tx, message: Message) -> Result<()> {
    put_in(app, tx, Locale::English, message).await
}

/// Puts a message into the outbox, saying in which language it is written; it is due at once. The body is sealed: it holds
/// links and codes that a copy of the database must not tell (docs/decisions/0013).
pub async fn put_in(app: &App, tx: &mut Tx, language: Locale, message: Message) -> Result<()> {
    put_with_id(app, tx, language, message).await.map(drop)
}

/// The same for a message that is of use until a moment only, such as a code. It is not sent after it.
pub async fn put_until(app: &App, tx: &mut Tx, language: Locale, message: Message, until: Timestamp) -> Result<()> {
    insert(app, tx, language, message, Some(until)).await.map(drop)
}

/// The same, and returns the id of the message.
pub async fn put_with_id(app: &App, tx: &mut Tx, language: Locale, message: Message) -> Result<OutboxId> {
    insert(app, tx, language, message, None).await
}

async fn insert(
    app: &App,
    tx: &mut Tx,
    language: Locale,
    message: Message,
    until: Option<Timestamp>,
) -> Result<OutboxId> {
    const INSERT: &str = "INSERT INTO outbox (id, channel, recipient, subject, body, sealed, language, created_at, \
        due_at, send_until) VALUES ($1, $2, $3, $4, $5, TRUE, $7, $6, $6, $8)";
    let id = OutboxId(app.id());
    let body = app.message_keys.load_in(app, tx).await?.seal(app, id.0, message.body.as_bytes())?;
    tx.query(INSERT)
        .bind(id)
        .bind(message.channel.as_str())
        .bind(message.to)
        .bind(message.subject)
        .bind(body)
        .bind(app.now())
        .bind(language)
        .bind(until)
        .execute()
        .await?;
    Ok(id)
}

/// A body as stored, and whether it is sealed: rows from before version 17 of the tables are not.
#[derive(Debug, berth_db::FromRow)]
pub(crate) struct Body {
    body: String,
    sealed: bool,
}

impl Body {
    /// The plain text. `id` is that of its row.
    ///
    /// # Errors
    /// When it was sealed with another key, or altered.
    pub(crate) fn open(self, keys: &Keys, id: OutboxId) -> Result<String> {
        if !self.sealed {
            return Ok(self.body);
        }
        String::from_utf8(keys.open(id.0, &self.body)?).map_err(|_| Error::internal("a message is no text"))
    }
}

/// A message with its text, as `/dev/outbox` of the demo shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StoredMessage {
    /// Identifies the message.
    pub id: OutboxId,
    /// `email` or `sms`.
    pub channel: String,
    /// Email address or phone number.
    pub to: String,
    /// Empty for an SMS.
    pub subject: String,
    /// Plain text; empty once the message has left.
    pub body: String,
    /// When it was written.
    pub created_at: Timestamp,
}

/// Loads the newest messages, newest first.
///
/// # Errors
/// When a text cannot be opened.
pub async fn newest(app: &App, limit: i64) -> Result<Vec<StoredMessage>> {
    const NEWEST: &str = "SELECT id, channel, recipient, subject, created_at, body, sealed FROM outbox \
        ORDER BY created_at DESC, id DESC LIMIT $1";
    #[derive(berth_db::FromRow)]
    struct Row {
        id: OutboxId,
        channel: String,
        recipient: String,
        subject: String,
        created_at: Timestamp,
        #[row(flatten)]
        body: Body,
    }
    let keys = app.message_keys.load(app).await?;
    let rows: Vec<Row> = app.db.query(NEWEST).bind(limit).all().await?;
    let opened = |row: Row| {
        let Row { id, channel, recipient: to, subject, created_at, body } = row;
        Ok(StoredMessage { id, channel, to, subject, body: body.open(&keys, id)?, created_at })
    };
    rows.into_iter().map(opened).collect()
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

/// Most characters of a typed name or address in a message.
const MOST_OF_NAME: usize = 160;

/// A name or address that somebody typed, for the text of a message to others: one line of at most 160 characters, without
/// links ([`without_links`]) and without a number to call, so that nobody writes messages of their own in our name.
#[must_use]
pub fn quoted(name: &str) -> String {
    let line = without_links(&name.split_whitespace().collect::<Vec<_>>().join(" "));
    let line = hide_phone_numbers(&line);
    match line.char_indices().nth(MOST_OF_NAME) {
        Some((end, _)) => format!("{}…", line[..end].trim_end()),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::{quoted, without_links};

    #[test]
    fn a_typed_name_has_no_room_for_a_message_of_its_own() {
        assert_eq!(quoted("12 Pier Avenue, Long Beach, CA 90802"), "12 Pier Avenue, Long Beach, CA 90802");
        assert_eq!(
            quoted("You owe us.\n\nCall 1 (714) 555-0100 or pay.example/x"),
            "You owe us. Call • (•••) •••-•••• or pay. example/x"
        );
        let long = quoted(&"ab ".repeat(99));
        assert_eq!((long.chars().count(), long.ends_with('…')), (161, true));
    }

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
