//! A slot: one launcher process and the runs it executes.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command};
use std::time::Duration;

use jail::Stage;
use jail::proto::{CgroupMode, Ready, Reply, RunReply, RunRequest, Setup};
use jail::wire::{self, WireError};
use serde::{Serialize, de::DeserializeOwned};

use crate::agent::{self, open_folder};
use crate::config::{RunSpec, SandboxConfig};
use crate::error::SandboxError;
use crate::memfile;
use crate::outcome::{RunOutcome, interpret};
use crate::spawn;

/// What a launcher may take beside the run itself: copying the inputs, sealing, killing, tearing down.
const GRACE: Duration = Duration::from_secs(180);

/// One place where runs are executed, one at a time. Dropping it ends the launcher and removes its control groups.
#[derive(Debug)]
pub struct Slot {
    number: u32,
    launcher: Child,
    socket: UnixStream,
    ready: Ready,
}

impl Slot {
    /// Starts a launcher and lets it jail itself.
    ///
    /// # Errors
    /// When any part of the seal cannot be set up on this machine: the error names the step and the remedy.
    pub fn start(config: &SandboxConfig) -> Result<Self, SandboxError> {
        let number = config.slot;
        let mut command = Command::new(&config.launcher);
        command.args(&config.launcher_args);
        let (launcher, socket) = spawn::launcher(command).map_err(|error| {
            SandboxError::host(
                number,
                Stage::Spawn,
                config.launcher.display().to_string(),
                error,
            )
        })?;
        let nothing = Ready {
            mode: CgroupMode::V2,
            groups: Vec::new(),
            landlock_abi: None,
            seccomp_instructions: 0,
            wait_accounting: false,
            notices: Vec::new(),
        };
        // Built before the first exchange, so that a failed start ends the launcher as well.
        let mut slot = Self {
            number,
            launcher,
            socket,
            ready: nothing,
        };
        let setup = slot.setup(config)?;
        slot.send(&setup, &[])?;
        let (ready, _) = slot.receive::<Ready>(Duration::ZERO)?;
        slot.ready = ready;
        Ok(slot)
    }

    fn setup(&self, config: &SandboxConfig) -> Result<Setup, SandboxError> {
        let root = std::path::absolute(&config.runtime_root).map_err(|error| {
            SandboxError::host(
                self.number,
                Stage::Root,
                config.runtime_root.display().to_string(),
                error,
            )
        })?;
        let not_text = || io::Error::new(io::ErrorKind::InvalidInput, "the path is no UTF-8");
        let root = root.to_str().ok_or_else(|| {
            SandboxError::host(
                self.number,
                Stage::Root,
                root.display().to_string(),
                not_text(),
            )
        })?;
        Ok(Setup {
            host_pid: std::process::id(),
            runtime_root: root.to_owned(),
            python: config.python.clone(),
            cpu: config.cpu.map(|cpu| u32::try_from(cpu).unwrap_or(u32::MAX)),
            cgroups: config.cgroups,
            max: config.max.clone(),
        })
    }

