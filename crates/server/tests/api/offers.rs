//! What a site serves and how a stay is paid: the public side refuses anything else at its field, staff may allow it.

use berth_domain::id::SiteId;
use serde_json::{Value, json};

use crate::both_engines;
use crate::harness::House;
use crate::steps::{Asked, ask_for, code_of, form, id, link_insurer, newest_text, phone};
use crate::world;

async fn run(house: &House, text: &'static str, id: uuid::Uuid, word: &str) {
    let mut tx = house.db().begin().await.unwrap();
    tx.query(text).bind(id).bind(word.to_owned()).execute().await.unwrap();
    tx.commit().await.unwrap();
}

/// Adds a service to a site.
async fn serve(house: &House, site: SiteId, service: &str) {
    run(house, "INSERT INTO site_services (site_id, service_id) VALUES ($1, $2)", site.0, service).await;
}

/// The field errors of a form on the public side and for staff, empty if the form is accepted.
async fn errors(house: &House, form: &Value) -> [Vec<String>; 2] {
    let by_hand = house.post("/api/Guests", form.clone()).by(world::INTAKE).send().await;
    let public = house.post("/api/public/reservations", form.clone()).send().await;
    [(by_hand, 201), (public, 202)].map(
        |(answer, taken)| {
            if answer.status == taken { Vec::new() } else { answer.field_errors() }
        },
    )
}

async fn trail(house: &House) -> Vec<String> {
    let rows = house.db().query("SELECT summary FROM audit WHERE action = 'guest.not-served-allowed'");
    let rows: Vec<(String,)> = rows.all().await.unwrap();
    rows.into_iter().map(|(summary,)| summary).collect()
}

