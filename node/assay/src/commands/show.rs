//! `assay show`.

use super::{print_json, print_line};
use crate::cli::ShowArgs;
use crate::error::{CliError, CliResult};
use crate::host::state_dir;
use crate::output::tables::{round_text, runs_text};
use round::record::{RECORD_FORMAT, RoundRecord};
use std::path::{Path, PathBuf};

pub(crate) fn run(args: &ShowArgs) -> CliResult {
    let path = find(&args.round, args.state.as_deref())?;
    let record = read(&path)?;
    if args.json {
        return print_json(&record);
    }
    print_line(&round_text(&record))?;
    if args.runs {
        print_line(&runs_text(&record))?;
    }
    print_line(&format!("spec id      {}", record.opening.spec_id))?;
    print_line(&format!("corpus root  {}", record.opening.corpus_root))?;
    print_line(&format!(
        "runtime      {} Python {} {}",
        record.opening.runtime.source, record.opening.runtime.version, record.opening.runtime.hash
    ))?;
    if let Some(digest) = record.round_digest {
        print_line(&format!("round digest {digest}"))?;
    }
    print_line(&format!("record       {}", path.display()))
}

/// Reads a record file and refuses formats it does not know.
pub(crate) fn read(path: &Path) -> CliResult<RoundRecord> {
    let shown = path.display();
    let text = std::fs::read_to_string(path).map_err(|error| {
        CliError::usage(format!(
            "cannot read {shown}: {error}; give the path of a record.json"
        ))
    })?;
    let record: RoundRecord = serde_json::from_str(&text).map_err(|error| {
        CliError::usage(format!(
            "{shown} is not a round record: {error}; give the path of a record.json"
        ))
    })?;
    if record.format != RECORD_FORMAT {
        return Err(CliError::usage(format!(
            "{shown}: format '{}' is unknown; this binary reads {RECORD_FORMAT}",
            record.format
        )));
    }
    Ok(record)
}

/// A path as it stands, `latest`, or the id of a round under the state folder.
pub(crate) fn find(round: &str, state: Option<&Path>) -> CliResult<PathBuf> {
    let given = Path::new(round);
    if given.is_file() {
        return Ok(given.to_owned());
    }
    if given.join("record.json").is_file() {
        return Ok(given.join("record.json"));
    }
    let rounds = state_dir(state)?.join("rounds");
    let name = if round == "latest" {
        latest(&rounds)
    } else {
        Some(round.to_owned())
    };
    name.map(|name| rounds.join(name).join("record.json"))
        .filter(|path| path.is_file())
        .ok_or_else(|| {
            CliError::usage(format!(
                "no round '{}' in {}; give an id from there, 'latest' or the path of a record.json",
                round,
                rounds.display()
            ))
        })
}

/// The newest finished round: ids of one kind sort by time, and the record's own time decides between kinds.
fn latest(rounds: &Path) -> Option<String> {
    std::fs::read_dir(rounds)
        .ok()?
        .filter_map(Result::ok)
        .filter_map(|entry| {
            let modified = entry
                .path()
                .join("record.json")
                .metadata()
                .ok()?
                .modified()
                .ok()?;
            Some((modified, entry.file_name().into_string().ok()?))
        })
        .max()
        .map(|(_, name)| name)
}
