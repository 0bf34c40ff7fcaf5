//! Jobs: expiry exactly once, reminders, the outbox with its retries, cleanup, and leases.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use berth_db::Db;
use berth_server::auth::throttle;
use berth_server::integrations::outbox::{Channel, Message, put};
use berth_server::jobs::outbox::{self, Outgoing, SendError, Sender, Sending};
use berth_server::jobs::{self, cleanup, holds, lease};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use crate::both_engines;
use crate::harness::{HOUR, House, MINUTE};
use crate::steps::{DAY, command, guest, reserve};
use crate::{invariants, world};

/// Sends by a rule of the test and keeps the messages.
struct Script {
    rule: fn(&Outgoing) -> Result<(), SendError>,
    given: Mutex<Vec<Outgoing>>,
}

impl Script {
    fn new(rule: fn(&Outgoing) -> Result<(), SendError>) -> Self {
        Self { rule, given: Mutex::default() }
    }

    fn given(&self) -> usize {
        self.given.lock().unwrap().len()
    }
}

impl Sender for Script {
    fn send<'a>(&'a self, message: &'a Outgoing) -> Sending<'a> {
        Box::pin(async move {
            self.given.lock().unwrap().push(message.clone());
            // Lets other tasks run, as a real provider would.
            tokio::time::sleep(Duration::from_millis(1)).await;
            (self.rule)(message)
        })
    }
}

/// A mail server that answers only on request; SMS are sent at once.
struct Stalled {
    waiting: AtomicUsize,
    go_on: Semaphore,
}

impl Default for Stalled {
    fn default() -> Self {
        Self { waiting: AtomicUsize::new(0), go_on: Semaphore::new(0) }
    }
}

impl Sender for Stalled {
    fn send<'a>(&'a self, message: &'a Outgoing) -> Sending<'a> {
        Box::pin(async move {
            if message.channel == "email" {
                self.waiting.fetch_add(1, Ordering::SeqCst);
                self.go_on.acquire().await.unwrap().forget();
            }
            Ok(())
        })
    }
}

/// Holds a read connection while it sends, as happens while a text is checked once more.
struct Reading(Db);

impl Sender for Reading {
    fn send<'a>(&'a self, message: &'a Outgoing) -> Sending<'a> {
        Box::pin(async move {
            const ATTEMPTS: &str = "SELECT attempts FROM outbox WHERE id = $1";
            let mut tx = self.0.read().await.unwrap();
            let attempts: i64 = tx.query(ATTEMPTS).bind(message.id).scalar().await.unwrap();
            tokio::time::sleep(Duration::from_millis(1)).await;
            assert_eq!(attempts, tx.query(ATTEMPTS).bind(message.id).scalar::<i64>().await.unwrap());
            Ok(())
        })
    }
}

async fn write_message(house: &House, to: &str) {
    write_message_by(house, Channel::Email, to).await;
}

async fn write_message_by(house: &House, channel: Channel, to: &str) {
    let mut tx = house.db().begin().await.unwrap();
    let message = Message { channel, to: to.to_owned(), subject: "S".into(), body: "B".into() };
    put(&house.app, &mut tx, message).await.unwrap();
    tx.commit().await.unwrap();
}

/// The first sentences of the SMS, oldest first, without code and link.
async fn sent_texts(house: &House) -> Vec<String> {
    let mut texts: Vec<String> = house
        .outbox()
        .await
        .into_iter()
        .filter(|(channel, _, body)| channel == "sms" && body.contains(" http"))
        .map(|(_, _, body)| body.split_once(" http").unwrap().0["Berth: reservation K7M2QX ".len()..].to_owned())
        .collect();
    texts.reverse();
    texts
}

