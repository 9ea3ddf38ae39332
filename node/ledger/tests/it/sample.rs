//! Rounds to keep: every kind of entry, each a function of small numbers; and a view of all that a ledger holds.

use ledger::{LedgerError, RoundKey, RoundLedger, RoundSummary};
use mechanism::draw::Drawn;
use mechanism::ids::{Hash32, Hotkey, Pin, TaskRef};
use mechanism::participants::Participant;
use mechanism::track::Track;
use mechanism::verdict::Verdict;
use mechanism::weights::Units;
use round::fault::AbstainReason;
use round::plan::RunId;
use round::ports::{ChainView, Exit, SignedWeights, Usage, WeightsPayload};
use round::record::{Entry, Opening, RunRecord, RuntimeNote};
use round::standing::WeightsContext;
use std::collections::{BTreeMap, BTreeSet};

pub(crate) fn key(round: u64) -> RoundKey {
    format!("net7:round-{round}").parse().unwrap()
}

pub(crate) fn hash(text: &str) -> Hash32 {
    blake3::hash(text.as_bytes()).into()
}

pub(crate) fn hotkey(n: u64) -> Hotkey {
    Hotkey::new(format!("5Miner{n}"))
}

/// What an agent's file holds.
pub(crate) fn agent_bytes(round: u64) -> Vec<u8> {
    format!("def agent_main(task): return {round}").into_bytes()
}

pub(crate) fn opened(round: u64) -> Entry {
    let participant = Participant {
        hotkey: hotkey(1),
        pin: Pin::blake3_of(&agent_bytes(round)),
        commit_block: 40,
    };
    let opening = Opening {
        node_version: "0.1.0".into(),
        spec_id: hash("spec"),
        spec_name: "practice".into(),
        corpus_root: hash("corpus"),
        runtime: RuntimeNote {
            hash: "ab".repeat(32),
            source: "host".into(),
            version: "3.13.5".into(),
            comparable: false,
        },
        netuid: 7,
        round,
        seed: hash("seed"),
        seed_block: 100 * round,
        freeze_block: 100 * round - 10,
        validator: hotkey(0),
        secret_commitment: hash("commitment"),
        participants: BTreeMap::from([(Track::Skills, vec![participant])]),
        tasks: BTreeMap::from([(
            Track::Skills,
            Drawn {
                tasks: vec![TaskRef::new("skills/t1001-notes")],
                counts: [1, 0],
            },
        )]),
    };
    Entry::Opened {
        opening: Box::new(opening),
        secret: hash(&format!("secret {round}")),
    }
}

pub(crate) fn run_id(n: u32) -> RunId {
    RunId {
        track: Track::ALL[(n % 4) as usize],
        rep: n / 4,
        rank: n,
        hotkey: hotkey(u64::from(n) % 3),
    }
}

/// A run whose report has about `size` bytes; 0 is a run without one.
pub(crate) fn run(round: u64, n: u32, size: usize) -> Entry {
    let line = format!("{{\"finding\":\"é {round} {n}\"}}\n");
    let report = (size > 0).then(|| line.repeat(size / line.len() + 1));
    Entry::Run(Box::new(RunRecord {
        id: run_id(n),
        pin: Pin::blake3_of(&agent_bytes(round)),
        task_ref: TaskRef::new(format!("skills/t{n}")),
        attempt: 1,
        failure: None,
        message: Some("one line \u{7}".into()),
        verdict: Some(Verdict::Warn),
        report_hash: report.as_ref().map(|text| hash(text)),
        report,
        exit: Some(Exit::Code(0)),
        usage: Usage {
            cpu_us: 1234 + u64::from(n),
            wall_us: u64::MAX,
            ..Usage::default()
        },
        detail: vec!["wall 3.0 s".into()],
        stderr_tail: "warning".into(),
        faults: Vec::new(),
    }))
}

