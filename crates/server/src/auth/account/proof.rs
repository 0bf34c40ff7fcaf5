//! Fresh proof of identity: changing how an account is accessed requires that the user proved the password, or both factors,
//! in the last five minutes (security-and-proof 2.3, row 14). `POST /connect/prove` renews the proof.

use axum::extract::State;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::admin::audit_log::{AuditAction, Author, Entry, ObjectKind};
use crate::auth::caller::Caller;
use crate::auth::throttle::{self, SIGN_IN_ACCOUNT};
use crate::http::body::{Body, Done};
use crate::{App, Error, Result, change};

/// How long a proof is valid, in minutes.
const PROOF_MINUTES: i64 = 5;

/// Requires a proof from the last five minutes.
///
/// # Errors
/// [`Error::FreshProofNeeded`]: 403 with the code `fresh-proof`.
pub fn require_fresh(app: &App, caller: &Caller) -> Result<()> {
    let is_fresh = caller.proved_at.is_some_and(|proved| app.now() <= proved.plus_minutes(PROOF_MINUTES));
    if is_fresh { Ok(()) } else { Err(Error::FreshProofNeeded) }
}

/// Returns true if `password` is the caller's. Attempts are counted before the check, and a wrong password is recorded.
///
/// # Errors
/// [`Error::TooMany`] after five wrong passwords, [`Error::Busy`] if the hashing queue is full.
pub async fn is_password(app: &App, caller: &Caller, password: &str) -> Result<bool> {
    const HASH: &str = "SELECT password_hash FROM users WHERE id = $1";
    let user_id = caller.actor.user_id;
    let key = &format!("prove:user:{user_id}");
    throttle::attempt(app, key, SIGN_IN_ACCOUNT, app.now()).await?;
    let (stored,): (Option<String>,) = app.db.query(HASH).bind(user_id).one().await?;
    let is_correct = app.hasher.verify(password.to_owned(), stored).await?;
    change::run(app, Author::caller(caller, None), |mut change| async move {
        if is_correct {
            throttle::forget(&mut change.tx, key).await?;
        } else {
            let object = Some((ObjectKind::User, user_id.0));
            change
                .record(Entry::anywhere(AuditAction::ProofFailed, object, "wrong password in an open session"))
                .await?;
        }
        change.done(is_correct)
    })
    .await
}

/// The password, entered again.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Proof {
    /// The current password.
    password: String,
}

/// Proves the password again, which allows sensitive changes for the next five minutes.
#[utoipa::path(post, path = "/connect/prove", tag = "Sign-in", request_body = Proof,
    responses((status = 204, description = "the password was proved")))]
pub async fn prove(State(app): State<App>, caller: Caller, Body(body): Body<Proof>) -> Result<Done> {
    const SET: &str = "UPDATE sessions SET proved_at = $2 WHERE id = $1 AND ended_at IS NULL";
    if !is_password(&app, &caller, &body.password).await? {
        return Err(Error::field("/password", "The password is incorrect."));
    }
    let session_id = caller.session_id;
    change::run(&app, Author::caller(&caller, None), |mut change| async move {
        change.tx.query(SET).bind(session_id).bind(change.now).execute().await?;
        change.record(Entry::anywhere(AuditAction::SessionProved, None, "password proved again")).await?;
        change.done(Done)
    })
    .await
}
