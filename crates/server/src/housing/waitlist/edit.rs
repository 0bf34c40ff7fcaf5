//! `PATCH /api/Waitlist/{id}`: what happens to a person on the waitlist, except for taking the offered bed.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use berth_domain::id::WaitingGuestId;
use berth_domain::policy::Action;
use berth_domain::waitlist::{OfferOutcome, WaitCommand, WaitOutcome, may_change};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::offer_due;
use super::store::{self, Stored, end_offer, end_wait, entry, raise};
use crate::admin::audit_log::{AuditAction, Author};
use crate::auth::caller::{Caller, Site};
use crate::change::{self, Answer, Change};
use crate::housing::sites;
use crate::http::body::{Body, Done, Path};
use crate::http::etag;
use crate::{App, Error, Result};

/// A command on a person of the waitlist.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WaitingGuestUpdate {
    /// DECLINE: the person does not want the offered bed. LEAVE: the person stops waiting. PRIORITIZE: the person goes before those without
    /// priority, or no longer if no reason is sent. In any case.
    command: String,
    /// The reason, at most 200 characters.
    #[serde(default)]
    reason: Option<String>,
    /// The version of the person that the caller saw. Another version is answered with 412.
    version: i64,
}

/// Declines the offer to a person, ends the person's wait, or changes the priority. A bed that becomes free by this is offered to the next
/// person at once. 409 if the person no longer waits, or has no offer to decline.
#[utoipa::path(patch, path = "/api/Waitlist/{id}", tag = "Waitlist", request_body = WaitingGuestUpdate,
    params(("id" = WaitingGuestId, Path, description = "the person"),
        ("Idempotency-Key" = Option<String>, Header, description = "a repeated request has one effect")),
    responses((status = 204, description = "done")))]
pub async fn update(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<WaitingGuestId>,
    headers: HeaderMap,
    Body(sent): Body<WaitingGuestUpdate>,
) -> Result<Done> {
    let site = &caller.waiting_guest(id, Action::PlaceGuest).await?;
    let command = WaitCommand::parse(&sent.command, sent.reason.as_deref())
        .map_err(|(pointer, message)| Error::field(pointer, message))?;
    let persons = app.persons.key(&app).await?;
    let asked = ("PATCH waitlist", id, &sent);
    let (headers, command) = (&headers, &command);
    change::once(&app, Author::caller(&caller, Some(site)), headers, &asked, |mut change| async move {
        change.touch(site).await?;
        let person = store::load(&mut change.tx, id).await?;
        let is_waiting = person.form.is_some();
        may_change(is_waiting, person.bed_id.is_some(), command).map_err(sites::refused)?;
        etag::guard(headers, Some(sent.version), person.version)?;
        apply(&mut change, site, (id, &person), command).await?;
        offer_due(&mut change, site, persons).await?;
        sites::settle_offers(&mut change.tx, site.id).await?;
        change.done(Answer::new(StatusCode::NO_CONTENT, &())?)
    })
    .await
    .map(|_| Done)
}

async fn apply(
    change: &mut Change,
    site: &Site,
    (id, person): (WaitingGuestId, &Stored),
    command: &WaitCommand,
) -> Result<()> {
    const PRIORITIZE: &str = "UPDATE waiting_guests SET priority_reason = $2 WHERE id = $1";
    let code = &person.code;
    let bed = person.bed_name.as_deref().unwrap_or_default();
    let place = (site.organization_id, site.id);
    let because = |reason: &Option<String>| reason.as_ref().map(|text| format!(": {text}")).unwrap_or_default();
    match command {
        WaitCommand::Take => Err(Error::internal("a bed is taken by its own call")),
        WaitCommand::Decline => {
            end_offer(&mut change.tx, id, OfferOutcome::Declined, change.now).await?;
            let summary = format!("{code} does not want bed {bed}");
            change.record(entry(place, AuditAction::WaitlistOfferDeclined, id, summary)).await
        }
        WaitCommand::Leave { reason } => {
            if person.bed_id.is_some() {
                end_offer(&mut change.tx, id, OfferOutcome::Withdrawn, change.now).await?;
                let summary = format!("the offer of bed {bed} to {code} was withdrawn");
                change.record(entry(place, AuditAction::WaitlistOfferWithdrawn, id, summary)).await?;
            }
            end_wait(&mut change.tx, id, WaitOutcome::Left, None, change.now).await?;
            let summary = format!("{code} no longer waits{}", because(reason));
            change.record(entry(place, AuditAction::WaitlistLeft, id, summary)).await
        }
        WaitCommand::Prioritize { reason } => {
            change.tx.query(PRIORITIZE).bind(id).bind(reason.as_deref()).execute().await?;
            raise(&mut change.tx, id).await?;
            // Without the reason, which may tell of the person's health: the log outlives the wait.
            let what = if reason.is_some() { "has priority; a reason was given" } else { "has no priority any more" };
            let summary = format!("{code} {what}");
            change.record(entry(place, AuditAction::WaitlistPrioritized, id, summary)).await
        }
    }
}
