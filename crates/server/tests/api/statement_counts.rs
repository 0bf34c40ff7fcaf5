//! A list runs as many statements for many rows as for few: there is no statement per row.

use berth_db::testing::statements_of_this_thread;
use berth_db::{Engine, Tx};
use berth_server::housing::sites;
use berth_server::routes;
use uuid::Uuid;

use crate::harness::{self, House};
use crate::world;

/// The number of rows added to each list.
const MORE: u128 = 30;

const fn id(kind: u128, number: u128) -> Uuid {
    Uuid::from_u128(0x0190_0000_0000_7000_a000_0000_0000_0000 + kind * 0x1000 + number)
}

/// A site with a house, a bed, an intake user and a subscription.
async fn add_site(tx: &mut Tx, site: Uuid, organization: Uuid) {
    const TEXTS: [&str; 7] = [
        "INSERT INTO sites (id, organization_id, name, name_key, description, address, address_key, time_zone, \
         contact_phone, contact_email, hold_hours, created_at) VALUES ($1, $2, 'Many', 'many', 'A house.', '1 Main Street', \
         '1 main street', 'America/Los_Angeles', '+17145550100', 'house@test.example', 24, 0)",
        "INSERT INTO site_services (site_id, service_id) SELECT $1, 'drug-treatment' FROM organizations WHERE id = $2",
        "INSERT INTO site_languages (site_id, language_id) SELECT $1, 'en' FROM organizations WHERE id = $2",
        "INSERT INTO site_images (site_id, position, image_path) SELECT $1, 0, 'uploads/site_many.png' \
         FROM organizations WHERE id = $2",
        "INSERT INTO site_subscriptions (id, site_id, status, created_at, updated_at) SELECT $1, $1, 'active', 0, 0 \
         FROM organizations WHERE id = $2",
        "INSERT INTO rooms (id, site_id, name, name_key, position, created_at) SELECT $1, $1, 'House', 'house', 1, 0 \
         FROM organizations WHERE id = $2",
        "INSERT INTO beds (id, site_id, room_id, name, name_key, kind, position, created_at) \
         SELECT $1, $1, $1, 'Bed', 'bed', 'Detox', 1, 0 FROM organizations WHERE id = $2",
    ];
    for text in TEXTS {
        tx.query(text).bind(site).bind(organization).execute().await.unwrap();
    }
}

/// A person with a role.
async fn add_person(tx: &mut Tx, person: Uuid, role: &str, organization: Option<Uuid>, site: Option<Uuid>) {
    const USER: &str = "INSERT INTO users (id, email, email_key, first_name, last_name, created_at) \
        VALUES ($1, $2, $2, 'Many', 'Person', 0)";
    tx.query(USER).bind(person).bind(format!("{person}@test.example")).execute().await.unwrap();
    add_role(tx, (person, person), role, organization, site).await;
}

async fn add_role(
    tx: &mut Tx,
    (membership, person): (Uuid, Uuid),
    role: &str,
    organization: Option<Uuid>,
    site: Option<Uuid>,
) {
    const ROLE: &str = "INSERT INTO memberships (id, user_id, role, organization_id, site_id, status, created_at) \
        VALUES ($1, $2, $3, $4, $5, 'Active', 0)";
    let role = tx.query(ROLE).bind(membership).bind(person).bind(role).bind(organization).bind(site);
    role.execute().await.unwrap();
}

