//! `assay agent`.

mod check;

use super::{print_json, print_line};
use crate::cli::{AgentCommand, HostArgs};
use crate::engine::agent::Agent;
use crate::error::{CliError, CliResult};
use crate::host::Bench;
use agents::{Bundle, Limits};
use check::{Checked, check_agent};
use mechanism::ids::Pin;
use mechanism::spec::Spec;
use serde_json::json;
use std::path::Path;

pub(crate) fn run(command: &AgentCommand) -> CliResult {
    match command {
        AgentCommand::Pack { dir, out, json } => pack(dir, out.as_deref(), *json),
        AgentCommand::Pin { agent, json } => {
            let found = Agent::read(agent, &Spec::pinned()).map_err(CliError::agent)?;
            let pin = found.pin();
            if *json {
                return print_json(&json!({"pin": pin, "bytes": found.bytes().len()}));
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

/// Packs a folder into a bundle file, in one step, so that no half bundle is ever left.
fn pack(dir: &Path, out: Option<&Path>, json: bool) -> CliResult {
    let shown = dir.display();
    if !dir.is_dir() {
        return Err(CliError::agent(format!(
            "{shown} is no folder; a bundle is packed from a folder with agent.toml at its top"
        )));
    }
    let limits = Limits::of(&Spec::pinned());
    let bytes =
        agents::pack(dir, &limits).map_err(|error| CliError::agent(format!("{shown}: {error}")))?;
    let bundle = Bundle::parse(&bytes, &limits).map_err(CliError::agent)?;
    let name = format!("{}.tar", bundle.manifest().name);
    let out = out.unwrap_or(Path::new(&name));
    let pin = Pin::blake3_of(&bytes);
    write_new(out, &bytes)?;
    if json {
        return print_json(&json!({
            "pin": pin, "bytes": bytes.len(), "files": bundle.files().count(), "file": out,
            "manifest": bundle.manifest(),
        }));
    }
    print_line(&format!(
        "{pin}\n{}: {} files, {} bytes",
        out.display(),
        bundle.files().count(),
        bytes.len()
    ))
}

/// Writes a file beside its name, then moves it there.
fn write_new(path: &Path, bytes: &[u8]) -> CliResult {
    let mut half = path.as_os_str().to_owned();
    half.push(".part");
    let half = Path::new(&half);
    std::fs::write(half, bytes)
        .and_then(|()| std::fs::rename(half, path))
        .map_err(|error| {
            let _ = std::fs::remove_file(half);
            CliError::usage(format!(
                "cannot write {}: {error}; name another file with -o",
                path.display()
            ))
        })
}

/// Loads the agent once in the sandbox, on an empty artifact: is there its function, and does it import at all? A program is
/// only looked at, because it cannot be loaded without being run.
fn check(agent: &Path, pin: Option<&str>, host: &HostArgs, json: bool) -> CliResult {
    let spec = Spec::pinned();
    let found = match pin {
        Some(text) => {
            let pin: Pin = text.parse().map_err(CliError::usage)?;
            Agent::read_pinned(agent, &pin, &spec)
        }
        None => Agent::read(agent, &spec),
    }
    .map_err(CliError::agent)?;
    let pin = found.pin();
    let shown = agent.display();
    let refuse = |problem: String| CliError::agent(format!("{shown}: {problem}"));
    let bench = Bench::prepare(host, &spec)?;
    let told = match check_agent(&bench, &spec, &found)? {
        Checked::Invalid(problem) => return Err(refuse(problem)),
        Checked::Loads { function, cpu_us } => {
            let cpu_ms = cpu_us as f64 / 1_000.0;
            let told = format!("loads and has {function} ({cpu_ms:.1} ms of CPU to load)");
            (told, Some(cpu_ms))
        }
        Checked::Program { path } => (format!("its program {path} can be started"), None),
    };
    let (told, cpu_ms) = told;
    if json {
        return print_json(&json!({
            "pin": pin, "valid": true, "load_cpu_ms": cpu_ms, "manifest": found.manifest(),
        }));
    }
    print_line(&format!("{pin}\n{shown}: {told}"))
}