pub(crate) fn payload(round: u64) -> WeightsPayload {
    WeightsPayload {
        netuid: 7,
        version_key: 1,
        round,
        uids: vec![1, 2],
        values: vec![65535, 7],
        spec_id: hash("spec"),
        round_digest: hash("digest"),
    }
}

pub(crate) fn scored(round: u64) -> Entry {
    let chain = ChainView {
        registered: BTreeMap::from([(hotkey(1), 1)]),
        reregistered: BTreeSet::from([hotkey(2)]),
        contributors: vec![hotkey(1)],
        min_allowed_weights: 1,
        max_weights_limit: 65535,
        version_key: 1,
    };
    let context = WeightsContext {
        previous: Some(units(round)),
        chain,
    };
    Entry::Scored {
        round_digest: hash("digest"),
        context: Box::new(context),
    }
}

pub(crate) fn ending(round: u64) -> Vec<Entry> {
    let signed = SignedWeights {
        hotkey: hotkey(0),
        payload: payload(round),
        signature: "00".repeat(64),
    };
    vec![
        scored(round),
        Entry::Intent {
            payload: payload(round),
        },
        Entry::Signed { signed },
        Entry::Closed {
            state: units(round),
        },
    ]
}

pub(crate) fn abstained() -> Entry {
    Entry::Abstained {
        reason: AbstainReason::Interrupted,
        detail: "stopped".into(),
    }
}

pub(crate) fn units(round: u64) -> Units {
    BTreeMap::from([(hotkey(1), 1000 + round), (hotkey(2), 5)])
}

/// All that a ledger holds, for comparison.
#[derive(Debug, PartialEq)]
pub(crate) struct View {
    pub(crate) rounds: Vec<RoundSummary>,
    pub(crate) entries: BTreeMap<RoundKey, Vec<Entry>>,
    pub(crate) attached: BTreeMap<RoundKey, Vec<(String, Vec<u8>)>>,
    pub(crate) state: Option<(u64, Units)>,
}

pub(crate) fn view(ledger: &impl RoundLedger) -> Result<View, LedgerError> {
    let mut view = View {
        rounds: ledger.rounds(),
        entries: BTreeMap::new(),
        attached: BTreeMap::new(),
        state: ledger.state(),
    };
    for summary in &view.rounds {
        view.entries
            .insert(summary.key.clone(), ledger.entries(&summary.key)?);
        let mut attached = Vec::new();
        for (name, blob) in ledger.attachments(&summary.key)? {
            attached.push((name, ledger.get_blob(&blob.hash)?));
        }
        view.attached.insert(summary.key.clone(), attached);
    }
    Ok(view)
}

/// Step `n` of a long life: ten steps a round, a prune now and then.
pub(crate) fn step(ledger: &impl RoundLedger, n: u64) -> Result<(), LedgerError> {
    let (round, part) = (n / 10 + 1, n % 10);
    let key = key(round);
    let part32 = u32::try_from(part).unwrap();
    match part {
        0 => ledger.append(&key, &[opened(round)]),
        1 => ledger
            .attach(&key, "agent", &agent_bytes(round))
            .map(|_| ()),
        2 => ledger.append(
            &key,
            &[run(round, 1, 300), run(round, 2, 0), run(round, 3, 9000)],
        ),
        3..=6 => ledger.append(
            &key,
            &[run(round, part32 + 10, 100 + 3000 * (part as usize % 3))],
        ),
        7 => ledger.append(&key, &ending(round)),
        8 => ledger.set_state(round, &units(round)),
        _ if round % 3 == 0 => ledger.prune(2).map(|_| ()),
        _ => ledger.put_blob(&[9; 100]).map(|_| ()),
    }
}

/// Small segments, so that they rotate often.
pub(crate) fn small() -> ledger::Options {
    ledger::Options {
        segment_bytes: 12 << 10,
        index_cache_bytes: 1 << 20,
    }
}
