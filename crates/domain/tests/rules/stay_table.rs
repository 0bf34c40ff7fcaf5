//! Every command in every state, and the sentence of every refusal (DESIGN 3).

use crate::support::{NOW, accepted, bed, bed_id, board, errors, guest_id, pending};
use berth_domain::guest::{GuestFacts, GuestStatus, Source};
use berth_domain::stay::{
    ActiveReservations, BedChange, BedFacts, Board, Change, Command, EndReason, EndedStay, OpenedStay, Overrides,
    Refusal, Stamp, active_reservations, capacity, decide, may_change_bed, may_delete_organization, may_delete_room,
    may_delete_site, may_take_beds, next_free_bed,
};

/// The guest of the tests (number 1) in a state, and the board: bed 1 (the guest's own when assigned), bed 2 vacant,
/// bed 3 held by guest 3, bed 4 disabled.
fn world(status: GuestStatus) -> (Board, GuestFacts) {
    let earlier = Some(NOW.plus_minutes(-5));
    let guest = match status {
        GuestStatus::Pending => pending(1),
        GuestStatus::Accepted => accepted(1),
        GuestStatus::Reassigned => GuestFacts { reassigned_at: earlier, ..accepted(1) },
        GuestStatus::Rejected => GuestFacts { rejected_at: earlier, ..pending(1) },
        GuestStatus::Discharged => GuestFacts { discharged_at: earlier, ..accepted(1) },
        GuestStatus::Expired => GuestFacts { expires_at: Some(NOW), ..pending(1) },
    };
    let holder = status.is_assigned().then(|| guest.clone());
    let disabled = BedFacts { disabled: true, ..bed(4, None) };
    (board(vec![bed(1, holder), bed(2, None), bed(3, Some(accepted(3))), disabled]), guest)
}

/// Letters for the kind of change, or the name of the refusal.
fn outcome(answer: Result<Change, Refusal>) -> String {
    answer.map_or_else(
        |refusal| format!("{refusal:?}"),
        |change| format!("yes -{} +{} t{}", change.ended.len(), change.opened.len(), change.stamps.len()),
    )
}

#[test]
fn every_command_in_every_state_does_what_the_table_says() {
    let beds = [("own", 1), ("vacant", 2), ("taken", 3), ("disabled", 4), ("foreign", 9)];
    let mut table = String::new();
    for status in GuestStatus::ALL {
        let (board, guest) = world(*status);
        assert_eq!(guest.status(NOW), *status);
        for (name, number) in beds {
            let bed = bed_id(number);
            let commands = [Command::Accept { bed }, Command::Reassign { bed }, Command::Swap { bed }].map(|command| {
                let before = (board.clone(), guest.clone());
                let answer = outcome(decide(&board, &guest, &command, NOW));
                assert_eq!(before, (board.clone(), guest.clone()));
                answer
            });
            table += &format!("{:<10} {name:<8} | {}\n", status.as_str(), commands.join(" | "));
        }
        let ends = [Command::Reject { feedback: None }, Command::Discharge { feedback: None }]
            .map(|command| outcome(decide(&board, &guest, &command, NOW)));
        table += &format!("{:<10} end      | {}\n", status.as_str(), ends.join(" | "));
    }
    assert_eq!(table.trim(), TABLE.trim(), "\n{table}");
}

