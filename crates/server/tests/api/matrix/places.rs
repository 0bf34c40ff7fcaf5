//! The places of the matrix: their guests, people on waitlists, members and public requests.

use berth_db::Engine;
use berth_db::testing::Template;
use berth_domain::id::{BedId, OrganizationId, RoomId, SiteId};
use berth_server::App;
use berth_server::auth::tokens;
use berth_server::housing::sites;
use serde_json::json;
use uuid::Uuid;

use super::samples::{
    ASKED, CONFIRMED, LAST_FOUR, OTP, RESERVED, invited_to, member_of, merged_of, new_guest, reason_of, waiting_at,
};
use crate::harness::House;
use crate::{card_steps, world};

/// Texts that an answer must not show to staff and strangers: phone, email, policy and group of the guests at each existing
/// place. Each place has its own, to check that an answer to a user who sees the secrets of one place shows none of another.
pub(super) const SECRETS: [[&str; 4]; 3] = [
    ["+19995550199", "secret.guest@test.example", "POLICY-77", "GROUP-88"],
    ["+19995550198", "secret.friend@test.example", "POLICY-78", "GROUP-89"],
    ["+19995550197", "secret.stranger@test.example", "POLICY-79", "GROUP-90"],
];

/// The place that a call is about.
pub struct Place {
    pub(super) name: &'static str,
    pub(super) organization: OrganizationId,
    pub(super) site: SiteId,
    pub(super) commercial: bool,
    pub(super) room: RoomId,
    pub(super) vacant: BedId,
    pub(super) taken: BedId,
    pub(super) pending: Uuid,
    pub(super) placed: Uuid,
}

pub const fn guest_id(number: u128) -> Uuid {
    Uuid::from_u128(0x0190_0000_0000_7000_9000_0000_0000_0000 + number)
}

/// The three places, and one that does not exist.
pub fn places() -> [Place; 4] {
    let nowhere = Uuid::from_u128(0x0190_0000_0000_7000_9999_0000_0000_0000);
    [
        Place {
            name: "own commercial",
            organization: world::HARBOR,
            site: world::HARBOR_HOUSE,
            commercial: true,
            room: world::ROOM_1,
            vacant: world::BED_A,
            taken: world::BED_B,
            pending: guest_id(1),
            placed: guest_id(2),
        },
        Place {
            name: "own non-commercial",
            organization: world::OPEN_HANDS,
            site: world::OPEN_DOOR,
            commercial: false,
            room: world::OPEN_ROOM,
            vacant: world::BED_F,
            taken: world::BED_G,
            pending: guest_id(3),
            placed: guest_id(4),
        },
        Place {
            name: "foreign",
            organization: world::FOREIGN,
            site: world::FAR_AWAY,
            commercial: true,
            room: world::FAR_ROOM,
            vacant: world::BED_H,
            taken: BedId(nowhere),
            pending: guest_id(5),
            placed: guest_id(6),
        },
        Place {
            name: "no such id",
            organization: OrganizationId(nowhere),
            site: SiteId(nowhere),
            commercial: true,
            room: RoomId(nowhere),
            vacant: BedId(nowhere),
            taken: BedId(nowhere),
            pending: nowhere,
            placed: nowhere,
        },
    ]
}

