//! What a round leaves behind: the journal's entries and the record document.

use crate::fault::{AbstainReason, HostFault};
use crate::plan::RunId;
use crate::ports::{Exit, SignedWeights, Usage, WeightsPayload};
use crate::standing::{TrackStanding, WeightsContext};
use mechanism::draw::Drawn;
use mechanism::fault::Failure;
use mechanism::ids::{Hash32, Hotkey, Pin, TaskRef};
use mechanism::label::Label;
use mechanism::participants::Participant;
use mechanism::track::Track;
use mechanism::verdict::Verdict;
use mechanism::weights::WeightsOutcome;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Version of the record document. A reader refuses what it does not know.
pub const RECORD_FORMAT: &str = "assay-round/1";

/// A finished run: the raw facts and what the gates made of them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunRecord {
    /// Which run.
    #[serde(flatten)]
    pub id: RunId,
    /// The agent's pin.
    pub pin: Pin,
    /// The task.
    pub task_ref: TaskRef,
    /// Attempt that ended without an infrastructure fault, counted from 1; 0 when the run was never started because
    /// the agent's wall cap was used up.
    pub attempt: u32,
    /// Why the repetition failed; `null` when it completed.
    pub failure: Option<Failure>,
    /// Message of the runner or of the parser, one line, for the agent's author.
    pub message: Option<String>,
    /// The verdict of a completed repetition (advisory on repositories).
    pub verdict: Option<Verdict>,
    /// The report of a completed repetition, as the agent wrote it; parsed again whenever it is scored.
    pub report: Option<String>,
    /// BLAKE3 of the raw report bytes, where there were any.
    pub report_hash: Option<Hash32>,
    /// The process's exit; `null` when it was never started.
    pub exit: Option<Exit>,
    /// The measurements.
    pub usage: Usage,
    /// One line per limit that fired, with its measured value.
    pub detail: Vec<String>,
    /// Last bytes of stderr.
    pub stderr_tail: String,
    /// Infrastructure faults of earlier attempts.
    pub faults: Vec<HostFault>,
}

/// Where agents ran.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuntimeNote {
    /// Tree hash, hex.
    pub hash: String,
    /// `debian-pinned`, `debian-current` or `host`.
    pub source: String,
    /// Interpreter version.
    pub version: String,
    /// Whether scores compare with those of a validator on the pinned runtime.
    pub comparable: bool,
}

/// What is fixed before the first run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Opening {
    /// Version of the node that wrote this.
    pub node_version: String,
    /// Spec id.
    pub spec_id: Hash32,
    /// Name of the spec.
    pub spec_name: String,
    /// Corpus root hash.
    pub corpus_root: Hash32,
    /// The runtime.
    pub runtime: RuntimeNote,
    /// Subnet.
    pub netuid: u16,
    /// Round id.
    pub round: u64,
    /// Hash of the seed block.
    pub seed: Hash32,
    /// Its number.
    pub seed_block: u64,
    /// Last block whose commitments count.
    pub freeze_block: u64,
    /// The validator's hotkey.
    pub validator: Hotkey,
    /// BLAKE3 of the round secret.
    pub secret_commitment: Hash32,
    /// Frozen participants by track.
    pub participants: BTreeMap<Track, Vec<Participant>>,
    /// Drawn tasks by track, in rank order.
    pub tasks: BTreeMap<Track, Drawn>,
}

/// One durable step of a round.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "entry", rename_all = "snake_case")]
pub enum Entry {
    /// The round is open.
    Opened {
        /// What is fixed.
        opening: Box<Opening>,
        /// The round secret: it must survive a crash, and is revealed when the round is closed.
        secret: Hash32,
    },
    /// The bytes were fetched and verified.
    Materialised {
        /// Normalised digest by hotkey.
        digests: BTreeMap<Hotkey, Hash32>,
        /// Reason by hotkey of agents whose bytes cannot be had.
        unavailable: BTreeMap<Hotkey, String>,
    },
    /// A run ended.
    Run(Box<RunRecord>),
    /// The scores are computed, under this context.
    Scored {
        /// The round digest.
        round_digest: Hash32,
        /// Previous state and chain view that the vector was computed from.
        context: Box<WeightsContext>,
    },
    /// The payload that is about to be signed.
    Intent {
        /// The payload.
        payload: WeightsPayload,
    },
    /// The payload was signed.
    Signed {
        /// The signed vector.
        signed: SignedWeights,
    },
    /// The chain shows the vector; the round is over and the secret public.
    Closed {
        /// The smoothing state after this round.
        state: BTreeMap<Hotkey, u64>,
    },
    /// The round is over without weights.
    Abstained {
        /// Why.
        reason: AbstainReason,
        /// One line.
        detail: String,
    },
}

/// An agent of the round.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgentRecord {
    /// Hotkey.
    pub hotkey: Hotkey,
    /// Display name, where the operator has one.
    pub name: Option<String>,
    /// Track.
    pub track: Track,
    /// Pin.
    pub pin: Pin,
    /// Block of the commitment that counts.
    pub commit_block: u64,
    /// Digest of its normalised content, for copies.
    pub normalised_digest: Option<Hash32>,
    /// Why its bytes could not be had; such an agent is not evaluated.
    pub unavailable: Option<String>,
}

/// A drawn task with what a closed round may show of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TaskRecord {
    /// The task.
    pub task_ref: TaskRef,
    /// Rank in the draw.
    pub rank: u32,
    /// The label.
    pub label: Label,
    /// Paths of the artifact.
    pub files: Vec<String>,
}

/// How the vector got to the chain.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Submission {
    /// What was signed, by whom.
    pub signed: SignedWeights,
    /// Whether the chain took it.
    pub accepted: bool,
    /// The chain's refusal.
    pub refusal: Option<String>,
    /// What stood on chain afterwards.
    pub read_back: Option<Vec<(u16, u16)>>,
}

/// The whole round, self-contained: every published number can be recomputed from it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RoundRecord {
    /// [`RECORD_FORMAT`].
    pub format: String,
    /// What was fixed before the first run.
    pub opening: Opening,
    /// The revealed secret.
    pub secret: Option<Hash32>,
    /// The agents by hotkey.
    pub agents: Vec<AgentRecord>,
    /// The drawn tasks by track.
    pub tasks: BTreeMap<Track, Vec<TaskRecord>>,
    /// The runs in the pinned order.
    pub runs: Vec<RunRecord>,
    /// Scores, standing and baselines by track.
    pub tracks: BTreeMap<Track, TrackStanding>,
    /// The inputs of the weights beside the standings: previous state, chain view.
    pub weights_input: Option<WeightsContext>,
    /// Ranking, shares, state and vector.
    pub weights: Option<WeightsOutcome>,
    /// The round digest.
    pub round_digest: Option<Hash32>,
    /// The submission.
    pub submission: Option<Submission>,
    /// Why there is none.
    pub abstained: Option<Abstention>,
}

/// A round that ended without weights.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Abstention {
    /// Stable reason.
    pub reason: AbstainReason,
    /// One line.
    pub detail: String,
}
