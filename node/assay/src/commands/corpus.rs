//! `assay corpus`.

use super::{contribute, print_json, print_line};
use crate::cli::{CorpusArgs, CorpusCommand, LintArgs};
use crate::error::{CliError, CliResult, Status};
use crate::output::features::features_text;
use serde_json::json;

pub(crate) fn run(command: &CorpusCommand) -> CliResult {
    match command {
        CorpusCommand::Lint(args) => lint(args),
        CorpusCommand::Pin(args) => pin(args),
        CorpusCommand::Stats(args) => stats(args),
        CorpusCommand::Contribute(args) => contribute::run(args),
    }
}

fn lint(args: &LintArgs) -> CliResult {
    let mut report = corpus::lint(&args.dir).map_err(CliError::corpus)?;
    let features = match args
        .features
        .then(|| corpus::features(&args.dir))
        .transpose()
    {
        // What cannot be read is among the problems already.
        Err(_) if !report.problems.is_empty() => None,
        other => other.map_err(CliError::corpus)?,
    };
    report
        .problems
        .extend(features.iter().flat_map(|features| features.problems()));
    if args.json {
        let mut object = json!({"problems": report.problems, "tasks": report.tasks});
        if args.features {
            object["features"] = json!(features);
        }
        print_json(&object)?;
    } else {
        if let Some(features) = &features {
            print_line(&features_text(features))?;
        }
        for problem in &report.problems {
            print_line(&problem.to_string())?;
        }
        if args.features && features.is_none() {
            print_line(
                "features were not measured: a task cannot be read; mend the problems first",
            )?;
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
