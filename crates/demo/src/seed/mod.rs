//! The worlds of `berth seed`: large databases for measurements (issue "Proof and speed of the main job"). The same
//! seed and the same current time make the same rows, byte for byte, on both engines, and every invariant holds.
//!
//! Person locks, sessions and messages are left out, because they are short-lived.

mod guest;
mod life;
mod load;
mod people;
mod places;
mod rows;
mod sizes;
mod store;
mod trail;

use std::sync::Arc;

use anyhow::Context;
use berth_db::Db;
use berth_domain::time::Timestamp;
use uuid::Uuid;

pub use berth_server::cli::worlds::{Plan, Tier};

use self::people::People;
use self::places::Places;
use crate::dice::Dice;
use berth_server::admin::audit_log::AuditAction;
use berth_server::http::demo_guard::{self, Data};

/// The places and people of a world, without guests.
struct World {
    seed: u64,
    now: Timestamp,
    places: Places,
    people: People,
}

/// Fills an empty, migrated database. It is never added to other data: benchmarks would measure something else, and
/// people would see guests who do not exist. Calls `progress` with the number of guests so far.
///
/// # Errors
/// A sentence if the database is not empty. After any other error, discard the loaded data.
pub async fn fill(db: &Db, plan: Plan, progress: &mut (dyn FnMut(usize) + Send)) -> anyhow::Result<()> {
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
    demo_guard::mark(&mut tx, Data::Seed, plan.now).await?;
    store::world(&mut tx, &world).await?;
    tx.commit().await?;
    db.settle().await?;
    load::guests(db, &world, progress).await.context("the data loaded so far is not whole: throw it away")?;
    record(db, plan).await?;
    Ok(db.settle().await?)
}

/// Writes the last row. It says that the world is complete, and how to make it again.
async fn record(db: &Db, plan: Plan) -> anyhow::Result<()> {
    const SEEDED: &str = "INSERT INTO audit (id, at, action, summary, address, request_id) \
        VALUES ($1, $2, $3, $4, 'command line', '')";
    let id: Uuid = Dice::new(plan.seed, 0).id(plan.now);
    let summary = format!("made-up data: tier {:?}, seed {}, now {}", plan.tier, plan.seed, plan.now);
    let mut tx = db.begin().await?;
    tx.query(SEEDED).bind(id).bind(plan.now).bind(AuditAction::DatabaseSeeded.as_str()).bind(summary).execute().await?;
    Ok(tx.commit().await?)
}
