//! Storing a new guest, from either side: capacity, the two active reservations of a person, a code of its own
//! (DESIGN 3; I10). Runs after the touch of the site.

use berth_db::Tx;
use berth_domain::guest::Source;
use berth_domain::id::{GuestId, UserId};
use berth_domain::new_guest::{NewGuest, reservation_code};
use berth_domain::stay::{active_reservations, capacity};
use berth_domain::time::Timestamp;
use berth_domain::value::name_key;
use sha2::{Digest, Sha256};

use super::failure::Failure;
use crate::audit::{self, AuditAction, By, Entry, ObjectKind};
use crate::caller::Site;
use crate::jobs::holds;
use crate::sites::{self, Capacity};
use crate::{App, Error, files};

/// A guest to be stored.
pub struct Reservation<'a> {
    /// Where.
    pub site: &'a Site,
    /// Who, as the form was understood.
    pub guest: &'a NewGuest,
    /// From which side.
    pub source: Source,
    /// Who adds the guest by hand.
    pub created_by: Option<UserId>,
    /// For the trail.
    pub by: &'a By,
    /// End of the hold; none for guests added by hand.
    pub expires_at: Option<Timestamp>,
    /// A third active reservation of this person is allowed.
    pub allow_third: bool,
    /// Now.
    pub now: Timestamp,
}

/// A stored guest.
pub struct Stored {
    /// The guest.
    pub id: GuestId,
    /// Its code.
    pub code: String,
}

/// Runs an attempt to store a guest. Where it stops before holds that are over, their end goes on record first: what was
/// given away because they were over must not be theirs again when the clock goes back.
///
/// # Errors
/// Those of the attempt, and of the database.
pub async fn on_record<T, F>(app: &App, mut attempt: impl FnMut() -> F) -> Result<T, Failure>
where
    F: Future<Output = Result<T, Failure>>,
{
    match berth_db::retry(&mut attempt).await {
        Err(Failure::Overdue) => {
            holds::end_overdue(app).await?;
            berth_db::retry(attempt).await
        }
        done => done,
    }
}

/// How often a taken code is drawn again; one in 480 million is taken per guest.
const DRAWS: usize = 20;

