//! `GET /api/Guests`: the guests of a site. Without `Status` the whole board (DESIGN 6); with it, a page of the
//! `history`.

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use berth_domain::guest::GuestStatus;
use berth_domain::id::SiteId;
use berth_domain::policy::Action;
use berth_domain::time::{Timestamp, next_midnight};
use serde::Deserialize;
use utoipa::IntoParams;

use super::history;
use super::state::{is_active, is_open};
use super::view::{self, GuestRow, GuestView, ServiceRow, by_guest, select_guests};
use crate::admin::audit_log::{AuditAction, Look, Shown};
use crate::auth::caller::{Caller, Site, select_site};
use crate::http::body::Query;
use crate::http::cache::{Kind, Rendered, View};
use crate::http::etag;
use crate::http::paging::{Page, PageQuery, Paged};
use crate::http::search::contains;
use crate::{App, Error, Result};

/// Lists the guests of a site, newest first. Without `Status`: all pending and assigned guests on one page. With
/// `Status`: in pages, and `search` finds part of the first name. Assigned guests are sorted by the time of their
/// accept; discharged, rejected and expired guests by the time of their end; a mix of states by the time of the
/// reservation.
#[utoipa::path(get, path = "/api/Guests", tag = "Guests", params(ListQuery, PageQuery), responses(
    (status = 200, description = "newest first", body = Paged<GuestView>),
    (status = 304, description = "not modified")))]
pub async fn list(
    State(app): State<App>,
    caller: Caller,
    headers: HeaderMap,
    Query(query): Query<ListQuery>,
    Query(page): Query<PageQuery>,
) -> Result<Response> {
    let site = caller.site(query.site_id, Action::ViewGuests).await?;
    let states = query.states()?;
    let view = view::view_of(&caller, &site);
    let look = Look::at(&caller, &site, AuditAction::GuestsListed);
    if states.is_empty() {
        return board(&app, &headers, look, &site, view).await;
    }
    history::page(&app, &headers, look, &site, view, (&query, &states, page.page())).await
}

/// The filter of a list of guests.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ListQuery {
    /// The site.
    #[serde(rename = "siteId")]
    pub(super) site_id: SiteId,
    /// States in upper or lower case, repeated or separated by commas. Without any: all pending and assigned guests.
    #[serde(default, rename = "Status", alias = "status")]
    status: Vec<String>,
    /// Part of the first name. Only used together with `Status`.
    #[serde(default)]
    search: Option<String>,
}

impl ListQuery {
    /// Returns the requested states; empty for the board.
    pub(super) fn states(&self) -> Result<Vec<GuestStatus>> {
        let words = self.status.iter().flat_map(|text| text.split(',')).map(str::trim).filter(|text| !text.is_empty());
        let state = |text: &str| match text.to_lowercase().as_str() {
            // The spec lists SWAP as a state: a guest who was reassigned.
            "swap" => Ok(GuestStatus::Reassigned),
            _ => GuestStatus::parse(text).ok_or_else(|| {
                Error::field("/Status", "Choose from: pending, accepted, reassigned, rejected, discharged, expired.")
            }),
        };
        words.map(state).collect()
    }

    /// Describes the query for the audit log.
    pub(super) fn describe(&self, states: &[GuestStatus], page: Page) -> String {
        let states: Vec<&str> = states.iter().map(|state| state.as_str()).collect();
        let search = self.search.as_deref().map(str::trim).filter(|search| !search.is_empty());
        let search = search.map(|search| format!(", name contains \"{search}\"")).unwrap_or_default();
        format!("{}{search}, page {} of {} rows each", states.join(" or "), page.number, page.size)
    }

    /// Returns the LIKE pattern for the first name. `None` matches every name.
    pub(super) fn pattern(&self) -> Option<String> {
        let search = self.search.as_deref().map(str::trim).filter(|search| !search.is_empty());
        search.map(contains)
    }
}

/// Answers with the board, from the cache if the cached bytes are still current.
pub(super) async fn board(app: &App, headers: &HeaderMap, look: Look<'_>, site: &Site, view: View) -> Result<Response> {
    let now = app.now();
    let kept = app.boards.get((Kind::Guests, site.id, view), site.version, now);
    let board = match kept {
        Some(board) => board,
        None => render(app, site, view, now).await?,
    };
    let tag = board.tag(view);
    let bytes = board.shown.noted(app, look.of_version(board.version)).await?;
    Ok(etag::answer(headers, &tag, bytes))
}

async fn render(app: &App, site: &Site, view: View, now: Timestamp) -> Result<Rendered> {
    const SITE: &str = select_site!("WHERE s.id = $1");
    const ACTIVE: &str =
        select_guests!("WHERE g.site_id = $1 AND ", is_active!("g.", "$2"), " ORDER BY g.created_at DESC, g.id DESC");
    const THEIR_SERVICES: &str = concat!(
        "SELECT x.guest_id, x.service_id FROM guest_services x JOIN guests g ON g.id = x.guest_id \
         WHERE g.site_id = $1 AND ",
        is_open!("g.")
    );
    // One snapshot of the database, so that bytes and version belong together.
    let mut tx = app.db.read().await?;
    let site: &Site = &tx.query(SITE).bind(site.id).one().await?;
    let rows: Vec<GuestRow> = tx.query(ACTIVE).bind(site.id).bind(now).all().await?;
    let services: Vec<ServiceRow> = tx.query(THEIR_SERVICES).bind(site.id).all().await?;
    drop(tx);
    let items = views(rows, &services, site, view, now);
    let ends = items.iter().filter(|guest| guest.accepted_at.is_none()).filter_map(|guest| guest.expires_at);
    let valid_until = ends.chain([next_midnight(now, &site.time_zone)]).min().unwrap_or(now);
    let count = i64::try_from(items.len()).unwrap_or(i64::MAX);
    let page = Page::whole(items.len()).of(items, count);
    let board = Rendered { version: site.version, valid_from: now, valid_until, shown: Shown::of(&page)? };
    app.boards.put((Kind::Guests, site.id, view), board.clone());
    Ok(board)
}

/// Returns the guests of `rows`, in their order, with the fields that `view` may show.
pub(super) fn views(
    rows: Vec<GuestRow>,
    services: &[ServiceRow],
    site: &Site,
    view: View,
    now: Timestamp,
) -> Vec<GuestView> {
    let mut services = by_guest(services);
    let mut one = |row: GuestRow| {
        let chosen = services.remove(&row.id()).unwrap_or_default();
        GuestView::of(row, chosen, site, view, now)
    };
    rows.into_iter().map(&mut one).collect()
}
