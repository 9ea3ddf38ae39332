//! The rungs of the ladder, one by one.

use crate::sample::{agent_bytes, key, opened, run, run_id, small, step, view};
use ledger::{IndexState, Ledger, LedgerError, Options, RoundLedger};
use round::record::Entry;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The last segment of the only generation.
pub(crate) fn last_segment(dir: &Path) -> PathBuf {
    let generation = names(dir)
        .into_iter()
        .find(|path| path.to_string_lossy().contains("/journal-"))
        .unwrap();
    names(&generation).pop().unwrap()
}

pub(crate) fn names(dir: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<_> = std::fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    paths
}

#[test]
fn a_new_ledger_says_so_and_a_clean_stop_leaves_nothing_to_say() {
    let dir = tempfile::tempdir().unwrap();
    let place = dir.path().join("deep/ledger");
    let (ledger, report) = Ledger::open(&place, Options::default()).unwrap();
    assert!(report.created && report.lines().is_empty(), "{report:?}");
    ledger.append(&key(1), &[opened(1)]).unwrap();
    drop(ledger);
    let (ledger, report) = Ledger::open(&place, Options::default()).unwrap();
    assert!(!report.created && report.lines().is_empty(), "{report:?}");
    assert_eq!((report.commits, report.index), (1, IndexState::Current));
    let sizes = ledger.sizes().unwrap();
    assert!(
        sizes.journal > 500 && sizes.index > 0 && sizes.disk_free > 0,
        "{sizes:?}"
    );
}

#[test]
fn a_second_opening_is_refused_by_the_holders_process_id() {
    let dir = tempfile::tempdir().unwrap();
    let (_ledger, _) = Ledger::open(dir.path(), small()).unwrap();
    let refusal = Ledger::open(dir.path(), small()).unwrap_err();
    assert!(
        matches!(&refusal, LedgerError::Locked { pid, .. } if *pid == std::process::id().to_string()),
        "{refusal}"
    );
}

#[test]
fn a_torn_tail_is_cut_off_and_reported() {
    let dir = tempfile::tempdir().unwrap();
    let ledger = Ledger::open(dir.path(), small()).unwrap().0;
    ledger.append(&key(1), &[opened(1)]).unwrap();
    let before = view(&ledger).unwrap();
    drop(ledger);
    let segment = last_segment(dir.path());
    let whole = std::fs::metadata(&segment).unwrap().len();
    OpenOptions::new()
        .append(true)
        .open(&segment)
        .unwrap()
        .write_all(&[7; 300])
        .unwrap();
    let (ledger, report) = Ledger::open(dir.path(), small()).unwrap();
    let torn = report.torn.unwrap();
    assert_eq!(
        (torn.file.as_path(), torn.offset, torn.bytes),
        (segment.as_path(), whole, 300)
    );
    assert_eq!(view(&ledger).unwrap(), before);
    ledger.append(&key(1), &[run(1, 0, 10)]).unwrap();
    drop(ledger);
    let (ledger, report) = Ledger::open(dir.path(), small()).unwrap();
    assert!(report.lines().is_empty(), "{report:?}");
    assert_eq!(ledger.entries(&key(1)).unwrap().len(), 2);
}

#[test]
fn an_acknowledged_commit_that_is_cut_off_is_damage() {
    let dir = tempfile::tempdir().unwrap();
    let ledger = Ledger::open(dir.path(), small()).unwrap().0;
    ledger.append(&key(1), &[opened(1)]).unwrap();
    drop(ledger);
    let segment = last_segment(dir.path());
    let whole = std::fs::metadata(&segment).unwrap().len();
    for length in [whole - 1, 104] {
        OpenOptions::new()
            .write(true)
            .open(&segment)
            .unwrap()
            .set_len(length)
            .unwrap();
        let refusal = Ledger::open(dir.path(), small()).unwrap_err();
        let text = refusal.to_string();
        assert!(matches!(refusal, LedgerError::Damage { .. }), "{text}");
        assert!(
            text.contains("acknowledged") && text.contains("assay ledger repair"),
            "{text}"
        );
        assert!(text.contains(&*segment.to_string_lossy()), "{text}");
    }
}

