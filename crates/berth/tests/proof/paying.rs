//! kill -9 while a subscription is started, paid or canceled (docs/decisions/0045). Stripe is simulated in the test's own
//! process and survives, as the real one does. After each kill, repeating the request leads to one outcome: never two live
//! subscriptions, never a charge without a row, and an ended subscription stays ended.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::net::Ipv4Addr;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use berth_db::{Db, Engine};
use berth_stripe::judge::Judge;
use berth_stripe::sandbox::catalog::{MONTHLY, YEARLY};
use berth_stripe::sandbox::{MemoryStore, PUBLISHABLE_KEY, Sandbox};
use berth_stripe::{Client as Stripe, SubscriptionStatus};
use secrecy::ExposeSecret;
use serde_json::{Value, json};

use crate::busy::PROCESSORS;
use crate::chance::{Dice, seed, told};
use crate::client::{Answer, Client, Shot};
use crate::cluster::{Cluster, name_of, recount};
use crate::figures::{Figures, Times};
use crate::world;

/// Number of kills in the short form, on each engine.
const SHORT: u64 = 3;
/// Longest wait for a call to arrive at Stripe.
const ARRIVES: Duration = Duration::from_secs(60);
const SAVED_CARDS: &str = "/api/Subscriptions/savedPaymentMethods";

/// Stripe's side: a sandbox of this process.
struct Provider {
    client: Stripe,
    address: String,
    key: String,
    http: reqwest::Client,
    judge: Judge,
    webhook_secret: String,
    customer: String,
}

impl Provider {
    async fn open() -> Self {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let judge = Judge::default();
        let sandbox = Sandbox::open_wrapped(Box::new(MemoryStore::default()), &[], Some(judge.wrap()));
        let (client, address) = sandbox.start().await.unwrap();
        let key = sandbox.secret_key().expose_secret().to_owned();
        let webhook_secret = sandbox.webhook_secret().expose_secret().to_owned();
        let http = reqwest::Client::builder().no_proxy().build().unwrap();
        Self { client, address, key, http, judge, webhook_secret, customer: String::new() }
    }

    /// The settings of servers that use this provider.
    fn environment(&self) -> Vec<(&'static str, PathBuf)> {
        vec![
            ("BERTH_STRIPE_SECRET_KEY", PathBuf::from(&self.key)),
            ("BERTH_STRIPE_PUBLISHABLE_KEY", PathBuf::from(PUBLISHABLE_KEY)),
            ("BERTH_STRIPE_API_BASE", PathBuf::from(&self.address)),
            ("BERTH_STRIPE_WEBHOOK_SECRETS", PathBuf::from(&self.webhook_secret)),
        ]
    }

    async fn control(&self, path: &str, body: Value) {
        let call = self.http.post(format!("{}/_sandbox/{path}", self.address)).bearer_auth(&self.key).json(&body);
        let status = call.send().await.unwrap().status();
        assert!(status.is_success(), "{path}: {status}");
    }

    async fn subscriptions(&self) -> Vec<berth_stripe::Subscription> {
        self.client.subscriptions(&self.customer).await.unwrap()
    }
}

/// When the server is killed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum When {
    /// The call waits at Stripe, which has done nothing yet.
    BeforeTheWork,
    /// Stripe has done it, and its answer is held back.
    BeforeTheAnswer,
    /// This number of milliseconds after the request.
    After(u64),
}

/// The change that an owner requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Change {
    Start,
    /// Pay the open invoice of a subscription whose first payment was declined.
    Restart,
    Cancel,
}

impl Change {
    /// The call to Stripe for the change.
    const fn operation(self) -> &'static str {
        match self {
            Self::Start => "POST /v1/subscriptions",
            Self::Restart => "POST /v1/invoices/{invoice}/pay",
            Self::Cancel => "DELETE /v1/subscriptions/{subscription_exposed_id}",
        }
    }

    fn shot(self, price: (&str, i64)) -> Shot {
        let site = world::HARBOR_HOUSE;
        let (call, body) = match self {
            Self::Start => {
                let body = json!({"siteId": site, "stripePriceId": price.0, "subscriptionDurationInMonths": price.1});
                ("site", body)
            }
            Self::Restart => ("restart", json!({"siteId": site})),
            Self::Cancel => ("cancel", json!({"siteId": site})),
        };
        Shot::new("POST", format!("/api/Subscriptions/{call}"), world::OWNER, body)
    }
}

/// The counts of the kills.
#[derive(Default)]
struct Counts {
    before_the_work: u64,
    before_the_answer: u64,
    at_random: u64,
    restarts: Times,
}

