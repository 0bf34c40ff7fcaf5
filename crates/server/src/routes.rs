//! Every route, in one flat list; the OpenAPI document comes from the same list.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use axum::extract::Request;
use axum::routing::{self, MethodFilter, MethodRouter, any, get};
use axum::{Router, middleware};
use tower::Layer;
use tower::util::MapRequest;
use tower_http::compression::CompressionLayer;
use utoipa::openapi::{InfoBuilder, OpenApi, OpenApiBuilder};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::{PathItemExt, routes};

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

/// A router of operations, and their paths.
type Operations = (Router<App>, BTreeSet<String>);

/// Adds an operation. `Description` is the struct that `#[utoipa::path]` generates beside the handler.
fn add<Description: utoipa::Path>(
    (router, mut paths): Operations,
    _: Description,
    on: impl Fn(MethodFilter) -> MethodRouter<App>,
) -> Operations {
    let path = Description::path();
    let methods = Description::methods();
    let router = methods.iter().fold(router, |router, method| router.route(&path, on(method.to_method_filter())));
    paths.insert(path);
    (router, paths)
}

/// The struct that `#[utoipa::path]` generates beside a handler.
macro_rules! description_of {
    ([$($folder:ident)*] $handler:ident) => {
        utoipa_axum::paste! { $($folder ::)* [<__path_ $handler>] }
    };
    ([$($folder:ident)*] $next:ident :: $($rest:tt)+) => {
        description_of!([$($folder)* $next] $($rest)+)
    };
}

/// Makes the router and the OpenAPI document of one list. Every start makes the router; the schemas of the document take
/// megabytes, and few ask for it.
macro_rules! operations {
    ($($($part:ident)::+ $(.layer($layer:expr))?,)+) => {
        fn router() -> Operations {
            let operations = (Router::new(), BTreeSet::new());
            $(let operations = add(operations, description_of!([] $($part)::+), |method| {
                routing::on(method, $($part)::+)$(.layer($layer))?
            });)+
            operations
        }

        fn describe(document: OpenApi) -> OpenApi {
            let router = OpenApiRouter::<App>::with_openapi(document);
            $(let router = router.routes(routes!($($part)::+));)+
            router.into_openapi()
        }
    };
}

