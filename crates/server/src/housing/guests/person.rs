//! Identifies a person for limits and locks: a keyed hash of the phone or of the email address. The rows outlive the
//! guest, so a reader of the database must not be able to find a phone number by hashing all of them.

use berth_db::Tx;
use berth_domain::id::{OrganizationId, SiteId};
use berth_domain::policy::Target;
use berth_domain::stay::ActiveReservations;
use berth_domain::time::Timestamp;
use tokio::sync::OnceCell;

use super::state::is_open;
use crate::auth::installation_key;
use crate::integrations::places::key;
use crate::{App, Result};

/// The key of this installation for such hashes, read once for each process.
#[derive(Default)]
pub struct Persons(OnceCell<[u8; 32]>);

impl Persons {
    /// The key. Not to be called while a transaction is open: it may write.
    ///
    /// # Errors
    /// Those of the database.
    pub async fn key(&self, app: &App) -> Result<PersonKey> {
        let key = self.0.get_or_try_init(|| installation_key::load(app, "persons")).await?;
        Ok(PersonKey(*key))
    }
}

/// Makes the hashes of one installation.
#[derive(Clone, Copy)]
pub struct PersonKey([u8; 32]);

impl PersonKey {
    /// The hash of a phone, as +1 and 10 digits.
    #[must_use]
    pub fn phone(&self, phone: &str) -> String {
        self.hash("phone", phone)
    }

    /// The hash of the key of an email address.
    #[must_use]
    pub fn email(&self, email_key: &str) -> String {
        self.hash("email", email_key)
    }

    fn hash(&self, kind: &str, value: &str) -> String {
        use hmac::Mac;
        hex::encode(key::seal(&self.0, format!("{kind}:{value}").as_bytes()).finalize().into_bytes())
    }
}

/// An active reservation of a person, and where.
#[derive(berth_db::FromRow)]
pub(super) struct Active {
    site_id: SiteId,
    organization_id: OrganizationId,
    is_commercial: bool,
    /// The hold is over but not on record as such.
    pub(super) is_overdue: bool,
    /// The person proved the phone by its code. Otherwise staff typed the phone and the email address.
    is_proved: bool,
}

impl Active {
    pub(super) const fn target(&self) -> Target {
        let Self { site_id, organization_id, is_commercial, .. } = *self;
        Target::Site { id: site_id, organization_id, is_commercial }
    }

    /// Counts reservations for a caller who may see some of them. What staff of others typed and nobody proved does not count: it must
    /// neither tell of a person nor stand in the way of one.
    pub(super) fn counted(active: &[Self], may_see: impl Fn(&Self) -> bool) -> ActiveReservations {
        let active: Vec<&Self> = active.iter().filter(|other| other.is_proved || may_see(other)).collect();
        ActiveReservations::seen(&active, |other| may_see(other))
    }
}

/// Locks a person until the end of the transaction, then reads the active reservations at every site. `email_key` is given for a guest who is added by hand: then guests added by hand count as well, by phone or email address.
/// Without it only reservations count whose phone was proved by its code (docs/decisions/0033).
pub(super) async fn lock_active(
    tx: &mut Tx,
    persons: PersonKey,
    phone: &str,
    email_key: Option<&str>,
    now: Timestamp,
) -> Result<Vec<Active>, berth_db::Error> {
    const LOCK: &str = "INSERT INTO person_locks (person) VALUES ($1) \
        ON CONFLICT (person) DO UPDATE SET version = person_locks.version + 1";
    const ACTIVE: &str = concat!(
        "SELECT g.site_id, s.organization_id, o.is_commercial, \
         COALESCE(g.accepted_at IS NULL AND g.expires_at <= $3, FALSE) AS is_overdue, g.source = 'Web' AS is_proved FROM guests g \
         JOIN sites s ON s.id = g.site_id JOIN organizations o ON o.id = s.organization_id \
         WHERE g.id IN (SELECT id FROM guests WHERE phone = $1 AND ",
        is_open!(""),
        " UNION ALL SELECT id FROM guests WHERE email_key = $2 AND source = 'Admin' AND ",
        is_open!(""),
        ")"
    );
    let mut locks = vec![persons.phone(phone)];
    locks.extend(email_key.map(|email| persons.email(email)));
    // One order for all, so that two people who share a telephone and a mailbox crosswise do not deadlock.
    locks.sort();
    for person in locks {
        tx.query(LOCK).bind(person).execute().await?;
    }
    let mut active: Vec<Active> =
        tx.query(ACTIVE).bind(phone).bind(email_key.unwrap_or_default()).bind(now).all().await?;
    active.retain(|other| other.is_proved || email_key.is_some());
    Ok(active)
}
