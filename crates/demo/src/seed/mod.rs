//! `berth seed`: a large, believable world for measurements, in an empty database (issue "Proof and speed of the main job").
//! The same seed and the same present make the same rows, byte for byte, on both engines. Everything in it is made up,
//! and every invariant holds.
//!
//! Left out on purpose: person locks, sessions and messages, which come and go while the server runs.

mod dice;
mod guest;
mod life;
mod load;
mod people;
mod places;
mod rows;
mod sizes;
mod store;
mod trail;
mod words;

use std::sync::Arc;

use anyhow::Context;
use berth_db::Db;
use berth_domain::time::Timestamp;
use uuid::Uuid;

pub use self::people::{ACCOUNTS, PASSWORD};
pub use self::sizes::{Size, Tier};

use self::people::People;
use self::places::Places;
use crate::admin::audit_log::AuditAction;
use crate::demo::guard::{self, Data};

/// Which world to make.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Plan {
    /// How large.
    pub tier: Tier,
    /// Which one.
    pub seed: u64,
    /// The present: what is pending is pending then.
    pub now: Timestamp,
}

/// The places and people of a world, whose guests are still to come.
struct World {
    seed: u64,
    now: Timestamp,
    places: Places,
    people: People,
}

/// Fills an empty database, which must be migrated: a world beside other data would be neither, since benchmarks would
/// measure something else and people would meet guests who do not exist. `told` hears how many guests there are so far.
///
/// # Errors
/// A sentence when the database is not empty; those of the database. What was loaded until then stays: throw it away.
pub async fn fill(db: &Db, plan: Plan, told: impl FnMut(usize)) -> anyhow::Result<()> {
    anyhow::ensure!(
        Data::of(db).await? == Data::Empty,
        "the database is not empty, so nothing was changed. Choose another folder with --data, or another database \
         with --database-url."
    );
    let size = plan.tier.size();
    let places = Places::new(size, plan.seed, plan.now);
    let people = People::new(size.users, &places, plan.seed);
    let world = Arc::new(World { seed: plan.seed, now: plan.now, places, people });
    let mut tx = db.begin().await?;
    guard::mark(&mut tx, Data::Seed, plan.now).await?;
    store::world(&mut tx, &world).await?;
    tx.commit().await?;
    db.settle().await?;
    load::guests(db, &world, told).await.context("the data loaded so far is not whole: throw it away")?;
    record(db, plan).await?;
    Ok(db.settle().await?)
}

/// The last row: whoever finds it knows that the world is whole, and how to make it again.
async fn record(db: &Db, plan: Plan) -> anyhow::Result<()> {
    const SEEDED: &str = "INSERT INTO audit (id, at, action, summary, address, request_id) \
        VALUES ($1, $2, $3, $4, 'command line', '')";
    let id: Uuid = dice::Dice::new(plan.seed, 0).id(plan.now);
    let summary = format!("made-up data: tier {:?}, seed {}, now {}", plan.tier, plan.seed, plan.now);
    let mut tx = db.begin().await?;
    tx.query(SEEDED).bind(id).bind(plan.now).bind(AuditAction::DatabaseSeeded.as_str()).bind(summary).execute().await?;
    Ok(tx.commit().await?)
}
