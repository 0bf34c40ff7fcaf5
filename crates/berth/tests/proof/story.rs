//! Random steps and stories.

use proptest::prelude::{Just, Strategy, any, prop_oneof};
use proptest::sample::select;

use crate::step::{Answering, Edit, Form, Move, States, Step, Version, Who};

/// Usually a caller who may place guests, sometimes one who may not.
fn who() -> impl Strategy<Value = Who> {
    prop_oneof![
        6 => Just(Who::Intake),
        5 => Just(Who::Admin),
        4 => Just(Who::Global),
        3 => Just(Who::Owner),
        2 => Just(Who::OwnerFree),
        2 => Just(Who::Staff),
        1 => select(vec![Who::Nobody, Who::FirstStep, Who::OwnerForeign]),
    ]
}

/// Usually a caller who may edit houses and beds.
fn builder() -> impl Strategy<Value = Who> {
    prop_oneof![5 => Just(Who::Global), 4 => Just(Who::Owner), 2 => Just(Who::OwnerFree), 2 => who()]
}

/// Usually a caller who may merge reservations.
fn overseer() -> impl Strategy<Value = Who> {
    prop_oneof![8 => Just(Who::Global), 5 => Just(Who::Admin), 2 => Just(Who::Owner), 2 => Just(Who::OwnerFree), 2 => who()]
}

fn site() -> impl Strategy<Value = usize> {
    prop_oneof![12 => Just(0_usize), 6 => Just(1_usize), 2 => Just(2_usize), 1 => Just(3_usize)]
}

fn number() -> impl Strategy<Value = u8> {
    prop_oneof![30 => 0..250_u8, 1 => Just(255_u8)]
}

fn key() -> impl Strategy<Value = Option<u8>> {
    prop_oneof![4 => Just(None), 1 => (0..4_u8).prop_map(Some)]
}

fn version() -> impl Strategy<Value = Version> {
    prop_oneof![6 => Just(Version::None), 2 => Just(Version::Current), 1 => Just(Version::Stale)]
}

fn states() -> impl Strategy<Value = States> {
    const CHOICES: [&[&str]; 7] = [
        &["pending"],
        &["rejected"],
        &["accepted", "reassigned"],
        &["rejected", "expired"],
        &["discharged"],
        &["expired"],
        &["pending", "accepted", "reassigned", "rejected", "discharged", "expired"],
    ];
    select(CHOICES.to_vec()).prop_map(States)
}

fn moves() -> impl Strategy<Value = Step> {
    let how = prop_oneof![
        9 => Just(Move::Accept),
        5 => Just(Move::Reassign),
        8 => Just(Move::Swap),
        2 => Just(Move::Decline),
        3 => Just(Move::Discharge),
        4 => Just(Move::Arrive),
        2 => Just(Move::UndoArrival),
        2 => Just(Move::NoShow),
        5 => Just(Move::Undo),
    ];
    let aimed = proptest::bool::weighted(0.7);
    (who(), number(), how, number(), version(), key(), aimed).prop_map(|(who, guest, how, bed, version, key, aimed)| {
        Step::Place { who, guest, how, bed, version, key, aimed }
    })
}

fn merges() -> impl Strategy<Value = Step> {
    let aimed = || proptest::bool::weighted(0.8);
    let version = || prop_oneof![8 => Just(Version::Current), 1 => Just(Version::Stale)];
    prop_oneof![
        3 => (overseer(), number(), number(), version(), aimed())
            .prop_map(|(who, kept, duplicate, version, aimed)| Step::Merge { who, kept, duplicate, version, aimed }),
        2 => (overseer(), number(), version(), aimed())
            .prop_map(|(who, guest, version, aimed)| Step::Unmerge { who, guest, version, aimed }),
    ]
}

/// The type of bed that a person on a waitlist needs.
fn need() -> impl Strategy<Value = Option<&'static str>> {
    proptest::option::weighted(0.4, prop_oneof![Just("Sober Living"), Just("Detox"), Just("Treatment")])
}

fn edit() -> impl Strategy<Value = Edit> {
    prop_oneof![
        1 => Just(Edit::Nothing),
        3 => (0..5_u8).prop_map(Edit::Contact),
        1 => (0..5_u8).prop_map(Edit::Name),
        4 => need().prop_map(Edit::Kind),
        2 => (0..5_u8, 0..5_u8, need()).prop_map(|(contact, name, kind)| Edit::All(Form { contact, name, kind })),
    ]
}

