//! Merging two reservations of one person, and undoing that (docs/decisions/0070).

use serde_json::{Value, json};

use crate::harness::{Answer, HOUR, House, MINUTE};
use crate::steps::{add, all_at_once, command, form, guest, guest_texts, id, phone, place, reserve, statuses, undo};
use crate::{both_engines, invariants, world};

/// Merges `duplicate` into `kept`.
async fn merge(house: &House, by: &'static str, kept: &str, duplicate: &str) -> Answer {
    house.post(&format!("/api/Guests/{kept}/merge"), json!({"duplicateId": duplicate})).by(by).send().await
}

async fn unmerge(house: &House, by: &'static str, duplicate: &str) -> Answer {
    let version = guest(house, duplicate).await["version"].clone();
    house.post(&format!("/api/Guests/{duplicate}/unmerge"), json!({"version": version})).by(by).send().await
}

async fn earlier(house: &House, guest: &str) -> Vec<Value> {
    let path = format!("/api/Guests/{guest}/earlier");
    house.get(&path).by(world::ADMIN).send().await.expect(200)["items"].as_array().unwrap().clone()
}

/// The ids of the earlier reservations of a guest that a caller sees.
async fn earlier_by(house: &House, by: &'static str, guest: &str) -> Vec<String> {
    let path = format!("/api/Guests/{guest}/earlier");
    let answer = house.get(&path).by(by).send().await.expect(200);
    answer["items"].as_array().unwrap().iter().map(id).collect()
}

/// The ids of the reservations that Harbor House finds for a phone or an email.
async fn asked(house: &House, by: &'static str, mut person: Value) -> Vec<String> {
    person["siteId"] = json!(world::HARBOR_HOUSE);
    let answer = house.post("/api/Guests/earlier", person).by(by).send().await.expect(200);
    answer["items"].as_array().unwrap().iter().map(id).collect()
}

/// Makes Far Away a site of Harbor Recovery, at which only the owner has a role.
async fn far_away_in_harbor(house: &House) {
    const MOVE: &str = "UPDATE sites SET organization_id = $1 WHERE id = $2";
    let mut tx = house.db().begin().await.unwrap();
    tx.query(MOVE).bind(world::HARBOR).bind(world::FAR_AWAY).execute().await.unwrap();
    tx.commit().await.unwrap();
}

/// Makes the intake user staff at Far Away.
async fn make_intake_staff_of_far_away(house: &House) {
    const STAFF: &str = "INSERT INTO memberships (id, user_id, role, site_id, status, created_at) \
        VALUES ($1, $2, 'Staff', $3, 'Active', 0) ON CONFLICT (id) DO NOTHING";
    let mut tx = house.db().begin().await.unwrap();
    let staff = tx.query(STAFF).bind(uuid::Uuid::from_u128(0xfa)).bind(world::PEOPLE[5].2);
    staff.bind(world::FAR_AWAY).execute().await.unwrap();
    tx.commit().await.unwrap();
}

async fn events(house: &House, guest: &str) -> Vec<(String, String)> {
    let path = format!("/api/Guests/{guest}/timeline");
    let timeline = house.get(&path).by(world::INTAKE).send().await.expect(200);
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let events = timeline["events"].as_array().unwrap();
    events.iter().map(|event| (text(&event["kind"]), text(&event["mergedWith"]))).collect()
}

fn kinds(events: &[(String, String)]) -> Vec<&str> {
    events.iter().map(|(kind, _)| kind.as_str()).collect()
}

/// The person of number 1 again, at the same site, with another phone.
async fn again(house: &House) -> String {
    let mut again = form(world::HARBOR_HOUSE, 1);
    again["phone"] = json!("(714) 555-0042");
    id(&house.post("/api/Guests", again).by(world::ADMIN).send().await.expect(201))
}

/// The beds that Harbor House can still promise.
async fn available(house: &House) -> i64 {
    let path = format!("/api/Sites/{}", world::HARBOR_HOUSE);
    house.get(&path).by(world::ADMIN).send().await.expect(200)["counts"]["available"].as_i64().unwrap()
}

