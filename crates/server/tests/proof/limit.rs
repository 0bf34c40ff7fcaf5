//! The limit on reservations from the public side, as the model knows it: ten in ten minutes, then a pause to the end of
//! the ten minutes.

const COUNT: i64 = 10;
const WINDOW: i64 = 600_000;
const DAY: i64 = 86_400_000;

/// How often one requester has tried.
#[derive(Debug, Clone, Copy, Default)]
pub struct Limit(Option<Tries>);

#[derive(Debug, Clone, Copy)]
struct Tries {
    since: i64,
    count: i64,
    blocked_until: Option<i64>,
}

impl Limit {
    /// Counts an attempt and tells whether it is refused.
    pub fn refuses(&mut self, now: i64) -> bool {
        let Some(mut tries) = self.0 else {
            self.0 = Some(Tries { since: now, count: 1, blocked_until: None });
            return false;
        };
        if tries.blocked_until.is_some_and(|until| until > now) {
            return true;
        }
        tries.count += 1;
        if tries.since + WINDOW <= now || tries.blocked_until.is_some() {
            tries = Tries { since: now, count: 1, blocked_until: None };
        }
        let refused = tries.count > COUNT;
        if refused {
            tries.blocked_until = Some(tries.since + WINDOW);
        }
        self.0 = Some(tries);
        refused
    }

    /// After a day of quiet the attempts are forgotten.
    pub fn forget(&mut self, now: i64) {
        let quiet = |tries: &Tries| tries.since <= now - DAY && tries.blocked_until.is_none_or(|until| until <= now);
        if self.0.as_ref().is_some_and(quiet) {
            self.0 = None;
        }
    }
}
