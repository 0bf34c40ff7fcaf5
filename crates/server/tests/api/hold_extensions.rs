//! A hold does not end while the subscription that its reservation needs is being paid: it is extended once, by at most 30
//! minutes (docs/decisions/0046).

use std::time::Duration;

use berth_db::Error;
use berth_domain::time::Timestamp;
use berth_server::jobs::holds;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::harness::{Answer, HOUR, House, MINUTE};
use crate::steps::{DAY, all_at_once, command, guest, reserve, statuses, undo};
use crate::subscription_steps::{begin, behave, command as billing, later, monthly};
use crate::{both_engines, invariants, world};

/// The first card of Harbor Recovery, its default.
const CARD: &str = "pm_harbor0";

/// A reservation at Harbor House whose hold ends in `millis` milliseconds. The site needs a subscription and has none.
async fn ending_in(house: &House, millis: i64) -> String {
    begin(house).await;
    let reserved = reserve(house, world::HARBOR_HOUSE, 1).await;
    later(house, 24 * HOUR - millis).await;
    reserved
}

/// The time in `millis` milliseconds, as JSON.
fn from_now(house: &House, millis: i64) -> Value {
    json!(house.app.now().plus_millis(millis))
}

/// The end of a reservation's hold, as the list of the site shows it to those who decide.
async fn listed_end(house: &House, reserved: &str) -> Value {
    let path = format!("/api/Guests?siteId={}", world::HARBOR_HOUSE);
    let list = house.get(&path).by(world::INTAKE).send().await.expect(200);
    let found = list["items"].as_array().unwrap().iter().find(|guest| guest["id"] == reserved);
    found.map_or(Value::Null, |guest| guest["expiresAt"].clone())
}

/// An admin undoes the decline of a reservation.
async fn take_back(house: &House, reserved: &str) -> Answer {
    undo(house, reserved, world::ADMIN).await.send().await
}

async fn extensions(house: &House) -> i64 {
    house.db().query("SELECT COUNT(*) FROM hold_extensions").scalar().await.unwrap()
}

