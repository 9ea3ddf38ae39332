//! The cache's index: which tree answers which request, so that the second call builds nothing.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::error::{RuntimeError, io_error};
use crate::interpreter::Interpreter;
use crate::layout::write;
use crate::{Runtime, SourceUsed};

/// Another version reads as an empty index.
const VERSION: u32 = 1;

/// What is known about a tree besides its files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Record {
    /// Hash of the tree in hex, also the name of its folder.
    pub(crate) tree: String,
    pub(crate) source: SourceUsed,
    pub(crate) interpreter: Interpreter,
    pub(crate) version: String,
    pub(crate) comparable: bool,
    pub(crate) notice: Option<String>,
}

/// `index.json` of a cache folder.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Index {
    version: u32,
    records: BTreeMap<String, Record>,
}

impl Index {
    /// Reads the index. It only saves work, so one that cannot be read is an empty one.
    pub(crate) fn load(cache: &Path) -> Self {
        let bytes = fs::read(cache.join("index.json")).unwrap_or_default();
        let index: Self = serde_json::from_slice(&bytes).unwrap_or_default();
        if index.version == VERSION {
            index
        } else {
            Self::default()
        }
    }

    /// The runtime for a request, when its tree is still there.
    pub(crate) fn find(&self, cache: &Path, request: &str) -> Option<Runtime> {
        let record = self.records.get(request)?;
        let runtime = record.runtime(cache)?;
        let python = runtime
            .root
            .join(record.interpreter.python.trim_start_matches('/'));
        python.is_file().then_some(runtime)
    }

    /// Every runtime whose tree is still there, each once, in the order of their hashes.
    pub(crate) fn all(&self, cache: &Path) -> Vec<Runtime> {
        let found = self.records.values().filter_map(|record| {
            let runtime = record.runtime(cache)?;
            runtime.root.is_dir().then_some((runtime.hash, runtime))
        });
        let by_hash: BTreeMap<_, _> = found.collect();
        by_hash.into_values().collect()
    }

    /// Adds a record and writes the index in one step.
    pub(crate) fn insert(
        &mut self,
        cache: &Path,
        request: &str,
        record: Record,
    ) -> Result<(), RuntimeError> {
        self.version = VERSION;
        self.records.insert(request.to_owned(), record);
        let (new, path) = (cache.join(".index.json"), cache.join("index.json"));
        let text = serde_json::to_vec_pretty(self).unwrap_or_default();
        write(&new, text)?;
        fs::rename(&new, &path).map_err(io_error("move", &new))
    }
}

impl Record {
    /// What the cache's index holds of a runtime.
    pub(crate) fn of(runtime: &Runtime) -> Self {
        Record {
            tree: hex::encode(runtime.hash),
            source: runtime.source.clone(),
            interpreter: runtime.interpreter.clone(),
            version: runtime.version.clone(),
            comparable: runtime.comparable,
            notice: runtime.notice.clone(),
        }
    }

    /// The runtime that this record describes; nothing when its hash is not one.
    pub(crate) fn runtime(&self, cache: &Path) -> Option<Runtime> {
        let mut hash = [0; 32];
        hex::decode_to_slice(&self.tree, &mut hash).ok()?;
        Some(Runtime {
            root: cache.join(&self.tree),
            hash,
            source: self.source.clone(),
            python: self.interpreter.python.clone(),
            version: self.version.clone(),
            comparable: self.comparable,
            notice: self.notice.clone(),
            interpreter: self.interpreter.clone(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record() -> Record {
        let path = |text: &str| text.to_owned();
        Record {
            tree: "ab".repeat(32),
            source: SourceUsed::DebianPinned,
            interpreter: Interpreter {
                python: path("/usr/bin/python3.11"),
                loader: path("/lib/ld.so"),
                library_dir: path("/lib"),
                stdlib: path("/usr/lib/python3.11"),
            },
            version: path("3.11.2"),
            comparable: true,
            notice: None,
        }
    }

    #[test]
    fn a_record_is_found_only_while_its_tree_is_there() {
        let dir = tempfile::tempdir().unwrap();
        Index::default()
            .insert(dir.path(), "debian x", record())
            .unwrap();
        let index = Index::load(dir.path());
        assert!(index.find(dir.path(), "debian x").is_none());
        let bin = dir.path().join(record().tree).join("usr/bin");
        fs::create_dir_all(&bin).unwrap();
        fs::write(bin.join("python3.11"), "").unwrap();
        let runtime = index.find(dir.path(), "debian x").unwrap();
        assert_eq!(
            (runtime.hash, runtime.version.as_str()),
            ([0xab; 32], "3.11.2")
        );
        assert!(index.find(dir.path(), "debian y").is_none());
    }

    #[test]
    fn a_broken_index_or_another_version_is_empty() {
        let dir = tempfile::tempdir().unwrap();
        for text in ["{", "{\"version\":2,\"records\":{}}"] {
            fs::write(dir.path().join("index.json"), text).unwrap();
            assert!(Index::load(dir.path()).records.is_empty());
        }
    }
}
