//! Sends the outbox: each channel by itself, due rows under a lease, retries with growing pauses, permanent failures
//! recorded (DESIGN 7).

use std::fmt;
use std::pin::{Pin, pin};

use berth_domain::id::OutboxId;
use berth_domain::locale::Locale;
use berth_domain::time::Timestamp;
use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use tokio::sync::Mutex;

use crate::housing::guests;
use crate::integrations::outbox::{Body, Channel};
use crate::{App, Result};

/// A message on its way out.
#[derive(Clone)]
pub struct Outgoing {
    /// Its row; the same at each attempt, so that a provider can tell a repetition.
    pub id: OutboxId,
    /// `email` or `sms`.
    pub channel: String,
    /// Email address, or +1 and 10 digits.
    pub recipient: String,
    /// Empty for an SMS.
    pub subject: String,
    /// Plain text.
    pub body: String,
    /// The language it is written in.
    pub language: Locale,
    /// This attempt, from 1.
    pub attempts: i64,
}

impl Outgoing {
    /// When the row was written: its id, a UUIDv7, tells it to the millisecond.
    #[must_use]
    pub fn written_at(&self) -> Timestamp {
        let (seconds, nanos) = self.id.0.get_timestamp().map_or((0, 0), |time| time.to_unix());
        let millis = seconds * 1000 + u64::from(nanos / 1_000_000);
        Timestamp::from_millis(i64::try_from(millis).unwrap_or_default())
    }
}

impl fmt::Debug for Outgoing {
    /// Without recipient and text: nothing that prints a message may show a code.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = formatter.debug_struct("Outgoing");
        shown.field("id", &self.id).field("channel", &self.channel).field("attempts", &self.attempts);
        shown.finish_non_exhaustive()
    }
}

/// Why a message was not sent. The text is kept with the row: no address, no content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failed {
    /// It may go through later.
    ForNow(String),
    /// It never will.
    ForGood(String),
}

/// What [`Sender::send`] returns.
pub type Sending<'a> = Pin<Box<dyn Future<Output = Result<(), Failed>> + Send + 'a>>;

/// Something that carries messages away: a mail server, an SMS provider.
pub trait Sender: Send + Sync {
    /// Hands over one message. Called again with the same id after a failure for now, or when a node died half way.
    fn send<'a>(&'a self, message: &'a Outgoing) -> Sending<'a>;

    /// Returns true if messages of this channel stay in the outbox. The text of a message that has left is erased.
    fn keeps(&self, _channel: &str) -> bool {
        false
    }
}

/// The embedded default: a message has arrived when it stands in the outbox, which the demo shows at `/dev/outbox`.
/// Should a real sender be set later, what was kept is not sent after all: its codes are old.
pub struct Kept;

impl Sender for Kept {
    fn send<'a>(&'a self, _: &'a Outgoing) -> Sending<'a> {
        Box::pin(std::future::ready(Ok(())))
    }

    fn keeps(&self, _: &str) -> bool {
        true
    }
}

/// Messages of one channel that a node sends at the same time: a server that stalls on some holds up no others. Few, since
/// a dead node keeps what it took until the lease runs out, and people wait for their codes.
const PARALLEL: usize = 8;
/// How long a node may take for a message, in minutes, before another one takes it over. A sender therefore gives up on a
/// message after 10 seconds.
const LEASE_MINUTES: i64 = 1;
/// After so many attempts a message is given up; with the pauses below that is about two days.
const ATTEMPTS: i64 = 16;

/// Why a message waits whose text another key has sealed.
const SEALED_OTHERWISE: &str = "the sealed text cannot be opened; is secret_key the same?";

/// Why a message is not sent whose time has passed.
const TIME_PASSED: &str = "it would have come too late";

/// The pause after the `attempts`-th failure, in minutes: 1, 2, 4, … up to 6 hours.
fn pause_minutes(attempts: i64) -> i64 {
    (1_i64 << (attempts - 1).clamp(0, 9)).min(360)
}

