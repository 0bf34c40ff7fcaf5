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
mod rejection;
mod seed;
mod serve;
mod setup_intents;
mod state;
mod store;
mod subscriptions;

use std::sync::Arc;

use axum::Router;
use secrecy::SecretString;
use tokio::sync::Mutex;

use crate::Client;
use control::Faults;
use deliveries::Deliveries;
use rejection::Rejection;
pub use seed::{Seed, SeedCard, SeedCourse, SeedSubscription, catalog};
use state::State;
pub use store::{FileStore, MemoryStore, Saved, Store, StoreFuture};

/// The publishable key, sent by our replacement for Stripe.js.
pub const PUBLISHABLE_KEY: &str = "pk_test_sandbox_berth";

/// A sandbox. Cheap to clone; all clones share one account.
#[derive(Clone)]
pub struct Sandbox(Arc<Parts>);

struct Parts {
    secret_key: String,
    webhook_secret: SecretString,
    cached: Mutex<Cached>,
    store: Box<dyn Store>,
    seed: &'static [Seed],
    faults: Faults,
    deliveries: Deliveries,
    wrap: Option<Wrap>,
}

/// Wraps a layer around the operations: in tests, the judge.
pub type Wrap = Arc<dyn Fn(Router) -> Router + Send + Sync>;

/// How often a change is tried while other processes change the same account.
const ATTEMPTS: u32 = 50;

/// The state as this process has read it last.
#[derive(Default)]
struct Cached {
    state: State,
    /// The version of the state in the store. `None` if it must be loaded again.
    version: Option<i64>,
}

impl Sandbox {
    /// Returns the account that `store` holds. If the store is empty, an account with `seed` is created when it is
    /// first needed.
    #[must_use]
    pub fn open(store: Box<dyn Store>, seed: &'static [Seed]) -> Self {
        Self::open_wrapped(store, seed, None)
    }

    /// Opens an account like [`Self::open`], with a layer around the operations.
    #[must_use]
    pub fn open_wrapped(store: Box<dyn Store>, seed: &'static [Seed], wrap: Option<Wrap>) -> Self {
        Self(Arc::new(Parts {
            secret_key: format!("sk_test_sandbox_{}", state::random::<12>()),
            webhook_secret: format!("whsec_sandbox_{}", state::random::<16>()).into(),
            cached: Mutex::default(),
            store,
            seed,
            faults: Faults::default(),
            deliveries: Deliveries::default(),
            wrap,
        }))
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
    pub async fn freeze(&self, at: i64) -> Result<(), String> {
        let work = |state: &mut State| {
            state.clock.freeze(at);
            billing::catch_up(state);
        };
        self.change(work).await.map_err(|rejection| rejection.sentence().to_owned())
    }

    /// Returns the account's time in Unix seconds. The machine's, if the state cannot be loaded.
    pub async fn now(&self) -> i64 {
        self.read(State::now).await.unwrap_or_else(|_| state::now())
    }

    /// Returns the secret key, which allows all operations. It is valid for the lifetime of the sandbox.
    #[must_use]
    pub fn secret_key(&self) -> SecretString {
        self.0.secret_key.clone().into()
    }

    /// Serves on a free loopback port until the process or its runtime ends, and returns the address.
    ///
    /// # Errors
    /// If the port cannot be opened, or the state cannot be loaded.
    pub async fn listen(&self) -> std::io::Result<String> {
        self.read(|_| ()).await.map_err(|rejection| std::io::Error::other(rejection.sentence().to_owned()))?;
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

    /// Returns the routes that browsers may use: our replacement for Stripe.js, the calls that it makes, and the pages.
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

    /// Passes the current state to `work`.
    async fn read<T>(&self, work: impl FnOnce(&State) -> T) -> Result<T, Rejection> {
        let mut cached = self.0.cached.lock().await;
        self.refresh(&mut cached).await.map_err(Rejection::api)?;
        Ok(work(&cached.state))
    }

    /// Changes the state and saves it. See [`Self::change_if`].
    async fn change<T>(&self, mut work: impl FnMut(&mut State) -> T) -> Result<T, Rejection> {
        self.change_if(|state| (work(state), true)).await
    }

    /// Passes the current state to `work`, which says whether it has changed the state. If it has, saves the state and
    /// queues webhooks for its new events. If another process has saved in the meantime, nothing has happened yet:
    /// `work` gets the newer state.
    async fn change_if<T>(&self, mut work: impl FnMut(&mut State) -> (T, bool)) -> Result<T, Rejection> {
        let mut cached = self.0.cached.lock().await;
        for _ in 0..ATTEMPTS {
            self.refresh(&mut cached).await.map_err(Rejection::api)?;
            let (done, is_changed) = work(&mut cached.state);
            if !is_changed || self.save(&mut cached).await.map_err(Rejection::api)? {
                return Ok(done);
            }
        }
        Err(Rejection::api("The sandbox is busy."))
    }

    /// Loads the state if another process has changed it, and creates it if there is none.
    async fn refresh(&self, cached: &mut Cached) -> Result<(), String> {
        loop {
            let loaded = self.0.store.load(cached.version).await;
            let saved = loaded.map_err(|error| format!("The sandbox's state cannot be read: {error}"))?;
            if let Some(Saved { version, text }) = saved {
                let mut state: State =
                    serde_json::from_str(&text).map_err(|error| format!("The sandbox's state is broken: {error}"))?;
                seed::add_catalog(&mut state);
                *cached = Cached { state, version: Some(version) };
            }
            if cached.version.is_some() {
                return Ok(());
            }
            let mut state = State::default();
            seed::add_catalog(&mut state);
            seed::add_customers(&mut state, self.0.seed)?;
            cached.state = state;
            // Ids of invoices are random: other processes and the next start must find the same ones.
            if self.save(cached).await? {
                return Ok(());
            }
        }
    }

    /// Saves the state, and queues webhooks for its new events. Returns false if another process was faster; what was
    /// changed here is forgotten then.
    async fn save(&self, cached: &mut Cached) -> Result<bool, String> {
        let Cached { state, version } = cached;
        state.forget_old_answers();
        let text = serde_json::to_string(state).unwrap_or_default();
        // Unless it is saved, the next call loads the state again.
        let saved = self.0.store.save(version.take(), &text).await;
        *version = saved.map_err(|error| format!("The sandbox's state cannot be written: {error}"))?;
        if version.is_some() {
            self.0.deliveries.enqueue(&mut state.news);
        }
        Ok(version.is_some())
    }
}
