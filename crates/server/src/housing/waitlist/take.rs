//! `POST /api/Waitlist/{id}/take`: a person on the waitlist takes the offered bed and becomes a guest in it, in one change.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use berth_domain::guest::Source;
use berth_domain::id::WaitingGuestId;
use berth_domain::new_guest::{NewGuest, NewGuestForm};
use berth_domain::offer::SiteOffer;
use berth_domain::policy::Action;
use berth_domain::stay::{Overrides, Refusal};
use berth_domain::waitlist::{OfferOutcome, WaitCommand, WaitOutcome, may_change};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::cards::Cards;
use super::person;
use super::store::{self, end_offer, end_wait, entry};
use crate::admin::audit_log::{AuditAction, Author, Entry, ObjectKind};
use crate::auth::caller::{Caller, Site};
use crate::change::{self, Answer};
use crate::housing::guests::{self, Failure, GuestView, PersonKey, Reservation};
use crate::housing::sites;
use crate::http::body::{Body, Path};
use crate::http::etag;
use crate::{App, Result};

/// The offer that a person takes.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OfferTaken {
    /// The version of the person that the caller saw. Another version is answered with 412.
    version: i64,
    /// True to allow a third active reservation of the person. Only admins and above may do so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    allow_third: Option<bool>,
}

/// Gives a person on the waitlist the bed that is offered: the person becomes a guest, accepted into the bed. 409 if the offer has ended.
/// 409 `third-reservation`: the person has two active reservations by now; an admin or owner can allow a third with `allowThird`.
#[utoipa::path(post, path = "/api/Waitlist/{id}/take", tag = "Waitlist", request_body = OfferTaken,
    params(("id" = WaitingGuestId, Path, description = "the person"),
        ("Idempotency-Key" = Option<String>, Header, description = "a repeated request has one effect")),
    responses((status = 201, description = "the guest in the bed", body = GuestView)))]
pub async fn take(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<WaitingGuestId>,
    headers: HeaderMap,
    Body(sent): Body<OfferTaken>,
) -> Result<Response> {
    let site = caller.waiting_guest(id, Action::PlaceGuest).await?;
    caller.check(&site, Action::AddGuest)?;
    if sent.allow_third == Some(true) {
        caller.check(&site, Action::AllowThirdReservation)?;
    }
    let offer = sites::offer(&app.db, &site).await?;
    let persons = app.persons.key(&app).await?;
    let take = Take { app, caller, site, id, offer, persons, headers, sent };
    guests::retry_overdue(&take.app, || take.attempt()).await.map_err(Failure::into_error)
}

struct Take {
    app: App,
    caller: Caller,
    site: Site,
    id: WaitingGuestId,
    /// What the site serves.
    offer: SiteOffer,
    persons: PersonKey,
    headers: HeaderMap,
    sent: OfferTaken,
}

impl Take {
    /// Parses the stored form. It is read under the lock of the site, together with the version: it may have been edited a moment ago.
    fn guest(&self, form: &str, cards: &Cards) -> Result<NewGuest> {
        // What the site does not serve was decided when the person was put on the list, or the form was edited.
        let form = NewGuestForm { allow_not_served: Some(true), ..cards.added_to(person::from_json(form)?) };
        Ok(form.parse(&self.offer, Source::Admin)?)
    }

    async fn attempt(&self) -> Result<Response, Failure> {
        let Self { app, caller, site, id, .. } = self;
        let by = Author::caller(caller, Some(site));
        let seen = Entry::at(site, AuditAction::GuestViewed.by(caller), (ObjectKind::Site, site.id.0), "");
        let asked = ("POST take", id, &self.sent);
        change::once_showing(app, by, &self.headers, &asked, seen, |mut change| async move {
            change.touch(site).await?;
            let now = change.now;
            let person = store::load(&mut change.tx, *id).await?;
            may_change(person.form.is_some(), person.bed_id.is_some(), &WaitCommand::Take)?;
            etag::guard(&self.headers, Some(self.sent.version), person.version)?;
            let (Some(bed), Some(form)) = (person.bed_id, &person.form) else {
                return Err(Refusal::NotWaiting.into());
            };
            let guest = &self.guest(form, &person.cards)?;
            end_offer(&mut change.tx, *id, OfferOutcome::Taken, now).await?;
            sites::settle_offers(&mut change.tx, site.id).await?;
            let reservation = Reservation {
                site,
                guest,
                caller: Some(caller),
                by: &change.by,
                persons: self.persons,
                expires_at: None,
                language: guest.language.unwrap_or_default(),
                // The bed was promised, so walk-ins who were added since do not count.
                overrides: Overrides { third: self.sent.allow_third == Some(true), over_capacity: true },
                waiting_code: Some(&person.code),
                now,
            };
            let stored = reservation.store(app, &mut change.tx).await?;
            guests::accept_new(&mut change, (caller, site), (stored.id, bed)).await?;
            end_wait(&mut change.tx, *id, WaitOutcome::Placed, Some(stored.id), now).await?;
            let bed_name = person.bed_name.as_deref().unwrap_or_default();
            let summary = format!("{} took bed {bed_name}{}", person.code, renamed(&person.code, &stored.code));
            let place = (site.organization_id, site.id);
            change.record(entry(place, AuditAction::WaitlistOfferTaken, *id, summary)).await?;
            let guest = guests::show_new(&mut change.tx, (caller, site), stored.id, now).await?;
            change.done(Answer::naming(StatusCode::CREATED, &guest, vec![stored.id])?)
        })
        .await
    }
}

/// Names the code of the reservation if another reservation has that of the person.
fn renamed(waited_as: &str, code: &str) -> String {
    if waited_as == code { String::new() } else { format!(" as {code}") }
}
