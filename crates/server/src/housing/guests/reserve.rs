//! Stores a new guest, added by staff or on the public side: checks the capacity and the limit of two active
//! reservations for each person, and draws a code (DESIGN 3; I10). Runs after the site was touched.

use std::iter;

use berth_db::Tx;
use berth_domain::guest::Source;
use berth_domain::id::{GuestId, UserId};
use berth_domain::locale::Locale;
use berth_domain::message::GuestText;
use berth_domain::new_guest::{NewGuest, reservation_code};
use berth_domain::policy::Action;
use berth_domain::stay::{Overrides, active_reservations, capacity};
use berth_domain::time::Timestamp;
use berth_domain::value::name_key;

use super::failure::Failure;
use super::person::{Active, PersonKey, lock_active};
use super::texts;
use crate::admin::audit_log::{self, AuditAction, Author, Entry, ObjectKind};
use crate::auth::caller::{Caller, Site};
use crate::housing::capacity;
use crate::integrations::files;
use crate::jobs::holds;
use crate::{App, Error};

/// A guest to be stored.
pub struct Reservation<'a> {
    /// The site.
    pub site: &'a Site,
    /// The parsed form.
    pub guest: &'a NewGuest,
    /// Who adds the guest by hand; `None` on the public side.
    pub caller: Option<&'a Caller>,
    /// The author of the audit rows.
    pub by: &'a Author,
    /// Hashes the person for the lock.
    pub persons: PersonKey,
    /// End of the hold; `None` for guests added by hand.
    pub expires_at: Option<Timestamp>,
    /// The language of text messages to the guest.
    pub language: Locale,
    /// The limits that the caller overrides, with the right to do so.
    pub overrides: Overrides,
    /// The code under which the person waited, if the guest comes from the waitlist, to a bed that was offered there. The person may have
    /// written it down, so the reservation keeps it. The insurance card is the person's already.
    pub waiting_code: Option<&'a str>,
    /// The current time.
    pub now: Timestamp,
}

/// A stored guest.
pub struct Stored {
    /// The guest.
    pub id: GuestId,
    /// The code of the reservation.
    pub code: String,
}

/// Runs an attempt. If it fails with [`Failure::Overdue`], records the end of the holds that are over and tries again:
/// otherwise they would be valid again if the clock went back, although their beds had been given to others.
pub async fn retry_overdue<T, F>(app: &App, mut attempt: impl FnMut() -> F) -> Result<T, Failure>
where
    F: Future<Output = Result<T, Failure>>,
{
    match attempt().await {
        Err(Failure::Overdue) => {
            holds::end_overdue(app).await?;
            attempt().await
        }
        done => done,
    }
}

/// Maximum number of codes that are drawn. For each existing guest, one draw in 480 million is taken.
const MAX_CODE_DRAWS: usize = 20;

