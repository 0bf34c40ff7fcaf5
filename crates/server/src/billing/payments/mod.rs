//! The payment provider: Stripe if a key is set, otherwise the sandbox, which starts when it is first needed (guide
//! payments 1.1 to 1.3).

mod store;

use std::net::{Ipv4Addr, SocketAddr};

use anyhow::Context;
use axum::extract::{ConnectInfo, Request, State};
use axum::http::{HeaderMap, Uri};
use axum::response::{IntoResponse, Response};
use berth_db::Db;
use berth_stripe::Client;
use berth_stripe::sandbox::{PUBLISHABLE_KEY, Sandbox, Seed};
use secrecy::{ExposeSecret, SecretString};
use tokio::sync::OnceCell;
use tower::ServiceExt;
use url::Url;

use self::store::DatabaseStore;
use crate::http::local;
use crate::settings::Settings;
use crate::{App, Error, Result};

/// The path of the sandbox for browsers.
const SANDBOX_PATH: &str = "/dev/stripe";

/// The payment provider of this server.
pub struct Payments(Provider);

enum Provider {
    Stripe {
        base: String,
        secret_key: SecretString,
        publishable_key: String,
        webhook_secrets: Vec<SecretString>,
        client: OnceCell<Client>,
    },
    Sandbox {
        open: Box<Open>,
        events_to: Option<String>,
        running: OnceCell<Running>,
    },
}

/// Opens a sandbox.
type Open = dyn Fn() -> Sandbox + Send + Sync;

/// A running sandbox.
struct Running {
    sandbox: Sandbox,
    client: Client,
    address: String,
}

/// The sources of the payment provider in the content security policy.
#[derive(Debug, Clone, Copy, Default)]
pub struct Sources {
    /// For `script-src`.
    pub script: &'static str,
    /// For `frame-src`.
    pub frame: &'static str,
    /// For `connect-src`.
    pub connect: &'static str,
}

/// The sources from Stripe's guide to content security policies.
const STRIPE_SOURCES: Sources = Sources {
    script: " https://js.stripe.com https://*.js.stripe.com",
    frame: "https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com",
    connect: " https://api.stripe.com",
};

/// Checks the settings of payments.
///
/// # Errors
/// A message that names the wrong setting.
pub fn check(settings: &Settings) -> anyhow::Result<()> {
    check_address(&settings.stripe_api_base)?;
    let (secret, publishable) = match (&settings.stripe_secret_key, &settings.stripe_publishable_key) {
        (None, None) => return Ok(()),
        (Some(secret), Some(publishable)) => (secret.expose_secret(), publishable),
        (Some(_), None) => anyhow::bail!("stripe_publishable_key is missing"),
        (None, Some(_)) => anyhow::bail!("stripe_secret_key is missing"),
    };
    let kind = |key: &str, kinds: &[&str]| {
        let rest = kinds.iter().find_map(|kind| key.strip_prefix(kind))?;
        Some(rest.starts_with("live_"))
    };
    let secret = kind(secret, &["sk_", "rk_"]).context("stripe_secret_key begins with sk_ or rk_")?;
    let publishable = kind(publishable, &["pk_"]).context("stripe_publishable_key begins with pk_")?;
    anyhow::ensure!(secret == publishable, "one of the two Stripe keys is for tests and the other is live");
    Ok(())
}

/// Checks the address of Stripe's API.
///
/// # Errors
/// A message that names the wrong setting.
pub fn check_address(base: &str) -> anyhow::Result<()> {
    let url = Url::parse(base).with_context(|| format!("stripe_api_base: {base} is no address"))?;
    let is_safe = url.scheme() == "https" || (url.scheme() == "http" && local::is_local_address(base));
    anyhow::ensure!(is_safe, "stripe_api_base must begin with https://, since the secret key travels there");
    Ok(())
}

