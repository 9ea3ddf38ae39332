//! Kind `weights_u16`.

use super::diff::{judge, read};
use crate::rational::Rational;
use crate::spec::Spec;
use crate::wire::to_u16;
use num_bigint::BigUint;
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Input {
    uids: Vec<u16>,
    weights: Vec<f64>,
    max_weight_limit: u16,
}

pub(super) fn run(input: &Value, expected: &Value) -> Result<(), String> {
    judge(
        read::<Input>(input).and_then(|input| convert(&input)),
        expected,
    )
}

fn convert(input: &Input) -> Result<Value, String> {
    if input.uids.len() != input.weights.len() {
        return Err("uids and weights differ in number".to_owned());
    }
    let weights = input
        .uids
        .iter()
        .zip(&input.weights)
        .map(|(uid, weight)| {
            let exact = exactly(*weight);
            Ok((
                *uid,
                exact.ok_or_else(|| format!("the weight {weight} is no share"))?,
            ))
        })
        .collect::<Result<Vec<_>, String>>()?;
    let wire = to_u16(&Spec::pinned().weights, &weights, input.max_weight_limit)
        .map_err(|error| error.to_string())?;
    let (uids, values): (Vec<u16>, Vec<u16>) = wire.into_iter().unzip();
    Ok(json!({"uids": uids, "values": values}))
}

/// The exact value of a finite double that is not negative.
fn exactly(value: f64) -> Option<Rational> {
    if !value.is_finite() || value < 0.0 {
        return None;
    }
    let bits = value.abs().to_bits();
    let fraction = bits & ((1 << 52) - 1);
    let biased = bits >> 52;
    // Subnormals have no hidden bit and the exponent of the smallest normal.
    let mantissa = if biased == 0 {
        fraction
    } else {
        fraction | 1 << 52
    };
    let power = i64::try_from(biased.max(1)).ok()? - 1075;
    let one = BigUint::from(1u8);
    if power >= 0 {
        Rational::from_big(BigUint::from(mantissa) << power.unsigned_abs(), one)
    } else {
        Rational::from_big(BigUint::from(mantissa), one << power.unsigned_abs())
    }
}
