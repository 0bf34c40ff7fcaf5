//! Insurance companies: edited by global admins, shown on the pages of all sites whose organization works with them.

use serde_json::{Value, json};

use crate::harness::House;
use crate::organization_changes::logo;
use crate::steps::{all_at_once, form, link_insurer, sorted_trail, statuses};
use crate::{both_engines, world};

const LIST: &str = "/api/InsuranceCompanies";

fn path() -> String {
    format!("{LIST}/{}", world::INSURER)
}

async fn list(house: &House) -> Vec<Value> {
    house.get(LIST).by(world::STAFF).send().await.expect(200).as_array().unwrap().clone()
}

async fn versions(house: &House) -> [i64; 2] {
    const VERSION: &str = "SELECT version FROM sites WHERE id = $1";
    let of = async |site| house.db().query(VERSION).bind(site).scalar().await.unwrap();
    [of(world::HARBOR_HOUSE).await, of(world::OPEN_DOOR).await]
}

/// An edit of the only company, which changes only its logo.
fn edit(logo: &str, version: i64) -> Value {
    json!({"id": world::INSURER, "name": "Blue Anchor", "logoPath": logo, "isPrimary": true, "version": version})
}

/// An edit that links only this company to Harbor Recovery.
fn linking() -> Value {
    json!({"id": world::HARBOR, "name": "Harbor Recovery", "insuranceCompanyIds": [world::INSURER],
        "reservationPaymentMethodIds": [1, 2, 3]})
}

