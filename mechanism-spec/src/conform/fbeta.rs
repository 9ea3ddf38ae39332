//! Kind `fbeta`.

use super::diff::{judge, read};
use crate::fbeta::f_beta_of;
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Input {
    precision: f64,
    recall: f64,
    beta: f64,
}

pub(super) fn run(input: &Value, expected: &Value) -> Result<(), String> {
    let outcome = read::<Input>(input)
        .map(|input| json!(f_beta_of(input.precision, input.recall, input.beta)));
    judge(outcome, expected)
}
