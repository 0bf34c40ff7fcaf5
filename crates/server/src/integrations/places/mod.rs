//! `GET /api/places`: cities and addresses to choose from (guide "payments-messages-files-places" 5; spec A 5 "Address").
//!
//! Each offer carries an id that the server has signed and that ends after an hour. A site is saved only with such an id
//! ([`resolve`]), so that "chosen from the dropdown" holds on the server. Providers are asked by the server alone: no key
//! and no foreign address in the browser. Whatever a provider does, after two seconds the embedded list answers.

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

/// How long a provider may take before the embedded list answers in its place.
const PATIENCE: Duration = Duration::from_secs(2);
/// Fewest characters that are looked for.
const FEWEST: usize = berth_domain::limits::MIN_SEARCH_CHARS;
/// Most characters of a question.
const MOST: usize = 200;
/// Most offers of one answer.
const OFFERS: usize = 8;

/// Cities alone, or addresses in them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum PlaceKind {
    /// A city with its state.
    #[default]
    City,
    /// A street in a city.
    Address,
}

/// How exact the position of a place is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Precision {
    /// That of its city.
    City,
    /// Its own.
    Street,
}

/// A place that was chosen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Place {
    /// As it is shown and kept, such as `1420 Harbor Blvd, Anaheim, CA 92802`.
    pub label: String,
    /// The street with its number, when one was given.
    pub street: Option<String>,
    /// The city.
    pub city: String,
    /// The state's two letters.
    pub state: String,
    /// Five digits, when known.
    pub postal_code: Option<String>,
    /// Degrees north.
    pub latitude: Option<f64>,
    /// Degrees east.
    pub longitude: Option<f64>,
    /// IANA time zone.
    pub time_zone: String,
    /// What the position is that of.
    pub precision: Precision,
}

/// A place to choose.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Place)]
pub struct PlaceView {
    /// To be sent when it is chosen; good for an hour.
    id: String,
    /// As it is shown and kept.
    label: String,
    /// The city.
    city: String,
    /// The state's two letters.
    state: String,
    /// Five digits, when known.
    postal_code: Option<String>,
    /// The street with its number, when one was given.
    street: Option<String>,
    /// Degrees north.
    latitude: Option<f64>,
    /// Degrees east.
    longitude: Option<f64>,
    /// IANA time zone.
    time_zone: String,
    /// Whether the position is the address's own or its city's.
    precision: Precision,
}

/// Places to choose from, the likeliest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct PlaceList {
    /// At most eight.
    items: Vec<PlaceView>,
}

/// What is looked for.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Asked {
    /// What was typed so far; nothing is found for fewer than 2 characters.
    query: String,
    /// `city` or `address`.
    #[serde(default)]
    #[param(inline, required = false)]
    kind: PlaceKind,
}

/// What a provider is asked.
#[derive(Debug, Clone)]
struct Question {
    text: String,
    kind: PlaceKind,
    /// The same for the questions that lead to one choice; some providers charge by it.
    session: String,
}

/// What a provider finds, on its way.
type Found<'a, T> = Pin<Box<dyn Future<Output = anyhow::Result<T>> + Send + 'a>>;

/// Who finds addresses.
trait Provider: Send + Sync {
    /// Places that begin like the question.
    fn autocomplete<'a>(&'a self, question: &'a Question) -> Found<'a, Vec<Offer>>;

    /// The whole of an offer that was chosen; none when there is nothing to add.
    fn resolve<'a>(&'a self, offer: &'a Offer) -> Found<'a, Option<Place>>;
}

/// The provider of the settings and the key that signs offers; both are opened when first needed.
#[derive(Default)]
pub struct Places {
    provider: OnceCell<Option<Box<dyn Provider>>>,
    key: OnceCell<[u8; 32]>,
}

/// Checks the settings of places.
///
/// # Errors
/// A sentence that names the setting.
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
    /// The provider over the network, if there is one.
    async fn provider(&self, settings: &Settings) -> Result<Option<&dyn Provider>> {
        let open = async || match settings.places_provider {
            PlacesProvider::Embedded => Ok(None),
            PlacesProvider::Photon => Ok(Some(Box::new(Photon::open(settings)?) as Box<dyn Provider>)),
            PlacesProvider::Google => Ok(Some(Box::new(Google::open(settings)?) as Box<dyn Provider>)),
        };
        let opened = self.provider.get_or_try_init(open).await.map_err(Error::Internal)?;
        Ok(opened.as_deref())
    }

    /// The key that all nodes share.
    async fn key(&self, app: &App) -> Result<&[u8; 32]> {
        self.key.get_or_try_init(|| installation_key::load(app, "places")).await
    }
}

/// Cities or addresses that begin like the text. Data: GeoNames (CC BY 4.0).
#[utoipa::path(get, path = "/api/places", tag = "Places", params(Asked), responses((status = 200, body = PlaceList)))]
pub async fn find(State(app): State<App>, caller: Caller, Query(asked): Query<Asked>) -> Result<Json<PlaceList>> {
    let text: String = clean_text(&asked.query).chars().take(MOST).collect();
    if text.chars().count() < FEWEST {
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
            let question = Question { text: text.clone(), kind: asked.kind, session };
            in_time(provider.autocomplete(&question)).await.unwrap_or_default()
        }
    };
    let offers = if offers.is_empty() { embedded::find(&text, asked.kind) } else { offers };
    let (key, ends) = (app.places.key(&app).await?, offer::end(app.now()));
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
    Ok(Json(PlaceList { items: offers.into_iter().take(OFFERS).map(view).collect() }))
}

/// The place of an id that [`find`] has given out; none when the id is forged, changed or older than an hour. A provider
/// may be asked for the whole of it, so no transaction should be open.
pub async fn resolve(app: &App, id: &str) -> Result<Option<Place>> {
    let Some(offer) = Offer::read(app.places.key(app).await?, id, app.now()) else { return Ok(None) };
    if let Some(provider) = app.places.provider(&app.settings).await?
        && let Some(Some(whole)) = in_time(provider.resolve(&offer)).await
    {
        return Ok(Some(whole));
    }
    Ok(Some(offer.place))
}

/// What a provider says in time; none otherwise, and a line in the log.
async fn in_time<T>(answer: Found<'_, T>) -> Option<T> {
    match tokio::time::timeout(PATIENCE, answer).await {
        Ok(Ok(found)) => Some(found),
        Ok(Err(error)) => {
            tracing::warn!(error = format!("{error:#}"), "the provider of places failed; the embedded list answers");
            None
        }
        Err(_) => {
            tracing::warn!("the provider of places took too long; the embedded list answers");
            None
        }
    }
}

/// One client for a provider: it follows no redirect.
fn client() -> anyhow::Result<reqwest::Client> {
    reqwest::Client::builder()
        .timeout(PATIENCE)
        .redirect(reqwest::redirect::Policy::none())
        .user_agent(concat!("Berth/", env!("CARGO_PKG_VERSION")))
        .build()
        .context("TLS cannot be used; are the system's root certificates (ca-certificates) installed?")
}
