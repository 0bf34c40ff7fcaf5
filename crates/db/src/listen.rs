//! Live news between nodes: `PostgreSQL`'s NOTIFY and LISTEN.
//!
//! News can be lost while the connection is down, so the stream says [`Notification::Reconnected`] when it is back:
//! whoever caches by version then looks everything up again. A connection that died without a word (a cut cable, a
//! firewall) is found by asking it once in a while.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use futures_util::Stream;
use futures_util::stream;
use sqlx::pool::PoolOptions;
use sqlx::postgres::{PgListener, PgPool, Postgres};
use tokio::time::{sleep, timeout};

use crate::Result;
use crate::postgres::Connections;

/// How long silence is believed.
const ASK_AFTER: Duration = Duration::from_secs(20);
/// How long an answer may take.
const ANSWER_WITHIN: Duration = Duration::from_secs(5);
/// How long to wait before connecting again.
const CONNECT_AGAIN_AFTER: Duration = Duration::from_millis(500);

/// What a listener hears.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notification {
    /// A node said this.
    Payload(String),
    /// The connection was lost and is back; what was said meanwhile is not known.
    Reconnected,
}

/// The news of one channel, without end.
pub struct Notifications(Pin<Box<dyn Stream<Item = Notification> + Send>>);

impl Notifications {
    /// A channel on which nothing ever comes.
    pub(crate) fn silent() -> Self {
        Self(Box::pin(stream::pending()))
    }
}

impl Stream for Notifications {
    type Item = Notification;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Notification>> {
        self.0.as_mut().poll_next(context)
    }
}

struct Ear {
    pool: PgPool,
    channel: String,
    listener: Option<PgListener>,
}

/// Tells all payloads in one statement.
pub(crate) async fn publish(
    pool: &Connections,
    schema: Option<&str>,
    channel: &str,
    payloads: &[String],
) -> Result<()> {
    // Not through `query`: an array is no value of both engines.
    const PUBLISH: &str = "SELECT pg_notify($1, payload) FROM unnest($2) AS payload";
    let channel = channel_name(schema, channel);
    let mut taken = pool.take().await?;
    sqlx::query(PUBLISH).bind(channel).bind(payloads).execute(taken.connection()).await?;
    taken.put_back();
    Ok(())
}

/// Listens on a connection of its own, so that the pool keeps all of its own.
pub(crate) async fn postgres(pool: &PgPool, schema: Option<&str>, channel: &str) -> Result<Notifications> {
    let own = PoolOptions::<Postgres>::new()
        .max_connections(1)
        .acquire_timeout(ANSWER_WITHIN)
        .idle_timeout(None)
        .max_lifetime(None)
        .connect_lazy_with((*pool.connect_options()).clone());
    let mut ear = Ear { pool: own, channel: channel_name(schema, channel), listener: None };
    ear.connect().await?;
    Ok(Notifications(Box::pin(stream::unfold(ear, |mut ear| async move {
        let heard = ear.hear().await;
        Some((heard, ear))
    }))))
}

impl Ear {
    async fn connect(&mut self) -> Result<()> {
        let mut listener = PgListener::connect_with(&self.pool).await?;
        listener.listen(&self.channel).await?;
        self.listener = Some(listener);
        Ok(())
    }

    async fn hear(&mut self) -> Notification {
        loop {
            let Some(listener) = &mut self.listener else {
                if let Err(error) = self.connect().await {
                    tracing::warn!(channel = self.channel, %error, "no connection to listen on; trying again");
                    sleep(CONNECT_AGAIN_AFTER).await;
                    continue;
                }
                return Notification::Reconnected;
            };
            match timeout(ASK_AFTER, listener.try_recv()).await {
                Ok(Ok(Some(heard))) => return Notification::Payload(heard.payload().to_owned()),
                // sqlx has already connected again.
                Ok(Ok(None)) => return Notification::Reconnected,
                Ok(Err(_)) => self.listener = None,
                Err(_) => {
                    let asked = timeout(ANSWER_WITHIN, sqlx::query("SELECT TRUE").execute(&mut *listener)).await;
                    if !matches!(asked, Ok(Ok(_))) {
                        self.listener = None;
                    }
                }
            }
        }
    }
}

/// NOTIFY spans all schemas of a database, so the name carries the schema.
pub(crate) fn channel_name(schema: Option<&str>, channel: &str) -> String {
    schema.map_or_else(|| channel.to_owned(), |schema| format!("{schema}.{channel}"))
}
