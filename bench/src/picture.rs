//! The picture of `RESULTS.md`: bars of CPU per request for Berth, the limits and the peers, as SVG that is also
//! readable on a dark page.

use std::fmt::Write;

use crate::book::Book;
use crate::scorecard::rounded;

/// Panels: measure, title.
const PANELS: [(&str, &str); 4] = [
    ("P1", "Board of 20 beds"),
    ("P2", "Create a reservation"),
    ("P3-assign", "Assign a bed"),
    ("P3-swap", "Swap two guests"),
];
const WIDTH: f64 = 760.0;
const BAR: f64 = 20.0;

/// Draws the figures of the book.
#[must_use]
pub fn draw(book: &Book) -> String {
    let mut body = String::new();
    let mut y = 44.0;
    for (measure, title) in PANELS {
        let Some(servers) = book.runs.get(measure) else { continue };
        let mut bars: Vec<(&str, f64)> = servers
            .keys()
            .filter_map(|server| Some((server.as_str(), book.median(measure, server, |figures| figures.cpu)?)))
            .collect();
        bars.sort_by(|left, right| left.1.total_cmp(&right.1));
        let longest = bars.iter().map(|bar| bar.1).fold(f64::MIN_POSITIVE, f64::max);
        let _ = write!(body, "<text x=\"16\" y=\"{:.0}\" class=\"title\">{title}</text>", y + 14.0);
        y += 24.0;
        for (server, value) in bars {
            let length = (value / longest * (WIDTH - 300.0)).max(1.5);
            let class = if server.starts_with("berth") { "ours" } else { "other" };
            let _ = write!(
                body,
                "<text x=\"196\" y=\"{text:.0}\" class=\"name\">{server}</text>\
                 <rect x=\"204\" y=\"{y:.0}\" width=\"{length:.1}\" height=\"{height}\" rx=\"3\" class=\"{class}\"/>\
                 <text x=\"{end:.1}\" y=\"{text:.0}\" class=\"value\">{value} ms</text>",
                text = y + 14.0,
                height = BAR - 4.0,
                end = 212.0 + length,
                value = rounded(value),
            );
            y += BAR;
        }
        y += 16.0;
    }
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {y:.0}\" width=\"{WIDTH}\" height=\"{y:.0}\" role=\"img\" \
         aria-label=\"CPU milliseconds per request: Berth beside its limits and its peers\"><style>\
         text{{font:13px system-ui,sans-serif;fill:#57606a}}.title{{font-weight:600;fill:#0f7d78}}.name{{text-anchor:end}}\
         .value{{font-variant-numeric:tabular-nums}}.ours{{fill:#0f7d78}}.other{{fill:#8c959f}}\
         @media(prefers-color-scheme:dark){{text{{fill:#9da7b3}}.title{{fill:#3fb8b0}}.ours{{fill:#3fb8b0}}.other{{fill:#6e7681}}}}\
         </style><text x=\"16\" y=\"24\">CPU milliseconds per request of the whole process tree, shorter is better</text>{body}</svg>\n"
    )
}
