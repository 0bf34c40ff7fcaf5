//! Every setting as a flag and as a `BERTH_*` variable, which override `berth.toml` (guide backend 6, "Settings").

use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::ArgMatches;
use clap::builder::BoolishValueParser;
use clap::parser::ValueSource;
use secrecy::SecretString;

use super::shown::Shown;
use crate::settings::{PlacesProvider, Settings, SmsProvider};

/// The settings of a command, and where each one came from.
#[derive(Debug)]
pub(super) struct Loaded {
    /// Not yet [`Settings::checked`].
    pub(super) settings: Settings,
    /// Name of a setting and where its value came from.
    pub(super) origins: Vec<(&'static str, String)>,
}

/// Declares the flags: name as in [`Settings`], type, variable. A setting is declared in three places: its field and its
/// default in [`Settings`] (the compiler asks for the second) and its flag here (a test asks for it).
macro_rules! flags {
    ($( $(#[$meta:meta])* $name:ident: $kind:ty = $variable:literal ),+ $(,)?) => {
        /// The settings that the command line and the environment give.
        #[derive(Debug, Default, clap::Args)]
        pub(super) struct Flags {
            /// The settings file; berth.toml in the working folder if it is there
            #[arg(long, env = "BERTH_CONFIG", value_name = "FILE")]
            config: Option<PathBuf>,
            $( $(#[$meta])* #[arg(long, env = $variable)] $name: Option<$kind>, )+
        }

        /// Name and variable of every setting.
        const SETTINGS: &[(&str, &str)] = &[$( (stringify!($name), $variable) ),+];

        /// Returns the name and the printable value of every setting.
        pub(super) fn shown(settings: &Settings) -> Vec<(&'static str, String)> {
            vec![$( (stringify!($name), settings.$name.shown()) ),+]
        }

        impl Flags {
            fn put_onto(self, settings: &mut Settings) {
                $( if let Some(value) = self.$name { Place::put(&mut settings.$name, value); } )+
            }
        }
    };
}

/// A field of [`Settings`] that takes the value of a flag.
trait Place<T> {
    fn put(&mut self, value: T);
}

impl<T> Place<T> for T {
    fn put(&mut self, value: T) {
        *self = value;
    }
}

impl<T> Place<T> for Option<T> {
    fn put(&mut self, value: T) {
        *self = Some(value);
    }
}

flags! {
    /// Address and port to listen on [default: 127.0.0.1:8080]
    listen: SocketAddr = "BERTH_LISTEN",
    /// The data folder: database, files [default: ./data]
    #[arg(value_name = "FOLDER")]
    data: PathBuf = "BERTH_DATA",
    /// postgres://… in place of SQLite in the data folder
    #[arg(value_name = "URL", hide_env_values = true)]
    database_url: String = "BERTH_DATABASE_URL",
    /// Connections to PostgreSQL, or readers of SQLite
    #[arg(value_name = "COUNT")]
    database_connections: u32 = "BERTH_DATABASE_CONNECTIONS",
    /// Fills an empty database with a believable world and shows its messages at /dev/outbox
    #[arg(num_args = 0..=1, require_equals = true, default_missing_value = "true",
        value_name = "BOOL", value_parser = BoolishValueParser::new())]
    demo: bool = "BERTH_DEMO",
    /// Runs the demo without reservations that arrive by themselves
    #[arg(num_args = 0..=1, require_equals = true, default_missing_value = "true",
        value_name = "BOOL", value_parser = BoolishValueParser::new())]
    demo_quiet: bool = "BERTH_DEMO_QUIET",
    /// Allows other machines to reach the demo, with its published password and its open messages
    #[arg(num_args = 0..=1, require_equals = true, default_missing_value = "true",
        value_name = "BOOL", value_parser = BoolishValueParser::new())]
    demo_allow_public: bool = "BERTH_DEMO_ALLOW_PUBLIC",
    /// Origins that browsers call from, separated by commas [default: the listen address]
    #[arg(value_delimiter = ',', value_name = "ORIGIN")]
    origins: Vec<String> = "BERTH_ORIGINS",
    /// Addresses of proxies whose X-Forwarded-For is trusted, separated by commas
    #[arg(value_delimiter = ',', value_name = "ADDRESS")]
    trusted_proxies: Vec<IpAddr> = "BERTH_TRUSTED_PROXIES",
    /// Minutes without activity after which a session ends, 5 to 60 [default: 15]
    #[arg(value_name = "MINUTES")]
    idle_minutes: i64 = "BERTH_IDLE_MINUTES",
    /// Hours after which a session ends in any case, 1 to 24 [default: 12]
    #[arg(value_name = "HOURS")]
    session_hours: i64 = "BERTH_SESSION_HOURS",
    /// Parallel password hashings, 19 MiB each [default: 2, with one or two processors 1]
    #[arg(value_name = "COUNT")]
    hashing_permits: usize = "BERTH_HASHING_PERMITS",
    /// Password hashings that may wait [default: 64]
    #[arg(value_name = "COUNT")]
    hashing_queue: usize = "BERTH_HASHING_QUEUE",
    /// Live streams from one address [default: 256]
    #[arg(value_name = "COUNT")]
    live_streams_per_address: usize = "BERTH_LIVE_STREAMS_PER_ADDRESS",
    /// Serves the public page /find [default: only in the demo]
    #[arg(num_args = 0..=1, require_equals = true, default_missing_value = "true",
        value_name = "BOOL", value_parser = BoolishValueParser::new())]
    find_page: bool = "BERTH_FIND_PAGE",
    /// Origins whose pages may show /find in a frame, separated by commas
    #[arg(value_delimiter = ',', value_name = "ORIGIN")]
    find_frame_ancestors: Vec<String> = "BERTH_FIND_FRAME_ANCESTORS",
    /// The new address in the yellow banner
    #[arg(value_name = "URL")]
    moved_address: String = "BERTH_MOVED_ADDRESS",
    /// Support phone of footer and contact page
    #[arg(value_name = "PHONE")]
    support_phone: String = "BERTH_SUPPORT_PHONE",
    /// Support email of the contact page
    #[arg(value_name = "E-MAIL")]
    contact_email: String = "BERTH_CONTACT_EMAIL",
    /// Family foundation credited on the non-commercial list
    #[arg(value_name = "NAME")]
    foundation: String = "BERTH_FOUNDATION",
    /// Token that opens /metrics from anywhere; without it only this machine may read them
    #[arg(value_name = "TOKEN", hide_env_values = true)]
    metrics_token: SecretString = "BERTH_METRICS_TOKEN",
    /// Key, at least 32 characters, that encrypts secrets of authenticator apps together with the key in the database
    #[arg(value_name = "KEY", hide_env_values = true)]
    secret_key: SecretString = "BERTH_SECRET_KEY",
    /// Mail server; without it mails are kept in the outbox
    #[arg(value_name = "NAME")]
    smtp_host: String = "BERTH_SMTP_HOST",
    /// Its port: implicit TLS on 465, STARTTLS on any other [default: 587]
    #[arg(value_name = "PORT")]
    smtp_port: u16 = "BERTH_SMTP_PORT",
    /// User name at the mail server
    #[arg(value_name = "NAME")]
    smtp_user: String = "BERTH_SMTP_USER",
    /// Its password
    #[arg(value_name = "PASSWORD", hide_env_values = true)]
    smtp_password: SecretString = "BERTH_SMTP_PASSWORD",
    /// Sender of mails, as in "Berth <berth@example.org>"
    #[arg(value_name = "E-MAIL")]
    smtp_from: String = "BERTH_SMTP_FROM",
    /// Root certificate (PEM) to trust for the mail server besides the public ones
    #[arg(value_name = "FILE")]
    smtp_ca_file: PathBuf = "BERTH_SMTP_CA_FILE",
    /// Provider that sends SMS; without it they are kept in the outbox
    #[arg(value_enum, value_name = "PROVIDER")]
    sms_provider: SmsProvider = "BERTH_SMS_PROVIDER",
    /// Twilio's account (AC…)
    #[arg(value_name = "SID")]
    twilio_account_sid: String = "BERTH_TWILIO_ACCOUNT_SID",
    /// Token of Twilio's account
    #[arg(value_name = "TOKEN", hide_env_values = true)]
    twilio_auth_token: SecretString = "BERTH_TWILIO_AUTH_TOKEN",
    /// Phone number that Twilio sends from; this or --twilio-messaging-service
    #[arg(value_name = "PHONE")]
    twilio_from: String = "BERTH_TWILIO_FROM",
    /// Messaging service that Twilio sends from (MG…)
    #[arg(value_name = "SID")]
    twilio_messaging_service: String = "BERTH_TWILIO_MESSAGING_SERVICE",
    /// Address of Twilio's API [default: https://api.twilio.com]
    #[arg(value_name = "URL")]
    twilio_base_url: String = "BERTH_TWILIO_BASE_URL",
    /// Address that SMS are posted to
    #[arg(value_name = "URL")]
    sms_webhook_url: String = "BERTH_SMS_WEBHOOK_URL",
    /// Key that signs what is posted there, at least 16 characters
    #[arg(value_name = "KEY", hide_env_values = true)]
    sms_webhook_secret: SecretString = "BERTH_SMS_WEBHOOK_SECRET",
    /// Bucket of S3 or a compatible store that keeps pictures; without it the data folder does
    #[arg(value_name = "NAME")]
    files_s3_bucket: String = "BERTH_FILES_S3_BUCKET",
    /// Its region [default: us-east-1]
    #[arg(value_name = "NAME")]
    files_s3_region: String = "BERTH_FILES_S3_REGION",
    /// Address of the store, if it is not Amazon's
    #[arg(value_name = "URL")]
    files_s3_endpoint: String = "BERTH_FILES_S3_ENDPOINT",
    /// Id of the key for the bucket
    #[arg(value_name = "ID")]
    files_s3_access_key_id: String = "BERTH_FILES_S3_ACCESS_KEY_ID",
    /// The key
    #[arg(value_name = "KEY", hide_env_values = true)]
    files_s3_secret_access_key: SecretString = "BERTH_FILES_S3_SECRET_ACCESS_KEY",
    /// Provider of the address search [default: embedded]
    #[arg(value_enum, value_name = "PROVIDER")]
    places_provider: PlacesProvider = "BERTH_PLACES_PROVIDER",
    /// Address of the Photon server
    #[arg(value_name = "URL")]
    places_photon_url: String = "BERTH_PLACES_PHOTON_URL",
    /// Key of Google's Places API
    #[arg(value_name = "KEY", hide_env_values = true)]
    places_google_key: SecretString = "BERTH_PLACES_GOOGLE_KEY",
    /// Address of Google's Places API [default: https://places.googleapis.com]
    #[arg(value_name = "URL")]
    places_google_base_url: String = "BERTH_PLACES_GOOGLE_BASE_URL",
    /// Stripe's secret key (sk_…); without it the sandbox runs, and no card is charged
    #[arg(value_name = "KEY", hide_env_values = true)]
    stripe_secret_key: SecretString = "BERTH_STRIPE_SECRET_KEY",
    /// Stripe's publishable key (pk_…), which browsers get
    #[arg(value_name = "KEY")]
    stripe_publishable_key: String = "BERTH_STRIPE_PUBLISHABLE_KEY",
    /// Secrets of Stripe's webhook (whsec_…), separated by commas; without them Berth polls for events
    #[arg(value_name = "SECRETS", value_delimiter = ',')]
    stripe_webhook_secrets: Vec<SecretString> = "BERTH_STRIPE_WEBHOOK_SECRETS",
    /// Address of Stripe's API [default: https://api.stripe.com]
    #[arg(value_name = "URL")]
    stripe_api_base: String = "BERTH_STRIPE_API_BASE",
    /// Allows the sandbox on a server with a public address
    #[arg(num_args = 0..=1, require_equals = true, default_missing_value = "true",
        value_name = "BOOL", value_parser = BoolishValueParser::new())]
    stripe_allow_sandbox: bool = "BERTH_STRIPE_ALLOW_SANDBOX",
    /// What is logged, as in info,berth_server=debug [default: info]
    #[arg(value_name = "FILTER")]
    log: String = "BERTH_LOG",
    /// Writes the log as JSON lines
    #[arg(num_args = 0..=1, require_equals = true, default_missing_value = "true",
        value_name = "BOOL", value_parser = BoolishValueParser::new())]
    log_json: bool = "BERTH_LOG_JSON",
}

