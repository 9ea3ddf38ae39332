//! Kind `round_digest`, of this project's own vectors: a small round and its digest.

use super::diff::{judge, read};
use crate::digest::{self, Completed, DigestAgent, DigestInput, DigestRun};
use crate::ids::{Hash32, Hotkey, Pin};
use crate::scored::ScoredFinding;
use crate::track::Track;
use crate::verdict::Verdict;
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Input {
    spec_id: Hash32,
    corpus_root: Hash32,
    agents: Vec<Agent>,
    runs: Vec<Run>,
    #[serde(deserialize_with = "Option::deserialize")]
    vector: Option<Vec<(u16, u16)>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Agent {
    hotkey: Hotkey,
    track: Track,
    pin: Pin,
    #[serde(deserialize_with = "Option::deserialize")]
    score: Option<f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Run {
    track: Track,
    hotkey: Hotkey,
    rep: u32,
    rank: u32,
    #[serde(deserialize_with = "Option::deserialize")]
    completed: Option<Said>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Said {
    verdict: Verdict,
    findings: Vec<Finding>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Finding {
    class: String,
    location: String,
    #[serde(deserialize_with = "Option::deserialize")]
    lines: Option<(i64, i64)>,
}

pub(super) fn run(input: &Value, expected: &Value) -> Result<(), String> {
    judge(outcome(input), expected)
}

fn outcome(input: &Value) -> Result<Value, String> {
    let case: Input = read(input)?;
    let findings: Vec<Vec<ScoredFinding>> = case.runs.iter().map(scored).collect();
    let agents = case
        .agents
        .iter()
        .map(|agent| DigestAgent {
            hotkey: &agent.hotkey,
            track: agent.track,
            pin: &agent.pin,
            score: agent.score,
        })
        .collect();
    let runs = case
        .runs
        .iter()
        .zip(&findings)
        .map(|(run, findings)| DigestRun {
            track: run.track,
            hotkey: &run.hotkey,
            rep: run.rep,
            rank: run.rank,
            completed: run.completed.as_ref().map(|said| Completed {
                verdict: said.verdict,
                findings,
            }),
        })
        .collect();
    let digest = digest::round_digest(&DigestInput {
        spec_id: case.spec_id,
        corpus_root: case.corpus_root,
        agents,
        runs,
        vector: case.vector.as_deref(),
    });
    Ok(json!({ "digest": digest }))
}

fn scored(run: &Run) -> Vec<ScoredFinding> {
    run.completed
        .iter()
        .flat_map(|said| &said.findings)
        .map(|finding| ScoredFinding {
            class: finding.class.clone(),
            location: finding.location.clone(),
            lines: finding.lines,
        })
        .collect()
}
