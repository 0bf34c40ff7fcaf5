//! Links in messages: each leads to a page of the web app or the server.

/// The routes of the web app, as its router writes them: `/history/$siteId`.
const ROUTES: &str = include_str!("../../../../web/src/routeTree.gen.ts");
/// Pages that the server serves itself.
const OWN: [&str; 1] = ["/find"];

fn routes() -> impl Iterator<Item = &'static str> {
    let list = ROUTES.split_once("\n  to:\n").expect("the route tree lists its addresses").1;
    list.lines().map_while(|line| line.trim().strip_prefix("| '")?.strip_suffix('\''))
}

fn is_known(path: &str) -> bool {
    let parts: Vec<&str> = path.split('/').collect();
    let fits = |route: &str| {
        let expected: Vec<&str> = route.split('/').collect();
        expected.len() == parts.len()
            && expected.iter().zip(&parts).all(|(name, part)| name.starts_with('$') || name == part)
    };
    // The route of the three lists of organizations starts with a parameter and would match every address.
    let lists = ["organizations", "free-rehabs", "paid-rehabs"];
    let is_list = lists.contains(parts.get(1).unwrap_or(&""));
    OWN.contains(&path) || routes().any(|route| (is_list || !route.starts_with("/$")) && fits(route))
}

/// Panics if a message has a link to `origin` that leads nowhere.
pub fn lead_somewhere(origin: &str, body: &str) {
    for (start, _) in body.match_indices(origin) {
        let link = body[start..].split(char::is_whitespace).next().unwrap_or_default();
        let path = link[origin.len()..].split(['?', '#']).next().unwrap_or_default().trim_end_matches('.');
        assert!(path.is_empty() || is_known(path), "{link} leads nowhere: {body}");
    }
}

#[test]
fn links_are_checked_against_the_routes_of_the_web_app() {
    for known in ["/login", "/reservations/0190", "/user-settings", "/find"] {
        assert!(is_known(known), "{known}");
    }
    for unknown in ["/profile", "/reservations/0190/more", "/history-of"] {
        assert!(!is_known(unknown), "{unknown}");
    }
}
