//! SMS by Twilio and by webhook: what the provider receives, which answers are final, and that no message is logged.

use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use berth_db::Engine;
use berth_server::integrations::outbox::Channel;
use berth_server::settings::{Settings, SmsProvider};
use serde_json::Value;
use tracing_subscriber::fmt::MakeWriter;

use crate::both_engines;
use crate::harness::House;
use crate::mail::{rows, send, write};

/// A received call.
#[derive(Debug, Clone)]
struct Call {
    line: String,
    headers: HeaderMap,
    body: Vec<u8>,
}

impl Call {
    fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    fn form(&self) -> Vec<(String, String)> {
        url::form_urlencoded::parse(&self.body).into_owned().collect()
    }
}

type Calls = Arc<Mutex<Vec<Call>>>;

/// The call with the message to this number. Messages are sent in parallel.
fn call_to(calls: &Calls, number: &str) -> Call {
    let calls = calls.lock().unwrap();
    calls.iter().find(|call| String::from_utf8_lossy(&call.body).contains(number)).expect("a call").clone()
}

/// A provider on its own port. It answers with the status in the recipient's last three digits. A later test with Prism
/// checks our calls against Twilio's description of its API.
async fn provider() -> (String, Calls) {
    let calls = Calls::default();
    let router = Router::new().fallback(answer).with_state(Arc::clone(&calls));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await });
    (address, calls)
}

async fn answer(State(calls): State<Calls>, method: Method, uri: Uri, headers: HeaderMap, body: Bytes) -> Response {
    let text = String::from_utf8_lossy(&body).into_owned();
    calls.lock().unwrap().push(Call { line: format!("{method} {uri}"), headers, body: body.to_vec() });
    let Some(status) =
        ["400", "401", "429", "503"].into_iter().find(|status| text.contains(&format!("7145550{status}")))
    else {
        return (StatusCode::CREATED, "{}").into_response();
    };
    let told =
        r#"{"code": 21211, "message": "The 'To' number is not valid: +17145550400, 123456 is your Berth code."}"#;
    (StatusCode::from_bytes(status.as_bytes()).unwrap(), told).into_response()
}

fn twilio(address: &str) -> Settings {
    Settings {
        sms_provider: Some(SmsProvider::Twilio),
        twilio_account_sid: Some("ACfedcba9876543210".to_owned()),
        twilio_auth_token: Some("the token".to_owned().into()),
        twilio_from: Some("+17145550100".to_owned()),
        twilio_base_url: address.to_owned(),
        ..Settings::default()
    }
}

fn webhook(address: &str) -> Settings {
    Settings {
        sms_provider: Some(SmsProvider::Webhook),
        sms_webhook_url: Some(format!("{address}/sms?house=1")),
        sms_webhook_secret: Some("a key of the test".to_owned().into()),
        ..Settings::default()
    }
}

const TEXT: &str = "123456 is your Berth code. Grüße & more";

/// The outbox rows by recipient: recipient, sent, given up, reason.
async fn outcomes(house: &House) -> Vec<(String, bool, bool, String)> {
    rows(house).await.into_iter().map(|row| (row.recipient, row.sent, row.failed, row.error)).collect()
}

