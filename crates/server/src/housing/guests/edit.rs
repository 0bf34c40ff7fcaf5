//! `PATCH /api/Guests/{id}`: a command on a guest. The rules decide while the site is locked; a refusal is answered
//! with the guest's current state (DESIGN 3; spec B 4).

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use berth_domain::guest::GuestFacts;
use berth_domain::id::{BedId, GuestId, ReasonId};
use berth_domain::policy::Action;
use berth_domain::stay::{Command, Refusal, decide, next_free_bed};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::apply::{Writer, check_version};
use super::changed_by::{self, ChangedBy};
use super::failure::Failure;
use super::person::PersonKey;
use super::placement::{self, Ordered};
use super::reserve::retry_overdue;
use super::view::{GuestView, view_of};
use super::{apply, board, current, undo};
use crate::admin::audit_log::{AuditAction, Author, Entry, ObjectKind};
use crate::admin::reasons;
use crate::auth::caller::{Caller, Site};
use crate::billing::subscriptions;
use crate::change::{self, Answer};
use crate::http::body::{Body, Path};
use crate::http::etag;
use crate::http::problem::{BedPlace, Conflict};
use crate::{App, Error, Result};

/// Accepts, reassigns, swaps, declines or discharges a guest, or undoes an accept, decline or discharge (UNDO). At sites that ask for
/// arrivals, it also records that an accepted guest has arrived (ARRIVED, taken back by NOT_ARRIVED) or did not come (NO_SHOW, which frees
/// the bed and is undone like a discharge). Callers
/// can undo their own decision for 10 seconds; admins, owners and global admins can undo any decline or discharge for
/// 24 hours. UNDO needs the version that the decision led to; without it the answer is 412. A 409 has the current
/// guest, who made the other change and, if the bed is taken, the next free bed. 402 `subscription-needed`: the site
/// must subscribe before it accepts guests from the search.
#[utoipa::path(patch, path = "/api/Guests/{id}", tag = "Guests", request_body = GuestUpdate,
    params(("id" = GuestId, Path),
        ("If-Match" = Option<String>, Header, description = "the version that the caller saw"),
        ("Idempotency-Key" = Option<String>, Header, description = "a repeated request has one effect")),
    responses(
        (status = 200, description = "the guest after the change", body = GuestView),
        (status = 402, description = "the site needs an active subscription first", body = crate::http::problem::Problem,
            content_type = "application/problem+json"),
        (status = 412, description = "someone else changed the guest; `guest` is its current state",
            body = crate::http::problem::Problem, content_type = "application/problem+json")))]
pub async fn update(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<GuestId>,
    headers: HeaderMap,
    Body(input): Body<GuestUpdate>,
) -> Result<Response> {
    let site = caller.guest(id, Action::PlaceGuest).await?;
    UpdateGuest::new(app, caller, site, id, headers, input)?.run().await
}

/// A command on a guest (spec B 3, the guest update payload).
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GuestUpdate {
    /// The guest. If sent, it must be the same as in the path.
    #[serde(default, skip_serializing)]
    #[schema(required = false)]
    pub id: Option<GuestId>,
    /// ACCEPTED, REASSIGNED, SWAP, REJECTED, DISCHARGED, ARRIVED, NOT_ARRIVED, NO_SHOW or UNDO, in any case.
    #[serde(default)]
    #[schema(required = true)]
    pub status: String,
    /// The bed. Required for the first three commands, ignored by the others.
    #[serde(default)]
    pub bed_id: Option<BedId>,
    /// A reason for REJECTED, DISCHARGED and NO_SHOW, at most 2000 characters.
    #[serde(default)]
    pub feedback: Option<String>,
    /// A reason for REJECTED and DISCHARGED from the list of the site (`GET /api/Sites/{id}/reasons`), beside the feedback.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason_id: Option<ReasonId>,
    /// Why the guest is placed against the rules of a strict site, at most 200 characters. Only admins and above may do so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub placement_reason: Option<String>,
    /// The version of the guest that the caller saw; `If-Match` has the same meaning. UNDO requires one of the two: the
    /// version that the decision led to.
    #[serde(default)]
    pub version: Option<i64>,
}

