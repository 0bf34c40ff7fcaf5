//! Writes the guests of a site from their histories: reservations, services, stays and audit rows.

use berth_domain::catalog::{self, Gender, ServiceCategory};
use berth_domain::guest::Source;
use berth_domain::id::{BedId, GuestId, StayId};
use berth_domain::new_guest::reservation_code;
use berth_domain::stay::EndReason;
use berth_domain::time::Timestamp;
use berth_domain::value::name_key;

use super::fill::{Actor, AuditLine, Placed, World};
use super::histories::{self, History};
use super::rules;
use crate::words::{CALIFORNIAN_TOWNS, INITIALS, TOWNS, first_name, gender};
use berth_server::admin::audit_log::{AuditAction, ObjectKind};

/// Address of reservations from the public side, of a range reserved for documentation.
const PUBLIC_ADDRESS: &str = "198.51.100.24";
/// Address of the staff, of a range reserved for documentation.
pub(super) const OFFICE_ADDRESS: &str = "203.0.113.20";

/// Writes all guests of a site.
pub(super) async fn make(world: &mut World, site: &Placed) -> berth_db::Result<()> {
    let beds: Vec<bool> = site.beds.iter().map(|(_, disabled)| *disabled).collect();
    for history in histories::write(&mut world.dice, world.now, site.plan, &beds) {
        write(world, site, &history).await?;
    }
    Ok(())
}

/// Writes a guest with this history.
pub(super) async fn write(world: &mut World, site: &Placed, history: &History) -> berth_db::Result<()> {
    let actor = (!site.actors.is_empty()).then(|| world.dice.pick(&site.actors).clone());
    GuestWriter { site, history, actor: actor.as_ref() }.write(world).await
}

/// Writes one guest.
struct GuestWriter<'a> {
    site: &'a Placed,
    history: &'a History,
    /// User who decides on this guest.
    actor: Option<&'a Actor>,
}

impl GuestWriter<'_> {
    async fn write(&self, world: &mut World) -> berth_db::Result<()> {
        let id = GuestId(world.dice.id(self.history.created));
        let code = reservation_code(world.dice.number().to_le_bytes());
        self.guest(world, id, &code).await?;
        self.services(world, id).await?;
        for stay in &self.history.stays {
            const INSERT: &str = "INSERT INTO stays (id, site_id, guest_id, bed_id, started_at, started_by, ended_at, \
                ended_by, end_reason) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
            let by = self.actor.map(|actor| actor.id);
            world
                .tx
                .query(INSERT)
                .bind(StayId(world.dice.id(stay.from)))
                .bind(self.site.id)
                .bind(id)
                .bind(self.bed(stay.bed))
                .bind(stay.from)
                .bind(by)
                .bind(stay.end.map(|(at, _)| at))
                .bind(stay.end.and(by))
                .bind(stay.end.map(|(_, reason)| reason))
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
        let is_welcome = |gender: &Gender| self.site.plan.services.contains(&gender.service_id());
        let welcome: Vec<Gender> = Gender::ALL.iter().copied().filter(is_welcome).collect();
        let (number, phone) = world.next_phone();
        let (history, dice) = (self.history, &mut world.dice);
        let rule = history.stays.last().map(|stay| rules::of_bed(self.site.plan, stay.bed)).unwrap_or_default();
        let gender = Some(gender(dice)).filter(is_welcome).unwrap_or_else(|| *dice.pick(&welcome));
        let gender = rules::fitting(&rule, gender, &welcome, Gender::service_id);
        let first_name = first_name(gender, dice);
        let initial = *dice.pick(&INITIALS);
        let email = format!("{}.{}{}@mail.example", first_name, initial, 10 + number).to_lowercase();
        let ages: Vec<&str> = self.offered(ServiceCategory::Age);
        let clients: Vec<&str> = self.offered(ServiceCategory::Client);
        let age = if ages.is_empty() { "age-over-27" } else { *dice.pick(&ages) };
        let age = rules::fitting(&rule, age, &ages, |age| age);
        let client = (!clients.is_empty()).then(|| *dice.pick(&clients));
        let location = dice.chance(85).then(|| dice.pick(&TOWNS[..CALIFORNIAN_TOWNS]).with_state());
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

    /// Writes one to three services that the site offers, and sometimes a special need.
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

    /// Returns the site's services of a category.
    fn offered(&self, category: ServiceCategory) -> Vec<&'static str> {
        let services = self.site.plan.services.iter().filter_map(|id| catalog::service(id));
        services.filter(|service| service.category == category).map(|service| service.id).collect()
    }

    /// Writes an audit row for each event.
    async fn trail(&self, world: &mut World, id: GuestId, code: &str) -> berth_db::Result<()> {
        let history = self.history;
        let by_hand = history.source == Source::Admin;
        let created = format!("{code} ({})", history.source);
        self.record(world, id, history.created, AuditAction::GuestCreated, by_hand, created).await?;
        let mut from: Option<BedId> = None;
        for stay in &history.stays {
            let bed = self.bed(stay.bed);
            match from {
                None => {
                    let text = format!("{code} to bed {bed}");
                    self.record(world, id, stay.from, AuditAction::GuestAccepted, true, text).await?;
                }
                Some(before) => {
                    let swapped = history.stays[0].end.is_some_and(|(_, reason)| reason == EndReason::Swapped);
                    let action = if swapped { AuditAction::GuestSwapped } else { AuditAction::GuestReassigned };
                    let text = format!("{code} from bed {before} to bed {bed}");
                    self.record(world, id, stay.from, action, true, text).await?;
                }
            }
            from = Some(bed);
        }
        if let (Some(at), Some(bed)) = (history.discharged, from) {
            let text = format!("{code} out of bed {bed}");
            self.record(world, id, at, AuditAction::GuestDischarged, true, text).await?;
        }
        if let Some(at) = history.rejected {
            self.record(world, id, at, AuditAction::GuestRejected, true, code.to_owned()).await?;
        }
        if let Some(at) = history.expired {
            self.record(world, id, at, AuditAction::GuestExpired, false, code.to_owned()).await?;
        }
        Ok(())
    }

    async fn record(
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
        let line = AuditLine {
            at,
            action,
            actor: self.actor.filter(|_| by_staff),
            login: None,
            place: (Some(self.site.organization_id), Some(self.site.id)),
            object: Some((ObjectKind::Guest, id.0)),
            summary,
            address,
        };
        world.record(line).await
    }
}
