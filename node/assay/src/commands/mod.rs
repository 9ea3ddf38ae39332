//! One file per command.

pub(crate) mod agent;
pub(crate) mod conform;
pub(crate) mod corpus;
pub(crate) mod demo;
pub(crate) mod keys;
pub(crate) mod run;
pub(crate) mod score;
pub(crate) mod show;
pub(crate) mod spec;

use crate::error::{CliError, CliResult};
use mechanism::ids::Hash32;
use serde::Serialize;
use std::io::Write;
use std::path::Path;

/// Prints one JSON object on stdout.
pub(crate) fn print_json(value: &impl Serialize) -> CliResult {
    let text = serde_json::to_string_pretty(value)
        .map_err(|error| CliError::infrastructure(format!("cannot write JSON: {error}")))?;
    print_line(&text)
}

/// Prints a line on stdout; a reader that went away is no error.
pub(crate) fn print_line(text: &str) -> CliResult {
    match writeln!(std::io::stdout(), "{text}") {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        Err(error) => Err(CliError::infrastructure(format!("cannot write to stdout: {error}"))),
    }
}

/// A 32-byte value from a flag, or a random one.
pub(crate) fn hash_or_random(flag: Option<&str>, name: &str) -> CliResult<Hash32> {
    match flag {
        Some(text) => text
            .parse()
            .map_err(|error| CliError::usage(format!("{name} {error}"))),
        None => {
            let mut bytes = [0u8; 32];
            getrandom::fill(&mut bytes)
                .map_err(|error| CliError::infrastructure(format!("no randomness: {error}")))?;
            Ok(Hash32(bytes))
        }
    }
}

/// A password: the first line of the file, else the environment's `ASSAY_PASSWORD`.
pub(crate) fn password(file: Option<&Path>) -> CliResult<String> {
    if let Some(path) = file {
        let text = std::fs::read_to_string(path)
            .map_err(|error| CliError::usage(format!("cannot read {}: {error}", path.display())))?;
        return match text.lines().next() {
            Some(line) if !line.is_empty() => Ok(line.to_owned()),
            _ => Err(CliError::usage(format!(
                "{}: the first line is empty; it must be the keystore's password",
                path.display()
            ))),
        };
    }
    match std::env::var("ASSAY_PASSWORD") {
        Ok(password) if !password.is_empty() => Ok(password),
        _ => Err(CliError::usage(
            "no password; give --password-file FILE or set ASSAY_PASSWORD",
        )),
    }
}
