//! What repair saves, and what it gives up by name.

use crate::open::{last_segment, names};
use crate::sample::{ending, key, opened, run, small, units, view};
use ledger::{Ledger, Options, RoundLedger, Status};
use std::os::unix::fs::FileExt;
use std::path::Path;

fn flip(path: &Path, offset: u64) {
    let file = std::fs::OpenOptions::new()
        .read(true)
        .write(true)
        .open(path)
        .unwrap();
    let mut byte = [0];
    file.read_exact_at(&mut byte, offset).unwrap();
    file.write_all_at(&[byte[0] ^ 4], offset).unwrap();
}

#[test]
fn a_hole_ends_the_round_it_is_in_and_no_other() {
    let dir = tempfile::tempdir().unwrap();
    let ledger = Ledger::open(dir.path(), Options::default()).unwrap().0;
    let segment = last_segment(dir.path());
    let end = || std::fs::metadata(&segment).unwrap().len();
    ledger
        .append(&key(1), &[opened(1), run(1, 0, 100)])
        .unwrap();
    ledger.append(&key(1), &ending(1)).unwrap();
    ledger.set_state(1, &units(1)).unwrap();
    ledger.append(&key(2), &[opened(2)]).unwrap();
    let hole = end() + 60;
    ledger.append(&key(2), &[run(2, 0, 100)]).unwrap();
    ledger.append(&key(2), &[run(2, 1, 100)]).unwrap();
    ledger.append(&key(2), &ending(2)).unwrap();
    ledger.set_state(2, &units(2)).unwrap();
    ledger
        .append(&key(3), &[opened(3), run(3, 0, 9000)])
        .unwrap();
    let before = view(&ledger).unwrap();
    drop(ledger);
    flip(&segment, hole);
    assert!(Ledger::open(dir.path(), Options::default()).is_err());
    let report = Ledger::repair(dir.path(), &Options::default()).unwrap();
    assert_eq!(report.abstained, [key(2)]);
    assert_eq!(
        (
            report.left_out,
            report.dropped.len(),
            report.kept_aside.len()
        ),
        (5, 0, 1)
    );
    let ledger = Ledger::open(dir.path(), Options::default()).unwrap().0;
    let after = view(&ledger).unwrap();
    assert_eq!(after.entries[&key(1)], before.entries[&key(1)]);
    assert_eq!(after.entries[&key(3)], before.entries[&key(3)]);
    assert_eq!(after.entries[&key(2)][0], opened(2));
    assert_eq!(after.entries[&key(2)].len(), 2);
    let status: Vec<_> = after.rounds.iter().map(|round| round.status).collect();
    assert_eq!(status, [Status::Closed, Status::Abstained, Status::Open]);
    assert_eq!(after.state, before.state);
    assert!(
        names(&report.kept_aside[0]).len() == 1,
        "the damaged segment is kept"
    );
}

#[test]
fn a_sound_ledger_is_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    let ledger = Ledger::open(dir.path(), small()).unwrap().0;
    (0..18).for_each(|n| crate::sample::step(&ledger, n).unwrap());
    let before = view(&ledger).unwrap();
    drop(ledger);
    let report = Ledger::repair(dir.path(), &small()).unwrap();
    assert!(
        report.problems.is_empty() && report.kept_aside.is_empty(),
        "{report:?}"
    );
    let (ledger, opened) = Ledger::open(dir.path(), small()).unwrap();
    assert!(opened.lines().is_empty(), "{opened:?}");
    assert_eq!(view(&ledger).unwrap(), before);
}

#[test]
fn nothing_is_repaired_where_nothing_is() {
    let dir = tempfile::tempdir().unwrap();
    assert!(Ledger::repair(&dir.path().join("typo"), &small()).is_err());
    assert!(!dir.path().join("typo").exists());
}
