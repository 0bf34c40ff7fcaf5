//! Catalogs whose names and numbers are the same everywhere (spec A 3).

use berth_domain::catalog::{
    AgeGroup, Gender, LANGUAGES, PaymentMethod, SERVICES, ServiceCategory, SitePaymentOption, language, service,
    services_for,
};
use berth_domain::{GuestStatus, MembershipStatus, Role, Source};
use std::collections::{BTreeMap, HashSet};

#[test]
fn languages_start_with_english_spanish_french_and_continue_by_name() {
    let names: Vec<_> = LANGUAGES.iter().map(|language| language.name).collect();
    assert_eq!(names[..3], ["English", "Spanish", "French"]);
    assert!(names[3..].windows(2).all(|pair| pair[0] < pair[1]), "{names:?}");
    assert_eq!(LANGUAGES.iter().map(|language| language.id).collect::<HashSet<_>>().len(), LANGUAGES.len());
    assert_eq!((language("es").map(|found| found.name), language("xx")), (Some("Spanish"), None));
}

#[test]
fn services_include_every_type_of_the_spec_once() {
    let types: Vec<_> = SERVICES.iter().filter_map(|service| service.service_type).collect();
    let spec = "DRUG_TREATMENT PRENATAL WITH_CHILDREN PHYSICAL_DISABILITY DEVELOPMENT_DISABILITY MEDICALLY_VULNERABLE \
                VISUALY_IMPAIRED HEARING_IMPAIRED MENTAL_HEALTH GENDER_MALE GENDER_FEMALE GENDER_OTHER AGE_UNDER_18 \
                AGE_18_26 AGE_OVER_27";
    assert_eq!(types, spec.split_whitespace().collect::<Vec<_>>());
}

#[test]
fn service_ids_are_kebab_case_and_unique() {
    let ids: HashSet<_> = SERVICES.iter().map(|service| service.id).collect();
    assert_eq!(ids.len(), SERVICES.len());
    let kebab = |id: &str| {
        id.split('-').all(|part| !part.is_empty() && part.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit()))
    };
    assert!(ids.iter().all(|id| kebab(id)));
    assert_eq!(service("drug-treatment").map(|service| service.name), Some("Drug treatment"));
}

#[test]
fn client_types_are_for_commercial_sites_and_the_other_groups_for_both() {
    for category in ServiceCategory::ALL {
        let count = |is_commercial| services_for(is_commercial).filter(|service| service.category == *category).count();
        assert!(count(true) >= 3, "{category}");
        assert_eq!(count(false) == 0, *category == ServiceCategory::Client, "{category}");
    }
    assert!(SERVICES.iter().all(|service| service.commercial || service.non_commercial));
}

#[test]
fn an_age_group_is_a_number_and_a_service() {
    for (number, group) in (1..).zip(AgeGroup::ALL) {
        assert_eq!((group.number(), AgeGroup::from_number(number)), (number, Some(group)));
        assert_eq!(AgeGroup::from_service_id(group.service_id()), Some(group));
        assert_eq!(service(group.service_id()).map(|service| service.category), Some(ServiceCategory::Age));
    }
    assert_eq!((AgeGroup::from_number(0), AgeGroup::from_number(4)), (None, None));
}

