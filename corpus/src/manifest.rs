//! `MANIFEST.json`: what every task's files must hash to, and the corpus root over all of them.

use crate::error::CorpusError;
use crate::hash::{artifact_hash, root_hash};
use crate::limits::Limits;
use crate::locate::{MANIFEST_NAME, locate};
use crate::walk::{Oddity, OddityKind, is_plain, walk};
use mechanism::ids::{Hash32, TaskRef};
use mechanism::track::Track;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The manifest format of this version.
pub const MANIFEST_VERSION: u32 = 1;

/// The pinned corpus.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// Format, [`MANIFEST_VERSION`].
    pub version: u32,
    /// Hash over every entry ([`root_hash`]).
    pub root: Hash32,
    /// Entries by task reference.
    pub tasks: BTreeMap<TaskRef, TaskEntry>,
}

/// The pins of one task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TaskEntry {
    /// Hash of the artifact ([`artifact_hash`]).
    pub artifact: Hash32,
    /// BLAKE3 of the label file's bytes.
    pub label: Hash32,
    /// Number of files in the artifact.
    pub files: u64,
    /// Sum of their sizes, in bytes.
    pub bytes: u64,
}

impl Manifest {
    /// From entries; computes the root.
    #[must_use]
    pub fn new(tasks: BTreeMap<TaskRef, TaskEntry>) -> Self {
        Manifest {
            version: MANIFEST_VERSION,
            root: root_of(&tasks),
            tasks,
        }
    }

    /// Reads the manifest of the corpus folder `dir` and checks its version, its references and its root.
    ///
    /// # Errors
    /// [`CorpusError::NoManifest`], [`CorpusError::Read`], [`CorpusError::Manifest`], and [`CorpusError::Mismatch`] when
    /// the root is not that of the entries.
    pub fn read(dir: &Path) -> Result<Self, CorpusError> {
        let path = dir.join(MANIFEST_NAME);
        let bytes = fs::read(&path).map_err(|e| match e.kind() {
            std::io::ErrorKind::NotFound => CorpusError::NoManifest(path.clone()),
            _ => CorpusError::read(&path, e),
        })?;
        let refuse = |reason: String| CorpusError::Manifest {
            path: path.clone(),
            reason,
        };
        let manifest: Manifest =
            serde_json::from_slice(&bytes).map_err(|e| refuse(e.to_string()))?;
        if manifest.version != MANIFEST_VERSION {
            let found = manifest.version;
            return Err(refuse(format!("version {found} is not {MANIFEST_VERSION}")));
        }
        if let Some(odd) = manifest.tasks.keys().find(|r| split_ref(r).is_none()) {
            return Err(refuse(format!("'{odd}' is not <track>/<task>")));
        }
        let root = root_of(&manifest.tasks);
        if root != manifest.root {
            return Err(CorpusError::mismatch(
                &path,
                "the root of its entries",
                manifest.root,
                root,
            ));
        }
        Ok(manifest)
    }

    /// The file's text: sorted keys, two-space indent, a final line break.
    #[must_use]
    pub fn to_text(&self) -> String {
        // A map with text keys and plain values always serialises.
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }
}

/// Hashes the corpus at `dir` (or `dir/data`) and writes its `MANIFEST.json`, replacing the old one at once or not at all.
///
/// Pinning does not judge labels: that is [`crate::lint()`].
///
/// # Errors
/// [`CorpusError::Refused`] for what no artifact may hold, [`CorpusError::Read`], [`CorpusError::Write`].
pub fn pin(dir: &Path) -> Result<Manifest, CorpusError> {
    let dir = locate(dir)?;
    let manifest = compute(&dir, Limits::default())?;
    let path = dir.join(MANIFEST_NAME);
    let partial = dir.join(format!(".{MANIFEST_NAME}.{}", std::process::id()));
    let written = write_synced(&partial, manifest.to_text().as_bytes())
        .and_then(|()| fs::rename(&partial, &path));
    if let Err(error) = written {
        // The error that matters is the first one; a left-over partial file is no corpus file.
        let _ = fs::remove_file(&partial);
        return Err(CorpusError::write(&path, error));
    }
    Ok(manifest)
}

