//! Photon, komoot's search over OpenStreetMap, on a server of the operator.

use std::collections::HashSet;

use anyhow::Context;
use reqwest::Client;
use serde::Deserialize;
use url::Url;

use super::offer::Offer;
use super::text::state;
use super::{MAX_OFFERS, Place, PlaceKind, Precision, Provider, ProviderFuture, ProviderQuery, client, embedded};
use crate::settings::Settings;

/// A Photon server.
pub(super) struct Photon {
    address: Url,
    client: Client,
}

#[derive(Deserialize)]
struct Collection {
    features: Vec<Feature>,
}

#[derive(Deserialize)]
struct Feature {
    geometry: Geometry,
    properties: Properties,
}

#[derive(Deserialize)]
struct Geometry {
    /// Longitude and latitude.
    coordinates: [f64; 2],
}

#[derive(Deserialize)]
struct Properties {
    countrycode: Option<String>,
    #[serde(rename = "type")]
    kind: Option<String>,
    name: Option<String>,
    housenumber: Option<String>,
    street: Option<String>,
    city: Option<String>,
    state: Option<String>,
    postcode: Option<String>,
}

impl Photon {
    pub(super) fn open(settings: &Settings) -> anyhow::Result<Self> {
        let base = settings.places_photon_url.as_deref().context("places_photon_url is missing")?;
        let address = Url::parse(&format!("{}/api", base.trim_end_matches('/')))?;
        Ok(Self { address, client: client()? })
    }

    async fn search(&self, query: &ProviderQuery) -> anyhow::Result<Vec<Offer>> {
        let mut address = self.address.clone();
        let layers: &[&str] = match query.kind {
            PlaceKind::City => &["city"],
            PlaceKind::Address => &["house", "street"],
        };
        address
            .query_pairs_mut()
            .append_pair("q", &query.text)
            .append_pair("lang", "en")
            .append_pair("limit", "15")
            .extend_pairs(layers.iter().map(|layer| ("layer", layer)));
        let answer = self.client.get(address).send().await.map_err(reqwest::Error::without_url)?.error_for_status();
        let found: Collection = answer.map_err(reqwest::Error::without_url)?.json().await?;
        let mut seen = HashSet::new();
        let offers = found.features.into_iter().filter_map(|feature| feature.offer(query.kind));
        Ok(offers.filter(|offer| seen.insert(offer.place.label.clone())).take(MAX_OFFERS).collect())
    }
}

impl Feature {
    /// Converts the feature to an offer. `None` outside of the United States or without a city.
    fn offer(self, kind: PlaceKind) -> Option<Offer> {
        let Properties { countrycode, kind: layer, name, housenumber, street, city, state: of, postcode } =
            self.properties;
        let [longitude, latitude] = self.geometry.coordinates;
        if countrycode.is_some_and(|code| !code.eq_ignore_ascii_case("us")) {
            return None;
        }
        let state = state(&of?)?;
        let (street, city) = match kind {
            PlaceKind::City => (None, name.or(city)?),
            PlaceKind::Address => {
                let road = street.or_else(|| name.filter(|_| layer.as_deref() == Some("street")))?;
                (Some(housenumber.map_or(road.clone(), |number| format!("{number} {road}"))), city?)
            }
        };
        let time_zone = embedded::time_zone_at(latitude, longitude, state)?;
        let postal_code = postcode.filter(|_| street.is_some()).map(|code| code.chars().take(5).collect::<String>());
        let mut label = format!("{city}, {state}");
        if let Some(street) = &street {
            label = format!("{street}, {label}");
        }
        if let Some(code) = &postal_code {
            label = format!("{label} {code}");
        }
        let precision = if street.is_some() { Precision::Street } else { Precision::City };
        Some(Offer::from(Place {
            label,
            street,
            city,
            state: state.to_owned(),
            postal_code,
            latitude: Some(latitude),
            longitude: Some(longitude),
            time_zone,
            precision,
        }))
    }
}

impl Provider for Photon {
    fn autocomplete<'a>(&'a self, query: &'a ProviderQuery) -> ProviderFuture<'a, Vec<Offer>> {
        Box::pin(self.search(query))
    }

    fn resolve<'a>(&'a self, _: &'a Offer) -> ProviderFuture<'a, Option<Place>> {
        Box::pin(async { Ok(None) })
    }
}
