//! Colleagues of the known accounts of a world: a person may search only so often a minute, so many people ask.

use crate::database::Database;
use crate::world::{made_up, session};

/// A known account of a seeded world, whose colleagues have the same memberships.
pub struct Account {
    /// What its people are called in the tables.
    pub name: &'static str,
    email: &'static str,
    /// The number of its first colleague.
    first: usize,
}

/// Does intake at three sites, one of which is the largest of the world.
pub const INTAKE: Account = Account { name: "intake", email: "intake@seed.example", first: 0 };
/// Works at the same three sites.
pub const STAFF: Account = Account { name: "staff", email: "staff@seed.example", first: 1_000 };
/// Sees the whole platform.
pub const GLOBAL: Account = Account { name: "global admin", email: "global@seed.example", first: 2_000 };

impl Account {
    /// The bearer tokens of some colleagues, who are added if they do not exist. The server may be running.
    ///
    /// # Errors
    /// If the world has no such account, or the database fails.
    pub fn colleagues(&self, database: &mut Database, count: usize) -> anyhow::Result<Vec<String>> {
        let account = database.one(&format!("SELECT id FROM users WHERE email_key = '{}'", self.email))?;
        let memberships = database.rows(&format!(
            "SELECT id FROM memberships WHERE user_id = {} AND status = 'Active' AND deleted_at IS NULL ORDER BY id",
            database.id(&account)
        ))?;
        let memberships: Vec<String> = memberships.into_iter().flatten().collect();
        let columns = [database.columns("users")?, database.columns("memberships")?];
        let token = |number: usize| format!("berth_a_bench_colleague_{}", self.first + number);
        let mut text = "BEGIN;\n".to_owned();
        for number in 0..count {
            let colleague = made_up(7, self.first + number, 0);
            let id = database.id(&colleague);
            if database.count(&format!("SELECT COUNT(*) FROM users WHERE id = {id}"))? > 0 {
                continue;
            }
            let email = format!("'bench{}@seed.example'", self.first + number);
            let user = [("id", id.clone()), ("email", email.clone()), ("email_key", email)];
            text.push_str(&Database::copy("users", &columns[0], &format!("id = {}", database.id(&account)), &user));
            for (index, membership) in memberships.iter().enumerate() {
                let own = database.id(&made_up(8, self.first + number, index));
                let copy = [("id", own), ("user_id", id.clone())];
                let of = format!("id = {}", database.id(membership));
                text.push_str(&Database::copy("memberships", &columns[1], &of, &copy));
            }
            text.push_str(&session(database, &made_up(9, self.first + number, 0), &colleague, &token(number)));
        }
        database.run(&(text + "COMMIT;\n"))?;
        Ok((0..count).map(token).collect())
    }

    /// SQL: the ids of the sites that the account sees.
    #[must_use]
    pub fn sites(&self) -> String {
        if self.email == GLOBAL.email {
            return "SELECT id FROM sites WHERE deleted_at IS NULL".to_owned();
        }
        format!(
            "SELECT m.site_id AS id FROM users u JOIN memberships m ON m.user_id = u.id WHERE u.email_key = '{}' \
             AND u.deleted_at IS NULL AND m.status = 'Active' AND m.deleted_at IS NULL",
            self.email
        )
    }

    /// True if the account sees the phone numbers of guests.
    #[must_use]
    pub fn sees_phones(&self) -> bool {
        self.email != STAFF.email
    }
}
