//! Loads the guests of all sites in the order of time, so that tables and indexes are laid out as on a real server. A
//! thread makes the rows while the database writes them; only a few thousand guests are in memory at once. It commits
//! in parts and not through `change::run`, because one transaction would be too large.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

use berth_db::{Db, Result, Tx};
use berth_domain::time::Timestamp;
use tokio::sync::mpsc;

use super::World;
use super::guest::{Host, Persons, phones_needed};
use super::life::Life;
use super::rows::Batch;
use crate::dice::Dice;

/// Minimum number of audit rows in a batch.
const BATCH: usize = 5_000;
/// Batches in a transaction.
const BATCHES_PER_COMMIT: usize = 16;
/// Maximum number of batches that wait for the database.
const WAITING: usize = 3;
/// First stream of random numbers of the sites.
const STREAM: u64 = 2_000_000;

/// Loads all guests and their rows. Calls `progress` with the number of guests so far.
pub(super) async fn guests(
    db: &Db,
    world: &Arc<World>,
    progress: &mut (dyn FnMut(usize) + Send),
) -> anyhow::Result<()> {
    let (sender, mut receiver) = mpsc::channel(WAITING);
    let lives = Arc::clone(world);
    let made = tokio::task::spawn_blocking(move || live(&lives, &sender));
    let (mut count, mut batches) = (0, 0);
    let mut tx = db.begin().await?;
    while let Some(batch) = receiver.recv().await {
        batch.write(&mut tx, &world.people.users).await?;
        count += batch.guests.len();
        batches += 1;
        if batches == 1 || batches % BATCHES_PER_COMMIT == 0 {
            tx.commit().await?;
            if batches == 1 {
                // PostgreSQL plans its foreign key checks once: on an empty table it chooses a bad plan, which would
                // read all guests of a site for each stay.
                db.settle().await?;
            }
            progress(count);
            tx = db.begin().await?;
        }
    }
    versions(&mut tx, world, &made.await?).await?;
    tx.commit().await?;
    progress(count);
    Ok(())
}

/// Sets each site's version: the number of its changes plus one.
async fn versions(tx: &mut Tx, world: &World, versions: &[i64]) -> Result<()> {
    const VERSION: &str = "UPDATE sites SET version = $2 WHERE id = $1";
    for (site, version) in world.places.sites.iter().zip(versions) {
        tx.query(VERSION).bind(site.id).bind(*version).execute().await?;
    }
    berth_server::housing::sites::settle_all(tx).await
}

/// Simulates all sites until the present and returns their versions. Ends early if the receiver is gone.
fn live(world: &World, sender: &mpsc::Sender<Batch>) -> Vec<i64> {
    let mut phone = 0;
    let mut lives: Vec<Life<'_>> = Vec::with_capacity(world.places.sites.len());
    for (index, (site, team)) in world.places.sites.iter().zip(&world.people.teams).enumerate() {
        let host = Host::new(site, &world.places.organizations[site.organization]);
        let dice = Dice::new(world.seed, STREAM + u64::try_from(index).unwrap_or_default());
        let persons = Persons::new(phone, site.beds.len());
        phone += phones_needed(site.beds.len());
        lives.push(Life::new(host, team, &world.people.users, dice, persons, world.now));
    }
    let mut queue: BinaryHeap<Reverse<(Timestamp, usize)>> =
        lives.iter().enumerate().filter_map(|(index, life)| Some(Reverse((life.next_at()?, index)))).collect();
    let mut batch = Batch::default();
    let mut number = 0;
    while let Some(Reverse((_, index))) = queue.pop() {
        number += u64::from(lives[index].step(number, &mut batch));
        if let Some(at) = lives[index].next_at() {
            queue.push(Reverse((at, index)));
        }
        if batch.audit.len() >= BATCH && sender.blocking_send(std::mem::take(&mut batch)).is_err() {
            return Vec::new();
        }
    }
    for life in &mut lives {
        life.finish(&mut batch);
        if batch.audit.len() >= BATCH && sender.blocking_send(std::mem::take(&mut batch)).is_err() {
            return Vec::new();
        }
    }
    // If the receiver is gone, it reports the error itself.
    let _ = sender.blocking_send(batch);
    lives.iter().map(|life| life.version).collect()
}
