//! The embedded list: US cities with position and time zone (GeoNames, CC BY 4.0), and every ZIP code with its city
//! (package zipcodes, MIT). It is made by `scripts/place-data` and unpacked on first use.
//!
//! It has no streets: the street of an address is the text that was typed before the city, and its position is the
//! city's.

use std::collections::HashMap;
use std::io::Read;
use std::sync::LazyLock;

use berth_domain::value::is_street;
use flate2::read::GzDecoder;

use super::offer::Offer;
use super::text::{long, plain, split_state, split_zip};
use super::{MAX_OFFERS, Place, PlaceKind, Precision};

static CITIES_FILE: &[u8] = include_bytes!("us_cities.tsv.gz");
static ZIPS_FILE: &[u8] = include_bytes!("us_zips.tsv.gz");

static DATA: LazyLock<Data> = LazyLock::new(Data::unpack);

struct Data {
    /// All cities, the largest first.
    cities: Vec<City>,
    zips: HashMap<u32, Zip>,
    /// The index of each city by its normalized name and state.
    by_name: HashMap<(String, String), usize>,
}

#[derive(Debug, Clone)]
struct City {
    name: String,
    state: String,
    /// The normalized name, for comparisons.
    key: String,
    latitude: f64,
    longitude: f64,
    time_zone: String,
}

struct Zip {
    city: String,
    state: String,
    /// Position and time zone, if the city is not in the list of cities.
    at: Option<(f64, f64, String)>,
}

/// A city that was found, with the ZIP code by which it was found.
struct Hit {
    city: City,
    zip: Option<String>,
}

fn unpacked(bytes: &[u8]) -> String {
    let mut text = String::new();
    // The data is built in, and a test reads all of it.
    let _ = GzDecoder::new(bytes).read_to_string(&mut text);
    text
}

impl Data {
    fn unpack() -> Self {
        let cities: Vec<City> = unpacked(CITIES_FILE).lines().filter_map(City::read).collect();
        let by_name =
            cities.iter().enumerate().map(|(at, city)| ((city.key.clone(), city.state.clone()), at)).collect();
        let zips = unpacked(ZIPS_FILE).lines().filter_map(Zip::read).collect();
        Self { cities, zips, by_name }
    }

    /// Finds the city of a ZIP code.
    fn zip(&self, zip: &str) -> Option<Hit> {
        let found = self.zips.get(&zip.parse().ok()?)?;
        let key = long(&plain(&found.city));
        let known = self.by_name.get(&(key.clone(), found.state.clone())).map(|at| self.cities[*at].clone());
        let city = match (&found.at, known) {
            (Some((latitude, longitude, time_zone)), _) => City {
                name: found.city.clone(),
                state: found.state.clone(),
                key,
                latitude: *latitude,
                longitude: *longitude,
                time_zone: time_zone.clone(),
            },
            (None, known) => known?,
        };
        Some(Hit { city, zip: Some(zip.to_owned()) })
    }

    /// Lists cities that begin with `text` ("Anah", "Anaheim, CA", "92868"), the largest first.
    fn cities(&self, text: &str) -> Vec<Hit> {
        let (rest, zip) = split_zip(text);
        if let Some(hit) = zip.and_then(|zip| self.zip(zip)) {
            return vec![hit];
        }
        // "New York" is also a state, so the text is tried both as a name and as a name with a state.
        let mut hits = self.beginning(rest, None);
        if let (name, Some(state)) = split_state(rest)
            && !name.is_empty()
        {
            let mut in_state = self.beginning(name, Some(state));
            in_state.append(&mut hits);
            hits = in_state;
        }
        hits.truncate(MAX_OFFERS);
        hits
    }

    fn beginning(&self, name: &str, state: Option<&str>) -> Vec<Hit> {
        let short = plain(name);
        if short.is_empty() {
            return Vec::new();
        }
        let long = long(&short);
        let fits = |city: &&City| {
            state.is_none_or(|state| city.state == state)
                && (city.key.starts_with(&long) || city.key.starts_with(&short))
        };
        let hits = self.cities.iter().filter(fits);
        // Exact names come before longer names.
        let (mut whole, mut begun): (Vec<&City>, Vec<&City>) = hits.partition(|city| city.key == long);
        whole.append(&mut begun);
        whole.into_iter().take(MAX_OFFERS).map(|city| Hit { city: city.clone(), zip: None }).collect()
    }

    /// Lists the cities whose full name is `text`, with or without a state or ZIP code.
    fn with_full_name(&self, text: &str) -> Vec<Hit> {
        let (rest, zip) = split_zip(text);
        let (name, state) = split_state(rest);
        let (name, state) = if name.is_empty() && zip.is_none() { (rest, None) } else { (name, state) };
        let key = long(&plain(name));
        if let Some(zip) = zip {
            let fits = |hit: &Hit| key.is_empty() || hit.city.key == key;
            return self.zip(zip).filter(fits).into_iter().collect();
        }
        self.beginning(name, state).into_iter().filter(|hit| hit.city.key == key).collect()
    }
}

