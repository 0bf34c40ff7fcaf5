//! Invitations: a membership that is pending until the person accepts and signs in fully (DESIGN 5; spec A 3, 4).
//!
//! A person without a password gets a one-time link that is valid for seven days and used up when the password is saved;
//! others get an email with a link to the page where they accept or decline. The inviter does not learn who has an account:
//! until the person accepts, the names and the email that the inviter typed are shown. The email is queued in the
//! transaction that creates the membership.

pub(crate) mod answer;
mod letter;
pub(crate) mod list;
pub(crate) mod public;

use berth_db::{Queries, Tx};
use berth_domain::id::{MembershipId, OrganizationId, SiteId, UserId};
use berth_domain::locale::Locale;
use berth_domain::policy::{Target, may_grant};
use berth_domain::role::{MembershipStatus, Role};
use berth_domain::value::{Email, Name, search_key};

use crate::admin::audit_log::{AuditAction, Author, Entry, ObjectKind};
use crate::auth::caller::Caller;
use crate::auth::throttle::{self, INVITE_GLOBAL_ADMIN, INVITE_USER, LINK_MAIL};
use crate::auth::{links, tokens};
use crate::{App, Error, Result, change};

pub(crate) use answer::accept_by_link;

/// Validity of an invitation link, in days (DESIGN 5).
const LINK_DAYS: i64 = berth_domain::limits::INVITATION_DAYS;
/// The page that an invitation link opens.
const CALLBACK_PATH: &str = "/login/callback";

/// Where a role is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// The platform: global admins.
    Platform,
    /// An organization: owners.
    Organization(OrganizationId),
    /// A site and the organization that it belongs to: admin, intake, staff.
    Site(SiteId, OrganizationId),
}

impl Scope {
    /// Returns the organization, or that of the site; `None` for the platform.
    #[must_use]
    pub const fn organization_id(self) -> Option<OrganizationId> {
        match self {
            Self::Platform => None,
            Self::Organization(id) | Self::Site(_, id) => Some(id),
        }
    }

    /// Returns the site, if any.
    #[must_use]
    pub const fn site_id(self) -> Option<SiteId> {
        match self {
            Self::Platform | Self::Organization(_) => None,
            Self::Site(id, _) => Some(id),
        }
    }

    /// Returns the organization and site of an audit row.
    #[must_use]
    pub const fn place(self) -> (Option<OrganizationId>, Option<SiteId>) {
        (self.organization_id(), self.site_id())
    }

    /// Returns the target of the policy that says who may grant a role here.
    #[must_use]
    pub const fn target(self) -> Target {
        match self {
            Self::Platform => Target::Platform,
            Self::Organization(id) => Target::Organization { id, is_commercial: true, actor_sites: false },
            Self::Site(id, organization_id) => Target::Site { id, organization_id, is_commercial: true },
        }
    }
}

/// Target of the link in an invitation: an origin of this server, at `/login/callback`.
#[derive(Debug, Clone)]
pub struct Callback(links::Target);

impl Callback {
    /// Parses the `redirectUri` of a request. Call it before anything is written.
    ///
    /// # Errors
    /// 400 unless it is a configured origin, bare or with `/login/callback`.
    pub fn parse(app: &App, redirect_uri: &str) -> Result<Self> {
        links::Target::parse(app, redirect_uri, CALLBACK_PATH).map(Self)
    }
}

/// An invitation to create.
#[derive(Debug, Clone)]
pub struct Invite {
    /// Email address of the person, who signs in with it.
    pub email: Email,
    /// JSON pointer of the request's field with the email; a 409 names it.
    pub email_pointer: &'static str,
    /// First name, shown until the person accepts. Becomes the name of a person who has none.
    pub first_name: Option<Name>,
    /// Last name, likewise.
    pub last_name: Option<Name>,
    /// The role.
    pub role: Role,
    /// Place where the role is held.
    pub scope: Scope,
    /// True if the person gets text messages about reservations.
    pub receive_reservation_texts: bool,
    /// Target of the link.
    pub callback: Callback,
    /// Language of a person without an account; the inviter's if `None`.
    pub language: Option<Locale>,
}

