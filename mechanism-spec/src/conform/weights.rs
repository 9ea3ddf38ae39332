//! Kind `weights`.

use super::diff::{judge, read};
use crate::spec::Spec;
use crate::weights::{WeightsInput, WeightsOutcome, compute};
use serde_json::{Map, Value, json};

pub(super) fn run(input: &Value, expected: &Value) -> Result<(), String> {
    // A case says that the validator abstains, or for which reason.
    let by_reason = expected["abstain"].is_string();
    let outcome = read::<WeightsInput>(input).and_then(|input| {
        compute(&Spec::pinned(), &input)
            .map(|outcome| as_json(&outcome, by_reason))
            .map_err(|error| error.to_string())
    });
    judge(outcome, expected)
}

fn as_json(outcome: &WeightsOutcome, by_reason: bool) -> Value {
    let shares: Map<String, Value> = outcome
        .track_shares
        .iter()
        .map(|(track, share)| (track.to_string(), json!(share.to_f64())))
        .collect();
    let abstain = match outcome.abstain {
        Some(reason) if by_reason => json!(reason),
        reason => json!(reason.is_some()),
    };
    json!({
        "abstain": abstain,
        "ranking": outcome.ranking,
        "track_shares": shares,
        "new": outcome.new,
        "state": outcome.state,
        "u16": outcome.u16,
    })
}
