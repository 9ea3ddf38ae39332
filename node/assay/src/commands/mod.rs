//! One file per command.

pub(crate) mod agent;
pub(crate) mod conform;
pub(crate) mod contribute;
pub(crate) mod corpus;
pub(crate) mod ctl;
pub(crate) mod demo;
pub(crate) mod explain;
pub(crate) mod keys;
pub(crate) mod runtime;
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
        Err(error) => Err(CliError::infrastructure(format!(
            "cannot write to stdout: {error}"
        ))),
    }
}

/// A 32-byte value from a flag, or a random one.
pub(crate) fn hash_or_random(flag: Option<&str>, name: &str) -> CliResult<Hash32> {
    match flag {
        Some(text) => text.parse().map_err(|error| {
            CliError::usage(format!(
                "{name} {error}; give all 64, or leave the flag out for a random value"
            ))
        }),
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
            .map_err(|error| CliError::usage(format!(
                "cannot read the password file {}: {error}; its first line must be the keystore's password",
                path.display()
            )))?;
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

/// A folder for a new round under the state folder: its id is the kind, the time (UTC) and the process.
pub(crate) fn new_round_dir(state: &Path, kind: &str) -> std::path::PathBuf {
    let now = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .map_or(0, |since| since.as_secs());
    state.join("rounds").join(format!(
        "{kind}-{}-{}",
        output_time(now),
        std::process::id()
    ))
}

/// `20261130T033015Z` of a Unix time.
fn output_time(seconds: u64) -> String {
    let days = i64::try_from(seconds / 86_400).unwrap_or(0);
    // Civil date of a day number: shift to March-based years of 400-year cycles, where leap days fall at the end.
    let shifted = days + 719_468;
    let cycle = shifted.div_euclid(146_097);
    let day_of_cycle = shifted.rem_euclid(146_097);
    let year_of_cycle = (day_of_cycle - day_of_cycle / 1_460 + day_of_cycle / 36_524
        - day_of_cycle / 146_096)
        / 365;
    let day_of_year =
        day_of_cycle - (365 * year_of_cycle + year_of_cycle / 4 - year_of_cycle / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 {
        shifted_month + 3
    } else {
        shifted_month - 9
    };
    let year = year_of_cycle + cycle * 400 + i64::from(month <= 2);
    let rest = seconds % 86_400;
    format!(
        "{year:04}{month:02}{day:02}T{:02}{:02}{:02}Z",
        rest / 3_600,
        rest % 3_600 / 60,
        rest % 60
    )
}

#[cfg(test)]
mod tests {
    use super::output_time;

    #[test]
    fn times_are_civil_dates_in_utc() {
        assert_eq!(output_time(0), "19700101T000000Z");
        assert_eq!(output_time(951_782_399), "20000228T235959Z");
        assert_eq!(output_time(951_782_400), "20000229T000000Z");
        assert_eq!(output_time(1_796_009_415), "20261130T033015Z");
    }
}
