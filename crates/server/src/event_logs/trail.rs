//! The whole trail (DESIGN 6, "Internal audit tab"): who did what, when, where, to what and from where, reads of guests
//! included. Names of places and things are looked up for the rows of the page alone; a guest is told by the code.

use std::collections::HashMap;

use axum::Json;
use axum::extract::State;
use berth_domain::id::{OrganizationId, SiteId};
use berth_domain::time::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::page::{PagingMetadata, read};
use crate::audit::lists::List;
use crate::body::Query;
use crate::caller::Caller;
use crate::paging::{PageQuery, Paged};
use crate::{App, Result};

/// A row of the trail.
#[derive(Debug, Serialize, ToSchema, sqlx::FromRow)]
#[serde(rename_all = "camelCase")]
pub struct TrailEntry {
    /// The row.
    id: Uuid,
    /// When it was done.
    at: Timestamp,
    /// What was done, such as `guest.accepted`.
    action: String,
    /// Who did it; null for jobs, the command line and who was not signed in. Of a failed sign-in: the login.
    actor_email: Option<String>,
    /// The strongest role that person had there.
    actor_role: Option<String>,
    /// At which organization, if at a place.
    organization_id: Option<OrganizationId>,
    /// Its name.
    organization_name: Option<String>,
    /// At which site, if at one.
    site_id: Option<SiteId>,
    /// Its name.
    site_name: Option<String>,
    /// What kind of thing it was done to, such as `guest`.
    object_type: Option<String>,
    /// Which.
    object_id: Option<Uuid>,
    /// How people call it: the code of a guest, the e-mail of a user, the name of a place.
    object_name: Option<String>,
    /// What the server wrote down, in English; ids of beds are put into names.
    summary: String,
    /// The requester's address; `job` or `command line` where there was none.
    address: String,
}

/// A page of the trail.
#[derive(Debug, Serialize, ToSchema)]
pub struct Trail {
    #[serde(flatten)]
    page: Paged<TrailEntry>,
    /// The same numbers by the names of the spec.
    metadata: PagingMetadata,
}

/// The ids that stand in a summary.
fn ids_in(summary: &str) -> impl Iterator<Item = &str> {
    let words = summary.split(|letter: char| !letter.is_ascii_hexdigit() && letter != '-');
    words.filter(|word| word.len() == 36 && Uuid::try_parse(word).is_ok())
}

/// Puts the names of beds in the place of their ids.
async fn name_beds(app: &App, entries: &mut [TrailEntry]) -> Result<()> {
    const BEDS: &str = "SELECT id, name FROM beds WHERE id IN ($1..)";
    let ids: Vec<Uuid> =
        entries.iter().flat_map(|entry| ids_in(&entry.summary)).filter_map(|id| id.parse().ok()).collect();
    if ids.is_empty() {
        return Ok(());
    }
    let beds: Vec<(Uuid, String)> = app.db.query(BEDS).bind_list(ids).all().await?;
    let names: HashMap<String, String> = beds.into_iter().map(|(id, name)| (id.to_string(), name)).collect();
    for entry in entries {
        let known: Vec<String> =
            ids_in(&entry.summary).filter(|id| names.contains_key(*id)).map(str::to_owned).collect();
        for id in known {
            entry.summary = entry.summary.replace(&id, &names[&id]);
        }
    }
    Ok(())
}

/// Everything that is on record, newest first: changes, reads, sign-ins.
#[utoipa::path(get, path = "/api/EventLogs/internal", tag = "EventLogs", params(PageQuery),
    responses((status = 200, body = Trail)))]
pub async fn internal(State(app): State<App>, caller: Caller, Query(page): Query<PageQuery>) -> Result<Json<Trail>> {
    const PAGE: &str = "SELECT a.id, a.at, a.action, \
        COALESCE(a.actor_email, (SELECT u.email FROM users u WHERE u.id = a.actor_id)) AS actor_email, a.actor_role, \
        a.organization_id, (SELECT o.name FROM organizations o WHERE o.id = a.organization_id) AS organization_name, \
        a.site_id, (SELECT s.name FROM sites s WHERE s.id = a.site_id) AS site_name, a.object_type, a.object_id, \
        CASE a.object_type \
        WHEN 'guest' THEN (SELECT g.code FROM guests g WHERE g.id = a.object_id) \
        WHEN 'bed' THEN (SELECT b.name FROM beds b WHERE b.id = a.object_id) \
        WHEN 'room' THEN (SELECT r.name FROM rooms r WHERE r.id = a.object_id) \
        WHEN 'site' THEN (SELECT s.name FROM sites s WHERE s.id = a.object_id) \
        WHEN 'organization' THEN (SELECT o.name FROM organizations o WHERE o.id = a.object_id) \
        WHEN 'insuranceCompany' THEN (SELECT i.name FROM insurance_companies i WHERE i.id = a.object_id) \
        WHEN 'user' THEN (SELECT u.email FROM users u WHERE u.id = a.object_id) \
        WHEN 'insuranceCompany' THEN (SELECT i.name FROM insurance_companies i WHERE i.id = a.object_id) \
        WHEN 'card' THEN (SELECT c.brand || ' ' || c.last_four FROM saved_cards c WHERE c.id = a.object_id) \
        WHEN 'membership' THEN (SELECT u.email FROM memberships m JOIN users u ON u.id = m.user_id \
            WHERE m.id = a.object_id) \
        END AS object_name, a.summary, a.address \
        FROM (SELECT id FROM audit WHERE id > $1 AND id <= $2 ORDER BY id DESC LIMIT $3 OFFSET $4) p \
        CROSS JOIN audit a WHERE a.id = p.id ORDER BY a.id DESC";
    let mut page: Paged<TrailEntry> = read(&app, &caller, (List::Whole, page.page()), PAGE).await?;
    name_beds(&app, &mut page.items).await?;
    Ok(Json(Trail { metadata: PagingMetadata::from(&page), page }))
}

#[cfg(test)]
mod tests {
    use super::ids_in;

    #[test]
    fn ids_are_found_in_a_sentence_and_nothing_else_is() {
        let summary =
            "K7M2QX from bed 0199a1b2-0000-7000-8000-0000000000aa to bed 0199a1b2-0000-7000-8000-0000000000ab.";
        let ids: Vec<&str> = ids_in(summary).collect();
        assert_eq!(ids, ["0199a1b2-0000-7000-8000-0000000000aa", "0199a1b2-0000-7000-8000-0000000000ab"]);
        assert_eq!(ids_in("version 12; house 0199a1b2-0000 is now ----").count(), 0);
    }
}
