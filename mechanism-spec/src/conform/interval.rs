//! Kind `interval`.

use super::diff::{judge, read};
use crate::ids::Hash32;
use crate::interval::bootstrap;
use crate::spec::Spec;
use crate::track::Track;
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Input {
    seed: Hash32,
    track: Track,
    agent_pin: String,
    malicious: Vec<bool>,
    safe: Vec<bool>,
}

pub(super) fn run(input: &Value, expected: &Value) -> Result<(), String> {
    judge(outcome(input), expected)
}

fn outcome(input: &Value) -> Result<Value, String> {
    let case: Input = read(input)?;
    let interval = bootstrap(
        &Spec::pinned(),
        &case.seed,
        case.track,
        &case.agent_pin,
        &case.malicious,
        &case.safe,
    )
    .map_err(|error| error.to_string())?;
    serde_json::to_value(interval).map_err(|error| error.to_string())
}
