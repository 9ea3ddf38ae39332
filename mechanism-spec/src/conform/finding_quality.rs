//! Kind `finding_quality`.

use super::diff::{judge, read};
use crate::finding::quality;
use crate::label::ExpectedFinding;
use crate::paths::ArtifactFiles;
use crate::report::{Finding, parse_findings};
use crate::spec::Spec;
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Input {
    expected: Vec<ExpectedFinding>,
    reported: Value,
    files: Vec<String>,
}

pub(super) fn run(input: &Value, expected: &Value) -> Result<(), String> {
    judge(outcome(input), expected)
}

fn outcome(input: &Value) -> Result<Value, String> {
    let case: Input = read(input)?;
    let spec = Spec::pinned();
    let files = ArtifactFiles::new(&case.files);
    let reported = findings(&spec, &case.reported)?;
    let quality = quality(&spec.findings, &files, &case.expected, &reported)
        .map_err(|error| error.to_string())?;
    Ok(json!({
        "matched": quality.matched,
        "expected": quality.expected,
        "reported": quality.reported,
        "f1": quality.f1.to_f64(),
    }))
}

/// Reads reported findings; a case may leave out what the schema requires and the match does not.
pub(super) fn findings(spec: &Spec, list: &Value) -> Result<Vec<Finding>, String> {
    let mut list = list.clone();
    for finding in list.as_array_mut().into_iter().flatten() {
        for key in ["category", "title"] {
            if let Some(object) = finding.as_object_mut() {
                object.entry(key).or_insert_with(|| json!(""));
            }
        }
    }
    parse_findings(spec, &list).map_err(|failure| failure.to_string())
}
