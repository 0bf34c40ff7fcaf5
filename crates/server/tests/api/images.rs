//! Pictures: what an upload stores, who may use it, who may see it, and when it is removed.

use axum::body::to_bytes;
use axum::http::{HeaderMap, Method};
use berth_domain::id::RoomId;
use berth_server::integrations::files;
use berth_server::jobs::cleanup;
use futures_util::future::join;
use serde_json::json;

use crate::harness::{Ask, HOUR, House};
use crate::site_steps::{as_it_is, edit, told};
use crate::{both_engines, pictures, steps, world};

/// An upload, as a form.
pub fn form(house: &House, prefix: &str, files: &[(&str, Vec<u8>)]) -> Ask {
    let mut body = format!("--cut\r\nContent-Disposition: form-data; name=\"prefix\"\r\n\r\n{prefix}\r\n").into_bytes();
    for (name, bytes) in files {
        let head = format!(
            "--cut\r\nContent-Disposition: form-data; name=\"files\"; filename=\"{name}\"\r\n\
             Content-Type: image/jpeg\r\n\r\n"
        );
        body.extend_from_slice(head.as_bytes());
        body.extend_from_slice(bytes);
        body.extend_from_slice(b"\r\n");
    }
    body.extend_from_slice(b"--cut--\r\n");
    house.ask(Method::POST, "/api/Images").raw("multipart/form-data; boundary=cut", body)
}

/// Uploads one file with this name and returns its path.
pub async fn upload(house: &House, token: &str, prefix: &str, name: &str, bytes: Vec<u8>) -> String {
    let answer = form(house, prefix, &[(name, bytes)]).by(token).send().await.expect(201);
    answer["paths"][0].as_str().unwrap().to_owned()
}

/// Uploads a picture for this prefix and returns its path.
pub async fn uploaded(house: &House, token: &str, prefix: &str) -> String {
    upload(house, token, prefix, "front.jpg", pictures::jpeg(8, 8)).await
}

/// Status, headers and bytes of a picture.
pub async fn fetch(ask: Ask) -> (u16, HeaderMap, Vec<u8>) {
    let response = ask.open().await;
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    (status, headers, to_bytes(response.into_body(), 64 << 20).await.unwrap().to_vec())
}

/// Returns the bytes of a picture, which must exist.
pub async fn seen(house: &House, path: &str) -> Vec<u8> {
    let (status, _, bytes) = fetch(house.get(&format!("/files/{path}"))).await;
    assert_eq!(status, 200, "{path}");
    bytes
}

/// Checks that a picture is gone at its address, and that the next sweep removes it.
async fn assert_gone(house: &House, path: &str) {
    let address = format!("/files/{path}");
    for ask in [
        house.get(&address),
        house.get(&format!("{address}?size=thumb")),
        house.get(&address).header("if-none-match", "*"),
    ] {
        assert_eq!(ask.status().await, 404, "{path}");
    }
    assert_eq!(files::sweep(&house.app).await.unwrap(), 1, "{path}");
    assert!(house.app.files.storage.get(path).await.unwrap().is_none(), "{path}: the bytes are gone, too");
}

async fn status(house: &House, path: &str, token: &str) -> u16 {
    house.get(&format!("/files/{path}")).by(token).status().await
}

