//! The world that every server is measured with: a seeded tier, copies of its board of 20 beds to work on, and
//! sessions. Berth and the peers read the same tables.

use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::Context;
use sha2::{Digest, Sha256};

use crate::database::Database;

/// Number of boards on which guests are moved; one for each client.
pub const MOVING: usize = 16;
/// Number of empty boards on which reservations are made: 20 units of capacity each.
pub const EMPTY: usize = 220;
/// Number of sessions for each of the owner, an intake user and a global admin.
pub const SESSIONS: usize = 32;

/// A house of 20 beds and its contents.
#[derive(Debug, Clone)]
pub struct Board {
    /// The site.
    pub site: String,
    /// Its beds.
    pub beds: Vec<String>,
}

/// What measurements need to know about a world.
#[derive(Debug, Clone)]
pub struct World {
    /// The seeded board of 20 beds with its guests.
    pub usual: Board,
    /// Boards with ten guests each, once [`crate::tenants`] has moved them in.
    pub moving: Vec<Board>,
    /// Boards without guests.
    pub empty: Vec<Board>,
    /// The largest site.
    pub largest: String,
}

/// The bearer token of the owner's `number`-th session.
#[must_use]
pub fn owner(number: usize) -> String {
    format!("berth_a_bench_owner_{}", number % SESSIONS)
}

/// The bearer token of the `number`-th session of an intake user of the usual board.
#[must_use]
pub fn intake(number: usize) -> String {
    format!("berth_a_bench_intake_{}", number % SESSIONS)
}

/// The bearer token of the `number`-th session of a global admin.
#[must_use]
pub fn global(number: usize) -> String {
    format!("berth_a_bench_global_{}", number % SESSIONS)
}

/// Epoch milliseconds.
#[must_use]
pub fn now() -> u128 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_millis())
}

/// A UUID that shows its purpose.
#[must_use]
pub fn made_up(kind: u16, number: usize, part: usize) -> String {
    format!("01900000-{kind:04x}-7000-8000-{number:06x}{part:06x}")
}

/// Adds the boards and sessions to a seeded database, or renews the sessions if they exist.
///
/// # Errors
/// If the database fails.
pub fn prepare(database: &mut Database) -> anyhow::Result<World> {
    let template = database
        .one(
            "SELECT b.site_id FROM beds b JOIN sites s ON s.id = b.site_id \
             JOIN memberships m ON m.organization_id = s.organization_id AND m.role = 'Owner' \
             JOIN users u ON u.id = m.user_id AND u.email = 'owner@seed.example' \
             WHERE b.deleted_at IS NULL AND s.name NOT LIKE 'bench %' GROUP BY b.site_id HAVING COUNT(*) = 20 ORDER BY b.site_id LIMIT 1",
        )
        .context("the seeded world has no board of 20 beds")?;
    let first = database.id(&made_up(1, 0, 0));
    if database.count(&format!("SELECT COUNT(*) FROM sites WHERE id = {first}"))? == 0 {
        let mut text = "BEGIN;\n".to_owned();
        Template::of(database, &template)?.copies(database, &mut text);
        add_sessions(database, &template, &mut text)?;
        // The measured reservations are paid privately.
        text.push_str(&format!(
            "INSERT INTO organization_payment_methods (organization_id, method) \
             SELECT organization_id, 1 FROM sites WHERE id = {} ON CONFLICT DO NOTHING;\n",
            database.id(&template)
        ));
        text.push_str("COMMIT;\n");
        database.run(&text)?;
    }
    // A session is idle after 15 minutes; preparing large worlds takes longer.
    database.run(&format!("UPDATE sessions SET last_seen_at = {} WHERE address = 'bench'", now()))?;
    let mut board = |site: String| -> anyhow::Result<Board> {
        let of = database.id(&site);
        let rows = database.rows(&format!(
            "SELECT id FROM beds WHERE site_id = {of} AND deleted_at IS NULL ORDER BY room_id, position, id"
        ))?;
        Ok(Board { site, beds: rows.into_iter().flatten().collect() })
    };
    let usual = board(template)?;
    let copies = (0..MOVING + EMPTY).map(|number| board(made_up(1, number, 0))).collect::<anyhow::Result<Vec<_>>>()?;
    let (moving, empty) = copies.split_at(MOVING);
    let (moving, empty) = (moving.to_vec(), empty.to_vec());
    let largest = database
        .one("SELECT site_id FROM beds WHERE deleted_at IS NULL GROUP BY site_id ORDER BY COUNT(*) DESC LIMIT 1")?;
    Ok(World { usual, moving, empty, largest })
}

