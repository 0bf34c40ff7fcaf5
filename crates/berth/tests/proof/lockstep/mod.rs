//! Random sequences of commands on both engines in lockstep with the model (security-and-proof 4a; I20).
//!
//! Each sequence has its own seed. A failing sequence is shortened as far as possible and printed line by line.

mod call;
mod judge;

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use axum::http::Method;
use berth_domain::id::{BedId, RoomId};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use tokio::runtime::Runtime;
use uuid::Uuid;

use crate::busy::PROCESSORS;
use crate::chance::{seed, told};
use crate::figures::Figures;
use crate::harness::Answer;
use crate::model::{Model, Phase, small_world};
use crate::pair::{Call, Job, Pair, Stored, StoredForm, StoredPerson};
use crate::step::{Form, Step};
use crate::story::story;
use crate::waiting::Waiting;
use crate::{steps, world};

/// Commands in a sequence.
const LENGTH: usize = 50;
/// Number of sequences in the short form.
const SHORT: u64 = 24;
/// Number of pairs of houses that run in parallel.
const WORKERS: u64 = 2;

/// Time limit for shortening a failing sequence.
const SHORTEN_FOR: Duration = Duration::from_secs(60);

/// An id that does not exist.
const NOBODY: Uuid = Uuid::from_u128(0x0190_ffff_ffff_7fff_8fff_ffff_ffff_ffff);

/// A running sequence.
struct Story<'a> {
    pair: &'a Pair,
    model: Model,
    guests: Vec<Uuid>,
    /// The codes of guests from the public side.
    codes: HashMap<usize, String>,
    /// Ids and codes of public requests.
    asked: Vec<(Uuid, String)>,
    beds: Vec<Uuid>,
    rooms: Vec<Uuid>,
    /// The answers so far, by number.
    answers: Vec<String>,
    last_keyed: Option<(Step, Call)>,
    /// By caller and path: the entity tag and the body of the last answer.
    known: HashMap<(Option<&'static str>, String), (String, String)>,
    latest: i64,
    told: String,
    tally: &'a Tally,
}

/// Number of steps by kind and status of the answer.
type Tally = Mutex<BTreeMap<(String, u16), u64>>;

impl<'a> Story<'a> {
    fn new(pair: &'a Pair, tally: &'a Tally) -> Self {
        let beds = [
            world::BED_A,
            world::BED_B,
            world::BED_C,
            world::BED_D,
            world::BED_E,
            world::BED_F,
            world::BED_G,
            world::BED_H,
        ];
        let rooms = [world::ROOM_1, world::ROOM_2, world::OPEN_ROOM, world::FAR_ROOM];
        Self {
            pair,
            model: small_world(),
            guests: Vec::new(),
            codes: HashMap::new(),
            asked: Vec::new(),
            beds: beds.map(|BedId(id)| id).to_vec(),
            rooms: rooms.map(|RoomId(id)| id).to_vec(),
            answers: Vec::new(),
            last_keyed: None,
            known: HashMap::new(),
            latest: 0,
            told: String::new(),
            tally,
        }
    }

    /// Takes one step on both engines and in the model.
    async fn take(&mut self, step: &Step) -> Result<(), String> {
        let (step, call) = match (step, &self.last_keyed) {
            (Step::Again, None) => return Ok(()),
            (Step::Again, Some((step, call))) => (step.clone(), Some(call.clone())),
            _ => {
                let pinned = self.model.pin(step);
                let call = self.call(&pinned);
                (pinned, call)
            }
        };
        let Some(call) = call else {
            let _ = writeln!(self.told, "  {step}");
            self.model.play(&step, "", 0);
            return self.outside(&step).await;
        };
        let number = self.answers.len();
        let before = self.model.versions;
        let expected = self.model.play(&step, &call.asked(), number);
        if call.key.is_some() {
            self.last_keyed = Some((step.clone(), call.clone()));
        }
        let answer = self.pair.send(&call).await?;
        let _ = writeln!(self.told, "  {step} → {}", answer.status);
        *self.tally.lock().unwrap().entry((step.kind(), answer.status)).or_default() += 1;
        let text = self.text_of(&call, &answer);
        self.answers.push(text.clone());
        self.judge(&expected, &answer, &text).await?;
        // A refusal changes nothing, but the stored rows are compared all the same.
        if call.method != Method::GET || before != self.model.versions { self.compare().await } else { Ok(()) }
    }

    /// The body, or the body of the last answer if this one is 304.
    fn text_of(&mut self, call: &Call, answer: &Answer) -> String {
        let place = (call.token, call.path.clone());
        if answer.status == 304 {
            return self.known[&place].1.clone();
        }
        if answer.status == 200 && call.method == Method::GET && !answer.header("etag").is_empty() {
            self.known.insert(place, (answer.header("etag").to_owned(), answer.text.clone()));
        }
        answer.text.clone()
    }

    /// Does a step that is not a request.
    async fn outside(&mut self, step: &Step) -> Result<(), String> {
        match step {
            Step::Pay { active } => self.pair.pay(*active).await,
            Step::ExpireHolds => self.pair.run(Job::Holds).await?,
            Step::OfferBeds => self.pair.run(Job::Offers).await?,
            Step::CleanUp => self.pair.run(Job::CleanUp).await?,
            Step::Send => self.pair.run(Job::Send).await?,
            _ => {}
        }
        self.latest = self.latest.max(self.model.now);
        self.pair.turn_clock(self.model.now);
        self.compare().await
    }

