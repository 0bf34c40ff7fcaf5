//! `POST /api/Search`: guests, sites, organizations and users, by what people type (docs/decisions/0064).
//!
//! Each noun finds its own records in its `find.rs`: [`guests::find`], [`waitlist::find`], [`sites::find`], [`organizations::find`] and
//! [`access_users::find`]. This folder has what they share: the [`Text`] and the [`Scope`].

mod scope;
mod text;

use std::collections::BTreeSet;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use berth_domain::id::OrganizationId;
use berth_domain::value::visible;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::admin::access_users::{self, FoundUser};
use crate::admin::audit_log::{self, AuditAction, Look, Repeats, Shown};
use crate::admin::organizations::{self, FoundOrganization};
use crate::auth::caller::Caller;
use crate::auth::throttle::SEARCH_USER;
use crate::housing::guests::{self, FoundGuest};
use crate::housing::sites::{self, FoundSite};
use crate::housing::waitlist::{self, FoundWaitingGuest};
use crate::http::body::Body;
use crate::{App, Result};

pub use scope::{Scope, SeenSite};
pub use text::{Rank, Text, phone_patterns, range};

/// What to search for. In a body, so that no name or phone number stands in an address, which proxies and browsers keep.
#[derive(Debug, Deserialize, ToSchema)]
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
    /// People on the waitlists of these sites.
    waiting: Vec<FoundWaitingGuest>,
    /// Sites that the caller may see.
    sites: Vec<FoundSite>,
    /// Organizations that the caller may see.
    organizations: Vec<FoundOrganization>,
    /// Access users that the caller manages.
    users: Vec<FoundUser>,
}

/// Finds guests and people on waitlists by name, code or phone number, sites, organizations and users by name. Names match at the beginning first, then at the
/// beginning of another word. Phone numbers need three digits, and the caller's right to see the guest's contact: those of current guests
/// match anywhere, those of past guests by their last digits at least. Each search is recorded in the audit log with the guests that it
/// shows (I11).
#[utoipa::path(post, path = "/api/Search", tag = "Search", request_body = SearchQuery,
    responses((status = 200, body = SearchResults)))]
pub async fn search(
    State(app): State<App>,
    caller: Caller,
    Body(SearchQuery { query }): Body<SearchQuery>,
) -> Result<Response> {
    let text = Text::parse(&query)?;
    app.read_limits.attempt(format!("search:{}", caller.actor.user_id), SEARCH_USER, app.now())?;
    let mut tx = app.db.read().await?;
    let scope = Scope::load(&mut tx, &caller).await?;
    let (guests, shown) = guests::find(&mut tx, &caller, &scope, &text, app.now()).await?;
    let waiting = waitlist::find(&mut tx, &caller, &scope, &text).await?;
    let waiting_at: BTreeSet<OrganizationId> = waiting.iter().map(|person| person.organization_id).collect();
    let found = SearchResults {
        guests,
        waiting,
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
    // Owners see the rows of their organization: those whose guests are shown or, if no guest is, those that were searched.
    let mut looks: Vec<_> = shown.into_iter().map(|(id, guests)| (look(Some(id)), Some(guests))).collect();
    // People on waitlists are no guests: their organizations get a row without guests.
    let others = waiting_at
        .into_iter()
        .filter(|id| looks.iter().all(|(look, _): &(Look<'_>, _)| look.organization_id != Some(*id)));
    let others: Vec<_> = others.collect();
    looks.extend(others.into_iter().map(|id| (look(Some(id)), None)));
    if looks.is_empty() {
        let organizations = scope.organizations();
        // Whom somebody looked for at work for one organization is no matter of another: with several, only the platform's log has the text.
        let is_told = organizations.len() == 1;
        if !is_told {
            looks.push((look(None), None));
        }
        let row = |id| Look { query: query.clone().filter(|_| is_told), ..look(Some(id)) };
        looks.extend(organizations.into_iter().map(|id| (row(id), None)));
    }
    let bytes = found.noted_each(&app, looks).await?;
    Ok(audit_log::json(StatusCode::OK, bytes))
}
