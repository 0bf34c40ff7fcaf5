//! Who may do what: the whole matrix of DESIGN 4, and who may grant which role.

use berth_domain::policy::TABLE;
use berth_domain::{
    Action, Actor, Decision, Membership, OrganizationId, Role, SiteId, Stage, Target, UserId, may, may_grant, roles_at,
    roles_with, sees_site,
};
use uuid::Uuid;

const OURS: OrganizationId = OrganizationId(Uuid::from_u128(1));
const THEIRS: OrganizationId = OrganizationId(Uuid::from_u128(2));
const HERE: SiteId = SiteId(Uuid::from_u128(11));
const NEXT_DOOR: SiteId = SiteId(Uuid::from_u128(12));
const ELSEWHERE: SiteId = SiteId(Uuid::from_u128(21));

fn actor(memberships: Vec<Membership>) -> Actor {
    Actor { user_id: UserId(Uuid::from_u128(99)), stage: Stage::Full, memberships }
}

/// One of each: the five roles at this site, an owner and an admin of other places, a user of another site of the
/// organization, a user without any role, and a global admin after the first step of sign-in.
fn callers() -> [Actor; 10] {
    let first_step = Actor { stage: Stage::FirstStep, ..actor(vec![Membership::global()]) };
    [
        actor(vec![Membership::global()]),
        actor(vec![Membership::owner(OURS)]),
        actor(vec![Membership::site(Role::Admin, OURS, HERE)]),
        actor(vec![Membership::site(Role::Intake, OURS, HERE)]),
        actor(vec![Membership::site(Role::Staff, OURS, HERE)]),
        actor(vec![Membership::site(Role::Admin, OURS, NEXT_DOOR)]),
        actor(vec![Membership::owner(THEIRS)]),
        actor(vec![Membership::site(Role::Admin, THEIRS, ELSEWHERE)]),
        actor(vec![]),
        first_step,
    ]
}

fn target(action: Action, is_commercial: bool, actor: &Actor) -> Target {
    let site = Target::Site { id: HERE, organization_id: OURS, is_commercial };
    let actor_sites = actor.memberships.iter().any(|held| [Some(HERE), Some(NEXT_DOOR)].contains(&held.site_id));
    let organization = Target::Organization { id: OURS, is_commercial, actor_sites };
    match action {
        Action::ViewDashboard
        | Action::ViewAudit
        | Action::ViewAllAccessUsers
        | Action::ManageGlobalAdmins
        | Action::EditInsurers
        | Action::ListInsurers
        | Action::CreateOrganization => Target::Platform,
        Action::ShowHideOrganization
        | Action::EditOrganization
        | Action::DeleteOrganization
        | Action::ManageOwners
        | Action::LinkInsurers
        | Action::CreateSite
        | Action::ViewOrganization
        | Action::ViewOrganizationAudit
        | Action::ViewOrganizationNumbers
        | Action::ManageBilling => organization,
        Action::DeleteSite
        | Action::ViewSite
        | Action::ViewNumbers
        | Action::EditSite
        | Action::ManageSiteUsers
        | Action::EditHouses
        | Action::ViewGuests
        | Action::ViewGuestContact
        | Action::AddGuest
        | Action::PlaceGuest
        | Action::AllowThirdReservation
        | Action::AddOverCapacity
        | Action::OverridePlacement
        | Action::UndoDecision
        | Action::MergeGuests
        | Action::ReadSubscriptionStatus => site,
    }
}

/// "✓" yes, "403" seen but not allowed, "404" not seen.
const MATRIX: &str = "
                                  global  owner   admin   intake  staff   n.door  f.owner f.admin nobody  1.step