/// Adds the public requests at the first place.
async fn add_requests(app: &App) {
    const REQUEST: &str = "INSERT INTO reservation_requests (hash, site_id, form, code_hash, language, network, created_at, \
        expires_at, confirmed_at, guest_id) VALUES ($1, $2, $3, $4, 'en', 'local', $5, $6, $7, $8)";
    const WEB_GUEST: &str = "INSERT INTO guests (id, site_id, code, first_name, first_name_key, last_name, gender, \
        age_service_id, phone, email, email_key, source, created_at, expires_at) \
        VALUES ($1, $2, $3, 'Quillan', 'quillan', 'R', 'Other', 'age-over-27', $4, 'q@test.example', 'q@test.example', 'Web', \
        $5, $6)";
    let [place, ..] = places();
    let (now, form) = (app.now(), new_guest(&place));
    let code_hash = tokens::code_hash(&ASKED.to_string(), form["phone"].as_str().unwrap(), OTP);
    let mut tx = app.db.begin().await.unwrap();
    for (id, guest) in [(ASKED, None), (CONFIRMED, Some(place.pending))] {
        tx.query(REQUEST)
            .bind(tokens::hash(&id.to_string()))
            .bind(place.site)
            .bind(form.to_string())
            .bind(&code_hash)
            .bind(now)
            .bind(now.plus_hours(1))
            .bind(guest.map(|_| now))
            .bind(guest)
            .execute()
            .await
            .unwrap();
    }
    tx.query(WEB_GUEST)
        .bind(guest_id(0x702))
        .bind(place.site)
        .bind(RESERVED)
        .bind(format!("+1714555{LAST_FOUR}"))
        .bind(now)
        .bind(now.plus_hours(24))
        .execute()
        .await
        .unwrap();
    tx.commit().await.unwrap();
}

/// Adds a pending, an assigned and a merged guest at each existing place, with values that staff must not see.
async fn add_guests(app: &App) {
    const GUEST: &str = "INSERT INTO guests (id, site_id, code, first_name, first_name_key, last_name, gender, \
        age_service_id, phone, email, email_key, source, policy_number, group_number, created_at, accepted_at) \
        VALUES ($1, $2, $3, 'Casey', 'casey', 'R', 'Other', 'age-over-27', $4, $5, $5, 'Admin', $6, $7, $8, $9)";
    const STAY: &str = "INSERT INTO stays (id, site_id, guest_id, bed_id, started_at) VALUES ($1, $2, $3, $4, $5)";
    const MERGED: &str = "UPDATE guests SET accepted_at = $2, discharged_at = $2, merged_at = $2 WHERE id = $1";
    const MERGE: &str =
        "INSERT INTO guest_merges (id, duplicate_id, kept_id, merged_at, merged_by) VALUES ($1, $1, $2, $3, $4)";
    let now = app.now();
    let mut tx = app.db.begin().await.unwrap();
    for (number, place) in places().iter().take(3).enumerate() {
        let guests = [(place.pending, None), (place.placed, Some(now)), (merged_of(place), None)];
        for (last, (id, accepted)) in guests.into_iter().enumerate() {
            tx.query(GUEST)
                .bind(id)
                .bind(place.site)
                .bind(format!("G{number}{last}"))
                .bind(SECRETS[number][0])
                .bind(SECRETS[number][1])
                .bind(SECRETS[number][2])
                .bind(SECRETS[number][3])
                .bind(now)
                .bind(accepted)
                .execute()
                .await
                .unwrap();
        }
        tx.query(MERGED).bind(merged_of(place)).bind(now).execute().await.unwrap();
        let merge = tx.query(MERGE).bind(merged_of(place)).bind(place.placed).bind(now);
        merge.bind(world::PEOPLE[1].2).execute().await.unwrap();
        tx.query(
            "INSERT INTO reasons (id, organization_id, kind, name, name_key, created_at) \
            VALUES ($1, $2, 'Decline', 'Full', 'full', $3)",
        )
        .bind(reason_of(place))
        .bind(place.organization)
        .bind(now)
        .execute()
        .await
        .unwrap();
        if place.taken.0 != Uuid::from_u128(0x0190_0000_0000_7000_9999_0000_0000_0000) {
            tx.query(STAY)
                .bind(Uuid::from_u128(place.placed.as_u128() + 0x100))
                .bind(place.site)
                .bind(place.placed)
                .bind(place.taken)
                .bind(now)
                .execute()
                .await
                .unwrap();
        }
    }
    // Two more beds per site, so that capacity is not the reason for a refusal.
    for (number, place) in places().iter().take(3).enumerate() {
        for extra in 0..2 {
            tx.query(
                "INSERT INTO beds (id, site_id, room_id, name, name_key, kind, position, created_at) \
                 VALUES ($1, $2, $3, $4, $4, 'Detox', 9, $5)",
            )
            .bind(guest_id(0x200 + 2 * u128::try_from(number).unwrap() + extra))
            .bind(place.site)
            .bind(place.room)
            .bind(format!("spare {extra}"))
            .bind(now)
            .execute()
            .await
            .unwrap();
        }
    }
    // One owner of both organizations, so that a column of the matrix means "an owner of it".
    tx.query("UPDATE memberships SET user_id = $1 WHERE user_id = $2")
        .bind(world::PEOPLE[1].2)
        .bind(world::PEOPLE[2].2)
        .execute()
        .await
        .unwrap();
    tx.commit().await.unwrap();
}

