//! One task as lint sees it: its label as far as it can be read, its files with their line counts.

use super::problem::{Code, Problems};
use crate::hash::artifact_hash;
use crate::limits::Limits;
use crate::paths::ArtifactPaths;
use crate::shingles::Shingles;
use crate::walk::{Listing, OddityKind, hash_file, walk};
use mechanism::ids::{Hash32, TaskRef};
use mechanism::label::Label;
use mechanism::track::Track;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

pub(super) struct TaskView {
    pub(super) task_ref: TaskRef,
    pub(super) track: Track,
    /// Folder name.
    pub(super) name: String,
    pub(super) folder: PathBuf,
    pub(super) label_path: PathBuf,
    /// The label's keys as written; empty when it is missing or no object.
    pub(super) raw: Map<String, Value>,
    /// The typed label, with the folder's task and track, and no class where the class is no known word.
    pub(super) label: Option<Label>,
    pub(super) listing: Listing,
    pub(super) paths: ArtifactPaths,
    /// Lines of each readable file.
    pub(super) lines: BTreeMap<String, u64>,
    /// `None` when a file could not be read.
    pub(super) artifact: Option<Hash32>,
    /// What near-duplicates are told by.
    pub(super) shingles: Shingles,
}

impl TaskView {
    /// Reads what can be read and reports the rest.
    pub(super) fn read(
        track: Track,
        name: &str,
        folder: &Path,
        limits: Limits,
        problems: &mut Problems,
    ) -> Self {
        let label_path = folder.join("label.json");
        let raw = read_raw(&label_path, problems).unwrap_or_default();
        let label = read_typed(&raw, track, name, &label_path, problems);
        let root = folder.join("artifact");
        let listing = walk(&root, limits);
        report_oddities(&root, &listing, problems);
        let Contents {
            lines,
            artifact,
            shingles,
        } = read_files(&root, &listing, problems);
        TaskView {
            task_ref: TaskRef::new(format!("{track}/{name}")),
            track,
            name: name.to_owned(),
            folder: folder.to_owned(),
            label_path,
            raw,
            label,
            paths: ArtifactPaths::new(listing.files.iter().map(|f| f.path.as_str())),
            listing,
            lines,
            artifact,
            shingles,
        }
    }

    pub(super) fn artifact_dir(&self) -> PathBuf {
        self.folder.join("artifact")
    }
}

fn read_raw(path: &Path, problems: &mut Problems) -> Option<Map<String, Value>> {
    let unfit = match fs::symlink_metadata(path) {
        Ok(meta) if meta.is_symlink() => Some((Code::Symlink, "a symbolic link".to_owned())),
        Ok(meta) if !meta.is_file() => Some((Code::SpecialFile, "not a regular file".to_owned())),
        Ok(_) => None,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            Some((Code::LabelMissing, "the task has no label".to_owned()))
        }
        Err(error) => Some((Code::Unreadable, error.to_string())),
    };
    if let Some((code, message)) = unfit {
        problems.add(path, code, message);
        return None;
    }
    let bytes = fs::read(path)
        .map_err(|error| problems.add(path, Code::Unreadable, error.to_string()))
        .ok()?;
    match serde_json::from_slice(&bytes) {
        Ok(Value::Object(keys)) => Some(keys),
        Ok(_) => {
            problems.add(path, Code::LabelMalformed, "not a JSON object");
            None
        }
        Err(error) => {
            let line = Some(error.line() as u64).filter(|line| *line > 0);
            problems.add_at(path, line, Code::LabelNotJson, error.to_string());
            None
        }
    }
}

