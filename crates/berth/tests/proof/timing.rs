//! Checks that response times do not reveal who has an account (security-and-proof 5, attack 16): sign-in, a new password,
//! and a resent invitation, for known and unknown people in random order. Bodies and headers are the same. With 500 samples
//! or more, times are compared: Kolmogorov–Smirnov p > 0.01, medians less than a millisecond apart.
//!
//! Of a hundred comparisons of equal times, one has p < 0.01. Such a comparison is repeated with new samples, and it is a
//! violation only if it fails twice. Both results are printed.

use std::fmt::Write as _;
use std::net::Ipv4Addr;
use std::time::{Duration, Instant};

use berth_db::Engine;
use futures_util::future::join_all;
use serde_json::json;

use crate::chance::{Dice, seed, told};
use crate::harness::{Answer, Ask, House, MINUTE};
use crate::world;

/// Number of samples of each kind in the short form, which compares no times.
const SHORT: usize = 8;
/// Minimum number of samples for comparing times.
const ENOUGH: usize = 500;
/// Emails of users with a password.
const KNOWN: [&str; 4] = ["intake@test.example", "staff@test.example", "admin@test.example", "owner@test.example"];

/// The request for a known or unknown person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Question {
    /// A sign-in with a wrong password.
    SignIn,
    /// A link for a new password.
    Reset,
    /// A new link that replaces an old one.
    Invitation,
}

impl Question {
    const fn name(self) -> &'static str {
        match self {
            Self::SignIn => "sign-in",
            Self::Reset => "new password",
            Self::Invitation => "invitation again",
        }
    }

    /// Number of parallel requests. Answers about links wait for a quarter of a second; a sign-in runs alone.
    const fn at_once(self) -> usize {
        if matches!(self, Self::SignIn) { 1 } else { 4 }
    }

    fn ask(self, house: &House, tokens: &[String], is_known: bool, number: usize) -> Ask {
        let known = KNOWN[number % KNOWN.len()];
        // As long as the known one, so that the only difference is being known.
        let email = if is_known { known.to_owned() } else { format!("x{}", &known[1..]) };
        match self {
            Self::SignIn => house
                .form("/connect/token", &[("grant_type", "password"), ("username", &email), ("password", "not it")]),
            Self::Reset => {
                let body = json!({"email": email, "redirectUri": "http://localhost:8080"});
                house.post("/api/Users/password/reset", body)
            }
            Self::Invitation => {
                let token = &tokens[number % tokens.len()];
                let other = format!("{}x", &token[..token.len() - 1]);
                let token = if is_known { token } else { &other };
                house.post("/api/public/invitation/renewal", json!({"token": token}))
            }
        }
    }
}

/// The tokens of unused links, one for each invited person.
async fn invited(house: &House) -> Vec<String> {
    let mut tokens = Vec::new();
    for number in 0..KNOWN.len() {
        let body = json!({"redirectUri": "http://localhost:8080", "email": format!("new{number}@test.example"),
            "firstName": "New", "lastName": "Person", "role": "Staff", "siteId": world::HARBOR_HOUSE});
        house.post("/api/AccessUsers/siteScopeUsers", body).by(world::ADMIN).send().await.expect(201);
        let mails = house.outbox().await;
        let to = format!("new{number}@test.example");
        let (_, _, text) = mails.iter().find(|(_, recipient, _)| *recipient == to).unwrap();
        let token = text.split("access_token=").nth(1).unwrap().split_whitespace().next().unwrap();
        tokens.push(token.to_owned());
    }
    tokens
}

/// Everything in an answer that a stranger sees, except the request id and the server's time.
fn seen(answer: &Answer) -> String {
    let mut text = format!("{}\n", answer.status);
    for (name, value) in answer.headers.iter().filter(|(name, _)| *name != "x-request-id" && *name != "x-berth-time") {
        writeln!(text, "{name}: {}", value.to_str().unwrap()).unwrap();
    }
    text + &answer.text
}

/// Durations in milliseconds for known and unknown people.
struct Times {
    known: Vec<f64>,
    unknown: Vec<f64>,
}

async fn timed(is_known: bool, ask: Ask) -> (bool, Answer, Duration) {
    let start = Instant::now();
    let answer = ask.send().await;
    (is_known, answer, start.elapsed())
}

