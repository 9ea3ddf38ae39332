//! `assay spec`.

use super::{print_json, print_line};
use crate::cli::SpecCommand;
use crate::error::{CliError, CliResult};
use mechanism::spec::Spec;
use serde_json::json;

/// Loads a spec by its name, `pinned` or `demo`, or from a file.
pub(crate) fn load(name: &str) -> CliResult<Spec> {
    match name {
        "pinned" => Ok(Spec::pinned()),
        "demo" => Ok(Spec::demo()),
        path => {
            let text = std::fs::read_to_string(path).map_err(|error| {
                CliError::usage(format!(
                    "cannot read the spec '{path}': {error}; a spec is pinned, demo or a file"
                ))
            })?;
            Spec::parse(&text).map_err(|error| CliError::usage(format!("{path}: {error}")))
        }
    }
}

pub(crate) fn run(command: &SpecCommand) -> CliResult {
    match command {
        SpecCommand::Show(args) => {
            let spec = load(&args.spec)?;
            if args.json {
                return print_json(&json!({
                    "spec_id": spec.id(),
                    "name": spec.name,
                    "text": spec.text(),
                }));
            }
            print_line(spec.text().trim_end())?;
            print_line(&format!("\n# spec id {}", spec.id()))
        }
        SpecCommand::Id(args) => {
            let spec = load(&args.spec)?;
            if args.json {
                return print_json(&json!({"spec_id": spec.id(), "name": spec.name}));
            }
            print_line(&spec.id().to_hex())
        }
    }
}
