//! Tests of the domain's rules, each named after the rule that it checks, in one binary.

mod beds;
mod cancel_table;
mod cards;
mod catalogs;
mod counts;
mod forms;
mod holds;
mod intake;
mod merge_table;
mod messages;
mod numbers;
mod outages;
mod passwords;
mod placement;
mod policies;
mod reasons;
mod site_forms;
mod stay_model;
mod stay_table;
mod subscriptions;
mod support;
mod times;
mod undo_table;
mod values;
mod views;
mod waitlist;
