//! Pin, load, verify, materialise: what matches passes, every difference is named.

use crate::common::{Fixture, MALICIOUS, SAFE};
use corpus::{Corpus, CorpusError, FIXED_MTIME_S, Manifest, lint, pin, stats};
use mechanism::fault::Fault;
use mechanism::ids::TaskRef;
use mechanism::track::Track;
use proptest::prelude::*;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;

fn pinned() -> Fixture {
    let fixture = Fixture::fit();
    pin(fixture.path()).unwrap();
    fixture
}

#[track_caller]
fn load_error(fixture: &Fixture) -> String {
    let error = Corpus::load(fixture.path()).unwrap_err();
    assert_eq!(error.fault(), Fault::Corpus);
    let text = error.to_string();
    assert!(!text.contains('\n'), "{text}");
    text
}

#[test]
fn a_pinned_corpus_loads_and_verifies() {
    let fixture = pinned();
    let corpus = Corpus::load(fixture.path()).unwrap();
    corpus.verify_all().unwrap();
    assert_eq!(corpus.root(), Manifest::read(fixture.path()).unwrap().root);
    assert_eq!(corpus.tasks().count(), 17);
    let task = corpus.task(&TaskRef::new(MALICIOUS)).unwrap();
    assert!(task.label.is_positive());
    let paths: Vec<&str> = task.files.iter().map(|f| f.path.as_str()).collect();
    assert_eq!(paths, ["README.md", "src/main.py"]);
    assert_eq!(lint(fixture.path()).unwrap().problems, []);
}

#[test]
fn a_pool_holds_its_track_with_both_classes() {
    let corpus = Corpus::load(pinned().path()).unwrap();
    let pool = corpus.pool(Track::Skills);
    let classes: Vec<bool> = pool.iter().map(|task| task.positive).collect();
    assert_eq!(classes, [false, true, false, true]);
    assert!(
        pool.iter()
            .all(|task| task.task_ref.as_str().starts_with("skills/"))
    );
    let planted = corpus.pool(Track::Repositories);
    assert_eq!(planted.iter().filter(|task| task.positive).count(), 4);
}

#[test]
fn the_parent_of_data_loads_too() {
    let fixture = pinned();
    let parent = tempfile::tempdir().unwrap();
    fs::rename(fixture.path(), parent.path().join("data")).unwrap();
    assert_eq!(
        Corpus::load(parent.path()).unwrap().dir(),
        parent.path().join("data")
    );
}

#[test]
fn a_label_that_changed_is_named_with_the_remedy() {
    let fixture = pinned();
    fixture.relabel(SAFE, |l| l["notes"] = "changed".into());
    let text = load_error(&fixture);
    assert!(
        text.contains(&format!("{SAFE}/label.json: the label hash is ")),
        "{text}"
    );
    assert!(text.contains("assay corpus pin"), "{text}");
}

#[test]
fn the_manifest_must_be_whole() {
    let fixture = Fixture::fit();
    assert!(load_error(&fixture).contains("no manifest; run `assay corpus pin`"));
    pin(fixture.path()).unwrap();
    let path = fixture.at("MANIFEST.json");
    let good = fs::read_to_string(&path).unwrap();
    for (from, to, names) in [
        ("\"version\": 1", "\"version\": 2", "version 2 is not 1"),
        ("\"bytes\"", "\"byte\"", "unknown field `byte`"),
        ("skills/t0001", "skills/../t0001", "is not <track>/<task>"),
        ("skills/t0001", "skills/t0009", "the root of its entries is"),
        ("}", "", "not a corpus manifest"),
    ] {
        fs::write(&path, good.replacen(from, to, 1)).unwrap();
        let text = load_error(&fixture);
        assert!(
            text.contains(names) && text.contains("MANIFEST.json"),
            "{text}"
        );
    }
}

