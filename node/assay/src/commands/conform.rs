//! `assay conform`: cases in, differences out.

use super::{print_json, print_line};
use crate::cli::ConformArgs;
use crate::error::{CliError, CliResult, Status};
use mechanism::conform;
use serde_json::json;

pub(crate) fn run(args: &ConformArgs) -> CliResult {
    let path = args.file.display();
    let text = std::fs::read_to_string(&args.file).map_err(|error| {
        CliError::usage(format!(
            "cannot read {path}: {error}; a file of JSON cases is expected"
        ))
    })?;
    let mut failures = Vec::new();
    let mut passed = 0usize;
    for (number, line) in (1usize..).zip(text.lines()) {
        if line.trim().is_empty() {
            continue;
        }
        match conform::run_line(&args.kind, line) {
            Ok(()) => passed += 1,
            Err(message) => failures.push((number, name_of(line), message)),
        }
    }
    if passed + failures.len() == 0 {
        return Err(CliError::usage(format!(
            "{path}: no case in it; one JSON case a line is expected"
        )));
    }
    if args.json {
        let failed: Vec<_> = failures
            .iter()
            .map(|(line, name, message)| json!({"line": line, "name": name, "message": message}))
            .collect();
        print_json(&json!({
            "kind": args.kind, "passed": passed, "failed": failures.len(), "failures": failed,
        }))?;
    } else {
        for (number, name, message) in &failures {
            print_line(&format!("{path}:{number}: {name}: {message}"))?;
        }
        print_line(&format!("{passed} passed, {} failed", failures.len()))?;
    }
    if failures.is_empty() {
        Ok(())
    } else {
        Err(CliError::silent(Status::Problems))
    }
}

/// The case's name, where it has one.
fn name_of(line: &str) -> String {
    let value: serde_json::Value = serde_json::from_str(line).unwrap_or_default();
    ["name", "id"]
        .iter()
        .find_map(|key| value.get(key)?.as_str())
        .unwrap_or("(no name)")
        .to_owned()
}
