//! Which rows of the trail are asked for, and whether the caller may read them: global admins all, owners those of their
//! organization.

use berth_db::Db;
use berth_domain::id::{GuestId, OrganizationId, SiteId};
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

/// Which rows are asked for. All filters must fit.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
pub struct TrailQuery {
    /// Those of an organization and its sites; owners must name one of theirs.
    organization_id: Option<OrganizationId>,
    /// Those of a site.
    site_id: Option<SiteId>,
    /// What a user did, by email.
    person: Option<String>,
    /// What was done to a guest and who saw the guest, by the code of the reservation.
    guest: Option<String>,
    /// Those of one action, such as `guest.accepted`.
    action: Option<String>,
    /// Not before this time.
    #[param(value_type = Option<String>, format = DateTime)]
    from: Option<String>,
    /// Before this time.
    #[param(value_type = Option<String>, format = DateTime)]
    until: Option<String>,
}

/// A text that was sent, without what is around it; none when it is empty.
fn sent(text: Option<&String>) -> Option<&str> {
    text.map(|text| text.trim()).filter(|text| !text.is_empty())
}

fn time(pointer: &str, text: Option<&String>) -> Result<Option<Timestamp>> {
    let parse = |text| Timestamp::parse(text).map_err(|message| Error::field(pointer, message));
    sent(text).map(parse).transpose()
}

impl TrailQuery {
    /// Decides whether the caller may read these rows.
    ///
    /// # Errors
    /// 403, or 404 for an organization that the caller may not see.
    pub async fn authorize(&self, caller: &Caller) -> Result<()> {
        match self.organization_id {
            None => caller.platform(Action::ViewAudit),
            Some(id) => caller.organization(id, Action::ViewOrganizationAudit).await.map(drop),
        }
    }

    /// The filter. A person or a guest who is not there has the id that nobody has, so that nothing is found and the answer takes
    /// as long as for someone of another organization.
    ///
    /// # Errors
    /// 422 for an action or a time that is none.
    pub async fn filter(&self, db: &Db) -> Result<Filter> {
        const PERSON: &str = "SELECT id FROM users WHERE email_key = $1 AND deleted_at IS NULL";
        const GUEST: &str = "SELECT id FROM guests WHERE code = $1";
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
            let found: Option<(GuestId,)> = db.query(GUEST).bind(code.to_uppercase()).optional().await?;
            filter.guest_id = Some(found.map_or(GuestId(Uuid::nil()), |(id,)| id));
        }
        Ok(filter)
    }

    /// The organization that the rows are of.
    #[must_use]
    pub const fn organization(&self) -> Option<OrganizationId> {
        self.organization_id
    }

    /// What was asked for, for the trail: the filters that were sent.
    #[must_use]
    pub fn told(&self) -> String {
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