/// A board to copy.
struct Template {
    site: String,
    rooms: Vec<String>,
    /// Each bed and its house.
    beds: Vec<(String, usize)>,
    columns: [Vec<String>; 3],
}

impl Template {
    fn of(database: &mut Database, site: &str) -> anyhow::Result<Self> {
        let chosen = format!("site_id = {} AND deleted_at IS NULL ORDER BY position, id", database.id(site));
        let rooms: Vec<String> =
            database.rows(&format!("SELECT id FROM rooms WHERE {chosen}"))?.into_iter().flatten().collect();
        let beds = database.rows(&format!("SELECT id, room_id FROM beds WHERE {chosen}"))?;
        let beds = beds.into_iter().map(|bed| {
            let room = rooms.iter().position(|room| *room == bed[1]).context("a bed without a house")?;
            Ok((bed[0].clone(), room))
        });
        let beds = beds.collect::<anyhow::Result<_>>()?;
        let columns = [database.columns("sites")?, database.columns("rooms")?, database.columns("beds")?];
        Ok(Self { site: site.to_owned(), rooms, beds, columns })
    }

    /// The statements that copy houses and beds, without guests.
    fn copies(&self, database: &Database, text: &mut String) {
        let [sites, rooms, beds] = &self.columns;
        for number in 0..MOVING + EMPTY {
            let to = database.id(&made_up(1, number, 0));
            let name = |suffix: &str| format!("'bench {number:03}{suffix}'");
            let site = [
                ("id", to.clone()),
                ("name", name("")),
                ("name_key", name("")),
                ("address_key", name(" address")),
                ("version", "1".to_owned()),
            ];
            text.push_str(&Database::copy("sites", sites, &format!("id = {}", database.id(&self.site)), &site));
            for (index, room) in self.rooms.iter().enumerate() {
                let copy = [("id", database.id(&made_up(2, number, index))), ("site_id", to.clone())];
                text.push_str(&Database::copy("rooms", rooms, &format!("id = {}", database.id(room)), &copy));
            }
            for (index, (bed, room)) in self.beds.iter().enumerate() {
                let copy = [
                    ("id", database.id(&made_up(3, number, index))),
                    ("site_id", to.clone()),
                    ("room_id", database.id(&made_up(2, number, *room))),
                    ("disabled", "FALSE".to_owned()),
                ];
                text.push_str(&Database::copy("beds", beds, &format!("id = {}", database.id(bed)), &copy));
            }
        }
    }
}

/// Bearer sessions that outlive every measurement.
fn add_sessions(database: &mut Database, template: &str, text: &mut String) -> anyhow::Result<()> {
    let owner_id = database.one("SELECT id FROM users WHERE email = 'owner@seed.example'")?;
    let global_id = database.one("SELECT id FROM users WHERE email = 'global@seed.example'")?;
    let site = database.id(template);
    let intake_id = database
        .rows(&format!(
            "SELECT user_id FROM memberships WHERE site_id = {site} AND role = 'Intake' AND status = 'Active' \
             AND deleted_at IS NULL ORDER BY id"
        ))?
        .into_iter()
        .flatten()
        .next()
        .context("nobody does intake at the board of 20 beds")?;
    for number in 0..SESSIONS {
        let people = [(4, &owner_id, owner(number)), (5, &intake_id, intake(number)), (6, &global_id, global(number))];
        for (kind, user, token) in people {
            text.push_str(&session(database, &made_up(kind, number, 0), user, &token));
        }
    }
    Ok(())
}

/// The statements that open a bearer session.
#[must_use]
pub fn session(database: &Database, id: &str, user: &str, token: &str) -> String {
    let (now, ends) = (now(), now() + 300 * 86_400_000);
    let (session, user) = (database.id(id), database.id(user));
    let hash = hex::encode(Sha256::digest(token.as_bytes()));
    format!(
        "INSERT INTO sessions (id, user_id, is_cookie, address, created_at, last_seen_at, proved_at, expires_at) \
         VALUES ({session}, {user}, FALSE, 'bench', {now}, {now}, {now}, {ends});\n\
         INSERT INTO secrets (hash, kind, user_id, session_id, created_at, expires_at) \
         VALUES ('{hash}', 'access', {user}, {session}, {now}, {ends});\n"
    )
}
