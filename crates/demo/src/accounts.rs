//! The six accounts that every made-up world has, one for each role and a second owner. All have the password
//! [`PASSWORD`].

use berth_domain::role::Role;
pub use berth_server::cli::worlds::PASSWORD;

/// The person of an account.
#[derive(Debug)]
pub struct Person {
    /// The email to sign in with.
    pub email: &'static str,
    /// The role of the account.
    pub role: Role,
    /// First name.
    pub first_name: &'static str,
    /// Last name.
    pub last_name: &'static str,
}

macro_rules! accounts {
    ($domain:literal: $($name:literal $role:ident $first_name:literal $last_name:literal),+ $(,)?) => {
        [$( Person {
            email: concat!($name, "@", $domain),
            role: Role::$role,
            first_name: $first_name,
            last_name: $last_name,
        } ),+]
    };
    ($domain:literal) => {
        accounts!($domain:
            "global" GlobalAdmin "Grace" "Whitfield",
            "owner" Owner "Oliver" "Hart",
            "owner.free" Owner "Felicia" "Ramos",
            "admin" Admin "Adam" "Keller",
            "intake" Intake "Ines" "Moreno",
            "staff" Staff "Stanley" "Brooks",
        )
    };
}

/// The accounts of the demo.
pub(crate) const DEMO: [Person; 6] = accounts!("demo.example");

/// The accounts of a world of `berth seed`. Owner, admin, intake and staff belong to the first organization, which is
/// commercial and has the largest site and the board of 20 beds; `owner.free` owns the first organization that is not
/// commercial.
pub const SEED: [Person; 6] = accounts!("seed.example");
