//! Sites: creating one with its houses and its admin, editing it under its version, removing it.

use berth_domain::id::SiteId;
use serde_json::{Value, json};

use crate::harness::{Answer, HOUR, House};
use crate::sites::{assigned, counts, page, pending, run};
use crate::steps::{all_at_once, sorted_trail, statuses};
use crate::{both_engines, invariants, world};

const COMMERCIAL: &str = "/api/Sites/commercial";
const NON_COMMERCIAL: &str = "/api/Sites/nonCommercial";
const REDIRECT: &str = "http://localhost:8080/login/callback";

/// A picture that was uploaded, by its row alone; the first word of its name tells what for.
pub async fn picture(house: &House, name: &str) -> String {
    const FILE: &str = "INSERT INTO files (path, prefix, state, media_type, size, thumbnail_size, width, height, \
        sha256, created_at, keep_until) VALUES ($1, $2, 'kept', 'image/png', 1, 1, 1, 1, $1, $3, $3)";
    let (path, prefix) = (format!("uploads/{name}.png"), format!("{}_", name.split('_').next().unwrap()));
    let mut tx = house.db().begin().await.unwrap();
    tx.query(FILE).bind(&path).bind(prefix).bind(house.app.now()).execute().await.unwrap();
    tx.commit().await.unwrap();
    path
}

/// The first place that is offered for what was typed.
async fn place(house: &House, typed: &str) -> Value {
    let query = url::form_urlencoded::byte_serialize(typed.as_bytes()).collect::<String>();
    let places = house.get(&format!("/api/places?query={query}&kind=city")).by(world::OWNER).send().await.expect(200);
    places["items"][0].clone()
}

/// What every payload tells.
fn told(address: &Value, images: &[&str]) -> Value {
    let images: Vec<Value> =
        images.iter().enumerate().map(|(index, path)| json!({"imagePath": path, "index": index})).collect();
    json!({
        "name": "Cedar Court", "alias": "The Court", "description": "A quiet house. ".repeat(6),
        "address": address["label"], "placeId": address["id"], "contactWeb": "cedar.example",
        "contactPhone": "(714) 555-0134", "contactEmail": "cedar@test.example",
        "intakePeriods": [{"timePeriod": "Monday to Friday", "from": "09:00:00", "to": "17:00:00", "enabled": true},
            {"timePeriod": "Weekends", "from": null, "to": null, "enabled": false},
            {"timePeriod": "Holidays", "from": "00:01:00", "to": "00:01:00", "enabled": true}],
        "showDaysOfWeek": true, "screeningPeriod": "00:12:00:00", "languageIds": ["es", "en"],
        "serviceIds": ["mental-health", "drug-treatment"], "insuranceIds": [], "nonCommercialPaymentMethodIds": [],
        "images": images, "lengthOfStayDaysMin": null, "lengthOfStayDaysMax": null
    })
}

/// A new site of a non-commercial organization, with two houses.
async fn free(house: &House) -> Value {
    let mut body = told(&place(house, "Anaheim").await, &[]);
    body["organizationId"] = json!(world::OPEN_HANDS);
    body["adminEmail"] = json!("robin.reyes@test.example");
    body["adminFirstName"] = json!("Robin");
    body["adminLastName"] = json!("Reyes");
    body["nonCommercialPaymentMethodIds"] = json!(["moc", "pp"]);
    let beds = json!([{"type": "Detox", "count": 1}, {"type": "Sober Living", "count": 2}]);
    body["rooms"] = json!([{"name": null, "imagePath": null, "beds": beds},
        {"name": "Pier", "imagePath": null, "beds": [{"type": 2, "count": 1}]}]);
    body["redirectUri"] = json!(REDIRECT);
    body
}

/// A new site of a commercial organization, with a photo and no house.
async fn paid(house: &House, photo: &str) -> Value {
    let mut body = told(&place(house, "Denver").await, &[photo]);
    for (name, value) in free(house).await.as_object().unwrap() {
        if name.starts_with("admin") || name == "redirectUri" {
            body[name] = value.clone();
        }
    }
    body["organizationId"] = json!(world::HARBOR);
    body["rooms"] = json!([]);
    body
}

async fn create(house: &House, path: &str, body: &Value, token: &str) -> Answer {
    house.post(path, body.clone()).by(token).send().await
}

fn with(body: &Value, field: &str, value: Value) -> Value {
    let mut body = body.clone();
    body[field] = value;
    body
}

