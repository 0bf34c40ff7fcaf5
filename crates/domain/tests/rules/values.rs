//! Text types: what each accepts, cleans and compares.

use berth_domain::value::{hide_phone_numbers, is_street, visible};
use berth_domain::{
    Alias, Check, Description, Email, FieldError, FirstName, LastInitial, Name, Phone, WebAddress, clean_text, fold,
    name_key, search_key,
};
use proptest::prelude::{ProptestConfig, proptest};

#[test]
fn an_email_has_a_mailbox_and_a_domain_with_a_dot() {
    for good in ["a@b.co", "Global@Demo.Example", " first.last+tag@sub.example.org ", "o'neil@example.com", "x@1.2.org"]
    {
        assert_eq!(Email::parse(good).map(String::from), Ok(good.trim().to_owned()));
    }
    let long_mailbox = format!("{}@example.org", "a".repeat(65));
    let long = format!("a@{}org", "abcdefgh.".repeat(29));
    for bad in [
        "",
        "a",
        "@",
        "a@",
        "@b.co",
        "a@b",
        "a@b.c",
        "a@b.12",
        "a@@b.co",
        "a b@c.co",
        "a@b..co",
        ".a@b.co",
        "a.@b.co",
        "a@-b.co",
        "a@b-.co",
        "a@b.co\nBcc: x@y.co",
        "a<b>@c.co",
        "ä@b.co",
        "a@bü.de",
        "a,b@c.co",
        "a@b.co@c.co",
        &long_mailbox,
        &long,
    ] {
        assert_eq!(Email::parse(bad), Err("Invalid email."), "{bad:?}");
    }
    assert_eq!(Email::parse(" Global@Demo.Example").map(|email| email.key()), Ok("global@demo.example".to_owned()));
}

#[test]
fn a_phone_is_plus_one_and_ten_digits_in_any_notation() {
    for good in [
        "+17145550134",
        "(714) 555-0134",
        "714.555.0134",
        "714-555-0134",
        "7145550134",
        "1 714 555 0134",
        "17145550134",
        "+1 (714) 555-0134",
        " 714\u{a0}555\u{2011}0134 ",
    ] {
        assert_eq!(Phone::parse(good).map(String::from), Ok("+17145550134".to_owned()), "{good}");
    }
    for bad in [
        "",
        "+1",
        "714555013",
        "71455501345",
        "27145550134",
        "+27145550134",
        "+7145550134",
        "++17145550134",
        "714-555-O134",
        "714555013４",
        "+1714555013x",
        "1+7145550134",
        "00171455501",
    ] {
        assert_eq!(Phone::parse(bad), Err("Phone number is incorrect"), "{bad}");
    }
    assert_eq!(Phone::parse("+17145550134").map(|phone| phone.masked()), Ok("+1 ••• ••• 0134".to_owned()));
}

#[test]
fn a_phone_follows_the_numbering_plan_and_is_not_premium_rate() {
    for bad in [
        "114-555-0134",
        "014-555-0134",
        "714-155-0134",
        "714-055-0134",
        "411-555-0134",
        "911-555-0134",
        "714-911-0134",
        "714-411-0134",
        "900-555-0134",
        "714-976-0134",
        "714-555-1212",
        "795-555-0134",
    ] {
        assert_eq!(Phone::parse(bad), Err("Phone number is incorrect"), "{bad}");
    }
    for good in
        ["201-200-0000", "989-999-9999", "714-555-0134", "714-555-0000", "520-555-0134", "800-555-0134", "206-900-0134"]
    {
        assert!(Phone::parse(good).is_ok(), "{good}");
    }
}

#[test]
fn codes_are_sent_only_to_personal_numbers() {
    for service in [
        "800-555-0134",
        "888-555-0134",
        "833-555-0134",
        "500-555-0134",
        "700-555-0134",
        "521-555-0134",
        "529-555-0134",
        "710-555-0134",
        "242-555-0134",
        "809-555-0134",
        "876-555-0134",
    ] {
        assert!(Phone::parse(service).is_ok(), "{service} can be called");
        let refused = Phone::parse_personal(service);
        assert_eq!(refused, Err("Codes cannot be sent to this number. Please enter a mobile number."), "{service}");
    }
    for person in
        ["714-555-0134", "520-555-0134", "530-555-0134", "212-555-0134", "808-555-0134", "787-555-0134", "416-555-0134"]
    {
        assert!(Phone::parse_personal(person).is_ok(), "{person}");
    }
    assert_eq!(Phone::parse_personal("900-555-0134"), Err("Phone number is incorrect"));
}

