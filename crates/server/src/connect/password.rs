//! `grant_type=password`: the first factor. Unknown users, wrong passwords, disabled users and users without a password
//! get the same answer after the same work; attempts are counted before they are made, by account and by requester.

use axum::response::Response;
use berth_db::Tx;
use berth_domain::id::UserId;
use berth_domain::value::search_key;

use super::{Ask, TokenError, agreements, first_step_answer};
use crate::audit::AuditAction;
use crate::sessions::{self, DEVICE_COOKIE, FIRST_STEP_LIFE};
use crate::throttle::{self, SIGN_IN_ACCOUNT, SIGN_IN_REQUESTER};
use crate::token::{self, Kind};
use crate::{Result, audit};

#[derive(sqlx::FromRow)]
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
        return Err(TokenError::new("invalid_request", "Please enter your e-mail and your password."));
    };
    let app = &ask.app;
    // Before the database is asked anything: whoever finds the queue full costs nothing and loses no try.
    let place = app.hasher.place()?;
    // No login holds control characters, and PostgreSQL refuses a text with a zero byte.
    let login_key = search_key(login).replace(char::is_control, "\u{fffd}");
    let user: Option<Known> = app.db.query(KNOWN).bind(login_key.clone()).optional().await?;

    let by_requester = format!("sign-in:requester:{}", ask.requester.network());
    let device = known_device(&ask, user.as_ref().map(|user| user.id)).await?;
    // Nor do the failures of others behind the same address: a known browser has its own bucket and no other.
    let by_requester = device.is_none().then_some(by_requester);
    let by_account = device.unwrap_or_else(|| format!("sign-in:account:{}", token::hash(&login_key)));
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
            give_back(&mut tx, by_requester.as_deref(), &by_account, false).await?;
            tx.commit().await?;
            return Err(error.into());
        }
    };
    let Some(user) = user.filter(|user| right && user.may_enter) else {
        let login: String = login.chars().filter(|letter| !letter.is_control()).take(200).collect();
        let by = audit::By { email: Some(login), ..audit::By::stranger(&ask.requester) };
        let entry = audit::Entry::anywhere(AuditAction::LoginFailed, None, "wrong e-mail or password");
        audit::write(app, &mut tx, &by, &entry).await?;
        tx.commit().await?;
        return Err(TokenError::wrong_credentials());
    };
    give_back(&mut tx, by_requester.as_deref(), &by_account, true).await?;
    agreements::accept(&ask, &mut tx, user.id).await?;
    let ends = app.now().plus_millis(FIRST_STEP_LIFE);
    let secret = sessions::issue(app, &mut tx, Kind::FirstStep, user.id, None, ends).await?;
    tx.commit().await?;
    Ok(first_step_answer(&ask, &secret))
}

/// Takes the attempt back; with `wholly` the account's history, too.
async fn give_back(tx: &mut Tx, by_requester: Option<&str>, by_account: &str, wholly: bool) -> Result<()> {
    if let Some(key) = by_requester {
        throttle::forgive(tx, key, false).await?;
    }
    throttle::forgive(tx, by_account, wholly).await
}

/// The bucket of a browser that signed in fully before, as this user. It is its own, so that a stranger's failures never
/// lock the owner out (security-and-proof 2.2).
async fn known_device(ask: &Ask, user_id: Option<UserId>) -> Result<Option<String>> {
    const DEVICE: &str = "SELECT user_id FROM secrets WHERE hash = $1 AND kind = 'device' AND expires_at > $2";
    let Some(device) = sessions::cookie(&ask.headers, DEVICE_COOKIE) else { return Ok(None) };
    let hash = token::hash(&device);
    let owner: Option<(UserId,)> = ask.app.db.query(DEVICE).bind(hash.clone()).bind(ask.app.now()).optional().await?;
    let is_theirs = owner.is_some_and(|(owner,)| Some(owner) == user_id);
    Ok(is_theirs.then(|| format!("sign-in:device:{hash}")))
}
