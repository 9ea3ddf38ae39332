//! `assay corpus`.

use super::{print_json, print_line};
use crate::cli::{CorpusArgs, CorpusCommand};
use crate::error::{CliError, CliResult, Status};
use serde_json::json;

pub(crate) fn run(command: &CorpusCommand) -> CliResult {
    match command {
        CorpusCommand::Lint(args) => lint(args),
        CorpusCommand::Pin(args) => pin(args),
        CorpusCommand::Stats(args) => stats(args),
    }
}

fn lint(args: &CorpusArgs) -> CliResult {
    let report = corpus::lint(&args.dir).map_err(CliError::corpus)?;
    if args.json {
        print_json(&json!({"problems": report.problems, "tasks": report.tasks}))?;
    } else {
        for problem in &report.problems {
            print_line(&problem.to_string())?;
        }
        print_line(&format!(
            "{} tasks, {} problems",
            report.tasks,
            report.problems.len()
        ))?;
    }
    if report.problems.is_empty() {
        Ok(())
    } else {
        Err(CliError::silent(Status::Problems))
    }
}

fn pin(args: &CorpusArgs) -> CliResult {
    let manifest = corpus::pin(&args.dir).map_err(CliError::corpus)?;
    if args.json {
        return print_json(&json!({"root": manifest.root, "tasks": manifest.tasks.len()}));
    }
    print_line(&format!(
        "{} tasks, root {}",
        manifest.tasks.len(),
        manifest.root
    ))
}

fn stats(args: &CorpusArgs) -> CliResult {
    let stats = corpus::stats(&args.dir).map_err(CliError::corpus)?;
    if args.json {
        return print_json(&stats);
    }
    print_line(&stats.to_string())
}