fn edits() -> impl Strategy<Value = Step> {
    let third = proptest::bool::weighted(0.3);
    let version = prop_oneof![5 => Just(Version::Current), 1 => Just(Version::Stale)];
    let aimed = proptest::bool::weighted(0.9);
    (who(), number(), edit(), third, version, key(), aimed).prop_map(
        |(who, waiting, edit, third, version, key, aimed)| Step::Edit {
            who,
            waiting,
            edit,
            third,
            version,
            key,
            aimed,
        },
    )
}

fn waits() -> impl Strategy<Value = Step> {
    let version = || prop_oneof![12 => Just(Version::Current), 1 => Just(Version::Stale)];
    let aimed = || proptest::bool::weighted(0.9);
    let third = || proptest::bool::weighted(0.3);
    let how = prop_oneof![
        6 => Just(Answering::Decline),
        2 => Just(Answering::Leave),
        2 => any::<bool>().prop_map(Answering::Prioritize),
    ];
    prop_oneof![
        8 => (who(), site(), 0..5_u8, need(), proptest::bool::weighted(0.3), third(), key()).prop_map(
            |(who, site, person, kind, priority, third, key)| Step::Join { who, site, person, kind, priority, third, key }
        ),
        6 => (who(), number(), third(), version(), key(), aimed()).prop_map(
            |(who, waiting, third, version, key, aimed)| Step::Take { who, waiting, third, version, key, aimed }
        ),
        5 => (who(), number(), how, version(), key(), aimed()).prop_map(
            |(who, waiting, how, version, key, aimed)| Step::Answer { who, waiting, how, version, key, aimed }
        ),
        5 => edits().boxed(),
        2 => (who(), site()).prop_map(|(who, site)| Step::Waitlist { who, site }),
        1 => (who(), number()).prop_map(|(who, waiting)| Step::Form { who, waiting }),
        7 => Just(Step::OfferBeds),
    ]
}

fn builds() -> impl Strategy<Value = Step> {
    let name = || proptest::option::of(0..3_u8);
    let kind = || proptest::option::of(prop_oneof![Just("cleaning"), Just("out-of-service")]);
    prop_oneof![
        2 => (builder(), number(), 1..4_u8).prop_map(|(who, room, count)| Step::AddBeds { who, room, count }),
        6 => (builder(), number(), name(), any::<bool>(), kind())
            .prop_map(|(who, bed, name, disabled, kind)| Step::SetBed { who, bed, name, disabled, kind }),
        1 => (builder(), number()).prop_map(|(who, bed)| Step::RemoveBed { who, bed }),
        1 => (builder(), site(), name()).prop_map(|(who, site, name)| Step::AddRoom { who, site, name }),
        1 => (builder(), number(), 0..3_u8).prop_map(|(who, room, name)| Step::RenameRoom { who, room, name }),
        1 => (builder(), number()).prop_map(|(who, room)| Step::RemoveRoom { who, room }),
    ]
}

fn reads() -> impl Strategy<Value = Step> {
    prop_oneof![
        5 => (who(), site()).prop_map(|(who, site)| Step::Board { who, site }),
        2 => (who(), number()).prop_map(|(who, guest)| Step::Read { who, guest }),
        2 => (who(), site(), states()).prop_map(|(who, site, states)| Step::History { who, site, states }),
        2 => (who(), site()).prop_map(|(who, site)| Step::Beds { who, site }),
        1 => (who(), number()).prop_map(|(who, bed)| Step::Bed { who, bed }),
        2 => (who(), site()).prop_map(|(who, site)| Step::Details { who, site }),
        1 => site().prop_map(|site| Step::Public { site }),
    ]
}

fn times() -> impl Strategy<Value = Step> {
    prop_oneof![
        3 => select(vec![1, 11, 30, 60, 12 * 60, 20 * 60]).prop_map(|minutes| Step::Wait { minutes }),
        3 => select(vec![4, 10, 11]).prop_map(|seconds| Step::Pause { seconds }),
        2 => (number(), -1..=1_i8).prop_map(|(guest, offset)| Step::ToHoldEnd { guest, offset }),
        4 => select(vec![-1, -60, -25 * 60]).prop_map(|minutes| Step::Wait { minutes }),
        3 => Just(Step::ExpireHolds),
        1 => Just(Step::CleanUp),
        1 => Just(Step::Send),
        1 => any::<bool>().prop_map(|active| Step::Pay { active }),
    ]
}

