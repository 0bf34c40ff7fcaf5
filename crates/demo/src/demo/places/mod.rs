//! The places of the demo: two organizations of each kind with eight sites.

mod free;
mod harbor_light;
mod sierra_vista;

use super::plan::OrganizationPlan;

/// Insurers, with the top insurers first.
pub(super) const INSURERS: [(&str, bool); 10] = [
    ("BlueHarbor PPO", true),
    ("Golden Coast Health Plan", true),
    ("Pacific Shield Health", true),
    ("CalTrust HMO", false),
    ("Evergreen Union Health Fund", false),
    ("Meridian Mutual", false),
    ("Redwood Benefit Group", false),
    ("Sequoia Care Alliance", false),
    ("Summit Behavioral Health", false),
    ("Western Anchor Insurance", false),
];

/// The site where the demo's accounts work.
pub(super) const MAIN_SITE: &str = "Harbor Light Costa Mesa";

/// All organizations.
pub(super) static ORGANIZATIONS: [OrganizationPlan; 4] =
    [harbor_light::HARBOR_LIGHT, sierra_vista::SIERRA_VISTA, free::OPEN_DOOR, free::NEW_SHORE];
