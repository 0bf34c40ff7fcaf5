//! Storms on real processes over real sockets (security-and-proof 4b): several clients want the same thing at the same
//! moment. One gets it, the others get a 409 with a sentence, nobody a 5xx; after each round the recount finds no broken
//! invariant, and in the end every live stream of every node has sent every version once, in order.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::net::Ipv4Addr;
use std::time::{Duration, Instant};

use berth_db::{Db, Engine};
use berth_domain::id::{BedId, SiteId};
use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::chance::{Dice, seed, told};
use crate::client::{Answer, Client, Shot, Watcher};
use crate::cluster::{BEDS, Cluster, confirmation, name_of, recount, system};
use crate::figures::{Figures, Times};
use crate::{steps, world};

/// Number of kinds of storms.
const KINDS: u64 = 16;
/// Number of rounds in the short form, on each engine.
const SHORT: u64 = 3 * KINDS;
/// Number of rounds per test world, because recounts take longer as data grows.
const ROUNDS_OF_A_WORLD: u64 = 88;

/// A test world under a storm, and its measurements.
struct Storm {
    cluster: Cluster,
    /// For recounts. It is opened once per test world.
    db: Db,
    dice: Dice,
    losers: Times,
    alone: Times,
    strangers: u32,
}

type Checked = Result<(), String>;

fn id(guest: &Value) -> String {
    guest["id"].as_str().unwrap_or_default().to_owned()
}

fn add(site: SiteId, number: usize) -> Shot {
    Shot::new("POST", "/api/Guests", world::ADMIN, steps::form(site, number))
}

fn command(guest: &str, status: &str, bed: Option<BedId>) -> Shot {
    let body = json!({"status": status, "bedId": bed});
    Shot::new("PATCH", format!("/api/Guests/{guest}"), world::INTAKE, body)
}

/// Undoes the decision that led to a version of the guest.
fn undo(guest: &str, version: i64) -> Shot {
    Shot::new("PATCH", format!("/api/Guests/{guest}"), world::INTAKE, json!({"status": "UNDO", "version": version}))
}

/// Merges `duplicate` into `kept`.
fn merge(kept: &str, duplicate: &str) -> Shot {
    Shot::new("POST", format!("/api/Guests/{kept}/merge"), world::ADMIN, json!({"duplicateId": duplicate}))
}

impl Storm {
    /// Adds `count` persons from number `first` on, all at once.
    async fn guests(&mut self, site: SiteId, first: usize, count: usize) -> Vec<String> {
        let shots: Vec<Shot> = (first..first + count).map(|number| add(site, number)).collect();
        self.cluster.fire(&shots).await.into_iter().map(|answer| id(&answer.expect(201))).collect()
    }

    /// Adds persons from number `first` on, each in a bed, one command after the other, to measure a single command.
    async fn housed(&mut self, first: usize, beds: &[BedId]) -> Vec<String> {
        let guests = self.guests(world::HARBOR_HOUSE, first, beds.len()).await;
        for (guest, bed) in guests.iter().zip(beds) {
            let answer = self.cluster.one(command(guest, "ACCEPTED", Some(*bed))).await;
            self.alone.add(answer.took);
            answer.expect(200);
        }
        guests
    }

    /// Declines pending guests and discharges all others.
    async fn clear(&mut self, guests: &[String]) {
        let decline: Vec<Shot> = guests.iter().map(|guest| command(guest, "REJECTED", None)).collect();
        let answers = self.cluster.fire(&decline).await;
        let housed = guests.iter().zip(answers).filter(|(_, answer)| answer.status != 200);
        let leave: Vec<Shot> = housed.map(|(guest, _)| command(guest, "DISCHARGED", None)).collect();
        self.cluster.fire(&leave).await;
    }

    /// Makes all calls at once and counts the winners. The others get a 409 or, with a version, a 412 with a sentence.
    async fn storm(&mut self, shots: &[Shot]) -> Result<(usize, Vec<Answer>), String> {
        let answers = self.cluster.fire(shots).await;
        let won = self.judge(&answers)?;
        Ok((won, answers))
    }

