//! Notifications between nodes, with a notice when some may have been missed.

use std::time::Duration;

use berth_db::testing::{Proxy, TestDatabase};
use berth_db::{Db, Engine, Notification, Notifications};
use futures_util::StreamExt;
use tokio::time::timeout;

const SOON: Duration = Duration::from_secs(10);
const A_WHILE: Duration = Duration::from_millis(300);

async fn tell(db: &Db, payload: &str) {
    db.publish("site", &[payload.to_owned()]).await.unwrap();
}

async fn heard(news: &mut Notifications) -> Notification {
    timeout(SOON, news.next()).await.expect("news in time").expect("the stream goes on")
}

fn payload(text: &str) -> Notification {
    Notification::Payload(text.to_owned())
}

#[tokio::test]
async fn every_node_receives_its_channel_in_order_and_nothing_else() {
    let test = TestDatabase::empty(Engine::Postgres).await;
    let other = test.another_node().await;
    let mut here = test.db.listen("site").await.unwrap();
    let mut there = other.listen("site").await.unwrap();

    test.db.publish("another channel", &["not for us".to_owned()]).await.unwrap();
    test.db.publish("site", &["first".to_owned(), "second".to_owned()]).await.unwrap();
    tell(&other, "third").await;

    for news in [&mut here, &mut there] {
        for text in ["first", "second", "third"] {
            assert_eq!(heard(news).await, payload(text));
        }
    }
}

#[tokio::test]
async fn schemas_do_not_receive_each_others_notifications() {
    let (one, two) = (TestDatabase::empty(Engine::Postgres).await, TestDatabase::empty(Engine::Postgres).await);
    let mut news = one.db.listen("site").await.unwrap();
    tell(&two.db, "of two").await;
    tell(&one.db, "of one").await;
    assert_eq!(heard(&mut news).await, payload("of one"));
}

#[tokio::test]
async fn a_listener_reports_a_lost_connection_and_continues() {
    let test = TestDatabase::empty(Engine::Postgres).await;
    let proxy = Proxy::before(&test.url).await;
    let far = Db::open_with(&proxy.url(&test.url), test.options.clone()).await.unwrap();
    let mut news = far.listen("site").await.unwrap();
    tell(&test.db, "before").await;
    assert_eq!(heard(&mut news).await, payload("before"));

    proxy.cut();
    let listening = tokio::spawn(async move {
        let first = heard(&mut news).await;
        (first, news)
    });
    tokio::time::sleep(A_WHILE).await;
    tell(&test.db, "missed").await;
    proxy.mend();
    let (first, mut news) = listening.await.unwrap();
    assert_eq!(first, Notification::Reconnected);
    tell(&test.db, "after").await;
    assert_eq!(heard(&mut news).await, payload("after"));
}

#[tokio::test]
async fn sqlite_accepts_the_same_calls_and_delivers_nothing() {
    let test = TestDatabase::empty(Engine::Sqlite).await;
    let mut news = test.db.listen("site").await.unwrap();
    tell(&test.db, "to nobody").await;
    assert!(timeout(A_WHILE, news.next()).await.is_err());
}
