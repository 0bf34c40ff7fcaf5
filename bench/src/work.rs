//! The work of clients: each function makes the work of one client.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Barrier, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use serde_json::Value;

use crate::client::{Client, header, request};
use crate::crowd::{Step, Work};
use crate::world::{Board, World, intake, owner};

/// A counter that makes every form and every key of a process unique.
static SERIAL: AtomicUsize = AtomicUsize::new(0);

fn serial() -> usize {
    SERIAL.fetch_add(1, Ordering::Relaxed)
}

/// A number that no earlier run of the same world used, because keys are stored for a day.
fn fresh() -> String {
    format!("{:x}-{}", crate::world::now(), serial())
}

/// A call of a signed-in user, as complete bytes.
#[must_use]
pub fn call(token: &str, method: &str, path: &str, body: Option<&str>) -> Vec<u8> {
    let authorization = format!("Authorization: Bearer {token}");
    if method == "GET" {
        return request(method, path, &[&authorization], body);
    }
    let key = format!("Idempotency-Key: {}", fresh());
    request(method, path, &[&authorization, &key], body)
}

/// Sends one request and times it.
fn step(client: &mut Client, kind: &'static str, bytes: &[u8]) -> anyhow::Result<Step> {
    let begun = Instant::now();
    let status = client.send(bytes)?.status;
    Ok(Step { kind, status, took: begun.elapsed() })
}

/// Sends one request, times it, and reads the JSON of its answer.
fn step_with_body(client: &mut Client, kind: &'static str, bytes: &[u8]) -> anyhow::Result<(Step, Value)> {
    let begun = Instant::now();
    let answer = client.send(bytes)?;
    let step = Step { kind, status: answer.status, took: begun.elapsed() };
    Ok((step, serde_json::from_slice(answer.body).unwrap_or(Value::Null)))
}

/// Repeats the same request.
#[must_use]
pub fn repeat(address: SocketAddr, kind: &'static str, bytes: Vec<u8>) -> Work<'static> {
    let mut client = Client::new(address);
    Box::new(move || step(&mut client, kind, &bytes))
}

/// P1: the board of 20 beds.
#[must_use]
pub fn board(address: SocketAddr, world: &World, number: usize) -> Work<'static> {
    let path = format!("/api/Beds?siteId={}", world.usual.site);
    repeat(address, "board", call(&intake(number), "GET", &path, None))
}

/// The body that adds a guest by hand.
#[must_use]
pub fn form(site: &str) -> String {
    let number = serial();
    let digits = (crate::world::now() as usize + number * 7_919) % 10_000_000;
    // A geographic area code: the middle digit is 0 or 1, and codes that end with 11 or 00 are left out.
    let area = 201 + number % 8 * 100 + number / 8 % 9;
    let phone = format!("({area}) 7{:02}-{:04}", 12 + digits / 10_000 % 80, digits % 10_000);
    format!(
        "{{\"siteId\":\"{site}\",\"gender\":2,\"ageServiceId\":\"age-18-26\",\"firstName\":\"Robin\",\"lastName\":\"p\",\
         \"phone\":\"{phone}\",\"email\":\"{}@guests.example\",\"location\":\"Orange, CA\",\
         \"serviceIds\":[\"mental-health\",\"drug-treatment\"],\"typeOfClientServiceId\":\"adults\",\"paymentMethod\":1}}",
        fresh()
    )
}

/// P2: reservations made by hand, one after the other, on the boards `number`, `number + clients`, …
#[must_use]
pub fn create<'a>(
    address: SocketAddr,
    world: &'a World,
    (number, clients): (usize, usize),
    made: &'a Mutex<Vec<String>>,
) -> Work<'a> {
    let mut client = Client::new(address);
    let mut count = 0;
    Box::new(move || {
        let board = &world.empty[(number + count / 18 * clients) % world.empty.len()];
        count += 1;
        let bytes = call(&owner(number), "POST", "/api/Guests", Some(&form(&board.site)));
        let (step, guest) = step_with_body(&mut client, "create", &bytes)?;
        if let Some(id) = guest["id"].as_str().filter(|_| step.status == 201) {
            made.lock().map_err(|_| anyhow::anyhow!("a client panicked"))?.push(id.to_owned());
        }
        Ok(step)
    })
}

/// A command on a guest.
#[must_use]
pub fn command(token: &str, guest: &str, status: &str, bed: Option<&str>) -> Vec<u8> {
    let bed = bed.map_or_else(|| "null".to_owned(), |bed| format!("\"{bed}\""));
    let body = format!("{{\"status\":\"{status}\",\"bedId\":{bed}}}");
    call(token, "PATCH", &format!("/api/Guests/{guest}"), Some(&body))
}

