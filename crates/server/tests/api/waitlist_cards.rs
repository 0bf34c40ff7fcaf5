//! The insurance card of a person on the waitlist: kept, shown to those who may see the form, handed to the guest, and removed with the
//! form (docs/decisions/0066).

use berth_server::integrations::files;
use serde_json::{Value, json};

use crate::harness::{Ask, HOUR, House};
use crate::images::{fetch, uploaded};
use crate::steps::{form, guest, id, phone};
use crate::waitlist::{free, full, list, person, wait_with};
use crate::{both_engines, invariants, world};

/// Puts the `number`-th person on the waitlist with sides of a card.
fn wait_with_card(house: &House, number: usize, card: &Value) -> Ask {
    wait_with(house, number, &json!({"guest": merged(form(world::OPEN_DOOR, number), card)}))
}

fn merged(mut form: Value, more: &Value) -> Value {
    for (field, value) in more.as_object().unwrap() {
        form[field] = value.clone();
    }
    form
}

/// The form of a person, as intake sees it.
async fn shown(house: &House, person: &Value) -> Value {
    house.get(&format!("/api/Waitlist/{}", id(person))).by(world::INTAKE).send().await.expect(200)
}

/// The front and the back in the form of a person.
async fn sides(house: &House, person: &Value) -> (Value, Value) {
    let form = shown(house, person).await;
    (form["guest"]["insuranceCardFront"].clone(), form["guest"]["insuranceCardBack"].clone())
}

/// Changes fields of the guest in the form of a person.
async fn correct(house: &House, person: &Value, more: &Value, by: &str) -> Ask {
    let mut body = shown(house, person).await;
    body["guest"] = merged(body["guest"].clone(), more);
    house.put(&format!("/api/Waitlist/{}", id(person)), body).by(by)
}

async fn status(house: &House, path: &str, token: &str) -> u16 {
    house.get(&format!("/files/{path}")).by(token).status().await
}

/// Checks that nobody sees a picture that intake uploaded, and that intake can give it to nobody else, before a sweep runs.
async fn assert_lost(house: &House, card: &str) {
    assert_eq!(status(house, card, world::INTAKE).await, 404, "nobody has it any more");
    let more = json!({"insuranceCardBack": card});
    let other = wait_with_card(house, 4, &more).send().await;
    assert_eq!(other.field_errors(), ["/guest/insuranceCardBack: Please upload the image again."]);
    let guest = house.post("/api/Guests", merged(form(world::HARBOR_HOUSE, 5), &more)).by(world::INTAKE).send().await;
    assert_eq!(guest.field_errors(), ["/insuranceCardBack: Please upload the image again."]);
}

/// How many people who wait, or waited, have a side of a card.
async fn with_card(house: &House) -> i64 {
    const CARDS: &str = "SELECT COUNT(*) FROM waiting_guests WHERE insurance_card_front IS NOT NULL \
        OR insurance_card_back IS NOT NULL OR form LIKE '%uploads/%'";
    house.db().query(CARDS).scalar().await.unwrap()
}

