//! Names, towns and texts of the made-up worlds: first names without last names, phone numbers from the range reserved
//! for fiction (555-0100 to 555-0199 of any area code), email addresses under a domain that cannot exist.

use std::sync::LazyLock;

use berth_domain::catalog::Gender;

use crate::dice::Dice;

const FEMALE: &str = "Abigail Adriana Alicia Amara Angela Aaliyah Ashley Beatriz Bianca Brianna Camila Carmen Cassandra \
    Chloe Danielle Dolores Elena Emily Esperanza Fatima Gabriela Grace Hannah Imani Isabel Jasmine Joanna Julia Kayla \
    Keisha Latoya Laura Leticia Linh Lucia Maria Mei Megan Melissa Monica Naomi Natalie Nicole Olivia Patricia Priya \
    Rachel Rebecca Rosa Ruth Samantha Sandra Sofia Tanya Teresa Valentina Vanessa Veronica Yesenia Zoe";
const MALE: &str = "Aaron Alejandro Andre Andrew Anthony Antonio Benjamin Brandon Brian Carlos Caleb Charles Daniel \
    Darnell David Derek Diego Dmitri Eduardo Eric Ethan Fernando Gabriel Hassan Hector Ian Isaac Jamal James Jesse \
    Jose Joshua Juan Kenji Kevin Leon Lucas Malik Marcus Mateo Matthew Miguel Minh Nathan Noah Omar Oscar Patrick \
    Rafael Raymond Ricardo Robert Samuel Sergio Steven Terrence Thomas Tyler Victor William";
const EITHER: &str = "Alex Avery Casey Dakota Devon Jamie Jordan Kai Morgan Quinn Reese Riley Robin Rowan Sage Taylor";
const LAST: &str = "Abbott Alvarez Baker Barnes Becker Bishop Brooks Calloway Carver Castillo Chambers Chen Cole Cruz \
    Dalton Delgado Diaz Drake Dunn Ellis Emerson Espinoza Farmer Fleming Flores Foster Fuentes Garner Gibson Grant \
    Guerrero Hale Harmon Hart Hayes Herrera Hobbs Holloway Ibarra Jennings Kaplan Keller Kim Klein Lambert Le Lindsey \
    Lopez Maddox Marsh Mercer Molina Moreno Nash Navarro Nguyen Novak Okafor Ortega Osborne Osei Palmer Park Pierce \
    Ponce Quintero Raman Ramos Reyes Rhodes Rivas Rosales Salazar Santos Sawyer Serrano Shah Silva Stanton Sutton Tran \
    Trevino Underwood Valdez Vance Vega Vu Walsh Warner Watts Whitfield Wilder Xiong Yates Young Zamora Zimmerman";
const STREETS: &str = "Alameda Almond Arroyo Ash Bayview Birch Bluff Brookside Canyon Cedar Chestnut Coast Cypress Elm \
    Fern Garden Grove Harbor Hillcrest Juniper Lake Laurel Magnolia Maple Marina Meadow Mesa Mission Oak Olive Orchard \
    Palm Park Pine Poplar Ridge Rose Sage Spring Summit Sycamore Valley Vista Walnut Willow Yucca";
const FIRST_WORDS: &str = "Amber Anchor Blue Bright Canyon Clear Copper Coral Desert Eagle Ember Fern Gentle Golden \
    Granite Green Harbor High Juniper Laurel Lone Maple Mesa New Noble North Olive Pacific Quiet Redwood River Sage \
    Sequoia Sierra Silver Stone Summit Sunrise Twin Willow";
const SECOND_WORDS: &str = "Bay Bridge Brook Cove Creek Crest Dawn Door Field Gate Grove Haven Hill Light Meadow Oaks \
    Path Point Ridge Shore Spring Trail Valley Vista";

/// Endings of the names of organizations, after two words: commercial ones, then non-commercial ones.
pub(crate) const KINDS: [[&str; 5]; 2] = [
    ["Recovery", "Treatment Centers", "Wellness", "Behavioral Health", "Recovery Homes"],
    ["Foundation", "House", "Community Homes", "Mission", "Outreach"],
];

macro_rules! lists {
    ($($name:ident = $words:ident;)+) => { $(
        pub(crate) static $name: LazyLock<Vec<&'static str>> = LazyLock::new(|| $words.split(' ').collect());
    )+ };
}

lists! {
    FEMALE_NAMES = FEMALE;
    MALE_NAMES = MALE;
    EITHER_NAMES = EITHER;
    LAST_NAMES = LAST;
    STREET_NAMES = STREETS;
    ORGANIZATION_FIRST = FIRST_WORDS;
    ORGANIZATION_SECOND = SECOND_WORDS;
}