/// Requests the guests of a board and their beds from the server.
///
/// # Errors
/// If the server does not answer with beds.
pub fn placed(client: &mut Client, board: &Board) -> anyhow::Result<Vec<(String, String)>> {
    let bytes = call(&owner(0), "GET", &format!("/api/Beds?siteId={}", board.site), None);
    let answer = client.send(&bytes)?;
    if answer.status != 200 {
        bail!("the board was answered with {}: {}", answer.status, String::from_utf8_lossy(answer.body));
    }
    let beds: Value = serde_json::from_slice(answer.body)?;
    let beds = beds.as_array().context("a board that is no list")?;
    let pair = |bed: &Value| Some((bed["guest"]["id"].as_str()?.to_owned(), bed["id"].as_str()?.to_owned()));
    Ok(beds.iter().filter_map(pair).collect())
}

/// Moves ten guests into each board for P3 that has none.
///
/// # Errors
/// If the server rejects it.
pub fn move_in(address: SocketAddr, world: &World) -> anyhow::Result<()> {
    let mut client = Client::new(address);
    for board in &world.moving {
        for bed in board.beds.iter().take(10usize.saturating_sub(placed(&mut client, board)?.len())) {
            let bytes = call(&owner(0), "POST", "/api/Guests", Some(&form(&board.site)));
            let (added, guest) = step_with_body(&mut client, "create", &bytes)?;
            let id = guest["id"].as_str().with_context(|| format!("{}: {guest}", added.status))?;
            let accepted = step(&mut client, "accept", &command(&owner(0), id, "ACCEPTED", Some(bed)))?;
            anyhow::ensure!(accepted.status == 200, "a guest was not accepted: {}", accepted.status);
        }
    }
    Ok(())
}

/// P3: one guest of the client's own board moves to a free bed, again and again.
///
/// # Errors
/// If the board cannot be read.
pub fn assign(address: SocketAddr, board: &Board, number: usize) -> anyhow::Result<Work<'static>> {
    let mut client = Client::new(address);
    let guests = placed(&mut client, board)?;
    let (guest, mut bed) = guests.first().cloned().context("a board without guests")?;
    let taken: Vec<String> = guests.into_iter().map(|(_, bed)| bed).collect();
    let mut free: Vec<String> = board.beds.iter().filter(|bed| !taken.contains(bed)).cloned().collect();
    let token = owner(number);
    let mut next = 0;
    Ok(Box::new(move || {
        let step = step(&mut client, "assign", &command(&token, &guest, "REASSIGNED", Some(&free[next])))?;
        if step.status == 200 {
            std::mem::swap(&mut bed, &mut free[next]);
        }
        next = (next + 1) % free.len();
        Ok(step)
    }))
}

/// P3: two guests of the client's own board swap beds.
///
/// # Errors
/// If the board cannot be read.
pub fn swap(address: SocketAddr, board: &Board, number: usize) -> anyhow::Result<Work<'static>> {
    let mut client = Client::new(address);
    let guests = placed(&mut client, board)?;
    let [(guest, own), (_, other), ..] = guests.as_slice() else { bail!("a board without two guests") };
    let (guest, mut own, mut other) = (guest.clone(), own.clone(), other.clone());
    let token = owner(number);
    Ok(Box::new(move || {
        let step = step(&mut client, "swap", &command(&token, &guest, "SWAP", Some(&other)))?;
        if step.status == 200 {
            std::mem::swap(&mut own, &mut other);
        }
        Ok(step)
    }))
}

/// P4: all clients compete for one bed at the same moment, round after round.
pub struct Contest {
    barrier: Barrier,
    /// The bed of this round.
    wanted: Mutex<String>,
    /// The bed that the winner left.
    left: Mutex<Option<String>>,
    winners: AtomicUsize,
    /// Rounds that did not end with one winner.
    pub wrong: AtomicUsize,
}

impl Contest {
    /// Creates it for a number of clients, starting with a free bed.
    #[must_use]
    pub fn new(clients: usize, bed: String) -> Self {
        Self {
            barrier: Barrier::new(clients),
            wanted: Mutex::new(bed),
            left: Mutex::new(None),
            winners: AtomicUsize::new(0),
            wrong: AtomicUsize::new(0),
        }
    }