/// State, bed | accept | reassign | swap; in the rows "end": reject | discharge. "yes -1 +1 t1": one stay ended, one
/// opened, one time set.
const TABLE: &str = "
pending    own      | yes -0 +1 t1 | NotAssigned | NotAssigned
pending    vacant   | yes -0 +1 t1 | NotAssigned | NotAssigned
pending    taken    | BedTaken | NotAssigned | NotAssigned
pending    disabled | BedDisabled | NotAssigned | NotAssigned
pending    foreign  | BedUnknown | NotAssigned | NotAssigned
pending    end      | yes -0 +0 t1 | NotAssigned
accepted   own      | OwnBed | OwnBed | OwnBed
accepted   vacant   | AlreadyAssigned | yes -1 +1 t1 | BedVacant
accepted   taken    | AlreadyAssigned | BedTaken | yes -2 +2 t2
accepted   disabled | AlreadyAssigned | BedDisabled | BedDisabled
accepted   foreign  | AlreadyAssigned | BedUnknown | BedUnknown
accepted   end      | AssignedCannotBeDeclined | yes -1 +0 t1
reassigned own      | OwnBed | OwnBed | OwnBed
reassigned vacant   | AlreadyAssigned | yes -1 +1 t1 | BedVacant
reassigned taken    | AlreadyAssigned | BedTaken | yes -2 +2 t2
reassigned disabled | AlreadyAssigned | BedDisabled | BedDisabled
reassigned foreign  | AlreadyAssigned | BedUnknown | BedUnknown
reassigned end      | AssignedCannotBeDeclined | yes -1 +0 t1
rejected   own      | AlreadyDeclined | AlreadyDeclined | AlreadyDeclined
rejected   vacant   | AlreadyDeclined | AlreadyDeclined | AlreadyDeclined
rejected   taken    | AlreadyDeclined | AlreadyDeclined | AlreadyDeclined
rejected   disabled | AlreadyDeclined | AlreadyDeclined | AlreadyDeclined
rejected   foreign  | AlreadyDeclined | AlreadyDeclined | AlreadyDeclined
rejected   end      | AlreadyDeclined | AlreadyDeclined
discharged own      | AlreadyDischarged | AlreadyDischarged | AlreadyDischarged
discharged vacant   | AlreadyDischarged | AlreadyDischarged | AlreadyDischarged
discharged taken    | AlreadyDischarged | AlreadyDischarged | AlreadyDischarged
discharged disabled | AlreadyDischarged | AlreadyDischarged | AlreadyDischarged
discharged foreign  | AlreadyDischarged | AlreadyDischarged | AlreadyDischarged
discharged end      | AlreadyDischarged | AlreadyDischarged
expired    own      | AlreadyExpired | AlreadyExpired | AlreadyExpired
expired    vacant   | AlreadyExpired | AlreadyExpired | AlreadyExpired
expired    taken    | AlreadyExpired | AlreadyExpired | AlreadyExpired
expired    disabled | AlreadyExpired | AlreadyExpired | AlreadyExpired
expired    foreign  | AlreadyExpired | AlreadyExpired | AlreadyExpired
expired    end      | AlreadyExpired | AlreadyExpired
";

#[test]
fn a_swap_ends_two_stays_and_opens_two() {
    let (board, guest) = world(GuestStatus::Accepted);
    let change = decide(&board, &guest, &Command::Swap { bed: bed_id(3) }, NOW).expect("allowed");
    let (one, other, reason) = (guest_id(1), guest_id(3), EndReason::Swapped);
    let expected = Change {
        withdrawn: None,
        ended: vec![
            EndedStay { guest: one, bed: bed_id(1), reason },
            EndedStay { guest: other, bed: bed_id(3), reason },
        ],
        opened: vec![OpenedStay { guest: one, bed: bed_id(3) }, OpenedStay { guest: other, bed: bed_id(1) }],
        stamps: vec![(one, Stamp::Reassigned), (other, Stamp::Reassigned)],
        feedback: None,
    };
    assert_eq!(change, expected);
}

#[test]
fn the_end_reason_of_a_stay_names_the_command() {
    let (board, guest) = world(GuestStatus::Accepted);
    let reason = |command| decide(&board, &guest, &command, NOW).expect("allowed").ended[0].reason;
    assert_eq!(reason(Command::Reassign { bed: bed_id(2) }), EndReason::Reassigned);
    assert_eq!(reason(Command::Discharge { feedback: None }), EndReason::Discharged);
}

#[test]
fn feedback_is_stored_with_the_guest() {
    let kept = Some((guest_id(1), "Too far away".to_owned()));
    let feedback = Some("Too far away".to_owned());
    let (board, guest) = world(GuestStatus::Pending);
    let change = decide(&board, &guest, &Command::Reject { feedback: feedback.clone() }, NOW).expect("allowed");
    assert_eq!((change.stamps, change.feedback), (vec![(guest_id(1), Stamp::Rejected)], kept.clone()));
    let (board, guest) = world(GuestStatus::Reassigned);
    let change = decide(&board, &guest, &Command::Discharge { feedback }, NOW).expect("allowed");
    assert_eq!((change.stamps, change.feedback), (vec![(guest_id(1), Stamp::Discharged)], kept));
}

