//! Kind `wall_cap`: the runs that the round cap of wall time fails.

use super::diff::{judge, read};
use crate::ids::TaskRef;
use crate::outcome::{WallRun, wall_cap};
use crate::spec::Spec;
use crate::track::Track;
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Input {
    track: Track,
    tasks: Vec<TaskRef>,
    runs: Vec<Run>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Run {
    task_ref: TaskRef,
    rep: u32,
    wall_us: u64,
}

pub(super) fn run(input: &Value, expected: &Value) -> Result<(), String> {
    judge(outcome(input), expected)
}

fn outcome(input: &Value) -> Result<Value, String> {
    let case: Input = read(input)?;
    let runs: Vec<_> = case
        .runs
        .into_iter()
        .map(|run| WallRun {
            task_ref: run.task_ref,
            rep: run.rep,
            wall_us: run.wall_us,
        })
        .collect();
    let cap = wall_cap(&Spec::pinned(), case.track, &case.tasks, &runs)
        .map_err(|error| format!("{error}"))?;
    Ok(json!({ "cap_us": cap.cap_us, "failed": cap.failed }))
}