async fn measure(house: &House, question: Question, tokens: &[String], samples: usize, dice: &mut Dice) -> Times {
    let mut times = Times { known: Vec::new(), unknown: Vec::new() };
    let mut bytes: Option<String> = None;
    let mut number = 0;
    while times.known.len() < samples {
        let known_first = dice.below(2) == 0;
        let order = (0..question.at_once()).flat_map(|at| [(number + at, known_first), (number + at, !known_first)]);
        let calls: Vec<(bool, Ask)> = order
            .enumerate()
            .map(|(at, (pair, is_known))| {
                let from = Ipv4Addr::from(0x6440_0000 + u32::try_from(pair * 2 + at % 2).unwrap());
                (is_known, question.ask(house, tokens, is_known, pair).from(from))
            })
            .collect();
        let answers = if question == Question::SignIn {
            let mut answers = Vec::new();
            for (is_known, ask) in calls {
                answers.push(timed(is_known, ask).await);
            }
            answers
        } else {
            join_all(calls.into_iter().map(|(is_known, ask)| timed(is_known, ask))).await
        };
        for (is_known, answer, took) in answers {
            assert!(answer.status < 429, "{}: {}", question.name(), answer.text);
            let seen = seen(&answer);
            assert_eq!(bytes.get_or_insert_with(|| seen.clone()), &seen, "{}", question.name());
            if is_known { &mut times.known } else { &mut times.unknown }.push(millis(took));
        }
        number += question.at_once();
        // Limits of five minutes start again.
        house.advance(6 * MINUTE);
    }
    times
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn median(times: &[f64]) -> f64 {
    let mut sorted = times.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[sorted.len() / 2]
}

/// The largest distance between two distributions, and the probability of such a distance between equal ones.
fn kolmogorov_smirnov(left: &[f64], right: &[f64]) -> (f64, f64) {
    let sorted = |times: &[f64]| {
        let mut sorted = times.to_vec();
        sorted.sort_by(f64::total_cmp);
        sorted
    };
    let (left, right) = (sorted(left), sorted(right));
    let share = |times: &[f64], limit: f64| times.partition_point(|time| *time <= limit) as f64 / times.len() as f64;
    let distance =
        left.iter().chain(&right).map(|limit| (share(&left, *limit) - share(&right, *limit)).abs()).fold(0.0, f64::max);
    let size = (left.len() as f64 * right.len() as f64 / (left.len() + right.len()) as f64).sqrt();
    let scaled = (size + 0.12 + 0.11 / size) * distance;
    if scaled < 0.2 {
        return (distance, 1.0);
    }
    let term = |index: i32| (-2.0 * f64::from(index * index) * scaled * scaled).exp();
    let sum: f64 = (1..=100).map(|index| if index % 2 == 1 { term(index) } else { -term(index) }).sum();
    (distance, (2.0 * sum).clamp(0.0, 1.0))
}

async fn compare(engine: Engine) {
    let samples = told("BERTH_PROOF_SAMPLES").map_or(SHORT, |samples| usize::try_from(samples).unwrap());
    let mut dice = Dice::new(seed());
    let mut violations = Vec::new();
    for question in [Question::SignIn, Question::Reset, Question::Invitation] {
        for try_number in 1..=2 {
            let house = House::new(engine).await;
            let tokens = if question == Question::Invitation { invited(&house).await } else { Vec::new() };
            let times = measure(&house, question, &tokens, samples, &mut dice).await;
            let (known, unknown) = (median(&times.known), median(&times.unknown));
            let (distance, p) = kolmogorov_smirnov(&times.known, &times.unknown);
            let holds = samples < ENOUGH || (p > 0.01 && (known - unknown).abs() < 1.0);
            let counts = usize::from(!holds && try_number == 2);
            eprintln!(
                "FIGURE time of {} on {engine:?}: {} + {} samples, medians {known:.3} and {unknown:.3} ms, D {distance:.4}, \
                 p {p:.3}, same bytes, {counts} violations{}",
                question.name(),
                times.known.len(),
                times.unknown.len(),
                if holds { "" } else { " (differs)" }
            );
            if holds {
                break;
            }
            if try_number == 2 {
                violations.push(question.name());
            }
        }
    }
    assert_eq!(violations, Vec::<&str>::new(), "response times reveal who is known");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn known_and_unknown_get_the_same_bytes_after_the_same_time_on_sqlite() {
    compare(Engine::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn known_and_unknown_get_the_same_bytes_after_the_same_time_on_postgres() {
    compare(Engine::Postgres).await;
}

#[test]
fn the_comparison_detects_a_shift_and_accepts_equal_times() {
    let mut dice = Dice::new(7);
    let mut some =
        |shift: f64| (0..2000).map(|_| 25.0 + shift + dice.below(1000) as f64 / 1000.0).collect::<Vec<f64>>();
    let (one, other, later) = (some(0.0), some(0.0), some(0.1));
    assert!(kolmogorov_smirnov(&one, &other).1 > 0.01);
    assert!(kolmogorov_smirnov(&one, &later).1 < 0.001);
    assert!((kolmogorov_smirnov(&[1.0, 2.0], &[3.0, 4.0]).0 - 1.0).abs() < 1e-9);
}
