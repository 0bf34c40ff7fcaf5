//! The new guest form (spec B 3, 5) and the reservation code.

use crate::support::errors;
use berth_domain::catalog::service;
use berth_domain::catalog::{AgeGroup, Gender, PaymentMethod, SitePaymentOption};
use berth_domain::{NewGuestForm, SiteOffer, Source, reservation_code};
use proptest::prelude::{any, proptest};

fn form(change: &str) -> NewGuestForm {
    let mut body: serde_json::Value = serde_json::json!({
        "gender": 2, "ageGroup": 2, "ageServiceId": "age-18-26", "firstName": " Dana ", "lastName": "r",
        "phone": "(714) 555-0134", "email": "dana@example.org", "location": "Irvine, CA",
        "serviceIds": ["drug-treatment", "mental-health", "drug-treatment"],
        "siteId": "00000000-0000-7000-8000-000000000001", "typeOfClientServiceId": "adults", "paymentMethod": 2,
        "insuranceCompanyId": "00000000-0000-7000-8000-000000000002", "policyNumber": "P-1", "groupNumber": "",
        "mediCalChoice": "moc", "source": "Admin"
    });
    let change: serde_json::Value = serde_json::from_str(change).expect("json");
    for (key, value) in change.as_object().expect("object") {
        body[key] = value.clone();
    }
    serde_json::from_value(body).expect("form")
}

/// A site that lists no ages, genders, client types or services serves all of them.
fn commercial() -> SiteOffer {
    SiteOffer { is_commercial: true, has_insurers: true, ..SiteOffer::default() }
}

fn free() -> SiteOffer {
    SiteOffer::default()
}

#[test]
fn a_complete_form_of_a_commercial_site_is_accepted() {
    let guest = form("{}").parse(&commercial(), Source::Admin).expect("allowed");
    assert_eq!((guest.gender, guest.age_group), (Gender::Female, AgeGroup::From18To26));
    assert_eq!((guest.first_name.as_str(), guest.last_initial.as_str()), ("Dana", "R"));
    assert_eq!((guest.phone.as_str(), guest.email.as_str()), ("+17145550134", "dana@example.org"));
    assert_eq!(guest.location.as_deref(), Some("Irvine, CA"));
    assert_eq!(guest.services.iter().map(|s| s.id).collect::<Vec<_>>(), ["drug-treatment", "mental-health"]);
    assert_eq!(guest.type_of_client.map(|service| service.id), Some("adults"));
    assert_eq!(guest.payment_method, Some(PaymentMethod::Insurance));
    assert!(guest.insurance_company_id.is_some());
    assert_eq!((guest.policy_number.as_deref(), guest.group_number), (Some("P-1"), None));
    assert_eq!(guest.medi_cal_choice, None, "only for non-commercial sites");
    assert_eq!(berth_domain::new_guest::display_name("Dana", "R", "K7M2QX"), "Dana R. K7M2QX");
}

