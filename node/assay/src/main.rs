//! `assay`: the validator node's one binary.

mod cli;
mod commands;
mod config;
mod engine;
mod error;
mod host;
mod output;
mod registry;

use clap::Parser;
use cli::{Cli, Command};
use error::CliResult;
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = Cli::parse();
    match dispatch(cli.command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            if !error.message.is_empty() {
                eprintln!("assay: error: {}", error.message);
            }
            ExitCode::from(error.status as u8)
        }
    }
}

fn dispatch(command: Command) -> CliResult {
    match command {
        Command::Demo(args) => commands::demo::run(&args),
        Command::Run(args) => commands::run::run(&args),
        Command::Score(args) => commands::score::run(&args),
        Command::Show(args) => commands::show::run(&args),
        Command::Spec(command) => commands::spec::run(&command),
        Command::Corpus(command) => commands::corpus::run(&command),
        Command::Agent(command) => commands::agent::run(&command),
        Command::Keys(command) => commands::keys::run(&command),
        Command::Conform(args) => commands::conform::run(&args),
        Command::Launcher => jail::launcher_main(),
    }
}
