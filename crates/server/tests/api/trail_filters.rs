//! The audit trail by organization, person, guest, site, action and day, and as a file; who reads which part; denied calls.

use berth_domain::time::Timestamp;
use berth_server::admin::audit_log::lists::List;
use berth_server::admin::audit_log::search::Filter;
use berth_server::jobs::audit_marks;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::audit_pages::{id_at, shift_marks};
use crate::both_engines;
use crate::harness::{Answer, HOUR, House, MINUTE, START};
use crate::steps::{add, command, id, place};
use crate::{waitlist, world};

const DAY: i64 = 24 * HOUR;

async fn page(house: &House, token: &str, filters: &str) -> Value {
    house.get(&format!("/api/EventLogs/internal?PageSize=300{filters}")).by(token).send().await.expect(200)
}

fn words<'a>(page: &'a Value, field: &str) -> Vec<&'a str> {
    page["items"].as_array().unwrap().iter().map(|row| row[field].as_str().unwrap_or("–")).collect()
}

/// A short day: two guests at Harbor House, one at Open Door, views and a move.
async fn day(house: &House) -> Value {
    let first = place(house, world::HARBOR_HOUSE, 1, world::BED_A).await;
    house.advance(HOUR);
    add(house, world::HARBOR_HOUSE, 2).await;
    add(house, world::OPEN_DOOR, 3).await;
    house.advance(DAY);
    command(house, &id(&first), "REASSIGNED", Some(world::BED_B)).send().await.expect(200);
    house.get(&format!("/api/Sites/{}", world::HARBOR_HOUSE)).by(world::STAFF).send().await.expect(200);
    house.app.reads.flush(&house.app).await.unwrap();
    first
}

/// Writes rows of two organizations, one every `step` milliseconds.
async fn write(house: &House, count: u64, from: i64, step: i64) {
    const ROWS: &str = "INSERT INTO audit (id, at, action, organization_id, site_id, summary, address, request_id) \
        VALUES ($1..)";
    let numbers: Vec<u64> = (0..count).collect();
    let mut tx = house.db().begin().await.unwrap();
    tx.insert(ROWS, &numbers, |values, number| {
        let at = from + i64::try_from(*number).unwrap() * step;
        let (organization, site) =
            if number % 3 == 0 { (world::OPEN_HANDS, world::OPEN_DOOR) } else { (world::HARBOR, world::HARBOR_HOUSE) };
        values.bind(id_at(at, *number)).bind(at).bind("guest.viewed").bind(organization).bind(site);
        values.bind("made up").bind("job").bind("");
    })
    .await
    .unwrap();
    tx.commit().await.unwrap();
}

/// The ids of an organization's rows between two times according to a plain query, newest first.
async fn plainly(house: &House, from: i64, until: i64) -> Vec<String> {
    const ROWS: &str = "SELECT id FROM audit WHERE organization_id = $1 AND at >= $2 AND at < $3 ORDER BY id DESC";
    let query = house.db().query(ROWS).bind(world::HARBOR).bind(from).bind(until);
    let rows: Vec<(Uuid,)> = query.all().await.unwrap();
    rows.into_iter().map(|(id,)| id.to_string()).collect()
}

