//! A reservation from the public side: one unit of capacity, held for the site's screening period (DESIGN 3).

use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use berth_db::Tx;
use berth_domain::guest::Source;
use berth_domain::id::SiteId;
use berth_domain::new_guest::{NewGuest, NewGuestForm};
use berth_domain::time::{Hold, Timestamp};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::audit::By;
use crate::caller::Site;
use crate::guests::{self, Failure, Notice, Reservation};
use crate::idempotency::{self, Claim, Claimed};
use crate::requester::Requester;
use crate::{App, Error, Result, sites};

/// A reservation to be made: the new guest payload (spec B 3). Source and `allowThird` are not read here.
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

/// A reservation, to the person who made it.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Reservation)]
pub struct ReservationView {
    /// By which it is asked for on the telephone.
    code: String,
    /// Where.
    site_name: String,
    /// When it was made.
    created_at: Timestamp,
    /// Until when it is held.
    expires_at: Timestamp,
}

/// One sentence for every refusal, so that nobody learns from it whether somebody else is a guest anywhere.
const REFUSED: &str = "This reservation cannot be made. Either no bed is free at this site any more, or two reservations \
    are active for these contacts already. Please choose another site or call this one.";

/// What one call asks for; kept, since a busy attempt is made again.
pub(super) struct Work {
    app: App,
    requester: Requester,
    headers: HeaderMap,
    site_id: SiteId,
    form: NewGuestForm,
    guest: NewGuest,
}

impl Work {
    /// Finds the site, then reads the form, all field errors at once.
    pub(super) async fn new(app: App, requester: Requester, headers: HeaderMap, form: NewGuestForm) -> Result<Self> {
        let site_id = form.site_id.ok_or_else(|| Error::field("/siteId", "Required field."))?;
        let mut tx = app.db.read().await?;
        let site = open_site(&mut tx, site_id).await?;
        drop(tx);
        let guest = form.parse(site.is_commercial)?;
        Ok(Self { app, requester, headers, site_id, form, guest })
    }

    /// Does it, again while the database is busy, and makes the answer.
    pub(super) async fn run(self) -> Result<Response> {
        guests::on_record(&self.app, || self.attempt()).await.map_err(|failure| match failure {
            Failure::Other(error) => error,
            Failure::Overdue => Error::Busy,
            Failure::Refused(_) | Failure::Stale => Error::conflict_code("not-available", REFUSED),
        })
    }

    async fn attempt(&self) -> Result<Response, Failure> {
        let Self { app, requester, .. } = self;
        let mut tx = app.db.begin().await?;
        let owner = format!("requester:{}", requester.address);
        let claim =
            match idempotency::claim(app, &mut tx, &self.headers, owner, &("POST reservation", &self.form)).await? {
                Claimed::Go(claim) => claim,
                Claimed::Replay(replay) => return Ok(replay.of_nobody()?),
            };
        let version = sites::touch(&mut tx, self.site_id).await?;
        // Under the lock: it may have been hidden, or its hold changed, since the form was read.
        let site = open_site(&mut tx, self.site_id).await?;
        let now = app.now();
        let hold = Hold::hours(site.hold_hours).map_err(|_| Error::internal("the site's hold is out of range"))?;
        let expires_at = hold.expires_at(now);
        let reservation = Reservation {
            site: &site,
            guest: &self.guest,
            source: Source::Web,
            created_by: None,
            by: &By::stranger(requester),
            expires_at: Some(expires_at),
            allow_third: false,
            now,
        };
        let stored = reservation.store(app, &mut tx).await?;
        guests::tell(app, &mut tx, &site, &stored.code, Notice::Arrived).await?;
        let answer = ReservationView { code: stored.code, site_name: site.name.clone(), created_at: now, expires_at };
        let response = Claim::answer(claim, &mut tx, StatusCode::CREATED, &answer).await?;
        app.live.commit(tx, &site, version).await?;
        Ok(response)
    }
}

/// A site that takes reservations from the public side: neither it nor its organization is hidden.
async fn open_site(tx: &mut Tx, id: SiteId) -> Result<Site> {
    const SITE: &str = "SELECT s.id, s.organization_id, s.name, o.is_commercial, FALSE AS is_hidden, s.time_zone, \
        s.hold_hours, s.version FROM sites s \
        JOIN organizations o ON o.id = s.organization_id AND o.deleted_at IS NULL AND NOT o.is_disabled \
        WHERE s.id = $1 AND s.deleted_at IS NULL AND NOT s.is_disabled";
    Ok(tx.query(SITE).bind(id).one().await?)
}