/// Executes one command on a guest.
struct UpdateGuest {
    app: App,
    caller: Caller,
    by: Author,
    site: Site,
    id: GuestId,
    headers: HeaderMap,
    input: GuestUpdate,
    command: Command,
    placement_reason: Option<String>,
}

impl UpdateGuest {
    fn new(app: App, caller: Caller, site: Site, id: GuestId, headers: HeaderMap, input: GuestUpdate) -> Result<Self> {
        if input.id.is_some_and(|named| named != id) {
            return Err(Error::field("/id", "The address and the body name different guests."));
        }
        let command = Command::parse(&input.status, input.bed_id, input.feedback.clone())?;
        let placement_reason = placement::reason(input.placement_reason.as_deref())?;
        let by = Author::caller(&caller, Some(&site));
        Ok(Self { app, caller, by, site, id, headers, input, command, placement_reason })
    }

    /// Executes the command and answers with the guest, or with the error that explains the refusal.
    async fn run(self) -> Result<Response> {
        if self.site.is_commercial && matches!(self.command, Command::Accept { .. }) {
            // Before the transaction: Stripe must not be called inside, and the stored subscription may be out of date.
            subscriptions::refresh_if_stale(&self.app, self.site.id).await?;
        }
        // Before the transaction: reading the key may write.
        let persons = match self.command {
            Command::Undo => Some(self.app.persons.key(&self.app).await?),
            _ => None,
        };
        match retry_overdue(&self.app, || self.attempt(persons)).await {
            Ok(response) => Ok(response),
            Err(Failure::Other(error)) => Err(error),
            Err(Failure::Overdue) => Err(Error::Busy),
            Err(Failure::Refused(refusal)) => Err(self.refused(refusal).await?),
            Err(Failure::Stale) => Err(current::stale(&self.app, (&self.caller, &self.site), &self.by, self.id).await?),
        }
    }

    async fn attempt(&self, persons: Option<PersonKey>) -> Result<Response, Failure> {
        let Self { app, site, caller, id, .. } = self;
        let seen = Entry::at(site, AuditAction::GuestViewed.by(caller), (ObjectKind::Guest, id.0), "");
        let (by, fingerprint) = (self.by.clone(), ("PATCH guest", id.0, &self.input));
        change::once_showing(app, by, &self.headers, &fingerprint, seen, |mut change| async move {
            change.touch(site).await?;
            let (now, tx) = (change.now, &mut change.tx);
            let (guest, mut loaded) = board::load_for(tx, site, *id, &self.command, now).await?;
            self.check_version(&guest)?;
            if let Some(reason) = self.input.reason_id {
                reasons::check(tx, site, reason, &self.command).await?;
            }
            let mut undone = None;
            if let Some(persons) = persons
                && let Some((decision, facts)) = undo::read(tx, (caller, site), &guest, persons, now).await?
            {
                loaded.board.undo = Some(facts);
                undone = Some(decision);
            }
            let decided = decide(&loaded.board, &guest, &self.command, now)?;
            let ordered =
                Ordered { command: &self.command, change: &decided, reason: self.placement_reason.as_deref() };
            let overridden = placement::check(tx, (caller, site), &ordered).await?;
            let (user_id, at) = (caller.actor.user_id, loaded.moment(&guest, &decided, now));
            if let Some(decision) = &undone {
                undo::record(app, tx, decision, guest.id, (user_id, at)).await?;
            }
            let writer = Writer { app, site, by: &change.by, user_id: Some(user_id), at, codes: &loaded.codes };
            writer.write(tx, &decided).await?;
            if let Some(reason) = self.input.reason_id {
                apply::set_reason(tx, *id, reason).await?;
            }
            placement::record(&mut change, site, &overridden, &loaded.codes).await?;
            let tx = &mut change.tx;
            let guest = GuestView::load(tx, site, *id, view_of(caller, site), now).await?;
            let answer = Answer::naming(StatusCode::OK, &guest, vec![*id])?.tagged(tag(&guest));
            change.done(answer)
        })
        .await
    }

    /// Rejects a command that is meant for another version of the guest.
    fn check_version(&self, guest: &GuestFacts) -> Result<(), Failure> {
        let (header, body) = (etag::if_match(&self.headers), self.input.version);
        if self.command == Command::Undo && header.is_none() && body.is_none() {
            // The last decision may not be the one that the caller means.
            return Err(Failure::Stale);
        }
        check_version(guest, header.as_deref(), body)
    }

