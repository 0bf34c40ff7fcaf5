//! Parity of the two engines: both understand each SQL text of the server (backend 3, 7). The API tests run most of them
//! with data; this test finds those that no test runs or that run on one engine only.

use berth_db::testing::TestDatabase;
use berth_db::{Engine, Query, Tx};

use crate::sql_texts::{self, Text};

/// The text with lists expanded for one value, and rows for one row.
fn written_out(text: &str) -> String {
    if let Some((head, tail)) = text.split_once("VALUES ($1..)") {
        let columns = head.split_once('(').map_or(1, |(_, columns)| columns.split(',').count());
        let values: Vec<String> = (1..=columns).map(|number| format!("${number}")).collect();
        return format!("{head}VALUES ({}){tail}", values.join(", "));
    }
    text.replace("..)", ")")
}

/// The highest number of a parameter.
fn parameters(sql: &str) -> usize {
    let numbers =
        sql.split('$').skip(1).map(|rest| rest.split(|c: char| !c.is_ascii_digit()).next().unwrap_or_default());
    numbers.filter_map(|number| number.parse().ok()).max().unwrap_or(0)
}

/// An EXPLAIN statement with a value for each parameter.
fn explained(tx: &mut Tx, ask: String) -> Query<'_> {
    let count = parameters(&ask);
    (0..count).fold(tx.query(ask.leak()), |query, _| query.bind(None::<i64>))
}

/// The error of an engine about a text, if there is one.
async fn complaint(database: &TestDatabase, number: usize, text: &Text) -> Option<String> {
    let sql = written_out(&text.sql);
    let ask = match database.db.engine() {
        Engine::Sqlite => format!("EXPLAIN {sql}"),
        Engine::Postgres => format!("PREPARE text_{number} AS {sql}"),
    };
    // Its own transaction, rolled back: nothing is executed, and nothing would be kept.
    let mut tx = database.db.begin().await.unwrap();
    let asked = if database.db.engine() == Engine::Sqlite { explained(&mut tx, ask) } else { tx.query(ask.leak()) };
    let error = asked.execute().await.err()?;
    let why = std::error::Error::source(&error).map_or_else(|| error.to_string(), ToString::to_string);
    // This error comes last, when everything else is understood. Our driver declares the types that it sends.
    let only_types = why.contains("could not determine data type of parameter");
    (!only_types).then(|| format!("{} on {:?}: {why}\n    {sql}", text.place, database.db.engine()))
}

#[tokio::test]
async fn both_engines_understand_every_sql_text_of_the_server() {
    let texts = sql_texts::all();
    assert!(texts.len() > 150, "only {} texts were found", texts.len());
    let mut complaints = Vec::new();
    for engine in berth_db::testing::ENGINES {
        let database = TestDatabase::migrated(engine).await;
        for (number, text) in texts.iter().enumerate() {
            complaints.extend(complaint(&database, number, text).await);
        }
    }
    assert!(complaints.is_empty(), "{} of {}:\n{}", complaints.len(), texts.len(), complaints.join("\n"));
}

#[tokio::test]
async fn a_text_that_one_engine_does_not_understand_is_found() {
    let text = |sql: &str| Text { place: "here".to_owned(), sql: sql.to_owned() };
    let wrong = [
        (Engine::Sqlite, "SELECT id FROM beds WHERE id = $1 FOR UPDATE"),
        (Engine::Sqlite, "SELECT id FROM beds WHERE id = ANY($1)"),
        (Engine::Postgres, "SELECT ifnull(name, '') FROM beds"),
        (Engine::Postgres, "SELECT no_such_column FROM beds"),
        (Engine::Postgres, "INSERT INTO beds (id, name) VALUES ($1)"),
    ];
    for (number, (engine, sql)) in wrong.into_iter().enumerate() {
        let database = TestDatabase::migrated(engine).await;
        assert!(complaint(&database, number, &text(sql)).await.is_some(), "{engine:?} takes {sql}");
    }
}

