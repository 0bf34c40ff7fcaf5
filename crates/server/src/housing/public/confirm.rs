//! `POST /api/public/reservations/{id}/confirm`: the code from the phone turns a request into a reservation, which is
//! held for the site's screening period (DESIGN 3).
//!
//! The caller may have got the code from the owner of the phone. So the answer is the same for a full site and for two
//! active reservations; the reason is sent to the phone.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use berth_domain::guest::Source;
use berth_domain::id::{GuestId, SiteId};
use berth_domain::locale::Locale;
use berth_domain::message::Notice;
use berth_domain::new_guest::{NewGuest, NewGuestForm};
use berth_domain::stay::{Overrides, Refusal};
use berth_domain::time::{Hold, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::limits::{self, MAX_TRIES};
use super::reserve::{open_site, touch_open_site};
use super::texts::{self, FailureReason};
use super::{limit_calls, lookup};
use crate::admin::audit_log::Author;
use crate::auth::tokens;
use crate::change::{self, Answer, Change};
use crate::housing::guests::{self, Failure, PersonKey, Reservation};
use crate::housing::sites;
use crate::http::body::{Body, Path};
use crate::http::requester::Requester;
use crate::{App, Error, Result};

/// Makes the reservation with the code from the phone. A bed is held for the site's screening period, in which its
/// staff decide. 409 `not-available`: no bed is free any more, or this phone has two active reservations; a text
/// message has the reason. 422 at `/otp`: the code is wrong or too old, or was tried five times.
#[utoipa::path(post, path = "/api/public/reservations/{id}/confirm", tag = "Public", request_body = Confirmation,
    params(("id" = Uuid, Path, description = "from the answer to the request"),
        ("Idempotency-Key" = Option<String>, Header, description = "a repeated request has one effect")),
    responses((status = 201, description = "the reservation", body = ReservationView)))]
pub async fn confirm(
    State(app): State<App>,
    requester: Requester,
    Path(id): Path<Uuid>,
    headers: HeaderMap,
    Body(confirmation): Body<Confirmation>,
) -> Result<Response> {
    limit_calls(&app, &requester)?;
    ConfirmReservation::new(app, requester, headers, id, confirmation).run().await
}

/// The code that was sent to the phone.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Confirmation {
    /// Six digits.
    #[serde(default)]
    otp: String,
}

/// A reservation, as shown to the person who made it.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Reservation)]
pub struct ReservationView {
    /// Short code that the person reads out over the phone.
    code: String,
    /// The name of the site.
    site_name: String,
    /// When it was made.
    created_at: Timestamp,
    /// The end of the hold.
    expires_at: Timestamp,
    /// Until when pictures of the insurance card can be added.
    cards_until: Timestamp,
}

/// Minutes after the confirmation in which pictures of the insurance card can be added.
const CARD_MINUTES: i64 = 30;

/// Message of a 409 `not-available`. It is the same whether the site is full or the person has two active reservations.
const NOT_AVAILABLE: &str = "This reservation cannot be made: either this site has no free beds left, or this phone already has two active \
    reservations. We sent you a text message with the reason. Please choose another site or call this one.";

/// A request for which a try was counted.
#[derive(berth_db::FromRow)]
struct Request {
    site_id: SiteId,
    form: String,
    code_hash: String,
    language: Locale,
    network: String,
}

/// Confirms a requested reservation with the code from the phone.
struct ConfirmReservation {
    app: App,
    requester: Requester,
    headers: HeaderMap,
    id: Uuid,
    hash: String,
    otp: String,
}

/// A request with the right code, and its form parsed again.
struct Confirmed {
    request: Request,
    guest: NewGuest,
    persons: PersonKey,
}

impl ConfirmReservation {
    fn new(app: App, requester: Requester, headers: HeaderMap, id: Uuid, Confirmation { otp }: Confirmation) -> Self {
        let otp = otp.chars().filter(char::is_ascii_digit).collect();
        Self { app, requester, headers, id, hash: tokens::hash(&id.to_string()), otp }
    }

    /// Checks the code, then makes the reservation.
    async fn run(self) -> Result<Response> {
        let app = &self.app;
        let Some(request) = self.count_try().await? else { return self.replay().await };
        let form: NewGuestForm = serde_json::from_str(&request.form).map_err(|error| Error::Internal(error.into()))?;
        let site = open_site(&app.db, request.site_id).await?;
        let phone = form.phone.as_deref().unwrap_or_default();
        if !tokens::same(&request.code_hash, &tokens::code_hash(&self.id.to_string(), phone, &self.otp)) {
            return Err(wrong_code());
        }
        // Parsed again: the site's offer may have changed since the request.
        let guest = form.parse(&sites::offer(&app.db, &site).await?, Source::Web)?;
        let confirmed = Confirmed { request, guest, persons: app.persons.key(app).await? };
        match guests::retry_overdue(app, || self.attempt(&confirmed)).await {
            Ok(response) => Ok(response),
            Err(Failure::Refused(refusal)) => {
                self.send_reason(&confirmed, refusal).await?;
                Err(Error::conflict_code("not-available", NOT_AVAILABLE))
            }
            Err(Failure::Other(error)) => Err(error),
            Err(Failure::Overdue) => Err(Error::Busy),
            Err(Failure::Stale) => Err(Error::conflict_code("not-available", NOT_AVAILABLE)),
        }
    }

