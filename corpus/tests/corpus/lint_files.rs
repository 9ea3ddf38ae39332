//! Every lint rule about files and about the corpus as a whole has a corpus that breaks it and nothing else.

use crate::common::{Fixture, MALICIOUS, SAFE, behavioural};
use corpus::{Code, lint, pin};
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::path::Path;

#[track_caller]
fn breaks(change: impl FnOnce(&Fixture), expected: &[Code]) {
    let fixture = Fixture::fit();
    change(&fixture);
    let problems = lint(fixture.path()).unwrap().problems;
    let found: Vec<Code> = problems.iter().map(|p| p.code).collect();
    assert_eq!(found, expected, "{problems:?}");
}

fn artifact(fixture: &Fixture) -> std::path::PathBuf {
    fixture.at(SAFE).join("artifact")
}

#[test]
fn links_and_devices() {
    breaks(
        |f| symlink("/etc/hostname", artifact(f).join("notes")).unwrap(),
        &[Code::Symlink],
    );
    breaks(
        |f| symlink("src", artifact(f).join("lib")).unwrap(),
        &[Code::Symlink],
    );
    breaks(
        |f| drop(UnixListener::bind(artifact(f).join("s")).unwrap()),
        &[Code::SpecialFile],
    );
    breaks(
        |f| {
            let label = f.at(SAFE).join("label.json");
            fs::rename(&label, f.at("moved")).unwrap();
            symlink(f.at("moved"), label).unwrap();
        },
        &[Code::UnexpectedEntry, Code::Symlink],
    );
}

#[test]
fn task_and_track_folders_are_folders_with_names() {
    breaks(
        |f| symlink(f.at(MALICIOUS), f.at("skills/t0900-x")).unwrap(),
        &[Code::Symlink],
    );
    let elsewhere = tempfile::tempdir().unwrap();
    breaks(
        |f| {
            let moved = elsewhere.path().join("moved");
            fs::rename(f.at("skills"), &moved).unwrap();
            symlink(moved, f.at("skills")).unwrap();
        },
        &[Code::Symlink],
    );
    breaks(
        |f| fs::create_dir(f.at("skills/.hidden")).unwrap(),
        &[Code::FileName],
    );
    breaks(
        |f| fs::create_dir(f.at("skills").join(OsStr::from_bytes(b"t\xff"))).unwrap(),
        &[Code::FileName],
    );
}

#[test]
fn names_are_printable_utf8() {
    breaks(
        |f| fs::write(artifact(f).join(OsStr::from_bytes(b"a\xff.py")), "").unwrap(),
        &[Code::FileName],
    );
    breaks(
        |f| fs::write(artifact(f).join("a\nb"), "").unwrap(),
        &[Code::FileName],
    );
    breaks(
        |f| fs::write(artifact(f).join("a\\b"), "").unwrap(),
        &[Code::FileName],
    );
}

#[test]
fn names_stay_apart_on_every_file_system() {
    breaks(
        |f| f.write(&format!("{SAFE}/artifact/readme.MD"), "x"),
        &[Code::NameCollision],
    );
    breaks(
        |f| f.write(&format!("{SAFE}/artifact/SRC/other.py"), "x"),
        &[Code::NameCollision],
    );
    breaks(
        |f| {
            f.write(&format!("{SAFE}/artifact/caf\u{e9}.md"), "x");
            f.write(&format!("{SAFE}/artifact/cafe\u{301}.md"), "x");
        },
        &[Code::NameCollision],
    );
}

#[test]
fn no_path_gives_the_label_away() {
    for path in [
        "clean.sh",
        "src/isSafe.py",
        "TRAP/x.py",
        "ground_truth.json",
        "label.json",
        "Label.JSON",
    ] {
        breaks(
            |f| f.write(&format!("{SAFE}/artifact/{path}"), "{}"),
            &[Code::LabelInPath],
        );
    }
    for path in [
        "src/label.json",
        "src/safety.py",
        "cleanser/x.py",
        "unsafe.rs",
    ] {
        breaks(|f| f.write(&format!("{SAFE}/artifact/{path}"), "{}"), &[]);
    }
    let name = "t0009-safe-tool";
    breaks(
        |f| f.task("skills", name, &behavioural("skills", name, false)),
        &[Code::LabelInPath],
    );
}

#[test]
fn an_artifact_has_files_within_limits() {
    breaks(
        |f| fs::remove_dir_all(artifact(f)).unwrap(),
        &[Code::ArtifactMissing],
    );
    breaks(
        |f| {
            fs::remove_dir_all(artifact(f)).unwrap();
            fs::create_dir_all(artifact(f).join("empty")).unwrap();
        },
        &[Code::ArtifactEmpty],
    );
    breaks(
        |f| {
            fs::File::create(artifact(f).join("big"))
                .unwrap()
                .set_len((256 << 20) + 1)
                .unwrap()
        },
        &[Code::ArtifactTooLarge],
    );
    breaks(
        |f| fs::create_dir_all(artifact(f).join("d/".repeat(130))).unwrap(),
        &[Code::ArtifactTooLarge],
    );
}

