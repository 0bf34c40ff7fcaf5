//! `POST /api/Guests`: staff add a guest (spec B 3, 5; DESIGN 3).

use std::borrow::Cow;

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use berth_domain::guest::Source;
use berth_domain::new_guest::{NewGuest, NewGuestForm};
use berth_domain::policy::Action;
use berth_domain::stay::{ActiveReservations, Overrides, Refusal, active_reservations};
use serde::Deserialize;
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use super::edit::tag;
use super::failure::Failure;
use super::person::PersonKey;
use super::reserve::{Reservation, retry_overdue};
use super::state::is_active;
use super::view::{GuestView, view_of};
use crate::admin::audit_log::{AuditAction, Author, Entry, ObjectKind};
use crate::auth::caller::{Caller, Site};
use crate::change::{self, Answer};
use crate::housing::public::{FailureReason, send_failure};
use crate::housing::sites;
use crate::http::body::Body;
use crate::{App, Error, Result};

/// A guest to add (spec B 3, the new guest payload).
#[derive(Debug, Deserialize)]
#[serde(transparent)]
pub struct NewGuestBody(pub NewGuestForm);

impl PartialSchema for NewGuestBody {
    fn schema() -> RefOr<Schema> {
        NewGuestForm::schema()
    }
}

impl ToSchema for NewGuestBody {
    fn name() -> Cow<'static, str> {
        "NewGuest".into()
    }
}

/// Adds a guest by hand. 409 `third-reservation`: the person has two active reservations; an admin or owner can allow a
/// third with `allowThird`. 409 `no-vacant-beds`: reservations hold every vacant bed; an admin or owner can add a
/// walk-in with `overCapacityReason` while a bed is vacant. 422 if the site does not serve such guests, unless
/// `allowNotServed` is sent.
#[utoipa::path(post, path = "/api/Guests", tag = "Guests", request_body = NewGuestBody,
    params(("Idempotency-Key" = Option<String>, Header, description = "a repeated request has one effect")),
    responses((status = 201, description = "the guest, pending", body = GuestView)))]
pub async fn create(
    State(app): State<App>,
    caller: Caller,
    headers: HeaderMap,
    Body(NewGuestBody(form)): Body<NewGuestBody>,
) -> Result<Response> {
    CreateGuest::new(app, caller, headers, form).await?.run().await
}

/// Adds a guest by hand.
struct CreateGuest {
    app: App,
    caller: Caller,
    site: Site,
    headers: HeaderMap,
    form: NewGuestForm,
    guest: NewGuest,
}

impl CreateGuest {
    /// Loads the site, checks the caller's rights there, and parses the form.
    async fn new(app: App, caller: Caller, headers: HeaderMap, form: NewGuestForm) -> Result<Self> {
        let site_id = form.site_id.ok_or_else(|| Error::field("/siteId", "Required field."))?;
        let site = caller.site(site_id, Action::AddGuest).await?;
        if form.allow_third == Some(true) {
            caller.site(site_id, Action::AllowThirdReservation).await?;
        }
        if form.over_capacity_reason.is_some() {
            caller.site(site_id, Action::AddOverCapacity).await?;
        }
        let guest = form.parse(&sites::offer(&app.db, &site).await?, Source::Admin)?;
        Ok(Self { app, caller, site, headers, form, guest })
    }

    async fn run(self) -> Result<Response> {
        let persons = self.app.persons.key(&self.app).await?;
        match retry_overdue(&self.app, || self.attempt(persons)).await {
            Ok(response) => Ok(response),
            Err(failure) => {
                if matches!(failure, Failure::Refused(Refusal::HiddenReservations)) {
                    self.send_reason(persons).await?;
                }
                Err(failure.into_error())
            }
        }
    }

    /// Sends the person a message about their two active reservations, which the caller may not see. Only if both have
    /// this phone: the caller may have entered their own phone with somebody else's email address.
    async fn send_reason(&self, persons: PersonKey) -> Result<()> {
        const OF_PHONE: &str = concat!("SELECT COUNT(*) FROM guests WHERE phone = $1 AND ", is_active!("", "$2"));
        let phone = &self.guest.phone;
        let active: i64 = self.app.db.query(OF_PHONE).bind(phone).bind(self.app.now()).scalar().await?;
        let of_phone = ActiveReservations { visible: 0, all: active };
        if active_reservations(of_phone, Overrides::default()).is_ok() || !phone.is_personal() {
            return Ok(());
        }
        let person = persons.phone(phone.as_str());
        let (person, language) = (&person, self.guest.language.unwrap_or_default());
        change::run(&self.app, Author::caller(&self.caller, Some(&self.site)), |mut change| async move {
            send_failure(&mut change, language, (phone, person), FailureReason::TwoActive).await?;
            change.done(())
        })
        .await
    }

    async fn attempt(&self, persons: PersonKey) -> Result<Response, Failure> {
        let Self { app, caller, site, .. } = self;
        let by = Author::caller(caller, Some(site));
        let seen = Entry::at(site, AuditAction::GuestViewed.by(caller), (ObjectKind::Site, site.id.0), "");
        change::once_showing(app, by, &self.headers, &("POST guest", &self.form), seen, |mut change| async move {
            change.touch(site).await?;
            let now = change.now;
            let reservation = Reservation {
                site,
                guest: &self.guest,
                caller: Some(caller),
                by: &change.by,
                persons,
                expires_at: None,
                language: self.guest.language.unwrap_or_default(),
                overrides: Overrides {
                    third: self.form.allow_third == Some(true),
                    over_capacity: self.guest.over_capacity_reason.is_some(),
                },
                waiting_code: None,
                now,
            };
            let stored = reservation.store(app, &mut change.tx).await?;
            let guest = GuestView::load(&mut change.tx, site, stored.id, view_of(caller, site), now).await?;
            let answer = Answer::naming(StatusCode::CREATED, &guest, vec![stored.id])?.tagged(tag(&guest));
            change.done(answer)
        })
        .await
    }
}
