//! Kind `control`: whose fault an ambiguous end was.

use super::diff::{judge, read};
use crate::outcome::control_fault;
use crate::spec::Spec;
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Input {
    completed: bool,
    cpu_us: u64,
    wall_us: u64,
}

pub(super) fn run(input: &Value, expected: &Value) -> Result<(), String> {
    judge(outcome(input), expected)
}

fn outcome(input: &Value) -> Result<Value, String> {
    let case: Input = read(input)?;
    let fault = control_fault(&Spec::pinned(), case.completed, case.cpu_us, case.wall_us);
    Ok(json!({ "fault": fault }))
}