    fn judge(&mut self, answers: &[Answer]) -> Result<usize, String> {
        for answer in answers.iter().filter(|answer| answer.status >= 300) {
            self.losers.add(answer.took);
            let sentence = answer.body["message"].as_str().unwrap_or_default();
            if ![409, 412].contains(&answer.status) || sentence.len() < 20 {
                return Err(format!("a loser got {} {}", answer.status, answer.body));
            }
        }
        Ok(answers.iter().filter(|answer| answer.status < 300).count())
    }

    async fn bed_of(&mut self, guest: &str) -> Option<BedId> {
        let shot = Shot::get(format!("/api/Guests/{guest}"), world::ADMIN);
        self.cluster.one(shot).await.expect(200)["assignedBedId"].as_str().map(|bed| bed.parse().unwrap())
    }

    async fn many_guests_one_bed(&mut self) -> Checked {
        let count = [4, 8, 20, 50][self.dice.index(4)];
        let bed = self.cluster.beds[self.dice.index(BEDS)];
        let guests = self.guests(world::HARBOR_HOUSE, 0, count).await;
        let shots: Vec<Shot> = guests.iter().map(|guest| command(guest, "ACCEPTED", Some(bed))).collect();
        let (won, answers) = self.storm(&shots).await?;
        self.clear(&guests).await;
        for loser in answers.iter().filter(|answer| answer.status == 409).map(|answer| &answer.body) {
            if loser["code"] != "bed-taken" || loser["guest"]["status"] != "pending" || loser["nextFreeBed"].is_null() {
                return Err(format!("a loser is not told which bed is next: {loser}"));
            }
        }
        exactly(won, 1)
    }

    async fn one_guest_many_beds(&mut self) -> Checked {
        let guest = self.guests(world::HARBOR_HOUSE, 0, 1).await;
        let shots: Vec<Shot> =
            (0..8).map(|number| command(&guest[0], "ACCEPTED", Some(self.cluster.beds[number % 4]))).collect();
        let (won, _) = self.storm(&shots).await?;
        self.clear(&guest).await;
        exactly(won, 1)
    }

    async fn movers_to_one_bed(&mut self) -> Checked {
        let beds = self.cluster.beds[..4].to_vec();
        let guests = self.housed(0, &beds[..3]).await;
        let shots: Vec<Shot> = guests.iter().map(|guest| command(guest, "REASSIGNED", Some(beds[3]))).collect();
        let (won, _) = self.storm(&shots).await?;
        self.clear(&guests).await;
        exactly(won, 1)
    }

    /// A and B, B and C; or all three in a circle, each command from several clients.
    async fn swaps(&mut self, circle: bool) -> Checked {
        let beds = self.cluster.beds[..3].to_vec();
        let guests = self.housed(0, &beds).await;
        let count = if circle { 9 } else { 2 };
        let shots: Vec<Shot> =
            (0..count).map(|number| command(&guests[number % 3], "SWAP", Some(beds[(number % 3 + 1) % 3]))).collect();
        let (won, _) = self.storm(&shots).await?;
        let mut after = Vec::new();
        for guest in &guests {
            after.extend(self.bed_of(guest).await);
        }
        self.clear(&guests).await;
        let mut kept = beds;
        kept.sort_unstable();
        after.sort_unstable();
        if after == kept && won >= 1 { Ok(()) } else { Err(format!("{won} swaps: {kept:?} became {after:?}")) }
    }

    async fn discharge_against_swap(&mut self) -> Checked {
        let beds = self.cluster.beds[..2].to_vec();
        let guests = self.housed(0, &beds).await;
        let shots = [command(&guests[0], "DISCHARGED", None), command(&guests[1], "SWAP", Some(beds[0]))];
        let (_, answers) = self.storm(&shots).await?;
        let stays = self.bed_of(&guests[1]).await;
        self.clear(&guests).await;
        let wanted = Some(if answers[1].status == 200 { beds[0] } else { beds[1] });
        let left = answers[0].status == 200;
        if left && stays == wanted { Ok(()) } else { Err(format!("left: {left}, in {stays:?} and not {wanted:?}")) }
    }

