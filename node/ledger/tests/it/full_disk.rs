//! A disk that fills up while the ledger writes.

use crate::sample::{key, opened, run, small, view};
use ledger::{Ledger, LedgerError, MemLedger, RoundLedger};
use rustix::mount::{MountFlags, UnmountFlags, mount, unmount};
use std::ffi::CString;
use std::path::{Path, PathBuf};

/// A small file system of its own, gone with the value.
struct Small(PathBuf);

impl Small {
    fn mount(place: &Path) -> Option<Self> {
        std::fs::create_dir_all(place).unwrap();
        let options = CString::new("size=6m").unwrap();
        match mount(
            "none",
            place,
            "tmpfs",
            MountFlags::empty(),
            options.as_c_str(),
        ) {
            Ok(()) => Some(Small(place.to_owned())),
            Err(errno) => {
                println!("skipped: a tmpfs cannot be mounted here ({errno}); run as root");
                None
            }
        }
    }
}

impl Drop for Small {
    fn drop(&mut self) {
        let _ = unmount(&self.0, UnmountFlags::DETACH);
    }
}

/// Takes all space but about `left` bytes.
fn fill(path: &Path, left: u64) {
    let free = rustix::fs::statvfs(path.parent().unwrap()).unwrap();
    let size = (free.f_bavail * free.f_frsize).saturating_sub(left);
    std::fs::write(path, vec![1; usize::try_from(size).unwrap()]).unwrap();
}

/// Appends runs with reports of `size` bytes until the disk is full; says how many were acknowledged, and the refusal.
fn until_full(ledger: &Ledger, mem: &MemLedger, size: usize) -> LedgerError {
    for n in 0..4000 {
        match ledger.append(&key(1), &[run(1, n, size)]) {
            Ok(()) => mem.append(&key(1), &[run(1, n, size)]).unwrap(),
            Err(error) => return error,
        }
    }
    panic!("the disk never filled up");
}

/// `size`: below the limit for inline reports the journal fills the disk, above it a blob does.
fn fills_up(size: usize) {
    let dir = tempfile::tempdir().unwrap();
    let Some(small_disk) = Small::mount(&dir.path().join("disk")) else {
        return;
    };
    let place = small_disk.0.join("ledger");
    let filler = small_disk.0.join("filler");
    let mem = MemLedger::default();
    let (ledger, _) = Ledger::open(&place, small()).unwrap();
    ledger.append(&key(1), &[opened(1)]).unwrap();
    mem.append(&key(1), &[opened(1)]).unwrap();
    fill(&filler, 200 << 10);
    let refusal = until_full(&ledger, &mem, size);
    assert!(matches!(refusal, LedgerError::NoSpace { .. }), "{refusal}");
    assert!(refusal.to_string().contains("ENOSPC"), "{refusal}");
    let next = ledger.append(&key(1), &[run(1, 9000, size)]).unwrap_err();
    assert!(
        matches!(
            next,
            LedgerError::Poisoned { .. } | LedgerError::NoSpace { .. }
        ),
        "{next}"
    );
    // What was acknowledged can be read while the disk is full, before and after a restart.
    assert_eq!(view(&ledger).unwrap(), view(&mem).unwrap());
    drop(ledger);
    let (ledger, _) = Ledger::open(&place, small()).unwrap();
    assert_eq!(view(&ledger).unwrap(), view(&mem).unwrap());
    drop(ledger);
    std::fs::remove_file(&filler).unwrap();
    let (ledger, report) = Ledger::open(&place, small()).unwrap();
    assert!(
        report.torn.is_none(),
        "the opening before has cut it off: {report:?}"
    );
    ledger.append(&key(1), &[run(1, 9001, size)]).unwrap();
    mem.append(&key(1), &[run(1, 9001, size)]).unwrap();
    assert_eq!(view(&ledger).unwrap(), view(&mem).unwrap());
    assert_eq!(ledger.verify().problems, Vec::<String>::new());
}

#[test]
fn by_the_journal() {
    fills_up(2000);
}

#[test]
fn by_blobs() {
    fills_up(30_000);
}

#[test]
fn a_failed_write_ends_appending_until_the_ledger_is_opened_again() {
    let dir = tempfile::tempdir().unwrap();
    let Some(small_disk) = Small::mount(&dir.path().join("disk")) else {
        return;
    };
    let place = small_disk.0.join("ledger");
    let filler = small_disk.0.join("filler");
    let (ledger, _) = Ledger::open(&place, small()).unwrap();
    ledger.append(&key(1), &[opened(1)]).unwrap();
    fill(&filler, 100 << 10);
    let refusal = until_full(&ledger, &MemLedger::default_with_round(), 2000);
    assert!(matches!(refusal, LedgerError::NoSpace { .. }), "{refusal}");
    std::fs::remove_file(&filler).unwrap();
    let next = ledger.append(&key(1), &[run(1, 9000, 10)]).unwrap_err();
    assert!(matches!(next, LedgerError::Poisoned { .. }), "{next}");
    assert!(matches!(
        ledger.compact(),
        Err(LedgerError::Poisoned { .. })
    ));
    drop(ledger);
    let (ledger, _) = Ledger::open(&place, small()).unwrap();
    ledger.append(&key(1), &[run(1, 9000, 10)]).unwrap();
}

trait WithRound {
    fn default_with_round() -> Self;
}

impl WithRound for MemLedger {
    fn default_with_round() -> Self {
        let mem = MemLedger::default();
        mem.append(&key(1), &[opened(1)]).unwrap();
        mem
    }
}