/// What SQLite does for a text, step by step.
async fn plan(database: &TestDatabase, text: &Text) -> Vec<String> {
    let sql = format!("EXPLAIN QUERY PLAN {}", written_out(&text.sql));
    let mut tx = database.db.begin().await.unwrap();
    let plan: Vec<(i64, i64, i64, String)> = explained(&mut tx, sql).all().await.unwrap();
    plan.into_iter().map(|(_, _, _, step)| step).collect()
}

/// The tables that a text reads from the first to the last row.
async fn whole_tables(database: &TestDatabase, text: &Text) -> Vec<String> {
    let steps = plan(database, text).await;
    let scans = steps.iter().filter_map(|step| step.strip_prefix("SCAN ").map(str::to_owned));
    scans.filter(|step| !step.contains("CONSTANT ROW")).collect()
}

/// Texts that may read whole tables: jobs and commands about everything, lists that show everything (in pages, or with
/// the answer cached in memory), and tables of a few rows.
const FULL_SCANS: [&str; 109] = [
    "admin/access_users/all.rs: ALL_SITES",
    // For global admins alone: all users, in an index of theirs, and the invitations.
    "admin/access_users/find.rs: INVITED: m",
    "admin/access_users/find.rs: USERS: u USING COVERING INDEX users_found_index",
    "admin/access_users/last_holder.rs",
    "admin/access_users/list.rs: COUNT",
    "admin/access_users/list.rs: PAGE",
    // These are subqueries, not tables: one row or two, or as many as are marked at once.
    "admin/audit_log/lists/mod.rs: NEXT_OF_ORGANIZATION: (subquery",
    "admin/audit_log/lists/mod.rs: NEXT_OF_ORGANIZATION: numbered",
    "admin/audit_log/lists/mod.rs: NEXT_OF_ORGANIZATION: part",
    "admin/audit_log/lists/mod.rs: NEXT_SOME: (subquery",
    "admin/audit_log/lists/mod.rs: NEXT_SOME: numbered",
    "admin/audit_log/lists/mod.rs: NEXT_SOME: part",
    "admin/audit_log/lists/mod.rs: NEXT_WHOLE: (subquery",
    "admin/audit_log/lists/mod.rs: NEXT_WHOLE: numbered",
    "admin/audit_log/lists/mod.rs: NEXT_WHOLE: part",
    "admin/audit_log/lists/mod.rs: ORGANIZATION_END: always",
    "admin/audit_log/lists/mod.rs: ORGANIZATION_END: l",
    "admin/audit_log/lists/mod.rs: ORGANIZATION_END: m",
    "admin/audit_log/lists/mod.rs: SOME_END: always",
    "admin/audit_log/lists/mod.rs: SOME_END: l",
    "admin/audit_log/lists/mod.rs: SOME_END: m",
    "admin/audit_log/lists/mod.rs: WHOLE_END: always",
    "admin/audit_log/lists/mod.rs: WHOLE_END: l",
    "admin/audit_log/lists/mod.rs: WHOLE_END: m",
    // The marks of organizations, after a clock went wrong and in a recount.
    "admin/audit_log/lists/organizations.rs: DELETE",
    "admin/audit_log/lists/organizations.rs: LAST",
    // The first or the last entry of an index; all seals are read to verify them.
    "admin/audit_log/seals/mod.rs: LAST: audit_seals USING INDEX",
    "admin/audit_log/seals/mod.rs: TOP: audit_seals USING COVERING",
    "admin/audit_log/seals/verify.rs",
    // At most 20,000 rows, chosen by an index.
    "admin/audit_log/search.rs",
    // A view of one row.
    "auth/caller/secrets.rs: ALL_WITH_STATE: d",
    "auth/caller/secrets.rs: WITH_STATE: d",
    // 66 rows at most.
    "auth/caller/secrets.rs: ALL_WITH_VERSION: v",
    "auth/caller/secrets.rs: WITH_VERSION: v",
    "admin/dashboard/",
    "berth-demo/",
    "http/demo_guard.rs",
    // `p` is the page itself, a range between two marks of the trail.
    "admin/audit_log/event_logs/guests.rs: PAGE: p",
    "admin/audit_log/event_logs/passwords.rs: PAGE: p",
    "admin/audit_log/event_logs/sign_ins.rs: PAGE: p",
    "admin/audit_log/event_logs/trail.rs: OF_ORGANIZATION: p",
    "admin/audit_log/event_logs/trail.rs: OF_WHOLE: p",
    "integrations/files/sweep.rs",
    // Not tables, but the rows of one list that have no marks yet.
    "housing/guests/history/marks.rs: DISCHARGED: (subquery",
    "housing/guests/history/marks.rs: DISCHARGED: numbered",
    "housing/guests/history/marks.rs: EXPIRED: (subquery",
    "housing/guests/history/marks.rs: EXPIRED: numbered",
    "housing/guests/history/marks.rs: REJECTED: (subquery",
    "housing/guests/history/marks.rs: REJECTED: numbered",
    // All current guests, about as many as beds, in an index of theirs.
    "housing/guests/find.rs: CURRENT: g USING COVERING INDEX guests_found_index",
    "http/health.rs",
    "admin/insurance_companies/list.rs",
    "cli/invariants.rs",
    "admin/invitations/mod.rs: PENDING",
    "jobs/cleanup.rs",
    // Partial indexes: open offers, and people who wait.
    "jobs/offers.rs: SITES",
    "housing/waitlist/find.rs: ALL: w USING INDEX waiting_guests_site_id_person_key",
    "http/cache/landing.rs: VERSION: directory_versions",
    "http/metrics.rs: WAITING",
    // One sum, while a stream is open; the sites after a change was lost.
    "integrations/live/nodes.rs",
    "jobs/name_keys.rs",
    "admin/organizations/find.rs: NAMED: organizations",
    "admin/organizations/list.rs: ALL: ",
    // The rows in the caller's scope.
    "admin/organizations/list.rs: MINE: h",
    "admin/organizations/list.rs: MINE: y",
    "admin/organizations/list.rs: MINE: z",
    "integrations/outbox.rs: NEWEST",
    "housing/public/search.rs",
    "housing/sites/counts.rs",
    "housing/sites/create.rs: INSERT: rooms USING COVERING",
    "housing/search/scope.rs: MINE: y",
    "housing/sites/find.rs: NAMED: s",
    "housing/sites/list.rs: TOTAL: s",
    // `p` is the page itself, `y` the caller's scope.
    "housing/sites/list.rs: PAGE: p",
    "housing/sites/list.rs: PAGE: s",
    "housing/sites/list.rs: PAGE_OF_MINE: p",
    "housing/sites/list.rs: PAGE_OF_MINE: y",
    "housing/sites/list.rs: TOTAL_OF_MINE: y",
    // The reservations of one person, the sites that the caller may see, and the merges of one guest.
    "housing/guests/earlier.rs: EARLIER: kept",
    "housing/guests/earlier.rs: EARLIER: known",
    "housing/guests/earlier.rs: EARLIER: person",
    "housing/guests/earlier.rs: EARLIER: seen",
    "housing/guests/merges/rows.rs: MERGES: x",
    // `y` is the caller's scope. Offers of all sites are read if a filter asks for them.
    "housing/today/arriving.rs: ALL: y",
    "housing/today/arriving.rs: MINE: y",
    "housing/today/moves.rs: ALL: y",
    "housing/today/moves.rs: MINE: y",
    "housing/today/place.rs: ALL: y",
    "housing/today/place.rs: INSURED",
    "housing/today/place.rs: METHODS",
    "housing/today/place.rs: MINE: y",
    "housing/today/place.rs: OFFERED: site_services",
    "housing/today/place.rs: OPTIONS",
    "housing/today/soon.rs: ALL: y",
    "housing/today/soon.rs: MINE: y",
    "housing/today/waiting.rs: ALL: y",
    "housing/today/waiting.rs: MINE: y",
    // Not a table, but the rows that are counted.
    "housing/today/waiting.rs: ALL: (subquery",
    "housing/today/waiting.rs: MINE: (subquery",
    "http/cache/several.rs: ALL",
    "http/cache/several.rs: MINE: y",
    // Unfinished operations, default cards and live subscriptions: partial indexes. In a job, all subscriptions: one or two per
    // site.
    "billing/subscriptions/notices.rs: EXPIRING: c",
    "billing/subscriptions/notices.rs: PRICED: x",
    "billing/subscriptions/operations/queue.rs: WAITING: billing_operations USING INDEX billing_operations_site_id_key",
    "billing/subscriptions/upkeep.rs: DUE: billing_operations USING INDEX billing_operations_site_id_key",
    "billing/subscriptions/upkeep.rs: DUE: o USING COVERING INDEX organizations_unbilled_index",
    "billing/subscriptions/upkeep.rs: DUE: x USING COVERING INDEX site_subscriptions_synced_at_index",
    "billing/subscriptions/upkeep.rs: UNNEEDED: o USING COVERING INDEX organizations_unbilled_index",
    "billing/subscriptions/upkeep.rs: STALE: x USING INDEX site_subscriptions_synced_at_index",
];