    /// The bed of a discharged guest is given to another guest while four admins undo the discharge.
    async fn undo_against_accept(&mut self) -> Checked {
        let bed = self.cluster.beds[self.dice.index(BEDS)];
        let left = self.housed(0, &[bed]).await;
        self.cluster.one(command(&left[0], "DISCHARGED", None)).await.expect(200);
        let waits = self.guests(world::HARBOR_HOUSE, 1, 1).await;
        let undo = || Shot { token: Some(world::ADMIN), ..undo(&left[0], 3) };
        let shots = [undo(), command(&waits[0], "ACCEPTED", Some(bed)), undo(), undo(), undo()];
        let (won, answers) = self.storm(&shots).await?;
        let is_back = self.bed_of(&left[0]).await == Some(bed);
        let is_given = self.bed_of(&waits[0]).await == Some(bed);
        self.clear(&[left, waits].concat()).await;
        let fits = is_back != is_given && is_given == (answers[1].status == 200);
        if fits { exactly(won, 1) } else { Err(format!("back: {is_back}, given to another: {is_given}")) }
    }

    /// An accept is undone repeatedly while the guest is moved and discharged and another guest is accepted into the same bed.
    async fn undo_of_an_accept_against_everything(&mut self) -> Checked {
        let (bed, other) = (self.cluster.beds[0], self.cluster.beds[1]);
        let guests = self.guests(world::HARBOR_HOUSE, 0, 2).await;
        self.cluster.one(command(&guests[0], "ACCEPTED", Some(bed))).await.expect(200);
        let undo = || undo(&guests[0], 2);
        let shots = [
            undo(),
            command(&guests[0], "REASSIGNED", Some(other)),
            undo(),
            command(&guests[1], "ACCEPTED", Some(bed)),
            command(&guests[0], "DISCHARGED", None),
            undo(),
        ];
        let (_, answers) = self.storm(&shots).await?;
        let undone = [0, 2, 5].into_iter().filter(|shot| answers[*shot].status == 200).count();
        let [moved, given, left] = [1, 3, 4].map(|shot| answers[shot].status == 200);
        let first = self.cluster.one(Shot::get(format!("/api/Guests/{}", guests[0]), world::ADMIN)).await.expect(200);
        let has_bed = self.bed_of(&guests[1]).await == Some(bed);
        self.clear(&guests).await;
        // A later change than the accept is not undone.
        let ends = match first["status"].as_str() {
            Some("pending") => undone == 1 && !moved && !left,
            Some("accepted" | "reassigned" | "discharged") => undone == 0,
            _ => false,
        };
        let fits = ends && has_bed == given && (!given || undone > 0 || moved || left);
        if fits { Ok(()) } else { Err(format!("{undone} undone, moved {moved}, given {given}, left {left}: {first}")) }
    }

    /// Declines are undone while others reserve the remaining beds.
    async fn undo_of_declines_against_reservations(&mut self) -> Checked {
        let declined = self.guests(world::OPEN_DOOR, 0, 2).await;
        let decline: Vec<Shot> = declined.iter().map(|guest| command(guest, "REJECTED", None)).collect();
        self.cluster.fire(&decline).await;
        let undo = |guest: &String| Shot { token: Some(world::ADMIN), ..undo(guest, 2) };
        let mut shots: Vec<Shot> = declined.iter().chain(&declined).map(undo).collect();
        shots.extend((2..6).map(|number| add(world::OPEN_DOOR, number)));
        let (won, _) = self.storm(&shots).await?;
        let path = format!("/api/Guests?siteId={}", world::OPEN_DOOR);
        let list = self.cluster.one(Shot::get(path, world::ADMIN)).await.expect(200);
        let all: Vec<String> = list["items"].as_array().into_iter().flatten().map(id).collect();
        self.clear(&all).await;
        exactly(won, 2)
    }

