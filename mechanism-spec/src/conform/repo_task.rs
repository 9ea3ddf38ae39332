//! Kind `repo_task`, and the reading of labels and audits that `repo_track` shares.

use super::diff::{judge, read};
use crate::label::Label;
use crate::paths::ArtifactFiles;
use crate::repo::score_task;
use crate::report::{RepoReport, parse_audit};
use crate::spec::Spec;
use crate::track::Track;
use serde::Deserialize;
use serde_json::{Map, Value, json};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Input {
    label: Value,
    files: Vec<String>,
    report: Value,
}

pub(super) fn run(input: &Value, expected: &Value) -> Result<(), String> {
    judge(outcome(input), expected)
}

fn outcome(input: &Value) -> Result<Value, String> {
    let case: Input = read(input)?;
    let spec = Spec::pinned();
    let files = ArtifactFiles::new(&case.files);
    let report = audit(&spec, &case.report)?;
    let score = score_task(&spec.repositories, &label(&case.label)?, &files, &report)
        .map_err(|error| error.to_string())?;
    let dims: Map<String, Value> = score
        .dims
        .iter()
        .map(|(dimension, score)| {
            let value = json!({
                "matched": score.matched,
                "planted": score.planted,
                "reported": score.reported,
                "score": score.score.to_f64(),
            });
            (dimension.as_str().to_owned(), value)
        })
        .collect();
    Ok(json!({
        "score": score.score.to_f64(),
        "clean": score.clean,
        "reported": score.reported,
        "dims": dims,
    }))
}

/// Reads the planted lists of a case as a label.
pub(super) fn label(planted: &Value) -> Result<Label, String> {
    let mut label = planted.clone();
    label["task"] = json!("case");
    label["track"] = json!(Track::Repositories);
    let label: Label = read(&label)?;
    match label.extra.keys().next() {
        Some(key) => Err(format!("unknown field `{key}` in the label")),
        None => Ok(label),
    }
}

/// Reads the reported lists of a case as an audit.
pub(super) fn audit(spec: &Spec, reported: &Value) -> Result<RepoReport, String> {
    parse_audit(spec, reported).map_err(|failure| failure.to_string())
}
