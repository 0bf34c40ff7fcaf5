//! Who sends a request, before anyone has signed in: the network address and the request id.

use std::convert::Infallible;
use std::net::{IpAddr, SocketAddr};

use axum::extract::{ConnectInfo, FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;

use crate::App;

/// The id of one request; it stands in the log, in the audit trail and in every error answer.
#[derive(Debug, Clone, Default)]
pub struct RequestId(pub String);

/// The requester's address as text: what a configured proxy reports, else the peer's address.
/// An `X-Forwarded-For` from anyone else is ignored (security-and-proof 2.2).
#[derive(Debug, Clone)]
pub struct Requester {
    /// The address, never empty.
    pub address: String,
    /// The request id.
    pub request_id: String,
}

/// Gives the request its id and its requester; the outermost layer but one.
pub async fn identify(State(app): State<App>, mut request: Request, next: Next) -> Response {
    let id = hex::encode(app.random::<8>());
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|info| info.0.ip());
    let address = address(request.headers(), peer, &app.settings.trusted_proxies);
    request.extensions_mut().insert(RequestId(id.clone()));
    request.extensions_mut().insert(Requester { address, request_id: id.clone() });
    let mut response = next.run(request).await;
    if let Ok(value) = HeaderValue::from_str(&id) {
        response.headers_mut().insert("x-request-id", value);
    }
    response
}

/// The right-most address of `X-Forwarded-For` that is not one of our proxies, if the peer is one of them.
fn address(headers: &HeaderMap, peer: Option<IpAddr>, trusted: &[IpAddr]) -> String {
    let Some(peer) = peer else { return "local".to_owned() };
    if trusted.contains(&peer) {
        let forwarded = headers.get_all("x-forwarded-for").iter().filter_map(|value| value.to_str().ok());
        let hops: Vec<IpAddr> =
            forwarded.flat_map(|value| value.split(',')).filter_map(|hop| hop.trim().parse().ok()).collect();
        if let Some(client) = hops.iter().rev().find(|hop| !trusted.contains(hop)) {
            return client.to_string();
        }
    }
    peer.to_string()
}

impl<S: Send + Sync> FromRequestParts<S> for Requester {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(parts
            .extensions
            .get::<Self>()
            .cloned()
            .unwrap_or_else(|| Self { address: "local".to_owned(), request_id: String::new() }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_forwarded_address_counts_only_from_a_configured_proxy() {
        let mut headers = HeaderMap::new();
        headers.append("x-forwarded-for", HeaderValue::from_static("6.6.6.6, 203.0.113.9, 10.0.0.2"));
        let proxy: IpAddr = "10.0.0.1".parse().unwrap();
        let inner: IpAddr = "10.0.0.2".parse().unwrap();
        assert_eq!(address(&headers, Some(proxy), &[]), "10.0.0.1");
        assert_eq!(address(&headers, Some(proxy), &[proxy, inner]), "203.0.113.9");
        assert_eq!(address(&headers, None, &[proxy]), "local");
    }
}
