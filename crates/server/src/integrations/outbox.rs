//! The transactional outbox: emails and SMS are rows, written in the transaction that causes them and sent by a job
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

/// The way a message is sent.
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

    /// Returns the channel's name in the database.
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
    /// The way it is sent.
    pub channel: Channel,
    /// The recipient: an email address, or +1 and 10 digits.
    pub to: String,
    /// The subject of an email; empty for an SMS.
    pub subject: String,
    /// Plain text.
    pub body: String,
}

impl fmt::Debug for Message {
    /// Leaves out recipient and text, so that no log shows a code.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Message").field("channel", &self.channel).finish_non_exhaustive()
    }
}

/// The keys that encrypt message bodies, cached once they are known to be committed.
#[derive(Default)]
pub struct MessageKeys(OnceLock<Keys>);

impl MessageKeys {
    /// Loads the keys on first use. Must not be called inside a transaction, because it may begin one.
    ///
    /// # Errors
    /// 500 if the stored key is damaged.
    pub(crate) async fn load(&self, app: &App) -> Result<Keys> {
        if let Some(keys) = self.0.get() {
            return Ok(keys.clone());
        }
        let keys = Keys::load(app, Purpose::Messages).await?;
        Ok(self.0.get_or_init(|| keys).clone())
    }

    /// Loads the keys inside a transaction. A new key is not cached, because the transaction may still be rolled back.
    async fn load_in(&self, app: &App, tx: &mut Tx) -> Result<Keys> {
        match self.0.get() {
            Some(keys) => Ok(keys.clone()),
            None => Keys::load_in(app, tx, Purpose::Messages).await,
        }
    }
}

/// Adds an English message to the outbox. It is due at once.
pub async fn put(app: &App, tx: &mut Tx, message: Message) -> Result<()> {
    put_in(app, tx, Locale::English, message).await
}

/// Adds a message to the outbox, with the language it is written in. It is due at once. The body is encrypted, because
/// it contains links and codes that a copy of the database must not reveal (docs/decisions/0013).
pub async fn put_in(app: &App, tx: &mut Tx, language: Locale, message: Message) -> Result<()> {
    put_with_id(app, tx, language, message).await.map(drop)
}

/// Adds a message that is not sent after `until`, such as a code that expires then.
pub async fn put_until(app: &App, tx: &mut Tx, language: Locale, message: Message, until: Timestamp) -> Result<()> {
    insert(app, tx, language, message, Some(until)).await.map(drop)
}

/// Adds a message to the outbox and returns its id.
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

/// A stored body. It is not encrypted in rows from before migration 17.
#[derive(Debug, berth_db::FromRow)]
pub(crate) struct Body {
    body: String,
    sealed: bool,
}

impl Body {
    /// Returns the plain text. `id` is the id of the row.
    ///
    /// # Errors
    /// If the body was encrypted with another key, or altered.
    pub(crate) fn open(self, keys: &Keys, id: OutboxId) -> Result<String> {
        if !self.sealed {
            return Ok(self.body);
        }
        String::from_utf8(keys.open(id.0, &self.body)?).map_err(|_| Error::internal("a message body is not UTF-8"))
    }
}

/// A message with its text, as the demo shows it at `/dev/outbox`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StoredMessage {
    /// The id of the message.
    pub id: OutboxId,
    /// `email` or `sms`.
    pub channel: String,
    /// The recipient's email address or phone number.
    pub to: String,
    /// The subject; empty for an SMS.
    pub subject: String,
    /// The plain text; empty after the message was sent.
    pub body: String,
    /// When the message was created.
    pub created_at: Timestamp,
}

/// Lists the newest messages, the newest first.
///
/// # Errors
/// If a body cannot be decrypted.
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

/// Changes a name that a user typed so that no email or SMS program turns any part of it into a link: "evil.example/x"
/// becomes "evil. example/x", while "St. Mary" stays as it is.
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

/// Maximum number of characters of a typed name or address in a message.
const MAX_QUOTED_CHARS: usize = 160;

/// Makes a name or address that a user typed safe for messages to others: one line of at most 160 characters, without
/// links ([`without_links`]) and phone numbers, so that nobody can send messages of their own in our name.
#[must_use]
pub fn quoted(name: &str) -> String {
    let line = without_links(&name.split_whitespace().collect::<Vec<_>>().join(" "));
    let line = hide_phone_numbers(&line);
    match line.char_indices().nth(MAX_QUOTED_CHARS) {
        Some((end, _)) => format!("{}…", line[..end].trim_end()),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::{quoted, without_links};

    #[test]
    fn a_quoted_name_has_no_links_no_phone_numbers_and_one_line() {
        assert_eq!(quoted("12 Pier Avenue, Long Beach, CA 90802"), "12 Pier Avenue, Long Beach, CA 90802");
        assert_eq!(
            quoted("You owe us.\n\nCall 1 (714) 555-0100 or pay.example/x"),
            "You owe us. Call • (•••) •••-•••• or pay. example/x"
        );
        let long = quoted(&"ab ".repeat(99));
        assert_eq!((long.chars().count(), long.ends_with('…')), (161, true));
    }

    #[test]
    fn no_part_of_a_typed_name_becomes_a_link() {
        for (typed, expected) in [
            ("St. Mary's House", "St. Mary's House"),
            ("Renewal, Inc.", "Renewal, Inc."),
            ("https://evil.example/login", "https: //evil. example/login"),
            ("www.evil.example", "www. evil. example"),
            ("call me@evil.example", "call me@ evil. example"),
            ("evil。example", "evil。 example"),
            ("mailto:x", "mailto: x"),
        ] {
            assert_eq!(without_links(typed), expected);
        }
    }
}