/// Checks that a public server uses Stripe, unless the sandbox is allowed explicitly.
///
/// # Errors
/// A message that says which setting is missing.
pub fn may_serve(settings: &Settings) -> anyhow::Result<()> {
    let is_allowed = settings.demo || settings.stripe_allow_sandbox || settings.stripe_secret_key.is_some();
    anyhow::ensure!(
        is_allowed || !local::is_public(settings),
        "no Stripe key is set, so payments would only be played: set stripe_secret_key and stripe_publishable_key, or \
         stripe_allow_sandbox = true when nobody is to pay here"
    );
    Ok(())
}

/// Returns true if a browser may use the sandbox: on this machine, or anywhere if the settings allow it.
fn may_reach_sandbox(settings: &Settings, headers: &HeaderMap, peer: Option<SocketAddr>) -> bool {
    settings.stripe_allow_sandbox
        || (settings.demo && settings.demo_allow_public)
        || local::is_local_request(settings, headers, peer)
}

impl Payments {
    /// Creates the provider that the settings name. Opens nothing yet. A sandbox keeps its state in the database, so
    /// that all nodes share it; an empty one starts with `customers`.
    #[must_use]
    pub fn new(settings: &Settings, db: &Db, customers: &'static [Seed]) -> Self {
        if let (Some(secret_key), Some(publishable_key)) =
            (&settings.stripe_secret_key, &settings.stripe_publishable_key)
        {
            return Self(Provider::Stripe {
                base: settings.stripe_api_base.clone(),
                secret_key: secret_key.clone(),
                publishable_key: publishable_key.clone(),
                webhook_secrets: settings.stripe_webhook_secrets.clone(),
                client: OnceCell::new(),
            });
        }
        let (db, file) = (db.clone(), settings.data.join("stripe-sandbox.json"));
        let open = move || Sandbox::open(Box::new(DatabaseStore::new(db.clone(), file.clone())), customers);
        let events_to = Some(format!("http://{}/api/Stripe/webhook", own_address(settings.listen)));
        Self(Provider::Sandbox { open: Box::new(open), events_to, running: OnceCell::new() })
    }

    /// Creates a sandbox that `open` opens when it is first needed, and that sends no webhooks.
    pub fn sandbox(open: impl Fn() -> Sandbox + Send + Sync + 'static) -> Self {
        Self(Provider::Sandbox { open: Box::new(open), events_to: None, running: OnceCell::new() })
    }

    /// Returns true if payments go to the sandbox, so that no card is charged.
    #[must_use]
    pub const fn is_sandbox(&self) -> bool {
        matches!(self.0, Provider::Sandbox { .. })
    }

    /// Returns the publishable key, which browsers use.
    #[must_use]
    pub fn publishable_key(&self) -> &str {
        match &self.0 {
            Provider::Stripe { publishable_key, .. } => publishable_key,
            Provider::Sandbox { .. } => PUBLISHABLE_KEY,
        }
    }

    /// Returns the provider's sources for the content security policy. The sandbox needs none, because Berth serves it.
    #[must_use]
    pub const fn sources(&self) -> Sources {
        match self.0 {
            Provider::Stripe { .. } => STRIPE_SOURCES,
            Provider::Sandbox { .. } => Sources { script: "", frame: "", connect: "" },
        }
    }

    /// Returns true if the provider is Stripe or a started sandbox. A sandbox that has not started has no events.
    #[must_use]
    pub fn is_open(&self) -> bool {
        match &self.0 {
            Provider::Stripe { .. } => true,
            Provider::Sandbox { running, .. } => running.initialized(),
        }
    }

    /// Returns the secrets of the provider's webhooks. There are several while a secret is being replaced.
    #[must_use]
    pub fn webhook_secrets(&self) -> Vec<SecretString> {
        match &self.0 {
            Provider::Stripe { webhook_secrets, .. } => webhook_secrets.clone(),
            Provider::Sandbox { running, .. } => {
                running.get().map(|running| running.sandbox.webhook_secret()).into_iter().collect()
            }
        }
    }