both_engines! {
    async fn twilio_gets_account_token_and_form_and_its_answer_is_the_outcome(house: House) {
        let (address, calls) = provider().await;
        for to in ["+17145550165", "+17145550400", "+17145550401", "+17145550429", "+17145550503"] {
            write(&house, Channel::Sms, to, "", TEXT).await;
        }
        assert_eq!(send(&house, &twilio(&address)).await, 1);
        let call = call_to(&calls, "7145550165");
        assert_eq!(call.line, "POST /2010-04-01/Accounts/ACfedcba9876543210/Messages.json");
        let credentials = STANDARD.decode(call.header("authorization").strip_prefix("Basic ").unwrap()).unwrap();
        assert_eq!(credentials, b"ACfedcba9876543210:the token");
        assert_eq!(call.header("content-type"), "application/x-www-form-urlencoded");
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(call.form(), [pair("To", "+17145550165"), pair("From", "+17145550100"), pair("Body", TEXT)]);
        let row = |to: &str, sent, failed, error: &str| (to.to_owned(), sent, failed, error.to_owned());
        let refused = "the SMS provider refused the message";
        let busy = "the SMS provider cannot take the message now";
        assert_eq!(outcomes(&house).await, [
            row("+17145550165", true, false, ""),
            row("+17145550400", false, true, &format!("{refused} (400, Twilio's error 21211)")),
            row("+17145550401", false, true, &format!("{refused} (401, Twilio's error 21211)")),
            row("+17145550429", false, false, &format!("{busy} (429, Twilio's error 21211)")),
            row("+17145550503", false, false, &format!("{busy} (503, Twilio's error 21211)")),
        ]);
        let bodies: Vec<String> = rows(&house).await.into_iter().map(|row| row.body).collect();
        assert_eq!(bodies, ["", TEXT, TEXT, TEXT, TEXT], "a sent text is erased");
    }

    async fn a_messaging_service_replaces_the_sender_number(house: House) {
        let (address, calls) = provider().await;
        write(&house, Channel::Sms, "+17145550165", "", TEXT).await;
        let service = Some("MG1".to_owned());
        let settings = Settings { twilio_from: None, twilio_messaging_service: service, ..twilio(&address) };
        assert_eq!(send(&house, &settings).await, 1);
        let form = calls.lock().unwrap()[0].form();
        let names: Vec<&str> = form.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["To", "MessagingServiceSid", "Body"]);
        assert_eq!(form[1].1, "MG1");
    }

    async fn a_webhook_gets_signed_json(house: House) {
        let (address, calls) = provider().await;
        write(&house, Channel::Sms, "+17145550165", "", TEXT).await;
        write(&house, Channel::Sms, "+17145550400", "", TEXT).await;
        write(&house, Channel::Sms, "+17145550503", "", TEXT).await;
        assert_eq!(send(&house, &webhook(&address)).await, 1);
        let call = call_to(&calls, "7145550165");
        assert_eq!(call.line, "POST /sms?house=1");
        assert_eq!(call.header("content-type"), "application/json");
        assert_eq!(call.header("berth-signature"), format!("sha256={}", openssl_hmac("a key of the test", &call.body)));
        let json: Value = serde_json::from_slice(&call.body).unwrap();
        let (id,): (uuid::Uuid,) =
            house.db().query("SELECT id FROM outbox WHERE recipient = '+17145550165'").one().await.unwrap();
        assert_eq!(json, serde_json::json!({
            "id": id, "to": "+17145550165", "body": TEXT, "createdAt": "2026-03-02T18:00:00.000Z",
        }));
        let states: Vec<(bool, bool)> = outcomes(&house).await.into_iter().map(|(_, sent, failed, _)| (sent, failed)).collect();
        assert_eq!(states, [(true, false), (false, true), (false, false)]);
    }

    async fn an_unreachable_provider_is_retried(house: House) {
        write(&house, Channel::Sms, "+17145550165", "", TEXT).await;
        // Bound and dropped, so nothing listens there.
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        assert_eq!(send(&house, &twilio(&format!("http://127.0.0.1:{port}"))).await, 0);
        let why = "the SMS provider cannot be reached".to_owned();
        assert_eq!(outcomes(&house).await, [("+17145550165".to_owned(), false, false, why)]);
    }

    async fn each_channel_is_sent_or_only_stored_by_its_own_settings(house: House) {
        let (address, calls) = provider().await;
        write(&house, Channel::Sms, "+17145550165", "", TEXT).await;
        write(&house, Channel::Email, "ana@test.example", "S", TEXT).await;
        assert_eq!(send(&house, &webhook(&address)).await, 2);
        assert_eq!(calls.lock().unwrap().len(), 1);
        let bodies: Vec<(String, String)> = rows(&house).await.into_iter().map(|row| (row.recipient, row.body)).collect();
        let row = |to: &str, body: &str| (to.to_owned(), body.to_owned());
        assert_eq!(bodies, [row("+17145550165", ""), row("ana@test.example", TEXT)]);
    }
}