#[test]
fn only_guests_from_the_search_at_commercial_sites_need_a_subscription() {
    for (needs, active, source, allowed) in [
        (true, false, Source::Web, false),
        (true, true, Source::Web, true),
        (true, false, Source::Admin, true),
        (false, false, Source::Web, true),
    ] {
        let board = Board {
            beds: vec![bed(1, None)],
            needs_subscription: needs,
            subscription_active: active,
            asks_arrival: false,
            undo: None,
        };
        let guest = GuestFacts { source, ..pending(1) };
        let answer = decide(&board, &guest, &Command::Accept { bed: bed_id(1) }, NOW);
        assert_eq!(answer.is_ok(), allowed, "{needs} {active} {source}");
        assert_eq!(answer.is_err_and(Refusal::needs_subscription), !allowed);
    }
}

#[test]
fn a_move_needs_no_subscription() {
    let (mut board, mut guest) = world(GuestStatus::Accepted);
    board.needs_subscription = true;
    guest.source = Source::Web;
    assert!(decide(&board, &guest, &Command::Reassign { bed: bed_id(2) }, NOW).is_ok());
}

#[test]
fn a_hold_ends_at_its_last_moment_even_if_no_job_has_run() {
    let guest = GuestFacts { expires_at: Some(NOW), ..pending(1) };
    assert_eq!(guest.status(NOW.plus_millis(-1)), GuestStatus::Pending);
    assert_eq!(guest.status(NOW), GuestStatus::Expired);
    let recorded = GuestFacts { expired_at: Some(NOW), expires_at: None, ..pending(1) };
    assert_eq!(recorded.status(NOW), GuestStatus::Expired);
    let had_bed = GuestFacts { expires_at: Some(NOW), ..accepted(1) };
    assert_eq!(had_bed.status(NOW), GuestStatus::Accepted, "an accepted guest never expires");
}

#[test]
fn pending_and_assigned_guests_are_active_and_assigned_ones_have_a_bed() {
    let is =
        |holds: fn(GuestStatus) -> bool| GuestStatus::ALL.iter().copied().filter(|s| holds(*s)).collect::<Vec<_>>();
    let assigned = [GuestStatus::Accepted, GuestStatus::Reassigned];
    assert_eq!(is(GuestStatus::is_assigned), assigned);
    assert_eq!(is(GuestStatus::is_active), [&[GuestStatus::Pending], &assigned[..]].concat());
}

#[test]
fn a_guest_that_contradicts_the_board_changes_nothing() {
    let own = Command::Discharge { feedback: None };
    let nowhere = board(vec![bed(1, None)]);
    assert_eq!(decide(&nowhere, &accepted(1), &own, NOW), Err(Refusal::BoardChanged));
    let already_there = board(vec![bed(1, Some(pending(1))), bed(2, None)]);
    let accept = Command::Accept { bed: bed_id(2) };
    assert_eq!(decide(&already_there, &pending(1), &accept, NOW), Err(Refusal::BoardChanged));
    let odd_neighbour = board(vec![bed(1, Some(accepted(1))), bed(2, Some(pending(2)))]);
    let swap = Command::Swap { bed: bed_id(2) };
    assert_eq!(decide(&odd_neighbour, &accepted(1), &swap, NOW), Err(Refusal::BoardChanged));
}

#[test]
fn a_status_parses_in_any_case() {
    let bed = bed_id(1);
    for (text, expected) in [
        ("ACCEPTED", Command::Accept { bed }),
        ("accepted", Command::Accept { bed }),
        ("REASSIGNED", Command::Reassign { bed }),
        ("Swap", Command::Swap { bed }),
        ("SWAP", Command::Swap { bed }),
        (" Rejected ", Command::Reject { feedback: None }),
        ("DISCHARGED", Command::Discharge { feedback: None }),
        ("Undo", Command::Undo),
        ("arrived", Command::Arrive),
        ("NOT_ARRIVED", Command::UndoArrival),
        ("NO_SHOW", Command::NoShow { feedback: None }),
    ] {
        assert_eq!(Command::parse(text, Some(bed), None), Ok(expected), "{text}");
    }
}

