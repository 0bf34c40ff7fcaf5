//! `berth create-admin`: the first global admin of a new installation, or one more.

use anyhow::Context;
use berth_db::Tx;
use berth_domain::id::{MembershipId, UserId};
use berth_domain::limits::INVITATION_DAYS;
use berth_domain::value::{Email, Name};

use super::flags::Flags;
use crate::App;
use crate::admin::audit_log::{self, AuditAction, ObjectKind};
use crate::app::{Clock, Random};
use crate::auth::sessions;
use crate::auth::tokens::{self, Kind};
use crate::cli::{self, serve};
use crate::settings::Settings;

/// Whom to make a global admin.
#[derive(Debug, clap::Args)]
pub(super) struct Ask {
    /// Email address to sign in with
    #[arg(long)]
    email: String,
    /// First name
    #[arg(long)]
    first_name: String,
    /// Last name
    #[arg(long)]
    last_name: String,
    #[command(flatten)]
    flags: Flags,
}

impl Ask {
    /// The settings and the person.
    pub(super) fn split(self) -> (Flags, Person) {
        let person = Person { email: self.email, first_name: self.first_name, last_name: self.last_name };
        (self.flags, person)
    }
}

/// The person as typed.
#[derive(Debug)]
pub(super) struct Person {
    email: String,
    first_name: String,
    last_name: String,
}

/// Creates user and membership, and prints what to do next.
pub(super) async fn run(settings: Settings, person: Person) -> anyhow::Result<()> {
    const DETAIL: &str = "UPDATE secrets SET detail = $2 WHERE hash = $1";
    let settings = settings.checked()?;
    let email = Email::parse(&person.email).map_err(|text| anyhow::anyhow!("--email: {text}"))?;
    let first_name = Name::parse(&person.first_name).map_err(|text| anyhow::anyhow!("--first-name: {text}"))?;
    let last_name = Name::parse(&person.last_name).map_err(|text| anyhow::anyhow!("--last-name: {text}"))?;
    let db = serve::open(&settings).await?;
    serve::migrate(&db).await?;
    let app = App::new(db, settings, Clock::System, Random::System);
    audit_log::seals::follow(&app).await?;
    let mut tx = app.db.begin().await?;
    let (user_id, has_password) = user(&app, &mut tx, &email, &first_name, &last_name).await?;
    let (membership_id, is_new) = membership(&app, &mut tx, user_id).await?;
    // Someone who has a password signs in with it; a link would open nothing (DESIGN 5).
    let link = if has_password {
        None
    } else {
        let end = app.now().plus_days(INVITATION_DAYS);
        let secret = sessions::issue(&app, &mut tx, Kind::Invitation, user_id, None, end).await?;
        let origin = app.settings.origins.first().context("origins is empty")?;
        // With it the pages of an invitation know what the link is for, and can mail a new one when it came too late.
        let detail = format!("{membership_id} {origin}");
        tx.query(DETAIL).bind(tokens::hash(&secret)).bind(detail).execute().await?;
        Some(format!("{origin}/login/callback#access_token={secret}"))
    };
    let by = audit_log::Author { address: "command line".to_owned(), ..audit_log::Author::default() };
    let entry = audit_log::Entry::anywhere(
        AuditAction::MembershipInvited,
        Some((ObjectKind::User, user_id.0)),
        "global admin by the command line",
    );
    audit_log::write(&app, &mut tx, &by, &entry).await?;
    tx.commit().await?;
    app.db.close().await;

    let email = email.as_str();
    if !is_new {
        cli::say(&format!("{email} is a global admin already."));
    } else {
        cli::say(&format!("{email} is invited as a global admin."));
    }
    match link {
        Some(link) => {
            cli::say("This link sets the password and accepts the invitation, within 7 days; send it to nobody else:");
            cli::say(&link);
        }
        None if is_new => cli::say("Sign in with the password that is already there, and accept the invitation."),
        None => cli::say("Sign in with the password that is already there."),
    }
    Ok(())
}

/// The user with this address, made if there is none; true if there is a password.
async fn user(
    app: &App,
    tx: &mut Tx,
    email: &Email,
    first_name: &Name,
    last_name: &Name,
) -> anyhow::Result<(UserId, bool)> {
    const FIND: &str =
        "SELECT id, (password_hash IS NOT NULL) AS known FROM users WHERE email_key = $1 AND deleted_at IS NULL";
    const INSERT: &str = "INSERT INTO users (id, email, email_key, first_name, last_name, created_at) \
        VALUES ($1, $2, $3, $4, $5, $6)";
    if let Some(found) = tx.query(FIND).bind(email.key()).optional().await? {
        return Ok(found);
    }
    let id = UserId(app.id());
    tx.query(INSERT)
        .bind(id)
        .bind(email.as_str())
        .bind(email.key())
        .bind(first_name.as_str())
        .bind(last_name.as_str())
        .bind(app.now())
        .execute()
        .await?;
    Ok((id, false))
}

/// The membership, pending until the first full sign-in, and false if there was one already. A disabled one is opened
/// again.
async fn membership(app: &App, tx: &mut Tx, user_id: UserId) -> anyhow::Result<(MembershipId, bool)> {
    const FIND: &str =
        "SELECT id, status FROM memberships WHERE user_id = $1 AND role = 'GlobalAdmin' AND deleted_at IS NULL";
    const OPEN: &str = "UPDATE memberships SET status = 'PendingInvitation', accepted_at = NULL WHERE id = $1";
    const INSERT: &str = "INSERT INTO memberships (id, user_id, role, status, created_at) \
        VALUES ($1, $2, 'GlobalAdmin', 'PendingInvitation', $3)";
    let found: Option<(MembershipId, String)> = tx.query(FIND).bind(user_id).optional().await?;
    match found {
        Some((id, status)) if status == "Disabled" => {
            tx.query(OPEN).bind(id).execute().await?;
            Ok((id, true))
        }
        Some((id, _)) => Ok((id, false)),
        None => {
            let id = MembershipId(app.id());
            tx.query(INSERT).bind(id).bind(user_id).bind(app.now()).execute().await?;
            Ok((id, true))
        }
    }
}
