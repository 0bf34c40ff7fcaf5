//! The bed report of a site as a file.

use serde_json::{Value, json};

use crate::harness::{Answer, House};
use crate::sites::assigned;
use crate::{both_engines, world};

async fn report(house: &House, file: &str, token: &str) -> Answer {
    house.get(&format!("/api/Sites/{}/beds.{file}", world::HARBOR_HOUSE)).by(token).send().await
}

/// A guest in bed A, a bed name that could be a formula, and a reason for the disabled bed.
async fn day(house: &House) -> Value {
    let guest = assigned(house, world::HARBOR_HOUSE, world::BED_A, 1).await;
    let bed = |name: &str, kind: &str, more: Value| {
        let mut body = json!({"name": name, "type": kind, "disabled": false});
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        body
    };
    let put = async |id: berth_domain::id::BedId, body: Value| {
        house.put(&format!("/api/Beds/{id}"), body).by(world::OWNER).send().await.expect(200);
    };
    put(world::BED_B, bed("=1+1;@x", "Treatment", json!({}))).await;
    let outage = json!({"disabled": true, "disabledReason": "-Paint", "expectedBack": "2026-12-01"});
    put(world::BED_E, bed("Quiet", "Detox", outage)).await;
    let guest = house.get(&format!("/api/Guests/{guest}")).by(world::OWNER).send().await.expect(200);
    json!([guest["id"], guest["code"], guest["firstName"], guest["lastName"]])
}

both_engines! {
    async fn a_report_lists_the_beds_of_the_tab_below_the_totals_of_the_site(house: House) {
        let guest = day(&house).await;
        let file = report(&house, "csv", world::STAFF).await;
        assert_eq!(file.status, 200, "{}", file.text);
        assert_eq!(file.header("content-type"), "text/csv; charset=utf-8");
        assert_eq!(file.header("cache-control"), "no-store");
        let name = "attachment; filename=\"berth-harbor-house-2026-03-02.csv\"";
        assert_eq!(file.header("content-disposition"), name);
        let (first, last) = (guest[2].as_str().unwrap(), guest[3].as_str().unwrap());
        let person = format!("\"{first} {last}.\",{},\"1\"", guest[1]);
        let lines: Vec<&str> = file.text.trim_start_matches('\u{feff}').lines().collect();
        assert_eq!(lines, [
            "\"Bed report: Harbor House\"",
            "\"Harbor Recovery\"",
            "\"Whole site: 3 available, 3 vacant, 0 held, 1 occupied, 1 disabled\"",
            "\"Listed below: All Beds\"",
            "\"As of 2026-03-02 10:00 PST, saved by Test Person\"",
            "\"Confidential. 42 CFR part 2 prohibits unauthorized use or disclosure of these records.\"",
            "\"House\",\"Bed\",\"Type\",\"State\",\"Guest\",\"Code\",\"Days stayed\",\"Disabled\",\"Reason\",\"Expected back\"",
            &format!("\"House #1\",\"Detox\",\"Detox\",\"Occupied\",{person},\"\",\"\",\"\""),
            "\"House #1\",\"'=1+1;'@x\",\"Treatment\",\"Vacant\",\"\",\"\",\"\",\"\",\"\",\"\"",
            "\"House #1\",\"Sober Living\",\"Sober Living\",\"Vacant\",\"\",\"\",\"\",\"\",\"\",\"\"",
            "\"House #2\",\"Sober Living #1\",\"Sober Living\",\"Vacant\",\"\",\"\",\"\",\"\",\"\",\"\"",
            "\"House #2\",\"Quiet\",\"Detox\",\"Disabled\",\"\",\"\",\"\",\"Out of service\",\"'-Paint\",\"2026-12-01\"",
        ]);

        let vacant = report(&house, "csv?beds=vacant&language=es", world::STAFF).await;
        let lines: Vec<&str> = vacant.text.trim_start_matches('\u{feff}').lines().collect();
        assert_eq!(lines[2], "\"Todo el centro: disponibles 3, libres 3, reservadas 0, ocupadas 1, desactivadas 1\"");
        assert_eq!(lines[3], "\"Camas de esta lista: Libres\"");
        assert_eq!(lines.len(), 7 + 3);
        assert!(lines[7..].iter().all(|line| line.contains("\"Libre\"")), "{lines:#?}");
        let occupied = report(&house, "csv?beds=occupied", world::STAFF).await;
        assert_eq!(occupied.text.lines().count(), 7 + 1);
    }

    async fn a_workbook_has_the_same_texts_and_no_formula(house: House) {
        let guest = day(&house).await;
        let file = report(&house, "xlsx", world::INTAKE).await;
        let media_type = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
        assert_eq!((file.status, file.header("content-type")), (200, media_type));
        assert_eq!(file.header("cache-control"), "no-store");
        let name = "attachment; filename=\"berth-harbor-house-2026-03-02.xlsx\"";
        assert_eq!(file.header("content-disposition"), name);
        let texts = ["Bed report: Harbor House", "Whole site: 3 available, 3 vacant, 0 held, 1 occupied, 1 disabled", "=1+1;@x", "-Paint"];
        for text in texts.into_iter().chain([guest[1].as_str().unwrap()]) {
            assert!(file.text.contains(&format!("\"{text}\"")), "{text}: {}", file.text);
        }
        assert!(!file.text.contains("<f>"), "{}", file.text);
        let vacant = report(&house, "xlsx?beds=vacant", world::INTAKE).await;
        assert!(!vacant.text.contains(guest[1].as_str().unwrap()), "a guest of another tab");
    }

    async fn a_report_is_recorded_with_the_guests_it_names(house: House) {
        const ROWS: &str = "SELECT actor_email, summary, query, CAST((SELECT COUNT(*) FROM guest_sets s \
            WHERE s.id = a.guest_set_id) AS BIGINT) FROM audit a WHERE action = 'board.exported' ORDER BY id";
        day(&house).await;
        report(&house, "csv", world::STAFF).await;
        report(&house, "csv", world::STAFF).await;
        report(&house, "xlsx?beds=vacant", world::GLOBAL).await;
        let rows: Vec<(String, String, String, i64)> = house.db().query(ROWS).all().await.unwrap();
        let row = |email: &str, summary: &str, query: &str, guests| {
            (email.to_owned(), summary.to_owned(), query.to_owned(), guests)
        };
        assert_eq!(rows, [
            row("staff@test.example", "5 beds as a csv file", "beds all", 1),
            row("staff@test.example", "5 beds as a csv file", "beds all", 1),
            row("global@test.example", "3 beds as a xlsx file", "beds vacant", 0),
        ]);
    }

    async fn a_report_needs_access_to_the_site_and_valid_filters(house: House) {
        for file in ["csv", "xlsx"] {
            assert_eq!(report(&house, file, world::OWNER_FOREIGN).await.status, 404);
            let wrong = report(&house, &format!("{file}?beds=broken"), world::STAFF).await;
            assert_eq!(wrong.field_errors(), ["/beds: Choose one of: all, vacant, occupied."]);
            let wrong = report(&house, &format!("{file}?language=tlh"), world::STAFF).await;
            assert_eq!(wrong.field_errors(), ["/language: Choose one of: en, es."]);
        }
    }
}
