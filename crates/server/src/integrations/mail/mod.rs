//! Turns a row of the outbox into an email, which is sent by [`smtp`] (guide messages 2).
//!
//! An email depends on its row alone, so that each attempt sends the same one, with the same `Message-ID` and `Date`.
//! It has a plain text part and an HTML part with the same content.

pub mod smtp;

use std::time::{Duration, SystemTime};

use anyhow::Context;
use berth_domain::locale::Locale;
use lettre::message::header::{Header, HeaderName, HeaderValue};
use lettre::message::{Mailbox, MultiPart};
use lettre::{Address, Message};

use crate::http::html::Html;
use crate::jobs::outbox::{Outgoing, SendError};
use crate::settings::Settings;

/// The header that marks an email as automatic, so that no mail server sends an out-of-office reply (RFC 3834).
#[derive(Clone)]
struct AutoSubmitted;

impl Header for AutoSubmitted {
    fn name() -> HeaderName {
        HeaderName::new_from_ascii_str("Auto-Submitted")
    }

    fn parse(_: &str) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        Ok(Self)
    }

    fn display(&self) -> HeaderValue {
        HeaderValue::new(Self::name(), "auto-generated".to_owned())
    }
}

/// Checks the email settings.
///
/// # Errors
/// A message that names the wrong setting.
pub fn check(settings: &Settings) -> anyhow::Result<()> {
    anyhow::ensure!(
        settings.smtp_user.is_some() == settings.smtp_password.is_some(),
        "smtp_user and smtp_password belong together; set both or none"
    );
    if settings.smtp_host.is_none() {
        let has_smtp_settings =
            settings.smtp_user.is_some() || settings.smtp_from.is_some() || settings.smtp_ca_file.is_some();
        anyhow::ensure!(!has_smtp_settings, "smtp_host is missing: without it no mail leaves");
        return Ok(());
    }
    anyhow::ensure!(settings.smtp_port != 0, "smtp_port must be between 1 and 65535");
    sender_address(settings).map(|_| ())
}

/// Returns the sender of all emails.
fn sender_address(settings: &Settings) -> anyhow::Result<Mailbox> {
    let from = settings.smtp_from.as_deref().context("smtp_from is missing: the address that mails come from")?;
    from.parse().ok().with_context(|| {
        format!("smtp_from: {from} is no address; write it as in berth@example.org or Berth <berth@example.org>")
    })
}

/// Builds the email for a message.
///
/// # Errors
/// [`SendError::Permanent`] if the recipient's address is invalid.
fn compose(from: &Mailbox, message: &Outgoing) -> Result<Message, SendError> {
    let to: Address = message
        .recipient
        .parse()
        .map_err(|_| SendError::Permanent("the recipient's address is none that mail can be sent to".to_owned()))?;
    let subject = one_line(&message.subject);
    let domain = from.email.domain();
    Message::builder()
        .from(from.clone())
        .to(Mailbox::new(None, to))
        .subject(subject.clone())
        .date(date_of(message))
        .message_id(Some(format!("<{}@{domain}>", message.id)))
        .header(AutoSubmitted)
        .multipart(MultiPart::alternative_plain_html(
            message.body.clone(),
            html(message.language, &subject, &message.body),
        ))
        .map_err(|_| SendError::Permanent("no mail could be made of this message".to_owned()))
}

/// Returns the time when the row was written, for the `Date` header.
fn date_of(message: &Outgoing) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_millis(u64::try_from(message.written_at().millis()).unwrap_or_default())
}

