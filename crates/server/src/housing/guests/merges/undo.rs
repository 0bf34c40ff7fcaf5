//! `POST /api/Guests/{id}/unmerge`: undoes the merge of a duplicate.

use std::collections::HashMap;

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use berth_domain::id::{GuestId, SiteId};
use berth_domain::policy::Action;
use berth_domain::stay::{Refusal, UndoFacts, undo_merge};
use serde::Deserialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::admin::audit_log::{AuditAction, Author, Entry, ObjectKind};
use crate::auth::caller::{Caller, Site};
use crate::change::{self, Answer, Change};
use crate::housing::guests::apply::{Writer, check_version};
use crate::housing::guests::board::facts;
use crate::housing::guests::current;
use crate::housing::guests::edit::tag;
use crate::housing::guests::failure::Failure;
use crate::housing::guests::person::PersonKey;
use crate::housing::guests::reserve::retry_overdue;
use crate::housing::guests::undo::reopening;
use crate::housing::guests::view::{GuestView, view_of};
use crate::housing::sites;
use crate::http::body::{Body, Path};
use crate::{App, Error, Result, locks};

/// The merge to undo.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GuestUnmerge {
    /// The version of the reservation that the merge led to. Another version is answered with 412.
    version: i64,
}

/// Undoes the merge of this reservation into another one, at any time. A reservation that ended with the merge is pending again until the
/// end of its hold, if a bed is free for it; if the hold is over, it has expired.
#[utoipa::path(post, path = "/api/Guests/{id}/unmerge", tag = "Guests", request_body = GuestUnmerge,
    params(("id" = GuestId, Path, description = "the reservation that was merged into another one"),
        ("Idempotency-Key" = Option<String>, Header, description = "a repeated request has one effect")),
    responses(
        (status = 200, description = "the reservation after the change", body = GuestView),
        (status = 412, description = "someone else changed the reservation; `guest` is its current state",
            body = crate::http::problem::Problem, content_type = "application/problem+json")))]
pub async fn unmerge(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<GuestId>,
    headers: HeaderMap,
    Body(input): Body<GuestUnmerge>,
) -> Result<Response> {
    let site = caller.guest(id, Action::MergeGuests).await?;
    let persons = app.persons.key(&app).await?;
    let by = Author::caller(&caller, Some(&site));
    let seen = Entry::at(&site, AuditAction::GuestViewed.by(&caller), (ObjectKind::Guest, id.0), "");
    let unmerge = &Unmerge { caller, id, site, persons, version: input.version };
    let asked = &("POST unmerge", id.0, input.version);
    let attempt =
        || change::once_showing(&app, by.clone(), &headers, asked, seen.clone(), |change| unmerge.write(change));
    match retry_overdue(&app, attempt).await {
        Err(Failure::Stale) => Err(current::stale(&app, (&unmerge.caller, &unmerge.site), &by, id).await?),
        unmerged => unmerged.map_err(Failure::into_error),
    }
}

struct Unmerge {
    caller: Caller,
    id: GuestId,
    site: Site,
    persons: PersonKey,
    version: i64,
}

impl Unmerge {
    async fn write(&self, mut change: Change) -> Result<change::Finished<Answer>, Failure> {
        const UNDO: &str = "UPDATE guest_merges SET undone_at = $2, undone_by = $3 WHERE id = $1 AND undone_at IS NULL";
        let Self { caller, id, site, persons, version } = self;
        let merge = self.touch(&mut change).await?;
        let (now, tx) = (change.now, &mut change.tx);
        let (code, guest) = facts(tx, *id).await?;
        check_version(&guest, None, Some(*version))?;
        let again = reopening(tx, (caller, site), *id, *persons, now).await?;
        let undo = UndoFacts { may_undo_all: true, ..again.facts };
        let decided = undo_merge(&guest, again.vacant, &undo, now)?;
        let at = guest.merged_at.map_or(now, |merged| now.max(merged));
        let user_id = caller.actor.user_id;
        tx.query(UNDO).bind(merge).bind(at).bind(user_id).execute().await?;
        let codes = HashMap::from([(*id, code)]);
        let writer = Writer { app: &change.app, site, by: &change.by, user_id: Some(user_id), at, codes: &codes };
        writer.write(tx, &decided).await?;
        let guest = GuestView::load(tx, site, *id, view_of(caller, site), now).await?;
        change.done(Answer::naming(StatusCode::OK, &guest, vec![*id])?.tagged(tag(&guest)))
    }

    /// Locks the organization, then touches the sites of both reservations, in the order of their ids (see [`locks`]). The site of the
    /// reservation that was kept may have been removed. Returns the merge.
    async fn touch(&self, change: &mut Change) -> Result<Uuid, Failure> {
        const MERGE: &str = "SELECT m.id, g.site_id FROM guest_merges m JOIN guests g ON g.id = m.kept_id \
            WHERE m.duplicate_id = $1 AND m.undone_at IS NULL";
        let organization = self.site.organization_id;
        if !locks::organization(&mut change.tx, organization).await? {
            return Err(Error::NotFound.into());
        }
        let merge: Option<(Uuid, SiteId)> = change.tx.query(MERGE).bind(self.id).optional().await?;
        let (merge, kept_site) = merge.ok_or(Refusal::NotMerged)?;
        let own = self.site.id;
        let mut touched = vec![own, kept_site];
        touched.sort_unstable();
        touched.dedup();
        for id in touched {
            let version = if id == own {
                sites::touch(&mut change.tx, id).await?
            } else {
                sites::touch_removed_too(&mut change.tx, id).await?
            };
            change.publish(organization, id, version);
        }
        // The locks may have been waited for.
        change.now = change.app.now();
        Ok(merge)
    }
}
