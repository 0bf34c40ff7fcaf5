//! What must be true at the end of a test world.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use crate::client::Watcher;
use crate::cluster::system;
use crate::storms::{Checked, Storm, versions_of};
/// Checks that ended holds are recorded once and soon, and that every stream got every version once, in order.
pub(super) async fn settle(storm: &Storm, watchers: &[Watcher], versions: &BTreeMap<String, i64>) -> Checked {
    const OPEN: &str = "SELECT COUNT(*) FROM guests WHERE expires_at <= $1 AND accepted_at IS NULL AND rejected_at IS NULL \
        AND expired_at IS NULL";
    const TWICE: &str = "SELECT COUNT(*) FROM (SELECT object_id FROM audit WHERE action = 'guest.expired' \
        GROUP BY object_id HAVING COUNT(*) > 1) doubled";
    let (db, start) = (&storm.db, Instant::now());
    let app = system(db);
    loop {
        let open: i64 = db.query(OPEN).bind(app.now()).scalar().await.unwrap();
        if open == 0 {
            break;
        }
        if start.elapsed() > Duration::from_secs(30) {
            return Err(format!("{open} holds are over and not recorded"));
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let twice: i64 = db.query(TWICE).scalar().await.unwrap();
    if twice > 0 {
        return Err(format!("{twice} holds expired twice"));
    }
    let after = versions_of(db).await;
    for (site, first) in versions {
        for (node, watcher) in watchers.iter().enumerate() {
            let patience = Instant::now();
            while watcher.versions(site).last().unwrap_or(first) < &after[site]
                && patience.elapsed() < Duration::from_secs(10)
            {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            let heard = watcher.versions(site);
            // A change committed before a stream was ready may reach its node, and so the stream, a moment later.
            let from = heard.first().map_or(first + 1, |heard| *heard.min(&(first + 1)));
            let wanted: Vec<i64> = (from..=after[site]).collect();
            if heard != wanted || watcher.resyncs() > 0 {
                let (count, resyncs) = (heard.len(), watcher.resyncs());
                let odd = heard.iter().zip(&wanted).find(|(heard, wanted)| heard != wanted);
                return Err(format!("node {node} told {count} of {} versions, {resyncs} gaps, {odd:?}", wanted.len()));
            }
        }
    }
    Ok(())
}
