//! Asking for a reservation from the public side. Nothing is held yet: a code goes to the phone, and only its holder can
//! make a reservation of it (DESIGN 3, "Public reservations are proven"; docs/decisions/0033).

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
use crate::auth::caller::{Site, select_site};
use crate::auth::tokens;
use crate::housing::{capacity, sites};
use crate::http::body::Body;
use crate::http::idempotency::{self, Claim, Claimed};
use crate::http::requester::Requester;
use crate::{App, Error, Result};

/// Asks for a reservation for a person without an account. A code goes to the phone; nothing is held before it is
/// confirmed. The answer is the same for everyone. 409 `site-full`: no bed is free at this site.
#[utoipa::path(post, path = "/api/public/reservations", tag = "Public", request_body = NewReservation,
    params(("Idempotency-Key" = Option<String>, Header, description = "the same request again has one effect"),
        ("Accept-Language" = Option<String>, Header, description = "the language of text messages, en or es, unless `language` is sent")),
    responses((status = 202, description = "a code is on its way", body = ReservationRequest)))]
pub async fn reserve(
    State(app): State<App>,
    requester: Requester,
    headers: HeaderMap,
    Body(NewReservation(form)): Body<NewReservation>,
) -> Result<Response> {
    limit_calls(&app, &requester)?;
    AskForReservation::new(app, requester, headers, form).await?.run().await
}

/// A reservation that is asked for: the new guest payload (spec B 3). `source`, `allowThird`, `allowNotServed`,
/// `overCapacityReason` and the card images are not read here.
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
    /// For `POST /api/public/reservations/{id}/confirm`; a secret of whoever asked.
    id: Uuid,
    /// Until when the code is good.
    code_expires_at: Timestamp,
}

/// What a full house says. How full it is stands in the public list, too.
const FULL: &str = "This site has no free beds left. Please choose another site or call this one.";

/// One call; kept, since a busy attempt is made again.
pub(super) struct AskForReservation {
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

impl AskForReservation {
    /// Finds the site, then reads the form, all field errors at once.
    pub(super) async fn new(app: App, requester: Requester, headers: HeaderMap, form: NewGuestForm) -> Result<Self> {
        let site_id = form.site_id.ok_or_else(|| Error::field("/siteId", "Required field."))?;
        let site = open_site(&app.db, site_id).await?;
        let guest = form.parse(&sites::offer(&app.db, &site).await?, Source::Web)?;
        // Only what was judged is kept, and compared with a repeated call.
        let form = guest.to_form(site.id);
        let person = app.persons.key(&app).await?.phone(guest.phone.as_str());
        let accepted = headers.get("accept-language").and_then(|value| value.to_str().ok());
        let language = guest.language.unwrap_or_else(|| Locale::of_header(accepted.unwrap_or_default()));
        Ok(Self { app, requester, headers, language, site, form, guest, person })
    }

    /// Stores the request and sends the code. Nothing here asks whether the phone is known.
    pub(super) async fn run(self) -> Result<Response> {
        berth_db::retry(|| self.attempt()).await
    }

    async fn attempt(&self) -> Result<Response> {
        let Self { app, requester, site, .. } = self;
        let (now, network) = (app.now(), requester.network());
        let mut tx = app.db.begin().await?;
        let owner = format!("requester:{}", requester.address);
        let claim = match idempotency::claim_for(app, &mut tx, &self.headers, owner, &("POST reservation", &self.form))
            .await?
        {
            Claimed::Go(claim) => claim,
            Claimed::Replay(replay) => return replay.of_nobody(),
        };
        limits::add_waiting(&mut tx, &network, now).await?;
        let room = capacity::capacity(&mut tx, site.id, now).await?;
        if capacity(room.vacant, room.pending, Overrides::default()).is_err() {
            return Err(Error::conflict_code("site-full", FULL));
        }
        limits::make_room(&mut tx, site.id, now).await?;
        let is_sent = limits::may_send_code(&mut tx, &self.person, &network, now).await?;
        // 122 random bits and not an id by time: whoever knows it may confirm.
        let id = uuid::Builder::from_random_bytes(app.random::<16>()).into_uuid();
        let code = tokens::code(app);
        self.insert(&mut tx, id, is_sent.then_some(code.as_str()), &network).await?;
        if is_sent {
            texts::send_code(app, &mut tx, self.language, &self.guest.phone, &code).await?;
        }
        let answer = ReservationRequest { id, code_expires_at: now.plus_minutes(CODE_MINUTES) };
        let response = Claim::answer_body(claim, &mut tx, StatusCode::ACCEPTED, &answer).await?;
        tx.commit().await?;
        Ok(response)
    }

    /// Stores the request. Without a code that was sent no code is right.
    async fn insert(&self, tx: &mut berth_db::Tx, id: Uuid, code: Option<&str>, network: &str) -> Result<()> {
        const INSERT: &str = "INSERT INTO reservation_requests (hash, site_id, form, code_hash, language, network, \
            created_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
        let now = self.app.now();
        let form = serde_json::to_string(&self.form).map_err(|error| Error::Internal(error.into()))?;
        let code_hash = code.map(|code| tokens::code_hash(&id.to_string(), self.guest.phone.as_str(), code));
        tx.query(INSERT)
            .bind(tokens::hash(&id.to_string()))
            .bind(self.site.id)
            .bind(form)
            .bind(code_hash.unwrap_or_default())
            .bind(self.language)
            .bind(network.to_owned())
            .bind(now)
            .bind(now.plus_minutes(CODE_MINUTES))
            .execute()
            .await?;
        Ok(())
    }
}

/// A site that takes reservations from the public side: neither it nor its organization is hidden.
///
/// # Errors
/// 404.
pub(super) async fn open_site(db: &Db, id: SiteId) -> Result<Site> {
    Ok(db.query(OPEN_SITE).bind(id).one().await?)
}

/// The site of [`open_site`].
pub(super) const OPEN_SITE: &str = select_site!("WHERE s.id = $1 AND ", sites::is_public!());