#[test]
fn tasks_on_disk_and_in_the_manifest_are_the_same() {
    let fixture = pinned();
    fixture.task(
        "skills",
        "t0042-extra",
        &crate::common::behavioural("skills", "t0042-extra", false),
    );
    assert!(load_error(&fixture).contains("t0042-extra: the manifest does not list this task"));
    let fixture = pinned();
    fs::remove_dir_all(fixture.at(SAFE)).unwrap();
    assert!(load_error(&fixture).contains(&format!("{SAFE}/label.json: cannot be read")));
    let fixture = pinned();
    fs::remove_file(fixture.at(SAFE).join("artifact/README.md")).unwrap();
    assert!(load_error(&fixture).contains("the number of files is 1, the manifest says 2"));
}

#[test]
fn links_are_refused_at_load_pin_and_copy() {
    let fixture = pinned();
    let corpus = Corpus::load(fixture.path()).unwrap();
    let file = fixture.at(SAFE).join("artifact/README.md");
    fs::rename(&file, fixture.at("outside")).unwrap();
    symlink(fixture.at("outside"), &file).unwrap();
    assert!(load_error(&fixture).contains("README.md: a symbolic link; replace the link"));
    assert!(matches!(
        pin(fixture.path()),
        Err(CorpusError::Refused { .. })
    ));
    let into = fixture.at("copy");
    let error = corpus.materialise(&TaskRef::new(SAFE), &into).unwrap_err();
    assert!(matches!(error, CorpusError::Refused { .. }));
    assert!(!into.exists());
}

#[test]
fn no_task_is_left_out_without_a_word() {
    let fixture = pinned();
    symlink(fixture.at(MALICIOUS), fixture.at("skills/t0900-x")).unwrap();
    assert!(load_error(&fixture).contains("t0900-x: a symbolic link"));
    assert!(
        pin(fixture.path())
            .unwrap_err()
            .to_string()
            .contains("t0900-x: a symbolic link")
    );
    let fixture = pinned();
    fs::create_dir(fixture.at("skills/.hidden")).unwrap();
    assert!(load_error(&fixture).contains("not the name of a task"));
}

/// Same size, other content: only the bytes tell.
fn tamper(fixture: &Fixture) {
    let path = fixture.at(SAFE).join("artifact/src/main.py");
    let text = fs::read_to_string(&path).unwrap().replace("name", "NAME");
    fs::write(path, text).unwrap();
}

#[test]
fn changed_bytes_never_reach_a_copy() {
    let fixture = pinned();
    tamper(&fixture);
    let corpus = Corpus::load(fixture.path()).unwrap();
    let task_ref = TaskRef::new(SAFE);
    let out = tempfile::tempdir().unwrap();
    for error in [
        corpus.verify(&task_ref).map(drop).unwrap_err(),
        corpus.verify_all().unwrap_err(),
        corpus
            .materialise(&task_ref, &out.path().join("copy"))
            .unwrap_err(),
    ] {
        assert!(matches!(error, CorpusError::Mismatch { .. }), "{error}");
        assert!(
            error
                .to_string()
                .contains("artifact: the artifact hash is "),
            "{error}"
        );
    }
    assert_eq!(fs::read_dir(out.path()).unwrap().count(), 0);
}

#[test]
fn the_executable_bit_is_part_of_the_hash_and_other_bits_are_not() {
    let fixture = pinned();
    let path = fixture.at(SAFE).join("artifact/src/main.py");
    let corpus = Corpus::load(fixture.path()).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
    corpus.verify(&TaskRef::new(SAFE)).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o744)).unwrap();
    assert!(corpus.verify(&TaskRef::new(SAFE)).is_err());
}