both_engines! {
    async fn owners_read_only_the_trail_of_their_own_organization(house: House) {
        day(&house).await;
        let own = page(&house, world::OWNER, &format!("&organizationId={}", world::HARBOR)).await;
        assert_eq!(words(&own, "action"),
            ["board.viewed", "guest.reassigned", "guest.created", "guest.accepted", "guest.created"]);
        assert!(words(&own, "organizationName").iter().all(|name| *name == "Harbor Recovery"));
        assert_eq!((&own["items"][1]["fromBed"], &own["items"][1]["toBed"]), (&json!("Detox"), &json!("Treatment")));
        assert_eq!((&own["items"][0]["guestCount"], &own["isComplete"]), (&json!(1), &json!(true)));
        let all = house.get("/api/EventLogs/internal").by(world::OWNER).send().await;
        assert_eq!(all.refusal(403), "Your role does not allow this.");
        let of = |organization, token| {
            house.get(&format!("/api/EventLogs/internal?organizationId={organization}")).by(token)
        };
        of(world::FOREIGN, world::OWNER).send().await.expect(404);
        of(world::OPEN_HANDS, world::OWNER).send().await.expect(404);
        for token in [world::ADMIN, world::INTAKE, world::STAFF] {
            of(world::HARBOR, token).send().await.expect(403);
        }
        let global = page(&house, world::GLOBAL, &format!("&organizationId={}", world::HARBOR)).await;
        assert!(global["totalCount"].as_i64().unwrap() >= 5);
    }

    async fn each_filter_finds_its_rows_and_all_must_match(house: House) {
        let first = day(&house).await;
        let code = first["code"].as_str().unwrap().to_lowercase();
        let of_guest = page(&house, world::GLOBAL, &format!("&guest={code}")).await;
        assert_eq!(words(&of_guest, "action"), ["board.viewed", "guest.reassigned", "guest.accepted", "guest.created"],
            "what was done to the guest, and who saw the guest on a board");
        let of_site = page(&house, world::GLOBAL, &format!("&siteId={}", world::OPEN_DOOR)).await;
        assert_eq!(words(&of_site, "action"), ["guest.created"]);
        let of_person = page(&house, world::GLOBAL, "&person=Intake@test.example").await;
        assert_eq!(words(&of_person, "action"), ["guest.reassigned", "guest.accepted"]);
        let of_action = page(&house, world::GLOBAL, "&action=guest.created").await;
        assert_eq!(words(&of_action, "siteName"), ["Open Door", "Harbor House", "Harbor House"]);
        let both = page(&house, world::GLOBAL, &format!("&guest={code}&person=intake@test.example")).await;
        assert_eq!(words(&both, "action"), ["guest.reassigned", "guest.accepted"]);
        let day = "&from=2026-03-02T00:00:00Z&until=2026-03-03T00:00:00Z";
        let of_day = page(&house, world::GLOBAL, &format!("&guest={code}{day}")).await;
        assert_eq!(words(&of_day, "action"), ["guest.accepted", "guest.created"]);
        let of_day = page(&house, world::GLOBAL, &format!("&action=guest.created{day}")).await;
        assert_eq!(of_day["totalCount"], 3);
        let of_day = page(&house, world::GLOBAL, day).await;
        assert_eq!(words(&of_day, "action"), ["guest.created", "guest.created", "guest.accepted", "guest.created"]);
        for filter in ["&person=nobody@test.example", "&guest=NONE", "&action=guest.expired"] {
            assert_eq!(page(&house, world::GLOBAL, filter).await["totalCount"], 0, "{filter}");
        }
        let within = format!("&organizationId={}&action=guest.created", world::HARBOR);
        assert_eq!(page(&house, world::OWNER, &within).await["totalCount"], 2);
        let within = format!("&organizationId={}&guest={code}&siteId={}", world::OPEN_HANDS, world::OPEN_DOOR);
        assert_eq!(page(&house, world::OWNER_FREE, &within).await["totalCount"], 0, "a guest of another organization");
    }

    async fn a_code_finds_the_person_on_the_waitlist_and_later_in_the_bed(house: House) {
        let [first, _] = waitlist::full(&house).await;
        let waiting = waitlist::wait(&house, 3).await;
        let code = waiting["code"].as_str().unwrap().to_owned();
        let rows = async |code: &str| {
            let found = page(&house, world::GLOBAL, &format!("&guest={code}")).await;
            let mut actions: Vec<String> = words(&found, "action").into_iter().map(str::to_owned).collect();
            actions.retain(|action| !action.contains("view"));
            actions.reverse();
            actions
        };
        assert_eq!(rows(&code).await, ["waitlist.added"]);
        waitlist::free(&house, &first).await;
        let person = waitlist::person(&house, 3).await;
        let placed = waitlist::take(&house, &person).send().await.expect(201);
        let whole = ["waitlist.added", "waitlist.offer-made", "guest.created", "guest.accepted", "waitlist.offer-taken"];
        assert_eq!(rows(placed["code"].as_str().unwrap()).await, whole);
        assert_eq!(rows(&code).await, whole, "the code from the waitlist leads to the guest");
    }

    async fn an_invalid_filter_is_reported_at_its_field(house: House) {
        for (filter, error) in [
            ("action=guest.vanished", "/action: This action does not exist."),
            ("from=yesterday", "/from: Enter the time in this form: 2026-11-21T10:15:00Z."),
            ("until=2026-13-01", "/until: Enter the time in this form: 2026-11-21T10:15:00Z."),
        ] {
            let answer = house.get(&format!("/api/EventLogs/internal?{filter}")).by(world::GLOBAL).send().await;
            assert_eq!(answer.field_errors(), [error]);
        }
    }

    async fn pages_of_an_organization_and_of_days_equal_a_plain_query(house: House) {
        let from = START - 40 * DAY;
        write(&house, 9_000, from, 6 * MINUTE).await;
        let kinds = async || {
            let text = "SELECT COUNT(*) FROM audit_marks WHERE kind LIKE 'organization:%'";
            house.db().query(text).scalar::<i64>().await.unwrap()
        };
        for round in ["without marks", "with marks"] {
            for (from, until) in [(0, START * 2), (from + 3 * DAY, from + 20 * DAY), (from + 36 * DAY, START)] {
                let all = plainly(&house, from, until).await;
                for (size, number) in [(10, 1), (25, 7), (300, 2), (7, all.len() / 7), (300, 99)] {
                    let time = |millis| Timestamp::from_millis(millis).to_string();
                    let path = format!(
                        "/api/EventLogs/internal?organizationId={}&from={}&until={}&page={number}&pageSize={size}",
                        world::HARBOR, time(from), time(until)
                    );
                    let page = house.get(&path).by(world::OWNER).send().await.expect(200);
                    let start = ((number - 1) * size).min(all.len());
                    assert_eq!(words(&page, "id"), all[start..(start + size).min(all.len())], "{round}: {path}");
                    assert_eq!(page["totalCount"], json!(all.len()), "{round}: {path}");
                }
            }
            house.advance(HOUR);
            audit_marks::run(&house.app).await.unwrap();
        }
        assert!(kinds().await >= 15, "6,000 and 3,000 rows");
        assert!(!audit_marks::is_due(&house.app).await.unwrap());
        let broken = berth_server::cli::invariants::broken(house.db(), house.app.now()).await.unwrap();
        assert_eq!(broken, Vec::<String>::new());

        // Pages are counted from the marks: if these are one row too old, so is the page.
        let list = List::Organization(world::HARBOR);
        let all = plainly(&house, 0, START * 2).await;
        shift_marks(&house, list).await;
        let path = format!("/api/EventLogs/internal?organizationId={}&page=200&pageSize=10", world::HARBOR);
        let page = house.get(&path).by(world::OWNER).send().await.expect(200);
        assert_eq!(words(&page, "id"), all[1_991..2_001]);
    }

    async fn a_search_covers_the_newest_rows_and_says_if_there_are_older_ones(house: House) {
        write(&house, 31_000, START - 40 * DAY, MINUTE).await;
        let filter = Filter { site_id: Some(world::HARBOR_HOUSE), ..Filter::default() };
        let ask = berth_server::http::paging::Page::new(1, 25);
        let found = filter.find(&house.app, ask).await.unwrap();
        assert_eq!((found.total, found.is_complete), (20_000, false));
        let until = Some(Timestamp::from_millis(START - 35 * DAY));
        let found = Filter { until, ..filter }.find(&house.app, ask).await.unwrap();
        assert!(found.is_complete && found.total > 1_000, "a filter by day finds older rows");
    }

    async fn the_file_has_the_notice_the_rows_and_no_formula_and_is_recorded(house: House) {
        day(&house).await;
        house.put(&format!("/api/Rooms/{}", world::ROOM_2), json!({"name": "=1+1"})).by(world::OWNER).send().await.expect(200);
        let path = format!("/api/EventLogs/internal.csv?organizationId={}", world::HARBOR);
        let file: Answer = house.get(&path).by(world::OWNER).send().await;
        assert_eq!((file.status, file.header("content-type")), (200, "text/csv; charset=utf-8"));
        let lines: Vec<&str> = file.text.trim_start_matches('\u{feff}').lines().collect();
        assert_eq!(lines[0], "\"42 CFR part 2 prohibits unauthorized use or disclosure of these records.\"");
        assert!(lines[1].starts_with("\"Time (UTC)\",\"Who\",\"Role\",\"Action\""));
        let rows = page(&house, world::OWNER, &format!("&organizationId={}", world::HARBOR)).await;
        let before = rows["items"].as_array().unwrap().iter().filter(|row| row["action"] != "audit.exported").count();
        assert_eq!(lines.len(), 2 + before);
        assert!(lines.iter().any(|line| line.contains("\"'=1+1\"")), "{lines:#?}");
        let told: Vec<&Value> = rows["items"].as_array().unwrap().iter()
            .filter(|row| row["action"] == "audit.exported").collect();
        assert_eq!(told.len(), 1);
        assert_eq!((&told[0]["guestCount"], &told[0]["actorEmail"]), (&json!(2), &json!("owner@test.example")));
        house.get(&path).by(world::ADMIN).send().await.expect(403);
        house.get(&path).by(world::OWNER_FOREIGN).send().await.expect(404);
    }

    async fn a_file_with_too_many_rows_asks_for_fewer_days(house: House) {
        write(&house, 10_001, START - 40 * DAY, MINUTE).await;
        let answer = house.get("/api/EventLogs/internal.csv").by(world::GLOBAL).send().await;
        assert_eq!(answer.field_errors(), ["/from: A file takes at most 10,000 rows. Choose fewer days."]);
        let day = "/api/EventLogs/internal.csv?from=2026-01-25T00:00:00Z&until=2026-01-26T00:00:00Z";
        assert_eq!(house.get(day).by(world::GLOBAL).send().await.text.lines().count(), 2 + 24 * 60);
    }

    async fn the_guests_of_a_row_are_shown_by_code_and_that_is_recorded(house: House) {
        let first = day(&house).await;
        let rows = page(&house, world::OWNER, &format!("&organizationId={}", world::HARBOR)).await;
        let row = rows["items"][0]["id"].as_str().unwrap();
        let guests = |token| house.get(&format!("/api/EventLogs/internal/{row}/guests")).by(token);
        assert_eq!(guests(world::OWNER).send().await.expect(200), json!([{"id": first["id"], "code": first["code"]}]));
        guests(world::GLOBAL).send().await.expect(200);
        guests(world::ADMIN).send().await.expect(403);
        guests(world::OWNER_FOREIGN).send().await.expect(404);
        let nothing = house.get(&format!("/api/EventLogs/internal/{}/guests", Uuid::from_u128(1)));
        nothing.by(world::GLOBAL).send().await.expect(404);
        house.app.reads.flush(&house.app).await.unwrap();
        let looks = format!("&guest={}&action=audit.viewed", first["code"].as_str().unwrap());
        assert!(page(&house, world::GLOBAL, &looks).await["totalCount"].as_i64().unwrap() >= 2);
    }

    /// A typed text must not reverse the text next to it on the screen of the audit trail.
    async fn typed_text_is_recorded_without_invisible_characters(house: House) {
        const QUERIES: &str = "SELECT query FROM audit WHERE action = 'guests.listed' AND query IS NOT NULL";
        const LOGINS: &str = "SELECT actor_email FROM audit WHERE action = 'login.failed'";
        let path = format!("/api/Guests?siteId={}&Status=pending&search=%E2%80%AEevil%E2%81%A9", world::HARBOR_HOUSE);
        house.get(&path).by(world::ADMIN).send().await.expect(200);
        house.app.reads.flush(&house.app).await.unwrap();
        let queries: Vec<(String,)> = house.db().query(QUERIES).all().await.unwrap();
        assert!(queries.iter().any(|(query,)| query.contains("evil")), "{queries:?}");
        let login = "\u{202e}moc.elpmaxe@\u{2066}nimda";
        let form = [("grant_type", "password"), ("username", login), ("password", "Wrong-Harbor-1987"),
            ("client_id", "berth-web"), ("scope", "api")];
        house.form("/connect/token", &form).send().await.expect(400);
        let logins: Vec<(String,)> = house.db().query(LOGINS).all().await.unwrap();
        assert_eq!(logins, [("moc.elpmaxe@nimda".to_owned(),)]);
        let shows = |text: &String| !text.chars().any(|c| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'));
        assert!(queries.iter().chain(&logins).all(|(text,)| shows(text)), "{queries:?}");
    }

    async fn a_denied_call_is_recorded_and_a_missing_record_is_not(house: House) {
        const ROWS: &str = "SELECT actor_email, object_type, organization_id, summary, query FROM audit \
            WHERE action = 'access.denied' ORDER BY id";
        type Row = (Option<String>, Option<String>, Option<Uuid>, String, Option<String>);
        let rows = async || -> Vec<Row> {
            house.app.reads.flush(&house.app).await.unwrap();
            house.db().query(ROWS).all().await.unwrap()
        };
        let guest = id(&add(&house, world::HARBOR_HOUSE, 1).await);
        // 403: staff may see the guest, not decide.
        house.patch(&format!("/api/Guests/{guest}"), json!({"status": "REJECTED"})).by(world::STAFF).send().await.expect(403);
        let denied = rows().await;
        let call = ("staff@test.example".to_owned(), "site".to_owned(), world::HARBOR.0, "PATCH /api/Guests/{id}".to_owned());
        assert_eq!(denied, [(Some(call.0), Some(call.1), Some(call.2), "PlaceGuest".to_owned(), Some(call.3))]);
        // 404 for an existing record: it is recorded, but not shown to the organization of the record.
        house.get(&format!("/api/Guests/{guest}")).by(world::OWNER_FOREIGN).send().await.expect(404);
        let denied = rows().await;
        assert_eq!((denied.len(), denied[1].0.as_deref(), denied[1].2), (2, Some("owner.foreign@test.example"), None));
        // 404 for an unknown record, 401 and 422 are not denied calls.
        house.get(&format!("/api/Guests/{}", Uuid::from_u128(1))).by(world::INTAKE).send().await.expect(404);
        house.get(&format!("/api/Guests/{guest}")).send().await.expect(401);
        house.patch(&format!("/api/Guests/{guest}"), json!({})).by(world::INTAKE).send().await.expect(422);
        assert_eq!(rows().await.len(), 2);
        // The platform's own pages.
        house.get("/api/Dashboard/users").by(world::OWNER).send().await.expect(403);
        let denied = rows().await;
        assert_eq!((denied.len(), denied[2].3.as_str(), denied[2].2), (3, "ViewDashboard", None));
    }
}
