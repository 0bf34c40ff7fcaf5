//! `POST /api/Images`: pictures come in (spec A 5, "Images"; guide "payments-messages-files-places" 4).
//!
//! Nothing that was sent is ever given out again: the bytes are decoded, and what is kept is drawn anew.

mod cards;
mod ingest;
mod parts;

use axum::extract::{FromRequest, Multipart, Request, State};
use axum::http::header;
use berth_domain::check::Check;
use berth_domain::id::UserId;
use berth_domain::time::Timestamp;
use image::DynamicImage;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use self::ingest::Refusal;
use self::parts::{Sent, SentFile};
use crate::admin::audit_log::{self, AuditAction, Author, Entry, ObjectKind};
use crate::auth::caller::Caller;
use crate::auth::throttle::{self, UPLOAD_REQUESTER, UPLOAD_USER, UPLOAD_USER_DAY};
use crate::http::body::{self, Created};
use crate::integrations::files::{KEPT_FOR, Prefix, thumbnail_of};
use crate::{App, Error, Result};

pub use self::cards::{CardImages, MAX_CARDS_BODY};
pub(crate) use self::cards::{CardPaths, receive_cards};
pub use self::ingest::Picture;

/// Files of one upload.
pub const MOST_FILES: usize = 5;
/// Bytes of one file (spec A 9).
pub const MOST_BYTES: usize = 5_242_880;
/// Longest body of an upload, in bytes.
pub const MOST_BODY: usize = MOST_FILES * MOST_BYTES + 64 * 1024;

/// Where the uploaded pictures are kept.
#[derive(Debug, Serialize, ToSchema)]
pub struct Uploaded {
    /// One path for each file, in their order, to be sent where the picture belongs.
    paths: Vec<String>,
}

/// What an upload sends.
#[derive(ToSchema)]
#[expect(dead_code, reason = "it describes the form; the form is read field by field")]
pub struct Upload {
    /// What the pictures are for.
    prefix: Prefix,
    /// One to five JPEG, PNG or GIF pictures of at most 5,242,880 bytes each.
    #[schema(value_type = Vec<String>, format = Binary)]
    files: Vec<Vec<u8>>,
}

/// Uploads one to five pictures, all or none. They are turned upright, made at most 2048 pixels long and drawn anew, so
/// that nothing else they carried remains; of a GIF the first frame. A picture that no record uses goes after a day.
#[utoipa::path(post, path = "/api/Images", tag = "Images",
    request_body(content = Upload, content_type = "multipart/form-data"),
    responses((status = 201, description = "where they are kept", body = Uploaded)))]
pub async fn upload(State(app): State<App>, caller: Caller, request: Request) -> Result<Created<Uploaded>> {
    require_form(&request)?;
    let (user, now) = (caller.actor.user_id, app.now());
    throttle::attempt(&app.db, &format!("upload:day:{user}"), UPLOAD_USER_DAY, now).await?;
    throttle::attempt(&app.db, &format!("upload:user:{user}"), UPLOAD_USER, now).await?;
    let requester = format!("upload:requester:{}", caller.requester.network());
    throttle::attempt(&app.db, &requester, UPLOAD_REQUESTER, now).await?;

    let _turn = app.files.receive(user.0).await?;
    let Sent { prefix, files } = parts::read(read_form(&app, request).await?).await?;
    let mut check = Check::new();
    let mut pictures = Vec::with_capacity(files.len());
    for (number, file) in files.into_iter().enumerate() {
        pictures.extend(draw(&app, prefix, &format!("/files/{number}"), file, &mut check).await?);
    }
    check.finish()?;
    store(&app, Some(user), Some(&Author::caller(&caller, None)), prefix, &pictures).await?;
    Ok(Created(Uploaded { paths: pictures.into_iter().map(|picture| picture.path).collect() }))
}

fn require_form(request: &Request) -> Result<()> {
    let sent = request.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let is_form = sent.is_some_and(|value| value.to_ascii_lowercase().starts_with("multipart/form-data"));
    if is_form { Ok(()) } else { Err(Error::UnsupportedMediaType("multipart/form-data")) }
}

async fn read_form(app: &App, request: Request) -> Result<Multipart> {
    body::check_length(&request)?;
    Multipart::from_request(request, app)
        .await
        .map_err(|_| Error::Unreadable("The form has no boundary between its fields.".to_owned()))
}

