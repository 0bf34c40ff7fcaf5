//! The audit trail: a row for each change, in its transaction; a row for each view of a guest, before the answer is sent; and
//! rows for views of boards and lists, which are written in batches (security-and-proof 2.1, I11). The database rejects
//! updates and deletes of rows.

mod action;
mod denied;
pub mod event_logs;
pub mod lists;
mod reads;
pub mod seals;
pub mod search;
mod shown;

use berth_db::{Tx, Values};
use berth_domain::id::{BedId, OrganizationId, SiteId, UserId};
use berth_domain::role::Role;
use berth_domain::time::Timestamp;
use berth_domain::value::visible;
use uuid::Uuid;

pub use self::action::{AuditAction, ObjectKind};
pub use self::denied::{Decisions, note as note_denied};
pub use self::reads::{Look, MAX_WAITING, ReadTrail, Repeats};
pub use self::shown::{GuestSet, GuestsBySite, Shown, guest, json};
use crate::admin::dashboard;
use crate::auth::caller::{Caller, Site};
use crate::http::requester::Requester;
use crate::{App, Result, change};

/// Maximum length of a stored query, in characters.
const MAX_QUERY_CHARS: usize = 500;

/// A row of the audit trail.
#[derive(Debug, Clone)]
pub struct Entry {
    /// What was done.
    pub action: AuditAction,
    /// The organization, if any.
    pub organization_id: Option<OrganizationId>,
    /// The site, if any.
    pub site_id: Option<SiteId>,
    /// Kind and id of the object.
    pub object: Option<(ObjectKind, Uuid)>,
    /// Text for the reader of the trail, on one line and without invisible characters. It may contain ids and codes, never a
    /// guest's name or phone number.
    pub summary: String,
    /// The bed that a guest left and the bed that the guest got.
    pub beds: (Option<BedId>, Option<BedId>),
    /// The filters of a list.
    pub query: Option<String>,
    /// The guests that were shown, unless the object is the only one.
    pub guests: Option<GuestSet>,
}

impl Entry {
    /// Creates an entry at a place. At a site, both ids are set.
    #[must_use]
    pub fn placed(
        (organization_id, site_id): (Option<OrganizationId>, Option<SiteId>),
        action: AuditAction,
        object: Option<(ObjectKind, Uuid)>,
        summary: impl Into<String>,
    ) -> Self {
        let summary = visible(&summary.into());
        Self { action, organization_id, site_id, object, summary, beds: (None, None), query: None, guests: None }
    }

    /// Creates an entry at a site.
    #[must_use]
    pub fn at(site: &Site, action: AuditAction, object: (ObjectKind, Uuid), summary: impl Into<String>) -> Self {
        Self::placed((Some(site.organization_id), Some(site.id)), action, Some(object), summary)
    }

    /// Creates an entry that belongs to no place.
    #[must_use]
    pub fn anywhere(action: AuditAction, object: Option<(ObjectKind, Uuid)>, summary: impl Into<String>) -> Self {
        Self::placed((None, None), action, object, summary)
    }

    /// Sets the bed that a guest left and the bed that the guest got.
    #[must_use]
    pub fn between(self, from: Option<BedId>, to: Option<BedId>) -> Self {
        Self { beds: (from, to), ..self }
    }

    /// Sets the filters of a list, without invisible characters and cut to `MAX_QUERY_CHARS`.
    #[must_use]
    pub fn asking(self, query: Option<String>) -> Self {
        let query = query.map(|text| visible(&text).chars().take(MAX_QUERY_CHARS).collect());
        Self { query, ..self }
    }

    /// Sets the guests that are shown.
    #[must_use]
    pub fn showing(self, guests: Option<GuestSet>) -> Self {
        let object = self.object;
        let is_object = |set: &GuestSet| matches!((object, set.guests()), (Some((ObjectKind::Guest, id)), [guest]) if guest.0 == id);
        Self { guests: guests.filter(|set| !is_object(set)), ..self }
    }
}

/// The author of an audit row.
#[derive(Debug, Clone, Default)]
pub struct Author {
    /// The user; `None` for jobs and callers who are not signed in.
    pub user_id: Option<Uuid>,
    /// The user's email, or the login that was attempted.
    pub email: Option<String>,
    /// The highest role of the user at the place.
    pub role: Option<String>,
    /// IP address of the requester, or `job`.
    pub address: String,
    /// Id of the request.
    pub request_id: String,
}

impl Author {
    /// Returns the author of a background job.
    #[must_use]
    pub fn job() -> Self {
        Self { address: "job".to_owned(), ..Self::default() }
    }

