//! Organizations: which ones a caller sees, and which sites the counts include.

use crate::harness::{HOUR, House};
use crate::sites::{assigned, pending, run};
use crate::{both_engines, world};
use serde_json::{Value, json};

async fn names(house: &House, path: &str, token: &str) -> Vec<String> {
    let list = house.get(path).by(token).send().await.expect(200);
    list.as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap().to_owned()).collect()
}

async fn link_insurers(house: &House) {
    const COMPANY: &str = "INSERT INTO insurance_companies (id, name, name_key, is_primary, created_at, deleted_at) \
        VALUES ($1, $2, $3, FALSE, 0, $4)";
    const LINK: &str =
        "INSERT INTO organization_insurance_companies (organization_id, insurance_company_id) VALUES ($1, $2)";
    let id = |number: u128| uuid::Uuid::from_u128(world::INSURER.as_u128() + number);
    let mut tx = house.db().begin().await.unwrap();
    for (number, name, deleted) in [(1, "alpha Care", None), (2, "Zenith", None), (3, "Gone", Some(1_i64))] {
        let company = tx.query(COMPANY).bind(id(number)).bind(name).bind(name.to_lowercase()).bind(deleted);
        company.execute().await.unwrap();
    }
    for number in [2, 0, 3, 1] {
        tx.query(LINK).bind(world::HARBOR).bind(id(number)).execute().await.unwrap();
    }
    tx.commit().await.unwrap();
}

both_engines! {
    async fn everyone_sees_the_organizations_they_have_a_role_in_by_name(house: House) {
        let path = "/api/Organizations";
        assert_eq!(names(&house, path, world::GLOBAL).await, ["Foreign Homes", "Harbor Recovery", "Open Hands"]);
        assert_eq!(names(&house, path, world::OWNER).await, ["Harbor Recovery"]);
        assert_eq!(names(&house, path, world::STAFF).await, ["Harbor Recovery", "Open Hands"]);
        assert_eq!(names(&house, path, world::OWNER_FOREIGN).await, ["Foreign Homes"]);
    }

    async fn the_list_can_be_filtered_by_kind(house: House) {
        let path = |kind: &str| format!("/api/Organizations?SiteType={kind}");
        assert_eq!(names(&house, &path("commercial"), world::GLOBAL).await, ["Foreign Homes", "Harbor Recovery"]);
        assert_eq!(names(&house, &path("NonCommercial"), world::GLOBAL).await, ["Open Hands"]);
        let answer = house.get(&path("public")).by(world::GLOBAL).send().await;
        assert_eq!(answer.field_errors(), ["/SiteType: Choose one of: commercial, nonCommercial."]);
    }

    async fn the_list_can_be_searched_by_name(house: House) {
        assert_eq!(names(&house, "/api/Organizations?search=%20HAR", world::GLOBAL).await, ["Harbor Recovery"]);
        assert_eq!(names(&house, "/api/Organizations?search=%25", world::GLOBAL).await, [""; 0]);
        assert_eq!(names(&house, "/api/Organizations?search=hands", world::OWNER).await, [""; 0], "only the caller's own");
    }

    async fn everyone_signed_in_reads_the_insurers_top_ones_first(house: House) {
        link_insurers(&house).await;
        let list = names(&house, "/api/InsuranceCompanies", world::STAFF).await;
        assert_eq!(list, ["Blue Anchor", "alpha Care", "Zenith"], "deleted ones are gone");
        assert_eq!(house.get("/api/InsuranceCompanies").by(world::FIRST_STEP).status().await, 401);
    }

    async fn an_organization_is_shown_completely_with_top_insurers_first(house: House) {
        link_insurers(&house).await;
        assigned(&house, world::HARBOR_HOUSE, world::BED_A, 1).await;
        pending(&house, world::HARBOR_HOUSE, 2, Some(HOUR)).await;
        let path = format!("/api/Organizations/{}", world::HARBOR);
        let one = house.get(&path).by(world::OWNER).send().await.expect(200);
        assert_eq!(
            one,
            json!({
                "id": "01900000-0000-7000-8000-000000000010",
                "name": "Harbor Recovery",
                "logoPath": null,
                "siteCount": 1,
                "isCommercial": true,
                "isDisabled": false,
                "insuranceCompanies": [
                    {"id": "01900000-0000-7000-8000-000000000050", "name": "Blue Anchor", "logoPath": null,
                     "isPrimary": true},
                    {"id": "01900000-0000-7000-8000-000000000051", "name": "alpha Care", "logoPath": null,
                     "isPrimary": false},
                    {"id": "01900000-0000-7000-8000-000000000052", "name": "Zenith", "logoPath": null,
                     "isPrimary": false},
                ],
                "reservationPaymentMethods": [
                    {"id": 1, "name": "Private pay", "category": "PrivatePay"},
                    {"id": 2, "name": "Insurance", "category": "Insurance"},
                    {"id": 3, "name": "Medicaid or No Insurance", "category": "MediCal"},
                ],
                "createdAt": "2026-03-02T18:00:00.000Z",
                "countOfBeds": 5,
                "countOfVacantBeds": 3,
                "countOfPending": 1,
                "version": 1,
            })
        );
        house.advance(HOUR);
        let later = house.get(&path).by(world::OWNER).send().await.expect(200);
        assert_eq!(later["countOfPending"], 0, "an expired hold does not count, even before a job records it");
        let list = house.get("/api/Organizations").by(world::OWNER).send().await.expect(200);
        assert_eq!(list, Value::Array(vec![later]), "the list shows the same");
    }

    async fn counts_cover_the_sites_that_the_caller_may_see(house: House) {
        // Far Away moves to Harbor Recovery; the intake user has no role at it.
        run(&house, "UPDATE sites SET organization_id = $1 WHERE id = $2", (world::HARBOR.0, world::FAR_AWAY.0)).await;
        let path = format!("/api/Organizations/{}", world::HARBOR);
        let whole = house.get(&path).by(world::OWNER).send().await.expect(200);
        assert_eq!((whole["siteCount"].as_i64(), whole["countOfBeds"].as_i64()), (Some(2), Some(6)));
        let part = house.get(&path).by(world::INTAKE).send().await.expect(200);
        assert_eq!((part["siteCount"].as_i64(), part["countOfBeds"].as_i64()), (Some(1), Some(5)));
    }

    async fn a_foreign_organization_looks_like_an_unknown_one(house: House) {
        let foreign = house.get(&format!("/api/Organizations/{}", world::FOREIGN)).by(world::ADMIN).send().await;
        let none = house.get(&format!("/api/Organizations/{}", world::BED_A)).by(world::ADMIN).send().await;
        let text = "Not found. It may have been removed, or you may not have access to it.";
        assert_eq!((foreign.refusal(404), none.refusal(404)), (text.to_owned(), text.to_owned()));
        assert_eq!(house.get("/api/Organizations/x").by(world::ADMIN).status().await, 404);
    }

    async fn an_ended_membership_grants_nothing(house: House) {
        run(
            &house,
            "UPDATE memberships SET status = 'Disabled' WHERE user_id = $1 AND site_id = $2",
            (world::PEOPLE[6].2.0, world::HARBOR_HOUSE.0),
        )
        .await;
        assert_eq!(names(&house, "/api/Organizations", world::STAFF).await, ["Open Hands"]);
    }
}