    /// A new client from its own address, so that it has reached no limit.
    fn stranger(&mut self) -> Client {
        self.strangers += 1;
        let [_, a, b, c] = self.strangers.to_be_bytes();
        let node = &self.cluster.nodes[self.strangers as usize % self.cluster.nodes.len()];
        Client::new(node.address, Ipv4Addr::new(127, a + 1, b, c))
    }

    async fn last_unit_of_capacity(&mut self) -> Checked {
        let first = self.guests(world::OPEN_DOOR, 100, 1).await;
        let mut strangers: Vec<Client> = (0..4).map(|_| self.stranger()).collect();
        let mut public = Vec::new();
        for (number, stranger) in strangers.iter_mut().enumerate() {
            let person = FIRST_STRANGER + usize::try_from(self.strangers).unwrap() + number;
            public.push(ask_for(&self.db, stranger, world::OPEN_DOOR, person).await?);
        }
        let own: Vec<Shot> = (4..12).map(|number| add(world::OPEN_DOOR, number)).collect();
        let outside = join_all(strangers.iter_mut().zip(&public).map(|(client, shot)| client.send(shot)));
        let (mut answers, outside) = tokio::join!(self.cluster.fire(&own), outside);
        let outside: Vec<Answer> =
            outside.into_iter().map(|answer| answer.expect("a server that lives answers")).collect();
        self.cluster.count_errors(&outside);
        answers.extend(outside);
        let won = self.judge(&answers);
        let path = format!("/api/Guests?siteId={}", world::OPEN_DOOR);
        let list = self.cluster.one(Shot::get(path, world::ADMIN)).await.expect(200);
        let all: Vec<String> = list["items"].as_array().into_iter().flatten().map(id).collect();
        self.clear(&[first, all].concat()).await;
        exactly(won?, 1)
    }

    async fn two_reservations_of_a_person(&mut self) -> Checked {
        let shots: Vec<Shot> = (0..8)
            .map(|number| {
                let site = if number % 3 == 0 { world::OPEN_DOOR } else { world::HARBOR_HOUSE };
                let mut form = steps::form(site, 1);
                if number % 2 == 0 {
                    form["email"] = json!(format!("other{number}@guests.example"));
                }
                Shot::new("POST", "/api/Guests", world::INTAKE, form)
            })
            .collect();
        let (won, answers) = self.storm(&shots).await?;
        let made: Vec<String> =
            answers.iter().filter(|answer| answer.status == 201).map(|answer| id(&answer.body)).collect();
        self.clear(&made).await;
        exactly(won, 2)
    }

    /// The hold ends while three clients accept the guest. The servers' own jobs record the end.
    async fn expiry_against_accept(&mut self) -> Checked {
        const SHORTEN: &str = "UPDATE guests SET expires_at = $2 WHERE code = $1 RETURNING id";
        let mut stranger = self.stranger();
        let person = FIRST_STRANGER + usize::try_from(self.strangers).unwrap();
        let confirm = ask_for(&self.db, &mut stranger, world::HARBOR_HOUSE, person).await?;
        let reserved = stranger.send(&confirm).await.map_err(|error| error.to_string())?.expect(201);
        let end = system(&self.db).now().plus_millis(20 + i64::try_from(self.dice.below(60)).unwrap());
        let mut tx = self.db.begin().await.unwrap();
        let code = reserved["code"].as_str().unwrap_or_default();
        let guest: uuid::Uuid = tx.query(SHORTEN).bind(code).bind(end).scalar().await.unwrap();
        tx.commit().await.unwrap();
        let guest = guest.to_string();
        tokio::time::sleep(Duration::from_millis(self.dice.below(80))).await;
        let shots: Vec<Shot> =
            (0..3).map(|number| command(&guest, "ACCEPTED", Some(self.cluster.beds[number]))).collect();
        let (won, _) = self.storm(&shots).await?;
        let shot = Shot::get(format!("/api/Guests/{guest}"), world::ADMIN);
        let now = self.cluster.one(shot).await.expect(200);
        self.clear(&[guest]).await;
        let in_time = || now["acceptedAt"].as_str() < now["expiresAt"].as_str();
        match (won, now["status"].as_str()) {
            (1, Some("accepted")) if in_time() => Ok(()),
            (0, Some("expired")) if now["acceptedAt"].is_null() => Ok(()),
            _ => Err(format!("{won} accepted: {now}")),
        }
    }

