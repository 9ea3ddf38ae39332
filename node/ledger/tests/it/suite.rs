//! What both twins must do.

use crate::sample::{self, abstained, agent_bytes, ending, key, opened, run, small, units, view};
use ledger::{Ledger, LedgerError, MemLedger, RoundLedger, Status};
use round::ports::Store;
use std::io::Read;

/// Runs every check on fresh ledgers.
fn suite<L: RoundLedger>(fresh: &dyn Fn() -> L) {
    keeps_rounds_apart_and_in_order(&fresh());
    refuses_what_breaks_a_round(&fresh());
    records_a_state_once(&fresh());
    prunes_whole_rounds(&fresh());
    exports_and_imports(fresh);
    imports_on_top_of_a_part(fresh);
    refuses_a_bad_export(fresh);
}

fn keeps_rounds_apart_and_in_order(ledger: &impl RoundLedger) {
    let mut store = ledger.round(key(1));
    assert!(ledger.entries(&key(1)).unwrap().is_empty());
    store.append(&[opened(1), run(1, 0, 50_000)]).unwrap();
    ledger.append(&key(2), &[opened(2)]).unwrap();
    store.append(&[]).unwrap();
    store.append(&[run(1, 1, 10)]).unwrap();
    store.append(&ending(1)).unwrap();
    ledger.append(&key(2), &[abstained()]).unwrap();
    let expected: Vec<_> = [vec![opened(1), run(1, 0, 50_000), run(1, 1, 10)], ending(1)].concat();
    assert_eq!(ledger.entries(&key(1)).unwrap(), expected);
    assert_eq!(ledger.entries(&key(2)).unwrap(), [opened(2), abstained()]);
    let rounds = ledger.rounds();
    let facts: Vec<_> = rounds
        .iter()
        .map(|r| (r.round, r.status, r.runs, r.commits, r.first, r.last))
        .collect();
    assert_eq!(
        facts,
        [
            (1, Status::Closed, 2, 3, 1, 4),
            (2, Status::Abstained, 0, 2, 2, 5)
        ]
    );
}

fn refuses_what_breaks_a_round(ledger: &impl RoundLedger) {
    assert!(matches!(
        ledger.append(&key(1), &[run(1, 0, 1)]),
        Err(LedgerError::NotOpened(_))
    ));
    assert!(matches!(
        ledger.attach(&key(1), "x", b"y"),
        Err(LedgerError::NotOpened(_))
    ));
    ledger.append(&key(1), &[opened(1)]).unwrap();
    assert!(matches!(
        ledger.append(&key(1), &[opened(1)]),
        Err(LedgerError::AlreadyOpened(_))
    ));
    let twice = [opened(2), opened(2)];
    assert!(matches!(
        ledger.append(&key(2), &twice),
        Err(LedgerError::AlreadyOpened(_))
    ));
    assert_eq!(ledger.rounds().len(), 1, "a refused batch leaves nothing");
    assert_eq!(ledger.entries(&key(1)).unwrap(), [opened(1)]);
}

fn records_a_state_once(ledger: &impl RoundLedger) {
    assert_eq!(ledger.state(), None);
    ledger.set_state(4, &units(4)).unwrap();
    ledger.set_state(4, &units(4)).unwrap();
    assert!(matches!(
        ledger.set_state(4, &units(5)),
        Err(LedgerError::StateTaken(4))
    ));
    assert!(matches!(
        ledger.set_state(3, &units(3)),
        Err(LedgerError::StateOrder { round: 3, last: 4 })
    ));
    ledger.set_state(9, &units(9)).unwrap();
    assert_eq!(ledger.state(), Some((9, units(9))));
}

