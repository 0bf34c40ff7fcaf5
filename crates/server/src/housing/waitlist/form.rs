//! `GET` and `PUT /api/Waitlist/{id}`: the form of a person on the waitlist, which can be corrected without losing the place in the line.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use berth_domain::bed::BedKind;
use berth_domain::id::WaitingGuestId;
use berth_domain::new_guest::NewGuestForm;
use berth_domain::policy::Action;
use berth_domain::stay::Refusal;
use serde::ser::Error as _;
use serde::{Deserialize, Serialize, Serializer};
use utoipa::ToSchema;

use super::cards::Cards;
use super::person::{self, Person, waits_already};
use super::store::{self, entry, raise};
use super::{offer_due, offers, withdraw_unfit};
use crate::admin::audit_log::{self, AuditAction, Author, Shown};
use crate::auth::caller::{Caller, Site};
use crate::change::{self, Answer, Change};
use crate::housing::guests::create::NewGuestBody;
use crate::housing::sites;
use crate::http::body::{Body, Done, Path};
use crate::http::etag;
use crate::http::problem::Problem;
use crate::{App, Result};

/// The form of a person on the waitlist.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WaitingGuestForm {
    /// The form of the new guest, without the fields that are not filled in.
    #[serde(serialize_with = "as_sent")]
    #[schema(value_type = NewGuestBody)]
    guest: NewGuestForm,
    /// The type of bed that the person needs. Null if each will do.
    bed_type: Option<BedKind>,
    /// Raised by every change. Send it with the edit.
    version: i64,
}

/// Serializes a form as it is sent: the gender by its number, no empty fields.
fn as_sent<S: Serializer>(form: &NewGuestForm, serializer: S) -> Result<S::Ok, S::Error> {
    let mut fields = serde_json::to_value(form).map_err(S::Error::custom)?;
    if let Some(fields) = fields.as_object_mut() {
        fields.retain(|_, value| !value.is_null());
        if let Some(gender) = form.gender {
            fields.insert("gender".to_owned(), gender.number().into());
        }
    }
    fields.serialize(serializer)
}

/// The new form of a person on the waitlist. The priority is changed by `PATCH`.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WaitingGuestEdit {
    /// The form of the new guest. The site is ignored. Images of the insurance card are those that the person has, or that the caller
    /// uploaded for this person. Without them, the person has none any more.
    #[schema(value_type = NewGuestBody)]
    guest: NewGuestForm,
    /// The type of bed that the person needs. Null if each will do.
    #[serde(default)]
    bed_type: Option<BedKind>,
    /// The version of the person that the caller saw. Another version is answered with 412.
    version: i64,
}

/// Shows the form of a person on the waitlist. Each look is recorded. 409 if the person no longer waits: the form is erased then.
#[utoipa::path(get, path = "/api/Waitlist/{id}", tag = "Waitlist",
    params(("id" = WaitingGuestId, Path, description = "the person")),
    responses(
        (status = 200, description = "the form", body = WaitingGuestForm),
        (status = 409, description = "the person no longer waits", body = Problem,
            content_type = "application/problem+json")))]
pub async fn show(State(app): State<App>, caller: Caller, Path(id): Path<WaitingGuestId>) -> Result<Response> {
    let site = of_editor(&caller, id).await?;
    let mut tx = app.db.read().await?;
    let stored = store::load(&mut tx, id).await?;
    drop(tx);
    let Some(form) = stored.form else { return Err(sites::refused(Refusal::NotWaiting)) };
    let guest = stored.cards.added_to(person::from_json(&form)?);
    let form = WaitingGuestForm { guest, bed_type: stored.bed_kind, version: stored.version };
    let place = (site.organization_id, site.id);
    let entry = entry(place, AuditAction::WaitlistViewed.by(&caller), id, stored.code);
    let bytes = Shown::of(&form)?.recorded(&app, &Author::caller(&caller, Some(&site)), entry).await?;
    Ok(audit_log::json(StatusCode::OK, bytes))
}

