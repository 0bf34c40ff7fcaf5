//! How names of places are compared: without case, accents and points, and with "St." as "Saint".

/// Abbreviations that begin names of cities, and what they stand for.
const SHORT: [(&str, &str); 4] = [("st", "saint"), ("ste", "sainte"), ("ft", "fort"), ("mt", "mount")];

/// The name as plain lower-case words.
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
            // Hawaiian names carry an okina, which few type.
            '.' | '\'' | '’' | '‘' | 'ʻ' => {}
            _ if !plain.is_empty() && !plain.ends_with(' ') => plain.push(' '),
            _ => {}
        }
    }
    plain.truncate(plain.trim_end().len());
    plain
}

/// The plain name with abbreviations written out.
pub(super) fn long(plain: &str) -> String {
    let words =
        plain.split(' ').map(|word| SHORT.iter().find(|(short, _)| *short == word).map_or(word, |(_, long)| long));
    words.collect::<Vec<_>>().join(" ")
}

/// Two letters and name of each state, the district and the territories.
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

/// The two letters of a state, by its letters or its name.
pub(super) fn state(text: &str) -> Option<&'static str> {
    let plain = plain(text);
    STATES.iter().find(|(code, name)| code.eq_ignore_ascii_case(&plain) || *name == plain).map(|(code, _)| *code)
}

/// Takes a ZIP off the end: the rest and its five digits. Four more digits behind a dash are left out.
pub(super) fn split_zip(text: &str) -> (&str, Option<&str>) {
    let text = text.trim_end_matches([' ', ',']);
    let start = text.rfind([' ', ',']).map_or(0, |before| before + 1);
    let last = &text[start..];
    let (five, four) = last.split_once('-').unwrap_or((last, ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let is_zip = five.len() == 5 && digits(five) && four.len() <= 4 && digits(four);
    if is_zip { (text[..start].trim_end_matches([' ', ',']), Some(five)) } else { (text, None) }
}

/// Takes a state off the end, its letters or its name: the rest and the two letters.
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
    fn names_are_compared_without_case_accents_and_points() {
        assert_eq!(plain("  Cañon-City "), "canon city");
        assert_eq!(plain("ʻEwa Beach"), "ewa beach");
        assert_eq!(long(&plain("St. Louis")), "saint louis");
        assert_eq!(long(&plain("Ft Worth")), "fort worth");
    }

    #[test]
    fn zip_and_state_come_off_the_end() {
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