/// A created invitation.
#[derive(Debug, Clone)]
#[must_use = "the caller records `entry`"]
pub struct Invitation {
    /// The pending membership.
    pub membership_id: MembershipId,
    /// The audit row, which the caller records. The dashboard's parts that it locks come last in a transaction.
    pub entry: Entry,
}

/// An invited user.
#[derive(berth_db::FromRow)]
struct Person {
    id: UserId,
    email: String,
    language: Locale,
    has_password: bool,
}

/// Creates an invitation: finds or creates the user, inserts the pending membership, and queues the email with the link.
///
/// # Errors
/// 403 if the caller's rank does not cover the role at this place, 409 at the field of the email if the person already has
/// a role there, 429 if too many emails go to the address or come from the caller.
pub async fn create(app: &App, tx: &mut Tx, caller: &Caller, invite: Invite) -> Result<Invitation> {
    if !may_grant(&caller.actor, None, invite.role, &invite.scope.target()) {
        return Err(Error::Forbidden("Your role does not allow this.".to_owned()));
    }
    let now = app.now();
    let by_user = if caller.is_global() { INVITE_GLOBAL_ADMIN } else { INVITE_USER };
    throttle::attempt_within(tx, &format!("invite:user:{}", caller.actor.user_id), by_user, now).await?;
    throttle::attempt_within(tx, &address_key(&invite.email.key()), LINK_MAIL, now).await?;
    let person = find_or_insert_person(app, tx, caller, &invite).await?;
    let membership_id = insert_membership(app, tx, caller, &invite, person.id).await?;
    letter::send(app, tx, &person, membership_id, &invite.callback.0).await?;
    let summary = format!("invited as {}", invite.role);
    let entry = entry(invite.scope, membership_id, AuditAction::MembershipInvited, &summary);
    Ok(Invitation { membership_id, entry })
}

/// Returns an audit row about a membership.
fn entry(scope: Scope, id: MembershipId, action: AuditAction, summary: &str) -> Entry {
    Entry::placed(scope.place(), action, Some((ObjectKind::Membership, id.0)), summary)
}

/// Returns the throttle key of an email address, given its search key.
fn address_key(email_key: &str) -> String {
    format!("invite:address:{}", tokens::hash(email_key))
}

/// Finds the user with this email address, or inserts one without a name: the name is set when the person accepts.
async fn find_or_insert_person(app: &App, tx: &mut Tx, caller: &Caller, invite: &Invite) -> Result<Person> {
    const INVITER: &str = "SELECT language FROM users WHERE id = $1";
    const INSERT: &str = "INSERT INTO users (id, email, email_key, first_name, last_name, language, created_at) \
        VALUES ($1, $2, $3, '', '', $4, $5) ON CONFLICT (email_key) WHERE deleted_at IS NULL DO NOTHING";
    const FIND: &str = "SELECT id, email, language, (password_hash IS NOT NULL) AS has_password FROM users \
        WHERE email_key = $1 AND deleted_at IS NULL";
    let language: Locale = match invite.language {
        Some(language) => language,
        None => tx.query(INVITER).bind(caller.actor.user_id).scalar().await?,
    };
    tx.query(INSERT)
        .bind(app.id())
        .bind(invite.email.as_str().to_owned())
        .bind(invite.email.key())
        .bind(language)
        .bind(app.now())
        .execute()
        .await?;
    Ok(tx.query(FIND).bind(invite.email.key()).one().await?)
}

