//! Kind `repo_track`.

use super::diff::{judge, read};
use super::repo_task::{audit, label};
use crate::fault::Failure;
use crate::ids::TaskRef;
use crate::label::Label;
use crate::paths::ArtifactFiles;
use crate::report::{CapabilityManifest, Report};
use crate::score::{ScoredTask, repo_track};
use crate::spec::Spec;
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
    files: Vec<String>,
    reps: Vec<Value>,
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
    let score = repo_track(&spec, &tasks).map_err(|error| error.to_string())?;
    Ok(json!({
        "task_scores": score.tasks.iter().map(|task| task.score).collect::<Vec<_>>(),
        "score": score.score,
        "eligible": score.eligible,
    }))
}

fn load(spec: &Spec, at: usize, task: &Task) -> Result<Loaded, String> {
    Ok(Loaded {
        task_ref: TaskRef::new(format!("repositories/{at}")),
        label: label(&task.label)?,
        files: ArtifactFiles::new(&task.files),
        reps: task
            .reps
            .iter()
            .map(|rep| report(spec, rep))
            .collect::<Result<_, _>>()?,
    })
}

fn report(spec: &Spec, rep: &Value) -> Result<Result<Report, Failure>, String> {
    if let Some(failure) = rep.get("failure") {
        return read(failure).map(Err);
    }
    Ok(Ok(Report {
        verdict: Verdict::Allow,
        risk_score: None,
        bom: false,
        crlf: false,
        findings: Vec::new(),
        capabilities: CapabilityManifest::default(),
        repo: Some(audit(spec, rep)?),
    }))
}
