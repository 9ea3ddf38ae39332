//! Kinds `mcc` and `mcc_threshold`.

use super::diff::{judge, read};
use crate::mcc::{Confusion, Mcc};
use crate::spec::Spec;
use crate::track::Track;
use serde_json::{Value, json};

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
    read::<Confusion>(input)?.mcc().map_err(|error| error.to_string())
}
