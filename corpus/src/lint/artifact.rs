//! Names inside an artifact.

use super::names::{folded, label_word};
use super::problem::{Code, Problems};
use super::task::TaskView;
use std::collections::BTreeMap;

pub(super) fn check(task: &TaskView, problems: &mut Problems) {
    check_hints(task, problems);
    check_collisions(task, problems);
}

/// No path that an agent sees, and no task name, says the label.
fn check_hints(task: &TaskView, problems: &mut Problems) {
    if let Some(word) = label_word(&task.name) {
        problems.add(
            &task.folder,
            Code::LabelInPath,
            format!("the task's name says '{word}'"),
        );
    }
    let root = task.artifact_dir();
    let files = task.listing.files.iter().map(|f| f.path.as_str());
    // Folders are judged where they hold a file: an agent sees no empty one.
    for path in files {
        let hint = label_word(path).or_else(|| {
            // Deeper down it is a file of the product, and it stays.
            path.eq_ignore_ascii_case("label.json")
                .then(|| path.to_owned())
        });
        if let Some(word) = hint {
            problems.add(
                &root.join(path),
                Code::LabelInPath,
                format!("the path says '{word}'"),
            );
        }
    }
}

fn check_collisions(task: &TaskView, problems: &mut Problems) {
    let root = task.artifact_dir();
    let mut seen: BTreeMap<String, &str> = BTreeMap::new();
    let files = task.listing.files.iter().map(|f| f.path.as_str());
    let folders = task.listing.folders.iter().map(String::as_str);
    for path in folders.chain(files) {
        if let Some(other) = seen.insert(folded(path), path) {
            let message = format!("equal to '{other}' in NFC or without case");
            problems.add(&root.join(path), Code::NameCollision, message);
        }
    }
}