/// Creates a cluster whose organization has a card that works and one that is declined.
async fn open(engine: Engine, dice: &mut Dice) -> (Provider, Cluster) {
    let mut provider = Provider::open().await;
    let folder = tempfile::tempdir().unwrap();
    let mut cluster = Cluster::within(engine, dice, folder, provider.environment()).await;
    change(&cluster, &["DELETE FROM site_subscriptions"]).await;
    for (number, card) in ["pm_card_visa", "pm_card_chargeCustomerFail"].into_iter().enumerate() {
        let mut body = json!({"externalSavedPaymentMethodId": card, "organizationId": world::HARBOR});
        if number == 0 {
            body["email"] = json!("receipts@test.example");
        }
        cluster.one(Shot::new("POST", SAVED_CARDS, world::OWNER, body)).await.expect(201);
    }
    let db = cluster.db().await;
    let (customer,): (String,) = db
        .query("SELECT stripe_id FROM billing_customers WHERE organization_id = $1")
        .bind(world::HARBOR)
        .one()
        .await
        .unwrap();
    provider.customer = customer;
    db.close().await;
    (provider, cluster)
}

async fn change(cluster: &Cluster, texts: &[&'static str]) {
    let db = cluster.db().await;
    let mut tx = db.begin().await.unwrap();
    for text in texts {
        tx.query(text).execute().await.unwrap();
    }
    tx.commit().await.unwrap();
    db.close().await;
}

/// Makes the card that works, or the one that is declined, the default.
async fn pay_with(client: &mut Client, works: bool) -> Result<(), String> {
    let path = format!("{SAVED_CARDS}?organizationId={}", world::HARBOR);
    let cards = sent(client, &Shot::get(path, world::OWNER)).await?.expect(200);
    let last_four = if works { "4242" } else { "0341" };
    let card = cards.as_array().unwrap().iter().find(|card| card["lastFourDigits"] == last_four);
    let id = card.ok_or_else(|| format!("no card {last_four} in {cards}"))?["id"].clone();
    let body = json!({"organizationId": world::HARBOR, "savedPaymentMethodId": id});
    let answer = sent(client, &Shot::new("PUT", format!("{SAVED_CARDS}/default"), world::OWNER, body)).await?;
    if answer.status == 200 { Ok(()) } else { Err(format!("{} {}", answer.status, answer.body)) }
}

async fn sent(client: &mut Client, shot: &Shot) -> Result<Answer, String> {
    client.send(shot).await.map_err(|error| format!("{}: {error}", shot.path))
}

/// Sends a change to a server, kills the server at that moment, and starts another one.
async fn killed(
    (provider, cluster): (&Provider, &mut Cluster),
    (victim, change): (usize, Change),
    shot: Shot,
    when: When,
    counts: &mut Counts,
) -> Result<(), String> {
    let mut client = Client::new(cluster.nodes[victim].address, Ipv4Addr::LOCALHOST);
    let fault = |kind: &str| json!({"operation": change.operation(), "when": kind});
    let (is_held, count) = match when {
        When::BeforeTheWork => (Some("hold"), &mut counts.before_the_work),
        When::BeforeTheAnswer => (Some("hold_after"), &mut counts.before_the_answer),
        When::After(_) => (None, &mut counts.at_random),
    };
    if let Some(kind) = is_held {
        provider.control("fault", fault(kind)).await;
    }
    let request = tokio::spawn(async move { client.send(&shot).await });
    match when {
        When::After(millis) => tokio::time::sleep(Duration::from_millis(millis)).await,
        _ => tokio::time::timeout(ARRIVES, provider.control("held", Value::Null))
            .await
            .map_err(|_| format!("{change:?} never asked Stripe"))?,
    }
    cluster.nodes[victim].kill();
    *count += 1;
    // Stripe continues, unless it has noticed that the connection is gone.
    if is_held.is_some() {
        provider.control("release", Value::Null).await;
    }
    let _ = request.await;
    cluster.nodes[victim] = cluster.start().await;
    cluster.forget_clients();
    counts.restarts.add(cluster.nodes[victim].ready_after);
    Ok(())
}

/// Repeats the request as another user on any node until it is done. The time limits of the killed request (40 seconds) and
/// of the killed job (five minutes) are over by then.
async fn again(cluster: &mut Cluster, node: usize, change: Change, shot: &Shot) -> Result<(), String> {
    let mut client = Client::new(cluster.nodes[node].address, Ipv4Addr::LOCALHOST);
    crate::paying::change(
        cluster,
        &[
            "UPDATE billing_operations SET busy_until = 0 WHERE finished_at IS NULL",
            "UPDATE jobs SET locked_until = 0 WHERE name = 'billing'",
            "DELETE FROM throttles",
        ],
    )
    .await;
    let answer = sent(&mut client, shot).await?;
    // 409: the killed server, or the job of another one, has already done it.
    match answer.status {
        200 | 201 | 409 => {}
        _ => return Err(format!("{change:?} again: {} {}", answer.status, answer.body)),
    }
    // The job may have taken it over at the same moment.
    let deadline = Instant::now() + ARRIVES;
    let db = cluster.db().await;
    loop {
        let open: i64 =
            db.query("SELECT COUNT(*) FROM billing_operations WHERE finished_at IS NULL").scalar().await.unwrap();
        if open == 0 {
            break;
        }
        if Instant::now() > deadline {
            const OPEN: &str =
                "SELECT kind, tries, busy_until, created_at FROM billing_operations WHERE finished_at IS NULL";
            let left: Vec<(String, i64, i64, i64)> = db.query(OPEN).all().await.unwrap();
            return Err(format!("{change:?} stays open after {} {}: {left:?}", answer.status, answer.body));
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    db.close().await;
    Ok(())
}

/// The rows of subscriptions: status by id at Stripe.
async fn rows(db: &Db) -> BTreeMap<String, String> {
    let rows: Vec<(String, String)> =
        db.query("SELECT stripe_id, status FROM site_subscriptions WHERE stripe_id IS NOT NULL").all().await.unwrap();
    rows.into_iter().collect()
}

/// Compares our rows with Stripe and with their earlier state. `live` is the expected number of live subscriptions.
async fn examine(
    provider: &Provider,
    cluster: &Cluster,
    before: &mut BTreeMap<String, String>,
    live: usize,
) -> Result<(), String> {
    let at_stripe = provider.subscriptions().await;
    let alive = at_stripe.iter().filter(|subscription| !subscription.status.is_final());
    let alive: Vec<_> = alive.map(|subscription| (subscription.id.clone(), subscription.status)).collect();
    if alive.len() != live {
        return Err(format!("{live} live subscription(s) expected at Stripe, found {alive:?}"));
    }
    let db = cluster.db().await;
    let rows = rows(&db).await;
    for subscription in &at_stripe {
        match rows.get(&subscription.id) {
            None => return Err(format!("{} has no row, {:?}", subscription.id, subscription.status)),
            Some(status) if *status != subscription.status.as_str() => {
                return Err(format!("{}: {status}, at Stripe {:?}", subscription.id, subscription.status));
            }
            Some(_) => {}
        }
    }
    for (id, status) in before.iter() {
        let now = rows.get(id).map(String::as_str);
        let was_final = matches!(status.as_str(), "canceled" | "incomplete_expired");
        if now.is_none() || (was_final && now != Some(status)) {
            return Err(format!("{id} went from {status} to {now:?}"));
        }
    }
    *before = rows;
    let charges = provider.client.charges(&provider.customer).await.map_err(|error| error.to_string())?;
    let paid = charges.iter().filter(|charge| charge.status == "succeeded").count();
    let mut bought = 0;
    for subscription in &at_stripe {
        let invoices = provider.client.invoices(&subscription.id).await.map_err(|error| error.to_string())?;
        bought += invoices.iter().filter(|invoice| invoice.is_paid() && invoice.total > 0).count();
        if invoices.iter().filter(|invoice| invoice.is_paid()).count() > 1 {
            return Err(format!("{} was paid twice", subscription.id));
        }
    }
    if paid != bought {
        return Err(format!("{paid} charges for {bought} invoices"));
    }
    let broken = recount(&db).await;
    db.close().await;
    if broken.is_empty() { Ok(()) } else { Err(format!("{broken:#?}")) }
}

/// When the newest start charges the card: `"now"`, or later if an earlier subscription is paid for longer.
async fn first_charge(cluster: &Cluster) -> Value {
    const NEWEST: &str =
        "SELECT parameters FROM billing_operations WHERE kind = 'start' ORDER BY created_at DESC, attempt DESC LIMIT 1";
    let db = cluster.db().await;
    let text: String = db.query(NEWEST).scalar().await.unwrap();
    db.close().await;
    serde_json::from_str::<Value>(&text).unwrap()["charge"].clone()
}

/// Runs one subscription from its start to its end. Each change is killed once and requested again.
async fn story(
    (provider, cluster): (&Provider, &mut Cluster),
    dice: &mut Dice,
    (counts, kills): (&mut Counts, &mut u64),
    before: &mut BTreeMap<String, String>,
) -> Result<(), String> {
    // Without an earlier paid period, each start charges the card.
    change(cluster, &["UPDATE site_subscriptions SET paid_period_end = NULL", "DELETE FROM throttles"]).await;
    let price = if dice.below(2) == 0 { (MONTHLY, 1) } else { (YEARLY, 12) };
    let is_declined = dice.below(3) == 0;
    let mut client = Client::new(cluster.nodes[0].address, Ipv4Addr::LOCALHOST);
    pay_with(&mut client, !is_declined).await?;
    drop(client);
    let mut is_open = false;
    for step in [Change::Start, Change::Restart, Change::Cancel] {
        if step == Change::Restart && !is_open {
            continue;
        }
        if step == Change::Restart {
            let mut client = Client::new(cluster.nodes[0].address, Ipv4Addr::LOCALHOST);
            pay_with(&mut client, true).await?;
        }
        let when = match dice.below(5) {
            0 | 1 => When::BeforeTheAnswer,
            2 => When::BeforeTheWork,
            _ => When::After(dice.below(120)),
        };
        let (victim, node) = (dice.index(cluster.nodes.len()), dice.index(cluster.nodes.len()));
        let shot = step.shot(price);
        *kills += 1;
        killed((provider, cluster), (victim, step), shot.clone(), when, counts).await?;
        again(cluster, node, step, &shot).await?;
        let live = usize::from(step != Change::Cancel);
        examine(provider, cluster, before, live).await.map_err(|error| format!("{step:?} {when:?}: {error}"))?;
        if step != Change::Cancel {
            // The poller may have read an older subscription and its paid period again in the meantime. Then nothing is
            // charged, so no card is declined.
            let charge = first_charge(cluster).await;
            let expected = match step {
                Change::Start if !charge["trial"].is_null() => SubscriptionStatus::Trialing,
                Change::Start if is_declined && charge == "now" => SubscriptionStatus::Incomplete,
                _ => SubscriptionStatus::Active,
            };
            is_open = expected == SubscriptionStatus::Incomplete;
            let at_stripe = provider.subscriptions().await;
            let found = at_stripe.iter().find(|subscription| !subscription.status.is_final()).map(|one| one.status);
            if found != Some(expected) {
                return Err(format!("{step:?} {when:?}: {found:?}, not {expected:?}"));
            }
        }
    }
    Ok(())
}

async fn kills(engine: Engine) {
    let _busy = PROCESSORS.read().await;
    let wanted = told("BERTH_PROOF_PAYING_KILLS").unwrap_or(SHORT);
    let first = seed();
    eprintln!("kill -9 while paying on {engine:?}: {wanted} kills from BERTH_PROOF_SEED={first}");
    let (mut counts, start) = (Counts::default(), Instant::now());
    let (mut done, mut violations, mut complaints) = (0, 0, String::new());
    let mut dice = Dice::new(first);
    let (provider, mut cluster) = open(engine, &mut dice).await;
    let mut before = BTreeMap::new();
    while done < wanted {
        let mut dice = Dice::new(first + done);
        let began = done;
        let told = story((&provider, &mut cluster), &mut dice, (&mut counts, &mut done), &mut before).await;
        if let Err(complaint) = told {
            violations += 1;
            let _ = writeln!(complaints, "from kill {began}: {complaint}");
            break;
        }
    }
    cluster.end().await;
    let seconds = start.elapsed().as_secs();
    eprintln!(
        "FIGURE kill -9 while paying on {engine:?}: {done} kills ({} before Stripe worked, {} before its answer, {} at random), \
         {violations} violations, {seconds} s",
        counts.before_the_work, counts.before_the_answer, counts.at_random,
    );
    let figures = Figures {
        proof: "kills while paying",
        engine: name_of(engine),
        seed: first,
        count: done,
        violations,
        server_errors: 0,
        seconds,
    };
    let told = [("before the work", counts.before_the_work), ("before the answer", counts.before_the_answer)];
    figures.tell(&[("restart", &counts.restarts)], &told);
    assert!(complaints.is_empty(), "{complaints}");
    assert_eq!(provider.judge.verdict(), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn kill_9_while_paying_leaves_one_subscription_on_sqlite() {
    kills(Engine::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn kill_9_while_paying_leaves_one_subscription_on_postgres() {
    kills(Engine::Postgres).await;
}
