//! Makes the guests of a site from their histories: persons, reservations, stays and what the trail tells of them.

use berth_domain::catalog::{self, Gender, ServiceCategory};
use berth_domain::guest::Source;
use berth_domain::id::{BedId, GuestId, StayId};
use berth_domain::new_guest::reservation_code;
use berth_domain::stay::EndReason;
use berth_domain::time::Timestamp;
use berth_domain::value::name_key;

use super::fill::{Actor, Placed, Told, World};
use super::histories::{self, History};
use super::names::{AREAS, FIRST, INITIALS, TOWNS};
use crate::admin::audit_log::{AuditAction, ObjectKind};

/// Where reservations from the public side came from: an address kept free for examples.
const PUBLIC_ADDRESS: &str = "198.51.100.24";
/// Where the staff work.
pub(super) const OFFICE_ADDRESS: &str = "203.0.113.20";

/// Makes all guests of a site.
pub(super) async fn make(world: &mut World, site: &Placed) -> berth_db::Result<()> {
    let beds: Vec<bool> = site.beds.iter().map(|(_, disabled)| *disabled).collect();
    for history in histories::write(&mut world.dice, world.now, site.plan, &beds) {
        let actor = (!site.actors.is_empty()).then(|| world.dice.pick(&site.actors).clone());
        let way = Way { site, history: &history, actor: actor.as_ref() };
        way.make(world).await?;
    }
    Ok(())
}

/// A guest being made.
struct Way<'a> {
    site: &'a Placed,
    history: &'a History,
    /// Who decides on this guest.
    actor: Option<&'a Actor>,
}

