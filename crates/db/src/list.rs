//! Lists: `IN ($2..)`.
//!
//! Neither engine's way to bind a list is understood by the other (`json_each`, `= ANY`), so a literal writes the
//! marker `$2..` as the whole list, and this function puts `$2, $3, …` there. It is the only SQL that is not a literal.

use crate::{Error, Result};

/// Replaces the marker `${first}..` by `count` parameters. An empty list becomes `NULL`, which no value is `IN`; after
/// `NOT IN` that would be wrong, so there it is an error.
pub(crate) fn expand(text: &str, first: usize, count: usize) -> Result<String> {
    let marker = format!("${first}..");
    let Some((before, after)) = text.split_once(&marker) else {
        return Err(Error::misuse("bind_list needs a text with the marker of its parameter, as in IN ($2..)"));
    };
    if count == 0 {
        if before.trim_end_matches(['(', ' ']).to_ascii_uppercase().ends_with("NOT IN") {
            return Err(Error::misuse("NOT IN an empty list: leave the condition out instead"));
        }
        return Ok(format!("{before}NULL{after}"));
    }
    let parameters: Vec<String> = (first..first + count).map(|number| format!("${number}")).collect();
    Ok(format!("{before}{}{after}", parameters.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::expand;

    #[test]
    fn a_list_becomes_one_parameter_for_each_item() {
        let text = expand("SELECT id FROM beds WHERE site_id = $1 AND id IN ($2..) ORDER BY id", 2, 3).unwrap();
        assert_eq!(text, "SELECT id FROM beds WHERE site_id = $1 AND id IN ($2, $3, $4) ORDER BY id");
    }

    #[test]
    fn nothing_is_in_an_empty_list() {
        assert_eq!(expand("id IN ($1..)", 1, 0).unwrap(), "id IN (NULL)");
    }

    #[test]
    fn not_in_an_empty_list_is_refused() {
        assert!(expand("id NOT IN ($1..)", 1, 0).is_err());
    }

    #[test]
    fn a_list_without_its_marker_is_refused() {
        assert!(expand("id IN ($1..)", 2, 1).is_err());
    }
}
