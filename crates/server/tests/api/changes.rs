//! The change runner: it retries while the database is busy and runs a change completely or not at all.

use std::sync::atomic::{AtomicUsize, Ordering};

use berth_server::admin::audit_log::{AuditAction, Author, Entry};
use berth_server::{Error, change};

use crate::both_engines;
use crate::harness::House;

fn entry(summary: String) -> Entry {
    Entry::anywhere(AuditAction::AuditViewed, None, summary)
}

async fn told(house: &House) -> Vec<String> {
    const TOLD: &str = "SELECT summary FROM audit WHERE summary LIKE 'attempt %' ORDER BY id";
    let rows: Vec<(String,)> = house.db().query(TOLD).all().await.unwrap();
    rows.into_iter().map(|(summary,)| summary).collect()
}

both_engines! {
    async fn a_change_is_retried_from_the_start_when_the_database_is_busy(house: House) {
        let attempts = AtomicUsize::new(0);
        let answer = change::run::<_, Error, _, _>(&house.app, Author::job(), |mut change| {
            let attempt = attempts.fetch_add(1, Ordering::SeqCst) + 1;
            async move {
                change.record(entry(format!("attempt {attempt}"))).await?;
                if attempt < 3 {
                    return Err(berth_db::Error::Busy("a rival".into()).into());
                }
                change.done(attempt)
            }
        });
        assert_eq!(answer.await.unwrap(), 3);
        assert_eq!(told(&house).await, ["attempt 3"], "what earlier attempts wrote is gone");
    }

    async fn a_refused_change_runs_once_and_leaves_nothing(house: House) {
        let attempts = AtomicUsize::new(0);
        let answer: Result<(), _> = change::run(&house.app, Author::job(), |mut change| {
            let attempt = attempts.fetch_add(1, Ordering::SeqCst) + 1;
            async move {
                change.record(entry(format!("attempt {attempt}"))).await?;
                Err(Error::Forbidden("no".to_owned()))
            }
        })
        .await;
        assert!(matches!(answer, Err(Error::Forbidden(_))));
        assert_eq!(attempts.load(Ordering::SeqCst), 1);
        assert_eq!(told(&house).await, [""; 0]);
    }

    async fn a_change_with_nothing_to_do_is_not_committed(house: House) {
        let answer = change::run::<_, Error, _, _>(&house.app, Author::job(), |mut change| async move {
            change.record(entry("attempt".to_owned())).await?;
            drop(change);
            change::unchanged("as it was")
        });
        assert_eq!(answer.await.unwrap(), "as it was");
        assert_eq!(told(&house).await, [""; 0]);
    }
}
