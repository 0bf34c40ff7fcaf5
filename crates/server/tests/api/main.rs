//! The API tests: black box, over the router, each on SQLite and on PostgreSQL (`scripts/with-postgres cargo test`).
#![expect(missing_docs, reason = "tests are named after the rule they prove")]

#[cfg(test)]
mod harness;
#[cfg(test)]
mod matrix;
#[cfg(test)]
mod sign_in;
#[cfg(test)]
mod world;
