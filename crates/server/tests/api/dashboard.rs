//! The dashboard of global admins: its lists, their order, and their files.

use serde_json::{Value, json};

use crate::both_engines;
use crate::harness::{HOUR, House};
use crate::sites::{assigned, pending, run};
use crate::world;

async fn list(house: &House, path: &str) -> Value {
    house.get(&format!("/api/Dashboard/{path}")).by(world::GLOBAL).send().await.expect(200)
}

/// One field of a list's rows, in order.
async fn column(house: &House, path: &str, field: &str) -> Vec<String> {
    let page = list(house, path).await;
    let text = |row: &Value| row[field].as_str().map_or_else(|| row[field].to_string(), str::to_owned);
    page["items"].as_array().unwrap().iter().map(text).collect()
}

/// Gives people different names: in the test world, all are called Test Person.
async fn name_people(house: &House) {
    const NAMES: &str = "UPDATE users SET first_name = $2, last_name = $3 WHERE id = $1";
    let names = [
        ("Gil", "Ames"),
        ("Olga", "Zorn"),
        ("Omar", "de Witt"),
        ("Olive", "Ames"),
        ("Ada", "Élan"),
        ("Ina", "Berg"),
        ("Sam", "berg"),
    ];
    let mut tx = house.db().begin().await.unwrap();
    for ((_, _, id, _), (first, last)) in world::PEOPLE.iter().zip(names) {
        tx.query(NAMES).bind(*id).bind(first).bind(last).execute().await.unwrap();
    }
    tx.commit().await.unwrap();
}

fn cells(csv: &str) -> Vec<Vec<String>> {
    let mut rows = vec![vec![String::new()]];
    let mut quoted = false;
    let mut characters = csv.strip_prefix('\u{feff}').expect("a byte order mark").chars().peekable();
    while let Some(character) = characters.next() {
        let row = rows.last_mut().unwrap();
        match character {
            '"' if quoted && characters.peek() == Some(&'"') => {
                row.last_mut().unwrap().push(characters.next().unwrap());
            }
            '"' => quoted = !quoted,
            ',' if !quoted => row.push(String::new()),
            '\r' if !quoted && characters.peek() == Some(&'\n') => {
                characters.next();
                rows.push(vec![String::new()]);
            }
            _ => row.last_mut().unwrap().push(character),
        }
    }
    assert_eq!(rows.pop(), Some(vec![String::new()]), "the last line ends with a line break");
    rows
}

