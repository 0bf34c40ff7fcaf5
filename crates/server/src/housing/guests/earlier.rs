//! "Was here before": the other reservations of the same person at the same organization, by phone or email
//! (docs/decisions/0061).

use std::collections::BTreeSet;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use berth_db::Tx;
use berth_domain::guest::{GuestFacts, GuestStatus};
use berth_domain::id::{GuestId, SiteId};
use berth_domain::name_key;
use berth_domain::policy::{Action, Target};
use berth_domain::time::{Timestamp, days_stayed};
use berth_domain::value::Phone;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::facts_columns;
use super::view::FactsRow;
use crate::admin::audit_log::{self, AuditAction, GuestSet, Look, Shown};
use crate::auth::caller::{Caller, Site, select_site};
use crate::auth::throttle::EARLIER_USER;
use crate::http::body::{Body, Path};
use crate::{App, Result};

/// Maximum number of earlier reservations in an answer.
const MAX_EARLIER: i64 = 20;

/// A person who may have been here before.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EarlierQuestion {
    /// The site where the person asks for a bed.
    site_id: SiteId,
    /// The phone, in any form. A number that is not complete finds nothing.
    #[serde(default)]
    phone: Option<String>,
    /// The email address.
    #[serde(default)]
    email: Option<String>,
}

/// Another reservation of the same person.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EarlierReservation {
    /// The guest.
    #[serde(serialize_with = "audit_log::guest")]
    id: GuestId,
    /// The code of the reservation.
    code: String,
    /// First name, last initial, code.
    display_name: String,
    /// The site.
    site_id: SiteId,
    /// The name of the site.
    site_name: String,
    /// The current state.
    status: GuestStatus,
    /// When the reservation was made.
    created_at: Timestamp,
    /// When the guest was accepted.
    accepted_at: Option<Timestamp>,
    /// When the guest was discharged.
    discharged_at: Option<Timestamp>,
    /// When the guest was found not to have come. `dischargedAt` is the same time then.
    no_show_at: Option<Timestamp>,
    /// When the reservation was declined, or cancelled by the guest.
    rejected_at: Option<Timestamp>,
    /// Nights of the stay, or 0 without one.
    days_stayed: i64,
    /// Why the guest was declined or discharged, as staff noted it.
    feedback: Option<String>,
    /// The reason that staff chose from the list of the organization, as it is named now.
    reason_name: Option<String>,
    /// The version of the reservation.
    version: i64,
    /// When the reservation was merged into another one of the same person.
    merged_at: Option<Timestamp>,
    /// How it was merged with the guest who was asked for. Null if it was not.
    merged: Option<MergedAs>,
}

/// How a reservation was merged with the guest who was asked for.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum MergedAs {
    /// It was kept, and the guest who was asked for was merged into it.
    Kept,
    /// It was merged into the guest who was asked for.
    Duplicate,
}

/// The other reservations of a person, newest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct EarlierReservations {
    /// At most 20.
    items: Vec<EarlierReservation>,
}

/// Finds the reservations of a person at the sites of the organization that the caller may see, before the person is added. Those are
/// recorded in the audit log as shown.
#[utoipa::path(post, path = "/api/Guests/earlier", tag = "Guests", request_body = EarlierQuestion,
    responses((status = 200, description = "newest first", body = EarlierReservations)))]
pub async fn of_person(
    State(app): State<App>,
    caller: Caller,
    Body(question): Body<EarlierQuestion>,
) -> Result<Response> {
    let site = caller.site(question.site_id, Action::AddGuest).await?;
    let phone = Phone::parse(question.phone.as_deref().unwrap_or_default()).ok();
    let person = Person {
        phone: phone.map(|phone| phone.to_string()),
        email_key: question.email.as_deref().map(name_key).filter(|key| !key.is_empty()),
        but: None,
    };
    answer(&app, &caller, &site, &person).await
}

/// Finds the other reservations of a guest at the sites of the organization that the caller may see.
#[utoipa::path(get, path = "/api/Guests/{id}/earlier", tag = "Guests", params(("id" = GuestId, Path)),
    responses((status = 200, description = "newest first", body = EarlierReservations)))]
pub async fn of_guest(State(app): State<App>, caller: Caller, Path(id): Path<GuestId>) -> Result<Response> {
    const PERSON: &str = "SELECT phone, email_key FROM guests WHERE id = $1";
    let site = caller.guest(id, Action::ViewGuests).await?;
    let (phone, email_key): (String, String) = app.db.query(PERSON).bind(id).one().await?;
    let filled = |text: String| Some(text).filter(|text| !text.is_empty());
    let person = Person { phone: filled(phone), email_key: filled(email_key), but: Some(id) };
    answer(&app, &caller, &site, &person).await
}

/// The person whose reservations are looked for.
struct Person {
    phone: Option<String>,
    email_key: Option<String>,
    /// The reservation that is known already.
    but: Option<GuestId>,
}

async fn answer(app: &App, caller: &Caller, site: &Site, person: &Person) -> Result<Response> {
    const SITES: &str = select_site!("WHERE s.id IN ($1..)");
    app.read_limits.attempt(format!("earlier:{}", caller.actor.user_id), EARLIER_USER, app.now())?;
    let mut tx = app.db.read().await?;
    let rows = find(&mut tx, caller, site, person).await?;
    // The site that asks is on record also if nobody was found.
    let ids: BTreeSet<SiteId> = rows.iter().map(|row| row.site_id).chain([site.id]).collect();
    let sites: Vec<Site> = tx.query(SITES).bind_list(ids).all().await?;
    drop(tx);
    let mut looks = Vec::new();
    for site in &sites {
        let guests = rows.iter().filter(|row| row.site_id == site.id).map(|row| row.guest_id).collect();
        let look = Look::at(caller, site, AuditAction::GuestsListed);
        looks.push((look.asking("earlier reservations of a person".to_owned()), GuestSet::of(guests)));
    }
    let now = app.now();
    let items = rows.into_iter().map(|row| row.view(now)).collect();
    let bytes = Shown::of(&EarlierReservations { items })?.noted_each(app, looks).await?;
    Ok(audit_log::json(StatusCode::OK, bytes))
}

