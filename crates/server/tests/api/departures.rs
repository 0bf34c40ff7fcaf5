//! The day on which a guest is expected to leave: who may set it, and where it is shown.

use serde_json::{Value, json};

use crate::both_engines;
use crate::harness::{Ask, House};
use crate::steps::{DAY, add, command, guest, id, place};
use crate::world;

fn set(house: &House, guest: &str, day: &Value) -> Ask {
    house.put(&format!("/api/Guests/{guest}/departure"), json!({"expectedDeparture": day})).by(world::INTAKE)
}

both_engines! {
    async fn the_day_of_departure_is_shown_with_the_guest_on_the_board_and_in_today(house: House) {
        let guest_id = id(&place(&house, world::HARBOR_HOUSE, 1, world::BED_A).await);
        let answer = set(&house, &guest_id, &json!("2026-03-04")).send().await;
        let changed = answer.expect(200);
        assert_eq!((&changed["expectedDeparture"], &changed["version"]), (&json!("2026-03-04"), &json!(3)));
        assert_eq!(answer.header("etag"), "\"3\"");
        let beds = house.get(&format!("/api/Beds?siteId={}", world::HARBOR_HOUSE)).by(world::STAFF).send().await.expect(200);
        assert!(beds.to_string().contains("\"expectedDeparture\":\"2026-03-04\""), "{beds}");
        let today = house.get("/api/Today").by(world::STAFF).send().await.expect(200);
        assert_eq!(today["soon"][0]["daysLeft"], 2);
        assert_eq!(today["soon"][0]["maximumStayDays"], 90);
        house.advance(4 * DAY);
        let today = house.get("/api/Today").by(world::STAFF).send().await.expect(200);
        assert_eq!(today["soon"][0]["daysLeft"], -2);
        let changed = set(&house, &guest_id, &Value::Null).send().await.expect(200);
        assert_eq!(changed["expectedDeparture"], Value::Null);
        assert_eq!(house.get("/api/Today").by(world::STAFF).send().await.expect(200)["soonTotal"], 0);
    }

    async fn a_new_day_has_not_passed_and_a_stored_one_may(house: House) {
        let guest_id = id(&place(&house, world::HARBOR_HOUSE, 1, world::BED_A).await);
        let errors = async |day: &str| set(&house, &guest_id, &json!(day)).send().await.field_errors();
        assert_eq!(errors("2026-03-01").await, ["/expectedDeparture: Choose today or a later day."]);
        assert_eq!(errors("soon").await, ["/expectedDeparture: Enter the day in this form: 2026-12-01."]);
        set(&house, &guest_id, &json!("2026-03-02")).send().await.expect(200);
        house.advance(3 * DAY);
        set(&house, &guest_id, &json!("2026-03-02")).send().await.expect(200);
    }

    async fn only_a_guest_with_a_bed_is_expected_to_leave(house: House) {
        let pending = id(&add(&house, world::HARBOR_HOUSE, 1).await);
        let refusal = set(&house, &pending, &json!("2026-03-04")).send().await.refusal(409);
        assert_eq!(refusal, "This guest has no bed yet. Accept the reservation first.");
        assert_eq!(guest(&house, &pending).await["version"], 1);
    }

    async fn an_old_version_sets_no_day_and_staff_may_not(house: House) {
        let guest_id = id(&place(&house, world::HARBOR_HOUSE, 1, world::BED_A).await);
        assert_eq!(set(&house, &guest_id, &json!("2026-03-04")).header("if-match", "\"1\"").send().await.status, 412);
        let by_staff = house.put(&format!("/api/Guests/{guest_id}/departure"), json!({"expectedDeparture": null}));
        assert_eq!(by_staff.by(world::STAFF).send().await.status, 403);
        command(&house, &guest_id, "DISCHARGED", None).send().await.expect(200);
        let refusal = set(&house, &guest_id, &json!("2026-03-04")).send().await.refusal(409);
        assert_eq!(refusal, "This guest has been discharged. Add the guest again to give a bed.");
    }

    async fn the_same_day_again_changes_nothing_and_a_missing_day_is_an_error(house: House) {
        let guest_id = id(&place(&house, world::HARBOR_HOUSE, 1, world::BED_A).await);
        for _ in 0..3 {
            assert_eq!(set(&house, &guest_id, &json!("2026-03-04")).send().await.expect(200)["version"], 3);
        }
        let empty = house.put(&format!("/api/Guests/{guest_id}/departure"), json!({})).by(world::INTAKE).send().await;
        assert_eq!(empty.field_errors(), ["/expectedDeparture: Required field."]);
        assert_eq!(guest(&house, &guest_id).await["expectedDeparture"], "2026-03-04");
    }
}