    /// The guest cancels repeatedly while three clients accept the guest.
    async fn cancel_against_accept(&mut self) -> Checked {
        const BY_CODE: &str = "SELECT id FROM guests WHERE code = $1";
        let mut stranger = self.stranger();
        let person = FIRST_STRANGER + usize::try_from(self.strangers).unwrap();
        let confirm = ask_for(&self.db, &mut stranger, world::HARBOR_HOUSE, person).await?;
        let reserved = stranger.send(&confirm).await.map_err(|error| error.to_string())?.expect(201);
        let code = reserved["code"].as_str().unwrap_or_default().to_owned();
        let guest: uuid::Uuid = self.db.query(BY_CODE).bind(code.as_str()).scalar().await.unwrap();
        let guest = guest.to_string();
        let body = json!({"phoneLastFour": format!("{person:04}")});
        let path = format!("/api/public/reservations/{code}/cancel");
        let cancel = Shot { token: None, ..Shot::new("POST", path, "", body) };
        let accepts: Vec<Shot> =
            (0..3).map(|number| command(&guest, "ACCEPTED", Some(self.cluster.beds[number]))).collect();
        let cancels = async {
            let mut answers = Vec::new();
            for _ in 0..3 {
                answers.push(stranger.send(&cancel).await.expect("a server that lives answers"));
            }
            answers
        };
        let (accepted, cancelled) = tokio::join!(self.cluster.fire(&accepts), cancels);
        self.cluster.count_errors(&cancelled);
        let (accepted, cancelled) = (self.judge(&accepted)?, self.judge(&cancelled)?);
        let now = self.cluster.one(Shot::get(format!("/api/Guests/{guest}"), world::ADMIN)).await.expect(200);
        self.clear(&[guest]).await;
        match (accepted, cancelled, now["status"].as_str()) {
            (1, 0, Some("accepted")) if now["cancelledAt"].is_null() => Ok(()),
            (0, 3, Some("rejected")) if now["cancelledAt"].is_string() => Ok(()),
            _ => Err(format!("{accepted} accepted, {cancelled} cancelled: {now}")),
        }
    }

    /// Two reservations are merged into each other, both ways, while both are accepted.
    async fn merges_against_accepts(&mut self) -> Checked {
        let guests = self.guests(world::HARBOR_HOUSE, 0, 2).await;
        let [one, other] = [&guests[0], &guests[1]];
        let accept = |number: usize| command(&guests[number], "ACCEPTED", Some(self.cluster.beds[number]));
        let shots = [merge(one, other), accept(0), merge(other, one), merge(one, other), accept(1), merge(other, one)];
        let (_, answers) = self.storm(&shots).await?;
        let won = |number: usize| answers[number].status == 200;
        let merged = [0, 2, 3, 5].into_iter().filter(|number| won(*number)).count();
        let accepted = [1, 4].into_iter().filter(|number| won(*number)).count();
        let mut in_bed = 0;
        let mut closed = 0;
        for guest in &guests {
            let now = self.cluster.one(Shot::get(format!("/api/Guests/{guest}"), world::ADMIN)).await.expect(200);
            closed += usize::from(now["mergedAt"].is_string() && now["status"] == "rejected");
            in_bed += usize::from(now["status"] == "accepted" && now["mergedAt"].is_null());
        }
        self.clear(&guests).await;
        let fits = (in_bed, closed) == (accepted, merged) && merged <= 1 && merged + accepted == 2;
        if fits {
            Ok(())
        } else {
            Err(format!("{merged} merged, {accepted} accepted; {closed} closed, {in_bed} in bed"))
        }
    }