    /// Returns the author of a request without a signed-in user.
    #[must_use]
    pub fn stranger(requester: &Requester) -> Self {
        Self { address: requester.address.clone(), request_id: requester.request_id.clone(), ..Self::default() }
    }

    /// Returns a signed-in caller, with the role at `site` if there is one.
    #[must_use]
    pub fn caller(caller: &Caller, site: Option<&Site>) -> Self {
        Self {
            user_id: Some(caller.actor.user_id.0),
            email: Some(caller.email.clone()),
            role: caller.role_text(site),
            address: caller.requester.address.clone(),
            request_id: caller.requester.request_id.clone(),
        }
    }
}

/// SQL that inserts rows with these values.
macro_rules! insert {
    ($values:literal) => {
        concat!(
            "INSERT INTO audit (id, at, action, actor_id, actor_email, actor_role, organization_id, site_id, object_type, \
             object_id, summary, address, request_id, from_bed_id, to_bed_id, query, guest_set_id) VALUES ",
            $values
        )
    };
}

/// Writes a row in the transaction of the change.
pub async fn write(app: &App, tx: &mut Tx, by: &Author, entry: &Entry) -> Result<()> {
    const INSERT: &str = insert!("($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)");
    if let Some(guests) = &entry.guests {
        // Not remembered as stored: the transaction may still be rolled back.
        app.reads.store_sets(tx, vec![guests]).await?;
    }
    tx.query(INSERT).bind_row(|values| bind(values, app.id(), by, entry, app.now())).execute().await?;
    dashboard::note(tx, entry).await
}

/// Writes rows that were queued, each with its own time.
async fn write_noted<'n>(
    app: &App,
    tx: &mut Tx,
    notes: impl Iterator<Item = (&'n Author, &'n Entry, Timestamp)>,
) -> Result<()> {
    const INSERT_NOTED: &str = insert!("($1..)");
    let rows: Vec<_> = notes.map(|(by, entry, at)| (app.id(), by, entry, at)).collect();
    tx.insert(INSERT_NOTED, &rows, |values, (id, by, entry, at)| bind(values, *id, by, entry, *at)).await?;
    Ok(())
}

fn bind(values: &mut Values<'_, '_>, id: Uuid, by: &Author, entry: &Entry, at: Timestamp) {
    let (from, to) = entry.beds;
    values
        .bind(id)
        .bind(at)
        .bind(entry.action.as_str())
        .bind(by.user_id)
        .bind(by.email.clone())
        .bind(by.role.clone())
        .bind(entry.organization_id)
        .bind(entry.site_id)
        .bind(entry.object.map(|(kind, _)| kind.as_str()))
        .bind(entry.object.map(|(_, id)| id))
        .bind(entry.summary.clone())
        .bind(by.address.clone())
        .bind(by.request_id.clone())
        .bind(from)
        .bind(to)
        .bind(entry.query.clone())
        .bind(entry.guests.as_ref().map(GuestSet::id));
}

/// Writes a row in a transaction of its own, for a read that must be recorded before its answer is sent.
pub async fn record(app: &App, by: &Author, entry: &Entry) -> Result<()> {
    change::run(app, by.clone(), |mut change| async move {
        change.record(entry.clone()).await?;
        change.done(())
    })
    .await
}

/// Returns the highest role of a user anywhere, for a row about a user who is not signed in (yet).
pub async fn strongest_role(tx: &mut Tx, user_id: UserId) -> Result<Option<String>> {
    const ROLES: &str =
        "SELECT role FROM memberships WHERE user_id = $1 AND deleted_at IS NULL AND status <> 'Disabled'";
    let roles: Vec<(Role,)> = tx.query(ROLES).bind(user_id).all().await?;
    Ok(roles.into_iter().max_by_key(|(role,)| role.rank()).map(|(role,)| format!("{role:?}")))
}

#[cfg(test)]
mod tests {
    use super::{AuditAction, Entry, MAX_QUERY_CHARS};

    /// A typed name or reason must not reverse or hide the text next to it on the screen.
    #[test]
    fn a_summary_and_a_query_are_one_line_and_show_every_character() {
        let entry = Entry::anywhere(AuditAction::LoginFailed, None, "\u{202e}one\r\ntwo\u{2066}\t three");
        assert_eq!(entry.summary, "onetwo three");
        let asked = |text: String| entry.clone().asking(Some(text)).query.unwrap();
        assert_eq!(asked("search=\u{202e}evil\u{2069}\n".to_owned()), "search=evil");
        let long = format!("{}{}", "\u{200b}".repeat(MAX_QUERY_CHARS), "x".repeat(MAX_QUERY_CHARS + 1));
        assert_eq!(asked(long), "x".repeat(MAX_QUERY_CHARS));
    }
}
