//! Sites: which ones a caller sees, in pages; the page of a site with its board; and what changes its ETag.

use berth_domain::id::{BedId, GuestId, SiteId};
use serde_json::json;
use uuid::Uuid;

use crate::harness::{Answer, HOUR, House, MINUTE};
use crate::{both_engines, world};

const GUEST: &str = "INSERT INTO guests (id, site_id, code, first_name, first_name_key, last_name, gender, \
    age_service_id, phone, email, email_key, source, created_at, expires_at, accepted_at) \
    VALUES ($1, $2, $3, 'Casey', 'casey', 'R', 'Female', 'age-over-27', '+19995550199', 'casey@test.example', \
    'casey@test.example', 'Web', $4, $5, $6)";
const STAY: &str = "INSERT INTO stays (id, site_id, guest_id, bed_id, started_at) VALUES ($1, $2, $3, $4, $5)";
const TOUCH: &str = "UPDATE sites SET version = version + 1 WHERE id = $1";

const fn guest_id(number: u128) -> Uuid {
    Uuid::from_u128(0x0190_0000_0000_7000_a000_0000_0000_0000 + number)
}

/// A pending reservation, held for `hold` milliseconds or without an end.
pub async fn pending(house: &House, site: SiteId, number: u128, hold: Option<i64>) -> GuestId {
    let now = house.app.now();
    let mut tx = house.db().begin().await.unwrap();
    tx.query(TOUCH).bind(site).execute().await.unwrap();
    let guest = tx.query(GUEST).bind(guest_id(number)).bind(site).bind(format!("CODE{number}")).bind(now);
    guest.bind(hold.map(|hold| now.plus_millis(hold))).bind(None::<i64>).execute().await.unwrap();
    tx.commit().await.unwrap();
    GuestId(guest_id(number))
}

/// A guest who is in a bed as of now.
pub async fn assigned(house: &House, site: SiteId, bed: BedId, number: u128) -> GuestId {
    let (now, id) = (house.app.now(), guest_id(number));
    let mut tx = house.db().begin().await.unwrap();
    tx.query(TOUCH).bind(site).execute().await.unwrap();
    let guest = tx.query(GUEST).bind(id).bind(site).bind(format!("CODE{number}")).bind(now);
    guest.bind(None::<i64>).bind(now).execute().await.unwrap();
    let stay = tx.query(STAY).bind(guest_id(0x1000 + number)).bind(site).bind(id).bind(bed).bind(now);
    stay.execute().await.unwrap();
    berth_server::housing::sites::settle(&mut tx, site).await.unwrap();
    tx.commit().await.unwrap();
    GuestId(id)
}

/// Changes the test world directly in the database.
pub async fn run(house: &House, text: &'static str, values: (Uuid, Uuid)) {
    let mut tx = house.db().begin().await.unwrap();
    tx.query(text).bind(values.0).bind(values.1).execute().await.unwrap();
    tx.commit().await.unwrap();
}

/// The page of a site.
pub async fn page(house: &House, site: SiteId, token: &str) -> Answer {
    house.get(&format!("/api/Sites/{site}")).by(token).send().await
}

/// The counts on the page of a site, as rooms, beds, vacant, occupied, disabled, pending, guests.
pub async fn counts(house: &House, site: SiteId) -> Vec<i64> {
    let counts = page(house, site, world::GLOBAL).await.expect(200)["counts"].clone();
    ["rooms", "beds", "vacant", "occupied", "disabled", "pending", "guests"]
        .map(|name| counts[name].as_i64().unwrap())
        .to_vec()
}

/// The version of a site.
pub async fn version(house: &House, site: SiteId) -> i64 {
    page(house, site, world::GLOBAL).await.expect(200)["version"].as_i64().unwrap()
}

async fn names(house: &House, query: &str, token: &str) -> Vec<String> {
    let list = house.get(&format!("/api/Sites{query}")).by(token).send().await.expect(200);
    list["items"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap().to_owned()).collect()
}

