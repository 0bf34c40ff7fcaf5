//! Storage for the state of a sandbox, which is one text with a version. Several processes may share a store: whoever
//! saves must have seen the version that is replaced.

use std::io;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::{Mutex, PoisonError};

/// What a store returns.
pub type StoreFuture<'a, T> = Pin<Box<dyn Future<Output = io::Result<T>> + Send + 'a>>;

/// A saved text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Saved {
    /// Its version. Each change has a greater one.
    pub version: i64,
    /// The text.
    pub text: String,
}

/// Stores one text.
pub trait Store: Send + Sync {
    /// Loads the text that was saved last. With `known`, only if its version is another one. `None` if there is no such
    /// text.
    ///
    /// # Errors
    /// If it cannot be read.
    fn load(&self, known: Option<i64>) -> StoreFuture<'_, Option<Saved>>;

    /// Replaces the text of version `known`; `None` if nothing was saved before. Returns the new version, or `None` if
    /// another process has saved in the meantime.
    ///
    /// # Errors
    /// If it cannot be written. The previous text is kept then.
    fn save<'a>(&'a self, known: Option<i64>, text: &'a str) -> StoreFuture<'a, Option<i64>>;
}

fn next(known: Option<i64>) -> i64 {
    known.map_or(0, |version| version + 1)
}

/// Stores the text in memory.
#[derive(Debug, Default)]
pub struct MemoryStore(Mutex<Option<Saved>>);

impl Store for MemoryStore {
    fn load(&self, known: Option<i64>) -> StoreFuture<'_, Option<Saved>> {
        let saved = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let newer = saved.as_ref().filter(|saved| Some(saved.version) != known).cloned();
        Box::pin(std::future::ready(Ok(newer)))
    }

    fn save<'a>(&'a self, known: Option<i64>, text: &'a str) -> StoreFuture<'a, Option<i64>> {
        let mut saved = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_known = saved.as_ref().map(|saved| saved.version) == known;
        let version = is_known.then(|| next(known));
        if let Some(version) = version {
            *saved = Some(Saved { version, text: text.to_owned() });
        }
        Box::pin(std::future::ready(Ok(version)))
    }
}

/// Stores the text in a file, for one process.
#[derive(Debug)]
pub struct FileStore(PathBuf);

impl FileStore {
    /// Creates a store in this file. Its folder is created when a text is saved.
    #[must_use]
    pub const fn at(path: PathBuf) -> Self {
        Self(path)
    }

    fn read(&self) -> io::Result<Option<Saved>> {
        match std::fs::read_to_string(&self.0) {
            Ok(text) => Ok(Some(Saved { version: 0, text })),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn write(&self, text: &str) -> io::Result<()> {
        if let Some(folder) = self.0.parent() {
            std::fs::create_dir_all(folder)?;
        }
        // Write another file and rename it: a crash in between leaves the old one intact.
        let beside = self.0.with_extension("new");
        std::fs::write(&beside, text)?;
        std::fs::rename(&beside, &self.0)
    }
}

impl Store for FileStore {
    fn load(&self, known: Option<i64>) -> StoreFuture<'_, Option<Saved>> {
        // Nobody else writes the file.
        let loaded = if known.is_some() { Ok(None) } else { self.read() };
        Box::pin(std::future::ready(loaded))
    }

    fn save<'a>(&'a self, known: Option<i64>, text: &'a str) -> StoreFuture<'a, Option<i64>> {
        let saved = self.write(text).map(|()| Some(next(known)));
        Box::pin(std::future::ready(saved))
    }
}

#[cfg(test)]
mod tests {
    use super::{FileStore, MemoryStore, Saved, Store};

    #[tokio::test]
    async fn a_file_keeps_the_last_saved_state() {
        let folder = tempfile::tempdir().unwrap();
        let store = FileStore::at(folder.path().join("within").join("sandbox.json"));
        assert_eq!(store.load(None).await.unwrap(), None);
        let mut known = None;
        for text in ["one", "two"] {
            known = store.save(known, text).await.unwrap();
            assert_eq!(store.load(None).await.unwrap().map(|saved| saved.text).as_deref(), Some(text));
        }
    }

    #[tokio::test]
    async fn a_text_is_replaced_only_by_a_writer_that_has_read_it() {
        let store = MemoryStore::default();
        assert_eq!(store.save(None, "one").await.unwrap(), Some(0));
        assert_eq!(store.save(None, "another first one").await.unwrap(), None);
        assert_eq!(store.load(Some(0)).await.unwrap(), None);
        assert_eq!(store.save(Some(0), "two").await.unwrap(), Some(1));
        assert_eq!(store.save(Some(0), "late").await.unwrap(), None);
        assert_eq!(store.load(Some(0)).await.unwrap(), Some(Saved { version: 1, text: "two".to_owned() }));
    }
}
