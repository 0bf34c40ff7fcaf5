//! Pictures of the insurance card for a confirmed reservation. Nobody uploads before the phone is proved, so nothing of an
//! unproved request ever lies in the store (docs/decisions/0034).

use axum::extract::{Request, State};
use berth_domain::id::{GuestId, SiteId};
use uuid::Uuid;

use super::{confirm, limit_calls, limits, reserve};
use crate::admin::audit_log::{self, AuditAction, Author, Entry, ObjectKind};
use crate::auth::caller::Site;
use crate::auth::tokens;
use crate::housing::{guests, sites};
use crate::http::body::{Done, Path};
use crate::http::requester::Requester;
use crate::integrations::images::{self, CardImages, CardPaths};
use crate::{App, Error, Result};

/// Adds pictures of the insurance card to a confirmed reservation, for 30 minutes after the confirmation. They are shown to
/// those who may see the guest's contact, and to nobody else.
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

/// Takes one or both sides of the card.
pub(super) async fn add(app: &App, requester: &Requester, id: Uuid, request: Request) -> Result<()> {
    let (site, guest) = confirm::open_for_cards(app, id).await?;
    limits::add_cards(app, &tokens::hash(&id.to_string()), app.now()).await?;
    let by = Author::stranger(requester);
    let paths = images::receive_cards(app, requester, guest.0, request).await?;
    berth_db::retry(|| attach(app, &by, (site, guest), &paths)).await
}

async fn attach(app: &App, by: &Author, (site, guest): (SiteId, GuestId), paths: &CardPaths) -> Result<()> {
    const ATTACH: &str = concat!(
        "UPDATE guests SET insurance_card_front = COALESCE($2, insurance_card_front), \
         insurance_card_back = COALESCE($3, insurance_card_back), version = version + 1 WHERE id = $1 AND ",
        guests::is_active!("", "$4"),
        " RETURNING code"
    );
    let mut tx = app.db.begin().await?;
    let version = sites::touch(&mut tx, site).await?;
    let site: Site = tx.query(reserve::OPEN_SITE).bind(site).one().await?;
    let attached = tx.query(ATTACH).bind(guest).bind(paths.front.as_deref()).bind(paths.back.as_deref());
    let code: Option<(String,)> = attached.bind(app.now()).optional().await?;
    let Some((code,)) = code else {
        return Err(Error::conflict("This reservation has ended. Please call the site."));
    };
    let entry = Entry::at(&site, AuditAction::GuestCardAdded, (ObjectKind::Guest, guest.0), code);
    audit_log::write(app, &mut tx, by, &entry).await?;
    app.live.commit(tx, &site, version).await
}
