//! The statistics of a site and of an organization (docs/decisions/0053), compared with a simple count of a generated
//! history, and step by step.

mod history;
mod plain;

use axum::http::Method;
use berth_domain::id::{BedId, SiteId};
use serde_json::{Value, json};

use self::history::{QUARTER, discharges_between_midnights, history, write};
use self::plain::{Plain, compare};
use crate::both_engines;
use crate::harness::{Answer, HOUR, House, MINUTE};
use crate::steps::{DAY, add, command, id, place, reserve, undo};
use crate::world;

async fn ask(house: &House, rest: &str, token: &str) -> Answer {
    house.get(&format!("/api/Sites/{}/{rest}", world::HARBOR_HOUSE)).by(token).send().await
}

async fn numbers(house: &House, rest: &str) -> Value {
    ask(house, &format!("numbers?{rest}"), world::ADMIN).await.expect(200)
}

/// Date, occupied and enabled beds of each day.
fn days(numbers: &Value) -> Vec<(String, f64, f64)> {
    let row = |day: &Value| {
        (day["date"].as_str().unwrap().to_owned(), day["occupied"].as_f64().unwrap(), day["enabled"].as_f64().unwrap())
    };
    numbers["occupancy"]["days"].as_array().unwrap().iter().map(row).collect()
}

fn day(date: &str, occupied: f64, enabled: f64) -> (String, f64, f64) {
    (date.to_owned(), occupied, enabled)
}

fn counts(bands: &Value) -> Vec<i64> {
    bands.as_array().unwrap().iter().map(|band| band["count"].as_i64().unwrap()).collect()
}

async fn end(house: &House, guest: &str, status: &str, feedback: Option<&str>) {
    let body = json!({"status": status, "feedback": feedback});
    house.patch(&format!("/api/Guests/{guest}"), body).by(world::INTAKE).send().await.expect(200);
}

async fn set_bed(house: &House, bed: BedId, disabled: bool) {
    let bed = house.get(&format!("/api/Beds/{bed}")).by(world::OWNER).send().await.expect(200);
    let body = json!({"name": bed["name"], "type": bed["type"], "disabled": disabled});
    house.put(&format!("/api/Beds/{}", id(&bed)), body).by(world::OWNER).send().await.expect(200);
}

/// Makes all beds old, so that days before the start of the test world count.
async fn old_beds(house: &House) {
    let mut tx = house.db().begin().await.unwrap();
    tx.query("UPDATE beds SET created_at = 0").execute().await.unwrap();
    tx.query("UPDATE bed_outages SET started_at = 0").execute().await.unwrap();
    tx.commit().await.unwrap();
}

