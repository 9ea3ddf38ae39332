//! Whose fault a run's end is, and the names of the agent's failures (`mechanism.md §4`).

use serde::{Deserialize, Serialize};
use std::fmt;

/// Whose fault. Only the agent's are ever scored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fault {
    /// The agent failed its own repetition.
    Agent,
    /// The validator's host failed; retried, then the round is abstained.
    Infrastructure,
    /// The corpus is not what its manifest says; the round is abstained.
    Corpus,
}

/// Why a repetition failed, in the order in which the gates are judged: of several the first names the failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Failure {
    /// CPU time of the process tree above the track's budget.
    CpuBudgetExceeded,
    /// Wall time above three times the CPU budget.
    WallBackstopExceeded,
    /// The memory limit killed the tree.
    MemoryLimitExceeded,
    /// More output than the flood limit.
    OutputFlood,
    /// The agent's round cap of wall time was used up by earlier runs.
    AgentWallCap,
    /// The agent's process died by a signal.
    KilledBySignal,
    /// An ambiguous end that the control agent attributes to the agent.
    SandboxDisrupted,
    /// The runner found no `agent_main`.
    EntrypointMissing,
    /// Loading the agent or calling `agent_main` raised.
    EntrypointRaised,
    /// No regular probe file at the place.
    ProbeMissing,
    /// The probe file holds something else.
    ProbeMismatch,
    /// No report.
    ReportMissing,
    /// A report above the size limit.
    ReportTooLarge,
    /// A report that is not one well-formed JSON object.
    ReportMalformed,
    /// A verdict that is not exactly `ALLOW`, `WARN` or `BLOCK`.
    VerdictInvalid,
    /// Evidence that fails the track's schema.
    EvidenceInvalid,
}

impl Failure {
    /// Every failure, in the order of judgement.
    pub const ALL: [Failure; 16] = [
        Failure::CpuBudgetExceeded,
        Failure::WallBackstopExceeded,
        Failure::MemoryLimitExceeded,
        Failure::OutputFlood,
        Failure::AgentWallCap,
        Failure::KilledBySignal,
        Failure::SandboxDisrupted,
        Failure::EntrypointMissing,
        Failure::EntrypointRaised,
        Failure::ProbeMissing,
        Failure::ProbeMismatch,
        Failure::ReportMissing,
        Failure::ReportTooLarge,
        Failure::ReportMalformed,
        Failure::VerdictInvalid,
        Failure::EvidenceInvalid,
    ];

    /// The stable machine-readable name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Failure::CpuBudgetExceeded => "cpu_budget_exceeded",
            Failure::WallBackstopExceeded => "wall_backstop_exceeded",
            Failure::MemoryLimitExceeded => "memory_limit_exceeded",
            Failure::OutputFlood => "output_flood",
            Failure::AgentWallCap => "agent_wall_cap",
            Failure::KilledBySignal => "killed_by_signal",
            Failure::SandboxDisrupted => "sandbox_disrupted",
            Failure::EntrypointMissing => "entrypoint_missing",
            Failure::EntrypointRaised => "entrypoint_raised",
            Failure::ProbeMissing => "probe_missing",
            Failure::ProbeMismatch => "probe_mismatch",
            Failure::ReportMissing => "report_missing",
            Failure::ReportTooLarge => "report_too_large",
            Failure::ReportMalformed => "report_malformed",
            Failure::VerdictInvalid => "verdict_invalid",
            Failure::EvidenceInvalid => "evidence_invalid",
        }
    }

    /// The failure with this name, if there is one.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Failure::ALL.into_iter().find(|f| f.as_str() == name)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}