/// The HMAC as computed by another program.
fn openssl_hmac(key: &str, data: &[u8]) -> String {
    let mut openssl = Command::new("openssl")
        .args(["dgst", "-sha256", "-hmac", key])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    openssl.stdin.take().unwrap().write_all(data).unwrap();
    let output = String::from_utf8(openssl.wait_with_output().unwrap().stdout).unwrap();
    output.trim().rsplit(' ').next().unwrap().to_owned()
}

/// A log that a test can read.
#[derive(Clone, Default)]
pub struct Log(Arc<Mutex<Vec<u8>>>);

impl Log {
    /// The text that has been written.
    pub fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Log {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}

/// It runs on one thread, so that every line is written to the log of this test.
#[tokio::test]
async fn no_log_line_and_no_last_error_contains_a_code_or_a_recipient() {
    let house = House::new(Engine::Sqlite).await;
    let (address, _) = provider().await;
    let mail = crate::mail_server::MailServer::start("starttls");
    for to in ["+17145550165", "+17145550400", "+17145550503"] {
        write(&house, Channel::Sms, to, "", TEXT).await;
    }
    for to in ["ana@test.example", "nobody@test.example", "later@test.example"] {
        write(&house, Channel::Email, to, "A subject", TEXT).await;
    }
    let settings = Settings {
        smtp_host: Some("localhost".to_owned()),
        smtp_port: mail.port,
        smtp_user: Some("berth".to_owned()),
        smtp_password: Some("right".to_owned().into()),
        smtp_from: Some("berth@house.test.example".to_owned()),
        smtp_ca_file: Some(mail.root()),
        ..twilio(&address)
    };
    let log = Log::default();
    // With a single subscriber, tracing asks the thread that reaches a line first whether to log it, which may be another
    // test's thread; with two, it asks both subscribers.
    let _second = tracing::Dispatch::new(tracing_subscriber::registry());
    let subscriber = tracing_subscriber::fmt().with_max_level(tracing::Level::TRACE).with_writer(log.clone()).finish();
    let guard = tracing::subscriber::set_default(subscriber);
    assert_eq!(send(&house, &settings).await, 2);
    drop(guard);
    let log = log.text();
    assert_eq!(log.matches("a message could not be sent").count(), 2, "{log}");
    let errors: Vec<String> = rows(&house).await.into_iter().map(|row| row.error).collect();
    assert_eq!(errors.iter().filter(|error| !error.is_empty()).count(), 4);
    for text in [log, errors.join("\n"), format!("{settings:?}")] {
        for secret in ["123456", "714555016", "714555040", "714555050", "@test.example", "A subject", "the token"] {
            assert!(!text.contains(secret), "{secret} is in {text}");
        }
    }
}

#[test]
fn half_of_the_settings_is_refused_by_name() {
    let refused = |settings: Settings| format!("{:#}", settings.checked().unwrap_err());
    let twilio = twilio("https://sms.test.example");
    assert!(twilio.clone().checked().is_ok());
    assert!(refused(Settings { sms_provider: None, ..twilio.clone() }).starts_with("sms_provider is missing"));
    for token in [None, Some(""), Some(" ")] {
        let twilio_auth_token = token.map(|token| token.to_owned().into());
        assert!(refused(Settings { twilio_auth_token, ..twilio.clone() }).contains("twilio_auth_token"), "{token:?}");
    }
    assert!(refused(Settings { twilio_from: None, ..twilio.clone() }).contains("twilio_messaging_service"));
    let elsewhere = "http://sms.test.example".to_owned();
    assert!(refused(Settings { twilio_base_url: elsewhere, ..twilio }).contains("https"));
    let webhook = webhook("https://sms.test.example");
    assert!(webhook.clone().checked().is_ok());
    assert!(refused(Settings { sms_webhook_secret: Some("short".to_owned().into()), ..webhook }).contains("16"));
}
