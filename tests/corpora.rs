//! Corpora that cannot be read or are not what their manifest says.

use super::support::Desk;
use assert_cmd::Command;
use std::fs;
use std::path::{Path, PathBuf};

fn score(desk: &Desk, corpus: &str) -> Command {
    let mut command = desk.assay();
    command.args([
        "score",
        "agents/grep.py",
        "-t",
        "skills",
        "--spec",
        "demo",
        "--corpus",
        corpus,
    ]);
    command
}

/// The first task of the track by name.
fn first_task(desk: &Desk, track: &str) -> PathBuf {
    let mut tasks: Vec<PathBuf> = fs::read_dir(desk.corpus().join(track))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    tasks.sort();
    tasks.swap_remove(0)
}

fn append(path: &Path, bytes: &[u8]) {
    let mut content = fs::read(path).unwrap();
    content.extend_from_slice(bytes);
    fs::write(path, content).unwrap();
}

#[test]
fn what_is_no_corpus_is_refused_by_every_command() {
    let desk = Desk::bare();
    desk.write("file", "x");
    fs::create_dir(desk.path().join("hollow")).unwrap();
    for name in ["nowhere", "file", "hollow"] {
        desk.refused(&mut score(&desk, name), 6, &[name, "MANIFEST.json"]);
        desk.refused(desk.assay().args(["demo", "--corpus", name]), 6, &[name]);
        for command in ["lint", "pin", "stats"] {
            desk.refused(desk.assay().args(["corpus", command, name]), 6, &[name]);
        }
    }
}

#[test]
fn a_broken_manifest_is_refused() {
    let desk = Desk::new();
    let manifest = desk.corpus().join("MANIFEST.json");
    let text = fs::read_to_string(&manifest).unwrap();
    fs::write(&manifest, &text[..text.len() / 2]).unwrap();
    desk.refused(
        &mut score(&desk, "corpus"),
        6,
        &["corpus/MANIFEST.json", "corpus pin"],
    );
    fs::remove_file(&manifest).unwrap();
    desk.refused(
        &mut score(&desk, "corpus"),
        6,
        &["corpus/MANIFEST.json", "corpus pin"],
    );
}

#[test]
fn bytes_that_changed_after_pinning_are_named() {
    let desk = Desk::new();
    let task = first_task(&desk, "skills");
    let name = task.file_name().unwrap().to_str().unwrap().to_owned();
    let skill = task.join("artifact/SKILL.md");
    let before = fs::read(&skill).unwrap();
    append(&skill, b"x");
    desk.refused(
        &mut score(&desk, "corpus"),
        6,
        &[&name, "the manifest says", "corpus pin"],
    );
    // The length alone must not decide.
    let mut flipped = before.clone();
    flipped[0] ^= 1;
    fs::write(&skill, flipped).unwrap();
    desk.refused(
        &mut score(&desk, "corpus"),
        6,
        &[&name, "hash", "corpus pin"],
    );
    fs::write(&skill, before).unwrap();

    append(&task.join("label.json"), b"\n");
    let line = desk.refused(
        &mut score(&desk, "corpus"),
        6,
        &[&name, "label.json", "hash"],
    );
    assert!(!line.contains("malicious"), "a label in a message: {line}");
    desk.assay()
        .args(["corpus", "lint", "corpus"])
        .assert()
        .code(1);
    desk.assay()
        .args(["corpus", "pin", "corpus"])
        .assert()
        .success();
    desk.assay()
        .args(["corpus", "lint", "corpus"])
        .assert()
        .success();
}

#[test]
fn an_unknown_label_word_is_refused_even_when_pinned() {
    let desk = Desk::new();
    let label = first_task(&desk, "skills").join("label.json");
    let text = fs::read_to_string(&label).unwrap();
    let text = text
        .replace("\"malicious\"", "\"suspicious\"")
        .replace("\"safe\"", "\"suspicious\"");
    fs::write(&label, text).unwrap();
    let lint = desk
        .assay()
        .args(["corpus", "lint", "corpus"])
        .output()
        .unwrap();
    assert_eq!(lint.status.code(), Some(1));
    let found = String::from_utf8(lint.stdout).unwrap();
    assert!(
        found.contains("suspicious") && found.contains("label.json"),
        "{found}"
    );
    desk.assay()
        .args(["corpus", "pin", "corpus"])
        .assert()
        .success();
    desk.refused(
        &mut score(&desk, "corpus"),
        6,
        &["label.json", "suspicious", "safe"],
    );
}

#[test]
fn a_pool_of_one_class_abstains_before_any_run() {
    let desk = Desk::new();
    for entry in fs::read_dir(desk.corpus().join("skills")).unwrap() {
        let task = entry.unwrap().path();
        let label = fs::read_to_string(task.join("label.json")).unwrap();
        if label.contains("\"safe\"") {
            fs::remove_dir_all(task).unwrap();
        }
    }
    desk.assay()
        .args(["corpus", "pin", "corpus"])
        .assert()
        .success();
    desk.refused(
        &mut score(&desk, "corpus"),
        6,
        &["pool_refused", "skills", "0 safe", "add"],
    );
}
