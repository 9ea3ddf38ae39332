//! Preflight: can a seal be set up here, does it hold, and how strong is it?

use std::io;

use jail::Stage;

use crate::config::{CgroupMode, Program, RunSpec, SandboxConfig};
use crate::error::SandboxError;
use crate::outcome::{ReportBytes, RunOutcome};
use crate::slot::Slot;

/// An agent that tries what it must not be able to do.
const CANARIES: &[u8] = include_bytes!("canaries.py");
/// Its report when the seal holds.
const SEALED: &[u8] = br#"{"allowed": []}"#;

/// What this machine offers. Every part of the seal that is not named by a notice is in force.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// Control group interface in use.
    pub cgroups: CgroupMode,
    /// Landlock ABI of the kernel.
    pub landlock_abi: Option<u32>,
    /// Length of the system call filter that the trial run accepted.
    pub seccomp_instructions: u32,
    /// Whether time spent waiting for a CPU is accounted.
    pub wait_accounting: bool,
    /// Set-up time of the trial run in microseconds.
    pub setup_us: u64,
    /// What is weaker than it could be; one line each.
    pub notices: Vec<String>,
}

/// Starts a slot, lets a trial agent test the seal from inside, and reports what is in force.
///
/// # Errors
/// When the seal cannot be set up, or when the trial agent could do anything that it must not: then the node must not run agents.
pub fn check(config: &SandboxConfig) -> Result<Report, SandboxError> {
    let mut slot = Slot::start(config)?;
    let outcome = slot.run(&RunSpec {
        agent: Program::PythonFile(CANARIES.to_vec()),
        task_json: b"{}".to_vec(),
        // An empty folder that every runtime tree has.
        artifact: config.runtime_root.join("task"),
        probe: None,
        limits: config.max.clone(),
    })?;
    if outcome.report != ReportBytes::Bytes(SEALED.to_vec()) || !outcome.events.is_empty() {
        let error = io::Error::other(describe(&outcome));
        return Err(SandboxError::host(
            config.slot,
            Stage::SelfTest,
            "the seal does not hold in the trial run",
            error,
        ));
    }
    let ready = slot.ready();
    Ok(Report {
        cgroups: ready.mode,
        landlock_abi: ready.landlock_abi,
        seccomp_instructions: ready.seccomp_instructions,
        wait_accounting: ready.wait_accounting,
        setup_us: outcome.usage.setup_us,
        notices: ready.notices.clone(),
    })
}

/// One line about a trial run that went wrong.
fn describe(outcome: &RunOutcome) -> String {
    let report = match &outcome.report {
        ReportBytes::Bytes(bytes) => String::from_utf8_lossy(bytes).into_owned(),
        other => format!("{other:?}"),
    };
    let runner = outcome
        .runner
        .as_ref()
        .map_or("", |failure| failure.message.as_str());
    let stderr = String::from_utf8_lossy(&outcome.stderr);
    let last = stderr.lines().last().unwrap_or_default();
    format!(
        "report {report} events {:?} exit {:?} {runner} {last}",
        outcome.events, outcome.exit
    )
}