    /// A merge is undone repeatedly while others reserve the only bed that is left.
    async fn undo_of_a_merge_against_reservations(&mut self) -> Checked {
        let guests = self.guests(world::OPEN_DOOR, 0, 2).await;
        self.cluster.one(merge(&guests[0], &guests[1])).await.expect(200);
        let path = format!("/api/Guests/{}/unmerge", guests[1]);
        let undo = || Shot::new("POST", path.clone(), world::ADMIN, json!({"version": 2}));
        let mut shots = vec![undo(), undo(), undo()];
        shots.extend((2..6).map(|number| add(world::OPEN_DOOR, number)));
        let (won, _) = self.storm(&shots).await?;
        let path = format!("/api/Guests?siteId={}", world::OPEN_DOOR);
        let list = self.cluster.one(Shot::get(path, world::ADMIN)).await.expect(200);
        let all: Vec<String> = list["items"].as_array().into_iter().flatten().map(id).collect();
        self.clear(&all).await;
        exactly(won, 1)
    }

    /// An offered bed is taken and declined by several clients while another guest moves to it.
    async fn answers_to_an_offer(&mut self) -> Checked {
        let beds = [world::BED_F, world::BED_G];
        let guests = self.guests(world::OPEN_DOOR, 0, 2).await;
        for (guest, bed) in guests.iter().zip(beds) {
            self.cluster.one(command(guest, "ACCEPTED", Some(bed))).await.expect(200);
        }
        let body = json!({"guest": steps::form(world::OPEN_DOOR, 2)});
        let wait = Shot::new("POST", format!("/api/Sites/{}/waitlist", world::OPEN_DOOR), world::ADMIN, body);
        let waiting = id(&self.cluster.one(wait).await.expect(201));
        self.cluster.one(command(&guests[0], "DISCHARGED", None)).await.expect(200);
        self.offer(&waiting, world::BED_F).await;
        let path = format!("/api/Waitlist/{waiting}");
        let take = || Shot::new("POST", format!("{path}/take"), world::ADMIN, json!({"version": 2}));
        let decline = || Shot::new("PATCH", path.clone(), world::ADMIN, json!({"command": "DECLINE", "version": 2}));
        let shots =
            [take(), decline(), command(&guests[1], "REASSIGNED", Some(world::BED_F)), take(), decline(), take()];
        let (_, answers) = self.storm(&shots).await?;
        let won = |numbers: &[usize]| numbers.iter().filter(|number| answers[**number].status < 300).count();
        let (taken, declined, moved) = (won(&[0, 3, 5]), won(&[1, 4]), won(&[2]));
        let leave = json!({"command": "LEAVE", "version": 3});
        self.cluster.fire(&[Shot::new("PATCH", path, world::ADMIN, leave)]).await;
        let list = Shot::get(format!("/api/Guests?siteId={}", world::OPEN_DOOR), world::ADMIN);
        let list = self.cluster.one(list).await.expect(200);
        let all: Vec<String> = list["items"].as_array().into_iter().flatten().map(id).collect();
        self.clear(&all).await;
        let fits = taken + declined == 1 && moved <= declined && all.len() == 1 + taken;
        if fits { Ok(()) } else { Err(format!("{taken} taken, {declined} declined, {moved} moved: {list}")) }
    }

