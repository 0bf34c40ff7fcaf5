//! Reads the form of an upload field by field.

use axum::extract::Multipart;
use axum::extract::multipart::{Field, MultipartError};
use axum::http::StatusCode;
use berth_domain::value::visible;

use super::{MAX_FILE_BYTES, MAX_FILES};
use crate::integrations::files::Prefix;
use crate::{Error, Result};

/// Maximum length of a file name in a path, in characters.
const MAX_NAME_CHARS: usize = 60;
/// Maximum length of the field `prefix`, in bytes.
const MAX_PREFIX_BYTES: usize = 16;

/// The content of an upload's form.
pub(super) struct UploadForm {
    /// What the pictures are for.
    pub(super) prefix: Prefix,
    /// One to five files.
    pub(super) files: Vec<UploadedFile>,
}

/// An uploaded file.
pub(super) struct UploadedFile {
    /// The client's name of the file, without folders; for messages.
    pub(super) name: String,
    /// `None` if the file is too large.
    pub(super) bytes: Option<Vec<u8>>,
}

/// Reads the form. Keeps no more bytes in memory than the files may have.
///
/// # Errors
/// 400 if the form is incomplete; 413 if it is too large; 422 without a prefix or a file, or with too many files.
pub(super) async fn read(mut form: Multipart) -> Result<UploadForm> {
    let mut prefix = None;
    let mut files = Vec::new();
    while let Some(field) = form.next_field().await.map_err(|error| unreadable(&error))? {
        match field.name() {
            Some("prefix") => {
                let text = bytes(field, MAX_PREFIX_BYTES).await?.unwrap_or_default();
                prefix = Prefix::from_text(String::from_utf8_lossy(&text).trim());
            }
            Some("files") if files.len() == MAX_FILES => {
                return Err(Error::field("/files", "At most 5 images can be uploaded at once."));
            }
            Some("files") => {
                let name = base_name(field.file_name().unwrap_or_default());
                let bytes = bytes(field, MAX_FILE_BYTES).await?;
                files.push(UploadedFile { name, bytes });
            }
            other => return Err(unknown_field(other)),
        }
    }
    let prefix = prefix.ok_or_else(|| {
        Error::field("/prefix", "The prefix must be one of org_, room_, bed_, ins_, site_ and card_.")
    })?;
    if files.is_empty() {
        return Err(Error::field("/files", "Please choose an image."));
    }
    Ok(UploadForm { prefix, files })
}

/// Reads the form of an insurance card: `front`, `back` or both.
///
/// # Errors
/// 400 if the form is incomplete; 413 if it is too large; 422 without a file.
pub(super) async fn read_sides(mut form: Multipart) -> Result<[Option<UploadedFile>; 2]> {
    let mut sides = [None, None];
    while let Some(field) = form.next_field().await.map_err(|error| unreadable(&error))? {
        let side = match field.name() {
            Some("front") => 0,
            Some("back") => 1,
            other => return Err(unknown_field(other)),
        };
        let name = base_name(field.file_name().unwrap_or_default());
        sides[side] = Some(UploadedFile { name, bytes: bytes(field, MAX_FILE_BYTES).await? });
    }
    if sides.iter().all(Option::is_none) {
        return Err(Error::field("/front", "Please choose an image."));
    }
    Ok(sides)
}

fn unknown_field(name: Option<&str>) -> Error {
    let name = name.unwrap_or_default().chars().take(40).collect::<String>();
    Error::Unreadable(format!("The form has an unknown field \"{name}\"."))
}

/// Reads the bytes of a field. Returns `None` if there are more than `max`, after reading the rest, so that the client
/// gets the response.
async fn bytes(mut field: Field<'_>, max: usize) -> Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    let mut fits = true;
    while let Some(chunk) = field.chunk().await.map_err(|error| unreadable(&error))? {
        fits = fits && bytes.len() + chunk.len() <= max;
        if fits {
            bytes.extend_from_slice(&chunk);
        } else {
            bytes = Vec::new();
        }
    }
    Ok(fits.then_some(bytes))
}

fn unreadable(error: &MultipartError) -> Error {
    if error.status() == StatusCode::PAYLOAD_TOO_LARGE {
        Error::TooLarge
    } else {
        Error::Unreadable("The upload was cut off before it was complete.".to_owned())
    }
}

/// Returns a file name without folders, on one line, with at most 100 characters.
fn base_name(sent: &str) -> String {
    let last = sent.rsplit(['/', '\\']).next().unwrap_or_default();
    visible(last).chars().take(100).collect()
}

/// Returns the part of a file name that its path contains: letters, digits, `-` and `_`, without the extension.
pub(super) fn clean_name(name: &str) -> String {
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let mut clean = String::new();
    for character in stem.chars() {
        if character.is_ascii_alphanumeric() || character == '_' {
            clean.push(character);
        } else if !clean.is_empty() && !clean.ends_with('-') {
            clean.push('-');
        }
    }
    let clean: String = clean.chars().take(MAX_NAME_CHARS).collect();
    let clean = clean.trim_end_matches('-');
    if clean.is_empty() { "image".to_owned() } else { clean.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::{base_name, clean_name};

    #[test]
    fn a_name_has_no_folder_no_extension_and_no_special_characters() {
        for (sent, expected) in [
            ("../../x", "x"),
            ("..\\..\\x.png", "x"),
            ("House front (2).jpg", "House-front-2"),
            ("<script>alert(1)</script>.jpg", "script"),
            ("…", "image"),
            ("", "image"),
            ("größe\r\n.jpg", "gr-e"),
            (".htaccess", "image"),
        ] {
            assert_eq!(clean_name(&base_name(sent)), expected, "{sent}");
        }
        assert_eq!(clean_name(&"a".repeat(500)).len(), 60);
        // A message shows the name as it was sent, without invisible characters.
        assert_eq!(base_name("C:\\photos\\bed\u{202e}gnp.\u{200b}exe\r\n"), "bedgnp.exe");
    }
}