/// Initials of last names.
pub(crate) const INITIALS: [&str; 20] =
    ["A", "B", "C", "D", "E", "F", "G", "H", "J", "K", "L", "M", "N", "O", "P", "R", "S", "T", "V", "W"];

/// A random gender, about as frequent as among the guests of treatment housing.
pub(crate) fn gender(dice: &mut Dice) -> Gender {
    match dice.between(0, 99) {
        0..58 => Gender::Male,
        58..96 => Gender::Female,
        _ => Gender::Other,
    }
}

/// A first name for a person of that gender.
pub(crate) fn first_name(gender: Gender, dice: &mut Dice) -> &'static str {
    let list = match gender {
        Gender::Female => &FEMALE_NAMES,
        Gender::Male => &MALE_NAMES,
        Gender::Other => &EITHER_NAMES,
    };
    list[dice.below(list.len())]
}

/// A town, the start of its ZIP codes, and its time zone.
pub(crate) struct Town {
    pub(crate) name: &'static str,
    pub(crate) state: &'static str,
    pub(crate) zip: u32,
    pub(crate) time_zone: &'static str,
}

const fn town(name: &'static str, state: &'static str, zip: u32, time_zone: &'static str) -> Town {
    Town { name, state, zip, time_zone }
}

const PACIFIC: &str = "America/Los_Angeles";
const MOUNTAIN: &str = "America/Denver";
const CENTRAL: &str = "America/Chicago";
const EASTERN: &str = "America/New_York";

impl Town {
    /// As in `Anaheim, CA`.
    pub(crate) fn with_state(&self) -> String {
        format!("{}, {}", self.name, self.state)
    }
}

/// Number of [`TOWNS`] in California; they come first.
pub(crate) const CALIFORNIAN_TOWNS: usize = 18;

pub(crate) const TOWNS: [Town; 32] = [
    town("Anaheim", "CA", 92801, PACIFIC),
    town("Bakersfield", "CA", 93301, PACIFIC),
    town("Costa Mesa", "CA", 92626, PACIFIC),
    town("Encinitas", "CA", 92024, PACIFIC),
    town("Fresno", "CA", 93701, PACIFIC),
    town("Huntington Beach", "CA", 92646, PACIFIC),
    town("Laguna Beach", "CA", 92651, PACIFIC),
    town("Long Beach", "CA", 90801, PACIFIC),
    town("Los Angeles", "CA", 90012, PACIFIC),
    town("Oceanside", "CA", 92054, PACIFIC),
    town("Pasadena", "CA", 91101, PACIFIC),
    town("Riverside", "CA", 92501, PACIFIC),
    town("Sacramento", "CA", 95814, PACIFIC),
    town("San Bernardino", "CA", 92401, PACIFIC),
    town("San Diego", "CA", 92101, PACIFIC),
    town("Santa Ana", "CA", 92701, PACIFIC),
    town("Ventura", "CA", 93001, PACIFIC),
    town("Whittier", "CA", 90601, PACIFIC),
    town("Portland", "OR", 97201, PACIFIC),
    town("Seattle", "WA", 98101, PACIFIC),
    town("Las Vegas", "NV", 89101, PACIFIC),
    town("Phoenix", "AZ", 85003, "America/Phoenix"),
    town("Denver", "CO", 80202, MOUNTAIN),
    town("Salt Lake City", "UT", 84101, MOUNTAIN),
    town("Austin", "TX", 78701, CENTRAL),
    town("Chicago", "IL", 60601, CENTRAL),
    town("Minneapolis", "MN", 55401, CENTRAL),
    town("Nashville", "TN", 37201, CENTRAL),
    town("Atlanta", "GA", 30303, EASTERN),
    town("Boston", "MA", 2108, EASTERN),
    town("Columbus", "OH", 43215, EASTERN),
    town("Tampa", "FL", 33602, EASTERN),
];

pub(crate) const INSURERS: [&str; 24] = [
    "Alder Mutual Health",
    "Bluewater Health Plan",
    "Canyon State Care",
    "Cascade Shield",
    "Central Valley HMO",
    "Desert Rose Health",
    "Eastgate Benefit Group",
    "Evergreen Care Alliance",
    "Foothill Family Health",
    "Golden Poppy Health Plan",
    "Granite Peak Insurance",
    "Harbor Mutual",
    "Heartland Care Network",
    "Juniper Health Partners",
    "Lakeside Benefit Trust",
    "Mesa Verde Health",
    "Northern Lights Health Plan",
    "Open Prairie Insurance",
    "Pacific Crest HMO",
    "Redwood Care Alliance",
    "Silver Lake Health",
    "Summit Ridge Insurance",
    "Tidewater Health Plan",
    "Union Orchard Care",
];

