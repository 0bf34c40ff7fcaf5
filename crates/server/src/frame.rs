//! What stands around every request. One layer and not seven: each layer of axum copies, for each request, all layers
//! within it.

use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::security_headers::Wanted;
use crate::{App, Error, audit, metrics, problem, requester, security_headers};

/// Longest time to the head of an answer.
const LONGEST: Duration = Duration::from_secs(30);
/// Longest time to the head of an answer to an upload, which may come over a poor line.
const LONGEST_UPLOAD: Duration = Duration::from_mins(5);

/// Gives the request its id; ends what takes too long; writes refusals; counts and times; adds the headers.
pub async fn around(State(app): State<App>, mut request: Request, next: Next) -> Response {
    let (id, requester) = requester::identify(&app, &mut request);
    let wanted = Wanted::by(&app, &mut request);
    let course = metrics::Course::of(&request);
    let longest = if request.uri().path() == "/api/Images" { LONGEST_UPLOAD } else { LONGEST };

    // No answer tells of what a crash could still take back.
    let answer = berth_db::in_order(&app.db, next.run(request));
    // Whoever waits for too long is told to try again.
    let answer = tokio::time::timeout(longest, answer).await;
    let mut response = answer.unwrap_or_else(|_| Error::Busy.into_response());

    // Nobody is turned away without a record.
    if let Err(error) = audit::note_denied(&app, &requester, response.status(), || course.call()).await {
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
