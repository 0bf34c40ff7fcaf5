//! HTML for the few pages that the server writes itself (API documentation, the demo's outbox), and for mails.
//!
//! Markup can only be a literal, and all other text is escaped.

use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};

/// A page being written.
#[derive(Debug, Default)]
pub struct Html(String);

impl Html {
    /// An empty page.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds literal markup.
    pub fn markup(&mut self, literal: &'static str) -> &mut Self {
        self.0.push_str(literal);
        self
    }

    /// Adds text, escaped for element content and for quoted attributes.
    pub fn text(&mut self, text: &str) -> &mut Self {
        for character in text.chars() {
            match character {
                '&' => self.0.push_str("&amp;"),
                '<' => self.0.push_str("&lt;"),
                '>' => self.0.push_str("&gt;"),
                '"' => self.0.push_str("&quot;"),
                '\'' => self.0.push_str("&#39;"),
                other => self.0.push(other),
            }
        }
        self
    }

    /// Adds text with web addresses as links.
    pub fn linked_text(&mut self, text: &str) -> &mut Self {
        for (index, word) in text.split(' ').enumerate() {
            if index > 0 {
                self.0.push(' ');
            }
            for (index, part) in word.split('\n').enumerate() {
                if index > 0 {
                    self.0.push('\n');
                }
                if part.starts_with("http://") || part.starts_with("https://") {
                    self.markup("<a href=\"").text(part).markup("\">").text(part).markup("</a>");
                } else {
                    self.text(part);
                }
            }
        }
        self
    }

    /// Adds text with `words between backticks` as code.
    pub fn prose(&mut self, text: &str) -> &mut Self {
        for (index, part) in text.split('`').enumerate() {
            if index % 2 == 0 {
                self.text(part);
            } else {
                self.markup("<code>").text(part).markup("</code>");
            }
        }
        self
    }

    /// Adds another page.
    pub fn piece(&mut self, piece: &Self) -> &mut Self {
        self.0.push_str(&piece.0);
        self
    }

    /// Returns the markup.
    #[must_use]
    pub fn into_string(self) -> String {
        self.0
    }

    /// Returns a whole page around `content`, with a title, a style with the answer's nonce, and one main landmark.
    #[must_use]
    pub fn page(title: &str, nonce: &str, content: &Self) -> Response {
        let mut page = Self::new();
        page.markup("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
            .markup("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
            .markup("<meta name=\"color-scheme\" content=\"light dark\">\n<title>")
            .text(title)
            .markup("</title>\n<link rel=\"icon\" href=\"/favicon.svg\" type=\"image/svg+xml\">\n<style nonce=\"")
            .text(nonce)
            .markup("\">")
            .markup(STYLE)
            .markup("</style>\n</head>\n<body>\n<main>\n<h1>")
            .text(title)
            .markup("</h1>\n")
            .piece(content)
            .markup("</main>\n</body>\n</html>\n");
        let mut response = page.0.into_response();
        response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
        response
    }
}

const STYLE: &str = "\
    :root{--ink:#1c2426;--soft:#566266;--line:#d5dcde;--ground:#fff;--panel:#f5f8f8;--link:#0b6b6b}\
    @media (prefers-color-scheme:dark){:root{--ink:#e6ecec;--soft:#a3b0b3;--line:#39464a;--ground:#15191b;\
    --panel:#1d2326;--link:#6fcfcb}}\
    body{margin:0;background:var(--ground);color:var(--ink);font:15px/22px system-ui,sans-serif}\
    main{max-width:64rem;margin:0 auto;padding:24px 16px 64px}\
    h1{font-size:24px;line-height:32px;margin:0 0 8px}h2{font-size:18px;line-height:26px;margin:40px 0 8px}\
    h3{font-size:15px;margin:16px 0 4px}article>h2,article>h3{font-size:15px;line-height:22px;margin:4px 0}p{margin:0 0 8px}a{color:var(--link)}\
    article,details{border:1px solid var(--line);border-radius:8px;margin:0 0 8px;padding:8px 16px}\
    summary{cursor:pointer;padding:4px 0}details[open]>summary{margin-bottom:8px}\
    code,pre,.path{font:14px/20px ui-monospace,monospace}pre{margin:0;white-space:pre-wrap;overflow-wrap:anywhere}\
    .method{display:inline-block;min-width:4em;font:600 13px/20px ui-monospace,monospace}\
    .soft{color:var(--soft)}nav ul{display:flex;flex-wrap:wrap;gap:4px 16px;padding:0;list-style:none}\
    .scroll{overflow-x:auto}table{border-collapse:collapse;width:100%}\
    th,td{text-align:left;vertical-align:top;padding:4px 16px 4px 0;border-bottom:1px solid var(--line)}\
    th{font-weight:600;color:var(--soft)}";

#[cfg(test)]
mod tests {
    use super::Html;

    #[test]
    fn text_from_elsewhere_is_never_markup() {
        let mut piece = Html::new();
        piece.text("<b onclick=\"x('y')\">&</b>").linked_text(" see https://a.example/\"><i> now");
        assert_eq!(
            piece.0,
            "&lt;b onclick=&quot;x(&#39;y&#39;)&quot;&gt;&amp;&lt;/b&gt; see \
             <a href=\"https://a.example/&quot;&gt;&lt;i&gt;\">https://a.example/&quot;&gt;&lt;i&gt;</a> now"
        );
    }
}
