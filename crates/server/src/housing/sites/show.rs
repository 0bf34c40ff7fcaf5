//! `GET /api/Sites/{id}` and `GET /api/Beds?siteId`: the board of a site, rendered once for each version and view and
//! cached until the time changes it, such as the end of a hold (DESIGN 2, "Reads").

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use berth_db::Tx;
use berth_domain::catalog::{Language, Service};
use berth_domain::id::{OrganizationId, SiteId};
use berth_domain::policy::Action;
use berth_domain::time::{IntakePeriod, Timestamp, next_midnight};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::{SiteCounts, SiteImage, SiteSubscription, board, facts, view};
use crate::admin::audit_log::{AuditAction, Look, Shown};
use crate::admin::organizations::InsuranceCompany;
use crate::auth::caller::{Caller, Site};
use crate::housing::beds::BedView;
use crate::housing::reference::{PaymentMethodView, PaymentOption, ScreeningPeriodView};
use crate::housing::rooms::RoomView;
use crate::http::body::{Path, Query};
use crate::http::cache::{Kind, Rendered, View};
use crate::http::etag;
use crate::{App, Result};

/// A site with its houses, beds and guests.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SiteDetails {
    /// The site.
    pub id: SiteId,
    /// Its name.
    pub name: String,
    /// A second name.
    pub alias: Option<String>,
    /// A description.
    pub description: String,
    /// Its organization.
    pub organization_id: OrganizationId,
    /// The name of the organization.
    pub organization_name: String,
    /// The logo of the organization.
    pub logo_path: Option<String>,
    /// True if the organization is commercial.
    pub is_commercial: bool,
    /// True if the organization is hidden from search, and all of its sites with it.
    pub organization_is_disabled: bool,
    /// True if the site itself is hidden from search.
    pub is_disabled: bool,
    /// Its address.
    pub address: String,
    /// Telephone.
    pub contact_phone: String,
    /// Email.
    pub contact_email: String,
    /// Web site.
    pub contact_web: Option<String>,
    /// The first image.
    pub cover_image: Option<SiteImage>,
    /// Photos, the cover first.
    pub images: Vec<SiteImage>,
    /// IANA time zone, in which nights are counted.
    pub time_zone: String,
    /// How long a reservation from the public side is held.
    pub screening_period: ScreeningPeriodView,
    /// Shortest stay, in days.
    pub length_of_stay_days_min: Option<i64>,
    /// Longest stay, in days.
    pub length_of_stay_days_max: Option<i64>,
    /// When the site takes guests in.
    pub intake_periods: Vec<IntakePeriod>,
    /// Languages spoken.
    pub languages: Vec<Language>,
    /// Services that the site offers, and whom it serves.
    pub services: Vec<Service>,
    /// How guests of a non-commercial site pay.
    pub non_commercial_payment_methods: Vec<PaymentOption>,
    /// How guests of the organization's sites pay.
    pub organization_reservation_payment_methods: Vec<PaymentMethodView>,
    /// Insurance companies of the organization, top ones first.
    pub insurance_companies: Vec<InsuranceCompany>,
    /// Houses with their beds.
    pub rooms: Vec<RoomView>,
    /// Beds, disabled ones included.
    pub count_of_beds: i64,
    /// Enabled beds without a guest.
    pub count_of_vacant_beds: i64,
    /// Houses, beds and guests, counted.
    pub counts: SiteCounts,
    /// Raised by every change to houses, beds and guests.
    pub version: i64,
    /// Raised by edits of the site itself only. Send it with the next edit.
    pub edit_version: i64,
    /// True if intake hours are shown by groups of days.
    pub show_days_of_week: bool,
    /// True if the site asks whether accepted guests have arrived.
    pub asks_arrival: bool,
    /// True if guests who do not fit the rules of the site or the house are placed only with a reason, by an admin or owner.
    pub strict_placement: bool,
    /// Latitude in degrees north, if known.
    pub latitude: Option<f64>,
    /// Longitude in degrees east, if known.
    pub longitude: Option<f64>,
    /// Email address of the admin with whom the site was created. Absent if unknown, and for those who may not edit the
    /// site.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub admin_email: Option<String>,
    /// As `adminEmail`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub admin_first_name: Option<String>,
    /// As `adminEmail`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub admin_last_name: Option<String>,
    /// The subscription of a commercial site. Absent for staff.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub subscription: Option<SiteSubscription>,
}

