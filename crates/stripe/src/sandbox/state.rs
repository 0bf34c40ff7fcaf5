//! The whole state of a sandbox, as one value that can be saved.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use rand::TryRng;
use rand::rngs::SysRng;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::cards::Behaviour;
use super::clock::Clock;
use super::events;
use super::idempotency::Answer;
use super::rejection::Rejection;

/// Seconds for which an answer is kept for its idempotency key, as with Stripe.
const ANSWERS_LAST: i64 = 24 * 60 * 60;

/// The most payment methods without a customer that are kept.
const MOST_LOOSE_METHODS: usize = 200;

/// The account. It contains no card number: only what Stripe shows of a card, and how the test card behaves.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct State {
    /// All objects in Stripe's format, the oldest first.
    objects: Vec<Value>,
    /// How test cards behave, by payment method.
    pub(super) behaviours: BTreeMap<String, Behaviour>,
    /// Detached payment methods, which cannot be attached again.
    pub(super) spent: BTreeSet<String>,
    /// Answers by idempotency key.
    pub(super) answers: BTreeMap<String, Answer>,
    /// The account's clock.
    #[serde(default)]
    pub(super) clock: Clock,
    /// The time of the current step while overdue steps are done.
    #[serde(skip)]
    pub(super) at: Option<i64>,
    /// Events for which no webhook was queued yet.
    #[serde(skip)]
    pub(super) news: Vec<Value>,
}

impl State {
    /// Returns the account's time, in Unix seconds.
    pub(super) fn now(&self) -> i64 {
        self.at.unwrap_or_else(|| self.clock.now())
    }

    /// Adds an event about an object.
    pub(super) fn emit(&mut self, kind: &str, object: &Value) {
        self.note(kind, object, None);
    }

    /// Sets fields of an object, and adds an event with their previous values. If nothing changed, adds no event.
    pub(super) fn change(&mut self, kind: &str, id: &str, fields: &[(&str, Value)], event: &str) -> Value {
        let Some(old) = self.find(kind, id).cloned() else { return Value::Null };
        let new = self.set(kind, id, fields);
        let changed = fields.iter().filter(|(name, value)| old[*name] != *value);
        let before: serde_json::Map<String, Value> =
            changed.map(|(name, _)| ((*name).to_owned(), old[*name].clone())).collect();
        if !before.is_empty() {
            self.note(event, &new, Some(Value::Object(before)));
        }
        new
    }

    fn note(&mut self, kind: &str, object: &Value, before: Option<Value>) {
        let event = events::object(kind, object, before, self.now());
        self.news.push(event.clone());
        self.add(event);
    }

    /// Adds an object.
    pub(super) fn add(&mut self, object: Value) -> Value {
        self.objects.push(object.clone());
        object
    }

    /// Returns an object of a kind by its id.
    pub(super) fn find(&self, kind: &str, id: &str) -> Option<&Value> {
        self.objects.iter().find(|object| object["object"] == kind && object["id"] == id)
    }

    /// Like [`Self::find`], but mutable.
    pub(super) fn find_mut(&mut self, kind: &str, id: &str) -> Option<&mut Value> {
        self.objects.iter_mut().find(|object| object["object"] == kind && object["id"] == id)
    }

    /// Returns an object by its id alone.
    pub(super) fn any(&self, id: &str) -> Option<&Value> {
        self.objects.iter().find(|object| object["id"] == id)
    }

    /// Returns the objects of a kind, the newest first.
    pub(super) fn all<'a>(&'a self, kind: &'a str) -> impl Iterator<Item = &'a Value> {
        self.objects.iter().rev().filter(move |object| object["object"] == kind)
    }

    /// Returns an object that was not deleted, or Stripe's error, which names the object `noun` and the field `param`.
    pub(super) fn one(&self, kind: &str, id: &str, noun: &str, param: &str) -> Result<Value, Rejection> {
        let found = self.find(kind, id).filter(|object| object["deleted"] != true);
        found.cloned().ok_or_else(|| Rejection::missing(noun, id, param))
    }

    /// Sets fields of an object, and returns it. Returns null if there is no such object.
    pub(super) fn set(&mut self, kind: &str, id: &str, fields: &[(&str, Value)]) -> Value {
        let Some(object) = self.find_mut(kind, id) else { return Value::Null };
        for (name, value) in fields {
            object[*name] = value.clone();
        }
        object.clone()
    }

    /// Drops all events so far, so that none is sent.
    pub(super) fn forget_events(&mut self) {
        self.news.clear();
        self.objects.retain(|object| object["object"] != "event");
    }

    /// Orders the objects by the times of their creation, the oldest first.
    pub(super) fn sort_by_age(&mut self) {
        self.objects.sort_by_key(|object| object["created"].as_i64());
    }

    /// Forgets the oldest payment methods that belong to nobody. Browsers create them without signing in.
    pub(super) fn forget_loose_methods(&mut self) {
        let is_loose = |object: &Value| object["object"] == "payment_method" && object["customer"].is_null();
        let loose: Vec<String> = self.objects.iter().filter(|object| is_loose(object)).map(id_of).collect();
        for id in &loose[..loose.len().saturating_sub(MOST_LOOSE_METHODS)] {
            self.objects.retain(|object| object["id"] != id.as_str());
            self.behaviours.remove(id);
        }
    }

    pub(super) fn forget_old_answers(&mut self) {
        let oldest = now() - ANSWERS_LAST;
        self.answers.retain(|_, answer| answer.created >= oldest);
        let oldest = self.now() - events::KEPT_FOR;
        self.objects.retain(|object| object["object"] != "event" || object["created"].as_i64() >= Some(oldest));
    }
}

/// Returns the machine's time, in Unix seconds.
pub(super) fn now() -> i64 {
    #[expect(clippy::disallowed_methods, reason = "another server with a clock of its own, as Stripe is")]
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_secs()).unwrap_or_default()
}

/// `N` random bytes as text.
pub(super) fn random<const N: usize>() -> String {
    let mut bytes = [0_u8; N];
    SysRng.try_fill_bytes(&mut bytes).expect("the operating system gives randomness");
    bytes.iter().fold(String::with_capacity(2 * N), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Creates a new id, such as `cus_…`.
pub(super) fn id(prefix: &str) -> String {
    format!("{prefix}_{}", random::<12>())
}

/// Returns the id of an object.
pub(super) fn id_of(object: &Value) -> String {
    text(&object["id"])
}

/// Returns a text, empty if there is none.
pub(super) fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{MOST_LOOSE_METHODS, State};

    #[test]
    fn of_unattached_payment_methods_the_newest_are_kept() {
        let mut state = State::default();
        state.add(json!({"object": "payment_method", "id": "pm_saved", "customer": "cus_1"}));
        for number in 0..MOST_LOOSE_METHODS + 3 {
            state.add(json!({"object": "payment_method", "id": format!("pm_{number}"), "customer": null}));
            state.forget_loose_methods();
        }
        let is_there = |id: &str| state.find("payment_method", id).is_some();
        assert_eq!(["pm_saved", "pm_2", "pm_3"].map(is_there), [true, false, true]);
        assert_eq!(state.all("payment_method").count(), MOST_LOOSE_METHODS + 1);
    }
}
