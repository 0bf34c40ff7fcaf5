//! The subscription of a site (spec B 4, DESIGN 6).

use crate::support::NOW;
use berth_domain::SubscriptionStatus;
use berth_domain::subscription::{may_cancel, may_restart, may_start, paid_period_end};

/// Status | label | actions | active while paid until: never, past, now, future.
const TABLE: &str = "
active | Active | Cancel Subscription | yes yes yes yes
trialing | Trialing |  | yes yes yes yes
incomplete | Incomplete – Action Needed | Restart Subscription | no no no no
incomplete_expired | Expired – Restart Required | Restart Subscription | no no no no
past_due | Past Due – Payment Failed | Restart Subscription | no no no no
unpaid | Unpaid – Suspended |  | no no no no
canceled | Canceled | Start Subscription | no no no yes
none | N/A | Start Subscription | no no no no
";

#[test]
fn every_status_has_its_label_its_actions_and_whether_guests_may_be_accepted() {
    let ends = [None, Some(NOW.plus_days(-1)), Some(NOW), Some(NOW.plus_millis(1))];
    let row = |status: &SubscriptionStatus| {
        let actions: Vec<_> = status.actions().iter().map(|action| action.as_str()).collect();
        let active = ends.map(|end| if status.is_active(end, NOW) { "yes" } else { "no" });
        format!("{status} | {} | {} | {}", status.label(), actions.join(", "), active.join(" "))
    };
    let table = SubscriptionStatus::ALL.iter().map(row).collect::<Vec<_>>().join("\n");
    assert_eq!(table, TABLE.trim(), "\n{table}");
}

#[test]
fn a_provider_status_maps_to_a_subscription_status() {
    for status in SubscriptionStatus::ALL {
        assert_eq!(SubscriptionStatus::from_stripe(status.as_str()), *status);
        assert_eq!(serde_json::to_string(status).expect("json"), format!("\"{status}\""));
    }
    assert_eq!(SubscriptionStatus::from_stripe("paused"), SubscriptionStatus::Unpaid);
    assert_eq!(SubscriptionStatus::from_stripe("something new"), SubscriptionStatus::Unpaid);
}

/// Status | may be started, restarted, canceled.
const COMMANDS: &str = "
active | no no yes
trialing | no no yes
incomplete | no yes yes
incomplete_expired | yes yes no
past_due | no yes yes
unpaid | no no yes
canceled | yes no no
none | yes no no
";

#[test]
fn the_status_decides_which_actions_are_allowed() {
    let word = |result: Result<(), &str>| if result.is_ok() { "yes" } else { "no" };
    let row = |status: &SubscriptionStatus| {
        let commands = [may_start(*status), may_restart(*status), may_cancel(*status)].map(word);
        format!("{status} | {}", commands.join(" "))
    };
    let table = SubscriptionStatus::ALL.iter().map(row).collect::<Vec<_>>().join("\n");
    assert_eq!(table, COMMANDS.trim(), "\n{table}");
}

#[test]
fn a_period_counts_as_paid_once_its_invoice_is() {
    let (before, next) = (Some(NOW), Some(NOW.plus_days(30)));
    assert_eq!(paid_period_end(before, next, true), next);
    assert_eq!(paid_period_end(before, next, false), before, "past due: the new period is not paid");
    assert_eq!(paid_period_end(None, next, false), None, "incomplete: nothing was ever paid");
    assert_eq!(paid_period_end(before, None, true), before);
}
