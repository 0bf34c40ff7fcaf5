//! Fills an empty database with the demo's world, in one transaction.

use std::collections::HashMap;

use anyhow::Context;
use berth_db::Tx;
use berth_domain::id::{BedId, InsuranceCompanyId, OrganizationId, SiteId, UserId};
use berth_domain::role::{MembershipStatus, Role};
use berth_domain::time::Timestamp;
use berth_domain::value::{name_key, search_key};

use super::people::{ACCOUNTS, Account, OTHERS};
use super::places::{INSURERS, ORGANIZATIONS};
use super::plan::{OrganizationPlan, SitePlan};
use super::subscriptions::{self, Subscriptions};
use super::{SEED, cards, departures, guests, merges, outages, pictures, reasons, rules, site, waitlist};
use crate::accounts::PASSWORD;
use crate::dice::Dice;
use crate::words::phone;
use berth_server::App;
use berth_server::admin::audit_log::{AuditAction, ObjectKind};
use berth_server::admin::invitations;
use berth_server::http::demo_guard::{self, Data};
use berth_server::settings::AGREEMENTS_VERSION;

/// The world while it is being written.
pub(super) struct World {
    pub(super) tx: Tx,
    pub(super) dice: Dice,
    pub(super) now: Timestamp,
    /// Guests made so far; their phone numbers follow from it.
    pub(super) guests: usize,
    /// Paths of pictures by the name of the organization, site or insurer.
    pub(super) pictures: HashMap<&'static str, Vec<String>>,
    /// Subscriptions of the payment sandbox; none if Stripe itself is used.
    pub(super) subscriptions: Option<Subscriptions>,
}

/// A user of the demo.
#[derive(Debug, Clone)]
pub(super) struct Actor {
    pub(super) id: UserId,
    pub(super) email: &'static str,
    pub(super) role: Role,
    /// When the first password was set; none while invited.
    pub(super) joined: Option<Timestamp>,
}

/// A site that was written.
pub(super) struct Placed {
    pub(super) id: SiteId,
    pub(super) organization_id: OrganizationId,
    pub(super) organization: &'static OrganizationPlan,
    pub(super) plan: &'static SitePlan,
    pub(super) insurers: Vec<(InsuranceCompanyId, &'static str)>,
    /// In the order of houses; true if disabled.
    pub(super) beds: Vec<(BedId, bool)>,
    /// Users who decide on guests there.
    pub(super) actors: Vec<Actor>,
}

/// A row of the audit trail.
pub(super) struct AuditLine<'a> {
    pub(super) at: Timestamp,
    pub(super) action: AuditAction,
    pub(super) actor: Option<&'a Actor>,
    /// What was typed as the email in a failed sign-in.
    pub(super) login: Option<&'static str>,
    pub(super) place: (Option<OrganizationId>, Option<SiteId>),
    pub(super) object: Option<(ObjectKind, uuid::Uuid)>,
    pub(super) summary: String,
    pub(super) address: &'static str,
}

/// Fills the database if it is empty; leaves the demo of an earlier start as it is.
///
/// # Errors
/// A sentence if the database contains real data.
pub async fn fill(app: &App) -> anyhow::Result<()> {
    let data = Data::of(&app.db).await?;
    demo_guard::may_serve_data(&app.settings, data)?;
    if data != Data::Empty {
        return Ok(());
    }
    let mut people: Vec<(&Account, String)> = Vec::new();
    for account in ACCOUNTS.iter().chain(&OTHERS) {
        people.push((account, app.hasher.hash(app, PASSWORD.to_owned()).await?));
    }
    let pictures = pictures::make(app).await?;
    // With Stripe keys there are no subscriptions yet: the owners add one of Stripe's test cards.
    let subscriptions = if app.payments.is_sandbox() { Some(subscriptions::read(app).await?) } else { None };
    // Not through `change::run`: the audit rows are of the past, and nobody watches an empty platform.
    let tx = app.db.begin().await?;
    let mut world = World { tx, dice: Dice::new(SEED, 0), now: app.now(), guests: 0, pictures, subscriptions };
    match make(&mut world, &people).await {
        Ok(()) => {
            world.tx.commit().await?;
            Ok(invitations::send_all(app).await?)
        }
        // Another node has already written the same world.
        Err(berth_db::Error::Unique { .. }) => Ok(()),
        Err(error) => Err(error).context("the demo could not be filled in"),
    }
}

