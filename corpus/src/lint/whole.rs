//! The corpus as a whole: layout, pools, duplicates, manifest.

use super::names::folded;
use super::problem::{Code, Problems};
use super::task::TaskView;
use crate::limits::PINNED;
use crate::locate::MANIFEST_NAME;
use crate::manifest::{Manifest, TaskEntry};
use mechanism::ids::{Hash32, TaskRef};
use mechanism::label::{Class, Label};
use mechanism::track::Track;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// What may stand beside the track folders.
const TOP_FILES: [&str; 4] = [MANIFEST_NAME, "README.md", "LICENSE", "NOTICE"];
/// Neither class of a behavioural track may hold more than this many of ten tasks.
const LARGER_CLASS_TENTHS: usize = 7;

/// Reports everything that the layout has no place for.
pub(super) fn check_entries(dir: &Path, problems: &mut Problems) {
    for (path, name) in entries(dir, problems) {
        let is_track = name.parse::<Track>().is_ok() && path.is_dir();
        if is_track && path.is_symlink() {
            continue;
        }
        if is_track {
            check_track(&path, problems);
        } else if !TOP_FILES.contains(&name.as_str()) {
            problems.add(
                &path,
                Code::UnexpectedEntry,
                "neither a track folder nor the manifest",
            );
        }
    }
}

fn check_track(dir: &Path, problems: &mut Problems) {
    let mut seen: BTreeMap<String, String> = BTreeMap::new();
    for (path, name) in entries(dir, problems) {
        // `scan` names the links among them.
        if path.is_symlink() {
            continue;
        }
        if !path.is_dir() {
            problems.add(&path, Code::UnexpectedEntry, "not a task folder");
        } else {
            check_task_entries(&path, &[], problems);
        }
        if let Some(other) = seen.insert(folded(&name), name) {
            let message = format!("equal to '{other}' in NFC or without case");
            problems.add(&path, Code::NameCollision, message);
        }
    }
}

/// Reports what stands in a task's folder beside its artifact, its label and the entries in `beside`.
pub(super) fn check_task_entries(folder: &Path, beside: &[&str], problems: &mut Problems) {
    for (inner, name) in entries(folder, problems) {
        let name = name.as_str();
        if name != "artifact" && name != "label.json" && !beside.contains(&name) {
            problems.add(
                &inner,
                Code::UnexpectedEntry,
                "neither artifact nor label.json",
            );
        }
    }
}

/// Entries by name; one that cannot be listed or is not UTF-8 becomes a problem.
fn entries(dir: &Path, problems: &mut Problems) -> Vec<(std::path::PathBuf, String)> {
    let listed = fs::read_dir(dir).and_then(|found| found.collect::<Result<Vec<_>, _>>());
    let mut named = Vec::new();
    match listed {
        Ok(found) => {
            for entry in found {
                match entry.file_name().into_string() {
                    Ok(name) => named.push((entry.path(), name)),
                    Err(_) => problems.add(&entry.path(), Code::FileName, "the name is not UTF-8"),
                }
            }
        }
        Err(error) => problems.add(dir, Code::Unreadable, error.to_string()),
    }
    named.sort();
    named
}

/// Reports what only shows over all tasks.
pub(super) fn check_tasks(dir: &Path, tasks: &[TaskView], problems: &mut Problems) {
    for track in Track::ALL {
        let of_track: Vec<&Label> = tasks
            .iter()
            .filter(|t| t.track == track)
            .filter_map(|t| t.label.as_ref())
            .collect();
        let path = dir.join(track.as_str());
        // A corpus may leave a track out; one that has the folder must be drawable.
        if path.is_dir() && !path.is_symlink() {
            check_pool(&path, track, &of_track, problems);
        }
    }
    check_duplicates(tasks, problems);
    check_near_duplicates(tasks, problems);
    check_manifest(dir, tasks, problems);
}

