//! The JSON form of a guest: derived state, bed, days stayed, without the fields that the caller's role may not see
//! (DESIGN 3, 4; spec B 3).

use std::collections::HashMap;

use berth_db::Tx;
use berth_domain::bed::BedKind;
use berth_domain::catalog::{self, Gender, PaymentMethod, SERVICES, Service, SitePaymentOption};
use berth_domain::guest::{GuestFacts, GuestStatus, Source};
use berth_domain::id::{BedId, GuestId, RoomId, SiteId};
use berth_domain::new_guest::display_name;
use berth_domain::policy::Action;
use berth_domain::time::{Timestamp, days_stayed};
use serde::Serialize;
use utoipa::ToSchema;

use crate::admin::audit_log;
use crate::auth::caller::{Caller, Site};
use crate::housing::reference::PaymentOption;
use crate::housing::rooms::RoomShort;
use crate::http::cache::View;
use crate::{Error, Result};

/// A guest with the reservation.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Guest)]
pub struct GuestView {
    /// The guest.
    #[serde(serialize_with = "audit_log::guest")]
    pub id: GuestId,
    /// Short code that staff read out over the phone, such as K7M2QX.
    pub code: String,
    /// First name, at most 50 characters.
    pub first_name: String,
    /// Initial of the last name.
    pub last_name: String,
    /// First name, last initial, code.
    pub display_name: String,
    /// Male, Female or Other.
    pub gender: Gender,
    /// The age group, as the service of the catalog.
    pub age: Option<Service>,
    /// The type of client, as the service of the catalog. Commercial sites only.
    pub type_of_client: Option<Service>,
    /// Phone number. Absent for staff.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub phone: Option<String>,
    /// Email address. Absent for staff.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub email: Option<String>,
    /// City or address.
    pub location: Option<String>,
    /// Services that the guest needs, in the order of the catalog.
    pub services: Vec<Service>,
    /// The site.
    pub site_id: SiteId,
    /// The name of the site.
    pub site_name: String,
    /// The current state. Expired from the end of the hold, even if that is not recorded yet.
    pub status: GuestStatus,
    /// When the reservation was made.
    pub created_at: Timestamp,
    /// When the guest was accepted.
    pub accepted_at: Option<Timestamp>,
    /// When the reservation was declined, or cancelled by the guest.
    pub rejected_at: Option<Timestamp>,
    /// When the guest cancelled the reservation on the public side. `rejectedAt` is the same time then.
    pub cancelled_at: Option<Timestamp>,
    /// When the guest was last moved or swapped.
    pub reassigned_at: Option<Timestamp>,
    /// When the guest arrived. Null until then, and at sites that do not ask.
    pub arrived_at: Option<Timestamp>,
    /// True if the bed is reserved for the guest, who has not arrived yet. Only at sites that ask for arrivals.
    pub is_arriving: bool,
    /// When the guest was discharged, or was found not to have come.
    pub discharged_at: Option<Timestamp>,
    /// When the guest was found not to have come. `dischargedAt` is the same time then.
    pub no_show_at: Option<Timestamp>,
    /// End of the hold. Null ('N/A') for guests added by hand.
    pub expires_at: Option<Timestamp>,
    /// When the hold ran out without a decision.
    pub expired_at: Option<Timestamp>,
    /// When the reservation was merged into another one of the same person. If it was pending, `rejectedAt` is the same time.
    pub merged_at: Option<Timestamp>,
    /// `Admin` if staff added the guest, `Web` if the reservation came from the public side.
    pub source: Source,
    /// The bed that the guest holds now.
    pub assigned_bed_id: Option<BedId>,
    /// The house of the bed.
    pub room: Option<RoomShort>,
    /// The bed.
    pub bed: Option<GuestBed>,
    /// Why the guest was declined or discharged, as staff noted it.
    pub feedback: Option<String>,
    /// The reason that staff chose from the list of the organization, as it is named now.
    pub reason_name: Option<String>,
    /// How the guest pays. Non-commercial sites only.
    pub medi_cal_choice: Option<PaymentOption>,
    /// How the guest pays. Commercial sites only.
    pub organization_reservation_payment_method: Option<GuestPayment>,
    /// The insurance company, if the guest pays by insurance.
    pub insurance_company_name: Option<String>,
    /// Policy number. Absent for staff, and if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub policy_number: Option<String>,
    /// Group number. Absent for staff, and if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub group_number: Option<String>,
    /// Path of the picture of the front of the insurance card. Absent for staff, and if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub insurance_card_front: Option<String>,
    /// Path of the picture of the back of the insurance card. Absent for staff, and if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub insurance_card_back: Option<String>,
    /// Nights since the guest was accepted, in the site's time zone: at least 1, or 0 if not accepted.
    pub days_stayed: i64,
    /// The day on which the guest is expected to leave, in the site's time zone, such as 2026-12-01. Null if no day was given.
    pub expected_departure: Option<String>,
    /// Raised by every change of the guest. Also the ETag, for `If-Match`.
    pub version: i64,
}

