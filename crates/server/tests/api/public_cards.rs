//! Pictures of an insurance card from the public side: accepted only for a confirmed reservation, and private.

use axum::http::Method;
use berth_server::integrations::files;

use crate::both_engines;
use crate::harness::{Ask, HOUR, House, MINUTE};
use crate::images::fetch;
use crate::steps::{Asked, ask_for, command, guest, id};
use crate::{invariants, pictures, world};

/// An upload of sides of the card.
pub fn send(house: &House, asked: &Asked, sides: &[(&str, Vec<u8>)]) -> Ask {
    let mut body = Vec::new();
    for (side, bytes) in sides {
        let head = format!(
            "--cut\r\nContent-Disposition: form-data; name=\"{side}\"; filename=\"John Smith.jpg\"\r\n\
             Content-Type: image/jpeg\r\n\r\n"
        );
        body.extend_from_slice(head.as_bytes());
        body.extend_from_slice(bytes);
        body.extend_from_slice(b"\r\n");
    }
    body.extend_from_slice(b"--cut--\r\n");
    house
        .ask(Method::POST, &format!("/api/public/reservations/{}/cards", asked.id))
        .raw("multipart/form-data; boundary=cut", body)
}

fn picture() -> Vec<u8> {
    pictures::jpeg(40, 25)
}

async fn count(house: &House, text: &'static str) -> i64 {
    house.db().query(text).scalar().await.unwrap()
}

/// The one guest of Harbor House.
async fn only_guest(house: &House) -> String {
    let list = house.get(&format!("/api/Guests?siteId={}", world::HARBOR_HOUSE)).by(world::ADMIN);
    id(&list.send().await.expect(200)["items"][0])
}

both_engines! {
    async fn no_card_is_accepted_before_the_phone_is_confirmed(house: House) {
        let asked = ask_for(&house, world::HARBOR_HOUSE, 1).await;
        send(&house, &asked, &[("front", picture())]).send().await.expect(404);
        assert_eq!(count(&house, "SELECT COUNT(*) FROM files").await, 0);
        asked.confirm(&house).send().await.expect(201);
        send(&house, &asked, &[("front", picture()), ("back", picture())]).send().await.expect(204);
        assert_eq!(count(&house, "SELECT COUNT(*) FROM files WHERE prefix = 'card_'").await, 2);
        let nobody = Asked { id: "01900000-0000-7000-8000-00000000ffff".to_owned(), otp: String::new() };
        send(&house, &nobody, &[("front", picture())]).send().await.expect(404);
    }

    async fn cards_belong_to_the_guest_and_are_shown_to_users_who_see_the_contact(house: House) {
        let asked = ask_for(&house, world::HARBOR_HOUSE, 1).await;
        asked.confirm(&house).send().await.expect(201);
        let one = only_guest(&house).await;
        let before = guest(&house, &one).await;
        send(&house, &asked, &[("back", picture())]).send().await.expect(204);
        let after = guest(&house, &one).await;
        assert!(after["insuranceCardFront"].is_null(), "{after}");
        let back = after["insuranceCardBack"].as_str().unwrap().to_owned();
        assert!(back.starts_with("uploads/card_") && back.ends_with("_card.jpg"), "{back}: the file name is not kept");
        assert_eq!(after["version"].as_i64(), before["version"].as_i64().map(|version| version + 1));
        for (token, wanted) in [(world::INTAKE, 200), (world::GLOBAL, 200), (world::STAFF, 404), (world::OWNER_FREE, 404)] {
            assert_eq!(fetch(house.get(&format!("/files/{back}")).by(token)).await.0, wanted, "{token}");
        }
        assert_eq!(fetch(house.get(&format!("/files/{back}"))).await.0, 404, "nobody is signed in");
        let trail = house.trail().await;
        assert!(trail.contains(&"guest.card-added".to_owned()), "{trail:?}");
        invariants::hold(&house).await;
    }

    async fn a_replaced_card_is_removed_and_the_other_side_is_kept(house: House) {
        let asked = ask_for(&house, world::HARBOR_HOUSE, 1).await;
        asked.confirm(&house).send().await.expect(201);
        send(&house, &asked, &[("front", picture())]).send().await.expect(204);
        send(&house, &asked, &[("front", pictures::jpeg(41, 25))]).send().await.expect(204);
        assert_eq!(files::sweep(&house.app).await.unwrap(), 1, "the one before, at once");
        house.advance(24 * HOUR);
        assert_eq!(files::sweep(&house.app).await.unwrap(), 0);
        assert_eq!(count(&house, "SELECT COUNT(*) FROM files f JOIN guests g ON g.insurance_card_front = f.path").await, 1);
    }

    async fn cards_are_accepted_for_half_an_hour_and_six_times(house: House) {
        let asked = ask_for(&house, world::HARBOR_HOUSE, 1).await;
        asked.confirm(&house).send().await.expect(201);
        for _ in 0..6 {
            send(&house, &asked, &[("front", picture())]).send().await.expect(204);
        }
        send(&house, &asked, &[("front", picture())]).send().await.expect(429);
        house.advance(30 * MINUTE);
        send(&house, &asked, &[("front", picture())]).send().await.expect(404);
    }

    async fn a_file_that_is_not_a_picture_is_refused_at_its_side(house: House) {
        let asked = ask_for(&house, world::HARBOR_HOUSE, 1).await;
        asked.confirm(&house).send().await.expect(201);
        let refused = send(&house, &asked, &[("front", picture()), ("back", b"<svg/>".to_vec())]).send().await;
        assert_eq!(refused.field_errors(),
            ["/back: File \"John Smith.jpg\" has an invalid file type. Only JPEG, PNG, and GIF are allowed."]);
        assert_eq!(count(&house, "SELECT COUNT(*) FROM files").await, 0, "all or none");
        assert_eq!(send(&house, &asked, &[]).send().await.field_errors(), ["/front: Please choose an image."]);
        send(&house, &asked, &[("side", picture())]).send().await.expect(400);
        let path = format!("/api/public/reservations/{}/cards", asked.id);
        house.post(&path, serde_json::json!({})).send().await.expect(415);
    }

    async fn an_ended_reservation_accepts_no_card(house: House) {
        let asked = ask_for(&house, world::HARBOR_HOUSE, 1).await;
        asked.confirm(&house).send().await.expect(201);
        let one = only_guest(&house).await;
        command(&house, &one, "REJECTED", None).send().await.expect(200);
        let refused = send(&house, &asked, &[("front", picture())]).send().await;
        assert_eq!(refused.refusal(409), "This reservation has ended. Please call the site.");
    }
}
