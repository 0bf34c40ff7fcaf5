//! Every setting, in one struct. Defaults < `berth.toml` < `BERTH_*` < flags; an unknown key is an error.

use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};

use anyhow::Context;
use berth_domain::limits;
use secrecy::SecretString;
use serde::Deserialize;

/// Version of the legal texts; its date (spec B 9).
pub const AGREEMENTS_VERSION: &str = "2025-01-29";

/// Providers of SMS.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum SmsProvider {
    /// Twilio's Messages.
    Twilio,
    /// Signed calls to an address of the operator's.
    Webhook,
}

impl SmsProvider {
    /// Returns the name as the settings spell it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Twilio => "twilio",
            Self::Webhook => "webhook",
        }
    }
}

/// Providers of the address search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum PlacesProvider {
    /// The list of US cities in the binary.
    #[default]
    Embedded,
    /// A Photon of the operator's.
    Photon,
    /// Google's Places API (New).
    Google,
}

impl PlacesProvider {
    /// Returns the name as the settings spell it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Embedded => "embedded",
            Self::Photon => "photon",
            Self::Google => "google",
        }
    }
}

/// Every setting of a server.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// Address and port to listen on; loopback by default.
    pub listen: SocketAddr,
    /// The data folder: database, files.
    pub data: PathBuf,
    /// `postgres://…`; absent: SQLite in the data folder.
    pub database_url: Option<String>,
    /// Connections to PostgreSQL, or readers of SQLite.
    pub database_connections: Option<u32>,
    /// Fills an empty data folder with a believable world and shows `/dev/outbox`.
    pub demo: bool,
    /// Runs the demo without reservations that arrive from the public side.
    pub demo_quiet: bool,
    /// Allows other machines to reach the demo, with its published password and its open messages.
    pub demo_allow_public: bool,
    /// Origins that browsers may call from and that links may lead to; absent: the listen address.
    pub origins: Vec<String>,
    /// Addresses of proxies whose `X-Forwarded-For` is trusted.
    pub trusted_proxies: Vec<IpAddr>,
    /// Minutes without activity after which a session ends, 5 to 60.
    pub idle_minutes: i64,
    /// Hours after which a session ends in any case.
    pub session_hours: i64,
    /// Parallel password hashings; each takes 19 MiB. By default [`hashing_permits_for`] this machine.
    pub hashing_permits: usize,
    /// Password hashings that may wait for a permit.
    pub hashing_queue: usize,
    /// Open live streams from one address; with IPv6 from one /64 network.
    pub live_streams_per_address: usize,
    /// Serves the public page `/find`; absent: only in the demo.
    pub find_page: Option<bool>,
    /// Origins whose pages may show `/find` in a frame; none may by default.
    pub find_frame_ancestors: Vec<String>,
    /// The new address in the yellow banner (spec A 1).
    pub moved_address: Option<String>,
    /// Support phone of the footer and the contact page.
    pub support_phone: Option<String>,
    /// Support email of the contact page.
    pub contact_email: Option<String>,
    /// Family foundation credited on the non-commercial list (spec A 1).
    pub foundation: Option<String>,
    /// Bearer token that opens `/metrics` from anywhere; absent: only this machine may read it.
    pub metrics_token: Option<SecretString>,
    /// Key, at least 32 characters, that encrypts the secrets of authenticator apps together with the key in the database.
    pub secret_key: Option<SecretString>,
    /// Mail server; absent: mails are kept in the outbox.
    pub smtp_host: Option<String>,
    /// Its port: on 465 TLS begins with the first byte, on any other by STARTTLS.
    pub smtp_port: u16,
    /// User name at the mail server.
    pub smtp_user: Option<String>,
    /// Its password.
    pub smtp_password: Option<SecretString>,
    /// Sender of mails, as in `Berth <berth@example.org>`.
    pub smtp_from: Option<String>,
    /// Root certificate (PEM) to trust for the mail server besides the public ones.
    pub smtp_ca_file: Option<PathBuf>,
    /// Provider that sends SMS; absent: they are kept in the outbox.
    pub sms_provider: Option<SmsProvider>,
    /// Twilio's account (`AC…`).
    pub twilio_account_sid: Option<String>,
    /// Its token.
    pub twilio_auth_token: Option<SecretString>,
    /// Phone number that Twilio sends from; this or the next.
    pub twilio_from: Option<String>,
    /// Messaging service that Twilio sends from (`MG…`).
    pub twilio_messaging_service: Option<String>,
    /// Address of Twilio's API.
    pub twilio_base_url: String,
    /// Address that SMS are posted to.
    pub sms_webhook_url: Option<String>,
    /// Key that signs what is posted there, at least 16 characters.
    pub sms_webhook_secret: Option<SecretString>,
    /// Bucket of S3 or a compatible store that keeps pictures; absent: the folder `files` of the data folder.
    pub files_s3_bucket: Option<String>,
    /// Its region.
    pub files_s3_region: String,
    /// Address of the store, if it is not Amazon's, as in `https://s3.example.org`.
    pub files_s3_endpoint: Option<String>,
    /// Id of the key for the bucket.
    pub files_s3_access_key_id: Option<String>,
    /// The key.
    pub files_s3_secret_access_key: Option<SecretString>,
    /// Provider of the address search.
    pub places_provider: PlacesProvider,
    /// Address of the Photon server.
    pub places_photon_url: Option<String>,
    /// Key of Google's Places API.
    pub places_google_key: Option<SecretString>,
    /// Address of Google's Places API.
    pub places_google_base_url: String,
    /// Stripe's secret key (`sk_…`); absent: the sandbox runs, and no card is charged.
    pub stripe_secret_key: Option<SecretString>,
    /// Its publishable key (`pk_…`), which browsers get.
    pub stripe_publishable_key: Option<String>,
    /// Secrets of Stripe's webhook (`whsec_…`), several while one is being replaced. Without them Berth polls the
    /// list of events.
    pub stripe_webhook_secrets: Vec<SecretString>,
    /// The address of Stripe's API.
    pub stripe_api_base: String,
    /// Allows the sandbox on a server with a public address.
    pub stripe_allow_sandbox: bool,
    /// Filter of the log, as in `info,berth_server=debug`.
    pub log: String,
    /// Writes the log as JSON lines.
    pub log_json: bool,
}