#[test]
fn a_copy_has_fixed_modes_and_times() {
    let fixture = Fixture::fit();
    let script = fixture.at(SAFE).join("artifact/src/main.py");
    fs::set_permissions(&script, fs::Permissions::from_mode(0o700)).unwrap();
    fs::create_dir(fixture.at(SAFE).join("artifact/empty")).unwrap();
    pin(fixture.path()).unwrap();
    let corpus = Corpus::load(fixture.path()).unwrap();
    let out = tempfile::tempdir().unwrap();
    let into = out.path().join("copy");
    corpus.materialise(&TaskRef::new(SAFE), &into).unwrap();
    for (path, mode) in [
        ("", 0o755),
        ("src", 0o755),
        ("README.md", 0o644),
        ("src/main.py", 0o755),
    ] {
        let meta = fs::symlink_metadata(into.join(path)).unwrap();
        assert_eq!(meta.permissions().mode() & 0o7777, mode, "{path}");
        assert_eq!(meta.mtime(), FIXED_MTIME_S as i64, "{path}");
    }
    assert!(!into.join("empty").exists());
    let original = fs::read(script).unwrap();
    assert_eq!(fs::read(into.join("src/main.py")).unwrap(), original);
    // A second copy to the same place is refused and leaves the first.
    let error = corpus.materialise(&TaskRef::new(SAFE), &into).unwrap_err();
    assert_eq!(error.fault(), Fault::Infrastructure);
    assert_eq!(fs::read_dir(out.path()).unwrap().count(), 1);
}

#[test]
fn an_unknown_reference_copies_nothing() {
    let fixture = pinned();
    let corpus = Corpus::load(fixture.path()).unwrap();
    for reference in ["skills/none", "../etc", "skills/../../etc"] {
        let error = corpus.materialise(&TaskRef::new(reference), &fixture.at("copy"));
        assert!(matches!(error, Err(CorpusError::UnknownTask(_))));
    }
}

#[test]
fn pinning_twice_writes_the_same_bytes() {
    let fixture = pinned();
    let first = fs::read(fixture.at("MANIFEST.json")).unwrap();
    pin(fixture.path()).unwrap();
    assert_eq!(fs::read(fixture.at("MANIFEST.json")).unwrap(), first);
    assert!(first.ends_with(b"}\n"));
}

#[test]
fn stats_count_classes_languages_and_weaknesses() {
    let stats = stats(Fixture::fit().path()).unwrap();
    let skills = &stats.tracks[&Track::Skills];
    assert_eq!((skills.tasks, skills.files, skills.findings), (4, 8, 2));
    assert_eq!(
        (skills.classes["malicious"], skills.classes["safe"]),
        (2, 2)
    );
    assert_eq!(
        (skills.languages["Python"], skills.languages["Text"]),
        (4, 4)
    );
    let repositories = &stats.tracks[&Track::Repositories];
    assert_eq!(
        (
            repositories.classes["planted"],
            repositories.classes["clean"]
        ),
        (4, 1)
    );
    assert_eq!(
        (
            repositories.findings,
            repositories.cwes[&89],
            repositories.cwes[&564]
        ),
        (4, 4, 4)
    );
}

fn write_all(dir: &Path, files: &[(String, String)]) {
    for (path, text) in files {
        let path = dir.join("skills/t0001-x/artifact").join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    fs::write(dir.join("skills/t0001-x/label.json"), "{}").unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// A file system lists what was created in another order in another order; the root must not show it.
    #[test]
    fn the_root_does_not_depend_on_the_order_of_creation(
        files in proptest::collection::btree_map("[a-z]{1,3}/[a-z]{1,3}", ".{0,20}", 1..10),
        turn in 0usize..10,
    ) {
        let mut files: Vec<_> = files.into_iter().collect();
        let (one, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        write_all(one.path(), &files);
        let by = turn % files.len();
        files.rotate_left(by);
        files.reverse();
        write_all(other.path(), &files);
        let (one_root, other_root) = (pin(one.path()).unwrap().root, pin(other.path()).unwrap().root);
        prop_assert_eq!(one_root, other_root);
        files[0].1.push('x');
        write_all(other.path(), &files);
        prop_assert_ne!(pin(other.path()).unwrap().root, one_root);
    }
}