both_engines! {
    async fn a_company_is_added_once_and_listed_with_the_top_ones_first(house: House) {
        let logo = logo(&house, "ins_new").await;
        let new = json!({"name": " Calm  Waters ", "logoPath": logo});
        let add = || house.post(LIST, new.clone()).header("idempotency-key", "pressed-twice").by(world::GLOBAL);
        let made = add().send().await.expect(201);
        assert_eq!(add().send().await.expect(201), made, "a repeated request adds no second one");
        let wanted = json!({"id": made["id"], "name": "Calm Waters", "logoPath": logo, "isPrimary": false, "version": 1});
        assert_eq!(made, wanted);
        let listed = list(&house).await;
        assert_eq!((listed.len(), &listed[0]["name"], &listed[1]), (2, &json!("Blue Anchor"), &made));
        assert_eq!(house.trail().await, ["insurer.created"]);
    }

    async fn name_and_logo_are_required_and_reported_together(house: House) {
        let wanted = ["/name: Required field.", "/logoPath: Please add a logo of insurance company."];
        let empty = json!({"name": "  ", "logoPath": " ", "isPrimary": true});
        let new = house.post(LIST, empty.clone()).by(world::GLOBAL).send().await;
        assert_eq!(new.field_errors(), wanted);
        assert_eq!(house.put(&path(), empty).by(world::GLOBAL).send().await.field_errors(), wanted);
        let long = json!({"name": "N".repeat(201), "logoPath": "x"});
        let long = house.post(LIST, long).by(world::GLOBAL).send().await;
        assert_eq!(long.field_errors(), ["/name: Maximum length is 200 symbols."]);
        let other = json!({"id": world::HARBOR, "name": "Blue Anchor", "logoPath": "x"});
        let other = house.put(&path(), other).by(world::GLOBAL).send().await;
        assert_eq!(other.field_errors(), ["/id: This is the id of another insurance company."]);
        assert_eq!(house.trail().await, [""; 0]);
    }

    async fn the_logo_must_have_been_uploaded_as_an_insurer_logo(house: House) {
        let foreign = logo(&house, "org_logo").await;
        for path in ["uploads/ins_none.jpg", "https://elsewhere.example/x.jpg", foreign.as_str()] {
            let new = json!({"name": "Calm Waters", "logoPath": path});
            let refused = house.post(LIST, new).by(world::GLOBAL).send().await;
            assert_eq!(refused.field_errors(), ["/logoPath: Please upload the image again."]);
            let refused = house.put(&self::path(), edit(path, 1)).by(world::GLOBAL).send().await;
            assert_eq!(refused.field_errors(), ["/logoPath: Please upload the image again."]);
        }
        assert_eq!(list(&house).await.len(), 1);
    }

    async fn a_taken_name_of_an_insurer_is_a_conflict_at_its_field(house: House) {
        let logo = logo(&house, "ins_new").await;
        let new = |name: &str| json!({"name": name, "logoPath": logo});
        let refused = house.post(LIST, new("BLUE anchor")).by(world::GLOBAL).send().await.expect(409);
        let sentence = "An insurance company with this name already exists.";
        assert_eq!(refused["errors"], json!([{"pointer": "/name", "message": sentence, "code": "insurer-name-taken"}]));
        let made = house.post(LIST, new("Calm Waters")).by(world::GLOBAL).send().await.expect(201);
        let path = format!("{LIST}/{}", made["id"].as_str().unwrap());
        let refused = house.put(&path, new("blue Anchor")).by(world::GLOBAL).send().await.expect(409);
        assert_eq!(refused["errors"][0]["pointer"], "/name");
        // The name of a removed company is free again.
        house.delete(&self::path()).by(world::GLOBAL).send().await.expect(204);
        house.put(&path, new("blue Anchor")).by(world::GLOBAL).send().await.expect(200);
    }

    async fn an_edit_shows_on_the_sites_of_all_organizations_that_work_with_the_company(house: House) {
        link_insurer(&house).await;
        let logo = logo(&house, "ins_new").await;
        let site = format!("/api/Sites/{}", world::HARBOR_HOUSE);
        let seen = house.get(&site).by(world::OWNER).send().await.expect(200);
        assert_eq!(seen["insuranceCompanies"][0]["name"], "Blue Anchor");
        let [harbor, other] = versions(&house).await;
        let mut renamed = edit(&logo, 1);
        renamed["name"] = json!("Blue Whale");
        renamed["isPrimary"] = json!(false);
        let answer = house.put(&path(), renamed.clone()).by(world::GLOBAL).send().await.expect(200);
        let wanted = json!({"id": world::INSURER, "name": "Blue Whale", "logoPath": logo, "isPrimary": false, "version": 2});
        assert_eq!(answer, wanted);
        assert_eq!(versions(&house).await, [harbor + 1, other], "only the sites that show it change");
        let seen = house.get(&site).by(world::OWNER).send().await.expect(200);
        assert_eq!(seen["insuranceCompanies"][0]["name"], "Blue Whale");
        // The same edit again changes nothing, whatever version it names.
        assert_eq!(house.put(&path(), renamed).by(world::GLOBAL).send().await.expect(200), wanted);
        assert_eq!(versions(&house).await, [harbor + 1, other]);
        let summary: String =
            house.db().query("SELECT summary FROM audit WHERE action = 'insurer.edited'").scalar().await.unwrap();
        assert_eq!(summary, "Blue Anchor is now Blue Whale, logo changed, no top insurance any more");
    }

    async fn the_second_of_two_edits_of_a_company_is_refused_as_stale(house: House) {
        let logo = logo(&house, "ins_new").await;
        let rename = |name: String| {
            let mut body = edit(&logo, 1);
            body["name"] = json!(name);
            house.put(&path(), body).by(world::GLOBAL)
        };
        let found = statuses(&all_at_once((0..6).map(|number| rename(format!("Anchor {number}"))).collect()).await);
        assert_eq!(found.into_iter().collect::<Vec<_>>(), [(200, 1), (412, 5)]);
        assert_eq!(list(&house).await[0]["version"], 2);
    }

    async fn a_removed_company_leaves_the_lists_but_its_guests_keep_its_name(house: House) {
        link_insurer(&house).await;
        let mut guest = form(world::HARBOR_HOUSE, 1);
        guest["paymentMethod"] = json!(2);
        guest["insuranceCompanyId"] = json!(world::INSURER);
        let guest = house.post("/api/Guests", guest).by(world::INTAKE).send().await.expect(201);
        let before = versions(&house).await[0];
        house.delete(&path()).by(world::GLOBAL).send().await.expect(204);
        assert_eq!(list(&house).await.len(), 0);
        assert_eq!(versions(&house).await[0], before + 1);
        let organization = format!("/api/Organizations/{}", world::HARBOR);
        let organization = house.get(&organization).by(world::OWNER).send().await.expect(200);
        assert_eq!(organization["insuranceCompanies"], json!([]));
        let guest = format!("/api/Guests/{}", guest["id"].as_str().unwrap());
        let guest = house.get(&guest).by(world::INTAKE).send().await.expect(200);
        assert_eq!(guest["insuranceCompanyName"], "Blue Anchor");
        // A removed company stays removed.
        assert_eq!(house.delete(&path()).by(world::GLOBAL).status().await, 404);
        assert_eq!(house.put(&path(), edit("x", 1)).by(world::GLOBAL).status().await, 404);
        let again = house.put(&format!("/api/Organizations/{}", world::HARBOR), {
            let mut body = linking();
            body["logoPath"] = json!(logo(&house, "org_new").await);
            body
        });
        let sentence = "An insurance company in this list was removed. Reload the page.";
        assert_eq!(again.by(world::OWNER).send().await.field_errors(), [format!("/insuranceCompanyIds: {sentence}")]);
        assert_eq!(sorted_trail(&house).await.into_iter().filter(|action| action == "insurer.removed").count(), 1);
    }

    async fn a_company_that_is_linked_while_it_is_removed_leaves_no_link(house: House) {
        const LINKS: &str = "SELECT COUNT(*) FROM organization_insurance_companies";
        let logo = logo(&house, "org_new").await;
        let mut body = linking();
        body["logoPath"] = json!(logo);
        let link = house.put(&format!("/api/Organizations/{}", world::HARBOR), body).by(world::OWNER);
        let found = statuses(&all_at_once(vec![link, house.delete(&path()).by(world::GLOBAL)]).await);
        let found: Vec<u16> = found.into_keys().collect();
        assert!([[200, 204], [204, 422]].contains(&[found[0], found[1]]), "{found:?}");
        let links: i64 = house.db().query(LINKS).scalar().await.unwrap();
        assert_eq!(links, 0);
    }
}
