//! `grant_type=password`: the first factor. Unknown users, wrong passwords and users without a password get the same answer
//! after the same work; that access is disabled is only said after a correct password. Attempts are counted before they
//! are made, by account and by requester, and returned when they succeed.

use axum::response::Response;
use berth_db::Tx;
use berth_domain::id::UserId;
use berth_domain::value::{search_key, visible};

use super::{GrantRequest, TokenError, agreements, first_step_answer};
use crate::admin::audit_log::{AuditAction, Author, Entry};
use crate::auth::sessions::{self, FIRST_STEP_LIFE};
use crate::auth::throttle::{self, SIGN_IN_ACCOUNT, SIGN_IN_REQUESTER};
use crate::auth::tokens::{self, Kind};
use crate::{App, Result, change};

#[derive(berth_db::FromRow)]
struct User {
    id: UserId,
    password_hash: Option<String>,
    may_enter: bool,
}

const FIND_USER: &str = "SELECT u.id, u.password_hash, EXISTS (SELECT 1 FROM memberships m WHERE m.user_id = u.id \
    AND m.deleted_at IS NULL AND m.status <> 'Disabled') AS may_enter \
    FROM users u WHERE u.email_key = $1 AND u.deleted_at IS NULL";

/// Checks the password and returns a first-step token.
pub(super) async fn grant(request: GrantRequest) -> Result<Response, TokenError> {
    let (Some(login), Some(password)) = (request.form.username.as_deref(), request.form.password.clone()) else {
        return Err(TokenError::new("invalid_request", "Please enter your email and your password."));
    };
    let app = &request.app;
    // Taken before any query: a request that finds the queue full costs nothing and loses no attempt.
    let place = app.hasher.place()?;
    // No email contains control characters, and PostgreSQL rejects text with a zero byte.
    let login_key = search_key(login).replace(char::is_control, "\u{fffd}");
    let user: Option<User> = app.db.query(FIND_USER).bind(login_key.clone()).optional().await?;
    let attempt = Attempt::count(&request, &login_key, user.as_ref().map(|user| user.id)).await?;

    let stored = user.as_ref().and_then(|user| user.password_hash.clone());
    let is_correct = match app.hasher.verify_from(place, password, stored).await {
        Ok(is_correct) => is_correct,
        Err(error) => {
            // The password was not checked, so this is not a failed attempt.
            attempt.give_back(app).await?;
            return Err(error.into());
        }
    };
    let Some(user) = user.filter(|_| is_correct) else {
        record_failure(&request, login).await?;
        return Err(TokenError::wrong_credentials());
    };
    let secret = open_first_step(&request, login, &attempt, &user).await?;
    Ok(first_step_answer(&request, &secret.ok_or_else(TokenError::access_disabled)?))
}

/// One attempt, counted before the password is checked. A known device has limits of its own, so that neither failures at
/// the account nor those behind the same address lock it out.
struct Attempt {
    account_key: String,
    /// `None` for a known device.
    requester_key: Option<String>,
}

impl Attempt {
    /// Counts the attempt.
    ///
    /// # Errors
    /// [`Error::TooMany`](crate::Error::TooMany) beyond the limits.
    async fn count(request: &GrantRequest, login_key: &str, user_id: Option<UserId>) -> Result<Self> {
        let app = &request.app;
        let attempt = match sessions::known_device(app, &request.headers, user_id).await? {
            Some(device) => Self { account_key: format!("sign-in:device:{device}"), requester_key: None },
            None => Self {
                account_key: format!("sign-in:account:{}", tokens::hash(login_key)),
                requester_key: Some(format!("sign-in:requester:{}", request.requester.network())),
            },
        };
        if let Some(key) = &attempt.requester_key {
            throttle::attempt(app, key, SIGN_IN_REQUESTER, app.now()).await?;
        }
        throttle::attempt(app, &attempt.account_key, SIGN_IN_ACCOUNT, app.now()).await?;
        Ok(attempt)
    }

    /// Returns the attempt to the limits, as if it had not been made.
    async fn give_back(&self, app: &App) -> Result<()> {
        change::run(app, Author::job(), |mut change| async move {
            self.give_back_requester(&mut change.tx).await?;
            throttle::give_back(&mut change.tx, &self.account_key, 1).await?;
            change.done(())
        })
        .await
    }

    /// Resets the limit of the account after a success.
    async fn succeed(&self, tx: &mut Tx) -> Result<()> {
        self.give_back_requester(tx).await?;
        throttle::forget(tx, &self.account_key).await
    }

    async fn give_back_requester(&self, tx: &mut Tx) -> Result<()> {
        match &self.requester_key {
            Some(key) => throttle::give_back(tx, key, 1).await,
            None => Ok(()),
        }
    }
}

/// Issues a first-step token. Returns `None`, which is recorded, if the user's access is disabled.
async fn open_first_step(
    request: &GrantRequest,
    login: &str,
    attempt: &Attempt,
    user: &User,
) -> Result<Option<String>> {
    change::run(&request.app, author(request, login), |mut change| async move {
        attempt.succeed(&mut change.tx).await?;
        if !user.may_enter {
            let summary = "right password, but the access is disabled";
            change.record(Entry::anywhere(AuditAction::LoginFailed, None, summary)).await?;
            return change.done(None);
        }
        agreements::accept(&mut change, request, user.id).await?;
        if request.is_cookie {
            sessions::end_of_browser(&mut change, &request.headers, &request.requester).await?;
        }
        let ends = change.now.plus_millis(FIRST_STEP_LIFE);
        let secret = sessions::issue(&change.app, &mut change.tx, Kind::FirstStep, user.id, None, ends).await?;
        change.done(Some(secret))
    })
    .await
}

async fn record_failure(request: &GrantRequest, login: &str) -> Result<()> {
    change::run(&request.app, author(request, login), |mut change| async move {
        change.record(Entry::anywhere(AuditAction::LoginFailed, None, "wrong email or password")).await?;
        change.done(())
    })
    .await
}

/// The author of audit rows about a failed sign-in: the login as it was typed.
fn author(request: &GrantRequest, login: &str) -> Author {
    let login: String = visible(login).chars().take(200).collect();
    Author { email: Some(login), ..request.stranger() }
}