fn prunes_whole_rounds(ledger: &impl RoundLedger) {
    for round in 1..=5 {
        ledger
            .append(&key(round), &[opened(round), run(round, 0, 9000)])
            .unwrap();
        ledger.put_blob(&agent_bytes(round)).unwrap();
        ledger
            .attach(&key(round), "log", format!("log of {round}").as_bytes())
            .unwrap();
        if round != 2 {
            ledger.append(&key(round), &ending(round)).unwrap();
        }
        ledger.set_state(round, &units(round)).unwrap();
    }
    let stray = ledger.put_blob(b"nobody names me").unwrap();
    let before = view(ledger).unwrap();
    let report = ledger.prune(2).unwrap();
    assert_eq!(report.dropped, [key(1), key(3)]);
    assert_eq!(
        report.kept, 3,
        "the newest two, and the one that is still open"
    );
    let after = view(ledger).unwrap();
    assert_eq!(after.state, before.state);
    for round in [2, 4, 5] {
        assert_eq!(after.entries[&key(round)], before.entries[&key(round)]);
        assert_eq!(after.attached[&key(round)], before.attached[&key(round)]);
        let agent = blake3::hash(&agent_bytes(round)).into();
        assert_eq!(ledger.get_blob(&agent).unwrap(), agent_bytes(round));
    }
    assert!(matches!(
        ledger.get_blob(&stray),
        Err(LedgerError::BlobMissing { .. })
    ));
    let agent = blake3::hash(&agent_bytes(1)).into();
    assert!(matches!(
        ledger.get_blob(&agent),
        Err(LedgerError::BlobMissing { .. })
    ));
    assert!(ledger.entries(&key(1)).unwrap().is_empty());
    ledger.append(&key(6), &[opened(6)]).unwrap();
    assert_eq!(ledger.compact().unwrap().dropped, []);
    assert_eq!(
        view(ledger).unwrap().entries[&key(4)],
        before.entries[&key(4)]
    );
}

fn life(ledger: &impl RoundLedger, steps: std::ops::Range<u64>) {
    steps.for_each(|n| sample::step(ledger, n).unwrap());
}

fn exports_and_imports<L: RoundLedger>(fresh: &dyn Fn() -> L) {
    let from = fresh();
    life(&from, 0..28);
    let mut file = Vec::new();
    let exported = from.export(&mut file).unwrap();
    let to = fresh();
    let imported = to.import(&mut file.as_slice()).unwrap();
    assert_eq!(
        (imported.records, imported.added),
        (exported.records, exported.records)
    );
    let (a, b) = (view(&from).unwrap(), view(&to).unwrap());
    assert_eq!(
        (a.entries, a.attached, a.state),
        (b.entries, b.attached, b.state)
    );
    assert_eq!(
        to.import(&mut file.as_slice()).unwrap().added,
        0,
        "a second import adds nothing"
    );
    assert_eq!(to.rounds().len(), from.rounds().len());
}

fn imports_on_top_of_a_part<L: RoundLedger>(fresh: &dyn Fn() -> L) {
    let (from, to) = (fresh(), fresh());
    life(&from, 0..19);
    life(&to, 0..14);
    let mut file = Vec::new();
    from.export(&mut file).unwrap();
    to.import(&mut file.as_slice()).unwrap();
    let (a, b) = (view(&from).unwrap(), view(&to).unwrap());
    assert_eq!(
        (a.entries, a.attached, a.state),
        (b.entries, b.attached, b.state)
    );
    let other = fresh();
    other.append(&key(1), &[opened(1), abstained()]).unwrap();
    let before = view(&other).unwrap();
    assert!(matches!(
        other.import(&mut file.as_slice()),
        Err(LedgerError::Conflict(_))
    ));
    assert_eq!(view(&other).unwrap(), before);
}

fn refuses_a_bad_export<L: RoundLedger>(fresh: &dyn Fn() -> L) {
    let from = fresh();
    life(&from, 0..9);
    let mut file = Vec::new();
    from.export(&mut file).unwrap();
    let mut text = String::new();
    zstd::Decoder::new(file.as_slice())
        .unwrap()
        .read_to_string(&mut text)
        .unwrap();
    let pack = |text: &str| zstd::encode_all(text.as_bytes(), 3).unwrap();
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let without_third = [&lines[..2], &lines[3..]].concat().concat();
    let without_end = lines[..lines.len() - 1].concat();
    let bad = [
        pack(&text.replace("\"attempt\":1", "\"attempt\":2")),
        pack(&without_third),
        pack(&without_end),
        pack(&format!("{text}{{\"format\":\"assay-ledger/1\"}}\n")),
        pack(&text[..text.len() - 5]),
        pack(""),
        file[..file.len() / 2].to_vec(),
        b"not zstd".to_vec(),
    ];
    for (n, bytes) in bad.iter().enumerate() {
        let to = fresh();
        let outcome = to.import(&mut bytes.as_slice());
        assert!(
            matches!(outcome, Err(LedgerError::Export { .. })),
            "{n}: {outcome:?}"
        );
        assert!(to.rounds().is_empty() && to.state().is_none(), "{n}");
    }
}

#[test]
fn in_memory() {
    suite(&MemLedger::default);
}

#[test]
fn on_disk() {
    let dir = tempfile::tempdir().unwrap();
    let number = std::cell::Cell::new(0);
    suite(&|| {
        number.set(number.get() + 1);
        let place = dir.path().join(number.get().to_string());
        Ledger::open(&place, small()).unwrap().0
    });
}
