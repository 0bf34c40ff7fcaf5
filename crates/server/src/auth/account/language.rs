//! `PUT /api/Users/language`: the language that Berth writes to a user in.

use axum::extract::State;
use berth_domain::locale::Locale;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::admin::audit_log::{self, AuditAction, ObjectKind};
use crate::auth::caller::SignedIn;
use crate::http::body::{Body, Done};
use crate::{App, Result};

/// A language.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LanguageChoice {
    /// `en` or `es`.
    language: Locale,
}

/// Chooses the language of mails and text messages. The web pages keep a choice of their own in the browser.
#[utoipa::path(put, path = "/api/Users/language", tag = "Users", request_body = LanguageChoice,
    responses((status = 204, description = "the language was chosen")))]
pub async fn choose_language(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Body(body): Body<LanguageChoice>,
) -> Result<Done> {
    const SET: &str = "UPDATE users SET language = $2 WHERE id = $1 AND language <> $2";
    let mut tx = app.db.begin().await?;
    let changed = tx.query(SET).bind(caller.actor.user_id).bind(body.language).execute().await?;
    if changed > 0 {
        let object = Some((ObjectKind::User, caller.actor.user_id.0));
        let entry = audit_log::Entry::anywhere(AuditAction::UserLanguageChosen, object, body.language.as_str());
        audit_log::write(&app, &mut tx, &audit_log::Author::caller(&caller, None), &entry).await?;
    }
    tx.commit().await?;
    Ok(Done)
}
