//! The secrets of requests with their sessions and rights, as the database has them (docs/decisions/0072).
//!
//! On `PostgreSQL` a round trip costs more than the look-up. While two are under way, requests that arrive wait, and the next one looks up
//! all their secrets. It begins after they have arrived, so each request sees whatever was committed before it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use berth_db::{Db, Engine};
use berth_domain::id::{MembershipId, OrganizationId, SessionId, SiteId, UserId};
use berth_domain::role::Role;
use berth_domain::time::Timestamp;
use tokio::sync::oneshot;
use tokio::time::timeout;

use crate::Result;

/// A secret with its session, its user and one membership of the user.
#[derive(Clone, berth_db::FromRow)]
pub(super) struct SecretRow {
    pub(super) hash: String,
    pub(super) kind: String,
    pub(super) user_id: UserId,
    pub(super) email: String,
    pub(super) expires_at: Timestamp,
    pub(super) used_at: Option<Timestamp>,
    pub(super) session_id: Option<SessionId>,
    pub(super) last_seen_at: Option<Timestamp>,
    pub(super) session_expires_at: Option<Timestamp>,
    pub(super) proved_at: Option<Timestamp>,
    pub(super) ended_at: Option<Timestamp>,
    pub(super) membership_id: Option<MembershipId>,
    pub(super) status: Option<String>,
    pub(super) role: Option<Role>,
    pub(super) organization_id: Option<OrganizationId>,
    pub(super) site_id: Option<SiteId>,
}

/// A [`SecretRow`] with the value that an [`Extra`] adds.
#[derive(Clone, berth_db::FromRow)]
pub(super) struct SecretAndExtraRow {
    #[row(flatten)]
    pub(super) secret: SecretRow,
    pub(super) directory_version: Option<i64>,
    pub(super) database_state: Option<String>,
}

/// SQL query: a secret with its session, its user and the memberships of the user that are not disabled, one row for each.
macro_rules! secret {
    ($columns:expr, $tables:literal, $which:literal) => {
        concat!(
            "SELECT s.hash, s.kind, s.user_id, u.email, s.expires_at, s.used_at, s.session_id, \
             x.last_seen_at, x.expires_at AS session_expires_at, x.proved_at, x.ended_at, \
             m.id AS membership_id, m.status, m.role, m.organization_id, m.site_id",
            $columns,
            " FROM secrets s JOIN users u ON u.id = s.user_id AND u.deleted_at IS NULL \
             LEFT JOIN sessions x ON x.id = s.session_id \
             LEFT JOIN memberships m ON m.user_id = s.user_id AND m.deleted_at IS NULL AND m.status <> 'Disabled'",
            $tables,
            " WHERE ",
            $which,
            " ORDER BY m.id"
        )
    };
}
pub(super) use secret;

/// The additional columns of a [`SecretAndExtraRow`], one macro for each [`Extra`].
macro_rules! no_extra {
    () => {
        ", CAST(NULL AS BIGINT) AS directory_version, CAST(NULL AS TEXT) AS database_state"
    };
}
macro_rules! directory_version {
    () => {
        ", (SELECT CAST(COALESCE(SUM(v.version), 0) AS BIGINT) FROM directory_versions v) AS directory_version, \
         CAST(NULL AS TEXT) AS database_state"
    };
}
macro_rules! database_state {
    () => {
        ", CAST(NULL AS BIGINT) AS directory_version, (SELECT d.name FROM database_state d) AS database_state"
    };
}

/// What is read together with the secret.
#[derive(Debug, Clone, Copy)]
pub(super) enum Extra {
    /// Nothing.
    None,
    /// The directory version, for the landing lists.
    DirectoryVersion,
    /// The name of the database's state, for Today.
    DatabaseState,
}

/// By [`Extra`]: the statement for one secret and the one for several.
const STATEMENTS: [[&str; 2]; 3] = [[PLAIN, ALL_PLAIN], [WITH_VERSION, ALL_WITH_VERSION], [WITH_STATE, ALL_WITH_STATE]];
const PLAIN: &str = secret!(no_extra!(), "", "s.hash = $1");
const ALL_PLAIN: &str = secret!(no_extra!(), "", "s.hash IN ($1..)");
const WITH_VERSION: &str = secret!(directory_version!(), "", "s.hash = $1");
const ALL_WITH_VERSION: &str = secret!(directory_version!(), "", "s.hash IN ($1..)");
const WITH_STATE: &str = secret!(database_state!(), "", "s.hash = $1");
const ALL_WITH_STATE: &str = secret!(database_state!(), "", "s.hash IN ($1..)");

/// Time limit of a shared look-up, and of the wait for one. After it each request looks up its secret alone: the connection of the
/// others may be broken.
const MAX_WAIT: Duration = Duration::from_secs(1);

/// Maximum number of secrets that one statement looks up.
const MAX_TOGETHER: usize = 16;

/// Maximum number of look-ups under way; requests that arrive then wait for the next one. With a maximum of one, the second of two
/// requests waited for the first.
const MAX_UNDER_WAY: usize = 2;

/// The look-ups of this process.
#[derive(Default)]
pub struct SecretLookups([Arc<Mutex<Queue>>; STATEMENTS.len()]);

/// Requests that wait for the next look-up.
#[derive(Default)]
struct Queue {
    pending: Vec<PendingLookup>,
    /// Number of tasks that look up secrets, at most [`MAX_UNDER_WAY`].
    tasks: usize,
}

