//! `POST /api/Guests/{id}/merge`: merges a duplicate into the guest.

use std::collections::HashMap;

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use berth_domain::guest::GuestStatus;
use berth_domain::id::GuestId;
use berth_domain::policy::Action;
use berth_domain::stay::{self, time_of_merge};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::admin::audit_log::{AuditAction, Author, Entry, ObjectKind};
use crate::auth::caller::{Caller, Site};
use crate::change::{self, Answer, Change};
use crate::housing::guests::apply::{Writer, check_version};
use crate::housing::guests::board::facts;
use crate::housing::guests::current;
use crate::housing::guests::edit::tag;
use crate::housing::guests::failure::Failure;
use crate::housing::guests::view::{GuestView, view_of};
use crate::http::body::{Body, Path};
use crate::jobs::holds;
use crate::{App, Error, Result, locks};

/// The reservation that ends in favor of the one in the path.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GuestMerge {
    /// The other reservation of the same person, at the same organization. It has no bed.
    duplicate_id: GuestId,
    /// The version of the other reservation that the caller saw. Another version is answered with 412.
    #[serde(default)]
    version: Option<i64>,
}

/// Merges another reservation of the same person into this one. If the other one is pending, it ends, and its hold with it; nothing else of
/// the two reservations changes. The answer is the other one. It can be undone.
#[utoipa::path(post, path = "/api/Guests/{id}/merge", tag = "Guests", request_body = GuestMerge,
    params(("id" = GuestId, Path, description = "the reservation to keep"),
        ("Idempotency-Key" = Option<String>, Header, description = "a repeated request has one effect")),
    responses(
        (status = 200, description = "the other reservation after the change", body = GuestView),
        (status = 412, description = "someone else changed the other reservation; `guest` is its current state",
            body = crate::http::problem::Problem, content_type = "application/problem+json")))]
pub async fn merge(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<GuestId>,
    headers: HeaderMap,
    Body(input): Body<GuestMerge>,
) -> Result<Response> {
    let kept_site = caller.guest(id, Action::MergeGuests).await?;
    let unknown =
        || Error::field("/duplicateId", "Choose another reservation of this person at the same organization.");
    let site = match caller.guest(input.duplicate_id, Action::MergeGuests).await {
        Err(Error::NotFound) => return Err(unknown()),
        site => site?,
    };
    if input.duplicate_id == id || site.organization_id != kept_site.organization_id {
        return Err(unknown());
    }
    let merge = Merge { caller, kept: id, duplicate: input.duplicate_id, kept_site, site };
    let seen =
        Entry::at(&merge.site, AuditAction::GuestViewed.by(&merge.caller), (ObjectKind::Guest, merge.duplicate.0), "");
    let by = Author::caller(&merge.caller, Some(&merge.site));
    let (merge, version) = (&merge, input.version);
    let asked = &("POST merge", id.0, input.duplicate_id.0, version);
    let write = |change| merge.write(change, version);
    match change::once_showing(&app, by.clone(), &headers, asked, seen, write).await {
        Err(Failure::Stale) => Err(current::stale(&app, (&merge.caller, &merge.site), &by, merge.duplicate).await?),
        merged => merged.map_err(Failure::into_error),
    }
}

struct Merge {
    caller: Caller,
    kept: GuestId,
    duplicate: GuestId,
    kept_site: Site,
    /// The site of the duplicate.
    site: Site,
}

impl Merge {
    async fn write(&self, mut change: Change, version: Option<i64>) -> Result<change::Finished<Answer>, Failure> {
        const OTHERS: &str = "SELECT COUNT(*) FROM guest_merges WHERE kept_id = $1 AND undone_at IS NULL";
        const RECORD: &str =
            "INSERT INTO guest_merges (id, duplicate_id, kept_id, merged_at, merged_by) VALUES ($1, $2, $3, $4, $5)";
        let Self { caller, kept, duplicate, kept_site, site } = self;
        touch_both(&mut change, kept_site, site).await?;
        let (now, tx) = (change.now, &mut change.tx);
        let (kept_code, kept_facts) = facts(tx, *kept).await?;
        let (code, mut guest) = facts(tx, *duplicate).await?;
        check_version(&guest, None, version)?;
        if guest.status(now) == GuestStatus::Expired && guest.expired_at.is_none() {
            // Otherwise the reservation would be pending again if the clock went back, although it is merged.
            holds::end_overdue_of(&change.app, tx, site, now).await?;
            guest = facts(tx, *duplicate).await?.1;
        }
        let others: i64 = tx.query(OTHERS).bind(*duplicate).scalar().await?;
        let decided = stay::merge(&kept_facts, &guest, others > 0, now)?;
        let (user_id, at) = (caller.actor.user_id, time_of_merge(&guest, now));
        let record = tx.query(RECORD).bind(change.app.id()).bind(*duplicate).bind(*kept).bind(at).bind(user_id);
        record.execute().await?;
        let codes = HashMap::from([(*duplicate, format!("{code} into {kept_code}"))]);
        let writer = Writer { app: &change.app, site, by: &change.by, user_id: Some(user_id), at, codes: &codes };
        writer.write(tx, &decided).await?;
        let guest = GuestView::load(tx, site, *duplicate, view_of(caller, site), now).await?;
        change.done(Answer::naming(StatusCode::OK, &guest, vec![*duplicate])?.tagged(tag(&guest)))
    }
}

/// Locks the organization, then touches the sites of both reservations, in the order of their ids (see [`locks`]).
async fn touch_both(change: &mut Change, first: &Site, second: &Site) -> Result<()> {
    if !locks::organization(&mut change.tx, first.organization_id).await? {
        return Err(Error::NotFound);
    }
    let (first, second) = if first.id < second.id { (first, second) } else { (second, first) };
    change.touch(first).await?;
    if first.id != second.id {
        change.touch(second).await?;
    }
    Ok(())
}
