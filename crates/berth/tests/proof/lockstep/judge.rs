//! Compares an answer with what the model expects.

use serde_json::{Value, json};
use uuid::Uuid;

use crate::harness::Answer;
use crate::lockstep::{NOBODY, Story};
use crate::model::{Expected, Phase, Shows};
use crate::step::Form;
use crate::waiting::Waiting;
use crate::{steps, world};

impl Story<'_> {
    /// Compares the answer with the model.
    pub(super) async fn judge(&mut self, expected: &Expected, answer: &Answer, text: &str) -> Result<(), String> {
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
            Shows::Nothing | Shows::Unchanged => Ok(()),
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
            Shows::Form(waiting) => {
                let Waiting { form, version, .. } = self.model.waiting_guests[*waiting];
                let wanted = json!([form_view(form), form.kind, version]);
                let guest = &body["guest"];
                let found =
                    json!([[guest["firstName"], guest["phone"], guest["email"]], body["bedType"], body["version"]]);
                if found == wanted { Ok(()) } else { differs("the form", &wanted) }
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

    /// Id, version, priority, wanted type of bed, offers let pass and offered bed of a person on a waitlist, name, phone and email address,
    /// and whether the reason of the priority is shown.
    fn waiting_view(&self, waiting: usize, contact: bool) -> Value {
        let known = &self.model.waiting_guests[waiting];
        let offered = known.offer.map(|(bed, _)| self.beds[bed]);
        let passed = self.model.count_of_passed(waiting);
        let reason = contact && known.has_priority;
        let mut form = form_view(known.form);
        if !contact {
            form[1..].fill(Value::Null);
        }
        json!([known.id, known.version, known.has_priority, known.form.kind, passed, offered, form, reason])
    }
}

/// Name, phone and email address of a form.
fn form_view(form: Form) -> [Value; 3] {
    let of = |person: u8| steps::form(world::OPEN_DOOR, usize::from(person));
    let phone = json!(steps::phone(usize::from(form.contact)));
    [of(form.name)["firstName"].take(), phone, of(form.contact)["email"].take()]
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
    let form = [&body["firstName"], &body["phone"], &body["email"]];
    let offered = &body["offer"]["bedId"];
    let reason = body["priorityReason"].is_string();
    json!([
        body["id"],
        body["version"],
        body["hasPriority"],
        body["bedType"],
        body["passedOffers"],
        offered,
        form,
        reason
    ])
}
