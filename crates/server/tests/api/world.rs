//! The test world: the data of the API tests. Ids are fixed, so that tests and snapshots can name them.
//!
//! | organization | site | houses and beds |
//! |---|---|---|
//! | Harbor Recovery (commercial) | Harbor House, subscription active | House #1: A Detox, B Treatment, C Sober Living; House #2: D Sober Living, E disabled |
//! | Open Hands (non-commercial) | Open Door | House #1: F, G Sober Living |
//! | Foreign Homes (commercial, hidden) | Far Away | House #1: H |

use berth_domain::id::{BedId, OrganizationId, RoomId, SiteId, UserId};
use berth_domain::time::Timestamp;
use berth_server::App;
use berth_server::auth::tokens;
use uuid::Uuid;

use crate::harness::{HOUR, START};

const fn id(number: u128) -> Uuid {
    Uuid::from_u128(0x0190_0000_0000_7000_8000_0000_0000_0000 + number)
}

/// Harbor Recovery, commercial.
pub const HARBOR: OrganizationId = OrganizationId(id(0x10));
/// Open Hands, non-commercial.
pub const OPEN_HANDS: OrganizationId = OrganizationId(id(0x11));
/// Foreign Homes, commercial, hidden.
pub const FOREIGN: OrganizationId = OrganizationId(id(0x12));
/// Harbor House: the site of most tests.
pub const HARBOR_HOUSE: SiteId = SiteId(id(0x20));
/// Open Door: the non-commercial site.
pub const OPEN_DOOR: SiteId = SiteId(id(0x21));
/// Far Away: the site that only its owner and global admins may see.
pub const FAR_AWAY: SiteId = SiteId(id(0x22));
/// House #1 of Harbor House.
pub const ROOM_1: RoomId = RoomId(id(0x30));
/// House #2 of Harbor House.
pub const ROOM_2: RoomId = RoomId(id(0x31));
/// House #1 of Open Door.
pub const OPEN_ROOM: RoomId = RoomId(id(0x32));
/// House #1 of Far Away.
pub const FAR_ROOM: RoomId = RoomId(id(0x33));
/// Detox bed in House #1.
pub const BED_A: BedId = BedId(id(0x40));
/// Treatment bed in House #1.
pub const BED_B: BedId = BedId(id(0x41));
/// Sober Living bed in House #1.
pub const BED_C: BedId = BedId(id(0x42));
/// Sober Living bed in House #2.
pub const BED_D: BedId = BedId(id(0x43));
/// Disabled bed in House #2.
pub const BED_E: BedId = BedId(id(0x44));
/// Bed of Open Door.
pub const BED_F: BedId = BedId(id(0x45));
/// Bed of Open Door.
pub const BED_G: BedId = BedId(id(0x46));
/// Bed of Far Away.
pub const BED_H: BedId = BedId(id(0x47));
/// Insurance company.
pub const INSURER: Uuid = id(0x50);

/// Global admin.
pub const GLOBAL: &str = "berth_a_global";
/// Owner of Harbor Recovery.
pub const OWNER: &str = "berth_a_owner";
/// Owner of Open Hands.
pub const OWNER_FREE: &str = "berth_a_owner_free";
/// Owner of Foreign Homes.
pub const OWNER_FOREIGN: &str = "berth_a_owner_foreign";
/// Admin of Harbor House and Open Door.
pub const ADMIN: &str = "berth_a_admin";
/// Intake of Harbor House and Open Door.
pub const INTAKE: &str = "berth_a_intake";
/// Staff of Harbor House and Open Door.
pub const STAFF: &str = "berth_a_staff";
/// A first-step token of the intake user.
pub const FIRST_STEP: &str = "berth_f_intake";

/// The password of every user in the test world.
pub const PASSWORD: &str = "Open-Door-2026";

/// The users, whose sessions never idle: token, email, id, phone.
pub const PEOPLE: [(&str, &str, UserId, &str); 7] = [
    (GLOBAL, "global@test.example", UserId(id(0x60)), "+17145550160"),
    (OWNER, "owner@test.example", UserId(id(0x61)), "+17145550161"),
    (OWNER_FREE, "owner.free@test.example", UserId(id(0x62)), "+17145550162"),
    (OWNER_FOREIGN, "owner.foreign@test.example", UserId(id(0x63)), "+17145550163"),
    (ADMIN, "admin@test.example", UserId(id(0x64)), "+17145550164"),
    (INTAKE, "intake@test.example", UserId(id(0x65)), "+17145550165"),
    (STAFF, "staff@test.example", UserId(id(0x66)), "+17145550166"),
];

