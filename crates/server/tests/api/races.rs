//! Several users want the same thing at the same moment: one gets it, the others get a sentence, nobody gets a 500, and
//! the recount finds no broken invariant (security-and-proof 4b). On PostgreSQL, two nodes share the storm. The races for
//! one bed, for the last place and against the end of a hold run on real processes, in `tests/proof/storms.rs`.
//!
//! `BERTH_ROUNDS` sets a higher number of rounds. Rounds repeat the race in the same test world.

use axum::Router;
use berth_db::Engine;
use berth_server::routes;
use serde_json::json;

use crate::access_users::{INTAKE, STAFF};
use crate::harness::{Answer, Ask, HOUR, House};
use crate::organization_changes::logo;
use crate::site_steps::{self, NON_COMMERCIAL, as_it_is, free, ready, with};
use crate::steps::{DAY, add, all_at_once, ask_for, command, form, id, more_beds, place, statuses};
use crate::{both_engines, invariants, world};

/// The number of times each race is run.
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

/// Three guests in beds A, B and C.
async fn three(house: &House) -> [String; 3] {
    let mut guests = Vec::new();
    for (number, bed) in [(1, world::BED_A), (2, world::BED_B), (3, world::BED_C)] {
        guests.push(id(&place(house, world::HARBOR_HOUSE, number, bed).await));
    }
    guests.try_into().unwrap()
}