ViewDashboard          commercial ✓       403     403     403     403     403     403     403     403     403
ViewDashboard          free       ✓       403     403     403     403     403     403     403     403     403
ViewAudit              commercial ✓       403     403     403     403     403     403     403     403     403
ViewAudit              free       ✓       403     403     403     403     403     403     403     403     403
ViewOrganizationAudit  commercial ✓       ✓       403     403     403     403     404     404     404     404
ViewOrganizationAudit  free       ✓       ✓       403     403     403     403     404     404     404     404
ViewAllAccessUsers     commercial ✓       403     403     403     403     403     403     403     403     403
ViewAllAccessUsers     free       ✓       403     403     403     403     403     403     403     403     403
ManageGlobalAdmins     commercial ✓       403     403     403     403     403     403     403     403     403
ManageGlobalAdmins     free       ✓       403     403     403     403     403     403     403     403     403
EditInsurers           commercial ✓       403     403     403     403     403     403     403     403     403
EditInsurers           free       ✓       403     403     403     403     403     403     403     403     403
ListInsurers           commercial ✓       ✓       ✓       ✓       ✓       ✓       ✓       ✓       403     403
ListInsurers           free       ✓       ✓       ✓       ✓       ✓       ✓       ✓       ✓       403     403
CreateOrganization     commercial ✓       403     403     403     403     403     403     403     403     403
CreateOrganization     free       ✓       403     403     403     403     403     403     403     403     403
ShowHideOrganization   commercial ✓       403     403     403     403     403     404     404     404     404
ShowHideOrganization   free       ✓       403     403     403     403     403     404     404     404     404
EditOrganization       commercial ✓       ✓       403     403     403     403     404     404     404     404
EditOrganization       free       ✓       ✓       403     403     403     403     404     404     404     404
DeleteOrganization     commercial ✓       ✓       403     403     403     403     404     404     404     404
DeleteOrganization     free       ✓       ✓       403     403     403     403     404     404     404     404
ManageOwners           commercial ✓       ✓       403     403     403     403     404     404     404     404
ManageOwners           free       ✓       ✓       403     403     403     403     404     404     404     404
LinkInsurers           commercial ✓       ✓       403     403     403     403     404     404     404     404
LinkInsurers           free       403     403     403     403     403     403     404     404     404     404
CreateSite             commercial ✓       ✓       403     403     403     403     404     404     404     404
CreateSite             free       ✓       ✓       403     403     403     403     404     404     404     404
DeleteSite             commercial ✓       ✓       403     403     403     404     404     404     404     404
DeleteSite             free       ✓       ✓       403     403     403     404     404     404     404     404
ViewOrganizationNumbers commercial ✓       ✓       403     403     403     403     404     404     404     404
ViewOrganizationNumbers free       ✓       ✓       403     403     403     403     404     404     404     404
ViewOrganization       commercial ✓       ✓       ✓       ✓       ✓       ✓       404     404     404     404
ViewOrganization       free       ✓       ✓       ✓       ✓       ✓       ✓       404     404     404     404
ViewSite               commercial ✓       ✓       ✓       ✓       ✓       404     404     404     404     404
ViewSite               free       ✓       ✓       ✓       ✓       ✓       404     404     404     404     404
ViewNumbers            commercial ✓       ✓       ✓       403     403     404     404     404     404     404
ViewNumbers            free       ✓       ✓       ✓       403     403     404     404     404     404     404
EditSite               commercial ✓       ✓       ✓       403     403     404     404     404     404     404
EditSite               free       ✓       ✓       ✓       403     403     404     404     404     404     404
ManageSiteUsers        commercial ✓       ✓       ✓       403     403     404     404     404     404     404
ManageSiteUsers        free       ✓       ✓       ✓       403     403     404     404     404     404     404
EditHouses             commercial ✓       ✓       403     403     403     404     404     404     404     404
EditHouses             free       ✓       ✓       ✓       403     ✓       404     404     404     404     404
ViewGuests             commercial ✓       ✓       ✓       ✓       ✓       404     404     404     404     404
ViewGuests             free       ✓       ✓       ✓       ✓       ✓       404     404     404     404     404
ViewGuestContact       commercial ✓       ✓       ✓       ✓       403     404     404     404     404     404
ViewGuestContact       free       ✓       ✓       ✓       ✓       403     404     404     404     404     404
AddGuest               commercial ✓       ✓       ✓       ✓       403     404     404     404     404     404
AddGuest               free       ✓       ✓       ✓       ✓       403     404     404     404     404     404
PlaceGuest             commercial ✓       ✓       ✓       ✓       403     404     404     404     404     404
PlaceGuest             free       ✓       ✓       ✓       ✓       403     404     404     404     404     404
AllowThirdReservation  commercial ✓       ✓       ✓       403     403     404     404     404     404     404
AllowThirdReservation  free       ✓       ✓       ✓       403     403     404     404     404     404     404
AddOverCapacity        commercial ✓       ✓       ✓       403     403     404     404     404     404     404
AddOverCapacity        free       ✓       ✓       ✓       403     403     404     404     404     404     404
OverridePlacement      commercial ✓       ✓       ✓       403     403     404     404     404     404     404
OverridePlacement      free       ✓       ✓       ✓       403     403     404     404     404     404     404
UndoDecision           commercial ✓       ✓       ✓       403     403     404     404     404     404     404
UndoDecision           free       ✓       ✓       ✓       403     403     404     404     404     404     404
MergeGuests            commercial ✓       ✓       ✓       403     403     404     404     404     404     404
MergeGuests            free       ✓       ✓       ✓       403     403     404     404     404     404     404
ManageBilling          commercial ✓       ✓       403     403     403     403     404     404     404     404
ManageBilling          free       403     403     403     403     403     403     404     404     404     404
ReadSubscriptionStatus commercial ✓       ✓       ✓       ✓       403     404     404     404     404     404
ReadSubscriptionStatus free       ✓       ✓       ✓       ✓       403     404     404     404     404     404
";

