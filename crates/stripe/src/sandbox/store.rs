//! Where the state of a sandbox lies: one text.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// Keeps one text.
pub trait Store: Send + Sync {
    /// The text that was saved last; none if there never was one.
    ///
    /// # Errors
    /// When it cannot be read.
    fn load(&self) -> std::io::Result<Option<String>>;

    /// Takes the place of what was saved before.
    ///
    /// # Errors
    /// When it cannot be written; what was there stays.
    fn save(&self, text: &str) -> std::io::Result<()>;
}

/// Keeps it as long as the process lives.
#[derive(Debug, Default)]
pub struct MemoryStore(Mutex<Option<String>>);

impl Store for MemoryStore {
    fn load(&self) -> std::io::Result<Option<String>> {
        Ok(self.0.lock().unwrap_or_else(PoisonError::into_inner).clone())
    }

    fn save(&self, text: &str) -> std::io::Result<()> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(text.to_owned());
        Ok(())
    }
}

/// Keeps it in a file.
#[derive(Debug)]
pub struct FileStore(PathBuf);

impl FileStore {
    /// In this file; its folder is made when something is saved.
    #[must_use]
    pub const fn at(path: PathBuf) -> Self {
        Self(path)
    }
}

impl Store for FileStore {
    fn load(&self) -> std::io::Result<Option<String>> {
        match std::fs::read_to_string(&self.0) {
            Ok(text) => Ok(Some(text)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn save(&self, text: &str) -> std::io::Result<()> {
        if let Some(folder) = self.0.parent() {
            std::fs::create_dir_all(folder)?;
        }
        // Beside it first: a crash half way leaves the old one whole.
        let beside = self.0.with_extension("new");
        std::fs::write(&beside, text)?;
        std::fs::rename(&beside, &self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::{FileStore, Store};

    #[test]
    fn a_file_keeps_what_was_saved_last() {
        let folder = tempfile::tempdir().unwrap();
        let store = FileStore::at(folder.path().join("within").join("sandbox.json"));
        assert_eq!(store.load().unwrap(), None);
        for text in ["one", "two"] {
            store.save(text).unwrap();
            assert_eq!(store.load().unwrap().as_deref(), Some(text));
        }
    }
}