both_engines! {
    async fn the_numbers_equal_a_simple_count_of_a_long_history_in_each_time_zone(house: House) {
        const MOVE: &str = "UPDATE sites SET organization_id = $1, time_zone = 'America/New_York' WHERE id = $2";
        const NO_BEDS: &str = "UPDATE beds SET created_at = 4102444800000";
        crate::sites::run(&house, MOVE, (world::HARBOR.0, world::OPEN_DOOR.0)).await;
        // After the clocks changed on March 8. Today is the 20th at both sites.
        house.advance(18 * DAY + QUARTER);
        let now = house.app.now().millis();
        let (mut beds, mut guests) = history(world::HARBOR_HOUSE, 1, now);
        let (more_beds, more_guests) = history(world::OPEN_DOOR, 2, now);
        beds.extend(more_beds);
        guests.extend(more_guests);
        let mut tx = house.db().begin().await.unwrap();
        tx.query(NO_BEDS).execute().await.unwrap();
        tx.query("DELETE FROM bed_outages").execute().await.unwrap();
        tx.commit().await.unwrap();
        guests.extend(discharges_between_midnights());
        write(&house, &beds, &guests).await;
        assert!(guests.iter().any(|past| past.stays.len() == 3) && guests.iter().any(|past| past.stays.iter().any(|stay| stay.2.is_none())));
        assert!(beds.iter().any(|bed| bed.removed.is_some()) && beds.iter().any(|bed| bed.outages.len() > 2));
        let is_new_york = |site: SiteId| site == world::OPEN_DOOR;
        for (range, first, last) in [
            ("", 20_503, 20_532),
            ("days=72", 20_461, 20_532),
            ("from=2026-02-10&to=2026-03-08", 20_494, 20_520),
            ("from=2026-01-20&to=2026-02-28", 20_473, 20_512),
        ] {
            for site in [world::HARBOR_HOUSE, world::OPEN_DOOR] {
                let answer = house.get(&format!("/api/Sites/{site}/numbers?{range}")).by(world::ADMIN).send().await.expect(200);
                let beds = beds.iter().filter(|bed| bed.site == site).collect();
                let guests = guests.iter().filter(|past| past.site == site).collect();
                compare(&answer, &Plain { beds, guests, first, last, now, is_new_york: &is_new_york });
            }
            let path = format!("/api/Organizations/{}/numbers?{range}", world::HARBOR);
            let answer = house.get(&path).by(world::OWNER).send().await.expect(200);
            let (beds, guests) = (beds.iter().collect(), guests.iter().collect());
            compare(&answer, &Plain { beds, guests, first, last, now, is_new_york: &is_new_york });
        }
    }

    async fn a_bed_counts_for_the_part_of_a_day_it_is_occupied_and_enabled(house: House) {
        old_beds(&house).await;
        // March 2, 10 a.m.: four enabled beds.
        let first = id(&place(&house, world::HARBOR_HOUSE, 1, world::BED_A).await);
        house.advance(8 * HOUR);
        // 18:00. A guest was here for six hours, and one bed was disabled during that time.
        let second = id(&place(&house, world::HARBOR_HOUSE, 2, world::BED_B).await);
        set_bed(&house, world::BED_C, true).await;
        house.advance(6 * HOUR);
        end(&house, &second, "DISCHARGED", None).await;
        set_bed(&house, world::BED_C, false).await;
        house.advance(12 * HOUR);
        // March 3, noon: the current time counts as the end of the day.
        assert_eq!(days(&numbers(&house, "days=3").await),
            [day("2026-03-01", 0.0, 4.0), day("2026-03-02", 0.83, 3.75), day("2026-03-03", 1.0, 4.0)]);
        house.advance(12 * HOUR);
        end(&house, &first, "DISCHARGED", None).await;
        house.advance(6 * DAY + 6 * HOUR);
        let nothing = numbers(&house, "from=2026-03-04&to=2026-03-09").await;
        assert!(days(&nothing).iter().all(|(_, occupied, enabled)| (*occupied, *enabled) == (0.0, 4.0)), "{nothing}");
        assert_eq!(nothing["occupancy"]["share"], 0.0);
    }

    async fn a_guest_who_stays_through_a_day_of_23_hours_fills_a_bed_that_day(house: House) {
        place(&house, world::HARBOR_HOUSE, 1, world::BED_A).await;
        house.advance(8 * DAY);
        let answer = numbers(&house, "from=2026-03-07&to=2026-03-09").await;
        assert_eq!(days(&answer), [day("2026-03-07", 1.0, 4.0), day("2026-03-08", 1.0, 4.0), day("2026-03-09", 1.0, 4.0)]);
        assert_eq!(answer["occupancy"]["share"], 0.25);
        assert_eq!(answer["occupancy"]["days"][1]["share"], 0.25);
    }

    async fn moves_and_swaps_change_no_occupancy_and_start_no_new_stay(house: House) {
        old_beds(&house).await;
        house.advance(14 * HOUR);
        let first = id(&place(&house, world::HARBOR_HOUSE, 1, world::BED_A).await);
        let second = id(&place(&house, world::HARBOR_HOUSE, 2, world::BED_B).await);
        // Moved at the same moment, then twice more.
        command(&house, &first, "REASSIGNED", Some(world::BED_C)).send().await.expect(200);
        for (bed, status) in [(world::BED_B, "SWAP"), (world::BED_A, "REASSIGNED")] {
            house.advance(4 * HOUR);
            command(&house, &first, status, Some(bed)).send().await.expect(200);
        }
        house.advance(16 * HOUR);
        end(&house, &second, "DISCHARGED", None).await;
        house.advance(9 * DAY);
        end(&house, &first, "DISCHARGED", None).await;
        let answer = numbers(&house, "from=2026-03-02&to=2026-03-04").await;
        assert_eq!(days(&answer), [day("2026-03-02", 0.0, 4.0), day("2026-03-03", 2.0, 4.0), day("2026-03-04", 1.0, 4.0)]);
        assert_eq!(answer["decisionsByHand"]["decisions"], 2);
        assert_eq!(answer["lengthOfStay"]["guests"], 1);
        let all = numbers(&house, "").await;
        assert_eq!(all["lengthOfStay"]["averageDays"], 5.5, "1 night and 10 nights: {all}");
        assert_eq!(counts(&all["lengthOfStay"]["bands"]), [1, 1, 0, 0, 0]);
    }

    async fn an_undone_discharge_does_not_count_and_the_stay_keeps_its_first_day(house: House) {
        old_beds(&house).await;
        let guest = id(&place(&house, world::HARBOR_HOUSE, 1, world::BED_A).await);
        house.advance(14 * HOUR);
        end(&house, &guest, "DISCHARGED", Some("By mistake")).await;
        house.advance(12 * HOUR);
        // March 3, noon. The bed was vacant for half of the day, and another guest could have had it.
        assert_eq!(numbers(&house, "days=2").await["lengthOfStay"]["guests"], 1);
        undo(&house, &guest, world::ADMIN).await.send().await.expect(200);
        house.advance(2 * DAY + 12 * HOUR);
        let open = numbers(&house, "days=5").await;
        assert_eq!(open["lengthOfStay"]["guests"], 0);
        assert_eq!(open["dischargeReasons"], json!({"guests": 0, "chosen": [], "listed": [], "other": 0, "none": 0}));
        assert_eq!(open["decisionsByHand"]["decisions"], 1, "the new stay does not count as a new decision");
        assert_eq!(days(&open)[..3].iter().map(|day| day.1).collect::<Vec<_>>(), [0.58, 0.5, 1.0]);
        end(&house, &guest, "DISCHARGED", None).await;
        let ended = numbers(&house, "days=5").await;
        assert_eq!((&ended["lengthOfStay"]["guests"], &ended["lengthOfStay"]["medianDays"]), (&json!(1), &json!(4.0)));
    }

    async fn an_undone_accept_counts_as_no_decision_ended_hold_or_occupancy(house: House) {
        old_beds(&house).await;
        let guest = reserve(&house, world::HARBOR_HOUSE, 1).await;
        house.advance(2 * HOUR);
        command(&house, &guest, "ACCEPTED", Some(world::BED_A)).send().await.expect(200);
        let accepted = numbers(&house, "days=2").await;
        assert_eq!((&accepted["holds"]["accepted"], &accepted["decisionsFromSearch"]["medianMinutes"]), (&json!(1), &json!(120.0)));
        house.advance(9_000);
        undo(&house, &guest, world::INTAKE).await.send().await.expect(200);
        let undone = numbers(&house, "days=2").await;
        assert_eq!(undone["holds"]["ended"], 0);
        assert_eq!((&undone["decisionsFromSearch"]["decisions"], &undone["decisionsByHand"]["decisions"]), (&json!(0), &json!(0)));
        // The guest is accepted in the end: one decision, after all these hours, and one stay from then on.
        house.advance(10 * HOUR - 9_000);
        assert_eq!(days(&numbers(&house, "days=1").await)[0].1, 0.0, "nobody was in a bed for any time");
        command(&house, &guest, "ACCEPTED", Some(world::BED_A)).send().await.expect(200);
        house.advance(14 * HOUR);
        let again = numbers(&house, "days=2").await;
        assert_eq!((&again["holds"]["ended"], &again["holds"]["accepted"]), (&json!(1), &json!(1)));
        let search = &again["decisionsFromSearch"];
        assert_eq!((&search["decisions"], &search["medianMinutes"]), (&json!(1), &json!(720.0)));
        assert_eq!(days(&again).iter().map(|day| day.1).collect::<Vec<_>>(), [0.08, 1.0]);
    }

    async fn holds_end_by_decision_cancellation_or_expiry_and_only_decisions_are_timed(house: House) {
        let reserved = [1, 2, 3, 4];
        let mut guests = Vec::new();
        for number in reserved {
            guests.push(reserve(&house, world::HARBOR_HOUSE, number).await);
        }
        house.advance(2 * HOUR + 30_000);
        command(&house, &guests[0], "ACCEPTED", Some(world::BED_A)).send().await.expect(200);
        house.advance(2 * HOUR);
        end(&house, &guests[1], "REJECTED", None).await;
        let guest = house.get(&format!("/api/Guests/{}", guests[2])).by(world::ADMIN).send().await.expect(200);
        let digits = guest["phone"].as_str().unwrap().chars().rev().take(4).collect::<Vec<_>>();
        let last: String = digits.into_iter().rev().collect();
        let path = format!("/api/public/reservations/{}/cancel", guest["code"].as_str().unwrap());
        house.ask(Method::POST, &path).json(json!({"phoneLastFour": last})).send().await.expect(200);
        let by_hand = id(&add(&house, world::HARBOR_HOUSE, 5).await);
        house.advance(10 * MINUTE);
        command(&house, &by_hand, "ACCEPTED", Some(world::BED_B)).send().await.expect(200);
        let before = numbers(&house, "days=2").await["holds"].clone();
        assert_eq!(before, json!({"ended": 3, "accepted": 1, "declined": 1, "cancelled": 1, "expired": 0, "expiredShare": 0.0}));
        // An expired hold, before and after a job records it.
        house.advance(24 * HOUR);
        let holds = json!({"ended": 4, "accepted": 1, "declined": 1, "cancelled": 1, "expired": 1, "expiredShare": 0.25});
        assert_eq!(numbers(&house, "days=2").await["holds"], holds);
        berth_server::jobs::holds::run(&house.app).await.unwrap();
        let answer = numbers(&house, "days=2").await;
        assert_eq!(answer["holds"], holds);
        let search = &answer["decisionsFromSearch"];
        assert_eq!((&search["decisions"], &search["medianMinutes"], &search["ninetiethMinutes"]), (&json!(2), &json!(180.0), &json!(240)));
        assert_eq!(counts(&search["bands"]), [0, 2, 0, 0, 0]);
        assert_eq!(answer["decisionsByHand"]["medianMinutes"], 10.0);
        assert_eq!(answer["declineReasons"]["guests"], 1, "a guest who cancels is not declined");
    }

    async fn reasons_that_may_describe_one_guest_are_not_sent(house: House) {
        for (number, text) in [Some("Called twice, no answer."), Some("called twice, NO answer"), Some("Called twice, no answer."),
            Some("Jordan P has left town"), None].into_iter().enumerate() {
            let guest = id(&add(&house, world::HARBOR_HOUSE, number).await);
            end(&house, &guest, "REJECTED", text).await;
        }
        let answer = ask(&house, "numbers", world::OWNER).await;
        assert_eq!(answer.json()["declineReasons"], json!({
            "guests": 5, "chosen": [], "listed": [{"reason": "Called twice, no answer.", "guests": 3}], "other": 1, "none": 1}));
        let files = [ask(&house, "numbers.csv?figure=reasons", world::OWNER).await, ask(&house, "numbers.xlsx?figure=reasons", world::OWNER).await];
        for answer in files.iter().chain([&answer]) {
            for secret in ["Jordan", "Person 1", "714"] {
                assert!(!answer.text.contains(secret), "{secret}: {}", answer.text);
            }
        }
    }

    async fn site_numbers_are_for_its_admins_and_organization_numbers_for_its_owners(house: House) {
        let site = async |file: &str, token: &str| ask(&house, file, token).await.status;
        for file in ["numbers", "numbers.csv", "numbers.xlsx"] {
            for (token, status) in [(world::GLOBAL, 200), (world::OWNER, 200), (world::ADMIN, 200), (world::INTAKE, 403),
                (world::STAFF, 403), (world::OWNER_FREE, 404), (world::OWNER_FOREIGN, 404)] {
                assert_eq!(site(file, token).await, status, "{file} {token}");
            }
            let path = format!("/api/Organizations/{}/{file}", world::HARBOR);
            for (token, status) in [(world::GLOBAL, 200), (world::OWNER, 200), (world::ADMIN, 403), (world::INTAKE, 403),
                (world::STAFF, 403), (world::OWNER_FREE, 404)] {
                assert_eq!(house.get(&path).by(token).send().await.status, status, "{file} {token}");
            }
        }
    }

    async fn each_file_of_numbers_is_recorded_and_a_view_is_not(house: House) {
        ask(&house, "numbers", world::OWNER).await.expect(200);
        ask(&house, "numbers.csv?figure=names", world::OWNER).await.expect(422);
        ask(&house, "numbers.csv?days=2&figure=holds&language=es", world::ADMIN).await;
        ask(&house, "numbers.xlsx?days=1", world::OWNER).await;
        let path = format!("/api/Organizations/{}/numbers.csv?days=1&figure=reasons", world::HARBOR);
        assert_eq!(house.get(&path).by(world::OWNER).send().await.status, 200);
        type Row = (String, String, Option<uuid::Uuid>, Option<uuid::Uuid>);
        let rows = house.db().query("SELECT summary, object_type, organization_id, site_id FROM audit \
            WHERE action = 'numbers.exported' ORDER BY id");
        let rows: Vec<Row> = rows.all().await.unwrap();
        let (harbor, site) = (Some(world::HARBOR.0), Some(world::HARBOR_HOUSE.0));
        let row = |summary: &str, kind: &str, site| (summary.to_owned(), kind.to_owned(), harbor, site);
        assert_eq!(rows, [
            row("How holds ended, 2026-03-01 to 2026-03-02, as a csv file", "site", site),
            row("Occupancy by day, 2026-03-02 to 2026-03-02, as a xlsx file", "site", site),
            row("Reasons, 2026-03-02 to 2026-03-02, as a csv file", "organization", None),
        ]);
    }

    async fn a_wrong_range_is_reported_at_its_field(house: House) {
        let wrong = async |rest: &str| ask(&house, rest, world::ADMIN).await.field_errors();
        assert_eq!(wrong("numbers?from=yesterday&to=2026-03-03").await,
            ["/from: Enter the day in this form: 2026-12-01.", "/to: Choose today or an earlier day."]);
        assert_eq!(wrong("numbers?from=2026-03-02&to=2026-03-01").await, ["/from: Choose a first day that is not after the last day."]);
        assert_eq!(wrong("numbers?from=2025-03-01").await, ["/from: Choose at most 366 days."]);
        assert_eq!(wrong("numbers?days=400").await, ["/days: Choose 1 to 366 days."]);
        assert_eq!(wrong("numbers.csv?figure=names").await,
            ["/figure: Choose one of: occupancy, lengthOfStay, decisions, holds, reasons."]);
        assert_eq!(wrong("numbers.xlsx?language=tlh").await, ["/language: Choose one of: en, es."]);
        let year = numbers(&house, "from=2025-03-02").await;
        assert_eq!((&year["from"], &year["to"], days(&year).len()), (&json!("2025-03-02"), &json!("2026-03-02"), 366));
    }

    async fn an_organizations_range_ends_on_a_day_that_has_begun_at_each_site(house: House) {
        const MOVE: &str = "UPDATE sites SET organization_id = $1, time_zone = 'Pacific/Auckland' WHERE id = $2";
        crate::sites::run(&house, MOVE, (world::HARBOR.0, world::OPEN_DOOR.0)).await;
        // March 2 in California, March 3 in New Zealand.
        let organization = async |rest: &str| {
            house.get(&format!("/api/Organizations/{}/numbers?{rest}", world::HARBOR)).by(world::OWNER).send().await
        };
        assert_eq!(organization("days=1").await.expect(200)["to"], "2026-03-02");
        assert_eq!(organization("to=2026-03-03").await.field_errors(), ["/to: Choose today or an earlier day."]);
        let path = format!("/api/Sites/{}/numbers?days=1", world::OPEN_DOOR);
        assert_eq!(house.get(&path).by(world::OWNER).send().await.expect(200)["to"], "2026-03-03");
    }

    async fn an_organization_without_sites_has_empty_numbers(house: House) {
        const GONE: &str = "UPDATE sites SET deleted_at = 1 WHERE organization_id IN ($1, $2)";
        old_beds(&house).await;
        crate::sites::run(&house, GONE, (world::HARBOR.0, world::HARBOR.0)).await;
        let answer = house.get(&format!("/api/Organizations/{}/numbers?days=2", world::HARBOR)).by(world::OWNER);
        let answer = answer.send().await.expect(200);
        assert_eq!(days(&answer), [day("2026-03-01", 0.0, 0.0), day("2026-03-02", 0.0, 0.0)]);
        assert_eq!((&answer["occupancy"]["share"], &answer["holds"]["expiredShare"]), (&Value::Null, &Value::Null));
        assert_eq!(answer["lengthOfStay"]["medianDays"], Value::Null);
    }

    async fn each_table_is_exported_as_a_file_in_the_readers_language(house: House) {
        old_beds(&house).await;
        let guest = id(&place(&house, world::HARBOR_HOUSE, 1, world::BED_A).await);
        house.advance(14 * HOUR);
        end(&house, &guest, "DISCHARGED", Some("Done")).await;
        let held = reserve(&house, world::HARBOR_HOUSE, 2).await;
        house.advance(HOUR);
        end(&house, &held, "REJECTED", None).await;
        let file = async |rest: &str| {
            let answer = ask(&house, &format!("numbers.csv?days=2&{rest}"), world::ADMIN).await;
            assert_eq!((answer.status, answer.header("cache-control")), (200, "no-store"));
            answer.text.trim_start_matches('\u{feff}').lines().map(str::to_owned).collect::<Vec<_>>()
        };
        let made = "\"As of 2026-03-03 01:00 PST, saved by Test Person\"";
        let days = "\"2026-03-02 to 2026-03-03\"";
        assert_eq!(file("").await, [
            "\"Occupancy by day: Harbor House\"", days, "\"Whole range: 7.3%\"", made,
            "\"Day\",\"Occupied beds\",\"Enabled beds\",\"Occupancy (%)\"",
            "\"2026-03-02\",\"0.58\",\"4\",\"14.58\"", "\"2026-03-03\",\"0\",\"4\",\"0\"",
        ]);
        assert_eq!(file("figure=lengthOfStay").await, [
            "\"Length of stay: Harbor House\"", days, "\"Median: 1 day\"", "\"Average: 1 day\"", made,
            "\"Days\",\"Guests\",\"Share (%)\"", "\"1 to 7\",\"1\",\"100\"", "\"8 to 30\",\"0\",\"0\"",
            "\"31 to 60\",\"0\",\"0\"", "\"61 to 90\",\"0\",\"0\"", "\"91 or more\",\"0\",\"0\"",
        ]);
        assert_eq!(file("figure=decisions").await[2..], [
            "\"From the search, median (minutes): 60\"", "\"From the search, 90% decided within (minutes): 60\"",
            "\"Added by hand, median (minutes): 0\"", "\"Added by hand, 90% decided within (minutes): 0\"", made,
            "\"Time to decision\",\"From the search\",\"Added by hand\"", "\"Up to 1 hour\",\"1\",\"1\"",
            "\"Up to 4 hours\",\"0\",\"0\"", "\"Up to 12 hours\",\"0\",\"0\"", "\"Up to 24 hours\",\"0\",\"0\"",
            "\"More than 24 hours\",\"0\",\"0\"",
        ]);
        assert_eq!(file("figure=holds").await[2..], [
            "\"Expired: 0%\"", made, "\"Ended by\",\"Holds\",\"Share (%)\"", "\"Guest accepted\",\"0\",\"0\"",
            "\"Guest declined\",\"1\",\"100\"", "\"Cancelled by the guest\",\"0\",\"0\"", "\"No decision in time\",\"0\",\"0\"",
        ]);
        assert_eq!(file("figure=reasons&language=es").await, [
            "\"Motivos: Harbor House\"", "\"Del 2026-03-02 al 2026-03-03\"",
            "\"Otros motivos: comentarios dados para menos de 3 huéspedes\"",
            "\"Situación del 2026-03-03 01:00 PST, guardado por Test Person\"",
            "\"Decisión\",\"Motivo\",\"Huéspedes\"", "\"Rechazado\",\"Otros motivos\",\"0\"", "\"Rechazado\",\"Sin motivo\",\"1\"",
            "\"Dado de alta\",\"Otros motivos\",\"1\"", "\"Dado de alta\",\"Sin motivo\",\"0\"",
        ]);
        let path = format!("/api/Organizations/{}/numbers.xlsx?figure=holds&language=es", world::HARBOR);
        let book = house.get(&path).by(world::OWNER).send().await;
        let name = "attachment; filename=\"berth-harbor-recovery-plazos-de-reserva-2026-03-03.xlsx\"";
        assert_eq!((book.status, book.header("content-disposition")), (200, name));
        for text in ["Plazos de reserva: Harbor Recovery", "Sin decisión a tiempo"] {
            assert!(book.text.contains(text), "{text}: {}", book.text);
        }
    }
}