#[test]
fn every_role_may_do_exactly_what_the_matrix_says() {
    let mut matrix = String::from(MATRIX.trim_start_matches('\n').lines().next().unwrap_or_default());
    for (action, _, _) in TABLE {
        for (kind, is_commercial) in [("commercial", true), ("free", false)] {
            let cells = callers().map(|actor| match may(&actor, action, &target(action, is_commercial, &actor)) {
                Decision::Yes => "✓",
                Decision::No => "403",
                Decision::Hidden => "404",
            });
            let cells: String = cells.iter().map(|cell| format!("{cell:<8}")).collect();
            let row = format!("{:<22} {kind:<10} {cells}", format!("{action:?}"));
            matrix += &format!("\n{}", row.trim_end());
        }
    }
    assert_eq!(matrix.trim(), MATRIX.trim(), "\n{matrix}");
}

#[test]
fn the_table_has_one_row_for_each_action_and_letters_only_in_their_columns() {
    for (index, (action, commercial, free)) in TABLE.iter().enumerate() {
        assert!(TABLE[index + 1..].iter().all(|row| row.0 != *action), "{action:?} has two rows");
        for marks in [commercial, free] {
            assert_eq!(marks.len(), 5, "{action:?}");
            assert!(marks.chars().zip("GOAIS".chars()).all(|(mark, letter)| mark == letter || mark == '-'));
        }
    }
}

#[test]
fn the_site_of_a_live_event_is_visible_to_those_who_may_view_it() {
    for is_commercial in [true, false] {
        let site = Target::Site { id: HERE, organization_id: OURS, is_commercial };
        for actor in callers().into_iter().filter(|actor| actor.stage == Stage::Full) {
            let is_visible = may(&actor, Action::ViewSite, &site) == Decision::Yes;
            assert_eq!(sees_site(&actor.memberships, OURS, HERE), is_visible, "{actor:?}");
        }
    }
}

/// SQL lists take their roles from the table, or rely on what it says about all roles.
#[test]
fn sql_lists_use_the_roles_of_the_table() {
    for is_commercial in [true, false] {
        let roles = |action| roles_with(action, is_commercial).collect::<Vec<_>>();
        assert_eq!(roles(Action::ViewSite), Role::ALL, "a membership of any role lists its site");
        assert_eq!(roles(Action::ViewOrganization), Role::ALL, "and its organization");
        assert_eq!(roles(Action::ManageSiteUsers), [Role::GlobalAdmin, Role::Owner, Role::Admin]);
        let of_organizations = |action| roles(action).into_iter().filter(|role| !role.is_of_site()).collect::<Vec<_>>();
        let (owners, users) = (of_organizations(Action::ManageOwners), of_organizations(Action::ManageSiteUsers));
        assert_eq!(owners, users, "roles that manage the users of all sites also manage the owners, in one list");
        assert_eq!(roles(Action::ManageOwners), owners);
    }
}

#[test]
fn a_caller_lists_its_organizations_and_sites() {
    let both = actor(vec![Membership::owner(OURS), Membership::site(Role::Staff, THEIRS, ELSEWHERE)]);
    assert_eq!(both.owned_organizations().collect::<Vec<_>>(), [OURS]);
    assert_eq!(both.sites().collect::<Vec<_>>(), [ELSEWHERE]);
}

