//! The demo's organizations that pay, with the cards and subscriptions that the payment sandbox starts with.

use berth_stripe::sandbox::{Seed, SeedCard, SeedCourse, SeedSubscription, catalog};

const DAY: i64 = 24;

const HARBOR_CARDS: [SeedCard; 2] = [
    SeedCard { id: "pm_demoHarborVisa", test_card: "pm_card_visa", exp_month: 8, exp_year: 2029, is_removed: false },
    SeedCard {
        id: "pm_demoHarborMastercard",
        test_card: "pm_card_mastercard",
        exp_month: 3,
        exp_year: 2028,
        is_removed: false,
    },
];

/// A card that was removed since, so that this organization adds its first card.
const SIERRA_CARDS: [SeedCard; 1] =
    [SeedCard { id: "pm_demoSierraVisa", test_card: "pm_card_visa", exp_month: 1, exp_year: 2030, is_removed: true }];

const fn subscription(
    (id, site): (&'static str, &'static str),
    price: &'static str,
    (months_before, hours): (i64, i64),
    course: SeedCourse,
) -> SeedSubscription {
    SeedSubscription { id, site, price, months_before, hours, trial_days: 0, course }
}

const HARBOR_SUBSCRIPTIONS: [SeedSubscription; 5] = [
    subscription(("sub_demoCostaMesa", "Harbor Light Costa Mesa"), catalog::MONTHLY, (6, 19 * DAY), SeedCourse::Paid),
    subscription(
        ("sub_demoCostaMesaFirst", "Harbor Light Costa Mesa"),
        catalog::MONTHLY,
        (6, 17 * DAY),
        SeedCourse::FirstDeclined,
    ),
    SeedSubscription {
        id: "sub_demoLagunaBeach",
        site: "Harbor Light Laguna Beach",
        price: catalog::MONTHLY,
        months_before: 0,
        hours: -5 * DAY,
        trial_days: 14,
        course: SeedCourse::Paid,
    },
    // Its renewal six days ago was declined twice; the bank accepts the card again.
    subscription(
        ("sub_demoAnaheim", "Harbor Light Anaheim Detox"),
        catalog::PLUS_MONTHLY,
        (3, -6 * DAY),
        SeedCourse::DeclinedFor(10),
    ),
    subscription(
        ("sub_demoAnaheimFirst", "Harbor Light Anaheim Detox"),
        catalog::MONTHLY,
        (8, 0),
        SeedCourse::CanceledFor(200),
    ),
];

const SIERRA_SUBSCRIPTIONS: [SeedSubscription; 3] = [
    subscription(
        ("sub_demoPasadena", "Sierra Vista Pasadena"),
        catalog::MONTHLY,
        (3, -25 * DAY),
        SeedCourse::DeclinedFor(30),
    ),
    subscription(
        ("sub_demoLongBeach", "Sierra Vista Long Beach"),
        catalog::MONTHLY,
        (0, -5),
        SeedCourse::FirstDeclined,
    ),
    subscription(
        ("sub_demoEncinitas", "Sierra Vista Encinitas"),
        catalog::MONTHLY,
        (3, 12 * DAY),
        SeedCourse::CanceledFor(6),
    ),
];

/// The customers that the payment sandbox of the demo starts with.
pub const CUSTOMERS: &[Seed] = &[
    Seed {
        id: "cus_demoHarbor",
        name: "Harbor Light Recovery",
        email: "owner@demo.example",
        cards: &HARBOR_CARDS,
        subscriptions: &HARBOR_SUBSCRIPTIONS,
    },
    Seed {
        id: "cus_demoSierra",
        name: "Sierra Vista Treatment Centers",
        email: "marisol.vega@sierravista.example",
        cards: &SIERRA_CARDS,
        subscriptions: &SIERRA_SUBSCRIPTIONS,
    },
];