/// Descriptions of sites, which follow the name and town: each has at least 80 characters.
pub(crate) const DESCRIPTIONS: [&str; 6] = [
    "A quiet house on a tree-lined street. Groups in the morning, work or school in the afternoon, a warm meal together \
     in the evening, and somebody awake all night.",
    "Small houses close to the clinic, with counselors who stay with a guest from the first day to the last. Families \
     are welcome on Sundays.",
    "Structured living for people who have finished detox and want time before they go home. House meetings, rides to \
     appointments, and help with papers.",
    "A place to begin again: private talks twice a week, a garden, a gym next door, and a bus to the community college \
     at the corner.",
    "Run by people who have been there themselves. We take calls at all hours, answer honestly whether we are the right \
     house, and find another if we are not.",
    "Medical staff on call, a nurse in the house every day, and a kitchen that cooks for every diet. Most guests stay \
     between one and three months.",
];

/// Why a reservation was declined.
pub(crate) const DECLINED: [&str; 6] = [
    "Needs more medical care than this house can give. Referred to a hospital program.",
    "Called twice and left messages, no answer.",
    "Found a place closer to family.",
    "Wanted a private room; none is free this month.",
    "The plan does not cover this house. Gave the number of another one.",
    "Asked to wait for a later date and will call again.",
];

/// Why a guest left.
pub(crate) const LEFT: [&str; 6] = [
    "Completed the program and moved in with family.",
    "Completed 60 days. Continues in the outpatient program.",
    "Moved on to sober living.",
    "Left by own wish; the door stays open.",
    "Started a job in another town and moved there.",
    "Transferred to a hospital for surgery.",
];

/// Area codes, those of California first. The others are all possible geographic area codes: with 100 reserved numbers
/// in each, the real ones would not be enough for the largest world.
pub(crate) static AREAS: LazyLock<Vec<u32>> = LazyLock::new(|| {
    const CALIFORNIA: [u32; 20] =
        [714, 949, 562, 626, 760, 951, 213, 310, 619, 858, 909, 805, 818, 323, 661, 559, 916, 415, 510, 408];
    // Not geographic: toll-free, personal, paging and premium numbers.
    const SPECIAL: [u32; 22] =
        [500, 521, 522, 533, 544, 566, 577, 588, 555, 600, 700, 710, 800, 822, 833, 844, 855, 866, 877, 880, 888, 900];
    let geographic = |area: &u32| area % 100 != 11 && area / 10 % 10 != 9 && !SPECIAL.contains(area);
    let others = (201..1000).filter(|area| geographic(area) && !CALIFORNIA.contains(area));
    CALIFORNIA.into_iter().chain(others).collect()
});

/// Number of phone numbers.
pub(crate) fn phone_count() -> usize {
    AREAS.len() * 100
}

/// Returns a number reserved for fiction; adjacent indexes share an area code.
pub(crate) fn phone(number: usize) -> String {
    let number = number % phone_count();
    format!("+1{}55501{:02}", AREAS[number / 100], number % 100)
}

#[cfg(test)]
mod tests {
    use berth_domain::value::{Description, Name, Phone};

    use super::{AREAS, CALIFORNIAN_TOWNS, DESCRIPTIONS, INSURERS, TOWNS, phone, phone_count};

    #[test]
    fn phone_numbers_are_reserved_for_fiction_and_unique() {
        let mut numbers: Vec<String> = (0..phone_count()).map(phone).collect();
        for number in &numbers {
            assert_eq!(Phone::parse(number).unwrap().as_str(), number);
            assert!(number[5..].starts_with("55501") && number.len() == 12, "{number}");
        }
        numbers.sort();
        numbers.dedup();
        assert_eq!(numbers.len(), phone_count());
        assert!(AREAS.iter().all(|area| (201..=989).contains(area) && area % 100 != 11));
    }

    #[test]
    fn texts_are_accepted_by_the_forms() {
        assert_eq!(TOWNS.iter().take_while(|town| town.state == "CA").count(), CALIFORNIAN_TOWNS);
        assert!(DESCRIPTIONS.iter().all(|text| Description::parse(text).is_ok()));
        assert!(INSURERS.iter().all(|name| Name::parse(name).is_ok()));
        assert!(TOWNS.iter().all(|town| berth_domain::time::is_time_zone(town.time_zone)));
    }
}
