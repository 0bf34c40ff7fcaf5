//! `GET /api/Search`: guests, sites, organizations and users, by what people type (docs/decisions/0064).
//!
//! Each noun finds its own records in its `find.rs`: [`guests::find`], [`sites::find`], [`organizations::find`] and
//! [`access_users::find`]. This folder has what they share: the [`Text`] and the [`Scope`].

mod scope;
mod text;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use berth_domain::value::visible;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::admin::access_users::{self, FoundUser};
use crate::admin::audit_log::{self, AuditAction, Look, Repeats, Shown};
use crate::admin::organizations::{self, FoundOrganization};
use crate::auth::caller::Caller;
use crate::housing::guests::{self, FoundGuest};
use crate::housing::sites::{self, FoundSite};
use crate::http::body::Query;
use crate::{App, Result};

pub use scope::{Scope, SeenSite};
pub use text::{Rank, Text, phone_patterns, range};

/// What to search for.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct SearchQuery {
    /// The beginning of a name, a code, or digits of a phone number. 2 to 50 characters.
    query: String,
}

/// What was found, at most 8 of each kind, the best match first.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SearchResults)]
pub struct SearchResults {
    /// Guests of all sites that the caller may see: the one with exactly this code, then current guests, then past ones.
    guests: Vec<FoundGuest>,
    /// Sites that the caller may see.
    sites: Vec<FoundSite>,
    /// Organizations that the caller may see.
    organizations: Vec<FoundOrganization>,
    /// Access users that the caller manages.
    users: Vec<FoundUser>,
}

/// Finds guests by name, code or phone number, sites, organizations and users by name. Names match at the beginning first, then at the
/// beginning of another word. Phone numbers need three digits, and the caller's right to see the guest's contact: those of current guests
/// match anywhere, those of past guests by their last digits at least. Each search is recorded in the audit log with the guests that it
/// shows (I11).
#[utoipa::path(get, path = "/api/Search", tag = "Search", params(SearchQuery),
    responses((status = 200, body = SearchResults)))]
pub async fn search(
    State(app): State<App>,
    caller: Caller,
    Query(SearchQuery { query }): Query<SearchQuery>,
) -> Result<Response> {
    let text = Text::parse(&query)?;
    let mut tx = app.db.read().await?;
    let scope = Scope::load(&mut tx, &caller).await?;
    let (guests, shown) = guests::find(&mut tx, &caller, &scope, &text, app.now()).await?;
    let found = SearchResults {
        guests,
        sites: sites::find(&mut tx, &scope, &text, app.now()).await?,
        organizations: organizations::find(&mut tx, &caller, &scope, &text).await?,
        users: access_users::find(&mut tx, &caller, &scope, &text).await?,
    };
    drop(tx);
    let action = AuditAction::GuestsSearched;
    let query = Some(visible(&query));
    let look = |organization_id| Look {
        caller: &caller,
        site: None,
        organization_id,
        action,
        query: query.clone(),
        repeats: Repeats::Always,
    };
    let found = Shown::of(&found)?;
    // One row for each organization, whose owners see it in their log.
    let bytes = if shown.is_empty() {
        found.noted(&app, look(None)).await?
    } else {
        let looks = shown.into_iter().map(|(organization, guests)| (look(Some(organization)), guests));
        found.noted_each(&app, looks.collect()).await?
    };
    Ok(audit_log::json(StatusCode::OK, bytes))
}