both_engines! {
    async fn the_card_of_a_person_is_kept_and_is_the_guests_once_the_bed_is_taken(house: House) {
        let [first, _] = full(&house).await;
        let front = uploaded(&house, world::INTAKE, "card_").await;
        let back = uploaded(&house, world::INTAKE, "card_").await;
        let waiting = wait_with_card(&house, 3, &json!({"insuranceCardFront": front, "insuranceCardBack": back}));
        let waiting = waiting.send().await.expect(201);
        assert_eq!(sides(&house, &waiting).await, (json!(front), json!(back)));
        const FORM: &str = "SELECT COUNT(*) FROM waiting_guests WHERE form LIKE '%uploads%'";
        let twice: i64 = house.db().query(FORM).scalar().await.unwrap();
        assert_eq!(twice, 0, "the stored form does not hold the paths once more");
        free(&house, &first).await;
        let body = json!({"version": person(&house, 3).await["version"]});
        // By another user than the one who uploaded the card.
        let take = house.post(&format!("/api/Waitlist/{}/take", id(&waiting)), body).by(world::ADMIN);
        let taken = take.send().await.expect(201);
        let of_guest = guest(&house, &id(&taken)).await;
        assert_eq!((&of_guest["insuranceCardFront"], &of_guest["insuranceCardBack"]), (&json!(front), &json!(back)));
        assert_eq!(with_card(&house).await, 0);
        for _ in 0..2 {
            house.advance(25 * HOUR);
            assert_eq!(files::sweep(&house.app).await.unwrap(), 0);
        }
        assert_eq!(status(&house, &front, world::ADMIN).await, 200);
        assert!(house.trail().await.contains(&"guest.card-viewed".to_owned()));
        invariants::hold(&house).await;
    }

    async fn a_card_is_shown_to_those_who_may_see_the_form_and_each_look_is_on_record(house: House) {
        const LOOKS: &str = "SELECT action, object_id, summary FROM audit WHERE action LIKE 'waitlist.card-viewed%' ORDER BY id";
        full(&house).await;
        let card = uploaded(&house, world::INTAKE, "card_").await;
        let waiting = wait_with_card(&house, 3, &json!({"insuranceCardFront": card})).send().await.expect(201);
        let everybody = [world::ADMIN, world::INTAKE, world::OWNER_FREE, world::GLOBAL, world::STAFF, world::OWNER,
            world::OWNER_FOREIGN, world::FIRST_STEP, "nobody"];
        let mut statuses = Vec::new();
        for token in everybody {
            statuses.push(status(&house, &card, token).await);
        }
        assert_eq!(statuses, [200, 200, 200, 200, 404, 404, 404, 404, 404]);
        assert_eq!(house.get(&format!("/files/{card}")).status().await, 404, "nobody is signed in");
        let looks: Vec<(String, Option<uuid::Uuid>, String)> = house.db().query(LOOKS).all().await.unwrap();
        let look = |action: &str| {
            (action.to_owned(), Some(id(&waiting).parse().unwrap()), waiting["code"].as_str().unwrap().to_owned())
        };
        let (by_user, by_global) = (look("waitlist.card-viewed"), look("waitlist.card-viewed-by-global-admin"));
        assert_eq!(looks, [by_user.clone(), by_user.clone(), by_user, by_global]);
        let (_, headers, _) = fetch(house.get(&format!("/files/{card}?size=thumb")).by(world::INTAKE)).await;
        assert_eq!((headers["cache-control"].to_str().unwrap(), headers.contains_key("etag")), ("no-store", false));
        assert!(!json!(list(&house).await).to_string().contains("card_"), "the list shows no card");
    }

    async fn a_card_is_accepted_from_its_uploader_and_for_one_person(house: House) {
        full(&house).await;
        let again = |side: &str| [format!("/guest/insuranceCard{side}: Please upload the image again.")];
        let card = uploaded(&house, world::ADMIN, "card_").await;
        let by_other = wait_with_card(&house, 3, &json!({"insuranceCardFront": card})).send().await;
        assert_eq!(by_other.field_errors(), again("Front"));
        assert_eq!(list(&house).await.len(), 0);
        let card = uploaded(&house, world::INTAKE, "card_").await;
        wait_with_card(&house, 3, &json!({"insuranceCardFront": card})).send().await.expect(201);
        for side in ["Front", "Back"] {
            let field = format!("insuranceCard{side}");
            let other = wait_with_card(&house, 4, &json!({field.as_str(): card})).send().await;
            assert_eq!(other.field_errors(), again(side));
            let guest = merged(form(world::HARBOR_HOUSE, 5), &json!({field.as_str(): card}));
            let guest = house.post("/api/Guests", guest).by(world::INTAKE).send().await;
            assert_eq!(guest.field_errors(), [format!("/{field}: Please upload the image again.")]);
        }
        let of_guest = uploaded(&house, world::INTAKE, "card_").await;
        let guest = merged(form(world::HARBOR_HOUSE, 5), &json!({"insuranceCardFront": of_guest}));
        house.post("/api/Guests", guest).by(world::INTAKE).send().await.expect(201);
        let other = wait_with_card(&house, 4, &json!({"insuranceCardBack": of_guest})).send().await;
        assert_eq!(other.field_errors(), again("Back"));
        let logo = uploaded(&house, world::INTAKE, "card_").await.replace("card_", "room_");
        let other = wait_with_card(&house, 4, &json!({"insuranceCardBack": logo})).send().await;
        assert_eq!(other.field_errors(), again("Back"));
    }

    async fn a_repeated_add_with_a_card_has_one_effect(house: House) {
        full(&house).await;
        let card = uploaded(&house, world::INTAKE, "card_").await;
        let add = || wait_with_card(&house, 3, &json!({"insuranceCardBack": card})).header("idempotency-key", "wait-1");
        let first = add().send().await.expect(201);
        let again = add().send().await.expect(201);
        assert_eq!((id(&first), list(&house).await.len()), (id(&again), 1));
        assert_eq!(sides(&house, &first).await, (Value::Null, json!(card)));
    }

    async fn a_correction_keeps_the_card_that_is_sent_again_whoever_uploaded_it(house: House) {
        const EDITED: &str = "SELECT summary FROM audit WHERE action = 'waitlist.edited' ORDER BY id";
        full(&house).await;
        let card = uploaded(&house, world::INTAKE, "card_").await;
        let waiting = wait_with_card(&house, 3, &json!({"insuranceCardFront": card})).send().await.expect(201);
        let phone = json!({"phone": phone(7)});
        correct(&house, &waiting, &phone, world::ADMIN).await.send().await.expect(204);
        assert_eq!(sides(&house, &waiting).await, (json!(card), Value::Null));
        let turned = json!({"insuranceCardFront": null, "insuranceCardBack": card});
        correct(&house, &waiting, &turned, world::ADMIN).await.send().await.expect(204);
        assert_eq!(sides(&house, &waiting).await, (Value::Null, json!(card)));
        let version = shown(&house, &waiting).await["version"].clone();
        correct(&house, &waiting, &json!({}), world::ADMIN).await.send().await.expect(204);
        assert_eq!(shown(&house, &waiting).await["version"], version, "nothing has changed");
        let summaries: Vec<(String,)> = house.db().query(EDITED).all().await.unwrap();
        let code = waiting["code"].as_str().unwrap();
        let expected = ["phone", "insurance card"].map(|field| (format!("{code} changed: {field}"),));
        assert_eq!(summaries, expected);
    }

    async fn a_new_card_is_claimed_and_the_one_before_is_removed(house: House) {
        full(&house).await;
        let (before, front) = (uploaded(&house, world::INTAKE, "card_").await, uploaded(&house, world::INTAKE, "card_").await);
        let card = json!({"insuranceCardFront": front, "insuranceCardBack": before});
        let waiting = wait_with_card(&house, 3, &card).send().await.expect(201);
        let of_other = uploaded(&house, world::INTAKE, "card_").await;
        let stolen = correct(&house, &waiting, &json!({"insuranceCardBack": of_other}), world::ADMIN).await.send().await;
        assert_eq!(stolen.field_errors(), ["/guest/insuranceCardBack: Please upload the image again."]);
        let now = uploaded(&house, world::ADMIN, "card_").await;
        correct(&house, &waiting, &json!({"insuranceCardBack": now}), world::ADMIN).await.send().await.expect(204);
        assert_eq!(sides(&house, &waiting).await, (json!(front), json!(now)));
        assert_lost(&house, &before).await;
        assert_eq!(files::sweep(&house.app).await.unwrap(), 1);
        assert!(house.app.files.storage.get(&before).await.unwrap().is_none());
        let none = json!({"insuranceCardFront": null, "insuranceCardBack": null});
        correct(&house, &waiting, &none, world::INTAKE).await.send().await.expect(204);
        assert_eq!(sides(&house, &waiting).await, (Value::Null, Value::Null));
        assert_eq!(files::sweep(&house.app).await.unwrap(), 2);
        assert_eq!(with_card(&house).await, 0);
    }

    async fn a_card_is_kept_as_long_as_the_person_waits_and_is_removed_soon_after(house: House) {
        full(&house).await;
        let card = uploaded(&house, world::INTAKE, "card_").await;
        let waiting = wait_with_card(&house, 3, &json!({"insuranceCardFront": card})).send().await.expect(201);
        for _ in 0..2 {
            house.advance(25 * HOUR);
            assert_eq!(files::sweep(&house.app).await.unwrap(), 0);
        }
        assert_eq!(status(&house, &card, world::INTAKE).await, 200);
        let leave = json!({"command": "LEAVE", "version": person(&house, 3).await["version"]});
        house.patch(&format!("/api/Waitlist/{}", id(&waiting)), leave).by(world::INTAKE).send().await.expect(204);
        assert_lost(&house, &card).await;
        assert_eq!(with_card(&house).await, 0);
        assert_eq!(files::sweep(&house.app).await.unwrap(), 1);
        assert!(house.app.files.storage.get(&card).await.unwrap().is_none());
        invariants::hold(&house).await;
    }
}