operations! {
    connect::token,
    connect::userinfo::userinfo,
    connect::logout::logout,
    connect::extend::extend,
    account::proof::prove,
    account::first_password::create_password,
    account::password::change_password,
    account::reset::ask_for_reset,
    account::phone_challenge::phone_challenge,
    account::phone::change_phone,
    account::email::email_challenge,
    account::email::change_email,
    account::email::email_busyness,
    account::remove::delete_profile,
    account::language::choose_language,
    account::name::set_name,
    account::messages::message_settings,
    account::messages::choose_messages,
    account::views::store_view,
    account::sessions_list::list_sessions,
    account::sessions_list::end_sessions,
    account::sessions_list::end_session,
    invitations::list::list,
    invitations::answer::accept,
    invitations::answer::decline,
    account::totp::set_up_authenticator,
    account::totp::confirm_authenticator,
    account::totp::turn_off_authenticator,
    account::totp::renew_recovery_codes,
    event_logs::sign_ins::login_failed,
    event_logs::sign_ins::failed_logins,
    event_logs::guests::guest_created,
    event_logs::passwords::password_changed,
    event_logs::trail::internal,
    event_logs::trail::internal_file,
    event_logs::trail::guests_of,
    live::live,
    search::search,
    reference::public_settings,
    reference::languages,
    reference::commercial_services,
    reference::non_commercial_services,
    reference::screening_periods,
    organizations::list::list,
    organizations::show::show,
    organizations::edit::edit,
    organizations::remove::remove,
    organizations::create::create_commercial,
    organizations::create::create_non_commercial,
    reasons::list::of_organization,
    reasons::create::create,
    reasons::edit::edit,
    reasons::list::of_site,
    insurance_companies::list::list,
    insurance_companies::create::create,
    insurance_companies::edit::edit,
    insurance_companies::remove::remove,
    sites::list::list,
    sites::list::organization_sites,
    sites::create::create_commercial,
    sites::create::create_non_commercial,
    sites::edit::edit_commercial,
    sites::edit::edit_non_commercial,
    sites::show::details,
    sites::remove::remove,
    sites::arrivals::set,
    sites::placement::set_placement,
    sites::report::beds_csv,
    sites::report::beds_xlsx,
    rooms::create::create,
    rooms::edit::edit,
    rooms::remove::remove,
    sites::show::beds,
    beds::create::create,
    beds::show::one,
    beds::edit::edit,
    beds::remove::remove,
    beds::stays::stays,
    beds::outages::outages,
    guests::list::list,
    guests::create::create,
    guests::show::one,
    guests::edit::update,
    guests::departure::set,
    guests::earlier::of_person,
    guests::earlier::of_guest,
    guests::merges::create::merge,
    guests::merges::undo::unmerge,
    guests::timeline::timeline,
    waitlist::list::list,
    waitlist::add::add,
    waitlist::period::set,
    waitlist::edit::update,
    waitlist::form::show,
    waitlist::form::replace,
    waitlist::take::take,
    today::today,
    cards::list::list,
    cards::create::add,
    cards::make_default::make_default,
    cards::remove::remove,
    cards::create::begin_setup,
    cards::portal::open_portal,
    subscriptions::status::site_status,
    subscriptions::summary::sites,
    subscriptions::history::billing,
    subscriptions::hold::hold,
    subscriptions::start::start,
    subscriptions::restart::restart,
    subscriptions::cancel::cancel,
    subscriptions::owner_message::show_owner_message,
    subscriptions::owner_message::send_owner_message,
    subscriptions::history::payments,
    subscriptions::catalog::catalog,
    subscriptions::coupon::check_coupon,
    subscriptions::webhook::webhook.layer(body::limit(subscriptions::MAX_EVENT_BYTES)),
    images::upload.layer(body::limit(images::MAX_BODY_BYTES)),
    files::serve::show,
    places::find,
    dashboard::users::users,
    dashboard::users::users_file,
    dashboard::users::user,
    dashboard::organizations::organizations,
    dashboard::organizations::organizations_file,
    dashboard::organization::organization,
    dashboard::sites::sites,
    dashboard::sites::sites_file,
    dashboard::sites::site,
    dashboard::sites::site_totals,
    dashboard::occupancy::occupancy,
    dashboard::occupancy::site_occupancy,
    numbers::site::site_numbers,
    numbers::site::site_csv,
    numbers::site::site_xlsx,
    numbers::organization::organization_numbers,
    numbers::organization::organization_csv,
    numbers::organization::organization_xlsx,
    access_users::all::all,
    access_users::list::of_organization,
    access_users::invite::invite_owner,
    access_users::list::of_site,
    access_users::invite::invite_to_site,
    access_users::invite::invite_global_admin,
    access_users::list::list,
    access_users::edit::edit,
    access_users::remove::remove,
    access_users::invite::invite_again,
    invitations::public::show,
    invitations::public::renew,
    public::list::sites,
    public::show::site,
    public::reserve::reserve,
    public::confirm::confirm,
    public::state::reservation,
    public::cancel::cancel,
    sms::inbound::receive,
    public::cards::add_cards.layer(body::limit(images::MAX_CARDS_BODY)),
}

/// The OpenAPI document: the routes' own, and the refusals that every operation can answer with.
#[must_use]
pub fn document() -> OpenApi {
    let info = InfoBuilder::new()
        .title("Berth")
        .version(env!("CARGO_PKG_VERSION"))
        .description(Some("Bed availability and reservations in rehab and treatment housing."))
        .build();
    complete(describe(OpenApiBuilder::new().info(info).build()))
}

/// The operations and the spellings of their paths. They are the same for every application of a process: a server has
/// one, the tests have one each.
static API: LazyLock<(Router<App>, Spellings)> = LazyLock::new(|| {
    let (router, paths) = router();
    (router, Spellings::of(paths.iter().map(String::as_str)))
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
