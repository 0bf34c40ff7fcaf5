//! The users of the demo: the six accounts of DESIGN 9, and others who fill the lists. All have the same password,
//! except an invited user, who has none.

use berth_domain::role::{MembershipStatus, Role};

use super::places::MAIN_SITE;
use crate::accounts::{DEMO, Person};

/// A person with one or more roles.
pub(super) struct Account {
    pub(super) email: &'static str,
    pub(super) first_name: &'static str,
    pub(super) last_name: &'static str,
    /// `+1` and 10 digits; empty while invited.
    pub(super) phone: &'static str,
    pub(super) roles: &'static [Seat],
    /// Roles and places, as the start of the demo prints them; empty if it does not print the account.
    pub(super) description: &'static str,
}

/// A role and the name of its organization or site; an empty name is the whole platform.
pub(super) struct Seat {
    pub(super) role: Role,
    pub(super) place: &'static str,
    pub(super) status: MembershipStatus,
}

const fn seat(role: Role, place: &'static str) -> Seat {
    Seat { role, place, status: MembershipStatus::Active }
}

/// One of the six accounts, by its index in [`DEMO`].
const fn known(index: usize, phone: &'static str, roles: &'static [Seat], description: &'static str) -> Account {
    let Person { email, first_name, last_name, .. } = DEMO[index];
    Account { email, first_name, last_name, phone, roles, description }
}

/// The accounts that the start of the demo prints.
pub(super) const ACCOUNTS: [Account; 6] = [
    known(0, "+17145550101", &[seat(Role::GlobalAdmin, "")], "global admin"),
    known(
        1,
        "+17145550102",
        &[seat(Role::Owner, "Harbor Light Recovery")],
        "owner of Harbor Light Recovery (commercial)",
    ),
    known(
        2,
        "+17145550103",
        &[seat(Role::Owner, "Open Door Santa Ana")],
        "owner of Open Door Santa Ana (non-commercial)",
    ),
    known(
        3,
        "+17145550104",
        &[
            seat(Role::Admin, MAIN_SITE),
            seat(Role::Admin, "Harbor Light Laguna Beach"),
            seat(Role::Admin, "Open Door Houses"),
        ],
        "admin of Harbor Light Costa Mesa and two more sites",
    ),
    known(
        4,
        "+17145550105",
        &[seat(Role::Intake, MAIN_SITE), seat(Role::Intake, "Harbor Light Anaheim Detox")],
        "intake of Harbor Light Costa Mesa and Anaheim Detox",
    ),
    known(
        5,
        "+17145550106",
        &[seat(Role::Staff, MAIN_SITE), seat(Role::Staff, "Open Door Houses")],
        "staff of Harbor Light Costa Mesa and Open Door Houses",
    ),
];

/// The other users.
pub(super) const OTHERS: [Account; 9] = [
    Account {
        email: "frank.hale@harborlight.example",
        first_name: "Frank",
        last_name: "Hale",
        phone: "+17145550111",
        roles: &[seat(Role::Owner, "Harbor Light Recovery")],
        description: "",
    },
    Account {
        email: "marisol.vega@sierravista.example",
        first_name: "Marisol",
        last_name: "Vega",
        phone: "+17145550112",
        roles: &[seat(Role::Owner, "Sierra Vista Treatment Centers")],
        description: "",
    },
    Account {
        email: "daniel.osei@newshore.example",
        first_name: "Daniel",
        last_name: "Osei",
        phone: "+17145550113",
        roles: &[seat(Role::Owner, "New Shore Riverside"), seat(Role::Intake, "New Shore House")],
        description: "",
    },
    Account {
        email: "priya.raman@sierravista.example",
        first_name: "Priya",
        last_name: "Raman",
        phone: "+17145550114",
        roles: &[
            seat(Role::Admin, "Sierra Vista Pasadena"),
            seat(Role::Intake, "Sierra Vista Long Beach"),
            seat(Role::Intake, "Sierra Vista Encinitas"),
        ],
        description: "",
    },
    Account {
        email: "tom.becker@harborlight.example",
        first_name: "Tom",
        last_name: "Becker",
        phone: "+17145550115",
        roles: &[seat(Role::Intake, "Harbor Light Laguna Beach"), seat(Role::Intake, "Harbor Light Anaheim Detox")],
        description: "",
    },
    Account {
        email: "ruth.okafor@opendoor.example",
        first_name: "Ruth",
        last_name: "Okafor",
        phone: "+17145550116",
        roles: &[seat(Role::Intake, "Open Door Houses")],
        description: "",
    },
    Account {
        email: "hana.kim@harborlight.example",
        first_name: "Hana",
        last_name: "Kim",
        phone: "+17145550117",
        roles: &[seat(Role::Staff, "Harbor Light Laguna Beach")],
        description: "",
    },
    Account {
        email: "chris.dunn@harborlight.example",
        first_name: "Chris",
        last_name: "Dunn",
        phone: "+17145550118",
        roles: &[Seat { role: Role::Staff, place: MAIN_SITE, status: MembershipStatus::Disabled }],
        description: "",
    },
    Account {
        email: "lena.ortiz@harborlight.example",
        first_name: "Lena",
        last_name: "Ortiz",
        phone: "",
        roles: &[Seat { role: Role::Staff, place: MAIN_SITE, status: MembershipStatus::PendingInvitation }],
        description: "",
    },
];
