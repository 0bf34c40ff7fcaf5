//! Receives Stripe's webhooks. The signature is their only authentication. The event is stored, and the job reads its
//! object from Stripe.

use axum::Json;
use axum::extract::{Request, State};
use berth_stripe::webhook::{SIGNATURE_HEADER, verify};
use serde::Serialize;
use utoipa::ToSchema;

use super::events;
use crate::http::body;
use crate::{App, Error, Result};

/// Maximum size of an event, in bytes.
pub const MAX_EVENT_BYTES: usize = 512 * 1024;

/// The response to a stored event.
#[derive(Debug, Serialize, ToSchema)]
pub struct Received {
    /// Always true.
    received: bool,
}

/// Receives an event of the card provider. 400 if the signature is wrong or too old.
#[utoipa::path(post, path = "/api/Stripe/webhook", tag = "Subscriptions",
    params(("Stripe-Signature" = Option<String>, Header, description = "time and signatures: t=…,v1=…")),
    request_body(content = String, content_type = "application/json", description = "the event"),
    responses((status = 200, description = "stored, now or before", body = Received)))]
pub async fn webhook(State(app): State<App>, request: Request) -> Result<Json<Received>> {
    let header = request.headers().get(SIGNATURE_HEADER).and_then(|value| value.to_str().ok());
    let header = header.unwrap_or_default().to_owned();
    let body = body::raw(request, &()).await?;
    let secrets = app.payments.webhook_secrets();
    let event = verify(&secrets, &header, &body, app.now().millis().div_euclid(1000)).map_err(|why| {
        if let Some(count) = app.rejected_events.count(app.now()) {
            tracing::warn!(why = %why, count, "rejected an event of the card provider");
        }
        Error::Unreadable("The signature of this event is not valid.".to_owned())
    })?;
    events::store(&app, &[event]).await?;
    Ok(Json(Received { received: true }))
}