both_engines! {
    async fn a_pending_duplicate_ends_with_its_hold_and_nobody_is_told_that_it_was_declined(house: House) {
        let kept = id(&place(&house, world::HARBOR_HOUSE, 1, world::BED_A).await);
        let duplicate = reserve(&house, world::HARBOR_HOUSE, 1).await;
        let before = available(&house).await;
        // The text about the bed of the first one is sent.
        house.advance(MINUTE);
        let texts = guest_texts(&house, &phone(1)).await.len();
        let merged = merge(&house, world::ADMIN, &kept, &duplicate).await.expect(200);
        assert_eq!((&merged["id"], &merged["status"], &merged["version"]), (&json!(duplicate), &json!("rejected"), &json!(2)));
        assert_eq!((&merged["mergedAt"], merged["mergedAt"].is_string()), (&merged["rejectedAt"], true));
        assert_eq!(available(&house).await, before + 1);
        assert_eq!(guest(&house, &kept).await["status"], "accepted", "the one that is kept is as it was");
        house.advance(HOUR);
        assert_eq!(guest_texts(&house, &phone(1)).await.len(), texts);
        let numbers = house.get(&format!("/api/Sites/{}/numbers?from=2026-03-01&to=2026-03-02", world::HARBOR_HOUSE));
        let numbers = numbers.by(world::ADMIN).send().await.expect(200);
        assert_eq!((&numbers["decisionsFromSearch"]["decisions"], &numbers["holds"]["declined"]), (&json!(0), &json!(0)));
        invariants::hold(&house).await;
    }

    async fn an_undone_merge_gives_the_reservation_back_with_the_hold_that_it_had(house: House) {
        let kept = id(&place(&house, world::HARBOR_HOUSE, 1, world::BED_A).await);
        let duplicate = reserve(&house, world::HARBOR_HOUSE, 1).await;
        let end = guest(&house, &duplicate).await["expiresAt"].clone();
        merge(&house, world::OWNER, &kept, &duplicate).await.expect(200);
        house.advance(2 * HOUR);
        let back = unmerge(&house, world::ADMIN, &duplicate).await.expect(200);
        assert_eq!((&back["status"], &back["expiresAt"], &back["mergedAt"], &back["rejectedAt"]),
            (&json!("pending"), &end, &Value::Null, &Value::Null));
        assert_eq!(unmerge(&house, world::ADMIN, &duplicate).await.refusal(409), "This reservation is not merged into another one.");
        command(&house, &duplicate, "ACCEPTED", Some(world::BED_B)).send().await.expect(200);
        invariants::hold(&house).await;
    }

    async fn an_undone_merge_whose_hold_is_over_leaves_an_expired_reservation(house: House) {
        let kept = id(&place(&house, world::HARBOR_HOUSE, 1, world::BED_A).await);
        let duplicate = reserve(&house, world::HARBOR_HOUSE, 1).await;
        merge(&house, world::ADMIN, &kept, &duplicate).await.expect(200);
        house.advance(80 * HOUR);
        let back = unmerge(&house, world::ADMIN, &duplicate).await.expect(200);
        assert_eq!((&back["status"], &back["expiredAt"]), (&json!("expired"), &back["expiresAt"]));
        invariants::hold(&house).await;
    }

    async fn an_undone_merge_needs_a_bed(house: House) {
        let kept = id(&place(&house, world::OPEN_DOOR, 1, world::BED_F).await);
        let duplicate = id(&add(&house, world::OPEN_DOOR, 1).await);
        merge(&house, world::OWNER_FREE, &kept, &duplicate).await.expect(200);
        add(&house, world::OPEN_DOOR, 2).await;
        let refused = unmerge(&house, world::OWNER_FREE, &duplicate).await;
        assert_eq!(refused.refusal(409),
            "This cannot be undone now, because no bed is vacant. Free a bed or decline another reservation first.");
        assert!(guest(&house, &duplicate).await["mergedAt"].is_string());
        invariants::hold(&house).await;
    }

    async fn a_merged_reservation_gets_no_bed_until_the_merge_is_undone(house: House) {
        let kept = id(&place(&house, world::HARBOR_HOUSE, 1, world::BED_A).await);
        let duplicate = again(&house).await;
        merge(&house, world::ADMIN, &kept, &duplicate).await.expect(200);
        let sentence = "This reservation was merged into another one. Undo the merge first.";
        let accept = command(&house, &duplicate, "ACCEPTED", Some(world::BED_B)).send().await;
        assert_eq!(accept.refusal(409), sentence);
        assert_eq!(undo(&house, &duplicate, world::ADMIN).await.send().await.refusal(409), sentence);
        let gone = id(&place(&house, world::HARBOR_HOUSE, 2, world::BED_B).await);
        command(&house, &gone, "DISCHARGED", None).send().await.expect(200);
        merge(&house, world::ADMIN, &kept, &gone).await.expect(200);
        assert_eq!(undo(&house, &gone, world::ADMIN).await.send().await.refusal(409), sentence, "nor the bed of a past stay");
        invariants::hold(&house).await;
    }

    async fn no_bed_and_no_pending_reservation_is_lost(house: House) {
        let past = id(&place(&house, world::HARBOR_HOUSE, 1, world::BED_A).await);
        command(&house, &past, "DISCHARGED", None).send().await.expect(200);
        let pending = again(&house).await;
        assert_eq!(merge(&house, world::ADMIN, &past, &pending).await.refusal(409),
            "This reservation is pending, and the one that you want to keep has ended. Keep the pending one.");
        let in_bed = id(&place(&house, world::HARBOR_HOUSE, 2, world::BED_B).await);
        assert_eq!(merge(&house, world::ADMIN, &pending, &in_bed).await.refusal(409),
            "This guest has a bed. Keep this reservation, or discharge the guest first.");
        merge(&house, world::ADMIN, &pending, &past).await.expect(200);
        assert_eq!(merge(&house, world::ADMIN, &in_bed, &pending).await.refusal(409),
            "Other reservations were merged into this one. Keep it, or undo those merges first.");
        assert_eq!(merge(&house, world::ADMIN, &past, &in_bed).await.refusal(409),
            "The reservation that you want to keep was merged into another one. Open that one instead.");
        invariants::hold(&house).await;
    }

    async fn only_admins_and_above_merge_and_only_within_the_organization(house: House) {
        let kept = id(&place(&house, world::HARBOR_HOUSE, 1, world::BED_A).await);
        let duplicate = again(&house).await;
        for by in [world::INTAKE, world::STAFF] {
            assert_eq!(merge(&house, by, &kept, &duplicate).await.status, 403);
            assert_eq!(unmerge(&house, by, &duplicate).await.status, 403);
        }
        let elsewhere = house.post("/api/Guests", form(world::FAR_AWAY, 3)).by(world::GLOBAL).send().await.expect(201);
        let at = ["/duplicateId: Choose another reservation of this person at the same organization."];
        for (by, other) in [(world::ADMIN, id(&elsewhere)), (world::GLOBAL, id(&elsewhere)), (world::ADMIN, kept.clone()),
            (world::ADMIN, uuid::Uuid::from_u128(7).to_string())] {
            assert_eq!(merge(&house, by, &kept, &other).await.field_errors(), at);
        }
        assert_eq!(merge(&house, world::ADMIN, &id(&elsewhere), &duplicate).await.status, 404);
        invariants::hold(&house).await;
    }

    async fn a_merge_names_the_version_that_was_seen_and_happens_once(house: House) {
        let kept = id(&place(&house, world::HARBOR_HOUSE, 1, world::BED_A).await);
        let duplicate = again(&house).await;
        let path = format!("/api/Guests/{kept}/merge");
        let stale = house.post(&path, json!({"duplicateId": duplicate, "version": 7})).by(world::ADMIN).send().await;
        let shown = stale.expect(412);
        assert_eq!((&shown["guest"]["id"], &shown["guest"]["version"]), (&json!(duplicate), &json!(1)), "as it is now");
        let ask = || house.post(&path, json!({"duplicateId": duplicate, "version": 1})).by(world::ADMIN)
            .header("idempotency-key", "merge-once");
        let (first, second) = (ask().send().await.expect(200), ask().send().await.expect(200));
        assert_eq!(first, second);
        let undone = format!("/api/Guests/{duplicate}/unmerge");
        let shown = house.post(&undone, json!({"version": 1})).by(world::ADMIN).send().await.expect(412);
        assert_eq!((&shown["guest"]["version"], &shown["changedBy"]["isYou"]), (&json!(2), &json!(true)), "who merged it");
        invariants::hold(&house).await;
    }

    async fn both_timelines_tell_of_the_merge_and_of_its_undo(house: House) {
        let kept = id(&place(&house, world::HARBOR_HOUSE, 1, world::BED_A).await);
        let duplicate = again(&house).await;
        merge(&house, world::ADMIN, &kept, &duplicate).await.expect(200);
        unmerge(&house, world::ADMIN, &duplicate).await.expect(200);
        merge(&house, world::ADMIN, &kept, &duplicate).await.expect(200);
        let name = |guest: &Value| guest["displayName"].as_str().unwrap().to_owned();
        let (kept_name, name) = (name(&guest(&house, &kept).await), name(&guest(&house, &duplicate).await));
        let of_kept = events(&house, &kept).await;
        assert_eq!(kinds(&of_kept), ["reserved", "accepted", "mergedHere", "mergeUndone", "mergedHere"]);
        assert!(of_kept[2..].iter().all(|(_, with)| *with == name), "{of_kept:?}");
        let of_duplicate = events(&house, &duplicate).await;
        assert_eq!(kinds(&of_duplicate), ["reserved", "merged", "mergeUndone", "merged"]);
        assert!(of_duplicate[1..].iter().all(|(_, with)| *with == kept_name), "{of_duplicate:?}");
    }

    async fn whoever_may_not_see_the_site_of_the_other_reservation_is_not_told_its_name(house: House) {
        far_away_in_harbor(&house).await;
        let kept = id(&place(&house, world::HARBOR_HOUSE, 1, world::BED_A).await);
        let far = id(&house.post("/api/Guests", form(world::FAR_AWAY, 2)).by(world::OWNER).send().await.expect(201));
        merge(&house, world::OWNER, &kept, &far).await.expect(200);
        let path = format!("/api/Guests/{kept}/timeline");
        let with = |timeline: Value| timeline["events"][2]["mergedWith"].clone();
        assert!(with(house.get(&path).by(world::OWNER).send().await.expect(200)).is_string());
        for by in [world::ADMIN, world::INTAKE, world::STAFF] {
            assert_eq!(with(house.get(&path).by(by).send().await.expect(200)), Value::Null);
        }
    }

    async fn a_merged_reservation_is_found_as_the_same_person_whatever_its_phone(house: House) {
        let mut other = form(world::HARBOR_HOUSE, 9);
        other["email"] = json!("other@guests.example");
        let old = id(&house.post("/api/Guests", other).by(world::ADMIN).send().await.expect(201));
        command(&house, &old, "REJECTED", None).send().await.expect(200);
        let kept = id(&place(&house, world::HARBOR_HOUSE, 1, world::BED_A).await);
        assert_eq!(earlier(&house, &kept).await.len(), 0);
        merge(&house, world::ADMIN, &kept, &old).await.expect(200);
        let known = earlier(&house, &kept).await;
        assert_eq!((&known[0]["id"], &known[0]["merged"], &known[0]["version"]), (&json!(old), &json!("duplicate"), &json!(3)));
        assert_eq!(earlier(&house, &old).await[0]["merged"], "kept");
        // Another reservation with the phone of the kept one.
        let third = id(&add(&house, world::HARBOR_HOUSE, 1).await);
        let known = earlier(&house, &third).await;
        assert_eq!(known.iter().map(|item| item["id"].as_str().unwrap()).collect::<Vec<_>>(), [kept.as_str(), old.as_str()]);
        assert_eq!((&known[0]["merged"], &known[1]["merged"]), (&Value::Null, &Value::Null));
        assert!(known[1]["mergedAt"].is_string());
    }

    async fn a_merge_confirms_no_phone_or_email_of_a_reservation_that_the_caller_may_not_see(house: House) {
        far_away_in_harbor(&house).await;
        let kept = id(&place(&house, world::HARBOR_HOUSE, 1, world::BED_A).await);
        let far = id(&house.post("/api/Guests", form(world::FAR_AWAY, 2)).by(world::OWNER).send().await.expect(201));
        let mut same_phone = form(world::HARBOR_HOUSE, 3);
        same_phone["phone"] = json!("(714) 555-0002");
        let same_phone = id(&house.post("/api/Guests", same_phone).by(world::INTAKE).send().await.expect(201));
        merge(&house, world::OWNER, &kept, &far).await.expect(200);
        let (phone, email) = (json!({"phone": "(714) 555-0002"}), json!({"email": "person2@guests.example"}));
        for _ in 0..2 {
            assert_eq!(asked(&house, world::INTAKE, phone.clone()).await, [same_phone.as_str()]);
            assert_eq!(asked(&house, world::INTAKE, email.clone()).await, Vec::<String>::new());
            assert_eq!(earlier_by(&house, world::INTAKE, &same_phone).await, Vec::<String>::new());
            // Nor is it told to whoever may see the other reservation without its contact.
            make_intake_staff_of_far_away(&house).await;
        }
        assert_eq!(asked(&house, world::OWNER, phone).await, [same_phone.as_str(), far.as_str(), kept.as_str()]);
        assert_eq!(asked(&house, world::OWNER, email).await, [far.as_str(), kept.as_str()]);
        assert_eq!(earlier_by(&house, world::OWNER, &same_phone).await, [far.as_str(), kept.as_str()]);
    }

    async fn two_reservations_are_not_one_persons_through_a_third_that_the_caller_may_not_see(house: House) {
        far_away_in_harbor(&house).await;
        let one = id(&add(&house, world::HARBOR_HOUSE, 1).await);
        let other = id(&add(&house, world::HARBOR_HOUSE, 2).await);
        let far = id(&house.post("/api/Guests", form(world::FAR_AWAY, 3)).by(world::OWNER).send().await.expect(201));
        for duplicate in [&one, &other] {
            merge(&house, world::OWNER, &far, duplicate).await.expect(200);
        }
        assert_eq!(earlier_by(&house, world::INTAKE, &one).await, Vec::<String>::new());
        assert_eq!(asked(&house, world::INTAKE, json!({"phone": "(714) 555-0001"})).await, [one.as_str()]);
        assert_eq!(earlier_by(&house, world::OWNER, &one).await, [far.as_str(), other.as_str()]);
    }

    async fn the_guest_of_a_merged_reservation_is_not_told_that_it_was_declined(house: House) {
        let kept = id(&place(&house, world::HARBOR_HOUSE, 1, world::BED_A).await);
        let duplicate = reserve(&house, world::HARBOR_HOUSE, 1).await;
        merge(&house, world::ADMIN, &kept, &duplicate).await.expect(200);
        let code = guest(&house, &duplicate).await["code"].as_str().unwrap().to_owned();
        let state = house.get(&format!("/api/public/reservations/{code}")).header("phone-last-four", "0001").send().await;
        assert_eq!(state.expect(200)["status"], "merged");
    }

    async fn of_two_merges_of_the_same_two_at_once_one_happens(house: House) {
        let one = id(&add(&house, world::HARBOR_HOUSE, 1).await);
        let other = again(&house).await;
        let ask = |kept: &str, duplicate: &str| {
            house.post(&format!("/api/Guests/{kept}/merge"), json!({"duplicateId": duplicate})).by(world::ADMIN)
        };
        let calls = (0..8).map(|n| if n % 2 == 0 { ask(&one, &other) } else { ask(&other, &one) }).collect();
        let answers = all_at_once(calls).await;
        assert_eq!(statuses(&answers), [(200, 1), (409, 7)].into());
        invariants::hold(&house).await;
    }
}
