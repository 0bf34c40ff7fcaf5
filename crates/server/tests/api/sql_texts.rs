//! Finds the SQL texts of the server and of `berth-demo` in their sources: `const X: &str = …` with literals, `concat!`
//! and the small macros for common parts. A text that it cannot read fails the test, so that none is left out.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A SQL text and its place.
pub struct Text {
    /// `file: NAME`
    pub place: String,
    /// The text for the engines, before lists are expanded.
    pub sql: String,
}

/// The folders that are searched, each with the prefix of its places.
const SOURCES: [(&str, &str); 2] = [("src", ""), ("../demo/src", "berth-demo/")];

/// Every SQL text below [`SOURCES`].
pub fn all() -> Vec<Text> {
    let mut files: Vec<(String, String)> = Vec::new();
    for (folder, prefix) in SOURCES {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        for path in rust_files(&folder) {
            let place = format!("{prefix}{}", path.strip_prefix(&folder).unwrap_or(&path).display());
            files.push((place, std::fs::read_to_string(&path).expect("a source can be read")));
        }
    }
    let mut macros = BTreeMap::new();
    for (_, source) in &files {
        collect_macros(source, &mut macros);
    }
    let mut texts = Vec::new();
    for (file, source) in &files {
        assert!(!source.contains(".query(\""), "{file}: move the SQL text to a constant below its handler");
        for (name, expression) in constants(source) {
            let place = format!("{file}: {name}");
            let sql = evaluate(expression, &macros);
            if sql.as_ref().is_none_or(|sql| is_sql(sql)) {
                let sql = sql.unwrap_or_else(|| panic!("{place} cannot be read: {expression}"));
                texts.push(Text { place, sql });
            }
        }
    }
    texts
}

pub fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).expect("the sources are there").flatten() {
        let path = entry.path();
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}

fn is_sql(text: &str) -> bool {
    ["SELECT ", "INSERT ", "UPDATE ", "DELETE ", "WITH "].iter().any(|verb| text.starts_with(verb))
}

/// Name and expression of each `const X: &str = …;`.
fn constants(source: &str) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    let mut rest = source;
    while let Some((_, after)) = rest.split_once("const ") {
        rest = after;
        let Some((name, value)) = after.split_once(": &str =") else { break };
        if !name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_') {
            continue;
        }
        found.push((name, value[..end(value, ';')].trim()));
    }
    found
}

/// A macro that produces a text.
struct Macro {
    /// The names of its parameters, as `$beds`; empty if it passes on all its arguments.
    parameters: Vec<String>,
    /// The text between `=> {` and its `}`.
    body: String,
}

/// Collects the macros that produce a text.
fn collect_macros(source: &str, macros: &mut BTreeMap<String, Macro>) {
    let mut rest = source;
    while let Some((_, after)) = rest.split_once("macro_rules! ") {
        rest = after;
        let Some((name, body)) = after.split_once(" {") else { return };
        let Some((pattern, body)) = body.split_once("=> {") else { return };
        let parameters = pattern.trim().trim_matches(['(', ')']).split(',');
        let name_of = |one: &str| {
            let one = one.trim();
            one.strip_suffix(":literal").or_else(|| one.strip_suffix(":expr")).map(str::to_owned)
        };
        let parameters = parameters.filter_map(name_of).collect();
        macros.insert(name.to_owned(), Macro { parameters, body: body[..end(body, '}')].trim().to_owned() });
    }
}

/// The first position of `wanted` outside of literals and brackets.
fn end(source: &str, wanted: char) -> usize {
    let (mut depth, mut in_text, mut escaped) = (0_i32, false, false);
    for (at, character) in source.char_indices() {
        if in_text {
            in_text = escaped || character != '"';
            escaped = !escaped && character == '\\';
            continue;
        }
        match character {
            _ if character == wanted && depth == 0 => return at,
            '"' => in_text = true,
            '(' | '{' | '[' => depth += 1,
            ')' | '}' | ']' => depth -= 1,
            _ => {}
        }
    }
    source.len()
}

/// The value of a literal, `concat!` or one of the macros; none for anything else.
fn evaluate(expression: &str, macros: &BTreeMap<String, Macro>) -> Option<String> {
    let expression = expression.trim();
    if let Some(rest) = expression.strip_prefix('"') {
        return Some(unescape(rest.strip_suffix('"')?));
    }
    let (name, arguments) = expression.strip_suffix(')')?.split_once("!(")?;
    if name == "concat" {
        return split(arguments).into_iter().map(|part| evaluate(part, macros)).collect();
    }
    let name = name.rsplit("::").next()?;
    let Macro { parameters, body } = macros.get(name)?;
    let mut body = body.replace("$($rest)*", arguments);
    for (parameter, argument) in parameters.iter().zip(split(arguments)) {
        body = body.replace(parameter, argument);
    }
    evaluate(&body, macros)
}

/// The arguments of a call.
fn split(arguments: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = arguments.trim();
    while !rest.is_empty() {
        let (part, after) = rest.split_at(end(rest, ','));
        parts.push(part);
        rest = after.trim_start_matches(',').trim();
    }
    parts
}

/// Removes the Rust escapes that our texts use: `\"`, `\\` and line continuations.
fn unescape(literal: &str) -> String {
    let mut text = String::new();
    let mut characters = literal.chars().peekable();
    while let Some(character) = characters.next() {
        if character != '\\' {
            text.push(character);
            continue;
        }
        match characters.next() {
            Some('\n') => while characters.next_if(|next| next.is_whitespace()).is_some() {},
            Some('n') => text.push('\n'),
            Some(other) => text.push(other),
            None => {}
        }
    }
    text
}
