//! One request makes an answer that many ask for at once, as after an event of the live stream; the others wait for it.

use std::sync::atomic::{AtomicU64, Ordering};

use berth_domain::time::Timestamp;
use tokio::sync::Mutex;

use super::landing::Key;
use super::{Cache, Cached, Rendered};
use crate::Result;

/// Number of locks. Answers that share a lock by chance wait for each other.
const LOCKS: usize = 64;

/// The recent answers of this process, each made by one request at a time.
pub struct OneMaker<V> {
    kept: Cache<Key, Made<V>>,
    locks: [Mutex<()>; LOCKS],
    /// Number of answers whose making has begun.
    begun: AtomicU64,
}

#[derive(Clone)]
struct Made<V> {
    answer: V,
    /// The number of the making.
    number: u64,
}

impl<V: Cached> Cached for Made<V> {
    fn rendered(&self) -> &Rendered {
        self.answer.rendered()
    }
}

/// What a request asks for.
#[derive(Clone, Copy)]
pub struct Ask {
    key: Key,
    begun: u64,
}

impl<V> Default for OneMaker<V> {
    fn default() -> Self {
        Self { kept: Cache::default(), locks: std::array::from_fn(|_| Mutex::default()), begun: AtomicU64::default() }
    }
}

impl<V: Cached> OneMaker<V> {
    /// Notes when a request came.
    pub fn ask(&self, key: Key) -> Ask {
        Ask { key, begun: self.begun.load(Ordering::SeqCst) }
    }

    /// Returns the answer of exactly this version, if it is valid now.
    pub fn get(&self, ask: Ask, version: i64, now: Timestamp) -> Option<V> {
        self.kept.get(ask.key, version, now).map(|made| made.answer)
    }

    /// Returns the answer of this version, or one whose making began after the request came, which is as new. If there is none, makes
    /// it: `make` also says whether others may get it.
    ///
    /// # Errors
    /// Those of `make`. The next request that waits makes the answer then.
    pub async fn get_or_make(
        &self,
        ask: Ask,
        version: i64,
        clock: impl Fn() -> Timestamp,
        make: impl AsyncFnOnce(Timestamp) -> Result<(V, bool)>,
    ) -> Result<V> {
        let _turn = self.locks[usize::from(ask.key[0]) % LOCKS].lock().await;
        let now = clock();
        let is_as_new = |made: &Made<V>| made.rendered().version == version || made.number > ask.begun;
        if let Some(made) = self.kept.valid(ask.key, now).filter(is_as_new) {
            return Ok(made.answer);
        }
        let number = self.begun.fetch_add(1, Ordering::SeqCst) + 1;
        let (answer, is_for_all) = make(now).await?;
        if is_for_all {
            self.kept.put(ask.key, Made { answer: answer.clone(), number });
        }
        Ok(answer)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::AtomicI64;

    use tokio::sync::Semaphore;
    use tokio::task::JoinSet;

    use super::*;
    use crate::admin::audit_log::Shown;

    fn board(version: i64) -> Rendered {
        let (valid_from, valid_until) = (Timestamp::from_millis(0), Timestamp::from_millis(10));
        Rendered { version, valid_from, valid_until, shown: Shown::of(&version).unwrap() }
    }

    /// What many requests for one answer do at once. The making waits for a permit of `gate` and has the version of its beginning.
    #[derive(Default)]
    struct Crowd {
        cache: OneMaker<Rendered>,
        version: AtomicI64,
        made: AtomicU64,
    }

    impl Crowd {
        async fn get(self: Arc<Self>, gate: Arc<Semaphore>, is_for_all: bool) -> i64 {
            let ask = self.cache.ask([0; 32]);
            let known = self.version.load(Ordering::SeqCst);
            let make = async |_| {
                self.made.fetch_add(1, Ordering::SeqCst);
                let version = self.version.load(Ordering::SeqCst);
                gate.acquire().await.unwrap().forget();
                Ok((board(version), is_for_all))
            };
            self.cache.get_or_make(ask, known, || Timestamp::from_millis(5), make).await.unwrap().version
        }
    }

    /// Starts requests and waits until each of them makes the answer or waits for it.
    async fn start(crowd: &Arc<Crowd>, gate: &Arc<Semaphore>, is_for_all: bool, all: &mut JoinSet<i64>) {
        for _ in 0..8 {
            all.spawn(Arc::clone(crowd).get(Arc::clone(gate), is_for_all));
        }
        // On one thread, each runs until it waits.
        tokio::task::yield_now().await;
    }

    #[tokio::test]
    async fn an_answer_that_many_ask_for_is_made_once() {
        let (crowd, gate, mut all) = (Arc::<Crowd>::default(), Arc::new(Semaphore::new(0)), JoinSet::new());
        start(&crowd, &gate, true, &mut all).await;
        gate.add_permits(8);
        assert_eq!(all.join_all().await, [0; 8]);
        assert_eq!(crowd.made.load(Ordering::SeqCst), 1);
    }

    #[tokio::test]
    async fn after_a_change_nobody_gets_an_answer_from_before_the_own_request() {
        let (crowd, gate, mut all) = (Arc::<Crowd>::default(), Arc::new(Semaphore::new(0)), JoinSet::new());
        start(&crowd, &gate, true, &mut all).await;
        crowd.version.store(1, Ordering::SeqCst);
        let mut later = JoinSet::new();
        start(&crowd, &gate, true, &mut later).await;
        // A change after their requests, before the second making: what it makes is new enough for all of them.
        crowd.version.store(2, Ordering::SeqCst);
        gate.add_permits(16);
        assert_eq!(all.join_all().await, [0; 8]);
        assert_eq!(later.join_all().await, [2; 8]);
        assert_eq!(crowd.made.load(Ordering::SeqCst), 2);
    }

    #[tokio::test]
    async fn an_answer_that_is_for_one_person_is_made_for_each() {
        let (crowd, gate, mut all) = (Arc::<Crowd>::default(), Arc::new(Semaphore::new(8)), JoinSet::new());
        start(&crowd, &gate, false, &mut all).await;
        assert_eq!(all.join_all().await, [0; 8]);
        assert_eq!(crowd.made.load(Ordering::SeqCst), 8);
    }
}