fn check_pool(path: &Path, track: Track, labels: &[&Label], problems: &mut Problems) {
    if !track.is_behavioural() {
        let planted = labels.iter().filter(|l| l.is_positive()).count();
        let needed = PINNED.draw.repositories_min_planted as usize;
        if planted < needed {
            let message = format!("{planted} tasks with planted findings, a draw needs {needed}");
            problems.add(path, Code::TooFewTasks, message);
        }
        return;
    }
    let count = |class| labels.iter().filter(|l| l.label == Some(class)).count();
    let (malicious, safe) = (count(Class::Malicious), count(Class::Safe));
    if malicious == 0 || safe == 0 {
        let message =
            format!("{malicious} malicious and {safe} safe tasks, a draw needs one of each");
        problems.add(path, Code::TooFewTasks, message);
    } else if malicious.max(safe) * 10 > (malicious + safe) * LARGER_CLASS_TENTHS {
        let message = format!("{malicious} malicious and {safe} safe tasks are beyond 70/30");
        problems.add(path, Code::ClassSplit, message);
    }
}

fn check_duplicates(tasks: &[TaskView], problems: &mut Problems) {
    let mut first: BTreeMap<Hash32, &TaskView> = BTreeMap::new();
    for task in tasks {
        let Some(hash) = task.artifact else { continue };
        let Some(earlier) = first.get(&hash) else {
            first.insert(hash, task);
            continue;
        };
        let positive = |t: &TaskView| t.label.as_ref().map(Label::is_positive);
        let code = if positive(task) == positive(earlier) {
            Code::DuplicateArtifact
        } else {
            Code::ConflictingLabels
        };
        let message = format!("the same artifact as {}", earlier.task_ref);
        problems.add(&task.artifact_dir(), code, message);
    }
}

/// Artifacts that are all but equal, whatever their labels and tracks: an agent that knows one knows the other.
fn check_near_duplicates(tasks: &[TaskView], problems: &mut Problems) {
    for (n, task) in tasks.iter().enumerate() {
        // Equal artifacts have been named already.
        let others = tasks.iter().take(n);
        for earlier in others.filter(|t| task.artifact.is_none() || t.artifact != task.artifact) {
            if let Some((shared, union)) = task.shingles.near(&earlier.shingles) {
                let message = format!(
                    "shares {shared} of {union} token shingles with {}",
                    earlier.task_ref
                );
                problems.add(&task.artifact_dir(), Code::NearDuplicate, message);
            }
        }
    }
}

/// A manifest is not required yet, but one that is there must describe the files.
fn check_manifest(dir: &Path, tasks: &[TaskView], problems: &mut Problems) {
    let path = dir.join(MANIFEST_NAME);
    if !path.exists() {
        return;
    }
    let manifest = match Manifest::read(dir) {
        Ok(manifest) => manifest,
        Err(error) => return problems.add(&path, Code::ManifestStale, error.to_string()),
    };
    let mut found: BTreeMap<TaskRef, TaskEntry> = BTreeMap::new();
    for task in tasks {
        let label = fs::read(&task.label_path).map(|bytes| blake3::hash(&bytes));
        // What cannot be read has its own problem.
        let (Some(artifact), Ok(label)) = (task.artifact, label) else {
            return;
        };
        let entry = TaskEntry {
            artifact,
            label: label.into(),
            files: task.listing.files.len() as u64,
            bytes: task.listing.bytes(),
        };
        found.insert(task.task_ref.clone(), entry);
    }
    let first = found
        .iter()
        .find(|(task_ref, entry)| manifest.tasks.get(*task_ref) != Some(*entry))
        .map(|(task_ref, _)| task_ref)
        .or_else(|| manifest.tasks.keys().find(|r| !found.contains_key(*r)));
    if let Some(task_ref) = first {
        let message = format!("the files and the manifest differ, first at {task_ref}");
        problems.add(&path, Code::ManifestStale, message);
    }
}
