//! An existing site: edits with a version, houses added and renamed, removal.

use serde_json::{Value, json};

use crate::harness::HOUR;
use crate::site_steps::{
    NON_COMMERCIAL, as_it_is, count, edit, found, houses, picture, ready, remove, summaries, told, with,
};
use crate::sites::{assigned, counts, page, pending, run};
use crate::steps::{all_at_once, sorted_trail, statuses};
use crate::{both_engines, invariants, world};

both_engines! {
    async fn an_edit_shows_everywhere_at_once_and_is_recorded(house: House) {
        let body = ready(&house).await;
        assert_eq!(found(&house, "lantern").await, Vec::<String>::new());
        let mut changed = with(&body, "name", json!("Lantern <b>House</b>"));
        changed["alias"] = Value::Null;
        changed["screeningPeriod"] = json!("02:00:00:00");
        changed["serviceIds"] = json!(["prenatal"]);
        changed["lengthOfStayDaysMin"] = json!(7);
        let site = edit(&house, world::OPEN_DOOR, &changed, world::ADMIN).await.expect(200);
        assert_eq!((&site["name"], &site["lengthOfStayDaysMin"]), (&json!("Lantern House"), &json!(7)));
        assert_eq!(site["lengthOfStayDaysMax"], 90, "an omitted field is kept");
        assert_eq!(site["services"].as_array().map(Vec::len), Some(1));
        assert_eq!(found(&house, "lantern").await, ["Lantern House"]);
        for token in [world::GLOBAL, world::ADMIN, world::STAFF] {
            let seen = page(&house, world::OPEN_DOOR, token).await.expect(200);
            assert_eq!((&seen["name"], &seen["editVersion"]), (&site["name"], &json!(3)), "{token}");
        }
        let list = house.get("/api/Sites?search=lantern").by(world::STAFF).send().await.expect(200);
        assert_eq!(list["items"][0]["name"], "Lantern House");
        let trail = summaries(&house, "site.edited").await;
        assert_eq!(trail, ["changed: intake hours", "changed: name, screening period, services, shortest stay"]);

        let mut hidden = as_it_is(&house, world::OPEN_DOOR).await;
        hidden["isDisabled"] = json!(true);
        edit(&house, world::OPEN_DOOR, &hidden, world::ADMIN).await.expect(200);
        assert_eq!(found(&house, "lantern").await, Vec::<String>::new());
        assert_eq!(house.get(&format!("/api/public/sites/{}", world::OPEN_DOOR)).send().await.status, 404);
        let mut silent = as_it_is(&house, world::OPEN_DOOR).await;
        silent["isDisabled"] = Value::Null;
        silent["alias"] = json!("Still hidden");
        let site = edit(&house, world::OPEN_DOOR, &silent, world::ADMIN).await.expect(200);
        assert_eq!(site["isDisabled"], true, "an omitted field is kept");
    }

    async fn the_longest_stay_is_set_and_removed_by_editors_and_seen_by_all(house: House) {
        ready(&house).await;
        let set = async |days: i64| {
            let body = with(&as_it_is(&house, world::OPEN_DOOR).await, "lengthOfStayDaysMax", json!(days));
            edit(&house, world::OPEN_DOOR, &body, world::ADMIN).await
        };
        assert_eq!(set(45).await.expect(200)["lengthOfStayDaysMax"], 45);
        for token in [world::GLOBAL, world::OWNER_FREE, world::INTAKE, world::STAFF] {
            assert_eq!(page(&house, world::OPEN_DOOR, token).await.expect(200)["lengthOfStayDaysMax"], 45, "{token}");
        }
        for wrong in [-1, 3651] {
            let errors = set(wrong).await.field_errors();
            assert_eq!(errors, ["/lengthOfStayDaysMax: The length of stay must be 1 to 3650 days."], "{wrong}");
        }
        assert_eq!(set(0).await.expect(200)["lengthOfStayDaysMax"], Value::Null, "0 removes it");
        assert_eq!(set(0).await.expect(200)["lengthOfStayDaysMax"], Value::Null, "and once more changes nothing");
        let trail = summaries(&house, "site.edited").await;
        assert_eq!(trail[1..], ["changed: longest stay", "changed: longest stay"]);
    }

    async fn an_edit_of_an_outdated_version_is_refused_and_guest_changes_do_not_outdate_it(house: House) {
        let body = ready(&house).await;
        assigned(&house, world::OPEN_DOOR, world::BED_F, 1).await;
        let first = edit(&house, world::OPEN_DOOR, &with(&body, "alias", json!("First")), world::ADMIN).await;
        assert_eq!(first.expect(200)["editVersion"], 3);
        let second = edit(&house, world::OPEN_DOOR, &with(&body, "alias", json!("Second")), world::OWNER_FREE).await;
        let sentence = "Someone else changed this in the meantime. Here is how it is now.";
        assert_eq!(second.refusal(412), sentence);
        let by_header = |tag: &'static str| {
            let body = with(&with(&body, "alias", json!("Third")), "editVersion", Value::Null);
            house.put(&format!("{NON_COMMERCIAL}/{}", world::OPEN_DOOR), body).by(world::ADMIN).header("if-match", tag)
        };
        assert_eq!(by_header("\"2\"").send().await.status, 412);
        assert_eq!(by_header("\"3\"").send().await.expect(200)["alias"], "Third");

        let (body, version) = (as_it_is(&house, world::OPEN_DOOR).await, |site: &Value| site["version"].clone());
        let before = page(&house, world::OPEN_DOOR, world::GLOBAL).await.expect(200);
        let same = edit(&house, world::OPEN_DOOR, &with(&body, "editVersion", json!(1)), world::ADMIN).await.expect(200);
        assert_eq!((version(&same), &same["editVersion"]), (version(&before), &json!(4)), "nothing changed, so nothing is recorded");
        assert_eq!(version(&page(&house, world::OPEN_DOOR, world::GLOBAL).await.expect(200)), version(&before));
        assert_eq!(summaries(&house, "site.edited").await.len(), 3);
    }

    async fn of_two_concurrent_edits_of_the_same_version_one_wins(house: House) {
        let body = ready(&house).await;
        let path = format!("{NON_COMMERCIAL}/{}", world::OPEN_DOOR);
        let call = |alias: &str| house.put(&path, with(&body, "alias", json!(alias))).by(world::ADMIN);
        let answers = all_at_once(["Left", "Right", "Third"].into_iter().map(call).collect()).await;
        assert_eq!(statuses(&answers), [(200, 1), (412, 2)].into());
        assert_eq!(page(&house, world::OPEN_DOOR, world::ADMIN).await.expect(200)["editVersion"], 3);
    }

    async fn an_edit_adds_and_renames_houses_and_never_removes_one(house: House) {
        let body = ready(&house).await;
        let rooms = |rooms: Value| with(&body, "rooms", rooms);
        let added = rooms(json!([{"name": "Garden"}, {"beds": [{"type": "Detox", "count": 2}]}]));
        let site = edit(&house, world::OPEN_DOOR, &added, world::ADMIN).await.expect(200);
        let beds = "Sober Living #1, Sober Living #2";
        assert_eq!(houses(&site), [format!("House #1: {beds}"), "Garden: ".into(), "House #3: Detox #1, Detox #2".into()]);
        assert_eq!(counts(&house, world::OPEN_DOOR).await[..2], [3, 4]);

        let (garden, third) = (site["rooms"][1]["id"].clone(), site["rooms"][2]["id"].clone());
        let now = as_it_is(&house, world::OPEN_DOOR).await;
        let swapped = json!([{"id": garden, "name": "House #3"}, {"id": third, "name": "Garden"}]);
        let site = edit(&house, world::OPEN_DOOR, &with(&now, "rooms", swapped), world::ADMIN).await.expect(200);
        assert_eq!(houses(&site)[1..], ["House #3: ", "Garden: Detox #1, Detox #2"]);
        assert_eq!(site["rooms"][1]["version"], 2);
        let now = as_it_is(&house, world::OPEN_DOOR).await;
        let wrong = json!([{"id": garden, "name": "house #1"}, {"id": world::FAR_ROOM, "name": "Mine"}, {"name": "GARDEN"}]);
        assert_eq!(
            edit(&house, world::OPEN_DOOR, &with(&now, "rooms", wrong), world::ADMIN).await.field_errors(),
            [
                "/rooms/1/id: This house does not belong to the site.",
                "/rooms/0/name: A house with this name already exists.",
                "/rooms/2/name: A house with this name already exists.",
            ]
        );
        assert_eq!(summaries(&house, "room.edited").await, ["house Garden is now House #3", "house House #3 is now Garden"]);
        invariants::hold(&house).await;
    }

    async fn houses_of_a_commercial_site_are_changed_only_by_its_owners(house: House) {
        let photo = picture(&house, "site_front").await;
        let mut body = as_it_is(&house, world::HARBOR_HOUSE).await;
        body["intakePeriods"] = told(&Value::Null, &[])["intakePeriods"].clone();
        body["images"] = json!([{"imagePath": photo, "index": 0}]);
        body["rooms"] = json!([{"id": world::ROOM_1, "name": "House #1"}]);
        edit(&house, world::HARBOR_HOUSE, &body, world::ADMIN).await.expect(200);
        let mut body = as_it_is(&house, world::HARBOR_HOUSE).await;
        body["rooms"] = json!([{"id": world::ROOM_1, "name": "Pier"}]);
        assert_eq!(edit(&house, world::HARBOR_HOUSE, &body, world::ADMIN).await.status, 403);
        let site = edit(&house, world::HARBOR_HOUSE, &body, world::OWNER).await.expect(200);
        assert_eq!(site["rooms"][0]["name"], "Pier");
    }

    async fn a_site_in_use_cannot_be_removed(house: House) {
        const BUSY: &str = "You can't delete the site while beds are occupied or reservations pending. Discharge or decline them first.";
        let guest = assigned(&house, world::OPEN_DOOR, world::BED_F, 1).await;
        assert_eq!(remove(&house, world::OPEN_DOOR, world::OWNER_FREE).await.refusal(409), BUSY);
        run(&house, "DELETE FROM stays WHERE guest_id = $1 AND id <> $2", (guest.0, guest.0)).await;
        run(&house, "UPDATE guests SET discharged_at = accepted_at WHERE id = $1 AND id = $2", (guest.0, guest.0)).await;
        pending(&house, world::OPEN_DOOR, 2, Some(HOUR)).await;
        assert_eq!(remove(&house, world::OPEN_DOOR, world::OWNER_FREE).await.refusal(409), BUSY);
        house.advance(2 * HOUR);
        remove(&house, world::OPEN_DOOR, world::OWNER_FREE).await.expect(204);
    }

    async fn a_removed_site_is_gone_for_everyone_and_its_memberships_end(house: House) {
        remove(&house, world::OPEN_DOOR, world::OWNER_FREE).await.expect(204);
        for token in [world::GLOBAL, world::OWNER_FREE, world::ADMIN, world::STAFF] {
            assert_eq!(page(&house, world::OPEN_DOOR, token).await.status, 404);
            let list = house.get("/api/Sites?search=door").by(token).send().await.expect(200);
            assert_eq!(list["totalCount"], 0);
        }
        assert_eq!(found(&house, "door").await, Vec::<String>::new());
        assert_eq!(remove(&house, world::OPEN_DOOR, world::OWNER_FREE).await.status, 404);
        let ended = "SELECT COUNT(*) FROM memberships m JOIN sites s ON s.id = m.site_id \
            WHERE s.name = 'Open Door' AND m.deleted_at IS NOT NULL";
        assert_eq!(count(&house, ended).await, 3);
        let trail = sorted_trail(&house).await;
        let of = |action: &str| trail.iter().filter(|one| *one == action).count();
        assert_eq!((of("site.removed"), of("membership.removed")), (1, 3));
        let organization = format!("/api/Organizations/{}", world::OPEN_HANDS);
        let organization = house.get(&organization).by(world::OWNER_FREE).send().await.expect(200);
        assert_eq!(organization["siteCount"], 0);
        invariants::hold(&house).await;
    }

    async fn the_admin_a_site_was_created_with_is_shown_only_to_its_editors(house: House) {
        run(&house, "UPDATE sites SET admin_email = 'robin@test.example', admin_first_name = 'Robin', \
            admin_last_name = 'Reyes' WHERE id = $1 AND id = $2", (world::OPEN_DOOR.0, world::OPEN_DOOR.0)).await;
        for (token, seen) in [
            (world::GLOBAL, true),
            (world::OWNER_FREE, true),
            (world::ADMIN, true),
            (world::INTAKE, false),
            (world::STAFF, false),
        ] {
            let site = page(&house, world::OPEN_DOOR, token).await.expect(200);
            for name in ["adminEmail", "adminFirstName", "adminLastName"] {
                assert_eq!(site.get(name).is_some(), seen, "{token} {name}");
            }
        }
    }
}