/// Inserts the pending membership. A removed one does not count.
///
/// # Errors
/// 409 if the user has a membership at the same place.
async fn insert_membership(
    app: &App,
    tx: &mut Tx,
    caller: &Caller,
    invite: &Invite,
    user_id: UserId,
) -> Result<MembershipId> {
    const INSERT: &str = "INSERT INTO memberships (id, user_id, role, organization_id, site_id, status, \
        receive_reservation_texts, created_at, created_by, invited_email, invited_first_name, invited_last_name) \
        VALUES ($1, $2, $3, $4, $5, 'PendingInvitation', $6, $7, $8, $9, $10, $11) ON CONFLICT DO NOTHING RETURNING id";
    const EXISTING: &str = "SELECT status FROM memberships WHERE user_id = $1 AND deleted_at IS NULL \
        AND ((organization_id IS NULL AND $2 IS NULL) OR organization_id = $2) \
        AND ((site_id IS NULL AND $3 IS NULL) OR site_id = $3)";
    let organization_id = match invite.scope {
        Scope::Organization(id) => Some(id),
        Scope::Platform | Scope::Site(..) => None,
    };
    let site_id = invite.scope.site_id();
    let text = |name: &Option<Name>| name.as_ref().map(|name| name.as_str().to_owned()).unwrap_or_default();
    let inserted: Option<(MembershipId,)> = tx
        .query(INSERT)
        .bind(MembershipId(app.id()))
        .bind(user_id)
        .bind(invite.role)
        .bind(organization_id)
        .bind(site_id)
        .bind(invite.receive_reservation_texts)
        .bind(app.now())
        .bind(caller.actor.user_id)
        .bind(invite.email.as_str().to_owned())
        .bind(text(&invite.first_name))
        .bind(text(&invite.last_name))
        .optional()
        .await?;
    if let Some((id,)) = inserted {
        return Ok(id);
    }
    let existing: Option<(MembershipStatus,)> =
        tx.query(EXISTING).bind(user_id).bind(organization_id).bind(site_id).optional().await?;
    let sentence = match existing {
        Some((MembershipStatus::PendingInvitation,)) => {
            "This person has already been invited. You can send the invitation again."
        }
        Some((MembershipStatus::Disabled,)) => "This person's access is disabled. You can enable it again.",
        Some((MembershipStatus::Active,)) | None => "This person already has access.",
    };
    Err(Error::conflict_field(invite.email_pointer, sentence))
}

/// Sends the email of a pending membership again, with a new link. Limited to 5 a minute by requester and by address.
///
/// # Errors
/// 404 if the membership is no longer pending, 429 if too many emails were sent.
pub async fn resend(
    app: &App,
    caller: &Caller,
    membership_id: MembershipId,
    scope: Scope,
    callback: &Callback,
) -> Result<()> {
    let by_requester = format!("invite-again:requester:{}", caller.requester.network());
    throttle::attempt(app, &by_requester, LINK_MAIL, app.now()).await?;
    change::run(app, Author::caller(caller, None), |mut change| async move {
        let person = find_pending(&mut change.tx, membership_id).await?.ok_or(Error::NotFound)?;
        let by_address = address_key(&search_key(&person.email));
        throttle::attempt_within(&mut change.tx, &by_address, LINK_MAIL, change.now).await?;
        letter::send(&change.app, &mut change.tx, &person, membership_id, &callback.0).await?;
        let action = AuditAction::MembershipInvitedAgain;
        change.record(entry(scope, membership_id, action, "the invitation was sent again")).await?;
        change.done(())
    })
    .await
}

/// Sends the emails of all pending memberships. For the demo, whose memberships are not made by [`create`].
pub async fn send_all(app: &App) -> Result<()> {
    const PENDING: &str = "SELECT id FROM memberships WHERE deleted_at IS NULL AND status = 'PendingInvitation' \
        ORDER BY id";
    let Some(callback) = links::Target::ours(app, "", CALLBACK_PATH) else { return Ok(()) };
    let callback = &callback;
    change::run(app, Author::job(), |mut change| async move {
        let pending: Vec<(MembershipId,)> = change.tx.query(PENDING).all().await?;
        for (id,) in pending {
            if let Some(person) = find_pending(&mut change.tx, id).await? {
                letter::send(&change.app, &mut change.tx, &person, id, callback).await?;
            }
        }
        change.done(())
    })
    .await
}

/// Finds the user of a membership that is still pending.
async fn find_pending(mut db: impl Queries, membership_id: MembershipId) -> Result<Option<Person>> {
    const PENDING: &str = "SELECT u.id, u.email, u.language, (u.password_hash IS NOT NULL) AS has_password \
        FROM memberships m JOIN users u ON u.id = m.user_id AND u.deleted_at IS NULL \
        WHERE m.id = $1 AND m.deleted_at IS NULL AND m.status = 'PendingInvitation'";
    Ok(db.query(PENDING).bind(membership_id).optional().await?)
}

/// Parses the membership from the detail that is stored with an invitation link.
pub(crate) fn membership_of(detail: &str) -> Option<MembershipId> {
    detail.split_once(' ')?.0.parse().ok()
}
