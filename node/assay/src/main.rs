//! `assay`: the validator node's one binary.

mod cli;
mod commands;
mod config;
mod engine;
mod error;
mod explain;
mod host;
mod output;
mod registry;
mod validator;

use clap::Parser;
use cli::{Cli, Command};
use error::{CliError, CliResult};
use std::process::ExitCode;

fn main() -> ExitCode {
    match parse().and_then(|cli| dispatch(cli.command)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            if !error.message.is_empty() {
                eprintln!("assay: error: {}", error.message);
            }
            ExitCode::from(error.status as u8)
        }
    }
}

/// Reads the command line; what is wrong with it is one line like every other error.
fn parse() -> CliResult<Cli> {
    use clap::error::ErrorKind;
    Cli::try_parse().map_err(|error| match error.kind() {
        ErrorKind::DisplayHelp
        | ErrorKind::DisplayVersion
        | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => error.exit(),
        _ => CliError::usage(one_line(&error.to_string())),
    })
}

/// Clap's message without its usage block, joined to one line.
fn one_line(message: &str) -> String {
    let words: Vec<&str> = message
        .lines()
        .map(str::trim)
        .take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more information"))
        .flat_map(str::split_whitespace)
        .collect();
    let text = words.join(" ");
    let text = text.strip_prefix("error: ").unwrap_or(&text);
    format!("{text}; see --help")
}

fn dispatch(command: Command) -> CliResult {
    match command {
        Command::Demo(args) => commands::demo::run(&args),
        Command::Run(args) => validator::run(&args),
        Command::Ctl(args) => commands::ctl::run(&args),
        Command::Score(args) => commands::score::run(&args),
        Command::Explain(args) => commands::explain::run(&args),
        Command::Show(args) => commands::show::run(&args),
        Command::Spec(command) => commands::spec::run(&command),
        Command::Corpus(command) => commands::corpus::run(&command),
        Command::Agent(command) => commands::agent::run(&command),
        Command::Runtime(command) => commands::runtime::run(&command),
        Command::Keys(command) => commands::keys::run(&command),
        Command::Conform(args) => commands::conform::run(&args),
        Command::Launcher => jail::launcher_main(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn usage_errors_are_one_line_with_their_values() {
        let text = |words: &[&str]| {
            one_line(
                &Cli::try_parse_from(words)
                    .map(drop)
                    .unwrap_err()
                    .to_string(),
            )
        };
        assert_eq!(
            text(&["assay", "score", "a.py"]),
            "the following required arguments were not provided: --track <TRACK>; see --help"
        );
        let jobs = text(&["assay", "demo", "--jobs", "x"]);
        assert!(
            jobs.contains("'x'") && jobs.contains("--jobs") && !jobs.contains('\n'),
            "{jobs}"
        );
    }
}
