//! The form of a person on the waitlist is edited while the offer of a bed is answered or lapses. It runs at Far Away,
//! which no other storm uses. Each round adds a Detox bed there and removes it.

use std::collections::HashSet;

use serde_json::{Value, json};

use crate::client::Shot;
use crate::cluster::system;
use crate::storms::{Checked, Storm, id};
use crate::{steps, world};

/// Number of the first person. No other storm uses these people.
const FIRST: usize = 60;
/// Number of people who wait for the bed.
const WAITING: usize = 3;

/// A change of a person on the waitlist.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Change {
    /// Phone and email address become those of another person, and the type of bed is this one.
    Edit(usize, &'static str),
    Take,
    Decline,
    Leave,
}

/// A change with the place of the person in the line and the version that it names.
#[derive(Debug, Clone, Copy)]
struct Sent {
    place: usize,
    version: i64,
    change: Change,
}

impl Sent {
    fn shot(&self, person: &Value) -> Shot {
        let path = format!("/api/Waitlist/{}", id(person));
        let version = self.version;
        let (method, path, body) = match self.change {
            Change::Take => ("POST", format!("{path}/take"), json!({"version": version})),
            Change::Decline => ("PATCH", path, json!({"command": "DECLINE", "version": version})),
            Change::Leave => ("PATCH", path, json!({"command": "LEAVE", "version": version})),
            Change::Edit(number, kind) => {
                let mut guest = steps::form(world::FAR_AWAY, number);
                guest["firstName"] = person["firstName"].clone();
                ("PUT", path, json!({"guest": guest, "bedType": kind, "version": version}))
            }
        };
        Shot::new(method, path, world::OWNER_FOREIGN, body)
    }
}

/// The line before and after the changes, and which of them succeeded.
struct Outcome {
    bed: String,
    before: Vec<Value>,
    after: Vec<Value>,
    /// In the order of the versions that they name.
    succeeded: Vec<Sent>,
    /// The guest who took the bed.
    guest: Option<Value>,
}

impl Storm {
    /// The first person in the line is offered a bed. Several clients edit the form, answer the offer and end the wait for the same
    /// version, others do so for the next one, and the second person is edited. In some rounds the offer lapses meanwhile.
    pub(super) async fn edits_against_answers_to_an_offer(&mut self) -> Checked {
        let bed = self.offered_bed().await;
        let before = self.line().await;
        if before.len() != WAITING || before[0]["offer"]["bedId"] != json!(bed) {
            return Err(format!("bed {bed} is not offered to the first of three people: {}", in_short(&before)));
        }
        let may_lapse = self.dice.below(3) == 0;
        if may_lapse {
            self.let_lapse(&id(&before[0])).await;
        }
        let seen = before[0]["version"].as_i64().unwrap_or_default();
        let of_first = |version, change| Sent { place: 0, version, change };
        let of_second = |change| Sent { place: 1, version: 1, change };
        let mut sent = vec![
            of_first(seen, Change::Edit(FIRST + 4, "Detox")),
            of_first(seen, Change::Edit(FIRST + 5, "Detox")),
            of_first(seen, Change::Edit(FIRST + 6, "Sober Living")),
            of_first(seen, Change::Edit(FIRST + 7, "Treatment")),
            of_first(seen, Change::Take),
            of_first(seen, Change::Decline),
            of_first(seen, Change::Leave),
            of_first(seen + 1, Change::Edit(FIRST + 8, "Treatment")),
            of_first(seen + 1, Change::Edit(FIRST + 9, "Sober Living")),
            of_first(seen + 1, Change::Take),
            of_second(Change::Edit(FIRST + 10, "Detox")),
            of_second(Change::Edit(FIRST + 11, "Treatment")),
        ];
        for place in (1..sent.len()).rev() {
            sent.swap(place, self.dice.index(place + 1));
        }
        let shots: Vec<Shot> = sent.iter().map(|sent| sent.shot(&before[sent.place])).collect();
        let (_, answers) = self.storm(&shots).await?;
        let after = self.line().await;
        let mut succeeded = Vec::new();
        let mut guest = None;
        for (sent, answer) in sent.iter().zip(answers).filter(|(_, answer)| answer.status < 300) {
            succeeded.push(*sent);
            if sent.change == Change::Take {
                guest = Some(answer.body);
            }
        }
        succeeded.sort_by_key(|sent| sent.version);
        let outcome = Outcome { bed, before, after, succeeded, guest };
        let checked = outcome.check(seen, may_lapse);
        self.clear_line(&outcome).await;
        let (before, after, succeeded) = (in_short(&outcome.before), in_short(&outcome.after), outcome.succeeded);
        checked.map_err(|complaint| format!("{complaint}\nbefore: {before}\nsucceeded: {succeeded:?}\nafter: {after}"))
    }

