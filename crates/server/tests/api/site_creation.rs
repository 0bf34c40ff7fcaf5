//! A new site: its houses and beds, its invited admin, its address and its photos.

use serde_json::{Value, json};

use crate::harness::HOUR;
use crate::site_steps::{
    COMMERCIAL, NON_COMMERCIAL, REDIRECT, as_it_is, count, create, edit, found, free, houses, id, paid, picture, place,
    ready, remove, summaries, with,
};
use crate::sites::page;
use crate::steps::{all_at_once, sorted_trail, statuses};
use crate::{both_engines, invariants, world};

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
        assert!(site["latitude"].as_f64().is_some_and(|north| (33.7..34.0).contains(&north)), "{}", site["latitude"]);
        assert_eq!(page(&house, id(&site), world::OWNER_FREE).await.expect(200), site, "equal to the site's page");
        assert_eq!(found(&house, "cedar").await, ["Cedar Court"], "found on the public side at once");

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

    async fn every_wrong_field_of_a_new_site_is_reported_at_once(house: House) {
        let body = json!({"organizationId": world::OPEN_HANDS, "redirectUri": REDIRECT, "alias": "ab",
            "description": "short", "contactPhone": "1", "contactWeb": "no web", "contactEmail": "x", "isAdmin": true});
        assert_eq!(
            create(&house, NON_COMMERCIAL, &body, world::OWNER_FREE).await.field_errors(),
            [
                "/isAdmin: This field does not exist here.",
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
        assert!(answer.field_errors().contains(&"/organizationId: This field does not exist here.".to_owned()));
        let odd = with(&free(&house).await, "rooms", json!([{"beds": [{"count": 1}], "siteId": world::OPEN_DOOR}]));
        let refused = create(&house, NON_COMMERCIAL, &odd, world::OWNER_FREE).await;
        assert_eq!(refused.field_errors(), ["/rooms/0/siteId: This field does not exist here."]);
        assert_eq!(count(&house, SITES).await, 3);
        assert_eq!(house.outbox().await.len(), 0);
    }

    async fn the_site_invitation_leads_only_to_our_own_pages(house: House) {
        let body = with(&free(&house).await, "redirectUri", json!("https://elsewhere.example/login/callback"));
        assert_eq!(create(&house, NON_COMMERCIAL, &body, world::OWNER_FREE).await.status, 400);
        assert_eq!(count(&house, SITES).await, 3);
    }

    async fn a_site_has_the_kind_of_its_organization(house: House) {
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

    async fn an_address_is_chosen_from_the_list_and_the_choice_expires(house: House) {
        const CHOOSE: [&str; 1] = ["/address: Please choose address from dropdown."];
        let body = free(&house).await;
        for (field, value) in [("placeId", json!("forged")), ("placeId", Value::Null), ("address", json!(""))] {
            let answer = create(&house, NON_COMMERCIAL, &with(&body, field, value), world::OWNER_FREE).await;
            assert_eq!(answer.field_errors(), CHOOSE);
        }
        // The owner chooses the address that accepted guests get by SMS, so it must be a real address.
        for typed in ["12 pay.evil.example/now, Anaheim, CA", "5 call 714 555 0199 now, Anaheim, CA", "12 Main St! Anaheim"] {
            let found = house.get(&format!("/api/places?kind=address&query={}", typed.replace(' ', "%20")));
            assert_eq!(found.by(world::OWNER_FREE).send().await.expect(200)["items"], json!([]), "{typed}");
            let sent = with(&with(&body, "placeId", Value::Null), "address", json!(typed));
            assert_eq!(create(&house, NON_COMMERCIAL, &sent, world::OWNER_FREE).await.field_errors(),
                ["/address: Enter the street with its number, without web addresses, phone numbers or symbols."], "{typed}");
        }
        // The chosen place is stored, not the text that was typed around it.
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
        assert!(site["longitude"].as_f64().is_some_and(|east| east < -104.0));
        let mut own = as_it_is(&house, world::OPEN_DOOR).await;
        own["timeZone"] = json!("America/Phoenix");
        let site = edit(&house, world::OPEN_DOOR, &own, world::ADMIN).await.expect(200);
        assert_eq!((&site["address"], &site["timeZone"]), (&denver["label"], &json!("America/Phoenix")));
        assert_eq!(summaries(&house, "site.edited").await[1..], ["changed: address, time zone", "changed: time zone"]);

        house.advance(2 * HOUR);
        let body = with(&body, "adminEmail", json!("someone.else@test.example"));
        assert_eq!(create(&house, NON_COMMERCIAL, &body, world::OWNER_FREE).await.field_errors(), CHOOSE);
    }

    async fn photos_must_be_uploaded_for_sites_and_keep_their_order(house: House) {
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
}