/// Replaces the form of a person on the waitlist, who keeps the place in the line. An offer of a bed that does not fit any more is
/// withdrawn. 409 `not-waiting`: the person no longer waits. 409 `already-waiting`: phone and name are those of another person on the list.
/// 409 `third-reservation`: phone or email changed, and the person has two active reservations; an admin or owner can allow a third with
/// `allowThird`.
#[utoipa::path(put, path = "/api/Waitlist/{id}", tag = "Waitlist", request_body = WaitingGuestEdit,
    params(("id" = WaitingGuestId, Path, description = "the person"),
        ("Idempotency-Key" = Option<String>, Header, description = "a repeated request has one effect")),
    responses((status = 204, description = "saved")))]
pub async fn replace(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<WaitingGuestId>,
    headers: HeaderMap,
    Body(sent): Body<WaitingGuestEdit>,
) -> Result<Done> {
    let site = &of_editor(&caller, id).await?;
    let person = Person::parse(&app, (&caller, site), &sent.guest, sent.bed_type).await?;
    let persons = app.persons.key(&app).await?;
    let asked = ("PUT waitlist", id, &sent);
    let (caller, headers, person) = (&caller, &headers, &person);
    change::once(&app, Author::caller(caller, Some(site)), headers, &asked, |mut change| async move {
        change.touch(site).await?;
        let stored = store::load(&mut change.tx, id).await?;
        let Some(before) = &stored.form else { return Err(sites::refused(Refusal::NotWaiting)) };
        let (before, after) = (person::from_json(before)?, person.form(site.id));
        let mut fields = person::changed(&before, &after);
        if person.kind != stored.bed_kind {
            fields.push("bed type");
        }
        let cards = Cards::of(&person.guest);
        if cards != stored.cards {
            fields.push("insurance card");
        }
        if fields.is_empty() {
            return change::unchanged(Answer::new(StatusCode::NO_CONTENT, &())?);
        }
        etag::guard(headers, Some(sent.version), stored.version)?;
        if person.has_other_contact_than(&before) {
            person.check_another(&mut change.tx, caller, persons, change.now).await?;
        }
        if cards != stored.cards {
            cards.claim(&mut change.tx, caller.actor.user_id, &stored.cards, change.now).await?;
        }
        write(&mut change, id, (person, &cards), &after).await?;
        stored.cards.give_up(&mut change.tx, &cards, change.now).await?;
        let summary = format!("{} changed: {}{}", stored.code, fields.join(", "), person.not_served());
        let place = (site.organization_id, site.id);
        change.record(entry(place, AuditAction::WaitlistEdited, id, summary)).await?;
        withdraw_unfit(&mut change, site).await?;
        if before.phone != after.phone {
            offers::text_again(&mut change, site, persons, id).await?;
        }
        offer_due(&mut change, site, persons).await?;
        change.done(Answer::new(StatusCode::NO_CONTENT, &())?)
    })
    .await
    .map(|_| Done)
}

/// Loads the site of a person for a caller who may edit the person: the form is that of a new guest, and shows contact.
pub async fn of_editor(caller: &Caller, id: WaitingGuestId) -> Result<Site> {
    let site = caller.waiting_guest(id, Action::AddGuest).await?;
    caller.check(&site, Action::ViewGuestContact)?;
    Ok(site)
}

async fn write(
    change: &mut Change,
    id: WaitingGuestId,
    (person, cards): (&Person, &Cards),
    form: &NewGuestForm,
) -> Result<()> {
    const UPDATE: &str = "UPDATE waiting_guests SET form = $2, person = $3, bed_kind = $4, insurance_card_front = $5, \
        insurance_card_back = $6 WHERE id = $1";
    let update = change.tx.query(UPDATE).bind(id).bind(person::to_json(form)?).bind(person.key()).bind(person.kind);
    let update = update.bind(cards.insurance_card_front.as_deref()).bind(cards.insurance_card_back.as_deref());
    update.execute().await.map_err(waits_already)?;
    raise(&mut change.tx, id).await
}
