//! How a score came about, as data: from a record to verdicts, findings with their reasons, and budgets.
//!
//! Nothing is scored anew but the matching of single reports, by the functions that the score uses. Labels come from the
//! record and from nowhere else; a record that holds none (an open round's) is explained without them.

mod findings;
mod place;

pub(crate) use findings::{FindingsOf, Row};
pub(crate) use place::{Place, hypothetical, recorded};

use crate::error::{CliError, CliResult};
use mechanism::fault::Failure;
use mechanism::ids::{Hotkey, Pin, TaskRef};
use mechanism::mcc::Confusion;
use mechanism::spec::Spec;
use mechanism::track::Track;
use mechanism::verdict::Verdict;
use round::record::{RoundRecord, RunRecord, TaskRecord};
use round::standing::{AgentStanding, TrackScore};
use serde::Serialize;
use std::collections::BTreeMap;

/// One agent on one track.
#[derive(Debug, Serialize)]
pub(crate) struct Explained {
    pub(crate) agent: String,
    pub(crate) hotkey: Hotkey,
    pub(crate) pin: Pin,
    pub(crate) track: Track,
    pub(crate) spec: String,
    pub(crate) score: f64,
    pub(crate) threshold: f64,
    pub(crate) meets_threshold: bool,
    /// Behavioural tracks only.
    pub(crate) confusion: Option<Confusion>,
    pub(crate) mcc: Option<f64>,
    /// Mean quality of the findings; behavioural tracks only.
    pub(crate) quality: Option<f64>,
    pub(crate) budget: Budget,
    pub(crate) tasks: Vec<TaskView>,
    pub(crate) standing: Option<Place>,
    /// What is not shown and why.
    pub(crate) notes: Vec<String>,
}

/// What one run may use.
#[derive(Debug, Serialize)]
pub(crate) struct Budget {
    pub(crate) cpu_us: u64,
    pub(crate) wall_us: u64,
    pub(crate) memory_bytes: u64,
}

/// One task.
#[derive(Debug, Serialize)]
pub(crate) struct TaskView {
    pub(crate) task: TaskRef,
    /// `malicious`, `safe`, `planted` or `clean`; `None` where the record holds no labels.
    pub(crate) class: Option<&'static str>,
    /// The task verdict; behavioural tracks only.
    pub(crate) verdict: Option<Verdict>,
    /// Behavioural tracks only.
    pub(crate) correct: Option<bool>,
    /// Quality of the findings, or the task score of an audit.
    pub(crate) score: Option<f64>,
    pub(crate) runs: Vec<RunView>,
    pub(crate) findings: Vec<FindingsOf>,
}

/// One repetition.
#[derive(Debug, Serialize)]
pub(crate) struct RunView {
    pub(crate) rep: u32,
    pub(crate) verdict: Option<Verdict>,
    pub(crate) failure: Option<Failure>,
    pub(crate) message: Option<String>,
    pub(crate) cpu_us: u64,
    pub(crate) wall_us: u64,
    pub(crate) memory_peak_bytes: Option<u64>,
}

impl RunView {
    /// The failure's name, else the verdict.
    pub(crate) fn outcome(&self) -> &'static str {
        match (self.failure, self.verdict) {
            (Some(failure), _) => failure.as_str(),
            (None, Some(verdict)) => verdict.as_str(),
            (None, None) => "-",
        }
    }
}

