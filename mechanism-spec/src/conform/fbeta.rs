//! Kind `fbeta`.

use super::diff::{judge, read};
use crate::fbeta::f_beta_of;
use serde_json::{Value, json};

pub(super) fn run(input: &Value, expected: &Value) -> Result<(), String> {
    let number = |key: &str| read::<f64>(&input[key]);
    let outcome = number("precision").and_then(|precision| {
        Ok(json!(f_beta_of(precision, number("recall")?, number("beta")?)))
    });
    judge(outcome, expected)
}
