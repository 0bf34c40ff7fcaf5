//! Sends the messages of the outbox (DESIGN 7). Each channel is independent. Due rows are taken under a lease,
//! temporary failures are retried with growing pauses, and permanent failures are recorded.

use std::fmt;
use std::pin::{Pin, pin};

use berth_domain::id::OutboxId;
use berth_domain::locale::Locale;
use berth_domain::time::Timestamp;
use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use tokio::sync::Mutex;

use crate::admin::audit_log::Author;
use crate::housing::guests;
use crate::integrations::outbox::{Body, Channel};
use crate::{App, Result, change};

/// A message that is being sent.
#[derive(Clone)]
pub struct Outgoing {
    /// The id of its row. It is the same at each attempt, so that a provider can recognize repetitions.
    pub id: OutboxId,
    /// `email` or `sms`.
    pub channel: String,
    /// The recipient: an email address, or +1 and 10 digits.
    pub recipient: String,
    /// The subject; empty for an SMS.
    pub subject: String,
    /// The plain text.
    pub body: String,
    /// The language it is written in.
    pub language: Locale,
    /// The number of this attempt, from 1.
    pub attempts: i64,
}

impl Outgoing {
    /// Returns when the row was written, from its id, a UUIDv7.
    #[must_use]
    pub fn written_at(&self) -> Timestamp {
        let (seconds, nanos) = self.id.0.get_timestamp().map_or((0, 0), |time| time.to_unix());
        let millis = seconds * 1000 + u64::from(nanos / 1_000_000);
        Timestamp::from_millis(i64::try_from(millis).unwrap_or_default())
    }
}

impl fmt::Debug for Outgoing {
    /// Leaves out recipient and text, so that no log shows a code.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = formatter.debug_struct("Outgoing");
        shown.field("id", &self.id).field("channel", &self.channel).field("attempts", &self.attempts);
        shown.finish_non_exhaustive()
    }
}

/// Why a message was not sent. The text is stored in the row, so it must contain no address and no content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SendError {
    /// Another attempt may succeed.
    Temporary(String),
    /// No attempt can succeed.
    Permanent(String),
}

/// The future that [`Sender::send`] returns.
pub type Sending<'a> = Pin<Box<dyn Future<Output = Result<(), SendError>> + Send + 'a>>;

/// A service that sends messages: a mail server or an SMS provider.
pub trait Sender: Send + Sync {
    /// Sends one message. Called again with the same id after a temporary failure, or if a node died while sending.
    fn send<'a>(&'a self, message: &'a Outgoing) -> Sending<'a>;

    /// Returns true if messages of this channel are kept in the outbox instead of sent. The text of a sent message is
    /// erased.
    fn keeps(&self, _channel: &str) -> bool {
        false
    }
}

/// The default sender, which only marks messages as sent. The demo shows them at `/dev/outbox`. They are not sent if a
/// real sender is configured later, because their codes have expired.
pub struct Kept;

impl Sender for Kept {
    fn send<'a>(&'a self, _: &'a Outgoing) -> Sending<'a> {
        Box::pin(std::future::ready(Ok(())))
    }

    fn keeps(&self, _: &str) -> bool {
        true
    }
}

/// Maximum number of messages of one channel that a node sends at the same time, so that a slow message does not delay
/// the others. It is low because the messages of a dead node wait until their lease expires.
const MAX_PARALLEL: usize = 8;
/// Minutes after which another node may take a message over. Senders therefore use a timeout of 10 seconds.
const LEASE_MINUTES: i64 = 1;
/// Maximum number of attempts to send a message. With the pauses below they take about two days.
const MAX_ATTEMPTS: i64 = 16;

/// The error of a message whose text is encrypted with another key.
const WRONG_KEY: &str = "the sealed text cannot be opened; is secret_key the same?";

/// The error of a message that was not sent in time.
const EXPIRED: &str = "it would have come too late";

/// Returns the pause in minutes after the failure number `attempts`: 1, 2, 4, … up to 6 hours.
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

/// Marks due messages as sent by the default sender. Returns how many.
pub async fn run(app: &App) -> Result<u64> {
    run_with(app, &Kept).await
}

/// Sends the due messages of every channel by `sender`. Returns how many were sent. A failure of the sender is not an
/// error: it is recorded with the message.
pub async fn run_with(app: &App, sender: &dyn Sender) -> Result<u64> {
    let channels = Channel::ALL.map(|channel| run_channel(app, sender, channel));
    Ok(futures_util::future::try_join_all(channels).await?.into_iter().sum())
}

