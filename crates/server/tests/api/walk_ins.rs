//! Which reservations are revealed to a caller, and guests who are added over held capacity (DESIGN 3).

use serde_json::{Value, json};

use crate::both_engines;
use crate::harness::{Answer, Ask, HOUR, House};
use crate::steps::{add, ask_for, command, form, id, newest_text, phone, place, reserve, undo};
use crate::{invariants, world};

const FULL: &str = "You cannot add a new guest because there are no vacant beds.";
const TOLD: &str = "Berth: A reservation for this phone number was not made, because it already has two \
    active reservations, the most one person may have.";

/// A form with a reason for going over held capacity.
fn walk_in(house: &House, site: berth_domain::id::SiteId, number: usize, reason: &str) -> Ask {
    let mut form = form(site, number);
    form["overCapacityReason"] = json!(reason);
    house.post("/api/Guests", form)
}

/// An answer without the request id.
fn told(answer: &Answer) -> Value {
    let mut body = answer.json();
    body.as_object_mut().unwrap().remove("instance");
    body
}

/// The actions in the audit trail and their summaries, sorted.
async fn trail(house: &House) -> Vec<(String, String)> {
    let rows = house.db().query("SELECT action, summary FROM audit WHERE action LIKE 'guest.%'");
    let mut rows: Vec<(String, String)> = rows.all().await.unwrap();
    rows.sort();
    rows
}