#[test]
fn a_membership_of_the_wrong_scope_grants_nothing() {
    let site = Target::Site { id: HERE, organization_id: OURS, is_commercial: true };
    for held in [
        Membership { role: Role::Owner, organization_id: Some(OURS), site_id: Some(HERE) },
        Membership { role: Role::GlobalAdmin, organization_id: Some(OURS), site_id: None },
        Membership { role: Role::GlobalAdmin, organization_id: None, site_id: Some(HERE) },
        Membership { role: Role::Admin, organization_id: Some(OURS), site_id: None },
        Membership { role: Role::Owner, organization_id: None, site_id: None },
    ] {
        assert_eq!(may(&actor(vec![held]), Action::ViewSite, &site), Decision::Hidden, "{held:?}");
        assert!(roles_at(&actor(vec![held]), &Target::Platform).is_empty(), "{held:?}");
    }
}

#[test]
fn several_roles_at_a_site_add_up() {
    let both = actor(vec![Membership::site(Role::Staff, OURS, HERE), Membership::site(Role::Intake, OURS, HERE)]);
    let site = Target::Site { id: HERE, organization_id: OURS, is_commercial: false };
    assert_eq!(roles_at(&both, &site), [Role::Intake, Role::Staff], "highest first");
    assert_eq!(may(&both, Action::PlaceGuest, &site), Decision::Yes, "as intake");
    assert_eq!(may(&both, Action::EditHouses, &site), Decision::Yes, "as staff");
    assert_eq!(may(&both, Action::EditSite, &site), Decision::No);
}

#[test]
fn a_site_role_shows_the_organization_and_no_more() {
    let admin_of_unknown =
        actor(vec![Membership { organization_id: None, ..Membership::site(Role::Admin, OURS, HERE) }]);
    let organization = |actor_sites| Target::Organization { id: OURS, is_commercial: true, actor_sites };
    assert_eq!(roles_at(&admin_of_unknown, &organization(true)), [Role::Staff], "the lowest role if none is given");
    assert_eq!(may(&admin_of_unknown, Action::ViewOrganization, &organization(true)), Decision::Yes);
    assert_eq!(may(&admin_of_unknown, Action::ViewOrganization, &organization(false)), Decision::Hidden);
    assert!(actor(vec![Membership::global()]).is_global() && !admin_of_unknown.is_global());
}

/// Who may invite or change whom: a row per caller and place, "old>new", with "-" for a person without a role.
#[test]
fn a_rank_grants_only_ranks_that_it_covers() {
    let site = Target::Site { id: HERE, organization_id: OURS, is_commercial: true };
    let organization = Target::Organization { id: OURS, is_commercial: true, actor_sites: true };
    let olds =
        [None, Some(Role::GlobalAdmin), Some(Role::Owner), Some(Role::Admin), Some(Role::Intake), Some(Role::Staff)];
    let short = |role: Role| &role.as_str()[..1];
    let names = ["global", "owner", "admin", "intake", "staff", "n.door", "f.owner", "f.admin", "nobody", "1.step"];
    let mut table = String::new();
    for (place, target) in [("platform", Target::Platform), ("organization", organization), ("site", site)] {
        for (name, actor) in names.iter().zip(callers()) {
            let mut granted = Vec::new();
            for old in olds {
                for new in Role::ALL {
                    if may_grant(&actor, old, *new, &target) {
                        granted.push(format!("{}>{}", old.map_or("-", short), short(*new)));
                    }
                }
            }
            if !granted.is_empty() {
                table += &format!("{place} {name}: {}\n", granted.join(" "));
            }
        }
    }
    let all_of_site = "->A ->I ->S A>A A>I A>S I>A I>I I>S S>A S>I S>S";
    let expected = format!(
        "platform global: ->G G>G\norganization global: ->O O>O\norganization owner: ->O O>O\n\
         site global: {all_of_site}\nsite owner: {all_of_site}\nsite admin: {all_of_site}\n"
    );
    assert_eq!(table, expected, "\n{table}");
}

#[test]
fn the_last_owner_and_the_last_global_admin_cannot_be_removed() {
    for role in Role::ALL {
        let is_kept = matches!(role, Role::Owner | Role::GlobalAdmin);
        assert_eq!(role.may_lose(0).is_err(), is_kept, "{role}");
        assert!(role.may_lose(1).is_ok(), "{role}");
    }
}

#[test]
fn ranks_fall_from_global_admin_to_staff() {
    assert!(Role::ALL.windows(2).all(|pair| pair[0].rank() > pair[1].rank()));
    assert!(Role::ALL.iter().all(|role| role.is_of_site() == Role::OF_SITES.contains(role)));
}