#[derive(berth_db::FromRow)]
struct Row {
    guest_id: GuestId,
    site_id: SiteId,
    site_name: String,
    time_zone: String,
    code: String,
    first_name: String,
    last_name: String,
    feedback: Option<String>,
    reason_name: Option<String>,
    is_kept: bool,
    is_duplicate: bool,
    #[row(flatten)]
    facts: FactsRow,
}

impl Row {
    fn view(self, now: Timestamp) -> EarlierReservation {
        let facts = GuestFacts::from(self.facts);
        let until = facts.discharged_at.unwrap_or(now);
        EarlierReservation {
            id: facts.id,
            display_name: berth_domain::new_guest::display_name(&self.first_name, &self.last_name, &self.code),
            code: self.code,
            site_id: self.site_id,
            site_name: self.site_name,
            status: facts.status(now),
            created_at: facts.created_at,
            accepted_at: facts.accepted_at,
            discharged_at: facts.discharged_at,
            no_show_at: facts.no_show_at,
            rejected_at: facts.rejected_at,
            days_stayed: facts.accepted_at.map_or(0, |accepted| days_stayed(accepted, until, &self.time_zone)),
            feedback: self.feedback,
            reason_name: self.reason_name,
            version: facts.version,
            merged_at: facts.merged_at,
            merged: match (self.is_kept, self.is_duplicate) {
                (true, _) => Some(MergedAs::Kept),
                (false, true) => Some(MergedAs::Duplicate),
                (false, false) => None,
            },
        }
    }
}

/// Finds the person's reservations at the sites that [`comparable_sites`] returns. Only reservations there say who the person is, also of
/// those that were merged: otherwise a merge would confirm the phone and email of a reservation that the caller may not see.
async fn find(tx: &mut Tx, caller: &Caller, site: &Site, person: &Person) -> Result<Vec<Row>> {
    // The reservations with the phone or the email, those that were merged with them, and the ones that these were merged into.
    const EARLIER: &str = concat!(
        "WITH seen AS (SELECT id FROM sites WHERE id IN ($5..)), \
         known AS (SELECT g.id FROM guests g CROSS JOIN seen WHERE g.phone = $1 AND seen.id = g.site_id \
            UNION SELECT g.id FROM guests g CROSS JOIN seen WHERE g.email_key = $2 AND seen.id = g.site_id), \
         kept AS (SELECT id FROM known UNION SELECT g.id FROM known CROSS JOIN guest_merges m CROSS JOIN guests g CROSS JOIN seen \
            WHERE m.duplicate_id = known.id AND m.undone_at IS NULL AND g.id = m.kept_id AND seen.id = g.site_id), \
         person AS (SELECT id FROM kept UNION SELECT m.duplicate_id AS id FROM kept CROSS JOIN guest_merges m \
            WHERE m.kept_id = kept.id AND m.undone_at IS NULL) \
         SELECT g.id AS guest_id, g.site_id, s.name AS site_name, s.time_zone, g.code, g.first_name, \
         g.last_name, g.feedback, q.name AS reason_name, \
         EXISTS (SELECT 1 FROM guest_merges m WHERE m.duplicate_id = $3 AND m.kept_id = g.id AND m.undone_at IS NULL) AS is_kept, \
         EXISTS (SELECT 1 FROM guest_merges m WHERE m.duplicate_id = g.id AND m.kept_id = $3 AND m.undone_at IS NULL) \
         AS is_duplicate, ",
        facts_columns!("g."),
        " FROM person JOIN guests g ON g.id = person.id LEFT JOIN reasons q ON q.id = g.reason_id JOIN seen ON seen.id = g.site_id \
         JOIN sites s ON s.id = g.site_id WHERE $3 IS NULL OR g.id <> $3 ORDER BY g.created_at DESC, g.id DESC LIMIT $4"
    );
    let sites = comparable_sites(tx, caller, site).await?;
    let query = tx.query(EARLIER).bind(person.phone.as_deref()).bind(person.email_key.as_deref()).bind(person.but);
    Ok(query.bind(MAX_EARLIER).bind_list(sites).all().await?)
}

/// Returns the sites of the organization of `site` whose reservations may be compared with those of `site`: the caller may see them, and
/// reads contacts there if that is so at `site`, and does not if it is not. Otherwise the caller would learn something about a contact that
/// the caller may not read.
async fn comparable_sites(tx: &mut Tx, caller: &Caller, site: &Site) -> Result<Vec<SiteId>> {
    const SITES: &str = "SELECT id FROM sites WHERE organization_id = $1 AND deleted_at IS NULL";
    let mut sites: Vec<(SiteId,)> = tx.query(SITES).bind(site.organization_id).all().await?;
    let sees_contact = |target: &Target| caller.may(Action::ViewGuestContact, target);
    let sees_here = sees_contact(&site.target());
    sites.retain(|(id,)| {
        let (organization_id, is_commercial) = (site.organization_id, site.is_commercial);
        let target = Target::Site { id: *id, organization_id, is_commercial };
        caller.may(Action::ViewGuests, &target) && sees_contact(&target) == sees_here
    });
    Ok(sites.into_iter().map(|(id,)| id).collect())
}
