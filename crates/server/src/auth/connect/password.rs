//! `grant_type=password`: the first factor. Unknown users, wrong passwords and users without a password get the same
//! answer after the same work; only a right password is told that its access is disabled. Attempts are counted before they
//! are made, by account and by requester, and given back when they succeed.

use axum::response::Response;
use berth_db::Tx;
use berth_domain::id::UserId;
use berth_domain::value::{search_key, visible};

use super::{Ask, TokenError, agreements, first_step_answer};
use crate::Result;
use crate::admin::audit_log::{self, AuditAction};
use crate::auth::sessions::{self, FIRST_STEP_LIFE};
use crate::auth::throttle::{self, SIGN_IN_ACCOUNT, SIGN_IN_REQUESTER};
use crate::auth::tokens::{self, Kind};

#[derive(berth_db::FromRow)]
struct Known {
    id: UserId,
    password_hash: Option<String>,
    may_enter: bool,
}

const KNOWN: &str = "SELECT u.id, u.password_hash, EXISTS (SELECT 1 FROM memberships m WHERE m.user_id = u.id \
    AND m.deleted_at IS NULL AND m.status <> 'Disabled') AS may_enter \
    FROM users u WHERE u.email_key = $1 AND u.deleted_at IS NULL";

/// Checks the password and gives a first-step token.
pub(super) async fn grant(ask: Ask) -> Result<Response, TokenError> {
    let (Some(login), Some(password)) = (ask.form.username.as_deref(), ask.form.password.clone()) else {
        return Err(TokenError::new("invalid_request", "Please enter your email and your password."));
    };
    let app = &ask.app;
    // Before the database is asked anything: whoever finds the queue full costs nothing and loses no try.
    let place = app.hasher.place()?;
    // No login holds control characters, and PostgreSQL refuses a text with a zero byte.
    let login_key = search_key(login).replace(char::is_control, "\u{fffd}");
    let user: Option<Known> = app.db.query(KNOWN).bind(login_key.clone()).optional().await?;

    let by_requester = format!("sign-in:requester:{}", ask.requester.network());
    let device = sessions::known_device(app, &ask.headers, user.as_ref().map(|user| user.id)).await?;
    // A known device has limits of its own: neither failures at this account nor those behind this address count for it.
    let by_requester = device.is_none().then_some(by_requester);
    let by_account = device.map_or_else(
        || format!("sign-in:account:{}", tokens::hash(&login_key)),
        |device| format!("sign-in:device:{device}"),
    );
    if let Some(key) = &by_requester {
        throttle::attempt(&app.db, key, SIGN_IN_REQUESTER, app.now()).await?;
    }
    throttle::attempt(&app.db, &by_account, SIGN_IN_ACCOUNT, app.now()).await?;

    let stored = user.as_ref().and_then(|user| user.password_hash.clone());
    let looked_at = app.hasher.verify_from(place, password, stored).await;
    let mut tx = app.db.begin().await?;
    let right = match looked_at {
        Ok(right) => right,
        Err(error) => {
            // The hashing broke off. Nobody looked at the password, so it is no failure.
            give_back_requester(&mut tx, by_requester.as_deref()).await?;
            throttle::give_back(&mut tx, &by_account, 1).await?;
            tx.commit().await?;
            return Err(error.into());
        }
    };
    let Some(user) = user.filter(|_| right) else {
        note_failure(&ask, &mut tx, login, "wrong email or password").await?;
        tx.commit().await?;
        return Err(TokenError::wrong_credentials());
    };
    give_back_requester(&mut tx, by_requester.as_deref()).await?;
    throttle::forget(&mut tx, &by_account).await?;
    if !user.may_enter {
        note_failure(&ask, &mut tx, login, "right password, but the access is disabled").await?;
        tx.commit().await?;
        return Err(TokenError::access_disabled());
    }
    agreements::accept(&ask, &mut tx, user.id).await?;
    if ask.cookie {
        sessions::end_of_browser(app, &mut tx, &ask.headers, &ask.requester).await?;
    }
    let ends = app.now().plus_millis(FIRST_STEP_LIFE);
    let secret = sessions::issue(app, &mut tx, Kind::FirstStep, user.id, None, ends).await?;
    tx.commit().await?;
    Ok(first_step_answer(&ask, &secret))
}

async fn give_back_requester(tx: &mut Tx, by_requester: Option<&str>) -> Result<()> {
    match by_requester {
        Some(key) => throttle::give_back(tx, key, 1).await,
        None => Ok(()),
    }
}

/// Writes a failed sign-in into the trail, with the login as it was typed.
async fn note_failure(ask: &Ask, tx: &mut Tx, login: &str, why: &str) -> Result<()> {
    let login: String = visible(login).chars().take(200).collect();
    let by = audit_log::Author { email: Some(login), ..audit_log::Author::stranger(&ask.requester) };
    audit_log::write(&ask.app, tx, &by, &audit_log::Entry::anywhere(AuditAction::LoginFailed, None, why)).await
}
