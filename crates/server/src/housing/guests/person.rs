//! Identifies a person for limits and locks: a keyed hash of the phone or of the email address. The rows outlive the
//! guest, so a reader of the database must not be able to find a phone number by hashing all of them.

use berth_db::Tx;
use berth_domain::id::{OrganizationId, SiteId};
use berth_domain::new_guest::NewGuest;
use berth_domain::policy::{Action, Target};
use berth_domain::stay::{ActiveReservations, Overrides, active_reservations};
use berth_domain::time::Timestamp;
use tokio::sync::OnceCell;

use super::failure::refused;
use super::state::is_open;
use crate::auth::caller::Caller;
use crate::auth::installation_key;
use crate::integrations::places::key;
use crate::{App, Result};

/// The key of this installation for such hashes, read once for each process.
#[derive(Default)]
pub struct Persons(OnceCell<[u8; 32]>);

impl Persons {
    /// Loads the key once. Must not be called while a transaction is open: it may write.
    pub async fn key(&self, app: &App) -> Result<PersonKey> {
        let key = self.0.get_or_try_init(|| installation_key::load(app, "persons")).await?;
        Ok(PersonKey(*key))
    }
}

/// Computes the hashes of this installation.
#[derive(Clone, Copy)]
pub struct PersonKey([u8; 32]);

impl PersonKey {
    /// Returns the hash of a phone, given as +1 and 10 digits.
    #[must_use]
    pub fn phone(&self, phone: &str) -> String {
        self.hash("phone", phone)
    }

    /// Returns the hash of the key of an email address.
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
    /// True if the hold has ended, but its end is not recorded yet.
    pub(super) is_overdue: bool,
    /// True if the person confirmed the phone by a code. Otherwise staff typed the phone and the email address.
    is_proved: bool,
}

impl Active {
    pub(super) const fn target(&self) -> Target {
        let Self { site_id, organization_id, is_commercial, .. } = *self;
        Target::Site { id: site_id, organization_id, is_commercial }
    }

    /// Counts reservations for a caller who may see some of them. An unconfirmed reservation at a site that the caller
    /// may not see does not count: it must neither reveal a person nor block one.
    pub(super) fn counted(active: &[Self], may_see: impl Fn(&Self) -> bool) -> ActiveReservations {
        let active: Vec<&Self> = active.iter().filter(|other| other.is_proved || may_see(other)).collect();
        ActiveReservations::seen(&active, |other| may_see(other))
    }
}

/// Checks that a person may have another active reservation, as far as the caller may know: others neither block the person nor are
/// revealed. Locks the person until the end of the transaction.
///
/// # Errors
/// The refusals of [`active_reservations`].
pub async fn check_another(
    tx: &mut Tx,
    caller: &Caller,
    (persons, guest): (PersonKey, &NewGuest),
    allows_third: bool,
    now: Timestamp,
) -> Result<()> {
    let (phone, email) = (guest.phone.as_str(), guest.email.key());
    let mut active = lock_active(tx, persons, phone, Some(&email), now).await?;
    active.retain(|other| !other.is_overdue);
    let counted = Active::counted(&active, |other| caller.may(Action::ViewGuests, &other.target()));
    let overrides = Overrides { third: allows_third, over_capacity: true };
    active_reservations(counted, overrides).map_err(refused)
}

/// Locks a person until the end of the transaction, then loads the person's active reservations at every site. With
/// `email_key`, for a guest who is added by hand, guests added by hand count too, by phone or email address. Without it
/// only reservations with a confirmed phone count (docs/decisions/0033).
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
    // Always in the same order: two people who share a phone and a mailbox must not deadlock.
    locks.sort();
    for person in locks {
        tx.query(LOCK).bind(person).execute().await?;
    }
    let mut active: Vec<Active> =
        tx.query(ACTIVE).bind(phone).bind(email_key.unwrap_or_default()).bind(now).all().await?;
    active.retain(|other| other.is_proved || email_key.is_some());
    Ok(active)
}
