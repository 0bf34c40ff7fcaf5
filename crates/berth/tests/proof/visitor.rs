//! A writer of another kind for the kills: people without an account who ask for a bed, confirm with the code of the text
//! message, and cancel.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use berth_db::Db;
use serde_json::{Value, json};

use crate::client::{Client, Shot};
use crate::cluster::confirmation;
use crate::{steps, world};

/// Visitors have phones of their own: few codes go to one phone.
const FIRST_PHONE: usize = 3000;

/// A reservation that was acknowledged.
#[derive(Debug, Clone)]
struct Reserved {
    code: String,
    is_cancelled: bool,
}

/// What comes next for the present visitor.
#[derive(Debug, Clone)]
enum Next {
    Ask,
    /// With the answer to what was asked.
    Confirm(Value),
    Cancel,
}

/// One visitor after the other, each from an address of their own.
#[derive(Debug, Default)]
pub struct Visitors {
    /// Visitors so far, the present one included.
    count: usize,
    next: Option<Next>,
    journal: Vec<Reserved>,
    /// Sent, not answered.
    in_hand: Option<Shot>,
    /// Changes that were answered.
    pub acknowledged: u64,
}

impl Visitors {
    /// Reservations that are known to have been made.
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

    /// The present visitor's next call.
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

    /// Writes down what was acknowledged.
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

    /// Comes and goes until the server is gone or everybody stops. `db` is for the codes of text messages.
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

    /// After the restart: what was in hand is asked again and answered as if nothing had happened.
    pub async fn settle(&mut self, server: SocketAddr) -> Result<(), String> {
        let Some(shot) = self.in_hand.clone() else { return Ok(()) };
        let answer = self.client(server).send(&shot).await.map_err(|error| error.to_string())?;
        self.note(answer.status, &answer.body)
    }

    /// Every reservation of the journal is there, and is cancelled if that was acknowledged.
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