both_engines! {
    async fn what_a_site_does_not_serve_is_refused_at_its_field(house: House) {
        for service in ["age-18-26", "age-over-27", "gender-male", "young-adults"] {
            serve(&house, world::HARBOR_HOUSE, service).await;
        }
        let mut wanted = form(world::HARBOR_HOUSE, 1);
        wanted["gender"] = json!(1);
        wanted["typeOfClientServiceId"] = json!("young-adults");
        wanted["ageServiceId"] = json!("age-under-18");
        let minor = ["/ageServiceId: This site does not accept guests under 18.".to_owned()];
        assert_eq!(errors(&house, &wanted).await, [minor.clone(), minor]);

        wanted["gender"] = json!(2);
        wanted["typeOfClientServiceId"] = json!("veterans");
        wanted["serviceIds"] = json!(["medical-detox", "drug-treatment", "prenatal", "hearing-impaired"]);
        let all = [
            "/gender: This site does not serve guests of this gender.",
            "/ageServiceId: This site does not accept guests under 18.",
            "/serviceIds: This site does not offer: Medical detox, Prenatal, Hearing impaired.",
            "/typeOfClientServiceId: This site does not serve this type of client.",
        ];
        assert_eq!(errors(&house, &wanted).await, [all, all]);
    }

    async fn staff_may_add_a_guest_whom_the_site_does_not_serve_by_allowing_it(house: House) {
        serve(&house, world::HARBOR_HOUSE, "age-over-27").await;
        let mut minor = form(world::HARBOR_HOUSE, 1);
        minor["ageServiceId"] = json!("age-under-18");
        minor["serviceIds"] = json!(["drug-treatment", "medical-detox"]);
        minor["allowNotServed"] = json!(true);
        let public = house.post("/api/public/reservations", minor.clone()).send().await;
        assert_eq!(public.field_errors().len(), 2, "the public side cannot allow it");
        let guest = house.post("/api/Guests", minor).by(world::INTAKE).send().await.expect(201);
        assert_eq!(trail(&house).await, [format!("{}: Under 18, Medical detox", guest["code"].as_str().unwrap())]);
        let mut served = form(world::HARBOR_HOUSE, 2);
        served["ageServiceId"] = json!("age-over-27");
        served["allowNotServed"] = json!(true);
        house.post("/api/Guests", served).by(world::INTAKE).send().await.expect(201);
        assert_eq!(trail(&house).await.len(), 1, "nothing had to be allowed");
    }

    async fn what_a_site_no_longer_serves_is_refused_at_the_confirmation(house: House) {
        let asked = ask_for(&house, world::OPEN_DOOR, 1).await;
        serve(&house, world::OPEN_DOOR, "age-over-27").await;
        let refused = asked.confirm(&house).send().await.field_errors();
        assert_eq!(refused, ["/ageServiceId: This site does not serve guests of this age."]);
    }

    async fn a_site_that_lists_no_ages_genders_or_client_types_serves_all(house: House) {
        for (number, age) in ["age-under-18", "age-18-26", "age-over-27"].into_iter().enumerate() {
            let mut anybody = form(world::HARBOR_HOUSE, number);
            anybody["ageServiceId"] = json!(age);
            anybody["gender"] = json!(number);
            house.post("/api/Guests", anybody).by(world::INTAKE).send().await.expect(201);
        }
    }

    async fn an_organization_without_insurers_takes_no_insurance(house: House) {
        let path = format!("/api/public/sites/{}", world::HARBOR_HOUSE);
        let offered = async || {
            let site = house.get(&path).send().await.expect(200);
            let methods = site["paymentMethods"].as_array().unwrap().iter().map(|method| method["id"].as_i64().unwrap());
            let insurers = site["insuranceCompanies"].as_array().unwrap().iter();
            (methods.collect::<Vec<_>>(), insurers.map(|one| one["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>())
        };
        let mut insured = form(world::HARBOR_HOUSE, 1);
        insured["paymentMethod"] = json!(2);
        insured["insuranceCompanyId"] = json!(world::INSURER);
        let none = ["/paymentMethod: This organization accepts no insurance.".to_owned()];
        assert_eq!(errors(&house, &insured).await, [none.clone(), none.clone()]);
        assert_eq!(offered().await, (vec![1, 3], vec![]));

        link_insurer(&house).await;
        assert_eq!(offered().await, (vec![1, 2, 3], vec!["Blue Anchor".to_owned()]));
        assert_eq!(errors(&house, &insured).await, [const { Vec::<String>::new() }; 2]);
        insured["insuranceCompanyId"] = Value::Null;
        insured["phone"] = json!(phone(2));
        let missing = ["/insuranceCompanyId: Please select insurance company.".to_owned()];
        assert_eq!(errors(&house, &insured).await, [missing.clone(), missing]);

        // The last link is removed with the company itself.
        insured["insuranceCompanyId"] = json!(world::INSURER);
        house.delete(&format!("/api/InsuranceCompanies/{}", world::INSURER)).by(world::GLOBAL).send().await.expect(204);
        assert_eq!(errors(&house, &insured).await, [none.clone(), none]);
        assert_eq!(offered().await, (vec![1, 3], vec![]));
    }

    async fn an_insurer_that_the_organization_does_not_work_with_is_refused(house: House) {
        const OTHER: &str = "INSERT INTO insurance_companies (id, name, name_key, created_at) VALUES ($1, $2, $2, 1)";
        let other = uuid::Uuid::from_u128(0x77);
        run(&house, OTHER, other, "calm waters").await;
        link_insurer(&house).await;
        let mut insured = form(world::HARBOR_HOUSE, 1);
        insured["paymentMethod"] = json!(2);
        insured["insuranceCompanyId"] = json!(other);
        let refused = house.post("/api/Guests", insured.clone()).by(world::INTAKE).send().await.field_errors();
        assert_eq!(refused, ["/insuranceCompanyId: Please select insurance company."]);
        let asked = id(&house.post("/api/public/reservations", insured).send().await.expect(202));
        let otp = code_of(&newest_text(&house, &phone(1)).await);
        let refused = Asked { id: asked, otp }.confirm(&house).send().await.field_errors();
        assert_eq!(refused, ["/insuranceCompanyId: Please select insurance company."]);
    }

    async fn only_accepted_payment_methods_can_be_chosen(house: House) {
        run(&house, "DELETE FROM organization_payment_methods WHERE organization_id = $1 AND CAST(method AS TEXT) = $2",
            world::HARBOR.0, "3").await;
        let mut public_money = form(world::HARBOR_HOUSE, 1);
        public_money["paymentMethod"] = json!(3);
        let refused = ["/paymentMethod: This organization does not accept this payment method.".to_owned()];
        assert_eq!(errors(&house, &public_money).await, [refused.clone(), refused]);

        run(&house, "INSERT INTO site_payment_options (site_id, option_id) VALUES ($1, $2)", world::OPEN_DOOR.0, "pp").await;
        let refused = ["/mediCalChoice: This site does not accept this payment option.".to_owned()];
        assert_eq!(errors(&house, &form(world::OPEN_DOOR, 2)).await, [refused.clone(), refused]);
        let site = house.get(&format!("/api/public/sites/{}", world::OPEN_DOOR)).send().await.expect(200);
        assert_eq!(site["paymentOptions"], json!([{"id": "pp", "name": "Private Pay"}]));
        assert_eq!((&site["paymentMethods"], &site["insuranceCompanies"]), (&json!([]), &json!([])));
    }
}