both_engines! {
    async fn an_upload_returns_one_path_per_file_in_order(house: House) {
        let files = [("Front door.JPG", pictures::jpeg(30, 20)), ("plan.gif", pictures::animated_gif()),
            ("logo.png", pictures::png(5, 5))];
        let answer = form(&house, "site_", &files).by(world::STAFF).send().await.expect(201);
        let paths: Vec<&str> = answer["paths"].as_array().unwrap().iter().map(|path| path.as_str().unwrap()).collect();
        let ends: Vec<&str> = paths.iter().map(|path| path.split_once('_').unwrap().1.split_once('_').unwrap().1).collect();
        assert_eq!(ends, ["Front-door.jpg", "plan.png", "logo.png"]);
        assert!(paths.iter().all(|path| path.starts_with("uploads/site_")), "{paths:?}");
        assert_eq!(house.trail().await, ["image.uploaded"; 3]);
        for path in paths {
            let (status, headers, bytes) = fetch(house.get(&format!("/files/{path}"))).await;
            assert_eq!((status, bytes.is_empty()), (200, false));
            assert_eq!(headers["cache-control"], "public, max-age=31536000, immutable");
            assert_eq!(headers["x-content-type-options"], "nosniff");
            assert_eq!(headers["content-security-policy"], "default-src 'none'; sandbox");
            let kind = if path.ends_with(".jpg") { "image/jpeg" } else { "image/png" };
            assert_eq!(headers["content-type"], kind);
            let tag = headers["etag"].to_str().unwrap();
            let again = house.get(&format!("/files/{path}")).header("if-none-match", tag);
            assert_eq!(again.status().await, 304);
        }
    }

    async fn one_wrong_file_rejects_the_whole_upload(house: House) {
        let files = [("a.jpg", pictures::jpeg(4, 4)), ("b.jpg", b"no picture".to_vec()), ("c.png", Vec::new())];
        assert_eq!(
            form(&house, "site_", &files).by(world::OWNER).send().await.field_errors(),
            [
                "/files/1: File \"b.jpg\" has an invalid file type. Only JPEG, PNG, and GIF are allowed.",
                "/files/2: File \"c.png\" has an invalid file type. Only JPEG, PNG, and GIF are allowed.",
            ]
        );
        let kept: i64 = house.db().query("SELECT COUNT(*) FROM files").scalar().await.unwrap();
        assert_eq!(kept, 0);
    }

    async fn a_large_picture_is_scaled_down_and_has_a_thumbnail(house: House) {
        let path = upload(&house, world::OWNER, "org_", "wide.png", pictures::png(3000, 60)).await;
        let size = |bytes: &[u8]| {
            let picture = image::load_from_memory(bytes).unwrap();
            (picture.width(), picture.height())
        };
        assert_eq!(size(&seen(&house, &path).await), (2048, 41));
        assert_eq!(size(&seen(&house, &format!("{path}?size=thumb")).await), (480, 10));
        let clear = upload(&house, world::OWNER, "org_", "clear.png", pictures::clear_png(6, 6)).await;
        assert!(image::load_from_memory(&seen(&house, &clear).await).unwrap().color().has_alpha(), "a logo stays transparent");
    }

    async fn insurers_logos_are_jpeg_only(house: House) {
        let answer = form(&house, "ins_", &[("a.png", pictures::png(4, 4))]).by(world::GLOBAL).send().await;
        assert_eq!(answer.field_errors(), ["/files/0: Invalid file type. Only jpeg, jpg are allowed."]);
        uploaded(&house, world::GLOBAL, "ins_").await;
    }

    async fn a_path_is_accepted_only_for_the_purpose_of_its_upload(house: House) {
        let bed = uploaded(&house, world::OWNER, "bed_").await;
        for path in [bed.as_str(), "uploads/room_1.jpg", "room_1.jpg"] {
            let room = json!({"name": "House #1", "imagePath": path});
            let answer = house.put(&format!("/api/Rooms/{}", world::ROOM_1), room).by(world::OWNER).send().await;
            assert_eq!(answer.field_errors(), ["/imagePath: Please upload the image again."], "{path}");
        }
        // A path that the record already has is accepted again, wherever it comes from.
        let mut tx = house.db().begin().await.unwrap();
        tx.query("UPDATE rooms SET image_path = 'old/room.webp' WHERE id = $1").bind(world::ROOM_1).execute().await.unwrap();
        tx.commit().await.unwrap();
        let room = json!({"name": "Pier House", "imagePath": "old/room.webp"});
        house.put(&format!("/api/Rooms/{}", world::ROOM_1), room).by(world::OWNER).send().await.expect(200);
    }

    async fn cards_are_shown_only_to_users_who_see_the_guests_contact(house: House) {
        let front = upload(&house, world::ADMIN, "card_", "John Smith.jpg", pictures::jpeg(9, 9)).await;
        assert!(front.ends_with("_card.jpg"), "the name of a file may be the name of a guest: {front}");
        let everybody = [world::ADMIN, world::INTAKE, world::OWNER, world::GLOBAL, world::STAFF, world::OWNER_FREE,
            world::OWNER_FOREIGN, world::FIRST_STEP, "nobody"];
        for token in everybody {
            assert_eq!(status(&house, &front, token).await, 404, "{token}: it does not belong to a guest yet");
        }
        let mut guest = steps::form(world::HARBOR_HOUSE, 1);
        guest["insuranceCardFront"] = json!(front);
        let guest = house.post("/api/Guests", guest).by(world::ADMIN).send().await.expect(201);
        assert_eq!(guest["insuranceCardFront"], front.as_str());
        let statuses: Vec<u16> = {
            let mut all = Vec::new();
            for token in everybody {
                all.push(status(&house, &front, token).await);
            }
            all
        };
        assert_eq!(statuses, [200, 200, 200, 200, 404, 404, 404, 404, 404]);
        assert_eq!(house.get(&format!("/files/{front}")).status().await, 404, "nobody is signed in");
        let (_, headers, _) = fetch(house.get(&format!("/files/{front}?size=thumb")).by(world::INTAKE)).await;
        assert_eq!((headers["cache-control"].to_str().unwrap(), headers.contains_key("etag")), ("no-store", false));
        let trail = house.trail().await;
        let count = |action: &str| trail.iter().filter(|known| *known == action).count();
        assert_eq!((count("guest.card-viewed"), count("guest.card-viewed-by-global-admin")), (4, 1));
        let as_staff = house.get(&format!("/api/Guests/{}", steps::id(&guest))).by(world::STAFF).send().await;
        assert!(!as_staff.text.contains("card_"), "{}", as_staff.text);
    }

    async fn a_card_is_accepted_only_from_its_uploader_and_for_one_guest(house: House) {
        let card = uploaded(&house, world::INTAKE, "card_").await;
        let mut guest = steps::form(world::HARBOR_HOUSE, 1);
        guest["insuranceCardBack"] = json!(card);
        let again = ["/insuranceCardBack: Please upload the image again."];
        assert_eq!(house.post("/api/Guests", guest.clone()).by(world::ADMIN).send().await.field_errors(), again);
        house.post("/api/Guests", guest).by(world::INTAKE).send().await.expect(201);
        let mut other = steps::form(world::HARBOR_HOUSE, 2);
        other["insuranceCardBack"] = json!(card);
        assert_eq!(house.post("/api/Guests", other).by(world::INTAKE).send().await.field_errors(), again);
        let mut web = steps::form(world::HARBOR_HOUSE, 3);
        web["insuranceCardFront"] = json!(card);
        let asked = steps::id(&house.post("/api/public/reservations", web).send().await.expect(202));
        let otp = steps::code_of(&steps::newest_text(&house, &steps::phone(3)).await);
        steps::Asked { id: asked, otp }.confirm(&house).send().await.expect(201);
        let cards: i64 = house.db()
            .query("SELECT COUNT(*) FROM guests WHERE insurance_card_front IS NOT NULL").scalar().await.unwrap();
        assert_eq!(cards, 0, "a path in a public form is not accepted as a card");
    }

    async fn unused_pictures_are_removed_after_a_day(house: House) {
        let (used, replaced) = (uploaded(&house, world::OWNER, "room_").await, uploaded(&house, world::OWNER, "room_").await);
        let left = uploaded(&house, world::OWNER, "site_").await;
        let room = |path: &str| house.put(&format!("/api/Rooms/{}", world::ROOM_1),
            json!({"name": "House #1", "imagePath": path})).by(world::OWNER);
        room(&replaced).send().await.expect(200);
        house.advance(23 * HOUR);
        assert_eq!(files::sweep(&house.app).await.unwrap(), 0);
        // Its form was open all day and is saved in the last hour.
        let room_2 = json!({"name": "House #2", "imagePath": used});
        let late = house.put(&format!("/api/Rooms/{}", world::ROOM_2), room_2);
        late.by(world::OWNER).send().await.expect(200);
        house.advance(HOUR);
        cleanup::run(&house.app).await.unwrap();
        assert_eq!(house.get(&format!("/files/{left}")).status().await, 404);
        seen(&house, &used).await;
        seen(&house, &replaced).await;
        room("").send().await.expect(200);
        house.advance(24 * HOUR);
        assert_eq!(files::sweep(&house.app).await.unwrap(), 1);
        assert_eq!(house.get(&format!("/files/{replaced}")).status().await, 404);
        assert!(house.app.files.storage.get(&replaced).await.unwrap().is_none(), "the bytes are gone, too");
        assert!(house.app.files.storage.get(&files::thumbnail_of(&replaced)).await.unwrap().is_none());
        seen(&house, &used).await;
    }

    async fn a_picture_that_its_record_has_lost_is_gone_at_once(house: House) {
        let methods = json!([1, 2, 3]);
        let records = [
            ("room_", format!("/api/Rooms/{}", world::ROOM_1), json!({"name": "House #1"}), "imagePath"),
            ("bed_", format!("/api/Beds/{}", world::BED_A), json!({"name": "Detox", "type": "Detox", "disabled": false}), "imagePath"),
            ("org_", format!("/api/Organizations/{}", world::HARBOR), json!({"id": world::HARBOR, "name": "Harbor Recovery",
                "isDisabled": false, "insuranceCompanyIds": [], "reservationPaymentMethodIds": methods}), "logoPath"),
            ("ins_", format!("/api/InsuranceCompanies/{}", world::INSURER),
                json!({"id": world::INSURER, "name": "Blue Anchor", "isPrimary": true}), "logoPath"),
        ];
        for (prefix, path, body, field) in records {
            let save = |picture: &str| {
                let mut body = body.clone();
                body[field] = json!(picture);
                house.put(&path, body).by(world::GLOBAL)
            };
            let (before, after) = (uploaded(&house, world::GLOBAL, prefix).await, uploaded(&house, world::GLOBAL, prefix).await);
            save(&before).send().await.expect(200);
            seen(&house, &before).await;
            save(&after).send().await.expect(200);
            seen(&house, &after).await;
            // A form that was open elsewhere all the time.
            let back = save(&before).send().await.field_errors();
            assert_eq!(back, [format!("/{field}: Please upload the image again.")]);
            assert_gone(&house, &before).await;
            seen(&house, &after).await;
        }
        house.advance(25 * HOUR);
        assert_eq!(files::sweep(&house.app).await.unwrap(), 0, "those in use stay");
    }

    async fn a_photo_that_a_site_has_lost_is_gone_at_once(house: House) {
        let (front, garden) = (uploaded(&house, world::OWNER, "site_").await, uploaded(&house, world::OWNER, "site_").await);
        let with = async |photos: &[&str]| {
            let mut body = as_it_is(&house, world::OPEN_DOOR).await;
            body["intakePeriods"] = told(&json!(null), &[])["intakePeriods"].clone();
            body["images"] = photos.iter().enumerate().map(|(index, path)| json!({"imagePath": path, "index": index})).collect();
            edit(&house, world::OPEN_DOOR, &body, world::ADMIN).await
        };
        with(&[&front, &garden]).await.expect(200);
        with(&[&garden, &front]).await.expect(200);
        seen(&house, &front).await;
        with(&[&garden]).await.expect(200);
        seen(&house, &garden).await;
        let back = with(&[&garden, &front]).await.field_errors();
        assert_eq!(back, ["/images/1/imagePath: Please upload the image again."]);
        assert_gone(&house, &front).await;
    }

    async fn a_picture_of_two_records_stays_until_both_have_lost_it(house: House) {
        let photo = uploaded(&house, world::OWNER, "room_").await;
        let room = |id: RoomId, name: &str, photo: &str| {
            house.put(&format!("/api/Rooms/{id}"), json!({"name": name, "imagePath": photo})).by(world::OWNER)
        };
        room(world::ROOM_1, "House #1", &photo).send().await.expect(200);
        room(world::ROOM_2, "House #2", &photo).send().await.expect(200);
        room(world::ROOM_1, "House #1", "").send().await.expect(200);
        seen(&house, &photo).await;
        assert_eq!(files::sweep(&house.app).await.unwrap(), 0);
        room(world::ROOM_1, "House #1", &photo).send().await.expect(200);
        room(world::ROOM_2, "House #2", "").send().await.expect(200);
        seen(&house, &photo).await;
        room(world::ROOM_1, "House #1", "").send().await.expect(200);
        assert_gone(&house, &photo).await;
    }

    async fn a_picture_that_one_site_takes_while_another_loses_it_is_shown_or_refused(house: House) {
        let room = |id: RoomId, photo: &str| {
            house.put(&format!("/api/Rooms/{id}"), json!({"name": "House #1", "imagePath": photo})).by(world::GLOBAL)
        };
        for _ in 0..10 {
            let photo = uploaded(&house, world::GLOBAL, "room_").await;
            room(world::ROOM_1, &photo).send().await.expect(200);
            let (lost, taken) = join(room(world::ROOM_1, "").send(), room(world::OPEN_ROOM, &photo).send()).await;
            lost.expect(200);
            if taken.status == 200 {
                seen(&house, &photo).await;
            } else {
                assert_eq!(taken.field_errors(), ["/imagePath: Please upload the image again."]);
                assert_gone(&house, &photo).await;
            }
            room(world::OPEN_ROOM, "").send().await.expect(200);
            files::sweep(&house.app).await.unwrap();
        }
    }

    async fn a_picture_that_cannot_be_removed_does_not_block_others(house: House) {
        let mut left = Vec::new();
        for _ in 0..3 {
            left.push(uploaded(&house, world::OWNER, "site_").await);
        }
        left.sort();
        // A folder in its place, which the store cannot remove as a file.
        let first = house.app.settings.data.join("files").join(&left[0]);
        std::fs::remove_file(&first).unwrap();
        std::fs::create_dir_all(first.join("full")).unwrap();
        house.advance(24 * HOUR);
        assert_eq!(files::sweep(&house.app).await.unwrap(), 2);
        for path in &left[1..] {
            assert!(house.app.files.storage.get(path).await.unwrap().is_none(), "{path}");
        }
        std::fs::remove_dir_all(&first).unwrap();
        assert_eq!(files::sweep(&house.app).await.unwrap(), 1, "it is tried again");
    }

    async fn many_pictures_that_cannot_be_removed_do_not_block_others(house: House) {
        let folder = house.app.settings.data.join("files");
        let stuck = |number: usize| folder.join(format!("uploads/bed_stuck{number:03}.png"));
        for number in 0..120 {
            world::picture(&house.app, &format!("bed_stuck{number:03}"), "bed_").await;
            std::fs::create_dir_all(stuck(number).join("full")).unwrap();
        }
        let card = uploaded(&house, world::INTAKE, "card_").await;
        house.advance(24 * HOUR);
        // Each run stops after 50 that it could not remove; the next one continues after them.
        let mut runs = Vec::new();
        for _ in 0..3 {
            runs.push(files::sweep(&house.app).await.unwrap());
        }
        assert_eq!(runs, [0, 0, 1]);
        assert!(house.app.files.storage.get(&card).await.unwrap().is_none());
        for number in 0..120 {
            std::fs::remove_dir_all(stuck(number)).unwrap();
        }
        assert_eq!(files::sweep(&house.app).await.unwrap(), 120, "all of them are tried again");
    }
}