impl Flags {
    /// Defaults < settings file < environment < flags.
    ///
    /// # Errors
    /// A sentence on the settings file.
    pub(super) fn load(mut self, matches: &ArgMatches) -> anyhow::Result<Loaded> {
        let file = match self.config.take() {
            Some(file) => {
                anyhow::ensure!(file.is_file(), "there is no settings file {}", file.display());
                file
            }
            None => PathBuf::from("berth.toml"),
        };
        let mut settings = Settings::read(&file)?;
        let in_file = keys(&file)?;
        let origin = |name: &'static str, variable: &str| match matches.value_source(name) {
            Some(ValueSource::CommandLine) => format!("--{}", name.replace('_', "-")),
            Some(ValueSource::EnvVariable) => variable.to_owned(),
            _ if in_file.iter().any(|key| key == name) => file.display().to_string(),
            _ => "default".to_owned(),
        };
        let origins = SETTINGS.iter().map(|(name, variable)| (*name, origin(name, variable))).collect();
        self.put_onto(&mut settings);
        Ok(Loaded { settings, origins })
    }
}

/// Returns the keys of the settings file, which [`Settings::read`] has checked.
fn keys(file: &Path) -> anyhow::Result<Vec<String>> {
    if !file.is_file() {
        return Ok(Vec::new());
    }
    let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    let table: toml::Table = toml::from_str(&text).with_context(|| format!("{} is not understood", file.display()))?;
    Ok(table.keys().cloned().collect())
}

