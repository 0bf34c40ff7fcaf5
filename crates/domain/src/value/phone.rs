//! Telephone numbers (spec A 5: +1 and 10 digits), checked against the North American Numbering Plan, so that no code is sent to a premium or
//! unassigned number (docs/decisions/0035).

use super::Phone;

const INCORRECT: &str = "Phone number is incorrect";
const NOT_PERSONAL: &str = "Codes cannot be sent to this number. Please enter a mobile number.";

impl Phone {
    /// Parses "+17145550134", "(714) 555-0134", "714.555.0134", "1 714 555 0134" and the like.
    ///
    /// # Errors
    /// "Phone number is incorrect" unless it is +1 and 10 digits that form a number of the numbering plan: area code and
    /// exchange begin with 2 to 9 and are no service such as 911, and the number is no premium service (900, 976).
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        let text = text.trim();
        let (plus, rest) = text.strip_prefix('+').map_or((false, text), |rest| (true, rest));
        let separators = |c: char| matches!(c, ' ' | '\u{a0}' | '-' | '\u{2011}' | '.' | '(' | ')');
        let digits: String = rest.chars().filter(|c| !separators(*c)).collect();
        let national = match (digits.len(), plus) {
            (10, false) => digits.as_str(),
            (11, _) => digits.strip_prefix('1').ok_or(INCORRECT)?,
            _ => return Err(INCORRECT),
        };
        if is_of_the_plan(national) { Ok(Self(format!("+1{national}"))) } else { Err(INCORRECT) }
    }

    /// Parses the number of a person, to which codes are sent.
    ///
    /// # Errors
    /// As [`Self::parse`], and a sentence for numbers that are not [personal](Self::is_personal).
    pub fn parse_personal(text: &str) -> Result<Self, &'static str> {
        let phone = Self::parse(text)?;
        if phone.is_personal() { Ok(phone) } else { Err(NOT_PERSONAL) }
    }

    /// Returns false for numbers of services (toll-free ones and others whose area code belongs to no place), and for
    /// numbers of island states that share +1: a text message there costs many times as much, which attracts fraud.
    #[must_use]
    pub fn is_personal(&self) -> bool {
        let area = &self.0[2..5];
        !is_of_a_service(area) && !ISLAND_STATES.contains(&area)
    }

    /// Returns the number with only its last four digits: "+1 ••• ••• 0134".
    #[must_use]
    pub fn masked(&self) -> String {
        let digits = self.0.chars().count();
        let last: String = self.0.chars().skip(digits.saturating_sub(4)).collect();
        format!("+1 ••• ••• {last}")
    }
}

/// Returns true if 10 digits can be called: `NXX NXX XXXX` with N from 2 to 9.
fn is_of_the_plan(national: &str) -> bool {
    if !national.bytes().all(|byte| byte.is_ascii_digit()) {
        return false;
    }
    let (area, rest) = national.split_at(3);
    let (exchange, line) = rest.split_at(3);
    let begins_well = |code: &str| code.as_bytes()[0] >= b'2' && !code.ends_with("11");
    // N9X is kept for longer numbers; 900 and 976 cost the caller money; 555-1212 is directory assistance.
    begins_well(area)
        && begins_well(exchange)
        && area.as_bytes()[1] != b'9'
        && area != "900"
        && exchange != "976"
        && (exchange, line) != ("555", "1212")
}

/// Area codes of the island states of the numbering plan, from the Bahamas to Jamaica. Puerto Rico, Guam and other
/// territories of the United States are not among them, nor is Canada.
const ISLAND_STATES: [&str; 21] = [
    "242", "246", "264", "268", "284", "345", "441", "473", "649", "658", "664", "721", "758", "767", "784", "809",
    "829", "849", "868", "869", "876",
];

/// Returns true if the area code belongs to a service, not a place: codes whose last two digits are alike (800, 833, 500 …),
/// 521 to 529, and 710 of the government.
fn is_of_a_service(area: &str) -> bool {
    area[1..2] == area[2..3] || ("521"..="529").contains(&area) || area == "710"
}
