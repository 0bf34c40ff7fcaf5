//! Malicious uploads (security-and-proof 5, attack 10): only pictures that we encoded ourselves are served.

use berth_server::auth::throttle::UPLOAD_USER;

use crate::harness::{Answer, House, MINUTE};
use crate::images::{form, seen, upload, uploaded};
use crate::pictures::{self, POSITION, SCRIPT};
use crate::{both_engines, world};

const SVG: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\"><script>alert(1)</script></svg>";
const HTML: &str = "<!doctype html><script>alert(1)</script>";

async fn send(house: &House, name: &str, bytes: Vec<u8>) -> Answer {
    form(house, "site_", &[(name, bytes)]).by(world::OWNER).send().await
}

fn holds(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|window| window == text.as_bytes())
}

both_engines! {
    async fn files_that_are_not_pictures_are_refused_whatever_their_name(house: House) {
        for name in ["a.svg", "a.jpg", "a.png"] {
            for content in [SVG, HTML, "", "GIF87", "\u{feff}<svg/>", "%PDF-1.7", "BM", "RIFF\0\0\0\0WEBPVP8 "] {
                let wanted =
                    format!("/files/0: File \"{name}\" has an invalid file type. Only JPEG, PNG, and GIF are allowed.");
                assert_eq!(send(&house, name, content.as_bytes().to_vec()).await.field_errors(), [wanted], "{content}");
            }
        }
    }

    async fn a_polyglot_loses_its_script_and_a_photo_its_location(house: House) {
        let sent = pictures::polyglot();
        assert!(holds(&sent, SCRIPT));
        let path = upload(&house, world::OWNER, "site_", "a.html", sent).await;
        assert!(path.ends_with("_a.jpg"), "{path}");
        assert!(!holds(&seen(&house, &path).await, "script"));
        let sent = pictures::turned_jpeg(64, 32);
        assert!(holds(&sent, POSITION));
        let path = upload(&house, world::OWNER, "site_", "turned.jpg", sent).await;
        for path in [path.clone(), format!("{path}?size=thumb")] {
            let kept = seen(&house, &path).await;
            assert!(!holds(&kept, "GPS") && !holds(&kept, "Exif"));
            assert_eq!(pictures::top_and_bottom(&kept), ["red", "blue"], "it is upright");
        }
    }

    async fn pixels_are_counted_before_any_is_decoded(house: House) {
        let wanted = "/files/0: File \"b\" has too many pixels. A photo can have up to 50 million, any other image up to 24 million.";
        let bombs = [
            ("64 million in some kilobytes", pictures::png_bomb(8000, 8000)),
            ("one more than 24 million", pictures::png_bomb(8000, 3001)),
            ("one side too long", pictures::png_bomb(8193, 1)),
            ("the other side too long", pictures::png_bomb(1, 8193)),
            ("a photo of no camera", pictures::jpeg_bomb(0xc0, 8192, 6145)),
            ("a photo that takes three times the memory", pictures::jpeg_bomb(0xc2, 8000, 3001)),
        ];
        for (what, bytes) in bombs {
            assert_eq!(send(&house, "b", bytes).await.field_errors(), [wanted], "{what}");
        }
        let errors = send(&house, "b", pictures::png_bomb(u32::MAX, u32::MAX)).await.field_errors();
        assert!(errors[0].contains("too many pixels") || errors[0].contains("could not be read"), "{errors:?}");
        upload(&house, world::OWNER, "site_", "camera.jpg", pictures::jpeg_bomb(0xc0, 6000, 4200)).await;
    }

    async fn broken_pictures_are_refused_or_partly_decoded(house: House) {
        let whole = pictures::jpeg(200, 200);
        let path = upload(&house, world::OWNER, "site_", "cut.jpg", whole[..whole.len() / 2].to_vec()).await;
        assert!(image::load_from_memory(&seen(&house, &path).await).is_ok());
        let wanted = "/files/0: File \"h.jpg\" could not be read as an image. Please choose another one.";
        assert_eq!(send(&house, "h.jpg", whole[..20].to_vec()).await.field_errors(), [wanted]);
        let mut torn = pictures::png(40, 40);
        torn.truncate(60);
        let wanted = "/files/0: File \"t.png\" could not be read as an image. Please choose another one.";
        assert_eq!(send(&house, "t.png", torn).await.field_errors(), [wanted]);
        let path = upload(&house, world::OWNER, "site_", "moves.gif", pictures::animated_gif()).await;
        let still = seen(&house, &path).await;
        assert!(still.starts_with(b"\x89PNG") && !holds(&still, "acTL"), "only the first frame");
        assert_eq!(pictures::top_and_bottom(&still), ["red", "red"]);
    }

    async fn sizes_and_numbers_are_limited(house: House) {
        let mut most = pictures::png(4, 4);
        most.resize(berth_domain::limits::MAX_IMAGE_BYTES, 0);
        upload(&house, world::OWNER, "site_", "most.png", most.clone()).await;
        most.push(0);
        let wanted = "/files/0: File \"over.png\" exceeds the size limit of 5MB.";
        assert_eq!(send(&house, "over.png", most.clone()).await.field_errors(), [wanted]);
        let six = vec![("a.png", pictures::png(1, 1)); 6];
        let answer = form(&house, "site_", &six).by(world::OWNER).send().await;
        assert_eq!(answer.field_errors(), ["/files: At most 5 images can be uploaded at once."]);
        let answer = form(&house, "site_", &[]).by(world::OWNER).send().await;
        assert_eq!(answer.field_errors(), ["/files: Please choose an image."]);
        for prefix in ["", "nope_", "../", "site", "card_card_card_card_card_card"] {
            let answer = form(&house, prefix, &[("a.png", pictures::png(1, 1))]).by(world::OWNER).send().await;
            assert!(answer.field_errors()[0].starts_with("/prefix: "), "{prefix}");
        }
        most.resize(30_000_000, 0);
        assert_eq!(send(&house, "flood.png", most).await.status, 413);
        let json = house.post("/api/Images", serde_json::json!({})).by(world::OWNER).send().await;
        assert_eq!(json.refusal(415), "Send this request as multipart/form-data.");
        let cut = house.ask(axum::http::Method::POST, "/api/Images").by(world::OWNER);
        let cut = cut.raw("multipart/form-data; boundary=cut", b"--cut\r\nContent-Disposition: form-data; na".to_vec());
        assert_eq!(cut.send().await.status, 400);
    }

    async fn a_file_name_never_leads_out_of_the_folder(house: House) {
        for name in ["../../x", "..\\\\..\\\\x.png", "/etc/passwd", "x%00.png", "<img src=x onerror=alert(1)>.png", "\u{202e}gnp.x"] {
            let path = upload(&house, world::OWNER, "site_", name, pictures::png(1, 1)).await;
            let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
            let (folder, rest) = path.split_once('/').unwrap();
            assert!(folder == "uploads" && rest.chars().all(plain) && !rest.contains(".."), "{name}: {path}");
        }
        for path in ["uploads/../berth.sqlite", "uploads/..%2f..%2fberth.sqlite", "../berth.sqlite", "uploads/", "uploads",
            "berth.sqlite", "thumbnails/x.png", "uploads/%00", "uploads/x.png?size=../../x"] {
            assert_eq!(house.get(&format!("/files/{path}")).status().await, 404, "{path}");
        }
        let path = uploaded(&house, world::OWNER, "site_").await;
        let thumbnail = path.replace("uploads/", "thumbnails/");
        assert_eq!(house.get(&format!("/files/{thumbnail}")).status().await, 404, "a picture is served under its exact name only");
    }

    async fn ten_thousand_uploads_in_a_row_hit_the_limit(house: House) {
        let mut taken = 0;
        for _ in 0..UPLOAD_USER.count + 5 {
            let answer = form(&house, "site_", &[]).by(world::STAFF).send().await;
            if answer.status != 422 {
                assert_eq!(answer.status, 429);
                assert!(answer.header("retry-after").parse::<i64>().unwrap() > 0);
                continue;
            }
            taken += 1;
        }
        assert_eq!(taken, UPLOAD_USER.count);
        uploaded(&house, world::OWNER, "site_").await;
        house.advance(10 * MINUTE);
        uploaded(&house, world::STAFF, "site_").await;
    }

    async fn uploads_need_a_full_sign_in(house: House) {
        let ask = || form(&house, "site_", &[("a.png", pictures::png(1, 1))]);
        assert_eq!(ask().send().await.status, 401);
        assert_eq!(ask().by(world::FIRST_STEP).send().await.status, 401);
    }
}