both_engines! {
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

    async fn of_many_confirmations_of_one_request_one_succeeds(house: House) {
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

    async fn parallel_attempts_at_a_reservation_code_share_the_limit_of_five(house: House) {
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

    async fn of_three_concurrent_confirmations_of_a_phone_two_succeed(house: House) {
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

    async fn people_sharing_phone_and_email_crosswise_do_not_deadlock(house: House) {
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
            assert!(round > 0 || answers.iter().any(|answer| answer.status == 200), "at least one succeeds");
            only_sentences(&answers);
            invariants::hold(&house).await;
        }
    }
}

/// The number of times each task of the edit storm repeats its part.
const STORM_ROUNDS: usize = 25;

/// Repeats a part of the edit storm.
async fn again_and_again(part: impl AsyncFn(usize) -> Vec<Ask>) -> Vec<Answer> {
    let mut answers = Vec::new();
    for round in 0..STORM_ROUNDS {
        for call in part(round).await {
            answers.extend(all_at_once(vec![call]).await);
        }
    }
    answers
}

/// Creates something, and removes it if it was created.
async fn made_and_removed(path: &str, make: impl AsyncFn(usize) -> Ask, remove: impl Fn(String) -> Ask) -> Vec<Answer> {
    let mut answers = Vec::new();
    for round in 0..STORM_ROUNDS {
        let made = all_at_once(vec![make(round).await]).await.remove(0);
        if made.status == 201 {
            let id = made.json()["id"].as_str().unwrap().to_owned();
            answers.extend(all_at_once(vec![remove(format!("{path}/{id}"))]).await);
        }
        answers.push(made);
    }
    answers
}

/// All transactions take locks in the order of `locks.rs`. SQLite has one writer, so nothing can deadlock.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn edits_of_people_organizations_insurers_and_sites_at_once_do_not_deadlock() {
    const DEADLOCKS: &str = "SELECT CAST(deadlocks AS BIGINT) FROM pg_stat_database WHERE datname = current_database()";
    let mut house = House::new(Engine::Postgres).await;
    ready(&house).await;
    let site = free(&house).await;
    let insurer_logo = logo(&house, "ins_storm").await;
    let mut logos = Vec::new();
    for number in 0..STORM_ROUNDS {
        logos.push(logo(&house, &format!("org_storm{number}")).await);
    }
    // The storm has its own node, because PostgreSQL counts deadlocks when connections end.
    let node = house.another_node().await;
    house.router = routes::build(node.clone());
    let house = &house;

    let people = again_and_again(async |round| {
        let names = json!({"accessUserId": INTAKE, "firstName": format!("Ina {round}"), "lastName": "Take",
            "isNamesEditAllowed": true, "role": "Intake", "isDisabled": false, "organizationId": world::HARBOR,
            "receiveReservationTexts": round % 2 == 0, "siteId": world::HARBOR_HOUSE});
        let state = json!({"isDisabled": round % 2 == 0});
        [(INTAKE, names), (STAFF, state)]
            .map(|(id, body)| house.patch(&format!("/api/AccessUsers/{id}"), body).by(world::GLOBAL))
            .into()
    });
    let organization = |id, name: String, insurers| {
        let body =
            json!({"id": id, "name": name, "insuranceCompanyIds": insurers, "reservationPaymentMethodIds": [1, 2]});
        house.put(&format!("/api/Organizations/{id}"), body).by(world::GLOBAL)
    };
    let organizations = again_and_again(async |round| {
        let insurers = if round % 2 == 0 { json!([world::INSURER]) } else { json!([]) };
        vec![
            organization(world::OPEN_HANDS, format!("Open Hands {round}"), json!([])),
            organization(world::HARBOR, format!("Harbor {round}"), insurers),
        ]
    });
    let insurers = again_and_again(async |round| {
        let body = json!({"name": format!("Blue Anchor {round}"), "logoPath": insurer_logo, "isPrimary": true});
        vec![house.put(&format!("/api/InsuranceCompanies/{}", world::INSURER), body).by(world::GLOBAL)]
    });
    let sites = again_and_again(async |round| {
        let body = with(&as_it_is(house, world::OPEN_DOOR).await, "alias", json!(format!("Door {round}")));
        vec![house.put(&format!("{NON_COMMERCIAL}/{}", world::OPEN_DOOR), body).by(world::GLOBAL)]
    });
    let houses_and_guests = again_and_again(async |round| {
        let new = json!({"siteId": world::HARBOR_HOUSE, "name": format!("Storm {round}")});
        vec![
            house.post("/api/Rooms", new).by(world::GLOBAL),
            house.post("/api/Guests", form(world::HARBOR_HOUSE, round)).by(world::GLOBAL),
        ]
    });
    let new_sites = made_and_removed(
        "/api/Sites",
        async |round| {
            let named = with(&site, "name", json!(format!("Storm House {round}")));
            let body = with(&named, "adminEmail", json!(format!("site{round}@storm.example")));
            house.post(NON_COMMERCIAL, body).by(world::GLOBAL)
        },
        |path| house.delete(&path).by(world::GLOBAL),
    );
    let new_organizations = made_and_removed(
        "/api/Organizations",
        async |round| {
            let body = json!({"name": format!("Storm {round}"), "ownerEmail": format!("owner{round}@storm.example"),
                "logoPath": logos[round], "redirectUri": site_steps::REDIRECT});
            house.post("/api/Organizations/commercial", body).by(world::GLOBAL)
        },
        |path| house.delete(&path).by(world::GLOBAL),
    );
    let new_people = made_and_removed(
        "/api/AccessUsers",
        async |round| {
            let body = json!({"redirectUri": site_steps::REDIRECT, "email": format!("person{round}@storm.example"),
                "firstName": "Nadia", "lastName": "Flores", "siteId": world::OPEN_DOOR, "role": "Staff"});
            house.post("/api/AccessUsers/siteScopeUsers", body).by(world::GLOBAL)
        },
        |path| house.delete(&path).by(world::GLOBAL),
    );
    let (people, organizations, insurers, sites, houses_and_guests, new_sites, new_organizations, new_people) = tokio::join!(
        people,
        organizations,
        insurers,
        sites,
        houses_and_guests,
        new_sites,
        new_organizations,
        new_people
    );
    for (part, answers) in [
        ("people", people),
        ("organizations", organizations),
        ("insurers", insurers),
        ("sites", sites),
        ("houses and guests", houses_and_guests),
        ("new sites", new_sites),
        ("new organizations", new_organizations),
        ("new people", new_people),
    ] {
        let failed = answers.iter().find(|answer| answer.status >= 500);
        assert!(failed.is_none(), "{part}: {}", failed.unwrap().text);
        let done = answers.iter().filter(|answer| answer.status < 300).count();
        assert!(done >= STORM_ROUNDS, "{part}: {:?} {}", statuses(&answers), answers[0].text);
    }
    node.db.close().await;
    tokio::time::sleep(std::time::Duration::from_millis(500)).await;
    let deadlocks: i64 = house.db().query(DEADLOCKS).scalar().await.unwrap();
    assert_eq!(deadlocks, 0, "two transactions deadlocked");
    invariants::hold(house).await;
}
