//! Several people want the same at the same moment: one gets it, the others get a sentence, nobody gets a 500, and the
//! recount finds nothing (security-and-proof 4b). On PostgreSQL two nodes share the storm.
//!
//! `BERTH_ROUNDS` chooses the long form; rounds repeat the race, not the world.

use std::collections::BTreeSet;
use std::time::Duration;

use axum::Router;
use berth_db::Engine;
use berth_domain::id::BedId;
use berth_server::jobs::holds;
use berth_server::routes;
use serde_json::json;

use crate::both_engines;
use crate::harness::{Answer, Ask, HOUR, House};
use crate::steps::{DAY, add, all_at_once, ask_for, command, form, guest, id, more_beds, place, reserve, statuses};
use crate::{invariants, world};

/// How often each race is run.
#[expect(clippy::disallowed_methods, reason = "a test has no settings")]
fn rounds() -> usize {
    std::env::var("BERTH_ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(4)
}

/// The nodes that calls are spread over: one on SQLite, two on PostgreSQL.
async fn nodes(house: &House) -> Vec<Router> {
    let mut nodes = vec![house.router.clone()];
    if house.db().engine() == Engine::Postgres {
        nodes.push(routes::build(house.another_node().await));
    }
    nodes
}

/// Makes the calls at once, each on the next node.
async fn storm(
    house: &mut House,
    nodes: &[Router],
    count: usize,
    mut call: impl FnMut(&House, usize) -> Ask,
) -> Vec<Answer> {
    let calls = (0..count)
        .map(|number| {
            house.router = nodes[number % nodes.len()].clone();
            call(house, number)
        })
        .collect();
    house.router = nodes[0].clone();
    all_at_once(calls).await
}

/// Every refusal is a 409 whose sentence a person can act on.
#[track_caller]
fn only_sentences(answers: &[Answer]) {
    for answer in answers.iter().filter(|answer| answer.status >= 300) {
        assert!(answer.refusal(409).len() > 20, "{}", answer.text);
    }
}

/// Who sleeps where: the guests with a bed and their beds.
async fn sleepers(house: &House) -> (BTreeSet<String>, BTreeSet<String>) {
    const OPEN: &str = "SELECT guest_id, bed_id FROM stays WHERE ended_at IS NULL";
    let rows: Vec<(uuid::Uuid, uuid::Uuid)> = house.db().query(OPEN).all().await.unwrap();
    rows.into_iter().map(|(guest, bed)| (guest.to_string(), bed.to_string())).unzip()
}

/// Three guests in beds A, B and C.
async fn three(house: &House) -> [String; 3] {
    let mut guests = Vec::new();
    for (number, bed) in [(1, world::BED_A), (2, world::BED_B), (3, world::BED_C)] {
        guests.push(id(&place(house, world::HARBOR_HOUSE, number, bed).await));
    }
    guests.try_into().unwrap()
}

async fn bed_of(house: &House, guest_id: &str) -> Option<BedId> {
    guest(house, guest_id).await["assignedBedId"].as_str().map(|bed| bed.parse().unwrap())
}

both_engines! {
    async fn fifty_guests_for_one_bed(house: House) {
        let mut house = house;
        let nodes = nodes(&house).await;
        more_beds(&house, 50).await;
        let mut guests = Vec::new();
        for number in 0..50 {
            guests.push(id(&add(&house, world::HARBOR_HOUSE, number).await));
        }
        let answers = storm(&mut house, &nodes, 50, |house, number| {
            command(house, &guests[number], "ACCEPTED", Some(world::BED_A))
        }).await;
        assert_eq!(statuses(&answers), [(200, 1), (409, 49)].into());
        for answer in answers.iter().filter(|answer| answer.status == 409) {
            assert_eq!(answer.refusal(409), "This bed has just been taken by another guest. Choose a vacant bed.");
            let body = answer.json();
            assert_eq!(body["guest"]["status"], "pending");
            assert_eq!(body["nextFreeBed"]["bedId"], json!(world::BED_B));
            assert_eq!(body["code"], "bed-taken");
        }
        invariants::hold(&house).await;
    }

    async fn fifty_guests_for_fifty_beds(house: House) {
        let mut house = house;
        let nodes = nodes(&house).await;
        let beds = more_beds(&house, 50).await;
        let mut guests = Vec::new();
        for number in 0..50 {
            guests.push(id(&add(&house, world::HARBOR_HOUSE, number).await));
        }
        let answers = storm(&mut house, &nodes, 50, |house, number| {
            command(house, &guests[number], "ACCEPTED", Some(beds[number]))
        }).await;
        assert_eq!(statuses(&answers), [(200, 50)].into());
        invariants::hold(&house).await;
    }

    async fn one_guest_into_two_beds(house: House) {
        let mut house = house;
        let nodes = nodes(&house).await;
        for round in 0..rounds() {
            let waiting = id(&add(&house, world::HARBOR_HOUSE, round).await);
            let beds = [world::BED_A, world::BED_B, world::BED_C, world::BED_D];
            let answers = storm(&mut house, &nodes, 8, |house, number| {
                command(house, &waiting, "ACCEPTED", Some(beds[number % 4]))
            }).await;
            assert_eq!(statuses(&answers), [(200, 1), (409, 7)].into());
            only_sentences(&answers);
            invariants::hold(&house).await;
            command(&house, &waiting, "DISCHARGED", None).send().await.expect(200);
        }
    }

    async fn two_guests_move_to_one_vacant_bed(house: House) {
        let mut house = house;
        let nodes = nodes(&house).await;
        let [a, b, c] = three(&house).await;
        for _ in 0..rounds() {
            let free = world::BED_D;
            let movers = [&a, &b, &c];
            let answers = storm(&mut house, &nodes, 3, |house, number| {
                command(house, movers[number], "REASSIGNED", Some(free))
            }).await;
            assert_eq!(statuses(&answers), [(200, 1), (409, 2)].into());
            only_sentences(&answers);
            invariants::hold(&house).await;
            // The mover goes back to the bed that is vacant now.
            let mut taken = Vec::new();
            for mover in movers {
                taken.push(bed_of(&house, mover).await.unwrap());
            }
            let mover = movers[taken.iter().position(|bed| *bed == free).unwrap()];
            let vacant = [world::BED_A, world::BED_B, world::BED_C].into_iter().find(|bed| !taken.contains(bed));
            command(&house, mover, "REASSIGNED", vacant).send().await.expect(200);
        }
    }

    async fn crossing_swaps(house: House) {
        let mut house = house;
        let nodes = nodes(&house).await;
        let [a, b, c] = three(&house).await;
        let before = sleepers(&house).await;
        for _ in 0..rounds() {
            let (of_b, of_c) = (bed_of(&house, &b).await, bed_of(&house, &c).await);
            let answers = storm(&mut house, &nodes, 2, |house, number| {
                if number == 0 { command(house, &a, "SWAP", of_b) } else { command(house, &b, "SWAP", of_c) }
            }).await;
            assert!(answers.iter().any(|answer| answer.status == 200));
            only_sentences(&answers);
            assert_eq!(sleepers(&house).await, before, "nobody and no bed is lost");
            invariants::hold(&house).await;
        }
    }

    async fn circular_swaps(house: House) {
        let mut house = house;
        let nodes = nodes(&house).await;
        let [a, b, c] = three(&house).await;
        let before = sleepers(&house).await;
        for _ in 0..rounds() {
            let beds = [bed_of(&house, &b).await, bed_of(&house, &c).await, bed_of(&house, &a).await];
            let guests = [&a, &b, &c];
            let answers = storm(&mut house, &nodes, 9, |house, number| {
                command(house, guests[number % 3], "SWAP", beds[number % 3])
            }).await;
            assert!(answers.iter().any(|answer| answer.status == 200), "whoever comes first finds the beds as they were");
            only_sentences(&answers);
            assert_eq!(sleepers(&house).await, before, "nobody and no bed is lost");
            invariants::hold(&house).await;
        }
    }

    async fn discharge_against_swap(house: House) {
        let mut house = house;
        let nodes = nodes(&house).await;
        for round in 0..rounds() {
            let one = id(&place(&house, world::HARBOR_HOUSE, 10 * round, world::BED_A).await);
            let two = id(&place(&house, world::HARBOR_HOUSE, 10 * round + 1, world::BED_B).await);
            let answers = storm(&mut house, &nodes, 2, |house, number| {
                if number == 0 {
                    command(house, &one, "DISCHARGED", None)
                } else {
                    command(house, &two, "SWAP", Some(world::BED_A))
                }
            }).await;
            only_sentences(&answers);
            assert_eq!(guest(&house, &one).await["status"], "discharged");
            let stays = bed_of(&house, &two).await;
            let swapped = answers.iter().all(|answer| answer.status == 200);
            assert_eq!(stays, Some(if swapped { world::BED_A } else { world::BED_B }));
            invariants::hold(&house).await;
            command(&house, &two, "DISCHARGED", None).send().await.expect(200);
        }
    }

    async fn the_last_capacity_unit_is_given_once(house: House) {
        let mut house = house;
        let nodes = nodes(&house).await;
        add(&house, world::OPEN_DOOR, 999).await;
        for round in 0..rounds() {
            let outside = [ask_for(&house, world::OPEN_DOOR, 20 * round).await,
                ask_for(&house, world::OPEN_DOOR, 20 * round + 6).await];
            let answers = storm(&mut house, &nodes, 12, |house, number| {
                if number % 6 == 0 {
                    outside[number / 6].confirm(house)
                } else {
                    house.post("/api/Guests", form(world::OPEN_DOOR, 20 * round + number)).by(world::INTAKE)
                }
            }).await;
            assert_eq!(statuses(&answers), [(201, 1), (409, 11)].into());
            only_sentences(&answers);
            invariants::hold(&house).await;
            let path = format!("/api/Guests?siteId={}", world::OPEN_DOOR);
            let list = house.get(&path).by(world::INTAKE).send().await.expect(200);
            let newest = list["items"].as_array().unwrap().iter().find(|guest| guest["firstName"] != "Person 999");
            command(&house, &id(newest.unwrap()), "REJECTED", None).send().await.expect(200);
            house.advance(HOUR);
        }
    }

    async fn of_many_confirmations_of_one_request_one_counts(house: House) {
        let mut house = house;
        let nodes = nodes(&house).await;
        for round in 0..rounds() {
            let asked = ask_for(&house, world::HARBOR_HOUSE, round).await;
            let answers = storm(&mut house, &nodes, 5, |house, _| asked.confirm(house)).await;
            assert_eq!(statuses(&answers), [(201, 1), (422, 4)].into());
            invariants::hold(&house).await;
            house.advance(DAY);
        }
    }

    async fn parallel_tries_of_a_reservation_code_share_the_five(house: House) {
        let mut house = house;
        let nodes = nodes(&house).await;
        for round in 0..rounds() {
            let asked = ask_for(&house, world::HARBOR_HOUSE, round).await;
            let answers = storm(&mut house, &nodes, 20, |house, _| asked.with(house, asked.wrong())).await;
            assert_eq!(statuses(&answers), [(422, 20)].into());
            let right = asked.confirm(&house).send().await.field_errors();
            assert_eq!(right, ["/otp: Invalid confirmation code."], "the tries are used up");
            house.advance(HOUR);
        }
    }

    async fn of_three_confirmations_of_a_phone_at_once_two_count(house: House) {
        let mut house = house;
        let nodes = nodes(&house).await;
        for round in 0..rounds() {
            let mut asked = Vec::new();
            for site in [world::OPEN_DOOR, world::HARBOR_HOUSE, world::HARBOR_HOUSE] {
                asked.push(ask_for(&house, site, round).await);
            }
            let answers = storm(&mut house, &nodes, 3, |house, number| asked[number].confirm(house)).await;
            assert_eq!(statuses(&answers), [(201, 2), (409, 1)].into());
            only_sentences(&answers);
            invariants::hold(&house).await;
            house.advance(DAY);
        }
    }

    async fn two_active_reservations_of_a_person_across_two_sites(house: House) {
        let mut house = house;
        let nodes = nodes(&house).await;
        for round in 0..rounds() {
            let answers = storm(&mut house, &nodes, 8, |house, number| {
                let mut form = form(if number % 3 == 0 { world::OPEN_DOOR } else { world::HARBOR_HOUSE }, 1);
                // Half of them have only the telephone in common.
                if number % 2 == 0 {
                    form["email"] = json!(format!("other{round}{number}@guests.example"));
                }
                house.post("/api/Guests", form).by(world::INTAKE)
            }).await;
            assert_eq!(statuses(&answers), [(201, 2), (409, 6)].into());
            only_sentences(&answers);
            invariants::hold(&house).await;
            for answer in answers.iter().filter(|answer| answer.status == 201) {
                command(&house, &id(&answer.json()), "REJECTED", None).send().await.expect(200);
            }
        }
    }

    async fn people_who_share_telephone_and_mailbox_crosswise_do_not_wait_for_each_other(house: House) {
        let mut house = house;
        let nodes = nodes(&house).await;
        for round in 0..rounds() {
            let answers = storm(&mut house, &nodes, 2, |house, number| {
                let site = if number == 0 { world::OPEN_DOOR } else { world::HARBOR_HOUSE };
                let mut form = form(site, 2 * round + number);
                form["email"] = json!(format!("Person{}@guests.example", 2 * round + 1 - number));
                house.post("/api/Guests", form).by(world::INTAKE)
            }).await;
            assert_eq!(statuses(&answers), [(201, 2)].into());
            for answer in &answers {
                command(&house, &id(&answer.json()), "REJECTED", None).send().await.expect(200);
            }
        }
    }

    async fn expiry_against_accept(house: House) {
        let mut house = house;
        let nodes = nodes(&house).await;
        // A day a round, and sessions of tests end after a thousand hours.
        for round in 0..(rounds() * 3).min(20) {
            let reserved = reserve(&house, world::HARBOR_HOUSE, round).await;
            house.advance(24 * HOUR - 1);
            let calls = (0..3)
                .map(|number| {
                    house.router = nodes[number % nodes.len()].clone();
                    command(&house, &reserved, "ACCEPTED", Some([world::BED_A, world::BED_B, world::BED_C][number]))
                })
                .collect();
            let accepting = tokio::spawn(all_at_once(calls));
            // The hold ends while they are at it, a little later each round.
            tokio::time::sleep(Duration::from_millis(u64::try_from(round).unwrap())).await;
            house.advance(1);
            let expired = holds::run(&house.app).await.unwrap();
            let answers = accepting.await.unwrap();
            only_sentences(&answers);
            let accepted = answers.iter().filter(|answer| answer.status == 200).count();
            let now = guest(&house, &reserved).await;
            assert_eq!(accepted, usize::from(now["status"] == "accepted"), "{now}");
            assert!(accepted == 0 || expired == 0, "an accepted guest never expires");
            invariants::hold(&house).await;
            if accepted == 1 {
                command(&house, &reserved, "DISCHARGED", None).send().await.expect(200);
            }
            assert_eq!(expired, u64::from(now["status"] == "expired"));
            house.advance(DAY);
        }
    }

    async fn accept_reassign_swap_decline_and_discharge_all_at_once(house: House) {
        let mut house = house;
        let nodes = nodes(&house).await;
        let [a, b, c] = three(&house).await;
        let waiting = id(&add(&house, world::HARBOR_HOUSE, 4).await);
        let guests = [a, b, c, waiting];
        let beds = [world::BED_A, world::BED_B, world::BED_C, world::BED_D, world::BED_E];
        let commands = ["REASSIGNED", "SWAP", "ACCEPTED", "REASSIGNED", "SWAP", "REJECTED", "DISCHARGED"];
        for round in 0..rounds() {
            let answers = storm(&mut house, &nodes, 21, |house, number| {
                let bed = beds[(number * 7 + round) % beds.len()];
                command(house, &guests[number % 4], commands[(number * 5 + round) % commands.len()], Some(bed))
            }).await;
            assert!(round > 0 || answers.iter().any(|answer| answer.status == 200), "not everything is refused");
            only_sentences(&answers);
            invariants::hold(&house).await;
        }
    }
}
