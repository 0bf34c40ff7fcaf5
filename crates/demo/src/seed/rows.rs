//! Rows about guests, and how they are inserted in bulk.

use berth_db::{Result, Tx};
use berth_domain::catalog::{AgeGroup, Gender, SitePaymentOption};
use berth_domain::guest::Source;
use berth_domain::id::{BedId, GuestId, InsuranceCompanyId, OrganizationId, SiteId, StayId, UserId};
use berth_domain::stay::EndReason;
use berth_domain::time::Timestamp;
use uuid::Uuid;

use super::people::{Seat, User};
use berth_server::admin::audit_log::{AuditAction, ObjectKind};

/// A guest in the final state.
#[derive(Debug, Clone)]
pub(super) struct GuestRow {
    pub(super) id: GuestId,
    pub(super) site_id: SiteId,
    pub(super) code: String,
    pub(super) first_name: &'static str,
    pub(super) last_name: &'static str,
    pub(super) gender: Gender,
    pub(super) age: AgeGroup,
    pub(super) client_service_id: Option<&'static str>,
    pub(super) phone: String,
    pub(super) email: String,
    pub(super) location: String,
    pub(super) source: Source,
    pub(super) payment_method: Option<i64>,
    pub(super) medi_cal_choice: Option<SitePaymentOption>,
    pub(super) insurance_company_id: Option<InsuranceCompanyId>,
    pub(super) policy_number: Option<String>,
    pub(super) group_number: Option<String>,
    pub(super) feedback: Option<&'static str>,
    pub(super) version: i64,
    pub(super) created_at: Timestamp,
    pub(super) created_by: Option<UserId>,
    pub(super) expires_at: Option<Timestamp>,
    pub(super) accepted_at: Option<Timestamp>,
    pub(super) reassigned_at: Option<Timestamp>,
    pub(super) rejected_at: Option<Timestamp>,
    pub(super) discharged_at: Option<Timestamp>,
    pub(super) expired_at: Option<Timestamp>,
    pub(super) reminded: i64,
}

/// A stay, open or ended.
#[derive(Debug, Clone)]
pub(super) struct StayRow {
    pub(super) id: StayId,
    pub(super) site_id: SiteId,
    pub(super) guest_id: GuestId,
    pub(super) bed_id: BedId,
    pub(super) started_at: Timestamp,
    pub(super) started_by: UserId,
    pub(super) ended: Option<(Timestamp, UserId, EndReason)>,
}

/// A row of the audit trail.
#[derive(Debug, Clone)]
pub(super) struct AuditRow {
    pub(super) id: Uuid,
    pub(super) at: Timestamp,
    pub(super) action: AuditAction,
    pub(super) by: Actor,
    pub(super) organization_id: OrganizationId,
    pub(super) site_id: SiteId,
    /// The kind and id of the object.
    pub(super) object: (ObjectKind, Uuid),
    pub(super) summary: String,
    pub(super) request: u64,
}

/// The author of a row.
#[derive(Debug, Clone, Copy)]
pub(super) enum Actor {
    /// A user with a role at the site.
    User(Seat),
    /// A requester from the public side.
    Stranger,
    /// The job that expires holds.
    Job,
}

/// Rows to insert, in the order in which they must be written.
#[derive(Debug, Default)]
pub(super) struct Batch {
    pub(super) guests: Vec<GuestRow>,
    pub(super) services: Vec<(GuestId, &'static str)>,
    pub(super) stays: Vec<StayRow>,
    pub(super) audit: Vec<AuditRow>,
}

const GUESTS: &str = "INSERT INTO guests (id, site_id, code, first_name, first_name_key, last_name, gender, \
    age_service_id, client_service_id, phone, email, email_key, location, source, payment_method, medi_cal_choice, \
    insurance_company_id, policy_number, group_number, feedback, version, created_at, created_by, expires_at, \
    accepted_at, reassigned_at, rejected_at, discharged_at, expired_at, reminded) VALUES ($1..)";

const SERVICES: &str = "INSERT INTO guest_services (guest_id, service_id) VALUES ($1..)";

const STAYS: &str = "INSERT INTO stays (id, site_id, guest_id, bed_id, started_at, started_by, ended_at, ended_by, \
    end_reason) VALUES ($1..)";

const AUDIT: &str = "INSERT INTO audit (id, at, action, actor_id, actor_email, actor_role, organization_id, site_id, \
    object_type, object_id, summary, address, request_id) VALUES ($1..)";

impl Batch {
    /// Writes all rows.
    pub(super) async fn write(&self, tx: &mut Tx, users: &[User]) -> Result<()> {
        tx.insert(GUESTS, &self.guests, |values, row| {
            values.bind(row.id).bind(row.site_id).bind(row.code.as_str());
            values.bind(row.first_name).bind(berth_domain::name_key(row.first_name)).bind(row.last_name);
            values.bind(row.gender).bind(row.age.service_id()).bind(row.client_service_id);
            // Already in lower case.
            values.bind(row.phone.as_str()).bind(row.email.as_str()).bind(row.email.as_str());
            values.bind(row.location.as_str()).bind(row.source).bind(row.payment_method).bind(row.medi_cal_choice);
            values.bind(row.insurance_company_id).bind(row.policy_number.as_deref()).bind(row.group_number.as_deref());
            values.bind(row.feedback).bind(row.version).bind(row.created_at).bind(row.created_by);
            values.bind(row.expires_at).bind(row.accepted_at).bind(row.reassigned_at).bind(row.rejected_at);
            values.bind(row.discharged_at).bind(row.expired_at).bind(row.reminded);
        })
        .await?;
        tx.insert(SERVICES, &self.services, |values, (guest_id, service_id)| {
            values.bind(*guest_id).bind(*service_id);
        })
        .await?;
        tx.insert(STAYS, &self.stays, |values, row| {
            values.bind(row.id).bind(row.site_id).bind(row.guest_id).bind(row.bed_id);
            values.bind(row.started_at).bind(row.started_by);
            values.bind(row.ended.map(|(at, ..)| at)).bind(row.ended.map(|(_, by, _)| by));
            values.bind(row.ended.map(|(.., reason)| reason));
        })
        .await?;
        tx.insert(AUDIT, &self.audit, |values, row| {
            let (user, role) = match row.by {
                Actor::User((index, role)) => (users.get(index), Some(role)),
                Actor::Stranger | Actor::Job => (None, None),
            };
            values.bind(row.id).bind(row.at).bind(row.action.as_str());
            values.bind(user.map(|user| user.id)).bind(user.map(|user| user.email.as_str())).bind(role);
            values.bind(row.organization_id).bind(row.site_id).bind(row.object.0.as_str()).bind(row.object.1);
            values.bind(row.summary.as_str());
            match row.by {
                Actor::Job => values.bind("job").bind(""),
                // An address from a range reserved for documentation.
                Actor::User(_) | Actor::Stranger => {
                    values.bind(format!("203.0.113.{}", row.request % 254 + 1)).bind(format!("{:016x}", row.request))
                }
            };
        })
        .await?;
        Ok(())
    }
}