/// Returns true if a message of this channel waits to be sent.
pub async fn is_due(app: &App, channel: Channel) -> Result<bool> {
    const DUE: &str = "SELECT id FROM outbox WHERE sent_at IS NULL AND failed_at IS NULL AND due_at <= $1 \
        AND locked_until <= $1 AND channel = $2 LIMIT 1";
    let found: Option<(OutboxId,)> = app.db.query(DUE).bind(app.now()).bind(channel.as_str()).optional().await?;
    Ok(found.is_some())
}

/// Sends what is due by the embedded default. Returns how many messages were sent.
pub async fn run(app: &App) -> Result<u64> {
    run_with(app, &Kept).await
}

/// Sends what is due on every channel by `sender`. Returns how many messages were sent.
///
/// # Errors
/// Those of the database. A sender's failure is no error: it is recorded with its message.
pub async fn run_with(app: &App, sender: &dyn Sender) -> Result<u64> {
    let channels = Channel::ALL.map(|channel| run_channel(app, sender, channel));
    Ok(futures_util::future::try_join_all(channels).await?.into_iter().sum())
}

/// Sends what is due on one channel by `sender`, several messages at the same time. Returns how many were sent.
///
/// # Errors
/// Those of the database, after what was being sent is done.
pub async fn run_channel(app: &App, sender: &dyn Sender, channel: Channel) -> Result<u64> {
    // Outcomes are written one after another: many writers at once would wait for each other until one gives up, and a
    // message whose outcome is not written is sent again.
    let recording = Mutex::new(());
    let mut sending = FuturesUnordered::new();
    let (mut total, mut failed) = (0, None);
    let mut note = |sent: Result<bool>| match sent {
        Ok(sent) => {
            total += u64::from(sent);
            true
        }
        Err(error) => {
            failed = Some(error);
            false
        }
    };
    let mut is_going_on = true;
    loop {
        // Several at once, since taking is a write.
        if is_going_on && sending.len() <= PARALLEL / 2 {
            let free = PARALLEL - sending.len();
            let mut taking = pin!(berth_db::retry(|| take(app, channel, free)));
            // Sending goes on meanwhile: a message may hold the connection that taking waits for.
            let taken = loop {
                tokio::select! {
                    taken = &mut taking => break taken,
                    Some(sent) = sending.next() => is_going_on &= note(sent),
                }
            };
            match taken {
                Ok(taken) => sending.extend(taken.into_iter().map(|row| send(app, sender, row, &recording))),
                Err(error) => is_going_on &= note(Err(error)),
            }
        }
        match sending.next().await {
            Some(sent) => is_going_on &= note(sent),
            None => return failed.map_or(Ok(total), Err),
        }
    }
}

/// A row that was taken; its text is still sealed.
#[derive(berth_db::FromRow)]
struct Taken {
    id: OutboxId,
    channel: String,
    recipient: String,
    subject: String,
    #[row(flatten)]
    body: Body,
    language: Locale,
    attempts: i64,
    send_until: Option<Timestamp>,
}

/// Hands over one message and records the outcome. Returns true if it was sent. What a guest is told about a reservation is judged
/// once more: after a failed attempt it may no longer be true, or the phone may have asked for no texts.
async fn send(app: &App, sender: &dyn Sender, row: Taken, recording: &Mutex<()>) -> Result<bool> {
    let Taken { id, channel, recipient, subject, body, language, attempts, send_until } = row;
    if channel == Channel::Sms.as_str() && guests::withdraw_text(app, id).await? {
        return Ok(false);
    }
    let keys = app.message_keys.load(app).await?;
    let (body, unreadable) = match body.open(&keys, id) {
        Ok(body) => (body, None),
        // Perhaps another node has the right `secret_key`.
        Err(_) => (String::new(), Some(Failed::ForNow(SEALED_OTHERWISE.to_owned()))),
    };
    let message = Outgoing { id, channel, recipient, subject, body, language, attempts };
    let is_late = send_until.is_some_and(|until| app.now() > until);
    // No transaction is open while a provider is waited for.
    let outcome = match unreadable {
        _ if is_late => Err(Failed::ForGood(TIME_PASSED.to_owned())),
        Some(why) => Err(why),
        None => sender.send(&message).await,
    };
    let is_sent = outcome.is_ok();
    let erase = !app.settings.demo && !sender.keeps(&message.channel);
    let _turn = recording.lock().await;
    berth_db::retry(|| record(app, &message, &outcome, erase)).await?;
    Ok(is_sent)
}