#[test]
fn an_invalid_command_names_its_fields() {
    for status in ["ACCEPTED", "reassigned", "swap"] {
        assert_eq!(errors(Command::parse(status, None, None)), [("/bedId".to_owned(), "Choose a bed.".to_owned())]);
    }
    assert!(Command::parse("REJECTED", None, None).is_ok() && Command::parse("DISCHARGED", None, None).is_ok());
    let pointers = |result| errors(result).into_iter().map(|(pointer, _)| pointer).collect::<Vec<_>>();
    assert_eq!(pointers(Command::parse("expired", None, None)), ["/status"]);
    assert_eq!(pointers(Command::parse("", None, Some("x".repeat(2001)))), ["/feedback", "/status"]);
    let blank = Command::parse("REJECTED", None, Some("  <b></b> ".to_owned()));
    assert_eq!(blank, Ok(Command::Reject { feedback: None }), "blank feedback is none");
}

#[test]
fn capacity_needs_more_vacant_beds_than_live_reservations() {
    for (vacant, pending, fits) in [(0, 0, false), (1, 0, true), (1, 1, false), (5, 4, true), (4, 5, false)] {
        let expected = if fits { Ok(()) } else { Err(Refusal::NoVacantBeds) };
        assert_eq!(capacity(vacant, pending, Overrides::default()), expected, "{vacant} vacant, {pending} pending");
    }
}

#[test]
fn a_walk_in_with_override_only_needs_a_vacant_bed() {
    let overrides = Overrides { over_capacity: true, third: false };
    for (vacant, pending, fits) in [(0, 0, false), (0, 3, false), (1, 1, true), (2, 9, true), (5, 4, true)] {
        let expected = if fits { Ok(()) } else { Err(Refusal::NoVacantBeds) };
        assert_eq!(capacity(vacant, pending, overrides), expected, "{vacant} vacant, {pending} pending");
    }
    assert!(
        capacity(1, 1, Overrides { third: true, over_capacity: false }).is_err(),
        "the other override does not count"
    );
}

#[test]
fn beds_that_pending_reservations_need_are_not_taken_away() {
    for (vacant, taken, pending, allowed) in [
        (3, 1, 2, true),
        (3, 2, 2, false),
        (2, 1, 2, false),
        (2, 2, 0, true),
        (1, 0, 5, true), // Taking none is always fine, however many reservations are pending.
        (0, 0, 0, true),
    ] {
        let expected = if allowed { Ok(()) } else { Err(Refusal::ReservedBeds) };
        assert_eq!(may_take_beds(vacant, taken, pending), expected, "{taken} of {vacant}, {pending} pending");
    }
}

#[test]
fn a_person_has_two_active_reservations_and_a_third_by_override() {
    let (two, three) = (Err(Refusal::TwoActiveReservations), Err(Refusal::NoMoreReservations));
    let table = [(0, Ok(()), Ok(())), (1, Ok(()), Ok(())), (2, two, Ok(())), (3, three, three), (4, three, three)];
    for (count, without, with) in table {
        let active = ActiveReservations { visible: count, all: count };
        let third = Overrides { third: true, over_capacity: false };
        let both = (active_reservations(active, Overrides::default()), active_reservations(active, third));
        assert_eq!(both, (without, with), "{count}");
    }
}

#[test]
fn reservations_hidden_from_the_caller_look_like_a_full_house() {
    let (hidden, two) = (Err(Refusal::HiddenReservations), Err(Refusal::TwoActiveReservations));
    for (visible, all, without, third, over_capacity) in [
        (0, 1, Ok(()), Ok(()), Ok(())),
        (0, 2, hidden, hidden, Ok(())),
        (1, 2, hidden, hidden, Ok(())),
        (1, 4, hidden, hidden, Ok(())),
        (2, 3, two, hidden, two),
    ] {
        let active = ActiveReservations { visible, all };
        let by = |third, over_capacity| active_reservations(active, Overrides { third, over_capacity });
        let found = (by(false, false), by(true, false), by(false, true));
        assert_eq!(found, (without, third, over_capacity), "{visible} of {all}");
    }
    assert_eq!(Refusal::HiddenReservations.sentence(), Refusal::NoVacantBeds.sentence());
}

