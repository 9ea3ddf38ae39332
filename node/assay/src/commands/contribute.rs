//! `assay corpus contribute`.

use super::{print_json, print_line};
use crate::cli::ContributeArgs;
use crate::error::{CliError, CliResult, Status};
use corpus::{Commitment, SALT_BYTES};
use mechanism::ids::Hash32;
use mechanism::track::Track;
use serde_json::json;
use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

/// Only the contributor may read the salt until the label is shown.
const SALT_MODE: u32 = 0o600;

pub(crate) fn run(args: &ContributeArgs) -> CliResult {
    if let Some(dir) = &args.check {
        return check(dir, args.json);
    }
    let (Some(dir), Some(track)) = (&args.new_dir, &args.track) else {
        return Err(CliError::usage(
            "NEW_DIR and --track are needed; see --help",
        ));
    };
    let track: Track = track.parse().map_err(CliError::usage)?;
    corpus::template(dir, track).map_err(CliError::usage)?;
    if args.json {
        return print_json(&json!({"task": dir, "track": track}));
    }
    let shown = dir.display();
    print_line(&format!(
        "{shown}: fill in artifact/ and label.json as README.md says, then `assay corpus contribute --check {shown}`"
    ))
}

/// Lints the task alone; a fit one gets its hashes and the commitment to its label.
fn check(dir: &Path, json: bool) -> CliResult {
    let checked = corpus::check_task(dir).map_err(CliError::corpus)?;
    let fit = checked.problems.is_empty();
    // A label that is still to be mended is no label to commit to.
    let committed = match fit {
        true => {
            let path = salt_path(dir)?;
            let salt = salt(&path)?;
            Some((Commitment::new(&salt, &checked.label), path))
        }
        false => None,
    };
    if json {
        print_json(&json!({
            "task": checked.task,
            "track": checked.track,
            "problems": checked.problems,
            "artifact_hash": checked.artifact,
            "label_hash": checked.label,
            "commitment": committed.as_ref().map(|(commitment, _)| commitment),
            "salt_file": committed.as_ref().map(|(_, path)| path),
        }))?;
    } else {
        for problem in &checked.problems {
            print_line(&problem.to_string())?;
        }
        print_line(&format!("artifact   {}", shown(checked.artifact)))?;
        print_line(&format!("label      {}", checked.label))?;
        if let Some((commitment, path)) = &committed {
            print_line(&format!("commitment {}", commitment.0))?;
            print_line(&format!(
                "salt       {} (show it with the label, not before)",
                path.display()
            ))?;
        }
        print_line(&format!(
            "{}: {} problems",
            checked.task,
            checked.problems.len()
        ))?;
    }
    if fit {
        Ok(())
    } else {
        Err(CliError::silent(Status::Problems))
    }
}

fn shown(hash: Option<Hash32>) -> String {
    hash.map_or_else(|| "-".to_owned(), |hash| hash.to_hex())
}

/// `DIR.salt`, beside the folder and not in it: the folder goes into the corpus, the salt must not.
fn salt_path(dir: &Path) -> CliResult<PathBuf> {
    let failed = |error: std::io::Error| {
        CliError::usage(format!("{}: {error}; name a folder", dir.display()))
    };
    // Components, so that a slash at the end does not count.
    let folder: PathBuf = std::path::absolute(dir)
        .map_err(failed)?
        .components()
        .collect();
    let mut name = folder.into_os_string();
    name.push(".salt");
    Ok(name.into())
}

/// The salt of an earlier check, so that a label has one commitment, or a new one.
fn salt(path: &Path) -> CliResult<[u8; SALT_BYTES]> {
    let shown = path.display();
    match fs::read_to_string(path) {
        Ok(text) => {
            let mut salt = [0u8; SALT_BYTES];
            hex::decode_to_slice(text.trim(), &mut salt).map_err(|error| {
                CliError::usage(format!(
                    "{shown}: not a salt ({error}); move it away, a new one of {SALT_BYTES} bytes is then made"
                ))
            })?;
            return Ok(salt);
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        Err(error) => {
            return Err(CliError::usage(format!(
                "cannot read the salt {shown}: {error}; make it readable for this user"
            )));
        }
    }
    let mut salt = [0u8; SALT_BYTES];
    getrandom::fill(&mut salt)
        .map_err(|error| CliError::infrastructure(format!("no randomness: {error}")))?;
    OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(SALT_MODE)
        .open(path)
        .and_then(|mut file| {
            writeln!(file, "{}", hex::encode(salt))?;
            file.sync_all()
        })
        .map_err(|error| {
            CliError::infrastructure(format!(
                "cannot write the salt {shown}: {error}; check free space and permissions"
            ))
        })?;
    Ok(salt)
}
