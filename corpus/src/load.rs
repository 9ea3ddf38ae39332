//! A corpus whose labels and listings match its manifest. Artifact bytes are verified where they are used.

use crate::error::CorpusError;
use crate::hash::{FileHash, artifact_hash};
use crate::limits::Limits;
use crate::locate::locate;
use crate::manifest::{Manifest, TaskEntry, split_ref, task_folders};
use crate::materialise::materialise_tree;
use crate::walk::{ArtifactFile, walk};
use mechanism::draw::PoolTask;
use mechanism::ids::{Hash32, TaskRef};
use mechanism::label::Label;
use mechanism::track::Track;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// One labelled artifact.
#[derive(Debug, Clone)]
pub struct Task {
    /// `<track>/<task>` as in the manifest.
    pub task_ref: TaskRef,
    /// The track.
    pub track: Track,
    /// The label, verified against the manifest. Never leaves the validator process.
    pub label: Label,
    /// The artifact's folder.
    pub artifact_dir: PathBuf,
    /// What the artifact must hash to.
    pub artifact_hash: Hash32,
    /// What the label file hashes to.
    pub label_hash: Hash32,
    /// The artifact's files by path. Their contents are verified by [`Corpus::verify`] and [`Corpus::materialise`].
    pub files: Vec<ArtifactFile>,
}

/// A pinned corpus.
#[derive(Debug, Clone)]
pub struct Corpus {
    dir: PathBuf,
    root: Hash32,
    tasks: BTreeMap<TaskRef, Task>,
}

impl Corpus {
    /// Loads the corpus at `dir` (or `dir/data`): reads the manifest, verifies every label's hash, and compares each
    /// artifact's number of files and bytes with the manifest.
    ///
    /// # Errors
    /// The first difference between manifest and files, by task; [`CorpusError`] names the file and the remedy.
    pub fn load(dir: &Path) -> Result<Self, CorpusError> {
        let dir = locate(dir)?;
        let manifest = Manifest::read(&dir)?;
        let folders = task_folders(&dir)?;
        if let Some((_, folder)) = folders
            .iter()
            .find(|(r, _)| !manifest.tasks.contains_key(*r))
        {
            return Err(CorpusError::Unlisted(folder.clone()));
        }
        let mut tasks = BTreeMap::new();
        for (task_ref, entry) in &manifest.tasks {
            tasks.insert(task_ref.clone(), load_task(&dir, task_ref, entry)?);
        }
        Ok(Corpus {
            dir,
            root: manifest.root,
            tasks,
        })
    }

    /// The folder of the manifest.
    #[must_use]
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// The corpus root hash.
    #[must_use]
    pub const fn root(&self) -> Hash32 {
        self.root
    }

    /// Every task, by reference.
    pub fn tasks(&self) -> impl Iterator<Item = &Task> {
        self.tasks.values()
    }

    /// The task with this reference.
    #[must_use]
    pub fn task(&self, task_ref: &TaskRef) -> Option<&Task> {
        self.tasks.get(task_ref)
    }

    /// The track's tasks as a draw sees them, by reference (`mechanism.md §2`).
    #[must_use]
    pub fn pool(&self, track: Track) -> Vec<PoolTask> {
        let of_track = self.tasks.values().filter(|task| task.track == track);
        of_track
            .map(|task| PoolTask {
                task_ref: task.task_ref.clone(),
                positive: task.label.is_positive(),
            })
            .collect()
    }

    /// Reads and hashes the task's artifact.
    ///
    /// # Errors
    /// [`CorpusError::Mismatch`] when it is not what the manifest says, [`CorpusError::UnknownTask`].
    pub fn verify(&self, task_ref: &TaskRef) -> Result<Vec<FileHash>, CorpusError> {
        let task = self.known(task_ref)?;
        let listing = walk(&task.artifact_dir, Limits::default()).accept()?;
        let hashes = listing.hashes(&task.artifact_dir)?;
        let found = artifact_hash(&hashes);
        if found != task.artifact_hash {
            let path = &task.artifact_dir;
            return Err(CorpusError::mismatch(
                path,
                "the artifact hash",
                task.artifact_hash,
                found,
            ));
        }
        Ok(hashes)
    }

    /// Reads and hashes every artifact.
    ///
    /// # Errors
    /// As [`Corpus::verify`], for the first task that differs.
    pub fn verify_all(&self) -> Result<(), CorpusError> {
        self.tasks.keys().try_for_each(|r| self.verify(r).map(drop))
    }

    /// Writes a verified copy of the task's artifact to `into` ([`materialise_tree`]).
    ///
    /// # Errors
    /// As [`materialise_tree`], and [`CorpusError::UnknownTask`].
    pub fn materialise(&self, task_ref: &TaskRef, into: &Path) -> Result<(), CorpusError> {
        let task = self.known(task_ref)?;
        materialise_tree(
            &task.artifact_dir,
            into,
            task.artifact_hash,
            Limits::default(),
        )
    }

    fn known(&self, task_ref: &TaskRef) -> Result<&Task, CorpusError> {
        self.task(task_ref)
            .ok_or_else(|| CorpusError::UnknownTask(task_ref.clone()))
    }
}

fn load_task(dir: &Path, task_ref: &TaskRef, entry: &TaskEntry) -> Result<Task, CorpusError> {
    let (track, name) =
        split_ref(task_ref).ok_or_else(|| CorpusError::UnknownTask(task_ref.clone()))?;
    let folder = dir.join(track.as_str()).join(name);
    let label_path = folder.join("label.json");
    let label = load_label(&label_path, entry.label)?;
    for (key, written, expected) in [
        ("task", label.task.as_str(), name),
        ("track", label.track.as_str(), track.as_str()),
    ] {
        if written != expected {
            return Err(CorpusError::Label {
                path: label_path,
                reason: format!("\"{key}\" is \"{written}\", the folder says \"{expected}\""),
            });
        }
    }
    if track.is_behavioural() && label.label.is_none() {
        return Err(CorpusError::Label {
            path: label_path,
            reason: "\"label\" is absent".to_owned(),
        });
    }
    let artifact_dir = folder.join("artifact");
    let listing = walk(&artifact_dir, Limits::default()).accept()?;
    for (what, expected, found) in [
        (
            "the number of files",
            entry.files,
            listing.files.len() as u64,
        ),
        ("the number of bytes", entry.bytes, listing.bytes()),
    ] {
        if expected != found {
            return Err(CorpusError::mismatch(&artifact_dir, what, expected, found));
        }
    }
    Ok(Task {
        task_ref: task_ref.clone(),
        track,
        label,
        artifact_dir,
        artifact_hash: entry.artifact,
        label_hash: entry.label,
        files: listing.files,
    })
}

/// Reads a label, never through a link, and parses exactly the bytes that were hashed.
fn load_label(path: &Path, expected: Hash32) -> Result<Label, CorpusError> {
    let meta = fs::symlink_metadata(path).map_err(|e| CorpusError::read(path, e))?;
    if !meta.is_file() {
        return Err(CorpusError::Refused {
            path: path.to_owned(),
            reason: "not a regular file".to_owned(),
            remedy: "replace it by the label itself",
        });
    }
    let bytes = fs::read(path).map_err(|e| CorpusError::read(path, e))?;
    let found: Hash32 = blake3::hash(&bytes).into();
    if found != expected {
        return Err(CorpusError::mismatch(
            path,
            "the label hash",
            expected,
            found,
        ));
    }
    serde_json::from_slice(&bytes).map_err(|error| CorpusError::Label {
        path: path.to_owned(),
        reason: error.to_string(),
    })
}
