//! The guests of a site: the whole board without Status, pages of the history with it (DESIGN 6).

use axum::http::HeaderMap;
use axum::response::Response;
use berth_domain::guest::GuestStatus;
use berth_domain::id::SiteId;
use berth_domain::time::{Timestamp, next_midnight};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use utoipa::IntoParams;

use super::view::{GuestRow, GuestView, ServiceRow, by_guest, select_guests};
use crate::audit::{Look, Shown};
use crate::cache::{Kind, Rendered, View};
use crate::caller::Site;
use crate::paging::Page;
use crate::sites::contains;
use crate::{App, Error, Result, etag};

/// Which guests are asked for.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ListQuery {
    /// Of which site.
    #[serde(rename = "siteId")]
    pub(super) site_id: SiteId,
    /// States, in any case, repeated or with commas between. Without one: all pending and assigned guests.
    #[serde(default, rename = "Status", alias = "status")]
    status: Vec<String>,
    /// Part of the first name; with Status only.
    #[serde(default)]
    search: Option<String>,
}

impl ListQuery {
    /// The states asked for; none of them: the board.
    pub(super) fn states(&self) -> Result<Vec<GuestStatus>> {
        let words = self.status.iter().flat_map(|text| text.split(',')).map(str::trim).filter(|text| !text.is_empty());
        let state = |text: &str| match text.to_lowercase().as_str() {
            // The spec's list of states holds swap; such a guest has moved.
            "swap" => Ok(GuestStatus::Reassigned),
            _ => GuestStatus::parse(text).ok_or_else(|| {
                Error::field("/Status", "Choose from: pending, accepted, reassigned, rejected, discharged, expired.")
            }),
        };
        words.map(state).collect()
    }

    /// What was asked for, for the trail.
    fn told(&self, states: &[GuestStatus], page: Page) -> String {
        let states: Vec<&str> = states.iter().map(|state| state.as_str()).collect();
        let search = self.search.as_deref().map(str::trim).filter(|search| !search.is_empty());
        let search = search.map(|search| format!(", name contains \"{search}\"")).unwrap_or_default();
        format!("{}{search}, page {} of {} rows each", states.join(" or "), page.number, page.size)
    }

    /// The pattern that finds the first names asked for; none: every name.
    fn pattern(&self) -> Option<String> {
        let search = self.search.as_deref().map(str::trim).filter(|search| !search.is_empty());
        search.map(contains)
    }
}

/// Answers the board: the bytes of this version and view, rendered anew only when they are no longer true.
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
    const VERSION: &str = "SELECT version FROM sites WHERE id = $1";
    const ACTIVE: &str = select_guests!(
        "WHERE g.site_id = $1 AND g.rejected_at IS NULL AND g.expired_at IS NULL AND g.discharged_at IS NULL \
         AND (g.accepted_at IS NOT NULL OR g.expires_at IS NULL OR g.expires_at > $2) \
         ORDER BY g.created_at DESC, g.id DESC"
    );
    const THEIR_SERVICES: &str = "SELECT x.guest_id, x.service_id FROM guest_services x \
        JOIN guests g ON g.id = x.guest_id \
        WHERE g.site_id = $1 AND g.rejected_at IS NULL AND g.expired_at IS NULL AND g.discharged_at IS NULL";
    // One view of the database, so that bytes and version belong together.
    let mut tx = app.db.read().await?;
    let version: i64 = tx.query(VERSION).bind(site.id).scalar().await?;
    let rows: Vec<GuestRow> = tx.query(ACTIVE).bind(site.id).bind(now).all().await?;
    let services: Vec<ServiceRow> = tx.query(THEIR_SERVICES).bind(site.id).all().await?;
    drop(tx);
    let items = views(rows, &services, site, view, now);
    let ends = items.iter().filter(|guest| guest.accepted_at.is_none()).filter_map(|guest| guest.expires_at);
    let valid_until = ends.chain([next_midnight(now, &site.time_zone)]).min().unwrap_or(now);
    let count = i64::try_from(items.len()).unwrap_or(i64::MAX);
    let page = Page::whole(items.len()).of(items, count);
    let board = Rendered { version, valid_from: now, valid_until, shown: Shown::of(&page)? };
    app.boards.put((Kind::Guests, site.id, view), board.clone());
    Ok(board)
}