/// Sends the due messages of one channel by `sender`, several at the same time. Returns how many were sent. After an
/// error, takes no more messages and finishes those that are being sent.
pub async fn run_channel(app: &App, sender: &dyn Sender, channel: Channel) -> Result<u64> {
    // Outcomes are written one after another: with many writers at once one could time out, and a message whose outcome
    // is not written is sent again.
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
        // Takes several at once, because taking is a write.
        if is_going_on && sending.len() <= MAX_PARALLEL / 2 {
            let free = MAX_PARALLEL - sending.len();
            let mut taking = pin!(take(app, channel, free));
            // Sending continues meanwhile, because a message may hold the connection that taking waits for.
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

/// A row under our lease. Its text is still encrypted.
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

/// Sends one message and records the outcome. Returns true if it was sent. A text to a guest about a reservation is
/// checked again first: it may be outdated after a failed attempt, or the phone may have opted out.
async fn send(app: &App, sender: &dyn Sender, row: Taken, recording: &Mutex<()>) -> Result<bool> {
    let Taken { id, channel, recipient, subject, body, language, attempts, send_until } = row;
    if channel == Channel::Sms.as_str() && guests::withdraw_text(app, id).await? {
        return Ok(false);
    }
    let keys = app.message_keys.load(app).await?;
    let (body, unreadable) = match body.open(&keys, id) {
        Ok(body) => (body, None),
        // Another node may have the right `secret_key`.
        Err(_) => (String::new(), Some(SendError::Temporary(WRONG_KEY.to_owned()))),
    };
    let message = Outgoing { id, channel, recipient, subject, body, language, attempts };
    let is_late = send_until.is_some_and(|until| app.now() > until);
    let outcome = match unreadable {
        _ if is_late => Err(SendError::Permanent(EXPIRED.to_owned())),
        Some(why) => Err(why),
        None => sender.send(&message).await,
    };
    let is_sent = outcome.is_ok();
    let erase = !app.settings.demo && !sender.keeps(&message.channel);
    let _turn = recording.lock().await;
    record(app, &message, &outcome, erase).await?;
    Ok(is_sent)
}

/// Takes due rows. The condition is repeated outside of the subquery, because PostgreSQL checks it again after waiting
/// for a lock.
async fn take(app: &App, channel: Channel, limit: usize) -> Result<Vec<Taken>> {
    const TAKE: &str = "UPDATE outbox SET locked_until = $2, attempts = attempts + 1 WHERE id IN (\
        SELECT id FROM outbox WHERE sent_at IS NULL AND failed_at IS NULL AND due_at <= $1 AND locked_until <= $1 \
        AND channel = $3 ORDER BY due_at, id LIMIT $4) AND sent_at IS NULL AND failed_at IS NULL \
        AND locked_until <= $1 RETURNING id, channel, recipient, subject, body, sealed, language, attempts, send_until";
    // Checked first, so that an idle server writes nothing.
    if !berth_db::retry(|| is_due(app, channel)).await? {
        return Ok(Vec::new());
    }
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    change::run(app, Author::job(), |mut change| async move {
        let (now, until) = (change.now, change.now.plus_minutes(LEASE_MINUTES));
        let take = change.tx.query(TAKE).bind(now).bind(until).bind(channel.as_str()).bind(limit);
        let mut taken: Vec<Taken> = take.all().await?;
        taken.sort_by_key(|message| message.id);
        change.done(taken)
    })
    .await
}

/// Records the outcome of an attempt. If `erase` is true, the text of a sent message is erased.
async fn record(app: &App, message: &Outgoing, outcome: &Result<(), SendError>, erase: bool) -> Result<()> {
    const SENT: &str = "UPDATE outbox SET sent_at = $2, locked_until = 0, last_error = NULL WHERE id = $1";
    const SENT_AND_ERASED: &str = "UPDATE outbox SET sent_at = $2, locked_until = 0, last_error = NULL, body = '', sealed = FALSE \
        WHERE id = $1";
    const RETRY: &str = "UPDATE outbox SET due_at = $2, locked_until = 0, last_error = $3 WHERE id = $1";
    const FAILED: &str = "UPDATE outbox SET failed_at = $2, locked_until = 0, last_error = $3 WHERE id = $1";
    let is_retried = matches!(outcome, Err(SendError::Temporary(_))) && message.attempts < MAX_ATTEMPTS;
    if let Err(SendError::Temporary(error) | SendError::Permanent(error)) = outcome
        && !is_retried
    {
        tracing::warn!(id = %message.id, channel = message.channel, error, "a message could not be sent");
    }
    change::run(app, Author::job(), |mut change| async move {
        let (now, tx) = (change.now, &mut change.tx);
        let update = match outcome {
            Ok(()) if erase => tx.query(SENT_AND_ERASED).bind(message.id).bind(now),
            Ok(()) => tx.query(SENT).bind(message.id).bind(now),
            Err(SendError::Temporary(why)) if is_retried => {
                let due = now.plus_minutes(pause_minutes(message.attempts));
                tx.query(RETRY).bind(message.id).bind(due).bind(why)
            }
            Err(SendError::Temporary(why) | SendError::Permanent(why)) => {
                tx.query(FAILED).bind(message.id).bind(now).bind(why)
            }
        };
        update.execute().await?;
        change.done(())
    })
    .await
}

#[cfg(test)]
mod tests {
    use super::{MAX_ATTEMPTS, pause_minutes};

    #[test]
    fn the_delays_grow_to_six_hours_and_end_after_about_two_days() {
        assert_eq!([1, 2, 3, 10, 15].map(pause_minutes), [1, 2, 4, 360, 360]);
        let hours = (1..MAX_ATTEMPTS).map(pause_minutes).sum::<i64>() / 60;
        assert!((36..=54).contains(&hours), "{hours} hours");
    }
}
