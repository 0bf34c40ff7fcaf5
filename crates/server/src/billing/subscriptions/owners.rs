//! The owners of an organization, and emails to them.

use berth_db::Tx;
use berth_domain::id::{OrganizationId, UserId};
use berth_domain::locale::Locale;

use crate::change::Change;
use crate::integrations::outbox::{self, Channel, Message};
use crate::{App, Result};

/// An owner of an organization, as the recipient of an email.
#[derive(Debug, berth_db::FromRow)]
pub(super) struct Owner {
    email: String,
    first_name: String,
    last_name: String,
    language: Locale,
}

impl Owner {
    /// First and last name; `None` for an account without a name.
    pub(super) fn name(&self) -> Option<String> {
        let name = format!("{} {}", self.first_name, self.last_name).trim().to_owned();
        Some(name).filter(|name| !name.is_empty())
    }
}

/// Lists the owners of an organization whose access is active, without the user `except`.
pub(super) async fn list(tx: &mut Tx, organization: OrganizationId, except: Option<UserId>) -> Result<Vec<Owner>> {
    const OWNERS: &str = "SELECT u.email, u.first_name, u.last_name, u.language FROM users u \
        WHERE u.deleted_at IS NULL AND ($2 IS NULL OR u.id <> $2) AND u.id IN (\
        SELECT m.user_id FROM memberships m WHERE m.organization_id = $1 AND m.role = 'Owner' \
        AND m.deleted_at IS NULL AND m.status = 'Active') ORDER BY u.id";
    Ok(tx.query(OWNERS).bind(organization).bind(except).all().await?)
}

/// An email in the language of its reader.
#[derive(Debug)]
pub(super) struct Letter {
    pub(super) subject: String,
    pub(super) body: String,
}

/// Adds an email to each owner to the outbox.
pub(super) async fn send(
    change: &mut Change,
    owners: &[Owner],
    letter: impl Fn(Locale) -> Letter + Send + Sync,
) -> Result<()> {
    for owner in owners {
        let Letter { subject, body } = letter(owner.language);
        let message = Message { channel: Channel::Email, to: owner.email.clone(), subject, body };
        outbox::put_in(&change.app, &mut change.tx, owner.language, message).await?;
    }
    Ok(())
}

/// Makes a name that a user typed safe for an email: one line, with nothing that a mail program turns into a link.
pub(super) fn in_letter(name: &str) -> String {
    outbox::quoted(name)
}

/// Maximum number of characters of a person's name in an email.
const MAX_NAME_CHARS: usize = 60;

/// Makes the name of a person safe for an email: only letters, spaces, hyphens and apostrophes, so that no phone
/// number, address or long sentence can be sent as a name.
pub(super) fn person_in_letter(name: &str) -> String {
    let is_of_name = |c: char| c.is_alphabetic() || matches!(c, ' ' | '-' | '\'' | '’' | '\u{300}'..='\u{36f}');
    let letters: String = name.chars().map(|c| if is_of_name(c) { c } else { ' ' }).collect();
    let words = letters.split_whitespace().collect::<Vec<_>>().join(" ");
    words.chars().take(MAX_NAME_CHARS).collect()
}

/// Returns the full address of a page, for an email.
pub(super) fn link(app: &App, path: &str) -> String {
    let origin = app.settings.origins.first().map(String::as_str).unwrap_or_default();
    format!("{origin}{path}")
}
