//! Every route, in one flat list; the OpenAPI document comes from the same list.

use std::sync::LazyLock;

use axum::Router;
use axum::extract::Request;
use axum::middleware;
use axum::routing::{any, get};
use tower::Layer;
use tower::util::MapRequest;
use tower_http::compression::CompressionLayer;
use utoipa::openapi::schema::{ArrayItems, SchemaType, Type};
use utoipa::openapi::{Content, InfoBuilder, OpenApi, OpenApiBuilder, Ref, RefOr, ResponseBuilder, Schema};
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouterExt};
use utoipa_axum::routes;

use crate::guests::ChangedBy;
use crate::path_case::Spellings;
use crate::problem::{BedPlace, FieldProblem, Problem};
use crate::{
    App, Error, access_users, beds, body, cards, connect, dashboard, demo, docs, event_logs, files, frame, guests,
    health, images, insurance_companies, invitations, live, metrics, numbers, organizations, payments, places,
    public_side, reference, rooms, sites, sms, subscriptions, ui, users,
};

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
        .routes(routes!(connect::userinfo))
        .routes(routes!(connect::logout))
        .routes(routes!(connect::extend))
        .routes(routes!(users::prove))
        .routes(routes!(users::create_password, users::change_password))
        .routes(routes!(users::ask_for_reset))
        .routes(routes!(users::phone_challenge))
        .routes(routes!(users::change_phone))
        .routes(routes!(users::email_challenge))
        .routes(routes!(users::change_email))
        .routes(routes!(users::email_busyness))
        .routes(routes!(users::delete_profile))
        .routes(routes!(users::choose_language))
        .routes(routes!(users::set_name))
        .routes(routes!(users::message_settings, users::choose_messages))
        .routes(routes!(users::list_sessions, users::end_sessions))
        .routes(routes!(users::end_session))
        .routes(routes!(invitations::list))
        .routes(routes!(invitations::accept))
        .routes(routes!(invitations::decline))
        .routes(routes!(users::set_up_authenticator, users::confirm_authenticator, users::turn_off_authenticator))
        .routes(routes!(users::renew_recovery_codes))
        .routes(routes!(event_logs::login_failed, event_logs::failed_logins))
        .routes(routes!(event_logs::guest_created))
        .routes(routes!(event_logs::password_changed))
        .routes(routes!(event_logs::internal))
        .routes(routes!(event_logs::internal_file))
        .routes(routes!(event_logs::guests_of))
        .routes(routes!(live::live))
        .routes(routes!(reference::public_settings))
        .routes(routes!(reference::languages))
        .routes(routes!(reference::commercial_services))
        .routes(routes!(reference::non_commercial_services))
        .routes(routes!(reference::screening_periods))
        .routes(routes!(organizations::list))
        .routes(routes!(organizations::one, organizations::edit, organizations::remove))
        .routes(routes!(organizations::create_commercial))
        .routes(routes!(organizations::create_non_commercial))
        .routes(routes!(insurance_companies::list, insurance_companies::create))
        .routes(routes!(insurance_companies::edit, insurance_companies::remove))
        .routes(routes!(sites::list))
        .routes(routes!(sites::organization_sites))
        .routes(routes!(sites::create_commercial))
        .routes(routes!(sites::create_non_commercial))
        .routes(routes!(sites::edit_commercial))
        .routes(routes!(sites::edit_non_commercial))
        .routes(routes!(sites::details, sites::remove))
        .routes(routes!(sites::beds_csv))
        .routes(routes!(sites::beds_xlsx))
        .routes(routes!(rooms::create))
        .routes(routes!(rooms::edit, rooms::remove))
        .routes(routes!(beds::list, beds::create))
        .routes(routes!(beds::one, beds::edit, beds::remove))
        .routes(routes!(beds::stays))
        .routes(routes!(beds::outages))
        .routes(routes!(guests::list, guests::create))
        .routes(routes!(guests::one, guests::update))
        .routes(routes!(guests::timeline))
        .routes(routes!(cards::list, cards::add))
        .routes(routes!(cards::make_default))
        .routes(routes!(cards::remove))
        .routes(routes!(cards::begin_setup))
        .routes(routes!(cards::open_portal))
        .routes(routes!(subscriptions::site_status))
        .routes(routes!(subscriptions::sites))
        .routes(routes!(subscriptions::billing))
        .routes(routes!(subscriptions::hold))
        .routes(routes!(subscriptions::start))
        .routes(routes!(subscriptions::restart))
        .routes(routes!(subscriptions::cancel))
        .routes(routes!(subscriptions::show_owner_message, subscriptions::send_owner_message))
        .routes(routes!(subscriptions::payments))
        .routes(routes!(subscriptions::catalog))
        .routes(routes!(subscriptions::check_coupon))
        .routes(routes!(subscriptions::webhook).layer(body::limit(subscriptions::MAX_EVENT)))
        .routes(routes!(images::upload).layer(body::limit(images::MOST_BODY)))
        .routes(routes!(files::show))
        .routes(routes!(places::find))
        .routes(routes!(dashboard::users))
        .routes(routes!(dashboard::users_file))
        .routes(routes!(dashboard::user))
        .routes(routes!(dashboard::organizations))
        .routes(routes!(dashboard::organizations_file))
        .routes(routes!(dashboard::organization))
        .routes(routes!(dashboard::sites))
        .routes(routes!(dashboard::sites_file))
        .routes(routes!(dashboard::site))
        .routes(routes!(dashboard::site_totals))
        .routes(routes!(dashboard::occupancy))
        .routes(routes!(dashboard::site_occupancy))
        .routes(routes!(numbers::site_numbers))
        .routes(routes!(numbers::site_csv))
        .routes(routes!(numbers::site_xlsx))
        .routes(routes!(numbers::organization_numbers))
        .routes(routes!(numbers::organization_csv))
        .routes(routes!(numbers::organization_xlsx))
        .routes(routes!(access_users::all))
        .routes(routes!(access_users::of_organization, access_users::invite_owner))
        .routes(routes!(access_users::of_site, access_users::invite_to_site))
        .routes(routes!(access_users::invite_global_admin))
        .routes(routes!(access_users::list))
        .routes(routes!(access_users::change, access_users::remove))
        .routes(routes!(access_users::invite_again))
        .routes(routes!(invitations::show))
        .routes(routes!(invitations::renew))
        .routes(routes!(public_side::sites))
        .routes(routes!(public_side::site))
        .routes(routes!(public_side::reserve))
        .routes(routes!(public_side::confirm))
        .routes(routes!(public_side::reservation))
        .routes(routes!(public_side::cancel))
        .routes(routes!(sms::receive))
        .routes(routes!(public_side::add_cards).layer(body::limit(images::MAX_CARDS_BODY)))
}

