//! Faults that are not the agent's, retries, and why a round is abstained (`mechanism.md §4`, *Whose fault?*).

use mechanism::fault::Fault;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A run that could not be carried out through no fault of the agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{reason}: {detail}")]
pub struct HostFault {
    /// Infrastructure or corpus; never the agent.
    pub fault: Fault,
    /// Stable machine-readable reason.
    pub reason: AbstainReason,
    /// One line for people.
    pub detail: String,
}

/// Why a validator abstains from a whole round. The names are stable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AbstainReason {
    /// The sandbox could not be set up or lost its launcher.
    SandboxUnavailable,
    /// The host was too slow or out of memory: the control agent failed.
    HostDisrupted,
    /// A record could not be made durable.
    StoreUnavailable,
    /// Corpus bytes are missing or fail their hash.
    CorpusCorrupt,
    /// A pool has one class only, or too few planted tasks.
    PoolRefused,
    /// No track has an eligible agent.
    AllTracksIdle,
    /// Nobody who would get a weight is registered.
    NoWeightsLeft,
    /// The chain wants more weights than there are.
    TooFewWeights,
    /// The chain refused the vector.
    SubmissionRefused,
    /// The chain shows another vector than the one submitted.
    ReadBackDiffers,
    /// The signer refused or is missing.
    SignerUnavailable,
    /// The inputs of the computation were out of range.
    RuleViolation,
    /// The operator stopped the round.
    Interrupted,
    /// The round's window was over before it could be finished.
    WindowOver,
    /// The journal of an unfinished round cannot be taken up by this node, spec or corpus.
    NotResumable,
}

impl AbstainReason {
    /// Every reason.
    pub const ALL: [AbstainReason; 15] = [
        AbstainReason::SandboxUnavailable,
        AbstainReason::HostDisrupted,
        AbstainReason::StoreUnavailable,
        AbstainReason::CorpusCorrupt,
        AbstainReason::PoolRefused,
        AbstainReason::AllTracksIdle,
        AbstainReason::NoWeightsLeft,
        AbstainReason::TooFewWeights,
        AbstainReason::SubmissionRefused,
        AbstainReason::ReadBackDiffers,
        AbstainReason::SignerUnavailable,
        AbstainReason::RuleViolation,
        AbstainReason::Interrupted,
        AbstainReason::WindowOver,
        AbstainReason::NotResumable,
    ];

    /// The stable name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            AbstainReason::SandboxUnavailable => "sandbox_unavailable",
            AbstainReason::HostDisrupted => "host_disrupted",
            AbstainReason::StoreUnavailable => "store_unavailable",
            AbstainReason::CorpusCorrupt => "corpus_corrupt",
            AbstainReason::PoolRefused => "pool_refused",
            AbstainReason::AllTracksIdle => "all_tracks_idle",
            AbstainReason::NoWeightsLeft => "no_weights_left",
            AbstainReason::TooFewWeights => "too_few_weights",
            AbstainReason::SubmissionRefused => "submission_refused",
            AbstainReason::ReadBackDiffers => "read_back_differs",
            AbstainReason::SignerUnavailable => "signer_unavailable",
            AbstainReason::RuleViolation => "rule_violation",
            AbstainReason::Interrupted => "interrupted",
            AbstainReason::WindowOver => "window_over",
            AbstainReason::NotResumable => "not_resumable",
        }
    }
}

impl fmt::Display for AbstainReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// How often and after what pause a run is tried again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RetryPolicy {
    /// Attempts in all, the first one included.
    pub attempts: u32,
    /// Pause before the second attempt; doubles each time.
    pub first_pause_ms: u64,
    /// No pause is longer.
    pub longest_pause_ms: u64,
}

impl Default for RetryPolicy {
    fn default() -> Self {
        RetryPolicy {
            attempts: 4,
            first_pause_ms: 250,
            longest_pause_ms: 10_000,
        }
    }
}

impl RetryPolicy {
    /// The pause before attempt `next` (2 is the first retry), or `None` when no attempt is left.
    #[must_use]
    pub fn pause_before(&self, next: u32) -> Option<u64> {
        if next > self.attempts {
            return None;
        }
        let doublings = next.saturating_sub(2).min(32);
        Some(
            self.first_pause_ms
                .saturating_mul(1 << doublings)
                .min(self.longest_pause_ms),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_the_cap_and_end() {
        let policy = RetryPolicy {
            attempts: 5,
            first_pause_ms: 100,
            longest_pause_ms: 350,
        };
        let pauses: Vec<_> = (2..=6).map(|n| policy.pause_before(n)).collect();
        assert_eq!(pauses, [Some(100), Some(200), Some(350), Some(350), None]);
    }
}
