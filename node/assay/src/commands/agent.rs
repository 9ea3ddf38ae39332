//! `assay agent`.

use super::{print_json, print_line};
use crate::cli::{AgentCommand, HostArgs};
use crate::engine::executor::{limits, observation};
use crate::engine::materialise::{read_agent, read_limited};
use crate::error::{CliError, CliResult};
use crate::host::Bench;
use mechanism::ids::Pin;
use mechanism::outcome::RunnerFailure;
use mechanism::spec::Spec;
use mechanism::track::Track;
use round::ports::{Observation, ReportBytes};
use sandbox::{Program, RunSpec, Slot};
use serde_json::json;
use std::path::Path;

/// Stands in for the agent: loads it as the runner would and says whether it has the entrypoint.
const LOADER: &str = r#"
import sys
import types


def agent_main(task):
    module = types.ModuleType("agent")
    sys.modules["agent"] = module
    exec(compile(bytes.fromhex("@SOURCE@"), "agent.py", "exec"), module.__dict__)
    return {"agent_main": callable(module.__dict__.get("agent_main"))}
"#;

pub(crate) fn run(command: &AgentCommand) -> CliResult {
    match command {
        AgentCommand::Pin { agent, json } => {
            let limit = Spec::pinned().limits.agent_file_bytes;
            let bytes = read_limited(agent, limit).map_err(CliError::agent)?;
            let pin = Pin::blake3_of(&bytes);
            if *json {
                return print_json(&json!({"pin": pin, "bytes": bytes.len()}));
            }
            print_line(pin.as_str())
        }
        AgentCommand::Check {
            agent,
            pin,
            host,
            json,
        } => check(agent, pin.as_deref(), host, *json),
    }
}

/// Loads the agent once in the sandbox, on an empty artifact: is there an `agent_main`, and does the file import at all?
fn check(agent: &Path, pin: Option<&str>, host: &HostArgs, json: bool) -> CliResult {
    let spec = Spec::pinned();
    let limit = spec.limits.agent_file_bytes;
    let bytes = match pin {
        Some(text) => {
            let pin: Pin = text.parse().map_err(CliError::usage)?;
            read_agent(agent, &pin, limit)
        }
        None => read_limited(agent, limit),
    }
    .map_err(CliError::agent)?;
    let found = Pin::blake3_of(&bytes);
    let bench = Bench::prepare(host, &spec)?;
    let seen = load_once(&bench, &spec, &bytes)?;
    let shown = agent.display();
    if let Some(problem) = problem(&seen) {
        return Err(CliError::agent(format!("{shown}: {problem}")));
    }
    let cpu_ms = seen.usage.cpu_us as f64 / 1_000.0;
    if json {
        return print_json(&json!({"pin": found, "valid": true, "load_cpu_ms": cpu_ms}));
    }
    print_line(&format!(
        "{found}\n{shown}: loads and has agent_main ({cpu_ms:.1} ms of CPU to load)"
    ))
}

/// Why the agent cannot take part, one line.
fn problem(seen: &Observation) -> Option<String> {
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
    match answer.as_ref().and_then(|answer| answer["agent_main"].as_bool()) {
        Some(true) => None,
        Some(false) => Some(
            "no function agent_main; define agent_main(task) that takes the task and returns the report"
                .to_owned(),
        ),
        None => Some(format!("loading it ended the process: {:?}", seen.exit)),
    }
}

/// Loads the agent's module in the sandbox and looks for the entrypoint without calling it.
fn load_once(bench: &Bench, spec: &Spec, bytes: &[u8]) -> CliResult<Observation> {
    let work = bench.work_dir()?;
    let mut slot = Slot::start(&bench.slot_config(spec, 0)?).map_err(CliError::infrastructure)?;
    let loader = LOADER.replace("@SOURCE@", &hex::encode(bytes));
    let outcome = slot
        .run(&RunSpec {
            agent: Program::PythonFile(loader.into_bytes()),
            task_json: b"{}".to_vec(),
            artifact: work.empty(),
            probe: None,
            limits: limits(spec, Track::Skills),
        })
        .map_err(CliError::infrastructure)?;
    Ok(observation(outcome))
}