struct PendingLookup {
    hash: String,
    answer: oneshot::Sender<Vec<SecretAndExtraRow>>,
}

impl SecretLookups {
    /// Returns the rows of a secret, one for each membership that is not disabled; none if there is no such secret.
    pub(super) async fn find(&self, db: &Db, extra: Extra, hash: String) -> Result<Vec<SecretAndExtraRow>> {
        let [alone, together] = STATEMENTS[extra as usize];
        if db.engine() == Engine::Postgres {
            let (answer, found) = oneshot::channel();
            let queue = &self.0[extra as usize];
            if enqueue(queue, PendingLookup { hash: hash.clone(), answer }) {
                let task = LookupTask { queue: Arc::clone(queue), has_ended: false };
                tokio::spawn(task.run(db.clone(), together));
            }
            if let Ok(Ok(rows)) = timeout(MAX_WAIT, found).await {
                return Ok(rows);
            }
        }
        Ok(db.query(alone).bind(hash).all().await?)
    }
}

/// Adds a request to the queue. Returns true if the caller must start a task for it.
fn enqueue(queue: &Mutex<Queue>, request: PendingLookup) -> bool {
    let mut queue = queue.lock().unwrap_or_else(PoisonError::into_inner);
    queue.pending.push(request);
    let is_new = queue.tasks < MAX_UNDER_WAY;
    queue.tasks += usize::from(is_new);
    is_new
}

/// Looks up the secrets of a queue until no request waits.
struct LookupTask {
    queue: Arc<Mutex<Queue>>,
    has_ended: bool,
}

impl LookupTask {
    async fn run(mut self, db: Db, text: &'static str) {
        loop {
            let requests = self.next();
            let mut hashes: Vec<String> = requests.iter().map(|request| request.hash.clone()).collect();
            let Some(last) = hashes.last().cloned() else { return };
            // Few lengths of lists make few texts, each prepared once for each connection.
            hashes.resize(hashes.len().next_power_of_two(), last);
            let rows = timeout(MAX_WAIT, db.query(text).bind_list(hashes).all::<SecretAndExtraRow>()).await;
            let Ok(Ok(rows)) = rows else { return };
            let mut by_hash: HashMap<String, Vec<SecretAndExtraRow>> = HashMap::new();
            for row in rows {
                by_hash.entry(row.secret.hash.clone()).or_default().push(row);
            }
            for PendingLookup { hash, answer } in requests {
                // An error means that the request has gone.
                let _ = answer.send(by_hash.get(&hash).cloned().unwrap_or_default());
            }
            // Those who have their answer go first, so that more requests come together in the next statement.
            tokio::task::yield_now().await;
        }
    }

    /// Takes up to [`MAX_TOGETHER`] requests. If none waits, the task ends, and the next request starts a new one.
    fn next(&mut self) -> Vec<PendingLookup> {
        let mut queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        // A request that has gone needs no answer.
        queue.pending.retain(|request| !request.answer.is_closed());
        self.has_ended = queue.pending.is_empty();
        queue.tasks -= usize::from(self.has_ended);
        let count = queue.pending.len().min(MAX_TOGETHER);
        queue.pending.drain(..count).collect()
    }
}

impl Drop for LookupTask {
    /// If the look-up failed, another task answers the requests that wait. Without one, each of them asks on its own and gets its own
    /// error.
    fn drop(&mut self) {
        if self.has_ended {
            return;
        }
        let mut queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        queue.tasks -= 1;
        if queue.tasks == 0 {
            queue.pending.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::auth::caller::secrets::*;

    type Answer = oneshot::Receiver<Vec<SecretAndExtraRow>>;

    /// Two look-ups under way with the answers of their requests, and the answer of a third request, which waits for the next one.
    fn two_under_way() -> ([(LookupTask, Answer); 2], Answer) {
        let queue = Arc::new(Mutex::new(Queue::default()));
        let ask = || {
            let (answer, found) = oneshot::channel();
            (enqueue(&queue, PendingLookup { hash: String::new(), answer }), found)
        };
        let begin = || {
            let (begins, found) = ask();
            assert!(begins, "it does not wait for another look-up");
            let mut task = LookupTask { queue: Arc::clone(&queue), has_ended: false };
            assert_eq!(task.next().len(), 1);
            (task, found)
        };
        let under_way = [begin(), begin()];
        let (begins, found) = ask();
        assert!(!begins, "two are enough");
        (under_way, found)
    }

    #[test]
    fn two_look_ups_are_under_way_and_the_third_request_waits_for_the_first_that_ends() {
        let ([(mut first, _), (mut second, _)], _third) = two_under_way();
        assert_eq!(second.next().len(), 1);
        assert!(first.next().is_empty());
    }

    #[test]
    fn a_failed_look_up_leaves_those_who_wait_to_the_other_task() {
        let ([(first, _), (mut second, _)], mut third) = two_under_way();
        drop(first);
        assert_eq!(third.try_recv().err(), Some(oneshot::error::TryRecvError::Empty));
        assert_eq!(second.next().len(), 1);
    }

    #[test]
    fn without_another_task_those_who_wait_are_told_to_ask_alone() {
        let ([(first, _), (second, _)], mut third) = two_under_way();
        drop(first);
        drop(second);
        assert_eq!(third.try_recv().err(), Some(oneshot::error::TryRecvError::Closed));
    }
}
