//! A server with Stripe's API, for the demo and for tests (guide payments 1.2).
//!
//! It must never be mistaken for Stripe: `livemode` is false, keys begin with `sk_test_sandbox_`, and only the test
//! card numbers that Stripe publishes are accepted, so that no real card number is ever stored or logged. There is one
//! file for each of Stripe's objects. The state is saved in a [`Store`].

mod billing;
mod browser;
mod cards;
mod charges;
mod clock;
mod control;
mod coupons;
mod customers;
mod deliveries;
mod events;
mod idempotency;
mod invoices;
mod list;
mod page;
pub(crate) mod parameters;
mod payment_intents;
mod payment_methods;
mod portal;
mod prices;
mod products;
mod promotion_codes;
mod refusal;
mod seed;
mod serve;
mod setup_intents;
mod state;
mod store;
mod subscriptions;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::Router;
use secrecy::SecretString;

use crate::Client;
use control::Faults;
use deliveries::Deliveries;
pub use seed::{Seed, SeedCard, SeedCourse, SeedSubscription, catalog};
use state::State;
pub use store::{FileStore, MemoryStore, Store};

/// The publishable key, sent by our replacement for Stripe.js.
pub const PUBLISHABLE_KEY: &str = "pk_test_sandbox_berth";

/// A sandbox. Cheap to clone; all clones share one account.
#[derive(Clone)]
pub struct Sandbox(Arc<Parts>);

struct Parts {
    secret_key: String,
    webhook_secret: SecretString,
    state: Mutex<State>,
    store: Box<dyn Store>,
    faults: Faults,
    deliveries: Deliveries,
    wrap: Option<Wrap>,
}

/// Wraps a layer around the operations: in tests, the judge.
pub type Wrap = Arc<dyn Fn(Router) -> Router + Send + Sync>;

impl Sandbox {
    /// Opens the account that `store` holds. If the store is empty, creates an account with `seed`.
    ///
    /// # Errors
    /// A message if the store cannot be read.
    pub fn open(store: Box<dyn Store>, seed: &[Seed]) -> Result<Self, String> {
        Self::open_wrapped(store, seed, None)
    }

    /// Opens an account like [`Self::open`], with a layer around the operations.
    ///
    /// # Errors
    /// A message if the store cannot be read.
    pub fn open_wrapped(store: Box<dyn Store>, seed: &[Seed], wrap: Option<Wrap>) -> Result<Self, String> {
        let stored = store.load().map_err(|error| format!("the sandbox's file cannot be read: {error}"))?;
        let is_seeded = stored.is_none() && !seed.is_empty();
        let mut state: State = match stored {
            Some(text) => {
                serde_json::from_str(&text).map_err(|error| format!("the sandbox's file is broken: {error}"))?
            }
            None => State::default(),
        };
        seed::add_catalog(&mut state);
        if is_seeded {
            seed::add_customers(&mut state, seed)?;
        }
        let secret_key = format!("sk_test_sandbox_{}", state::random::<12>());
        let sandbox = Self(Arc::new(Parts {
            secret_key,
            webhook_secret: format!("whsec_sandbox_{}", state::random::<16>()).into(),
            state: Mutex::new(state),
            store,
            faults: Faults::default(),
            deliveries: Deliveries::default(),
            wrap,
        }));
        if is_seeded {
            // Ids of invoices are random: the next start must find the same ones.
            sandbox.keep(&mut sandbox.state()).map_err(|refused| refused.sentence().to_owned())?;
        }
        Ok(sandbox)
    }

    /// Returns the secret that webhooks are signed with. It is valid for the lifetime of the sandbox.
    #[must_use]
    pub fn webhook_secret(&self) -> SecretString {
        self.0.webhook_secret.clone()
    }

    /// From now on, sends a webhook for each event to `url`. Delivery starts once the sandbox listens.
    pub fn send_webhooks_to(&self, url: &str) {
        self.0.deliveries.send_to(Some(url.to_owned()));
    }

    /// Stops the account's clock at `at` (Unix seconds). What is due by then happens now.
    ///
    /// # Errors
    /// A message if the state cannot be saved.
    pub fn freeze(&self, at: i64) -> Result<(), String> {
        let mut state = self.state();
        state.clock.freeze(at);
        billing::catch_up(&mut state);
        self.keep(&mut state).map_err(|refused| refused.sentence().to_owned())
    }

    /// Returns the account's time in Unix seconds.
    #[must_use]
    pub fn now(&self) -> i64 {
        self.state().now()
    }

    /// Returns the secret key, which allows all operations. It is valid for the lifetime of the sandbox.
    #[must_use]
    pub fn secret_key(&self) -> SecretString {
        self.0.secret_key.clone().into()
    }

    /// Serves on a free loopback port until the process or its runtime ends, and returns the address.
    ///
    /// # Errors
    /// If the port cannot be opened.
    pub async fn listen(&self) -> std::io::Result<String> {
        let listener = tokio::net::TcpListener::bind((std::net::Ipv4Addr::LOCALHOST, 0)).await?;
        let address = format!("http://{}", listener.local_addr()?);
        let router = self.router();
        tokio::spawn(async move { axum::serve(listener, router).await });
        tokio::spawn(deliveries::run(self.clone()));
        Ok(address)
    }

    /// Serves on a free loopback port, and returns a client and the address.
    ///
    /// # Errors
    /// A message if the port cannot be opened or the client cannot be created.
    pub async fn start(&self) -> Result<(Client, String), String> {
        let address = self.listen().await.map_err(|error| format!("the sandbox cannot listen: {error}"))?;
        let client = Client::open(&address, self.secret_key()).map_err(|error| error.to_string())?;
        Ok((client, address))
    }

    /// All routes, for the loopback listener: operations, pages and controls.
    fn router(&self) -> Router {
        let operations = self.wrapped(serve::router(self, serve::OPERATIONS));
        operations.merge(browser::pages(self)).merge(control::router(self))
    }

    /// The routes that browsers may use: our replacement for Stripe.js, the calls that it makes, and the pages.
    pub fn for_browsers(&self) -> Router {
        let of_browsers = serve::OPERATIONS.iter().copied().filter(serve::Operation::is_for_browsers);
        self.wrapped(serve::router(self, &of_browsers.collect::<Vec<_>>())).merge(browser::pages(self))
    }

    fn wrapped(&self, router: Router) -> Router {
        match &self.0.wrap {
            Some(wrap) => wrap(router),
            None => router,
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Saves the state, and queues webhooks for its new events.
    fn keep(&self, state: &mut State) -> Result<(), refusal::Refused> {
        state.forget_old_answers();
        let text = serde_json::to_string(state).unwrap_or_default();
        let saved = self.0.store.save(&text);
        self.0.deliveries.enqueue(&mut state.news);
        saved.map_err(|_| refusal::Refused::api("The sandbox could not write its file."))
    }
}
