//! How a call is handled: key, version, planned fault, idempotency, work, expansion, answer.

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Request, State as Shared};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodFilter, on};
use serde_json::Value;

use super::control::{Struck, When};
use super::parameters::Parameters;
use super::rejection::Rejection;
use super::state::{self, State};
use super::{
    PUBLISHABLE_KEY, Sandbox, billing, charges, coupons, customers, events, idempotency, invoices, list,
    payment_intents, payment_methods, portal, prices, products, promotion_codes, setup_intents, subscriptions,
};
use crate::API_VERSION;

/// Maximum size of a body, in bytes.
const MAX_BODY_BYTES: usize = 64 * 1024;

/// A call as its operation sees it.
#[derive(Clone)]
pub(super) struct Call {
    /// The part of the path that names an object.
    id: String,
    pub(super) parameters: Parameters,
    /// True if the call came with the publishable key.
    pub(super) by_browser: bool,
}

impl Call {
    pub(super) fn id(&self) -> &str {
        &self.id
    }

    /// Creates a call by one of our own pages.
    pub(super) fn inner(id: &str, parameters: Parameters) -> Self {
        Self { id: id.to_owned(), parameters, by_browser: false }
    }

    /// Creates a call by a browser that is not one of Stripe's operations.
    pub(super) fn of_browser(id: &str, fields: &str) -> Self {
        Self { id: id.to_owned(), parameters: Parameters::parse(fields), by_browser: true }
    }
}

type Work = fn(&mut State, &mut Call) -> Result<Value, Rejection>;

/// An operation: its name in Stripe's document, whether browsers may ask for it, and what it does.
#[derive(Clone, Copy)]
pub(super) struct Operation {
    /// Method and path.
    name: &'static str,
    for_browsers: bool,
    work: Work,
}

impl Operation {
    const fn new(name: &'static str, work: Work) -> Self {
        Self { name, for_browsers: false, work }
    }

    const fn open(name: &'static str, work: Work) -> Self {
        Self { name, for_browsers: true, work }
    }

    pub(super) const fn is_for_browsers(&self) -> bool {
        self.for_browsers
    }

    fn parts(&self) -> (Method, &'static str) {
        let (method, path) = self.name.split_once(' ').unwrap_or(("GET", self.name));
        (method.parse().unwrap_or(Method::GET), path)
    }
}

/// All operations, in one flat list.
pub(super) const OPERATIONS: &[Operation] = &[
    Operation::new("POST /v1/customers", customers::create),
    Operation::new("GET /v1/customers", customers::all),
    Operation::new("GET /v1/customers/{customer}", customers::get),
    Operation::new("POST /v1/customers/{customer}", customers::update),
    Operation::new("DELETE /v1/customers/{customer}", customers::delete),
    Operation::new("GET /v1/customers/{customer}/payment_methods", customers::methods),
    Operation::open("POST /v1/payment_methods", payment_methods::create),
    Operation::new("GET /v1/payment_methods/{payment_method}", payment_methods::get),
    Operation::new("POST /v1/payment_methods/{payment_method}/attach", payment_methods::attach),
    Operation::new("POST /v1/payment_methods/{payment_method}/detach", payment_methods::detach),
    Operation::new("POST /v1/setup_intents", setup_intents::create),
    Operation::open("GET /v1/setup_intents/{intent}", setup_intents::get),
    Operation::open("POST /v1/setup_intents/{intent}/confirm", setup_intents::confirm),
    Operation::new("POST /v1/billing_portal/sessions", portal::create),
    Operation::new("POST /v1/products", products::create),
    Operation::new("GET /v1/products", products::all),
    Operation::new("GET /v1/products/{id}", products::get),
    Operation::new("POST /v1/products/{id}", products::update),
    Operation::new("POST /v1/prices", prices::create),
    Operation::new("GET /v1/prices", prices::all),
    Operation::new("GET /v1/prices/{price}", prices::get),
    Operation::new("POST /v1/prices/{price}", prices::update),
    Operation::new("POST /v1/coupons", coupons::create),
    Operation::new("GET /v1/coupons/{coupon}", coupons::get),
    Operation::new("DELETE /v1/coupons/{coupon}", coupons::delete),
    Operation::new("POST /v1/promotion_codes", promotion_codes::create),
    Operation::new("GET /v1/promotion_codes", promotion_codes::all),
    Operation::new("GET /v1/promotion_codes/{promotion_code}", promotion_codes::get),
    Operation::new("POST /v1/promotion_codes/{promotion_code}", promotion_codes::update),
    Operation::new("POST /v1/subscriptions", subscriptions::create),
    Operation::new("GET /v1/subscriptions", subscriptions::all),
    Operation::new("GET /v1/subscriptions/{subscription_exposed_id}", subscriptions::get),
    Operation::new("POST /v1/subscriptions/{subscription_exposed_id}", subscriptions::update),
    Operation::new("DELETE /v1/subscriptions/{subscription_exposed_id}", subscriptions::cancel),
    Operation::new("POST /v1/invoices/create_preview", invoices::preview),
    Operation::new("GET /v1/invoices", invoices::all),
    Operation::new("GET /v1/invoices/{invoice}", invoices::get),
    Operation::new("POST /v1/invoices/{invoice}/pay", invoices::pay),
    Operation::new("POST /v1/invoices/{invoice}/void", invoices::void),
    Operation::open("GET /v1/payment_intents/{intent}", payment_intents::get),
    Operation::open("POST /v1/payment_intents/{intent}/confirm", payment_intents::confirm),
    Operation::new("GET /v1/charges", charges::all),
    Operation::new("GET /v1/charges/{charge}", charges::get),
    Operation::new("GET /v1/events", events::all),
    Operation::new("GET /v1/events/{id}", events::get),
];