#[test]
fn a_non_commercial_site_asks_for_neither_client_nor_payment() {
    let without = r#"{"typeOfClientServiceId": null, "paymentMethod": null, "insuranceCompanyId": null}"#;
    let guest = form(without).parse(&free(), Source::Admin).expect("allowed");
    assert_eq!(guest.medi_cal_choice, Some(SitePaymentOption::MediCalOrangeCounty));
    let guest = form("{}").parse(&free(), Source::Admin).expect("allowed");
    assert!(guest.type_of_client.is_none() && guest.payment_method.is_none() && guest.insurance_company_id.is_none());
    assert!(
        form(r#"{"mediCalChoice": null}"#)
            .parse(&free(), Source::Admin)
            .is_ok_and(|guest| guest.medi_cal_choice.is_none())
    );
}

#[test]
fn each_form_rule_has_its_own_sentence_and_field() {
    for (change, pointer, message) in [
        (r#"{"gender": null}"#, "/gender", "Gender is a required field."),
        (r#"{"ageServiceId": null, "ageGroup": null}"#, "/ageServiceId", "Age is a required field."),
        (r#"{"ageServiceId": "", "ageGroup": 4}"#, "/ageServiceId", "Age is a required field."),
        (r#"{"ageServiceId": "drug-treatment"}"#, "/ageServiceId", "Age is a required field."),
        (r#"{"firstName": " "}"#, "/firstName", "Required field."),
        (
            r#"{"firstName": "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxy"}"#,
            "/firstName",
            "Maximum length of first name is 50 symbols.",
        ),
        (r#"{"lastName": null}"#, "/lastName", "Required field."),
        (r#"{"lastName": "Ro"}"#, "/lastName", "Maximum length of last name is 1 symbols."),
        (r#"{"email": null}"#, "/email", "Email must be a valid email"),
        (r#"{"email": "dana"}"#, "/email", "Email must be a valid email"),
        (r#"{"phone": "555-0134"}"#, "/phone", "Phone number is incorrect"),
        (r#"{"serviceIds": null}"#, "/serviceIds", "Add at least one service"),
        (r#"{"serviceIds": []}"#, "/serviceIds", "Add at least one service"),
        (r#"{"serviceIds": ["mental-health"]}"#, "/serviceIds", "Add at least one service"),
        (
            r#"{"serviceIds": ["drug-treatment", "sauna"]}"#,
            "/serviceIds",
            "This site does not offer one of the services.",
        ),
        (
            r#"{"serviceIds": ["drug-treatment", "legal-aid"]}"#,
            "/serviceIds",
            "This site does not offer one of the services.",
        ),
        (r#"{"typeOfClientServiceId": null}"#, "/typeOfClientServiceId", "Type of client is a required field."),
        (r#"{"typeOfClientServiceId": "prenatal"}"#, "/typeOfClientServiceId", "Type of client is a required field."),
        (r#"{"paymentMethod": null}"#, "/paymentMethod", "Payment method is a required field."),
        (r#"{"paymentMethod": 4}"#, "/paymentMethod", "Payment method is a required field."),
        (r#"{"insuranceCompanyId": null}"#, "/insuranceCompanyId", "Please select insurance company."),
        (r#"{"insuranceCompanyId": "x"}"#, "/insuranceCompanyId", "Please select insurance company."),
        (
            r#"{"policyNumber": "123456789 123456789 123456789 123456789 123456789 1"}"#,
            "/policyNumber",
            "Maximum length is 50 symbols.",
        ),
    ] {
        assert_eq!(
            errors(form(change).parse(&commercial(), Source::Admin)),
            [(pointer.to_owned(), message.to_owned())],
            "{change}"
        );
    }
    let location = NewGuestForm { location: Some("x".repeat(101)), ..form("{}") };
    assert_eq!(
        errors(location.parse(&commercial(), Source::Admin)),
        [("/location".to_owned(), "Maximum length is 100 symbols.".to_owned())]
    );
    let choice = errors(form(r#"{"mediCalChoice": "zzz"}"#).parse(&free(), Source::Admin));
    assert_eq!(choice, [("/mediCalChoice".to_owned(), "Choose one of the payment options.".to_owned())]);
}

#[test]
fn an_empty_form_reports_every_error_at_once() {
    let pointers = |is_commercial| {
        errors(NewGuestForm::default().parse(&SiteOffer { is_commercial, ..commercial() }, Source::Admin))
            .into_iter()
            .map(|(pointer, _)| pointer)
            .collect::<Vec<_>>()
    };
    let both = ["/gender", "/ageServiceId", "/firstName", "/lastName", "/email", "/phone", "/serviceIds"];
    assert_eq!(pointers(false), both);
    assert_eq!(pointers(true), [&both[..], &["/typeOfClientServiceId", "/paymentMethod"]].concat());
}

#[test]
fn the_age_may_be_given_by_number_alone() {
    let guest = form(r#"{"ageServiceId": null, "ageGroup": 3}"#).parse(&commercial(), Source::Admin).expect("allowed");
    assert_eq!(guest.age_group, AgeGroup::Over27);
}

#[test]
fn an_insurer_is_kept_only_with_the_insurance_payment_method() {
    for method in [1, 3] {
        let guest = form(&format!(r#"{{"paymentMethod": {method}, "insuranceCompanyId": "x"}}"#))
            .parse(&commercial(), Source::Admin);
        assert!(guest.is_ok_and(|guest| guest.insurance_company_id.is_none()), "{method}");
    }
}

/// A site of adults in treatment.
fn adults() -> SiteOffer {
    let ids = ["drug-treatment", "mental-health", "age-18-26", "age-over-27", "gender-female", "adults"];
    SiteOffer { services: ids.into_iter().filter_map(service).collect(), ..commercial() }
}

#[test]
fn a_field_with_what_the_site_does_not_serve_is_refused_with_a_sentence() {
    for (change, pointer, message) in [
        (r#"{"ageServiceId": "age-under-18"}"#, "/ageServiceId", "This site does not accept guests under 18."),
        (r#"{"gender": 1}"#, "/gender", "This site does not serve guests of this gender."),
        (
            r#"{"serviceIds": ["drug-treatment", "prenatal", "sober-living"]}"#,
            "/serviceIds",
            "This site does not offer: Prenatal, Sober living.",
        ),
        (
            r#"{"typeOfClientServiceId": "veterans"}"#,
            "/typeOfClientServiceId",
            "This site does not serve this type of client.",
        ),
    ] {
        for source in [Source::Admin, Source::Web] {
            let found = errors(form(change).parse(&adults(), source));
            assert_eq!(found, [(pointer.to_owned(), message.to_owned())], "{change}");
        }
        let mut allowed = form(change);
        allowed.allow_not_served = Some(true);
        let guest = allowed.parse(&adults(), Source::Admin).expect("staff may allow it");
        assert_eq!(guest.not_served.errors().len(), 1, "{change}");
        assert!(allowed.parse(&adults(), Source::Web).is_err(), "the public side may not: {change}");
    }
    let served = form("{}").parse(&adults(), Source::Web).expect("served");
    assert!(served.not_served.is_empty());
}

#[test]
fn only_staff_give_a_reason_for_going_over_capacity_and_it_is_not_blank() {
    let reason =
        |text: &str, source| form(&format!(r#"{{"overCapacityReason": "{text}"}}"#)).parse(&commercial(), source);
    assert_eq!(reason(" At the door ", Source::Admin).unwrap().over_capacity_reason.as_deref(), Some("At the door"));
    let missing = [("/overCapacityReason".to_owned(), "Please enter a reason.".to_owned())];
    assert_eq!(errors(reason(" ", Source::Admin)), missing);
    assert_eq!(reason("At the door", Source::Web).unwrap().over_capacity_reason, None);
    assert!(reason(&"x".repeat(201), Source::Admin).is_err());
}

#[test]
fn a_guest_parses_again_from_its_own_form() {
    for offer in [commercial(), free(), adults()] {
        let guest = form("{}").parse(&offer, Source::Web).expect("allowed");
        let again = guest.to_form(berth_domain::SiteId(uuid::Uuid::nil())).parse(&offer, Source::Web).expect("still");
        assert_eq!(again, guest);
    }
}

#[test]
fn insurance_needs_an_insurer_and_a_method_of_the_organization() {
    let methods = |offer: &SiteOffer| offer.methods().map(PaymentMethod::id).collect::<Vec<_>>();
    assert_eq!(methods(&commercial()), [1, 2, 3]);
    assert_eq!(methods(&SiteOffer { has_insurers: false, ..commercial() }), [1, 3]);
    assert_eq!(methods(&SiteOffer { payment_methods: vec![PaymentMethod::Insurance], ..commercial() }), [2]);
    let none = SiteOffer { payment_methods: vec![PaymentMethod::Insurance], has_insurers: false, ..commercial() };
    assert_eq!(methods(&none), Vec::<i64>::new());
    assert_eq!(methods(&free()), Vec::<i64>::new(), "only for commercial sites");
}

proptest! {
    #[test]
    fn a_code_has_six_characters_that_do_not_look_alike(random in any::<[u8; 8]>()) {
        let code = reservation_code(random);
        assert_eq!(code.len(), 6);
        assert!(code.chars().all(|c| "23456789BCDFGHJKMNPQRSTVWXYZ".contains(c)), "{code}");
        assert_eq!(reservation_code(random), code, "the same randomness gives the same code");
    }
}

#[test]
fn codes_use_their_whole_alphabet() {
    let seen: std::collections::HashSet<char> = (0..500_u64)
        .flat_map(|n| reservation_code((n * 987_654_321_987).to_le_bytes()).chars().collect::<Vec<_>>())
        .collect();
    assert_eq!(seen.len(), 28);
    assert_eq!(reservation_code([0; 8]), "222222");
}