/// An edit that changes nothing of a site.
async fn as_it_is(house: &House, site: SiteId) -> Value {
    let now = page(house, site, world::GLOBAL).await.expect(200);
    let ids = |list: &Value| -> Vec<Value> { list.as_array().unwrap().iter().map(|one| one["id"].clone()).collect() };
    let mut body = json!({"id": site, "editVersion": now["editVersion"], "rooms": []});
    for name in [
        "name",
        "alias",
        "description",
        "address",
        "contactWeb",
        "contactPhone",
        "contactEmail",
        "intakePeriods",
        "showDaysOfWeek",
        "images",
        "isDisabled",
        "timeZone",
    ] {
        body[name] = now[name].clone();
    }
    body["screeningPeriod"] = now["screeningPeriod"]["value"].clone();
    body["languageIds"] = json!(ids(&now["languages"]));
    body["serviceIds"] = json!(ids(&now["services"]));
    body["nonCommercialPaymentMethodIds"] = json!(ids(&now["nonCommercialPaymentMethods"]));
    body
}

/// The world's non-commercial site with intake hours, which its form needs; made by an edit.
async fn ready(house: &House) -> Value {
    let mut body = as_it_is(house, world::OPEN_DOOR).await;
    body["intakePeriods"] = told(&Value::Null, &[])["intakePeriods"].clone();
    edit(house, world::OPEN_DOOR, &body, world::ADMIN).await.expect(200);
    as_it_is(house, world::OPEN_DOOR).await
}

async fn edit(house: &House, site: SiteId, body: &Value, token: &str) -> Answer {
    let kind = if site == world::OPEN_DOOR { NON_COMMERCIAL } else { COMMERCIAL };
    house.put(&format!("{kind}/{site}"), body.clone()).by(token).send().await
}

async fn remove(house: &House, site: SiteId, token: &str) -> Answer {
    house.delete(&format!("/api/Sites/{site}")).by(token).send().await
}

fn id(site: &Value) -> SiteId {
    site["id"].as_str().unwrap().parse().unwrap()
}

/// Houses and their beds, as "house: bed, bed".
fn houses(site: &Value) -> Vec<String> {
    let name = |one: &Value| one["name"].as_str().unwrap().to_owned();
    let beds = |room: &Value| room["beds"].as_array().unwrap().iter().map(name).collect::<Vec<_>>().join(", ");
    site["rooms"].as_array().unwrap().iter().map(|room| format!("{}: {}", name(room), beds(room))).collect()
}

async fn count(house: &House, text: &'static str) -> i64 {
    house.db().query(text).scalar().await.unwrap()
}

/// Names of the sites that a search from outside finds.
async fn found(house: &House, search: &str) -> Vec<String> {
    let sites = house.get(&format!("/api/public/sites?search={search}")).send().await.expect(200);
    sites["items"].as_array().unwrap().iter().map(|site| site["name"].as_str().unwrap().to_owned()).collect()
}

/// The summaries of an action in the trail.
async fn summaries(house: &House, action: &str) -> Vec<String> {
    const ROWS: &str = "SELECT summary FROM audit WHERE action = $1 ORDER BY at, id";
    let rows: Vec<(String,)> = house.db().query(ROWS).bind(action.to_owned()).all().await.unwrap();
    rows.into_iter().map(|(summary,)| summary).collect()
}

const SITES: &str = "SELECT COUNT(*) FROM sites";

