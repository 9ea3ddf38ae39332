//! A process that is killed while it writes: what it acknowledged is there when the ledger is opened again.

use crate::sample::{View, small, step, view};
use ledger::{Ledger, MemLedger, crash};
use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

const DIR: &str = "LEDGER_TEST_DIR";
const FROM: &str = "LEDGER_TEST_FROM";
const UNTIL: u64 = 62;
const SIGKILL: i32 = 9;

/// The writer, in a process of its own: it does nothing unless the parent below has set its folder.
#[test]
fn writer() {
    let Ok(dir) = std::env::var(DIR) else { return };
    let from = std::env::var(FROM).unwrap().parse().unwrap();
    let (ledger, _) = Ledger::open(Path::new(&dir), small()).unwrap();
    for n in from..UNTIL {
        step(&ledger, n).unwrap();
        println!("acknowledged {n}");
        std::io::stdout().flush().unwrap();
    }
}

fn start(dir: &Path, from: u64, crash_at: Option<&str>) -> Child {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args([
        "crash::writer",
        "--exact",
        "--nocapture",
        "--test-threads=1",
    ]);
    command
        .env(DIR, dir)
        .env(FROM, from.to_string())
        .env_remove(crash::VARIABLE);
    if let Some(point) = crash_at {
        command.env(crash::VARIABLE, point);
    }
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    command.spawn().unwrap()
}

/// Steps that are acknowledged when the child has ended: the first one that is not.
fn acknowledged(child: &mut Child, from: u64) -> u64 {
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let numbers = lines.map_while(Result::ok).filter_map(|line| {
        let number = line.split("acknowledged ").nth(1)?;
        number.trim().parse::<u64>().ok()
    });
    numbers.last().map_or(from, |last| last + 1)
}

fn model(steps: u64) -> View {
    let mem = MemLedger::default();
    (0..steps).for_each(|n| step(&mem, n).unwrap());
    view(&mem).unwrap()
}

/// The ledger holds what was acknowledged, and the step that was interrupted whole or not at all. Says how many steps.
fn check(dir: &Path, acked: u64, what: &str) -> u64 {
    let (ledger, report) =
        Ledger::open(dir, small()).unwrap_or_else(|error| panic!("{what}: {error}"));
    assert!(!report.unmarked || acked == 0, "{what}: {report:?}");
    let found = view(&ledger).unwrap_or_else(|error| panic!("{what}: {error}"));
    assert_eq!(ledger.verify().problems, Vec::<String>::new(), "{what}");
    if found == model(acked) {
        return acked;
    }
    assert_eq!(
        found,
        model(acked + 1),
        "{what}: neither {acked} steps nor one more"
    );
    acked + 1
}

#[test]
fn at_every_named_point() {
    for name in crash::ALL {
        for count in [1, 2] {
            let point = format!("{name}:{count}");
            let dir = tempfile::tempdir().unwrap();
            let mut child = start(dir.path(), 0, Some(&point));
            let acked = acknowledged(&mut child, 0);
            let status = child.wait().unwrap();
            if count == 1 || !name.starts_with("create.") {
                assert_eq!(
                    status.signal(),
                    Some(SIGKILL),
                    "{point} was never passed: {status}"
                );
            }
            check(dir.path(), acked, &point);
        }
    }
}

#[test]
fn at_random_moments() {
    let mut kills = 0;
    for life in 0..12u64 {
        let dir = tempfile::tempdir().unwrap();
        let mut from = 0;
        for kill in 0..60u64 {
            let mut child = start(dir.path(), from, None);
            let seed = blake3::hash(&[life.to_le_bytes(), kill.to_le_bytes()].concat());
            let pause = 4 + u64::from(seed.as_bytes()[0]) / 4;
            std::thread::sleep(Duration::from_millis(pause));
            child.kill().unwrap();
            let acked = acknowledged(&mut child, from);
            child.wait().unwrap();
            kills += 1;
            from = check(dir.path(), acked, &format!("life {life}, kill {kill}"));
            if from >= UNTIL {
                break;
            }
        }
    }
    println!("{kills} kills");
    assert!(
        kills >= 24,
        "the lives were too short to be killed in: {kills}"
    );
}

#[test]
fn every_point_in_the_sources_is_listed() {
    let mut found = std::collections::BTreeSet::new();
    collect(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("src"),
        &mut found,
    );
    let listed: std::collections::BTreeSet<String> =
        crash::ALL.iter().map(ToString::to_string).collect();
    assert_eq!(found, listed);
}

/// Every text of the form "group.name" with a group of the list, wherever it stands in the sources but in the list itself.
fn collect(dir: &Path, found: &mut std::collections::BTreeSet<String>) {
    let groups = [
        "create.", "blob.", "rotate.", "journal.", "index.", "prune.",
    ];
    for path in crate::open::names(dir) {
        if path.is_dir() {
            collect(&path, found);
        } else if !path.ends_with("crash.rs") {
            let text = std::fs::read_to_string(&path).unwrap();
            let quoted = text.split('"').skip(1).step_by(2);
            let points = quoted.filter(|word| {
                groups.iter().any(|group| word.starts_with(group)) && !word.contains(' ')
            });
            found.extend(points.map(ToOwned::to_owned));
        }
    }
}
