//! Google's Places API (New): autocomplete, and place details when a place is chosen, both with one session token.

use anyhow::Context;
use reqwest::Client;
use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;
use serde_json::json;
use url::Url;

use super::offer::{Offer, Reference};
use super::text::{split_state, split_zip};
use super::{Place, PlaceKind, Precision, Provider, ProviderFuture, ProviderQuery, client, embedded};
use crate::settings::Settings;

/// Google's Places API.
pub(super) struct Google {
    base: Url,
    key: SecretString,
    client: Client,
}

/// The requested fields of place details, which Google charges for.
const FIELDS: &str = "formattedAddress,addressComponents,location,timeZone";

#[derive(Deserialize)]
struct Suggestions {
    #[serde(default)]
    suggestions: Vec<Suggestion>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Suggestion {
    place_prediction: Option<Prediction>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Prediction {
    place_id: String,
    structured_format: Structured,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Structured {
    main_text: Text,
    secondary_text: Option<Text>,
}

#[derive(Deserialize)]
struct Text {
    text: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Details {
    #[serde(default)]
    address_components: Vec<Component>,
    location: Option<Location>,
    time_zone: Option<Zone>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Component {
    long_text: String,
    short_text: String,
    types: Vec<String>,
}

#[derive(Deserialize)]
struct Location {
    latitude: f64,
    longitude: f64,
}

#[derive(Deserialize)]
struct Zone {
    id: String,
}

impl Google {
    pub(super) fn open(settings: &Settings) -> anyhow::Result<Self> {
        let key = settings.places_google_key.clone().context("places_google_key is missing")?;
        let base = Url::parse(&format!("{}/", settings.places_google_base_url.trim_end_matches('/')))?;
        Ok(Self { base, key, client: client()? })
    }

    async fn search(&self, query: &ProviderQuery) -> anyhow::Result<Vec<Offer>> {
        let types: &[&str] = match query.kind {
            PlaceKind::City => &["(cities)"],
            PlaceKind::Address => &["street_address", "premise", "subpremise", "route"],
        };
        let body = json!({
            "input": query.text, "includedRegionCodes": ["us"], "includedPrimaryTypes": types,
            "languageCode": "en", "sessionToken": query.session,
        });
        let request = self.client.post(self.base.join("v1/places:autocomplete")?).json(&body);
        let request = request.header("X-Goog-Api-Key", self.key.expose_secret());
        let answer = request.send().await.map_err(reqwest::Error::without_url)?.error_for_status();
        let found: Suggestions = answer.map_err(reqwest::Error::without_url)?.json().await?;
        let predictions = found.suggestions.into_iter().filter_map(|suggestion| suggestion.place_prediction);
        Ok(predictions.filter_map(|prediction| prediction.offer(query)).collect())
    }

    async fn details(&self, offer: &Offer) -> anyhow::Result<Option<Place>> {
        let Some(reference) = &offer.reference else { return Ok(None) };
        let mut address = self.base.clone();
        // Path segments are escaped, whatever the id contains.
        address.path_segments_mut().ok().context("no address")?.pop_if_empty().extend(["v1", "places", &reference.id]);
        address.query_pairs_mut().append_pair("sessionToken", &reference.session).append_pair("languageCode", "en");
        let request = self.client.get(address).header("X-Goog-Api-Key", self.key.expose_secret());
        let answer = request.header("X-Goog-FieldMask", FIELDS).send().await.map_err(reqwest::Error::without_url)?;
        let details: Details = answer.error_for_status().map_err(reqwest::Error::without_url)?.json().await?;
        Ok(details.complete(&offer.place))
    }
}

impl Prediction {
    /// Reads an offer from the texts, such as "1420 Harbor Blvd" and "Anaheim, CA, USA". The rest is loaded when it is
    /// chosen.
    fn offer(self, query: &ProviderQuery) -> Option<Offer> {
        let main = self.structured_format.main_text.text;
        let second = self.structured_format.secondary_text.map(|text| text.text).unwrap_or_default();
        let second = second.trim_end_matches(", USA").trim_end_matches("USA");
        let (street, place) = match query.kind {
            PlaceKind::City => (None, format!("{main}, {second}")),
            PlaceKind::Address => (Some(main), second.to_owned()),
        };
        let (rest, postal_code) = split_zip(&place);
        let (city, state) = split_state(rest);
        let city = city.rsplit(',').next().unwrap_or_default().trim().to_owned();
        let state = state.filter(|_| !city.is_empty())?;
        let (latitude, longitude, time_zone) = embedded::city(&city, state)?;
        let place = Place {
            label: label(street.as_deref(), &city, state, postal_code),
            street,
            city,
            state: state.to_owned(),
            postal_code: postal_code.map(str::to_owned),
            latitude: Some(latitude),
            longitude: Some(longitude),
            time_zone,
            precision: Precision::City,
        };
        let reference = Reference { id: self.place_id, session: query.session.clone() };
        Some(Offer { place, reference: Some(reference) })
    }
}

impl Details {
    /// Completes the chosen place with the details.
    fn complete(self, offered: &Place) -> Option<Place> {
        let of = |kind: &str| self.address_components.iter().find(|part| part.types.iter().any(|known| known == kind));
        let Location { latitude, longitude } = self.location?;
        let city = of("locality").or_else(|| of("sublocality")).or_else(|| of("postal_town"));
        let city = city.map_or_else(|| offered.city.clone(), |part| part.long_text.clone());
        let state = of("administrative_area_level_1").map_or(offered.state.clone(), |part| part.short_text.clone());
        let road = of("route").map(|part| part.short_text.clone());
        let number = of("street_number").map(|part| part.long_text.clone());
        let street = match (number, road) {
            (Some(number), Some(road)) if offered.street.is_some() => Some(format!("{number} {road}")),
            _ => offered.street.clone(),
        };
        let postal_code = of("postal_code").filter(|_| street.is_some()).map(|part| part.short_text.clone());
        let zone = self.time_zone.map(|zone| zone.id).filter(|zone| berth_domain::time::is_time_zone(zone));
        Some(Place {
            label: label(street.as_deref(), &city, &state, postal_code.as_deref()),
            time_zone: zone.unwrap_or_else(|| offered.time_zone.clone()),
            precision: if street.is_some() { Precision::Street } else { Precision::City },
            latitude: Some(latitude),
            longitude: Some(longitude),
            street,
            city,
            state,
            postal_code,
        })
    }
}

fn label(street: Option<&str>, city: &str, state: &str, postal_code: Option<&str>) -> String {
    let street = street.map(|street| format!("{street}, ")).unwrap_or_default();
    let postal_code = postal_code.map(|code| format!(" {code}")).unwrap_or_default();
    format!("{street}{city}, {state}{postal_code}")
}

impl Provider for Google {
    fn autocomplete<'a>(&'a self, query: &'a ProviderQuery) -> ProviderFuture<'a, Vec<Offer>> {
        Box::pin(self.search(query))
    }

    fn resolve<'a>(&'a self, offer: &'a Offer) -> ProviderFuture<'a, Option<Place>> {
        Box::pin(self.details(offer))
    }
}