/// Puts a header's text on one line: text after a line break would become another header.
fn one_line(text: &str) -> String {
    text.split(char::is_control).filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

/// The page: one column of at most 35 em, which also fits on a phone.
const PAGE_STYLE: &str =
    "margin:0;padding:24px 16px;background:#f5f8f8;color:#1c2426;font:16px/24px system-ui,sans-serif";
const NAME_STYLE: &str = "margin:0 0 16px;font-size:14px;line-height:20px;color:#566266";
const CARD_STYLE: &str =
    "max-width:35em;margin:0 auto;padding:24px;background:#ffffff;border:1px solid #d5dcde;border-radius:8px";
const BUTTON_STYLE: &str = "display:inline-block;padding:10px 20px;border-radius:8px;background:#0b6b6b;color:#ffffff;\
    font-weight:600;text-decoration:none";
const LINK_STYLE: &str = "margin:0 0 16px;font-size:13px;line-height:20px;word-break:break-all";

/// Turns the plain text into an HTML page for any mail program and screen reader: with language, title, one heading and
/// paragraphs, without pictures or external resources. A paragraph with a line that ends in a colon and a line that is
/// a URL becomes a button, with the URL below it for programs that do not show buttons.
fn html(language: Locale, subject: &str, body: &str) -> String {
    let mut html = Html::new();
    html.markup(match language {
        Locale::English => "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n",
        Locale::Spanish => "<!doctype html>\n<html lang=\"es\">\n<head>\n<meta charset=\"utf-8\">\n",
    });
    html.markup("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
        .markup("<meta name=\"color-scheme\" content=\"light\">\n<title>")
        .text(subject)
        .markup("</title>\n</head>\n<body style=\"")
        .markup(PAGE_STYLE)
        .markup("\">\n<main style=\"")
        .markup(CARD_STYLE)
        .markup("\">\n<p style=\"")
        .markup(NAME_STYLE)
        .markup("\">Berth</p>\n<h1 style=\"margin:0 0 16px;font-size:20px;line-height:28px\">")
        .text(subject)
        .markup("</h1>\n");
    for paragraph in body.trim().replace("\r\n", "\n").split("\n\n") {
        let paragraph = paragraph.trim_matches('\n');
        if let Some((label, address)) = button(paragraph) {
            html.markup("<p style=\"margin:0 0 8px\"><a style=\"").markup(BUTTON_STYLE).markup("\" href=\"");
            html.text(address)
                .markup("\">")
                .text(label)
                .markup("</a></p>\n<p style=\"")
                .markup(LINK_STYLE)
                .markup("\">");
            html.linked_text(address).markup("</p>\n");
            continue;
        }
        html.markup("<p style=\"margin:0 0 16px\">");
        for (index, line) in paragraph.split('\n').enumerate() {
            if index > 0 {
                html.markup("<br>\n");
            }
            html.linked_text(line);
        }
        html.markup("</p>\n");
    }
    html.markup("</main>\n</body>\n</html>\n");
    html.into_string()
}

/// Returns label and URL of a paragraph that consists of a label with a colon and a URL.
fn button(paragraph: &str) -> Option<(&str, &str)> {
    let (label, address) = paragraph.split_once('\n')?;
    let is_address =
        (address.starts_with("https://") || address.starts_with("http://")) && !address.contains(char::is_whitespace);
    label.strip_suffix(':').filter(|_| is_address).map(|label| (label, address))
}

#[cfg(test)]
mod tests {
    use berth_domain::locale::Locale;

    use super::{html, one_line};

    #[test]
    fn a_line_break_in_a_header_becomes_a_space() {
        assert_eq!(one_line("Hello\r\nBcc: all@test.example\n\tthere"), "Hello Bcc: all@test.example there");
        assert_eq!(one_line("Réservation – 部屋"), "Réservation – 部屋");
    }

    #[test]
    fn the_html_part_has_paragraphs_and_links_and_escapes_text() {
        let html = html(Locale::English, "A <b>", "One & two\nthree\n\nOpen it here: https://a.example/?x=1&y=\"2\"\n");
        assert!(html.contains("<title>A &lt;b&gt;</title>"), "{html}");
        assert!(html.contains("<p style=\"margin:0 0 16px\">One &amp; two<br>\nthree</p>"), "{html}");
        assert!(html.contains("<a href=\"https://a.example/?x=1&amp;y=&quot;2&quot;\">"), "{html}");
        assert!(html.contains("<html lang=\"en\">"), "{html}");
    }

    #[test]
    fn a_label_and_a_url_become_a_button_with_the_url_below() {
        let html = html(Locale::Spanish, "S", "Aceptar la invitación:\nhttps://a.example/#t=1\n\nNo:\nhttps://a b");
        assert!(html.contains("href=\"https://a.example/#t=1\">Aceptar la invitación</a>"), "{html}");
        assert!(html.contains(">https://a.example/#t=1</a></p>"), "{html}");
        assert!(html.contains("<html lang=\"es\">") && html.contains("No:<br>"), "{html}");
    }
}
