//! One task outside of any corpus.

use super::common::behavioural;
use corpus::{Code, CorpusError, check_task, template};
use mechanism::track::Track;
use serde_json::json;
use std::collections::BTreeSet;
use std::fs;

fn codes(dir: &std::path::Path) -> BTreeSet<Code> {
    check_task(dir)
        .unwrap()
        .problems
        .iter()
        .map(|p| p.code)
        .collect()
}

#[test]
fn a_template_names_every_gap_until_it_is_filled_in() {
    let home = tempfile::tempdir().unwrap();
    let dir = home.path().join("t0042-log-shipper");
    template(&dir, Track::Packages).unwrap();
    assert!(dir.join("artifact").is_dir() && !dir.join("artifact/README.md").exists());
    assert!(
        fs::read_to_string(dir.join("README.md"))
            .unwrap()
            .contains("artifact/")
    );
    let expected = [
        Code::ArtifactEmpty,
        Code::LabelWord,
        Code::LicenceMissing,
        Code::FindingFile,
    ];
    assert_eq!(codes(&dir), BTreeSet::from(expected));

    fs::create_dir_all(dir.join("artifact/src")).unwrap();
    fs::write(dir.join("artifact/src/main.py"), "import os\n").unwrap();
    let label = behavioural("packages", "t0042-log-shipper", true).to_string();
    fs::write(dir.join("label.json"), &label).unwrap();
    let checked = check_task(&dir).unwrap();
    assert!(checked.problems.is_empty(), "{:?}", checked.problems);
    assert_eq!(
        (checked.task.as_str(), checked.track),
        ("t0042-log-shipper", Track::Packages)
    );
    assert_eq!(checked.label, blake3::hash(label.as_bytes()).into());
    assert!(checked.artifact.is_some());
}

#[test]
fn a_template_of_an_audit_task_fits_its_track() {
    let home = tempfile::tempdir().unwrap();
    let dir = home.path().join("t0042-ledger");
    template(&dir, Track::Repositories).unwrap();
    let expected = [
        Code::ArtifactEmpty,
        Code::LicenceMissing,
        Code::FindingFile,
        Code::CweUnknown,
    ];
    assert_eq!(codes(&dir), BTreeSet::from(expected));
}

#[test]
fn nothing_is_overwritten_and_no_odd_name_is_taken() {
    let home = tempfile::tempdir().unwrap();
    let dir = home.path().join("t1");
    fs::create_dir(&dir).unwrap();
    template(&dir, Track::Skills).unwrap();
    for dir in [&dir, &home.path().join(".hidden")] {
        assert!(matches!(
            template(dir, Track::Skills),
            Err(CorpusError::Refused { .. })
        ));
    }
}

#[test]
fn a_task_is_checked_by_the_rules_of_a_single_task_only() {
    let home = tempfile::tempdir().unwrap();
    let dir = home.path().join("t0001-safe-tool");
    template(&dir, Track::Skills).unwrap();
    fs::write(dir.join("artifact/a.py"), "x = 1\n").unwrap();
    fs::write(dir.join("stray.txt"), "x").unwrap();
    let mut label = behavioural("skills", "t0001-other", false);
    label["surprise"] = json!(1);
    fs::write(dir.join("label.json"), label.to_string()).unwrap();
    let expected = [
        Code::LabelInPath,
        Code::UnexpectedEntry,
        Code::UnknownKey,
        Code::TaskMismatch,
    ];
    assert_eq!(codes(&dir), BTreeSet::from(expected));
    fs::write(dir.join("label.json"), "{}").unwrap();
    assert!(matches!(check_task(&dir), Err(CorpusError::Label { .. })));
}
