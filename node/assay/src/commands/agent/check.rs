//! Whether an agent could be started, without calling it.

use crate::engine::agent::Agent;
use crate::engine::executor::{limits, observation};
use crate::error::{CliError, CliResult};
use crate::host::Bench;
use agents::{Bundle, BundleError, Entrypoint};
use mechanism::outcome::RunnerFailure;
use mechanism::spec::Spec;
use mechanism::track::Track;
use round::ports::{Observation, ReportBytes};
use sandbox::{Program, RunSpec, Slot};
use std::path::Path;

/// Stands in for the agent: loads it as the runner would and says whether it has its function.
const LOADER: &str = r#"
import sys
import types


def agent_main(task):
    source, target, function = @WANTED@
    if source is None:
        __import__(target)
        module = sys.modules[target]
    else:
        module = types.ModuleType("agent")
        sys.modules["agent"] = module
        exec(compile(bytes.fromhex(source), target, "exec"), module.__dict__)
    return {"entrypoint": callable(getattr(module, function, None))}
"#;
/// Folder of the loader in an unpacked bundle: no path of a bundle has this component.
const LOADER_FOLDER: &str = "__pycache__";
/// Its file there.
const LOADER_FILE: &str = "load.py";
/// The function of an agent of one file.
const FUNCTION: &str = "agent_main";

/// What a look at an agent found.
pub(super) enum Checked {
    /// It loads and has its function.
    Loads {
        /// Name of the function.
        function: String,
        /// CPU time of loading, in microseconds.
        cpu_us: u64,
    },
    /// It is a program that the runtime can start.
    Program {
        /// Path in the bundle.
        path: String,
    },
    /// It cannot take part: why, one line.
    Invalid(String),
}

/// Loads a Python agent once in the sandbox; looks at a program from outside, because it cannot be loaded without being run.
pub(super) fn check_agent(bench: &Bench, spec: &Spec, agent: &Agent) -> CliResult<Checked> {
    let bundle = agent.bundle().map_err(CliError::agent)?;
    let entry = agent
        .manifest()
        .map(|manifest| manifest.entry())
        .transpose()
        .map_err(CliError::agent)?;
    let (wanted, function) = match (&bundle, entry) {
        (Some(bundle), Some(Entrypoint::Executable { path })) => {
            return Ok(match program_problem(bundle, &path, &bench.runtime.root) {
                Some(problem) => Checked::Invalid(problem),
                None => Checked::Program { path },
            });
        }
        (Some(_), Some(Entrypoint::Module { module, function })) => {
            (format!("None, {module:?}, {function:?}"), function)
        }
        (Some(bundle), Some(Entrypoint::File { path })) => {
            let Some(file) = bundle.files().find(|file| file.path == path) else {
                return Ok(Checked::Invalid(format!(
                    "no file {path} in the bundle; correct the entrypoint of agent.toml"
                )));
            };
            (source(file.bytes, &path), FUNCTION.to_owned())
        }
        _ => (source(agent.bytes(), "agent.py"), FUNCTION.to_owned()),
    };
    let seen = load(bench, spec, agent, &LOADER.replace("@WANTED@", &wanted))?;
    Ok(match problem(&seen, &function) {
        Some(problem) => Checked::Invalid(problem),
        None => Checked::Loads {
            function,
            cpu_us: seen.usage.cpu_us,
        },
    })
}

/// The loader's arguments for a source.
fn source(bytes: &[u8], path: &str) -> String {
    format!("\"{}\", {path:?}, {FUNCTION:?}", hex::encode(bytes))
}

/// Runs the loader in the agent's place.
fn load(bench: &Bench, spec: &Spec, agent: &Agent, loader: &str) -> CliResult<Observation> {
    let work = bench.work_dir()?;
    let program = if agent.manifest().is_some() {
        let folder = work.bundle();
        agent
            .program(&folder)
            .and_then(|_| add_loader(&folder, loader))
            .map_err(CliError::infrastructure)?;
        let path = format!("{LOADER_FOLDER}/{LOADER_FILE}");
        Program::PythonPath { folder, path }
    } else {
        Program::PythonFile(loader.as_bytes().to_vec())
    };
    let mut slot = Slot::start(&bench.slot_config(spec, 0)?).map_err(CliError::infrastructure)?;
    let outcome = slot
        .run(&RunSpec {
            agent: program,
            task_json: b"{}".to_vec(),
            artifact: work.empty(),
            probe: None,
            limits: limits(spec, Track::Skills),
        })
        .map_err(CliError::infrastructure)?;
    Ok(observation(outcome))
}

fn add_loader(folder: &Path, loader: &str) -> Result<(), BundleError> {
    let path = folder.join(LOADER_FOLDER);
    std::fs::create_dir(&path)
        .and_then(|()| std::fs::write(path.join(LOADER_FILE), loader))
        .map_err(|source| BundleError::Io {
            action: "write",
            path,
            source,
        })
}

/// Why a program could not be started, as far as its first bytes tell.
fn program_problem(bundle: &Bundle<'_>, path: &str, runtime: &Path) -> Option<String> {
    let file = bundle.files().find(|file| file.path == path);
    let Some(file) = file.filter(|file| file.executable) else {
        return Some(format!(
            "{path} is no executable regular file of the bundle; correct the entrypoint of agent.toml or the file's mode"
        ));
    };
    let Some(script) = file.bytes.strip_prefix(b"#!") else {
        let is_elf = file.bytes.starts_with(b"\x7fELF");
        return (!is_elf).then(|| {
            format!("{path} is neither a script with #! nor a program for Linux; make it one")
        });
    };
    let line = script.split(|byte| *byte == b'\n').next();
    let line = String::from_utf8_lossy(line.unwrap_or_default());
    let interpreter = line.split_whitespace().next().unwrap_or_default();
    let inside = runtime.join(interpreter.trim_start_matches('/'));
    let of_bundle = interpreter.starts_with("/task/agent/");
    (!of_bundle && !inside.is_file()).then(|| {
        format!("{path}: the runtime has no {interpreter:?}; use /bin/sh or /usr/bin/python3")
    })
}

/// Why the agent cannot take part, one line.
fn problem(seen: &Observation, function: &str) -> Option<String> {
    if !seen.events.is_empty() {
        return Some(format!(
            "loading it ended badly: {}",
            seen.detail.join("; ")
        ));
    }
    if seen.runner == Some(RunnerFailure::EntrypointRaised) {
        let last = seen.runner_message.lines().last().unwrap_or("it raised");
        return Some(format!("does not load: {last}"));
    }
    let answer: Option<serde_json::Value> = match &seen.report {
        ReportBytes::Bytes(bytes) => serde_json::from_slice(bytes).ok(),
        ReportBytes::Missing | ReportBytes::TooLarge(_) => None,
    };
    match answer
        .as_ref()
        .and_then(|answer| answer["entrypoint"].as_bool())
    {
        Some(true) => None,
        Some(false) => Some(format!(
            "no function {function}; define {function}(task) that takes the task and returns the report"
        )),
        None => Some(format!("loading it ended the process: {:?}", seen.exit)),
    }
}
