//! The JSON objects that scripts read. Their keys are stable.

use super::tables::names;
use mechanism::ids::Hotkey;
use mechanism::track::Track;
use round::record::{RoundRecord, RunRecord};
use round::standing::{AgentStanding, RunCounts, TrackScore};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::path::Path;

/// `{completed, failed: {reason: n}}`.
pub(crate) fn counts_json(runs: &RunCounts) -> Value {
    let failed: BTreeMap<&str, usize> = runs
        .failed
        .iter()
        .map(|(failure, count)| (failure.as_str(), *count))
        .collect();
    json!({"completed": runs.completed, "failed": failed})
}

/// The object of `demo --json` and `run --once --json`.
pub(crate) fn round_json(record: &RoundRecord, path: &Path) -> Value {
    let names = names(record);
    let mut tracks = Map::new();
    for (track, standing) in &record.tracks {
        let agents: Vec<Value> = standing
            .agents
            .iter()
            .map(|agent| agent_json(agent, &names, record))
            .collect();
        tracks.insert(
            track.as_str().to_owned(),
            json!({"agents": agents, "baselines": standing.baselines}),
        );
    }
    json!({
        "spec_id": record.opening.spec_id,
        "spec": record.opening.spec_name,
        "corpus_root": record.opening.corpus_root,
        "runtime": record.opening.runtime,
        "round": record.opening.round,
        "seed": record.opening.seed,
        "round_digest": record.round_digest,
        "tracks": tracks,
        "weights": weights_json(record),
        "submission": submission_json(record),
        "abstained": record.abstained,
        "record": path,
    })
}

fn agent_json(
    agent: &AgentStanding,
    names: &BTreeMap<Hotkey, String>,
    record: &RoundRecord,
) -> Value {
    let (mcc, quality, f2) = match &agent.detail {
        Some(TrackScore::Behavioural(score)) => (
            Some(score.mcc),
            score.quality.as_ref().map(|quality| quality.to_f64()),
            None,
        ),
        Some(TrackScore::Audit(score)) => (None, None, Some(score)),
        None => (None, None, None),
    };
    let unavailable = record
        .agents
        .iter()
        .find(|entry| entry.hotkey == agent.hotkey)
        .and_then(|entry| entry.unavailable.clone());
    json!({
        "name": names.get(&agent.hotkey),
        "hotkey": agent.hotkey,
        "pin": agent.pin,
        "score": agent.score,
        "mcc": mcc,
        "quality": quality,
        "f2_vulnerable": f2.and_then(|score| score.f2_vulnerable),
        "precision_clean": f2.and_then(|score| score.precision_clean),
        "interval": agent.interval.map(|interval| [interval.low, interval.high]),
        "eligible": agent.eligible,
        "copy_of": agent.copy_of,
        "unavailable": unavailable,
        "rank": agent.rank,
        "share": agent.share,
        "runs": counts_json(&agent.runs),
    })
}

fn weights_json(record: &RoundRecord) -> Vec<Value> {
    let Some(vector) = record
        .weights
        .as_ref()
        .and_then(|outcome| outcome.u16.as_ref())
    else {
        return Vec::new();
    };
    let hotkeys: BTreeMap<u16, &Hotkey> = record
        .weights_input
        .iter()
        .flat_map(|context| &context.chain.registered)
        .map(|(hotkey, uid)| (*uid, hotkey))
        .collect();
    vector
        .iter()
        .map(|(uid, weight)| json!({"uid": uid, "hotkey": hotkeys.get(uid), "weight": weight}))
        .collect()
}

fn submission_json(record: &RoundRecord) -> Value {
    let Some(submission) = &record.submission else {
        return Value::Null;
    };
    let signed = &submission.signed;
    let valid = <[u8; 64]>::try_from(hex::decode(&signed.signature).unwrap_or_default()).is_ok_and(
        |signature| signer::verify(&signed.hotkey, &signed.payload.canonical(), &signature).is_ok(),
    );
    json!({
        "signature_valid": valid,
        "accepted": submission.accepted,
        "refusal": submission.refusal,
        "hotkey": signed.hotkey,
    })
}

/// The object of `score --json`.
pub(crate) fn score_json(track: Track, record: &RoundRecord) -> Option<Value> {
    let standing = record.tracks.get(&track)?;
    let agent = standing.agents.first()?;
    let by_task = runs_by_task(&record.runs);
    let mut object = Map::new();
    object.insert("track".to_owned(), json!(track));
    object.insert("pin".to_owned(), json!(agent.pin));
    object.insert("score".to_owned(), json!(agent.score));
    object.insert("eligible".to_owned(), json!(agent.eligible));
    let task_runs = |task_ref: &str| by_task.get(task_ref).cloned().unwrap_or_default();
    let tasks: Vec<Value> = match agent.detail.as_ref()? {
        TrackScore::Behavioural(score) => {
            object.insert("mcc".to_owned(), json!(score.mcc));
            object.insert(
                "quality".to_owned(),
                json!(score.quality.as_ref().map(|quality| quality.to_f64())),
            );
            object.insert("threshold".to_owned(), json!(score.threshold));
            object.insert("confusion".to_owned(), json!(score.confusion));
            object.insert("empty_margin".to_owned(), json!(score.empty_margin));
            score
                .tasks
                .iter()
                .map(|task| {
                    json!({
                        "task": task.task_ref,
                        "verdict": task.verdict,
                        "correct": task.correct,
                        "runs": task_runs(task.task_ref.as_str()),
                    })
                })
                .collect()
        }
        TrackScore::Audit(score) => {
            object.insert("mcc".to_owned(), Value::Null);
            object.insert("quality".to_owned(), Value::Null);
            object.insert("threshold".to_owned(), json!(score.threshold));
            object.insert("f2_vulnerable".to_owned(), json!(score.f2_vulnerable));
            object.insert("precision_clean".to_owned(), json!(score.precision_clean));
            score
                .tasks
                .iter()
                .map(|task| {
                    json!({
                        "task": task.task_ref,
                        "score": task.score,
                        "correct": task.score >= 1.0,
                        "runs": task_runs(task.task_ref.as_str()),
                    })
                })
                .collect()
        }
    };
    object.insert(
        "interval".to_owned(),
        json!(agent.interval.map(|i| [i.low, i.high])),
    );
    object.insert("tasks".to_owned(), Value::Array(tasks));
    object.insert("runs".to_owned(), counts_json(&agent.runs));
    object.insert("baselines".to_owned(), json!(standing.baselines));
    object.insert("spec_id".to_owned(), json!(record.opening.spec_id));
    object.insert("spec".to_owned(), json!(record.opening.spec_name));
    object.insert("corpus_root".to_owned(), json!(record.opening.corpus_root));
    object.insert("runtime".to_owned(), json!(record.opening.runtime));
    Some(Value::Object(object))
}

fn runs_by_task(runs: &[RunRecord]) -> BTreeMap<&str, Vec<Value>> {
    let mut by_task: BTreeMap<&str, Vec<Value>> = BTreeMap::new();
    for run in runs {
        by_task
            .entry(run.task_ref.as_str())
            .or_default()
            .push(json!({
                "rep": run.id.rep,
                "outcome": if run.failure.is_none() { "completed" } else { "failed" },
                "failure": run.failure,
                "message": run.message,
                "verdict": run.verdict,
                "cpu_ms": milliseconds(run.usage.cpu_us),
                "wall_ms": milliseconds(run.usage.wall_us),
                "detail": run.detail,
            }));
    }
    by_task
}

/// Microseconds as milliseconds with three decimals.
fn milliseconds(us: u64) -> f64 {
    us as f64 / 1_000.0
}
