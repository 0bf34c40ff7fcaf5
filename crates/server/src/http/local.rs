//! Checks whether a request or an address is of this machine: for `/metrics` without a token and for the messages of the demo (docs/decisions/0037).

use std::net::{IpAddr, SocketAddr};

use axum::http::{HeaderMap, header};
use url::{Host, Url};

use crate::settings::Settings;

/// Headers by which proxies mark forwarded requests.
const FORWARDING: [&str; 6] =
    ["x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "forwarded", "via", "x-real-ip"];

/// Returns true if a host is `localhost` or a loopback address.
pub fn is_local_host<S: AsRef<str>>(host: &Host<S>) -> bool {
    match host {
        Host::Domain(domain) => domain.as_ref() == "localhost",
        Host::Ipv4(address) => address.is_loopback(),
        Host::Ipv6(address) => IpAddr::from(*address).to_canonical().is_loopback(),
    }
}

/// Returns true if an address such as `http://localhost:8080` leads to this machine.
#[must_use]
pub fn is_local_address(address: &str) -> bool {
    Url::parse(address).is_ok_and(|url| url.host().is_some_and(|host| is_local_host(&host)))
}

/// Returns true if the server can be reached from other machines: by its listen address, or by its origins through a proxy.
#[must_use]
pub fn is_public(settings: &Settings) -> bool {
    !settings.listen.ip().is_loopback() || !settings.origins.iter().all(|origin| is_local_address(origin))
}

/// Returns true if a proxy has marked the request as forwarded. Not all proxies do.
#[must_use]
pub fn is_forwarded(headers: &HeaderMap) -> bool {
    FORWARDING.iter().any(|name| headers.contains_key(*name))
}

/// Returns true if a request was made on this machine.
///
/// A forwarded request may also connect from this machine, and not all proxies mark it, so a server that others can reach has no
/// local requests. The Host must name this machine, which excludes web pages that use DNS rebinding.
#[must_use]
pub fn is_local_request(settings: &Settings, headers: &HeaderMap, peer: Option<SocketAddr>) -> bool {
    let host = headers.get(header::HOST).map(|host| format!("http://{}/", host.to_str().unwrap_or_default()));
    // Without a peer or a Host the request was made inside the process.
    !is_public(settings)
        && peer.is_none_or(|peer| peer.ip().to_canonical().is_loopback())
        && !is_forwarded(headers)
        && host.is_none_or(|host| is_local_address(&host))
}

#[cfg(test)]
mod tests {
    use crate::http::local::*;

    fn is_local(settings: &Settings, peer: &str, headers: &[(&'static str, &'static str)]) -> bool {
        let headers = headers.iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap())).collect();
        is_local_request(settings, &headers, Some(peer.parse().unwrap()))
    }

    #[test]
    fn a_request_is_local_if_connection_and_host_are_and_there_is_no_proxy() {
        let settings = Settings::default().checked().unwrap();
        for host in ["localhost:8080", "127.0.0.1:8080", "[::1]:8080", "LOCALHOST"] {
            assert!(is_local(&settings, "127.0.0.1:4711", &[("host", host)]), "{host}");
        }
        assert!(is_local(&settings, "[::ffff:127.0.0.1]:4711", &[("host", "localhost")]));
        assert!(!is_local(&settings, "10.0.0.7:4711", &[("host", "localhost")]), "another machine");
        for host in ["rebound.example", "localhost.rebound.example", "localhost@rebound.example", "", "a b"] {
            assert!(!is_local(&settings, "127.0.0.1:4711", &[("host", host)]), "{host}");
        }
        for name in FORWARDING {
            assert!(!is_local(&settings, "127.0.0.1:4711", &[("host", "localhost"), (name, "10.0.0.7")]), "{name}");
        }
    }

    #[test]
    fn a_public_server_has_no_local_requests_because_a_proxy_may_be_silent() {
        let origins = vec!["https://berth.example.org".to_owned()];
        let behind_a_proxy = Settings { origins, ..Settings::default() }.checked().unwrap();
        let listen = SocketAddr::from(([0, 0, 0, 0], 8080));
        let open = Settings { listen, ..Settings::default() }.checked().unwrap();
        for settings in [behind_a_proxy, open] {
            assert!(is_public(&settings));
            assert!(!is_local(&settings, "127.0.0.1:4711", &[("host", "127.0.0.1:8080")]));
        }
    }
}
