//! Email by SMTP, checked by an independent mail server: TLS and sign-in, headers, text and HTML, and refusals.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::AtomicI64;

use berth_server::App;
use berth_server::app::{Clock, Random};
use berth_server::integrations::mail::smtp::{Security, Smtp};
use berth_server::integrations::outbox::{Channel, Message, put};
use berth_server::jobs::channels::Channels;
use berth_server::jobs::outbox;
use berth_server::settings::Settings;
use serde_json::Value;

use crate::both_engines;
use crate::harness::{House, MINUTE, START};
use crate::mail_server::MailServer;

/// A node outside the demo on the house's database, a minute later.
pub fn node(house: &House, settings: Settings) -> App {
    // As `main` does; calling it twice is harmless.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let clock = Clock::Fixed(Arc::new(AtomicI64::new(START + MINUTE)));
    App::new(house.db().clone(), settings.checked().unwrap(), clock, Random::seeded(7))
}

/// Settings with the only account of the judge.
pub fn settings(server: &MailServer, password: &str) -> Settings {
    Settings {
        smtp_host: Some("localhost".to_owned()),
        smtp_port: server.port,
        smtp_user: Some("berth".to_owned()),
        smtp_password: Some(password.to_owned().into()),
        smtp_from: Some("Berth <berth@house.test.example>".to_owned()),
        smtp_ca_file: Some(server.root()),
        ..Settings::default()
    }
}

/// Writes a message into the outbox.
pub async fn write(house: &House, channel: Channel, to: &str, subject: &str, body: &str) {
    let mut tx = house.db().begin().await.unwrap();
    let message = Message { channel, to: to.to_owned(), subject: subject.to_owned(), body: body.to_owned() };
    put(&house.app, &mut tx, message).await.unwrap();
    tx.commit().await.unwrap();
}

/// The parts of an outbox row that sending changes.
#[derive(Debug, PartialEq, Eq, berth_db::FromRow)]
pub struct Row {
    /// Email address or phone.
    pub recipient: String,
    /// Whether it was sent.
    pub sent: bool,
    /// Whether it was given up.
    pub failed: bool,
    /// Its text, unsealed.
    pub body: String,
    /// Why it was not sent; empty if it was, or was not tried.
    pub error: String,
}

/// The rows of the outbox, by recipient.
pub async fn rows(house: &House) -> Vec<Row> {
    const ROWS: &str = "SELECT recipient, (sent_at IS NOT NULL) AS sent, (failed_at IS NOT NULL) AS failed, body, \
        COALESCE(last_error, '') AS error FROM outbox ORDER BY recipient";
    let mut rows: Vec<Row> = house.db().query(ROWS).all().await.unwrap();
    let messages = house.outbox().await;
    for row in &mut rows {
        let message = messages.iter().find(|(_, to, _)| *to == row.recipient).unwrap();
        row.body.clone_from(&message.2);
    }
    rows
}

/// Sends the messages that are due with the senders of these settings.
pub async fn send(house: &House, settings: &Settings) -> u64 {
    let app = node(house, settings.clone());
    outbox::run_with(&app, &Channels::open(&app.settings).unwrap()).await.unwrap()
}

pub fn mails(events: &[Value]) -> Vec<&Value> {
    events.iter().filter(|event| event["event"] == "mail").collect()
}

/// The values of a header in an email as the judge received it.
pub fn header<'a>(mail: &'a Value, name: &str) -> Vec<&'a str> {
    let headers = mail["headers"].as_array().unwrap().iter();
    headers.filter(|header| header[0] == name).map(|header| header[1].as_str().unwrap()).collect()
}

const BODY: &str = "Grüße <b>&\n\n.hidden\n..twice\n.\nOpen it here: https://berth.test.example/r/1?a=1&b=2\n";