    /// Compares the stored rows with the model.
    async fn compare(&self) -> Result<(), String> {
        let found = self.pair.stored().await?;
        let versions = self.model.versions.to_vec();
        let mut wanted = Stored { guests: vec![], waiting: vec![], beds: vec![], rooms: vec![], versions };
        for waiting in &self.model.waiting_guests {
            let offered = waiting.offer.map(|(bed, _)| self.beds[bed]);
            let Waiting { id, version, since, .. } = *waiting;
            wanted.waiting.push(StoredPerson { id, version, since, offered, form: stored_form(waiting) });
        }
        for (guest, id) in self.model.guests.iter().zip(&self.guests) {
            let bed = match guest.phase {
                Phase::InBed(bed) => Some(self.beds[bed]),
                _ => None,
            };
            let ends = [guest.phase == Phase::Declined, matches!(guest.phase, Phase::Left(_)), guest.expired];
            wanted.guests.push((*id, guest.version, bed, ends));
        }
        for (bed, id) in self.model.beds.iter().zip(&self.beds) {
            wanted.beds.push((*id, bed.name.clone(), bed.outage.map(str::to_owned), bed.disabled, bed.deleted));
        }
        for (room, id) in self.model.rooms.iter().zip(&self.rooms) {
            wanted.rooms.push((*id, room.name.clone(), room.deleted));
        }
        wanted.guests.sort_unstable();
        wanted.waiting.sort_unstable();
        wanted.beds.sort_unstable();
        wanted.rooms.sort_unstable();
        if found == wanted { Ok(()) } else { Err(format!("stored: {found:#?}\nthe model: {wanted:#?}")) }
    }
}

/// The form of a person on a waitlist as it is stored, which is erased once the person no longer waits.
fn stored_form(waiting: &Waiting) -> Option<StoredForm> {
    let Form { contact, name, kind } = waiting.form;
    let phone = steps::phone(usize::from(contact));
    let person = format!("{phone} P person {name}");
    (!waiting.has_ended).then(|| StoredForm {
        name: format!("Person {name}"),
        phone,
        person,
        kind: kind.map(str::to_owned),
    })
}

/// Plays a complete sequence in a new test world. Its steps are returned even if it fails.
async fn play(pair: &mut Pair, tally: &Tally, steps: &[Step]) -> (String, Result<(), String>) {
    pair.begin().await;
    let mut story = Story::new(pair, tally);
    for step in steps {
        if let Err(complaint) = story.take(step).await {
            return (story.told, Err(complaint));
        }
    }
    let recount = story.pair.recount(story.latest).await;
    (story.told, recount)
}

/// Plays one sequence from its seed. The error is the shortest failing sequence.
fn sequence(runtime: &Runtime, pair: &RefCell<Pair>, tally: &Tally, seed: u64) -> Result<(), String> {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let config = Config { failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &bytes));
    let mut steps = story(LENGTH).new_tree(&mut runner).unwrap().current();
    let run = |steps: &[Step]| runtime.block_on(play(&mut pair.borrow_mut(), tally, steps));
    let (mut told, Err(mut complaint)) = run(&steps) else { return Ok(()) };
    // Remove halves, then quarters, down to single steps, as long as it still fails.
    let (start, mut part) = (Instant::now(), steps.len() / 2);
    while part > 0 && start.elapsed() < SHORTEN_FOR {
        let mut from = 0;
        while from < steps.len() {
            let mut fewer = steps.clone();
            fewer.drain(from..fewer.len().min(from + part));
            if let (story, Err(why)) = run(&fewer) {
                (steps, told, complaint) = (fewer, story, why);
            } else {
                from += part;
            }
        }
        part /= 2;
    }
    Err(format!(
        "{complaint}\nThe story:\n{told}\nAgain: BERTH_PROOF_SEED={seed} BERTH_PROOF_SEQUENCES=1 scripts/with-postgres \
         cargo test --test proof lockstep"
    ))
}

/// Both engines answer every step alike and as the model says, and the recount finds no broken invariant.
#[test]
fn random_stories_agree_with_the_model_on_both_engines() {
    let _busy = PROCESSORS.blocking_read();
    let sequences = told("BERTH_PROOF_SEQUENCES").unwrap_or(SHORT);
    let first = seed();
    let start = Instant::now();
    eprintln!("model: {sequences} sequences of {LENGTH} commands from BERTH_PROOF_SEED={first}");
    let counted = Tally::default();
    let tally = &counted;
    let failures: Vec<String> = std::thread::scope(|scope| {
        let worker = |worker: u64| {
            move || {
                let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
                let pair = RefCell::new(runtime.block_on(Pair::new()));
                let mine = (first + worker..first + sequences).step_by(usize::try_from(WORKERS).unwrap());
                mine.map(|seed| sequence(&runtime, &pair, tally, seed)).find_map(Result::err)
            }
        };
        let workers: Vec<_> = (0..WORKERS).map(|number| scope.spawn(worker(number))).collect();
        workers.into_iter().filter_map(|worker| worker.join().unwrap()).collect()
    });
    let told: Vec<String> =
        tally.lock().unwrap().iter().map(|((kind, status), count)| format!("{kind} {status}: {count}")).collect();
    eprintln!("answers: {}", told.join(", "));
    let violations = u64::try_from(failures.len()).unwrap();
    let seconds = start.elapsed().as_secs();
    let tally = tally.lock().unwrap();
    let steps: u64 = tally.values().sum();
    let server_errors: u64 = tally.iter().filter(|((_, status), _)| *status >= 500).map(|(_, count)| count).sum();
    eprintln!(
        "FIGURE model: {sequences} sequences of {LENGTH} on each engine, {steps} answers compared, {server_errors} answers \
         5xx, {violations} violations, {seconds} s"
    );
    let engine = "both";
    let figures = Figures { proof: "model", engine, seed: first, count: sequences, violations, server_errors, seconds };
    figures.tell(&[], &[("answers compared", steps)]);
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}