impl City {
    fn read(line: &str) -> Option<Self> {
        let mut parts = line.split('\t');
        let (name, state, _population) = (parts.next()?, parts.next()?, parts.next()?);
        Some(Self {
            name: name.to_owned(),
            state: state.to_owned(),
            key: long(&plain(name)),
            latitude: parts.next()?.parse().ok()?,
            longitude: parts.next()?.parse().ok()?,
            time_zone: parts.next()?.to_owned(),
        })
    }
}

impl Zip {
    fn read(line: &str) -> Option<(u32, Self)> {
        let mut parts = line.split('\t');
        let (zip, city, state) = (parts.next()?, parts.next()?, parts.next()?);
        let at = match (parts.next(), parts.next(), parts.next()) {
            (Some(latitude), Some(longitude), Some(time_zone)) => {
                Some((latitude.parse().ok()?, longitude.parse().ok()?, time_zone.to_owned()))
            }
            _ => None,
        };
        Some((zip.parse().ok()?, Self { city: city.to_owned(), state: state.to_owned(), at }))
    }
}

impl Hit {
    fn offer(self, street: Option<&str>) -> Offer {
        let Self { city, zip } = self;
        let mut label = format!("{}, {}", city.name, city.state);
        if let Some(street) = street {
            label = format!("{street}, {label}");
        }
        if let Some(zip) = &zip {
            label = format!("{label} {zip}");
        }
        Offer::from(Place {
            label,
            street: street.map(str::to_owned),
            city: city.name,
            state: city.state,
            postal_code: zip,
            latitude: Some(city.latitude),
            longitude: Some(city.longitude),
            time_zone: city.time_zone,
            precision: Precision::City,
        })
    }
}

/// Lists places that begin with `text`.
pub(super) fn find(text: &str, kind: PlaceKind) -> Vec<Offer> {
    match kind {
        PlaceKind::City => DATA.cities(text).into_iter().map(|hit| Hit { zip: None, ..hit }.offer(None)).collect(),
        PlaceKind::Address => addresses(text),
    }
}

/// Lists addresses for a text such as "street, city or ZIP". Without a street, lists cities; without a city, nothing.
fn addresses(text: &str) -> Vec<Offer> {
    // Each comma may be the one before the city: "12 Main St, Apt 4, Anaheim, CA".
    for (comma, _) in text.match_indices(',') {
        let (street, rest) = (collapse_spaces(&text[..comma]), text[comma + 1..].trim());
        let hits = if rest.is_empty() || !is_street(&street) { Vec::new() } else { DATA.cities(rest) };
        if !hits.is_empty() {
            return hits.into_iter().map(|hit| hit.offer(Some(&street))).collect();
        }
    }
    // "12 Main St Anaheim 92805": the longest end that is the full name of a city.
    for (space, _) in text.match_indices(' ') {
        let (street, rest) = (collapse_spaces(&text[..space]), text[space + 1..].trim());
        if !is_street(&street) || !street.contains(' ') {
            continue;
        }
        let hits = DATA.with_full_name(rest);
        if !hits.is_empty() {
            return hits.into_iter().map(|hit| hit.offer(Some(&street))).collect();
        }
    }
    DATA.cities(text).into_iter().map(|hit| hit.offer(None)).collect()
}

/// Puts a street on one line and removes extra spaces.
fn collapse_spaces(street: &str) -> String {
    let street: Vec<&str> = street.trim_end_matches([' ', ',']).split_whitespace().collect();
    street.join(" ")
}

/// Returns position and time zone of a city from another provider; those of the state's largest city if the city is
/// unknown.
pub(super) fn city(name: &str, state: &str) -> Option<(f64, f64, String)> {
    let known = DATA.by_name.get(&(long(&plain(name)), state.to_owned())).map(|at| &DATA.cities[*at]);
    let city = known.or_else(|| DATA.cities.iter().find(|city| city.state == state))?;
    Some((city.latitude, city.longitude, city.time_zone.clone()))
}

/// Returns the time zone of the nearest city of a state.
pub(super) fn time_zone_at(latitude: f64, longitude: f64, state: &str) -> Option<String> {
    // An approximation for short distances: degrees of longitude are shorter than degrees of latitude.
    let narrow = latitude.to_radians().cos();
    let far = |city: &City| (city.latitude - latitude).powi(2) + ((city.longitude - longitude) * narrow).powi(2);
    let near = DATA.cities.iter().filter(|city| city.state == state).min_by(|a, b| far(a).total_cmp(&far(b)));
    near.map(|city| city.time_zone.clone())
}

#[cfg(test)]
mod tests {
    use super::{DATA, PlaceKind, city, find, time_zone_at};

    fn labels(text: &str, kind: PlaceKind) -> Vec<String> {
        find(text, kind).into_iter().map(|offer| offer.place.label).collect()
    }

