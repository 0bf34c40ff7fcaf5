//! The rules for a new password (spec A 5).

use berth_domain::NewPassword;
use berth_domain::password::{FORBIDDEN_PHRASES, PASSWORD_RULES};

const SHORT: &str = "Password should have at least 12 characters";
const LONG: &str = "Password should have at most 128 characters";
const UPPER: &str = "Password must have at least one uppercase letter";
const LOWER: &str = "Password must have at least one lowercase letter";
const DIGIT: &str = "Password must have at least one digit";
const SPECIAL: &str = "Password must have at least one special character (punctuation) — spaces included";
const REPEATED: &str = "Password must not have more than 2 identical characters in a row";
const COMMON: &str = "This password is too common and not allowed";
const PHRASE: &str = "Password contains a common phrase or sequence";

fn broken(text: &str) -> Vec<&'static str> {
    NewPassword::parse(text).err().unwrap_or_default()
}

#[test]
fn each_password_rule_has_its_own_sentence() {
    for (text, rules) in [
        ("Open-Door-2026", vec![]),
        ("harbor Light 42", vec![]),
        ("Ünter-Döner-7x", vec![]),
        ("", vec!["New password is a required field"]),
        ("Open-Door-1", vec![SHORT]),
        ("Open-Door-12", vec![]),
        ("open-door-2026", vec![UPPER]),
        ("OPEN-DOOR-2026", vec![LOWER]),
        ("Open-Door-Blue", vec![DIGIT]),
        ("OpenDoor2026Blue", vec![SPECIAL]),
        ("Openn-Door-2026", vec![]),
        ("Opennn-Door-2026", vec![REPEATED]),
        ("Open---Door-2026", vec![REPEATED]),
        ("Opennn-Dooor-2026", vec![REPEATED]),
        ("OpenNn-Door-2026", vec![]),
        ("My-PassWord-2026", vec![PHRASE]),
        ("Yes-Sir-1234567", vec![PHRASE]),
        ("The-Administrator-1", vec![PHRASE]),
        ("P@ssw0rd1234", vec![COMMON]),
        ("1q2W3e4R5t6Y!", vec![COMMON]),
        ("123456", vec![SHORT, UPPER, LOWER, SPECIAL, COMMON, PHRASE]),
        ("aaa", vec![SHORT, UPPER, DIGIT, SPECIAL, REPEATED]),
    ] {
        assert_eq!(broken(text), rules, "{text}");
    }
}

#[test]
fn the_length_is_12_to_128_characters_not_bytes() {
    let of = |length: usize| "Ab1-éüßñ".chars().cycle().take(length).collect::<String>();
    assert_eq!(broken(&of(11)), [SHORT]);
    assert_eq!(broken(&of(12)), [""; 0]);
    assert_eq!(broken(&of(128)), [""; 0]);
    assert_eq!(broken(&of(129)), [LONG]);
}

#[test]
fn a_space_counts_as_special_and_nothing_is_trimmed() {
    let kept = NewPassword::parse(" OpenDoor2026 ").expect("allowed");
    assert_eq!(kept.as_str(), " OpenDoor2026 ");
}

#[test]
fn every_forbidden_phrase_is_found_in_any_case() {
    for phrase in FORBIDDEN_PHRASES {
        for inner in [phrase.to_owned(), phrase.to_uppercase()] {
            assert_eq!(broken(&format!("Zx-7 {inner} Kv-9")), [PHRASE], "{inner}");
        }
    }
}

#[test]
fn the_list_of_common_passwords_is_long_lower_case_and_has_no_duplicates() {
    let text = include_str!("../../src/common_passwords.txt");
    let words: Vec<_> = text.lines().filter(|line| !line.starts_with("#!")).collect();
    let distinct: std::collections::HashSet<_> = words.iter().collect();
    assert!(words.len() >= 3000 && distinct.len() == words.len(), "{} words", words.len());
    assert!(words.iter().all(|word| !word.is_empty() && *word == word.to_lowercase()));
    assert!(words.iter().all(|word| broken(word).contains(&COMMON)));
}

#[test]
fn a_password_must_not_contain_facts_about_its_user() {
    let known = ["maria.lopez@harbor.example", "Maria", "Lopez", "J"];
    let parse = |text| NewPassword::parse_avoiding(text, &known).err().unwrap_or_default();
    assert_eq!(parse("Open-Door-2026"), [""; 0]);
    assert_eq!(parse("The-MARIA-2026"), [PHRASE]);
    assert_eq!(parse("Blue-Harbor-2026"), [PHRASE]);
    assert_eq!(parse("lopez"), [SHORT, UPPER, DIGIT, SPECIAL, PHRASE], "and reports the other broken rules too");
    assert_eq!(parse("J-is-Open-2026"), [""; 0], "words below 4 characters do not count");
    assert_eq!(parse(""), ["New password is a required field"]);
}

#[test]
fn the_rules_are_listed_for_the_web_and_a_password_is_never_printed() {
    let texts = [SHORT, LONG, UPPER, LOWER, DIGIT, SPECIAL, REPEATED, COMMON, PHRASE];
    assert_eq!(PASSWORD_RULES.map(|rule| rule.text), texts);
    let password = NewPassword::parse("Open-Door-2026").expect("allowed");
    assert!(!format!("{password:?}").contains("Door"));
}