    /// One client: it tries to move its guest to the bed that all want. A client that loses gets 409; its guest stays.
    #[must_use]
    pub fn client(&self, address: SocketAddr, (guest, mut own): (String, String), number: usize) -> Work<'_> {
        let mut client = Client::new(address);
        let token = owner(number);
        Box::new(move || {
            let bed = self.wanted.lock().unwrap_or_else(PoisonError::into_inner).clone();
            let bytes = command(&token, &guest, "REASSIGNED", Some(&bed));
            self.barrier.wait();
            let answer = step(&mut client, "contested", &bytes);
            if answer.as_ref().is_ok_and(|step| step.status == 200) {
                self.winners.fetch_add(1, Ordering::SeqCst);
                let left = std::mem::replace(&mut own, bed);
                *self.left.lock().unwrap_or_else(PoisonError::into_inner) = Some(left);
            }
            if self.barrier.wait().is_leader() {
                if self.winners.swap(0, Ordering::SeqCst) != 1 {
                    self.wrong.fetch_add(1, Ordering::SeqCst);
                }
                if let Some(left) = self.left.lock().unwrap_or_else(PoisonError::into_inner).take() {
                    *self.wanted.lock().unwrap_or_else(PoisonError::into_inner) = left;
                }
            }
            self.barrier.wait();
            answer
        })
    }
}

/// P8: checks a password, as a client that waits before the next attempt as long as a rejection says, like browsers and
/// people. If an answer names no time, it retries at once.
#[must_use]
pub fn patient_sign_in(address: SocketAddr, accounts: Vec<String>, number: usize) -> Work<'static> {
    let mut wait = Duration::ZERO;
    let mut client = Client::new(address);
    let mut count = number;
    Box::new(move || {
        thread::sleep(wait);
        let bytes = sign_in_request(&accounts, number, &mut count);
        let begun = Instant::now();
        let answer = client.send(&bytes)?;
        wait = Duration::from_secs(header(answer.head, "retry-after").map_or(Ok(0), str::parse)?);
        Ok(Step { kind: "sign-in", status: answer.status, took: begun.elapsed() })
    })
}

/// P8: checks one password after the other without waiting, whatever the answer.
#[must_use]
pub fn sign_in(address: SocketAddr, accounts: Vec<String>, number: usize) -> Work<'static> {
    let mut client = Client::new(address);
    let mut count = number;
    Box::new(move || step(&mut client, "sign-in", &sign_in_request(&accounts, number, &mut count)))
}

fn sign_in_request(accounts: &[String], number: usize, count: &mut usize) -> Vec<u8> {
    let account = &accounts[*count % accounts.len()];
    *count += 1;
    let body = format!("grant_type=password&username={}&password=Open-Door-2026&client_id=bench", encoded(account));
    let from = format!("X-Forwarded-For: 10.{}.{}.{}", number % 250, *count / 250 % 250, *count % 250);
    let headers = ["Content-Type: application/x-www-form-urlencoded", from.as_str()];
    request("POST", "/connect/token", &headers, Some(&body))
}

fn encoded(text: &str) -> String {
    text.replace('+', "%2B").replace('@', "%40")
}

/// P9: a working day: of 100 calls, 85 read boards and guests, 8 move guests, 4 create or decline reservations, 2 read
/// the overview, 1 signs in.
///
/// # Errors
/// If the board cannot be read.
pub fn day<'a>(
    address: SocketAddr,
    world: &'a World,
    accounts: Vec<String>,
    number: usize,
) -> anyhow::Result<Work<'a>> {
    let board = &world.moving[number % world.moving.len()];
    let empty = &world.empty[number % world.empty.len()];
    let token = owner(number);
    let get = |path: String| call(&token, "GET", &path, None);
    let reads = [
        get(format!("/api/Sites/{}", board.site)),
        get(format!("/api/Beds?siteId={}", world.usual.site)),
        get(format!("/api/Guests?siteId={}", board.site)),
    ];
    let overview = get("/api/organizations?page=1&pageSize=20".to_owned());
    let mut assign = assign(address, board, number)?;
    let mut sign_in = sign_in(address, accounts, number);
    let mut client = Client::new(address);
    let mut waiting: Option<String> = None;
    let mut count = number * 37;
    Ok(Box::new(move || {
        count += 1;
        // 61 and 100 share no factor: all kinds occur, evenly spread, in a different order for each client.
        match count * 61 % 100 {
            0 => sign_in(),
            1..=2 => step(&mut client, "overview", &overview),
            3..=6 => match waiting.take() {
                Some(guest) => step(&mut client, "decline", &command(&owner(number), &guest, "REJECTED", None)),
                None => {
                    let bytes = call(&owner(number), "POST", "/api/Guests", Some(&form(&empty.site)));
                    let (step, guest) = step_with_body(&mut client, "create", &bytes)?;
                    waiting = guest["id"].as_str().map(str::to_owned);
                    Ok(step)
                }
            },
            7..=14 => assign(),
            other => step(&mut client, "read", &reads[other % reads.len()]),
        }
    }))
}
