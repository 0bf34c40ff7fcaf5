//! The guests that a search finds: by first name, code, or digits of the phone number.
//!
//! Current guests are searched first; there are about as many as beds. Past guests of a caller's sites are searched in an index of these
//! sites, and those of the whole platform by ranges of two indexes, so that no search reads all guests (docs/decisions/0064).

use std::collections::{BTreeMap, BTreeSet, HashMap};

use berth_db::{Query, Tx};
use berth_domain::guest::{GuestFacts, GuestStatus};
use berth_domain::id::{GuestId, OrganizationId, SiteId};
use berth_domain::limits::MAX_FOUND;
use berth_domain::new_guest::display_name;
use berth_domain::policy::{Action, Target};
use berth_domain::time::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use super::state::{facts_columns, is_open};
use super::view::FactsRow;
use crate::Result;
use crate::admin::audit_log::{self, GuestSet};
use crate::auth::caller::Caller;
use crate::housing::search::{Scope, Text, phone_patterns, range};
use crate::http::search::begins;

/// Maximum number of guests that one statement finds. More than are shown, since past guests are found together with current ones.
const LIMIT: i64 = 2 * MAX_FOUND as i64;
/// Maximum number of guests of the platform whose codes begin alike: those of other sites are left out afterwards.
const MAX_CODES: i64 = 300;

/// A guest in the results of a search.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FoundGuest {
    /// The guest.
    #[serde(serialize_with = "audit_log::guest")]
    id: GuestId,
    /// First name, last initial, code.
    display_name: String,
    /// Short code that staff read out over the phone.
    code: String,
    /// The current state.
    status: GuestStatus,
    /// When the guest cancelled the reservation on the public side.
    cancelled_at: Option<Timestamp>,
    /// True if the bed is reserved for the guest, who has not arrived yet.
    is_arriving: bool,
    /// When the guest was found not to have come.
    no_show_at: Option<Timestamp>,
    /// The site.
    site_id: SiteId,
    /// Its name.
    site_name: String,
    /// Its organization.
    organization_id: OrganizationId,
    /// True if the organization is commercial.
    is_commercial: bool,
    /// The bed that the guest holds now.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    bed_name: Option<String>,
    /// The house of the bed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    room_name: Option<String>,
    /// Phone number. Absent for staff.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    phone: Option<String>,
}

#[derive(berth_db::FromRow)]
struct Row {
    #[row(flatten)]
    facts: FactsRow,
    code: String,
    first_name: String,
    last_name: String,
    phone: String,
    site_id: SiteId,
    site_name: String,
    organization_id: OrganizationId,
    is_commercial: bool,
    asks_arrival: bool,
    bed_name: Option<String>,
    room_name: Option<String>,
}

/// Finds guests, the best match first: exactly this code, then current guests, then past ones. Also returns them by organization, for the
/// audit log.
pub async fn find(
    tx: &mut Tx,
    caller: &Caller,
    scope: &Scope,
    text: &Text,
    now: Timestamp,
) -> Result<(Vec<FoundGuest>, Vec<(OrganizationId, GuestSet)>)> {
    const GUESTS: &str = concat!(
        "SELECT ",
        facts_columns!("g."),
        ", g.code, g.first_name, g.last_name, g.phone, g.site_id, s.name AS site_name, s.organization_id, o.is_commercial, s.asks_arrival, \
         b.name AS bed_name, r.name AS room_name FROM guests g JOIN sites s ON s.id = g.site_id AND s.deleted_at IS NULL \
         JOIN organizations o ON o.id = s.organization_id AND o.deleted_at IS NULL \
         LEFT JOIN stays t ON t.guest_id = g.id AND t.ended_at IS NULL \
         LEFT JOIN beds b ON b.id = t.bed_id LEFT JOIN rooms r ON r.id = b.room_id WHERE g.id IN ($1..)"
    );
    let ids = candidates(tx, caller, scope, text).await?;
    let rows: Vec<Row> = tx.query(GUESTS).bind_list(ids.iter().copied()).all().await?;
    let place: HashMap<GuestId, usize> = ids.into_iter().enumerate().map(|(place, id)| (id, place)).collect();
    let exact = text.whole_codes().into_iter().chain(text.code()).collect::<BTreeSet<String>>();
    let mut found: Vec<(bool, bool, usize, FoundGuest)> = Vec::new();
    for row in rows {
        let target =
            Target::Site { id: row.site_id, organization_id: row.organization_id, is_commercial: row.is_commercial };
        if !caller.may(Action::ViewGuests, &target) {
            continue;
        }
        let facts = GuestFacts::from(row.facts);
        let status = facts.status(now);
        let place = place.get(&facts.id).copied().unwrap_or(usize::MAX);
        let view = FoundGuest {
            id: facts.id,
            display_name: display_name(&row.first_name, &row.last_name, &row.code),
            status,
            cancelled_at: facts.cancelled_at,
            is_arriving: facts.is_arriving(row.asks_arrival, now),
            no_show_at: facts.no_show_at,
            site_id: row.site_id,
            site_name: row.site_name,
            organization_id: row.organization_id,
            is_commercial: row.is_commercial,
            bed_name: row.bed_name,
            room_name: row.room_name,
            phone: Some(row.phone).filter(|_| caller.may(Action::ViewGuestContact, &target)),
            code: row.code,
        };
        found.push((!exact.contains(&view.code), !status.is_active(), place, view));
    }
    found.sort_by_key(|(other_code, is_past, place, ..)| (*other_code, *is_past, *place));
    found.truncate(MAX_FOUND);
    let found: Vec<FoundGuest> = found.into_iter().map(|(.., guest)| guest).collect();
    let mut shown: BTreeMap<OrganizationId, Vec<GuestId>> = BTreeMap::new();
    for guest in &found {
        shown.entry(guest.organization_id).or_default().push(guest.id);
    }
    let shown = shown.into_iter().filter_map(|(organization, guests)| Some((organization, GuestSet::of(guests)?)));
    Ok((found, shown.collect()))
}

