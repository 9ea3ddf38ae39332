//! Kind `consensus`.

use super::diff::{judge, read};
use crate::verdict::Verdict;
use crate::vote::consensus;
use serde_json::{Value, json};

pub(super) fn run(input: &Value, expected: &Value) -> Result<(), String> {
    let outcome = read::<Vec<Option<Verdict>>>(&input["reps"]).map(|reps| json!(consensus(&reps)));
    judge(outcome, expected)
}