/// Any step.
pub fn step() -> impl Strategy<Value = Step> {
    let third = || proptest::bool::weighted(0.3);
    let over = || proptest::bool::weighted(0.15);
    let guests = prop_oneof![
        6 => (who(), site(), 0..5_u8, third(), over(), key())
            .prop_map(|(who, site, person, third, over, key)| Step::Add { who, site, person, third, over, key }),
        5 => (site(), 0..5_u8, key()).prop_map(|(site, person, key)| Step::Reserve { site, person, key }),
        7 => (number(), proptest::bool::weighted(0.85), key())
            .prop_map(|(asked, right, key)| Step::Confirm { asked, right, key }),
        2 => (0..250_u8).prop_map(|guest| Step::Cancel { guest }),
    ];
    prop_oneof![
        14 => guests,
        18 => moves().boxed(),
        5 => merges().boxed(),
        12 => waits().boxed(),
        1 => (who(), number()).prop_map(|(who, guest)| Step::Misspell { who, guest }),
        2 => Just(Step::Again),
        6 => builds().boxed(),
        9 => reads().boxed(),
        6 => times(),
    ]
}

/// A story. Half of them begin at a full site with people on its waitlist; in most of these a bed becomes free, and the first few decline
/// it. Often the next one then needs another type of bed, or has the phone of a guest with two reservations. In some, one of these people
/// leaves, and the request that put the last one on the list is repeated. More is done about these people than in other stories. A few
/// random steps seldom bring that about.
pub fn story(length: usize) -> impl Strategy<Value = Vec<Step>> {
    let steps = |length| proptest::collection::vec(step(), length);
    let with_waitlist = |length| proptest::collection::vec(prop_oneof![3 => step(), 1 => waits()], length);
    let edit = prop_oneof![2 => Just(Edit::Kind(Some("Detox"))), 1 => Just(Edit::Contact(1))];
    let declines = proptest::option::weighted(0.8, (0..=3_usize, proptest::option::weighted(0.6, edit)));
    let leaves = proptest::bool::weighted(0.3);
    let waiting = (1..=3_u8, leaves, declines).prop_flat_map(move |(people, leaves, declines)| {
        let first = at_full_site(people, leaves, declines);
        with_waitlist(length - first.len()).prop_map(move |rest| first.iter().cloned().chain(rest).collect())
    });
    prop_oneof![steps(length), waiting]
}

/// Two guests have both beds of a site, the second of them has a reservation elsewhere, too, and so many people wait. With `leaves`, one of
/// these leaves, and the request of the last one is repeated under its key. With `declines`, one of the guests leaves, and so many offers of the bed are declined. Then the form of somebody who waits may be edited.
fn at_full_site(people: u8, leaves: bool, declines: Option<(usize, Option<Edit>)>) -> Vec<Step> {
    let (who, site, version, key) = (Who::Intake, 1, Version::None, None);
    let add = |person| Step::Add { who, site, person, third: false, over: false, key };
    let place = |how| Step::Place { who, guest: 0, how, bed: 0, version, key, aimed: true };
    let join = |person| {
        let key = (leaves && person == 1 + people).then_some(0);
        Step::Join { who, site, person, kind: None, priority: false, third: false, key }
    };
    let answer = |how| Step::Answer { who, waiting: 0, how, version: Version::Current, key, aimed: true };
    let elsewhere = Step::Add { who, site: 0, person: 1, third: false, over: false, key };
    let mut steps = vec![add(0), place(Move::Accept), add(1), place(Move::Accept), elsewhere];
    steps.extend((2..2 + people).map(join));
    if leaves {
        steps.extend([answer(Answering::Leave), Step::Again]);
    }
    if let Some((declines, edits)) = declines {
        steps.extend([place(Move::Discharge), Step::Pause { seconds: 11 }, Step::OfferBeds]);
        steps.extend(std::iter::repeat_n(answer(Answering::Decline), declines));
        let edit = |edit| {
            let version = Version::Current;
            Step::Edit { who, waiting: 0, edit, third: false, version, key, aimed: true }
        };
        steps.extend(edits.map(edit));
    }
    steps
}