both_engines! {
    async fn a_hold_ending_during_a_payment_lasts_30_minutes_from_the_start_of_the_payment(house: House) {
        const BY: &str = "SELECT COUNT(*) FROM audit WHERE action = 'guest.hold-extended' AND actor_email = 'owner@test.example'";
        let reserved = ending_in(&house, 10 * MINUTE).await;
        assert_eq!(listed_end(&house, &reserved).await, from_now(&house, 10 * MINUTE));
        let version = guest(&house, &reserved).await["version"].as_i64().unwrap();
        monthly(&house).send().await.expect(201);
        assert_eq!(listed_end(&house, &reserved).await, from_now(&house, 30 * MINUTE), "boards get an event");
        assert_eq!(guest(&house, &reserved).await["version"], version + 1);
        assert_eq!(house.db().query(BY).scalar::<i64>().await.unwrap(), 1);
        later(&house, 30 * MINUTE - 1).await;
        assert_eq!(holds::run(&house.app).await.unwrap(), 0);
        command(&house, &reserved, "ACCEPTED", Some(world::BED_A)).send().await.expect(200);
        invariants::hold(&house).await;
    }

    /// A card that is declined again and again does not hold a bed.
    async fn the_hold_of_a_reservation_is_extended_once(house: House) {
        let reserved = ending_in(&house, MINUTE).await;
        behave(&house, CARD, "DeclinesCharges").await;
        assert_eq!(monthly(&house).send().await.expect(201)["status"], "incomplete");
        let end = from_now(&house, 30 * MINUTE);
        assert_eq!(listed_end(&house, &reserved).await, end);
        later(&house, 29 * MINUTE).await;
        billing(&house, "restart").send().await.expect(409);
        assert_eq!(listed_end(&house, &reserved).await, end);
        later(&house, MINUTE).await;
        assert_eq!(guest(&house, &reserved).await["status"], "expired");
        assert_eq!(holds::run(&house.app).await.unwrap(), 1);
        invariants::hold(&house).await;
    }

    async fn restarting_a_subscription_extends_holds_like_starting_one(house: House) {
        let reserved = ending_in(&house, 40 * MINUTE).await;
        behave(&house, CARD, "DeclinesCharges").await;
        monthly(&house).send().await.expect(201);
        assert_eq!(listed_end(&house, &reserved).await, from_now(&house, 40 * MINUTE), "a hold is never shortened");
        later(&house, 20 * MINUTE).await;
        billing(&house, "restart").send().await.expect(409);
        assert_eq!(listed_end(&house, &reserved).await, from_now(&house, 30 * MINUTE));
    }

    async fn a_hold_that_has_ended_stays_ended_after_a_payment(house: House) {
        let reserved = ending_in(&house, 0).await;
        monthly(&house).send().await.expect(201);
        assert_eq!(guest(&house, &reserved).await["status"], "expired");
        assert_eq!(extensions(&house).await, 0);
        invariants::hold(&house).await;
    }

    /// Alternating declines and undos, before and after the extension, do not hold a bed forever either.
    async fn an_extended_hold_is_paused_for_one_decline(house: House) {
        let reserved = ending_in(&house, 10 * MINUTE).await;
        behave(&house, CARD, "DeclinesCharges").await;
        monthly(&house).send().await.expect(201);
        let end = house.app.now().plus_millis(50 * MINUTE);
        let turn = async |millis: i64| {
            command(&house, &reserved, "REJECTED", None).send().await.expect(200);
            later(&house, millis).await;
            take_back(&house, &reserved).await
        };
        assert_eq!(turn(20 * MINUTE).await.expect(200)["expiresAt"], json!(end), "30 minutes, and the 20 during which it was paused");
        invariants::hold(&house).await;
        assert_eq!(turn(20 * MINUTE).await.expect(200)["expiresAt"], json!(end));
        billing(&house, "restart").send().await.expect(409);
        assert_eq!(guest(&house, &reserved).await["expiresAt"], json!(end), "extended once");
        assert_eq!(turn(20 * MINUTE).await.refusal(409), "The hold of this reservation has ended. Add the guest again.");
        invariants::hold(&house).await;
    }

    async fn a_hold_paused_for_a_decline_is_extended_once_and_not_paused_again(house: House) {
        let reserved = ending_in(&house, 10 * MINUTE).await;
        let turn = async |millis: i64| {
            command(&house, &reserved, "REJECTED", None).send().await.expect(200);
            later(&house, millis).await;
            take_back(&house, &reserved).await.expect(200)["expiresAt"].clone()
        };
        assert_eq!(turn(HOUR).await, from_now(&house, 10 * MINUTE));
        behave(&house, CARD, "DeclinesCharges").await;
        monthly(&house).send().await.expect(201);
        let end = from_now(&house, 30 * MINUTE);
        assert_eq!(turn(20 * MINUTE).await, end);
        invariants::hold(&house).await;
    }

    async fn a_refused_payment_extends_no_hold(house: House) {
        let reserved = ending_in(&house, MINUTE).await;
        let end = from_now(&house, MINUTE);
        let unknown = json!({"siteId": world::HARBOR_HOUSE, "stripePriceId": "price_none", "subscriptionDurationInMonths": 1});
        house.post("/api/Subscriptions/site", unknown.clone()).by(world::OWNER).send().await.expect(422);
        house.post("/api/Subscriptions/site", unknown).by(world::INTAKE).send().await.expect(403);
        billing(&house, "restart").send().await.expect(409);
        assert_eq!(listed_end(&house, &reserved).await, end);
    }

    async fn an_extended_hold_is_in_the_timeline_and_makes_old_views_stale(house: House) {
        let name = async |id: usize, first: &'static str, last: &'static str| {
            let mut tx = house.db().begin().await.unwrap();
            let named = tx.query("UPDATE users SET first_name = $2, last_name = $3 WHERE id = $1");
            named.bind(world::PEOPLE[id].2).bind(first).bind(last).execute().await.unwrap();
            tx.commit().await.unwrap();
        };
        let owner = world::PEOPLE.iter().position(|person| person.0 == world::OWNER).unwrap();
        name(owner, "Mara", "Cedar").await;
        let reserved = ending_in(&house, MINUTE).await;
        let seen = guest(&house, &reserved).await["version"].clone();
        monthly(&house).send().await.expect(201);
        let events = house.get(&format!("/api/Guests/{reserved}/timeline")).by(world::INTAKE).send().await.expect(200);
        let extended = &events["events"][1];
        assert_eq!((&extended["kind"], &extended["by"]), (&json!("holdExtended"), &json!("Mara Cedar")), "{events}");
        assert_eq!(extended["heldUntil"], from_now(&house, 30 * MINUTE));
        assert_eq!(events["events"][0]["heldUntil"], Value::Null);

        let path = format!("/api/Guests/{reserved}");
        let stale = json!({"status": "ACCEPTED", "bedId": world::BED_A, "version": seen});
        let stale = house.patch(&path, stale).by(world::INTAKE).send().await.expect(412);
        assert_eq!(stale["changedBy"]["name"], "Mara Cedar", "{stale}");
        let disabled = command(&house, &reserved, "REASSIGNED", Some(world::BED_B)).send().await.expect(409);
        assert_eq!(disabled.get("changedBy"), None, "an extended hold does not cause a refusal: {disabled}");
        command(&house, &reserved, "ACCEPTED", Some(world::BED_A)).send().await.expect(200);
        let events = house.get(&format!("{path}/timeline")).by(world::INTAKE).send().await.expect(200);
        let kinds: Vec<&str> = events["events"].as_array().unwrap().iter().filter_map(|event| event["kind"].as_str()).collect();
        assert_eq!(kinds, ["reserved", "holdExtended", "accepted"]);
    }

    async fn preparing_to_pay_extends_holds_that_end_within_ten_minutes(house: House) {
        const BY: &str = "SELECT COUNT(*) FROM audit WHERE action = 'guest.hold-extended' AND actor_email = 'owner@test.example'";
        let reserved = ending_in(&house, 10 * MINUTE).await;
        billing(&house, "hold").send().await.expect(204);
        assert_eq!(listed_end(&house, &reserved).await, from_now(&house, 10 * MINUTE), "there is enough time, and the payment has not begun");
        later(&house, 1).await;
        for (by, status) in [(world::INTAKE, 403), (world::ADMIN, 403), (world::OWNER_FOREIGN, 404)] {
            let site = json!({"siteId": world::HARBOR_HOUSE});
            house.post("/api/Subscriptions/hold", site).by(by).send().await.expect(status);
        }
        assert_eq!(extensions(&house).await, 0);
        billing(&house, "hold").send().await.expect(204);
        let end = from_now(&house, 30 * MINUTE);
        assert_eq!(listed_end(&house, &reserved).await, end);
        assert_eq!(house.db().query(BY).scalar::<i64>().await.unwrap(), 1);
        later(&house, 25 * MINUTE).await;
        billing(&house, "hold").send().await.expect(204);
        monthly(&house).send().await.expect(201);
        assert_eq!(listed_end(&house, &reserved).await, end, "a hold is extended once, also by the payment itself");
        invariants::hold(&house).await;
    }

    async fn no_hold_is_extended_at_sites_that_can_accept_guests(house: House) {
        let reserved = ending_in(&house, 2 * HOUR).await;
        monthly(&house).send().await.expect(201);
        later(&house, 2 * HOUR - MINUTE).await;
        billing(&house, "hold").send().await.expect(204);
        assert_eq!((listed_end(&house, &reserved).await, extensions(&house).await), (from_now(&house, MINUTE), 0));
    }

    /// After a cancellation, the paid period continues: a new subscription in that time blocks no reservation.
    async fn no_hold_is_extended_at_a_site_with_a_paid_period(house: House) {
        begin(&house).await;
        monthly(&house).send().await.expect(201);
        billing(&house, "cancel").send().await.expect(200);
        let reserved = reserve(&house, world::HARBOR_HOUSE, 1).await;
        later(&house, 24 * HOUR - MINUTE).await;
        let end = from_now(&house, MINUTE);
        monthly(&house).send().await.expect(201);
        assert_eq!((listed_end(&house, &reserved).await, extensions(&house).await), (end, 0));
    }

    /// Race: two browsers, twice.
    async fn concurrent_payments_extend_a_hold_once(house: House) {
        let reserved = ending_in(&house, MINUTE).await;
        let answers = all_at_once((0..4).map(|_| monthly(&house)).collect()).await;
        assert_eq!(statuses(&answers).get(&201), Some(&1));
        assert_eq!(extensions(&house).await, 1);
        assert_eq!(listed_end(&house, &reserved).await, from_now(&house, 30 * MINUTE));
        assert_eq!(house.trail().await.iter().filter(|action| *action == "guest.hold-extended").count(), 1);
        invariants::hold(&house).await;
    }

    /// Race: the hold ends while an owner begins to pay, a little later each round.
    async fn a_hold_either_ends_or_is_extended(house: House) {
        begin(&house).await;
        behave(&house, CARD, "DeclinesCharges").await;
        monthly(&house).send().await.expect(201);
        for round in 0..6_u8 {
            let reserved = reserve(&house, world::HARBOR_HOUSE, usize::from(round)).await;
            house.advance(24 * HOUR - 1);
            let before = extensions(&house).await;
            let paying = tokio::spawn(billing(&house, "restart").send());
            tokio::time::sleep(Duration::from_millis(3 * u64::from(round))).await;
            house.advance(1);
            let expired = holds::run(&house.app).await.unwrap();
            paying.await.unwrap().expect(409);
            let now = guest(&house, &reserved).await;
            let is_extended = extensions(&house).await - before == 1;
            assert_eq!((now["status"] == "expired", now["status"] == "pending"), (!is_extended, is_extended), "{now}");
            assert!(!(is_extended && expired > 0), "an extended hold does not end");
            invariants::hold(&house).await;
            house.advance(DAY);
            holds::run(&house.app).await.unwrap();
        }
    }

    async fn the_database_itself_allows_one_extension_before_the_end_and_of_30_minutes(house: House) {
        const EXTEND: &str =
            "INSERT INTO hold_extensions (guest_id, old_end, new_end, extended_at) VALUES ($1, $2, $3, $4)";
        let [one, two] = [reserve(&house, world::HARBOR_HOUSE, 1).await, reserve(&house, world::HARBOR_HOUSE, 2).await];
        let extend = async |guest: &str, old_end: i64, new_end: i64, extended_at: i64| {
            let mut tx = house.db().begin().await.unwrap();
            let extend = tx.query(EXTEND).bind(guest.parse::<Uuid>().unwrap()).bind(Timestamp::from_millis(old_end));
            let extend = extend.bind(Timestamp::from_millis(new_end)).bind(Timestamp::from_millis(extended_at));
            match extend.execute().await {
                Ok(_) => tx.commit().await.map(|()| String::new()).unwrap(),
                Err(Error::Unique { constraint } | Error::Check { constraint }) => constraint,
                Err(error) => panic!("{error}"),
            }
        };
        assert_eq!(extend(&one, 10, 10 + 30 * MINUTE, 9).await, "");
        assert_eq!(extend(&one, 20, 30, 19).await, "hold_extensions_pkey");
        for new_end in [11 + 30 * MINUTE, 10, 9] {
            assert_eq!(extend(&two, 10, new_end, 8).await, "hold_extensions_length_check", "10 to {new_end}");
        }
        assert_eq!(extend(&two, 10, 20, 10).await, "hold_extensions_in_time_check");
    }
}
