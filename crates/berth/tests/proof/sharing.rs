//! Without Stripe keys, all nodes share one payment sandbox, which is in the database (DESIGN 6).

use berth_db::Engine;
use serde_json::{Value, json};

use crate::chance::{Dice, seed};
use crate::client::Shot;
use crate::cluster::Cluster;
use crate::world;

const SAVED_CARDS: &str = "/api/Subscriptions/savedPaymentMethods";

fn start() -> Shot {
    let price = berth_stripe::sandbox::catalog::MONTHLY;
    let body = json!({"siteId": world::HARBOR_HOUSE, "stripePriceId": price, "subscriptionDurationInMonths": 1});
    Shot::new("POST", "/api/Subscriptions/site", world::OWNER, body)
}

fn cancel() -> Shot {
    Shot::new("POST", "/api/Subscriptions/cancel", world::OWNER, json!({"siteId": world::HARBOR_HOUSE}))
}

/// Makes one call to each node at once. A cluster distributes its clients over its nodes.
async fn everywhere(cluster: &mut Cluster, shot: Shot) -> Vec<Value> {
    let shots = vec![shot; cluster.nodes.len()];
    cluster.fire(&shots).await.into_iter().map(|answer| answer.expect(200)).collect()
}

/// The invoices of the site, as each node gets them from the sandbox.
async fn invoices(cluster: &mut Cluster) -> Vec<Value> {
    everywhere(cluster, Shot::get(format!("/api/Payments/site/{}", world::HARBOR_HOUSE), world::OWNER)).await
}

async fn statuses(cluster: &mut Cluster) -> Vec<Value> {
    let path = format!("/api/Subscriptions/site-status?siteId={}", world::HARBOR_HOUSE);
    let told = everywhere(cluster, Shot::get(path, world::OWNER)).await;
    told.into_iter().map(|status| status["status"].clone()).collect()
}

async fn one_account(engine: Engine) {
    let mut dice = Dice::new(seed());
    let mut cluster = Cluster::new(engine, &mut dice).await;
    let nodes = cluster.nodes.len();
    let db = cluster.db().await;
    let mut tx = db.begin().await.unwrap();
    tx.query("DELETE FROM site_subscriptions").execute().await.unwrap();
    tx.commit().await.unwrap();
    db.close().await;
    let card = json!({"externalSavedPaymentMethodId": "pm_card_visa", "organizationId": world::HARBOR,
        "email": "receipts@test.example"});
    cluster.one(Shot::new("POST", SAVED_CARDS, world::OWNER, card)).await.expect(201);

    // Four browsers on each node start a subscription for the same site: one of them pays.
    let answers = cluster.fire(&vec![start(); 4 * nodes]).await;
    let made = answers.iter().filter(|answer| answer.status == 201).count();
    let refused = answers.iter().filter(|answer| answer.status == 409).count();
    assert_eq!((made, made + refused), (1, 4 * nodes), "{answers:?}");
    assert_eq!(statuses(&mut cluster).await, vec![json!("active"); nodes]);
    for told in invoices(&mut cluster).await {
        let told = told.as_array().unwrap();
        assert_eq!((told.len(), &told[0]["status"], told[0]["receiptUrl"].is_string()), (1, &json!("paid"), true));
    }

    // The last node ends the subscription that the first one started.
    let mut last = vec![Shot::get("/readyz", world::OWNER); nodes];
    last[nodes - 1] = cancel();
    cluster.fire(&last).await.pop().unwrap().expect(200);
    assert_eq!(statuses(&mut cluster).await, vec![json!("canceled"); nodes]);

    // The sandbox's account outlives the processes.
    let before = invoices(&mut cluster).await;
    for node in &mut cluster.nodes {
        node.kill();
    }
    for node in 0..nodes {
        cluster.nodes[node] = cluster.start().await;
    }
    cluster.forget_clients();
    assert_eq!(invoices(&mut cluster).await, before);
    assert_eq!(cluster.server_errors, 0);
    cluster.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_sandbox_outlives_its_server_on_sqlite() {
    one_account(Engine::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nodes_share_the_sandbox_and_sell_a_site_once_on_postgres() {
    one_account(Engine::Postgres).await;
}