    /// Puts three people on the list and adds a bed, which is offered to the first of them.
    async fn offered_bed(&mut self) -> String {
        let path = format!("/api/Sites/{}/waitlist", world::FAR_AWAY);
        let mut newest = Value::Null;
        for number in 0..=WAITING {
            // No bed fits the last one.
            let kind = if number < WAITING { "Detox" } else { "Treatment" };
            let body = json!({"guest": steps::form(world::FAR_AWAY, FIRST + number), "bedType": kind});
            newest = self.cluster.one(Shot::new("POST", path.clone(), world::OWNER_FOREIGN, body)).await.expect(201);
        }
        let body = json!({"roomId": world::FAR_ROOM, "type": "Detox", "count": 1});
        let beds = self.cluster.one(Shot::new("POST", "/api/Beds", world::OWNER_FOREIGN, body)).await.expect(201);
        // When the last one leaves, the bed is offered, unless the job was faster.
        let leave = Sent { place: 0, version: 1, change: Change::Leave };
        self.cluster.one(leave.shot(&newest)).await.expect(204);
        id(&beds[0])
    }

    async fn line(&mut self) -> Vec<Value> {
        let shot = Shot::get(format!("/api/Sites/{}/waitlist", world::FAR_AWAY), world::OWNER_FOREIGN);
        let list = self.cluster.one(shot).await.expect(200);
        list["items"].as_array().cloned().unwrap_or_default()
    }

    /// Lets the offer to a person end in a few milliseconds.
    async fn let_lapse(&mut self, person: &str) {
        const SHORTEN: &str = "UPDATE bed_offers SET expires_at = $2 WHERE waiting_guest_id = $1 AND ended_at IS NULL";
        let person: uuid::Uuid = person.parse().unwrap();
        let soon = system(&self.db).now().plus_millis(i64::try_from(self.dice.below(20)).unwrap() + 1);
        let mut tx = self.db.begin().await.unwrap();
        tx.query(SHORTEN).bind(person).bind(soon).execute().await.unwrap();
        tx.commit().await.unwrap();
    }

    /// Discharges the guest, removes the bed, and takes everybody off the list.
    async fn clear_line(&mut self, outcome: &Outcome) {
        if let Some(guest) = &outcome.guest {
            let body = json!({"status": "DISCHARGED"});
            let discharge = Shot::new("PATCH", format!("/api/Guests/{}", id(guest)), world::OWNER_FOREIGN, body);
            self.cluster.one(discharge).await.expect(200);
        }
        let path = format!("/api/Beds/{}", outcome.bed);
        let remove = Shot { method: "DELETE", ..Shot::get(path, world::OWNER_FOREIGN) };
        self.cluster.one(remove).await.expect(204);
        for person in self.line().await {
            let version = person["version"].as_i64().unwrap_or_default();
            let leave = Sent { place: 0, version, change: Change::Leave };
            self.cluster.one(leave.shot(&person)).await.expect(204);
        }
    }
}

impl Outcome {
    fn check(&self, seen: i64, may_lapse: bool) -> Checked {
        for (place, version) in [(0, seen), (0, seen + 1), (1, 1)] {
            let succeeded = self.succeeded.iter().filter(|sent| (sent.place, sent.version) == (place, version)).count();
            // At most one change per version succeeds. None may succeed if a lapse or an offer raised the version first, or if that
            // version was never reached.
            let is_needed = (place, version) == (0, seen) && !may_lapse;
            if succeeded > 1 || is_needed && succeeded == 0 {
                return Err(format!("{succeeded} changes of version {version} succeeded"));
            }
        }
        self.check_forms()?;
        self.check_places()?;
        self.check_offers()
    }

