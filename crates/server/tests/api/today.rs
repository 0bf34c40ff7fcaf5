//! Today: what needs a decision, what is free, what happened today and whose stay ends soon, at all sites of the caller.

use berth_db::Engine;
use berth_db::testing::statements_of_this_thread;
use serde_json::{Value, json};

use crate::both_engines;
use crate::harness::{Answer, HOUR, House, MINUTE};
use crate::steps::{DAY, add, command, id, more_beds, place, reserve, undo};
use crate::world;

async fn today(house: &House, token: &str) -> Value {
    house.get("/api/Today").by(token).send().await.expect(200)
}

async fn filtered(house: &House, filter: &str) -> Value {
    house.get(&format!("/api/Today?{filter}")).by(world::INTAKE).send().await.expect(200)
}

async fn with_tag(house: &House, tag: &str) -> Answer {
    house.get("/api/Today").by(world::INTAKE).header("if-none-match", tag).send().await
}

/// One field of each row of a list.
fn each(list: &Value, pointer: &str) -> Vec<String> {
    let text = |row: &Value| row.pointer(pointer).and_then(Value::as_str).unwrap_or("–").to_owned();
    list.as_array().unwrap().iter().map(text).collect()
}

fn waiting(today: &Value) -> Vec<String> {
    each(&today["waiting"], "/guest/firstName")
}

fn site<'a>(today: &'a Value, name: &str) -> &'a Value {
    let sites = today["sites"].as_array().unwrap();
    sites.iter().find(|site| site["name"] == name).unwrap_or_else(|| panic!("{name} is not in {today}"))
}

async fn set_longest_stay(house: &House, days: i64) {
    let mut tx = house.db().begin().await.unwrap();
    let set = "UPDATE sites SET length_of_stay_days_max = $1, edit_version = edit_version + 1 WHERE id = $2";
    tx.query(set).bind(days).bind(world::HARBOR_HOUSE).execute().await.unwrap();
    tx.commit().await.unwrap();
}