/// Which guests a page is cut from. One flag for each state, so that there is one text for all choices. "Not
/// discharged" follows from "not accepted"; said so that the index of active guests serves.
macro_rules! chosen {
    () => {
        "WHERE g.site_id = $1 AND ($2 OR g.first_name_key LIKE $3 ESCAPE '\\') AND (\
         ($4 AND g.accepted_at IS NULL AND g.rejected_at IS NULL AND g.expired_at IS NULL AND g.discharged_at IS NULL \
            AND (g.expires_at IS NULL OR g.expires_at > $10)) \
         OR ($5 AND g.accepted_at IS NOT NULL AND g.discharged_at IS NULL AND g.reassigned_at IS NULL) \
         OR ($6 AND g.reassigned_at IS NOT NULL AND g.discharged_at IS NULL) \
         OR ($7 AND g.rejected_at IS NOT NULL) \
         OR ($8 AND g.discharged_at IS NOT NULL) \
         OR ($9 AND g.accepted_at IS NULL AND g.rejected_at IS NULL \
            AND (g.expired_at IS NOT NULL OR g.expires_at <= $10)))"
    };
}

/// Answers one page of the guests in the states asked for, newest first.
pub(super) async fn history(
    app: &App,
    headers: &HeaderMap,
    look: Look<'_>,
    site: &Site,
    view: View,
    (ask, states, page): (&ListQuery, &[GuestStatus], Page),
) -> Result<Response> {
    const COUNT: &str = concat!("SELECT COUNT(*) FROM guests g ", chosen!());
    const PAGE: &str = select_guests!(chosen!(), " ORDER BY g.created_at DESC, g.id DESC LIMIT $11 OFFSET $12");
    const THEIR_SERVICES: &str = "SELECT guest_id, service_id FROM guest_services WHERE guest_id IN ($1..)";
    let now = app.now();
    let pattern = ask.pattern();
    let mut tx = app.db.read().await?;
    let total: i64 = choose(tx.query(COUNT), site, pattern.as_ref(), states, now).scalar().await?;
    let rows: Vec<GuestRow> =
        choose(tx.query(PAGE), site, pattern.as_ref(), states, now).bind(page.size).bind(page.offset()).all().await?;
    let services: Vec<ServiceRow> = tx.query(THEIR_SERVICES).bind_list(rows.iter().map(GuestRow::id)).all().await?;
    drop(tx);
    let shown = Shown::of(&page.of(views(rows, &services, site, view, now), total))?;
    let bytes = shown.noted(app, look.asking(ask.told(states, page))).await?;
    let tag = hex::encode(&Sha256::digest(&bytes)[..12]);
    Ok(etag::answer(headers, &tag, bytes))
}

/// Binds `$1` to `$10` of [`chosen`].
fn choose<'a>(
    query: berth_db::Query<'a>,
    site: &Site,
    pattern: Option<&String>,
    states: &[GuestStatus],
    now: Timestamp,
) -> berth_db::Query<'a> {
    let wanted = |state: GuestStatus| states.contains(&state);
    query
        .bind(site.id)
        .bind(pattern.is_none())
        .bind(pattern.cloned().unwrap_or_default())
        .bind(wanted(GuestStatus::Pending))
        .bind(wanted(GuestStatus::Accepted))
        .bind(wanted(GuestStatus::Reassigned))
        .bind(wanted(GuestStatus::Rejected))
        .bind(wanted(GuestStatus::Discharged))
        .bind(wanted(GuestStatus::Expired))
        .bind(now)
}

fn views(rows: Vec<GuestRow>, services: &[ServiceRow], site: &Site, view: View, now: Timestamp) -> Vec<GuestView> {
    let mut services = by_guest(services);
    let mut one = |row: GuestRow| {
        let chosen = services.remove(&row.id()).unwrap_or_default();
        GuestView::of(row, chosen, site, view, now)
    };
    rows.into_iter().map(&mut one).collect()
}