/// The site whose beds are listed.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
pub struct BedsQuery {
    /// The site.
    site_id: SiteId,
}

/// Shows a site with its houses, beds and guests. The ETag changes with the site's version, when a hold ends, and at
/// midnight.
#[utoipa::path(get, path = "/api/Sites/{id}", tag = "Sites", params(("id" = SiteId, Path, description = "the site")),
    responses((status = 200, body = SiteDetails), (status = 304, description = "not modified")))]
pub async fn details(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<SiteId>,
    headers: HeaderMap,
) -> Result<Response> {
    answer(&app, &caller, &headers, id, Board::Page).await
}

/// Lists the beds of a site in the order of the screen, each with its guest. The ETag changes as that of the site.
#[utoipa::path(get, path = "/api/Beds", tag = "Beds", params(BedsQuery),
    responses((status = 200, body = Vec<BedView>), (status = 304, description = "not modified")))]
pub async fn beds(
    State(app): State<App>,
    caller: Caller,
    Query(query): Query<BedsQuery>,
    headers: HeaderMap,
) -> Result<Response> {
    answer(&app, &caller, &headers, query.site_id, Board::Beds).await
}

/// The part of a site that is shown.
#[derive(Clone, Copy)]
enum Board {
    Page,
    Beds,
}

async fn answer(app: &App, caller: &Caller, headers: &HeaderMap, id: SiteId, board: Board) -> Result<Response> {
    let site = caller.site(id, Action::ViewSite).await?;
    let (view, now) = (view(caller, &site), app.now());
    let kind = match board {
        Board::Page => Kind::Site,
        Board::Beds => Kind::Beds,
    };
    let rendered = match app.boards.get((kind, id, view), site.version, now) {
        Some(rendered) => rendered,
        None => {
            let rendered = render(app, &site, board, view, now).await?;
            app.boards.put((kind, id, view), rendered.clone());
            rendered
        }
    };
    let tag = rendered.tag(view);
    let look = Look::at(caller, &site, AuditAction::BoardViewed).of_version(rendered.version);
    let bytes = rendered.shown.noted(app, look).await?;
    Ok(etag::answer(headers, &tag, bytes))
}

/// Loads the page of a site in the transaction of a change, with its changes so far.
///
/// # Errors
/// 404 if the site was removed.
pub(super) async fn page(tx: &mut Tx, site: &Site, view: View, now: Timestamp) -> Result<SiteDetails> {
    let facts = facts::site(tx, site.id).await?;
    let site = of_snapshot(site, &facts);
    let rooms = board::houses(tx, &site, None, now).await?;
    Ok(facts::details(tx, facts, rooms, view, now).await?.0)
}

/// Returns the site as it is in a snapshot, which may be later than when the caller was authenticated.
fn of_snapshot(site: &Site, facts: &facts::SiteRow) -> Site {
    let (version, time_zone, asks_arrival) = (facts.version, facts.time_zone.clone(), facts.asks_arrival);
    Site { version, time_zone, asks_arrival, ..site.clone() }
}

/// Renders a board from one snapshot, which may have a later version than `site`.
async fn render(app: &App, site: &Site, board: Board, view: View, now: Timestamp) -> Result<Rendered> {
    let mut tx = app.db.read().await?;
    let facts = facts::site(&mut tx, site.id).await?;
    let site = of_snapshot(site, &facts);
    let rooms = board::houses(&mut tx, &site, None, now).await?;
    let (version, mut valid_until) = (site.version, next_midnight(now, &site.time_zone));
    let shown = match board {
        Board::Beds => {
            let beds: Vec<BedView> = rooms.into_iter().flat_map(|room| room.beds).collect();
            Shown::of(&beds)?
        }
        Board::Page => {
            let (details, changes_at) = facts::details(&mut tx, facts, rooms, view, now).await?;
            valid_until = changes_at.into_iter().flatten().fold(valid_until, Timestamp::min);
            Shown::of(&details)?
        }
    };
    Ok(Rendered { version, valid_from: now, valid_until, shown })
}