    /// Returns the error for a refusal: 402, or 409 with the current guest and, if the chosen bed is not available,
    /// another bed.
    async fn refused(&self, refusal: Refusal) -> Result<Error> {
        let reason = refusal.sentence();
        let guest = current::show(&self.app, (&self.caller, &self.site), &self.by, self.id, reason).await?;
        if refusal.needs_subscription() {
            return Ok(Error::SubscriptionNeeded(refusal.sentence().to_owned()));
        }
        let offers =
            matches!(refusal, Refusal::BedTaken | Refusal::BedOffered | Refusal::BedDisabled | Refusal::BedUnknown);
        let next_free_bed = match self.command.bed().filter(|_| offers) {
            Some(bed) => self.other_bed(bed).await?,
            None => None,
        };
        let changed_by = self.changed_by(refusal).await?;
        let message = refusal.sentence().to_owned();
        let code = refusal.code();
        Ok(Error::Conflict(Box::new(Conflict {
            message,
            code,
            guest: Some(guest),
            next_free_bed,
            changed_by,
            ..Conflict::default()
        })))
    }

    /// Returns who made the change that this command met: who put another guest into the bed, else who last decided
    /// about this guest. An extended hold makes a version stale, but is never the reason for a refusal. `None` if no
    /// decision was the reason, as with a disabled bed.
    async fn changed_by(&self, refusal: Refusal) -> Result<Option<ChangedBy>> {
        let user_id = self.caller.actor.user_id;
        let about_beds = [
            Refusal::BedOffered,
            Refusal::BedDisabled,
            Refusal::BedUnknown,
            Refusal::BedVacant,
            Refusal::OwnBed,
            Refusal::PlacementReasonNeeded,
            Refusal::PlacementNeedsAdmin,
        ];
        let mut tx = self.app.db.read().await?;
        match (refusal, self.command.bed()) {
            (Refusal::BedTaken, Some(bed)) => changed_by::of_bed(&mut tx, bed, user_id).await,
            (refusal, _) if refusal.is_about_undo() || about_beds.contains(&refusal) => Ok(None),
            _ => changed_by::last_of_guest(&mut tx, self.id, user_id, false).await,
        }
    }

    /// Returns the free bed that is nearest to `near`.
    async fn other_bed(&self, near: BedId) -> Result<Option<BedPlace>> {
        let mut tx = self.app.db.read().await?;
        let loaded = board::load(&mut tx, &self.site).await?;
        match next_free_bed(&loaded.board, near) {
            Some(bed) => Ok(Some(board::place(&mut tx, bed).await?)),
            None => Ok(None),
        }
    }
}

/// Accepts a guest who was added in the same change into a bed.
pub async fn accept_new(
    change: &mut change::Change,
    (caller, site): (&Caller, &Site),
    (id, bed): (GuestId, BedId),
) -> Result<(), Failure> {
    let (app, now, tx) = (&change.app, change.now, &mut change.tx);
    let command = Command::Accept { bed };
    let (guest, loaded) = board::load_for(tx, site, id, &command, now).await?;
    let decided = decide(&loaded.board, &guest, &command, now)?;
    placement::check(tx, (caller, site), &Ordered { command: &command, change: &decided, reason: None }).await?;
    let (user_id, at) = (caller.actor.user_id, loaded.moment(&guest, &decided, now));
    let writer = Writer { app, site, by: &change.by, user_id: Some(user_id), at, codes: &loaded.codes };
    writer.write(tx, &decided).await
}

/// Returns a guest who was added in the same change, as the caller may see them.
pub async fn show_new(
    tx: &mut berth_db::Tx,
    (caller, site): (&Caller, &Site),
    id: GuestId,
    now: berth_domain::time::Timestamp,
) -> Result<GuestView, Failure> {
    Ok(GuestView::load(tx, site, id, view_of(caller, site), now).await?)
}

/// Returns the ETag of a guest: its version, quoted.
pub(super) fn tag(guest: &GuestView) -> String {
    format!("\"{}\"", guest.version)
}
