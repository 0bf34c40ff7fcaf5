//! The proofs of the main job (security-and-proof 4): a model in lockstep with both engines, storms on real processes,
//! kill -9, a lost database, a changed clock. Needs `PostgreSQL`: `scripts/with-postgres cargo test -p berth --test proof`.
//!
//! | variable | what it sets |
//! |---|---|
//! | `BERTH_PROOF_SEQUENCES` | sequences of 50 commands compared with the model |
//! | `BERTH_PROOF_ROUNDS` | rounds of storms, on each engine |
//! | `BERTH_PROOF_KILLS` | kill -9, on each engine |
//! | `BERTH_PROOF_PAYING_KILLS` | kill -9 while a subscription is paid, on each engine |
//! | `BERTH_PROOF_FAULTS` | rounds of a cut or stalled database |
//! | `BERTH_PROOF_TIER_KILLS` | kill -9 on a database of tier M, on each engine; none by default |
//! | `BERTH_PROOF_SAMPLES` | answers to known and to unknown people whose times are compared |
//! | `BERTH_PROOF_SEED` | repeats a run with the seed that it printed; 0: a new seed |
//!
//! `scripts/prove` runs the long forms and sums up.

#[cfg(test)]
mod build;
#[cfg(test)]
mod busy;
#[cfg(test)]
mod chance;
#[cfg(test)]
mod client;
#[cfg(test)]
mod clock;
#[cfg(test)]
mod cluster;
#[cfg(test)]
mod decide;
#[cfg(test)]
mod disk;
#[cfg(test)]
mod faults;
#[cfg(test)]
mod figures;
#[cfg(test)]
mod flood;
#[cfg(test)]
#[expect(dead_code, reason = "the API tests use the rest of it")]
#[path = "../../../server/tests/api/harness.rs"]
mod harness;
#[cfg(test)]
#[path = "../../../server/tests/api/invariants.rs"]
mod invariants;
#[cfg(test)]
mod kill;
#[cfg(test)]
mod limit;
#[cfg(test)]
#[path = "../../../server/tests/api/links.rs"]
mod links;
#[cfg(test)]
mod lockstep;
#[cfg(test)]
mod model;
#[cfg(test)]
mod pair;
#[cfg(test)]
mod paying;
#[cfg(test)]
mod pin;
#[cfg(test)]
mod play;
#[cfg(test)]
mod sharing;
#[cfg(test)]
mod step;
#[cfg(test)]
#[expect(dead_code, reason = "the API tests use the rest of it")]
#[path = "../../../server/tests/api/steps.rs"]
mod steps;
#[cfg(test)]
mod storms;
#[cfg(test)]
mod story;
#[cfg(test)]
mod timing;
mod visitor;
#[cfg(test)]
mod waiting;
#[cfg(test)]
#[expect(dead_code, reason = "the API tests use the rest of it")]
#[path = "../../../server/tests/api/world.rs"]
mod world;