/// Returns the ids of guests that match, in the order of their ranks; some of them may be of other sites.
async fn candidates(tx: &mut Tx, caller: &Caller, scope: &Scope, text: &Text) -> Result<Vec<GuestId>> {
    let mut ids = by_code(tx, scope.sites_with(caller, Action::ViewGuests).as_ref(), text).await?;
    let others = match text.phone() {
        Some(digits) => {
            let sites = scope.sites_with(caller, Action::ViewGuestContact);
            by_phone(tx, sites.as_ref(), &digits).await?
        }
        None => by_name(tx, scope.sites_with(caller, Action::ViewGuests).as_ref(), text).await?,
    };
    for id in others {
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    Ok(ids)
}

/// The sites to search; `None` means all.
type Sites<'a> = Option<&'a BTreeSet<SiteId>>;

async fn by_code(tx: &mut Tx, sites: Sites<'_>, text: &Text) -> Result<Vec<GuestId>> {
    const BEGINS: &str =
        "SELECT g.id, g.site_id FROM guests g WHERE g.code >= $1 AND g.code < $2 ORDER BY g.code LIMIT $3";
    const WHOLE: &str = "SELECT g.id, g.site_id FROM guests g WHERE g.code IN ($1..)";
    let mut rows: Vec<(GuestId, SiteId)> = Vec::new();
    let whole = text.whole_codes();
    if !whole.is_empty() {
        rows.extend(tx.query(WHOLE).bind_list(whole).all::<(GuestId, SiteId)>().await?);
    }
    if let Some(code) = text.code() {
        let [from, to] = range(code);
        let limit = if sites.is_some() { MAX_CODES } else { LIMIT };
        rows.extend(tx.query(BEGINS).bind(from).bind(to).bind(limit).all::<(GuestId, SiteId)>().await?);
    }
    let mut ids = Vec::new();
    for (id, site) in rows {
        if sites.is_none_or(|sites| sites.contains(&site)) && !ids.contains(&id) {
            ids.push(id);
        }
    }
    ids.truncate(usize::try_from(LIMIT).unwrap_or(MAX_FOUND));
    Ok(ids)
}

/// SQL condition and order: the first name, or another word of it, begins with the text, or the first name and the initial are as typed.
/// $1 and $2 are patterns of the name, $3 and $4 the pattern and the initial.
macro_rules! named {
    () => {
        "(g.first_name_key LIKE $1 ESCAPE '\\' OR g.first_name_key LIKE $2 ESCAPE '\\' \
          OR (g.first_name_key LIKE $3 ESCAPE '\\' AND g.last_name = $4)) \
         ORDER BY CASE WHEN g.first_name_key LIKE $1 ESCAPE '\\' THEN 0 WHEN g.first_name_key LIKE $2 ESCAPE '\\' THEN 1 \
         ELSE 0 END, g.first_name_key COLLATE \"C\", g.id DESC LIMIT $5"
    };
}

async fn by_name(tx: &mut Tx, sites: Sites<'_>, text: &Text) -> Result<Vec<GuestId>> {
    const CURRENT: &str = concat!("SELECT g.id FROM guests g WHERE ", is_open!("g."), " AND ", named!());
    const CURRENT_AT: &str =
        concat!("SELECT g.id FROM guests g WHERE g.site_id IN ($6..) AND ", is_open!("g."), " AND ", named!());
    const ALL_AT: &str = concat!("SELECT g.id FROM guests g WHERE g.site_id IN ($6..) AND ", named!());
    const ALL: &str = "SELECT g.id FROM guests g WHERE g.first_name_key >= $1 AND g.first_name_key < $2 \
        ORDER BY g.first_name_key, g.id DESC LIMIT $3";
    const ALL_WITH_INITIAL: &str = "SELECT g.id FROM guests g WHERE g.first_name_key >= $1 AND g.first_name_key < $2 \
        AND g.last_name = $3 ORDER BY g.first_name_key, g.id DESC LIMIT $4";
    let with_initial = text.name_and_initial();
    let [beginning, word] = text.patterns();
    let (name, initial) = with_initial.clone().unzip();
    let patterns = Patterns::Name { beginning, word, name: name.map(begins), initial };
    let mut found = patterns.find_current_first(tx, sites, [CURRENT, CURRENT_AT, ALL_AT]).await?;
    if found.is_full() || sites.is_some() {
        return Ok(found.0);
    }
    let [from, to] = range(text.folded().to_owned());
    found.add(tx.query(ALL).bind(from).bind(to).bind(LIMIT).all().await?);
    if let Some((name, initial)) = with_initial {
        let [from, to] = range(name.to_owned());
        found.add(tx.query(ALL_WITH_INITIAL).bind(from).bind(to).bind(initial).bind(LIMIT).all().await?);
    }
    Ok(found.0)
}

/// SQL condition and order: the phone number has the digits, those that end with them first. $1 and $2 are the patterns.
macro_rules! called {
    () => {
        "g.phone LIKE $1 ESCAPE '\\' ORDER BY CASE WHEN g.phone LIKE $2 ESCAPE '\\' THEN 0 ELSE 1 END, g.id DESC LIMIT $3"
    };
}

async fn by_phone(tx: &mut Tx, sites: Sites<'_>, digits: &str) -> Result<Vec<GuestId>> {
    const CURRENT: &str = concat!("SELECT g.id FROM guests g WHERE ", is_open!("g."), " AND ", called!());
    const CURRENT_AT: &str =
        concat!("SELECT g.id FROM guests g WHERE g.site_id IN ($4..) AND ", is_open!("g."), " AND ", called!());
    const ALL_AT: &str = concat!("SELECT g.id FROM guests g WHERE g.site_id IN ($4..) AND ", called!());
    const ALL: &str = "SELECT g.id FROM guests g WHERE g.phone_reversed >= $1 AND g.phone_reversed < $2 \
        ORDER BY g.phone_reversed, g.id DESC LIMIT $3";
    let [anywhere, end] = phone_patterns(digits);
    let patterns = Patterns::Phone { anywhere, end };
    let mut found = patterns.find_current_first(tx, sites, [CURRENT, CURRENT_AT, ALL_AT]).await?;
    if found.is_full() || sites.is_some() {
        return Ok(found.0);
    }
    let [from, to] = range(digits.chars().rev().collect());
    found.add(tx.query(ALL).bind(from).bind(to).bind(LIMIT).all().await?);
    Ok(found.0)
}

/// The first parameters of a text with `named!` or `called!`.
enum Patterns {
    Name { beginning: String, word: String, name: Option<String>, initial: Option<String> },
    Phone { anywhere: String, end: String },
}

impl Patterns {
    /// Finds current guests, and past ones of `sites` if that leaves room. The texts find current guests of the platform, current guests of
    /// sites, and all guests of sites.
    async fn find_current_first(
        &self,
        tx: &mut Tx,
        sites: Sites<'_>,
        [current, current_at, all_at]: [&'static str; 3],
    ) -> Result<Found> {
        let mut found = Found::default();
        found.add(self.find(tx, sites, (current, current_at)).await?);
        if sites.is_some() && !found.is_full() {
            found.add(self.find(tx, sites, (all_at, all_at)).await?);
        }
        Ok(found)
    }

    /// Runs the first text for the whole platform, the second for `sites`.
    async fn find(
        &self,
        tx: &mut Tx,
        sites: Sites<'_>,
        (everywhere, at): (&'static str, &'static str),
    ) -> Result<Vec<(GuestId,)>> {
        match sites {
            None => Ok(self.bind(tx.query(everywhere)).all().await?),
            Some(sites) if sites.is_empty() => Ok(Vec::new()),
            Some(sites) => Ok(self.bind(tx.query(at)).bind_list(sites.iter().copied()).all().await?),
        }
    }

    fn bind<'a>(&self, query: Query<'a>) -> Query<'a> {
        match self {
            Self::Name { beginning, word, name, initial } => {
                query.bind(beginning).bind(word).bind(name.as_deref()).bind(initial.as_deref()).bind(LIMIT)
            }
            Self::Phone { anywhere, end } => query.bind(anywhere).bind(end).bind(LIMIT),
        }
    }
}

/// The ids found so far, each once.
#[derive(Default)]
struct Found(Vec<GuestId>);

impl Found {
    fn add(&mut self, rows: Vec<(GuestId,)>) {
        for (id,) in rows {
            if !self.0.contains(&id) {
                self.0.push(id);
            }
        }
    }

    const fn is_full(&self) -> bool {
        self.0.len() >= MAX_FOUND
    }
}
