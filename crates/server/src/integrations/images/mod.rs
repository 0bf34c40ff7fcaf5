//! Uploads of pictures: `POST /api/Images` (spec A 5, "Images"; guide "payments-messages-files-places" 4).
//!
//! The uploaded bytes are never served: each picture is decoded, and a newly encoded copy is stored.

mod cards;
mod ingest;
mod parts;

use axum::extract::{FromRequest, Multipart, Request, State};
use axum::http::header;
use berth_domain::check::Check;
use berth_domain::id::UserId;
use image::DynamicImage;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use self::ingest::Rejection;
use self::parts::{UploadForm, UploadedFile};
use crate::admin::audit_log::{AuditAction, Author, Entry, ObjectKind};
use crate::auth::caller::Caller;
use crate::auth::throttle::{self, UPLOAD_REQUESTER, UPLOAD_USER, UPLOAD_USER_DAY};
use crate::http::body::{self, Created};
use crate::integrations::files::{KEPT_FOR, Prefix, thumbnail_of};
use crate::{App, Error, Result, change};

pub use self::cards::{CardImages, MAX_CARDS_BODY};
pub(crate) use self::cards::{CardPaths, receive_cards};
pub use self::ingest::Picture;

/// Maximum number of files of one upload.
pub const MAX_FILES: usize = berth_domain::limits::MAX_IMAGES_PER_UPLOAD;
/// Maximum size of one file, in bytes (spec A 9).
pub const MAX_FILE_BYTES: usize = berth_domain::limits::MAX_IMAGE_BYTES;
/// Maximum size of an upload's body, in bytes.
pub const MAX_BODY_BYTES: usize = MAX_FILES * MAX_FILE_BYTES + 64 * 1024;

/// The paths of the uploaded pictures.
#[derive(Debug, Serialize, ToSchema)]
pub struct Uploaded {
    /// One path for each file, in the same order. Send a path in the field of the record that shows the picture.
    paths: Vec<String>,
}

/// The form of an upload.
#[derive(ToSchema)]
#[expect(dead_code, reason = "it describes the form; the form is read field by field")]
pub struct Upload {
    /// What the pictures are for.
    prefix: Prefix,
    /// One to five JPEG, PNG or GIF pictures of at most 5,242,880 bytes each.
    #[schema(value_type = Vec<String>, format = Binary)]
    files: Vec<Vec<u8>>,
}

/// Uploads one to five pictures, all or none. Each is turned upright, scaled down to at most 2048 pixels on the longer
/// side and encoded anew, without metadata; of a GIF the first frame is used. A picture that no record uses is removed
/// after a day.
#[utoipa::path(post, path = "/api/Images", tag = "Images",
    request_body(content = Upload, content_type = "multipart/form-data"),
    responses((status = 201, description = "the paths of the pictures", body = Uploaded)))]
