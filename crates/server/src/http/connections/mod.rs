//! The connections: who connects must say what he wants within 30 seconds and within 64 KiB, and must take the answer, so
//! that slow and endless requests and clients that never read hold nothing that others need (security-and-proof 5,
//! attack 14).

mod stalled;

use std::convert::Infallible;
use std::future::Future;
use std::net::SocketAddr;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::response::Response;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;

use self::stalled::Stalled;

/// Time limits of a connection.
#[derive(Debug, Clone, Copy)]
pub struct TimeLimits {
    /// Longest time to a whole request head; a connection that is kept open without a request ends after it as well.
    pub head: Duration,
    /// Longest time in which the client takes nothing of an answer that waits for it, streams included.
    pub stalled_write: Duration,
}

impl Default for TimeLimits {
    fn default() -> Self {
        Self { head: Duration::from_secs(30), stalled_write: Duration::from_secs(30) }
    }
}

/// Longest request head, in bytes. The connection stops reading soon after; [`crate::http::frame`] refuses what it read beyond.
pub const MAX_HEAD: usize = 64 * 1024;
/// Marks requests that came over the network, as opposed to those that are made inside the process.
#[derive(Debug, Clone, Copy)]
pub struct FromNetwork;

/// Most header lines of a request.
const MOST_HEADERS: usize = 100;
/// How long to wait when the system has no room for another connection.
const NO_ROOM: Duration = Duration::from_millis(50);

/// Serves until `stop`, then until the requests in hand are answered.
pub async fn serve(listener: TcpListener, router: Router, limits: TimeLimits, stop: CancellationToken) {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(limits.head).max_buf_size(MAX_HEAD).max_headers(MOST_HEADERS);
    let open = GracefulShutdown::new();
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = stop.cancelled() => break,
        };
        match accepted {
            Ok((stream, from)) => {
                let stream = Stalled::new(prepared(stream, limits), limits.stalled_write);
                let connection = http.serve_connection(TokioIo::new(stream), answers(router.clone(), from));
                let connection = open.watch(connection);
                tokio::spawn(async move {
                    if let Err(error) = connection.await {
                        tracing::debug!(error = %error, "a connection ended early");
                    }
                });
            }
            Err(error) => {
                tracing::warn!(error = %error, "no connection can be taken");
                tokio::time::sleep(NO_ROOM).await;
            }
        }
    }
    drop(listener);
    open.shutdown().await;
}

/// Small answers leave at once; a client that has vanished without a word is noticed by its missing acknowledgements, so
/// that the streams of lost connections end.
fn prepared(stream: TcpStream, limits: TimeLimits) -> TcpStream {
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(error = %error, "a connection waits for more before it sends");
    }
    #[cfg(target_os = "linux")]
    {
        let millis = u32::try_from(limits.stalled_write.as_millis()).unwrap_or(u32::MAX);
        if let Err(error) = rustix::net::sockopt::set_tcp_user_timeout(&stream, millis) {
            tracing::debug!(error = %error, "a vanished client is noticed late");
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = limits;
    stream
}

/// The router as the answers of one connection, which knows where it came from.
fn answers(
    router: Router,
    from: SocketAddr,
) -> impl hyper::service::Service<
    hyper::Request<Incoming>,
    Response = Response,
    Error = Infallible,
    Future = impl Future<Output = Result<Response, Infallible>> + Send + 'static,
> {
    service_fn(move |request: hyper::Request<Incoming>| {
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(ConnectInfo(from));
        request.extensions_mut().insert(FromNetwork);
        router.clone().oneshot(request)
    })
}
