//! Work that is due at a time: periods end, drafts are finalized, failed payments are retried.

use serde_json::Value;

use super::invoices::{self, Attempt};
use super::state::{State, id_of};
use super::{coupons, subscriptions};

/// Time limit of a first payment, in seconds.
const FIRST_PAYMENT: i64 = 23 * 60 * 60;
/// Maximum number of steps at once, enough for more than twenty years of monthly invoices.
const MAX_STEPS: usize = 10_000;

enum Due {
    Expire(String),
    Renew(String),
    Finalize(String),
    Retry(String),
}

/// Does everything that is due, the oldest first. Returns true if there was anything to do.
pub(super) fn catch_up(state: &mut State) -> bool {
    let now = state.now();
    catch_up_until(state, now)
}

/// Catches up on all that is due at `now` (Unix seconds), in the order of its times. Returns true if there was anything.
pub(super) fn catch_up_until(state: &mut State, now: i64) -> bool {
    let mut steps = 0;
    while steps < MAX_STEPS {
        let Some((at, due)) = next(state).filter(|(at, _)| *at <= now) else { break };
        steps += 1;
        state.at = Some(at);
        coupons::expire(state);
        match due {
            Due::Expire(id) => expire(state, &id),
            Due::Renew(id) => subscriptions::renew(state, &id),
            Due::Finalize(id) => {
                invoices::finalize(state, &id);
                if !invoices::is_paid(state, &id) {
                    invoices::collect(state, &id, None, Attempt::OffSession);
                }
            }
            Due::Retry(id) => {
                invoices::collect(state, &id, None, Attempt::OffSession);
            }
        }
        state.at = None;
    }
    coupons::expire(state);
    steps > 0
}

/// Returns the next step and the time at which it is due.
fn next(state: &State) -> Option<(i64, Due)> {
    let subscriptions = state.all(subscriptions::KIND).filter_map(|row| {
        let end = row["items"]["data"][0]["current_period_end"].as_i64()?;
        match row["status"].as_str()? {
            "incomplete" => Some((row["created"].as_i64()? + FIRST_PAYMENT, Due::Expire(id_of(row)))),
            "active" | "trialing" | "past_due" | "unpaid" => Some((end, Due::Renew(id_of(row)))),
            _ => None,
        }
    });
    let invoices = state.all(invoices::KIND).filter_map(|row: &Value| match row["status"].as_str()? {
        "draft" => Some((row["automatically_finalizes_at"].as_i64()?, Due::Finalize(id_of(row)))),
        "open" => Some((row["next_payment_attempt"].as_i64()?, Due::Retry(id_of(row)))),
        _ => None,
    });
    subscriptions.chain(invoices).min_by_key(|(at, _)| *at)
}

/// Ends a subscription whose first payment was not made in time.
fn expire(state: &mut State, id: &str) {
    let invoice = state.find(subscriptions::KIND, id).and_then(|row| row["latest_invoice"].as_str()).map(str::to_owned);
    if let Some(invoice) = invoice {
        invoices::mark_void(state, &invoice);
    }
    let now = state.now();
    state.set(subscriptions::KIND, id, &[("ended_at", now.into())]);
    subscriptions::set_status(state, id, "incomplete_expired");
}
