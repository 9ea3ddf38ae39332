//! Any life, closed and opened again anywhere in it, on disk and in memory: the same content.

use crate::sample::{abstained, ending, key, opened, run, small, units, view};
use ledger::{IndexState, Ledger, LedgerError, MemLedger, RoundLedger};
use proptest::prelude::*;
use round::record::Entry;

#[derive(Debug, Clone)]
enum Op {
    Append(u64, Vec<Entry>),
    Attach(u64, Vec<u8>),
    State(u64),
    Prune(usize),
    Reopen,
    ForgetIndex,
}

fn entry(round: u64) -> impl Strategy<Value = Entry> {
    prop_oneof![
        2 => Just(opened(round)),
        6 => (0u32..40, 0usize..9000).prop_map(move |(n, size)| run(round, n, size)),
        1 => Just(abstained()),
        1 => (0usize..4).prop_map(move |n| ending(round)[n].clone()),
    ]
}

fn op() -> impl Strategy<Value = Op> {
    let append = (1u64..5).prop_flat_map(|round| {
        let first = prop_oneof![Just(vec![]), Just(vec![opened(round)])];
        let rest = prop::collection::vec(entry(round), 0..5);
        (first, rest).prop_map(move |(first, rest)| Op::Append(round, [first, rest].concat()))
    });
    prop_oneof![
        12 => append,
        2 => ((1u64..5), prop::collection::vec(any::<u8>(), 0..200)).prop_map(|(round, bytes)| Op::Attach(round, bytes)),
        2 => (1u64..9).prop_map(Op::State),
        1 => (0usize..4).prop_map(Op::Prune),
        3 => Just(Op::Reopen),
        1 => Just(Op::ForgetIndex),
    ]
}

/// The kind of refusal; both twins must give the same.
fn kind(outcome: Result<(), LedgerError>) -> Option<std::mem::Discriminant<LedgerError>> {
    outcome.err().map(|error| std::mem::discriminant(&error))
}

fn apply(ledger: &impl RoundLedger, op: &Op) -> Result<(), LedgerError> {
    match op {
        Op::Append(round, entries) => ledger.append(&key(*round), entries),
        Op::Attach(round, bytes) => ledger.attach(&key(*round), "bytes", bytes).map(|_| ()),
        Op::State(round) => ledger.set_state(*round, &units(*round)),
        Op::Prune(keep) => ledger.prune(*keep).map(|_| ()),
        Op::Reopen | Op::ForgetIndex => Ok(()),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn disk_and_memory_agree(ops in prop::collection::vec(op(), 1..25)) {
        let dir = tempfile::tempdir().unwrap();
        let mut disk = Some(Ledger::open(dir.path(), small()).unwrap().0);
        let mem = MemLedger::default();
        for op in &ops {
            if matches!(op, Op::Reopen | Op::ForgetIndex) {
                disk = None;
                if matches!(op, Op::ForgetIndex) {
                    std::fs::remove_dir_all(dir.path().join("index")).unwrap();
                }
            }
            let ledger = disk.get_or_insert_with(|| {
                let (ledger, report) = Ledger::open(dir.path(), small()).unwrap();
                assert!(report.torn.is_none() && !report.unmarked, "{report:?}");
                if matches!(op, Op::Reopen) {
                    assert_eq!(report.index, IndexState::Current);
                }
                ledger
            });
            prop_assert_eq!(kind(apply(ledger, op)), kind(apply(&mem, op)));
            prop_assert_eq!(view(ledger).unwrap(), view(&mem).unwrap());
            prop_assert_eq!(ledger.index_fault(), None);
        }
        let ledger = disk.unwrap();
        prop_assert_eq!(ledger.verify().problems, Vec::<String>::new());
    }
}
