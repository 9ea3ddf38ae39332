//! Kind `behavioural_track`.

use super::diff::{judge, read};
use super::finding_quality::findings;
use crate::fault::Failure;
use crate::ids::TaskRef;
use crate::label::Label;
use crate::paths::ArtifactFiles;
use crate::report::{CapabilityManifest, Report};
use crate::score::{BehaviouralScore, ScoredTask, behavioural_track};
use crate::spec::Spec;
use crate::track::Track;
use crate::verdict::Verdict;
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Input {
    tasks: Vec<Task>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Task {
    label: Value,
    #[serde(default)]
    expected_findings: Option<Value>,
    #[serde(default)]
    files: Option<Vec<String>>,
    reps: Vec<Rep>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Rep {
    failure: Option<Failure>,
    verdict: Option<Verdict>,
    #[serde(default)]
    findings: Value,
}

/// What a task borrows from, owned.
struct Loaded {
    task_ref: TaskRef,
    label: Label,
    files: ArtifactFiles,
    reps: Vec<Result<Report, Failure>>,
}

pub(super) fn run(input: &Value, expected: &Value) -> Result<(), String> {
    judge(outcome(input), expected)
}

fn outcome(input: &Value) -> Result<Value, String> {
    let spec = Spec::pinned();
    let loaded = read::<Input>(input)?
        .tasks
        .iter()
        .enumerate()
        .map(|(at, task)| load(&spec, at, task))
        .collect::<Result<Vec<_>, _>>()?;
    let tasks: Vec<ScoredTask<'_>> = loaded
        .iter()
        .map(|task| ScoredTask {
            task_ref: &task.task_ref,
            label: &task.label,
            files: &task.files,
            reps: task
                .reps
                .iter()
                .map(|rep| rep.as_ref().map_err(|f| *f))
                .collect(),
        })
        .collect();
    let score =
        behavioural_track(&spec, Track::Skills, &tasks).map_err(|error| error.to_string())?;
    Ok(as_json(&score))
}

fn as_json(score: &BehaviouralScore) -> Value {
    json!({
        "tp": score.confusion.tp,
        "fn": score.confusion.fn_,
        "fp": score.confusion.fp,
        "tn": score.confusion.tn,
        "verdicts": score.tasks.iter().map(|task| task.verdict).collect::<Vec<_>>(),
        "mcc": score.mcc,
        "clamped": score.clamped,
        "empty_margin": score.empty_margin,
        "quality": score.quality.as_ref().map(|quality| quality.to_f64()),
        "score": score.score,
        "eligible": score.eligible,
    })
}

fn load(spec: &Spec, at: usize, task: &Task) -> Result<Loaded, String> {
    let expected_findings = task.expected_findings.clone().unwrap_or_else(|| json!([]));
    let label = json!({
        "task": at.to_string(),
        "track": Track::Skills,
        "label": task.label,
        "expected_findings": expected_findings,
    });
    Ok(Loaded {
        task_ref: TaskRef::new(format!("skills/{at}")),
        label: read(&label)?,
        files: ArtifactFiles::new(task.files.iter().flatten()),
        reps: task
            .reps
            .iter()
            .map(|rep| report(spec, rep))
            .collect::<Result<_, _>>()?,
    })
}

fn report(spec: &Spec, rep: &Rep) -> Result<Result<Report, Failure>, String> {
    if let Some(failure) = rep.failure {
        return Ok(Err(failure));
    }
    let findings = match &rep.findings {
        Value::Null => Vec::new(),
        list => findings(spec, list)?,
    };
    Ok(Ok(Report {
        verdict: rep.verdict.ok_or("a completed repetition has no verdict")?,
        risk_score: None,
        bom: false,
        crlf: false,
        findings,
        capabilities: CapabilityManifest::default(),
        repo: None,
    }))
}
