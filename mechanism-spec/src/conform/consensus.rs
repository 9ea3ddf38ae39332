//! Kind `consensus`.

use super::diff::{judge, read};
use crate::verdict::Verdict;
use crate::vote::consensus;
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Input {
    reps: Vec<Option<Verdict>>,
}

pub(super) fn run(input: &Value, expected: &Value) -> Result<(), String> {
    let outcome = read::<Input>(input).map(|input| json!(consensus(&input.reps)));
    judge(outcome, expected)
}
