//! Bytes that were durable and are not what they were: mended or refused by name, never another content, never a panic.

use crate::sample::{View, small, step, view};
use ledger::{IndexState, Ledger, LedgerError, MemLedger, RoundLedger, Status};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// A small generator of our own: the trials are the same everywhere.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let hash = blake3::hash(&self.0.to_le_bytes());
        u64::from_le_bytes(hash.as_bytes()[..8].try_into().unwrap()) % end
    }
}

const STEPS: u64 = 46;

fn files(dir: &Path, found: &mut Vec<PathBuf>) {
    for path in crate::open::names(dir) {
        if path.is_dir() {
            files(&path, found);
        } else {
            found.push(path);
        }
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for path in crate::open::names(from) {
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &target);
        } else {
            fs::copy(&path, &target).unwrap();
        }
    }
}

/// Damages the file; `None` when that changes nothing.
fn damage(path: &Path, numbers: &mut Numbers) -> Option<String> {
    let bytes = fs::read(path).unwrap();
    let length = bytes.len() as u64;
    let kind = numbers.below(10);
    if kind == 9 {
        fs::remove_file(path).unwrap();
        return Some("removed".into());
    }
    if length == 0 {
        return None;
    }
    let at = usize::try_from(numbers.below(length)).unwrap();
    let mut bad = bytes.clone();
    let what = match kind {
        0..=2 => {
            bad.truncate(at);
            format!("cut to {at}")
        }
        3 | 4 => {
            let end = (at + 4096).min(bad.len());
            bad[at..end].fill(0);
            format!("zeroed {at}..{end}")
        }
        _ => {
            bad[at] ^= 1 << numbers.below(8);
            format!("flipped a bit of byte {at}")
        }
    };
    if bad == bytes {
        return None;
    }
    fs::write(path, bad).unwrap();
    Some(what)
}

/// Every round that is left is as it was, or ends abstained where it was cut.
fn nothing_made_up(after: &View, before: &View) {
    for (key, entries) in &after.entries {
        let whole = &before.entries[key];
        if entries == whole {
            continue;
        }
        let (last, kept) = entries.split_last().unwrap();
        assert!(
            matches!(last, round::record::Entry::Abstained { .. }),
            "{key}: {last:?}"
        );
        assert!(whole.starts_with(kept), "{key}");
        let summary = after
            .rounds
            .iter()
            .find(|summary| summary.key == *key)
            .unwrap();
        assert_eq!(summary.status, Status::Abstained);
    }
}

fn class(dir: &Path, path: &Path) -> &'static str {
    let name = path
        .strip_prefix(dir)
        .unwrap()
        .to_string_lossy()
        .into_owned();
    match () {
        () if name.starts_with("journal-") => "journal",
        () if name.starts_with("index/") => "index",
        () if name.starts_with("blobs/") => "blobs",
        () => "marks",
    }
}

fn trial(place: &Path, before: &View, class: &str) -> &'static str {
    match Ledger::open(place, small()) {
        Ok((ledger, report)) => {
            assert_ne!(
                class, "journal",
                "damage to the journal was passed over: {report:?}"
            );
            assert_eq!(ledger.rounds(), before.rounds);
            assert_eq!(ledger.state(), before.state);
            let outcome = view(&ledger);
            if class == "blobs" {
                match outcome {
                    Ok(after) => assert_eq!(after, *before),
                    Err(LedgerError::Damage { .. } | LedgerError::BlobMissing { .. }) => {
                        assert!(!ledger.verify().problems.is_empty());
                        drop(ledger);
                        mend(place, before);
                        return "blob refused, mended";
                    }
                    Err(other) => panic!("{other}"),
                }
                return "blob not needed";
            }
            assert_eq!(outcome.unwrap(), *before);
            match report.index {
                IndexState::Current => "opened",
                IndexState::CaughtUp(_) => "index caught up",
                IndexState::Rebuilt(_) => "index made again",
                IndexState::Absent(why) => panic!("no index: {why}"),
            }
        }
        Err(error) => {
            let named = matches!(
                error,
                LedgerError::Damage { .. } | LedgerError::Schema { .. }
            );
            assert!(
                named && error.to_string().contains(&*place.to_string_lossy()),
                "{error}"
            );
            assert!(class == "journal" || class == "marks", "{class}: {error}");
            if matches!(error, LedgerError::Damage { .. }) {
                mend(place, before);
                return "refused, mended";
            }
            "refused"
        }
    }
}

fn mend(place: &Path, before: &View) {
    let report = Ledger::repair(place, &small()).unwrap();
    assert!(!report.problems.is_empty());
    let (ledger, _) = Ledger::open(place, small()).unwrap();
    nothing_made_up(&view(&ledger).unwrap(), before);
    assert_eq!(ledger.verify().problems, Vec::<String>::new());
}

fn trials(seed: u64, count: u64, only: &str) {
    let dir = tempfile::tempdir().unwrap();
    let origin = dir.path().join("origin");
    let ledger = Ledger::open(&origin, small()).unwrap().0;
    let mem = MemLedger::default();
    for n in (0..STEPS).filter(|n| n % 10 != 9) {
        step(&ledger, n).unwrap();
        step(&mem, n).unwrap();
    }
    let before = view(&ledger).unwrap();
    assert_eq!(before, view(&mem).unwrap());
    drop(ledger);
    let mut numbers = Numbers(seed);
    let mut outcomes: BTreeMap<&str, u64> = BTreeMap::new();
    let mut done = 0;
    while done < count {
        let place = dir.path().join("trial");
        copy(&origin, &place);
        let mut all = Vec::new();
        files(&place, &mut all);
        all.retain(|path| !path.ends_with("LOCK") && class(&place, path) == only);
        let pick = usize::try_from(numbers.below(all.len() as u64)).unwrap();
        let path = &all[pick];
        if let Some(what) = damage(path, &mut numbers) {
            println!(
                "{done}: {} {what}",
                path.strip_prefix(&place).unwrap().display()
            );
            *outcomes
                .entry(trial(&place, &before, class(&place, path)))
                .or_default() += 1;
            done += 1;
        }
        fs::remove_dir_all(&place).unwrap();
    }
    println!("{only}: {outcomes:?}");
}

#[test]
fn of_the_journal() {
    trials(1, 90, "journal");
}

#[test]
fn of_the_index() {
    trials(2, 60, "index");
}

#[test]
fn of_blobs() {
    trials(3, 40, "blobs");
}

#[test]
fn of_the_marks() {
    trials(4, 50, "marks");
}
