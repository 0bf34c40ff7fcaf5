//! Phones that have opted out of text messages (STOP). Only a keyed hash of each phone is stored, so a copy of the
//! database contains no number. The functions here take that hash, made by
//! [`crate::housing::guests::PersonKey::phone`].

use berth_db::Tx;
use berth_domain::message::OptOut;

use crate::admin::audit_log::{AuditAction, Author, Entry};
use crate::{App, Result, change};

/// Returns true if this phone has opted out: it gets no text messages except the codes that its user requests.
pub async fn has_stopped(tx: &mut Tx, person: &str) -> Result<bool> {
    const FIND: &str = "SELECT person FROM sms_stops WHERE person = $1";
    let found: Option<(String,)> = tx.query(FIND).bind(person).optional().await?;
    Ok(found.is_some())
}

/// Stores that a phone has opted out of text messages or in again. Does nothing if that is stored already.
pub(super) async fn store(app: &App, by: Author, person: &str, word: OptOut) -> Result<()> {
    const STOP: &str = "INSERT INTO sms_stops (person, stopped_at) VALUES ($1, $2) ON CONFLICT (person) DO NOTHING";
    const START: &str = "DELETE FROM sms_stops WHERE person = $1";
    change::run(app, by, |mut change| async move {
        let (changed, action, summary) = match word {
            OptOut::Stop => {
                let changed = change.tx.query(STOP).bind(person).bind(change.now).execute().await?;
                (changed, AuditAction::SmsStopped, "a phone asked for no more text messages")
            }
            OptOut::Start => {
                let changed = change.tx.query(START).bind(person).execute().await?;
                (changed, AuditAction::SmsStarted, "a phone asked for text messages again")
            }
        };
        if changed == 0 {
            return change::unchanged(());
        }
        change.record(Entry::anywhere(action, None, summary)).await?;
        change.done(())
    })
    .await
}