/// Explains one agent of a record. `only` keeps one task.
pub(crate) fn explain(
    record: &RoundRecord,
    spec: &Spec,
    track: Track,
    hotkey: &Hotkey,
    only: Option<&str>,
) -> CliResult<Explained> {
    let standing = standing_of(record, track, hotkey)?;
    let agent = record.agents.iter().find(|agent| agent.hotkey == *hotkey);
    let mut notes = Vec::new();
    if let Some(reason) = agent.and_then(|agent| agent.unavailable.as_ref()) {
        notes.push(format!("the agent was not evaluated: {reason}"));
    }
    let labels: BTreeMap<&TaskRef, &TaskRecord> = record
        .tasks
        .get(&track)
        .into_iter()
        .flatten()
        .map(|task| (&task.task_ref, task))
        .collect();
    if labels.is_empty() {
        notes.push("the record holds no labels, so classes, correctness and findings are not shown; a closed round's record holds them".to_owned());
    }
    if !record.opening.runtime.comparable {
        notes.push(
            crate::output::tables::comparable_text(record)
                .trim_end()
                .to_owned(),
        );
    }
    let drawn = record.opening.tasks.get(&track);
    let drawn: Vec<&TaskRef> = drawn.iter().flat_map(|drawn| &drawn.tasks).collect();
    let wanted: Vec<&TaskRef> = drawn
        .iter()
        .copied()
        .filter(|task| only.is_none_or(|name| is_named(task, name)))
        .collect();
    if let Some(name) = only.filter(|_| wanted.is_empty()) {
        let names: Vec<&str> = drawn.iter().map(|task| task.as_str()).collect();
        return Err(CliError::usage(format!(
            "task '{name}' was not drawn; the tasks are {}",
            names.join(", ")
        )));
    }
    let tasks = wanted
        .into_iter()
        .map(|task| task_view(record, spec, standing, task, labels.get(task).copied()))
        .collect();
    let behavioural = match &standing.detail {
        Some(TrackScore::Behavioural(score)) => Some(score),
        Some(TrackScore::Audit(_)) | None => None,
    };
    let budget = spec.track(track);
    Ok(Explained {
        agent: agent
            .and_then(|agent| agent.name.clone())
            .unwrap_or_else(|| hotkey.as_str().to_owned()),
        hotkey: hotkey.clone(),
        pin: standing.pin.clone(),
        track,
        spec: spec.profile.clone(),
        score: standing.score,
        threshold: budget.threshold.to_f64(),
        meets_threshold: standing
            .detail
            .as_ref()
            .is_some_and(TrackScore::meets_threshold),
        confusion: behavioural.map(|score| score.confusion),
        mcc: behavioural.map(|score| score.mcc),
        quality: behavioural
            .and_then(|score| score.quality.as_ref().map(|quality| quality.to_f64())),
        budget: Budget {
            cpu_us: budget.cpu_us,
            wall_us: budget.wall_us,
            memory_bytes: spec.limits.memory_bytes,
        },
        tasks,
        standing: None,
        notes,
    })
}

/// The agent's row of its track.
fn standing_of<'a>(
    record: &'a RoundRecord,
    track: Track,
    hotkey: &Hotkey,
) -> CliResult<&'a AgentStanding> {
    let of_track = record
        .tracks
        .get(&track)
        .map_or(&[][..], |standing| &standing.agents);
    of_track
        .iter()
        .find(|agent| agent.hotkey == *hotkey)
        .ok_or_else(|| {
            CliError::usage(format!(
                "the record has no score of {} on {track}; it holds {} agents of that track",
                hotkey.as_str(),
                of_track.len()
            ))
        })
}

/// A reference, or the name behind its slash.
fn is_named(task: &TaskRef, name: &str) -> bool {
    let text = task.as_str();
    text == name || text.split_once('/').is_some_and(|(_, task)| task == name)
}

fn task_view(
    record: &RoundRecord,
    spec: &Spec,
    standing: &AgentStanding,
    task: &TaskRef,
    label: Option<&TaskRecord>,
) -> TaskView {
    let mut runs: Vec<&RunRecord> = record
        .runs
        .iter()
        .filter(|run| run.task_ref == *task && run.id.hotkey == standing.hotkey)
        .collect();
    runs.sort_by_key(|run| run.id.rep);
    let mut view = TaskView {
        task: task.clone(),
        class: label.map(class),
        verdict: None,
        correct: None,
        score: None,
        runs: runs.iter().map(|run| run_view(run)).collect(),
        findings: Vec::new(),
    };
    match &standing.detail {
        Some(TrackScore::Behavioural(score)) => {
            if let Some(scored) = score.tasks.iter().find(|scored| scored.task_ref == *task) {
                view.verdict = scored.verdict;
                if let Some(label) = label {
                    view.correct = Some(scored.correct);
                    view.score = scored.findings.as_ref().map(|found| found.quality.to_f64());
                    view.findings
                        .extend(findings::behavioural(spec, label, scored, &runs));
                }
            }
        }
        Some(TrackScore::Audit(score)) => {
            if let (Some(scored), Some(label)) = (
                score.tasks.iter().find(|scored| scored.task_ref == *task),
                label,
            ) {
                view.score = Some(scored.score);
                view.findings = findings::audit(spec, label, &runs);
            }
        }
        None => {}
    }
    view
}

fn class(task: &TaskRecord) -> &'static str {
    match (task.label.track.is_behavioural(), task.label.is_positive()) {
        (true, true) => "malicious",
        (true, false) => "safe",
        (false, true) => "planted",
        (false, false) => "clean",
    }
}

fn run_view(run: &RunRecord) -> RunView {
    RunView {
        rep: run.id.rep,
        verdict: run.verdict,
        failure: run.failure,
        message: run.message.clone(),
        cpu_us: run.usage.cpu_us,
        wall_us: run.usage.wall_us,
        memory_peak_bytes: run.usage.memory_peak_bytes,
    }
}
