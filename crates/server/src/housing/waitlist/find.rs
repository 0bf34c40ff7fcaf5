//! The people on waitlists whom a search finds: by first name, code, or digits of the phone number (docs/decisions/0064, 0066).

use std::collections::BTreeSet;

use berth_db::Tx;
use berth_domain::id::{OrganizationId, SiteId, WaitingGuestId};
use berth_domain::limits::MAX_FOUND;
use berth_domain::new_guest::{NewGuestForm, display_name};
use berth_domain::policy::{Action, Target};
use berth_domain::value::{Phone, fold};
use serde::Serialize;
use utoipa::ToSchema;

use crate::auth::caller::Caller;
use crate::housing::search::{Rank, Scope, Text};
use crate::{Error, Result};

/// Maximum number of people that one search looks through, the longest waiting first. Their names are part of a form, which no index
/// reads; waitlists of all sites together are far shorter.
const MAX_READ: i64 = 1000;

/// A person on a waitlist in the results of a search.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FoundWaitingGuest {
    /// The person.
    id: WaitingGuestId,
    /// First name, last initial, code.
    display_name: String,
    /// The code of the place in the line.
    code: String,
    /// True if a bed is offered to the person now.
    has_offer: bool,
    /// The site.
    site_id: SiteId,
    /// Its name.
    site_name: String,
    /// Its organization.
    pub organization_id: OrganizationId,
    /// True if the organization is commercial.
    is_commercial: bool,
    /// Phone number. Absent for staff.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    phone: Option<String>,
}

#[derive(berth_db::FromRow)]
struct Row {
    id: WaitingGuestId,
    code: String,
    form: String,
    has_offer: bool,
    site_id: SiteId,
    site_name: String,
    organization_id: OrganizationId,
    is_commercial: bool,
}

/// SQL query: the people who wait. $1 is the maximum number; the sites of the condition begin at $2.
macro_rules! waiting {
    ($which:literal) => {
        concat!(
            "SELECT w.id, w.code, w.form, EXISTS (SELECT 1 FROM bed_offers f WHERE f.waiting_guest_id = w.id \
             AND f.ended_at IS NULL) AS has_offer, w.site_id, s.name AS site_name, s.organization_id, o.is_commercial \
             FROM waiting_guests w JOIN sites s ON s.id = w.site_id AND s.deleted_at IS NULL \
             JOIN organizations o ON o.id = s.organization_id AND o.deleted_at IS NULL WHERE w.ended_at IS NULL",
            $which,
            " ORDER BY w.waits_since, w.id LIMIT $1"
        )
    };
}

/// Finds people on waitlists, the best match first: exactly this code, then those who have waited longest.
pub async fn find(tx: &mut Tx, caller: &Caller, scope: &Scope, text: &Text) -> Result<Vec<FoundWaitingGuest>> {
    const ALL: &str = waiting!("");
    const AT: &str = waiting!(" AND w.site_id IN ($2..)");
    let rows: Vec<Row> = match scope.sites_with(caller, Action::ViewGuests) {
        None => tx.query(ALL).bind(MAX_READ).all().await?,
        Some(sites) if sites.is_empty() => return Ok(Vec::new()),
        Some(sites) => tx.query(AT).bind(MAX_READ).bind_list(sites.iter().copied()).all().await?,
    };
    let exact: BTreeSet<String> = text.whole_codes().into_iter().chain(text.code()).collect();
    let digits = text.phone();
    let mut found = Vec::new();
    for row in rows {
        let target =
            Target::Site { id: row.site_id, organization_id: row.organization_id, is_commercial: row.is_commercial };
        let sees_contact = caller.may(Action::ViewGuestContact, &target);
        let form: NewGuestForm = serde_json::from_str(&row.form).map_err(|error| Error::Internal(error.into()))?;
        let phone = form.phone.as_deref().and_then(|phone| Phone::parse(phone).ok()).filter(|_| sees_contact);
        let (first, initial) = (form.first_name.unwrap_or_default(), form.last_name.unwrap_or_default());
        let by_code = exact.contains(&row.code) || text.code().is_some_and(|code| row.code.starts_with(&code));
        let by_phone =
            digits.as_ref().zip(phone.as_ref()).is_some_and(|(digits, phone)| phone.as_str().contains(digits));
        let rank = named(text, &first, &initial);
        if !by_code && !by_phone && rank.is_none() {
            continue;
        }
        let view = FoundWaitingGuest {
            id: row.id,
            display_name: display_name(&first, &initial, &row.code),
            has_offer: row.has_offer,
            site_id: row.site_id,
            site_name: row.site_name,
            organization_id: row.organization_id,
            is_commercial: row.is_commercial,
            phone: phone.map(|phone| phone.as_str().to_owned()),
            code: row.code,
        };
        found.push((!exact.contains(&view.code), rank.unwrap_or(Rank::Beginning), view));
    }
    found.sort_by_key(|(other_code, rank, _)| (*other_code, *rank));
    found.truncate(MAX_FOUND);
    Ok(found.into_iter().map(|(.., view)| view).collect())
}

/// Returns how well a name matches: as a whole, or with the initial as in "maria g".
fn named(text: &Text, first: &str, initial: &str) -> Option<Rank> {
    let key = fold(first);
    let with_initial = text
        .name_and_initial()
        .filter(|(name, typed)| key.starts_with(name) && fold(initial).to_uppercase() == *typed)
        .map(|_| Rank::Beginning);
    text.rank(&key).or(with_initial)
}
