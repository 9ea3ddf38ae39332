//! Failures of the sandbox itself.

use std::io;

use jail::{Fault, Stage};

/// A step outside the agent failed: always an infrastructure fault, never a score.
#[derive(Debug, thiserror::Error)]
#[error("sandbox slot {slot}: {}: {source}; remedy: {remedy}", stage.name())]
pub struct SandboxError {
    /// The slot.
    pub slot: u32,
    /// The step.
    pub stage: Stage,
    /// What happened.
    #[source]
    pub source: Cause,
    /// What an operator can do; one line.
    pub remedy: &'static str,
}

/// What happened, told by the system.
#[derive(Debug, thiserror::Error)]
pub enum Cause {
    /// A system call of the launcher or of a run's own process failed.
    #[error("{detail}{}", system_text(*errno))]
    System {
        /// `errno`, 0 when there is none.
        errno: i32,
        /// What was tried.
        detail: String,
    },
    /// Input and output on the host side.
    #[error("{detail}: {source}")]
    Host {
        /// What was tried.
        detail: String,
        /// The system's error.
        source: io::Error,
    },
    /// The launcher is gone.
    #[error("the launcher ended ({0})")]
    LauncherDied(String),
}

fn system_text(errno: i32) -> String {
    if errno == 0 {
        String::new()
    } else {
        format!(": {}", io::Error::from_raw_os_error(errno))
    }
}

impl SandboxError {
    pub(crate) fn fault(slot: u32, fault: Fault) -> Self {
        let Fault {
            stage,
            errno,
            detail,
        } = fault;
        Self {
            slot,
            stage,
            source: Cause::System { errno, detail },
            remedy: stage.remedy(),
        }
    }

    pub(crate) fn host(
        slot: u32,
        stage: Stage,
        detail: impl Into<String>,
        source: io::Error,
    ) -> Self {
        Self {
            slot,
            stage,
            source: Cause::Host {
                detail: detail.into(),
                source,
            },
            remedy: stage.remedy(),
        }
    }

    pub(crate) fn died(slot: u32, how: String) -> Self {
        let remedy =
            "start the slot again; if it happens again, look at the kernel log for the OOM killer";
        Self {
            slot,
            stage: Stage::Protocol,
            source: Cause::LauncherDied(how),
            remedy,
        }
    }

    /// Whether the slot can still be used: its launcher reported the failure itself.
    #[must_use]
    pub fn slot_survives(&self) -> bool {
        matches!(self.source, Cause::System { .. })
            && !matches!(self.stage, Stage::Protocol | Stage::Teardown)
    }
}
