//! Audit rows for denied requests: 403, and 404 for a record that exists but that the caller may not see.

use std::sync::{Arc, Mutex, PoisonError};

use axum::http::StatusCode;
use berth_domain::id::{OrganizationId, UserId};
use berth_domain::policy::{self, Decision, Target};

use super::{AuditAction, Author, Entry, ObjectKind};
use crate::http::requester::Requester;
use crate::{App, Result};

/// The caller of a request and its last authorization decision.
#[derive(Debug, Clone, Default)]
pub struct Decisions(Arc<Mutex<State>>);

#[derive(Debug, Clone, Copy, Default)]
struct State {
    user_id: Option<UserId>,
    last: Option<(policy::Action, Target, Decision)>,
}

impl Decisions {
    /// Sets the user who makes the request.
    pub fn caller(&self, user_id: UserId) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).user_id = Some(user_id);
    }

    /// Sets the last decision.
    pub fn decided(&self, action: policy::Action, target: Target, decision: Decision) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).last = Some((action, target, decision));
    }

    fn state(&self) -> State {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Queues an audit row if `status` means that the request was denied. `call` is its method and the template of its path.
///
/// # Errors
/// Database errors; 503 if the queue stayed full.
pub async fn note(app: &App, requester: &Requester, status: StatusCode, call: impl Fn() -> String) -> Result<()> {
    let is_hidden = match status {
        StatusCode::FORBIDDEN => false,
        StatusCode::NOT_FOUND => true,
        _ => return Ok(()),
    };
    let State { user_id: Some(user_id), last } = requester.decisions.state() else { return Ok(()) };
    let hidden = last.filter(|(.., decision)| *decision == Decision::Hidden);
    if is_hidden && hidden.is_none() {
        return Ok(());
    }
    let target = last.map(|(_, target, _)| target);
    let entry = Entry::placed(
        place(app, user_id, target).await?,
        AuditAction::AccessDenied,
        object(target),
        match last {
            Some((action, _, Decision::Hidden | Decision::No)) => format!("{action:?}"),
            Some((_, _, Decision::Yes)) | None => String::new(),
        },
    );
    app.reads.enqueue(by(app, requester, user_id).await?, entry.asking(Some(call())), app.now()).await
}

fn object(target: Option<Target>) -> Option<(ObjectKind, uuid::Uuid)> {
    match target? {
        Target::Platform => None,
        Target::Organization { id, .. } => Some((ObjectKind::Organization, id.0)),
        Target::Site { id, .. } => Some((ObjectKind::Site, id.0)),
    }
}

/// Returns the place, whose owners read the row. Empty if the user has no membership in that organization: its owners need not
/// know who else tried.
async fn place(
    app: &App,
    user_id: UserId,
    target: Option<Target>,
) -> Result<(Option<OrganizationId>, Option<berth_domain::id::SiteId>)> {
    const BELONGS: &str = "SELECT m.id FROM memberships m LEFT JOIN sites s ON s.id = m.site_id \
        WHERE m.user_id = $1 AND m.deleted_at IS NULL AND (m.organization_id = $2 OR s.organization_id = $2) LIMIT 1";
    let (organization_id, site_id) = match target {
        None | Some(Target::Platform) => return Ok((None, None)),
        Some(Target::Organization { id, .. }) => (id, None),
        Some(Target::Site { id, organization_id, .. }) => (organization_id, Some(id)),
    };
    let belongs: Option<(uuid::Uuid,)> = app.db.query(BELONGS).bind(user_id).bind(organization_id).optional().await?;
    Ok(belongs.map_or((None, None), |_| (Some(organization_id), site_id)))
}

/// Returns the author, with email and role.
async fn by(app: &App, requester: &Requester, user_id: UserId) -> Result<Author> {
    const EMAIL: &str = "SELECT email FROM users WHERE id = $1";
    let mut view = app.db.read().await?;
    let email: Option<(String,)> = view.query(EMAIL).bind(user_id).optional().await?;
    let role = super::strongest_role(&mut view, user_id).await?;
    Ok(Author { user_id: Some(user_id.0), email: email.map(|(email,)| email), role, ..Author::stranger(requester) })
}
