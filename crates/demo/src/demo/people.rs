//! Who can sign in to the demo. The six accounts are those of DESIGN 9; the others make lists look lived in. All of
//! them have the same password, except the one who is still invited.

use berth_domain::role::{MembershipStatus, Role};

use super::places::MAIN_SITE;

/// A person with one or more roles.
pub(super) struct Account {
    pub(super) email: &'static str,
    pub(super) first_name: &'static str,
    pub(super) last_name: &'static str,
    /// +1 and 10 digits.
    pub(super) phone: &'static str,
    pub(super) roles: &'static [Seat],
    /// What the start of the demo says of it.
    pub(super) told: &'static str,
}

/// A role and its place: the name of an organization or a site, none for the platform.
pub(super) struct Seat {
    pub(super) role: Role,
    pub(super) place: &'static str,
    pub(super) status: MembershipStatus,
}

const fn seat(role: Role, place: &'static str) -> Seat {
    Seat { role, place, status: MembershipStatus::Active }
}

/// The accounts that the demo tells of.
pub(super) const ACCOUNTS: [Account; 6] = [
    Account {
        email: "global@demo.example",
        first_name: "Grace",
        last_name: "Whitfield",
        phone: "+17145550101",
        roles: &[seat(Role::GlobalAdmin, "")],
        told: "global admin",
    },
    Account {
        email: "owner@demo.example",
        first_name: "Oliver",
        last_name: "Hart",
        phone: "+17145550102",
        roles: &[seat(Role::Owner, "Harbor Light Recovery")],
        told: "owner of Harbor Light Recovery (commercial)",
    },
    Account {
        email: "owner.free@demo.example",
        first_name: "Felicia",
        last_name: "Ramos",
        phone: "+17145550103",
        roles: &[seat(Role::Owner, "Open Door Santa Ana")],
        told: "owner of Open Door Santa Ana (non-commercial)",
    },
    Account {
        email: "admin@demo.example",
        first_name: "Adam",
        last_name: "Keller",
        phone: "+17145550104",
        roles: &[
            seat(Role::Admin, MAIN_SITE),
            seat(Role::Admin, "Harbor Light Laguna Beach"),
            seat(Role::Admin, "Open Door Houses"),
        ],
        told: "admin of Harbor Light Costa Mesa and two more sites",
    },
    Account {
        email: "intake@demo.example",
        first_name: "Ines",
        last_name: "Moreno",
        phone: "+17145550105",
        roles: &[seat(Role::Intake, MAIN_SITE), seat(Role::Intake, "Harbor Light Anaheim Detox")],
        told: "intake of Harbor Light Costa Mesa and Anaheim Detox",
    },
    Account {
        email: "staff@demo.example",
        first_name: "Stanley",
        last_name: "Brooks",
        phone: "+17145550106",
        roles: &[seat(Role::Staff, MAIN_SITE), seat(Role::Staff, "Open Door Houses")],
        told: "staff of Harbor Light Costa Mesa and Open Door Houses",
    },
];

/// Everyone else.
pub(super) const OTHERS: [Account; 9] = [
    Account {
        email: "frank.hale@harborlight.example",
        first_name: "Frank",
        last_name: "Hale",
        phone: "+17145550111",
        roles: &[seat(Role::Owner, "Harbor Light Recovery")],
        told: "",
    },
    Account {
        email: "marisol.vega@sierravista.example",
        first_name: "Marisol",
        last_name: "Vega",
        phone: "+17145550112",
        roles: &[seat(Role::Owner, "Sierra Vista Treatment Centers")],
        told: "",
    },
    Account {
        email: "daniel.osei@newshore.example",
        first_name: "Daniel",
        last_name: "Osei",
        phone: "+17145550113",
        roles: &[seat(Role::Owner, "New Shore Riverside"), seat(Role::Intake, "New Shore House")],
        told: "",
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
        told: "",
    },
    Account {
        email: "tom.becker@harborlight.example",
        first_name: "Tom",
        last_name: "Becker",
        phone: "+17145550115",
        roles: &[seat(Role::Intake, "Harbor Light Laguna Beach"), seat(Role::Intake, "Harbor Light Anaheim Detox")],
        told: "",
    },
    Account {
        email: "ruth.okafor@opendoor.example",
        first_name: "Ruth",
        last_name: "Okafor",
        phone: "+17145550116",
        roles: &[seat(Role::Intake, "Open Door Houses")],
        told: "",
    },
    Account {
        email: "hana.kim@harborlight.example",
        first_name: "Hana",
        last_name: "Kim",
        phone: "+17145550117",
        roles: &[seat(Role::Staff, "Harbor Light Laguna Beach")],
        told: "",
    },
    Account {
        email: "chris.dunn@harborlight.example",
        first_name: "Chris",
        last_name: "Dunn",
        phone: "+17145550118",
        roles: &[Seat { role: Role::Staff, place: MAIN_SITE, status: MembershipStatus::Disabled }],
        told: "",
    },
    Account {
        email: "lena.ortiz@harborlight.example",
        first_name: "Lena",
        last_name: "Ortiz",
        phone: "",
        roles: &[Seat { role: Role::Staff, place: MAIN_SITE, status: MembershipStatus::PendingInvitation }],
        told: "",
    },
];