#[test]
fn a_first_name_has_1_to_50_characters() {
    let fifty = "é".repeat(50);
    assert_eq!(FirstName::parse(&fifty).map(String::from), Ok(fifty.clone()), "characters, not bytes");
    assert_eq!(FirstName::parse(&(fifty + "x")), Err("Maximum length of first name is 50 symbols."));
    for blank in ["", "  ", "<b></b>"] {
        assert_eq!(FirstName::parse(blank), Err("Required field."), "{blank:?}");
    }
    assert_eq!(FirstName::parse("  Mary\n  Ann ").map(String::from), Ok("Mary Ann".to_owned()), "on one line");
}

#[test]
fn a_last_name_is_one_character_in_upper_case() {
    for (text, expected) in [
        ("d", Ok("D")),
        (" D ", Ok("D")),
        ("é", Ok("É")),
        ("e\u{301}", Ok("É")),
        ("ß", Ok("ß")),
        ("", Err("Required field.")),
        ("Do", Err("Maximum length of last name is 1 symbols.")),
        ("D.", Err("Maximum length of last name is 1 symbols.")),
    ] {
        assert_eq!(LastInitial::parse(text).map(String::from), expected.map(str::to_owned), "{text}");
    }
}

#[test]
fn names_aliases_and_descriptions_have_their_lengths() {
    assert_eq!(Name::parse(" "), Err("Required field."));
    assert!(Name::parse(&"x".repeat(200)).is_ok() && Name::parse(&"x".repeat(201)).is_err());
    assert_eq!(Name::parse("Casa  Nova").map(|name| name.key()), Ok("casa nova".to_owned()));
    assert_eq!(Alias::parse("ab"), Err("Alias must be at least 3 characters."));
    assert!(Alias::parse("abc").is_ok() && Alias::parse(&"x".repeat(201)).is_err());
    assert_eq!(Description::parse(""), Err("Required field."));
    assert!(Description::parse(&"x".repeat(79)).is_err() && Description::parse(&"x".repeat(80)).is_ok());
    assert!(Description::parse(&"x".repeat(20_001)).is_err());
    let lines = format!("First line.\n\n{}", "x".repeat(80));
    assert_eq!(Description::parse(&lines).map(String::from), Ok(lines.clone()), "lines stay lines");
}

#[test]
fn a_web_address_is_http_or_https() {
    for (text, kept) in [
        ("https://example.org", "https://example.org"),
        ("HTTP://Example.org/a?b=c#d", "http://Example.org/a?b=c#d"),
        ("www.example.org", "https://www.example.org"),
        ("example.org:8080/x", "https://example.org:8080/x"),
        ("https://bücher.example", "https://bücher.example"),
    ] {
        assert_eq!(WebAddress::parse(text).map(String::from), Ok(kept.to_owned()), "{text}");
    }
    for bad in [
        "",
        "x",
        "not a url",
        "javascript:alert(1)",
        "javascript://a.b/%0aalert(1)",
        "ftp://a.b.co",
        "https://",
        "https://a",
        "https://user@a.co",
        "https://a.co/<script>",
        "https://a.co/\"x",
        "https://a.co:99999",
        "https://a.co:",
        "http://1.2.3.4",
        "https://a..co",
        "data:text/html,x",
        "https://a.co/\\x",
    ] {
        assert_eq!(WebAddress::parse(bad), Err("Invalid URL."), "{bad}");
    }
}

#[test]
fn markup_and_invisible_characters_are_removed() {
    for (text, kept) in [
        ("plain", "plain"),
        (" Q & A, a < b, 1 > 0, <3 ", "Q & A, a < b, 1 > 0, <3"),
        ("<b>bold</b> text", "bold text"),
        ("<script>alert(1)</script>hello", "hello"),
        ("<SCRIPT src=x>alert(1)</ScRiPt >hello", "hello"),
        ("<style>p{}</style>x<!-- note -->y", "xy"),
        ("<script>never closed", "never closed"),
        ("<img src=x onerror=alert(1)//", "img src=x onerror=alert(1)//"),
        ("<scr<script>ipt>alert(1)</script>", "ipt>alert(1)"),
        ("<<b>b>bold", "b>bold"),
        ("<<<<a", "a"),
        ("<!--", "!--"),
        ("two\r\nlines\tand a tab\r", "two\nlines\tand a tab"),
        ("a\u{0}b\u{7}c\u{202e}d\u{200b}e\u{feff}", "abcde"),
        ("a\u{61c}b\u{2066}c\u{2069}d\u{206a}e\u{ad}f\u{2028}g\u{180e}", "abcdefg"),
        ("family 👨\u{200d}👩\u{200d}👧", "family 👨\u{200d}👩\u{200d}👧"),
    ] {
        assert_eq!(clean_text(text), kept, "{text:?}");
    }
}