both_engines! {
    async fn a_new_site_comes_with_its_houses_and_beds_and_an_invited_admin(house: House) {
        let site = create(&house, NON_COMMERCIAL, &free(&house).await, world::OWNER_FREE).await.expect(201);
        assert_eq!(houses(&site), ["House #1: Detox, Sober Living #1, Sober Living #2", "Pier: Treatment"]);
        assert_eq!((&site["name"], &site["contactPhone"]), (&json!("Cedar Court"), &json!("+17145550134")));
        assert_eq!((&site["contactWeb"], &site["timeZone"]), (&json!("https://cedar.example"), &json!("America/Los_Angeles")));
        assert_eq!(site["screeningPeriod"], json!({"totalHours": 12, "value": "00:12:00:00"}));
        assert_eq!((&site["countOfBeds"], &site["countOfVacantBeds"]), (&json!(4), &json!(4)));
        assert_eq!((&site["adminEmail"], &site["editVersion"]), (&json!("robin.reyes@test.example"), &json!(1)));
        assert_eq!(site["intakePeriods"][2]["from"], "00:01:00");
        assert_eq!(site["languages"][0]["name"], "English", "in the order of the catalog");
        assert_eq!(site["nonCommercialPaymentMethods"][1]["id"], "moc");
        let latitude = site["latitude"].as_f64().unwrap();
        assert!((33.7..34.0).contains(&latitude), "{latitude}");
        assert_eq!(page(&house, id(&site), world::OWNER_FREE).await.expect(200), site, "as it is read afterwards");
        assert_eq!(found(&house, "cedar").await, ["Cedar Court"], "found from outside at once");

        let (channel, recipient, body) = house.outbox().await.remove(0);
        assert_eq!((channel.as_str(), recipient.as_str()), ("email", "robin.reyes@test.example"));
        assert!(body.contains("/login/callback#access_token="), "{body}");
        let invited = "SELECT COUNT(*) FROM memberships m JOIN sites s ON s.id = m.site_id \
            WHERE s.name = 'Cedar Court' AND m.role = 'Admin' AND m.status = 'PendingInvitation'";
        assert_eq!(count(&house, invited).await, 1);
        assert_eq!(
            sorted_trail(&house).await.iter().filter(|action| !action.contains("viewed")).cloned().collect::<Vec<_>>(),
            ["bed.created", "bed.created", "bed.created", "bed.created", "membership.invited", "room.created",
                "room.created", "site.created"]
        );
        invariants::hold(&house).await;
    }

    async fn a_commercial_site_needs_a_photo_but_no_house(house: House) {
        let photo = picture(&house, "site_front").await;
        let body = paid(&house, &photo).await;
        let bare = create(&house, COMMERCIAL, &with(&body, "images", json!([])), world::OWNER).await;
        assert_eq!(bare.field_errors(), ["/images: Please add at least one photo."]);
        let site = create(&house, COMMERCIAL, &body, world::OWNER).await.expect(201);
        assert_eq!((houses(&site).len(), &site["timeZone"]), (0, &json!("America/Denver")));
        assert_eq!(site["coverImage"], json!({"imagePath": photo, "index": 0}));
        assert_eq!(site["subscription"]["status"], "none");
        invariants::hold(&house).await;
    }

    async fn every_wrong_field_is_told_at_once(house: House) {
        let body = json!({"organizationId": world::OPEN_HANDS, "redirectUri": REDIRECT, "alias": "ab",
            "description": "short", "contactPhone": "1", "contactWeb": "no web", "contactEmail": "x", "isAdmin": true});
        assert_eq!(
            create(&house, NON_COMMERCIAL, &body, world::OWNER_FREE).await.field_errors(),
            [
                "/isAdmin: This field is not known here.",
                "/name: Required field.",
                "/alias: Alias must be at least 3 characters.",
                "/description: Description must be at least 80 characters.",
                "/address: Please choose address from dropdown.",
                "/contactPhone: Phone number is incorrect",
                "/contactWeb: Invalid URL.",
                "/contactEmail: Invalid email.",
                "/intakePeriods: Add at least one intake period.",
                "/screeningPeriod: Required field.",
                "/languageIds: Required field.",
                "/serviceIds: Add at least one service.",
                "/adminEmail: Required field.",
                "/adminFirstName: Required field.",
                "/adminLastName: Required field.",
                "/rooms: Add at least one room.",
            ]
        );
        let answer = create(&house, NON_COMMERCIAL, &json!({}), world::OWNER_FREE).await;
        assert_eq!(answer.field_errors(), ["/organizationId: Required field."]);
        let answer = edit(&house, world::OPEN_DOOR, &json!({"organizationId": world::HARBOR}), world::ADMIN).await;
        assert!(answer.field_errors().contains(&"/organizationId: This field is not known here.".to_owned()));
        let odd = with(&free(&house).await, "rooms", json!([{"beds": [{"count": 1}], "siteId": world::OPEN_DOOR}]));
        assert_eq!(create(&house, NON_COMMERCIAL, &odd, world::OWNER_FREE).await.status, 400);
        assert_eq!(count(&house, SITES).await, 3);
        assert_eq!(house.outbox().await.len(), 0);
    }

    async fn the_invitation_leads_to_our_own_pages_only(house: House) {
        let body = with(&free(&house).await, "redirectUri", json!("https://elsewhere.example/login/callback"));
        assert_eq!(create(&house, NON_COMMERCIAL, &body, world::OWNER_FREE).await.status, 400);
        assert_eq!(count(&house, SITES).await, 3);
    }

    async fn the_kind_of_site_follows_its_organization(house: House) {
        let body = free(&house).await;
        let refusal = create(&house, COMMERCIAL, &body, world::OWNER_FREE).await.refusal(409);
        assert_eq!(refusal, "This organization is non-commercial, and so are its sites.");
        let photo = picture(&house, "site_front").await;
        let refusal = create(&house, NON_COMMERCIAL, &paid(&house, &photo).await, world::OWNER).await.refusal(409);
        assert_eq!(refusal, "This organization is commercial, and so are its sites.");
        let body = as_it_is(&house, world::OPEN_DOOR).await;
        let call = house.put(&format!("{COMMERCIAL}/{}", world::OPEN_DOOR), body).by(world::ADMIN);
        assert_eq!(call.send().await.refusal(409), "This organization is non-commercial, and so are its sites.");
    }

    async fn owners_and_global_admins_create_and_remove_and_admins_edit(house: House) {
        let new = free(&house).await;
        let change = with(&ready(&house).await, "alias", json!("Changed"));
        for (token, create_status, edit_status, remove_status) in [
            (world::STAFF, 403, 403, 403),
            (world::INTAKE, 403, 403, 403),
            (world::ADMIN, 403, 200, 403),
            (world::OWNER, 404, 404, 404),
            (world::OWNER_FOREIGN, 404, 404, 404),
            (world::FIRST_STEP, 401, 401, 401),
        ] {
            assert_eq!(create(&house, NON_COMMERCIAL, &new, token).await.status, create_status, "{token}");
            assert_eq!(edit(&house, world::OPEN_DOOR, &change, token).await.status, edit_status, "{token}");
            assert_eq!(remove(&house, world::OPEN_DOOR, token).await.status, remove_status, "{token}");
        }
        create(&house, NON_COMMERCIAL, &new, world::GLOBAL).await.expect(201);
        remove(&house, world::OPEN_DOOR, world::GLOBAL).await.expect(204);
    }

    async fn an_address_is_chosen_from_the_list_and_only_a_fresh_choice_counts(house: House) {
        const CHOOSE: [&str; 1] = ["/address: Please choose address from dropdown."];
        let body = free(&house).await;
        for (field, value) in [("placeId", json!("forged")), ("placeId", Value::Null), ("address", json!(""))] {
            let answer = create(&house, NON_COMMERCIAL, &with(&body, field, value), world::OWNER_FREE).await;
            assert_eq!(answer.field_errors(), CHOOSE);
        }
        // What is stored is the place that was chosen, not what was typed around it.
        let other = with(&body, "address", json!("1 Elsewhere Road"));
        let site = create(&house, NON_COMMERCIAL, &other, world::OWNER_FREE).await.expect(201);
        assert_eq!(site["address"], body["address"]);

        let before = ready(&house).await;
        let moved = with(&before, "address", json!("Elsewhere"));
        assert_eq!(edit(&house, world::OPEN_DOOR, &moved, world::ADMIN).await.field_errors(), CHOOSE);
        let denver = place(&house, "Denver").await;
        let mut moved = with(&before, "address", denver["label"].clone());
        moved["placeId"] = denver["id"].clone();
        moved["timeZone"] = Value::Null;
        let site = edit(&house, world::OPEN_DOOR, &moved, world::ADMIN).await.expect(200);
        assert_eq!((&site["address"], &site["timeZone"]), (&denver["label"], &json!("America/Denver")));
        assert!(site["longitude"].as_f64().unwrap() < -104.0);
        let mut own = as_it_is(&house, world::OPEN_DOOR).await;
        own["timeZone"] = json!("America/Phoenix");
        let site = edit(&house, world::OPEN_DOOR, &own, world::ADMIN).await.expect(200);
        assert_eq!((&site["address"], &site["timeZone"]), (&denver["label"], &json!("America/Phoenix")));
        assert_eq!(summaries(&house, "site.edited").await[1..], ["changed: address, time zone", "changed: time zone"]);

        house.advance(2 * HOUR);
        let body = with(&body, "adminEmail", json!("someone.else@test.example"));
        assert_eq!(create(&house, NON_COMMERCIAL, &body, world::OWNER_FREE).await.field_errors(), CHOOSE);
    }

    async fn photos_were_uploaded_for_sites_and_keep_their_order(house: House) {
        let (front, garden) = (picture(&house, "site_front").await, picture(&house, "site_garden").await);
        let (bed, pier) = (picture(&house, "bed_blue").await, picture(&house, "room_pier").await);
        let mut body = free(&house).await;
        body["images"] = json!([{"imagePath": front, "index": 5}, {"imagePath": garden, "index": 2},
            {"imagePath": bed, "index": 3}, {"imagePath": "uploads/site_never.png", "index": 4}]);
        body["rooms"] = json!([{"imagePath": front, "beds": [{"count": 1}]}]);
        let again = "Please upload the image again.";
        assert_eq!(
            create(&house, NON_COMMERCIAL, &body, world::OWNER_FREE).await.field_errors(),
            [
                format!("/images/2/imagePath: {again}"),
                format!("/images/3/imagePath: {again}"),
                format!("/rooms/0/imagePath: {again}"),
            ]
        );
        body["images"] = json!([{"imagePath": front, "index": 5}, {"imagePath": garden, "index": 2}]);
        body["rooms"][0]["imagePath"] = json!(pier);
        let site = create(&house, NON_COMMERCIAL, &body, world::OWNER_FREE).await.expect(201);
        let order = |first: &str, second: &str| {
            json!([{"imagePath": first, "index": 0}, {"imagePath": second, "index": 1}])
        };
        assert_eq!(site["images"], order(&garden, &front));
        assert_eq!(site["rooms"][0]["imagePath"], json!(pier));

        let mut body = ready(&house).await;
        body["images"] = order(&front, &garden);
        edit(&house, world::OPEN_DOOR, &body, world::ADMIN).await.expect(200);
        let mut body = as_it_is(&house, world::OPEN_DOOR).await;
        body["images"] = order(&garden, &front);
        let site = edit(&house, world::OPEN_DOOR, &body, world::ADMIN).await.expect(200);
        assert_eq!(site["coverImage"]["imagePath"], json!(garden));
        assert_eq!(summaries(&house, "site.edited").await[2], "changed: photos");
    }

    async fn a_double_press_creates_one_site(house: House) {
        let body = free(&house).await;
        let press = || house.post(NON_COMMERCIAL, body.clone()).by(world::OWNER_FREE).header("idempotency-key", "press-1");
        let answers = all_at_once((0..4).map(|_| press()).collect()).await;
        assert_eq!(statuses(&answers).get(&201), Some(&4), "{:?}", statuses(&answers));
        assert!(answers.iter().all(|answer| answer.json()["id"] == answers[0].json()["id"]));
        assert_eq!((count(&house, SITES).await, house.outbox().await.len()), (4, 1));
        let other = house.post(NON_COMMERCIAL, with(&body, "name", json!("Other"))).by(world::OWNER_FREE);
        assert_eq!(other.header("idempotency-key", "press-1").send().await.status, 422);
        invariants::hold(&house).await;
    }

    async fn an_edit_shows_at_once_everywhere_and_is_on_record(house: House) {
        let body = ready(&house).await;
        assert_eq!(found(&house, "lantern").await, Vec::<String>::new());
        let mut changed = with(&body, "name", json!("Lantern <b>House</b>"));
        changed["alias"] = Value::Null;
        changed["screeningPeriod"] = json!("02:00:00:00");
        changed["serviceIds"] = json!(["prenatal"]);
        changed["lengthOfStayDaysMin"] = json!(7);
        let site = edit(&house, world::OPEN_DOOR, &changed, world::ADMIN).await.expect(200);
        assert_eq!((&site["name"], &site["lengthOfStayDaysMin"]), (&json!("Lantern House"), &json!(7)));
        assert_eq!(site["lengthOfStayDaysMax"], 90, "what is not sent stays");
        assert_eq!(site["services"].as_array().unwrap().len(), 1);
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
        silent.as_object_mut().unwrap().remove("isDisabled");
        silent["alias"] = json!("Still hidden");
        let site = edit(&house, world::OPEN_DOOR, &silent, world::ADMIN).await.expect(200);
        assert_eq!(site["isDisabled"], true, "what is not sent stays");
    }

    async fn an_edit_of_an_old_view_is_refused_and_guests_do_not_make_it_old(house: House) {
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
        assert_eq!((version(&same), &same["editVersion"]), (version(&before), &json!(4)), "nothing changed, no trace");
        assert_eq!(version(&page(&house, world::OPEN_DOOR, world::GLOBAL).await.expect(200)), version(&before));
        assert_eq!(summaries(&house, "site.edited").await.len(), 3);
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

    async fn houses_of_a_commercial_site_are_its_owners_matter(house: House) {
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

    async fn a_site_in_use_is_not_removed(house: House) {
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

    async fn whom_a_site_was_created_with_is_for_those_who_edit_it(house: House) {
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