    /// Counts a try and loads the request; none if there is nothing to confirm. Commits on its own, so that parallel
    /// tries are counted separately.
    async fn count_try(&self) -> Result<Option<Request>> {
        const TRY: &str = "UPDATE reservation_requests SET tries = tries + 1 WHERE hash = $1 AND confirmed_at IS NULL \
            AND expires_at > $2 AND tries < $3 RETURNING site_id, form, code_hash, language, network";
        let hash = self.hash.as_str();
        change::run(&self.app, self.author(), |mut change| async move {
            let request = change.tx.query(TRY).bind(hash).bind(change.now).bind(MAX_TRIES).optional().await?;
            change.done(request)
        })
        .await
    }

    /// Repeats the answer if this is a repeated call.
    ///
    /// # Errors
    /// 422 if it is a new call.
    async fn replay(&self) -> Result<Response> {
        let (owner, asked) = (self.key_owner(), self.fingerprint());
        change::once_owned(&self.app, self.author(), &owner, &self.headers, &asked, |change| async move {
            drop(change);
            Err(wrong_code())
        })
        .await
    }

    fn author(&self) -> Author {
        Author::stranger(&self.requester)
    }

    /// The owner of the call's idempotency key: the request, whose id nobody can guess. A phone whose answer was lost repeats the
    /// call from another network.
    fn key_owner(&self) -> String {
        format!("request:{}", self.hash)
    }

    /// Identifies the call, to recognize when it is repeated.
    fn fingerprint(&self) -> (&'static str, Uuid, &str) {
        ("POST confirmation", self.id, &self.otp)
    }

    async fn attempt(&self, confirmed: &Confirmed) -> Result<Response, Failure> {
        let (owner, asked) = (self.key_owner(), self.fingerprint());
        change::once_owned(&self.app, self.author(), &owner, &self.headers, &asked, |mut change| async move {
            let answer = self.reserve(&mut change, confirmed).await?;
            change.done(Answer::new(StatusCode::CREATED, &answer)?)
        })
        .await
    }

    async fn reserve(&self, change: &mut Change, confirmed: &Confirmed) -> Result<ReservationView, Failure> {
        const CONFIRM: &str = "UPDATE reservation_requests SET confirmed_at = $2, expires_at = $3, form = '' \
            WHERE hash = $1 AND confirmed_at IS NULL";
        const GUEST: &str = "UPDATE reservation_requests SET guest_id = $2 WHERE hash = $1";
        let Confirmed { request, guest, persons } = confirmed;
        let now = change.now;
        let cards_until = now.plus_minutes(CARD_MINUTES);
        let confirm = change.tx.query(CONFIRM).bind(&self.hash).bind(now).bind(cards_until);
        if confirm.execute().await? == 0 {
            return Err(wrong_code().into());
        }
        let site = touch_open_site(change, request.site_id).await?;
        let hold = Hold::hours(site.hold_hours).map_err(|_| Error::internal("the site's hold is out of range"))?;
        let expires_at = hold.expires_at(now);
        let reservation = Reservation {
            site: &site,
            guest,
            caller: None,
            by: &change.by,
            persons: *persons,
            expires_at: Some(expires_at),
            language: request.language,
            overrides: Overrides::default(),
            waiting_code: None,
            now,
        };
        let stored = reservation.store(&change.app, &mut change.tx).await?;
        change.tx.query(GUEST).bind(&self.hash).bind(stored.id).execute().await?;
        lookup::remember(&mut change.tx, stored.id, &self.requester.network(), now).await?;
        limits::remove_waiting(&mut change.tx, &request.network).await?;
        guests::queue_notice(&mut change.tx, &site, stored.id, Notice::Arrived, now).await?;
        Ok(ReservationView { code: stored.code, site_name: site.name, created_at: now, expires_at, cards_until })
    }

    /// Sends the phone the reason why there is no reservation: once, however often the code is tried.
    async fn send_reason(&self, confirmed: &Confirmed, refusal: Refusal) -> Result<()> {
        const FIRST: &str = "UPDATE reservation_requests SET refused_at = $2 WHERE hash = $1 AND refused_at IS NULL";
        let Confirmed { request, guest, persons } = confirmed;
        let is_full = refusal == Refusal::NoVacantBeds;
        let reason = if is_full { FailureReason::Full } else { FailureReason::TwoActive };
        let person = persons.phone(guest.phone.as_str());
        let (hash, person) = (self.hash.as_str(), person.as_str());
        change::run(&self.app, self.author(), |mut change| async move {
            if change.tx.query(FIRST).bind(hash).bind(change.now).execute().await? == 1 {
                texts::send_failure(&mut change, request.language, (&guest.phone, person), reason).await?;
            }
            change.done(())
        })
        .await
    }
}

/// Returns the error for a code that is wrong, too old or tried too often, and for an unknown request.
fn wrong_code() -> Error {
    Error::field("/otp", "Invalid confirmation code.")
}

/// Loads the site and the guest of a confirmed reservation to which pictures of the card can still be added.
///
/// # Errors
/// 404 if there is none.
pub(super) async fn open_for_cards(app: &App, id: Uuid) -> Result<(SiteId, GuestId)> {
    const OPEN: &str = "SELECT site_id, guest_id FROM reservation_requests WHERE hash = $1 AND guest_id IS NOT NULL \
        AND expires_at > $2";
    Ok(app.db.query(OPEN).bind(tokens::hash(&id.to_string())).bind(app.now()).one().await?)
}
