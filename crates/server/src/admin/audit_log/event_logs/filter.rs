//! The filter of audit rows in requests, and who may read them: global admins all, owners those of their organization.

use berth_db::Db;
use berth_domain::id::{OrganizationId, SiteId};
use berth_domain::policy::Action;
use berth_domain::time::Timestamp;
use berth_domain::value::search_key;
use serde::Deserialize;
use utoipa::IntoParams;
use uuid::Uuid;

use crate::admin::audit_log::AuditAction;
use crate::admin::audit_log::search::Filter;
use crate::auth::caller::Caller;
use crate::{Error, Result};

/// Filter of audit rows. All fields must match.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
pub struct TrailQuery {
    /// Rows of an organization and its sites. Required for owners.
    organization_id: Option<OrganizationId>,
    /// Rows of a site.
    site_id: Option<SiteId>,
    /// Email of the user who did it.
    person: Option<String>,
    /// Code of a reservation or of a person on the waitlist: rows about the guest, the time on the waitlist included, and rows
    /// that show the guest.
    guest: Option<String>,
    /// An action, such as `guest.accepted`.
    action: Option<String>,
    /// Earliest time.
    #[param(value_type = Option<String>, format = DateTime)]
    from: Option<String>,
    /// Latest time, exclusive.
    #[param(value_type = Option<String>, format = DateTime)]
    until: Option<String>,
}

/// Trims a parameter; `None` if it is empty.
fn sent(text: Option<&String>) -> Option<&str> {
    text.map(|text| text.trim()).filter(|text| !text.is_empty())
}

fn time(pointer: &str, text: Option<&String>) -> Result<Option<Timestamp>> {
    let parse = |text| Timestamp::parse(text).map_err(|message| Error::field(pointer, message));
    sent(text).map(parse).transpose()
}

impl TrailQuery {
    /// Checks that the caller may read these rows.
    ///
    /// # Errors
    /// 403, or 404 for an organization that the caller may not see.
    pub async fn authorize(&self, caller: &Caller) -> Result<()> {
        match self.organization_id {
            None => caller.platform(Action::ViewAudit),
            Some(id) => caller.organization(id, Action::ViewOrganizationAudit).await.map(drop),
        }
    }

    /// Parses the filter. An unknown person or guest becomes an id that nobody has, so that nothing is found and the answer
    /// takes as long as for someone of another organization.
    ///
    /// # Errors
    /// 422 for an unknown action or an invalid time.
    pub async fn filter(&self, db: &Db) -> Result<Filter> {
        const PERSON: &str = "SELECT id FROM users WHERE email_key = $1 AND deleted_at IS NULL";
        // Whoever has got a bed from the waitlist is a guest with another code.
        const GUEST: &str = "SELECT id FROM guests WHERE code = $1 \
            UNION SELECT COALESCE(guest_id, id) FROM waiting_guests WHERE code = $1 LIMIT 1";
        let action =
            |word| AuditAction::from_text(word).ok_or_else(|| Error::field("/action", "This action does not exist."));
        let mut filter = Filter {
            organization_id: self.organization_id,
            site_id: self.site_id,
            action: sent(self.action.as_ref()).map(action).transpose()?,
            from: time("/from", self.from.as_ref())?,
            until: time("/until", self.until.as_ref())?,
            ..Filter::default()
        };
        if let Some(email) = sent(self.person.as_ref()) {
            let found: Option<(Uuid,)> = db.query(PERSON).bind(search_key(email)).optional().await?;
            filter.actor_id = Some(found.map_or(Uuid::nil(), |(id,)| id));
        }
        if let Some(code) = sent(self.guest.as_ref()) {
            let found: Option<(Uuid,)> = db.query(GUEST).bind(code.to_uppercase()).optional().await?;
            filter.guest_id = Some(found.map_or(Uuid::nil(), |(id,)| id));
        }
        Ok(filter)
    }

    /// Returns the organization of the rows.
    #[must_use]
    pub const fn organization(&self) -> Option<OrganizationId> {
        self.organization_id
    }

    /// Returns the sent parameters, for the audit row of the request.
    #[must_use]
    pub fn to_text(&self) -> String {
        let Self { organization_id, site_id, person, guest, action, from, until } = self;
        let filters = [
            ("organization", organization_id.map(|id| id.to_string())),
            ("site", site_id.map(|id| id.to_string())),
            ("person", person.clone()),
            ("guest", guest.clone()),
            ("action", action.clone()),
            ("from", from.clone()),
            ("until", until.clone()),
        ];
        let filters = filters.into_iter().filter_map(|(name, value)| Some(format!(", {name} {}", value?.trim())));
        filters.collect()
    }
}