#[test]
fn recorded_text_is_on_one_line_and_shows_every_character() {
    assert_eq!(visible("search=\u{202e}evil\u{2069}\r\n, page 1\t"), "search=evil, page 1");
    assert_eq!(visible("<b>José & علي 👨\u{200d}👧"), "<b>José & علي 👨\u{200d}👧", "nothing else is taken out");
}

#[test]
fn cleaning_a_long_text_of_unclosed_tags_takes_one_pass() {
    for part in ["<a", "<!--", "<script>", "<style>", "<", "<a>", "</script", "<!-->"] {
        let long = part.repeat(200_000);
        let cleaned = clean_text(&long);
        assert!(cleaned.len() <= long.len(), "{part}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn cleaned_text_opens_no_tag_and_cleaning_twice_changes_nothing(
        text in r"([<>/!?\-a-b \r\n\u{0}\u{202e}]|<script|</script>|<style>|<!--|-->|[é\u{3c}]){0,30}",
    ) {
        let cleaned = clean_text(&text);
        assert_eq!(clean_text(&cleaned), cleaned);
        let characters: Vec<char> = cleaned.chars().collect();
        for pair in characters.windows(2) {
            assert!(pair[0] != '<' || !(pair[1].is_ascii_alphabetic() || "/!?".contains(pair[1])), "{cleaned:?}");
        }
        assert!(!cleaned.chars().any(|c| c.is_control() && c != '\n' && c != '\t'));
    }

    #[test]
    fn parsing_a_parsed_value_returns_the_same_value(text in r"[ -~éß\n]{0,60}") {
        let again = |value: String, parse: fn(&str) -> Option<String>| assert_eq!(parse(&value), Some(value.clone()));
        if let Ok(name) = FirstName::parse(&text) {
            again(name.into(), |text| FirstName::parse(text).ok().map(String::from));
        }
        if let Ok(name) = Name::parse(&text) {
            again(name.into(), |text| Name::parse(text).ok().map(String::from));
        }
        if let Ok(initial) = LastInitial::parse(&text) {
            again(initial.into(), |text| LastInitial::parse(text).ok().map(String::from));
        }
    }

    #[test]
    fn every_accepted_phone_has_the_stored_format(text in r"\+?1?[ (.\-]{0,2}[0-9]{2,4}[) .\-]{0,2}[0-9]{3}[ .\-]?[0-9]{3,5}") {
        if let Ok(phone) = Phone::parse(&text) {
            let stored = phone.as_str();
            assert!(stored.len() == 12 && stored.starts_with("+1") && stored[1..].bytes().all(|b| b.is_ascii_digit()));
            assert_eq!(Phone::parse(stored), Ok(phone.clone()));
        }
    }
}

#[test]
fn names_with_invisible_characters_are_refused() {
    const INVISIBLE: &str = "This contains characters that cannot be seen. Please type it again.";
    for (what, bad) in [
        ("zero-width space alone", "\u{200b}"),
        ("zero-width joiner inside", "An\u{200d}na"),
        ("byte order mark", "\u{feff}Anna"),
        ("right-to-left override", "Anna\u{202e}mailto"),
        ("isolate", "\u{2066}Anna\u{2069}"),
        ("mark without a letter", "\u{301}"),
        ("mark after a space", "Anna \u{301}"),
        ("mark after a point", "J.\u{308}"),
        ("control", "Anna\u{7}"),
        ("zero byte", "\u{0}"),
        ("Hangul filler", "\u{3164}"),
        ("soft hyphen", "An\u{ad}na"),
        ("tag", "Anna\u{e0041}"),
        ("variation selector", "Anna\u{fe0f}"),
        ("blank Braille", "\u{2800}"),
    ] {
        assert_eq!(FirstName::parse(bad), Err(INVISIBLE), "{what}");
        assert_eq!(Name::parse(bad), Err(INVISIBLE), "{what}");
        assert_eq!(Alias::parse(&format!("abc {bad}")), Err(INVISIBLE), "{what}");
        assert!(LastInitial::parse(bad).is_err(), "{what}");
    }
    for good in ["Anna", "Zoë", "José", "O’Neil", "Nguyễn", "محمد", "हिन्दी", "Jean-Luc", "李", "Anna\tMaria"]
    {
        assert!(FirstName::parse(good).is_ok(), "{good}");
    }
}

#[test]
fn a_name_is_stored_in_composed_form() {
    assert_eq!(FirstName::parse("Zoe\u{308}").map(String::from), Ok("Zo\u{eb}".to_owned()));
    assert_eq!(Name::parse("Jose\u{301}").map(String::from), Ok("Jos\u{e9}".to_owned()));
    let fifty = "e\u{301}".repeat(50);
    assert!(FirstName::parse(&fifty).is_ok(), "fifty letters, whatever they were typed as");
}

#[test]
fn a_search_finds_names_without_their_accents_and_a_key_keeps_them_apart() {
    for (typed, folded) in [
        ("  ÉCOLE   Straße ", "ecole strasse"),
        ("José", "jose"),
        ("Zoë", "zoe"),
        ("Zoe\u{308}", "zoe"),
        ("Łukasz Ørsted", "lukasz orsted"),
        ("İpek Ægir", "ipek aegir"),
        ("O’Neil", "o'neil"),
        ("Nguyễn", "nguyen"),
        ("ﬁre", "fire"),
    ] {
        assert_eq!(fold(typed), folded);
        assert_eq!(fold(&fold(typed)), folded, "folding twice changes nothing");
        assert!(name_key(typed).starts_with(folded), "{typed}");
    }
    assert_eq!(name_key(" Casa  Nova "), "casa nova");
    assert_eq!(name_key("José"), name_key("JOSE\u{301}"), "however the accent was typed");
    assert_ne!(name_key("José"), name_key("Jose"), "two names");
    assert!(name_key("José A") < name_key("Josef"), "accents do not move a name in the order");
}

#[test]
fn an_email_key_ignores_only_case_and_outer_spaces() {
    assert_eq!(search_key(" Global@Demo.Example "), "global@demo.example");
    assert_ne!(search_key("josé@demo.example"), search_key("jose@demo.example"));
}

#[test]
fn a_check_collects_every_error_in_order() {
    let mut check = Check::new();
    let name = check.field("/name", Name::parse(""));
    let email = check.field_as("/email", Email::parse("x"), "Please enter a valid email");
    let alias = check.optional("/alias", Some("  "), Alias::parse);
    let web = check.optional("/web", Some("x"), WebAddress::parse);
    check.field_all("/password", Err::<(), _>(vec!["one", "two"]));
    check.require(true, "/ignored", "no");
    check.nested("/rooms/0", Err::<(), _>(berth_domain::FieldErrors::one("/name", "Required field.")));
    assert!(name.is_none() && email.is_none() && alias.is_none() && web.is_none() && !check.is_ok());
    let errors = check.finish().expect_err("refused");
    let expected = [
        ("/name", "Required field."),
        ("/email", "Please enter a valid email"),
        ("/web", "Invalid URL."),
        ("/password", "one"),
        ("/password", "two"),
        ("/rooms/0/name", "Required field."),
    ]
    .map(|(pointer, message)| FieldError::new(pointer, message));
    assert_eq!(errors.0, expected);
    assert_eq!(errors.first(), "Required field.");
}

#[test]
fn a_check_without_errors_builds_the_value() {
    assert_eq!(Check::new().build(|| Some(1)), Ok(1));
    assert!(Check::new().build(|| None::<i32>).is_err(), "never a value that lacks a part");
    assert_eq!(Check::new().finish(), Ok(()));
}

#[test]
fn a_street_has_letters_digits_and_usual_punctuation() {
    for street in [
        "12 Main St",
        "1420 S. Harbor Blvd.",
        "123-45 67th Ave, Apt #4",
        "12345 1/2 N.W. 3rd St",
        "5 O'Farrell St (rear)",
        "1234 S 5678 W",
        "12 St.Paul Ave",
        "N6W23001 Bluemound Rd",
        "5 Calle Ñuñoa & 2nd",
        "12 Main St, Suite 1200",
    ] {
        assert!(is_street(street), "{street}");
        assert_eq!(hide_phone_numbers(street), street);
    }
    let long = format!("1 {}", "x".repeat(79));
    for other in [
        "Main St",
        "12",
        "",
        "12 www.evil.example",
        "12 evil.example/x",
        "12 t.co/x",
        "12 http://x",
        "12 a@b",
        "12 Main\nSt",
        "12 Main St!",
        "12 evil。example",
        "call 714-555-0100",
        "call 1 (714) 555-0100",
        "call 714 555 0100",
        "call 714/555/0100",
        "call 555-0100",
        "12 <b>St",
        "12 Main St?",
        "12 Main St = home",
        long.as_str(),
    ] {
        assert!(!is_street(other), "{other}");
    }
}

#[test]
fn the_digits_of_a_phone_number_are_masked_and_others_are_kept() {
    for (typed, shown) in [
        ("Open 24/7, house 12", "Open 24/7, house 12"),
        ("12 Main St, Suite 1200, Anaheim, CA 92805", "12 Main St, Suite 1200, Anaheim, CA 92805"),
        ("call 714 555 0100", "call ••• ••• ••••"),
        ("(714) 555-0100 x", "(•••) •••-•••• x"),
        ("７１４ 555-0100", "••• •••-••••"),
    ] {
        assert_eq!(hide_phone_numbers(typed), shown);
    }
}
