//! The two sides of an insurance card from the public side, where nobody has an account.

use axum::extract::Request;
use berth_domain::check::Check;
use utoipa::ToSchema;
use uuid::Uuid;

use super::parts::{self, SentFile};
use super::{MOST_BYTES, draw, read_form, require_form, store};
use crate::admin::audit_log::Author;
use crate::auth::throttle::{self, UPLOAD_REQUESTER};
use crate::http::requester::Requester;
use crate::integrations::files::Prefix;
use crate::{App, Result};

/// Longest body of such an upload, in bytes.
pub const MAX_CARDS_BODY: usize = 2 * MOST_BYTES + 64 * 1024;

/// What such an upload sends: one side or both.
#[derive(ToSchema)]
#[expect(dead_code, reason = "it describes the form; the form is read field by field")]
pub struct CardImages {
    /// A JPEG, PNG or GIF picture of at most 5,242,880 bytes.
    #[schema(value_type = Option<String>, format = Binary)]
    front: Option<Vec<u8>>,
    /// A JPEG, PNG or GIF picture of at most 5,242,880 bytes.
    #[schema(value_type = Option<String>, format = Binary)]
    back: Option<Vec<u8>>,
}

/// Where the sides are kept.
pub(crate) struct CardPaths {
    /// The front, if it was sent.
    pub(crate) front: Option<String>,
    /// The back, if it was sent.
    pub(crate) back: Option<String>,
}

/// Receives the sides that were sent, all or none. `whose` is the guest: few uploads of one guest are received at once.
pub(crate) async fn receive_cards(
    app: &App,
    requester: &Requester,
    whose: Uuid,
    request: Request,
) -> Result<CardPaths> {
    require_form(&request)?;
    let key = format!("upload:requester:{}", requester.network());
    throttle::attempt(app, &key, UPLOAD_REQUESTER, app.now()).await?;
    let _turn = app.files.receive(whose).await?;
    let [front, back] = parts::read_sides(read_form(app, request).await?).await?;
    let mut check = Check::new();
    let mut pictures = Vec::new();
    let mut draw_side = async |pointer: &str, file: Option<SentFile>| -> Result<Option<String>> {
        let Some(file) = file else { return Ok(None) };
        let Some(arrival) = draw(app, Prefix::Card, pointer, file, &mut check).await? else { return Ok(None) };
        let path = arrival.path.clone();
        pictures.push(arrival);
        Ok(Some(path))
    };
    let front = draw_side("/front", front).await?;
    let back = draw_side("/back", back).await?;
    check.finish()?;
    store(app, None, Some(&Author::stranger(requester)), Prefix::Card, &pictures).await?;
    Ok(CardPaths { front, back })
}
