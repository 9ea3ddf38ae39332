//! One sandbox slot as the round's executor, with the control agent for ambiguous ends.

use super::materialise::Materials;
use mechanism::fault::Fault;
use mechanism::outcome::{self, Event, ProbeState, RunnerFailure};
use mechanism::spec::Spec;
use mechanism::track::Track;
use round::fault::{AbstainReason, HostFault};
use round::ports::{Executor, Exit, Observation, ReportBytes, RunRequest, Usage};
use sandbox::{Limits, Program, RunOutcome, RunSpec, SandboxConfig, Slot};
use std::path::PathBuf;
use std::time::Duration;

/// A program with known, small CPU use; what it returns is not looked at (`mechanism.md §4`, *Ambiguous*).
const CONTROL_AGENT: &str = include_str!("control_agent.py");
/// A noisy moment is not a broken host: the control may be tried this often before the host is blamed.
const CONTROL_TRIES: u32 = 3;
const CONTROL_PAUSE: Duration = Duration::from_millis(200);
/// Bytes of stderr kept in the record.
const STDERR_TAIL: usize = 2_000;

/// One slot.
pub(crate) struct SlotExecutor {
    config: SandboxConfig,
    spec: Spec,
    materials: Materials,
    /// An empty folder: the control agent's artifact.
    empty: PathBuf,
    slot: Option<Slot>,
}

impl SlotExecutor {
    /// Starts the slot's launcher.
    ///
    /// # Errors
    /// The part of the seal that cannot be set up, one line with the remedy.
    pub(crate) fn start(
        config: SandboxConfig,
        spec: Spec,
        materials: Materials,
        empty: PathBuf,
    ) -> Result<Self, sandbox::SandboxError> {
        let slot = Slot::start(&config)?;
        Ok(SlotExecutor {
            config,
            spec,
            materials,
            empty,
            slot: Some(slot),
        })
    }

    /// Runs in the slot; a launcher that died is started anew the next time.
    fn run(&mut self, run: &RunSpec) -> Result<RunOutcome, HostFault> {
        let mut slot = match self.slot.take() {
            Some(slot) => slot,
            None => Slot::start(&self.config).map_err(|error| sandbox_fault(&error))?,
        };
        let outcome = slot.run(run).map_err(|error| sandbox_fault(&error))?;
        self.slot = Some(slot);
        Ok(outcome)
    }

    /// Whether the host, not the agent, is to blame for an ambiguous end.
    fn host_is_to_blame(&mut self, track: Track) -> Result<Option<String>, HostFault> {
        let mut last = String::new();
        for attempt in 0..CONTROL_TRIES {
            if attempt > 0 {
                std::thread::sleep(CONTROL_PAUSE);
            }
            let outcome = self.run(&RunSpec {
                agent: Program::PythonFile(CONTROL_AGENT.as_bytes().to_vec()),
                task_json: b"{}".to_vec(),
                artifact: self.empty.clone(),
                probe: None,
                limits: limits(&self.spec, track),
            })?;
            let completed = matches!(outcome.report, sandbox::ReportBytes::Bytes(_))
                && outcome.events.is_empty();
            let usage = &outcome.usage;
            let fault = outcome::control_fault(&self.spec, completed, usage.cpu_us, usage.wall_us);
            if fault == Fault::Agent {
                return Ok(None);
            }
            last = format!(
                "the control agent {} with {} us of CPU in {} us of wall time",
                if completed {
                    "ended"
                } else {
                    "did not complete"
                },
                usage.cpu_us,
                usage.wall_us
            );
        }
        Ok(Some(last))
    }
}

impl Executor for SlotExecutor {
    fn execute(&mut self, request: &RunRequest) -> Result<Observation, HostFault> {
        let planned = &request.run;
        let missing = |what: &str| HostFault {
            fault: Fault::Infrastructure,
            reason: AbstainReason::StoreUnavailable,
            detail: format!("{what} was not materialised"),
        };
        let agent = self
            .materials
            .agents
            .get(&planned.pin)
            .cloned()
            .ok_or_else(|| missing(planned.pin.as_str()))?;
        let artifact = self
            .materials
            .artifacts
            .get(&planned.task_ref)
            .cloned()
            .ok_or_else(|| missing("an artifact"))?;
        let outcome = self.run(&RunSpec {
            agent,
            task_json: request.task_json.clone(),
            artifact,
            probe: request
                .probe
                .as_ref()
                .map(|(file_name, content)| sandbox::Probe {
                    file_name: file_name.clone(),
                    content: content.clone(),
                }),
            limits: limits(&self.spec, planned.id.track),
        })?;
        let mut seen = observation(outcome);
        if is_ambiguous(&seen) {
            if let Some(detail) = self.host_is_to_blame(planned.id.track)? {
                return Err(HostFault {
                    fault: Fault::Infrastructure,
                    reason: AbstainReason::HostDisrupted,
                    detail,
                });
            }
            seen.detail
                .push("the control agent ran normally beside it".to_owned());
        }
        Ok(seen)
    }
}

