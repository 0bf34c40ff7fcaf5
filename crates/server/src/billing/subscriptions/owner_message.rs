//! Emails the owners on behalf of a user who wants to accept a reservation but cannot pay: it asks them to start the
//! subscription (spec B 4; docs/decisions/0046).

use axum::Json;
use axum::extract::State;
use berth_domain::guest::{GuestFacts, GuestStatus, Source};
use berth_domain::id::GuestId;
use berth_domain::locale::Locale;
use berth_domain::policy::Action;
use berth_domain::time::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::owners::{self, Letter, in_letter, person_in_letter};
use super::{rows, sync};
use crate::admin::audit_log::{AuditAction, Author, Entry, ObjectKind};
use crate::auth::caller::{Caller, Site};
use crate::auth::throttle;
use crate::housing::{guests, sites};
use crate::http::body::{Body, Query};
use crate::{App, Error, Result, change};

/// Minutes after a message before another one about the same reservation is sent.
const REPEAT_MINUTES: i64 = 15;

const NOT_WAITING: &str = "This reservation is not waiting for a subscription. Reload the page.";
const NO_OWNER: &str = "This organization has no other owner to notify. Call support.";

/// The reservation that waits for a subscription.
#[derive(Debug, Deserialize, IntoParams, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct WaitingReservation {
    /// The pending reservation that cannot be accepted without a subscription.
    guest_id: GuestId,
}

/// The owners who can start the subscription for a reservation, and when they were last asked.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OwnerMessage {
    /// First and last names of the owners; those without a name are left out.
    owners: Vec<String>,
    /// When anybody last asked them about this reservation; null if nobody has.
    sent_at: Option<Timestamp>,
}

/// Shows the owners who can be asked to start the subscription that a reservation waits for, and when they were last
/// asked.
#[utoipa::path(get, path = "/api/Subscriptions/owner-message", tag = "Subscriptions", params(WaitingReservation),
    responses((status = 200, body = OwnerMessage)))]
pub async fn show_owner_message(
    State(app): State<App>,
    caller: Caller,
    Query(WaitingReservation { guest_id }): Query<WaitingReservation>,
) -> Result<Json<OwnerMessage>> {
    let site = caller.guest(guest_id, Action::PlaceGuest).await?;
    let mut tx = app.db.read().await?;
    let owners = owners::list(&mut tx, site.organization_id, Some(caller.actor.user_id)).await?;
    let sent_at = last_sent(&mut tx, guest_id).await?;
    Ok(Json(message(&owners, sent_at)))
}

/// Asks the owners by email to start the subscription that a reservation waits for. The email contains the name of the
/// site, the name of the sender and the code of the reservation, but no guest's name. If a message about the same
/// reservation was sent less than 15 minutes ago, no other one is sent, and the answer contains the time of the first
/// one. 409 if the reservation does not wait for a subscription.
#[utoipa::path(post, path = "/api/Subscriptions/owner-message", tag = "Subscriptions", request_body = WaitingReservation,
    responses((status = 200, body = OwnerMessage)))]
pub async fn send_owner_message(
    State(app): State<App>,
    caller: Caller,
    Body(WaitingReservation { guest_id }): Body<WaitingReservation>,
) -> Result<Json<OwnerMessage>> {
    let site = caller.guest(guest_id, Action::PlaceGuest).await?;
    let key = format!("owner-message:user:{}", caller.actor.user_id);
    throttle::attempt(&app, &key, throttle::OWNER_MESSAGE_USER, app.now()).await?;
    sync::refresh_if_stale(&app, site.id).await?;
    Ok(Json(send(&app, &caller, &site, guest_id).await?))
}

/// Sends the message under the lock of the site, so that two requests at the same time send one message.
async fn send(app: &App, caller: &Caller, site: &Site, guest_id: GuestId) -> Result<OwnerMessage> {
    let user_id = caller.actor.user_id;
    change::run(app, Author::caller(caller, Some(site)), |mut change| async move {
        rows::lock_site(&mut change, site.id).await?;
        let (now, tx) = (change.now, &mut change.tx);
        let (code, guest) = guests::facts(tx, guest_id).await?;
        if !waits(tx, site, &guest, now).await? {
            return Err(Error::conflict(NOT_WAITING));
        }
        let owners = owners::list(tx, site.organization_id, Some(user_id)).await?;
        if owners.is_empty() {
            return Err(Error::conflict(NO_OWNER));
        }
        let sent_at = last_sent(tx, guest_id).await?;
        if sent_at.is_some_and(|at| at > now.plus_minutes(-REPEAT_MINUTES)) {
            return change::unchanged(message(&owners, sent_at));
        }
        let names = guests::names(&mut *tx, vec![user_id]).await?;
        let sender = names.get(&user_id).map(|name| person_in_letter(name)).filter(|name| !name.is_empty());
        let link = owners::link(app, &format!("/reservations-request/{guest_id}"));
        let letter = |language| letter(language, sender.as_deref(), &in_letter(&site.name), &code, &link);
        owners::send(&mut change, &owners, letter).await?;
        let object = (ObjectKind::Guest, guest_id.0);
        change.record(Entry::at(site, AuditAction::SubscriptionAskedFor, object, code.as_str())).await?;
        change.done(message(&owners, Some(now)))
    })
    .await
}

fn message(owners: &[owners::Owner], sent_at: Option<Timestamp>) -> OwnerMessage {
    OwnerMessage { owners: owners.iter().filter_map(owners::Owner::name).collect(), sent_at }
}

/// Returns true if nothing but a subscription is missing to accept the reservation.
async fn waits(tx: &mut berth_db::Tx, site: &Site, guest: &GuestFacts, now: Timestamp) -> Result<bool> {
    let is_reserved = guest.source == Source::Web && guest.status(now) == GuestStatus::Pending;
    Ok(is_reserved && site.is_commercial && !sites::subscription(&mut *tx, site.id, now).await?.is_active)
}

/// Returns when the owners were last asked about a reservation.
async fn last_sent(tx: &mut berth_db::Tx, guest_id: GuestId) -> Result<Option<Timestamp>> {
    const LAST: &str = "SELECT at FROM audit WHERE object_id = $1 AND object_type = 'guest' \
        AND action = 'subscription.asked-for' ORDER BY at DESC, id DESC LIMIT 1";
    let last: Option<(Timestamp,)> = tx.query(LAST).bind(guest_id).optional().await?;
    Ok(last.map(|(at,)| at))
}

fn letter(language: Locale, sender: Option<&str>, site: &str, code: &str, link: &str) -> Letter {
    let sender = sender.unwrap_or_else(|| language.pick("A colleague", "Una persona del equipo"));
    match language {
        Locale::English => Letter {
            subject: format!("Reservation {code} at {site} needs a subscription"),
            body: format!(
                "{sender} wants to accept reservation {code} at {site}. That needs an active subscription, and {site} has \
                 none.\n\nOpen the reservation and start the subscription:\n{link}\n\n\
                 For privacy, this message names no guest. You get it because you are an owner of the organization.\n"
            ),
        },
        Locale::Spanish => Letter {
            subject: format!("La reserva {code} de {site} necesita una suscripción"),
            body: format!(
                "{sender} quiere aceptar la reserva {code} de {site}. Para eso hace falta una suscripción activa, y {site} no \
                 tiene ninguna.\n\nAbrir la reserva e iniciar la suscripción:\n{link}\n\n\
                 Por privacidad, este mensaje no nombra a ningún huésped. Lo recibe porque es propietario de la organización.\n"
            ),
        },
    }
}
