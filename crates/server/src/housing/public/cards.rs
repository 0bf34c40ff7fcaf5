//! `POST /api/public/reservations/{id}/cards`: pictures of the insurance card for a confirmed reservation. Uploads are
//! only accepted after the phone was confirmed, so the store never holds files of unconfirmed requests
//! (docs/decisions/0034).

use axum::extract::{Request, State};
use berth_domain::id::GuestId;
use uuid::Uuid;

use super::{confirm, limit_calls, limits, reserve};
use crate::admin::audit_log::{AuditAction, Author, Entry, ObjectKind};
use crate::auth::tokens;
use crate::change::{self, Change};
use crate::housing::guests;
use crate::http::body::{Done, Path};
use crate::http::requester::Requester;
use crate::integrations::files;
use crate::integrations::images::{self, CardImages, CardPaths};
use crate::{App, Error, Result};

/// Adds pictures of the insurance card to a confirmed reservation, for 30 minutes after the confirmation. Only those
/// who may see the guest's contact can see them.
#[utoipa::path(post, path = "/api/public/reservations/{id}/cards", tag = "Public",
    params(("id" = Uuid, Path, description = "from the answer to the request")),
    request_body(content = CardImages, content_type = "multipart/form-data"),
    responses((status = 204, description = "added")))]
pub async fn add_cards(
    State(app): State<App>,
    requester: Requester,
    Path(id): Path<Uuid>,
    request: Request,
) -> Result<Done> {
    limit_calls(&app, &requester)?;
    add(&app, &requester, id, request).await?;
    Ok(Done)
}

/// Receives pictures of one or both sides of the card and adds them to the guest.
async fn add(app: &App, requester: &Requester, id: Uuid, request: Request) -> Result<()> {
    let (site, guest) = confirm::open_for_cards(app, id).await?;
    limits::add_cards(app, &tokens::hash(&id.to_string()), app.now()).await?;
    let paths = images::receive_cards(app, requester, guest.0, request).await?;
    let paths = &paths;
    change::run(app, Author::stranger(requester), |mut change| async move {
        let site = reserve::touch_open_site(&mut change, site).await?;
        let code = attach(&mut change, guest, paths).await?;
        change.record(Entry::at(&site, AuditAction::GuestCardAdded, (ObjectKind::Guest, guest.0), code)).await?;
        change.done(())
    })
    .await
}

/// Stores the paths of the pictures and returns the guest's code. A side that was not sent keeps its picture; one that was sent before is
/// given up.
///
/// # Errors
/// 409 if the reservation has ended.
async fn attach(change: &mut Change, guest: GuestId, paths: &CardPaths) -> Result<String> {
    const BEFORE: &str = "SELECT insurance_card_front, insurance_card_back FROM guests WHERE id = $1";
    const ATTACH: &str = concat!(
        "UPDATE guests SET insurance_card_front = COALESCE($2, insurance_card_front), \
         insurance_card_back = COALESCE($3, insurance_card_back), version = version + 1 WHERE id = $1 AND ",
        guests::is_active!("", "$4"),
        " RETURNING code"
    );
    let before: (Option<String>, Option<String>) = change.tx.query(BEFORE).bind(guest).one().await?;
    let update = change.tx.query(ATTACH).bind(guest).bind(paths.front.as_deref()).bind(paths.back.as_deref());
    let code: Option<(String,)> = update.bind(change.now).optional().await?;
    let (code,) = code.ok_or_else(|| Error::conflict("This reservation has ended. Please call the site."))?;
    let front = before.0.as_deref().filter(|_| paths.front.is_some());
    let back = before.1.as_deref().filter(|_| paths.back.is_some());
    let lost: Vec<&str> = front.into_iter().chain(back).collect();
    files::give_up(&mut change.tx, &lost, change.now).await?;
    Ok(code)
}
