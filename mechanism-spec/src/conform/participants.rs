//! Kind `participants`: the frozen agents of a round.

use super::diff::{judge, read};
use crate::participants::{Commitment, freeze};
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Input {
    freeze_block: u64,
    commitments: Vec<Commitment<String>>,
}

pub(super) fn run(input: &Value, expected: &Value) -> Result<(), String> {
    judge(outcome(input), expected)
}

fn outcome(input: &Value) -> Result<Value, String> {
    let case: Input = read(input)?;
    Ok(json!({ "tracks": freeze(case.freeze_block, &case.commitments) }))
}