both_engines! {
    async fn reservations_of_all_sites_wait_in_the_order_in_which_their_holds_end(house: House) {
        add(&house, world::HARBOR_HOUSE, 1).await;
        reserve(&house, world::HARBOR_HOUSE, 2).await;
        house.advance(MINUTE);
        reserve(&house, world::OPEN_DOOR, 3).await;
        let shown = today(&house, world::INTAKE).await;
        let holds: Vec<Option<&str>> =
            shown["waiting"].as_array().unwrap().iter().map(|row| row["guest"]["expiresAt"].as_str()).collect();
        assert!(holds[0] <= holds[1] && holds[0].is_some(), "{holds:?}");
        assert_eq!(holds[2], None, "a guest without a hold is last");
        assert_eq!(shown["waitingTotal"], 3);
        assert_eq!(waiting(&shown)[2], "Person 1");
        assert_eq!(shown["waiting"][2]["site"]["name"], "Harbor House");
        assert_eq!(shown["waiting"][2]["guest"]["services"][0]["id"].as_str().map(str::is_empty), Some(false));
    }

    async fn everybody_sees_the_sites_of_the_own_memberships_alone(house: House) {
        add(&house, world::HARBOR_HOUSE, 1).await;
        add(&house, world::OPEN_DOOR, 2).await;
        let names = async |token| (waiting(&today(&house, token).await), each(&today(&house, token).await["sites"], "/name"));
        let texts = |list: &[&str]| list.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
        let both = (texts(&["Person 1", "Person 2"]), texts(&["Harbor House", "Open Door"]));
        assert_eq!(names(world::INTAKE).await, both);
        assert_eq!(names(world::STAFF).await, both);
        assert_eq!(names(world::OWNER_FOREIGN).await, (vec![], texts(&["Far Away"])));
        assert_eq!(names(world::OWNER_FREE).await, (texts(&["Person 2"]), texts(&["Open Door"])));
        assert_eq!(names(world::GLOBAL).await, (both.0, texts(&["Far Away", "Harbor House", "Open Door"])));
        assert_eq!(house.get("/api/Today").send().await.status, 401);
        assert_eq!(house.get("/api/Today").by(world::FIRST_STEP).send().await.status, 401);
    }

    async fn staff_see_no_contact(house: House) {
        let guest = place(&house, world::HARBOR_HOUSE, 1, world::BED_A).await;
        add(&house, world::HARBOR_HOUSE, 2).await;
        set_longest_stay(&house, 1).await;
        house.advance(MINUTE);
        let full = house.get("/api/Today").by(world::INTAKE).send().await;
        assert!(full.text.contains("+17145550002") && full.text.contains("Person1@guests.example"), "{}", full.text);
        let staff = house.get("/api/Today").by(world::STAFF).send().await;
        let shown = staff.expect(200);
        assert_eq!(shown["moves"][0]["guest"]["id"], guest["id"]);
        assert_eq!(shown["soon"][0]["guest"]["id"], guest["id"]);
        for secret in ["+1714555", "guests.example"] {
            assert!(!staff.text.contains(secret), "{}", staff.text);
        }
    }

    async fn free_beds_are_vacant_ones_that_no_reservation_holds(house: House) {
        place(&house, world::HARBOR_HOUSE, 1, world::BED_C).await;
        add(&house, world::HARBOR_HOUSE, 2).await;
        add(&house, world::HARBOR_HOUSE, 3).await;
        let shown = today(&house, world::INTAKE).await;
        let counts = &site(&shown, "Harbor House")["counts"];
        assert_eq!(
            json!([counts["available"], counts["vacant"], counts["pending"], counts["occupied"], counts["disabled"]]),
            json!([1, 3, 2, 1, 1])
        );
        assert_eq!(
            site(&shown, "Harbor House")["free"],
            json!([
                {"type": "Detox", "beds": 1, "vacant": 1, "available": 1},
                {"type": "Treatment", "beds": 1, "vacant": 1, "available": 1},
                {"type": "Sober Living", "beds": 2, "vacant": 1, "available": 1},
            ])
        );
        add(&house, world::HARBOR_HOUSE, 4).await;
        let shown = today(&house, world::INTAKE).await;
        let free = site(&shown, "Harbor House")["free"].as_array().unwrap();
        assert!(free.iter().all(|row| row["available"] == 0), "{free:?}");
        let listed = house.get("/api/Sites").by(world::INTAKE).send().await.expect(200);
        assert_eq!(listed["items"][0]["counts"]["available"], 0, "the list of sites says the same");
    }

    async fn moves_of_today_are_listed_without_undone_ones(house: House) {
        let first = id(&place(&house, world::HARBOR_HOUSE, 1, world::BED_A).await);
        house.advance(1);
        command(&house, &first, "REASSIGNED", Some(world::BED_B)).send().await.expect(200);
        house.advance(1);
        let declined = id(&add(&house, world::HARBOR_HOUSE, 2).await);
        command(&house, &declined, "REJECTED", None).send().await.expect(200);
        house.advance(1);
        command(&house, &first, "DISCHARGED", None).send().await.expect(200);
        let shown = today(&house, world::STAFF).await;
        assert_eq!(each(&shown["moves"], "/kind"), ["discharged", "declined", "moved", "accepted"]);
        assert_eq!(each(&shown["moves"], "/to/bedName"), ["–", "–", "Treatment", "Detox"]);
        assert_eq!(each(&shown["moves"], "/from/bedName"), ["Treatment", "–", "Detox", "–"]);
        assert_eq!(shown["moves"][2]["from"]["roomName"], "House #1");
        assert_eq!(shown["moves"][0]["byUserId"], json!(world::PEOPLE[5].2));
        assert_eq!(shown["hasMoreMoves"], false);
        undo(&house, &declined, world::INTAKE).await.send().await.expect(200);
        undo(&house, &first, world::INTAKE).await.send().await.expect(200);
        let shown = today(&house, world::STAFF).await;
        assert_eq!(each(&shown["moves"], "/kind"), ["moved", "accepted"]);
        assert_eq!(waiting(&shown), ["Person 2"]);
        house.advance(DAY);
        assert_eq!(today(&house, world::STAFF).await["moves"], json!([]), "yesterday's");
    }

    async fn an_expired_hold_is_a_move_and_waits_no_more(house: House) {
        reserve(&house, world::HARBOR_HOUSE, 1).await;
        assert_eq!(today(&house, world::INTAKE).await["waitingTotal"], 1);
        house.advance(72 * HOUR);
        let shown = today(&house, world::INTAKE).await;
        assert_eq!((waiting(&shown), &shown["waitingTotal"]), (vec![], &json!(0)), "before any job has recorded it");
        berth_server::jobs::holds::run(&house.app).await.unwrap();
        let shown = today(&house, world::INTAKE).await;
        assert_eq!(each(&shown["moves"], "/kind"), ["expired"]);
        assert_eq!(shown["moves"][0]["by"], Value::Null);
    }

    async fn stays_near_or_above_the_longest_stay_are_listed_the_longest_first(house: House) {
        place(&house, world::HARBOR_HOUSE, 1, world::BED_A).await;
        house.advance(4 * DAY);
        place(&house, world::HARBOR_HOUSE, 2, world::BED_B).await;
        house.advance(2 * DAY);
        place(&house, world::HARBOR_HOUSE, 3, world::BED_C).await;
        assert_eq!(today(&house, world::INTAKE).await["soonTotal"], 0, "the site has no longest stay");
        set_longest_stay(&house, 5).await;
        let shown = today(&house, world::INTAKE).await;
        let rows: Vec<(&str, i64)> = shown["soon"].as_array().unwrap().iter()
            .map(|row| (row["guest"]["firstName"].as_str().unwrap(), row["daysLeft"].as_i64().unwrap())).collect();
        assert_eq!(rows, [("Person 1", -1), ("Person 2", 3)]);
        assert_eq!(shown["soon"][0]["maximumStayDays"], 5);
        assert_eq!(shown["soonTotal"], 2);
    }

    async fn filters_choose_guests_by_need_and_sites_by_offer(house: House) {
        add(&house, world::HARBOR_HOUSE, 1).await;
        add(&house, world::OPEN_DOOR, 2).await;
        let site = format!("siteId={}", world::OPEN_DOOR);
        let shown = filtered(&house, &site).await;
        assert_eq!((waiting(&shown), each(&shown["sites"], "/name")), (vec!["Person 2".into()], vec!["Open Door".into()]));
        assert_eq!(waiting(&filtered(&house, "service=mental-health").await), ["Person 1", "Person 2"]);
        assert_eq!(waiting(&filtered(&house, "service=adults").await).len(), 0);
        let unknown = house.get("/api/Today?service=no-such-service").by(world::INTAKE).send().await;
        assert_eq!(unknown.field_errors(), ["/service: This value cannot be used here."]);
        let private = filtered(&house, "payer=PrivatePay").await;
        assert_eq!(waiting(&private), ["Person 1"]);
        let medi_cal = filtered(&house, "payer=MediCal").await;
        assert_eq!(waiting(&medi_cal), ["Person 2"], "Medi-Cal Orange County");
        let insurance = filtered(&house, "payer=Insurance").await;
        assert_eq!(each(&insurance["sites"], "/name"), ["Open Door"], "Harbor Recovery works with no insurer");
        let foreign = format!("siteId={}", world::FAR_AWAY);
        assert_eq!(house.get(&format!("/api/Today?{foreign}")).by(world::INTAKE).send().await.status, 404);
        assert_eq!(house.get("/api/Today?payer=gold").by(world::INTAKE).send().await.status, 422);
    }

    async fn the_answer_is_the_same_until_one_of_the_sites_changes(house: House) {
        let guest = id(&place(&house, world::HARBOR_HOUSE, 1, world::BED_A).await);
        let mut tag = house.get("/api/Today").by(world::INTAKE).send().await.header("etag").to_owned();
        assert_eq!(with_tag(&house, &tag).await.status, 304);
        let mut changed = async |what: &str| {
            let answer = with_tag(&house, &tag).await;
            assert_eq!(answer.status, 200, "{what}");
            tag = answer.header("etag").to_owned();
            assert_eq!(with_tag(&house, &tag).await.status, 304, "{what}");
        };
        command(&house, &guest, "REASSIGNED", Some(world::BED_B)).send().await.expect(200);
        changed("a move").await;
        add(&house, world::OPEN_DOOR, 2).await;
        changed("a reservation at another site").await;
        more_beds(&house, 1).await;
        changed("a bed").await;
        set_longest_stay(&house, 1).await;
        changed("an edit of the site").await;
        house.advance(DAY);
        changed("midnight").await;
    }

    async fn while_nothing_is_committed_only_the_session_is_read(house: House) {
        add(&house, world::HARBOR_HOUSE, 1).await;
        for person in [world::INTAKE, world::GLOBAL] {
            let first = today(&house, person).await;
            house.app.reads.flush(&house.app).await.unwrap();
            assert_eq!(today(&house, person).await, first);
            let before = statements_of_this_thread();
            assert_eq!(today(&house, person).await, first);
            // On PostgreSQL a task looks up the session, and commits to other databases of the server make a new state as well.
            let expected = if house.db().engine() == Engine::Sqlite { 1..=1 } else { 0..=1 };
            let count = statements_of_this_thread() - before;
            assert!(expected.contains(&count), "{count} statements");
        }
    }

    async fn a_change_by_another_program_is_seen(house: House) {
        let other = house.database.another_node().await;
        for person in [world::INTAKE, world::GLOBAL] {
            let tag = house.get("/api/Today").by(person).send().await.header("etag").to_owned();
            let mut tx = other.begin().await.unwrap();
            tx.query("UPDATE sites SET version = version + 1 WHERE id = $1").bind(world::HARBOR_HOUSE).execute().await.unwrap();
            let before = house.get("/api/Today").by(person).header("if-none-match", &tag).send().await;
            assert_eq!(before.status, 304, "not yet committed");
            tx.commit().await.unwrap();
            let after = house.get("/api/Today").by(person).header("if-none-match", &tag).send().await;
            assert_eq!(after.status, 200);
        }
    }

    async fn each_site_has_a_row_that_names_its_guests(house: House) {
        const ROWS: &str = "SELECT a.site_id, a.query, s.guest_id FROM audit a JOIN guest_sets s ON s.id = a.guest_set_id \
            WHERE a.action = 'guests.listed' ORDER BY s.guest_id";
        let first = id(&add(&house, world::HARBOR_HOUSE, 1).await);
        let second = id(&add(&house, world::OPEN_DOOR, 2).await);
        today(&house, world::STAFF).await;
        today(&house, world::STAFF).await;
        house.app.reads.flush(&house.app).await.unwrap();
        let rows: Vec<(uuid::Uuid, String, uuid::Uuid)> = house.db().query(ROWS).all().await.unwrap();
        let mut expected =
            [(world::HARBOR_HOUSE.0, "today".to_owned(), first.parse().unwrap()), (world::OPEN_DOOR.0, "today".to_owned(), second.parse().unwrap())];
        expected.sort_by_key(|row| row.2);
        assert_eq!(rows, expected, "a look that shows the same guests is recorded once");
    }

    async fn the_same_guests_of_a_site_are_recorded_again_after_15_minutes_whatever_the_other_sites_show(house: House) {
        add(&house, world::HARBOR_HOUSE, 1).await;
        add(&house, world::OPEN_DOOR, 2).await;
        let rows = async || {
            today(&house, world::STAFF).await;
            house.app.reads.flush(&house.app).await.unwrap();
            let count = async |site| {
                let text = "SELECT COUNT(*) FROM audit WHERE action = 'guests.listed' AND site_id = $1";
                house.db().query(text).bind(site).scalar::<i64>().await.unwrap()
            };
            (count(world::HARBOR_HOUSE).await, count(world::OPEN_DOOR).await)
        };
        assert_eq!((rows().await, rows().await), ((1, 1), (1, 1)));
        house.advance(10 * MINUTE);
        add(&house, world::OPEN_DOOR, 3).await;
        assert_eq!((rows().await, rows().await), ((1, 2), (1, 2)), "another guest at one of the sites");
        house.advance(5 * MINUTE);
        assert_eq!((rows().await, rows().await), ((2, 2), (2, 2)), "15 minutes after the first look");
        house.advance(10 * MINUTE);
        assert_eq!((rows().await, rows().await), ((2, 3), (2, 3)), "15 minutes after the look at the third guest");
    }

    async fn a_look_with_another_role_has_a_row_of_its_own(house: House) {
        const ROWS: &str = "SELECT COUNT(*) FROM audit WHERE action = $1 AND actor_role = $2 AND site_id = $3";
        add(&house, world::HARBOR_HOUSE, 1).await;
        let rows = async |action, role| {
            today(&house, world::STAFF).await;
            house.app.reads.flush(&house.app).await.unwrap();
            house.db().query(ROWS).bind(action).bind(role).bind(world::HARBOR_HOUSE).scalar::<i64>().await.unwrap()
        };
        assert_eq!(rows("guests.listed", "Staff").await, 1);
        let (_, _, staff, _) = world::PEOPLE.into_iter().find(|person| person.0 == world::STAFF).unwrap();
        let mut tx = house.db().begin().await.unwrap();
        tx.query("UPDATE memberships SET role = 'Intake' WHERE user_id = $1").bind(staff).execute().await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(rows("guests.listed", "Intake").await, 1, "in the same session, minutes later");
        assert_eq!(rows("guests.listed", "Intake").await, 1);
    }
}