impl Reservation<'_> {
    /// Checks and stores the guest with the audit rows.
    ///
    /// # Errors
    /// [`Failure::Refused`] if there is no room or the person has two active reservations; 422 for an unknown insurance
    /// company.
    pub async fn store(&self, app: &App, tx: &mut Tx) -> Result<Stored, Failure> {
        let is_third = self.check_room_and_person(tx).await?;
        self.check_insurer(tx).await?;
        self.claim_cards(tx).await?;
        let stored = self.insert(app, tx).await?;
        texts::queue(tx, stored.id, GuestText::Received, self.now).await?;
        self.write_audit(app, tx, &stored, is_third).await?;
        Ok(stored)
    }

    async fn write_audit(&self, app: &App, tx: &mut Tx, stored: &Stored, is_third: bool) -> Result<(), Failure> {
        let code = &stored.code;
        let entry = |action, summary| Entry::at(self.site, action, (ObjectKind::Guest, stored.id.0), summary);
        let created = entry(AuditAction::GuestCreated, format!("{code} ({})", self.source()));
        audit_log::write(app, tx, self.by, &created).await?;
        if is_third {
            let summary = format!("{code} is the person's third active reservation");
            audit_log::write(app, tx, self.by, &entry(AuditAction::GuestThirdAllowed, summary)).await?;
        }
        if let Some(reason) = &self.guest.over_capacity_reason {
            let summary = format!("{code}: {reason}");
            audit_log::write(app, tx, self.by, &entry(AuditAction::GuestOverCapacity, summary)).await?;
        }
        if !self.guest.not_served.is_empty() {
            let summary = format!("{code}: {}", self.guest.not_served.names());
            audit_log::write(app, tx, self.by, &entry(AuditAction::GuestNotServedAllowed, summary)).await?;
        }
        Ok(())
    }

    const fn source(&self) -> Source {
        if self.caller.is_some() { Source::Admin } else { Source::Web }
    }

    fn created_by(&self) -> Option<UserId> {
        self.caller.map(|caller| caller.actor.user_id)
    }

    /// Checks the capacity of the site, locks the person, and checks the person's active reservations. Returns true if
    /// this is a third reservation that was allowed.
    async fn check_room_and_person(&self, tx: &mut Tx) -> Result<bool, Failure> {
        let room = if self.waiting_code.is_some() {
            capacity::capacity(tx, self.site.id, self.now).await?
        } else {
            capacity::for_newcomer(tx, self.site.id, self.now).await?
        };
        let email = self.caller.map(|_| self.guest.email.key());
        let phone = self.guest.phone.as_str();
        let active = lock_active(tx, self.persons, phone, email.as_deref(), self.now).await?;
        if room.overdue > 0 || active.iter().any(|other| other.is_overdue) {
            return Err(Failure::Overdue);
        }
        capacity(room.vacant, room.pending, self.overrides)?;
        let active = Active::counted(&active, |other| self.may_see(other));
        active_reservations(active, self.overrides)?;
        Ok(active_reservations(active, Overrides { third: false, ..self.overrides }).is_err())
    }

    /// Returns true if the caller may know about another reservation of the person. On the public side, nobody may.
    fn may_see(&self, other: &Active) -> bool {
        self.caller.is_some_and(|caller| caller.may(Action::ViewGuests, &other.target()))
    }

    /// Checks that the organization works with the insurance company.
    async fn check_insurer(&self, tx: &mut Tx) -> Result<(), Failure> {
        const TAKEN: &str = "SELECT i.id FROM insurance_companies i \
            JOIN organization_insurance_companies o ON o.insurance_company_id = i.id AND o.organization_id = $2 \
            WHERE i.id = $1 AND i.deleted_at IS NULL";
        let Some(insurer) = self.guest.insurance_company_id else { return Ok(()) };
        let found: Option<(uuid::Uuid,)> =
            tx.query(TAKEN).bind(insurer).bind(self.site.organization_id).optional().await?;
        found.map(drop).ok_or_else(|| Error::field("/insuranceCompanyId", "Please select insurance company.").into())
    }

    /// The sides of the insurance card, which the user who adds the guest or puts them on the waitlist has uploaded. From the
    /// public side they come after the confirmation (docs/decisions/0034).
    const fn cards(&self) -> [(&'static str, Option<&String>); 2] {
        let (front, back) = match self.caller {
            Some(_) => (self.guest.insurance_card_front.as_ref(), self.guest.insurance_card_back.as_ref()),
            None => (None, None),
        };
        [("/insuranceCardFront", front), ("/insuranceCardBack", back)]
    }

    async fn claim_cards(&self, tx: &mut Tx) -> Result<(), Failure> {
        let Some(owner) = self.created_by().filter(|_| self.waiting_code.is_none()) else { return Ok(()) };
        for (pointer, path) in self.cards() {
            files::claim_card(tx, owner, pointer, path.map(String::as_str), self.now).await?;
        }
        Ok(())
    }

    async fn insert(&self, app: &App, tx: &mut Tx) -> Result<Stored, Failure> {
        const INSERT: &str = "INSERT INTO guests (id, site_id, code, first_name, first_name_key, last_name, gender, \
            age_service_id, client_service_id, phone, email, email_key, location, source, payment_method, \
            medi_cal_choice, insurance_company_id, policy_number, group_number, created_at, created_by, expires_at, \
            insurance_card_front, insurance_card_back, language) \
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, \
            $22, $23, $24, $25) ON CONFLICT (code) DO NOTHING RETURNING id";
        const SERVICE: &str = "INSERT INTO guest_services (guest_id, service_id) VALUES ($1, $2)";
        let guest = self.guest;
        let id = GuestId(app.id());
        let [(_, front), (_, back)] = self.cards();
        let drawn = iter::repeat_with(|| reservation_code(app.random())).take(MAX_CODE_DRAWS);
        for code in self.waiting_code.map(str::to_owned).into_iter().chain(drawn) {
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
                .bind(self.source())
                .bind(guest.payment_method.map(berth_domain::catalog::PaymentMethod::id))
                .bind(guest.medi_cal_choice)
                .bind(guest.insurance_company_id)
                .bind(guest.policy_number.as_deref())
                .bind(guest.group_number.as_deref())
                .bind(self.now)
                .bind(self.created_by())
                .bind(self.expires_at)
                .bind(front)
                .bind(back)
                .bind(self.language)
                .optional()
                .await?;
            if inserted.is_some() {
                for service in &guest.services {
                    tx.query(SERVICE).bind(id).bind(service.id).execute().await?;
                }
                return Ok(Stored { id, code });
            }
        }
        Err(Error::internal("no free reservation code was found").into())
    }
}
