//! What every handler gets: the database, the clock, randomness and the other things of the outside world.
//!
//! Time and randomness come in from here and nowhere else (clippy forbids the global ones), so that tests can move
//! the one and repeat the other.

use std::ops::Deref;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use berth_db::Db;
use berth_domain::time::Timestamp;
use rand::rngs::{StdRng, SysRng};
use rand::{Rng, SeedableRng, TryRng};
use uuid::Uuid;

use crate::admin::audit_log::ReadTrail;
use crate::admin::audit_log::lists::ListEnds;
use crate::admin::dashboard::{Directory, PastDays};
use crate::auth::caller::SecretLookups;
use crate::auth::hasher::Hasher;
use crate::auth::throttle::ReadLimits;
use crate::billing::payments::Payments;
use crate::billing::subscriptions::{Catalog, Previews};
use crate::housing::guests::{HistoryMarks, Persons};
use crate::http::cache::BoardCache;
use crate::http::cache::KnownVersions;
use crate::http::cache::landing::LandingCache;
use crate::http::cache::several::SeveralCache;
use crate::http::log_limit::LogLimit;
use crate::http::metrics::Metrics;
use crate::integrations::files::Files;
use crate::integrations::live::Live;
use crate::integrations::outbox::MessageKeys;
use crate::integrations::places::Places;
use crate::settings::Settings;

/// The application: cheap to clone, shared by all requests and jobs of a process.
#[derive(Clone)]
pub struct App(Arc<Parts>);

/// The parts of an [`App`].
pub struct Parts {
    /// The data layer.
    pub db: Db,
    /// Everything that can be configured.
    pub settings: Settings,
    /// Who watches which site.
    pub live: Live,
    /// Counters for `/metrics`.
    pub metrics: Metrics,
    /// Password hashing behind its permits.
    pub hasher: Hasher,
    /// Rendered boards by site and version.
    pub boards: BoardCache,
    /// Rendered lists of sites and organizations.
    pub landing: LandingCache,
    /// Cached answers about several sites.
    pub several: SeveralCache,
    /// Look-ups of secrets that several requests share.
    pub secret_lookups: SecretLookups,
    /// Sums of versions, by the state of the database.
    pub known_versions: KnownVersions,
    /// Where pages of long histories begin.
    pub history: HistoryMarks,
    /// Where pictures are kept, and how many are worked on at once.
    pub files: Files,
    /// Who finds addresses.
    pub places: Places,
    /// Makes the hashes by which limits and locks know a person.
    pub persons: Persons,
    /// Stripe, or the sandbox that stands in for it.
    pub payments: Payments,
    /// The plans that can be bought, as they were last read.
    pub catalog: Catalog,
    /// What will be charged next, as it was last read.
    pub previews: Previews,
    /// The ends of long lists of the trail, as they were last counted.
    pub list_ends: ListEnds,
    /// Reads of boards and lists on their way into the audit trail.
    pub reads: ReadTrail,
    /// Limits of reads that anyone may make.
    pub read_limits: ReadLimits,
    /// Lines of the log about answers to text messages with a wrong signature.
    pub rejected_answers: LogLimit,
    /// Lines of the log about events of the card provider that are not accepted.
    pub rejected_events: LogLimit,
    /// What the texts of messages are sealed with.
    pub message_keys: MessageKeys,
    /// What the lists of the dashboard are made of.
    pub directory: Directory,
    /// How full the beds of the platform were.
    pub past_days: PastDays,
    clock: Clock,
    random: Random,
    last_id: Mutex<(u64, u16)>,
    /// How far the clock of the database is ahead of ours, in milliseconds; 0 when it is not.
    id_lead: AtomicI64,
}

/// The largest count within a millisecond: the 12 bits that follow the time in a UUIDv7.
const ID_COUNT_LIMIT: u16 = 0x0fff;

/// Where the time comes from.
#[derive(Clone)]
pub enum Clock {
    /// The machine's clock.
    System,
    /// A clock that only moves when told (epoch milliseconds).
    Fixed(Arc<AtomicI64>),
}

/// Where randomness comes from.
pub enum Random {
    /// The operating system.
    System,
    /// A seeded generator, for tests that compare whole answers.
    Seeded(Box<Mutex<StdRng>>),
}

