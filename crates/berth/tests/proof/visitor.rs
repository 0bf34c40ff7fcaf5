//! Public writers for the kills: people without an account who request a bed, confirm with the code from the text message,
//! and cancel.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use berth_db::Db;
use serde_json::{Value, json};

use crate::client::{Client, Shot};
use crate::cluster::confirmation;
use crate::{steps, world};

/// Visitors have their own phones, because a phone gets few codes.
const FIRST_PHONE: usize = 3000;

/// An acknowledged reservation.
#[derive(Debug, Clone)]
struct Reserved {
    code: String,
    is_cancelled: bool,
}

/// The next step of the current visitor.
#[derive(Debug, Clone)]
enum Next {
    Ask,
    /// Confirm, with the answer to the request.
    Confirm(Value),
    Cancel,
}

/// One visitor after the other, each from their own address.
#[derive(Debug, Default)]
pub struct Visitors {
    /// Number of visitors so far, including the current one.
    count: usize,
    next: Option<Next>,
    journal: Vec<Reserved>,
    /// The call that was sent and not answered.
    in_hand: Option<Shot>,
    /// Number of answered changes.
    pub acknowledged: u64,
}

impl Visitors {
    /// Number of reservations that are known to exist.
    pub fn reserved(&self) -> i64 {
        i64::try_from(self.journal.len()).unwrap_or(i64::MAX)
    }

    /// Returns true if something was sent and not answered.
    pub const fn is_waiting(&self) -> bool {
        self.in_hand.is_some()
    }

    fn client(&self, server: SocketAddr) -> Client {
        let [.., a, b] = self.count.to_be_bytes();
        Client::new(server, Ipv4Addr::new(127, 9, a, b))
    }

    /// The current visitor's next call.
    async fn shot(&mut self, db: &Db) -> Shot {
        let phone = FIRST_PHONE + self.count;
        let key = |step: &str| Some(format!("visitor-{}-{step}", self.count));
        match self.next.clone().unwrap_or(Next::Ask) {
            Next::Ask => {
                let form = steps::form(world::HARBOR_HOUSE, phone);
                Shot { token: None, key: key("asks"), ..Shot::new("POST", "/api/public/reservations", "", form) }
            }
            Next::Confirm(asked) => {
                Shot { key: key("confirms"), ..confirmation(db, &asked, steps::phone(phone)).await }
            }
            Next::Cancel => {
                let code = self.journal.last().map(|reserved| reserved.code.clone()).unwrap_or_default();
                let body = json!({"phoneLastFour": format!("{phone:04}")});
                Shot { token: None, ..Shot::new("POST", format!("/api/public/reservations/{code}/cancel"), "", body) }
            }
        }
    }

    /// Records an acknowledged change.
    fn note(&mut self, status: u16, body: &Value) -> Result<(), String> {
        self.in_hand = None;
        let next = self.next.take().unwrap_or(Next::Ask);
        let expected = match next {
            Next::Ask => 202,
            Next::Confirm(_) => 201,
            Next::Cancel => 200,
        };
        if status != expected {
            return Err(format!("visitor {}, {next:?}: {status} {body}", self.count));
        }
        self.acknowledged += 1;
        match next {
            Next::Ask => self.next = Some(Next::Confirm(body.clone())),
            Next::Confirm(_) => {
                let code = body["code"].as_str().unwrap_or_default().to_owned();
                self.journal.push(Reserved { code, is_cancelled: false });
                self.next = Some(Next::Cancel);
            }
            Next::Cancel => {
                if let Some(last) = self.journal.last_mut() {
                    last.is_cancelled = true;
                }
                self.count += 1;
            }
        }
        Ok(())
    }

    /// Makes calls until the server is gone or `stop` is set. `db` is for the codes of text messages.
    pub async fn come(mut self, db: Db, server: SocketAddr, stop: Arc<AtomicBool>) -> (Self, Result<(), String>) {
        let mut outcome = Ok(());
        while outcome.is_ok() && !stop.load(Ordering::Relaxed) {
            let shot = self.shot(&db).await;
            self.in_hand = Some(shot.clone());
            let Ok(answer) = self.client(server).send(&shot).await else { break };
            outcome = self.note(answer.status, &answer.body);
        }
        db.close().await;
        (self, outcome)
    }

    /// After the restart, repeats the unanswered call, which is answered as if nothing had happened.
    pub async fn settle(&mut self, server: SocketAddr) -> Result<(), String> {
        let Some(shot) = self.in_hand.clone() else { return Ok(()) };
        let answer = self.client(server).send(&shot).await.map_err(|error| error.to_string())?;
        self.note(answer.status, &answer.body)
    }

    /// Checks that every reservation of the journal is there, and is cancelled if that was acknowledged.
    pub async fn read_back(&self, db: &Db) -> Result<(), String> {
        const RESERVED: &str = "SELECT code, cancelled_at FROM guests WHERE source = 'Web' AND site_id = $1";
        let rows = db.query(RESERVED).bind(world::HARBOR_HOUSE).all().await;
        let rows: Vec<(String, Option<i64>)> = rows.map_err(|error| error.to_string())?;
        let stored: std::collections::HashMap<String, bool> =
            rows.into_iter().map(|(code, cancelled_at)| (code, cancelled_at.is_some())).collect();
        let wrong = self.journal.iter().find(|reserved| stored.get(&reserved.code) != Some(&reserved.is_cancelled));
        wrong.map_or(Ok(()), |wrong| Err(format!("acknowledged {wrong:?}, stored {:?}", stored.get(&wrong.code))))
    }
}