/// Adds organizations with everything that lists show, and as many sites, owners and users of the first one.
async fn add_many(house: &House) {
    const ORGANIZATION: &str = "INSERT INTO organizations (id, name, name_key, is_commercial, created_at) \
        VALUES ($1, $2, $2, TRUE, 0)";
    const METHOD: &str = "INSERT INTO organization_payment_methods (organization_id, method) VALUES ($1, 1)";
    const INSURER: &str = "INSERT INTO organization_insurance_companies (organization_id, insurance_company_id) \
        VALUES ($1, $2)";
    let (harbor, owner) = (world::HARBOR.0, world::PEOPLE[1].2.0);
    let mut tx = house.db().begin().await.unwrap();
    for number in 0..MORE {
        let organization = id(0, number);
        tx.query(ORGANIZATION).bind(organization).bind(format!("many {number:02}")).execute().await.unwrap();
        tx.query(METHOD).bind(organization).execute().await.unwrap();
        tx.query(INSURER).bind(organization).bind(world::INSURER).execute().await.unwrap();
        add_role(&mut tx, (id(1, number), owner), "Owner", Some(organization), None).await;
        for (kind, of) in [(2, organization), (3, harbor)] {
            add_site(&mut tx, id(kind, number), of).await;
            add_person(&mut tx, id(kind + 2, number), "Owner", Some(of), None).await;
        }
        add_person(&mut tx, id(6, number), "Intake", None, Some(world::HARBOR_HOUSE.0)).await;
    }
    sites::settle_all(&mut tx).await.unwrap();
    tx.commit().await.unwrap();
}

/// The number of statements each list runs on a node without cached answers, and of ids it shows.
async fn taken(house: &mut House) -> Vec<(String, usize, usize)> {
    let (harbor, site) = (world::HARBOR, world::HARBOR_HOUSE);
    let lists = [
        (world::GLOBAL, "/api/Organizations".to_owned()),
        (world::OWNER, "/api/Organizations".to_owned()),
        (world::GLOBAL, "/api/Organizations?page=1&pageSize=300".to_owned()),
        (world::GLOBAL, format!("/api/Dashboard/organizations/{harbor}")),
        (world::GLOBAL, "/api/Dashboard/organizations?pageSize=300".to_owned()),
        (world::GLOBAL, "/api/Dashboard/sites?pageSize=300".to_owned()),
        (world::GLOBAL, "/api/Dashboard/users?pageSize=300".to_owned()),
        (world::GLOBAL, "/api/Sites?pageSize=300".to_owned()),
        (world::OWNER, "/api/Sites?pageSize=300".to_owned()),
        (world::OWNER, format!("/api/Sites/organization-sites?organizationId={harbor}")),
        (world::OWNER, format!("/api/Subscriptions/sites?organizationId={harbor}")),
        (world::OWNER, "/api/AccessUsers?pageSize=300".to_owned()),
        (world::OWNER, "/api/AccessUsers?pageSize=300&search=test".to_owned()),
        (world::OWNER, format!("/api/AccessUsers/organizationScopeUsers?organizationId={harbor}")),
        (world::OWNER, format!("/api/AccessUsers/siteScopeUsers?siteId={site}")),
        (world::GLOBAL, "/api/public/sites?pageSize=300".to_owned()),
    ];
    let mut all = Vec::new();
    for (token, path) in lists {
        house.router = routes::build(harness::app(house.db().clone(), &house.clock, 3));
        let before = statements_of_this_thread();
        let answer = house.get(&path).by(token).send().await;
        let count = statements_of_this_thread() - before;
        answer.expect(200);
        all.push((path, count, answer.text.matches("d\":\"0190").count()));
    }
    all
}

async fn compare(engine: Engine) {
    let mut house = House::new(engine).await;
    let few = taken(&mut house).await;
    add_many(&house).await;
    let many = taken(&mut house).await;
    for ((path, few, shown), (_, many, more)) in few.into_iter().zip(many) {
        assert!(few > 0 && more >= shown + 30, "{path}: {shown} and {more} ids, {few} statements");
        assert_eq!(few, many, "statements of {path} for {shown} and {more} ids");
    }
}

/// It runs on one thread, which counts its statements.
#[tokio::test]
async fn a_list_runs_as_many_statements_for_many_rows_as_for_few_on_sqlite() {
    compare(Engine::Sqlite).await;
}

/// It runs on one thread, which counts its statements.
#[tokio::test]
async fn a_list_runs_as_many_statements_for_many_rows_as_for_few_on_postgres() {
    compare(Engine::Postgres).await;
}