both_engines! {
    async fn a_mail_arrives_signed_in_over_tls_with_its_headers_and_both_parts(house: House) {
        let server = MailServer::start("starttls");
        write(&house, Channel::Email, "ana@test.example", "Réservation – 部屋 is waiting", BODY).await;
        assert_eq!(send(&house, &settings(&server, "right")).await, 1);
        let events = server.events();
        let [mail] = mails(&events)[..] else { panic!("{events:?}") };
        assert_eq!((&mail["over_tls"], &mail["signed_in"]), (&Value::Bool(true), &Value::Bool(true)));
        assert_eq!(mail["sender"], "berth@house.test.example");
        assert_eq!(mail["recipients"], serde_json::json!(["ana@test.example"]));
        assert_eq!(header(mail, "Subject"), ["Réservation – 部屋 is waiting"]);
        assert_eq!(header(mail, "From"), ["Berth <berth@house.test.example>"]);
        assert_eq!(header(mail, "To"), ["ana@test.example"]);
        assert_eq!(header(mail, "Date"), ["Mon, 02 Mar 2026 18:00:00 +0000"]);
        assert_eq!(header(mail, "Auto-Submitted"), ["auto-generated"]);
        let (id,): (uuid::Uuid,) = house.db().query("SELECT id FROM outbox").one().await.unwrap();
        assert_eq!(header(mail, "Message-ID"), [format!("<{id}@house.test.example>")]);
        assert_eq!((&mail["kind"], &mail["defects"]), (&"multipart/alternative".into(), &serde_json::json!([])));
        // Lines of an email end in CR LF in transit (RFC 5322).
        assert_eq!(mail["plain"].as_str().unwrap().trim_end(), BODY.trim_end().replace('\n', "\r\n"));
        let html = mail["html"].as_str().unwrap().replace("\r\n", "\n");
        for piece in ["Grüße &lt;b&gt;&amp;</p>", ".hidden<br>\n..twice<br>\n.<br>", "?a=1&amp;b=2\">", "<html lang=\"en\">"] {
            assert!(html.contains(piece), "{piece} is not in {html}");
        }
        let rows = rows(&house).await;
        assert_eq!((rows[0].sent, rows[0].body.as_str(), rows[0].error.as_str()), (true, "", ""), "a sent text is erased");
    }

    async fn a_wrong_smtp_password_gives_up_the_message_with_a_reason(house: House) {
        let server = MailServer::start("starttls");
        write(&house, Channel::Email, "ana@test.example", "S", BODY).await;
        assert_eq!(send(&house, &settings(&server, "wrong")).await, 0);
        let events = server.events();
        assert!(mails(&events).is_empty(), "{events:?}");
        assert!(events.iter().any(|event| event["event"] == "sign-in" && event["right"] == false), "{events:?}");
        assert!(events.iter().all(|event| event["over_tls"] == true), "{events:?}");
        let row = &rows(&house).await[0];
        assert!(!row.sent && row.failed, "{row:?}");
        assert_eq!(row.error, "the mail server refused smtp_user and smtp_password (535)");
    }

    async fn permanent_refusals_are_given_up_and_temporary_ones_retried(house: House) {
        let server = MailServer::start("starttls");
        for to in ["ana@test.example", "later@test.example", "nobody@test.example", "no address"] {
            write(&house, Channel::Email, to, "S", "123456 is your code").await;
        }
        assert_eq!(send(&house, &settings(&server, "right")).await, 1);
        assert_eq!(mails(&server.events()).len(), 1);
        let told: Vec<(String, bool, bool, String)> =
            rows(&house).await.into_iter().map(|row| (row.recipient, row.sent, row.failed, row.error)).collect();
        let row = |to: &str, sent, failed, error: &str| (to.to_owned(), sent, failed, error.to_owned());
        assert_eq!(told, [
            row("ana@test.example", true, false, ""),
            row("later@test.example", false, false, "the mail server cannot take the message now (451)"),
            row("no address", false, true, "the recipient's address is none that mail can be sent to"),
            row("nobody@test.example", false, true, "the mail server refused the message (550)"),
        ]);
    }

    async fn a_server_without_starttls_or_with_an_unknown_certificate_gets_nothing(house: House) {
        let plain = MailServer::start("none");
        write(&house, Channel::Email, "ana@test.example", "S", BODY).await;
        assert_eq!(send(&house, &settings(&plain, "right")).await, 0);
        assert_eq!(plain.events(), Vec::<Value>::new(), "neither password nor email in plain text");
        let row = &rows(&house).await[0];
        assert!(!row.sent && !row.failed && row.error.contains("STARTTLS"), "{row:?}");

        let unknown = MailServer::start("starttls");
        write(&house, Channel::Email, "ben@test.example", "S", BODY).await;
        assert_eq!(send(&house, &Settings { smtp_ca_file: None, ..settings(&unknown, "right") }).await, 0);
        assert_eq!(unknown.events(), Vec::<Value>::new());
        let row = &rows(&house).await[1];
        assert!(!row.sent && !row.failed && row.error.contains("certificate"), "{row:?}");
    }

    async fn with_implicit_tls_the_first_byte_is_encrypted(house: House) {
        let server = MailServer::start("implicit");
        write(&house, Channel::Email, "ana@test.example", "S", BODY).await;
        let settings = settings(&server, "right");
        let app = node(&house, settings.clone());
        let smtp = Smtp::with_security(&settings, "localhost", Security::Implicit).unwrap();
        smtp.answers().await.unwrap();
        assert_eq!(outbox::run_with(&app, &smtp).await.unwrap(), 1);
        let events = server.events();
        assert!(mails(&events).iter().all(|mail| mail["over_tls"] == true), "{events:?}");
        assert_eq!(mails(&events).len(), 1);
    }

    async fn a_line_end_in_a_field_adds_no_header(house: House) {
        let server = MailServer::start("starttls");
        let subject = "Hello\r\nBcc: all@test.example\nX-Added: yes\r\n\r\nNot the body";
        write(&house, Channel::Email, "ana@test.example", subject, "The body").await;
        write(&house, Channel::Email, "ben@test.example\r\nBcc: all@test.example", "S", "B").await;
        assert_eq!(send(&house, &settings(&server, "right")).await, 1);
        let events = server.events();
        let [mail] = mails(&events)[..] else { panic!("{events:?}") };
        assert_eq!(mail["recipients"], serde_json::json!(["ana@test.example"]));
        assert_eq!(header(mail, "Subject"), ["Hello Bcc: all@test.example X-Added: yes Not the body"]);
        assert!(header(mail, "Bcc").is_empty() && header(mail, "X-Added").is_empty(), "{mail}");
        assert_eq!(mail["plain"].as_str().unwrap().trim_end(), "The body");
        assert!(rows(&house).await[1].failed);
    }

    /// An invitation as the judge receives it: Spanish, names with non-ASCII letters, line ends in a name.
    async fn an_invitation_in_spanish_arrives_with_both_parts_and_a_name_adds_no_header(house: House) {
        let server = MailServer::start("starttls");
        let mut tx = house.db().begin().await.unwrap();
        tx.query("UPDATE sites SET name = $2 WHERE id = $1").bind(crate::world::HARBOR_HOUSE)
            .bind("Casa Ñandú 部屋\r\nBcc: all@test.example\r\nX-Added: yes").execute().await.unwrap();
        tx.commit().await.unwrap();
        let body = serde_json::json!({"redirectUri": "http://localhost:8080", "email": "ana@test.example",
            "firstName": "Añá\r\nBcc: all@test.example", "lastName": "Óscar <b>", "siteId": crate::world::HARBOR_HOUSE,
            "role": "Intake", "receiveReservationTexts": true, "language": "es"});
        let user = house.post("/api/AccessUsers/siteScopeUsers", body).by(crate::world::ADMIN).send().await.expect(201);
        assert_eq!(user["firstName"], "Añá Bcc: all@test.example", "a name is one line");
        assert_eq!(send(&house, &settings(&server, "right")).await, 1);
        let events = server.events();
        let [mail] = mails(&events)[..] else { panic!("{events:?}") };
        assert_eq!((&mail["over_tls"], &mail["signed_in"]), (&Value::Bool(true), &Value::Bool(true)));
        assert_eq!(mail["recipients"], serde_json::json!(["ana@test.example"]));
        // An address in a name is written so that no mail program turns it into a link.
        let place = "Casa Ñandú 部屋 Bcc: all@ test. example X-Added: yes (Harbor Recovery)";
        assert_eq!(header(mail, "Subject"), [format!("Tiene una invitación de {place}")]);
        assert!(header(mail, "Bcc").is_empty() && header(mail, "X-Added").is_empty(), "{mail}");
        assert_eq!((&mail["kind"], &mail["defects"]), (&"multipart/alternative".into(), &serde_json::json!([])));
        let (plain, html) = (mail["plain"].as_str().unwrap(), mail["html"].as_str().unwrap());
        for part in [plain, html] {
            assert!(part.contains("como admisión") && part.contains("http://localhost:8080/login/callback#access_token=berth_i_"), "{part}");
        }
        assert!(html.contains("<html lang=\"es\">") && html.contains(">Aceptar la invitación</a>"), "{html}");
    }

    async fn in_the_demo_and_without_settings_emails_are_kept_with_their_text(house: House) {
        let server = MailServer::start("starttls");
        write(&house, Channel::Email, "ana@test.example", "S", BODY).await;
        assert_eq!(send(&house, &Settings { demo: true, ..settings(&server, "right") }).await, 1);
        write(&house, Channel::Email, "ben@test.example", "S", BODY).await;
        assert_eq!(send(&house, &Settings::default()).await, 1);
        assert_eq!(server.events(), Vec::<Value>::new());
        assert!(rows(&house).await.iter().all(|row| row.sent && row.body == BODY));
    }
}

