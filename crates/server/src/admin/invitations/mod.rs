//! Invitations: a person gets a role at a place, pending until the person accepts and signs in fully (DESIGN 5; spec A 3, 4).
//!
//! Whoever has no password yet gets a one-time link of seven days, which is used up when the password is saved; a known
//! user gets a mail that says where to accept or decline. The inviter learns nothing about who has an account: what was
//! typed is shown until the person accepts. The mail is written in the transaction of what causes it, so nobody is invited
//! to a site that was not created.

pub(crate) mod answer;
mod letter;
pub(crate) mod list;
pub(crate) mod public;

use berth_db::Tx;
use berth_domain::id::{MembershipId, OrganizationId, SiteId, UserId};
use berth_domain::locale::Locale;
use berth_domain::policy::{Target, may_grant};
use berth_domain::role::{MembershipStatus, Role};
use berth_domain::value::{Email, Name, search_key};

use crate::admin::audit_log::{self, AuditAction, ObjectKind};
use crate::auth::caller::Caller;
use crate::auth::throttle::{self, INVITE_GLOBAL_ADMIN, INVITE_USER, LINK_MAIL};
use crate::auth::{links, tokens};
use crate::{App, Error, Result};

pub(crate) use answer::accept_by_link;

/// Life of an invitation link, in days (DESIGN 5).
const LINK_DAYS: i64 = 7;
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
    /// The organization, if it is held at one or at a site of one.
    #[must_use]
    pub const fn organization_id(self) -> Option<OrganizationId> {
        match self {
            Self::Platform => None,
            Self::Organization(id) | Self::Site(_, id) => Some(id),
        }
    }

    /// The site, if it is held at one.
    #[must_use]
    pub const fn site_id(self) -> Option<SiteId> {
        match self {
            Self::Platform | Self::Organization(_) => None,
            Self::Site(id, _) => Some(id),
        }
    }

    /// The place as a row of the trail has it.
    #[must_use]
    pub const fn place(self) -> (Option<OrganizationId>, Option<SiteId>) {
        (self.organization_id(), self.site_id())
    }

    /// The place as the policy sees it, for who grants which role.
    #[must_use]
    pub const fn target(self) -> Target {
        match self {
            Self::Platform => Target::Platform,
            Self::Organization(id) => Target::Organization { id, is_commercial: true, actor_sites: false },
            Self::Site(id, organization_id) => Target::Site { id, organization_id, is_commercial: true },
        }
    }
}

/// Where the link of an invitation leads: one of our origins, at `/login/callback`.
#[derive(Debug, Clone)]
pub struct Callback(links::Target);

impl Callback {
    /// Reads the `redirectUri` of a call. To be called before anything is written.
    ///
    /// # Errors
    /// 400 unless it is an origin of the settings, bare or with `/login/callback`.
    pub fn parse(app: &App, redirect_uri: &str) -> Result<Self> {
        links::Target::parse(app, redirect_uri, CALLBACK_PATH).map(Self)
    }
}

/// Who is invited, to what.
#[derive(Debug, Clone)]
pub struct Invite {
    /// The address that the mail goes to and that the user signs in with.
    pub email: Email,
    /// The field of the request that `email` came from, as a JSON pointer: a 409 is shown there.
    pub email_pointer: &'static str,
    /// First name, as it is shown until the person accepts; taken then by somebody who has none.
    pub first_name: Option<Name>,
    /// Last name, in the same way.
    pub last_name: Option<Name>,
    /// The role.
    pub role: Role,
    /// The place.
    pub scope: Scope,
    /// Whether messages about reservations go there, too.
    pub receive_reservation_texts: bool,
    /// Where the link leads.
    pub callback: Callback,
    /// Language of someone who has no account yet; none: that of the inviter.
    pub language: Option<Locale>,
}

/// What an invitation has made.
#[derive(Debug, Clone, Copy)]
pub struct Invited {
    /// The pending membership.
    pub membership_id: MembershipId,
    /// The user, new or known.
    pub user_id: UserId,
}

/// A user who is about to be invited.
#[derive(berth_db::FromRow)]
struct Person {
    id: UserId,
    email: String,
    language: Locale,
    has_password: bool,
}

/// Invites a person: finds or creates the user, adds the pending membership, writes link, mail and audit row.
///
/// # Errors
/// 403 when the caller's rank does not cover the role at this place, 409 at the field of the email when the person
/// already has a role there, 429 when too many mails go to the address or come from the caller.
pub async fn invite(app: &App, tx: &mut Tx, caller: &Caller, invite: Invite) -> Result<Invited> {
    if !may_grant(&caller.actor, None, invite.role, &invite.scope.target()) {
        return Err(Error::Forbidden("Your role does not allow this.".to_owned()));
    }
    let now = app.now();
    let by_address = format!("invite:address:{}", tokens::hash(&invite.email.key()));
    let by_user = if caller.is_global() { INVITE_GLOBAL_ADMIN } else { INVITE_USER };
    throttle::attempt_within(tx, &format!("invite:user:{}", caller.actor.user_id), by_user, now).await?;
    throttle::attempt_within(tx, &by_address, LINK_MAIL, now).await?;
    let person = person(app, tx, caller, &invite).await?;
    let membership_id = membership(app, tx, caller, &invite, person.id).await?;
    letter::send(app, tx, &person, membership_id, &invite.callback.0).await?;
    let (place, object) = (invite.scope.place(), Some((ObjectKind::Membership, membership_id.0)));
    let summary = format!("invited as {}", invite.role);
    let entry = audit_log::Entry::placed(place, AuditAction::MembershipInvited, object, summary);
    audit_log::write(app, tx, &audit_log::Author::caller(caller, None), &entry).await?;
    Ok(Invited { membership_id, user_id: person.id })
}