    #[test]
    fn every_line_of_the_data_is_read_and_every_time_zone_is_known() {
        assert_eq!((DATA.cities.len(), DATA.zips.len()), (21_454, 41_084));
        let zones = DATA.cities.iter().map(|city| &city.time_zone);
        let zones = zones.chain(DATA.zips.values().filter_map(|zip| zip.at.as_ref().map(|(_, _, zone)| zone)));
        for zone in zones {
            assert!(berth_domain::time::is_time_zone(zone), "{zone}");
        }
    }

    #[test]
    fn every_zip_code_has_a_city() {
        let lost: Vec<&u32> = DATA.zips.keys().filter(|zip| DATA.zip(&format!("{zip:05}")).is_none()).collect();
        assert!(lost.is_empty(), "{lost:?}");
    }

    #[test]
    fn a_city_is_found_by_its_first_letters_the_largest_first() {
        assert_eq!(labels("anah", PlaceKind::City)[0], "Anaheim, CA");
        assert_eq!(labels("Anaheim, CA", PlaceKind::City)[0], "Anaheim, CA");
        assert_eq!(labels("CAÑON c", PlaceKind::City)[0], "Cañon City, CO");
        assert_eq!(labels("springfield", PlaceKind::City)[..2], ["Springfield, MO", "Springfield, MA"]);
        assert_eq!(labels("springfield il", PlaceKind::City)[0], "Springfield, IL");
        assert_eq!(labels("new york", PlaceKind::City)[0], "New York, NY");
        assert_eq!(labels("zzzz", PlaceKind::City), [""; 0]);
    }

    #[test]
    fn st_finds_saint_and_saint_finds_st() {
        assert!(labels("st. pau", PlaceKind::City).contains(&"Saint Paul, MN".to_owned()));
        assert!(labels("saint lou", PlaceKind::City).contains(&"St. Louis, MO".to_owned()));
        assert!(labels("st", PlaceKind::City).contains(&"Stockton, CA".to_owned()), "and the names that start with it");
    }

    #[test]
    fn a_zip_code_finds_its_city() {
        assert_eq!(labels("92868", PlaceKind::City), ["Orange, CA"]);
        assert_eq!(labels("92868", PlaceKind::Address), ["Orange, CA 92868"]);
    }

    #[test]
    fn an_address_is_a_street_in_the_matching_cities() {
        let offers = find("1420 harbor blvd,  anaheim 92802", PlaceKind::Address);
        let place = &offers[0].place;
        assert_eq!(place.label, "1420 harbor blvd, Anaheim, CA 92802");
        assert_eq!(
            (place.street.as_deref(), place.time_zone.as_str()),
            (Some("1420 harbor blvd"), "America/Los_Angeles")
        );
        assert_eq!(labels("5 Oak St, 92868-1234", PlaceKind::Address), ["5 Oak St, Orange, CA 92868"]);
        let two = labels("12 Main St, Portland", PlaceKind::Address);
        assert_eq!(two[..2], ["12 Main St, Portland, OR", "12 Main St, Portland, ME"], "one name in two states");
        assert_eq!(labels("12 Main St, Apt 4, Anaheim, CA", PlaceKind::Address)[0], "12 Main St, Apt 4, Anaheim, CA");
        assert_eq!(labels("12 Main St Anaheim CA 92805", PlaceKind::Address), ["12 Main St, Anaheim, CA 92805"]);
        assert_eq!(labels("12 Main St Santa Ana", PlaceKind::Address)[0], "12 Main St, Santa Ana, CA");
    }

    #[test]
    fn a_street_without_a_city_is_not_an_address_yet() {
        assert_eq!(labels("12 Main Street", PlaceKind::Address), [""; 0]);
        assert_eq!(labels("12 Main Street, ", PlaceKind::Address), [""; 0]);
        assert_eq!(labels("12 Main Street, 00000", PlaceKind::Address), [""; 0]);
    }

    /// Suggested places are signed, saved, and sent to guests by SMS.
    #[test]
    fn a_street_with_a_link_a_phone_number_or_a_long_text_is_not_suggested() {
        let long = format!("12 {} Street, Anaheim, CA", "Very Long ".repeat(9));
        for typed in [
            "12 pay.evil.example/now, Anaheim, CA",
            "12 https://evil.example, Anaheim, CA",
            "12 Main St! Call me @home, Anaheim, CA",
            "5 call 714 555 0100 now, Anaheim, CA",
            "12 evil。example, Anaheim, CA",
            long.as_str(),
        ] {
            assert_eq!(labels(typed, PlaceKind::Address), [""; 0], "{typed}");
        }
        assert_eq!(labels("12 Main\nStreet, Anaheim, CA", PlaceKind::Address)[0], "12 Main Street, Anaheim, CA");
    }

    #[test]
    fn another_providers_city_gets_its_time_zone() {
        assert_eq!(city("St Louis", "MO").unwrap().2, "America/Chicago");
        assert_eq!(city("Nowhere at all", "AZ").unwrap().2, "America/Phoenix");
        assert_eq!(time_zone_at(41.76, -87.13, "IN").unwrap(), "America/Chicago", "the corner of Indiana by Chicago");
    }
}
