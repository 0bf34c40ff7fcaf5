//! The requester: the network address and the request id, known before authentication.

use std::convert::Infallible;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::sync::atomic::{AtomicBool, Ordering};

use axum::extract::{ConnectInfo, FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue};
use axum::response::Response;

use crate::App;
use crate::admin::audit_log::Decisions;
use crate::http::local;
use crate::settings::Settings;

/// The id of a request, in the log, the audit log and every error answer.
#[derive(Debug, Clone, Default)]
pub struct RequestId(pub String);

/// The sender of a request: the address that a trusted proxy reports, else the address of the peer. An `X-Forwarded-For` from anyone else is ignored (security-and-proof 2.2).
#[derive(Debug, Clone)]
pub struct Requester {
    /// The address, never empty.
    pub address: String,
    /// The request id.
    pub request_id: String,
    /// The decisions about its rights.
    pub decisions: Decisions,
}

/// Notes the user who sends the current request in its span.
pub fn log_user(id: impl std::fmt::Display) {
    tracing::Span::current().record("user_id", tracing::field::display(id));
}

/// True once this process has warned of an unknown proxy.
static WARNED: AtomicBool = AtomicBool::new(false);

/// The warning about an unknown proxy.
const UNKNOWN_PROXY: &str = "requests come through a proxy that trusted_proxies does not name, so all of them count as one \
    requester: a few failed sign-ins of anyone hold up everyone; add the proxy's address to trusted_proxies";

/// Returns the peer of a forwarded request if the settings do not name it as a proxy. Anyone on the internet can send these headers,
/// so only a peer in a local network counts.
fn unknown_proxy(headers: &HeaderMap, peer: Option<IpAddr>, trusted: &[IpAddr]) -> Option<IpAddr> {
    let peer = peer?.to_canonical();
    let is_near = match peer {
        IpAddr::V4(address) => address.is_loopback() || address.is_private() || address.is_link_local(),
        IpAddr::V6(address) => address.is_loopback() || address.is_unique_local() || address.is_unicast_link_local(),
    };
    let is_known = trusted.iter().any(|proxy| proxy.to_canonical() == peer);
    (is_near && !is_known && local::is_forwarded(headers)).then_some(peer)
}

/// Returns a warning if the origins are https, which needs a proxy, and no trusted proxy is set.
#[must_use]
pub fn proxy_warning(settings: &Settings) -> Option<&'static str> {
    let is_behind =
        settings.origins.iter().any(|origin| origin.starts_with("https://") && !local::is_local_address(origin));
    (is_behind && settings.trusted_proxies.is_empty()).then_some(
        "origins begin with https, so a proxy stands before Berth, but trusted_proxies is empty: all requests would count \
         as one requester. Add the address that the proxy connects from.",
    )
}

/// Sets the requester of a request, with a new id, and returns both.
pub fn identify(app: &App, request: &mut Request) -> (RequestId, Requester) {
    let id = hex::encode(app.random::<8>());
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|info| info.0.ip());
    let trusted = &app.settings.trusted_proxies;
    if let Some(proxy) = unknown_proxy(request.headers(), peer, trusted)
        && !WARNED.swap(true, Ordering::Relaxed)
    {
        tracing::warn!(%proxy, "{UNKNOWN_PROXY}");
    }
    let address = address(request.headers(), peer, trusted);
    let requester = Requester { address, request_id: id.clone(), decisions: Decisions::default() };
    request.extensions_mut().insert(requester.clone());
    (RequestId(id), requester)
}

impl RequestId {
    /// Sets the header `x-request-id` of an answer.
    pub fn set(&self, response: &mut Response) {
        if let Ok(value) = HeaderValue::from_str(&self.0) {
            response.headers_mut().insert("x-request-id", value);
        }
    }
}

/// Returns the right-most address of `X-Forwarded-For` that is no trusted proxy, if the peer is one. A hop that is no address ends
/// the search, since anyone may have written what is left of it.
fn address(headers: &HeaderMap, peer: Option<IpAddr>, trusted: &[IpAddr]) -> String {
    let Some(mut nearest) = peer.map(|peer| peer.to_canonical()) else { return "local".to_owned() };
    let is_ours = |address: &IpAddr| trusted.iter().any(|proxy| proxy.to_canonical() == *address);
    let values = headers.get_all("x-forwarded-for").iter().rev();
    let mut hops = values.flat_map(|value| value.to_str().unwrap_or_default().rsplit(','));
    while is_ours(&nearest) {
        let Some(hop) = hops.next().and_then(hop) else { break };
        nearest = hop;
    }
    nearest.to_string()
}

/// Parses an address of `X-Forwarded-For`. Some proxies add the port.
fn hop(text: &str) -> Option<IpAddr> {
    let text = text.trim();
    let address = text.parse().or_else(|_| text.parse::<SocketAddr>().map(|hop| hop.ip()));
    address.ok().map(|address| address.to_canonical())
}