both_engines! {
    async fn a_caller_who_may_not_see_other_reservations_gets_the_answer_of_a_full_house(house: House) {
        reserve(&house, world::HARBOR_HOUSE, 1).await;
        reserve(&house, world::HARBOR_HOUSE, 1).await;
        let ask = || house.post("/api/Guests", form(world::OPEN_DOOR, 1)).by(world::OWNER_FREE);
        let hidden = ask().send().await;
        assert_eq!((hidden.refusal(409).as_str(), hidden.json()["code"].as_str()), (FULL, Some("no-vacant-beds")));
        assert_eq!(newest_text(&house, &phone(1)).await, TOLD, "the person knows why");
        let times_told = async || house.outbox().await.iter().filter(|(_, _, body)| body == TOLD).count();
        ask().send().await.expect(409);
        assert_eq!(times_told().await, 1, "once an hour");
        house.advance(HOUR);
        ask().send().await.expect(409);
        assert_eq!(times_told().await, 2);

        // A caller who may see them gets the real reason.
        let seen = house.post("/api/Guests", form(world::OPEN_DOOR, 1)).by(world::INTAKE).send().await;
        assert_eq!(seen.json()["code"], "third-reservation");

        add(&house, world::OPEN_DOOR, 2).await;
        add(&house, world::OPEN_DOOR, 3).await;
        let full = house.post("/api/Guests", form(world::OPEN_DOOR, 4)).by(world::OWNER_FREE).send().await;
        assert_eq!(told(&full), told(&hidden));
        invariants::hold(&house).await;
    }

    /// Entering someone's phone or email does not reveal what staff of another organization entered.
    async fn unverified_contacts_do_not_count_across_organizations(house: House) {
        add(&house, world::HARBOR_HOUSE, 1).await;
        add(&house, world::HARBOR_HOUSE, 1).await;
        let mut by_email = form(world::OPEN_DOOR, 2);
        by_email["email"] = form(world::OPEN_DOOR, 1)["email"].clone();
        let mut by_phone = form(world::OPEN_DOOR, 3);
        by_phone["phone"] = form(world::OPEN_DOOR, 1)["phone"].clone();
        for probe in [by_email.clone(), by_phone] {
            // A caller who may see them is told about them.
            let seen = house.post("/api/Guests", probe.clone()).by(world::INTAKE).send().await;
            assert_eq!(seen.json()["code"], "third-reservation");
            house.post("/api/Guests", probe).by(world::OWNER_FREE).send().await.expect(201);
        }
        for number in [1, 2] {
            assert_eq!(newest_text(&house, &phone(number)).await, "", "no text about another person's reservations");
        }
        invariants::hold(&house).await;
    }

    async fn an_undo_counts_the_same_reservations_as_adding(house: House) {
        let no = id(&add(&house, world::OPEN_DOOR, 1).await);
        command(&house, &no, "REJECTED", None).send().await.expect(200);
        for _ in 0..2 {
            add(&house, world::HARBOR_HOUSE, 1).await;
        }
        undo(&house, &no, world::OWNER_FREE).await.send().await.expect(200);
        // The phone was confirmed by its code, so the reservation is restored whatever staff entered.
        let asked = reserve(&house, world::HARBOR_HOUSE, 1).await;
        command(&house, &asked, "REJECTED", None).send().await.expect(200);
        undo(&house, &asked, world::ADMIN).await.send().await.expect(200);
        invariants::hold(&house).await;
    }

    async fn allowing_a_third_reservation_does_not_override_hidden_ones(house: House) {
        reserve(&house, world::HARBOR_HOUSE, 1).await;
        reserve(&house, world::HARBOR_HOUSE, 1).await;
        let mut third = form(world::OPEN_DOOR, 1);
        third["allowThird"] = json!(true);
        let refused = house.post("/api/Guests", third.clone()).by(world::OWNER_FREE).send().await;
        assert_eq!(refused.refusal(409), FULL);
        house.post("/api/Guests", third).by(world::ADMIN).send().await.expect(201);
        invariants::hold(&house).await;
    }

    async fn a_walk_in_can_get_a_vacant_bed_that_reservations_hold(house: House) {
        reserve(&house, world::OPEN_DOOR, 1).await;
        reserve(&house, world::OPEN_DOOR, 2).await;
        let refused = house.post("/api/Guests", form(world::OPEN_DOOR, 3)).by(world::ADMIN).send().await;
        assert_eq!((refused.refusal(409).as_str(), refused.json()["code"].as_str()), (FULL, Some("no-vacant-beds")));
        let reason = "At the door, 11 pm, no other site is open";
        walk_in(&house, world::OPEN_DOOR, 3, reason).by(world::INTAKE).send().await.expect(403);
        walk_in(&house, world::OPEN_DOOR, 3, reason).by(world::STAFF).send().await.expect(403);
        walk_in(&house, world::OPEN_DOOR, 3, reason).by(world::OWNER).send().await.expect(404);
        let blank = walk_in(&house, world::OPEN_DOOR, 3, " ").by(world::ADMIN).send().await;
        assert_eq!(blank.field_errors(), ["/overCapacityReason: Please enter a reason."]);
        let guest = walk_in(&house, world::OPEN_DOOR, 3, reason).by(world::ADMIN).send().await.expect(201);
        let code = guest["code"].as_str().unwrap();
        assert!(trail(&house).await.contains(&("guest.over-capacity".to_owned(), format!("{code}: {reason}"))));
        invariants::hold(&house).await;

        command(&house, &id(&guest), "ACCEPTED", Some(world::BED_F)).send().await.expect(200);
        invariants::hold(&house).await;
        // The next one still finds a vacant bed; after that there is none.
        let next = walk_in(&house, world::OPEN_DOOR, 4, reason).by(world::OWNER_FREE).send().await.expect(201);
        command(&house, &id(&next), "ACCEPTED", Some(world::BED_G)).send().await.expect(200);
        let none = walk_in(&house, world::OPEN_DOOR, 5, reason).by(world::GLOBAL).send().await;
        assert_eq!(none.refusal(409), FULL);
        invariants::hold(&house).await;
    }

    async fn a_walk_in_with_hidden_reservations_can_be_added(house: House) {
        reserve(&house, world::HARBOR_HOUSE, 1).await;
        reserve(&house, world::HARBOR_HOUSE, 1).await;
        walk_in(&house, world::OPEN_DOOR, 1, "At the door").by(world::OWNER_FREE).send().await.expect(201);
        let actions: Vec<String> = trail(&house).await.into_iter().map(|(action, _)| action).collect();
        assert!(actions.contains(&"guest.over-capacity".to_owned()), "{actions:?}");
        assert!(!actions.contains(&"guest.third-allowed".to_owned()), "the owner reads the trail: {actions:?}");
        invariants::hold(&house).await;
    }

    async fn a_walk_in_override_does_not_allow_a_visible_third_reservation(house: House) {
        place(&house, world::OPEN_DOOR, 1, world::BED_F).await;
        reserve(&house, world::HARBOR_HOUSE, 1).await;
        let refused = walk_in(&house, world::OPEN_DOOR, 1, "At the door").by(world::ADMIN).send().await;
        assert_eq!(refused.json()["code"], "third-reservation");
    }

    async fn the_public_side_has_no_overrides(house: House) {
        let asked = ask_for(&house, world::OPEN_DOOR, 3).await;
        add(&house, world::OPEN_DOOR, 1).await;
        add(&house, world::OPEN_DOOR, 2).await;
        asked.confirm(&house).send().await.expect(409);
        let mut ask = form(world::OPEN_DOOR, 4);
        ask["overCapacityReason"] = json!("let me in");
        house.post("/api/public/reservations", ask).send().await.expect(409);
        invariants::hold(&house).await;
    }
}
