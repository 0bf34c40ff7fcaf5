//! Closes the data folder to other accounts of the machine: it holds health data and the secrets of all users. New files
//! are created closed; what an earlier version, a copy or a restored backup left open is closed at the next start.

use std::fs::{self, DirBuilder, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};

use anyhow::Context;
use rustix::fs::Mode;

use crate::settings::Settings;

/// Mode of folders.
const FOLDER: u32 = 0o700;
/// Mode of files.
const FILE: u32 = 0o600;
/// Permissions of group and others.
const OTHERS: u32 = 0o077;

/// Makes this process create files and folders that are closed to other accounts.
pub fn close_to_others() {
    rustix::process::umask(Mode::from_raw_mode(OTHERS));
}

/// Creates a folder and its parents, closed to other accounts.
///
/// # Errors
/// A sentence that names the folder.
pub fn create(folder: &Path) -> anyhow::Result<()> {
    DirBuilder::new()
        .recursive(true)
        .mode(FOLDER)
        .create(folder)
        .with_context(|| format!("cannot create the data folder {}", folder.display()))
}

/// Creates the data folder if SQLite needs it, and closes what is there to other accounts of the machine. A folder that
/// also holds other things than ours keeps its mode, and the log says what to do.
///
/// # Errors
/// A sentence when the folder cannot be created.
pub fn prepare(settings: &Settings) -> anyhow::Result<()> {
    let data = settings.data.as_path();
    if settings.database_url.is_none() {
        create(data)?;
    }
    for path in database_files(settings) {
        close(&path, FILE);
    }
    close(&data.join("stripe-sandbox.json"), FILE);
    close_tree(&data.join("files"));
    if !is_open(data) {
        return Ok(());
    }
    if holds_only_ours(data) {
        close(data, FOLDER);
    } else {
        tracing::warn!(
            folder = %data.display(),
            "other accounts of this machine can look into the data folder, and it also holds files that are not Berth's, so \
             its mode was left as it is; give Berth a folder of its own with --data, or run chmod 700 on this one"
        );
    }
    Ok(())
}

/// The files of SQLite and of our lock.
fn database_files(settings: &Settings) -> Vec<PathBuf> {
    let url = settings.database();
    let Some(path) = url.strip_prefix("sqlite:") else { return Vec::new() };
    let path = Path::new(path.strip_prefix("//").unwrap_or(path));
    let beside = |ending: &str| {
        let mut name = path.as_os_str().to_owned();
        name.push(ending);
        PathBuf::from(name)
    };
    vec![path.to_path_buf(), beside("-wal"), beside("-shm"), beside("-journal"), path.with_extension("lock")]
}

/// Returns true if a folder holds only files of Berth.
fn holds_only_ours(folder: &Path) -> bool {
    let is_ours = |name: &str| name.starts_with("berth.") || name == "files" || name.starts_with("stripe-sandbox");
    fs::read_dir(folder).is_ok_and(|mut entries| {
        entries.all(|entry| entry.is_ok_and(|entry| entry.file_name().to_str().is_some_and(is_ours)))
    })
}

/// Returns true if group or others have any permission.
fn is_open(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|found| !found.is_symlink() && found.permissions().mode() & OTHERS != 0)
}

/// Closes a file or folder if it exists and is open. Skips links, because they may lead anywhere.
fn close(path: &Path, mode: u32) {
    if !is_open(path) {
        return;
    }
    match fs::set_permissions(path, Permissions::from_mode(mode)) {
        Ok(()) => tracing::info!(path = %path.display(), "closed to other accounts of this machine"),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => tracing::warn!(
            path = %path.display(), %error,
            "other accounts of this machine can look into this, and its mode cannot be changed; let the account that Berth runs \
             under own it, or run chmod go= on it"
        ),
    }
}

/// Closes a folder and everything in it, the folder last: if this is interrupted, the next start continues.
fn close_tree(folder: &Path) {
    if !is_open(folder) {
        return;
    }
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => close_tree(&entry.path()),
            Ok(kind) if kind.is_file() && is_open(&entry.path()) => {
                let _ = fs::set_permissions(entry.path(), Permissions::from_mode(FILE));
            }
            _ => {}
        }
    }
    close(folder, FOLDER);
}
