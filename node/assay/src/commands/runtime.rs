//! `assay runtime`.

use super::{print_json, print_line};
use crate::cli::{RuntimeArgs, RuntimeCommand};
use crate::error::{CliError, CliResult, Status};
use crate::host::{runtime_source, source_name, state_dir};
use crate::output::progress::note;
use mechanism::ids::Hash32;
use runtime::{Runtime, RuntimeError};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

pub(crate) fn run(command: &RuntimeCommand) -> CliResult {
    match command {
        RuntimeCommand::Build { runtime, twice, at } => {
            build(&cache(at)?, runtime_source(*runtime), *twice, at.json)
        }
        RuntimeCommand::Verify { at } => verify(&cache(at)?, at.json),
        RuntimeCommand::Export { file, hash, at } => {
            let chosen = choose(runtime::installed(&cache(at)?), hash.as_deref())?;
            runtime::export(&chosen, file).map_err(failed)?;
            let bytes = std::fs::metadata(file).map_or(0, |metadata| metadata.len());
            let mut about = describe(&chosen);
            about["file"] = json!(file);
            about["bytes"] = json!(bytes);
            say(
                &about,
                &format!("{}: {bytes} bytes", file.display()),
                &chosen,
                at.json,
            )
        }
        RuntimeCommand::Import { file, hash, at } => {
            let hash = hash.as_deref().map(str::parse::<Hash32>).transpose();
            let hash = hash.map_err(|error| CliError::usage(format!("--hash {error}")))?;
            let expected = hash.map(|hash| hash.0);
            let imported = runtime::import(&cache(at)?, file, expected, &mut |line| note(line));
            let imported = imported.map_err(failed)?;
            say(&describe(&imported), "imported", &imported, at.json)
        }
    }
}

fn cache(at: &RuntimeArgs) -> CliResult<PathBuf> {
    Ok(state_dir(at.state.as_deref())?.join("runtimes"))
}

fn build(cache: &Path, source: runtime::Source, twice: bool, json: bool) -> CliResult {
    let once = || runtime::build(cache, source, &mut |line| note(line)).map_err(failed);
    let first = once()?;
    let mut about = describe(&first);
    let mut told = "built".to_owned();
    if twice {
        let second = once()?;
        let same = first.hash == second.hash;
        about["second_hash"] = json!(hex::encode(second.hash));
        about["same"] = json!(same);
        if !same {
            if json {
                print_json(&about)?;
            }
            return Err(CliError::new(
                Status::Problems,
                format!(
                    "the first build gave {} and the second {}; report it with the version of dpkg",
                    hex::encode(first.hash),
                    hex::encode(second.hash)
                ),
            ));
        }
        told = "built twice with the same hash".to_owned();
    }
    say(&about, &told, &first, json)
}

/// Hashes every runtime; all are looked at before the first changed one is the error.
fn verify(cache: &Path, json: bool) -> CliResult {
    let runtimes = runtime::installed(cache);
    if runtimes.is_empty() {
        return Err(none());
    }
    let checked: Vec<(Runtime, Option<RuntimeError>)> = runtimes
        .into_iter()
        .map(|runtime| {
            let problem = runtime::verify(&runtime).err();
            (runtime, problem)
        })
        .collect();
    if json {
        let list: Vec<Value> = checked
            .iter()
            .map(|(runtime, problem)| {
                let mut about = describe(runtime);
                about["unchanged"] = json!(problem.is_none());
                about["problem"] = json!(problem.as_ref().map(ToString::to_string));
                about
            })
            .collect();
        print_json(&json!({"runtimes": list}))?;
    } else {
        for (runtime, problem) in &checked {
            let word = if problem.is_none() {
                "unchanged"
            } else {
                "CHANGED"
            };
            print_line(&line(runtime, word))?;
        }
    }
    match checked.into_iter().find_map(|(_, problem)| problem) {
        Some(problem) => Err(CliError::new(Status::Problems, problem)),
        None => Ok(()),
    }
}

/// The runtime with this hash, else the comparable one, else the only one.
fn choose(mut runtimes: Vec<Runtime>, hash: Option<&str>) -> CliResult<Runtime> {
    if runtimes.is_empty() {
        return Err(none());
    }
    let mut fitting = match hash {
        Some(prefix) => {
            runtimes.retain(|runtime| hex::encode(runtime.hash).starts_with(prefix));
            runtimes
        }
        None if runtimes.iter().any(|runtime| runtime.comparable) => {
            runtimes.retain(|runtime| runtime.comparable);
            runtimes
        }
        None => runtimes,
    };
    match (fitting.pop(), fitting.len()) {
        (Some(runtime), 0) => Ok(runtime),
        (Some(_), _) => Err(CliError::usage(
            "more than one runtime fits; name one by its hash, which 'assay runtime verify' prints",
        )),
        (None, _) => Err(CliError::usage(format!(
            "no runtime has the hash {}; 'assay runtime verify' prints those that are there",
            hash.unwrap_or_default()
        ))),
    }
}

fn none() -> CliError {
    CliError::usage("no runtime in the state folder; make one with 'assay runtime build'")
}

/// Whose fault a runtime's error is.
fn failed(error: RuntimeError) -> CliError {
    match error {
        RuntimeError::Archive { .. } | RuntimeError::Untrusted { .. } => CliError::usage(error),
        RuntimeError::TreeChanged { .. } => CliError::new(Status::Problems, error),
        other => CliError::infrastructure(other),
    }
}

fn describe(runtime: &Runtime) -> Value {
    json!({
        "hash": hex::encode(runtime.hash),
        "source": source_name(&runtime.source),
        "version": runtime.version,
        "comparable": runtime.comparable,
        "notice": runtime.notice,
        "root": runtime.root,
    })
}

fn line(runtime: &Runtime, word: &str) -> String {
    format!(
        "{} {} Python {}{}: {word}",
        hex::encode(runtime.hash),
        source_name(&runtime.source),
        runtime.version,
        if runtime.comparable {
            ""
        } else {
            " (not comparable)"
        }
    )
}

fn say(about: &Value, word: &str, runtime: &Runtime, json: bool) -> CliResult {
    if json {
        return print_json(about);
    }
    print_line(&line(runtime, word))
}