pub async fn upload(State(app): State<App>, caller: Caller, request: Request) -> Result<Created<Uploaded>> {
    require_form(&request)?;
    let (user, now) = (caller.actor.user_id, app.now());
    throttle::attempt(&app, &format!("upload:day:{user}"), UPLOAD_USER_DAY, now).await?;
    throttle::attempt(&app, &format!("upload:user:{user}"), UPLOAD_USER, now).await?;
    let requester = format!("upload:requester:{}", caller.requester.network());
    throttle::attempt(&app, &requester, UPLOAD_REQUESTER, now).await?;

    let _turn = app.files.receive(user.0).await?;
    let UploadForm { prefix, files } = parts::read(read_form(&app, request).await?).await?;
    let mut check = Check::new();
    let mut pictures = Vec::with_capacity(files.len());
    for (number, file) in files.into_iter().enumerate() {
        pictures.extend(process(&app, prefix, &format!("/files/{number}"), file, &mut check).await?);
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

/// Decodes and encodes a file, after waiting for its turn. A rejected file is reported in `check` at `pointer`.
async fn process(
    app: &App,
    prefix: Prefix,
    pointer: &str,
    UploadedFile { name, bytes }: UploadedFile,
    check: &mut Check,
) -> Result<Option<NewPicture>> {
    let permit = app.files.decode().await?;
    let task = tokio::task::spawn_blocking(move || {
        let result = bytes.map_or(Err(Rejection::TooLarge), |bytes| ingest::process(&bytes, prefix == Prefix::Insurer));
        drop(permit);
        result
    });
    let result = task.await.map_err(|error| Error::Internal(anyhow::Error::new(error)))?;
    let picture = check.field(pointer, result.map_err(|rejection| rejection.sentence(&name)));
    Ok(picture.map(|picture| NewPicture::new(app, prefix, &name, picture)))
}

/// Stores a picture that the server itself has drawn. Returns its path.
pub async fn keep(app: &App, prefix: Prefix, name: &str, picture: Picture) -> Result<String> {
    let arrival = NewPicture::new(app, prefix, name, picture);
    store(app, None, None, prefix, std::slice::from_ref(&arrival)).await?;
    Ok(arrival.path)
}

/// Encodes a drawing like an uploaded picture, as JPEG or PNG. Blocks the thread for a moment.
///
/// # Errors
/// If the drawing has no pixels.
pub fn encode(drawing: DynamicImage, is_jpeg: bool) -> anyhow::Result<Picture> {
    ingest::encode_picture(drawing, is_jpeg).map_err(|rejection| anyhow::anyhow!(rejection.sentence("drawing")))
}

/// A picture that is about to be stored.
struct NewPicture {
    id: Uuid,
    path: String,
    picture: Picture,
}

impl NewPicture {
    fn new(app: &App, prefix: Prefix, name: &str, picture: Picture) -> Self {
        // 122 random bits cannot be guessed. An id by time would reveal when other pictures were uploaded.
        let id = uuid::Builder::from_random_bytes(app.random::<16>()).into_uuid();
        // The file name of a card's photo may contain a guest's name, and paths are logged.
        let name = if prefix == Prefix::Card { "card".to_owned() } else { parts::clean_name(name) };
        let path = format!("uploads/{}{id}_{name}.{}", prefix.as_str(), picture.extension());
        Self { id, path, picture }
    }
}

/// Stores pictures: first the rows, then the objects, then the state `kept` in the rows. So no object is ever without a
/// row, and no record can use a picture before its objects are stored.
///
/// Without `by` no audit entry is written: the demo's pictures are part of its sample data.
async fn store(
    app: &App,
    user: Option<UserId>,
    by: Option<&Author>,
    prefix: Prefix,
    pictures: &[NewPicture],
) -> Result<()> {
    insert_rows(app, user, prefix, pictures).await?;
    for NewPicture { path, picture, .. } in pictures {
        app.files.storage.put(path, picture.bytes.clone()).await?;
        app.files.storage.put(&thumbnail_of(path), picture.thumbnail.clone()).await?;
    }
    mark_kept(app, by, prefix, pictures).await
}

/// Adds the rows of pictures whose objects are about to be stored.
async fn insert_rows(app: &App, user: Option<UserId>, prefix: Prefix, pictures: &[NewPicture]) -> Result<()> {
    const INSERT: &str = "INSERT INTO files (path, prefix, state, media_type, size, thumbnail_size, width, height, \
        sha256, uploaded_by, created_at, keep_until) VALUES ($1, $2, 'arriving', $3, $4, $5, $6, $7, $8, $9, $10, $11)";
    change::run(app, Author::job(), |mut change| async move {
        let now = change.now;
        for NewPicture { path, picture, .. } in pictures {
            change
                .tx
                .query(INSERT)
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
        change.done(())
    })
    .await
}

/// Records that the objects of pictures are stored.
async fn mark_kept(app: &App, by: Option<&Author>, prefix: Prefix, pictures: &[NewPicture]) -> Result<()> {
    const KEPT: &str = "UPDATE files SET state = 'kept' WHERE path = $1 AND state = 'arriving'";
    change::run(app, by.cloned().unwrap_or_else(Author::job), |mut change| async move {
        for NewPicture { id, path, picture } in pictures {
            change.tx.query(KEPT).bind(path).execute().await?;
            if by.is_none() {
                continue;
            }
            let (kind, Picture { width, height, bytes, .. }) = (prefix.as_str().trim_end_matches('_'), picture);
            let summary = format!("{kind} picture, {width} × {height}, {} bytes", bytes.len());
            let object = Some((ObjectKind::File, *id));
            change.record(Entry::anywhere(AuditAction::ImageUploaded, object, summary)).await?;
        }
        change.done(())
    })
    .await
}

fn size(bytes: &[u8]) -> i64 {
    i64::try_from(bytes.len()).unwrap_or(i64::MAX)
}
