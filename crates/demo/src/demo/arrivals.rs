//! Sends reservations from the public side while the demo runs, through the same API calls as the public pages.

use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Request, header};
use berth_domain::catalog::Gender;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;

use crate::dice::Dice;
use crate::words::{CALIFORNIAN_TOWNS, INITIALS, TOWNS, first_name};
use berth_server::App;
use berth_server::integrations::outbox;

/// Beds that stay free at each site, so that a demo left alone does not fill up.
const LEAVE_FREE: i64 = 3;
/// Shortest and longest time between two reservations, in seconds.
const PAUSE: (u64, u64) = (150, 330);
/// Area codes of the phones; the guests of the filled demo have others. A phone that is drawn too often gets no more codes.
const AREAS: [u32; 4] = [909, 840, 442, 820];
/// Maximum size of an API answer, in bytes.
const MAX_ANSWER_BYTES: usize = 4 * 1024 * 1024;

/// Sends a reservation every few minutes to a site with room, until `stop`. Sends none if the setting `demo_quiet` is on.
pub async fn send_reservations(app: App, router: Router, stop: CancellationToken) {
    if app.settings.demo_quiet {
        return;
    }
    loop {
        let pause = Duration::from_secs(PAUSE.0 + dice(&app).number() % (PAUSE.1 - PAUSE.0));
        tokio::select! {
            () = stop.cancelled() => return,
            () = tokio::time::sleep(pause) => {}
        }
        if let Err(error) = send_reservation(&app, &router).await {
            tracing::warn!(error = format!("{error:#}"), "no demo reservation could be sent");
        }
    }
}

/// Random numbers that do not repeat.
fn dice(app: &App) -> Dice {
    Dice::new(u64::from_le_bytes(app.random()), 0)
}

/// Sends one reservation to a site with room, confirms it with the code from the demo's own outbox, and returns its code;
/// none if every site is about full.
///
/// # Errors
/// What our own API rejected, as a sentence.
pub async fn send_reservation(app: &App, router: &Router) -> anyhow::Result<Option<String>> {
    let sites = call(router, Request::get("/api/public/sites?pageSize=100").body(Body::empty())?).await?;
    let room = |site: &&Value| site["availableBeds"].as_i64().is_some_and(|beds| beds > LEAVE_FREE);
    let open: Vec<&Value> = sites["items"].as_array().into_iter().flatten().filter(room).collect();
    let mut dice = dice(app);
    let Some(site) = dice.pick_any(&open) else { return Ok(None) };
    let form = reservation(site, &mut dice);
    let request = post(router, "/api/public/reservations", &form).await?;
    let otp = code_sent_to(app, form["phone"].as_str().unwrap_or_default()).await?;
    let confirm = format!("/api/public/reservations/{}/confirm", request["id"].as_str().unwrap_or_default());
    let reservation = post(router, &confirm, &json!({"otp": otp})).await?;
    tracing::info!(code = reservation["code"].as_str(), site = site["name"].as_str(), "a demo reservation arrived");
    Ok(reservation["code"].as_str().map(str::to_owned))
}

/// Number of newest messages that are searched for a code that was just sent.
const NEWEST: i64 = 20;

/// Returns the newest code in the outbox for a phone. The demo keeps its messages.
async fn code_sent_to(app: &App, phone: &str) -> anyhow::Result<String> {
    let messages = outbox::newest(app, NEWEST).await?;
    let texts = messages.iter().filter(|message| message.channel == "sms" && message.to == phone);
    let mut codes = texts.map(|message| message.body.chars().take_while(char::is_ascii_digit).collect::<String>());
    codes.find(|code| !code.is_empty()).ok_or_else(|| anyhow::anyhow!("no code was sent to a demo phone"))
}

/// Makes the body that the reservation form of the site would send.
fn reservation(site: &Value, dice: &mut Dice) -> Value {
    let of = |category: &str| -> Vec<&str> {
        let services = site["services"].as_array().into_iter().flatten();
        services
            .filter(|service| service["category"] == category)
            .filter_map(|service| service["id"].as_str())
            .collect()
    };
    let genders = of("Gender");
    let genders: Vec<Gender> =
        Gender::ALL.iter().copied().filter(|gender| genders.contains(&gender.service_id())).collect();
    let gender = dice.pick_any(&genders).copied().unwrap_or(Gender::Male);
    let first_name = first_name(gender, dice);
    let initial = *dice.pick(&INITIALS);
    let (area, line) = (*dice.pick(&AREAS), dice.between(100, 199));
    let commercial = site["isCommercial"] == true;
    json!({
        "siteId": site["id"],
        "gender": gender.number(),
        "ageServiceId": dice.pick_any(&of("Age")).copied().unwrap_or("age-over-27"),
        "firstName": first_name,
        "lastName": initial,
        "phone": format!("+1{area}5550{line}"),
        "email": format!("{first_name}.{initial}{area}{line}@mail.example").to_lowercase(),
        "location": dice.pick(&TOWNS[..CALIFORNIAN_TOWNS]).with_state(),
        "serviceIds": [dice.pick_any(&of("General")).copied().unwrap_or("drug-treatment")],
        "typeOfClientServiceId": dice.pick_any(&of("Client")).filter(|_| commercial),
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
    let bytes = to_bytes(response.into_body(), MAX_ANSWER_BYTES).await?;
    anyhow::ensure!(status.is_success(), "{status}: {}", String::from_utf8_lossy(&bytes));
    Ok(serde_json::from_slice(&bytes)?)
}