/// The OpenAPI document: the routes' own, and the refusals that every operation can answer with.
#[must_use]
pub fn document() -> OpenApi {
    complete(api().into_openapi())
}

/// Adds the error answers that the layers, extractors and loaders give, once for all operations.
fn complete(mut document: OpenApi) -> OpenApi {
    use utoipa::{PartialSchema, ToSchema};
    let components = document.components.get_or_insert_with(Default::default);
    for (name, schema) in [
        (Problem::name().into_owned(), Problem::schema()),
        (BedPlace::name().into_owned(), BedPlace::schema()),
        (ChangedBy::name().into_owned(), ChangedBy::schema()),
        (FieldProblem::name().into_owned(), FieldProblem::schema()),
    ] {
        components.schemas.insert(name, schema);
    }
    for (path, item) in &mut document.paths.paths {
        for change in [&mut item.put, &mut item.patch].into_iter().flatten() {
            let refused = refusal("someone else changed the record in the meantime");
            change.responses.responses.entry("412".to_owned()).or_insert_with(|| refused.into());
        }
        if let Some(removal) = &mut item.delete {
            removal
                .responses
                .responses
                .entry("409".to_owned())
                .or_insert_with(|| refusal("the record is in use").into());
        }
        let operations = [&mut item.get, &mut item.post, &mut item.put, &mut item.patch, &mut item.delete];
        for operation in operations.into_iter().flatten() {
            // Handlers of several nouns share verbs such as `list`; an operation id must be unique.
            if let (Some(id), Some(tag)) = (&operation.operation_id, operation.tags.iter().flatten().next()) {
                operation.operation_id = Some(format!("{}_{id}", tag.replace([' ', '-'], "")));
            }
            if path == "/connect/token" {
                for (status, description) in TOKEN_REFUSALS {
                    let content = Content::new(Some(Ref::from_schema_name("TokenError")));
                    let response =
                        ResponseBuilder::new().description(description).content("application/json", content).build();
                    operation.responses.responses.entry(status.to_owned()).or_insert_with(|| response.into());
                }
                continue;
            }
            let open = path.starts_with("/api/public")
                || path.starts_with("/files/")
                || path == "/connect/logout"
                || path == "/api/Stripe/webhook"
                || path == sms::INBOUND_PATH;
            let has_body = operation.request_body.is_some();
            let mut refusals = vec![("400", "the request cannot be read"), ("503", "busy; try again")];
            if !open {
                refusals.push(("401", "not signed in, or not far enough"));
                refusals.push(("403", "seen, but not allowed"));
            }
            if path.contains('{') || operation.parameters.is_some() || has_body {
                refusals.push(("404", "not there, or not for the caller's eyes"));
            }
            if operation.parameters.is_some() {
                refusals.push(("422", "wrong fields"));
            }
            if has_body {
                refusals.extend([
                    ("409", "the record is in another state"),
                    ("413", "too large"),
                    ("415", "wrong media type"),
                    ("422", "wrong fields"),
                    ("507", "no space left"),
                ]);
            }
            for (status, description) in refusals.into_iter().chain([("429", "too often"), ("500", "our mistake")]) {
                operation.responses.responses.entry(status.to_owned()).or_insert_with(|| refusal(description).into());
            }
        }
    }
    name_rows_of_pages(&mut document);
    require_what_is_always_there(&mut document);
    document
}