both_engines! {
    async fn a_person_is_one_row_with_each_place_and_each_role_once(house: House) {
        const STAFF_TOO: &str = "UPDATE memberships SET role = 'Staff', status = 'PendingInvitation' \
            WHERE user_id = $1 AND site_id = $2";
        run(&house, STAFF_TOO, (world::PEOPLE[4].2.0, world::OPEN_DOOR.0)).await;
        let page = list(&house, "users?field=email&search=ADMIN@").await;
        assert_eq!(page["totalCount"], 1);
        assert_eq!(
            page["items"][0],
            json!({
                "id": world::PEOPLE[4].2,
                "email": "admin@test.example",
                "firstName": "Test",
                "lastName": "Person",
                "roles": "Admin,Staff",
                "membershipStatus": "Active",
                "organizations": [
                    {"id": world::HARBOR, "isCommercial": true, "logoPath": null, "name": "Harbor Recovery",
                     "siteCount": 1, "siteName": "Harbor House", "siteId": world::HARBOR_HOUSE, "userRole": "Admin"},
                    {"id": world::OPEN_HANDS, "isCommercial": false, "logoPath": null, "name": "Open Hands",
                     "siteCount": 1, "siteName": "Open Door", "siteId": world::OPEN_DOOR, "userRole": "Staff"},
                ],
            })
        );
        let global = list(&house, "users?field=role&search=global%20admin").await;
        assert_eq!(global["items"][0]["organizations"], json!([{"id": null, "isCommercial": null, "logoPath": null,
            "name": null, "siteCount": null, "siteName": null, "siteId": null, "userRole": "GlobalAdmin"}]));
        assert_eq!(global["totals"], json!({"users": 7}));
    }

    async fn users_are_sorted_by_last_name_or_by_any_column_in_either_direction(house: House) {
        name_people(&house).await;
        let last = |query: &'static str| column(&house, query, "lastName");
        let by_last = ["Ames", "Ames", "Berg", "berg", "de Witt", "Élan", "Zorn"];
        assert_eq!(last("users").await, by_last);
        assert_eq!(last("users?sort=nonsense&direction=up").await, by_last);
        assert_eq!(last("users?sort=lastName&direction=desc").await, ["Zorn", "Élan", "de Witt", "Berg", "berg", "Ames", "Ames"]);
        let first = column(&house, "users?sort=firstName", "firstName").await;
        assert_eq!(first, ["Ada", "Gil", "Ina", "Olga", "Olive", "Omar", "Sam"]);
        let email = column(&house, "users?sort=email&direction=DESC&pageSize=2", "email").await;
        assert_eq!(email, ["staff@test.example", "owner@test.example"]);
        let roles = column(&house, "users?sort=roles", "roles").await;
        assert_eq!(roles, ["Admin", "GlobalAdmin", "Intake", "Owner", "Owner", "Owner", "Staff"]);
        run(&house, "UPDATE memberships SET status = 'Disabled' WHERE user_id IN ($1, $2)",
            (world::PEOPLE[5].2.0, world::PEOPLE[5].2.0)).await;
        let mut tx = house.db().begin().await.unwrap();
        berth_server::admin::dashboard::raise_all(&mut tx).await.unwrap();
        tx.commit().await.unwrap();
        let status = column(&house, "users?sort=membershipStatus&direction=desc", "membershipStatus").await;
        assert_eq!(status[..2], ["Disabled", "Active"]);
    }

    async fn people_without_a_name_come_last_in_either_sort_direction(house: House) {
        name_people(&house).await;
        run(&house, "UPDATE users SET first_name = '', last_name = '' WHERE id IN ($1, $2)",
            (world::PEOPLE[1].2.0, world::PEOPLE[4].2.0)).await;
        let mut tx = house.db().begin().await.unwrap();
        berth_server::admin::dashboard::raise_all(&mut tx).await.unwrap();
        tx.commit().await.unwrap();
        for query in ["users", "users?direction=desc", "users?sort=firstName", "users?sort=firstName&direction=desc"] {
            let emails = column(&house, query, "email").await;
            assert_eq!(emails[5..], ["owner@test.example", "admin@test.example"], "{query}");
        }
        assert_eq!(column(&house, "users?sort=email", "email").await[0], "admin@test.example", "sorted by email like everyone");
    }

    async fn users_are_searched_by_the_chosen_field_and_paged(house: House) {
        name_people(&house).await;
        let found = |query: &'static str| column(&house, query, "firstName");
        assert_eq!(found("users?search=OL").await, ["Olive", "Olga"]);
        assert_eq!(found("users?search=%20berg%20&field=lastName").await, ["Ina", "Sam"]);
        assert_eq!(found("users?search=free&field=email").await, ["Omar"]);
        assert_eq!(found("users?search=own&field=role&direction=desc").await, ["Olga", "Omar", "Olive"]);
        assert_eq!(found("users?search=100%25&field=lastName").await, [""; 0]);
        let page = list(&house, "users?page=2&pageSize=5").await;
        for (field, value) in [("totalCount", 7), ("totalPages", 2), ("pageIndex", 1), ("offset", 5), ("pageSize", 5)] {
            assert_eq!(page[field], value, "{field}");
        }
        assert_eq!(page["items"].as_array().unwrap().len(), 2);
        assert_eq!(found("users?page=3&pageSize=5").await, [""; 0]);
        assert_eq!(found("users?SiteType=nonCommercial").await, ["Ina", "Sam", "Omar", "Ada"]);
        let answer = house.get("/api/Dashboard/users?SiteType=public").by(world::GLOBAL).send().await;
        assert_eq!(answer.field_errors(), ["/SiteType: Choose one of: commercial, nonCommercial."]);
    }

    async fn organizations_show_name_sites_and_kind_and_can_be_sorted_by_each(house: House) {
        run(&house, "UPDATE sites SET organization_id = $1 WHERE id = $2", (world::HARBOR.0, world::FAR_AWAY.0)).await;
        let page = list(&house, "organizations").await;
        assert_eq!(
            page["items"],
            json!([
                {"id": world::FOREIGN, "organizationName": "Foreign Homes", "siteCount": 0, "isCommercial": true},
                {"id": world::HARBOR, "organizationName": "Harbor Recovery", "siteCount": 2, "isCommercial": true},
                {"id": world::OPEN_HANDS, "organizationName": "Open Hands", "siteCount": 1, "isCommercial": false},
            ])
        );
        assert_eq!(page["totals"], json!({"organizations": 3, "sites": 3}));
        let names = |query: &'static str| column(&house, query, "organizationName");
        assert_eq!(names("organizations?sort=siteCount&direction=desc").await, ["Harbor Recovery", "Open Hands", "Foreign Homes"]);
        // Harbor Recovery has the smaller id.
        assert_eq!(names("organizations?sort=isCommercial").await, ["Open Hands", "Harbor Recovery", "Foreign Homes"]);
        assert_eq!(names("organizations?search=HAR").await, ["Harbor Recovery"]);
        assert_eq!(names("organizations?SiteType=commercial").await, ["Foreign Homes", "Harbor Recovery"]);
    }

    async fn sites_show_contacts_and_counts_and_can_be_sorted_by_each(house: House) {
        assigned(&house, world::HARBOR_HOUSE, world::BED_A, 1).await;
        run(&house, "UPDATE sites SET contact_web = 'https://b.example' WHERE id IN ($1, $2)",
            (world::FAR_AWAY.0, world::FAR_AWAY.0)).await;
        let page = list(&house, "sites?search=har").await;
        assert_eq!(
            page["items"],
            json!([{
                "id": world::HARBOR_HOUSE, "name": "Harbor House", "organizationId": world::HARBOR,
                "organizationName": "Harbor Recovery", "isCommercial": true, "contactWeb": null,
                "contactPhone": "+17145550100", "contactEmail": "house@test.example", "rooms": 2, "countOfBeds": 5,
                "countOfVacantBeds": 3,
            }])
        );
        assert_eq!(page["totalCount"], 1);
        assert_eq!(page["totals"], json!({"sites": 3, "rooms": 4, "beds": 8, "vacantBeds": 6, "filledBeds": 2}));
        let free = list(&house, "sites?SiteType=noncommercial").await;
        assert_eq!(free["totals"], json!({"sites": 1, "rooms": 1, "beds": 2, "vacantBeds": 2, "filledBeds": 0}));
        let names = |query: &'static str| column(&house, query, "name");
        let (harbor, open, far) = ("Harbor House", "Open Door", "Far Away");
        assert_eq!(names("sites").await, [far, harbor, open]);
        for (sort, order) in [
            ("name", [open, harbor, far]),
            ("organizationId", [far, open, harbor]),
            ("contactWeb", [far, harbor, open]),
            ("contactPhone", [harbor, open, far]),
            ("contactEmail", [harbor, open, far]),
            ("rooms", [harbor, open, far]),
            ("countOfBeds", [harbor, open, far]),
            ("countOfVacantBeds", [harbor, open, far]),
        ] {
            let path = format!("sites?sort={sort}&direction=desc");
            assert_eq!(column(&house, &path, "name").await, order, "{sort}");
        }
    }

    async fn totals_cover_the_selected_sites(house: House) {
        assigned(&house, world::OPEN_DOOR, world::BED_F, 1).await;
        let totals = |ids: Value| house.post("/api/Dashboard/sites/totals", json!({ "ids": ids })).by(world::GLOBAL);
        let (harbor, open) = (world::HARBOR_HOUSE, world::OPEN_DOOR);
        let two = totals(json!([harbor, open, open, world::HARBOR])).send().await.expect(200);
        assert_eq!(two, json!({"sites": 2, "rooms": 3, "beds": 7, "vacantBeds": 5, "filledBeds": 2}));
        let none = totals(json!([])).send().await.expect(200);
        assert_eq!(none, json!({"sites": 0, "rooms": 0, "beds": 0, "vacantBeds": 0, "filledBeds": 0}));
        let many = totals(json!(vec![harbor; 1001])).send().await;
        assert_eq!(many.field_errors(), ["/ids: At most 1000 sites can be selected at once."]);
    }

    /// A link to a record works wherever the record is in the list.
    async fn a_person_and_a_site_are_shown_by_id_as_in_the_lists(house: House) {
        for part in ["users", "sites"] {
            let rows = list(&house, &format!("{part}?pageSize=300")).await;
            for row in rows["items"].as_array().unwrap() {
                let one = list(&house, &format!("{part}/{}", row["id"].as_str().unwrap())).await;
                assert_eq!(&one, row);
            }
            let nobody = format!("/api/Dashboard/{part}/{}", world::HARBOR);
            house.get(&nobody).by(world::GLOBAL).send().await.expect(404);
        }
    }

    async fn an_organization_is_shown_with_its_owners_and_its_sites(house: House) {
        assigned(&house, world::HARBOR_HOUSE, world::BED_A, 1).await;
        pending(&house, world::HARBOR_HOUSE, 2, Some(HOUR)).await;
        let one = list(&house, &format!("organizations/{}", world::HARBOR)).await;
        assert_eq!(
            one,
            json!({
                "id": world::HARBOR, "name": "Harbor Recovery", "logoPath": null, "isCommercial": true,
                "isDisabled": false, "createdAt": "2026-03-02T18:00:00.000Z",
                "owners": [{"id": "01900000-0000-7000-8000-000000000081", "email": "owner@test.example",
                    "firstName": "Test", "lastName": "Person", "membershipStatus": "Active"}],
                "siteCount": 1,
                "sites": [{"id": world::HARBOR_HOUSE, "name": "Harbor House", "isDisabled": false, "countOfBeds": 5,
                    "countOfVacantBeds": 3, "countOfAvailableBeds": 2, "countOfPending": 1,
                    "subscription": {"status": "active", "isActive": true, "paidPeriodEnd": null}}],
            })
        );
        house.advance(2 * HOUR);
        let later = list(&house, &format!("organizations/{}", world::HARBOR)).await;
        assert_eq!(later["sites"][0]["countOfPending"], 0, "an expired hold is not pending");
        let free = list(&house, &format!("organizations/{}", world::OPEN_HANDS)).await;
        assert_eq!(free["sites"][0]["subscription"], Value::Null);
    }

    async fn a_streamed_list_arrives_complete_in_browsers_that_accept_compression(house: House) {
        for path in ["Dashboard/users.csv", "Dashboard/organizations.csv", "Dashboard/sites.csv", "AccessUsers/all"] {
            let path = format!("/api/{path}");
            let plain = house.get(&path).by(world::GLOBAL).send().await.text;
            let response = house.get(&path).by(world::GLOBAL).header("accept-encoding", "gzip").open().await;
            let packed = axum::body::to_bytes(response.into_body(), 1 << 20).await.unwrap();
            let mut text = String::new();
            std::io::Read::read_to_string(&mut flate2::read::GzDecoder::new(&packed[..]), &mut text).unwrap();
            assert_eq!(text, plain, "{path}");
        }
    }

    async fn a_file_has_the_rows_of_the_list_and_no_formula(house: House) {
        let dangerous = ["=HYPERLINK(\"http://x\")", "+1", "-1+1", "@SUM(A1)", "\t=1", "\r=1", " =1", "\"=1\"", "＝1"];
        for name in dangerous {
            let mut tx = house.db().begin().await.unwrap();
            tx.query("UPDATE sites SET name = $2, name_key = $2, contact_web = $2 WHERE id = $1")
                .bind(world::OPEN_DOOR).bind(name).execute().await.unwrap();
            tx.query("UPDATE users SET first_name = $2, last_name = $2 WHERE id = $1")
                .bind(world::PEOPLE[0].2).bind(name).execute().await.unwrap();
            tx.query("UPDATE organizations SET name = $2, name_key = $2 WHERE id = $1")
                .bind(world::OPEN_HANDS).bind(name).execute().await.unwrap();
            berth_server::admin::dashboard::raise_all(&mut tx).await.unwrap();
            tx.commit().await.unwrap();
            for (file, rows) in [("users", 7), ("organizations", 3), ("sites", 3)] {
                let path = format!("/api/Dashboard/{file}.csv");
                let answer = house.get(&path).by(world::GLOBAL).send().await;
                assert_eq!(answer.status, 200);
                assert_eq!(answer.header("content-type"), "text/csv; charset=utf-8");
                assert_eq!(answer.header("content-disposition"), format!("attachment; filename=\"berth-{file}.csv\""));
                assert_eq!(answer.header("cache-control"), "no-store");
                let table = cells(&answer.text);
                assert_eq!(table.len(), rows + 1, "{file} {name:?}");
                for cell in table.iter().flatten() {
                    let first = cell.trim_start_matches([' ', '"']).chars().next().unwrap_or('x');
                    assert!(!"=+-@\t\r＝".contains(first), "{file}: {cell:?}");
                }
                let is_it = |cell: &String| cell.starts_with('\'') && cell.replace('\'', "") == name;
                assert!(table.iter().flatten().any(is_it), "{file}: {name:?}");
            }
        }
        let sorted = house.get("/api/Dashboard/sites.csv?sort=countOfBeds&direction=desc&search=a").by(world::GLOBAL);
        let table = cells(&sorted.send().await.text);
        assert_eq!(table[0][..2], ["Site Name", "Organization ID"]);
        assert_eq!(table[1][0], "Harbor House");
        assert_eq!(table[1][3..], ["N/A", "'+17145550100", "house@test.example", "2", "5", "4"]);
        assert_eq!(table.len(), 3);
        let trail = house.trail().await;
        assert_eq!(trail.iter().filter(|action| *action == "dashboard.exported").count(), 28, "each file is recorded");
    }

    async fn a_long_list_is_sent_in_chunks_and_complete(house: House) {
        let mut tx = house.db().begin().await.unwrap();
        let names: Vec<(uuid::Uuid, String)> = (0..1_234_u128)
            .map(|number| (uuid::Uuid::from_u128(0x0190_0000_0000_7000_b000_0000_0000_0000 + number), format!("Org {number:04}")))
            .collect();
        tx.insert(
            "INSERT INTO organizations (id, name, name_key, is_commercial, created_at) VALUES ($1..)",
            &names,
            |values, (id, name)| {
                values.bind(*id).bind(name.as_str()).bind(name.to_lowercase()).bind(true).bind(0_i64);
            },
        )
        .await
        .unwrap();
        tx.commit().await.unwrap();
        let table = cells(&house.get("/api/Dashboard/organizations.csv").by(world::GLOBAL).send().await.text);
        assert_eq!(table.len(), 1 + 1_234 + 3);
        assert_eq!(table[1_237][1], "Org 1233");
        let deep = column(&house, "organizations?page=124&pageSize=10&search=org%20", "organizationName").await;
        assert_eq!(deep, ["Org 1230", "Org 1231", "Org 1232", "Org 1233"]);
    }
}