/// The typed label. Values that have a check of their own are replaced first, so that one wrong word does not hide
/// every other problem of the label.
fn read_typed(
    raw: &Map<String, Value>,
    track: Track,
    name: &str,
    path: &Path,
    problems: &mut Problems,
) -> Option<Label> {
    if raw.is_empty() {
        return None;
    }
    let mut keys = raw.clone();
    keys.insert("task".to_owned(), name.into());
    keys.insert("track".to_owned(), track.as_str().into());
    if !matches!(
        keys.get("label").and_then(Value::as_str),
        Some("malicious" | "safe")
    ) {
        keys.remove("label");
    }
    let parsed = parse(&keys);
    if let Err(error) = &parsed {
        let message = match offending_key(&keys) {
            Some(key) => format!("'{key}' does not fit: {error}"),
            None => error.to_string(),
        };
        problems.add(path, Code::LabelMalformed, message);
    }
    parsed.ok()
}

fn parse(keys: &Map<String, Value>) -> serde_json::Result<Label> {
    serde_json::from_value(Value::Object(keys.clone()))
}

/// The key without which the label parses; none when there are several.
fn offending_key(keys: &Map<String, Value>) -> Option<&String> {
    keys.keys().find(|key| {
        let mut rest = keys.clone();
        rest.remove(*key);
        parse(&rest).is_ok()
    })
}

fn report_oddities(root: &Path, listing: &Listing, problems: &mut Problems) {
    for oddity in &listing.oddities {
        let code = match oddity.kind {
            OddityKind::Unreadable if oddity.path == root && !root.exists() => {
                Code::ArtifactMissing
            }
            OddityKind::Special if oddity.path == root => Code::ArtifactMissing,
            kind => Code::of(kind),
        };
        problems.add(&oddity.path, code, oddity.reason.clone());
    }
    if listing.files.is_empty() && listing.oddities.is_empty() {
        problems.add(root, Code::ArtifactEmpty, "the artifact holds no file");
    }
}

/// What lint learns from the bytes of an artifact.
struct Contents {
    /// Lines of each readable file.
    lines: BTreeMap<String, u64>,
    /// The artifact's hash when all files were readable.
    artifact: Option<Hash32>,
    shingles: Shingles,
}

fn read_files(root: &Path, listing: &Listing, problems: &mut Problems) -> Contents {
    let mut lines = BTreeMap::new();
    let mut shingles = Shingles::default();
    let mut hashes = Vec::with_capacity(listing.files.len());
    for file in &listing.files {
        let mut counter = LineCounter::default();
        let mut content = Vec::new();
        let hash = hash_file(root, file, |chunk| {
            counter.take(chunk);
            content.extend_from_slice(chunk);
            Ok(())
        });
        match hash {
            Ok(hash) => {
                lines.insert(file.path.clone(), counter.lines());
                shingles.add(&file.path, &content);
                hashes.push(hash);
            }
            Err(error) => {
                let path = root.join(&file.path);
                problems.add(&path, Code::Unreadable, error.to_string());
            }
        }
    }
    let complete = listing.oddities.is_empty() && hashes.len() == listing.files.len();
    Contents {
        lines,
        artifact: (complete && !hashes.is_empty()).then(|| artifact_hash(&hashes)),
        shingles: shingles.close(),
    }
}

/// Counts lines by `\n` alone (`mechanism.md §7`): a carriage return, form feed or U+2028 starts no line.
#[derive(Default)]
struct LineCounter {
    breaks: u64,
    open: bool,
}

impl LineCounter {
    fn take(&mut self, chunk: &[u8]) {
        self.breaks += chunk.iter().filter(|byte| **byte == b'\n').count() as u64;
        if let Some(last) = chunk.last() {
            self.open = *last != b'\n';
        }
    }

    /// Lines, the last one without a line break included.
    const fn lines(&self) -> u64 {
        self.breaks + self.open as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_line_feed_ends_a_line() {
        let count = |chunks: &[&str]| {
            let mut counter = LineCounter::default();
            chunks.iter().for_each(|c| counter.take(c.as_bytes()));
            counter.lines()
        };
        assert_eq!(count(&[]), 0);
        assert_eq!(count(&["a"]), 1);
        assert_eq!(count(&["a\n"]), 1);
        assert_eq!(count(&["a\n", "b"]), 2);
        assert_eq!(count(&["a\r\nb\rc\u{2028}d\u{c}e\n"]), 2);
    }
}
