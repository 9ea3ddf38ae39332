//! Kinds `mcc` and `mcc_threshold`.

use super::diff::{judge, read};
use crate::mcc::{Confusion, Mcc};
use crate::spec::Spec;
use crate::track::Track;
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Input {
    tp: u64,
    tn: u64,
    fp: u64,
    #[serde(rename = "fn")]
    fn_: u64,
}

pub(super) fn run(input: &Value, expected: &Value) -> Result<(), String> {
    let outcome = coefficient(input).map(|mcc| json!({"mcc": mcc.value, "clamped": mcc.clamped()}));
    judge(outcome, expected)
}

pub(super) fn run_threshold(input: &Value, expected: &Value) -> Result<(), String> {
    let threshold = &Spec::pinned().track(Track::Skills).threshold.clone();
    let outcome = coefficient(input).map(|mcc| json!({"eligible": mcc.meets_threshold(threshold)}));
    judge(outcome, expected)
}

fn coefficient(input: &Value) -> Result<Mcc, String> {
    let Input { tp, tn, fp, fn_ } = read(input)?;
    let confusion = Confusion { tp, tn, fp, fn_ };
    confusion.mcc().map_err(|error| error.to_string())
}