/// The Argon2id hash of [`PASSWORD`], made once (19 MiB, t = 2, p = 1), so that tests do not wait for it.
const PASSWORD_HASH: &str = include_str!("password_hash.txt");

/// Fills an empty database.
pub async fn fill(app: &App) {
    let mut tx = app.db.begin().await.unwrap();
    let now = Timestamp::from_millis(START);
    for (organization, name, commercial, disabled) in [
        (HARBOR, "Harbor Recovery", true, false),
        (OPEN_HANDS, "Open Hands", false, false),
        (FOREIGN, "Foreign Homes", true, true),
    ] {
        tx.query(
            "INSERT INTO organizations (id, name, name_key, is_commercial, is_disabled, created_at) \
             VALUES ($1, $2, $3, $4, $5, $6)",
        )
        .bind(organization)
        .bind(name)
        .bind(name.to_lowercase())
        .bind(commercial)
        .bind(disabled)
        .bind(now)
        .execute()
        .await
        .unwrap();
        for method in 1..=3_i64 {
            tx.query("INSERT INTO organization_payment_methods (organization_id, method) VALUES ($1, $2)")
                .bind(organization)
                .bind(method)
                .execute()
                .await
                .unwrap();
        }
    }
    tx.query(
        "INSERT INTO insurance_companies (id, name, name_key, is_primary, created_at) VALUES ($1, $2, $3, TRUE, $4)",
    )
    .bind(INSURER)
    .bind("Blue Anchor")
    .bind("blue anchor")
    .bind(now)
    .execute()
    .await
    .unwrap();
    for (site, organization, name, city) in [
        (HARBOR_HOUSE, HARBOR, "Harbor House", "12 Pier Avenue, Long Beach, CA 90802"),
        (OPEN_DOOR, OPEN_HANDS, "Open Door", "700 Main Street, Orange, CA 92868"),
        (FAR_AWAY, FOREIGN, "Far Away", "1 Desert Road, Palm Springs, CA 92262"),
    ] {
        tx.query(
            "INSERT INTO sites (id, organization_id, name, name_key, description, address, address_key, time_zone, \
             contact_phone, contact_email, hold_hours, length_of_stay_days_max, created_at) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, 'America/Los_Angeles', '+17145550100', 'house@test.example', 24, 90, $8)",
        )
        .bind(site)
        .bind(organization)
        .bind(name)
        .bind(name.to_lowercase())
        .bind("A calm house near the water with a kitchen, a garden and people who have been where you are now.")
        .bind(city)
        .bind(city.to_lowercase())
        .bind(now)
        .execute()
        .await
        .unwrap();
        for service in ["drug-treatment", "mental-health"] {
            tx.query("INSERT INTO site_services (site_id, service_id) VALUES ($1, $2)")
                .bind(site)
                .bind(service)
                .execute()
                .await
                .unwrap();
        }
        tx.query("INSERT INTO site_languages (site_id, language_id) VALUES ($1, 'en')")
            .bind(site)
            .execute()
            .await
            .unwrap();
    }
    tx.query(
        "INSERT INTO site_subscriptions (id, site_id, status, created_at, updated_at) VALUES ($1, $2, 'active', $3, $3)",
    )
    .bind(id(0x58))
    .bind(HARBOR_HOUSE)
    .bind(now)
    .execute()
    .await
    .unwrap();
    for (position, (room, site, name)) in [
        (ROOM_1, HARBOR_HOUSE, "House #1"),
        (ROOM_2, HARBOR_HOUSE, "House #2"),
        (OPEN_ROOM, OPEN_DOOR, "House #1"),
        (FAR_ROOM, FAR_AWAY, "House #1"),
    ]
    .into_iter()
    .enumerate()
    {
        tx.query(
            "INSERT INTO rooms (id, site_id, name, name_key, position, created_at) VALUES ($1, $2, $3, $4, $5, $6)",
        )
        .bind(room)
        .bind(site)
        .bind(name)
        .bind(name.to_lowercase())
        .bind(i64::try_from(position).unwrap() + 1)
        .bind(now)
        .execute()
        .await
        .unwrap();
    }
    for (position, (bed, room, site, name, kind)) in [
        (BED_A, ROOM_1, HARBOR_HOUSE, "Detox", "Detox"),
        (BED_B, ROOM_1, HARBOR_HOUSE, "Treatment", "Treatment"),
        (BED_C, ROOM_1, HARBOR_HOUSE, "Sober Living", "Sober Living"),
        (BED_D, ROOM_2, HARBOR_HOUSE, "Sober Living #1", "Sober Living"),
        (BED_E, ROOM_2, HARBOR_HOUSE, "Sober Living #2", "Sober Living"),
        (BED_F, OPEN_ROOM, OPEN_DOOR, "Sober Living #1", "Sober Living"),
        (BED_G, OPEN_ROOM, OPEN_DOOR, "Sober Living #2", "Sober Living"),
        (BED_H, FAR_ROOM, FAR_AWAY, "Sober Living", "Sober Living"),
    ]
    .into_iter()
    .enumerate()
    {
        tx.query(
            "INSERT INTO beds (id, site_id, room_id, name, name_key, kind, position, disabled, created_at) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
        )
        .bind(bed)
        .bind(site)
        .bind(room)
        .bind(name)
        .bind(name.to_lowercase())
        .bind(kind)
        .bind(i64::try_from(position).unwrap() + 1)
        .bind(bed == BED_E)
        .bind(now)
        .execute()
        .await
        .unwrap();
    }
    let outage = tx.query("INSERT INTO bed_outages (id, bed_id, started_at) VALUES ($1, $1, $2)");
    outage.bind(BED_E).bind(now).execute().await.unwrap();
    people(&mut tx).await;
    berth_server::housing::sites::settle_all(&mut tx).await.unwrap();
    tx.commit().await.unwrap();
}

