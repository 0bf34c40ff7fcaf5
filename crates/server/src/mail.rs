//! E-mail: what a row of the outbox looks like as a mail. It leaves by [`smtp`] (guide messages 2).
//!
//! A mail is made of its row alone, so that each attempt makes the same one: same `Message-ID`, same `Date`. Every mail
//! has a plain text and an HTML part that say the same.

pub mod smtp;

use std::time::{Duration, SystemTime};

use anyhow::Context;
use lettre::message::header::{Header, HeaderName, HeaderValue};
use lettre::message::{Mailbox, MultiPart};
use lettre::{Address, Message};

use crate::html::Html;
use crate::jobs::outbox::{Failed, Outgoing};
use crate::settings::Settings;

/// Tells other machines that no person wrote this, so that none answers with a note on holidays (RFC 3834).
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

/// Checks the settings of mail.
///
/// # Errors
/// A sentence that names the setting.
pub fn check(settings: &Settings) -> anyhow::Result<()> {
    anyhow::ensure!(
        settings.smtp_user.is_some() == settings.smtp_password.is_some(),
        "smtp_user and smtp_password belong together; set both or none"
    );
    if settings.smtp_host.is_none() {
        let lonely = settings.smtp_user.is_some() || settings.smtp_from.is_some() || settings.smtp_ca_file.is_some();
        anyhow::ensure!(!lonely, "smtp_host is missing: without it no mail leaves");
        return Ok(());
    }
    anyhow::ensure!(settings.smtp_port != 0, "smtp_port must be between 1 and 65535");
    sender_address(settings).map(|_| ())
}

/// Whom mails come from.
fn sender_address(settings: &Settings) -> anyhow::Result<Mailbox> {
    let from = settings.smtp_from.as_deref().context("smtp_from is missing: the address that mails come from")?;
    from.parse().ok().with_context(|| {
        format!("smtp_from: {from} is no address; write it as in berth@example.org or Berth <berth@example.org>")
    })
}

/// The mail of a row.
///
/// # Errors
/// [`Failed::ForGood`] when nothing can be sent to this address.
fn compose(from: &Mailbox, message: &Outgoing) -> Result<Message, Failed> {
    let to: Address = message
        .recipient
        .parse()
        .map_err(|_| Failed::ForGood("the recipient's address is none that mail can be sent to".to_owned()))?;
    let subject = one_line(&message.subject);
    let domain = from.email.domain();
    Message::builder()
        .from(from.clone())
        .to(Mailbox::new(None, to))
        .subject(subject.clone())
        .date(written_at(message))
        .message_id(Some(format!("<{}@{domain}>", message.id)))
        .header(AutoSubmitted)
        .multipart(MultiPart::alternative_plain_html(message.body.clone(), html(&subject, &message.body)))
        .map_err(|_| Failed::ForGood("no mail could be made of this message".to_owned()))
}

/// When the row was written, as the mail's date.
fn written_at(message: &Outgoing) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_millis(u64::try_from(message.written_at().millis()).unwrap_or_default())
}

/// A header's text on one line: what follows a line end would be a header of its own.
fn one_line(text: &str) -> String {
    text.split(char::is_control).filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

/// The plain text as a page that reads well in any mail program and in a screen reader: language, title, one heading,
/// paragraphs; no pictures, nothing loaded from elsewhere.
fn html(subject: &str, body: &str) -> String {
    let mut html = Html::new();
    html.markup("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
        .markup("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
        .markup("<meta name=\"color-scheme\" content=\"light dark\">\n<title>")
        .text(subject)
        .markup("</title>\n</head>\n<body style=\"margin:0;padding:16px;font:16px/24px system-ui,sans-serif\">\n")
        .markup("<main style=\"max-width:40em\">\n<h1 style=\"margin:0 0 16px;font-size:20px;line-height:28px\">")
        .text(subject)
        .markup("</h1>\n");
    for paragraph in body.trim().replace("\r\n", "\n").split("\n\n") {
        html.markup("<p style=\"margin:0 0 16px\">");
        for (index, line) in paragraph.trim_matches('\n').split('\n').enumerate() {
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

#[cfg(test)]
mod tests {
    use super::{html, one_line};

    #[test]
    fn a_line_end_in_a_header_is_a_space() {
        assert_eq!(one_line("Hello\r\nBcc: all@test.example\n\tthere"), "Hello Bcc: all@test.example there");
        assert_eq!(one_line("Réservation – 部屋"), "Réservation – 部屋");
    }

    #[test]
    fn the_html_part_has_paragraphs_links_and_no_markup_of_others() {
        let html = html("A <b>", "One & two\nthree\n\nOpen it here: https://a.example/?x=1&y=\"2\"\n");
        assert!(html.contains("<title>A &lt;b&gt;</title>"), "{html}");
        assert!(html.contains("<p style=\"margin:0 0 16px\">One &amp; two<br>\nthree</p>"), "{html}");
        assert!(html.contains("<a href=\"https://a.example/?x=1&amp;y=&quot;2&quot;\">"), "{html}");
        assert!(html.contains("<html lang=\"en\">"), "{html}");
    }
}
