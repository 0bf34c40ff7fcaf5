//! Search patterns of lists.

use berth_domain::value::fold;

/// Returns a `LIKE` pattern for keys ([`name_key`](berth_domain::name_key)) that contain `search`, with or without accents.
/// Wildcards are escaped. Control characters, which no name holds and PostgreSQL rejects, are removed.
#[must_use]
pub fn contains(search: &str) -> String {
    format!("%{}%", literal(search))
}

/// Returns a `LIKE` pattern for keys that begin with `search`, likewise.
#[must_use]
pub fn begins(search: &str) -> String {
    format!("{}%", literal(search))
}

/// Returns a `LIKE` pattern for keys with a word after the first that begins with `search`, likewise.
#[must_use]
pub fn has_word(search: &str) -> String {
    format!("% {}%", literal(search))
}

fn literal(search: &str) -> String {
    let mut pattern = String::new();
    for character in fold(search).chars().filter(|character| !character.is_control()) {
        if matches!(character, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(character);
    }
    pattern
}

#[cfg(test)]
mod tests {
    use super::{begins, contains, has_word};

    #[test]
    fn wildcards_in_a_search_are_literal() {
        assert_eq!(contains(" 50%_Off\\ "), "%50\\%\\_off\\\\%");
        assert_eq!(contains("a\0b"), "%ab%");
        assert_eq!(contains(""), "%%");
        assert_eq!((begins("5%"), has_word("_a")), ("5\\%%".to_owned(), "% \\_a%".to_owned()));
    }
}
