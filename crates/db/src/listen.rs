//! Notifications between nodes by `PostgreSQL`'s NOTIFY and LISTEN.
//!
//! Notifications are lost while the connection is down, so the stream yields [`Notification::Reconnected`] once it is back. A
//! connection that died silently (a cut cable, a firewall) is found by a ping after a time without notifications.

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

/// Time without notifications after which the connection is tested.
const PING_AFTER: Duration = Duration::from_secs(20);
/// Time limit of the answer to a ping.
const PING_TIMEOUT: Duration = Duration::from_secs(5);
/// Delay before the next attempt to connect.
const RECONNECT_DELAY: Duration = Duration::from_millis(500);

/// What a listener receives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notification {
    /// The payload that a node published.
    Payload(String),
    /// The connection was lost and is back. Notifications may have been lost meanwhile.
    Reconnected,
}

/// The notifications of a channel, an endless stream.
pub struct Notifications(Pin<Box<dyn Stream<Item = Notification> + Send>>);

impl Notifications {
    /// A channel on which nothing arrives.
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

struct Listener {
    pool: PgPool,
    channel: String,
    listener: Option<PgListener>,
}

/// Publishes all payloads in one statement.
pub(crate) async fn publish(
    pool: &Connections,
    schema: Option<&str>,
    channel: &str,
    payloads: &[String],
) -> Result<()> {
    // Not by `Query`, which binds no arrays.
    const PUBLISH: &str = "SELECT pg_notify($1, payload) FROM unnest($2) AS payload";
    let channel = channel_name(schema, channel);
    let mut taken = pool.take().await?;
    sqlx::query(PUBLISH).bind(channel).bind(payloads).execute(taken.connection()).await?;
    taken.put_back();
    Ok(())
}

/// Listens on a connection of its own, not on one of the pool.
pub(crate) async fn postgres(pool: &PgPool, schema: Option<&str>, channel: &str) -> Result<Notifications> {
    let own = PoolOptions::<Postgres>::new()
        .max_connections(1)
        .acquire_timeout(PING_TIMEOUT)
        .idle_timeout(None)
        .max_lifetime(None)
        .connect_lazy_with((*pool.connect_options()).clone());
    let mut listener = Listener { pool: own, channel: channel_name(schema, channel), listener: None };
    listener.connect().await?;
    Ok(Notifications(Box::pin(stream::unfold(listener, |mut listener| async move {
        let notification = listener.next().await;
        Some((notification, listener))
    }))))
}

impl Listener {
    async fn connect(&mut self) -> Result<()> {
        let mut listener = PgListener::connect_with(&self.pool).await?;
        listener.listen(&self.channel).await?;
        self.listener = Some(listener);
        Ok(())
    }

    async fn next(&mut self) -> Notification {
        loop {
            let Some(listener) = &mut self.listener else {
                if let Err(error) = self.connect().await {
                    tracing::warn!(channel = self.channel, %error, "cannot connect to listen; retrying");
                    sleep(RECONNECT_DELAY).await;
                    continue;
                }
                return Notification::Reconnected;
            };
            match timeout(PING_AFTER, listener.try_recv()).await {
                Ok(Ok(Some(notification))) => return Notification::Payload(notification.payload().to_owned()),
                // sqlx has reconnected already.
                Ok(Ok(None)) => return Notification::Reconnected,
                Ok(Err(_)) => self.listener = None,
                Err(_) => {
                    let pinged = timeout(PING_TIMEOUT, sqlx::query("SELECT TRUE").execute(&mut *listener)).await;
                    if !matches!(pinged, Ok(Ok(_))) {
                        self.listener = None;
                    }
                }
            }
        }
    }
}

/// Returns the name of a channel with the schema, since NOTIFY spans all schemas of a database.
pub(crate) fn channel_name(schema: Option<&str>, channel: &str) -> String {
    schema.map_or_else(|| channel.to_owned(), |schema| format!("{schema}.{channel}"))
}