#[test]
fn a_gender_is_a_number_in_requests_and_a_text_in_responses() {
    for (json, gender) in [
        ("1", Gender::Male),
        ("2", Gender::Female),
        ("0", Gender::Other),
        ("7", Gender::Other),
        ("-1", Gender::Other),
        ("18446744073709551615", Gender::Other),
        ("\"female\"", Gender::Female),
        ("\"1\"", Gender::Male),
    ] {
        assert_eq!(serde_json::from_str::<Gender>(json).expect(json), gender, "{json}");
    }
    assert!(serde_json::from_str::<Gender>("\"x\"").is_err() && serde_json::from_str::<Gender>("true").is_err());
    assert_eq!(serde_json::to_string(Gender::ALL).expect("json"), r#"["Male","Female","Other"]"#);
    assert!(Gender::ALL.iter().all(|gender| Gender::from_number(gender.number()) == *gender));
}

#[test]
fn payment_methods_and_options_are_those_of_the_spec() {
    let methods = PaymentMethod::ALL.iter().map(|method| format!("{} {} {method}", method.id(), method.name()));
    let expected = ["1 Private pay PrivatePay", "2 Insurance Insurance", "3 Medicaid or No Insurance MediCal"];
    assert_eq!(methods.collect::<Vec<_>>(), expected);
    assert!(PaymentMethod::ALL.iter().all(|method| PaymentMethod::from_id(method.id()) == Some(*method)));
    assert_eq!((PaymentMethod::from_id(0), PaymentMethod::from_id(4)), (None, None));
    let options = SitePaymentOption::ALL.iter().map(|option| format!("{option} {}", option.name()));
    let expected = "pp Private Pay, ss Sliding Scale, sch Scholarship, ins Insurance, moc Medi-Cal Orange County, \
                    mla Medi-Cal Los Angeles, msd Medi-Cal San Diego";
    assert_eq!(options.collect::<Vec<_>>().join(", "), expected);
}

#[test]
fn json_uses_the_same_texts_as_the_database() {
    fn round<T: serde::Serialize + serde::de::DeserializeOwned + std::str::FromStr + std::fmt::Display + PartialEq>(
        all: &[T],
    ) {
        for value in all {
            let json = serde_json::to_string(value).expect("json");
            assert_eq!(json, format!("\"{value}\""));
            assert!(serde_json::from_str::<T>(&json).expect("json") == *value);
            assert!(value.to_string().parse::<T>().is_ok_and(|read| read == *value));
            assert!(value.to_string().to_uppercase().parse::<T>().is_err() || json.to_uppercase() == json);
        }
    }
    round(Role::ALL);
    round(MembershipStatus::ALL);
    round(GuestStatus::ALL);
    round(Source::ALL);
    round(PaymentMethod::ALL);
    round(SitePaymentOption::ALL);
    round(berth_domain::subscription::SubscriptionAction::ALL);
    round(berth_domain::time::TimePeriod::ALL);
    round(berth_domain::stay::EndReason::ALL);
    assert_eq!("Bishop".parse::<Role>().map_err(|e| e.to_string()), Err("'Bishop' is not a Role".to_owned()));
    assert_eq!((GuestStatus::parse(" PENDING "), GuestStatus::parse("swap")), (Some(GuestStatus::Pending), None));
}

#[test]
fn the_web_app_has_every_catalog_name_in_both_languages() {
    let read = |text: &str| serde_json::from_str::<Names>(text).expect("two levels of texts");
    let english = read(include_str!("../../../../web/src/i18n/locales/en/catalog.json"));
    let spanish = read(include_str!("../../../../web/src/i18n/locales/es/catalog.json"));
    let named = |pairs: Vec<(String, &str)>| pairs.into_iter().map(|(id, name)| (id, name.to_owned())).collect();
    let expected = Names::from([
        ("service".to_owned(), named(SERVICES.iter().map(|one| (one.id.to_owned(), one.name)).collect())),
        ("language".to_owned(), named(LANGUAGES.iter().map(|one| (one.id.to_owned(), one.name)).collect())),
        ("method".to_owned(), named(PaymentMethod::ALL.iter().map(|one| (one.to_string(), one.name())).collect())),
        ("payment".to_owned(), named(SitePaymentOption::ALL.iter().map(|one| (one.to_string(), one.name())).collect())),
    ]);
    assert_eq!(english, expected);
    let keys = |names: &Names| {
        let of = |(kind, texts): (&String, &BTreeMap<String, String>)| (kind.clone(), texts.keys().cloned().collect());
        names.iter().map(of).collect::<Vec<(String, Vec<String>)>>()
    };
    assert_eq!(keys(&spanish), keys(&expected));
}

/// Names by kind and key.
type Names = BTreeMap<String, BTreeMap<String, String>>;

#[test]
fn the_browsers_preferred_supported_language_is_chosen() {
    use berth_domain::Locale;
    for (header, language) in [
        ("", Locale::English),
        ("es", Locale::Spanish),
        ("ES-mx", Locale::Spanish),
        ("de, fr;q=0.9", Locale::English),
        ("en-US,en;q=0.9,es;q=0.8", Locale::English),
        ("en;q=0.3, es;q=0.7", Locale::Spanish),
        ("de,es;q=0.2", Locale::Spanish),
        ("es;q=0", Locale::English),
        (";;,,;q=x", Locale::English),
    ] {
        assert_eq!(Locale::of_header(header), language, "{header}");
    }
}