both_engines! {
    async fn everyone_sees_the_sites_they_have_a_role_at_by_name(house: House) {
        assert_eq!(names(&house, "", world::GLOBAL).await, ["Far Away", "Harbor House", "Open Door"]);
        assert_eq!(names(&house, "", world::OWNER).await, ["Harbor House"]);
        assert_eq!(names(&house, "", world::STAFF).await, ["Harbor House", "Open Door"]);
        assert_eq!(names(&house, "", world::OWNER_FOREIGN).await, ["Far Away"]);
        let roles = house.get("/api/Sites").by(world::OWNER).send().await.expect(200)["items"][0]["roles"].clone();
        assert_eq!(roles, json!(["Owner"]));
    }

    async fn a_page_of_sites_shows_the_details_and_counts_of_each(house: House) {
        assigned(&house, world::OPEN_DOOR, world::BED_F, 1).await;
        pending(&house, world::OPEN_DOOR, 2, Some(HOUR)).await;
        pending(&house, world::OPEN_DOOR, 3, Some(1)).await;
        house.advance(1);
        let list = house.get("/api/Sites?page=2&pageSize=1").by(world::INTAKE).send().await.expect(200);
        assert_eq!(
            list,
            json!({
                "items": [{
                    "id": "01900000-0000-7000-8000-000000000021",
                    "name": "Open Door",
                    "alias": null,
                    "organizationId": "01900000-0000-7000-8000-000000000011",
                    "organizationName": "Open Hands",
                    "logoPath": null,
                    "isCommercial": false,
                    "isDisabled": false,
                    "address": "700 Main Street, Orange, CA 92868",
                    "contactPhone": "+17145550100",
                    "contactEmail": "house@test.example",
                    "contactWeb": null,
                    "coverImage": null,
                    "countOfBeds": 2,
                    "countOfVacantBeds": 1,
                    "counts": {"rooms": 1, "beds": 2, "vacant": 1, "available": 0, "offered": 0, "occupied": 1, "disabled": 0, "pending": 1,
                    "guests": 1},
                    "timeZone": "America/Los_Angeles",
                    "version": 4,
                    "roles": ["Intake"],
                }],
                "hasNextPage": false, "hasPreviousPage": true, "pageIndex": 1, "totalCount": 2, "totalPages": 2,
                "offset": 1, "limit": 1, "page": 2, "pageSize": 1,
            })
        );
        let other_words = house.get("/api/Sites?PageNumber=2&PageSize=1").by(world::INTAKE).send().await.expect(200);
        assert_eq!(other_words, list, "both spellings of the paging parameters mean the same");
    }

    async fn the_search_covers_name_and_address_and_treats_wildcards_literally(house: House) {
        assert_eq!(names(&house, "?search=HARBOR", world::GLOBAL).await, ["Harbor House"]);
        assert_eq!(names(&house, "?search=orange", world::GLOBAL).await, ["Open Door"]);
        assert_eq!(names(&house, "?search=%25", world::GLOBAL).await, [""; 0]);
        assert_eq!(names(&house, "?search=a_%20b", world::GLOBAL).await, [""; 0]);
        assert_eq!(names(&house, "?search=orange", world::OWNER).await, [""; 0], "a search finds no foreign sites");
    }

    async fn sites_of_an_organization_are_listed_for_users_who_may_see_it(house: House) {
        let of = |id| format!("?organizationId={id}");
        assert_eq!(names(&house, &of(world::HARBOR), world::GLOBAL).await, ["Harbor House"]);
        let path = format!("/api/Sites{}", of(world::FOREIGN));
        assert_eq!(house.get(&path).by(world::OWNER).status().await, 404);
        let path = |id| format!("/api/Sites/organization-sites?organizationId={id}");
        let list = house.get(&path(world::HARBOR)).by(world::STAFF).send().await.expect(200);
        assert_eq!(list, json!([{"id": world::HARBOR_HOUSE, "name": "Harbor House"}]));
        assert_eq!(house.get(&path(world::FOREIGN)).by(world::STAFF).status().await, 404);
        let bare = house.get("/api/Sites/organization-sites").by(world::STAFF).send().await;
        assert_eq!(bare.field_errors(), ["/organizationId: Required field."]);
    }

    async fn the_page_of_a_site_has_everything_in_one_answer(house: House) {
        describe(&house).await;
        let guest = assigned(&house, world::OPEN_DOOR, world::BED_G, 1).await;
        house.advance(30 * HOUR);
        let answer = page(&house, world::OPEN_DOOR, world::STAFF).await;
        assert_eq!(answer.header("cache-control"), "no-store");
        let room = json!({"id": world::OPEN_ROOM, "name": "House #1", "imagePath": null});
        let rooms = json!([{
            "id": world::OPEN_ROOM, "name": "House #1", "photo": null, "imagePath": null, "hasPhoto": false, "meantFor": [],
            "hasBeds": true, "hasAnyGuests": true, "bedsCount": 2, "vacantBedsCount": 1, "occupiedBedsCount": 1,
            "disabledBedsCount": 0, "createdAt": "2026-03-02T18:00:00.000Z", "version": 1,
            "beds": [{
                "id": world::BED_F, "name": "Sober Living #1", "description": null, "type": "Sober Living", "index": 6,
                "imagePath": null, "disabled": false, "disabledKind": null, "disabledReason": null, "expectedBack": null, "isOverdue": false, "offeredUntil": null,
                "isOccupied": false, "guest": null,
                "createdAt": "2026-03-02T18:00:00.000Z", "version": 1, "room": room,
            }, {
                "id": world::BED_G, "name": "Sober Living #2", "description": null, "type": "Sober Living", "index": 7,
                "imagePath": null, "disabled": false, "disabledKind": null, "disabledReason": null, "expectedBack": null, "isOverdue": false, "offeredUntil": null,
                "isOccupied": true,
                "guest": {
                    "id": guest.0, "code": "CODE1", "firstName": "Casey", "lastName": "R",
                    "displayName": "Casey R. CODE1", "gender": "Female", "acceptedAt": "2026-03-02T18:00:00.000Z",
                    "isArriving": false, "reassignedAt": null, "daysStayed": 1, "expectedDeparture": null, "version": 1,
                },
                "createdAt": "2026-03-02T18:00:00.000Z", "version": 1, "room": room,
            }],
        }]);
        assert_eq!(
            answer.expect(200),
            json!({
                "id": world::OPEN_DOOR,
                "name": "Open Door",
                "alias": null,
                "description": "A calm house near the water with a kitchen, a garden and people who have been \
                where you are now.",
                "organizationId": world::OPEN_HANDS,
                "organizationName": "Open Hands",
                "logoPath": null,
                "isCommercial": false,
                "organizationIsDisabled": false,
                "isDisabled": false,
                "address": "700 Main Street, Orange, CA 92868",
                "contactPhone": "+17145550100",
                "contactEmail": "house@test.example",
                "contactWeb": null,
                "coverImage": {"imagePath": "site_1.webp", "index": 0},
                "images": [{"imagePath": "site_1.webp", "index": 0}, {"imagePath": "site_2.webp", "index": 1}],
                "timeZone": "America/Los_Angeles",
                "screeningPeriod": {"totalHours": 24, "value": "01:00:00:00"},
                "lengthOfStayDaysMin": null,
                "lengthOfStayDaysMax": 90,
                "intakePeriods": [
                    {"timePeriod": "Monday to Friday", "from": "09:00:00", "to": "17:00:00", "enabled": true},
                    {"timePeriod": "Holidays", "from": null, "to": null, "enabled": false},
                ],
                "languages": [{"id": "en", "name": "English"}],
                "services": [
                    {"id": "drug-treatment", "name": "Drug treatment", "category": "General", "type": "DRUG_TREATMENT"},
                    {"id": "mental-health", "name": "Mental health", "category": "Disability", "type": "MENTAL_HEALTH"},
                ],
                "nonCommercialPaymentMethods": [
                    {"id": "ss", "name": "Sliding Scale"}, {"id": "moc", "name": "Medi-Cal Orange County"},
                ],
                "organizationReservationPaymentMethods": [
                    {"id": 1, "name": "Private pay", "category": "PrivatePay"},
                    {"id": 2, "name": "Insurance", "category": "Insurance"},
                    {"id": 3, "name": "Medicaid or No Insurance", "category": "MediCal"},
                ],
                "insuranceCompanies": [],
                "rooms": rooms,
                "countOfBeds": 2,
                "countOfVacantBeds": 1,
                "counts": {"rooms": 1, "beds": 2, "vacant": 1, "available": 1, "offered": 0, "occupied": 1, "disabled": 0, "pending": 0,
                    "guests": 1},
                "version": 2,
                "editVersion": 1,
                "showDaysOfWeek": true,
                "strictPlacement": false,
                "asksArrival": false,
                "latitude": null,
                "longitude": null,
            })
        );
    }

    async fn the_subscription_is_shown_to_users_who_accept_guests_but_not_to_staff(house: House) {
        let full = page(&house, world::HARBOR_HOUSE, world::INTAKE).await;
        let staff = page(&house, world::HARBOR_HOUSE, world::STAFF).await;
        assert_eq!(
            full.expect(200)["subscription"],
            json!({"status": "active", "isActive": true, "paidPeriodEnd": null})
        );
        assert_eq!(staff.expect(200).get("subscription"), None);
        assert_ne!(full.header("etag"), staff.header("etag"), "the two views have different tags");
        let free = page(&house, world::OPEN_DOOR, world::INTAKE).await.expect(200);
        assert_eq!(free.get("subscription"), None);
        let none = page(&house, world::FAR_AWAY, world::OWNER_FOREIGN).await.expect(200);
        assert_eq!(none["subscription"], json!({"status": "none", "isActive": false, "paidPeriodEnd": null}));
    }

    async fn a_canceled_subscription_keeps_the_site_active_until_the_paid_period_ends(house: House) {
        run(
            &house,
            "UPDATE site_subscriptions SET status = 'canceled', paid_period_end = created_at + 3600000 \
            WHERE site_id = $1 AND site_id <> $2",
            (world::HARBOR_HOUSE.0, world::FAR_AWAY.0),
        )
        .await;
        let before = page(&house, world::HARBOR_HOUSE, world::INTAKE).await;
        assert_eq!(
            before.expect(200)["subscription"],
            json!({"status": "canceled", "isActive": true, "paidPeriodEnd": "2026-03-02T19:00:00.000Z"})
        );
        house.advance(HOUR);
        let after = page(&house, world::HARBOR_HOUSE, world::INTAKE).await;
        assert_eq!(after.expect(200)["subscription"]["isActive"], false);
        assert_ne!(before.header("etag"), after.header("etag"));
    }

    async fn a_board_that_did_not_change_is_not_sent_again(house: House) {
        for path in [format!("/api/Sites/{}", world::HARBOR_HOUSE), format!("/api/Beds?siteId={}", world::HARBOR_HOUSE)]
        {
            let first = house.get(&path).by(world::INTAKE).send().await;
            let tag = first.header("etag").to_owned();
            let again = house.get(&path).by(world::INTAKE).header("if-none-match", &tag).send().await;
            assert_eq!((again.status, again.text.as_str(), again.header("etag")), (304, "", tag.as_str()));
            let weak = format!("\"other\", W/{tag}");
            assert_eq!(house.get(&path).by(world::INTAKE).header("if-none-match", &weak).status().await, 304);
            assert_eq!(house.get(&path).by(world::STAFF).header("if-none-match", &tag).status().await, 200);
        }
    }

    async fn the_etag_changes_with_each_change_of_the_site(house: House) {
        let tag = page(&house, world::HARBOR_HOUSE, world::INTAKE).await.header("etag").to_owned();
        assigned(&house, world::HARBOR_HOUSE, world::BED_A, 1).await;
        let path = format!("/api/Sites/{}", world::HARBOR_HOUSE);
        let after = house.get(&path).by(world::INTAKE).header("if-none-match", &tag).send().await;
        assert_eq!(after.expect(200)["counts"]["occupied"], 1);
    }

    async fn the_etag_changes_when_a_hold_ends_by_itself(house: House) {
        pending(&house, world::HARBOR_HOUSE, 1, Some(2 * HOUR)).await;
        pending(&house, world::HARBOR_HOUSE, 2, Some(HOUR)).await;
        let path = format!("/api/Sites/{}", world::HARBOR_HOUSE);
        let first = page(&house, world::HARBOR_HOUSE, world::INTAKE).await;
        assert_eq!(first.expect(200)["counts"]["pending"], 2);
        let tag = first.header("etag");
        house.advance(HOUR - 1);
        assert_eq!(house.get(&path).by(world::INTAKE).header("if-none-match", tag).status().await, 304);
        house.advance(1);
        let later = house.get(&path).by(world::INTAKE).header("if-none-match", tag).send().await;
        assert_eq!(later.expect(200)["counts"]["pending"], 1);
        assert_eq!(later.expect(200)["version"], 3, "the version is the same: only time has changed the answer");
    }

    async fn the_days_of_a_guest_increase_at_the_sites_midnight(house: House) {
        assigned(&house, world::HARBOR_HOUSE, world::BED_A, 1).await;
        let path = format!("/api/Beds?siteId={}", world::HARBOR_HOUSE);
        house.advance(24 * HOUR);
        let first = house.get(&path).by(world::STAFF).send().await;
        assert_eq!(first.expect(200)[0]["guest"]["daysStayed"], 1);
        // 18:00 UTC is 10:00 in California; the second midnight is 14 hours away.
        house.advance(14 * HOUR - MINUTE);
        let tag = first.header("etag");
        assert_eq!(house.get(&path).by(world::STAFF).header("if-none-match", tag).status().await, 304);
        house.advance(MINUTE);
        let later = house.get(&path).by(world::STAFF).header("if-none-match", tag).send().await;
        assert_eq!(later.expect(200)[0]["guest"]["daysStayed"], 2);
    }

    async fn counts_equal_a_recount(house: House) {
        const RECOUNT: &str = "SELECT (SELECT COUNT(*) FROM rooms WHERE site_id = $1 AND deleted_at IS NULL), \
            (SELECT COUNT(*) FROM beds WHERE site_id = $1 AND deleted_at IS NULL), \
            (SELECT COUNT(*) FROM beds WHERE site_id = $1 AND deleted_at IS NULL AND disabled = FALSE \
            AND id NOT IN (SELECT bed_id FROM stays WHERE ended_at IS NULL)), \
            (SELECT COUNT(*) FROM stays WHERE site_id = $1 AND ended_at IS NULL), \
            (SELECT COUNT(*) FROM beds WHERE site_id = $1 AND deleted_at IS NULL AND disabled)";
        assigned(&house, world::HARBOR_HOUSE, world::BED_A, 1).await;
        assigned(&house, world::HARBOR_HOUSE, world::BED_D, 2).await;
        pending(&house, world::HARBOR_HOUSE, 3, Some(HOUR)).await;
        pending(&house, world::HARBOR_HOUSE, 4, None).await;
        pending(&house, world::HARBOR_HOUSE, 5, Some(MINUTE)).await;
        run(
            &house,
            "UPDATE beds SET deleted_at = 1 WHERE id = $1 AND site_id = $2",
            (world::BED_C.0, world::HARBOR_HOUSE.0),
        )
        .await;
        // Lists show the stored counters, which every command that changes beds updates.
        let mut tx = house.db().begin().await.unwrap();
        berth_server::housing::sites::settle(&mut tx, world::HARBOR_HOUSE).await.unwrap();
        tx.commit().await.unwrap();
        house.advance(MINUTE);
        let shown = counts(&house, world::HARBOR_HOUSE).await;
        let found: (i64, i64, i64, i64, i64) = house.db().query(RECOUNT).bind(world::HARBOR_HOUSE).one().await.unwrap();
        assert_eq!(shown, [found.0, found.1, found.2, found.3, found.4, 2, found.3]);
        assert_eq!(shown, [2, 4, 1, 2, 1, 2, 2]);
        let list = house.get("/api/Sites?search=harbor").by(world::OWNER).send().await.expect(200);
        let details = page(&house, world::HARBOR_HOUSE, world::OWNER).await.expect(200);
        assert_eq!(list["items"][0]["counts"], details["counts"], "the list counts like the page");
        let organization = house.get(&format!("/api/Organizations/{}", world::HARBOR)).by(world::OWNER).send().await;
        let organization = organization.expect(200);
        assert_eq!(
            [&organization["countOfBeds"], &organization["countOfVacantBeds"], &organization["countOfPending"]],
            [&json!(4), &json!(1), &json!(2)]
        );
    }

    async fn a_foreign_site_looks_like_an_unknown_one(house: House) {
        assert_eq!(page(&house, world::FAR_AWAY, world::ADMIN).await.status, 404);
        assert_eq!(page(&house, SiteId(world::BED_A.0), world::ADMIN).await.status, 404);
        let beds = format!("/api/Beds?siteId={}", world::FAR_AWAY);
        assert_eq!(house.get(&beds).by(world::ADMIN).status().await, 404);
        assert_eq!(house.get("/api/Beds").by(world::ADMIN).send().await.field_errors(), ["/siteId: Required field."]);
    }

    async fn a_deleted_site_is_gone_from_every_list(house: House) {
        run(
            &house,
            "UPDATE sites SET deleted_at = 1 WHERE id = $1 AND organization_id = $2",
            (world::HARBOR_HOUSE.0, world::HARBOR.0),
        )
        .await;
        assert_eq!(names(&house, "", world::GLOBAL).await, ["Far Away", "Open Door"]);
        assert_eq!(page(&house, world::HARBOR_HOUSE, world::GLOBAL).await.status, 404);
        let organization = house.get(&format!("/api/Organizations/{}", world::HARBOR)).by(world::OWNER).send().await;
        assert_eq!(organization.expect(200)["siteCount"], 0);
    }

    async fn a_site_shows_its_logo_to_all_and_its_admin_only_to_its_editors(house: House) {
        const LOGO: &str = "UPDATE organizations SET logo_path = 'uploads/org_harbor.png' WHERE id = $1";
        const ADMIN: &str = "UPDATE sites SET admin_email = 'ada@test.example', admin_first_name = 'Ada', \
            admin_last_name = 'Park', version = version + 1 WHERE id = $1";
        let mut tx = house.db().begin().await.unwrap();
        tx.query(LOGO).bind(world::HARBOR).execute().await.unwrap();
        tx.query(ADMIN).bind(world::HARBOR_HOUSE).execute().await.unwrap();
        tx.commit().await.unwrap();
        for (by, sees) in [(world::GLOBAL, true), (world::OWNER, true), (world::ADMIN, true), (world::INTAKE, false), (world::STAFF, false)] {
            let list = house.get("/api/Sites?search=Harbor").by(by).send().await.expect(200)["items"][0].clone();
            for site in [list, page(&house, world::HARBOR_HOUSE, by).await.expect(200)] {
                assert_eq!(site["logoPath"], "uploads/org_harbor.png");
                let admin = ["adminEmail", "adminFirstName", "adminLastName"].map(|field| site.get(field).cloned());
                let wanted = ["ada@test.example", "Ada", "Park"].map(|text| sees.then(|| json!(text)));
                assert_eq!(admin, wanted, "{by}");
            }
        }
    }

    async fn a_board_view_is_recorded_once_for_each_user_and_version(house: House) {
        for _ in 0..3 {
            page(&house, world::HARBOR_HOUSE, world::STAFF).await;
        }
        assert_eq!(house.trail().await, ["board.viewed"]);
        assigned(&house, world::HARBOR_HOUSE, world::BED_A, 1).await;
        page(&house, world::HARBOR_HOUSE, world::STAFF).await;
        assert_eq!(house.trail().await, ["board.viewed", "board.viewed"]);
        page(&house, world::HARBOR_HOUSE, world::GLOBAL).await;
        assert_eq!(house.trail().await.last().map(String::as_str), Some("board.viewed-by-global-admin"));
    }

    async fn another_session_of_the_same_user_is_another_view(house: House) {
        page(&house, world::HARBOR_HOUSE, world::INTAKE).await;
        let (elsewhere, _) = crate::sign_in::sign_in(&house, "intake@test.example").await;
        for _ in 0..2 {
            page(&house, world::HARBOR_HOUSE, &elsewhere).await;
        }
        let trail = house.trail().await;
        assert_eq!(trail.iter().filter(|action| *action == "board.viewed").count(), 2);
    }
}

/// Gives Open Door the details that the form of a site has.
async fn describe(house: &House) {
    let mut tx = house.db().begin().await.unwrap();
    for (position, path) in [(1_i64, "site_2.webp"), (0, "site_1.webp")] {
        tx.query("INSERT INTO site_images (site_id, position, image_path) VALUES ($1, $2, $3)")
            .bind(world::OPEN_DOOR)
            .bind(position)
            .bind(path)
            .execute()
            .await
            .unwrap();
    }
    for (period, from, to) in [("Holidays", None, None), ("Monday to Friday", Some("09:00:00"), Some("17:00:00"))] {
        let text = "INSERT INTO site_intake_periods (site_id, time_period, from_time, to_time, enabled) \
            VALUES ($1, $2, $3, $4, $5)";
        let period = tx.query(text).bind(world::OPEN_DOOR).bind(period).bind(from).bind(to).bind(from.is_some());
        period.execute().await.unwrap();
    }
    for option in ["moc", "ss"] {
        tx.query("INSERT INTO site_payment_options (site_id, option_id) VALUES ($1, $2)")
            .bind(world::OPEN_DOOR)
            .bind(option)
            .execute()
            .await
            .unwrap();
    }
    tx.commit().await.unwrap();
}
