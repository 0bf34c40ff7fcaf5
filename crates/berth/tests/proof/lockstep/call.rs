//! The request of each step.

use axum::http::Method;
use berth_domain::id::SiteId;
use serde_json::json;
use uuid::Uuid;

use crate::lockstep::{NOBODY, Story};
use crate::model::{bed_name, room_name};
use crate::pair::Call;
use crate::step::{Answering, Step, Who};
use crate::{steps, world};

impl Story<'_> {
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
    pub(super) fn call(&self, step: &Step) -> Option<Call> {
        let text = |key: Option<u8>| key.map(|key| format!("key-{key}"));
        let get = |who: Who, path: String| (Method::GET, path, who.token(), None, None);
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
            Step::Edit { who, waiting, edit, third, version, key, .. } => {
                let form = self.model.form_after(waiting, edit);
                let site =
                    self.model.waiting_guest(waiting).map_or(0, |waiting| self.model.waiting_guests[waiting].site);
                let mut guest = steps::form(site_id(site), usize::from(form.contact));
                guest["firstName"] = steps::form(site_id(site), usize::from(form.name))["firstName"].take();
                if third {
                    guest["allowThird"] = json!(true);
                }
                let version = self.model.version_of_waiting(waiting, version);
                let body = json!({"guest": guest, "bedType": form.kind, "version": version});
                (Method::PUT, self.waiting_path(waiting), who.token(), text(key), Some(body))
            }
            Step::Form { who, waiting } => get(who, self.waiting_path(waiting)),
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
}

fn site_id(site: usize) -> SiteId {
    [world::HARBOR_HOUSE, world::OPEN_DOOR, world::FAR_AWAY].get(site).copied().unwrap_or(SiteId(NOBODY))
}
