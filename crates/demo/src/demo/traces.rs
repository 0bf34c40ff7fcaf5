//! Writes the audit rows of the demo that are not changes of guests: sign-ins, passwords, views of guests.

use berth_domain::id::{OrganizationId, SiteId};
use berth_domain::role::Role;
use berth_domain::time::Timestamp;
use uuid::Uuid;

use super::fill::{Actor, AuditLine, World};
use super::guests::OFFICE_ADDRESS;
use super::people::ACCOUNTS;
use berth_server::admin::audit_log::{AuditAction, ObjectKind};

/// Logins and addresses of failed sign-ins.
const WRONG_LOGINS: [(&str, &str); 11] = [
    ("intake@demo.exmaple", OFFICE_ADDRESS),
    ("admin@demo.example", OFFICE_ADDRESS),
    ("admin@demo.example", OFFICE_ADDRESS),
    ("chris.dunn@harborlight.example", "192.0.2.81"),
    ("frank.hale@harborlight.example", "192.0.2.14"),
    ("marisol.vega@sierravista.exampel", "192.0.2.66"),
    ("administrator", "198.51.100.230"),
    ("admin", "198.51.100.230"),
    ("root@localhost", "198.51.100.230"),
    ("info@opendoor.example", "198.51.100.231"),
    ("ruth.okafor@opendoor.example", "192.0.2.9"),
];

/// An audit row of an accepted guest.
#[derive(berth_db::FromRow)]
struct Accepted {
    at: Timestamp,
    actor_id: Uuid,
    actor_role: Role,
    organization_id: OrganizationId,
    site_id: SiteId,
    object_id: Uuid,
    code: String,
}

impl World {
    /// Writes the last sign-in of each printed account.
    pub(super) async fn sign_ins(&mut self, users: &[Actor]) -> berth_db::Result<()> {
        for user in users.iter().take(ACCOUNTS.len()) {
            let at = self.now.plus_minutes(-self.dice.between(200, 4000));
            self.signed_in(user, at).await?;
            if self.dice.chance(50) {
                self.failed(user.email, at.plus_minutes(-2), OFFICE_ADDRESS).await?;
            }
        }
        Ok(())
    }

    /// Writes all other rows. Called after the guests, because they would change with the random numbers drawn here.
    pub(super) async fn traces(&mut self, users: &[Actor]) -> berth_db::Result<()> {
        for (number, user) in users.iter().enumerate() {
            let Some(joined) = user.joined else { continue };
            self.password(user, joined.plus_minutes(-6), AuditAction::PasswordCreated, "first password created")
                .await?;
            // Every third user changed the password, every fifth reset it.
            let since = self.now.plus_minutes(-self.dice.between(300, 60_000));
            if number % 3 == 1 {
                let summary = "new password; the other sessions ended";
                self.password(user, since, AuditAction::PasswordChanged, summary).await?;
            }
            if number % 5 == 2 {
                let summary = "new password by link; all sessions ended";
                self.password(user, since.plus_minutes(-3000), AuditAction::PasswordReset, summary).await?;
            }
            for _ in 0..self.dice.between(1, 3) {
                let at = self.now.plus_minutes(-self.dice.between(250, 9000));
                self.signed_in(user, at).await?;
            }
        }
        for (login, address) in WRONG_LOGINS {
            let at = self.now.plus_minutes(-self.dice.between(90, 12_000)).plus_millis(self.dice.between(0, 59_999));
            self.failed(login, at, address).await?;
        }
        self.looks(users).await
    }

    /// Records that the user who accepted a guest viewed the guest before.
    async fn looks(&mut self, users: &[Actor]) -> berth_db::Result<()> {
        const ACCEPTED: &str = "SELECT a.at, a.actor_id, a.actor_role, a.organization_id, a.site_id, a.object_id, g.code FROM audit a \
            JOIN guests g ON g.id = a.object_id WHERE a.action = 'guest.accepted' AND a.actor_id IS NOT NULL \
            ORDER BY a.at, a.id";
        let accepted: Vec<Accepted> = self.tx.query(ACCEPTED).all().await?;
        for look in accepted {
            let user = users.iter().find(|user| user.id.0 == look.actor_id);
            let actor = user.map(|user| Actor { role: look.actor_role, ..user.clone() });
            let at = look.at.plus_millis(-self.dice.between(20_000, 280_000));
            self.record(AuditLine {
                at,
                action: AuditAction::GuestViewed,
                actor: actor.as_ref(),
                login: None,
                place: (Some(look.organization_id), Some(look.site_id)),
                object: Some((ObjectKind::Guest, look.object_id)),
                summary: look.code,
                address: OFFICE_ADDRESS,
            })
            .await?;
        }
        Ok(())
    }

    async fn signed_in(&mut self, user: &Actor, at: Timestamp) -> berth_db::Result<()> {
        let session = self.dice.id(at);
        self.record(AuditLine {
            at,
            action: AuditAction::SessionOpened,
            actor: Some(user),
            login: None,
            place: (None, None),
            object: Some((ObjectKind::Session, session)),
            summary: "signed in with both factors".to_owned(),
            address: OFFICE_ADDRESS,
        })
        .await
    }

    async fn failed(&mut self, login: &'static str, at: Timestamp, address: &'static str) -> berth_db::Result<()> {
        let summary = "wrong email or password".to_owned();
        let (action, place, object, login) = (AuditAction::LoginFailed, (None, None), None, Some(login));
        self.record(AuditLine { at, action, actor: None, login, place, object, summary, address }).await
    }

    async fn password(
        &mut self,
        user: &Actor,
        at: Timestamp,
        action: AuditAction,
        summary: &'static str,
    ) -> berth_db::Result<()> {
        let (object, summary) = (Some((ObjectKind::User, user.id.0)), summary.to_owned());
        let (place, address) = ((None, None), OFFICE_ADDRESS);
        self.record(AuditLine { at, action, actor: Some(user), login: None, place, object, summary, address }).await
    }
}
