//! A limit in the model: a number of attempts in a window, then a pause until the end of the window.

const DAY: i64 = 86_400_000;

/// A limit with its attempts so far.
#[derive(Debug, Clone, Copy)]
pub struct Limit {
    count: i64,
    window: i64,
    tries: Option<Tries>,
}

#[derive(Debug, Clone, Copy)]
struct Tries {
    since: i64,
    count: i64,
    blocked_until: Option<i64>,
}

impl Limit {
    /// Creates a limit of `count` attempts in `window` milliseconds.
    pub const fn new(count: i64, window: i64) -> Self {
        Self { count, window, tries: None }
    }

    /// Counts an attempt. Returns true if it is refused.
    pub fn refuses(&mut self, now: i64) -> bool {
        let Some(mut tries) = self.tries else {
            self.tries = Some(Tries { since: now, count: 1, blocked_until: None });
            return false;
        };
        if tries.blocked_until.is_some_and(|until| until > now) {
            return true;
        }
        tries.count += 1;
        if tries.since + self.window <= now || tries.blocked_until.is_some() {
            tries = Tries { since: now, count: 1, blocked_until: None };
        }
        let refused = tries.count > self.count;
        if refused {
            tries.blocked_until = Some(tries.since + self.window);
        }
        self.tries = Some(tries);
        refused
    }

    /// Returns an attempt.
    pub fn give_back(&mut self) {
        if let Some(tries) = &mut self.tries {
            tries.count = (tries.count - 1).max(0);
        }
    }

    /// Forgets the attempts after a day without any.
    pub fn forget(&mut self, now: i64) {
        let quiet = |tries: &Tries| tries.since <= now - DAY && tries.blocked_until.is_none_or(|until| until <= now);
        if self.tries.as_ref().is_some_and(quiet) {
            self.tries = None;
        }
    }
}