async fn people(tx: &mut berth_db::Tx) {
    let now = Timestamp::from_millis(START);
    for (token, email, user, phone) in PEOPLE {
        tx.query(
            "INSERT INTO users (id, email, email_key, first_name, last_name, password_hash, phone, phone_confirmed_at, \
             created_at) VALUES ($1, $2, $2, 'Test', 'Person', $3, $4, $5, $5)",
        )
        .bind(user)
        .bind(email)
        .bind(PASSWORD_HASH.trim())
        .bind(phone)
        .bind(now)
        .execute()
        .await
        .unwrap();
        let session = Uuid::from_u128(user.0.as_u128() + 0x1000);
        tx.query(
            "INSERT INTO sessions (id, user_id, is_cookie, address, created_at, last_seen_at, proved_at, expires_at) \
             VALUES ($1, $2, FALSE, 'test', $3, $4, $3, $4)",
        )
        .bind(session)
        .bind(user)
        .bind(now)
        .bind(now.plus_millis(1000 * HOUR))
        .execute()
        .await
        .unwrap();
        secret(tx, token, "access", user, Some(session)).await;
    }
    secret(tx, FIRST_STEP, "first_step", PEOPLE[5].2, None).await;
    let none = (None::<OrganizationId>, None::<SiteId>);
    let mut memberships = vec![
        (PEOPLE[0].2, "GlobalAdmin", none),
        (PEOPLE[1].2, "Owner", (Some(HARBOR), None)),
        (PEOPLE[2].2, "Owner", (Some(OPEN_HANDS), None)),
        (PEOPLE[3].2, "Owner", (Some(FOREIGN), None)),
    ];
    for (person, role) in [(4, "Admin"), (5, "Intake"), (6, "Staff")] {
        for site in [HARBOR_HOUSE, OPEN_DOOR] {
            memberships.push((PEOPLE[person].2, role, (None, Some(site))));
        }
    }
    for (number, (user, role, (organization, site))) in memberships.into_iter().enumerate() {
        tx.query(
            "INSERT INTO memberships (id, user_id, role, organization_id, site_id, status, receive_reservation_texts, \
             created_at) VALUES ($1, $2, $3, $4, $5, 'Active', $6, $7)",
        )
        .bind(id(0x80 + u128::try_from(number).unwrap()))
        .bind(user)
        .bind(role)
        .bind(organization)
        .bind(site)
        .bind(role == "Intake")
        .bind(now)
        .execute()
        .await
        .unwrap();
    }
}

async fn secret(tx: &mut berth_db::Tx, secret: &str, kind: &str, user: UserId, session: Option<Uuid>) {
    tx.query(
        "INSERT INTO secrets (hash, kind, user_id, session_id, created_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6)",
    )
    .bind(tokens::hash(secret))
    .bind(kind)
    .bind(user)
    .bind(session)
    .bind(START)
    .bind(START + 1000 * HOUR)
    .execute()
    .await
    .unwrap();
}

/// Adds only the row of a picture that was uploaded for a prefix. Returns its path.
pub async fn picture(app: &App, name: &str, prefix: &str) -> String {
    const FILE: &str = "INSERT INTO files (path, prefix, state, media_type, size, thumbnail_size, width, height, \
        sha256, created_at, keep_until) VALUES ($1, $2, 'kept', 'image/png', 1, 1, 1, 1, $1, $3, $3)";
    let path = format!("uploads/{name}.png");
    let mut tx = app.db.begin().await.unwrap();
    tx.query(FILE).bind(&path).bind(prefix).bind(app.now()).execute().await.unwrap();
    tx.commit().await.unwrap();
    path
}
