//! Messages that a provider could not accept at once are sent later only if they are still true, in time, and wanted
//! (docs/decisions/0052).

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use berth_server::jobs::outbox::{Outgoing, SendError, Sender, Sending, run_with};
use berth_server::jobs::{guest_texts, notices};

use crate::both_engines;
use crate::harness::{House, MINUTE};
use crate::steps::{DAY, add, command, form, id, phone, reserve, undo};
use crate::{invariants, world};

/// A provider that is down until the test switches it on. It keeps what it sent.
#[derive(Default)]
struct Provider {
    is_up: AtomicBool,
    sent: Mutex<Vec<String>>,
}

impl Provider {
    fn sent(&self) -> Vec<String> {
        std::mem::take(&mut *self.sent.lock().unwrap())
    }
}

impl Sender for Provider {
    fn send<'a>(&'a self, message: &'a Outgoing) -> Sending<'a> {
        Box::pin(async move {
            if !self.is_up.load(Ordering::SeqCst) {
                return Err(SendError::Temporary("down".to_owned()));
            }
            self.sent.lock().unwrap().push(message.body.clone());
            Ok(())
        })
    }
}

/// Writes the messages that are due and tries to send them.
async fn turn(house: &House, provider: &Provider) {
    guest_texts::run(&house.app).await.unwrap();
    notices::run(&house.app).await.unwrap();
    run_with(&house.app, provider).await.unwrap();
}

/// The provider comes back, ten minutes after the last attempt.
async fn comes_back(house: &House, provider: &Provider) -> Vec<String> {
    provider.is_up.store(true, Ordering::SeqCst);
    house.advance(10 * MINUTE);
    turn(house, provider).await;
    provider.sent()
}

/// A guest who has only got the text that the reservation was received.
async fn told_of_arrival(house: &House, provider: &Provider) -> String {
    provider.is_up.store(true, Ordering::SeqCst);
    let guest = id(&add(house, world::HARBOR_HOUSE, 1).await);
    turn(house, provider).await;
    assert_eq!(provider.sent().len(), 1);
    provider.is_up.store(false, Ordering::SeqCst);
    guest
}

both_engines! {
    async fn an_undone_decline_is_not_sent_after_the_accept(house: House) {
        let provider = Provider::default();
        let guest = told_of_arrival(&house, &provider).await;
        command(&house, &guest, "REJECTED", None).send().await.expect(200);
        house.advance(MINUTE);
        turn(&house, &provider).await;
        undo(&house, &guest, world::ADMIN).await.send().await.expect(200);
        command(&house, &guest, "ACCEPTED", Some(world::BED_A)).send().await.expect(200);
        house.advance(MINUTE);
        let sent = comes_back(&house, &provider).await;
        assert_eq!(sent.len(), 1, "{sent:?}");
        assert!(sent[0].contains("was accepted"), "{sent:?}");
        house.advance(DAY);
        turn(&house, &provider).await;
        assert_eq!(provider.sent(), Vec::<String>::new());
        invariants::hold(&house).await;
    }

    async fn an_accept_is_not_sent_to_a_discharged_guest(house: House) {
        let provider = Provider::default();
        let guest = told_of_arrival(&house, &provider).await;
        command(&house, &guest, "ACCEPTED", Some(world::BED_A)).send().await.expect(200);
        house.advance(MINUTE);
        turn(&house, &provider).await;
        command(&house, &guest, "DISCHARGED", None).send().await.expect(200);
        assert_eq!(comes_back(&house, &provider).await, Vec::<String>::new());
        invariants::hold(&house).await;
    }

    async fn a_phone_that_sent_stop_gets_no_queued_texts(house: House) {
        let provider = Provider::default();
        let guest = told_of_arrival(&house, &provider).await;
        command(&house, &guest, "ACCEPTED", Some(world::BED_A)).send().await.expect(200);
        house.advance(MINUTE);
        turn(&house, &provider).await;
        let person = house.app.persons.key(&house.app).await.unwrap().phone(&phone(1));
        let mut tx = house.db().begin().await.unwrap();
        tx.query("INSERT INTO sms_stops (person, stopped_at) VALUES ($1, 1)").bind(person).execute().await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(comes_back(&house, &provider).await, Vec::<String>::new());
        invariants::hold(&house).await;
    }

    async fn texts_that_are_still_true_are_sent_when_the_provider_is_back(house: House) {
        let provider = Provider::default();
        let guest = told_of_arrival(&house, &provider).await;
        command(&house, &guest, "ACCEPTED", Some(world::BED_A)).send().await.expect(200);
        house.advance(MINUTE);
        turn(&house, &provider).await;
        let sent = comes_back(&house, &provider).await;
        assert!(sent.len() == 1 && sent[0].contains("was accepted"), "{sent:?}");
        invariants::hold(&house).await;
    }

    async fn an_expired_code_is_not_sent(house: House) {
        let provider = Provider::default();
        house.post("/api/public/reservations", form(world::OPEN_DOOR, 1)).send().await.expect(202);
        turn(&house, &provider).await;
        house.advance(MINUTE);
        assert_eq!(comes_back(&house, &provider).await, Vec::<String>::new());
        house.post("/api/public/reservations", form(world::OPEN_DOOR, 2)).send().await.expect(202);
        turn(&house, &provider).await;
        assert_eq!(provider.sent().len(), 1);
    }

    async fn users_get_no_late_messages_about_new_reservations(house: House) {
        let provider = Provider::default();
        reserve(&house, world::HARBOR_HOUSE, 1).await;
        turn(&house, &provider).await;
        house.advance(13 * 60 * MINUTE);
        let sent = comes_back(&house, &provider).await;
        assert!(!sent.iter().any(|text| text.contains("has arrived") || text.contains("ha llegado")), "{sent:?}");
    }

    async fn a_phone_cannot_be_flooded_with_texts_about_its_reservations(house: House) {
        let provider = Provider::default();
        provider.is_up.store(true, Ordering::SeqCst);
        for _ in 0..8 {
            let guest = id(&add(&house, world::HARBOR_HOUSE, 1).await);
            turn(&house, &provider).await;
            command(&house, &guest, "REJECTED", None).send().await.expect(200);
            house.advance(MINUTE);
            turn(&house, &provider).await;
        }
        assert_eq!(provider.sent().len(), 12, "of sixteen");
        house.advance(DAY);
        let guest = id(&add(&house, world::HARBOR_HOUSE, 1).await);
        turn(&house, &provider).await;
        assert_eq!(provider.sent().len(), 1, "it is sent the next day");
        command(&house, &guest, "REJECTED", None).send().await.expect(200);
        invariants::hold(&house).await;
    }
}