/// Returns the routes of operations. Unknown paths are answered like Stripe does.
pub(super) fn router(sandbox: &Sandbox, operations: &[Operation]) -> Router {
    let mut router = Router::new();
    for operation in operations.iter().copied() {
        let (method, path) = operation.parts();
        let filter = MethodFilter::try_from(method).unwrap_or(MethodFilter::GET);
        let handler = move |Shared(sandbox): Shared<Sandbox>, request: Request| answer(sandbox, operation, request);
        router = router.route(path, on(filter, handler));
    }
    let unknown = async |request: Request| {
        let sentence = format!("Unrecognized request URL ({}: {}).", request.method(), request.uri().path());
        respond(404, &Rejection::invalid(sentence).body())
    };
    router.route("/v1/{*rest}", axum::routing::any(unknown)).with_state(sandbox.clone())
}

/// Returns true for the publishable key, false for the secret key.
fn is_browser(sandbox: &Sandbox, headers: &HeaderMap, operation: Operation) -> Result<bool, Rejection> {
    let sent = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let key = sent.strip_prefix("Bearer ").unwrap_or_default();
    if key == sandbox.0.secret_key {
        return Ok(false);
    }
    if key != PUBLISHABLE_KEY {
        // Never repeat what was sent: it may be a real key.
        return Err(Rejection::unauthorized("Invalid API Key provided."));
    }
    if operation.for_browsers {
        return Ok(true);
    }
    let sentence = "This API call cannot be made with a publishable API key. Please use a secret API key.";
    Err(Rejection::unauthorized(sentence).with_status(403))
}

async fn answer(sandbox: Sandbox, operation: Operation, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let body = axum::body::to_bytes(body, MAX_BODY_BYTES).await;
    let result = match body {
        Ok(body) => run(&sandbox, operation, &parts, &body).await,
        Err(_) => Err(Rejection::invalid("The request is too large.").with_status(413)),
    };
    match result {
        Ok(response) => response,
        Err(rejection) => respond(rejection.status(), &rejection.body()),
    }
}