/// Takes due rows; the condition is repeated outside, since PostgreSQL looks at it again when it had to wait.
async fn take(app: &App, channel: Channel, limit: usize) -> Result<Vec<Taken>> {
    const TAKE: &str = "UPDATE outbox SET locked_until = $2, attempts = attempts + 1 WHERE id IN (\
        SELECT id FROM outbox WHERE sent_at IS NULL AND failed_at IS NULL AND due_at <= $1 AND locked_until <= $1 \
        AND channel = $3 ORDER BY due_at, id LIMIT $4) AND sent_at IS NULL AND failed_at IS NULL \
        AND locked_until <= $1 RETURNING id, channel, recipient, subject, body, sealed, language, attempts, send_until";
    // A look first: an idle server writes nothing.
    if !is_due(app, channel).await? {
        return Ok(Vec::new());
    }
    let now = app.now();
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let mut tx = app.db.begin().await?;
    let take = tx.query(TAKE).bind(now).bind(now.plus_minutes(LEASE_MINUTES)).bind(channel.as_str()).bind(limit);
    let mut taken: Vec<Taken> = take.all().await?;
    tx.commit().await?;
    taken.sort_by_key(|message| message.id);
    Ok(taken)
}

/// Puts the outcome on record; the text of what has been sent goes when `erase` says so.
async fn record(app: &App, message: &Outgoing, outcome: &Result<(), Failed>, erase: bool) -> Result<()> {
    const SENT: &str = "UPDATE outbox SET sent_at = $2, locked_until = 0, last_error = NULL WHERE id = $1";
    const SENT_AND_ERASED: &str = "UPDATE outbox SET sent_at = $2, locked_until = 0, last_error = NULL, body = '', sealed = FALSE \
        WHERE id = $1";
    const LATER: &str = "UPDATE outbox SET due_at = $2, locked_until = 0, last_error = $3 WHERE id = $1";
    const NEVER: &str = "UPDATE outbox SET failed_at = $2, locked_until = 0, last_error = $3 WHERE id = $1";
    let now = app.now();
    let mut tx = app.db.begin().await?;
    match outcome {
        Ok(()) if erase => tx.query(SENT_AND_ERASED).bind(message.id).bind(now).execute().await?,
        Ok(()) => tx.query(SENT).bind(message.id).bind(now).execute().await?,
        Err(Failed::ForNow(why)) if message.attempts < ATTEMPTS => {
            let due = now.plus_minutes(pause_minutes(message.attempts));
            tx.query(LATER).bind(message.id).bind(due).bind(why).execute().await?
        }
        Err(Failed::ForNow(why) | Failed::ForGood(why)) => {
            tracing::warn!(id = %message.id, channel = message.channel, why, "a message could not be sent");
            tx.query(NEVER).bind(message.id).bind(now).bind(why).execute().await?
        }
    };
    Ok(tx.commit().await?)
}

#[cfg(test)]
mod tests {
    use super::{ATTEMPTS, pause_minutes};

    #[test]
    fn the_pauses_grow_to_six_hours_and_end_after_about_two_days() {
        assert_eq!([1, 2, 3, 10, 15].map(pause_minutes), [1, 2, 4, 360, 360]);
        let hours = (1..ATTEMPTS).map(pause_minutes).sum::<i64>() / 60;
        assert!((36..=54).contains(&hours), "{hours} hours");
    }
}
