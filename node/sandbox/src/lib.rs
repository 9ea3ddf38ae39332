//! The host side of the sealed sandbox: a [`Slot`] owns one launcher process and gives it one run after the other.
//!
//! ```text
//! node (any size, any number of threads) --socket + descriptors--> launcher (small, single-threaded, jailed) --clone3--> run
//! ```
//!
//! The node never forks except to spawn launchers. Whatever goes wrong outside the agent is a [`SandboxError`]: an infrastructure fault,
//! never an outcome of the agent (`mechanism.md §4`, "Whose fault?").

mod agent;
mod check;
mod config;
mod error;
mod memfile;
mod outcome;
mod slot;
mod spawn;

pub use check::{Report, check};
pub use config::{CgroupMode, Limits, Probe, Profile, Program, RunSpec, SandboxConfig};
pub use error::{Cause, SandboxError};
pub use jail::Stage;
pub use outcome::{
    Event, Exit, ProbeState, ReportBytes, RunOutcome, RunnerFailure, RunnerFailureKind, Usage,
};
pub use slot::Slot;
