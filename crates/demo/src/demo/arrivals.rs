//! Reservations that arrive from the public side while the demo runs, through the very call that the public uses.

use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Request, header};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;

use super::names::{FIRST, INITIALS, TOWNS};
use crate::App;
use crate::integrations::outbox;

/// Beds that stay free, so that a demo left alone does not fill up.
const LEAVE_FREE: i64 = 3;
/// Shortest and longest time between two reservations, in seconds.
const PAUSE: (u64, u64) = (150, 330);
/// The longest answer that is read.
const MOST: usize = 4 * 1024 * 1024;

/// Sends a reservation every few minutes to a site with room, until told to stop. A quiet demo has none.
pub async fn reservations_arrive(app: App, router: Router, stop: CancellationToken) {
    if app.settings.demo_quiet {
        return;
    }
    loop {
        let pause = Duration::from_secs(PAUSE.0 + draw(&app) % (PAUSE.1 - PAUSE.0));
        tokio::select! {
            () = stop.cancelled() => return,
            () = tokio::time::sleep(pause) => {}
        }
        if let Err(error) = send_reservation(&app, &router).await {
            tracing::warn!(error = format!("{error:#}"), "no demo reservation could be sent");
        }
    }
}

fn draw(app: &App) -> u64 {
    u64::from_le_bytes(app.random())
}

/// One of a list by chance.
fn pick<'a, T>(app: &App, list: &'a [T]) -> Option<&'a T> {
    let length = u64::try_from(list.len()).ok().filter(|length| *length > 0)?;
    list.get(usize::try_from(draw(app) % length).ok()?)
}

/// Sends one reservation to a site with room, confirms it with the code from the demo's own outbox, and returns its code;
/// none when every site is about full.
///
/// # Errors
/// What our own API refused, in words.
pub async fn send_reservation(app: &App, router: &Router) -> anyhow::Result<Option<String>> {
    let sites = call(router, Request::get("/api/public/sites?pageSize=100").body(Body::empty())?).await?;
    let room = |site: &&Value| site["availableBeds"].as_i64().is_some_and(|beds| beds > LEAVE_FREE);
    let open: Vec<&Value> = sites["items"].as_array().into_iter().flatten().filter(room).collect();
    let Some(site) = pick(app, &open) else { return Ok(None) };
    let form = reservation(app, site);
    let request = post(router, "/api/public/reservations", &form).await?;
    let otp = code_sent_to(app, form["phone"].as_str().unwrap_or_default()).await?;
    let confirm = format!("/api/public/reservations/{}/confirm", request["id"].as_str().unwrap_or_default());
    let reservation = post(router, &confirm, &json!({"otp": otp})).await?;
    tracing::info!(code = reservation["code"].as_str(), site = site["name"].as_str(), "a demo reservation arrived");
    Ok(reservation["code"].as_str().map(str::to_owned))
}

/// How many of the newest messages are searched for a code that was just sent.
const NEWEST: i64 = 20;

/// The newest code that the outbox holds for a phone. The demo keeps its messages.
async fn code_sent_to(app: &App, phone: &str) -> anyhow::Result<String> {
    let messages = outbox::newest(app, NEWEST).await?;
    let texts = messages.iter().filter(|message| message.channel == "sms" && message.to == phone);
    let mut codes = texts.map(|message| message.body.chars().take_while(char::is_ascii_digit).collect::<String>());
    codes.find(|code| !code.is_empty()).ok_or_else(|| anyhow::anyhow!("no code was sent to a demo phone"))
}

/// A reservation that the site's form would send.
fn reservation(app: &App, site: &Value) -> Value {
    let of = |category: &str| -> Vec<&str> {
        let services = site["services"].as_array().into_iter().flatten();
        services
            .filter(|service| service["category"] == category)
            .filter_map(|service| service["id"].as_str())
            .collect()
    };
    let genders = of("Gender");
    let names: Vec<_> = FIRST.iter().filter(|(_, gender)| genders.contains(&gender.service_id())).collect();
    let (first_name, gender) = *pick(app, &names).copied().unwrap_or(&FIRST[0]);
    let initial = pick(app, &INITIALS).copied().unwrap_or("A");
    // 909 is not among the area codes of the guests that are there from the start.
    let line = 100 + draw(app) % 100;
    let commercial = site["isCommercial"] == true;
    json!({
        "siteId": site["id"],
        "gender": gender.number(),
        "ageServiceId": pick(app, &of("Age")).copied().unwrap_or("age-over-27"),
        "firstName": first_name,
        "lastName": initial,
        "phone": format!("+19095550{line}"),
        "email": format!("{first_name}.{initial}{line}@mail.example").to_lowercase(),
        "location": pick(app, &TOWNS),
        "serviceIds": [pick(app, &of("General")).copied().unwrap_or("drug-treatment")],
        "typeOfClientServiceId": pick(app, &of("Client")).filter(|_| commercial),
        "paymentMethod": commercial.then_some(1),
    })
}

/// Posts JSON to our own API.
async fn post(router: &Router, path: &str, body: &Value) -> anyhow::Result<Value> {
    let request = Request::post(path).header(header::CONTENT_TYPE, "application/json");
    call(router, request.body(Body::from(body.to_string()))?).await
}

/// Calls our own API and reads its JSON.
async fn call(router: &Router, request: Request<Body>) -> anyhow::Result<Value> {
    let response = router.clone().oneshot(request).await?;
    let status = response.status();
    let bytes = to_bytes(response.into_body(), MOST).await?;
    anyhow::ensure!(status.is_success(), "{status}: {}", String::from_utf8_lossy(&bytes));
    Ok(serde_json::from_slice(&bytes)?)
}
