//! Case-insensitive paths below `/api` and `/connect`: the spec writes both `/api/guests` and `/api/Guests`. Fixed segments are
//! rewritten as in the OpenAPI document before the router sees them.

use std::sync::Arc;

use axum::extract::Request;
use axum::http::Uri;

/// The spellings of all paths.
#[derive(Clone)]
pub struct Spellings(Arc<Vec<Vec<Segment>>>);

#[derive(Debug)]
enum Segment {
    Fixed(String),
    Parameter,
}

impl Spellings {
    /// Reads the spellings from OpenAPI paths such as `/api/Guests/{id}`.
    #[must_use]
    pub fn of<'a>(paths: impl Iterator<Item = &'a str>) -> Self {
        let parse = |segment: &str| {
            if segment.starts_with('{') { Segment::Parameter } else { Segment::Fixed(segment.to_owned()) }
        };
        let mut all: Vec<Vec<Segment>> = paths.map(|path| path.split('/').map(parse).collect()).collect();
        // Paths with more fixed segments first: `/api/Sites/organization-sites` before `/api/Sites/{id}`.
        all.sort_by_key(|segments| segments.iter().filter(|segment| matches!(segment, Segment::Parameter)).count());
        Self(Arc::new(all))
    }

    /// Returns the path as in the OpenAPI document. `None` if it is already so or unknown.
    fn spell(&self, path: &str) -> Option<String> {
        let asked: Vec<&str> = path.split('/').collect();
        let fits = |known: &&Vec<Segment>| {
            known.len() == asked.len()
                && known.iter().zip(&asked).all(|(known, asked)| match known {
                    Segment::Fixed(text) => text.eq_ignore_ascii_case(asked),
                    Segment::Parameter => !asked.is_empty(),
                })
        };
        let known = self.0.iter().find(fits)?;
        let spelled = known.iter().zip(&asked).map(|(known, asked)| match known {
            Segment::Fixed(text) => text.as_str(),
            Segment::Parameter => asked,
        });
        let spelled = spelled.collect::<Vec<_>>().join("/");
        (spelled != path).then_some(spelled)
    }

    /// Rewrites the path of a request.
    #[must_use]
    pub fn rewrite(&self, mut request: Request) -> Request {
        let uri = request.uri();
        if let Some(path) = self.spell(uri.path()) {
            let query = uri.query().map(|query| format!("?{query}")).unwrap_or_default();
            let mut parts = uri.clone().into_parts();
            if let Ok(value) = format!("{path}{query}").parse() {
                parts.path_and_query = Some(value);
                if let Ok(uri) = Uri::from_parts(parts) {
                    *request.uri_mut() = uri;
                }
            }
        }
        request
    }
}

#[cfg(test)]
mod tests {
    use crate::http::path_case::*;

    #[test]
    fn fixed_segments_get_their_spelling_and_parameters_are_kept() {
        let paths = ["/api/Sites/{id}", "/api/Sites/organization-sites", "/api/public/sites"];
        let spellings = Spellings::of(paths.into_iter());
        assert_eq!(spellings.spell("/API/sites/AbC").as_deref(), Some("/api/Sites/AbC"));
        assert_eq!(spellings.spell("/api/sites/Organization-Sites").as_deref(), Some("/api/Sites/organization-sites"));
        assert_eq!(spellings.spell("/api/public/Sites").as_deref(), Some("/api/public/sites"));
        assert_eq!(spellings.spell("/api/Sites/x"), None);
        assert_eq!(spellings.spell("/elsewhere"), None);
    }
}