#[tokio::test]
async fn only_listed_sql_texts_read_a_whole_table() {
    let database = TestDatabase::migrated(Engine::Sqlite).await;
    let mut complaints = Vec::new();
    for text in sql_texts::all() {
        for table in whole_tables(&database, &text).await {
            let what = format!("{}: {table}", text.place);
            if !FULL_SCANS.iter().any(|known| what.starts_with(known)) {
                complaints.push(what);
            }
        }
    }
    assert!(complaints.is_empty(), "{}:\n{}", complaints.len(), complaints.join("\n"));
}

#[tokio::test]
async fn a_text_that_reads_a_whole_table_is_found() {
    let database = TestDatabase::migrated(Engine::Sqlite).await;
    let text = Text { place: "here".to_owned(), sql: "SELECT id FROM memberships WHERE status = $1".to_owned() };
    assert_eq!(whole_tables(&database, &text).await, ["memberships"]);
    // The texts include the first statement of each request.
    assert!(sql_texts::all().iter().any(|text| text.place.starts_with("auth/caller/session.rs: SECRET_AND_SITE")));
}

/// They run each second over all reservations that wait, thousands on a large platform, and every other row would be a page of its own.
#[tokio::test]
async fn the_job_of_holds_looks_for_work_in_an_index_alone() {
    let database = TestDatabase::migrated(Engine::Sqlite).await;
    for place in ["jobs/holds.rs: SITES", "jobs/holds.rs: WAITING"] {
        let text = sql_texts::all().into_iter().find(|text| text.place.starts_with(place)).unwrap();
        let steps = plan(&database, &text).await;
        assert!(steps[0].starts_with("SEARCH guests USING COVERING INDEX guests_due_index"), "{place}: {steps:?}");
    }
}

/// It runs every two seconds. Only a site that needs no subscription and has one may cost a page of its own.
#[tokio::test]
async fn the_job_of_billing_reads_neither_all_sites_nor_all_subscriptions() {
    let database = TestDatabase::migrated(Engine::Sqlite).await;
    let text = sql_texts::all().into_iter().find(|text| text.place.starts_with("billing/subscriptions/upkeep.rs: DUE"));
    let steps = plan(&database, &text.unwrap()).await;
    for table in ["s", "o", "x"] {
        let of_table: Vec<_> = steps.iter().filter(|step| step.split(' ').nth(1) == Some(table)).collect();
        assert!(!of_table.is_empty(), "{table}: {steps:?}");
        for step in of_table {
            let is_one_site = step.as_str() == "SEARCH x USING INDEX site_subscriptions_site_id_key (site_id=?)";
            assert!(is_one_site || step.contains("COVERING INDEX"), "{step}");
        }
    }
}
