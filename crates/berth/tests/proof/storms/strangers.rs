//! People on the public side, and the limits of a site and of a person.

use std::net::Ipv4Addr;
use std::time::Duration;

use berth_db::Db;
use berth_domain::id::SiteId;
use futures_util::future::join_all;
use serde_json::json;

use crate::client::{Answer, Client, Shot};
use crate::cluster::{confirmation, system};
use crate::storms::{Checked, Storm, add, command, exactly, id};
use crate::{steps, world};
/// Strangers have their own phones, because a phone gets few codes.
const FIRST_STRANGER: usize = 2000;

impl Storm {
    /// A new client from its own address, so that it has reached no limit.
    fn stranger(&mut self) -> Client {
        self.strangers += 1;
        let [_, a, b, c] = self.strangers.to_be_bytes();
        let node = &self.cluster.nodes[self.strangers as usize % self.cluster.nodes.len()];
        Client::new(node.address, Ipv4Addr::new(127, a + 1, b, c))
    }

    pub(super) async fn last_unit_of_capacity(&mut self) -> Checked {
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
        let all = self.active_at(world::OPEN_DOOR).await;
        self.clear(&[first, all].concat()).await;
        exactly(won?, 1)
    }

    pub(super) async fn two_reservations_of_a_person(&mut self) -> Checked {
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
    pub(super) async fn expiry_against_accept(&mut self) -> Checked {
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
    pub(super) async fn cancel_against_accept(&mut self) -> Checked {
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
}

/// Requests a reservation. Returns its confirmation with the code from the outbox.
async fn ask_for(db: &Db, stranger: &mut Client, site: SiteId, person: usize) -> Result<Shot, String> {
    let ask = Shot { token: None, ..Shot::new("POST", "/api/public/reservations", "", steps::form(site, person)) };
    let asked = stranger.send(&ask).await.map_err(|error| error.to_string())?.expect(202);
    Ok(confirmation(db, &asked, steps::phone(person)).await)
}
