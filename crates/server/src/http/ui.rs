//! The web application: the build in `web/dist`, embedded into release binaries. Debug binaries read it from the disk, so that a new web build
//! needs no new binary.
//!
//! Files under `/assets/` have a hash in their name and are cached forever, other files are revalidated. All other paths answer `index.html`
//! with the nonce of the answer.

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use rust_embed::{EmbeddedFile, RustEmbed};

use crate::http::html::Html;
use crate::http::security_headers::{FrameAncestors, Nonce};
use crate::{App, Error, Result};

#[derive(RustEmbed)]
#[folder = "../../web/dist"]
#[allow_missing = true]
struct Web;

/// Placeholder of the nonce in the web build.
const NONCE_PLACE: &str = "__BERTH_CSP_NONCE__";
/// Placeholder of the new address of the product in the web build, so that its banner is in the first paint.
const MOVED_ADDRESS_PLACE: &str = "__BERTH_MOVED_ADDRESS__";
/// First path segments that are never pages of the application.
const NOT_PAGES: [&str; 4] = ["api", "connect", "files", "dev"];
/// The path of the public page, and its file in the web build.
const FIND_PAGE: &str = "find";
const FIND_DOCUMENT: &str = "find.html";
/// Encodings of precompressed files in the web build, the better one first.
const PREPARED: [(&str, &str); 2] = [("br", ".br"), ("gzip", ".gz")];

/// Answers requests without a route: with a file of the web build, or the page of the application.
///
/// # Errors
/// [`Error::NotFound`] and [`Error::MethodNotAllowed`].
pub async fn serve(State(app): State<App>, request: Request) -> Result<Response> {
    let path = request.uri().path().trim_start_matches('/');
    let (first, last) = (path.split('/').next().unwrap_or_default(), path.rsplit('/').next().unwrap_or_default());
    if NOT_PAGES.iter().any(|name| first.eq_ignore_ascii_case(name)) {
        return Err(Error::NotFound);
    }
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return Err(Error::MethodNotAllowed);
    }
    if path == FIND_PAGE {
        let nonce = nonce_of(&request);
        return if app.settings.serves_find_page() {
            Ok(find_page(&app, nonce))
        } else {
            Ok(no_find_page(&app, nonce))
        };
    }
    // A name with a dot is a file. Pages of the application have none.
    if last.contains('.') && path != "index.html" {
        if path == FIND_DOCUMENT {
            return Err(Error::NotFound);
        }
        return file(path, request.headers()).ok_or(Error::NotFound);
    }
    if first == "assets" {
        return Err(Error::NotFound);
    }
    Ok(page(nonce_of(&request), app.settings.moved_address.as_deref().unwrap_or_default()))
}

/// Returns the nonce of the answer to this request.
fn nonce_of(request: &Request) -> &str {
    request.extensions().get::<Nonce>().map_or("", |nonce| nonce.0.as_str())
}

/// Answers with the public page, which other sites may show in a frame if the settings allow it (docs/decisions/0049).
fn find_page(app: &App, nonce: &str) -> Response {
    let Some(document) = Web::get(FIND_DOCUMENT) else { return not_built(nonce) };
    let mut response = document_of(String::from_utf8_lossy(&document.data).replace(NONCE_PLACE, nonce));
    response.extensions_mut().insert(FrameAncestors(app.settings.find_frame_ancestors.join(" ")));
    response
}

/// Answers at the path of the public page if it is turned off: with the "not found" page of the application.
fn no_find_page(app: &App, nonce: &str) -> Response {
    let mut response = page(nonce, app.settings.moved_address.as_deref().unwrap_or_default());
    if response.status().is_success() {
        *response.status_mut() = StatusCode::NOT_FOUND;
    }
    response
}

/// Answers with a file of the web build, in the best encoding that the client accepts and the build has.
fn file(path: &str, headers: &HeaderMap) -> Option<Response> {
    let hidden = path.split('/').any(|segment| segment.starts_with('.'));
    let prepared = PREPARED.iter().any(|(_, ending)| path.ends_with(ending));
    if hidden || prepared {
        return None;
    }
    let plain = Web::get(path)?;
    let better = PREPARED.iter().find_map(|(name, ending)| {
        let found = accepts(headers, name).then(|| Web::get(&format!("{path}{ending}"))).flatten()?;
        Some((found, *name))
    });
    let tag = format!("W/\"{}\"", hex::encode(&plain.metadata.sha256_hash()[..12]));
    let known = headers.get_all(header::IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    let mut response = if known.flat_map(|value| value.split(',')).any(|known| known.trim() == tag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        let encoding = better.as_ref().map(|(_, name)| *name);
        let mut response = bytes(better.map_or(plain, |(found, _)| found)).into_response();
        if let Some(name) = encoding {
            response.headers_mut().insert(header::CONTENT_ENCODING, HeaderValue::from_static(name));
        }
        response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(media_type(path)));
        response
    };
    let lasting = if path.starts_with("assets/") { "public, max-age=31536000, immutable" } else { "no-cache" };
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(lasting));
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        headers.insert(header::ETAG, tag);
    }
    Some(response)
}

/// Returns true if the client accepts an encoding. `q=0` rejects it.
fn accepts(headers: &HeaderMap, encoding: &str) -> bool {
    let sent = headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    sent.flat_map(|value| value.split(',')).any(|entry| {
        let mut parts = entry.split(';').map(str::trim);
        let named = parts.next().is_some_and(|name| name.eq_ignore_ascii_case(encoding));
        let refused = parts.any(|part| part.strip_prefix("q=").is_some_and(|q| q.parse() == Ok(0.0_f32)));
        named && !refused
    })
}

/// Answers with the page of the application.
fn page(nonce: &str, moved_address: &str) -> Response {
    let Some(index) = Web::get("index.html") else { return not_built(nonce) };
    let text = String::from_utf8_lossy(&index.data).replace(NONCE_PLACE, nonce);
    let mut address = Html::new();
    address.text(moved_address);
    document_of(text.replace(MOVED_ADDRESS_PLACE, &address.into_string()))
}

/// Answers with a page that is not cached, since it holds the nonce of one answer.
fn document_of(text: String) -> Response {
    let mut response = text.into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// The page in place of an application that was not built.
fn not_built(nonce: &str) -> Response {
    let mut content = Html::new();
    content
        .markup("<p>The server runs, but the web application has not been built into it.</p>\n")
        .markup("<p>Build it with <code>scripts/build-web</code>, ")
        .markup("or start everything with <code>make run</code>.</p>\n")
        .markup("<p>The API works without it: see <a href=\"/api/docs\">its documentation</a>.</p>\n");
    let mut response = Html::page("Berth", nonce, &content);
    *response.status_mut() = StatusCode::SERVICE_UNAVAILABLE;
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

fn bytes(file: EmbeddedFile) -> axum::body::Bytes {
    match file.data {
        std::borrow::Cow::Borrowed(bytes) => axum::body::Bytes::from_static(bytes),
        std::borrow::Cow::Owned(bytes) => bytes.into(),
    }
}

fn media_type(path: &str) -> &'static str {
    match path.rsplit('.').next().unwrap_or_default() {
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "html" => "text/html; charset=utf-8",
        "svg" => "image/svg+xml",
        "json" | "map" => "application/json",
        "webmanifest" => "application/manifest+json",
        "woff2" => "font/woff2",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "webp" => "image/webp",
        "ico" => "image/x-icon",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}
