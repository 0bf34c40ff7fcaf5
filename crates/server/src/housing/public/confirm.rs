//! The code makes a reservation of a request: one unit of capacity, held for the site's screening period (DESIGN 3).
//!
//! Whoever confirms has the phone, or the words of whoever has it. So even here the answer is the same for a full house
//! and for two active reservations; which of them it is goes to the phone.

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
use super::reserve::{OPEN_SITE, open_site};
use super::texts::{self, NotMade};
use super::{limit_calls, lookup};
use crate::admin::audit_log::Author;
use crate::auth::caller::Site;
use crate::auth::tokens;
use crate::housing::guests::{self, Failure, PersonKey, Reservation};
use crate::housing::sites;
use crate::http::body::{Body, Path};
use crate::http::idempotency::{self, Claim, Claimed};
use crate::http::requester::Requester;
use crate::{App, Error, Result};

/// Makes the reservation with the code from the phone. A bed is held as long as the site's screening period; its staff
/// decide until then. 409 `not-available`: no bed is free any more, or two reservations of this phone are active; a text
/// message says which. 422 at `/otp`: the code is wrong or too old, or was tried five times.
#[utoipa::path(post, path = "/api/public/reservations/{id}/confirm", tag = "Public", request_body = Confirmation,
    params(("id" = Uuid, Path, description = "from the answer to the request"),
        ("Idempotency-Key" = Option<String>, Header, description = "the same request again has one effect")),
    responses((status = 201, description = "held", body = ReservationView)))]
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

/// A reservation, to the person who made it.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Reservation)]
pub struct ReservationView {
    /// Short code that the person reads out over the phone.
    code: String,
    /// Where.
    site_name: String,
    /// When it was made.
    created_at: Timestamp,
    /// Until when it is held.
    expires_at: Timestamp,
    /// Until when pictures of the insurance card are taken.
    cards_until: Timestamp,
}

/// For how many minutes a confirmed reservation takes pictures of the insurance card.
const CARD_MINUTES: i64 = 30;

/// One sentence for both refusals.
const REFUSED: &str = "This reservation cannot be made: either this site has no free beds left, or this phone already has two active \
    reservations. We sent you a text message with the reason. Please choose another site or call this one.";

/// A request that a try was made at.
#[derive(berth_db::FromRow)]
struct Request {
    site_id: SiteId,
    form: String,
    code_hash: String,
    language: Locale,
    network: String,
}

/// One call; kept, since a busy attempt is made again.
pub(super) struct ConfirmReservation {
    app: App,
    requester: Requester,
    headers: HeaderMap,
    id: Uuid,
    hash: String,
    otp: String,
}

/// The request, read.
struct Confirmed {
    request: Request,
    guest: NewGuest,
    persons: PersonKey,
}

impl ConfirmReservation {
    pub(super) fn new(
        app: App,
        requester: Requester,
        headers: HeaderMap,
        id: Uuid,
        Confirmation { otp }: Confirmation,
    ) -> Self {
        let otp = otp.chars().filter(char::is_ascii_digit).collect();
        Self { app, requester, headers, id, hash: tokens::hash(&id.to_string()), otp }
    }

    /// Checks the code, then makes the reservation.
    pub(super) async fn run(self) -> Result<Response> {
        let app = &self.app;
        let Some(request) = self.count_try().await? else { return self.replay().await };
        let form: NewGuestForm = serde_json::from_str(&request.form).map_err(|error| Error::Internal(error.into()))?;
        let site = open_site(&app.db, request.site_id).await?;
        let phone = form.phone.as_deref().unwrap_or_default();
        if !tokens::same(&request.code_hash, &tokens::code_hash(&self.id.to_string(), phone, &self.otp)) {
            return Err(wrong_code());
        }
        // Once more: the site may serve others by now.
        let guest = form.parse(&sites::offer(&app.db, &site).await?, Source::Web)?;
        let confirmed = Confirmed { request, guest, persons: app.persons.key(app).await? };
        match guests::on_record(app, || self.attempt(&confirmed)).await {
            Ok(response) => Ok(response),
            Err(Failure::Refused(refusal)) => {
                self.tell(&confirmed, refusal).await?;
                Err(Error::conflict_code("not-available", REFUSED))
            }
            Err(Failure::Other(error)) => Err(error),
            Err(Failure::Overdue) => Err(Error::Busy),
            Err(Failure::Stale) => Err(Error::conflict_code("not-available", REFUSED)),
        }
    }

    /// Counts a try and reads the request; none where there is nothing to confirm. Commits on its own, so that parallel
    /// tries cannot share one.
    async fn count_try(&self) -> Result<Option<Request>> {
        const TRY: &str = "UPDATE reservation_requests SET tries = tries + 1 WHERE hash = $1 AND confirmed_at IS NULL \
            AND expires_at > $2 AND tries < $3 RETURNING site_id, form, code_hash, language, network";
        let mut tx = self.app.db.begin().await?;
        let request = tx.query(TRY).bind(&self.hash).bind(self.app.now()).bind(MAX_TRIES).optional().await?;
        tx.commit().await?;
        Ok(request)
    }