#[test]
fn the_next_free_bed_is_the_nearest_on_the_board() {
    let taken = |number| bed(number, Some(accepted(number)));
    let beds =
        vec![bed(1, None), taken(2), taken(3), taken(4), bed(5, None), BedFacts { disabled: true, ..bed(6, None) }];
    let board = board(beds);
    for (near, free) in [(2, 1), (3, 5), (4, 5), (6, 5), (1, 5), (99, 1)] {
        assert_eq!(next_free_bed(&board, bed_id(near)), Some(bed_id(free)), "near {near}");
    }
    assert_eq!(next_free_bed(&crate::support::board(vec![taken(1)]), bed_id(1)), None);
}

#[test]
fn an_occupied_bed_or_house_cannot_be_changed_or_removed() {
    for (change, begin) in [
        (BedChange::Edit, "You can't edit the Bed"),
        (BedChange::Disable, "You cannot disable the bed."),
        (BedChange::Remove, "You can't remove the Bed"),
    ] {
        assert_eq!(may_change_bed(change, false), Ok(()));
        let refusal = may_change_bed(change, true).expect_err("occupied");
        assert!(refusal.sentence().starts_with(begin) && refusal.sentence().contains("guest first"), "{refusal}");
    }
    assert_eq!(may_delete_room(0), Ok(()));
    assert!(may_delete_room(1).is_err_and(|refusal| refusal.sentence().starts_with("You can't delete the Room")));
    for (occupied, pending, allowed) in [(0, 0, true), (1, 0, false), (0, 1, false)] {
        assert_eq!(may_delete_site(occupied, pending).is_ok(), allowed);
        assert_eq!(may_delete_organization(occupied, pending).is_ok(), allowed);
    }
}

#[test]
fn every_refusal_has_its_own_sentence() {
    let mut sentences: Vec<_> = Refusal::ALL.iter().map(|refusal| refusal.sentence()).collect();
    assert!(sentences.iter().all(|s| s.ends_with('.') && s.len() > 20 && !s.contains("  ")), "{sentences:?}");
    sentences.sort_unstable();
    sentences.dedup();
    assert_eq!(
        sentences.len(),
        Refusal::ALL.len() - 2,
        "hidden reservations get the sentence of a full house, here and in an undo"
    );
    assert_eq!(Refusal::OwnBed.sentence(), "Error: Guest already occupies this bed.");
    let no_beds = "You cannot add a new guest because there are no vacant beds.";
    assert_eq!(Refusal::NoVacantBeds.sentence(), no_beds);
    let taken: Vec<_> = Refusal::ALL.into_iter().filter(|refusal| refusal.code() == Some("bed-taken")).collect();
    assert_eq!(taken, [Refusal::BedTaken]);
}

#[test]
fn only_an_arriving_guest_arrives_or_is_a_no_show() {
    let arrival = [Command::Arrive, Command::UndoArrival, Command::NoShow { feedback: None }];
    let answers = |asks: bool, guest: GuestFacts| {
        let board = Board { asks_arrival: asks, ..board(vec![bed(1, Some(guest.clone()))]) };
        arrival.clone().map(|command| outcome(decide(&board, &guest, &command, NOW)))
    };
    let here = GuestFacts { arrived_at: Some(NOW), ..accepted(1) };
    assert_eq!(answers(false, accepted(1)), ["ArrivalsNotAsked"; 3]);
    assert_eq!(answers(false, here.clone()), ["ArrivalsNotAsked"; 3]);
    assert_eq!(answers(true, accepted(1)), ["yes -0 +0 t1", "NotArrived", "yes -1 +0 t1"]);
    assert_eq!(answers(true, here), ["AlreadyArrived", "yes -0 +0 t1", "AlreadyArrived"]);
    assert_eq!(answers(true, pending(2)), ["NotAssigned"; 3]);
    let gone = GuestFacts { discharged_at: Some(NOW), no_show_at: Some(NOW), ..accepted(1) };
    assert_eq!(answers(true, gone), ["AlreadyDischarged"; 3]);
}
