//! The waitlist: who is offered a free bed (docs/decisions/0066).

use berth_domain::BedKind::{Detox, SoberLiving};
use berth_domain::stay::{Command, Refusal, decide};
use berth_domain::waitlist::{
    FreeBed, MAX_WAITING, NewOffer, WaitCommand, WaitingGuest, check_offer_minutes, may_change, may_wait, offers,
};
use berth_domain::{BedId, BedKind, WaitingGuestId};
use proptest::prelude::*;
use uuid::Uuid;

use crate::support::{NOW, accepted, bed, bed_id, board, pending};

fn id(number: u128) -> WaitingGuestId {
    WaitingGuestId(Uuid::from_u128(number))
}

/// A person who arrived `number` minutes after the first and takes each bed.
fn person(number: u32) -> WaitingGuest {
    WaitingGuest {
        id: id(u128::from(number)),
        kind: None,
        has_priority: false,
        since: NOW.plus_minutes(i64::from(number)),
        passed: vec![],
        unfit: Vec::new(),
        has_offer: false,
    }
}

const fn free(number: u128, kind: BedKind) -> FreeBed {
    FreeBed { id: BedId(Uuid::from_u128(number)), kind }
}

fn first(line: Vec<WaitingGuest>, beds: &[FreeBed]) -> NewOffer {
    offers(line, beds, 1).remove(0)
}

#[test]
fn the_first_who_arrived_is_offered_the_bed() {
    let made = first(vec![person(2), person(1)], &[free(9, SoberLiving)]);
    assert_eq!(made, NewOffer { guest: id(1), bed: free(9, SoberLiving).id, passed_over: vec![] });
}

#[test]
fn priority_goes_before_arrival() {
    let urgent = WaitingGuest { has_priority: true, ..person(2) };
    assert_eq!(first(vec![person(1), urgent], &[free(9, SoberLiving)]).guest, id(2));
}

#[test]
fn who_let_an_offer_pass_is_asked_after_the_others_but_is_not_lost() {
    let passed = WaitingGuest { passed: vec![free(8, SoberLiving).id], has_priority: true, ..person(1) };
    assert_eq!(first(vec![passed.clone(), person(2)], &[free(9, SoberLiving)]).guest, id(2));
    assert_eq!(first(vec![passed], &[free(9, SoberLiving)]).guest, id(1));
}

#[test]
fn a_bed_is_not_offered_again_to_who_let_it_pass() {
    let passed = WaitingGuest { passed: vec![free(9, SoberLiving).id], ..person(1) };
    assert!(offers(vec![passed.clone()], &[free(9, SoberLiving)], 1).is_empty());
    assert_eq!(first(vec![passed], &[free(8, SoberLiving)]).guest, id(1), "another bed is");
}

#[test]
fn a_bed_is_offered_to_the_first_whom_it_fits_and_names_those_passed_over() {
    let needs_detox = WaitingGuest { kind: Some(Detox), ..person(1) };
    let made = first(vec![needs_detox, person(2)], &[free(9, SoberLiving)]);
    assert_eq!((made.guest, made.passed_over), (id(2), vec![id(1)]));
}

#[test]
fn a_person_who_takes_each_bed_leaves_the_one_that_another_needs() {
    let needs_detox = WaitingGuest { kind: Some(Detox), ..person(2) };
    let made = offers(vec![person(1), needs_detox], &[free(8, Detox), free(9, SoberLiving)], 2);
    let pairs: Vec<_> = made.iter().map(|offer| (offer.guest, offer.bed)).collect();
    assert_eq!(pairs, [(id(1), free(9, SoberLiving).id), (id(2), free(8, Detox).id)]);
}

#[test]
fn beds_that_reservations_hold_are_not_offered() {
    assert!(offers(vec![person(1)], &[free(9, SoberLiving)], 0).is_empty());
    assert!(offers(vec![person(1)], &[free(9, SoberLiving)], -1).is_empty());
}

#[test]
fn who_has_an_offer_gets_no_second_one() {
    let offered = WaitingGuest { has_offer: true, ..person(1) };
    assert_eq!(first(vec![offered, person(2)], &[free(9, SoberLiving)]).guest, id(2));
}

fn kinds() -> impl Strategy<Value = Option<BedKind>> {
    prop_oneof![Just(None), Just(Some(Detox)), Just(Some(SoberLiving))]
}

fn lines() -> impl Strategy<Value = Vec<WaitingGuest>> {
    let beds = || prop::collection::vec(100..108_u128, 0..3);
    prop::collection::vec((kinds(), any::<bool>(), beds(), beds(), any::<bool>()), 0..12).prop_map(|drawn| {
        let numbered = drawn.into_iter().zip(1..);
        numbered
            .map(|((kind, has_priority, passed, unfit, has_offer), number)| WaitingGuest {
                kind,
                has_priority,
                passed: passed.into_iter().map(|number| free(number, Detox).id).collect(),
                unfit: unfit.into_iter().map(|number| free(number, Detox).id).collect(),
                has_offer,
                ..person(number)
            })
            .collect()
    })
}

fn free_beds() -> impl Strategy<Value = Vec<FreeBed>> {
    prop::collection::vec(any::<bool>(), 0..8).prop_map(|drawn| {
        let numbered = drawn.into_iter().zip(100..);
        numbered.map(|(is_detox, number)| free(number, if is_detox { Detox } else { SoberLiving })).collect()
    })
}