    /// Answers a repeated call as the first one was answered.
    async fn replay(&self) -> Result<Response> {
        let mut tx = self.app.db.begin().await?;
        match self.claim(&mut tx).await? {
            Claimed::Replay(replay) => replay.of_nobody(),
            Claimed::Go(_) => Err(wrong_code()),
        }
    }

    async fn claim(&self, tx: &mut berth_db::Tx) -> Result<Claimed> {
        let owner = format!("requester:{}", self.requester.address);
        let asked = ("POST confirmation", self.id, &self.otp);
        idempotency::claim_for(&self.app, tx, &self.headers, owner, &asked).await
    }

    async fn attempt(&self, confirmed: &Confirmed) -> Result<Response, Failure> {
        const CONFIRM: &str = "UPDATE reservation_requests SET confirmed_at = $2, expires_at = $3, form = '' \
            WHERE hash = $1 AND confirmed_at IS NULL";
        const GUEST: &str = "UPDATE reservation_requests SET guest_id = $2 WHERE hash = $1";
        let Self { app, requester, hash, .. } = self;
        let Confirmed { request, guest, persons } = confirmed;
        let now = app.now();
        let cards_until = now.plus_minutes(CARD_MINUTES);
        let mut tx = app.db.begin().await?;
        let claim = match self.claim(&mut tx).await? {
            Claimed::Go(claim) => claim,
            Claimed::Replay(replay) => return Ok(replay.of_nobody()?),
        };
        if tx.query(CONFIRM).bind(hash).bind(now).bind(cards_until).execute().await? == 0 {
            return Err(wrong_code().into());
        }
        let version = sites::touch(&mut tx, request.site_id).await?;
        // Under the lock: it may have been hidden, or its hold changed.
        let site: Site = tx.query(OPEN_SITE).bind(request.site_id).one().await.map_err(Error::from)?;
        let hold = Hold::hours(site.hold_hours).map_err(|_| Error::internal("the site's hold is out of range"))?;
        let expires_at = hold.expires_at(now);
        let reservation = Reservation {
            site: &site,
            guest,
            caller: None,
            by: &Author::stranger(requester),
            persons: *persons,
            expires_at: Some(expires_at),
            language: request.language,
            overrides: Overrides::default(),
            now,
        };
        let stored = reservation.store(app, &mut tx).await?;
        tx.query(GUEST).bind(hash).bind(stored.id).execute().await?;
        lookup::remember(&mut tx, stored.id, &requester.network(), now).await?;
        limits::remove_waiting(&mut tx, &request.network).await?;
        guests::queue_notice(&mut tx, &site, stored.id, Notice::Arrived, now).await?;
        let site_name = site.name.clone();
        let answer = ReservationView { code: stored.code, site_name, created_at: now, expires_at, cards_until };
        let response = Claim::answer_body(claim, &mut tx, StatusCode::CREATED, &answer).await?;
        app.live.commit(tx, &site, version).await?;
        Ok(response)
    }

    /// Tells the phone why there is no reservation: once, however often the code is tried.
    async fn tell(&self, confirmed: &Confirmed, refusal: Refusal) -> Result<()> {
        const FIRST: &str = "UPDATE reservation_requests SET refused_at = $2 WHERE hash = $1 AND refused_at IS NULL";
        let Confirmed { request, guest, persons } = confirmed;
        let why = if refusal == Refusal::NoVacantBeds { NotMade::Full } else { NotMade::TwoActive };
        let mut tx = self.app.db.begin().await?;
        if tx.query(FIRST).bind(&self.hash).bind(self.app.now()).execute().await? == 1 {
            let person = persons.phone(guest.phone.as_str());
            texts::tell_not_made(&self.app, &mut tx, request.language, (&guest.phone, &person), why).await?;
        }
        Ok(tx.commit().await?)
    }
}

/// Wrong code, code too old, tried too often, no such request: all the same.
fn wrong_code() -> Error {
    Error::field("/otp", "Invalid confirmation code.")
}

/// The guest of a confirmed reservation, and the site, as long as it takes pictures of the card.
///
/// # Errors
/// 404.
pub(super) async fn open_for_cards(app: &App, id: Uuid) -> Result<(SiteId, GuestId)> {
    const OPEN: &str = "SELECT site_id, guest_id FROM reservation_requests WHERE hash = $1 AND guest_id IS NOT NULL \
        AND expires_at > $2";
    Ok(app.db.query(OPEN).bind(tokens::hash(&id.to_string())).bind(app.now()).one().await?)
}
