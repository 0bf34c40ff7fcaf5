//! Autocompletes cities and addresses: `GET /api/places` (guide "payments-messages-files-places" 5; spec A 5
//! "Address").
//!
//! Each offered place has an id that is signed by the server and expires after an hour. A site is saved only with such
//! an id ([`resolve`]), so that its address was certainly chosen from the list. Only the server calls providers, so
//! that browsers see no key and call no other host. If a provider fails or takes more than two seconds, the embedded
//! list is used.

mod embedded;
mod google;
pub(crate) mod key;
mod offer;
mod photon;
mod text;

use std::pin::Pin;
use std::time::Duration;

use anyhow::Context;
use axum::Json;
use axum::extract::State;
use berth_domain::value::clean_text;
use serde::{Deserialize, Serialize};
use tokio::sync::OnceCell;
use url::Url;
use utoipa::{IntoParams, ToSchema};

use self::google::Google;
use self::offer::Offer;
use self::photon::Photon;
use crate::auth::caller::Caller;
use crate::auth::installation_key;
use crate::auth::throttle::{PLACES_REQUESTER, PLACES_USER};
use crate::http::body::Query;
use crate::settings::{PlacesProvider, Settings};
use crate::{App, Error, Result};

/// Timeout of a provider, after which the embedded list is used.
const PROVIDER_TIMEOUT: Duration = Duration::from_secs(2);
/// Minimum number of characters of a query.
const MIN_QUERY_CHARS: usize = berth_domain::limits::MIN_SEARCH_CHARS;
/// Maximum number of characters of a query; the rest is ignored.
const MAX_QUERY_CHARS: usize = 200;
/// Maximum number of offered places.
const MAX_OFFERS: usize = 8;

/// The kind of places to find.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum PlaceKind {
    /// A city with its state.
    #[default]
    City,
    /// A street in a city.
    Address,
}

/// What the position of a place refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Precision {
    /// The city.
    City,
    /// The address itself.
    Street,
}

/// A place that was chosen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Place {
    /// The full text, such as `1420 Harbor Blvd, Anaheim, CA 92802`.
    pub label: String,
    /// The street with its number, if there is one.
    pub street: Option<String>,
    /// The city.
    pub city: String,
    /// The two-letter code of the state.
    pub state: String,
    /// The ZIP code with five digits, if known.
    pub postal_code: Option<String>,
    /// The latitude in degrees north.
    pub latitude: Option<f64>,
    /// The longitude in degrees east.
    pub longitude: Option<f64>,
    /// The IANA time zone.
    pub time_zone: String,
    /// What the position refers to.
    pub precision: Precision,
}

/// An offered place.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Place)]
pub struct PlaceView {
    /// The id to send when this place is chosen. It expires after an hour.
    id: String,
    /// The full text.
    label: String,
    /// The city.
    city: String,
    /// The two-letter code of the state.
    state: String,
    /// The ZIP code with five digits, if known.
    postal_code: Option<String>,
    /// The street with its number, if there is one.
    street: Option<String>,
    /// The latitude in degrees north.
    latitude: Option<f64>,
    /// The longitude in degrees east.
    longitude: Option<f64>,
    /// The IANA time zone.
    time_zone: String,
    /// What the position refers to: the address itself or its city.
    precision: Precision,
}

/// The offered places, the best match first.
#[derive(Debug, Serialize, ToSchema)]
pub struct PlaceList {
    /// At most eight places.
    items: Vec<PlaceView>,
}

/// The text to complete.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PlaceQuery {
    /// The text that was typed so far. Nothing is found for fewer than 2 characters.
    query: String,
    /// `city` or `address`.
    #[serde(default)]
    #[param(inline, required = false)]
    kind: PlaceKind,
}

/// A query to a provider.
#[derive(Debug, Clone)]
struct ProviderQuery {
    text: String,
    kind: PlaceKind,
    /// The same for all queries that lead to one choice. Some providers charge for each session.
    session: String,
}

/// The future with a provider's answer.
type ProviderFuture<'a, T> = Pin<Box<dyn Future<Output = anyhow::Result<T>> + Send + 'a>>;

/// A service that finds places.
trait Provider: Send + Sync {
    /// Lists places that begin with the text of the query.
    fn autocomplete<'a>(&'a self, query: &'a ProviderQuery) -> ProviderFuture<'a, Vec<Offer>>;

    /// Loads all data of a chosen offer. `None` if the provider knows no more than the offer.
    fn resolve<'a>(&'a self, offer: &'a Offer) -> ProviderFuture<'a, Option<Place>>;
}

/// The configured provider and the key that signs offers. Both are loaded when they are first needed.
#[derive(Default)]
pub struct Places {
    provider: OnceCell<Option<Box<dyn Provider>>>,
    key: OnceCell<[u8; 32]>,
}