/// A guest's bed.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GuestBed {
    /// The bed.
    pub id: BedId,
    /// Its name.
    pub name: String,
    /// Its type.
    #[serde(rename = "type")]
    pub kind: BedKind,
    /// Its position in the house.
    pub index: i64,
    /// Its photo.
    pub image_path: Option<String>,
}

/// How a guest of a commercial site pays.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GuestPayment {
    /// As shown to users.
    pub reservation_payment_method_name: &'static str,
    /// PrivatePay, Insurance or MediCal.
    pub reservation_payment_method_category: PaymentMethod,
}

/// The columns of a guest that decide the state.
#[derive(Debug, berth_db::FromRow)]
pub(super) struct FactsRow {
    id: GuestId,
    source: Source,
    version: i64,
    created_at: Timestamp,
    expires_at: Option<Timestamp>,
    accepted_at: Option<Timestamp>,
    reassigned_at: Option<Timestamp>,
    rejected_at: Option<Timestamp>,
    cancelled_at: Option<Timestamp>,
    arrived_at: Option<Timestamp>,
    discharged_at: Option<Timestamp>,
    no_show_at: Option<Timestamp>,
    expired_at: Option<Timestamp>,
    merged_at: Option<Timestamp>,
}

impl From<FactsRow> for GuestFacts {
    fn from(row: FactsRow) -> Self {
        Self {
            id: row.id,
            source: row.source,
            version: row.version,
            created_at: row.created_at,
            expires_at: row.expires_at,
            accepted_at: row.accepted_at,
            reassigned_at: row.reassigned_at,
            rejected_at: row.rejected_at,
            cancelled_at: row.cancelled_at,
            arrived_at: row.arrived_at,
            discharged_at: row.discharged_at,
            no_show_at: row.no_show_at,
            expired_at: row.expired_at,
            merged_at: row.merged_at,
        }
    }
}

/// A guest with bed, house and insurance company.
#[derive(Debug, berth_db::FromRow)]
pub(super) struct GuestRow {
    #[row(flatten)]
    facts: FactsRow,
    code: String,
    first_name: String,
    last_name: String,
    gender: String,
    age_service_id: String,
    client_service_id: Option<String>,
    phone: String,
    email: String,
    location: Option<String>,
    payment_method: Option<i64>,
    medi_cal_choice: Option<SitePaymentOption>,
    insurance_company_name: Option<String>,
    policy_number: Option<String>,
    group_number: Option<String>,
    insurance_card_front: Option<String>,
    insurance_card_back: Option<String>,
    feedback: Option<String>,
    reason_name: Option<String>,
    expected_departure: Option<String>,
    bed_id: Option<BedId>,
    bed_name: Option<String>,
    bed_kind: Option<BedKind>,
    bed_position: Option<i64>,
    bed_image_path: Option<String>,
    room_id: Option<RoomId>,
    room_name: Option<String>,
    room_image_path: Option<String>,
}

/// The columns of a [`GuestRow`].
macro_rules! guest_columns {
    () => {
        concat!(
            $crate::housing::guests::facts_columns!("g."),
            ", g.code, g.first_name, g.last_name, g.gender, \
             g.age_service_id, g.client_service_id, g.phone, g.email, g.location, g.payment_method, g.medi_cal_choice, \
             i.name AS insurance_company_name, g.policy_number, g.group_number, g.insurance_card_front, \
             g.insurance_card_back, g.feedback, q.name AS reason_name, g.expected_departure, b.id AS bed_id, b.name AS bed_name, b.kind AS bed_kind, \
             b.position AS bed_position, b.image_path AS bed_image_path, r.id AS room_id, r.name AS room_name, \
             r.image_path AS room_image_path"
        )
    };
}
pub(super) use guest_columns;

/// The tables of a [`GuestRow`].
macro_rules! guest_tables {
    () => {
        "guests g LEFT JOIN insurance_companies i ON i.id = g.insurance_company_id \
         LEFT JOIN reasons q ON q.id = g.reason_id LEFT JOIN stays s ON s.guest_id = g.id AND s.ended_at IS NULL \
         LEFT JOIN beds b ON b.id = s.bed_id LEFT JOIN rooms r ON r.id = b.room_id "
    };
}
pub(super) use guest_tables;

/// SQL query of [`GuestRow`]s; the arguments follow its joins.
macro_rules! select_guests {
    ($($rest:tt)*) => {
        concat!(
            "SELECT ",
            $crate::housing::guests::view::guest_columns!(),
            " FROM ",
            $crate::housing::guests::view::guest_tables!(),
            $($rest)*
        )
    };
}
pub(super) use select_guests;

#[derive(berth_db::FromRow)]
pub(super) struct ServiceRow {
    guest_id: GuestId,
    service_id: String,
}

/// Groups services by guest, in the order of the catalog.
pub(super) fn by_guest(rows: &[ServiceRow]) -> HashMap<GuestId, Vec<Service>> {
    let mut chosen: HashMap<GuestId, Vec<Service>> = HashMap::new();
    for row in rows {
        if let Some(service) = catalog::service(&row.service_id) {
            chosen.entry(row.guest_id).or_default().push(*service);
        }
    }
    chosen.values_mut().for_each(|services| sort_by_catalog(services));
    chosen
}

