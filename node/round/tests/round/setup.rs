//! What a test's round starts from: small pools, known truth, four agents.

use mechanism::draw::PoolTask;
use mechanism::ids::{Hash32, Hotkey, Pin, TaskRef};
use mechanism::label::{Class, Label};
use mechanism::participants::Participant;
use mechanism::spec::{DEMO_TEXT, Spec};
use mechanism::track::Track;
use round::fault::RetryPolicy;
use round::machine::{Goal, Setup};
use round::ports::TaskTruth;
use round::record::RuntimeNote;
use serde_json::json;
use std::collections::BTreeMap;

/// Tasks of each pool: positive ones, then others. All are drawn.
const POOL: [usize; 2] = [4, 1];
/// The demo spec with five tasks and two repetitions.
pub(crate) fn spec() -> Spec {
    let text = DEMO_TEXT
        .replace("tasks = 8", "tasks = 5")
        .replace("reps = 3", "reps = 2");
    Spec::parse(&text).unwrap()
}

pub(crate) fn hotkey(name: &str) -> Hotkey {
    Hotkey::new(name)
}

/// `oracle` and `auditor` know every answer, `allower` allows everything, `raiser` raises.
pub(crate) const AGENTS: [(&str, Track); 4] = [
    ("oracle", Track::Skills),
    ("allower", Track::Skills),
    ("raiser", Track::Packages),
    ("auditor", Track::Repositories),
];

fn label(track: Track, task: &str, positive: bool) -> Label {
    let value = if track.is_behavioural() {
        json!({
            "task": task, "track": track, "label": if positive { Class::Malicious } else { Class::Safe },
            "notes": format!("WATERMARK {task}"),
        })
    } else {
        let planted = json!([{
            "file": "main.py", "line": 3, "cwe": "CWE-78", "title": "WATERMARK shell injection",
            "description": "WATERMARK", "severity": "high",
        }]);
        json!({
            "task": task, "track": track, "vulnerabilities": if positive { planted } else { json!([]) },
            "notes": "WATERMARK",
        })
    };
    serde_json::from_value(value).unwrap()
}

/// A round of all tracks with [`AGENTS`]; `positive` tells the truth of each task from its number in the pool.
pub(crate) fn setup_with(positive: &dyn Fn(usize) -> bool) -> Setup {
    let mut pools = BTreeMap::new();
    let mut truth = BTreeMap::new();
    for track in Track::ALL {
        let mut pool = Vec::new();
        for number in 0..POOL[0] + POOL[1] {
            let name = format!("t{number:04}-{}", &track.as_str()[..3]);
            let task_ref: TaskRef =
                serde_json::from_value(json!(format!("{track}/{name}"))).unwrap();
            pool.push(PoolTask {
                task_ref: task_ref.clone(),
                positive: number < POOL[0],
            });
            truth.insert(
                task_ref.clone(),
                TaskTruth {
                    task_ref,
                    track,
                    label: label(track, &name, positive(number)),
                    files: vec!["README.md".to_owned(), "main.py".to_owned()],
                },
            );
        }
        pools.insert(track, pool);
    }
    let mut participants: BTreeMap<Track, Vec<Participant>> = BTreeMap::new();
    for (block, (name, track)) in (1u64..).zip(AGENTS) {
        participants.entry(track).or_default().push(Participant {
            hotkey: hotkey(name),
            pin: Pin::blake3_of(name.as_bytes()),
            commit_block: block,
        });
    }
    for agents in participants.values_mut() {
        agents.sort_by(|a, b| a.hotkey.cmp(&b.hotkey));
    }
    Setup {
        goal: Goal::Weights,
        tracks: Track::ALL.into_iter().collect(),
        spec: spec(),
        node_version: "0".to_owned(),
        corpus_root: Hash32([1; 32]),
        runtime: RuntimeNote {
            hash: "00".to_owned(),
            source: "host".to_owned(),
            version: "3".to_owned(),
            comparable: false,
        },
        netuid: 1,
        round: 7,
        validator: hotkey("validator"),
        seed: Hash32([2; 32]),
        seed_block: 360,
        secret: Hash32([3; 32]),
        participants,
        pools,
        truth,
        previous: None,
        names: BTreeMap::new(),
        retry: RetryPolicy::default(),
    }
}

pub(crate) fn setup() -> Setup {
    setup_with(&|number| number < POOL[0])
}