impl Clock {
    /// The time now, to the millisecond.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        match self {
            Self::System => {
                #[expect(clippy::disallowed_methods, reason = "the one place where the machine's clock is read")]
                let now = jiff::Timestamp::now();
                Timestamp::from_millis(now.as_millisecond())
            }
            Self::Fixed(millis) => Timestamp::from_millis(millis.load(Ordering::SeqCst)),
        }
    }
}

impl Random {
    /// A generator that repeats itself for the same `seed`.
    #[must_use]
    pub fn seeded(seed: u64) -> Self {
        Self::Seeded(Box::new(Mutex::new(StdRng::seed_from_u64(seed))))
    }
}

impl App {
    /// Puts the parts together. Background tasks are started by [`crate::cli::serve`] or by the test set-up.
    #[must_use]
    pub fn new(db: Db, settings: Settings, clock: Clock, random: Random) -> Self {
        let payments = Payments::new(&settings, &db, &[]);
        Self::with_payments(db, settings, clock, random, payments)
    }

    /// The same with another way to pay than the settings' own.
    #[must_use]
    pub fn with_payments(db: Db, settings: Settings, clock: Clock, random: Random, payments: Payments) -> Self {
        let live = Live::new(&db);
        let hasher = Hasher::new(&settings);
        Self(Arc::new(Parts {
            db,
            live,
            hasher,
            files: Files::new(&settings),
            places: Places::default(),
            persons: Persons::default(),
            payments,
            catalog: Catalog::default(),
            previews: Previews::default(),
            list_ends: ListEnds::default(),
            settings,
            metrics: Metrics::new(),
            boards: BoardCache::default(),
            landing: LandingCache::default(),
            several: SeveralCache::default(),
            secret_lookups: SecretLookups::default(),
            known_versions: KnownVersions::default(),
            history: HistoryMarks::default(),
            reads: ReadTrail::default(),
            read_limits: ReadLimits::default(),
            rejected_answers: LogLimit::default(),
            rejected_events: LogLimit::default(),
            message_keys: MessageKeys::default(),
            directory: Directory::default(),
            past_days: PastDays::default(),
            clock,
            random,
            last_id: Mutex::new((0, 0)),
            id_lead: AtomicI64::new(0),
        }))
    }

    /// The time now, to the millisecond.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// `N` random bytes.
    ///
    /// # Panics
    /// When the operating system has no randomness to give; nothing safe could be done then.
    #[must_use]
    pub fn random<const N: usize>(&self) -> [u8; N] {
        let mut bytes = [0; N];
        match &self.random {
            Random::System => {
                SysRng.try_fill_bytes(&mut bytes).expect("the operating system gives randomness");
            }
            Random::Seeded(generator) => {
                generator.lock().unwrap_or_else(PoisonError::into_inner).fill_bytes(&mut bytes);
            }
        }
        bytes
    }

    /// Makes ids of a clock that is not behind the database's, so that the rows of several nodes are in one order.
    pub fn follow_clock(&self, database: Timestamp) {
        self.id_lead.store((database.millis() - self.now().millis()).max(0), Ordering::Relaxed);
    }

    /// Makes ids that come after this one, for a process that starts on a clock that went back.
    pub fn follow_id(&self, id: Uuid) {
        let millis = id.get_timestamp().map_or(0, |at| at.to_unix().0 * 1000 + u64::from(at.to_unix().1) / 1_000_000);
        let mut last = self.last_id.lock().unwrap_or_else(PoisonError::into_inner);
        *last = (*last).max((millis, ID_COUNT_LIMIT));
    }

    /// A new id: a UUIDv7 of the app's clock and randomness. Ids of one process grow, also within a millisecond and
    /// when the clock goes back, so that rows written together keep their order.
    #[must_use]
    pub fn id(&self) -> Uuid {
        let now = self.now().millis() + self.id_lead.load(Ordering::Relaxed);
        let now = u64::try_from(now).unwrap_or_default();
        let (millis, count) = {
            let mut last = self.last_id.lock().unwrap_or_else(PoisonError::into_inner);
            *last = if now > last.0 {
                (now, 0)
            } else if last.1 == ID_COUNT_LIMIT {
                (last.0 + 1, 0)
            } else {
                (last.0, last.1 + 1)
            };
            *last
        };
        let mut random = self.random::<10>();
        random[..2].copy_from_slice(&count.to_be_bytes());
        uuid::Builder::from_unix_timestamp_millis(millis, &random).into_uuid()
    }
}

impl Deref for App {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
}