    /// The phone of a person and the type of bed that is needed, as they were saved last.
    fn form(&self, place: usize) -> [Value; 2] {
        let edited =
            self.succeeded.iter().rev().filter(|sent| sent.place == place).find_map(|sent| match sent.change {
                Change::Edit(number, kind) => Some([json!(steps::phone(number)), json!(kind)]),
                _ => None,
            });
        edited.unwrap_or_else(|| ["phone", "bedType"].map(|field| self.before[place][field].clone()))
    }

    /// Each person on the list has the phone and needs the type of bed that was saved last, and whoever took the bed or left is gone.
    fn check_forms(&self) -> Checked {
        for (place, person) in self.before.iter().enumerate() {
            let is_end = |sent: &Sent| sent.place == place && matches!(sent.change, Change::Take | Change::Leave);
            let has_ended = self.succeeded.iter().any(is_end);
            let shown = self.after.iter().find(|shown| shown["id"] == person["id"]);
            if shown.is_some() == has_ended {
                return Err(format!("{} is on the list: {}", person["id"], shown.is_some()));
            }
            let form = self.form(place);
            if shown.is_some_and(|shown| [&shown["phone"], &shown["bedType"]] != form.each_ref()) {
                return Err(format!("{} must have the phone and need the type {form:?}", person["id"]));
            }
        }
        Ok(())
    }

    /// The line is in the same order as before, except for those who let an offer pass.
    fn check_places(&self) -> Checked {
        let mut wanted: Vec<&Value> = Vec::new();
        for person in &self.before {
            wanted.extend(self.after.iter().find(|shown| shown["id"] == person["id"]));
        }
        wanted.sort_by_key(|shown| shown["passedOffers"].as_i64());
        let since = |person: &Value| (person["id"].clone(), person["waitsSince"].clone());
        let kept = self.after.iter().all(|shown| self.before.iter().any(|person| since(person) == since(shown)));
        if kept && wanted.into_iter().eq(&self.after) { Ok(()) } else { Err("the order has changed".to_owned()) }
    }

    /// No bed is offered to two people or to somebody who needs another one. The bed is with the guest who took it, who needed it and has the
    /// phone of the form that was saved last, or offered to the first person who needs it and did not let it pass.
    fn check_offers(&self) -> Checked {
        let mut offered = HashSet::new();
        for person in self.after.iter().filter(|person| person["offer"].is_object()) {
            let offer = &person["offer"];
            if !offered.insert(offer["bedId"].to_string()) || person["bedType"] != offer["bedType"] {
                return Err(format!("{} must not be offered {}", person["id"], offer["bedId"]));
            }
        }
        let bed = json!(self.bed);
        let holder = self.after.iter().find(|person| person["offer"]["bedId"] == bed);
        let holder_id = holder.map_or(&Value::Null, |holder| &holder["id"]);
        if let Some(guest) = &self.guest {
            let form = self.form(0);
            let has_bed = holder.is_none() && guest["assignedBedId"] == bed;
            let is_right = has_bed && [&guest["phone"], &guest["bed"]["type"]] == form.each_ref();
            let complaint =
                format!("the guest has the phone {} and needed {form:?}; {holder_id} has the offer", guest["phone"]);
            return if is_right { Ok(()) } else { Err(complaint) };
        }
        let is_next = |person: &&Value| person["bedType"] == "Detox" && person["passedOffers"] == 0;
        let next = self.after.iter().find(is_next);
        let sober = self.after.iter().find(|person| person["bedType"] == "Sober Living");
        let is_offered_other = sober.is_none_or(|person| person["offer"]["bedId"] == json!(world::BED_H));
        let is_right = holder == next && is_offered_other;
        if is_right { Ok(()) } else { Err(format!("bed {bed} is offered to {holder_id}")) }
    }
}

/// What a complaint shows of a line.
fn in_short(line: &[Value]) -> Value {
    let fields = ["id", "version", "phone", "bedType", "passedOffers", "waitsSince"];
    let person = |person: &Value| json!([fields.map(|field| &person[field]), person["offer"]["bedId"]]);
    line.iter().map(person).collect()
}