#[test]
fn a_lost_index_is_made_again_and_reported() {
    let dir = tempfile::tempdir().unwrap();
    let ledger = Ledger::open(dir.path(), small()).unwrap().0;
    (0..28).for_each(|n| step(&ledger, n).unwrap());
    let before = view(&ledger).unwrap();
    drop(ledger);
    std::fs::remove_dir_all(dir.path().join("index")).unwrap();
    let (ledger, report) = Ledger::open(dir.path(), small()).unwrap();
    assert!(
        matches!(&report.index, IndexState::Rebuilt(_)),
        "{report:?}"
    );
    assert_eq!(report.lines().len(), 1);
    assert_eq!(view(&ledger).unwrap(), before);
}

#[test]
fn the_index_of_another_ledger_is_not_believed() {
    let dir = tempfile::tempdir().unwrap();
    let (a, b) = (dir.path().join("a"), dir.path().join("b"));
    for (place, steps) in [(&a, 5), (&b, 7)] {
        let ledger = Ledger::open(place, small()).unwrap().0;
        // Another first commit, so that the histories differ.
        ledger
            .set_state(steps, &crate::sample::units(steps))
            .unwrap();
        (0..steps).for_each(|n| step(&ledger, n).unwrap());
    }
    std::fs::remove_dir_all(a.join("index")).unwrap();
    std::fs::rename(b.join("index"), a.join("index")).unwrap();
    let (ledger, report) = Ledger::open(&a, small()).unwrap();
    assert!(
        matches!(&report.index, IndexState::Rebuilt(_)),
        "{report:?}"
    );
    assert_eq!(ledger.state(), Some((5, crate::sample::units(5))));
    assert_eq!(ledger.rounds()[0].commits, 5);
}

#[test]
fn the_ledger_lives_without_an_index() {
    let dir = tempfile::tempdir().unwrap();
    let ledger = Ledger::open(dir.path(), small()).unwrap().0;
    (0..15).for_each(|n| step(&ledger, n).unwrap());
    drop(ledger);
    std::fs::remove_dir_all(dir.path().join("index")).unwrap();
    std::fs::write(dir.path().join("index"), "not a folder").unwrap();
    let (ledger, report) = Ledger::open(dir.path(), small()).unwrap();
    assert!(matches!(&report.index, IndexState::Absent(_)), "{report:?}");
    assert!(ledger.index_fault().is_some());
    (15..20).for_each(|n| step(&ledger, n).unwrap());
    let seen = view(&ledger).unwrap();
    let mem = ledger::MemLedger::default();
    (0..20).for_each(|n| step(&mem, n).unwrap());
    assert_eq!(seen, view(&mem).unwrap());
    assert!(ledger.run(&key(1), &run_id(3)).unwrap().is_some());
}

#[test]
fn long_reports_are_blobs_and_one_run_can_be_read() {
    let dir = tempfile::tempdir().unwrap();
    let ledger = Ledger::open(dir.path(), small()).unwrap().0;
    ledger
        .append(&key(1), &[opened(1), run(1, 0, 40_000), run(1, 1, 40_000)])
        .unwrap();
    let journal = std::fs::metadata(last_segment(dir.path())).unwrap().len();
    assert!(
        journal < 8000,
        "the reports are not in the journal ({journal} bytes)"
    );
    let read = ledger.run(&key(1), &run_id(1)).unwrap().unwrap();
    assert_eq!(Entry::Run(Box::new(read)), run(1, 1, 40_000));
    assert_eq!(ledger.run(&key(1), &run_id(2)).unwrap(), None);
    assert_eq!(ledger.run(&key(2), &run_id(1)).unwrap(), None);
}

#[test]
fn what_another_version_wrote_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    drop(Ledger::open(dir.path(), small()).unwrap());
    std::fs::write(dir.path().join("VERSION"), "assay-ledger 2\n").unwrap();
    let refusal = Ledger::open(dir.path(), small()).unwrap_err();
    assert!(
        matches!(
            refusal,
            LedgerError::Schema {
                found: 2,
                known: 1,
                ..
            }
        ),
        "{refusal}"
    );
    assert!(
        Ledger::repair(dir.path(), &small()).is_err(),
        "repair does not touch it either"
    );
}

#[test]
fn unnamed_bytes_survive_until_the_next_compaction() {
    let dir = tempfile::tempdir().unwrap();
    let ledger = Ledger::open(dir.path(), small()).unwrap().0;
    let hash = ledger.put_blob(&agent_bytes(9)).unwrap();
    drop(ledger);
    let ledger = Ledger::open(dir.path(), small()).unwrap().0;
    assert_eq!(ledger.get_blob(&hash).unwrap(), agent_bytes(9));
    assert_eq!(ledger.compact().unwrap().blobs, 1);
}
