//! `PUT /api/Users/language`: the language of emails and text messages to the user.

use axum::extract::State;
use berth_domain::locale::Locale;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::admin::audit_log::{AuditAction, Author, Entry, ObjectKind};
use crate::auth::caller::SignedIn;
use crate::http::body::{Body, Done};
use crate::{App, Result, change};

/// The new language.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LanguageChoice {
    /// `en` or `es`.
    language: Locale,
}

/// Sets the language of emails and text messages. The language of the web pages is stored in the browser.
#[utoipa::path(put, path = "/api/Users/language", tag = "Users", request_body = LanguageChoice,
    responses((status = 204, description = "the language was set")))]
pub async fn choose_language(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    Body(body): Body<LanguageChoice>,
) -> Result<Done> {
    const SET: &str = "UPDATE users SET language = $2 WHERE id = $1 AND language <> $2";
    let (user_id, language) = (caller.actor.user_id, body.language);
    change::run(&app, Author::caller(&caller, None), |mut change| async move {
        if change.tx.query(SET).bind(user_id).bind(language).execute().await? == 0 {
            return change::unchanged(Done);
        }
        let object = Some((ObjectKind::User, user_id.0));
        change.record(Entry::anywhere(AuditAction::UserLanguageChosen, object, language.as_str())).await?;
        change.done(Done)
    })
    .await
}