/// What the token endpoint refuses with, in RFC 6749's form, beside 400 and 429.
const TOKEN_REFUSALS: [(&str, &str); 6] = [
    ("403", "a cookie session asked for from elsewhere"),
    ("413", "too large"),
    ("415", "wrong media type"),
    ("500", "our mistake"),
    ("503", "busy; try again"),
    ("507", "no space left"),
];

/// A refusal as the document tells it.
fn refusal(description: &str) -> utoipa::openapi::Response {
    let content = Content::new(Some(Ref::from_schema_name(<Problem as utoipa::ToSchema>::name())));
    ResponseBuilder::new().description(description).content("application/problem+json", content).build()
}

/// utoipa writes the rows of a generic page out in full; clients want them by name.
fn name_rows_of_pages(document: &mut OpenApi) {
    let Some(components) = &mut document.components else { return };
    let pages: Vec<String> = components.schemas.keys().filter(|name| name.starts_with("Paged_")).cloned().collect();
    for page in pages {
        let row = page.trim_start_matches("Paged_").to_owned();
        let Some(RefOr::T(Schema::Object(object))) = components.schemas.get_mut(&page) else { continue };
        let Some(RefOr::T(Schema::Array(array))) = object.properties.get_mut("items") else { continue };
        let by_name = ArrayItems::RefOrSchema(Box::new(Ref::from_schema_name(&row).into()));
        if let ArrayItems::RefOrSchema(schema) = std::mem::replace(&mut array.items, by_name) {
            components.schemas.entry(row).or_insert(*schema);
        }
    }
}

/// Answers hold every field, empty ones as null, except those that a role may not see (declared not nullable). utoipa
/// takes each `Option` for a field that may be missing, which is right for what clients send and wrong for answers.
fn require_what_is_always_there(document: &mut OpenApi) {
    let bodies = document.paths.paths.values().flat_map(|item| [&item.post, &item.put, &item.patch]);
    let mut sent = std::collections::BTreeSet::new();
    let mut found: Vec<String> =
        bodies.filter_map(|operation| Some(names_in(&operation.as_ref()?.request_body))).flatten().collect();
    // A body names other schemas, which are then sent, too.
    while let Some(name) = found.pop() {
        if let Some(schema) = document.components.as_ref().and_then(|components| components.schemas.get(&name)) {
            found.extend(names_in(schema).into_iter().filter(|inner| !sent.contains(inner)));
        }
        sent.insert(name);
    }
    let schemas = document.components.iter_mut().flat_map(|components| &mut components.schemas);
    for (_, schema) in schemas.filter(|(name, _)| !sent.contains(*name)) {
        let RefOr::T(Schema::Object(object)) = schema else { continue };
        for (name, property) in &object.properties {
            if may_be_null(property) && !object.required.contains(name) {
                object.required.push(name.clone());
            }
        }
    }
}

/// The names of the schemas that a part of the document refers to.
fn names_in(part: &impl serde::Serialize) -> Vec<String> {
    fn collect(value: &serde_json::Value, names: &mut Vec<String>) {
        match value {
            serde_json::Value::Object(fields) => {
                let reference = fields.get("$ref").and_then(serde_json::Value::as_str);
                names.extend(reference.and_then(|location| location.rsplit('/').next()).map(str::to_owned));
                fields.values().for_each(|field| collect(field, names));
            }
            serde_json::Value::Array(items) => items.iter().for_each(|item| collect(item, names)),
            _ => {}
        }
    }
    let mut names = Vec::new();
    collect(&serde_json::to_value(part).unwrap_or_default(), &mut names);
    names
}

/// Returns true if a property's schema allows null.
fn may_be_null(property: &RefOr<Schema>) -> bool {
    let of = |kind: &SchemaType| match kind {
        SchemaType::Array(kinds) => kinds.contains(&Type::Null),
        SchemaType::Type(kind) => *kind == Type::Null,
        SchemaType::AnyValue => false,
    };
    match property {
        RefOr::T(Schema::Object(object)) => of(&object.schema_type),
        RefOr::T(Schema::Array(array)) => of(&array.schema_type),
        RefOr::T(Schema::OneOf(one)) => one.items.iter().any(may_be_null),
        _ => false,
    }
}

/// The operations and the spellings of their paths. They are the same for every application of a process: a server has
/// one, the tests have one each.
static API: LazyLock<(Router<App>, Spellings)> = LazyLock::new(|| {
    // What the document lacks here (refusals, rows of pages) is no path, and costs megabytes: docs.rs writes it when asked.
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
        .route("/dev/outbox", get(demo::show_outbox))
        .route("/dev/stripe/{*rest}", any(payments::for_browsers))
        .fallback(ui::serve)
        .method_not_allowed_fallback(async || Error::MethodNotAllowed)
        .layer(body::limit(MOST_BODY))
        .layer(middleware::from_fn_with_state(app.clone(), frame::around))
        .with_state(app);
    let router = CompressionLayer::new().layer(router);
    Router::new().fallback_service(MapRequest::new(router, move |request: Request| spellings.rewrite(request)))
}
