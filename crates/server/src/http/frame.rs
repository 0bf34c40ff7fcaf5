//! What stands around every request. One layer and not seven: each layer of axum copies, for each request, all layers
//! within it.

use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue, Uri, Version, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::admin::audit_log;
use crate::http::connections::{self, FromNetwork};
use crate::http::security_headers::{self, Wanted};
use crate::http::{metrics, problem, requester};
use crate::{App, Error};

/// Longest time to the head of an answer.
const LONGEST: Duration = Duration::from_secs(30);
/// Longest time to the head of an answer to an upload, which may come over a poor line.
const LONGEST_UPLOAD: Duration = Duration::from_mins(5);

/// Gives the request its id; ends what takes too long; writes refusals; counts and times; adds the headers.
pub async fn around(State(app): State<App>, mut request: Request, next: Next) -> Response {
    let (id, requester) = requester::identify(&app, &mut request);
    let wanted = Wanted::by(&app, &mut request);
    let course = metrics::Course::of(&request);
    let longest = if is_upload(request.uri().path()) { LONGEST_UPLOAD } else { LONGEST };

    let mut response = match refuse_head(&request) {
        Some(refusal) => refusal.into_response(),
        None => {
            // No answer tells of what a crash could still take back.
            let answer = berth_db::in_order(&app.db, next.run(request));
            // Whoever waits for too long is told to try again.
            let answer = tokio::time::timeout(longest, answer).await;
            answer.unwrap_or_else(|_| Error::Busy.into_response())
        }
    };

    // Nobody is turned away without a record.
    if let Err(error) = audit_log::note_denied(&app, &requester, response.status(), || course.call()).await {
        response = error.into_response();
    }
    problem::render(&id, &mut response);
    course.ended(&app.metrics, response.status());
    security_headers::add(&app, &wanted, &mut response);
    tell_time(&app, &mut response);
    id.tell(&mut response);
    response
}

/// The time on the server, to the millisecond: browsers count time left by it and not by their own clock (`Date` is as
/// coarse as a second).
const TIME_HEADER: HeaderName = HeaderName::from_static("x-berth-time");

fn tell_time(app: &App, response: &mut Response) {
    if let Ok(value) = HeaderValue::from_str(&app.now().to_string()) {
        response.headers_mut().insert(TIME_HEADER, value);
    }
}

/// The refusal of a request whose head is larger than the documented limit, or that does not name its host exactly once
/// (RFC 9112, 3.2): of two hosts a proxy may believe the one and we the other.
fn refuse_head(request: &Request) -> Option<Error> {
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

/// Returns true for the calls that send pictures, which take their time on a phone.
fn is_upload(path: &str) -> bool {
    path == "/api/Images" || (path.starts_with("/api/public/reservations/") && path.ends_with("/cards"))
}
