//! The API tests: black-box tests over the router, each on SQLite and on PostgreSQL (`scripts/with-postgres cargo test`).

// The JSON of a site or a guest has more fields than the macro takes otherwise.
#![recursion_limit = "256"]

#[cfg(test)]
mod access_user_lists;
#[cfg(test)]
mod access_user_versions;
#[cfg(test)]
mod access_users;
#[cfg(test)]
mod accounts;
#[cfg(test)]
mod arrivals;
#[cfg(test)]
mod attacks;
#[cfg(test)]
mod audit_log;
#[cfg(test)]
mod audit_pages;
#[cfg(test)]
mod audit_seals;
#[cfg(test)]
mod beds;
#[cfg(test)]
mod billing_notices;
#[cfg(test)]
mod browser;
#[cfg(test)]
mod card_steps;
#[cfg(test)]
mod cards;
#[cfg(test)]
mod changes;
#[cfg(test)]
mod code_limits;
#[cfg(test)]
mod connections;
#[cfg(test)]
mod consent;
#[cfg(test)]
mod dashboard;
#[cfg(test)]
mod dashboard_counts;
#[cfg(test)]
mod demo;
#[cfg(test)]
mod departures;
#[cfg(test)]
mod earlier;
#[cfg(test)]
mod exports;
#[cfg(test)]
mod guest_commands;
#[cfg(test)]
mod guest_reads;
#[cfg(test)]
mod guest_texts;
#[cfg(test)]
mod guests;
#[cfg(test)]
mod harness;
#[cfg(test)]
mod health;
#[cfg(test)]
mod history;
#[cfg(test)]
mod hold_extensions;
#[cfg(test)]
mod idempotency;
#[cfg(test)]
mod image_attacks;
#[cfg(test)]
mod images;
#[cfg(test)]
mod injected;
#[cfg(test)]
mod injection;
#[cfg(test)]
mod insurers;
#[cfg(test)]
mod invariants;
#[cfg(test)]
mod invitations;
#[cfg(test)]
mod jobs;
#[cfg(test)]
mod landing;
#[cfg(test)]
mod last_word;
#[cfg(test)]
mod late_texts;
#[cfg(test)]
mod link_attacks;
#[cfg(test)]
mod links;
#[cfg(test)]
mod live;
#[cfg(test)]
mod mail;
#[cfg(test)]
mod mail_server;
#[cfg(test)]
mod matrix;
#[cfg(test)]
mod merges;
#[cfg(test)]
mod messages;
#[cfg(test)]
mod no_store;
#[cfg(test)]
mod numbers;
#[cfg(test)]
mod offers;
#[cfg(test)]
mod organization_changes;
#[cfg(test)]
mod organizations;
#[cfg(test)]
mod own_sessions;
#[cfg(test)]
mod owner_message;
#[cfg(test)]
mod pictures;
#[cfg(test)]
mod placement;
#[cfg(test)]
mod places;
#[cfg(test)]
mod public_cards;
#[cfg(test)]
mod public_reads;
#[cfg(test)]
mod public_state;
#[cfg(test)]
mod races;
#[cfg(test)]
mod reasons;
#[cfg(test)]
mod recovery;
#[cfg(test)]
mod reference;
#[cfg(test)]
mod reservations;
#[cfg(test)]
mod rooms;
#[cfg(test)]
mod schema;
#[cfg(test)]
mod search;
#[cfg(test)]
mod secret_lookups;
#[cfg(test)]
mod seed;
#[cfg(test)]
mod shared_sandbox;
#[cfg(test)]
mod sign_in;
#[cfg(test)]
mod sign_in_attacks;
#[cfg(test)]
mod site_changes;
#[cfg(test)]
mod site_creation;
#[cfg(test)]
mod site_steps;
#[cfg(test)]
mod sites;
#[cfg(test)]
mod sms;
#[cfg(test)]
mod sms_stops;
#[cfg(test)]
mod sources;
#[cfg(test)]
mod sql;
mod sql_texts;
#[cfg(test)]
mod statement_counts;
#[cfg(test)]
mod steps;
#[cfg(test)]
mod storage;
#[cfg(test)]
mod subscription_events;
#[cfg(test)]
mod subscription_flows;
#[cfg(test)]
mod subscription_rejections;
#[cfg(test)]
mod subscription_steps;
#[cfg(test)]
mod subscriptions;
#[cfg(test)]
mod timelines;
#[cfg(test)]
mod today;
#[cfg(test)]
mod totp;
#[cfg(test)]
mod trail_filters;
#[cfg(test)]
mod ui;
#[cfg(test)]
mod undo;
#[cfg(test)]
mod user_notices;
#[cfg(test)]
mod views;
#[cfg(test)]
mod waitlist;
#[cfg(test)]
mod waitlist_cards;
#[cfg(test)]
mod waitlist_form;
#[cfg(test)]
mod walk_ins;
#[cfg(test)]
mod wording;
#[cfg(test)]
mod world;
