//! The form of an upload, read field by field.

use axum::extract::Multipart;
use axum::extract::multipart::{Field, MultipartError};
use axum::http::StatusCode;
use berth_domain::value::visible;

use super::{MOST_BYTES, MOST_FILES};
use crate::integrations::files::Prefix;
use crate::{Error, Result};

/// Longest name of a file that is kept, in characters.
const MOST_NAME: usize = 60;
/// Longest text of the field `prefix`, in bytes.
const MOST_PREFIX: usize = 16;

/// What was sent.
pub(super) struct Sent {
    /// What the pictures are for.
    pub(super) prefix: Prefix,
    /// One to five.
    pub(super) files: Vec<SentFile>,
}

/// One file.
pub(super) struct SentFile {
    /// As the client calls it, without a folder; for sentences.
    pub(super) name: String,
    /// None when there were too many of them.
    pub(super) bytes: Option<Vec<u8>>,
}

/// Reads the form. No more of it is held than the files may have.
///
/// # Errors
/// 400 for a form that breaks off, 413 for one that is too large, 422 without a prefix, a file, or with too many files.
pub(super) async fn read(mut form: Multipart) -> Result<Sent> {
    let mut prefix = None;
    let mut files = Vec::new();
    while let Some(field) = form.next_field().await.map_err(|error| unreadable(&error))? {
        match field.name() {
            Some("prefix") => {
                let text = bytes(field, MOST_PREFIX).await?.unwrap_or_default();
                prefix = Prefix::from_text(String::from_utf8_lossy(&text).trim());
            }
            Some("files") if files.len() == MOST_FILES => {
                return Err(Error::field("/files", "At most 5 images can be uploaded at once."));
            }
            Some("files") => {
                let name = base_name(field.file_name().unwrap_or_default());
                let bytes = bytes(field, MOST_BYTES).await?;
                files.push(SentFile { name, bytes });
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
    Ok(Sent { prefix, files })
}

/// Reads the form of an insurance card: `front` and `back`, one of them at least.
///
/// # Errors
/// As [`read`].
pub(super) async fn read_sides(mut form: Multipart) -> Result<[Option<SentFile>; 2]> {
    let mut sides = [None, None];
    while let Some(field) = form.next_field().await.map_err(|error| unreadable(&error))? {
        let side = match field.name() {
            Some("front") => 0,
            Some("back") => 1,
            other => return Err(unknown_field(other)),
        };
        let name = base_name(field.file_name().unwrap_or_default());
        sides[side] = Some(SentFile { name, bytes: bytes(field, MOST_BYTES).await? });
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

/// The bytes of a field; none when there are more than `most`. The rest is read on, so that the answer can be heard.
async fn bytes(mut field: Field<'_>, most: usize) -> Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    let mut fits = true;
    while let Some(chunk) = field.chunk().await.map_err(|error| unreadable(&error))? {
        fits = fits && bytes.len() + chunk.len() <= most;
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

/// The last part of a name that may come with folders of any system, in one line and not too long.
fn base_name(sent: &str) -> String {
    let last = sent.rsplit(['/', '\\']).next().unwrap_or_default();
    visible(last).chars().take(100).collect()
}

/// What a file's name keeps in its path: letters, digits, `-` and `_`, without its ending.
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
    let clean: String = clean.chars().take(MOST_NAME).collect();
    let clean = clean.trim_end_matches('-');
    if clean.is_empty() { "image".to_owned() } else { clean.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::{base_name, clean_name};

    #[test]
    fn a_name_keeps_no_folder_no_ending_and_nothing_strange() {
        for (sent, wanted) in [
            ("../../x", "x"),
            ("..\\..\\x.png", "x"),
            ("House front (2).jpg", "House-front-2"),
            ("<script>alert(1)</script>.jpg", "script"),
            ("…", "image"),
            ("", "image"),
            ("größe\r\n.jpg", "gr-e"),
            (".htaccess", "image"),
        ] {
            assert_eq!(clean_name(&base_name(sent)), wanted, "{sent}");
        }
        assert_eq!(clean_name(&"a".repeat(500)).len(), 60);
        // A message shows the name as it was sent, but for what does not show.
        assert_eq!(base_name("C:\\photos\\bed\u{202e}gnp.\u{200b}exe\r\n"), "bedgnp.exe");
    }
}
