//! The journal of a round as a file of JSON lines, and the twin that keeps nothing.

use round::ports::Store;
use round::record::{Entry, RoundRecord};
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

/// One round's folder: `journal.jsonl` while it runs, `record.json` when it is over.
pub(crate) struct FileStore {
    dir: PathBuf,
    journal: File,
}

impl FileStore {
    /// Makes the round's folder and an empty journal in it.
    ///
    /// # Errors
    /// One line that names the path.
    pub(crate) fn create(dir: &Path) -> Result<Self, String> {
        let failed = |path: &Path, error: &std::io::Error| {
            format!(
                "cannot write {}: {error}; check the folder's permissions and free space, or choose another with --state",
                path.display()
            )
        };
        std::fs::create_dir_all(dir).map_err(|error| failed(dir, &error))?;
        let path = dir.join("journal.jsonl");
        let journal = OpenOptions::new()
            .append(true)
            .create_new(true)
            .open(&path)
            .map_err(|error| failed(&path, &error))?;
        sync_dir(dir).map_err(|error| failed(dir, &error))?;
        Ok(FileStore {
            dir: dir.to_owned(),
            journal,
        })
    }

    /// Writes the record beside the journal: to a temporary name, synced, then renamed.
    ///
    /// # Errors
    /// One line that names the path.
    pub(crate) fn write_record(&self, record: &RoundRecord) -> Result<PathBuf, String> {
        let path = self.dir.join("record.json");
        let temporary = self.dir.join("record.json.new");
        let write = || -> std::io::Result<()> {
            let mut file = File::create(&temporary)?;
            serde_json::to_writer_pretty(&mut file, record)?;
            file.write_all(b"\n")?;
            file.sync_all()?;
            std::fs::rename(&temporary, &path)?;
            sync_dir(&self.dir)
        };
        write().map_err(|error| format!("cannot write {}: {error}", path.display()))?;
        Ok(path)
    }
}

/// Makes a folder's entries durable.
fn sync_dir(dir: &Path) -> std::io::Result<()> {
    File::open(dir)?.sync_all()
}

impl Store for FileStore {
    fn append(&mut self, entries: &[Entry]) -> Result<(), String> {
        let mut lines = Vec::new();
        let result = entries
            .iter()
            .try_for_each(|entry| {
                serde_json::to_writer(&mut lines, entry)?;
                lines.push(b'\n');
                Ok(())
            })
            .and_then(|()| self.journal.write_all(&lines))
            .and_then(|()| self.journal.sync_data());
        result.map_err(|error: std::io::Error| {
            format!(
                "cannot append to {}: {error}",
                self.dir.join("journal.jsonl").display()
            )
        })
    }
}

/// Keeps nothing: offline scoring has nothing to resume.
pub(crate) struct NoStore;

impl Store for NoStore {
    fn append(&mut self, _entries: &[Entry]) -> Result<(), String> {
        Ok(())
    }
}