    /// Returns the client, after starting the sandbox if that is needed.
    ///
    /// # Errors
    /// 500 if the client cannot be created or the sandbox cannot start.
    pub async fn client(&self) -> Result<&Client> {
        match &self.0 {
            Provider::Stripe { base, secret_key, client, .. } => {
                let open = async || Client::open(base, secret_key.clone());
                client.get_or_try_init(open).await.map_err(|error| Error::Internal(error.into()))
            }
            Provider::Sandbox { open, events_to, running } => {
                Ok(&run(open, events_to.as_deref(), running).await?.client)
            }
        }
    }

    /// Returns the address and the secret key of the sandbox, for tests that inject faults; `None` if the provider is
    /// Stripe.
    ///
    /// # Errors
    /// 500 if the sandbox cannot start.
    pub async fn sandbox_address(&self) -> Result<Option<(&str, SecretString)>> {
        match &self.0 {
            Provider::Stripe { .. } => Ok(None),
            Provider::Sandbox { open, events_to, running } => {
                let running = run(open, events_to.as_deref(), running).await?;
                Ok(Some((&running.address, running.sandbox.secret_key())))
            }
        }
    }

    /// Checks that Stripe answers and accepts the key.
    ///
    /// # Errors
    /// A message that says what is wrong.
    pub async fn answers(&self) -> anyhow::Result<()> {
        let asked = self.client().await?.customer("cus_berth_doctor").await;
        match asked {
            Ok(_) => Ok(()),
            Err(error) if error.is_missing("id") => Ok(()),
            Err(error) => Err(error).context("Stripe does not accept the key"),
        }
    }
}

/// Returns the address at which this server reaches itself.
fn own_address(listen: SocketAddr) -> SocketAddr {
    let is_any = listen.ip().is_unspecified();
    if is_any { SocketAddr::from((Ipv4Addr::LOCALHOST, listen.port())) } else { listen }
}

async fn run<'a>(open: &Open, events_to: Option<&str>, running: &'a OnceCell<Running>) -> Result<&'a Running> {
    let start = async || {
        let sandbox = open();
        if let Some(url) = events_to {
            sandbox.send_webhooks_to(url);
        }
        let (client, address) = sandbox.start().await?;
        Ok(Running { sandbox, client, address })
    };
    let failed = |error: String| Error::Internal(anyhow::anyhow!("the payment sandbox cannot start: {error}"));
    running.get_or_try_init(start).await.map_err(failed)
}

/// Turns an error of the provider into ours, for callers that have no better message.
#[must_use]
pub fn failed(error: berth_stripe::Error) -> Error {
    if error.is_outcome_unknown() {
        tracing::warn!(error = %error, "the card provider did not answer, or not as expected");
        return Error::CardProviderAway;
    }
    Error::Internal(error.into())
}

/// Serves the sandbox to browsers: our replacement for Stripe.js, its calls, and the pages of the portal, of invoices
/// and of receipts.
///
/// # Errors
/// [`Error::NotFound`] if the provider is Stripe or the browser may not use the sandbox.
pub async fn for_browsers(State(app): State<App>, request: Request) -> Result<Response> {
    let Provider::Sandbox { open, events_to, running } = &app.payments.0 else { return Err(Error::NotFound) };
    let (parts, body) = request.into_parts();
    let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>().map(|info| info.0);
    if !may_reach_sandbox(&app.settings, &parts.headers, peer) {
        return Err(Error::NotFound);
    }
    let running = run(open, events_to.as_deref(), running).await?;
    let path = parts.uri.path().strip_prefix(SANDBOX_PATH).unwrap_or_default();
    let query = parts.uri.query().map(|query| format!("?{query}")).unwrap_or_default();
    // A new request, without the extensions that our routes added to this one.
    let mut inner = Request::new(body);
    *inner.uri_mut() = format!("{path}{query}").parse::<Uri>().map_err(|_| Error::NotFound)?;
    *inner.method_mut() = parts.method;
    *inner.headers_mut() = parts.headers;
    // The sandbox answers every request, so this cannot fail.
    Ok(running.sandbox.for_browsers().oneshot(inner).await.into_response())
}
