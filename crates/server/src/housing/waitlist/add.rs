//! `POST /api/Sites/{id}/waitlist`: puts a person on the waitlist of a site.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use berth_db::Tx;
use berth_domain::bed::BedKind;
use berth_domain::id::{SiteId, WaitingGuestId};
use berth_domain::new_guest::{NewGuestForm, reservation_code};
use berth_domain::outage;
use berth_domain::policy::Action;
use berth_domain::time::Timestamp;
use berth_domain::waitlist::may_wait;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::cards::Cards;
use super::line::{Rules, free_beds, line};
use super::list::{self, WaitingGuestView};
use super::person::{self, Person, waits_already};
use super::store::entry;
use crate::admin::audit_log::{AuditAction, Author};
use crate::auth::caller::{Caller, Site};
use crate::change::{self, Answer, Change};
use crate::housing::guests::create::NewGuestBody;
use crate::housing::{capacity, sites};
use crate::http::body::{Body, Path};
use crate::{App, Error, Result};

/// A person to put on the waitlist.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NewWaitingGuest {
    /// The form of the new guest. The site is ignored. Images of the insurance card are those that the caller uploaded for this person.
    #[schema(value_type = NewGuestBody)]
    guest: NewGuestForm,
    /// The type of bed that the person needs. Null if each will do.
    #[serde(default)]
    bed_type: Option<BedKind>,
    /// Why the person goes before others, at most 200 characters. Empty or null: no priority.
    #[serde(default)]
    priority_reason: Option<String>,
}

/// Maximum number of codes that are drawn.
const MAX_CODE_DRAWS: usize = 20;

/// Puts a person on the waitlist. 409 `bed-available`: a bed is available, so the guest can be added. 409 `already-waiting`: the person
/// is on the list. 409 `third-reservation`: the person has two active reservations; an admin or owner can allow a third with `allowThird`.
/// 409 `not-waiting`: this request was carried out before, and the person no longer waits.
#[utoipa::path(post, path = "/api/Sites/{id}/waitlist", tag = "Waitlist", request_body = NewWaitingGuest,
    params(("id" = SiteId, Path, description = "the site"),
        ("Idempotency-Key" = Option<String>, Header, description = "a repeated request has one effect")),
    responses((status = 201, description = "the person", body = WaitingGuestView)))]
pub async fn add(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<SiteId>,
    headers: HeaderMap,
    Body(sent): Body<NewWaitingGuest>,
) -> Result<Response> {
    let site = caller.site(id, Action::AddGuest).await?;
    let person = Person::parse(&app, (&caller, &site), &sent.guest, sent.bed_type).await?;
    let reason = outage::reason(sent.priority_reason.as_deref().unwrap_or_default())
        .map_err(|message| Error::field("/priorityReason", message))?;
    let newcomer = Newcomer { person, reason };
    let persons = app.persons.key(&app).await?;
    let (caller, site, newcomer) = (&caller, &site, &newcomer);
    let asked = ("POST waitlist", id, &sent);
    change::once(&app, Author::caller(caller, Some(site)), &headers, &asked, |mut change| async move {
        change.touch(site).await?;
        newcomer.check_room(&mut change.tx, site, change.now).await?;
        newcomer.person.check_another(&mut change.tx, caller, persons, change.now).await?;
        let stored = newcomer.insert(&mut change, caller, site).await?;
        let people = list::load(&mut change.tx, caller, site, change.now).await?;
        let view = people.into_iter().find(|view| view.id() == stored).ok_or(Error::NotFound)?;
        change.done(Answer::new(StatusCode::CREATED, &view)?.of_waiting(stored))
    })
    .await
}

struct Newcomer {
    person: Person,
    /// Why the person goes before others.
    reason: Option<String>,
}

impl Newcomer {
    /// Checks that no available bed would do, and that the list has room.
    async fn check_room(&self, tx: &mut Tx, site: &Site, now: Timestamp) -> Result<()> {
        let room = capacity::for_newcomer(tx, site.id, now).await?;
        let mut beds = free_beds(tx, site.id, Timestamp::from_millis(i64::MAX)).await?;
        if site.strict_placement {
            let unfit = Rules::load(tx, site.id).await?.unfit(&self.person.guest.traits());
            beds.retain(|bed| !unfit.contains(&bed.id));
        }
        let waiting = i64::try_from(line(tx, site.id, now).await?.len()).unwrap_or(i64::MAX);
        may_wait(self.person.kind, &beds, room.vacant - room.pending, waiting).map_err(|refusal| match refusal {
            berth_domain::stay::Refusal::BedAvailable => Error::conflict_code("bed-available", refusal.sentence()),
            _ => sites::refused(refusal),
        })
    }

    async fn insert(&self, change: &mut Change, caller: &Caller, site: &Site) -> Result<WaitingGuestId> {
        const INSERT: &str = "INSERT INTO waiting_guests (id, site_id, code, form, person, bed_kind, priority_reason, \
            waits_since, created_by, insurance_card_front, insurance_card_back) \
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) \
            ON CONFLICT (code) DO NOTHING RETURNING id";
        let (form, key) = (person::to_json(&self.person.form(site.id))?, self.person.key());
        let (owner, cards) = (caller.actor.user_id, Cards::of(&self.person.guest));
        cards.claim(&mut change.tx, owner, &Cards::default(), change.now).await?;
        let id = WaitingGuestId(change.app.id());
        for _ in 0..MAX_CODE_DRAWS {
            let code = reservation_code(change.app.random());
            let insert = change.tx.query(INSERT).bind(id).bind(site.id).bind(code.as_str()).bind(form.as_str());
            let insert = insert.bind(key.as_str()).bind(self.person.kind).bind(self.reason.as_deref()).bind(change.now);
            let insert = insert.bind(owner).bind(cards.insurance_card_front.as_deref());
            let insert = insert.bind(cards.insurance_card_back.as_deref());
            let inserted: Option<(WaitingGuestId,)> = insert.optional().await.map_err(waits_already)?;
            if inserted.is_some() {
                self.record(change, site, id, &code).await?;
                return Ok(id);
            }
        }
        Err(Error::internal("no free code was found"))
    }

    async fn record(&self, change: &mut Change, site: &Site, id: WaitingGuestId, code: &str) -> Result<()> {
        let mut summary = format!("{code} waits for a bed");
        if let Some(kind) = self.person.kind {
            summary.push_str(&format!(" of type {kind}"));
        }
        if self.reason.is_some() {
            // The reason may tell of the person's health, and the log outlives the wait.
            summary.push_str(", with priority; a reason was given");
        }
        summary.push_str(&self.person.not_served());
        change.record(entry((site.organization_id, site.id), AuditAction::WaitlistAdded, id, summary)).await
    }
}
