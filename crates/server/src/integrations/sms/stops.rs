//! Phones that have asked for no text messages (STOP). Only a keyed hash is stored, so a copy of the database tells no number. A phone
//! is given here as that hash, by [`crate::housing::guests::PersonKey::phone`].

use berth_db::Tx;
use berth_domain::message::OptOut;

use crate::admin::audit_log::{self, AuditAction, Author, Entry};
use crate::{App, Result};

/// Returns true if this phone gets no texts but the codes that it asks for.
///
/// # Errors
/// Those of the database.
pub async fn has_stopped(tx: &mut Tx, person: &str) -> Result<bool> {
    const FIND: &str = "SELECT person FROM sms_stops WHERE person = $1";
    let found: Option<(String,)> = tx.query(FIND).bind(person).optional().await?;
    Ok(found.is_some())
}

/// Ends the texts to a phone, or begins them again. What is so already changes nothing.
pub(super) async fn change(app: &App, by: &Author, person: &str, word: OptOut) -> Result<()> {
    const STOP: &str = "INSERT INTO sms_stops (person, stopped_at) VALUES ($1, $2) ON CONFLICT (person) DO NOTHING";
    const START: &str = "DELETE FROM sms_stops WHERE person = $1";
    let mut tx = app.db.begin().await?;
    let (changed, action, summary) = match word {
        OptOut::Stop => {
            let changed = tx.query(STOP).bind(person).bind(app.now()).execute().await?;
            (changed, AuditAction::SmsStopped, "a phone asked for no more text messages")
        }
        OptOut::Start => {
            let changed = tx.query(START).bind(person).execute().await?;
            (changed, AuditAction::SmsStarted, "a phone asked for text messages again")
        }
    };
    if changed == 0 {
        return Ok(tx.rollback().await?);
    }
    audit_log::write(app, &mut tx, by, &Entry::anywhere(action, None, summary)).await?;
    Ok(tx.commit().await?)
}
