//! The texts that guests get about their own reservations (docs/decisions/0052).

use berth_server::jobs::{guest_texts, holds};
use serde_json::json;

use crate::both_engines;
use crate::harness::{HOUR, House, MINUTE};
use crate::steps::{add, code_of, command, form, guest, guest_texts as texts, id, newest_code, phone, reserve, undo};
use crate::{invariants, world};

/// The last sentence of the first text to a guest, in both languages.
const STOP: &str = " Reply STOP to end these texts.";
const ALTO: &str = " Responda ALTO para no recibir más mensajes.";

async fn run(house: &House, texts: &[&'static str]) {
    let mut tx = house.db().begin().await.unwrap();
    for text in texts {
        tx.query(text).execute().await.unwrap();
    }
    tx.commit().await.unwrap();
}

/// The outcome of each text, in the order of the guest's versions.
async fn outcomes(house: &House) -> Vec<String> {
    const OUTCOMES: &str =
        "SELECT kind, COALESCE(outcome, 'waits') FROM guest_texts ORDER BY version, happened_at, kind";
    let rows: Vec<(String, String)> = house.db().query(OUTCOMES).all().await.unwrap();
    rows.into_iter().map(|(kind, outcome)| format!("{kind} {outcome}")).collect()
}

async fn code(house: &House, id: &str) -> String {
    guest(house, id).await["code"].as_str().unwrap().to_owned()
}

both_engines! {
    async fn a_guest_gets_one_text_for_each_step_and_the_address(house: House) {
        const HOURS: [&str; 1] = ["INSERT INTO site_intake_periods (site_id, time_period, from_time, to_time, enabled) \
            SELECT id, 'Monday to Friday', '09:00:00', '17:00:00', TRUE FROM sites WHERE name_key = 'harbor house'"];
        run(&house, &HOURS).await;
        let reserved = reserve(&house, world::HARBOR_HOUSE, 1).await;
        let code = code(&house, &reserved).await;
        let received =
            format!("Berth: We have your reservation {code}. The site will answer by 10:00 AM on March 3.{STOP}");
        assert_eq!(texts(&house, &phone(1)).await, std::slice::from_ref(&received));
        command(&house, &reserved, "ACCEPTED", Some(world::BED_A)).send().await.expect(200);
        house.advance(MINUTE);
        let accepted = format!("Berth: Your reservation {code} was accepted. Address: 12 Pier Avenue, Long Beach, CA 90802. \
            Intake hours: Monday to Friday 9:00 AM - 5:00 PM. Questions: call (714) 555-0100.");
        assert_eq!(texts(&house, &phone(1)).await, [received.clone(), accepted.clone()]);
        command(&house, &reserved, "REASSIGNED", Some(world::BED_C)).send().await.expect(200);
        command(&house, &reserved, "DISCHARGED", None).send().await.expect(200);
        assert_eq!(texts(&house, &phone(1)).await, [received, accepted], "no text about a move or the end of a stay");
        assert!(!guest_texts::is_due(&house.app).await.unwrap());
        invariants::hold(&house).await;
    }

    async fn texts_are_in_the_language_of_the_reservation(house: House) {
        const SPANISH: [&str; 1] = ["UPDATE sites SET hold_hours = 3"];
        run(&house, &SPANISH).await;
        let asked = house.post("/api/public/reservations", form(world::OPEN_DOOR, 1)).header("accept-language", "es");
        let asked = id(&asked.send().await.expect(202));
        let otp = newest_code(&house, &phone(1)).await;
        let made = house.post(&format!("/api/public/reservations/{asked}/confirm"), json!({"otp": otp}));
        let code = made.send().await.expect(201)["code"].as_str().unwrap().to_owned();
        // Nobody decides. The job runs a minute after each event.
        for minutes in [91, 30, 60] {
            house.advance(minutes * MINUTE);
            holds::run(&house.app).await.unwrap();
            guest_texts::run(&house.app).await.unwrap();
        }
        assert_eq!(texts(&house, &phone(1)).await, [
            format!("Berth: Tenemos su reserva {code}. El centro responderá antes de las 13:00 del 2 de marzo.{ALTO}"),
            format!("Berth: El centro aún no responde a su reserva {code}. Vence a las 13:00 del 2 de marzo. Puede llamar al centro: (714) 555-0100."),
            format!("Berth: Su reserva {code} venció porque el centro no respondió a tiempo. Elija otro centro: http://localhost:8080/find"),
        ]);
        invariants::hold(&house).await;
    }

    async fn a_field_sets_the_language_and_english_is_the_default(house: House) {
        let mut chosen = form(world::OPEN_DOOR, 1);
        chosen["language"] = json!("es");
        house.post("/api/public/reservations", chosen.clone()).header("accept-language", "en").send().await.expect(202);
        assert!(house.outbox().await[0].2.contains("es su código de Berth"), "the code's text is in this language, too");
        let by_hand = house.post("/api/Guests", chosen.clone()).by(world::ADMIN).send().await.expect(201);
        assert!(texts(&house, &phone(1)).await[0].starts_with("Berth: Tenemos su reserva"), "{by_hand}");
        // The language of a user's browser says nothing about the guest.
        let header = house.post("/api/Guests", form(world::OPEN_DOOR, 2)).by(world::ADMIN).header("accept-language", "es");
        let code = header.send().await.expect(201)["code"].as_str().unwrap().to_owned();
        assert_eq!(texts(&house, &phone(2)).await,
            [format!("Berth: We have your reservation {code}. The site will answer soon.{STOP}")]);
        chosen["language"] = json!("fr");
        let refused = house.post("/api/public/reservations", chosen).send().await;
        assert_eq!(refused.field_errors().len(), 1);
        assert!(refused.field_errors()[0].starts_with("/language: "), "{:?}", refused.field_errors());
    }

    async fn a_decline_is_sent_once_the_user_who_declined_can_no_longer_undo_it(house: House) {
        let reserved = reserve(&house, world::HARBOR_HOUSE, 1).await;
        let code = code(&house, &reserved).await;
        assert_eq!(texts(&house, &phone(1)).await.len(), 1);
        // Undone within ten seconds: the guest gets no text.
        command(&house, &reserved, "REJECTED", None).send().await.expect(200);
        house.advance(9_000);
        undo(&house, &reserved, world::INTAKE).await.send().await.expect(200);
        house.advance(MINUTE);
        assert_eq!(texts(&house, &phone(1)).await.len(), 1);
        // Not undone: the text is sent after 15 seconds.
        command(&house, &reserved, "REJECTED", None).send().await.expect(200);
        house.advance(14_999);
        assert_eq!(texts(&house, &phone(1)).await.len(), 1);
        house.advance(1);
        let declined = format!("Berth: The site could not accept your reservation {code}. Please choose another site: http://localhost:8080/find");
        assert_eq!(texts(&house, &phone(1)).await[1..], std::slice::from_ref(&declined)[..]);
        // An admin undoes it an hour later, which the guest must know. The hold was paused once before and is not paused again.
        house.advance(HOUR);
        undo(&house, &reserved, world::ADMIN).await.send().await.expect(200);
        let reopened = format!("Berth: The site is considering your reservation {code} after all. It will answer by 10:00 AM on March 3.");
        assert_eq!(texts(&house, &phone(1)).await[1..], [declined.clone(), reopened.clone()]);
        command(&house, &reserved, "REJECTED", None).send().await.expect(200);
        house.advance(MINUTE);
        assert_eq!(texts(&house, &phone(1)).await[1..], [declined.clone(), reopened, declined]);
        assert_eq!(outcomes(&house).await, ["received sent", "declined outdated", "reopened outdated", "declined sent",
            "reopened sent", "declined sent"]);
        invariants::hold(&house).await;
    }

    async fn an_accept_undone_within_ten_seconds_is_not_sent(house: House) {
        let reserved = reserve(&house, world::HARBOR_HOUSE, 1).await;
        assert_eq!(texts(&house, &phone(1)).await.len(), 1);
        command(&house, &reserved, "ACCEPTED", Some(world::BED_A)).send().await.expect(200);
        house.advance(9_000);
        assert_eq!(texts(&house, &phone(1)).await.len(), 1);
        undo(&house, &reserved, world::INTAKE).await.send().await.expect(200);
        house.advance(MINUTE);
        assert_eq!(texts(&house, &phone(1)).await.len(), 1, "no address of a site that has no bed for the guest");
        command(&house, &reserved, "ACCEPTED", Some(world::BED_C)).send().await.expect(200);
        house.advance(14_999);
        assert_eq!(texts(&house, &phone(1)).await.len(), 1);
        house.advance(1);
        assert!(texts(&house, &phone(1)).await[1].contains("was accepted."));
        assert_eq!(outcomes(&house).await, ["received sent", "accepted outdated", "reopened outdated", "accepted sent"]);
        invariants::hold(&house).await;
    }

    async fn a_guest_is_reminded_once_and_never_late(house: House) {
        reserve(&house, world::HARBOR_HOUSE, 1).await;
        reserve(&house, world::HARBOR_HOUSE, 2).await;
        texts(&house, &phone(1)).await;
        house.advance(12 * HOUR);
        holds::run(&house.app).await.unwrap();
        assert_eq!(texts(&house, &phone(1)).await.len(), 1, "the reminder at half of a long hold is for staff only");
        house.advance(11 * HOUR);
        holds::run(&house.app).await.unwrap();
        assert!(texts(&house, &phone(1)).await[1].contains("It expires at 10:00 AM on March 3. You can call the site: (714) 555-0100."));
        holds::run(&house.app).await.unwrap();
        assert_eq!(texts(&house, &phone(1)).await.len(), 2);
        // The texts job itself did not run for more than ten minutes.
        run(&house, &["UPDATE guest_texts SET settled_at = NULL, outcome = NULL, outbox_id = NULL WHERE kind = 'ending'",
            "DELETE FROM outbox"]).await;
        house.advance(10 * MINUTE + 1);
        guest_texts::run(&house.app).await.unwrap();
        assert_eq!(outcomes(&house).await, ["received sent", "received sent", "ending late", "ending late"]);
        house.advance(50 * MINUTE);
        holds::run(&house.app).await.unwrap();
        assert!(texts(&house, &phone(1)).await[0].contains("has expired"), "the next one is sent");
    }

    async fn a_guest_with_a_short_hold_is_reminded_at_half_time(house: House) {
        run(&house, &["UPDATE sites SET hold_hours = 1"]).await;
        reserve(&house, world::HARBOR_HOUSE, 1).await;
        house.advance(30 * MINUTE);
        holds::run(&house.app).await.unwrap();
        assert!(texts(&house, &phone(1)).await[1].contains("It expires at 11:00 AM on March 2."));
        house.advance(20 * MINUTE);
        holds::run(&house.app).await.unwrap();
        assert_eq!(texts(&house, &phone(1)).await.len(), 2);
    }

    async fn texts_go_to_personal_phones_only_and_contain_no_names(house: House) {
        let mut service = form(world::HARBOR_HOUSE, 1);
        service["phone"] = json!("(800) 555-0100");
        house.post("/api/Guests", service).by(world::ADMIN).send().await.expect(201);
        assert_eq!(texts(&house, "+18005550100").await, Vec::<String>::new());
        assert_eq!(outcomes(&house).await, ["received no-person"]);
        let by_hand = id(&add(&house, world::HARBOR_HOUSE, 2).await);
        command(&house, &by_hand, "ACCEPTED", Some(world::BED_A)).send().await.expect(200);
        house.advance(MINUTE);
        // The first text to a guest, whichever it is, says how to stop them.
        let told = texts(&house, &phone(2)).await;
        assert_eq!(told.len(), 1, "what another text says a moment later is not sent twice");
        assert!(told[0].ends_with(STOP), "{told:?}");
        for word in ["Person", "Harbor House", "health", "drug"] {
            assert!(!told[0].contains(word), "{told:?}");
        }
    }

    /// A user who edits a site must not be able to send links to guests in our name.
    async fn an_address_that_looks_like_a_link_is_not_a_link_in_a_text(house: House) {
        run(&house, &["UPDATE sites SET address = 'pay.test.example/now, Long Beach'"]).await;
        let guest = id(&add(&house, world::HARBOR_HOUSE, 1).await);
        command(&house, &guest, "ACCEPTED", Some(world::BED_A)).send().await.expect(200);
        house.advance(MINUTE);
        let told = texts(&house, &phone(1)).await;
        assert!(told[0].contains("Address: pay. test. example/now, Long Beach."), "{told:?}");
    }

    /// An address from before streets were checked, or from another provider.
    async fn an_address_cannot_carry_another_message(house: House) {
        let typed = format!("UPDATE sites SET address = 'You owe 90 dollars. Call 714 555 0199 {}'", "now ".repeat(60));
        run(&house, &[typed.leak()]).await;
        let guest = id(&add(&house, world::HARBOR_HOUSE, 1).await);
        command(&house, &guest, "ACCEPTED", Some(world::BED_A)).send().await.expect(200);
        house.advance(MINUTE);
        let told = texts(&house, &phone(1)).await;
        assert!(told[0].contains("Call ••• ••• •••• now") && !told[0].contains("0199"), "{told:?}");
        assert_eq!(told[0].matches("now").count(), 30, "160 characters of it: {told:?}");
    }

    async fn two_nodes_send_a_text_once_and_a_rolled_back_change_sends_none(house: House) {
        let other = house.another_node().await;
        for number in 0..4 {
            add(&house, world::HARBOR_HOUSE, number).await;
            let (one, two) = tokio::join!(guest_texts::run(&house.app), guest_texts::run(&other));
            assert_eq!(one.unwrap() + two.unwrap(), 1);
        }
        let told = house.outbox().await.into_iter().filter(|(_, _, body)| code_of(body).is_empty()).count();
        assert_eq!(told, 4);
        let refused = house.post("/api/Guests", form(world::HARBOR_HOUSE, 9)).by(world::ADMIN).send().await;
        refused.expect(409);
        assert!(!guest_texts::is_due(&house.app).await.unwrap());
        invariants::hold(&house).await;
    }

    async fn the_recount_finds_a_text_that_is_missing_or_has_another_phone(house: House) {
        let reserved = reserve(&house, world::HARBOR_HOUSE, 1).await;
        texts(&house, &phone(1)).await;
        command(&house, &reserved, "ACCEPTED", Some(world::BED_A)).send().await.expect(200);
        house.advance(MINUTE);
        texts(&house, &phone(1)).await;
        invariants::hold(&house).await;
        run(&house, &["UPDATE outbox SET recipient = '+17145559999' WHERE id IN (SELECT outbox_id FROM guest_texts)",
            "DELETE FROM guest_texts WHERE kind = 'accepted'"]).await;
        let broken = invariants::broken(house.db(), house.app.now()).await;
        assert_eq!(broken, ["I21: each change that a guest is told has one text, written with it (1 times not)",
            "I21: a text that was sent is one message to the guest's phone (1 times not)"]);
    }
}