    /// Stores an open offer, as the job would once the bed has been free for ten seconds.
    async fn offer(&mut self, waiting: &str, bed: BedId) {
        const OFFER: &str = "INSERT INTO bed_offers (id, waiting_guest_id, site_id, bed_id, offered_at, expires_at) \
            SELECT w.id, w.id, w.site_id, $2, $3, $4 FROM waiting_guests w WHERE w.id = $1";
        const RAISE: &str = "UPDATE waiting_guests SET version = version + 1 WHERE id = $1";
        const COUNT: &str = "UPDATE site_counts SET offered = 1 WHERE site_id = $1";
        const TOUCH: &str = "UPDATE sites SET version = version WHERE id = $1";
        let (waiting, now): (uuid::Uuid, _) = (waiting.parse().unwrap(), system(&self.db).now());
        let mut tx = self.db.begin().await.unwrap();
        tx.query(TOUCH).bind(world::OPEN_DOOR).execute().await.unwrap();
        let offer = tx.query(OFFER).bind(waiting).bind(bed).bind(now).bind(now.plus_minutes(30));
        offer.execute().await.unwrap();
        tx.query(RAISE).bind(waiting).execute().await.unwrap();
        tx.query(COUNT).bind(world::OPEN_DOOR).execute().await.unwrap();
        tx.commit().await.unwrap();
    }

    async fn round(&mut self, number: u64) -> Checked {
        match number % KINDS {
            0 => self.many_guests_one_bed().await,
            1 => self.one_guest_many_beds().await,
            2 => self.movers_to_one_bed().await,
            3 => self.swaps(false).await,
            4 => self.swaps(true).await,
            5 => self.discharge_against_swap().await,
            6 => self.last_unit_of_capacity().await,
            7 => self.two_reservations_of_a_person().await,
            8 => self.undo_against_accept().await,
            9 => self.undo_of_declines_against_reservations().await,
            10 => self.cancel_against_accept().await,
            11 => self.undo_of_an_accept_against_everything().await,
            12 => self.merges_against_accepts().await,
            13 => self.undo_of_a_merge_against_reservations().await,
            14 => self.answers_to_an_offer().await,
            _ => self.expiry_against_accept().await,
        }
    }
}

/// Strangers have their own phones, because a phone gets few codes.
const FIRST_STRANGER: usize = 2000;

/// Requests a reservation. Returns its confirmation with the code from the outbox.
async fn ask_for(db: &Db, stranger: &mut Client, site: SiteId, person: usize) -> Result<Shot, String> {
    let ask = Shot { token: None, ..Shot::new("POST", "/api/public/reservations", "", steps::form(site, person)) };
    let asked = stranger.send(&ask).await.map_err(|error| error.to_string())?.expect(202);
    Ok(confirmation(db, &asked, steps::phone(person)).await)
}

fn exactly(won: usize, wanted: usize) -> Checked {
    if won == wanted { Ok(()) } else { Err(format!("{won} won instead of {wanted}")) }
}

