//! Fresh proof: whoever changes how an account is entered has proved the password, or both factors, within the last
//! five minutes (security-and-proof 2.3, row 14). `POST /connect/prove` renews the proof.

use axum::extract::State;
use berth_domain::id::UserId;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::admin::audit_log::{self, AuditAction, ObjectKind};
use crate::auth::caller::Caller;
use crate::auth::throttle::{self, SIGN_IN_ACCOUNT};
use crate::http::body::{Body, Done};
use crate::{App, Error, Result};

/// How long a proof counts, in minutes.
const PROOF_MINUTES: i64 = 5;

/// Lets only a caller through who proved himself within the last five minutes.
///
/// # Errors
/// 403 with the code `fresh-proof`.
pub fn require_fresh(app: &App, caller: &Caller) -> Result<()> {
    let fresh = caller.proved_at.is_some_and(|proved| app.now() <= proved.plus_minutes(PROOF_MINUTES));
    if fresh { Ok(()) } else { Err(Error::FreshProofNeeded) }
}

/// Checks the password of someone who is signed in already; tries are counted before they are made.
///
/// # Errors
/// 429 after five wrong ones, 503 when too many wait for a check; a wrong one is `Ok(false)` and in the trail.
pub async fn is_password(app: &App, caller: &Caller, password: &str) -> Result<bool> {
    const HASH: &str = "SELECT password_hash FROM users WHERE id = $1";
    let key = key(caller.actor.user_id);
    throttle::attempt(&app.db, &key, SIGN_IN_ACCOUNT, app.now()).await?;
    let (stored,): (Option<String>,) = app.db.query(HASH).bind(caller.actor.user_id).one().await?;
    let right = app.hasher.verify(password.to_owned(), stored).await?;
    let mut tx = app.db.begin().await?;
    if right {
        throttle::forget(&mut tx, &key).await?;
    } else {
        let object = Some((ObjectKind::User, caller.actor.user_id.0));
        let entry = audit_log::Entry::anywhere(AuditAction::ProofFailed, object, "wrong password in an open session");
        audit_log::write(app, &mut tx, &audit_log::Author::caller(caller, None), &entry).await?;
    }
    tx.commit().await?;
    Ok(right)
}

fn key(user_id: UserId) -> String {
    format!("prove:user:{user_id}")
}

/// The password, once more.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Proof {
    /// The present password.
    password: String,
}

/// Proves the password again, so that a sensitive change is taken for the next five minutes.
#[utoipa::path(post, path = "/connect/prove", tag = "Sign-in", request_body = Proof,
    responses((status = 204, description = "proved")))]
pub async fn prove(State(app): State<App>, caller: Caller, Body(body): Body<Proof>) -> Result<Done> {
    const PROVED: &str = "UPDATE sessions SET proved_at = $2 WHERE id = $1 AND ended_at IS NULL";
    if !is_password(&app, &caller, &body.password).await? {
        return Err(Error::field("/password", "The password is incorrect."));
    }
    let mut tx = app.db.begin().await?;
    tx.query(PROVED).bind(caller.session_id).bind(app.now()).execute().await?;
    let entry = audit_log::Entry::anywhere(AuditAction::SessionProved, None, "password proved again");
    audit_log::write(&app, &mut tx, &audit_log::Author::caller(&caller, None), &entry).await?;
    tx.commit().await?;
    Ok(Done)
}
