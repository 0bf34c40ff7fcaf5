//! Uploads of the two sides of an insurance card from the public side, where users have no account.

use axum::extract::Request;
use berth_domain::check::Check;
use utoipa::ToSchema;
use uuid::Uuid;

use super::parts::{self, UploadedFile};
use super::{MAX_FILE_BYTES, process, read_form, require_form, store};
use crate::admin::audit_log::Author;
use crate::auth::throttle::{self, UPLOAD_REQUESTER};
use crate::http::requester::Requester;
use crate::integrations::files::Prefix;
use crate::{App, Result};

/// Maximum size of such an upload's body, in bytes.
pub const MAX_CARDS_BODY: usize = 2 * MAX_FILE_BYTES + 64 * 1024;

/// The form of such an upload: one side or both.
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

/// The paths of the stored sides.
pub(crate) struct CardPaths {
    /// The path of the front, if it was sent.
    pub(crate) front: Option<String>,
    /// The path of the back, if it was sent.
    pub(crate) back: Option<String>,
}

/// Receives the sides that were sent, all or none. `guest_id` limits how many uploads of one guest are received at
/// once.
pub(crate) async fn receive_cards(
    app: &App,
    requester: &Requester,
    guest_id: Uuid,
    request: Request,
) -> Result<CardPaths> {
    require_form(&request)?;
    let key = format!("upload:requester:{}", requester.network());
    throttle::attempt(app, &key, UPLOAD_REQUESTER, app.now()).await?;
    let _turn = app.files.receive(guest_id).await?;
    let [front, back] = parts::read_sides(read_form(app, request).await?).await?;
    let mut check = Check::new();
    let mut pictures = Vec::new();
    let mut process_side = async |pointer: &str, file: Option<UploadedFile>| -> Result<Option<String>> {
        let Some(file) = file else { return Ok(None) };
        let Some(picture) = process(app, Prefix::Card, pointer, file, &mut check).await? else { return Ok(None) };
        let path = picture.path.clone();
        pictures.push(picture);
        Ok(Some(path))
    };
    let front = process_side("/front", front).await?;
    let back = process_side("/back", back).await?;
    check.finish()?;
    store(app, None, Some(&Author::stranger(requester)), Prefix::Card, &pictures).await?;
    Ok(CardPaths { front, back })
}