async fn make(world: &mut World, people: &[(&'static Account, String)]) -> berth_db::Result<()> {
    demo_guard::mark(&mut world.tx, Data::Demo, world.now).await?;
    let insurers = world.insurers().await?;
    let users = world.users(people).await?;
    let (mut sites, mut organizations) = (Vec::new(), Vec::new());
    for plan in &ORGANIZATIONS {
        let organization_id = world.organization(plan, &insurers).await?;
        organizations.push((plan.name, organization_id));
        for site in plan.sites {
            sites.push(site::make(world, plan, organization_id, site, &insurers).await?);
        }
    }
    world.memberships(people, &users, &mut sites).await?;
    world.sign_ins(&users).await?;
    for site in &sites {
        guests::make(world, site).await?;
    }
    if world.subscriptions.is_some() {
        for &(name, id) in &organizations {
            cards::make(world, name, id).await?;
        }
    }
    world.traces(&users).await?;
    // Last, because audit rows draw random numbers: earlier, they would change everything after them.
    outages::make(world, &sites).await?;
    for (_, id) in organizations {
        reasons::make(world, id).await?;
    }
    rules::make(world, &sites).await?;
    waitlist::make(world, &sites).await?;
    merges::make(world, &sites).await?;
    departures::make(world, &sites).await?;
    berth_server::housing::sites::settle_all(&mut world.tx).await
}

impl World {
    /// Counts a guest more, and returns the guest's number and phone.
    pub(super) fn next_phone(&mut self) -> (usize, String) {
        let number = self.guests;
        self.guests += 1;
        // Of eight area codes in turn; the first 20 numbers of an area code belong to the staff.
        (number, phone(number % 8 * 100 + 20 + number / 8))
    }

    async fn insurers(&mut self) -> berth_db::Result<Vec<(InsuranceCompanyId, &'static str)>> {
        const INSERT: &str = "INSERT INTO insurance_companies (id, name, name_key, is_primary, created_at, logo_path) \
            VALUES ($1, $2, $3, $4, $5, $6)";
        let mut insurers = Vec::new();
        for (name, is_primary) in INSURERS {
            let at = self.now.plus_days(-720);
            let id = InsuranceCompanyId(self.dice.id(at));
            let insert = self.tx.query(INSERT).bind(id).bind(name).bind(name_key(name));
            let logo = self.pictures.get(name).and_then(|paths| paths.first()).cloned();
            insert.bind(is_primary).bind(at).bind(logo).execute().await?;
            insurers.push((id, name));
        }
        Ok(insurers)
    }

    async fn users(&mut self, people: &[(&'static Account, String)]) -> berth_db::Result<Vec<Actor>> {
        const INSERT: &str = "INSERT INTO users (id, email, email_key, first_name, last_name, password_hash, phone, \
            phone_confirmed_at, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
        const AGREE: &str = "INSERT INTO agreement_acceptances (id, user_id, version, accepted_at, address) \
            VALUES ($1, $2, $3, $4, '203.0.113.20')";
        let mut users = Vec::new();
        for (account, hash) in people {
            let invited = account.phone.is_empty();
            let at = if invited { self.now.plus_hours(-20) } else { self.now.plus_days(-self.dice.between(120, 290)) };
            let id = UserId(self.dice.id(at));
            let joined = (!invited).then(|| at.plus_hours(3));
            self.tx
                .query(INSERT)
                .bind(id)
                .bind(account.email)
                .bind(search_key(account.email))
                .bind(account.first_name)
                .bind(account.last_name)
                .bind((!invited).then_some(hash.as_str()))
                .bind((!invited).then_some(account.phone))
                .bind(joined)
                .bind(at)
                .execute()
                .await?;
            if let Some(joined) = joined {
                let acceptance = self.dice.id(joined);
                let agree = self.tx.query(AGREE).bind(acceptance).bind(id);
                agree.bind(AGREEMENTS_VERSION).bind(joined).execute().await?;
            }
            let role = account.roles.first().map_or(Role::Staff, |seat| seat.role);
            users.push(Actor { id, email: account.email, role, joined });
        }
        Ok(users)
    }

    async fn organization(
        &mut self,
        plan: &OrganizationPlan,
        insurers: &[(InsuranceCompanyId, &'static str)],
    ) -> berth_db::Result<OrganizationId> {
        const INSERT: &str = "INSERT INTO organizations (id, name, name_key, is_commercial, created_at, \
            logo_path) VALUES ($1, $2, $3, $4, $5, $6)";
        const METHOD: &str = "INSERT INTO organization_payment_methods (organization_id, method) VALUES ($1, $2)";
        const INSURER: &str = "INSERT INTO organization_insurance_companies (organization_id, insurance_company_id) \
            VALUES ($1, $2)";
        let at = self.now.plus_days(-plan.age);
        let id = OrganizationId(self.dice.id(at));
        let insert = self.tx.query(INSERT).bind(id).bind(plan.name).bind(name_key(plan.name));
        let logo = self.pictures.get(plan.name).and_then(|paths| paths.first()).cloned();
        insert.bind(plan.is_commercial).bind(at).bind(logo).execute().await?;
        for method in plan.methods {
            self.tx.query(METHOD).bind(id).bind(*method).execute().await?;
        }
        for (insurer, name) in insurers {
            if plan.insurers.contains(name) {
                self.tx.query(INSURER).bind(id).bind(*insurer).execute().await?;
            }
        }
        Ok(id)
    }

    async fn memberships(
        &mut self,
        people: &[(&'static Account, String)],
        users: &[Actor],
        sites: &mut [Placed],
    ) -> berth_db::Result<()> {
        const INSERT: &str = "INSERT INTO memberships (id, user_id, role, organization_id, site_id, status, \
            receive_reservation_texts, created_at, created_by, invited_first_name, invited_last_name) \
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)";
        const FIRST_ADMIN: &str = "UPDATE sites SET admin_email = $2, admin_first_name = $3, admin_last_name = $4 \
            WHERE id = $1 AND admin_email IS NULL";
        let founder = users.first().map(|user| user.id);
        for ((account, _), user) in people.iter().zip(users) {
            for seat in account.roles {
                let at = self.now.plus_days(-self.dice.between(20, 118));
                let organization = sites.iter().find(|site| site.organization.name == seat.place);
                let organization = organization.map(|site| site.organization_id);
                let site = sites.iter_mut().find(|site| site.plan.name == seat.place);
                let texts = matches!(seat.role, Role::Admin | Role::Intake);
                self.tx
                    .query(INSERT)
                    .bind(self.dice.id(at))
                    .bind(user.id)
                    .bind(seat.role)
                    .bind(organization)
                    .bind(site.as_ref().map(|site| site.id))
                    .bind(seat.status)
                    .bind(texts)
                    .bind(at)
                    .bind(founder)
                    .bind(account.first_name)
                    .bind(account.last_name)
                    .execute()
                    .await?;
                if let (Some(site), Role::Admin) = (&site, seat.role) {
                    let update = self.tx.query(FIRST_ADMIN).bind(site.id).bind(account.email);
                    update.bind(account.first_name).bind(account.last_name).execute().await?;
                }
                if let (Some(site), true) = (site, texts && seat.status == MembershipStatus::Active) {
                    site.actors.push(Actor { role: seat.role, ..user.clone() });
                }
            }
        }
        Ok(())
    }

    /// Writes a row of the audit trail.
    pub(super) async fn record(&mut self, line: AuditLine<'_>) -> berth_db::Result<()> {
        const INSERT: &str = "INSERT INTO audit (id, at, action, actor_id, actor_email, actor_role, organization_id, \
            site_id, object_type, object_id, summary, address, request_id) \
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, '')";
        let (organization_id, site_id) = line.place;
        self.tx
            .query(INSERT)
            .bind(self.dice.id(line.at))
            .bind(line.at)
            .bind(line.action.as_str())
            .bind(line.actor.map(|actor| actor.id))
            .bind(line.actor.map(|actor| actor.email).or(line.login))
            .bind(line.actor.map(|actor| actor.role))
            .bind(organization_id)
            .bind(site_id)
            .bind(line.object.map(|(kind, _)| kind.as_str()))
            .bind(line.object.map(|(_, id)| id))
            .bind(line.summary)
            .bind(line.address)
            .execute()
            .await?;
        Ok(())
    }
}