/// Checks the settings of places.
///
/// # Errors
/// A message that names the wrong setting.
pub fn check(settings: &Settings) -> anyhow::Result<()> {
    let address = |name: &str, text: &str| {
        let url = Url::parse(text).with_context(|| format!("{name}: {text} is no address"))?;
        anyhow::ensure!(matches!(url.scheme(), "https" | "http"), "{name} must begin with https:// or http://");
        Ok(())
    };
    match settings.places_provider {
        PlacesProvider::Embedded => Ok(()),
        PlacesProvider::Photon => {
            address("places_photon_url", settings.places_photon_url.as_deref().context("places_photon_url is missing")?)
        }
        PlacesProvider::Google => {
            anyhow::ensure!(settings.places_google_key.is_some(), "places_google_key is missing");
            address("places_google_base_url", &settings.places_google_base_url)
        }
    }
}

impl Places {
    /// Returns the provider; `None` if the embedded list is used.
    async fn provider(&self, settings: &Settings) -> Result<Option<&dyn Provider>> {
        let open = async || match settings.places_provider {
            PlacesProvider::Embedded => Ok(None),
            PlacesProvider::Photon => Ok(Some(Box::new(Photon::open(settings)?) as Box<dyn Provider>)),
            PlacesProvider::Google => Ok(Some(Box::new(Google::open(settings)?) as Box<dyn Provider>)),
        };
        let opened = self.provider.get_or_try_init(open).await.map_err(Error::Internal)?;
        Ok(opened.as_deref())
    }

    /// Returns the signing key, which all nodes share.
    async fn key(&self, app: &App) -> Result<&[u8; 32]> {
        self.key.get_or_try_init(|| installation_key::load(app, "places")).await
    }
}

/// Lists cities or addresses that begin with the text. Data: GeoNames (CC BY 4.0).
#[utoipa::path(get, path = "/api/places", tag = "Places", params(PlaceQuery), responses((status = 200, body = PlaceList)))]
pub async fn find(State(app): State<App>, caller: Caller, Query(query): Query<PlaceQuery>) -> Result<Json<PlaceList>> {
    let text: String = clean_text(&query.query).chars().take(MAX_QUERY_CHARS).collect();
    if text.chars().count() < MIN_QUERY_CHARS {
        return Ok(Json(PlaceList { items: Vec::new() }));
    }
    let offers = match app.places.provider(&app.settings).await? {
        None => Vec::new(),
        Some(provider) => {
            let now = app.now();
            app.read_limits.attempt(format!("places:user:{}", caller.actor.user_id), PLACES_USER, now)?;
            let requester = format!("places:requester:{}", caller.requester.network());
            app.read_limits.attempt(requester, PLACES_REQUESTER, now)?;
            let session = key::session(app.places.key(&app).await?, caller.session_id, now);
            let provider_query = ProviderQuery { text: text.clone(), kind: query.kind, session };
            with_timeout(provider.autocomplete(&provider_query)).await.unwrap_or_default()
        }
    };
    let offers = if offers.is_empty() { embedded::find(&text, query.kind) } else { offers };
    let (key, ends) = (app.places.key(&app).await?, offer::expiry(app.now()));
    let view = |offer: Offer| {
        let id = offer.sign(key, ends);
        let place = offer.place;
        PlaceView {
            id,
            label: place.label,
            city: place.city,
            state: place.state,
            postal_code: place.postal_code,
            street: place.street,
            latitude: place.latitude,
            longitude: place.longitude,
            time_zone: place.time_zone,
            precision: place.precision,
        }
    };
    Ok(Json(PlaceList { items: offers.into_iter().take(MAX_OFFERS).map(view).collect() }))
}

/// Returns the place of an id from [`find`]; `None` if the id is invalid or older than an hour. May call a provider, so
/// no transaction may be open.
pub async fn resolve(app: &App, id: &str) -> Result<Option<Place>> {
    let Some(offer) = Offer::read(app.places.key(app).await?, id, app.now()) else { return Ok(None) };
    if let Some(provider) = app.places.provider(&app.settings).await?
        && let Some(Some(place)) = with_timeout(provider.resolve(&offer)).await
    {
        return Ok(Some(place));
    }
    Ok(Some(offer.place))
}

/// Returns a provider's answer. If it fails or takes too long, logs that and returns `None`.
async fn with_timeout<T>(answer: ProviderFuture<'_, T>) -> Option<T> {
    match tokio::time::timeout(PROVIDER_TIMEOUT, answer).await {
        Ok(Ok(found)) => Some(found),
        Ok(Err(error)) => {
            tracing::warn!(error = format!("{error:#}"), "the places provider failed; using the embedded list");
            None
        }
        Err(_) => {
            tracing::warn!("the places provider timed out; using the embedded list");
            None
        }
    }
}

/// Creates an HTTP client for a provider. It follows no redirects.
fn client() -> anyhow::Result<reqwest::Client> {
    reqwest::Client::builder()
        .timeout(PROVIDER_TIMEOUT)
        .redirect(reqwest::redirect::Policy::none())
        .user_agent(concat!("Berth/", env!("CARGO_PKG_VERSION")))
        .build()
        .context("TLS cannot be used; are the system's root certificates (ca-certificates) installed?")
}
