//! Kind `run_outcome`: the failure that names a run's end.

use super::diff::{judge, read};
use crate::fault::Failure;
use crate::outcome::{Event, Observed, ProbeState, RunnerFailure, judge_run};
use crate::spec::Spec;
use crate::track::Track;
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Input {
    track: Track,
    cpu_us: u64,
    wall_us: u64,
    events: Vec<String>,
    #[serde(deserialize_with = "Option::deserialize")]
    runner: Option<RunnerFailure>,
    /// `null` where no probe is asked for.
    #[serde(deserialize_with = "Option::deserialize")]
    probe: Option<ProbeState>,
    report: String,
}

pub(super) fn run(input: &Value, expected: &Value) -> Result<(), String> {
    judge(outcome(input), expected)
}

fn outcome(input: &Value) -> Result<Value, String> {
    let case: Input = read(input)?;
    let seen = Observed {
        cpu_us: case.cpu_us,
        wall_us: case.wall_us,
        events: case
            .events
            .iter()
            .map(|name| event(name))
            .collect::<Result<_, _>>()?,
        runner: case.runner,
        probe: case.probe.unwrap_or(ProbeState::Absent),
        report: report(&case.report)?,
    };
    let failure = judge_run(&Spec::pinned(), case.track, &seen);
    Ok(json!({ "failure": failure }))
}

fn event(name: &str) -> Result<Event, String> {
    Event::ALL
        .into_iter()
        .find(|event| event.failure().as_str() == name)
        .ok_or_else(|| format!("unknown event '{name}'"))
}

fn report(word: &str) -> Result<Result<(), Failure>, String> {
    if word == "ok" {
        return Ok(Ok(()));
    }
    match Failure::from_name(word) {
        Some(failure) if failure >= Failure::ReportMissing => Ok(Err(failure)),
        _ => Err(format!("'{word}' is no failure of a report")),
    }
}