/// Puts a person on the waitlist of each existing place, with an offer of a spare bed.
async fn add_waiting(app: &App) {
    const PERSON: &str = "INSERT INTO waiting_guests (id, site_id, code, form, person, priority_reason, waits_since, created_by) \
        VALUES ($1, $2, $3, $4, $3, $5, $6, $7)";
    const OFFER: &str = "INSERT INTO bed_offers (id, waiting_guest_id, site_id, bed_id, offered_at, expires_at) \
        VALUES ($1, $1, $2, $3, $4, $5)";
    let now = app.now();
    let mut tx = app.db.begin().await.unwrap();
    for (number, place) in places().iter().take(3).enumerate() {
        let mut form = new_guest(place);
        // Another person than the guests of the place, who have two reservations.
        form["email"] = json!(format!("waiting{number}@test.example"));
        form["phone"] = json!(format!("+1714555018{number}"));
        let (id, spare) = (waiting_at(place), guest_id(0x200 + 2 * u128::try_from(number).unwrap()));
        let person = tx.query(PERSON).bind(id).bind(place.site).bind(format!("W{number}")).bind(form.to_string());
        person.bind(SECRETS[number][3]).bind(now).bind(world::PEOPLE[4].2).execute().await.unwrap();
        let offer = tx.query(OFFER).bind(id).bind(place.site).bind(spare).bind(now).bind(now.plus_minutes(30));
        offer.execute().await.unwrap();
        sites::settle_offers(&mut tx, place.site).await.unwrap();
    }
    tx.commit().await.unwrap();
}

/// Adds a staff user and an invited user at each existing place.
async fn add_members(app: &App) {
    const USER: &str = "INSERT INTO users (id, email, email_key, first_name, last_name, created_at) \
        VALUES ($1, $2, $2, 'Robin', 'M', $3)";
    const MEMBERSHIP: &str = "INSERT INTO memberships (id, user_id, role, site_id, status, created_at) \
        VALUES ($1, $1, 'Staff', $2, $3, $4)";
    let now = app.now();
    let mut tx = app.db.begin().await.unwrap();
    for place in places().iter().take(3) {
        for (id, status) in [(member_of(place), "Active"), (invited_to(place), "PendingInvitation")] {
            tx.query(USER).bind(id).bind(format!("{id}@test.example")).bind(now).execute().await.unwrap();
            tx.query(MEMBERSHIP).bind(id).bind(place.site).bind(status).bind(now).execute().await.unwrap();
        }
    }
    tx.commit().await.unwrap();
}

pub async fn house(engine: Engine) -> House {
    static PLACES: Template = Template::new();
    let fill = async |app: &App| {
        world::fill(app).await;
        add_guests(app).await;
        add_requests(app).await;
        add_members(app).await;
        add_waiting(app).await;
        card_steps::add_rows(app).await;
        for prefix in ["site_", "org_", "ins_"] {
            world::picture(app, &format!("{prefix}matrix"), prefix).await;
        }
    };
    House::copy_of(&PLACES, engine, fill).await
}