/// A path longer than the system's limit cannot be read, whoever runs the test.
#[test]
fn what_cannot_be_read_is_named() {
    let long = format!("{}/", "n".repeat(250)).repeat(10);
    breaks(
        |f| {
            let outer = artifact(f).join(&long);
            let inner = f.at("inner");
            fs::create_dir_all(&outer).unwrap();
            fs::create_dir_all(inner.join(&long)).unwrap();
            fs::rename(inner, outer.join("i")).unwrap();
        },
        &[Code::Unreadable],
    );
}

#[test]
fn the_layout_has_no_other_entries() {
    breaks(|f| f.write("notes.txt", "x"), &[Code::UnexpectedEntry]);
    breaks(
        |f| f.write("skills/notes.txt", "x"),
        &[Code::UnexpectedEntry],
    );
    breaks(
        |f| f.write(&format!("{SAFE}/notes.txt"), "x"),
        &[Code::UnexpectedEntry],
    );
    breaks(|f| f.write("README.md", "x"), &[]);
}

#[test]
fn pools_can_be_drawn() {
    let drop_tasks = |track: &str, numbers: &[u32]| {
        let (track, numbers) = (track.to_owned(), numbers.to_vec());
        move |f: &Fixture| {
            for entry in fs::read_dir(f.at(&track)).unwrap() {
                let path = entry.unwrap().path();
                let number = |n: &u32| path.to_string_lossy().contains(&format!("00{n}-"));
                if numbers.iter().any(number) {
                    fs::remove_dir_all(path).unwrap();
                }
            }
        }
    };
    breaks(drop_tasks("skills", &[1, 3]), &[Code::TooFewTasks]);
    breaks(drop_tasks("skills", &[2, 4]), &[Code::TooFewTasks]);
    breaks(drop_tasks("repositories", &[1]), &[Code::TooFewTasks]);
    breaks(drop_tasks("repositories", &[5]), &[]);
    breaks(drop_tasks("packages", &[1]), &[]);
    breaks(|f| fs::remove_dir_all(f.at("packages")).unwrap(), &[]);
}

#[test]
fn classes_are_split_within_seventy_to_thirty() {
    let add_safe = |count: u32| {
        move |f: &Fixture| {
            for n in 0..count {
                let name = format!("t050{n}-more");
                f.task("skills", &name, &behavioural("skills", &name, false));
            }
        }
    };
    // Two malicious tasks of six are a third, of seven below 30 in 100.
    breaks(add_safe(2), &[]);
    breaks(add_safe(3), &[Code::ClassSplit]);
}

#[test]
fn an_artifact_stands_once() {
    let copy = |from: &'static str, to: &'static str| {
        move |f: &Fixture| {
            let (from, to) = (f.at(from).join("artifact"), f.at(to).join("artifact"));
            fs::copy(from.join("README.md"), to.join("README.md")).unwrap();
        }
    };
    breaks(
        copy(SAFE, "skills/t0003-skills-tool"),
        &[Code::DuplicateArtifact],
    );
    breaks(
        copy(SAFE, "packages/t0001-packages-tool"),
        &[Code::DuplicateArtifact],
    );
    breaks(copy(SAFE, MALICIOUS), &[Code::ConflictingLabels]);
}

#[test]
fn task_names_stay_apart_on_every_file_system() {
    let name = "T0001-skills-tool";
    breaks(
        |f| {
            f.task("skills", name, &behavioural("skills", name, false));
            // A text of its own, so that the names are all that the two have in common.
            f.write(
                &format!("skills/{name}/artifact/src/main.py"),
                "print('another tool')\n",
            );
        },
        &[Code::NameCollision],
    );
}

#[test]
fn a_manifest_describes_the_files() {
    let pinned = |change: fn(&Path)| {
        move |f: &Fixture| {
            pin(f.path()).unwrap();
            change(f.path());
        }
    };
    breaks(pinned(|_| {}), &[]);
    breaks(
        pinned(|d| fs::write(d.join(SAFE).join("artifact/new.py"), "1\n").unwrap()),
        &[Code::ManifestStale],
    );
    breaks(
        pinned(|d| fs::remove_dir_all(d.join("skills/t0003-skills-tool")).unwrap()),
        &[Code::ManifestStale],
    );
    breaks(
        pinned(|d| fs::write(d.join("MANIFEST.json"), "{}").unwrap()),
        &[Code::ManifestStale],
    );
}

#[test]
fn all_problems_come_sorted_and_once() {
    let fixture = Fixture::fit();
    fixture.write("zebra", "x");
    fixture.relabel(SAFE, |l| {
        l["b"] = 1.into();
        l["a"] = 1.into();
        l["label"] = "?".into();
    });
    let problems = lint(fixture.path()).unwrap().problems;
    assert_eq!(problems.len(), 4);
    assert!(problems.is_sorted());
}
