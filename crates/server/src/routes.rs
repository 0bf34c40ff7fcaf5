//! Every route, in one flat list; the OpenAPI document comes from the same list.

use std::sync::LazyLock;

use axum::extract::Request;
use axum::routing::{any, get};
use axum::{Router, middleware};
use tower::Layer;
use tower::util::MapRequest;
use tower_http::compression::CompressionLayer;
use utoipa::openapi::{InfoBuilder, OpenApi, OpenApiBuilder};
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouterExt};
use utoipa_axum::routes;

use crate::admin::audit_log::event_logs;
use crate::admin::{access_users, dashboard, insurance_companies, invitations, organizations, reasons};
use crate::auth::{account, connect};
use crate::billing::{cards, payments, subscriptions};
use crate::housing::{beds, guests, numbers, public, reference, rooms, search, sites, today, waitlist};
use crate::http::openapi::complete;
use crate::http::path_case::Spellings;
use crate::http::{body, docs, frame, health, metrics, outbox_page, ui};
use crate::integrations::{files, images, live, places, sms};
use crate::{App, Error};

/// Longest body of a call, in bytes; image upload has a limit of its own.
const MOST_BODY: usize = 64 * 1024;

fn api() -> OpenApiRouter<App> {
    let info = InfoBuilder::new()
        .title("Berth")
        .version(env!("CARGO_PKG_VERSION"))
        .description(Some("Bed availability and reservations in rehab and treatment housing."))
        .build();
    OpenApiRouter::with_openapi(OpenApiBuilder::new().info(info).build())
        .routes(routes!(connect::token))
        .routes(routes!(connect::userinfo::userinfo))
        .routes(routes!(connect::logout::logout))
        .routes(routes!(connect::extend::extend))
        .routes(routes!(account::proof::prove))
        .routes(routes!(account::first_password::create_password, account::password::change_password))
        .routes(routes!(account::reset::ask_for_reset))
        .routes(routes!(account::phone_challenge::phone_challenge))
        .routes(routes!(account::phone::change_phone))
        .routes(routes!(account::email::email_challenge))
        .routes(routes!(account::email::change_email))
        .routes(routes!(account::email::email_busyness))
        .routes(routes!(account::remove::delete_profile))
        .routes(routes!(account::language::choose_language))
        .routes(routes!(account::name::set_name))
        .routes(routes!(account::messages::message_settings, account::messages::choose_messages))
        .routes(routes!(account::views::store_view))
        .routes(routes!(account::sessions_list::list_sessions, account::sessions_list::end_sessions))
        .routes(routes!(account::sessions_list::end_session))
        .routes(routes!(invitations::list::list))
        .routes(routes!(invitations::answer::accept))
        .routes(routes!(invitations::answer::decline))
        .routes(routes!(
            account::totp::set_up_authenticator,
            account::totp::confirm_authenticator,
            account::totp::turn_off_authenticator
        ))
        .routes(routes!(account::totp::renew_recovery_codes))
        .routes(routes!(event_logs::sign_ins::login_failed, event_logs::sign_ins::failed_logins))
        .routes(routes!(event_logs::guests::guest_created))
        .routes(routes!(event_logs::passwords::password_changed))
        .routes(routes!(event_logs::trail::internal))
        .routes(routes!(event_logs::trail::internal_file))
        .routes(routes!(event_logs::trail::guests_of))
        .routes(routes!(live::live))
        .routes(routes!(search::search))
        .routes(routes!(reference::public_settings))
        .routes(routes!(reference::languages))
        .routes(routes!(reference::commercial_services))
        .routes(routes!(reference::non_commercial_services))
        .routes(routes!(reference::screening_periods))
        .routes(routes!(organizations::list::list))
        .routes(routes!(organizations::show::show, organizations::edit::edit, organizations::remove::remove))
        .routes(routes!(organizations::create::create_commercial))
        .routes(routes!(organizations::create::create_non_commercial))
        .routes(routes!(reasons::list::of_organization, reasons::create::create))
        .routes(routes!(reasons::edit::edit))
        .routes(routes!(reasons::list::of_site))
        .routes(routes!(insurance_companies::list::list, insurance_companies::create::create))
        .routes(routes!(insurance_companies::edit::edit, insurance_companies::remove::remove))
        .routes(routes!(sites::list::list))
        .routes(routes!(sites::list::organization_sites))
        .routes(routes!(sites::create::create_commercial))
        .routes(routes!(sites::create::create_non_commercial))
        .routes(routes!(sites::edit::edit_commercial))
        .routes(routes!(sites::edit::edit_non_commercial))
        .routes(routes!(sites::show::details, sites::remove::remove))
        .routes(routes!(sites::arrivals::set))
        .routes(routes!(sites::placement::set_placement))
        .routes(routes!(sites::report::beds_csv))
        .routes(routes!(sites::report::beds_xlsx))
        .routes(routes!(rooms::create::create))
        .routes(routes!(rooms::edit::edit, rooms::remove::remove))
        .routes(routes!(sites::show::beds, beds::create::create))
        .routes(routes!(beds::show::one, beds::edit::edit, beds::remove::remove))
        .routes(routes!(beds::stays::stays))
        .routes(routes!(beds::outages::outages))
        .routes(routes!(guests::list::list, guests::create::create))
        .routes(routes!(guests::show::one, guests::edit::update))
        .routes(routes!(guests::departure::set))
        .routes(routes!(guests::earlier::of_person))
        .routes(routes!(guests::earlier::of_guest))
        .routes(routes!(guests::merges::create::merge))
        .routes(routes!(guests::merges::undo::unmerge))
        .routes(routes!(guests::timeline::timeline))
        .routes(routes!(waitlist::list::list, waitlist::add::add))
        .routes(routes!(waitlist::period::set))
        .routes(routes!(waitlist::edit::update, waitlist::form::show, waitlist::form::replace))
        .routes(routes!(waitlist::take::take))
        .routes(routes!(today::today))
        .routes(routes!(cards::list::list, cards::create::add))
        .routes(routes!(cards::make_default::make_default))
        .routes(routes!(cards::remove::remove))
        .routes(routes!(cards::create::begin_setup))
        .routes(routes!(cards::portal::open_portal))
        .routes(routes!(subscriptions::status::site_status))
        .routes(routes!(subscriptions::summary::sites))
        .routes(routes!(subscriptions::history::billing))
        .routes(routes!(subscriptions::hold::hold))
        .routes(routes!(subscriptions::start::start))
        .routes(routes!(subscriptions::restart::restart))
        .routes(routes!(subscriptions::cancel::cancel))
        .routes(routes!(
            subscriptions::owner_message::show_owner_message,
            subscriptions::owner_message::send_owner_message
        ))
        .routes(routes!(subscriptions::history::payments))
        .routes(routes!(subscriptions::catalog::catalog))
        .routes(routes!(subscriptions::coupon::check_coupon))
        .routes(routes!(subscriptions::webhook::webhook).layer(body::limit(subscriptions::MAX_EVENT_BYTES)))
        .routes(routes!(images::upload).layer(body::limit(images::MAX_BODY_BYTES)))
        .routes(routes!(files::serve::show))
        .routes(routes!(places::find))
        .routes(routes!(dashboard::users::users))
        .routes(routes!(dashboard::users::users_file))
        .routes(routes!(dashboard::users::user))
        .routes(routes!(dashboard::organizations::organizations))
        .routes(routes!(dashboard::organizations::organizations_file))
        .routes(routes!(dashboard::organization::organization))
        .routes(routes!(dashboard::sites::sites))
        .routes(routes!(dashboard::sites::sites_file))
        .routes(routes!(dashboard::sites::site))
        .routes(routes!(dashboard::sites::site_totals))
        .routes(routes!(dashboard::occupancy::occupancy))
        .routes(routes!(dashboard::occupancy::site_occupancy))
        .routes(routes!(numbers::site::site_numbers))
        .routes(routes!(numbers::site::site_csv))
        .routes(routes!(numbers::site::site_xlsx))
        .routes(routes!(numbers::organization::organization_numbers))
        .routes(routes!(numbers::organization::organization_csv))
        .routes(routes!(numbers::organization::organization_xlsx))
        .routes(routes!(access_users::all::all))
        .routes(routes!(access_users::list::of_organization, access_users::invite::invite_owner))
        .routes(routes!(access_users::list::of_site, access_users::invite::invite_to_site))
        .routes(routes!(access_users::invite::invite_global_admin))
        .routes(routes!(access_users::list::list))
        .routes(routes!(access_users::edit::edit, access_users::remove::remove))
        .routes(routes!(access_users::invite::invite_again))
        .routes(routes!(invitations::public::show))
        .routes(routes!(invitations::public::renew))
        .routes(routes!(public::list::sites))
        .routes(routes!(public::show::site))
        .routes(routes!(public::reserve::reserve))
        .routes(routes!(public::confirm::confirm))
        .routes(routes!(public::state::reservation))
        .routes(routes!(public::cancel::cancel))
        .routes(routes!(sms::inbound::receive))
        .routes(routes!(public::cards::add_cards).layer(body::limit(images::MAX_CARDS_BODY)))
}

