//! `berth create-admin`: the first global admin of a new installation, or one more.

use anyhow::Context;
use berth_domain::id::{MembershipId, UserId};
use berth_domain::limits::INVITATION_DAYS;
use berth_domain::value::{Email, Name};

use super::flags::Flags;
use crate::admin::audit_log::{AuditAction, Author, Entry, ObjectKind, seals};
use crate::app::{Clock, Random};
use crate::auth::sessions;
use crate::auth::tokens::{self, Kind};
use crate::change::{self, Change};
use crate::cli::{self, serve};
use crate::settings::Settings;
use crate::{App, Result};

/// Whom to make a global admin.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
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

impl Args {
    /// Splits into the settings and the person.
    pub(super) fn split(self) -> (Flags, Input) {
        let person = Input { email: self.email, first_name: self.first_name, last_name: self.last_name };
        (self.flags, person)
    }
}

/// The person as typed.
#[derive(Debug)]
pub(super) struct Input {
    email: String,
    first_name: String,
    last_name: String,
}

/// The person, checked.
struct Person {
    email: Email,
    first_name: Name,
    last_name: Name,
}

/// The outcome of the command.
struct Invited {
    /// False if the person was a global admin before.
    is_new: bool,
    /// The link that sets the password; none for somebody who has one.
    link: Option<String>,
}

/// Creates user and membership, and prints what to do next.
pub(super) async fn run(settings: Settings, input: Input) -> anyhow::Result<()> {
    let settings = settings.checked()?;
    let person = check(&input)?;
    let origin = settings.origins.first().context("origins is empty")?.clone();
    let db = serve::open(&settings).await?;
    serve::migrate(&db).await?;
    let app = App::new(db, settings, Clock::System, Random::System);
    seals::follow(&app).await?;
    let author = Author { address: "command line".to_owned(), ..Author::default() };
    let (person, origin) = (&person, origin.as_str());
    let invited: Result<Invited> = change::run(&app, author, |mut change| async move {
        let invited = invite(&mut change, person, origin).await?;
        change.done(invited)
    })
    .await;
    let invited = invited?;
    app.db.close().await;
    print(person.email.as_str(), &invited);
    Ok(())
}

fn check(input: &Input) -> anyhow::Result<Person> {
    Ok(Person {
        email: Email::parse(&input.email).map_err(|text| anyhow::anyhow!("--email: {text}"))?,
        first_name: Name::parse(&input.first_name).map_err(|text| anyhow::anyhow!("--first-name: {text}"))?,
        last_name: Name::parse(&input.last_name).map_err(|text| anyhow::anyhow!("--last-name: {text}"))?,
    })
}

async fn invite(change: &mut Change, person: &Person, origin: &str) -> Result<Invited> {
    let (user_id, has_password) = find_or_insert_user(change, person).await?;
    let (membership_id, is_new) = find_or_insert_membership(change, user_id).await?;
    // Someone who has a password signs in with it; a link would open nothing (DESIGN 5).
    let link = if has_password { None } else { Some(issue_link(change, user_id, membership_id, origin).await?) };
    let object = Some((ObjectKind::User, user_id.0));
    change.record(Entry::anywhere(AuditAction::MembershipInvited, object, "global admin by the command line")).await?;
    Ok(Invited { is_new, link })
}

/// Issues the link that sets the password and accepts the invitation.
async fn issue_link(change: &mut Change, user_id: UserId, membership_id: MembershipId, origin: &str) -> Result<String> {
    const DETAIL: &str = "UPDATE secrets SET detail = $2 WHERE hash = $1";
    let end = change.now.plus_days(INVITATION_DAYS);
    let app = change.app.clone();
    let secret = sessions::issue(&app, &mut change.tx, Kind::Invitation, user_id, None, end).await?;
    // The page of an invitation reads it to mail a new link in place of one that has expired.
    let detail = format!("{membership_id} {origin}");
    change.tx.query(DETAIL).bind(tokens::hash(&secret)).bind(detail).execute().await?;
    Ok(format!("{origin}/login/callback#access_token={secret}"))
}

fn print(email: &str, Invited { is_new, link }: &Invited) {
    if *is_new {
        cli::say(&format!("{email} is invited as a global admin."));
    } else {
        cli::say(&format!("{email} is a global admin already."));
    }
    match link {
        Some(link) => {
            cli::say("This link sets the password and accepts the invitation, within 7 days; send it to nobody else:");
            cli::say(link);
        }
        None if *is_new => cli::say("Sign in with the password that is already there, and accept the invitation."),
        None => cli::say("Sign in with the password that is already there."),
    }
}

/// Returns the user with this email address, created if there is none, and true if the user has a password.
async fn find_or_insert_user(change: &mut Change, person: &Person) -> Result<(UserId, bool)> {
    const FIND: &str =
        "SELECT id, (password_hash IS NOT NULL) AS known FROM users WHERE email_key = $1 AND deleted_at IS NULL";
    const INSERT: &str = "INSERT INTO users (id, email, email_key, first_name, last_name, created_at) \
        VALUES ($1, $2, $3, $4, $5, $6)";
    let Person { email, first_name, last_name } = person;
    if let Some(found) = change.tx.query(FIND).bind(email.key()).optional().await? {
        return Ok(found);
    }
    let id = UserId(change.app.id());
    let insert = change.tx.query(INSERT).bind(id).bind(email.as_str()).bind(email.key());
    insert.bind(first_name.as_str()).bind(last_name.as_str()).bind(change.now).execute().await?;
    Ok((id, false))
}

/// Returns the user's membership as a global admin, created or enabled again as pending if needed, and false if it was
/// there and enabled.
async fn find_or_insert_membership(change: &mut Change, user_id: UserId) -> Result<(MembershipId, bool)> {
    const FIND: &str =
        "SELECT id, status FROM memberships WHERE user_id = $1 AND role = 'GlobalAdmin' AND deleted_at IS NULL";
    const ENABLE: &str = "UPDATE memberships SET status = 'PendingInvitation', accepted_at = NULL WHERE id = $1";
    const INSERT: &str = "INSERT INTO memberships (id, user_id, role, status, created_at) \
        VALUES ($1, $2, 'GlobalAdmin', 'PendingInvitation', $3)";
    let found: Option<(MembershipId, String)> = change.tx.query(FIND).bind(user_id).optional().await?;
    match found {
        Some((id, status)) if status == "Disabled" => {
            change.tx.query(ENABLE).bind(id).execute().await?;
            Ok((id, true))
        }
        Some((id, _)) => Ok((id, false)),
        None => {
            let id = MembershipId(change.app.id());
            change.tx.query(INSERT).bind(id).bind(user_id).bind(change.now).execute().await?;
            Ok((id, true))
        }
    }
}