impl Way<'_> {
    async fn make(&self, world: &mut World) -> berth_db::Result<()> {
        let id = GuestId(world.dice.id(self.history.created));
        let code = reservation_code(world.dice.bytes());
        self.guest(world, id, &code).await?;
        self.services(world, id).await?;
        for slept in &self.history.slept {
            const INSERT: &str = "INSERT INTO stays (id, site_id, guest_id, bed_id, started_at, started_by, ended_at, \
                ended_by, end_reason) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
            let by = self.actor.map(|actor| actor.id);
            world
                .tx
                .query(INSERT)
                .bind(StayId(world.dice.id(slept.from)))
                .bind(self.site.id)
                .bind(id)
                .bind(self.bed(slept.bed))
                .bind(slept.from)
                .bind(by)
                .bind(slept.end.map(|(at, _)| at))
                .bind(slept.end.and(by))
                .bind(slept.end.map(|(_, reason)| reason))
                .execute()
                .await?;
        }
        self.trail(world, id, &code).await
    }

    fn bed(&self, index: usize) -> BedId {
        self.site.beds[index].0
    }

    async fn guest(&self, world: &mut World, id: GuestId, code: &str) -> berth_db::Result<()> {
        const INSERT: &str = "INSERT INTO guests (id, site_id, code, first_name, first_name_key, last_name, gender, \
            age_service_id, client_service_id, phone, email, email_key, location, source, payment_method, \
            medi_cal_choice, insurance_company_id, policy_number, group_number, feedback, version, created_at, \
            created_by, expires_at, accepted_at, reassigned_at, rejected_at, discharged_at, expired_at, reminded) \
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, \
            $22, $23, $24, $25, $26, $27, $28, $29, $30)";
        let welcome = |gender: Gender| self.site.plan.services.contains(&gender.service_id());
        let names: Vec<_> = FIRST.iter().filter(|(_, gender)| welcome(*gender)).collect();
        let (history, dice) = (self.history, &mut world.dice);
        let number = world.guests;
        world.guests += 1;
        let (first_name, gender) = **dice.pick(&names);
        let initial = *dice.pick(&INITIALS);
        let phone = format!("+1{}55501{:02}", AREAS[number % AREAS.len()], 20 + number / AREAS.len());
        let email = format!("{}.{}{}@mail.example", first_name, initial, 10 + number).to_lowercase();
        let ages: Vec<&str> = self.offered(ServiceCategory::Age);
        let clients: Vec<&str> = self.offered(ServiceCategory::Client);
        let age = if ages.is_empty() { "age-over-27" } else { *dice.pick(&ages) };
        let client = (!clients.is_empty()).then(|| *dice.pick(&clients));
        let location = dice.chance(85).then(|| *dice.pick(&TOWNS));
        let method = self.site.organization.is_commercial.then(|| *dice.pick(self.site.organization.methods));
        let options = self.site.plan.options;
        let option = (!options.is_empty()).then(|| *dice.pick(options));
        let insurer = (method == Some(2) && !self.site.insurers.is_empty()).then(|| *dice.pick(&self.site.insurers));
        let policy = insurer.map(|(_, name)| {
            let letters: String = name.split(' ').filter_map(|word| word.chars().next()).collect();
            format!("{letters}-{}", dice.between(10_000_000, 99_999_999))
        });
        let group = insurer.and(dice.chance(60).then(|| format!("G{}", dice.between(1000, 9999))));
        let by_hand = history.source == Source::Admin;
        let stamps = [history.accepted, history.reassigned, history.rejected, history.discharged, history.expired];
        let changes = i64::try_from(stamps.iter().flatten().count()).unwrap_or_default();
        world
            .tx
            .query(INSERT)
            .bind(id)
            .bind(self.site.id)
            .bind(code)
            .bind(first_name)
            .bind(name_key(first_name))
            .bind(initial)
            .bind(gender)
            .bind(age)
            .bind(client)
            .bind(phone)
            .bind(email.as_str())
            .bind(email.as_str())
            .bind(location)
            .bind(history.source)
            .bind(method)
            .bind(option)
            .bind(insurer.map(|(id, _)| id))
            .bind(policy)
            .bind(group)
            .bind(history.feedback)
            .bind(1 + changes)
            .bind(history.created)
            .bind(self.actor.filter(|_| by_hand).map(|actor| actor.id))
            .bind(history.expires)
            .bind(history.accepted)
            .bind(history.reassigned)
            .bind(history.rejected)
            .bind(history.discharged)
            .bind(history.expired)
            .bind(history.reminded)
            .execute()
            .await?;
        Ok(())
    }

    /// One to three services that the site offers, now and then a special need.
    async fn services(&self, world: &mut World, id: GuestId) -> berth_db::Result<()> {
        const INSERT: &str = "INSERT INTO guest_services (guest_id, service_id) VALUES ($1, $2) \
            ON CONFLICT (guest_id, service_id) DO NOTHING";
        let general = self.offered(ServiceCategory::General);
        let needs = self.offered(ServiceCategory::Disability);
        let mut chosen: Vec<&str> = Vec::new();
        for _ in 0..world.dice.between(1, 3) {
            chosen.push(*world.dice.pick(&general));
        }
        if !needs.is_empty() && world.dice.chance(20) {
            chosen.push(*world.dice.pick(&needs));
        }
        for service in chosen {
            world.tx.query(INSERT).bind(id).bind(service).execute().await?;
        }
        Ok(())
    }

    /// The site's services of a category.
    fn offered(&self, category: ServiceCategory) -> Vec<&'static str> {
        let services = self.site.plan.services.iter().filter_map(|id| catalog::service(id));
        services.filter(|service| service.category == category).map(|service| service.id).collect()
    }

    /// One line for each thing that happened.
    async fn trail(&self, world: &mut World, id: GuestId, code: &str) -> berth_db::Result<()> {
        let history = self.history;
        let by_hand = history.source == Source::Admin;
        let created = format!("{code} ({})", history.source);
        self.tell(world, id, history.created, AuditAction::GuestCreated, by_hand, created).await?;
        let mut from: Option<BedId> = None;
        for slept in &history.slept {
            let bed = self.bed(slept.bed);
            match from {
                None => {
                    let text = format!("{code} to bed {bed}");
                    self.tell(world, id, slept.from, AuditAction::GuestAccepted, true, text).await?;
                }
                Some(before) => {
                    let swapped = history.slept[0].end.is_some_and(|(_, reason)| reason == EndReason::Swapped);
                    let action = if swapped { AuditAction::GuestSwapped } else { AuditAction::GuestReassigned };
                    let text = format!("{code} from bed {before} to bed {bed}");
                    self.tell(world, id, slept.from, action, true, text).await?;
                }
            }
            from = Some(bed);
        }
        if let (Some(at), Some(bed)) = (history.discharged, from) {
            let text = format!("{code} out of bed {bed}");
            self.tell(world, id, at, AuditAction::GuestDischarged, true, text).await?;
        }
        if let Some(at) = history.rejected {
            self.tell(world, id, at, AuditAction::GuestRejected, true, code.to_owned()).await?;
        }
        if let Some(at) = history.expired {
            self.tell(world, id, at, AuditAction::GuestExpired, false, code.to_owned()).await?;
        }
        Ok(())
    }

    async fn tell(
        &self,
        world: &mut World,
        id: GuestId,
        at: Timestamp,
        action: AuditAction,
        by_staff: bool,
        summary: String,
    ) -> berth_db::Result<()> {
        let address = match (by_staff, action) {
            (true, _) => OFFICE_ADDRESS,
            (false, AuditAction::GuestExpired) => "job",
            (false, _) => PUBLIC_ADDRESS,
        };
        let told = Told {
            at,
            action,
            actor: self.actor.filter(|_| by_staff),
            login: None,
            place: (Some(self.site.organization_id), Some(self.site.id)),
            object: Some((ObjectKind::Guest, id.0)),
            summary,
            address,
        };
        world.tell(told).await
    }
}