/// The OpenAPI document: the routes' own, and the refusals that every operation can answer with.
#[must_use]
pub fn document() -> OpenApi {
    complete(api().into_openapi())
}

/// The operations and the spellings of their paths. They are the same for every application of a process: a server has
/// one, the tests have one each.
static API: LazyLock<(Router<App>, Spellings)> = LazyLock::new(|| {
    // What the document lacks here (refusals, rows of pages) is no path, and costs megabytes: `http/docs` writes it
    // when asked.
    let (router, document) = api().split_for_parts();
    let spellings = Spellings::of(document.paths.paths.keys().map(String::as_str));
    (router, spellings)
});

/// The whole application as a router.
pub fn build(app: App) -> Router {
    let (router, spellings) = API.clone();
    let router = router
        .route("/api/openapi.json", get(docs::json))
        .route("/api/docs", get(docs::page))
        .route("/healthz", get(health::healthz))
        .route("/readyz", get(health::readyz))
        .route("/metrics", get(metrics::show))
        .route("/dev/outbox", get(outbox_page::show_outbox))
        .route("/dev/stripe/{*rest}", any(payments::for_browsers))
        .fallback(ui::serve)
        .method_not_allowed_fallback(async || Error::MethodNotAllowed)
        .layer(body::limit(MOST_BODY))
        .layer(middleware::from_fn_with_state(app.clone(), frame::around))
        .with_state(app);
    let router = CompressionLayer::new().layer(router);
    Router::new().fallback_service(MapRequest::new(router, move |request: Request| spellings.rewrite(request)))
}
