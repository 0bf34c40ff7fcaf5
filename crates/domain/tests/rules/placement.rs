//! Placement rules: whom a site and its houses are for (docs/decisions/0068).

use berth_domain::catalog::Gender;
use berth_domain::placement::{MeantFor, may_place, misfits, names, traits};
use berth_domain::stay::Refusal;

fn for_whom(ids: &[&str]) -> MeantFor {
    MeantFor::of_services(ids.iter().copied())
}

fn misfitting(rules: &[&[&str]]) -> String {
    let woman = traits(Gender::Female, Some("age-18-26"), Some("adults"));
    let rules: Vec<MeantFor> = rules.iter().map(|ids| for_whom(ids)).collect();
    names(&misfits(&woman, &rules.iter().collect::<Vec<_>>()))
}

#[test]
fn a_category_without_a_choice_has_no_limit() {
    assert_eq!(misfitting(&[&[], &[]]), "");
    assert_eq!(misfitting(&[&["age-18-26"], &["gender-female"]]), "");
    assert_eq!(misfitting(&[&["mental-health"], &[]]), "", "what a site offers says nothing about whom it is for");
}

#[test]
fn a_guest_has_to_fit_the_site_and_the_house() {
    let female = traits(Gender::Female, None, None);
    let women = for_whom(&["gender-female"]);
    let men = for_whom(&["gender-male"]);
    assert!(misfits(&female, &[&women]).is_empty());
    assert_eq!(names(&misfits(&female, &[&women, &men])), names(&female));
    assert_eq!(names(&misfits(&female, &[&men, &women])), names(&female));
    let other = traits(Gender::Other, None, None);
    assert_eq!(misfits(&other, &[&women]).len(), 1, "a house for women is not for everybody");
    assert!(misfits(&other, &[&for_whom(&["gender-female", "gender-other"])]).is_empty());
}

#[test]
fn each_trait_that_does_not_fit_is_named_once() {
    let both = misfitting(&[&["gender-male", "age-over-27"], &["gender-male"]]);
    assert_eq!(both.split(", ").count(), 2, "{both}");
}

#[test]
fn a_house_is_for_genders_ages_and_types_of_client_only() {
    let ids = |ids: &[&str]| ids.iter().map(|id| (*id).to_owned()).collect::<Vec<_>>();
    assert_eq!(MeantFor::parse(&ids(&["mental-health"])), Err("Choose genders, ages and types of client only."));
    assert_eq!(MeantFor::parse(&ids(&["nonsense"])), Err("Choose genders, ages and types of client only."));
    let chosen = MeantFor::parse(&ids(&["gender-male", "adults", "age-18-26", "adults"])).unwrap();
    assert_eq!(chosen.ids(), ["adults", "age-18-26", "gender-male"], "sorted, each once");
    assert_eq!(MeantFor::from_text(&chosen.to_text()), chosen);
    assert_eq!(MeantFor::from_text(""), MeantFor::default());
}

#[test]
fn only_a_strict_site_refuses_and_only_admins_override_it_with_a_reason() {
    let misfits = traits(Gender::Male, None, None);
    for (has_reason, may_override) in [(false, false), (false, true), (true, false), (true, true)] {
        assert_eq!(may_place(false, &misfits, has_reason, may_override), Ok(()), "elsewhere the web warns");
        assert_eq!(may_place(true, &[], has_reason, may_override), Ok(()), "the guest fits");
    }
    assert_eq!(may_place(true, &misfits, true, true), Ok(()));
    assert_eq!(may_place(true, &misfits, false, true), Err(Refusal::PlacementReasonNeeded));
    assert_eq!(may_place(true, &misfits, true, false), Err(Refusal::PlacementNeedsAdmin));
    assert_eq!(may_place(true, &misfits, false, false), Err(Refusal::PlacementNeedsAdmin));
}
