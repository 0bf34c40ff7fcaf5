//! `GET /api/Sites/{id}/waitlist`: the people who wait for a bed at a site.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use berth_db::Tx;
use berth_domain::bed::BedKind;
use berth_domain::catalog::{AgeGroup, Gender, SERVICES, Service, service};
use berth_domain::id::{BedId, RoomId, SiteId, WaitingGuestId};
use berth_domain::new_guest::NewGuestForm;
use berth_domain::policy::Action;
use berth_domain::time::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use super::line::line;
use crate::admin::audit_log::{self, AuditAction, Look, Shown};
use crate::auth::caller::{Caller, Site};
use crate::http::body::Path;
use crate::{App, Error, Result};

/// The waitlist of a site.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Waitlist {
    /// The people who wait. The first is asked first, if the bed fits.
    items: Vec<WaitingGuestView>,
    /// How long an offer stands, in minutes.
    offer_minutes: i64,
}

/// A person who waits for a bed at a site.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = WaitingGuest)]
pub struct WaitingGuestView {
    /// The person.
    id: WaitingGuestId,
    /// Short code that the person reads out over the phone, and that names the person in the audit log. The reservation keeps it, unless
    /// another one has it.
    code: String,
    /// First name.
    first_name: String,
    /// Initial of the last name.
    last_name: String,
    /// Male, Female or Other.
    gender: Gender,
    /// The age group, as the service of the catalog.
    age: Option<Service>,
    /// Services that the person needs, in the order of the catalog.
    services: Vec<Service>,
    /// The type of bed that the person needs. Null if each will do.
    bed_type: Option<BedKind>,
    /// True if the person goes before those without priority.
    has_priority: bool,
    /// Why the person has priority. Absent for staff.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    priority_reason: Option<String>,
    /// When the person was put on the list.
    waits_since: Timestamp,
    /// How many offers the person let pass in the last 24 hours. Those who let fewer pass are asked before.
    passed_offers: i64,
    /// The bed that is offered to the person now.
    offer: Option<BedOffer>,
    /// Phone number. Absent for staff.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    phone: Option<String>,
    /// Email address. Absent for staff.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    email: Option<String>,
    /// Raised by every change. Send it with the next change.
    version: i64,
}

/// An offer of a bed.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BedOffer {
    /// The bed.
    bed_id: BedId,
    /// Its name.
    bed_name: String,
    /// Its type.
    bed_type: BedKind,
    /// Its house.
    room_id: RoomId,
    /// The name of the house.
    room_name: String,
    /// When it was offered.
    offered_at: Timestamp,
    /// Until when the offer stands. After that the next person is asked.
    expires_at: Timestamp,
}

impl WaitingGuestView {
    pub(super) const fn id(&self) -> WaitingGuestId {
        self.id
    }
}

#[derive(berth_db::FromRow)]
struct Row {
    id: WaitingGuestId,
    code: String,
    form: String,
    priority_reason: Option<String>,
    version: i64,
    bed_id: Option<BedId>,
    bed_name: Option<String>,
    offered_kind: Option<BedKind>,
    room_id: Option<RoomId>,
    room_name: Option<String>,
    offered_at: Option<Timestamp>,
    expires_at: Option<Timestamp>,
}

impl Row {
    fn offer(&self) -> Option<BedOffer> {
        Some(BedOffer {
            bed_id: self.bed_id?,
            bed_name: self.bed_name.clone()?,
            bed_type: self.offered_kind?,
            room_id: self.room_id?,
            room_name: self.room_name.clone()?,
            offered_at: self.offered_at?,
            expires_at: self.expires_at?,
        })
    }
}

/// Lists the people who wait for a bed at a site, in the order in which they are asked. Contact is absent for staff.
#[utoipa::path(get, path = "/api/Sites/{id}/waitlist", tag = "Waitlist",
    params(("id" = SiteId, Path, description = "the site")), responses((status = 200, body = Waitlist)))]
pub async fn list(State(app): State<App>, caller: Caller, Path(id): Path<SiteId>) -> Result<Response> {
    const PERIOD: &str = "SELECT offer_minutes, version FROM sites WHERE id = $1";
    let site = caller.site(id, Action::ViewGuests).await?;
    let mut tx = app.db.read().await?;
    let (offer_minutes, version): (i64, i64) = tx.query(PERIOD).bind(id).one().await?;
    let items = load(&mut tx, &caller, &site, app.now()).await?;
    drop(tx);
    let look = Look::at(&caller, &site, AuditAction::WaitlistViewed).of_version(version);
    let bytes = Shown::of(&Waitlist { items, offer_minutes })?.noted(&app, look).await?;
    Ok(audit_log::json(StatusCode::OK, bytes))
}

/// Loads the people who wait at a site, with the fields that the caller may see.
pub(super) async fn load(tx: &mut Tx, caller: &Caller, site: &Site, now: Timestamp) -> Result<Vec<WaitingGuestView>> {
    const PEOPLE: &str = "SELECT w.id, w.code, w.form, w.priority_reason, w.version, f.bed_id, b.name AS bed_name, \
        b.kind AS offered_kind, r.id AS room_id, r.name AS room_name, f.offered_at, f.expires_at FROM waiting_guests w \
        LEFT JOIN bed_offers f ON f.waiting_guest_id = w.id AND f.ended_at IS NULL \
        LEFT JOIN beds b ON b.id = f.bed_id LEFT JOIN rooms r ON r.id = b.room_id \
        WHERE w.site_id = $1 AND w.ended_at IS NULL";
    let sees_contact = caller.may(Action::ViewGuestContact, &site.target());
    let rows: Vec<Row> = tx.query(PEOPLE).bind(site.id).all().await?;
    let mut people = Vec::with_capacity(rows.len());
    for place in line(tx, site.id, now).await? {
        let Some(row) = rows.iter().find(|row| row.id == place.id) else { continue };
        let form: NewGuestForm = serde_json::from_str(&row.form).map_err(|error| Error::Internal(error.into()))?;
        let chosen = form.service_ids.clone().unwrap_or_default();
        let age = form.age_service_id.as_deref().and_then(AgeGroup::from_service_id);
        let contact = |value: Option<String>| value.filter(|_| sees_contact);
        people.push(WaitingGuestView {
            id: row.id,
            code: row.code.clone(),
            gender: form.gender.unwrap_or(Gender::Other),
            age: age.and_then(|age| service(age.service_id())).copied(),
            services: SERVICES.iter().filter(|known| chosen.iter().any(|id| id == known.id)).copied().collect(),
            bed_type: place.kind,
            has_priority: place.has_priority,
            priority_reason: contact(row.priority_reason.clone()),
            waits_since: place.since,
            passed_offers: i64::try_from(place.passed.len()).unwrap_or(i64::MAX),
            offer: row.offer(),
            phone: contact(form.phone),
            email: contact(form.email),
            first_name: form.first_name.unwrap_or_default(),
            last_name: form.last_name.unwrap_or_default(),
            version: row.version,
        });
    }
    Ok(people)
}
