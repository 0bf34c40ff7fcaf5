//! Connections with time and size limits: a request head has 30 seconds and 64 KiB, and the client must read its answer. Slow or
//! endless requests and clients that never read therefore hold no resources (security-and-proof 5, attack 14).

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
    /// Time limit of a request head, and of an idle connection.
    pub head: Duration,
    /// Time limit in which the client reads nothing of an answer, streams included.
    pub stalled_write: Duration,
}

impl Default for TimeLimits {
    fn default() -> Self {
        Self { head: Duration::from_secs(30), stalled_write: Duration::from_secs(30) }
    }
}

/// Maximum size of a request head, in bytes. The connection stops reading soon after; [`crate::http::frame`] rejects the request.
pub const MAX_HEAD: usize = 64 * 1024;
/// Marks requests from the network, as opposed to those made inside the process.
#[derive(Debug, Clone, Copy)]
pub struct FromNetwork;

/// Maximum number of header lines of a request.
const MAX_HEADERS: usize = 100;
/// Delay before the next accept when the system is out of sockets.
const ACCEPT_RETRY_DELAY: Duration = Duration::from_millis(50);

/// Serves until `stop`, then answers the requests in progress.
pub async fn serve(listener: TcpListener, router: Router, limits: TimeLimits, stop: CancellationToken) {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(limits.head).max_buf_size(MAX_HEAD).max_headers(MAX_HEADERS);
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
                        tracing::debug!(error = %error, "connection ended early");
                    }
                });
            }
            Err(error) => {
                tracing::warn!(error = %error, "cannot accept a connection");
                tokio::time::sleep(ACCEPT_RETRY_DELAY).await;
            }
        }
    }
    drop(listener);
    open.shutdown().await;
}

/// Sets TCP_NODELAY, so that small answers leave at once, and keepalive, so that the streams of vanished clients end.
fn prepared(stream: TcpStream, limits: TimeLimits) -> TcpStream {
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(error = %error, "cannot set TCP_NODELAY");
    }
    #[cfg(target_os = "linux")]
    {
        let millis = u32::try_from(limits.stalled_write.as_millis()).unwrap_or(u32::MAX);
        if let Err(error) = rustix::net::sockopt::set_tcp_user_timeout(&stream, millis) {
            tracing::debug!(error = %error, "cannot set keepalive");
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = limits;
    stream
}

/// Returns the service of one connection: the router, with the address of the peer.
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
