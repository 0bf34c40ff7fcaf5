//! Random sequences of commands on both engines in lockstep with the model (security-and-proof 4a; I20).
//!
//! Each sequence has its own seed. A failing sequence is shortened as far as possible and printed line by line.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use axum::http::Method;
use berth_domain::id::{BedId, RoomId, SiteId};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde_json::{Value, json};
use tokio::runtime::Runtime;
use uuid::Uuid;

use crate::busy::PROCESSORS;
use crate::chance::{seed, told};
use crate::figures::Figures;
use crate::harness::Answer;
use crate::model::{Expected, Model, Phase, Shows, bed_name, room_name, small_world};
use crate::pair::{Call, Job, Pair, Stored};
use crate::step::{Answering, Step, story};
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

    fn guest(&self, number: u8) -> Uuid {
        self.model.guest(number).map_or(NOBODY, |guest| self.guests[guest])
    }

    fn bed(&self, number: u8) -> Uuid {
        self.model.bed(number).map_or(NOBODY, |bed| self.beds[bed])
    }

    fn room(&self, number: u8) -> Uuid {
        self.model.room(number).map_or(NOBODY, |room| self.rooms[room])
    }

    fn waiting_path(&self, number: u8) -> String {
        let id = self.model.waiting_guest(number).map_or(NOBODY, |waiting| self.model.waiting_guests[waiting].id);
        format!("/api/Waitlist/{id}")
    }

    /// The request of a step, if it is one.
    fn call(&self, step: &Step) -> Option<Call> {
        let text = |key: Option<u8>| key.map(|key| format!("key-{key}"));
        let get = |who: crate::step::Who, path: String| (Method::GET, path, who.token(), None, None);
        let (method, path, token, key, body) = match *step {
            Step::Add { who, site, person, third, over, key } => {
                let mut form = steps::form(site_id(site), usize::from(person));
                if third {
                    form["allowThird"] = json!(true);
                }
                if over {
                    form["overCapacityReason"] = json!("At the door");
                }
                (Method::POST, "/api/Guests".to_owned(), who.token(), text(key), Some(form))
            }
            Step::Reserve { site, person, key } => {
                let form = steps::form(site_id(site), usize::from(person));
                (Method::POST, "/api/public/reservations".to_owned(), None, text(key), Some(form))
            }
            Step::Confirm { asked, right, key } => {
                let (id, sent) = self.model.asked(asked).map_or((NOBODY, ""), |asked| {
                    let (id, code) = &self.asked[asked];
                    (*id, code.as_str())
                });
                let wrong = if sent == "000000" { "111111" } else { "000000" };
                let body = json!({"otp": if right { sent } else { wrong }});
                (Method::POST, format!("/api/public/reservations/{id}/confirm"), None, text(key), Some(body))
            }
            Step::Cancel { guest } => {
                let guest = self.model.guest(guest)?;
                let code = &self.codes[&guest];
                let body = json!({"phoneLastFour": format!("{:04}", self.model.guests[guest].person)});
                (Method::POST, format!("/api/public/reservations/{code}/cancel"), None, None, Some(body))
            }
            Step::Place { who, guest, how, bed, version, key, .. } => {
                let version = self.model.version(guest, version);
                let body = json!({"status": how.word(), "bedId": self.bed(bed), "version": version});
                (Method::PATCH, format!("/api/Guests/{}", self.guest(guest)), who.token(), text(key), Some(body))
            }
            Step::Merge { who, kept, duplicate, version, .. } => {
                let body =
                    json!({"duplicateId": self.guest(duplicate), "version": self.model.version(duplicate, version)});
                (Method::POST, format!("/api/Guests/{}/merge", self.guest(kept)), who.token(), None, Some(body))
            }
            Step::Unmerge { who, guest, version, .. } => {
                let body = json!({"version": self.model.version(guest, version)});
                (Method::POST, format!("/api/Guests/{}/unmerge", self.guest(guest)), who.token(), None, Some(body))
            }
            Step::Join { who, site, person, kind, priority, third, key } => {
                let mut guest = steps::form(site_id(site), usize::from(person));
                if third {
                    guest["allowThird"] = json!(true);
                }
                let reason = priority.then_some("Sleeps in a car");
                let body = json!({"guest": guest, "bedType": kind, "priorityReason": reason});
                (Method::POST, format!("/api/Sites/{}/waitlist", site_id(site)), who.token(), text(key), Some(body))
            }
            Step::Take { who, waiting, third, version, key, .. } => {
                let version = self.model.version_of_waiting(waiting, version);
                let body = json!({"version": version, "allowThird": third});
                (Method::POST, format!("{}/take", self.waiting_path(waiting)), who.token(), text(key), Some(body))
            }
            Step::Answer { who, waiting, how, version, key, .. } => {
                let (command, reason) = match how {
                    Answering::Decline => ("DECLINE", None),
                    Answering::Leave => ("LEAVE", Some("Found a bed elsewhere")),
                    Answering::Prioritize(has_priority) => ("PRIORITIZE", has_priority.then_some("Sleeps in a car")),
                };
                let version = self.model.version_of_waiting(waiting, version);
                let body = json!({"command": command, "reason": reason, "version": version});
                (Method::PATCH, self.waiting_path(waiting), who.token(), text(key), Some(body))
            }
            Step::Waitlist { who, site } => get(who, format!("/api/Sites/{}/waitlist", site_id(site))),
            Step::Misspell { who, guest } => {
                let body = json!({"status": "ACCEPTED"});
                (Method::PATCH, format!("/api/Guests/{}", self.guest(guest)), who.token(), None, Some(body))
            }
            Step::Read { who, guest } => get(who, format!("/api/Guests/{}", self.guest(guest))),
            Step::Board { who, site } => get(who, format!("/api/Guests?siteId={}", site_id(site))),
            Step::History { who, site, states } => {
                let states = states.0.join(",");
                get(who, format!("/api/Guests?siteId={}&Status={states}&PageSize=300", site_id(site)))
            }
            Step::Beds { who, site } => get(who, format!("/api/Beds?siteId={}", site_id(site))),
            Step::Bed { who, bed } => get(who, format!("/api/Beds/{}", self.bed(bed))),
            Step::Details { who, site } => get(who, format!("/api/Sites/{}", site_id(site))),
            Step::Public { site } => (Method::GET, format!("/api/public/sites/{}", site_id(site)), None, None, None),
            Step::AddBeds { who, room, count } => {
                let body = json!({"roomId": self.room(room), "name": "More", "type": "Detox", "count": count});
                (Method::POST, "/api/Beds".to_owned(), who.token(), None, Some(body))
            }
            Step::SetBed { who, bed, name, disabled, kind } => {
                let known = self.model.bed(bed).map(|bed| &self.model.beds[bed]);
                let kept = known.map_or_else(|| "None".to_owned(), |bed| bed.name.clone());
                let name = name.map_or(kept, bed_name);
                let mut body = json!({"name": name, "type": known.map(|bed| bed.kind), "disabled": disabled});
                if let Some(kind) = kind {
                    body["disabledKind"] = json!(kind);
                }
                (Method::PUT, format!("/api/Beds/{}", self.bed(bed)), who.token(), None, Some(body))
            }
            Step::RemoveBed { who, bed } => {
                (Method::DELETE, format!("/api/Beds/{}", self.bed(bed)), who.token(), None, None)
            }
            Step::AddRoom { who, site, name } => {
                let mut body = json!({"siteId": site_id(site)});
                if let Some(name) = name {
                    body["name"] = json!(room_name(name));
                }
                (Method::POST, "/api/Rooms".to_owned(), who.token(), None, Some(body))
            }
            Step::RenameRoom { who, room, name } => {
                let body = json!({"name": room_name(name)});
                (Method::PUT, format!("/api/Rooms/{}", self.room(room)), who.token(), None, Some(body))
            }
            Step::RemoveRoom { who, room } => {
                (Method::DELETE, format!("/api/Rooms/{}", self.room(room)), who.token(), None, None)
            }
            Step::Again
            | Step::Pay { .. }
            | Step::Wait { .. }
            | Step::Pause { .. }
            | Step::ToHoldEnd { .. }
            | Step::ExpireHolds
            | Step::OfferBeds
            | Step::CleanUp
            | Step::Send => return None,
        };
        let known = self.known.get(&(token, path.clone())).map(|(tag, _)| tag.clone()).filter(|_| body.is_none());
        Some(Call { method, path, token, key, known, body })
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

    /// Compares the answer with the model.
    async fn judge(&mut self, expected: &Expected, answer: &Answer, text: &str) -> Result<(), String> {
        let status = if answer.status == 304 { 200 } else { answer.status };
        if status != expected.status {
            return Err(format!("the model says {}, the server {status}: {text}", expected.status));
        }
        let body: Value = serde_json::from_str(text).unwrap_or(Value::Null);
        if status >= 400 && body["message"].as_str().is_none_or(|message| message.len() < 10) {
            return Err(format!("a refusal without a sentence: {text}"));
        }
        let differs =
            |what: &str, wanted: &dyn std::fmt::Debug| Err(format!("{what}: {wanted:?} in the model, {text}"));
        match &expected.shows {
            Shows::Nothing => Ok(()),
            Shows::Earlier(number) if self.answers[*number] == text => Ok(()),
            Shows::Earlier(number) => differs("the first answer", &self.answers[*number]),
            Shows::Asked(asked) => {
                let person = usize::from(self.model.asked[*asked].person);
                let code = self.pair.newest_code(&steps::phone(person)).await;
                self.asked.push((id_of(&body), code));
                Ok(())
            }
            Shows::Reservation(guest) => {
                let code = body["code"].as_str().unwrap_or_default();
                self.codes.insert(*guest, code.to_owned());
                self.guests.push(self.pair.guest_of_code(code).await.parse().unwrap());
                Ok(())
            }
            Shows::State(guest) => {
                let wanted = json!([self.codes[guest], "cancelled", false]);
                let found = json!([body["code"], body["status"], body["canCancel"]]);
                if found == wanted { Ok(()) } else { differs("the state", &wanted) }
            }
            Shows::NewWaiting(waiting) => {
                self.model.waiting_guests[*waiting].id = id_of(&body);
                Ok(())
            }
            Shows::Waitlist(site, contact) => {
                let line = self.model.line(*site);
                let wanted: Vec<Value> = line.into_iter().map(|waiting| self.waiting_view(waiting, *contact)).collect();
                let found: Vec<Value> = body["items"].as_array().into_iter().flatten().map(waiting_of).collect();
                if found == wanted { Ok(()) } else { differs("the waitlist", &wanted) }
            }
            Shows::Guest(guest, contact) => {
                let body = if status >= 400 { &body["guest"] } else { &body };
                if status == 201 {
                    self.guests.push(id_of(body));
                }
                let wanted = self.guest_view(*guest, *contact);
                if seen_of(body) == wanted { Ok(()) } else { differs("the guest", &wanted) }
            }
            Shows::Guests(guests, contact) => {
                let wanted: Vec<Value> = guests.iter().map(|guest| self.guest_view(*guest, *contact)).collect();
                let items = body["items"].as_array().cloned().unwrap_or_default();
                let found: Vec<Value> = items.iter().map(seen_of).collect();
                let total = body["totalCount"].as_u64().and_then(|total| usize::try_from(total).ok());
                if found == wanted && total == Some(wanted.len()) { Ok(()) } else { differs("guests", &wanted) }
            }
            Shows::Bed(bed) => {
                let wanted = self.bed_view(*bed);
                if bed_of(&body) == wanted { Ok(()) } else { differs("the bed", &wanted) }
            }
            Shows::Beds(site) => {
                let wanted: Vec<Value> = self.model.beds_of(*site).into_iter().map(|bed| self.bed_view(bed)).collect();
                let found: Vec<Value> = body.as_array().into_iter().flatten().map(bed_of).collect();
                if found == wanted { Ok(()) } else { differs("the beds", &wanted) }
            }
            Shows::NewRoom(room) => {
                self.rooms.push(id_of(&body));
                body["name"].as_str().unwrap_or_default().clone_into(&mut self.model.rooms[*room].name);
                Ok(())
            }
            Shows::NewBeds(beds) => {
                let made = body.as_array().cloned().unwrap_or_default();
                for (bed, made) in beds.iter().zip(&made) {
                    self.beds.push(id_of(made));
                    made["name"].as_str().unwrap_or_default().clone_into(&mut self.model.beds[*bed].name);
                }
                if made.len() == beds.len() { Ok(()) } else { differs("new beds", beds) }
            }
            Shows::Counts(site) => {
                let (vacant, pending) = (self.model.vacant(*site), self.model.pending(*site));
                let beds = self.model.beds_of(*site);
                let occupied = beds.iter().filter(|bed| self.model.holder(**bed).is_some()).count();
                let counts = &body["counts"];
                let (offered, available) = (self.model.offered(*site), self.model.free(*site).saturating_sub(pending));
                let version = self.model.versions[*site];
                let wanted = json!([vacant, vacant, offered, available, pending, occupied, beds.len(), version]);
                let found = json!([
                    body["countOfVacantBeds"],
                    counts["vacant"],
                    counts["offered"],
                    counts["available"],
                    counts["pending"],
                    counts["occupied"],
                    body["countOfBeds"],
                    body["version"]
                ]);
                if found == wanted { Ok(()) } else { differs("counts", &wanted) }
            }
            Shows::Public(site) => {
                let wanted = self.model.free(*site).saturating_sub(self.model.pending(*site));
                if body["availableBeds"] == json!(wanted) { Ok(()) } else { differs("available beds", &wanted) }
            }
        }
    }

    /// Id, state, bed, version and source of a guest, and whether the phone is shown.
    fn guest_view(&self, guest: usize, contact: bool) -> Value {
        let known = &self.model.guests[guest];
        let bed = match known.phase {
            Phase::InBed(bed) => json!(self.beds[bed]),
            _ => Value::Null,
        };
        let source = if known.web { "Web" } else { "Admin" };
        json!([
            self.guests[guest],
            self.model.status(guest),
            bed,
            known.version,
            source,
            contact,
            self.model.is_arriving(guest),
            known.no_show,
            known.kept.is_some()
        ])
    }

    /// Id, name and guest of a bed, whether it is disabled, and what it waits for.
    fn bed_view(&self, bed: usize) -> Value {
        let known = &self.model.beds[bed];
        let holder = self.model.holder(bed).map(|guest| self.guests[guest]);
        let offered = self.model.is_offered(bed);
        json!([self.beds[bed], known.name, holder, holder.is_some(), known.disabled, known.outage, offered])
    }

    /// Id, version, priority, wanted type of bed, offers let pass and offered bed of a person on a waitlist, and whether phone and
    /// reason of the priority are shown.
    fn waiting_view(&self, waiting: usize, contact: bool) -> Value {
        let known = &self.model.waiting_guests[waiting];
        let offered = known.offer.map(|(bed, _)| self.beds[bed]);
        let passed = self.model.count_of_passed(waiting);
        let reason = contact && known.has_priority;
        json!([known.id, known.version, known.has_priority, known.kind, passed, offered, contact, reason])
    }

    /// Compares the stored rows with the model.
    async fn compare(&self) -> Result<(), String> {
        let found = self.pair.stored().await?;
        let versions = self.model.versions.to_vec();
        let mut wanted = Stored { guests: vec![], waiting: vec![], beds: vec![], rooms: vec![], versions };
        for waiting in &self.model.waiting_guests {
            let offered = waiting.offer.map(|(bed, _)| self.beds[bed]);
            wanted.waiting.push((waiting.id, waiting.version, offered, waiting.has_ended));
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

fn site_id(site: usize) -> SiteId {
    [world::HARBOR_HOUSE, world::OPEN_DOOR, world::FAR_AWAY].get(site).copied().unwrap_or(SiteId(NOBODY))
}

fn id_of(body: &Value) -> Uuid {
    body["id"].as_str().and_then(|id| id.parse().ok()).unwrap_or(NOBODY)
}

fn seen_of(body: &Value) -> Value {
    let contact = body.get("phone").is_some() && body.get("email").is_some();
    json!([
        body["id"],
        body["status"],
        body["assignedBedId"],
        body["version"],
        body["source"],
        contact,
        body["isArriving"],
        body["noShowAt"].is_string(),
        body["mergedAt"].is_string()
    ])
}

fn bed_of(body: &Value) -> Value {
    json!([
        body["id"],
        body["name"],
        body["guest"]["id"],
        body["isOccupied"],
        body["disabled"],
        body["disabledKind"],
        body["offeredUntil"].is_string()
    ])
}

fn waiting_of(body: &Value) -> Value {
    let contact = body.get("phone").is_some() && body.get("email").is_some();
    let offered = &body["offer"]["bedId"];
    let reason = body["priorityReason"].is_string();
    json!([
        body["id"],
        body["version"],
        body["hasPriority"],
        body["bedType"],
        body["passedOffers"],
        offered,
        contact,
        reason
    ])
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