/// Checks that ended holds are recorded once and soon, and that every stream got every version once, in order.
async fn settle(storm: &Storm, watchers: &[Watcher], versions: &BTreeMap<String, i64>) -> Checked {
    const OPEN: &str = "SELECT COUNT(*) FROM guests WHERE expires_at <= $1 AND accepted_at IS NULL AND rejected_at IS NULL \
        AND expired_at IS NULL";
    const TWICE: &str = "SELECT COUNT(*) FROM (SELECT object_id FROM audit WHERE action = 'guest.expired' \
        GROUP BY object_id HAVING COUNT(*) > 1) doubled";
    let (db, start) = (&storm.db, Instant::now());
    let app = system(db);
    loop {
        let open: i64 = db.query(OPEN).bind(app.now()).scalar().await.unwrap();
        if open == 0 {
            break;
        }
        if start.elapsed() > Duration::from_secs(30) {
            return Err(format!("{open} holds are over and not recorded"));
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let twice: i64 = db.query(TWICE).scalar().await.unwrap();
    if twice > 0 {
        return Err(format!("{twice} holds expired twice"));
    }
    let after = versions_of(db).await;
    for (site, first) in versions {
        for (node, watcher) in watchers.iter().enumerate() {
            let patience = Instant::now();
            while watcher.versions(site).last().unwrap_or(first) < &after[site]
                && patience.elapsed() < Duration::from_secs(10)
            {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            let heard = watcher.versions(site);
            // A change committed before a stream was ready may reach its node, and so the stream, a moment later.
            let from = heard.first().map_or(first + 1, |heard| *heard.min(&(first + 1)));
            let wanted: Vec<i64> = (from..=after[site]).collect();
            if heard != wanted || watcher.resyncs() > 0 {
                let (count, resyncs) = (heard.len(), watcher.resyncs());
                let odd = heard.iter().zip(&wanted).find(|(heard, wanted)| heard != wanted);
                return Err(format!("node {node} told {count} of {} versions, {resyncs} gaps, {odd:?}", wanted.len()));
            }
        }
    }
    Ok(())
}

async fn versions_of(db: &Db) -> BTreeMap<String, i64> {
    let rows: Vec<(uuid::Uuid, i64)> = db.query("SELECT id, version FROM sites ORDER BY id").all().await.unwrap();
    rows.into_iter().map(|(site, version)| (site.to_string(), version)).collect()
}

async fn storms(engine: Engine) {
    let rounds = told("BERTH_PROOF_ROUNDS").unwrap_or(SHORT);
    let first = seed();
    eprintln!("storms on {engine:?}: {rounds} rounds from BERTH_PROOF_SEED={first}");
    let (mut complaints, mut events, start) = (String::new(), 0, Instant::now());
    let (mut losers, mut alone) = (Times::default(), Times::default());
    let (mut done, mut violations, mut server_errors) = (0, 0, 0);
    while done < rounds {
        let mut dice = Dice::new(first + done);
        let cluster = Cluster::new(engine, &mut dice).await;
        let db = cluster.db().await;
        let mut storm = Storm { cluster, db, dice, losers, alone, strangers: 0 };
        let versions = versions_of(&storm.db).await;
        let mut watchers = Vec::new();
        for node in &storm.cluster.nodes {
            watchers.push(Watcher::new(node.address, world::GLOBAL).await.unwrap());
        }
        let until = rounds.min(done + ROUNDS_OF_A_WORLD);
        while done < until {
            let outcome = storm.round(done).await;
            let broken = recount(&storm.db).await;
            if outcome.is_err() || !broken.is_empty() {
                violations += 1;
                let _ = writeln!(complaints, "round {done} (kind {}): {outcome:?} {broken:#?}", done % KINDS);
            }
            done += 1;
        }
        if let Err(complaint) = settle(&storm, &watchers, &versions).await {
            violations += 1;
            let _ = writeln!(complaints, "after round {done}: {complaint}");
        }
        events +=
            watchers.iter().map(|watcher| watcher.versions(&world::HARBOR_HOUSE.to_string()).len()).sum::<usize>();
        drop(watchers);
        server_errors += storm.cluster.server_errors;
        (losers, alone) = (storm.losers, storm.alone);
        storm.db.close().await;
        storm.cluster.end().await;
    }
    let seconds = start.elapsed().as_secs();
    eprintln!(
        "FIGURE storms on {engine:?}: {rounds} rounds, {} losers (p50 {:.1} ms, p99 {:.1} ms; a command alone p50 {:.1} ms, \
         p99 {:.1} ms), {events} live events, {server_errors} answers 5xx, {violations} violations, {seconds} s",
        losers.len(),
        losers.percentile(50),
        losers.percentile(99),
        alone.percentile(50),
        alone.percentile(99),
    );
    let engine = name_of(engine);
    let figures = Figures { proof: "storms", engine, seed: first, count: rounds, violations, server_errors, seconds };
    figures.tell(&[("loser", &losers), ("alone", &alone)], &[("live events", u64::try_from(events).unwrap())]);
    assert!(complaints.is_empty(), "{complaints}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn storms_on_one_process_on_sqlite() {
    storms(Engine::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn storms_on_two_processes_on_postgres() {
    storms(Engine::Postgres).await;
}