#[cfg(test)]
mod tests {
    use clap::{Args, FromArgMatches};

    use super::{Flags, SETTINGS};

    fn load(words: &[&str]) -> super::Loaded {
        let command = Flags::augment_args(clap::Command::new("berth"));
        let matches = command.get_matches_from([&["berth"], words].concat());
        Flags::from_arg_matches(&matches).unwrap().load(&matches).unwrap()
    }

    #[test]
    fn every_setting_has_a_flag_and_a_variable() {
        let debug = format!("{:?}", crate::settings::Settings::default());
        for (name, variable) in SETTINGS {
            assert!(debug.contains(&format!("{name}:")), "{name}");
            assert_eq!(*variable, format!("BERTH_{}", name.to_uppercase()));
        }
        let parts = debug.matches(": ").count();
        assert_eq!(parts, SETTINGS.len(), "a setting has no flag: {debug}");
    }

    #[test]
    fn flags_override_the_file_and_the_file_overrides_the_defaults() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("berth.toml");
        std::fs::write(&file, "session_hours = 8\nidle_minutes = 30\n").unwrap();
        let loaded = load(&["--config", file.to_str().unwrap(), "--idle-minutes", "20", "--demo"]);
        assert_eq!((loaded.settings.session_hours, loaded.settings.idle_minutes), (8, 20));
        assert!(loaded.settings.demo && !loaded.settings.demo_quiet);
        let of = |name: &str| loaded.origins.iter().find(|(known, _)| *known == name).unwrap().1.clone();
        assert_eq!(of("idle_minutes"), "--idle-minutes");
        assert_eq!(of("session_hours"), file.display().to_string());
        assert_eq!(of("hashing_queue"), "default");
    }

    #[test]
    fn an_unknown_key_in_the_file_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("berth.toml");
        std::fs::write(&file, "sesion_hours = 8\n").unwrap();
        let error = crate::settings::Settings::read(&file).unwrap_err();
        assert!(format!("{error:#}").contains("sesion_hours"), "{error:#}");
    }
}