proptest! {
    #[test]
    fn one_bed_goes_to_one_person_and_nobody_is_skipped_for_whom_a_bed_was_left(
        line in lines(), beds in free_beds(), available in -1..9_i64,
    ) {
        let made = offers(line.clone(), &beds, available);
        prop_assert!(made.len() <= usize::try_from(available.max(0)).unwrap());
        let mut given: Vec<BedId> = made.iter().map(|offer| offer.bed).collect();
        let mut people: Vec<WaitingGuestId> = made.iter().map(|offer| offer.guest).collect();
        given.sort_unstable();
        people.sort_unstable();
        let (beds_given, people_asked) = (given.len(), people.len());
        given.dedup();
        people.dedup();
        prop_assert_eq!(given.len(), beds_given, "a bed was offered twice");
        prop_assert_eq!(people.len(), people_asked, "a person was asked twice");
        for offer in &made {
            let asked = line.iter().find(|guest| guest.id == offer.guest).unwrap();
            prop_assert!(!asked.unfit.contains(&offer.bed), "a bed went to somebody whom it is not for");
        }
        let asked = |guest: &WaitingGuest| people.contains(&guest.id);
        for guest in line.iter().filter(|guest| !guest.has_offer && !asked(guest)) {
            let left = beds.iter().any(|bed| {
                !given.contains(&bed.id) && guest.kind.is_none_or(|kind| kind == bed.kind) && !guest.passed.contains(&bed.id) && !guest.unfit.contains(&bed.id)
            });
            let is_limited = made.len() >= usize::try_from(available.max(0)).unwrap();
            prop_assert!(is_limited || !left, "a fitting bed was left while a person waited");
            let took_theirs = line.iter().filter(|other| asked(other) && other.order() > guest.order()).any(|other| {
                let bed = made.iter().find(|offer| offer.guest == other.id).unwrap().bed;
                let kind = beds.iter().find(|free| free.id == bed).unwrap().kind;
                guest.kind.is_none_or(|needed| needed == kind) && !guest.passed.contains(&bed) && !guest.unfit.contains(&bed)
            });
            prop_assert!(!took_theirs, "somebody later in the line got a bed that fits an earlier person");
        }
    }
}

#[test]
fn a_bed_on_offer_is_given_to_nobody_else() {
    let offered = berth_domain::stay::BedFacts { offered: true, ..bed(2, None) };
    let site = board(vec![bed(1, Some(accepted(1))), offered]);
    assert_eq!(decide(&site, &pending(5), &Command::Accept { bed: bed_id(2) }, NOW), Err(Refusal::BedOffered));
    assert_eq!(decide(&site, &accepted(1), &Command::Reassign { bed: bed_id(2) }, NOW), Err(Refusal::BedOffered));
    assert_eq!(site.vacant(), 0, "an offered bed is promised");
}

#[test]
fn nobody_needs_to_wait_while_a_fitting_bed_is_available() {
    let beds = [free(9, SoberLiving)];
    assert_eq!(may_wait(None, &beds, 1, 0), Err(Refusal::BedAvailable));
    assert_eq!(may_wait(Some(SoberLiving), &beds, 1, 0), Err(Refusal::BedAvailable));
    assert_eq!(may_wait(Some(Detox), &beds, 1, 0), Ok(()), "the free bed is of another type");
    assert_eq!(may_wait(None, &beds, 0, 0), Ok(()), "a reservation holds the bed");
    assert_eq!(may_wait(None, &[], 0, MAX_WAITING), Err(Refusal::WaitlistFull));
}

#[test]
fn only_an_open_offer_can_be_answered() {
    for command in [WaitCommand::Take, WaitCommand::Decline] {
        assert_eq!(may_change(true, true, &command), Ok(()));
        assert_eq!(may_change(true, false, &command), Err(Refusal::NoOffer));
        assert_eq!(may_change(false, false, &command), Err(Refusal::NotWaiting));
    }
    assert_eq!(may_change(true, false, &WaitCommand::Leave { reason: None }), Ok(()));
    assert_eq!(may_change(false, false, &WaitCommand::Leave { reason: None }), Err(Refusal::NotWaiting));
}

#[test]
fn commands_are_read_in_any_case_with_a_reason_of_one_line() {
    assert_eq!(WaitCommand::parse(" decline ", None), Ok(WaitCommand::Decline));
    assert_eq!(WaitCommand::parse("TAKE", None).unwrap_err().0, "/command", "it has a call of its own");
    let urgent = WaitCommand::Prioritize { reason: Some("Pregnant".to_owned()) };
    assert_eq!(WaitCommand::parse("Prioritize", Some(" Pregnant ")), Ok(urgent));
    assert_eq!(WaitCommand::parse("PRIORITIZE", Some("  ")), Ok(WaitCommand::Prioritize { reason: None }));
    assert_eq!(WaitCommand::parse("LEAVE", Some(&"x".repeat(201))).unwrap_err().0, "/reason");
    assert_eq!(WaitCommand::parse("ACCEPT", None).unwrap_err().0, "/command");
}

#[test]
fn an_offer_stands_from_five_minutes_to_a_day() {
    assert!(check_offer_minutes(5).is_ok() && check_offer_minutes(1440).is_ok());
    assert!(check_offer_minutes(4).is_err() && check_offer_minutes(1441).is_err());
}