/// Returns how many passwords are hashed at once on a machine with so many processors: two if one processor is left for
/// other requests, else one (docs/decisions/0028).
#[must_use]
pub const fn hashing_permits_for(processors: usize) -> usize {
    if processors > 2 { 2 } else { 1 }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from(([127, 0, 0, 1], 8080)),
            data: PathBuf::from("./data"),
            database_url: None,
            database_connections: None,
            demo: false,
            demo_quiet: false,
            demo_allow_public: false,
            origins: Vec::new(),
            trusted_proxies: Vec::new(),
            idle_minutes: limits::DEFAULT_IDLE_MINUTES,
            session_hours: limits::DEFAULT_SESSION_HOURS,
            hashing_permits: hashing_permits_for(std::thread::available_parallelism().map_or(1, usize::from)),
            hashing_queue: 64,
            live_streams_per_address: 256,
            find_page: None,
            find_frame_ancestors: Vec::new(),
            moved_address: None,
            support_phone: None,
            contact_email: None,
            foundation: None,
            metrics_token: None,
            secret_key: None,
            smtp_host: None,
            smtp_port: 587,
            smtp_user: None,
            smtp_password: None,
            smtp_from: None,
            smtp_ca_file: None,
            sms_provider: None,
            twilio_account_sid: None,
            twilio_auth_token: None,
            twilio_from: None,
            twilio_messaging_service: None,
            twilio_base_url: "https://api.twilio.com".to_owned(),
            sms_webhook_url: None,
            sms_webhook_secret: None,
            files_s3_bucket: None,
            files_s3_region: "us-east-1".to_owned(),
            files_s3_endpoint: None,
            files_s3_access_key_id: None,
            files_s3_secret_access_key: None,
            places_provider: PlacesProvider::Embedded,
            places_photon_url: None,
            places_google_key: None,
            places_google_base_url: "https://places.googleapis.com".to_owned(),
            stripe_secret_key: None,
            stripe_publishable_key: None,
            stripe_webhook_secrets: Vec::new(),
            stripe_api_base: "https://api.stripe.com".to_owned(),
            stripe_allow_sandbox: false,
            log: "info".to_owned(),
            log_json: false,
        }
    }
}

impl Settings {
    /// Reads a settings file; a missing file means the defaults.
    ///
    /// # Errors
    /// When the file cannot be read, is not TOML, or has an unknown key.
    pub fn read(file: &Path) -> anyhow::Result<Self> {
        let text = match std::fs::read_to_string(file) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Self::default()),
            Err(error) => return Err(error).with_context(|| format!("cannot read {}", file.display())),
        };
        toml::from_str(&text).with_context(|| format!("{} is not understood", file.display()))
    }

    /// Returns true if the public page `/find` is served.
    #[must_use]
    pub fn serves_find_page(&self) -> bool {
        self.find_page.unwrap_or(self.demo)
    }

    /// Returns the address of the database.
    #[must_use]
    pub fn database(&self) -> String {
        self.database_url.clone().unwrap_or_else(|| format!("sqlite:{}", self.data.join("berth.sqlite").display()))
    }
}

#[cfg(test)]
mod tests {
    use super::hashing_permits_for;

    #[test]
    fn hashing_leaves_a_processor_free_and_uses_two_at_most() {
        assert_eq!([1, 2, 3, 4, 64].map(hashing_permits_for), [1, 1, 2, 2, 2]);
    }
}
