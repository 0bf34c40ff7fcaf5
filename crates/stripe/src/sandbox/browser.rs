//! Routes for browsers besides Stripe's operations: our replacement for Stripe.js, the bank's question, and the pages
//! of the portal, of invoices and of receipts.

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, State as Shared};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};

use super::parameters::Parameters;
use super::serve::{Call, respond};
use super::{PUBLISHABLE_KEY, Sandbox, invoices, page, payment_intents, payment_methods, portal, setup_intents};

const SCRIPT: &str = include_str!("stripe.js");
const STYLE: &str = include_str!("portal.css");

pub(super) fn pages(sandbox: &Sandbox) -> Router {
    Router::new()
        .route("/stripe.js", get(async || file("text/javascript; charset=utf-8", SCRIPT)))
        .route("/portal.css", get(async || file("text/css; charset=utf-8", STYLE)))
        .route("/portal/{session}", get(show).post(act))
        .route("/invoices/{invoice}", get(show_invoice).post(pay_invoice))
        .route("/receipts/{charge}", get(show_receipt))
        .route("/authenticate/{intent}", post(authenticate))
        .with_state(sandbox.clone())
}

fn file(kind: &'static str, text: &'static str) -> Response {
    ([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, "no-cache")], text).into_response()
}

/// Takes the cardholder's answer to the bank: `agreed`, true or false.
async fn authenticate(
    Shared(sandbox): Shared<Sandbox>,
    Path(intent): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let key = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok()).unwrap_or_default();
    if key.strip_prefix("Bearer ") != Some(PUBLISHABLE_KEY) {
        return StatusCode::UNAUTHORIZED.into_response();
    }
    let call = Call::of_browser(&intent, &String::from_utf8_lossy(&body));
    // A rejected call changes the state, too.
    let done = sandbox.change(|state| {
        let mut call = call.clone();
        let agreed = call.parameters.flag("agreed")?;
        let is_payment = intent.starts_with("pi_");
        let of_kind = if is_payment { payment_intents::authenticate } else { setup_intents::authenticate };
        of_kind(state, &mut call, agreed)
    });
    match done.await.flatten() {
        Ok(intent) => respond(200, &intent),
        Err(rejection) => respond(rejection.status(), &rejection.body()),
    }
}

fn prefers_spanish(headers: &HeaderMap) -> bool {
    let languages = headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    languages.trim_start().to_ascii_lowercase().starts_with("es")
}

/// Answers with a page, or with 404 if there is none.
fn html(status: StatusCode, text: Option<String>, headers: &HeaderMap) -> Response {
    let kind = [(header::CONTENT_TYPE, "text/html; charset=utf-8"), (header::CACHE_CONTROL, "no-store")];
    match text {
        Some(text) => (status, kind, text).into_response(),
        None => (StatusCode::NOT_FOUND, kind, page::missing(prefers_spanish(headers))).into_response(),
    }
}

async fn show_invoice(Shared(sandbox): Shared<Sandbox>, Path(id): Path<String>, headers: HeaderMap) -> Response {
    match sandbox.read(|state| page::invoice(state, &id, prefers_spanish(&headers), None)).await {
        Ok(text) => html(StatusCode::OK, text, &headers),
        Err(rejection) => respond(rejection.status(), &rejection.body()),
    }
}

async fn show_receipt(Shared(sandbox): Shared<Sandbox>, Path(id): Path<String>, headers: HeaderMap) -> Response {
    match sandbox.read(|state| page::receipt(state, &id, prefers_spanish(&headers))).await {
        Ok(text) => html(StatusCode::OK, text, &headers),
        Err(rejection) => respond(rejection.status(), &rejection.body()),
    }
}

/// Pays an invoice with the default card, and shows it again.
async fn pay_invoice(Shared(sandbox): Shared<Sandbox>, Path(id): Path<String>, headers: HeaderMap) -> Response {
    let paid = sandbox.change(|state| {
        let rejection = invoices::pay(state, &mut Call::inner(&id, Parameters::default())).err();
        let status = if rejection.is_none() { StatusCode::OK } else { StatusCode::UNPROCESSABLE_ENTITY };
        let sentence = rejection.as_ref().map(super::rejection::Rejection::sentence);
        (status, page::invoice(state, &id, prefers_spanish(&headers), sentence))
    });
    match paid.await {
        Ok((status, text)) => html(status, text, &headers),
        Err(rejection) => respond(rejection.status(), &rejection.body()),
    }
}

/// Returns the page of a portal session.
async fn portal_page(sandbox: &Sandbox, session: &str, headers: &HeaderMap, rejection: Option<&str>) -> Response {
    let found = sandbox.read(|state| {
        portal::find(state, session).map(|(session, customer)| {
            let methods = payment_methods::of(state, customer["id"].as_str().unwrap_or_default());
            (session, customer, methods)
        })
    });
    let found = match found.await {
        Ok(found) => found,
        Err(rejection) => return respond(rejection.status(), &rejection.body()),
    };
    let status = match (&found, rejection) {
        (None, _) => StatusCode::NOT_FOUND,
        (Some(_), Some(_)) => StatusCode::UNPROCESSABLE_ENTITY,
        (Some(_), None) => StatusCode::OK,
    };
    let text = portal::page(found.as_ref(), prefers_spanish(headers), rejection);
    let headers = [(header::CONTENT_TYPE, "text/html; charset=utf-8"), (header::CACHE_CONTROL, "no-store")];
    (status, headers, text).into_response()
}

async fn show(Shared(sandbox): Shared<Sandbox>, Path(session): Path<String>, headers: HeaderMap) -> Response {
    portal_page(&sandbox, &session, &headers, None).await
}

/// Handles a form of the portal, and shows the portal again.
async fn act(
    Shared(sandbox): Shared<Sandbox>,
    Path(session): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let fields = String::from_utf8_lossy(&body);
    let done = sandbox.change(|state| portal::act(state, &session, &fields)).await;
    match done.flatten() {
        Ok(()) => {
            let place = HeaderValue::from_str(&format!("{}/portal/{session}", portal::MOUNT));
            let mut response = StatusCode::SEE_OTHER.into_response();
            response.headers_mut().insert(header::LOCATION, place.unwrap_or(HeaderValue::from_static("/")));
            response
        }
        Err(rejection) => portal_page(&sandbox, &session, &headers, Some(rejection.sentence())).await,
    }
}