    /// Executes one run and waits for its end.
    ///
    /// # Errors
    /// Never for anything the agent does. After an error for which [`SandboxError::slot_survives`] is false, start a new slot.
    pub fn run(&mut self, spec: &RunSpec) -> Result<RunOutcome, SandboxError> {
        let number = self.number;
        let host = |detail: &str, error: io::Error| {
            SandboxError::host(number, Stage::Scratch, detail, error)
        };
        let (agent, program) = agent::open(&spec.agent).map_err(|error| host("agent", error))?;
        let task =
            memfile::sealed("task", &spec.task_json).map_err(|error| host("task file", error))?;
        let artifact = open_folder(&spec.artifact).map_err(|error| {
            SandboxError::host(
                self.number,
                Stage::Artifact,
                spec.artifact.display().to_string(),
                error,
            )
        })?;
        if let Some(probe) = &spec.probe
            && (probe.file_name.is_empty()
                || matches!(&*probe.file_name, "." | "..")
                || probe.file_name.contains(['/', '\0']))
        {
            let error = io::Error::new(
                io::ErrorKind::InvalidInput,
                "the probe's name is no single path component",
            );
            return Err(SandboxError::host(
                self.number,
                Stage::Probe,
                probe.file_name.clone(),
                error,
            ));
        }
        let request = RunRequest {
            program,
            limits: spec.limits.clone(),
            probe: spec.probe.clone(),
        };
        self.send(&request, &[agent.as_fd(), task.as_fd(), artifact.as_fd()])?;
        drop((agent, task, artifact));
        let (reply, report) =
            self.receive::<RunReply>(Duration::from_micros(spec.limits.wall_us))?;
        let [report] = <[OwnedFd; 1]>::try_from(report).map_err(|_| {
            SandboxError::host(
                self.number,
                Stage::Report,
                "reply without a report file",
                io::ErrorKind::InvalidData.into(),
            )
        })?;
        let handover =
            memfile::read_report(&report, spec.limits.report_bytes).map_err(|error| {
                SandboxError::host(self.number, Stage::Report, "report file", error)
            })?;
        let (runner, report) = interpret(handover);
        let RunReply {
            events,
            measured,
            exit,
            probe,
            usage,
            stdout,
            stderr,
        } = reply;
        Ok(RunOutcome {
            events,
            measured,
            runner,
            probe,
            report,
            exit,
            usage,
            stdout,
            stderr,
        })
    }

    /// What the launcher found and set up.
    pub(crate) fn ready(&self) -> &Ready {
        &self.ready
    }

    /// Process id of the launcher.
    #[must_use]
    pub fn launcher_pid(&self) -> u32 {
        self.launcher.id()
    }

    fn send<T: Serialize>(
        &mut self,
        message: &T,
        fds: &[std::os::fd::BorrowedFd<'_>],
    ) -> Result<(), SandboxError> {
        wire::send(&self.socket, message, fds).map_err(|error| self.wire_error(error))
    }

    /// Waits for a reply for as long as the launcher may honestly take; a launcher that is stuck is a fault like one that died.
    fn receive<T: DeserializeOwned>(
        &mut self,
        work: Duration,
    ) -> Result<(T, Vec<OwnedFd>), SandboxError> {
        self.socket
            .set_read_timeout(Some(work + GRACE))
            .map_err(|error| {
                SandboxError::host(self.number, Stage::Protocol, "launcher socket", error)
            })?;
        let (reply, fds) =
            wire::receive::<Reply<T>>(&self.socket).map_err(|error| self.wire_error(error))?;
        reply
            .map(|reply| (reply, fds))
            .map_err(|fault| SandboxError::fault(self.number, fault))
    }

    fn wire_error(&mut self, error: WireError) -> SandboxError {
        match error {
            WireError::Closed => {
                let how = match self.launcher.wait() {
                    Ok(status) => match status.signal() {
                        Some(signal) => format!("signal {signal}"),
                        None => status.to_string(),
                    },
                    Err(error) => error.to_string(),
                };
                SandboxError::died(self.number, how)
            }
            other => SandboxError::host(
                self.number,
                Stage::Protocol,
                "launcher socket",
                io::Error::other(other),
            ),
        }
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        let _already_dead = self.launcher.kill();
        let _reaped = self.launcher.wait();
        if self.ready.groups.is_empty() {
            // It was refused before it could tell which groups it had made.
            jail::sweep_leftovers();
        }
        // Its runs died with it; what is left are empty groups, which the kernel may still hold for a moment.
        for group in &self.ready.groups {
            let group = Path::new(group);
            for _ in 0..200 {
                jail::remove_tree(group);
                if !group.exists() {
                    break;
                }
                std::thread::sleep(Duration::from_millis(5));
            }
        }
    }
}
