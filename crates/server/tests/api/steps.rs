//! Steps that several tests share: adding guests, reserving, commands, races.

use std::collections::BTreeMap;

use axum::http::Method;
use berth_db::{Db, Engine};
use berth_domain::id::{BedId, SiteId};
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::harness::{Answer, Ask, HOUR, House};
use crate::world;

/// One day, in milliseconds.
pub const DAY: i64 = 24 * HOUR;

/// The form of the `number`-th person at a site. Different persons have different phones and emails.
pub fn form(site: SiteId, number: usize) -> Value {
    let mut form = json!({
        "siteId": site, "gender": 2, "ageServiceId": "age-18-26", "firstName": format!("Person {number}"),
        "lastName": "p", "phone": format!("(714) 555-{number:04}"), "email": format!("Person{number}@guests.example"),
        "location": "Orange, CA", "serviceIds": ["mental-health", "drug-treatment"],
    });
    if site == world::OPEN_DOOR {
        form["mediCalChoice"] = json!("moc");
    } else {
        form["typeOfClientServiceId"] = json!("adults");
        form["paymentMethod"] = json!(1);
    }
    form
}

/// Adds the `number`-th person by hand and returns the guest.
pub async fn add(house: &House, site: SiteId, number: usize) -> Value {
    house.post("/api/Guests", form(site, number)).by(world::ADMIN).send().await.expect(201)
}

/// The id of a guest.
pub fn id(guest: &Value) -> String {
    guest["id"].as_str().unwrap().to_owned()
}

/// A command on a guest, by the intake user.
pub fn command(house: &House, guest: &str, status: &str, bed: Option<BedId>) -> Ask {
    house.patch(&format!("/api/Guests/{guest}"), json!({"status": status, "bedId": bed})).by(world::INTAKE)
}

/// Undoes the last decision about a guest, whichever it is.
pub async fn undo(house: &House, guest: &str, token: &'static str) -> Ask {
    let version =
        house.db().query("SELECT version FROM guests WHERE id = $1").bind(guest.parse::<uuid::Uuid>().unwrap());
    let version: i64 = version.scalar().await.unwrap();
    house.patch(&format!("/api/Guests/{guest}"), json!({"status": "UNDO", "version": version})).by(token)
}

/// Adds the `number`-th person by hand and assigns a bed.
pub async fn place(house: &House, site: SiteId, number: usize, bed: BedId) -> Value {
    let guest = add(house, site, number).await;
    command(house, &id(&guest), "ACCEPTED", Some(bed)).send().await.expect(200)
}

/// The guest as it is now.
pub async fn guest(house: &House, guest: &str) -> Value {
    house.get(&format!("/api/Guests/{guest}")).by(world::ADMIN).send().await.expect(200)
}

/// A public reservation request: its id and the code that was sent for it.
#[derive(Debug, Clone)]
pub struct Asked {
    /// The id in the answer.
    pub id: String,
    /// The code sent by SMS.
    pub otp: String,
}

impl Asked {
    /// The confirmation with this code.
    pub fn with(&self, house: &House, otp: &str) -> Ask {
        house.post(&format!("/api/public/reservations/{}/confirm", self.id), json!({"otp": otp}))
    }

    /// The confirmation with the code that was sent.
    pub fn confirm(&self, house: &House) -> Ask {
        self.with(house, &self.otp)
    }

    /// A code that was not sent.
    pub fn wrong(&self) -> &'static str {
        if self.otp == "000000" { "111111" } else { "000000" }
    }
}

/// The phone of the `number`-th person, as it is stored.
pub fn phone(number: usize) -> String {
    format!("+1714555{number:04}")
}

/// The newest SMS to a phone; empty if there is none.
pub async fn newest_text(house: &House, phone: &str) -> String {
    let texts = house.outbox().await.into_iter().filter(|(channel, to, _)| channel == "sms" && to == phone);
    texts.map(|(_, _, body)| body).next().unwrap_or_default()
}

/// The texts to a guest's phone except for codes, oldest first. Pending texts are written first.
pub async fn guest_texts(house: &House, phone: &str) -> Vec<String> {
    berth_server::jobs::guest_texts::run(&house.app).await.unwrap();
    let texts = house.outbox().await.into_iter().rev().filter(|(channel, to, _)| channel == "sms" && to == phone);
    texts.map(|(_, _, body)| body).filter(|body| code_of(body).is_empty()).collect()
}