impl Reservation<'_> {
    /// Checks and stores the guest, with its rows in the trail.
    ///
    /// # Errors
    /// A refusal when there is no room or the person has two active reservations; 422 for an unknown insurer.
    pub async fn store(&self, app: &App, tx: &mut Tx) -> Result<Stored, Failure> {
        let is_third = self.check_room_and_person(tx).await?;
        self.check_insurer(tx).await?;
        self.claim_cards(tx).await?;
        let stored = self.insert(app, tx).await?;
        let object = (ObjectKind::Guest, stored.id.0);
        let entry =
            Entry::at(self.site, AuditAction::GuestCreated, object, format!("{} ({})", stored.code, self.source));
        audit::write_ahead(app, tx, self.by, &entry).await?;
        if is_third {
            let summary = format!("{} is the person's third active reservation", stored.code);
            audit::write(app, tx, self.by, &Entry::at(self.site, AuditAction::GuestThirdAllowed, object, summary))
                .await?;
        }
        Ok(stored)
    }

    /// Counts what the site can take in; locks the person, then counts; true when this is a third reservation that was
    /// allowed.
    async fn check_room_and_person(&self, tx: &mut Tx) -> Result<bool, Failure> {
        const LOCK: &str = "INSERT INTO person_locks (person) VALUES ($1) \
            ON CONFLICT (person) DO UPDATE SET version = person_locks.version + 1";
        const ACTIVE: &str = "SELECT COUNT(*), \
            COALESCE(SUM(CASE WHEN accepted_at IS NULL AND expires_at <= $3 THEN 1 ELSE 0 END), 0) FROM guests \
            WHERE id IN (SELECT id FROM guests WHERE phone = $1 \
            AND rejected_at IS NULL AND expired_at IS NULL AND discharged_at IS NULL \
            UNION ALL SELECT id FROM guests WHERE email_key = $2 \
            AND rejected_at IS NULL AND expired_at IS NULL AND discharged_at IS NULL)";
        let room = sites::capacity_ahead(tx, self.site.id, self.now).await?;
        let (phone, email) = (self.guest.phone.as_str(), self.guest.email.key());
        let mut persons = [person("phone", phone), person("email", &email)];
        // One order for all, so that two people who share a telephone and a mailbox crosswise do not deadlock.
        persons.sort();
        for person in persons {
            let _ = tx.query(LOCK).bind(person).ahead().await?;
        }
        let (active, overdue): (i64, i64) = tx.query(ACTIVE).bind(phone).bind(email).bind(self.now).one().await?;
        for room in tx.rows::<Capacity>(room)? {
            if room.overdue + overdue > 0 {
                return Err(Failure::Overdue);
            }
            capacity(room.vacant, room.pending)?;
        }
        active_reservations(active, self.allow_third)?;
        Ok(active_reservations(active, false).is_err())
    }

    /// The insurer must exist, and be one of those that the organization takes if it has chosen any.
    async fn check_insurer(&self, tx: &mut Tx) -> Result<(), Failure> {
        const TAKEN: &str = "SELECT i.id FROM insurance_companies i WHERE i.id = $1 AND i.deleted_at IS NULL AND (\
            EXISTS (SELECT 1 FROM organization_insurance_companies o \
                WHERE o.organization_id = $2 AND o.insurance_company_id = i.id) \
            OR NOT EXISTS (SELECT 1 FROM organization_insurance_companies o WHERE o.organization_id = $2))";
        let Some(insurer) = self.guest.insurance_company_id else { return Ok(()) };
        let found: Option<(uuid::Uuid,)> =
            tx.query(TAKEN).bind(insurer).bind(self.site.organization_id).optional().await?;
        found.map(drop).ok_or_else(|| Error::field("/insuranceCompanyId", "Please select insurance company.").into())
    }

    /// The sides of the insurance card, as the user who adds the guest has uploaded them. Nobody uploads on the public
    /// side, so none comes from there.
    const fn cards(&self) -> [(&'static str, Option<&String>); 2] {
        let (front, back) = match self.created_by {
            Some(_) => (self.guest.insurance_card_front.as_ref(), self.guest.insurance_card_back.as_ref()),
            None => (None, None),
        };
        [("/insuranceCardFront", front), ("/insuranceCardBack", back)]
    }

    async fn claim_cards(&self, tx: &mut Tx) -> Result<(), Failure> {
        let Some(owner) = self.created_by else { return Ok(()) };
        for (pointer, path) in self.cards() {
            files::claim_card(tx, owner, pointer, path.map(String::as_str), self.now).await?;
        }
        Ok(())
    }

    async fn insert(&self, app: &App, tx: &mut Tx) -> Result<Stored, Failure> {
        const INSERT: &str = "INSERT INTO guests (id, site_id, code, first_name, first_name_key, last_name, gender, \
            age_service_id, client_service_id, phone, email, email_key, location, source, payment_method, \
            medi_cal_choice, insurance_company_id, policy_number, group_number, created_at, created_by, expires_at, \
            insurance_card_front, insurance_card_back) \
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, \
            $22, $23, $24) ON CONFLICT (code) DO NOTHING RETURNING id";
        const SERVICE: &str = "INSERT INTO guest_services (guest_id, service_id) VALUES ($1, $2)";
        let guest = self.guest;
        let id = GuestId(app.id());
        let [(_, front), (_, back)] = self.cards();
        for _ in 0..DRAWS {
            let code = reservation_code(app.random());
            let inserted: Option<(GuestId,)> = tx
                .query(INSERT)
                .bind(id)
                .bind(self.site.id)
                .bind(code.as_str())
                .bind(&guest.first_name)
                .bind(name_key(guest.first_name.as_str()))
                .bind(&guest.last_initial)
                .bind(guest.gender)
                .bind(guest.age_group.service_id())
                .bind(guest.type_of_client.map(|service| service.id))
                .bind(&guest.phone)
                .bind(&guest.email)
                .bind(guest.email.key())
                .bind(guest.location.as_deref())
                .bind(self.source)
                .bind(guest.payment_method.map(berth_domain::catalog::PaymentMethod::id))
                .bind(guest.medi_cal_choice)
                .bind(guest.insurance_company_id)
                .bind(guest.policy_number.as_deref())
                .bind(guest.group_number.as_deref())
                .bind(self.now)
                .bind(self.created_by)
                .bind(self.expires_at)
                .bind(front)
                .bind(back)
                .optional()
                .await?;
            if inserted.is_some() {
                for service in &guest.services {
                    let _ = tx.query(SERVICE).bind(id).bind(service.id).ahead().await?;
                }
                return Ok(Stored { id, code });
            }
        }
        Err(Error::internal("no free reservation code was found").into())
    }
}

/// The name of a person's lock: hashed, since it outlives the guest.
fn person(kind: &str, value: &str) -> String {
    hex::encode(Sha256::digest(format!("{kind}:{value}")))
}
