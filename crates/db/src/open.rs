//! How connections are made: durability, timeouts, TLS, the collation both engines share.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use sqlx::pool::PoolOptions;
use sqlx::postgres::{PgConnectOptions, PgConnection, PgSslMode, Postgres};
use sqlx::{ConnectOptions, Connection};

use crate::db::Pools;
use crate::postgres::Connections;
use crate::readers::Readers;
use crate::sqlite::{Costs, File};
use crate::writer::Writer;
use crate::{Error, Result};

/// Number of statements that a connection keeps prepared: more than Berth has.
pub(crate) const PREPARED_STATEMENTS: usize = 512;

/// Idle time after which a connection is tested before it is used, since the server may have been restarted.
pub(crate) const TEST_AFTER_IDLE: Duration = Duration::from_secs(1);

/// Options for opening a database. The defaults suit a server.
#[derive(Clone, Debug)]
pub struct Options {
    /// Maximum number of connections of this node to `PostgreSQL`. At least 1.
    pub max_connections: u32,
    /// Maximum number of reading connections to SQLite, beside its one writer. At least 1.
    pub readers: u32,
    /// The `PostgreSQL` schema of the tables. Its name is also part of every channel name.
    pub search_path: Option<String>,
    /// Time limit of the wait for a free connection; then [`Error::Busy`].
    pub acquire_timeout: Duration,
    /// Time limit of a statement's wait for a lock; then [`Error::Busy`].
    pub lock_timeout: Duration,
    /// True if SQLite flushes to the disk before a commit is acknowledged. False is for tests only.
    pub flush: bool,
    /// Memory in which SQLite's writer keeps pages, in MiB. Each change of a page that is not there reads it again, and a large transaction
    /// writes it more than once, so loading millions of rows needs more than a server does.
    pub writer_memory: u32,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            max_connections: 20,
            readers: 4,
            search_path: None,
            acquire_timeout: Duration::from_secs(5),
            lock_timeout: Duration::from_secs(5),
            flush: true,
            writer_memory: 2,
        }
    }
}

/// Opens the writer, which creates the file. Readers are opened when they are needed.
pub(crate) async fn sqlite(path: &str, options: &Options) -> Result<Pools> {
    if path.is_empty() || path.contains(":memory:") || path.contains('?') {
        return Err(Error::Configuration(
            "SQLite needs the path of a file, as in sqlite:/var/lib/berth/berth.db.".to_owned(),
        ));
    }
    let file = File {
        path: path.into(),
        lock_timeout: options.lock_timeout,
        flush: options.flush,
        writer_memory: options.writer_memory,
        costs: Costs::default(),
    };
    let file = Arc::new(file);
    let writer = Writer::open(Arc::clone(&file), options.acquire_timeout).await?;
    let readers = Readers::new(file, options.readers.max(1), options.acquire_timeout);
    Ok(Pools::Sqlite { readers, writer })
}

/// Opens the pool. A server that does not answer is reported as such, not as a full pool.
pub(crate) async fn postgres(url: &str, options: &Options) -> Result<Pools> {
    let connect = postgres_options(url, options)?;
    let pool = PoolOptions::<Postgres>::new()
        .max_connections(options.max_connections.max(1))
        .acquire_timeout(options.acquire_timeout)
        .test_before_acquire(false)
        .before_acquire(|connection, state| {
            Box::pin(async move {
                if state.idle_for >= TEST_AFTER_IDLE {
                    connection.ping().await?;
                }
                Ok(true)
            })
        });
    match pool.connect_with(connect.clone()).await {
        Err(sqlx::Error::PoolTimedOut) => {
            let reason = PgConnection::connect_with(&connect).await.err().unwrap_or(sqlx::Error::PoolTimedOut);
            Err(Error::Connection(reason.into()))
        }
        opened => Ok(Pools::Postgres(Connections::new(opened?, options.acquire_timeout))),
    }
}

fn postgres_options(url: &str, options: &Options) -> Result<PgConnectOptions> {
    let unreadable = |_| Error::Configuration("The PostgreSQL address is not readable.".to_owned());
    let mut connect: PgConnectOptions = url.parse().map_err(unreadable)?;
    // sqlx's default may fall back to plain text. An sslmode in the address is a choice of the operator.
    if !names_ssl_mode(url) {
        let mode = if is_local(&connect) { PgSslMode::Prefer } else { PgSslMode::VerifyFull };
        connect = connect.ssl_mode(mode);
    }
    let lock_timeout = format!("{}ms", options.lock_timeout.as_millis());
    connect = connect.application_name("berth").statement_cache_capacity(PREPARED_STATEMENTS).options([
        ("default_transaction_isolation", "read committed"),
        ("lock_timeout", lock_timeout.as_str()),
        ("idle_in_transaction_session_timeout", "30s"),
        // Parallel workers cost more than they save for short queries, and take CPU time from other requests.
        ("max_parallel_workers_per_gather", "0"),
        // A merge join reads an index from its start to the last match. It looks cheap while the statistics do not know the
        // sessions of new users yet, and then reads all users for each look-up.
        ("enable_mergejoin", "off"),
    ]);
    if let Some(schema) = &options.search_path {
        connect = connect.options([("search_path", schema)]);
    }
    // Slow statements of both engines are logged by `Query`.
    Ok(connect.disable_statement_logging())
}

fn names_ssl_mode(url: &str) -> bool {
    let query = url.split_once('?').map_or("", |(_, query)| query);
    query.split('&').any(|pair| pair.starts_with("sslmode=") || pair.starts_with("ssl-mode="))
}

fn is_local(connect: &PgConnectOptions) -> bool {
    let host = connect.get_host();
    let address = host.trim_start_matches('[').trim_end_matches(']');
    connect.get_socket().is_some()
        || host.starts_with('/')
        || host == "localhost"
        || address.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::{Options, PgSslMode, postgres_options};

    fn mode(url: &str) -> PgSslMode {
        postgres_options(url, &Options::default()).unwrap().get_ssl_mode()
    }

    #[test]
    fn a_remote_server_must_prove_its_name() {
        assert!(matches!(mode("postgres://berth@db.example/berth"), PgSslMode::VerifyFull));
        assert!(matches!(mode("postgres://berth@10.0.0.7:5433/berth"), PgSslMode::VerifyFull));
        assert!(matches!(mode("postgres://berth@localhost.example/berth"), PgSslMode::VerifyFull));
    }

    #[test]
    fn a_server_on_this_machine_need_not_prove_its_name() {
        for url in ["postgres://b@localhost/b", "postgres://b@127.0.0.1:5/b", "postgres://b@[::1]/b"] {
            assert!(matches!(mode(url), PgSslMode::Prefer), "{url}");
        }
        assert!(matches!(mode("postgres://b@ignored/b?host=/run/postgresql"), PgSslMode::Prefer));
    }

    #[test]
    fn an_sslmode_in_the_address_is_obeyed() {
        assert!(matches!(mode("postgres://b@db/b?sslmode=disable"), PgSslMode::Disable));
    }
}
