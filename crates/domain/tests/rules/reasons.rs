//! Reasons for declines and discharges that an organization offers (docs/decisions/0067).

use berth_domain::reason::{MAX_REASONS, ReasonFacts, ReasonKind, ReasonName, may_add, may_choose};
use berth_domain::stay::Command;

const DECLINE: Command = Command::Reject { feedback: None };
const DISCHARGE: Command = Command::Discharge { feedback: None };

#[test]
fn a_reason_fits_its_own_decision_at_its_own_organization_while_it_is_in_use() {
    let good = ReasonFacts { kind: ReasonKind::Decline, is_of_organization: true, is_disabled: false };
    assert_eq!(may_choose(Some(good), &DECLINE), Ok(()));
    let unknown = Err("This reason is not on the list. Choose another one.");
    assert_eq!(may_choose(Some(good), &DISCHARGE), unknown);
    assert_eq!(may_choose(None, &DECLINE), unknown);
    let foreign = ReasonFacts { is_of_organization: false, is_disabled: true, ..good };
    assert_eq!(may_choose(Some(foreign), &DECLINE), unknown, "nothing is told of other organizations");
    let retired = ReasonFacts { is_disabled: true, ..good };
    assert_eq!(may_choose(Some(retired), &DECLINE), Err("This reason is no longer used. Choose another one."));
}

#[test]
fn only_declines_and_discharges_have_a_reason() {
    let good = ReasonFacts { kind: ReasonKind::Discharge, is_of_organization: true, is_disabled: false };
    assert_eq!(may_choose(Some(good), &DISCHARGE), Ok(()));
    for command in [Command::Undo, Command::Arrive, Command::UndoArrival, Command::NoShow { feedback: None }] {
        assert_eq!(may_choose(Some(good), &command), Err("Only a decline or a discharge has a reason."));
    }
}

#[test]
fn a_reason_has_1_to_100_characters_and_there_are_at_most_100() {
    assert_eq!(
        ReasonName::parse("  Needs   detox ").map(|name| name.as_str().to_owned()),
        Ok("Needs detox".to_owned())
    );
    assert_eq!(ReasonName::parse(" ").map(drop), Err("Required field."));
    assert!(ReasonName::parse(&"x".repeat(100)).is_ok());
    assert_eq!(ReasonName::parse(&"x".repeat(101)).map(drop), Err("Maximum length of a reason is 100 symbols."));
    assert_eq!(ReasonName::parse("NEEDS detox").unwrap().key(), ReasonName::parse("Needs Detox").unwrap().key());
    assert_eq!(may_add(MAX_REASONS - 1), Ok(()));
    assert_eq!(may_add(MAX_REASONS), Err("There are 100 reasons of this kind already. Rename one instead."));
}
