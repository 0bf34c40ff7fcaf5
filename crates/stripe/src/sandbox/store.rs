//! Storage for the state of a sandbox, which is one text.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// Stores one text.
pub trait Store: Send + Sync {
    /// Loads the text that was saved last. None if nothing was saved yet.
    ///
    /// # Errors
    /// If it cannot be read.
    fn load(&self) -> std::io::Result<Option<String>>;

    /// Replaces the text that was saved before.
    ///
    /// # Errors
    /// If it cannot be written. The previous text is kept then.
    fn save(&self, text: &str) -> std::io::Result<()>;
}

/// Stores the text in memory.
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

/// Stores the text in a file.
#[derive(Debug)]
pub struct FileStore(PathBuf);

impl FileStore {
    /// A store in this file. Its folder is created when a text is saved.
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
        // Write another file and rename it: a crash in between leaves the old one intact.
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
