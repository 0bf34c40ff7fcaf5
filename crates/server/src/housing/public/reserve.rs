//! `POST /api/public/reservations`: requests a reservation. No bed is held until the person confirms the code that is
//! sent to the phone (DESIGN 3, "Public reservations are proven"; docs/decisions/0033).

use std::borrow::Cow;

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use berth_db::Db;
use berth_domain::guest::Source;
use berth_domain::id::SiteId;
use berth_domain::locale::Locale;
use berth_domain::new_guest::{NewGuest, NewGuestForm};
use berth_domain::stay::{Overrides, capacity};
use berth_domain::time::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};
use uuid::Uuid;

use super::limits::{self, CODE_MINUTES};
use super::{limit_calls, texts};
use crate::admin::audit_log::Author;
use crate::auth::caller::{Site, select_site};
use crate::auth::tokens;
use crate::change::{self, Answer, Change};
use crate::housing::{capacity, sites};
use crate::http::body::Body;
use crate::http::requester::Requester;
use crate::{App, Error, Result};

/// Requests a reservation for a person without an account. A code is sent to the phone; no bed is held until it is
/// confirmed. The answer is the same for everyone. 409 `site-full`: no bed is free at this site.
#[utoipa::path(post, path = "/api/public/reservations", tag = "Public", request_body = NewReservation,
    params(("Idempotency-Key" = Option<String>, Header, description = "a repeated request has one effect"),
        ("Accept-Language" = Option<String>, Header, description = "the language of text messages, en or es, unless `language` is sent")),
    responses((status = 202, description = "a code is sent to the phone", body = ReservationRequest)))]
pub async fn reserve(
    State(app): State<App>,
    requester: Requester,
    headers: HeaderMap,
    Body(NewReservation(form)): Body<NewReservation>,
) -> Result<Response> {
    limit_calls(&app, &requester)?;
    RequestReservation::new(app, requester, headers, form).await?.run().await
}

/// A reservation to request: the new guest payload (spec B 3). `source`, `allowThird`, `allowNotServed`,
/// `overCapacityReason` and the card images are ignored.
#[derive(Debug, Deserialize)]
#[serde(transparent)]
pub struct NewReservation(pub NewGuestForm);

impl PartialSchema for NewReservation {
    fn schema() -> RefOr<Schema> {
        NewGuestForm::schema()
    }
}

impl ToSchema for NewReservation {
    fn name() -> Cow<'static, str> {
        "NewReservation".into()
    }
}

/// A reservation that waits for the code. It holds no bed yet.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReservationRequest {
    /// The id for `POST /api/public/reservations/{id}/confirm`. Secret: whoever knows it may try codes.
    id: Uuid,
    /// When the code expires.
    code_expires_at: Timestamp,
}

/// Message of a 409 `site-full`. It reveals nothing: the public list shows the number of free beds, too.
const SITE_FULL: &str = "This site has no free beds left. Please choose another site or call this one.";

/// Requests a reservation for a person without an account.
struct RequestReservation {
    app: App,
    requester: Requester,
    headers: HeaderMap,
    language: Locale,
    site: Site,
    form: NewGuestForm,
    guest: NewGuest,
    /// The phone, hashed for limits.
    person: String,
}

impl RequestReservation {
    /// Loads the site and parses the form.
    async fn new(app: App, requester: Requester, headers: HeaderMap, form: NewGuestForm) -> Result<Self> {
        let site_id = form.site_id.ok_or_else(|| Error::field("/siteId", "Required field."))?;
        let site = open_site(&app.db, site_id).await?;
        let guest = form.parse(&sites::offer(&app.db, &site).await?, Source::Web)?;
        // Drop the fields that are ignored: the rest is stored, and compared with a repeated call.
        let form = guest.to_form(site.id);
        let person = app.persons.key(&app).await?.phone(guest.phone.as_str());
        let accepted = headers.get("accept-language").and_then(|value| value.to_str().ok());
        let language = guest.language.unwrap_or_else(|| Locale::of_header(accepted.unwrap_or_default()));
        Ok(Self { app, requester, headers, language, site, form, guest, person })
    }

    /// Stores the request and sends the code. Nothing here depends on whether the phone is known.
    async fn run(self) -> Result<Response> {
        let command = &self;
        let by = Author::stranger(&self.requester);
        // A guest whose answer was lost may repeat the request from another network, so the key belongs to the guest's phone.
        let owner = format!("reservation:{}", self.person);
        let asked = ("POST reservation", &self.form);
        change::once_owned(&self.app, by, &owner, &self.headers, &asked, |mut change| async move {
            let answer = command.store(&mut change).await?;
            change.done(Answer::new(StatusCode::ACCEPTED, &answer)?)
        })
        .await
    }

    async fn store(&self, change: &mut Change) -> Result<ReservationRequest> {
        let (now, network) = (change.now, self.requester.network());
        limits::add_waiting(&mut change.tx, &network, now).await?;
        let room = capacity::for_newcomer(&mut change.tx, self.site.id, now).await?;
        if capacity(room.vacant, room.pending, Overrides::default()).is_err() {
            return Err(Error::conflict_code("site-full", SITE_FULL));
        }
        limits::make_room(&mut change.tx, self.site.id, now).await?;
        let is_sent = limits::may_send_code(&mut change.tx, &self.person, &network, now).await?;
        // 122 random bits, not an id ordered by time: whoever knows it may confirm.
        let id = uuid::Builder::from_random_bytes(change.app.random::<16>()).into_uuid();
        let code = tokens::code(&change.app);
        self.insert(change, id, is_sent.then_some(code.as_str()), &network).await?;
        if is_sent {
            texts::send_code(change, self.language, &self.guest.phone, &code).await?;
        }
        Ok(ReservationRequest { id, code_expires_at: now.plus_minutes(CODE_MINUTES) })
    }

    /// Inserts the request. If no code was sent, every code is wrong.
    async fn insert(&self, change: &mut Change, id: Uuid, code: Option<&str>, network: &str) -> Result<()> {
        const INSERT: &str = "INSERT INTO reservation_requests (hash, site_id, form, code_hash, language, network, \
            created_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
        let now = change.now;
        let form = serde_json::to_string(&self.form).map_err(|error| Error::Internal(error.into()))?;
        let code_hash = code.map(|code| tokens::code_hash(&id.to_string(), self.guest.phone.as_str(), code));
        let insert = change.tx.query(INSERT).bind(tokens::hash(&id.to_string())).bind(self.site.id).bind(form);
        let insert = insert.bind(code_hash.unwrap_or_default()).bind(self.language).bind(network.to_owned());
        insert.bind(now).bind(now.plus_minutes(CODE_MINUTES)).execute().await?;
        Ok(())
    }
}

/// Loads a site that takes reservations from the public side: neither it nor its organization is hidden.
///
/// # Errors
/// 404 if the site is hidden, removed or unknown.
pub(super) async fn open_site(db: &Db, id: SiteId) -> Result<Site> {
    Ok(db.query(OPEN_SITE).bind(id).one().await?)
}

/// Touches a site and loads it again as [`open_site`] does: it may have been hidden or edited before the lock was
/// taken.
///
/// # Errors
/// As [`open_site`].
pub(super) async fn touch_open_site(change: &mut Change, id: SiteId) -> Result<Site> {
    let version = sites::touch(&mut change.tx, id).await?;
    change.now = change.app.now();
    let site: Site = change.tx.query(OPEN_SITE).bind(id).one().await?;
    change.publish(site.organization_id, id, version);
    Ok(site)
}

const OPEN_SITE: &str = select_site!("WHERE s.id = $1 AND ", sites::is_public!());