/// Draws a file anew when it is its turn; what is wrong with it is noted at `pointer`.
async fn draw(
    app: &App,
    prefix: Prefix,
    pointer: &str,
    SentFile { name, bytes }: SentFile,
    check: &mut Check,
) -> Result<Option<Arrival>> {
    let permit = app.files.decode().await?;
    let drawn = tokio::task::spawn_blocking(move || {
        let drawn = bytes.map_or(Err(Refusal::TooLarge), |bytes| ingest::draw(&bytes, prefix == Prefix::Insurer));
        drop(permit);
        drawn
    });
    let drawn = drawn.await.map_err(|error| Error::Internal(anyhow::Error::new(error)))?;
    let drawn = check.field(pointer, drawn.map_err(|refusal| refusal.sentence(&name)));
    Ok(drawn.map(|picture| Arrival::new(app, prefix, &name, picture)))
}

/// Keeps a picture that the server itself has drawn, as an upload is kept. Returns its path.
///
/// # Errors
/// Those of the store and of the database.
pub async fn keep(app: &App, prefix: Prefix, name: &str, picture: Picture) -> Result<String> {
    let arrival = Arrival::new(app, prefix, name, picture);
    store(app, None, None, prefix, std::slice::from_ref(&arrival)).await?;
    Ok(arrival.path)
}

/// A drawing, encoded as JPEG or PNG as uploads are. Takes a moment: not for a thread that others wait for.
///
/// # Errors
/// None for a drawing that has pixels.
pub fn encode(drawing: DynamicImage, is_jpeg: bool) -> anyhow::Result<Picture> {
    ingest::kept(drawing, is_jpeg).map_err(|refusal| anyhow::anyhow!(refusal.sentence("drawing")))
}

/// A picture on its way into the store.
struct Arrival {
    id: Uuid,
    path: String,
    picture: Picture,
}

impl Arrival {
    fn new(app: &App, prefix: Prefix, name: &str, picture: Picture) -> Self {
        // Nobody guesses 122 random bits; a name by time would tell who came before.
        let id = uuid::Builder::from_random_bytes(app.random::<16>()).into_uuid();
        // The name of a card's photo may be the name of a guest, and paths get into logs.
        let name = if prefix == Prefix::Card { "card".to_owned() } else { parts::clean_name(name) };
        let path = format!("uploads/{}{id}_{name}.{}", prefix.as_str(), picture.ending());
        Self { id, path, picture }
    }
}

/// Rows first, then the objects, then the word that they are there: no object is ever without a row, and a row is of no
/// use before its objects are stored.
///
/// Without `by` nothing is written into the trail: the pictures of the demo are a part of its world.
async fn store(
    app: &App,
    user: Option<UserId>,
    by: Option<&Author>,
    prefix: Prefix,
    arrivals: &[Arrival],
) -> Result<()> {
    const INSERT: &str = "INSERT INTO files (path, prefix, state, media_type, size, thumbnail_size, width, height, \
        sha256, uploaded_by, created_at, keep_until) VALUES ($1, $2, 'arriving', $3, $4, $5, $6, $7, $8, $9, $10, $11)";
    const KEPT: &str = "UPDATE files SET state = 'kept' WHERE path = $1 AND state = 'arriving'";
    let now: Timestamp = app.now();
    let mut tx = app.db.begin().await?;
    for Arrival { path, picture, .. } in arrivals {
        tx.query(INSERT)
            .bind(path)
            .bind(prefix.as_str())
            .bind(picture.media_type())
            .bind(size(&picture.bytes))
            .bind(size(&picture.thumbnail))
            .bind(i64::from(picture.width))
            .bind(i64::from(picture.height))
            .bind(&picture.sha256)
            .bind(user)
            .bind(now)
            .bind(now.plus_hours(KEPT_FOR))
            .execute()
            .await?;
    }
    tx.commit().await?;
    for Arrival { path, picture, .. } in arrivals {
        app.files.storage.put(path, picture.bytes.clone()).await?;
        app.files.storage.put(&thumbnail_of(path), picture.thumbnail.clone()).await?;
    }
    let mut tx = app.db.begin().await?;
    for Arrival { id, path, picture } in arrivals {
        tx.query(KEPT).bind(path).execute().await?;
        let Some(by) = by else { continue };
        let what = prefix.as_str().trim_end_matches('_');
        let summary = format!("{what} picture, {} × {}, {} bytes", picture.width, picture.height, picture.bytes.len());
        audit_log::write(
            app,
            &mut tx,
            by,
            &Entry::anywhere(AuditAction::ImageUploaded, Some((ObjectKind::File, *id)), summary),
        )
        .await?;
    }
    Ok(tx.commit().await?)
}

fn size(bytes: &[u8]) -> i64 {
    i64::try_from(bytes.len()).unwrap_or(i64::MAX)
}