impl Requester {
    /// Returns the requester that [`identify`] has set.
    #[must_use]
    pub fn of(parts: &Parts) -> Self {
        let known = parts.extensions.get::<Self>().cloned();
        known.unwrap_or_else(|| Self {
            address: "local".to_owned(),
            request_id: String::new(),
            decisions: Decisions::default(),
        })
    }

    /// Returns the key of rate limits: the address, or its /64 network with IPv6, where a customer has 2^64 addresses.
    #[must_use]
    pub fn network(&self) -> String {
        match self.address.parse() {
            Ok(IpAddr::V6(address)) => {
                let [a, b, c, d, ..] = address.segments();
                format!("{}/64", Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
            }
            Ok(IpAddr::V4(_)) | Err(_) => self.address.clone(),
        }
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Requester {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self::of(parts))
    }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderName;

    use crate::http::requester::*;

    #[test]
    fn a_forwarded_address_counts_only_from_a_configured_proxy() {
        let mut headers = HeaderMap::new();
        headers.append("x-forwarded-for", HeaderValue::from_static("6.6.6.6, 203.0.113.9, 10.0.0.2"));
        let proxy: IpAddr = "10.0.0.1".parse().unwrap();
        let inner: IpAddr = "10.0.0.2".parse().unwrap();
        assert_eq!(address(&headers, Some(proxy), &[]), "10.0.0.1");
        assert_eq!(address(&headers, Some(proxy), &[proxy, inner]), "203.0.113.9");
        assert_eq!(address(&headers, None, &[proxy]), "local");
        let mapped: IpAddr = "::ffff:10.0.0.1".parse().unwrap();
        assert_eq!(address(&headers, Some(mapped), &[proxy, inner]), "203.0.113.9", "a listener of both families");
    }

    #[test]
    fn a_proxy_missing_from_the_settings_is_reported() {
        let headers = |name: &'static str| {
            HeaderMap::from_iter([(HeaderName::from_static(name), "203.0.113.9".parse().unwrap())])
        };
        let forwarded = headers("x-forwarded-for");
        let near: [IpAddr; 3] = ["127.0.0.1", "::ffff:10.0.0.1", "fd00::1"].map(|text| text.parse().unwrap());
        for peer in near {
            assert!(unknown_proxy(&forwarded, Some(peer), &[]).is_some(), "{peer}");
            assert!(unknown_proxy(&headers("forwarded"), Some(peer), &[]).is_some(), "{peer}");
            assert_eq!(unknown_proxy(&forwarded, Some(peer), &[peer]), None, "it is known");
            assert_eq!(unknown_proxy(&headers("accept"), Some(peer), &[]), None, "nothing was forwarded");
        }
        assert_eq!(unknown_proxy(&forwarded, Some("203.0.113.9".parse().unwrap()), &[]), None, "anyone can send it");
        assert_eq!(unknown_proxy(&forwarded, None, &[]), None);

        let with = |origin: &str, proxies: &[IpAddr]| Settings {
            origins: vec![origin.to_owned()],
            trusted_proxies: proxies.to_vec(),
            ..Settings::default()
        };
        assert!(proxy_warning(&with("https://berth.example.org", &[])).is_some());
        for (origin, proxies) in
            [("https://berth.example.org", &near[..1]), ("https://localhost:8443", &[]), ("http://10.0.0.7", &[])]
        {
            assert_eq!(proxy_warning(&with(origin, proxies)), None, "{origin}");
        }
    }

    #[test]
    fn addresses_left_of_an_unreadable_hop_are_never_trusted() {
        let proxy: IpAddr = "10.0.0.1".parse().unwrap();
        for (sent, wanted) in [
            ("6.6.6.6, unknown", "10.0.0.1"),
            ("6.6.6.6, 203.0.113.9:4711", "203.0.113.9"),
            ("6.6.6.6, [2001:db8::1]:4711", "2001:db8::1"),
            ("6.6.6.6,", "10.0.0.1"),
            ("10.0.0.1", "10.0.0.1"),
        ] {
            let mut headers = HeaderMap::new();
            headers.append("x-forwarded-for", HeaderValue::from_static(sent));
            assert_eq!(address(&headers, Some(proxy), &[proxy]), wanted, "{sent}");
        }
        let mut headers = HeaderMap::new();
        headers.append("x-forwarded-for", HeaderValue::from_static("6.6.6.6"));
        headers.append("x-forwarded-for", HeaderValue::from_static("203.0.113.9"));
        assert_eq!(address(&headers, Some(proxy), &[proxy]), "203.0.113.9", "the last line is the proxy's");
    }

    #[test]
    fn limits_count_networks_of_ipv6_and_addresses_of_ipv4() {
        let network = |text: &str| {
            let (address, decisions) = (text.to_owned(), Decisions::default());
            Requester { address, request_id: String::new(), decisions }.network()
        };
        assert_eq!(network("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::/64");
        assert_eq!(network("2001:db8:1:2::ffff"), "2001:db8:1:2::/64");
        assert_eq!(network("203.0.113.9"), "203.0.113.9");
        assert_eq!(network("local"), "local");
    }
}