fn write_synced(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let mut file = fs::File::create(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// The manifest that the files of the corpus folder `dir` would have.
pub(crate) fn compute(dir: &Path, limits: Limits) -> Result<Manifest, CorpusError> {
    let mut tasks = BTreeMap::new();
    for (task_ref, task_dir) in task_folders(dir)? {
        let artifact_dir = task_dir.join("artifact");
        let listing = walk(&artifact_dir, limits).accept()?;
        let label_path = task_dir.join("label.json");
        let label = fs::read(&label_path).map_err(|e| CorpusError::read(&label_path, e))?;
        let entry = TaskEntry {
            artifact: artifact_hash(&listing.hashes(&artifact_dir)?),
            label: blake3::hash(&label).into(),
            files: listing.files.len() as u64,
            bytes: listing.bytes(),
        };
        tasks.insert(task_ref, entry);
    }
    Ok(Manifest::new(tasks))
}

/// Every task folder on disk, by reference.
///
/// # Errors
/// [`CorpusError::Refused`] for a link or a name that would otherwise be left out without a word.
pub(crate) fn task_folders(dir: &Path) -> Result<BTreeMap<TaskRef, PathBuf>, CorpusError> {
    let (folders, oddities) = scan(dir)?;
    match oddities.into_iter().next() {
        Some(oddity) => Err(oddity.into()),
        None => Ok(folders),
    }
}

/// Every task folder on disk, by reference, and what lies beside them that is none.
pub(crate) fn scan(dir: &Path) -> Result<(BTreeMap<TaskRef, PathBuf>, Vec<Oddity>), CorpusError> {
    let mut folders = BTreeMap::new();
    let mut oddities = Vec::new();
    for track in Track::ALL {
        let track_dir = dir.join(track.as_str());
        let entries = match fs::read_dir(&track_dir) {
            Ok(entries) => entries,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => continue,
            Err(e) => return Err(CorpusError::read(&track_dir, e)),
        };
        if track_dir.is_symlink() {
            oddities.push(odd(track_dir, OddityKind::Symlink, "a symbolic link"));
            continue;
        }
        for entry in entries {
            let entry = entry.map_err(|e| CorpusError::read(&track_dir, e))?;
            let path = entry.path();
            let kind = entry.file_type().map_err(|e| CorpusError::read(&path, e))?;
            let Ok(name) = entry.file_name().into_string() else {
                oddities.push(odd(path, OddityKind::Name, "the name is not UTF-8"));
                continue;
            };
            let task_ref = TaskRef::new(format!("{track}/{name}"));
            if kind.is_symlink() {
                oddities.push(odd(path, OddityKind::Symlink, "a symbolic link"));
            } else if kind.is_dir() && split_ref(&task_ref).is_none() {
                oddities.push(odd(path, OddityKind::Name, "not the name of a task"));
            } else if kind.is_dir() {
                folders.insert(task_ref, path);
            }
        }
    }
    oddities.sort_by(|a, b| a.path.cmp(&b.path));
    Ok((folders, oddities))
}

fn odd(path: PathBuf, kind: OddityKind, reason: &str) -> Oddity {
    Oddity {
        path,
        kind,
        reason: reason.to_owned(),
    }
}

/// Track and folder name of a reference; `None` for anything that is not exactly that, so that no reference climbs out.
pub(crate) fn split_ref(task_ref: &TaskRef) -> Option<(Track, &str)> {
    let (track, task) = task_ref.as_str().split_once('/')?;
    Some((track.parse().ok()?, task)).filter(|_| is_task_name(task))
}

/// Whether this can be the name of a task's folder.
pub(crate) fn is_task_name(name: &str) -> bool {
    !name.starts_with('.') && is_plain(name) && !name.contains('/')
}

fn root_of(tasks: &BTreeMap<TaskRef, TaskEntry>) -> Hash32 {
    root_hash(tasks.iter().map(|(r, e)| (r, e.artifact, e.label)))
}