both_engines! {
    async fn a_hold_expires_exactly_once_and_users_are_notified(house: House) {
        let reserved = reserve(&house, world::HARBOR_HOUSE, 1).await;
        house.advance(24 * HOUR - 1);
        assert_eq!(holds::run(&house.app).await.unwrap(), 0, "no late reminder, and no early expiry");
        assert_eq!(guest(&house, &reserved).await["status"], "pending");
        house.advance(1 + 5000);
        assert!(holds::is_due(&house.app).await.unwrap());
        assert_eq!(holds::run(&house.app).await.unwrap(), 1);
        assert_eq!(holds::run(&house.app).await.unwrap(), 0);
        assert!(!holds::is_due(&house.app).await.unwrap());
        let expired = guest(&house, &reserved).await;
        assert_eq!(expired["status"], "expired");
        assert_eq!(expired["expiredAt"], "2026-03-03T18:00:05.000Z");
        assert_eq!(expired["version"], 2);
        assert_eq!(house.trail().await.iter().filter(|action| *action == "guest.expired").count(), 1);
        assert_eq!(sent_texts(&house).await.last().unwrap(), "has expired. Its bed is available again.");
        invariants::hold(&house).await;
    }

    async fn two_nodes_expire_a_hold_once(house: House) {
        let other = house.another_node().await;
        for round in 0..5 {
            for number in 0..2 {
                reserve(&house, world::OPEN_DOOR, 10 * round + number).await;
            }
            house.advance(24 * HOUR);
            let (one, two) = tokio::join!(holds::run(&house.app), holds::run(&other));
            assert_eq!(one.unwrap() + two.unwrap(), 2);
        }
        assert_eq!(house.trail().await.iter().filter(|action| *action == "guest.expired").count(), 10);
        let queued: i64 = house.db().query("SELECT COUNT(*) FROM user_notices WHERE kind = 'expired'").scalar().await.unwrap();
        assert_eq!(queued, 10);
        invariants::hold(&house).await;
    }

    async fn a_guest_with_a_bed_does_not_expire(house: House) {
        let reserved = reserve(&house, world::HARBOR_HOUSE, 1).await;
        command(&house, &reserved, "ACCEPTED", Some(world::BED_A)).send().await.expect(200);
        house.advance(3 * DAY);
        assert_eq!(holds::run(&house.app).await.unwrap(), 0);
        assert_eq!(guest(&house, &reserved).await["status"], "accepted");
    }

    async fn an_expiry_raises_the_version_of_the_site(house: House) {
        reserve(&house, world::HARBOR_HOUSE, 1).await;
        let version = async || {
            let (version,): (i64,) = house.db().query("SELECT version FROM sites WHERE id = $1")
                .bind(world::HARBOR_HOUSE).one().await.unwrap();
            version
        };
        house.advance(24 * HOUR);
        let before = version().await;
        holds::run(&house.app).await.unwrap();
        assert_eq!(version().await, before + 1);
        holds::run(&house.app).await.unwrap();
        assert_eq!(version().await, before + 1, "a run without work changes no version");
    }

    async fn reminders_come_at_half_time_and_in_the_last_hour_once_each(house: House) {
        let other = house.another_node().await;
        reserve(&house, world::HARBOR_HOUSE, 1).await;
        sent_texts(&house).await;
        let mut said = Vec::new();
        for hour in 1..=24 {
            house.advance(HOUR);
            let (one, two) = tokio::join!(holds::run(&house.app), holds::run(&other));
            if one.unwrap() + two.unwrap() > 0 {
                said.push(hour);
            }
            sent_texts(&house).await;
        }
        assert_eq!(said, [12, 23, 24]);
        assert_eq!(sent_texts(&house).await, [
            "has arrived and is waiting for a decision.",
            "is still waiting for a decision. Half of its hold has passed.",
            "is still waiting for a decision. It expires in one hour.",
            "has expired. Its bed is available again.",
        ]);
    }

    async fn a_short_hold_gets_one_reminder_and_a_late_job_sends_the_more_urgent_one(house: House) {
        let hold = async |hours: i64| {
            let mut tx = house.db().begin().await.unwrap();
            tx.query("UPDATE sites SET hold_hours = $1").bind(hours).execute().await.unwrap();
            tx.commit().await.unwrap();
        };
        hold(1).await;
        reserve(&house, world::HARBOR_HOUSE, 1).await;
        house.advance(30 * MINUTE);
        assert_eq!(holds::run(&house.app).await.unwrap(), 1);
        house.advance(29 * MINUTE);
        assert_eq!(holds::run(&house.app).await.unwrap(), 0);
        house.advance(MINUTE);
        assert_eq!(holds::run(&house.app).await.unwrap(), 1);
        hold(6).await;
        reserve(&house, world::HARBOR_HOUSE, 2).await;
        house.advance(6 * MINUTE);
        sent_texts(&house).await;
        house.advance(5 * HOUR - 5 * MINUTE);
        assert_eq!(holds::run(&house.app).await.unwrap(), 1);
        assert_eq!(sent_texts(&house).await.last().unwrap(), "is still waiting for a decision. It expires in one hour.");
        house.advance(MINUTE);
        assert_eq!(holds::run(&house.app).await.unwrap(), 0);
    }

    async fn a_reminder_that_is_too_late_is_not_sent(house: House) {
        reserve(&house, world::HARBOR_HOUSE, 1).await;
        sent_texts(&house).await;
        house.advance(12 * HOUR + 10 * MINUTE + 1);
        assert_eq!(holds::run(&house.app).await.unwrap(), 0, "half time was too long ago");
        assert!(!holds::is_due(&house.app).await.unwrap());
        house.advance(11 * HOUR);
        assert_eq!(holds::run(&house.app).await.unwrap(), 0, "less than fifty minutes are left");
        house.advance(HOUR);
        holds::run(&house.app).await.unwrap();
        assert_eq!(sent_texts(&house).await,
            ["has arrived and is waiting for a decision.", "has expired. Its bed is available again."]);

        reserve(&house, world::HARBOR_HOUSE, 2).await;
        house.advance(6 * MINUTE);
        sent_texts(&house).await;
        house.advance(23 * HOUR + 4 * MINUTE);
        assert_eq!(holds::run(&house.app).await.unwrap(), 1, "ten minutes late is still in time");
        assert_eq!(sent_texts(&house).await.last().unwrap(), "is still waiting for a decision. It expires in one hour.");
    }

    async fn a_decided_reservation_gets_no_reminder(house: House) {
        let reserved = reserve(&house, world::HARBOR_HOUSE, 1).await;
        sent_texts(&house).await;
        command(&house, &reserved, "REJECTED", None).send().await.expect(200);
        house.advance(23 * HOUR);
        assert_eq!(holds::run(&house.app).await.unwrap(), 0);
        assert_eq!(sent_texts(&house).await, ["has arrived and is waiting for a decision."]);
    }

    async fn the_default_sender_keeps_messages_and_marks_them_sent(house: House) {
        write_message(&house, "a@test.example").await;
        assert!(outbox::is_due(&house.app, Channel::Email).await.unwrap());
        assert_eq!(outbox::run(&house.app).await.unwrap(), 1);
        assert!(!outbox::is_due(&house.app, Channel::Email).await.unwrap());
        assert_eq!(house.outbox().await.len(), 1);
    }

    async fn each_message_is_sent_once_by_two_nodes(house: House) {
        let other = house.another_node().await;
        for number in 0..60 {
            write_message(&house, &format!("{number}@test.example")).await;
        }
        let script = Script::new(|_| Ok(()));
        let (one, two) = tokio::join!(outbox::run_with(&house.app, &script), outbox::run_with(&other, &script));
        assert_eq!(one.unwrap() + two.unwrap(), 60);
        let given = script.given.lock().unwrap();
        let recipients: BTreeSet<&str> = given.iter().map(|message| message.recipient.as_str()).collect();
        assert_eq!((given.len(), recipients.len()), (60, 60));
    }

    async fn a_failed_message_is_retried_with_growing_delays_and_then_given_up(house: House) {
        write_message(&house, "later@test.example").await;
        let script = Script::new(|_| Err(SendError::Temporary("the mail server is away".to_owned())));
        assert_eq!(outbox::run_with(&house.app, &script).await.unwrap(), 0);
        assert_eq!(outbox::run_with(&house.app, &script).await.unwrap(), 0);
        assert_eq!(script.given(), 1, "not before its pause is over");
        house.advance(MINUTE);
        outbox::run_with(&house.app, &script).await.unwrap();
        house.advance(MINUTE);
        outbox::run_with(&house.app, &script).await.unwrap();
        assert_eq!(script.given(), 2, "the second pause is longer");
        for _ in 0..20 {
            house.advance(6 * HOUR);
            outbox::run_with(&house.app, &script).await.unwrap();
        }
        assert_eq!(script.given(), 16);
        let row: (bool, bool, String) = house.db()
            .query("SELECT (sent_at IS NULL) AS unsent, (failed_at IS NOT NULL) AS failed, last_error FROM outbox")
            .one().await.unwrap();
        assert_eq!(row, (true, true, "the mail server is away".to_owned()));
    }

    async fn a_permanent_failure_is_recorded_and_other_messages_are_sent(house: House) {
        write_message(&house, "nobody@test.example").await;
        write_message(&house, "somebody@test.example").await;
        let script = Script::new(|message| {
            let known = !message.recipient.starts_with("nobody");
            known.then_some(()).ok_or_else(|| SendError::Permanent("no such mailbox".to_owned()))
        });
        assert_eq!(outbox::run_with(&house.app, &script).await.unwrap(), 1);
        house.advance(DAY);
        assert_eq!(outbox::run_with(&house.app, &script).await.unwrap(), 0);
        assert_eq!(script.given(), 2);
    }

    async fn stalled_emails_delay_neither_sms_codes_nor_all_other_emails(house: House) {
        for number in 0..30 {
            write_message(&house, &format!("stalled-{number}@test.example")).await;
        }
        write_message_by(&house, Channel::Sms, "+17145550123").await;
        let stop = CancellationToken::new();
        let stalled = Arc::new(Stalled::default());
        let loops = jobs::start(house.app.clone(), stalled.clone(), stop.clone());
        let sent = async || -> i64 {
            house.db().query("SELECT COUNT(*) FROM outbox WHERE channel = 'sms' AND sent_at > 0").scalar().await.unwrap()
        };
        while sent().await == 0 {
            tokio::task::yield_now().await;
        }
        // No email has finished: the first eight are still at their server, and no others were taken.
        while stalled.waiting.load(Ordering::SeqCst) < 8 {
            tokio::task::yield_now().await;
        }
        let taken: i64 = house.db().query("SELECT COUNT(*) FROM outbox WHERE channel = 'email' AND locked_until > 0")
            .scalar().await.unwrap();
        assert_eq!(taken, 8);
        stop.cancel();
        stalled.go_on.add_permits(30);
        loops.await.unwrap();
    }

    async fn messages_are_taken_while_messages_being_sent_hold_connections(house: House) {
        for _ in 0..40 {
            write_message_by(&house, Channel::Sms, "+17145550123").await;
        }
        assert_eq!(outbox::run_with(&house.app, &Reading(house.db().clone())).await.unwrap(), 40);
    }

    async fn a_queued_message_is_sealed_in_the_database_and_sent_as_written(house: House) {
        let mut tx = house.db().begin().await.unwrap();
        let body = "Open http://localhost/login/callback#access_token=berth_i_secret".to_owned();
        let message = Message { channel: Channel::Email, to: "a@test.example".into(), subject: "S".into(), body: body.clone() };
        put(&house.app, &mut tx, message).await.unwrap();
        tx.commit().await.unwrap();
        let (stored,): (String,) = house.db().query("SELECT body FROM outbox").one().await.unwrap();
        assert!(!stored.contains("berth_i_secret") && !stored.contains("http"), "{stored}");
        let script = Script::new(|_| Err(SendError::Temporary("away".to_owned())));
        outbox::run_with(&house.app, &script).await.unwrap();
        assert_eq!(script.given.lock().unwrap()[0].body, body);
        assert_eq!(house.outbox().await[0].2, body, "/dev/outbox of the demo opens it");

        // A message that an earlier version stored in plain text.
        let mut tx = house.db().begin().await.unwrap();
        tx.query("UPDATE outbox SET body = 'plain', sealed = FALSE").execute().await.unwrap();
        tx.commit().await.unwrap();
        house.advance(MINUTE);
        outbox::run_with(&house.app, &script).await.unwrap();
        assert_eq!(script.given.lock().unwrap()[1].body, "plain");
    }

    async fn a_text_moved_to_another_row_is_not_sent(house: House) {
        write_message(&house, "a@test.example").await;
        write_message(&house, "b@test.example").await;
        let mut tx = house.db().begin().await.unwrap();
        tx.query("UPDATE outbox SET body = (SELECT body FROM outbox WHERE recipient = 'a@test.example') \
            WHERE recipient = 'b@test.example'").execute().await.unwrap();
        tx.commit().await.unwrap();
        let script = Script::new(|_| Ok(()));
        assert_eq!(outbox::run_with(&house.app, &script).await.unwrap(), 1);
        let (why,): (String,) = house.db().query("SELECT last_error FROM outbox WHERE recipient = 'b@test.example'")
            .one().await.unwrap();
        assert_eq!(why, "the sealed text cannot be opened; is secret_key the same?");
    }

    async fn a_message_whose_node_died_is_taken_over_after_its_lease(house: House) {
        write_message(&house, "a@test.example").await;
        let never = Script::new(|_| Ok(()));
        // The node takes the message and dies before the result is recorded.
        let taken = tokio::time::timeout(Duration::from_millis(300), outbox::run_with(&house.app, &Stuck)).await;
        assert!(taken.is_err());
        assert_eq!(outbox::run_with(&house.app, &never).await.unwrap(), 0);
        house.advance(MINUTE);
        assert_eq!(outbox::run_with(&house.app, &never).await.unwrap(), 1);
    }

    async fn a_job_belongs_to_one_node_until_its_lease_is_returned_or_expires(house: House) {
        let other = house.another_node().await;
        let (one, two) = tokio::join!(lease::take(&house.app, "holds", 30), lease::take(&other, "holds", 30));
        let mut taken: Vec<lease::Lease> = [one.unwrap(), two.unwrap()].into_iter().flatten().collect();
        assert_eq!(taken.len(), 1);
        let first = taken.remove(0);
        house.advance(30_000);
        let second = lease::take(&other, "holds", 30).await.unwrap().expect("the first node counts as dead");
        first.release(&house.app, 0).await.unwrap();
        assert!(lease::take(&house.app, "holds", 30).await.unwrap().is_none(), "giving back an expired lease has no effect");
        second.release(&other, MINUTE).await.unwrap();
        assert!(lease::take(&house.app, "holds", 30).await.unwrap().is_none(), "not before the pause is over");
        house.advance(MINUTE);
        assert!(lease::take(&house.app, "holds", 30).await.unwrap().is_some());
    }

    async fn expired_rows_are_removed_and_rows_that_may_still_be_used_are_not(house: House) {
        let count = async |table: &'static str| {
            let (rows,): (i64,) = house.db().query(table).one().await.unwrap();
            rows
        };
        let mut tx = house.db().begin().await.unwrap();
        throttle::attempt_within(&mut tx, "a:limit", throttle::SIGN_IN_REQUESTER, house.app.now()).await.unwrap();
        tx.commit().await.unwrap();
        let added = house.post("/api/Guests", crate::steps::form(world::HARBOR_HOUSE, 1)).by(world::INTAKE)
            .header("idempotency-key", "one").send().await;
        added.expect(201);
        house.advance(24 * HOUR - 1);
        assert_eq!(cleanup::run(&house.app).await.unwrap(), 0);
        house.advance(1);
        assert_eq!(cleanup::run(&house.app).await.unwrap(), 2, "the limit and the stored answer");
        assert_eq!(count("SELECT COUNT(*) FROM idempotency_keys").await, 0);
        assert_eq!(count("SELECT COUNT(*) FROM throttles").await, 0);
        assert_eq!(count("SELECT COUNT(*) FROM secrets").await, 8);
        house.advance(1000 * HOUR + 30 * DAY);
        assert_eq!(cleanup::run(&house.app).await.unwrap(), 8);
        assert_eq!(count("SELECT COUNT(*) FROM secrets").await, 0);
    }

    async fn sent_and_abandoned_messages_are_removed_after_thirty_days_and_queued_ones_kept(house: House) {
        let left = async || -> i64 { house.db().query("SELECT COUNT(*) FROM outbox").scalar().await.unwrap() };
        reserve(&house, world::OPEN_DOOR, 1).await;
        sent_texts(&house).await;
        assert_eq!(outbox::run(&house.app).await.unwrap(), 3, "the code, a mail and an SMS");
        house.advance(6 * MINUTE);
        reserve(&house, world::OPEN_DOOR, 2).await;
        sent_texts(&house).await;
        house.advance(30 * DAY - 6 * MINUTE - 1);
        cleanup::run(&house.app).await.unwrap();
        assert_eq!(left().await, 6);
        house.advance(1);
        cleanup::run(&house.app).await.unwrap();
        assert_eq!(left().await, 3, "phones and addresses are kept only as long as needed");
    }

    async fn the_job_loops_run_by_themselves_and_stop_on_request(house: House) {
        let reserved = reserve(&house, world::HARBOR_HOUSE, 1).await;
        house.get(&format!("/api/Guests?siteId={}", world::HARBOR_HOUSE)).by(world::INTAKE).send().await.expect(200);
        house.advance(24 * HOUR);
        let stop = CancellationToken::new();
        let loops = jobs::start(house.app.clone(), Arc::new(outbox::Kept), stop.clone());
        let done = async || {
            const STATE: &str = "SELECT (SELECT COUNT(*) FROM guests WHERE expired_at IS NOT NULL) AS expired, \
                (SELECT COUNT(*) FROM outbox WHERE sent_at IS NULL AND failed_at IS NULL) AS unsent, \
                (SELECT COUNT(*) FROM audit WHERE action = 'guests.listed') AS reads";
            let state: (i64, i64, i64) = house.db().query(STATE).one().await.unwrap();
            state == (1, 0, 1)
        };
        for _ in 0..100 {
            if done().await {
                break;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        assert!(done().await);
        assert_eq!(guest(&house, &reserved).await["status"], "expired");
        stop.cancel();
        tokio::time::timeout(Duration::from_secs(5), loops).await.expect("the loops end").unwrap();
    }
}

/// A provider that never answers.
struct Stuck;

impl Sender for Stuck {
    fn send<'a>(&'a self, _: &'a Outgoing) -> Sending<'a> {
        Box::pin(std::future::pending())
    }
}
