//! `assay spec`.

use super::{print_json, print_line};
use crate::cli::SpecCommand;
use crate::error::{CliError, CliResult};
use mechanism::spec::{DEMO_TEXT, PINNED_TEXT, Spec};
use serde_json::json;

/// Loads a spec by its name, `pinned` or `demo`, or from a file; with its text.
pub(crate) fn load(name: &str) -> CliResult<(Spec, String)> {
    match name {
        "pinned" => Ok((Spec::pinned(), PINNED_TEXT.to_owned())),
        "demo" => Ok((Spec::demo(), DEMO_TEXT.to_owned())),
        path => {
            let text = std::fs::read_to_string(path).map_err(|error| {
                CliError::usage(format!(
                    "cannot read the spec '{path}': {error}; a spec is pinned, demo or a file"
                ))
            })?;
            let spec =
                Spec::parse(&text).map_err(|error| CliError::usage(format!("{path}: {error}")))?;
            Ok((spec, text))
        }
    }
}

pub(crate) fn run(command: &SpecCommand) -> CliResult {
    match command {
        SpecCommand::Show(args) => {
            let (spec, text) = load(&args.spec)?;
            if args.json {
                let values: serde_json::Value = toml::from_str(&text)
                    .map_err(|error| CliError::usage(format!("{}: {error}", args.spec)))?;
                return print_json(&json!({
                    "spec_id": spec.id(),
                    "spec": spec.profile,
                    "values": values,
                }));
            }
            print_line(text.trim_end())?;
            print_line(&format!("\n# spec id {}", spec.id()))
        }
        SpecCommand::Id(args) => {
            let (spec, _) = load(&args.spec)?;
            if args.json {
                return print_json(&json!({"spec_id": spec.id(), "spec": spec.profile}));
            }
            print_line(&spec.id().to_hex())
        }
    }
}