/// Ends that a slow or starved host could have caused as well as the agent: the wall backstop, and a kill from outside.
fn is_ambiguous(seen: &Observation) -> bool {
    const SIGKILL: i32 = 9;
    seen.events.contains(&Event::WallBackstop)
        || (seen.exit == Exit::Signal(SIGKILL)
            && seen.events.iter().all(|event| *event == Event::Signal))
}

/// The limits of a run on this track.
pub(crate) fn limits(spec: &Spec, track: Track) -> Limits {
    let budget = spec.track(track);
    let fixed = &spec.limits;
    Limits {
        cpu_us: budget.cpu_us,
        wall_us: budget.wall_us,
        memory_bytes: fixed.memory_bytes,
        processes: fixed.processes,
        tmp_bytes: fixed.tmp_bytes,
        workspace_bytes: fixed.workspace_bytes,
        inodes: fixed.inodes,
        file_bytes: fixed.file_bytes,
        report_bytes: fixed.report_bytes,
        output_keep_bytes: fixed.output_keep_bytes,
        output_flood_bytes: fixed.output_flood_bytes,
    }
}

fn sandbox_fault(error: &sandbox::SandboxError) -> HostFault {
    HostFault {
        fault: Fault::Infrastructure,
        reason: AbstainReason::SandboxUnavailable,
        detail: error.to_string(),
    }
}

/// The sandbox's words in the round's words.
pub(crate) fn observation(outcome: RunOutcome) -> Observation {
    let (runner, runner_message) = match outcome.runner {
        None => (None, String::new()),
        Some(failure) => (
            Some(match failure.kind {
                sandbox::RunnerFailureKind::Missing => RunnerFailure::EntrypointMissing,
                sandbox::RunnerFailureKind::Raised => RunnerFailure::EntrypointRaised,
            }),
            failure.message,
        ),
    };
    let stderr_from = outcome.stderr.len().saturating_sub(STDERR_TAIL);
    Observation {
        events: outcome
            .events
            .iter()
            .map(|event| match event {
                sandbox::Event::CpuBudget => Event::CpuBudget,
                sandbox::Event::WallBackstop => Event::WallBackstop,
                sandbox::Event::Memory => Event::Memory,
                sandbox::Event::OutputFlood => Event::OutputFlood,
                sandbox::Event::Signal => Event::Signal,
            })
            .collect(),
        runner,
        runner_message,
        probe: match outcome.probe {
            sandbox::ProbeState::NotAsked | sandbox::ProbeState::Absent => ProbeState::Absent,
            sandbox::ProbeState::Observed => ProbeState::Observed,
            sandbox::ProbeState::NotRegular => ProbeState::NotRegular,
            sandbox::ProbeState::Differs => ProbeState::Differs,
        },
        report: match outcome.report {
            sandbox::ReportBytes::Missing => ReportBytes::Missing,
            sandbox::ReportBytes::TooLarge(bytes) => ReportBytes::TooLarge(bytes),
            sandbox::ReportBytes::Bytes(bytes) => ReportBytes::Bytes(bytes),
        },
        exit: match outcome.exit {
            sandbox::Exit::Code(code) => Exit::Code(code),
            sandbox::Exit::Signal(signal) => Exit::Signal(signal),
        },
        usage: Usage {
            cpu_us: outcome.usage.cpu_us,
            wall_us: outcome.usage.wall_us,
            wait_us: outcome.usage.wait_us,
            overhead_us: outcome.usage.setup_us,
            memory_peak_bytes: outcome.usage.memory_peak_bytes,
            stdout_bytes: outcome.usage.stdout_bytes,
            stderr_bytes: outcome.usage.stderr_bytes,
        },
        stderr_tail: String::from_utf8_lossy(&outcome.stderr[stderr_from..]).into_owned(),
        detail: outcome.measured,
    }
}