/// Without this, the tests above would prove little.
#[test]
fn the_judge_refuses_mail_without_tls() {
    let server = MailServer::start("starttls");
    let mut stream = TcpStream::connect(("127.0.0.1", server.port)).unwrap();
    stream.write_all(b"HELO here\r\nMAIL FROM:<a@test.example>\r\n").unwrap();
    let lines: Vec<String> = BufReader::new(stream).lines().take(3).map(Result::unwrap).collect();
    assert!(lines[2].starts_with("530"), "{lines:?}");
}

#[test]
fn half_of_the_settings_is_refused_by_name() {
    let refused = |settings: Settings| format!("{:#}", settings.checked().unwrap_err());
    let some = |text: &str| Some(text.to_owned());
    let host = Settings { smtp_host: some("mail.test.example"), ..Settings::default() };
    assert!(refused(host.clone()).starts_with("smtp_from is missing"));
    assert!(refused(Settings { smtp_from: some("nobody"), ..host.clone() }).starts_with("smtp_from: nobody"));
    let from = Settings { smtp_from: some("a@test.example"), ..host };
    assert!(from.clone().checked().is_ok());
    assert!(refused(Settings { smtp_user: some("a"), ..from.clone() }).contains("smtp_password"));
    assert!(refused(Settings { smtp_host: None, ..from }).starts_with("smtp_host is missing"));
}