fn sort_by_catalog(services: &mut [Service]) {
    services.sort_by_key(|service| SERVICES.iter().position(|known| known.id == service.id));
}

/// A guest with one of the chosen services; there is a row for each of them.
#[derive(berth_db::FromRow)]
struct GuestWithService {
    #[row(flatten)]
    guest: GuestRow,
    service_id: Option<String>,
}

impl GuestRow {
    /// Returns the id of the guest.
    pub(super) const fn id(&self) -> GuestId {
        self.facts.id
    }
}

/// Returns the view of guests that the caller may have at `site`.
#[must_use]
pub fn view_of(caller: &Caller, site: &Site) -> View {
    if caller.may(Action::ViewGuestContact, &site.target()) { View::Full } else { View::Staff }
}

impl GuestView {
    /// Builds the guest as seen in `view` at `now`.
    pub(super) fn of(row: GuestRow, services: Vec<Service>, site: &Site, view: View, now: Timestamp) -> Self {
        let facts = GuestFacts::from(row.facts);
        let status = facts.status(now);
        let service = |id: Option<&String>| id.and_then(|id| catalog::service(id)).copied();
        let contact = |value: Option<String>| value.filter(|_| view == View::Full);
        let payment = row.payment_method.and_then(PaymentMethod::from_id);
        let bed = row.bed_id.zip(row.bed_name).map(|(id, name)| GuestBed {
            id,
            name,
            kind: row.bed_kind.unwrap_or_default(),
            index: row.bed_position.unwrap_or_default(),
            image_path: row.bed_image_path,
        });
        let room = row.room_id.zip(row.room_name);
        Self {
            id: facts.id,
            display_name: display_name(&row.first_name, &row.last_name, &row.code),
            code: row.code,
            first_name: row.first_name,
            last_name: row.last_name,
            gender: Gender::from_text(&row.gender).unwrap_or(Gender::Other),
            age: service(Some(&row.age_service_id)),
            type_of_client: service(row.client_service_id.as_ref()),
            phone: contact(Some(row.phone)),
            email: contact(Some(row.email)),
            location: row.location,
            services,
            site_id: site.id,
            site_name: site.name.clone(),
            status,
            created_at: facts.created_at,
            accepted_at: facts.accepted_at,
            rejected_at: facts.rejected_at,
            cancelled_at: facts.cancelled_at,
            reassigned_at: facts.reassigned_at,
            arrived_at: facts.arrived_at,
            is_arriving: facts.is_arriving(site.asks_arrival, now),
            discharged_at: facts.discharged_at,
            no_show_at: facts.no_show_at,
            expires_at: facts.expires_at,
            // The end of the hold counts, not the time at which the job records it (DESIGN 3).
            expired_at: facts.expired_at.or(facts.expires_at.filter(|_| status == GuestStatus::Expired)),
            merged_at: facts.merged_at,
            source: facts.source,
            assigned_bed_id: bed.as_ref().map(|bed| bed.id),
            room: room.map(|(id, name)| RoomShort { id, name, image_path: row.room_image_path }),
            bed,
            feedback: row.feedback,
            reason_name: row.reason_name,
            medi_cal_choice: row.medi_cal_choice.map(PaymentOption::from),
            organization_reservation_payment_method: payment.map(|method| GuestPayment {
                reservation_payment_method_name: method.name(),
                reservation_payment_method_category: method,
            }),
            insurance_company_name: row.insurance_company_name,
            policy_number: contact(row.policy_number),
            group_number: contact(row.group_number),
            insurance_card_front: contact(row.insurance_card_front),
            insurance_card_back: contact(row.insurance_card_back),
            days_stayed: facts
                .accepted_at
                .map_or(0, |accepted| days_stayed(accepted, facts.discharged_at.unwrap_or(now), &site.time_zone)),
            expected_departure: row.expected_departure,
            version: facts.version,
        }
    }

    /// Loads a guest of `site`.
    ///
    /// # Errors
    /// 404 if there is no such guest.
    pub async fn load(tx: &mut Tx, site: &Site, id: GuestId, view: View, now: Timestamp) -> Result<Self> {
        const GUEST: &str = concat!(
            "SELECT v.service_id, ",
            guest_columns!(),
            " FROM ",
            guest_tables!(),
            "LEFT JOIN guest_services v ON v.guest_id = g.id WHERE g.id = $1 AND g.site_id = $2"
        );
        let rows: Vec<GuestWithService> = tx.query(GUEST).bind(id).bind(site.id).all().await?;
        let chosen = rows.iter().filter_map(|row| catalog::service(row.service_id.as_deref()?)).copied();
        let mut services: Vec<Service> = chosen.collect();
        sort_by_catalog(&mut services);
        let row = rows.into_iter().next().ok_or(Error::NotFound)?.guest;
        Ok(Self::of(row, services, site, view, now))
    }
}
