//! Organizations: creating one with its first owner, editing it under its version, removing it with its sites.

use axum::http::Method;
use berth_domain::id::OrganizationId;
use serde_json::{Value, json};

use crate::harness::{HOUR, House};
use crate::sites::{assigned, pending, run};
use crate::steps::{all_at_once, sorted_trail, statuses};
use crate::{both_engines, invariants, world};

const COMMERCIAL: &str = "/api/Organizations/commercial";
const NON_COMMERCIAL: &str = "/api/Organizations/nonCommercial";

/// Adds only the row of an uploaded logo. The start of its name says what it is for; the default is an organization.
pub async fn logo(house: &House, name: &str) -> String {
    let prefix = ["site_", "ins_"].into_iter().find(|prefix| name.starts_with(prefix)).unwrap_or("org_");
    world::picture(&house.app, name, prefix).await
}

/// The form of a new organization.
fn new(name: &str, logo: &str) -> Value {
    let redirect = "http://localhost:8080/login/callback";
    json!({"name": name, "ownerEmail": "first.owner@test.example", "logoPath": logo, "redirectUri": redirect})
}

fn path(id: OrganizationId) -> String {
    format!("/api/Organizations/{id}")
}

async fn one(house: &House, id: OrganizationId) -> Value {
    house.get(&path(id)).by(world::GLOBAL).send().await.expect(200)
}

/// An edit of an organization with a logo that changes nothing, to which a test adds its own fields.
async fn as_it_is(house: &House, id: OrganizationId, logo: &str) -> Value {
    run_text(house, "UPDATE organizations SET logo_path = $2 WHERE id = $1", id, logo).await;
    let now = one(house, id).await;
    json!({"id": id, "name": now["name"], "logoPath": logo, "isDisabled": now["isDisabled"],
        "insuranceCompanyIds": [], "reservationPaymentMethodIds": [1, 2, 3]})
}

async fn run_text(house: &House, text: &'static str, id: OrganizationId, value: &str) {
    let mut tx = house.db().begin().await.unwrap();
    tx.query(text).bind(id).bind(value).execute().await.unwrap();
    tx.commit().await.unwrap();
}

fn with(mut body: Value, field: &str, value: Value) -> Value {
    body[field] = value;
    body
}

async fn count(house: &House, text: &'static str) -> i64 {
    house.db().query(text).scalar().await.unwrap()
}

async fn site_version(house: &House) -> i64 {
    house.db().query("SELECT version FROM sites WHERE id = $1").bind(world::HARBOR_HOUSE).scalar().await.unwrap()
}