/// The user with this address, created without a name if there is none: the name is taken when the person accepts.
async fn person(app: &App, tx: &mut Tx, caller: &Caller, invite: &Invite) -> Result<Person> {
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

/// The pending membership. One that was removed may be invited anew; any other at the same place stands in the way.
async fn membership(app: &App, tx: &mut Tx, caller: &Caller, invite: &Invite, user_id: UserId) -> Result<MembershipId> {
    const INSERT: &str = "INSERT INTO memberships (id, user_id, role, organization_id, site_id, status, \
        receive_reservation_texts, created_at, created_by, invited_email, invited_first_name, invited_last_name) \
        VALUES ($1, $2, $3, $4, $5, 'PendingInvitation', $6, $7, $8, $9, $10, $11) ON CONFLICT DO NOTHING RETURNING id";
    const STANDING: &str = "SELECT status FROM memberships WHERE user_id = $1 AND deleted_at IS NULL \
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
    let standing: Option<(MembershipStatus,)> =
        tx.query(STANDING).bind(user_id).bind(organization_id).bind(site_id).optional().await?;
    let sentence = match standing {
        Some((MembershipStatus::PendingInvitation,)) => {
            "This person has already been invited. You can send the invitation again."
        }
        Some((MembershipStatus::Disabled,)) => "This person's access is disabled. You can enable it again.",
        Some((MembershipStatus::Active,)) | None => "This person already has access.",
    };
    Err(Error::conflict_field(invite.email_pointer, sentence))
}

/// Sends the mail of a pending membership again, with a new link. Five a minute by requester and by address.
///
/// # Errors
/// 404 when it is not pending any more, 429 when too many mails were sent.
pub async fn again(
    app: &App,
    caller: &Caller,
    membership_id: MembershipId,
    scope: Scope,
    callback: &Callback,
) -> Result<()> {
    let now = app.now();
    let by_requester = format!("invite-again:requester:{}", caller.requester.network());
    throttle::attempt(&app.db, &by_requester, LINK_MAIL, now).await?;
    let mut tx = app.db.begin().await?;
    let person = invited(&mut tx, membership_id).await?.ok_or(Error::NotFound)?;
    let by_address = format!("invite:address:{}", tokens::hash(&search_key(&person.email)));
    throttle::attempt_within(&mut tx, &by_address, LINK_MAIL, now).await?;
    letter::send(app, &mut tx, &person, membership_id, &callback.0).await?;
    let (place, object) = (scope.place(), Some((ObjectKind::Membership, membership_id.0)));
    let summary = "the invitation was sent again";
    let entry = audit_log::Entry::placed(place, AuditAction::MembershipInvitedAgain, object, summary);
    audit_log::write(app, &mut tx, &audit_log::Author::caller(caller, None), &entry).await?;
    Ok(tx.commit().await?)
}

/// Writes the mails of all memberships that are pending, for those that [`invite`] has not made: the demo's.
pub async fn send_all(app: &App) -> Result<()> {
    const PENDING: &str = "SELECT id FROM memberships WHERE deleted_at IS NULL AND status = 'PendingInvitation' \
        ORDER BY id";
    let Some(callback) = links::Target::ours(app, "", CALLBACK_PATH) else { return Ok(()) };
    let mut tx = app.db.begin().await?;
    let pending: Vec<(MembershipId,)> = tx.query(PENDING).all().await?;
    for (id,) in pending {
        if let Some(person) = invited(&mut tx, id).await? {
            letter::send(app, &mut tx, &person, id, &callback).await?;
        }
    }
    Ok(tx.commit().await?)
}

/// The person of a membership that is still pending.
async fn invited(tx: &mut Tx, membership_id: MembershipId) -> Result<Option<Person>> {
    const PENDING: &str = "SELECT u.id, u.email, u.language, (u.password_hash IS NOT NULL) AS has_password \
        FROM memberships m JOIN users u ON u.id = m.user_id AND u.deleted_at IS NULL \
        WHERE m.id = $1 AND m.deleted_at IS NULL AND m.status = 'PendingInvitation'";
    Ok(tx.query(PENDING).bind(membership_id).optional().await?)
}

/// The membership that an invitation link was sent for, from what is stored with the link.
pub(crate) fn membership_of(detail: &str) -> Option<MembershipId> {
    detail.split_once(' ')?.0.parse().ok()
}
