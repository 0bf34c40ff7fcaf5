//! The layer around every request: id, log span, time limit, error bodies, metrics and headers. It is one layer and not
//! seven, because each layer of axum clones all layers within it for each request.

use std::panic::AssertUnwindSafe;
use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue, StatusCode, Uri, Version, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures_util::FutureExt;
use tracing::field::Empty;
use tracing::{Instrument, Span};

use crate::admin::audit_log;
use crate::http::connections::{self, FromNetwork};
use crate::http::requester::{RequestId, Requester};
use crate::http::security_headers::{self, HeaderContext};
use crate::http::{metrics, problem, requester};
use crate::{App, Error};

/// Time limit to the head of an answer.
const TIMEOUT: Duration = Duration::from_secs(30);
/// Time limit to the head of an answer to an upload, which may come over a slow connection.
const UPLOAD_TIMEOUT: Duration = Duration::from_mins(5);

/// Answers a request within a span that names it, so that each log line of the request has its id: the number that a user
/// reads out from an error.
pub async fn around(State(app): State<App>, mut request: Request, next: Next) -> Response {
    let (id, requester) = requester::identify(&app, &mut request);
    let course = metrics::Course::of(&request);
    // At the level of errors, so that the span is there whatever level is logged.
    let span = tracing::error_span!(
        "request",
        request_id = id.0,
        method = course.method(),
        route = course.route(),
        user_id = Empty,
        status = Empty,
        milliseconds = Empty,
    );
    answer(app, request, next, (id, requester, course)).instrument(span).await
}

/// Limits the time, turns panics and errors into answers, records denied calls, counts, and adds the headers.
async fn answer(
    app: App,
    mut request: Request,
    next: Next,
    (id, requester, course): (RequestId, Requester, metrics::Course),
) -> Response {
    let context = HeaderContext::new(&app, &mut request);
    let timeout = if is_upload(request.uri().path()) { UPLOAD_TIMEOUT } else { TIMEOUT };

    let mut response = match check_head(&request) {
        Some(refusal) => refusal.into_response(),
        None => {
            // An answer waits for the commits that it shows: a crash must not undo what was answered.
            let answer = berth_db::in_order(&app.db, next.run(request));
            let answer = AssertUnwindSafe(tokio::time::timeout(timeout, answer)).catch_unwind().await;
            match answer {
                Ok(Ok(response)) => response,
                Ok(Err(_)) => Error::Busy.into_response(),
                // The panic hook has written the message. It may hold data, so the answer does not repeat it.
                Err(_) => Error::internal("the request panicked").into_response(),
            }
        }
    };

    // A denied call is not answered unless it is on record.
    if let Err(error) = audit_log::note_denied(&app, &requester, response.status(), || course.call()).await {
        response = error.into_response();
    }
    problem::render(&id, &mut response);
    let elapsed = course.ended(&app.metrics, response.status());
    log_end(response.status(), elapsed);
    security_headers::add(&app, &context, &mut response);
    set_time(&app, &mut response);
    id.set(&mut response);
    response
}

/// Completes the span of the request and writes its last line: a warning if the server failed, else for debugging.
fn log_end(status: StatusCode, elapsed: Duration) {
    let milliseconds = u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX);
    Span::current().record("status", status.as_u16()).record("milliseconds", milliseconds);
    if status.is_server_error() {
        tracing::warn!("request failed");
    } else {
        tracing::debug!("request answered");
    }
}

/// The time on the server, in milliseconds. Browsers show the time left by it and not by their own clock; `Date` has only
/// seconds.
const TIME_HEADER: HeaderName = HeaderName::from_static("x-berth-time");

fn set_time(app: &App, response: &mut Response) {
    if let Ok(value) = HeaderValue::from_str(&app.now().to_string()) {
        response.headers_mut().insert(TIME_HEADER, value);
    }
}

/// Returns the error for a request whose head exceeds the documented limit, or that does not name its host exactly once
/// (RFC 9112, 3.2): a proxy and this server might each take another of two hosts.
fn check_head(request: &Request) -> Option<Error> {
    let headers = request.headers();
    let fields = headers.iter().map(|(name, value)| name.as_str().len() + value.len() + ": \r\n".len());
    let line = request.method().as_str().len() + uri_length(request.uri()) + "  HTTP/1.1\r\n\r\n".len();
    if line + fields.sum::<usize>() > connections::MAX_HEAD {
        return Some(Error::HeadTooLarge);
    }
    let hosts = headers.get_all(header::HOST).iter().count();
    // HTTP/1.0 knows no Host, and a request that was made inside the process needs none.
    let needs_host = request.version() == Version::HTTP_11 && request.extensions().get::<FromNetwork>().is_some();
    let is_named = hosts == 1 || (hosts == 0 && !needs_host);
    (!is_named).then(|| Error::Unreadable("Send exactly one Host header.".to_owned()))
}

fn uri_length(uri: &Uri) -> usize {
    let scheme = uri.scheme_str().map_or(0, |scheme| scheme.len() + "://".len());
    let authority = uri.authority().map_or(0, |authority| authority.as_str().len());
    scheme + authority + uri.path_and_query().map_or(0, |path| path.as_str().len())
}

/// Returns true for the calls that upload images, which take long on a phone.
fn is_upload(path: &str) -> bool {
    path == "/api/Images" || (path.starts_with("/api/public/reservations/") && path.ends_with("/cards"))
}
