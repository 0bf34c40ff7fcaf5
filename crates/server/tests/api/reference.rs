//! Reference data for forms and pages: settings, languages, services, screening periods.

use crate::{both_engines, world};
use serde_json::{Value, json};

fn ids(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|item| item["id"].as_str().unwrap()).collect()
}

both_engines! {
    async fn pages_get_their_settings_before_anyone_has_signed_in(house: House) {
        let settings = house.get("/api/public/settings").send().await.expect(200);
        assert_eq!(
            settings,
            json!({
                "movedAddress": "https://admin.berth.example",
                "supportPhone": "+1 (714) 555-0100",
                "contactEmail": "support@berth.example",
                "foundation": "the Hollis Family Foundation",
                "demo": true,
                "stripePublishableKey": "pk_test_sandbox_berth",
                "testPayments": true,
                "agreementsVersion": "2025-01-29",
                "passwordRules": [
                    "Password should have at least 12 characters",
                    "Password should have at most 128 characters",
                    "Password must have at least one uppercase letter",
                    "Password must have at least one lowercase letter",
                    "Password must have at least one digit",
                    "Password must have at least one special character (punctuation) — spaces included",
                    "Password must not have more than 2 identical characters in a row",
                    "This password is too common and not allowed",
                    "Password contains a common phrase or sequence",
                ],
            })
        );
    }

    async fn languages_start_with_english_spanish_and_french_then_continue_by_name(house: House) {
        let languages = house.get("/api/Languages").by(world::STAFF).send().await.expect(200);
        assert_eq!(ids(&languages)[..3], ["en", "es", "fr"]);
        assert_eq!(languages[0], json!({"id": "en", "name": "English"}));
        let names: Vec<&str> = languages.as_array().unwrap()[3..].iter().map(|l| l["name"].as_str().unwrap()).collect();
        assert!(names.is_sorted(), "{names:?}");
    }

    async fn services_are_grouped_and_only_commercial_sites_have_client_types(house: House) {
        let paid = house.get("/api/SiteServices/commercial").by(world::STAFF).send().await.expect(200);
        let free = house.get("/api/SiteServices/nonCommercial").by(world::STAFF).send().await.expect(200);
        assert_eq!(
            paid["age"][1],
            json!({"id": "age-18-26", "name": "18 to 26", "category": "Age", "type": "AGE_18_26"})
        );
        assert_eq!(
            paid["general"][3],
            json!({"id": "alcohol-treatment", "name": "Alcohol treatment", "category": "General", "type": null})
        );
        assert_eq!(ids(&paid["gender"]), ["gender-male", "gender-female", "gender-other"]);
        assert_eq!(ids(&paid["client"]), ["adults", "young-adults", "professionals", "veterans", "court-ordered"]);
        assert_eq!(free["client"], json!([]));
        assert!(ids(&free["general"]).contains(&"legal-aid") && !ids(&paid["general"]).contains(&"legal-aid"));
        assert_eq!(paid["disability"], free["disability"]);
    }

    async fn screening_periods_range_from_one_hour_to_three_days(house: House) {
        let periods = house.get("/api/Sites/screeningPeriods").by(world::STAFF).send().await.expect(200);
        assert_eq!(periods.as_array().unwrap().len(), 12);
        assert_eq!(periods[0], json!({"totalHours": 1, "value": "00:01:00:00"}));
        assert_eq!(periods[11], json!({"totalHours": 72, "value": "03:00:00:00"}));
    }

    async fn reference_lists_need_a_full_sign_in(house: House) {
        for path in [
            "/api/Languages",
            "/api/SiteServices/commercial",
            "/api/SiteServices/nonCommercial",
            "/api/Sites/screeningPeriods",
        ] {
            assert_eq!(house.get(path).status().await, 401, "{path}");
            assert_eq!(house.get(path).by(world::FIRST_STEP).status().await, 401, "{path}");
        }
    }
}
