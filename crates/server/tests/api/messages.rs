//! Every sentence that the server can send has a code, and every code has a text in both languages of the screens.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use berth_domain::password::PASSWORD_RULES;
use berth_domain::stay::Refusal;
use berth_server::http::problem::messages::{MESSAGES, UNTRANSLATED, coded};
use serde_json::Value;

use crate::harness::{Answer, check_codes};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The texts of a language by key.
fn words(language: &str) -> BTreeMap<String, String> {
    let file = root().join(format!("web/src/i18n/locales/{language}/server.json"));
    serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap()
}

#[test]
fn every_code_has_a_text_in_both_languages() {
    let codes: BTreeSet<&str> = MESSAGES.iter().map(|(code, _)| *code).collect();
    for language in ["en", "es"] {
        let words = words(language);
        let known: BTreeSet<&str> = words.keys().map(String::as_str).collect();
        let (missing, extra): (Vec<_>, Vec<_>) =
            (codes.difference(&known).collect(), known.difference(&codes).collect());
        assert!(
            missing.is_empty() && extra.is_empty(),
            "{language}/server.json lacks {missing:?} and has too much {extra:?}"
        );
    }
}

#[test]
fn english_screen_texts_equal_the_servers_sentences() {
    let words = words("en");
    for (code, sentence) in MESSAGES {
        assert_eq!(words[*code].replace("{{", "{").replace("}}", "}"), *sentence, "{code}");
    }
}

#[test]
fn sentences_of_the_domain_have_codes() {
    let rules = PASSWORD_RULES.iter().map(|rule| rule.text);
    for sentence in Refusal::ALL.map(Refusal::sentence).into_iter().chain(rules) {
        assert_ne!(coded(sentence).code, UNTRANSLATED, "{sentence}");
    }
}

/// Sources whose sentences reach people in other ways: messages, emails, the command line, its settings and its checks.
const NOT_ANSWERS: [&str; 11] =
    ["cli", "demo", "docs", "letter.rs", "mail", "mail.rs", "main.rs", "notices.rs", "seals", "storage.rs", "texts.rs"];

/// Sentences in other sources that no answer contains.
const NOT_SENT: [&str; 7] = [
    "Berth: A bed is free for you. Call {contact} before {time} to take it.",
    "Berth: Hay una cama libre para usted. Llame al {contact} antes de las {time} para tomarla.",
    "Bed availability and reservations in rehab and treatment housing.",
    "{code} is your Berth code. It is valid for {CODE_MINUTES} minutes. We never ask for it by phone: do not share it with anyone.",
    "{code} es su código de Berth. Sirve durante {CODE_MINUTES} minutos. Nunca lo pedimos por teléfono: no se lo diga a nadie.",
    "Confidential. 42 CFR part 2 prohibits unauthorized use or disclosure of these records.",
    "Confidencial. 42 CFR parte 2 prohíbe el uso o la divulgación no autorizados de estos registros.",
];

/// Reads the sources, because no other test finds a sentence that no test triggers.
#[test]
fn every_sentence_in_the_sources_has_a_code() {
    let mut files = Vec::new();
    for folder in ["crates/domain/src", "crates/server/src"] {
        collect(&root().join(folder), &mut files);
    }
    let mut unknown = Vec::new();
    for file in files {
        let source = std::fs::read_to_string(&file).unwrap();
        for sentence in sentences(&source) {
            if !NOT_SENT.contains(&sentence.as_str()) && !is_known(&sentence) {
                unknown.push(format!("{}: {sentence}", file.display()));
            }
        }
    }
    assert!(unknown.is_empty(), "add these to src/http/problem/messages.rs, or to NOT_SENT:\n{}", unknown.join("\n"));
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.file_name().is_some_and(|name| NOT_ANSWERS.iter().any(|other| name == *other)) {
            continue;
        }
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

/// Returns true if a sentence, or one that its placeholders can produce, has a code.
fn is_known(sentence: &str) -> bool {
    coded(&sentence.replace(['{', '}'], "")).code != UNTRANSLATED
}

/// The texts of a source that look like sentences: a capital letter, several words, a period. Comments, attributes
/// other than errors, and everything after `#[cfg(test)]` are left out.
fn sentences(source: &str) -> Vec<String> {
    let source = source.split("#[cfg(test)]").next().unwrap_or_default();
    let mut found = Vec::new();
    let mut rest = source;
    while let Some(at) = rest.find(['"', '/', '\'', '#']) {
        let (before, from) = rest.split_at(at);
        rest = &from[1..];
        if from.starts_with("//") {
            rest = from.split_once('\n').map_or("", |(_, after)| after);
        } else if from.starts_with("'\"'") || from.starts_with("'\\") {
            rest = from[2..].split_once('\'').map_or("", |(_, after)| after);
        } else if from.starts_with("#[") && !from.starts_with("#[error") {
            rest = from.split_once("]\n").map_or("", |(_, after)| after);
        } else if from.starts_with('"') {
            let (text, after) = literal(rest);
            rest = after;
            let is_raw = before.ends_with('r') || before.ends_with('#');
            let is_reason = before.trim_end().ends_with("expect(") || before.trim_end().ends_with("reason =");
            let reads_so =
                text.ends_with('.') && text.contains(' ') && text.starts_with(|c: char| c.is_uppercase() || c == '{');
            if reads_so && !is_raw && !is_reason {
                found.push(text);
            }
        }
    }
    found
}

/// The text up to the closing quotation mark, as the compiler reads it, and the rest.
fn literal(source: &str) -> (String, &str) {
    let mut text = String::new();
    let mut characters = source.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => return (text, &source[at + 1..]),
            '\\' => match characters.next() {
                Some((_, 'n')) => text.push('\n'),
                Some((line, '\n')) => {
                    let blank = source[line + 1..].chars().take_while(|c| c.is_whitespace()).count();
                    for _ in 0..blank {
                        characters.next();
                    }
                }
                Some((_, other)) => text.push(other),
                None => break,
            },
            other => text.push(other),
        }
    }
    (text, "")
}

/// Checks the search itself, because a sentence that it misses would go unnoticed.
#[test]
fn the_search_finds_sentences_and_nothing_else() {
    let source = "/// \"A comment is not sent.\"\n#[expect(x, reason = \"It is as it is.\")]\nfn f() { \
        let c = '\"'; g(\"This is sent \\\n    at once.\"); h(\"SELECT 1\"); #[error(\"This too, {0}.\")] }";
    assert_eq!(sentences(source), ["This is sent at once.", "This too, {0}."]);
}

#[test]
fn an_answer_without_its_code_fails_its_test() {
    let answer = |body: Value| Answer { status: 409, headers: axum::http::HeaderMap::new(), text: body.to_string() };
    let caught = |body: Value| std::panic::catch_unwind(move || check_codes(&answer(body))).is_err();
    assert!(!caught(serde_json::json!({"message": "Invalid URL.", "code": "invalid-url"})));
    assert!(caught(serde_json::json!({"message": "Something new.", "code": "untranslated"})));
    assert!(caught(serde_json::json!({"message": "Invalid URL.", "code": "required"})));
    assert!(caught(serde_json::json!({"message": "Please check the marked fields.", "code": "invalid-fields",
        "errors": [{"pointer": "/name", "message": "Required field."}]})));
}