async fn run(
    sandbox: &Sandbox,
    operation: Operation,
    parts: &axum::http::request::Parts,
    body: &Bytes,
) -> Result<Response, Rejection> {
    let by_browser = is_browser(sandbox, &parts.headers, operation)?;
    let text = |name: &str| parts.headers.get(name).and_then(|value| value.to_str().ok());
    if let Some(other) = text("stripe-version").filter(|version| *version != API_VERSION) {
        return Err(Rejection::invalid(format!("Invalid Stripe API version: {other}; here it is {API_VERSION}.")));
    }
    let fields = if parts.method == Method::POST {
        let kind = text("content-type").unwrap_or_default();
        if !kind.starts_with("application/x-www-form-urlencoded") {
            return Err(Rejection::invalid("Send the fields as application/x-www-form-urlencoded."));
        }
        String::from_utf8_lossy(body).into_owned()
    } else if parts.method == Method::DELETE {
        // Stripe accepts the fields of a DELETE in the query and in the body.
        let query = parts.uri.query().unwrap_or_default();
        format!("{query}&{}", String::from_utf8_lossy(body))
    } else {
        parts.uri.query().unwrap_or_default().to_owned()
    };
    let fault = sandbox.0.faults.strike(operation.name);
    match fault {
        Some(Struck { when: When::Hold, .. }) => sandbox.0.faults.hold().await,
        Some(Struck { when: When::Before, status, .. }) => {
            return Err(Rejection::api("A fault that was planned.").with_status(status));
        }
        _ => {}
    }
    let mut parameters = Parameters::parse(&fields);
    let expand = parameters.list("expand")?;
    let id = id_in(operation.parts().1, parts.uri.path());
    let call = Call { id, parameters, by_browser };

    let key = text("idempotency-key").filter(|_| parts.method == Method::POST).map(str::to_owned);
    let fingerprint = idempotency::fingerprint(&format!("{} {}", parts.method, parts.uri.path()), &fields);
    let is_read = parts.method == Method::GET;
    let done = sandbox.change_if(|state| {
        let was_due = billing::catch_up(state);
        let known = key.as_ref().map_or(Ok(None), |key| idempotency::replay(state, key, &fingerprint));
        match known {
            Err(rejection) => (Err(rejection), was_due),
            Ok(Some((status, body))) => (Ok((status, body, true)), was_due),
            Ok(None) => {
                let (status, body) = work(state, operation, &mut call.clone(), &expand);
                // Fields that hold a card's number leave no trace, not even a digest.
                if let Some(key) = key.as_ref().filter(|_| operation.name != "POST /v1/payment_methods") {
                    idempotency::keep(state, key.clone(), fingerprint.clone(), status, &body);
                }
                (Ok((status, body, false)), was_due || !is_read)
            }
        }
    });
    let (status, body, replayed) = done.await??;
    match fault {
        Some(Struck { when: When::After, status, .. }) => {
            return Err(Rejection::api("A fault that was planned.").with_status(status));
        }
        Some(Struck { when: When::HoldAfter, .. }) => sandbox.0.faults.hold().await,
        Some(Struck { when: When::Delay, delay, .. }) => tokio::time::sleep(delay).await,
        _ => {}
    }
    let mut response = respond(status, &body);
    if replayed {
        response.headers_mut().insert("idempotent-replayed", HeaderValue::from_static("true"));
    }
    Ok(response)
}

/// Runs the operation. Unknown fields are rejected at the end, because a list takes its own fields last.
fn work(state: &mut State, operation: Operation, call: &mut Call, expand: &[String]) -> (u16, Value) {
    let done = (operation.work)(state, call).and_then(|mut body| {
        std::mem::take(&mut call.parameters).done("")?;
        list::expand(state, &mut body, expand)?;
        Ok(body)
    });
    match done {
        Ok(body) => (200, body),
        Err(rejection) => (rejection.status(), rejection.body()),
    }
}

/// Returns the path segment in the place of the operation's first parameter.
fn id_in(pattern: &str, path: &str) -> String {
    let named = pattern.split('/').position(|segment| segment.starts_with('{'));
    named.and_then(|at| path.split('/').nth(at)).unwrap_or_default().to_owned()
}

/// Returns an answer with Stripe's headers.
pub(super) fn respond(status: u16, body: &Value) -> Response {
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let headers = [
        (header::CONTENT_TYPE.as_str(), "application/json".to_owned()),
        ("request-id", state::id("req")),
        ("stripe-version", API_VERSION.to_owned()),
        (header::CACHE_CONTROL.as_str(), "no-store".to_owned()),
    ];
    (status, headers, body.to_string()).into_response()
}
