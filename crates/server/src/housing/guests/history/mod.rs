//! Pages of a site's history: its guests in the requested states, with exact totals, even for sites with hundreds of
//! thousands of past guests (docs/decisions/0044).
//!
//! Discharged, rejected and expired guests are three lists that grow at their newest end, each with an index of its
//! own. The guests of a page are found in that index alone; [`marks`] avoids counting a long list for every page.

mod marks;

pub use marks::HistoryMarks;

use std::collections::HashMap;

use axum::http::HeaderMap;
use axum::response::Response;
use berth_db::{Query, Tx};
use berth_domain::guest::GuestStatus;
use berth_domain::id::GuestId;
use sha2::{Digest, Sha256};

use super::list::{ListQuery, views};
use super::state::{is_open, is_pending};
use super::view::{GuestRow, ServiceRow, select_guests};
use crate::admin::audit_log::{Look, Shown};
use crate::auth::caller::Site;
use crate::http::cache::View;
use crate::http::etag;
use crate::http::paging::Page;
use crate::{App, Result};
use marks::{Ended, Search};

/// Answers with one page of the guests in the requested states, newest first.
pub(super) async fn page(
    app: &App,
    headers: &HeaderMap,
    look: Look<'_>,
    site: &Site,
    view: View,
    (query, states, page): (&ListQuery, &[GuestStatus], Page),
) -> Result<Response> {
    const THEIR_SERVICES: &str = "SELECT guest_id, service_id FROM guest_services WHERE guest_id IN ($1..)";
    let now = app.now();
    let search = Search { site: site.id, pattern: query.pattern(), now };
    let mut tx = app.db.read().await?;
    let (total, rows) = match Source::of(states) {
        Source::Active => active(&mut tx, &search, states, page).await?,
        Source::Ended(list) => {
            let (total, ids) = marks::find(&app.history, &mut tx, &search, list, page).await?;
            (total, by_id(&mut tx, &ids).await?)
        }
        Source::Mixed => mixed(&mut tx, &search, states, page).await?,
    };
    let services: Vec<ServiceRow> = tx.query(THEIR_SERVICES).bind_list(rows.iter().map(GuestRow::id)).all().await?;
    drop(tx);
    let shown = Shown::of(&page.of(views(rows, &services, site, view, now), total))?;
    let bytes = shown.noted(app, look.asking(query.describe(states, page))).await?;
    let tag = hex::encode(&Sha256::digest(&bytes)[..12]);
    Ok(etag::answer(headers, &tag, bytes))
}

/// The place where guests in the requested states are found.
enum Source {
    /// Among the few that are pending or have a bed.
    Active,
    /// In one of the three long lists.
    Ended(Ended),
    /// Among all guests of the site.
    Mixed,
}

impl Source {
    fn of(states: &[GuestStatus]) -> Self {
        let all = |fits: fn(&GuestStatus) -> bool| states.iter().all(fits);
        if all(|state| state.is_active()) {
            Self::Active
        } else if all(|state| *state == GuestStatus::Discharged) {
            Self::Ended(Ended::Discharged)
        } else if all(|state| *state == GuestStatus::Rejected) {
            Self::Ended(Ended::Rejected)
        } else if all(|state| *state == GuestStatus::Expired) {
            Self::Ended(Ended::Expired)
        } else {
            Self::Mixed
        }
    }
}

/// Pending and assigned guests, never more than the site has beds. One flag for each state, so that one SQL text serves
/// every combination.
macro_rules! active_guests {
    () => {
        concat!(
            "WHERE g.site_id = $1 AND ",
            is_open!("g."),
            " AND ($2 OR g.first_name_key LIKE $3 ESCAPE '\\') AND (\
             ($4 AND g.accepted_at IS NULL AND (g.expires_at IS NULL OR g.expires_at > $7)) \
             OR ($5 AND g.accepted_at IS NOT NULL AND g.reassigned_at IS NULL) \
             OR ($6 AND g.reassigned_at IS NOT NULL))"
        )
    };
}

async fn active(tx: &mut Tx, search: &Search, states: &[GuestStatus], page: Page) -> Result<(i64, Vec<GuestRow>)> {
    const COUNT: &str = concat!("SELECT COUNT(*) FROM guests g ", active_guests!());
    const PAGE: &str = select_guests!(
        active_guests!(),
        " ORDER BY COALESCE(g.accepted_at, g.created_at) DESC, g.id DESC LIMIT $8 OFFSET $9"
    );
    const KNOWN: [GuestStatus; 3] = [GuestStatus::Pending, GuestStatus::Accepted, GuestStatus::Reassigned];
    let total = choose(tx.query(COUNT), search, states, &KNOWN).scalar().await?;
    let rows = choose(tx.query(PAGE), search, states, &KNOWN).bind(page.size).bind(page.offset()).all().await?;
    Ok((total, rows))
}

/// Guests of several lists at once. One flag for each state, as above. It reads all guests of the site; no screen asks
/// for it.
macro_rules! any_guests {
    () => {
        concat!(
            "WHERE g.site_id = $1 AND ($2 OR g.first_name_key LIKE $3 ESCAPE '\\') AND (\
             ($4 AND ",
            is_pending!("g.", "$10"),
            ") OR ($5 AND g.accepted_at IS NOT NULL AND g.discharged_at IS NULL AND g.reassigned_at IS NULL) \
             OR ($6 AND g.reassigned_at IS NOT NULL AND g.discharged_at IS NULL) \
             OR ($7 AND g.rejected_at IS NOT NULL) OR ($8 AND g.discharged_at IS NOT NULL) \
             OR ($9 AND g.accepted_at IS NULL AND g.rejected_at IS NULL \
             AND (g.expired_at IS NOT NULL OR g.expires_at <= $10)))"
        )
    };
}

async fn mixed(tx: &mut Tx, search: &Search, states: &[GuestStatus], page: Page) -> Result<(i64, Vec<GuestRow>)> {
    const COUNT: &str = concat!("SELECT COUNT(*) FROM guests g ", any_guests!());
    const PAGE: &str = select_guests!(any_guests!(), " ORDER BY g.created_at DESC, g.id DESC LIMIT $11 OFFSET $12");
    let known = GuestStatus::ALL;
    let total = choose(tx.query(COUNT), search, states, known).scalar().await?;
    let rows = choose(tx.query(PAGE), search, states, known).bind(page.size).bind(page.offset()).all().await?;
    Ok((total, rows))
}

/// Binds the site, the search, one flag for each of `known`, and the time.
fn choose<'a>(query: Query<'a>, search: &Search, states: &[GuestStatus], known: &[GuestStatus]) -> Query<'a> {
    let query = search.bind_pattern(query.bind(search.site));
    known.iter().fold(query, |query, state| query.bind(states.contains(state))).bind(search.now)
}

/// Returns the guests with these ids, in this order.
async fn by_id(tx: &mut Tx, ids: &[GuestId]) -> Result<Vec<GuestRow>> {
    const GUESTS: &str = select_guests!("WHERE g.id IN ($1..)");
    let rows: Vec<GuestRow> = tx.query(GUESTS).bind_list(ids.iter().copied()).all().await?;
    let mut found: HashMap<GuestId, GuestRow> = rows.into_iter().map(|row| (row.id(), row)).collect();
    Ok(ids.iter().filter_map(|id| found.remove(id)).collect())
}
