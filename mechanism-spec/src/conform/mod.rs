//! Conformance cases: one JSON line in, agreement or the first difference out (SPEC.md, *Conformance*).
//!
//! A case is `{name, kind?, input, expected}`. Every kind is a function from the input to what this crate makes of it; the
//! comparison is the same for all. An unknown kind, function or key is an error, never a skip.

mod behavioural_track;
mod consensus;
mod control;
mod derivation;
mod diff;
mod draw;
mod fbeta;
mod finding_quality;
mod interval;
mod mcc;
mod participants;
mod repo_task;
mod repo_track;
mod report_parse;
mod round_digest;
mod run_outcome;
mod wall_cap;
mod weights;
mod weights_u16;

use serde::Deserialize;
use serde_json::Value;

/// Judges a case by its input and what is expected of it.
type Kind = fn(&Value, &Value) -> Result<(), String>;

/// Every kind by its name.
const KINDS: &[(&str, Kind)] = &[
    ("behavioural_track", behavioural_track::run),
    ("consensus", consensus::run),
    ("control", control::run),
    ("derivation", derivation::run),
    ("draw", draw::run),
    ("fbeta", fbeta::run),
    ("finding_quality", finding_quality::run),
    ("interval", interval::run),
    ("mcc", mcc::run),
    ("mcc_threshold", mcc::run_threshold),
    ("participants", participants::run),
    ("repo_task", repo_task::run),
    ("repo_track", repo_track::run),
    ("report_parse", report_parse::run),
    ("round_digest", round_digest::run),
    ("run_outcome", run_outcome::run),
    ("wall_cap", wall_cap::run),
    ("weights", weights::run),
    ("weights_u16", weights_u16::run),
];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    #[serde(default)]
    kind: Option<String>,
    input: Value,
    #[serde(deserialize_with = "Value::deserialize")]
    expected: Value,
}

/// The kinds that [`run_line`] knows, besides `rules`, whose lines name their own.
pub fn kinds() -> impl Iterator<Item = &'static str> {
    KINDS.iter().map(|(name, _)| *name)
}

/// Runs one case. `kind` is the kind of the file: a name of [`kinds`], or `rules` when every line names its own.
///
/// # Errors
/// The first difference, or what is wrong with the case, after the case's name.
pub fn run_line(kind: &str, line: &str) -> Result<(), String> {
    let case: Case = serde_json::from_str(line).map_err(|error| format!("no case: {error}"))?;
    judge(kind, case.kind.as_deref(), &case.input, &case.expected)
        .map_err(|error| format!("{}: {error}", case.name))
}

fn judge(file: &str, own: Option<&str>, input: &Value, expected: &Value) -> Result<(), String> {
    let kind = match (file, own) {
        ("rules", Some(own)) => own,
        ("rules", None) => return Err("a case of a rules file must name its kind".into()),
        (file, Some(own)) if own != file => {
            return Err(format!("the case is of kind '{own}', not '{file}'"));
        }
        (file, _) => file,
    };
    let run = KINDS
        .iter()
        .find_map(|(name, run)| (*name == kind).then_some(run))
        .ok_or_else(|| {
            let known = kinds().collect::<Vec<_>>().join(", ");
            format!("unknown kind '{kind}'; the kinds are rules, {known}")
        })?;
    run(input, expected)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_unknown_is_an_error() {
        let fails = |kind: &str, line: &str| run_line(kind, line).unwrap_err();
        let control = r#"{"name":"c","input":{"completed":true,"cpu_us":2,"wall_us":3},"expected":{"fault":"agent"}}"#;
        assert_eq!(run_line("control", control), Ok(()));
        assert!(fails("contrl", control).contains("unknown kind 'contrl'"));
        assert!(fails("rules", control).contains("must name its kind"));
        assert!(
            fails(
                "draw",
                &control.replace("\"input\"", "\"kind\":\"control\",\"input\"")
            )
            .contains("not 'draw'")
        );
        assert!(
            fails(
                "control",
                &control.replace("\"cpu_us\":2", "\"cpu_us\":2,\"x\":1")
            )
            .contains("unknown field `x`")
        );
        assert!(
            fails("control", &control.replace("\"name\"", "\"x\":1,\"name\""))
                .contains("unknown field `x`")
        );
        assert!(
            fails(
                "control",
                &control.replace(",\"expected\":{\"fault\":\"agent\"}", "")
            )
            .contains("expected")
        );
        assert!(fails("control", "not json").contains("no case"));
    }

    #[test]
    fn a_difference_is_named_with_its_place() {
        let line = r#"{"name":"c","input":{"completed":true,"cpu_us":2,"wall_us":4},"expected":{"fault":"agent"}}"#;
        let error = run_line("control", line).unwrap_err();
        assert_eq!(error, r#"c: fault: expected "agent", got "infrastructure""#);
    }
}