both_engines! {
    async fn an_organization_is_created_with_its_first_owner_invited(house: House) {
        let logo = logo(&house, "org_new").await;
        let made = house.post(COMMERCIAL, new(" New  Shore ", &logo)).by(world::GLOBAL).send().await.expect(201);
        assert_eq!((&made["name"], &made["isCommercial"], &made["isDisabled"], &made["siteCount"], &made["logoPath"]),
            (&json!("New Shore"), &json!(true), &json!(false), &json!(0), &json!(logo)));
        assert_eq!(made["reservationPaymentMethods"].as_array().map(Vec::len), Some(3));
        let (channel, to, body) = house.outbox().await.remove(0);
        assert_eq!((channel.as_str(), to.as_str()), ("email", "first.owner@test.example"));
        assert!(body.contains("http://localhost:8080/login/callback#access_token="), "{body}");
        let owners = count(&house, "SELECT COUNT(*) FROM memberships WHERE role = 'Owner' AND status = 'PendingInvitation' \
            AND receive_reservation_texts").await;
        assert_eq!(owners, 1);
        assert_eq!(sorted_trail(&house).await, ["membership.invited", "organization.created"]);
        let free = house.post(NON_COMMERCIAL, new("Free Shore", &logo)).by(world::GLOBAL).send().await.expect(201);
        assert_eq!(free["isCommercial"], false);
    }

    async fn all_field_errors_of_a_new_organization_are_reported_at_once(house: House) {
        let empty = house.post(COMMERCIAL, json!({})).by(world::GLOBAL).send().await.field_errors();
        assert_eq!(empty, ["/name: Organization name is a required field.", "/ownerEmail: Email is a required field.",
            "/logoPath: Please add a logo to organization."]);
        let wrong = json!({"name": "N".repeat(201), "ownerEmail": "nobody", "logoPath": " ", "redirectUri": "x"});
        let wrong = house.post(COMMERCIAL, wrong).by(world::GLOBAL).send().await.field_errors();
        assert_eq!(wrong, ["/name: Maximum length is 200 symbols.", "/ownerEmail: Invalid email.",
            "/logoPath: Please add a logo to organization."]);
        assert_eq!(house.trail().await, [""; 0]);
    }

    async fn the_logo_must_have_been_uploaded_as_an_organization_logo(house: House) {
        let foreign = logo(&house, "site_photo").await;
        for path in ["uploads/org_none.png", "https://elsewhere.example/x.png", foreign.as_str()] {
            let refused = house.post(COMMERCIAL, new("New Shore", path)).by(world::GLOBAL).send().await;
            assert_eq!(refused.field_errors(), ["/logoPath: Please upload the image again."]);
        }
        assert_eq!(count(&house, "SELECT COUNT(*) FROM organizations").await, 3);
    }

    async fn a_taken_name_is_a_conflict_at_its_field(house: House) {
        let logo = logo(&house, "org_new").await;
        let refused = house.post(NON_COMMERCIAL, new("HARBOR recovery", &logo)).by(world::GLOBAL).send().await;
        let problem = refused.expect(409);
        let sentence = "An organization with this name already exists.";
        assert_eq!(problem["errors"], json!([{"pointer": "/name", "message": sentence, "code": "organization-name-taken"}]));
        assert_eq!(problem["message"], sentence);
        assert_eq!(house.outbox().await.len(), 0, "no invitation was sent");
        let edit = with(as_it_is(&house, world::HARBOR, &logo).await, "name", json!("open hands"));
        let refused = house.put(&path(world::HARBOR), edit).by(world::OWNER).send().await;
        assert_eq!(refused.expect(409)["errors"][0]["pointer"], "/name");
    }

    async fn an_invitation_link_leads_only_to_our_own_pages(house: House) {
        let logo = logo(&house, "org_new").await;
        for redirect in ["https://evil.example/login/callback", "http://localhost:8080/elsewhere", ""] {
            let ask = with(new("New Shore", &logo), "redirectUri", json!(redirect));
            house.post(COMMERCIAL, ask).by(world::GLOBAL).send().await.expect(400);
        }
        assert_eq!(count(&house, "SELECT COUNT(*) FROM organizations").await, 3);
    }

    async fn only_global_admins_create_organizations(house: House) {
        let logo = logo(&house, "org_new").await;
        for token in [world::OWNER, world::ADMIN, world::INTAKE, world::STAFF] {
            assert_eq!(house.post(COMMERCIAL, new("New Shore", &logo)).by(token).status().await, 403);
            assert_eq!(house.post(NON_COMMERCIAL, new("New Shore", &logo)).by(token).status().await, 403);
        }
    }

    async fn unknown_fields_are_refused(house: House) {
        let logo = logo(&house, "org_new").await;
        for (field, value) in [("id", json!(world::OPEN_DOOR)), ("isDisabled", json!(true)), ("isCommercial", json!(false)),
            ("version", json!(7)), ("createdAt", json!("2020-01-01T00:00:00Z"))] {
            let ask = with(new("New Shore", &logo), field, value);
            house.post(COMMERCIAL, ask).by(world::GLOBAL).send().await.expect(422);
        }
        let edit = as_it_is(&house, world::HARBOR, &logo).await;
        for (field, value) in [("isCommercial", json!(false)), ("siteCount", json!(9)), ("deletedAt", json!(1))] {
            let ask = with(edit.clone(), field, value);
            house.put(&path(world::HARBOR), ask).by(world::GLOBAL).send().await.expect(422);
        }
        let other = with(edit, "id", json!(world::FOREIGN));
        let refused = house.put(&path(world::HARBOR), other).by(world::GLOBAL).send().await;
        assert_eq!(refused.field_errors(), ["/id: This is the id of another organization."]);
        assert_eq!(one(&house, world::HARBOR).await["isCommercial"], true);
    }

    async fn an_organization_is_created_once_for_one_key(house: House) {
        let logo = logo(&house, "org_new").await;
        let ask = |name: &str| house.post(COMMERCIAL, new(name, &logo)).by(world::GLOBAL).header("idempotency-key", "k");
        let first = ask("New Shore").send().await.expect(201);
        let again = ask("New Shore").send().await;
        assert_eq!((again.header("idempotent-replayed"), again.expect(201)), ("true", first));
        ask("Other Shore").send().await.expect(422);
        assert_eq!(house.outbox().await.len(), 1, "one invitation");
    }

    async fn an_edit_shows_on_the_page_of_every_site_at_once(house: House) {
        let logo = logo(&house, "org_new").await;
        let page = format!("/api/Sites/{}", world::HARBOR_HOUSE);
        let seen = house.get(&page).by(world::OWNER).send().await;
        let edit = as_it_is(&house, world::HARBOR, &logo).await;
        let edit = with(edit, "name", json!("Harbor & Sons"));
        let edit = with(edit, "insuranceCompanyIds", json!([world::INSURER]));
        let edit = with(edit, "reservationPaymentMethodIds", json!([3, 1]));
        let made = house.put(&path(world::HARBOR), edit).by(world::OWNER).send().await.expect(200);
        assert_eq!((&made["name"], &made["version"]), (&json!("Harbor & Sons"), &json!(2)));
        assert_eq!(made["insuranceCompanies"][0]["name"], "Blue Anchor");
        let now = house.get(&page).by(world::OWNER).header("if-none-match", seen.header("etag")).send().await.expect(200);
        assert_eq!(now["organizationName"], "Harbor & Sons");
        assert_eq!(now["insuranceCompanies"][0]["name"], "Blue Anchor");
        let methods: Vec<&Value> = now["organizationReservationPaymentMethods"].as_array().unwrap().iter()
            .map(|method| &method["id"]).collect();
        assert_eq!(methods, [1, 3]);
        assert!(house.trail().await.contains(&"organization.edited".to_owned()));
    }

    async fn an_edit_that_changes_nothing_leaves_no_trace(house: House) {
        let logo = logo(&house, "org_new").await;
        let edit = as_it_is(&house, world::HARBOR, &logo).await;
        let before = site_version(&house).await;
        let made = house.put(&path(world::HARBOR), edit).by(world::OWNER).send().await.expect(200);
        assert_eq!((&made["version"], site_version(&house).await), (&json!(1), before));
        assert_eq!(house.trail().await, [""; 0]);
    }

    async fn fields_that_an_edit_omits_are_kept(house: House) {
        let logo = logo(&house, "org_new").await;
        let edit = with(as_it_is(&house, world::HARBOR, &logo).await, "insuranceCompanyIds", json!([world::INSURER]));
        house.put(&path(world::HARBOR), edit).by(world::OWNER).send().await.expect(200);
        let short = json!({"name": "Harbor", "reservationPaymentMethodIds": [2]});
        let made = house.put(&path(world::HARBOR), short).by(world::OWNER).send().await.expect(200);
        assert_eq!((&made["insuranceCompanies"][0]["name"], &made["isDisabled"], &made["logoPath"]),
            (&json!("Blue Anchor"), &json!(false), &json!(logo)));
    }

    async fn all_field_errors_of_an_edit_are_reported_at_once(house: House) {
        let ask = json!({"name": " ", "logoPath": null, "insuranceCompanyIds": [world::INSURER],
            "reservationPaymentMethodIds": []});
        let refused = house.put(&path(world::OPEN_HANDS), ask.clone()).by(world::OWNER_FREE).send().await;
        assert_eq!(refused.field_errors(), ["/name: Organization name is a required field.",
            "/logoPath: Please add a logo to organization.",
            "/insuranceCompanyIds: Only commercial organizations work with insurance companies.",
            "/reservationPaymentMethodIds: At least one payment method is required."]);
        let ask = with(ask, "reservationPaymentMethodIds", json!([1, 9]));
        let refused = house.put(&path(world::HARBOR), ask).by(world::OWNER).send().await.field_errors();
        assert!(refused.contains(&"/reservationPaymentMethodIds: Please choose from the payment methods of the list."
            .to_owned()), "{refused:?}");
    }

    async fn an_insurer_that_is_gone_cannot_be_linked(house: House) {
        let logo = logo(&house, "org_new").await;
        let edit = with(as_it_is(&house, world::HARBOR, &logo).await, "insuranceCompanyIds", json!([world::BED_A]));
        let refused = house.put(&path(world::HARBOR), edit).by(world::OWNER).send().await.field_errors();
        assert_eq!(refused,
            ["/insuranceCompanyIds: An insurance company in this list was removed. Reload the page."]);
    }

    async fn an_edit_of_an_outdated_version_is_refused(house: House) {
        let logo = logo(&house, "org_new").await;
        let edit = as_it_is(&house, world::HARBOR, &logo).await;
        let first = with(with(edit.clone(), "name", json!("First")), "version", json!(1));
        house.put(&path(world::HARBOR), first).by(world::OWNER).send().await.expect(200);
        let second = with(with(edit.clone(), "name", json!("Second")), "version", json!(1));
        house.put(&path(world::HARBOR), second.clone()).by(world::GLOBAL).send().await.expect(412);
        let by_header = with(edit, "name", json!("Third"));
        let ask = |tag: &str| house.put(&path(world::HARBOR), by_header.clone()).by(world::GLOBAL).header("if-match", tag);
        ask("\"1\"").send().await.expect(412);
        assert_eq!(one(&house, world::HARBOR).await["name"], "First");
        ask("\"2\"").send().await.expect(200);
    }

    async fn of_concurrent_edits_of_one_version_one_wins(house: House) {
        let logo = logo(&house, "org_new").await;
        let edit = with(as_it_is(&house, world::HARBOR, &logo).await, "version", json!(1));
        let ask = |number| house.put(&path(world::HARBOR), with(edit.clone(), "name", json!(format!("Name {number}"))))
            .by(world::OWNER);
        let found = statuses(&all_at_once((0..6).map(ask).collect()).await);
        assert_eq!(found.into_iter().collect::<Vec<_>>(), [(200, 1), (412, 5)]);
    }

    async fn only_global_admins_show_and_hide_an_organization(house: House) {
        let logo = logo(&house, "org_new").await;
        let hide = with(as_it_is(&house, world::HARBOR, &logo).await, "isDisabled", json!(true));
        let refused = house.put(&path(world::HARBOR), hide.clone()).by(world::OWNER).send().await;
        assert_eq!(refused.refusal(403), "Only a global admin may show or hide an organization.");
        let public = || async {
            house.get("/api/public/sites").send().await.expect(200)["totalCount"].as_i64()
        };
        assert_eq!(public().await, Some(2));
        house.put(&path(world::HARBOR), hide.clone()).by(world::GLOBAL).send().await.expect(200);
        assert_eq!(public().await, Some(1), "its sites are no longer found");
        let renamed = with(hide, "name", json!("Hidden Harbor"));
        house.put(&path(world::HARBOR), renamed.clone()).by(world::OWNER).send().await.expect(200);
        house.get(&path(world::HARBOR)).by(world::STAFF).send().await.expect(200);
        let show = with(renamed, "isDisabled", json!(false));
        house.put(&path(world::HARBOR), show).by(world::GLOBAL).send().await.expect(200);
        let trail = ["access.denied", "organization.edited", "organization.hidden", "organization.shown"];
        assert_eq!(sorted_trail(&house).await, trail, "the refusal is recorded, too");
    }

    async fn the_sites_of_a_hidden_organization_say_that_it_is_hidden(house: House) {
        let hidden = || async {
            let site = house.get(&format!("/api/Sites/{}", world::HARBOR_HOUSE)).by(world::STAFF).send().await.expect(200);
            site["organizationIsDisabled"].clone()
        };
        assert_eq!(hidden().await, json!(false));
        let logo = logo(&house, "org_new").await;
        let hide = with(as_it_is(&house, world::HARBOR, &logo).await, "isDisabled", json!(true));
        house.put(&path(world::HARBOR), hide).by(world::GLOBAL).send().await.expect(200);
        assert_eq!(hidden().await, json!(true));
    }

    async fn only_its_owners_and_global_admins_change_an_organization(house: House) {
        let logo = logo(&house, "org_new").await;
        let edit = with(as_it_is(&house, world::HARBOR, &logo).await, "name", json!("Taken Over"));
        for (token, status) in [(world::STAFF, 403), (world::INTAKE, 403), (world::ADMIN, 403),
            (world::OWNER_FOREIGN, 404), (world::OWNER_FREE, 404)] {
            assert_eq!(house.put(&path(world::HARBOR), edit.clone()).by(token).status().await, status);
            assert_eq!(house.ask(Method::DELETE, &path(world::HARBOR)).by(token).status().await, status);
        }
        assert_eq!(one(&house, world::HARBOR).await["name"], "Harbor Recovery");
    }

    async fn an_organization_is_removed_with_its_sites_and_memberships(house: House) {
        house.delete(&path(world::HARBOR)).by(world::OWNER).send().await.expect(204);
        assert_eq!(house.get(&path(world::HARBOR)).by(world::GLOBAL).status().await, 404);
        assert_eq!(house.get(&format!("/api/Sites/{}", world::HARBOR_HOUSE)).by(world::GLOBAL).status().await, 404);
        assert_eq!(house.get(&format!("/api/Guests?siteId={}", world::HARBOR_HOUSE)).by(world::ADMIN).status().await, 404);
        assert_eq!(house.get("/api/Organizations").by(world::OWNER).status().await, 401, "no role is left");
        house.get(&format!("/api/Sites/{}", world::OPEN_DOOR)).by(world::ADMIN).send().await.expect(200);
        let left = count(&house, "SELECT COUNT(*) FROM memberships WHERE deleted_at IS NULL").await;
        assert_eq!(left, 6, "the global admin, two owners and three at Open Door");
        let mut trail = sorted_trail(&house).await;
        trail.retain(|action| action.contains("removed"));
        assert_eq!(trail, ["membership.removed", "membership.removed", "membership.removed", "membership.removed",
            "organization.removed", "site.removed"]);
        house.delete(&path(world::HARBOR)).by(world::GLOBAL).send().await.expect(404);
        let logo = logo(&house, "org_new").await;
        house.post(COMMERCIAL, new("Harbor Recovery", &logo)).by(world::GLOBAL).send().await.expect(201);
    }

    async fn an_organization_with_an_occupied_bed_or_pending_reservation_cannot_be_removed(house: House) {
        let sentence = "You can't delete the organization while a site has occupied beds or pending reservations. \
            Discharge or decline them first.";
        let guest = assigned(&house, world::HARBOR_HOUSE, world::BED_A, 1).await;
        let refused = house.delete(&path(world::HARBOR)).by(world::GLOBAL).send().await;
        assert_eq!(refused.refusal(409), sentence);
        run(&house, "UPDATE stays SET ended_at = started_at, end_reason = 'discharged' WHERE guest_id = $1 AND site_id = $2",
            (guest.0, world::HARBOR_HOUSE.0)).await;
        run(&house, "UPDATE guests SET discharged_at = accepted_at WHERE id = $1 AND site_id = $2",
            (guest.0, world::HARBOR_HOUSE.0)).await;
        pending(&house, world::HARBOR_HOUSE, 2, Some(HOUR)).await;
        let refused = house.delete(&path(world::HARBOR)).by(world::GLOBAL).send().await;
        assert_eq!(refused.refusal(409), sentence);
        house.advance(HOUR);
        house.delete(&path(world::HARBOR)).by(world::GLOBAL).send().await.expect(204);
        assert_eq!(count(&house, "SELECT COUNT(*) FROM guests").await, 2, "history is kept");
    }

    /// Whichever comes first, the other one is refused, so there is never a guest at a removed site.
    async fn a_concurrent_removal_and_reservation_do_not_both_succeed(house: House) {
        let add = || house.post("/api/Guests", crate::steps::form(world::HARBOR_HOUSE, 1)).by(world::INTAKE);
        let remove = || house.delete(&path(world::HARBOR)).by(world::GLOBAL);
        let found: Vec<u16> = statuses(&all_at_once(vec![add(), remove()]).await).into_keys().collect();
        assert!([vec![201, 409], vec![204, 401], vec![204, 404]].contains(&found), "{found:?}");
        invariants::hold(&house).await;
    }
}