/// The six digits at the start of an SMS.
pub fn code_of(text: &str) -> String {
    text.chars().take_while(char::is_ascii_digit).collect()
}

/// The code of the newest SMS to a phone that starts with one; empty if there is none.
pub async fn newest_code(house: &House, phone: &str) -> String {
    let texts = house.outbox().await.into_iter().filter(|(channel, to, _)| channel == "sms" && to == phone);
    texts.map(|(_, _, body)| code_of(&body)).find(|code| code.len() == 6).unwrap_or_default()
}

/// Asks for a reservation for the `number`-th person on the public side.
pub async fn ask_for(house: &House, site: SiteId, number: usize) -> Asked {
    let answer = house.post("/api/public/reservations", form(site, number)).send().await.expect(202);
    Asked { id: id(&answer), otp: newest_code(house, &phone(number)).await }
}

/// Reserves for the `number`-th person on the public side and returns the id of the guest.
pub async fn reserve(house: &House, site: SiteId, number: usize) -> String {
    const BY_CODE: &str = "SELECT id FROM guests WHERE code = $1";
    let answer = ask_for(house, site, number).await.confirm(house).send().await.expect(201);
    let found: uuid::Uuid = house.db().query(BY_CODE).bind(answer["code"].as_str().unwrap()).scalar().await.unwrap();
    found.to_string()
}

/// Links the only insurance company to Harbor Recovery.
pub async fn link_insurer(house: &House) {
    const LINK: &str =
        "INSERT INTO organization_insurance_companies (organization_id, insurance_company_id) VALUES ($1, $2)";
    let mut tx = house.db().begin().await.unwrap();
    tx.query(LINK).bind(world::HARBOR).bind(world::INSURER).execute().await.unwrap();
    tx.commit().await.unwrap();
}

/// Adds more beds to House #1 of Harbor House.
pub async fn more_beds(house: &House, count: usize) -> Vec<BedId> {
    let body = json!({"roomId": world::ROOM_1, "name": "More", "type": "Detox", "count": count});
    let beds = house.ask(Method::POST, "/api/Beds").json(body).by(world::OWNER).send().await.expect(201);
    beds.as_array().unwrap().iter().map(|bed| bed["id"].as_str().unwrap().parse().unwrap()).collect()
}

/// Makes all calls at once, each in its own task.
pub async fn all_at_once(calls: Vec<Ask>) -> Vec<Answer> {
    let mut tasks = JoinSet::new();
    for call in calls {
        tasks.spawn(call.send());
    }
    tasks.join_all().await
}

/// The number of answers with each status.
pub fn statuses(answers: &[Answer]) -> BTreeMap<u16, usize> {
    let mut counted = BTreeMap::new();
    for answer in answers {
        *counted.entry(answer.status).or_default() += 1;
    }
    counted
}

/// The actions in the audit trail, sorted, because the clock of tests does not move and their order is not defined.
pub async fn sorted_trail(house: &House) -> Vec<String> {
    let mut trail = house.trail().await;
    trail.sort_unstable();
    trail
}

/// Removes the triggers that protect the audit trail, as a user with the rights of the database's owner can.
pub async fn disarm(db: &Db) {
    let texts: &[&str] = match db.engine() {
        Engine::Sqlite => &[
            "DROP TRIGGER audit_update",
            "DROP TRIGGER audit_delete",
            "DROP TRIGGER guest_sets_update",
            "DROP TRIGGER guest_sets_delete",
            "DROP TRIGGER audit_seals_update",
            "DROP TRIGGER audit_seals_delete",
        ],
        Engine::Postgres => &[
            "ALTER TABLE audit DISABLE TRIGGER USER",
            "ALTER TABLE guest_sets DISABLE TRIGGER USER",
            "ALTER TABLE audit_seals DISABLE TRIGGER USER",
        ],
    };
    let mut tx = db.begin().await.unwrap();
    for text in texts {
        tx.query(text).execute().await.unwrap();
    }
    tx.commit().await.unwrap();
}
