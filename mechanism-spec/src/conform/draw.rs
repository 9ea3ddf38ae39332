//! Kind `draw`: the task set of a validator on a track.

use super::diff::{judge, read};
use crate::draw::{PoolTask, draw};
use crate::ids::{Hash32, TaskRef};
use crate::spec::Spec;
use crate::track::Track;
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Input {
    seed: Hash32,
    track: Track,
    validator_hotkey: String,
    n: u32,
    pool: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    task_ref: TaskRef,
    class: Class,
}

#[derive(Deserialize, Clone, Copy, PartialEq)]
#[serde(rename_all = "snake_case")]
enum Class {
    Malicious,
    Safe,
    Planted,
    Clean,
}

impl Class {
    /// Whether the class is the positive one; an error when the track has no such class.
    fn positive(self, track: Track) -> Result<bool, String> {
        match (self, track.is_behavioural()) {
            (Class::Malicious, true) | (Class::Planted, false) => Ok(true),
            (Class::Safe, true) | (Class::Clean, false) => Ok(false),
            _ => Err(format!("a class of the pool does not exist on {track}")),
        }
    }
}

pub(super) fn run(input: &Value, expected: &Value) -> Result<(), String> {
    judge(outcome(input), expected)
}

fn outcome(input: &Value) -> Result<Value, String> {
    let case: Input = read(input)?;
    let pool = case
        .pool
        .into_iter()
        .map(|entry| {
            let positive = entry.class.positive(case.track)?;
            Ok(PoolTask {
                task_ref: entry.task_ref,
                positive,
            })
        })
        .collect::<Result<Vec<_>, String>>()?;
    let rules = &Spec::pinned().draw;
    let drawn = draw(
        rules,
        case.n,
        &case.seed,
        case.track,
        &case.validator_hotkey,
        &pool,
    );
    Ok(match drawn {
        Ok(drawn) => json!({ "tasks": drawn.tasks, "counts": drawn.counts }),
        Err(_) => json!({ "fault": true }),
    })
}
