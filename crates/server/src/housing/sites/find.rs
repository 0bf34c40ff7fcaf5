//! The sites that a search finds by name.

use std::collections::HashMap;

use berth_db::Tx;
use berth_domain::id::{OrganizationId, SiteId};
use berth_domain::limits::MAX_FOUND;
use berth_domain::time::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use crate::Result;
use crate::housing::guests;
use crate::housing::search::{Scope, SeenSite, Text};

/// A site in the results of a search.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FoundSite {
    /// The site.
    id: SiteId,
    /// Its name.
    name: String,
    /// Its organization.
    organization_id: OrganizationId,
    /// The name of the organization.
    organization_name: String,
    /// True if the organization is commercial.
    is_commercial: bool,
    /// Vacant beds that no pending reservation needs, at least 0.
    available: i64,
}

/// Finds sites of the scope, the best match first, then by name.
pub async fn find(tx: &mut Tx, scope: &Scope, text: &Text, now: Timestamp) -> Result<Vec<FoundSite>> {
    const NAMED: &str = "SELECT s.id, s.name, s.name_key, s.organization_id, o.name AS organization_name, o.is_commercial \
        FROM sites s JOIN organizations o ON o.id = s.organization_id AND o.deleted_at IS NULL \
        WHERE s.deleted_at IS NULL AND (s.name_key LIKE $1 ESCAPE '\\' OR s.name_key LIKE $2 ESCAPE '\\') \
        ORDER BY CASE WHEN s.name_key LIKE $1 ESCAPE '\\' THEN 0 ELSE 1 END, s.name_key COLLATE \"C\", s.id LIMIT $3";
    const AVAILABLE: &str = concat!(
        "SELECT s.id, COALESCE(c.beds - c.disabled - c.occupied - c.offered, 0) - (SELECT COUNT(*) FROM guests g \
         WHERE g.site_id = s.id AND ",
        guests::is_pending!("g.", "$1"),
        ") FROM sites s LEFT JOIN site_counts c ON c.site_id = s.id WHERE s.id IN ($2..)"
    );
    let found: Vec<SeenSite> = match scope {
        Scope::Platform => {
            let [beginning, word] = text.patterns();
            let limit = i64::try_from(MAX_FOUND).unwrap_or(i64::MAX);
            tx.query(NAMED).bind(beginning).bind(word).bind(limit).all().await?
        }
        Scope::Sites(seen) => {
            let ranked = seen.iter().filter_map(|site| Some((text.rank(&site.name_key)?, site)));
            let mut ranked: Vec<_> = ranked.collect();
            ranked.sort_by_key(|(rank, _)| *rank);
            ranked.into_iter().take(MAX_FOUND).map(|(_, site)| site.clone()).collect()
        }
    };
    if found.is_empty() {
        return Ok(Vec::new());
    }
    let rows: Vec<(SiteId, i64)> =
        tx.query(AVAILABLE).bind(now).bind_list(found.iter().map(|site| site.id)).all().await?;
    let available: HashMap<SiteId, i64> = rows.into_iter().collect();
    let view = |site: SeenSite| FoundSite {
        available: available.get(&site.id).copied().unwrap_or_default().max(0),
        id: site.id,
        name: site.name,
        organization_id: site.organization_id,
        organization_name: site.organization_name,
        is_commercial: site.is_commercial,
    };
    Ok(found.into_iter().map(view).collect())
}
