//! Normalizes place names for comparison: without case, accents and periods, and with "St." as "Saint".

/// Abbreviations at the beginning of city names, and their full words.
const ABBREVIATIONS: [(&str, &str); 4] = [("st", "saint"), ("ste", "sainte"), ("ft", "fort"), ("mt", "mount")];

/// Returns the name as lowercase ASCII words.
pub(super) fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for character in text.chars().flat_map(char::to_lowercase) {
        match character {
            'a'..='z' | '0'..='9' => plain.push(character),
            'á' | 'à' | 'â' | 'ä' | 'ã' | 'å' => plain.push('a'),
            'é' | 'è' | 'ê' | 'ë' => plain.push('e'),
            'í' | 'ì' | 'î' | 'ï' => plain.push('i'),
            'ó' | 'ò' | 'ô' | 'ö' | 'õ' => plain.push('o'),
            'ú' | 'ù' | 'û' | 'ü' => plain.push('u'),
            'ñ' => plain.push('n'),
            'ç' => plain.push('c'),
            // Hawaiian names have an okina, which few people type.
            '.' | '\'' | '’' | '‘' | 'ʻ' => {}
            _ if !plain.is_empty() && !plain.ends_with(' ') => plain.push(' '),
            _ => {}
        }
    }
    plain.truncate(plain.trim_end().len());
    plain
}

/// Returns the plain name with abbreviations written out.
pub(super) fn long(plain: &str) -> String {
    let words = plain
        .split(' ')
        .map(|word| ABBREVIATIONS.iter().find(|(short, _)| *short == word).map_or(word, |(_, long)| long));
    words.collect::<Vec<_>>().join(" ")
}

/// Code and name of each state, the District of Columbia and the territories.
const STATES: [(&str, &str); 56] = [
    ("AL", "alabama"),
    ("AK", "alaska"),
    ("AZ", "arizona"),
    ("AR", "arkansas"),
    ("CA", "california"),
    ("CO", "colorado"),
    ("CT", "connecticut"),
    ("DE", "delaware"),
    ("DC", "district of columbia"),
    ("FL", "florida"),
    ("GA", "georgia"),
    ("HI", "hawaii"),
    ("ID", "idaho"),
    ("IL", "illinois"),
    ("IN", "indiana"),
    ("IA", "iowa"),
    ("KS", "kansas"),
    ("KY", "kentucky"),
    ("LA", "louisiana"),
    ("ME", "maine"),
    ("MD", "maryland"),
    ("MA", "massachusetts"),
    ("MI", "michigan"),
    ("MN", "minnesota"),
    ("MS", "mississippi"),
    ("MO", "missouri"),
    ("MT", "montana"),
    ("NE", "nebraska"),
    ("NV", "nevada"),
    ("NH", "new hampshire"),
    ("NJ", "new jersey"),
    ("NM", "new mexico"),
    ("NY", "new york"),
    ("NC", "north carolina"),
    ("ND", "north dakota"),
    ("OH", "ohio"),
    ("OK", "oklahoma"),
    ("OR", "oregon"),
    ("PA", "pennsylvania"),
    ("RI", "rhode island"),
    ("SC", "south carolina"),
    ("SD", "south dakota"),
    ("TN", "tennessee"),
    ("TX", "texas"),
    ("UT", "utah"),
    ("VT", "vermont"),
    ("VA", "virginia"),
    ("WA", "washington"),
    ("WV", "west virginia"),
    ("WI", "wisconsin"),
    ("WY", "wyoming"),
    ("PR", "puerto rico"),
    ("VI", "virgin islands"),
    ("GU", "guam"),
    ("AS", "american samoa"),
    ("MP", "northern mariana islands"),
];

/// Returns the code of a state, given its code or its name.
pub(super) fn state(text: &str) -> Option<&'static str> {
    let plain = plain(text);
    STATES.iter().find(|(code, name)| code.eq_ignore_ascii_case(&plain) || *name == plain).map(|(code, _)| *code)
}

/// Splits a ZIP code off the end. Returns the rest and the five digits; four more digits after a dash are dropped.
pub(super) fn split_zip(text: &str) -> (&str, Option<&str>) {
    let text = text.trim_end_matches([' ', ',']);
    let start = text.rfind([' ', ',']).map_or(0, |before| before + 1);
    let last = &text[start..];
    let (five, four) = last.split_once('-').unwrap_or((last, ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let is_zip = five.len() == 5 && digits(five) && four.len() <= 4 && digits(four);
    if is_zip { (text[..start].trim_end_matches([' ', ',']), Some(five)) } else { (text, None) }
}

/// Splits a state off the end, given by its code or its name. Returns the rest and the code.
pub(super) fn split_state(text: &str) -> (&str, Option<&'static str>) {
    let text = text.trim_end_matches([' ', ',']);
    let cuts = text.match_indices([' ', ',']).map(|(before, _)| before + 1);
    for start in std::iter::once(0).chain(cuts) {
        if let Some(code) = state(&text[start..]) {
            return (text[..start].trim_end_matches([' ', ',']), Some(code));
        }
    }
    (text, None)
}

#[cfg(test)]
mod tests {
    use super::{long, plain, split_state, split_zip, state};

    #[test]
    fn names_are_compared_without_case_accents_and_periods() {
        assert_eq!(plain("  Cañon-City "), "canon city");
        assert_eq!(plain("ʻEwa Beach"), "ewa beach");
        assert_eq!(long(&plain("St. Louis")), "saint louis");
        assert_eq!(long(&plain("Ft Worth")), "fort worth");
    }

    #[test]
    fn zip_and_state_are_split_off_the_end() {
        assert_eq!(split_zip("Orange, CA 92868-1234"), ("Orange, CA", Some("92868")));
        assert_eq!(split_zip("92868"), ("", Some("92868")));
        assert_eq!(split_zip("12345 Main"), ("12345 Main", None));
        assert_eq!(split_state("Santa Fe New Mexico"), ("Santa Fe", Some("NM")));
        assert_eq!(split_state("Orange, ca"), ("Orange", Some("CA")));
        assert_eq!(split_state("West Virginia"), ("", Some("WV")));
        assert_eq!(split_state("Orange"), ("Orange", None));
        assert_eq!(state("xx"), None);
    }
}
