//! What the round needs from the outside: traits that the outer crates implement and the binary wires.

use crate::fault::HostFault;
use crate::plan::PlannedRun;
use crate::record::Entry;
use mechanism::ids::{Hash32, Hotkey, TaskRef};
use mechanism::outcome::{Event, ProbeState, RunnerFailure};
use mechanism::track::Track;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// One run to be executed, without anything that hints at a label.
#[derive(Debug, Clone)]
pub struct RunRequest {
    /// Which run.
    pub run: PlannedRun,
    /// Attempt, counted from 1; later attempts follow infrastructure faults.
    pub attempt: u32,
    /// The task document, serialised.
    pub task_json: Vec<u8>,
    /// Probe file name in the workspace and its exact content; `None` on repositories.
    pub probe: Option<(String, Vec<u8>)>,
}

/// How the agent's process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Exit {
    /// By itself, with this code.
    Code(i32),
    /// By this signal.
    Signal(i32),
}

/// What the run handed over as its report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReportBytes {
    /// Nothing.
    Missing,
    /// More bytes than the limit.
    TooLarge(u64),
    /// The raw bytes, not yet parsed.
    Bytes(Vec<u8>),
}

/// What the sandbox measured of a run. All times in microseconds, sizes in bytes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// CPU time of the whole process tree, from the sandbox's own accounting.
    pub cpu_us: u64,
    /// Wall time of the agent, without queue and set-up.
    pub wall_us: u64,
    /// Time spent runnable but not running, where the host tells it.
    pub wait_us: Option<u64>,
    /// Set-up and tear-down around the agent's own time.
    pub overhead_us: u64,
    /// Peak memory of the tree, where the host tells it.
    pub memory_peak_bytes: Option<u64>,
    /// Bytes written to stdout, kept or dropped.
    pub stdout_bytes: u64,
    /// Bytes written to stderr, kept or dropped.
    pub stderr_bytes: u64,
}

/// Everything that was seen of a run from outside.
#[derive(Debug, Clone)]
pub struct Observation {
    /// Limits that fired and other ends.
    pub events: BTreeSet<Event>,
    /// What the runner itself reported of the entrypoint.
    pub runner: Option<RunnerFailure>,
    /// The runner's message beside it, cut.
    pub runner_message: String,
    /// What stood at the probe's place.
    pub probe: ProbeState,
    /// The report.
    pub report: ReportBytes,
    /// The exit.
    pub exit: Exit,
    /// The measurements.
    pub usage: Usage,
    /// Last bytes of stderr, lossily decoded, for the agent's author.
    pub stderr_tail: String,
    /// One line per limit that fired, with its measured value.
    pub detail: Vec<String>,
}

/// Runs one agent on one task in a sealed sandbox. One executor serves one slot and is used by one thread.
pub trait Executor: Send {
    /// Carries the run out.
    ///
    /// # Errors
    /// A [`HostFault`] that is never the agent's: the sandbox, the host or the corpus failed. Ambiguous ends have been
    /// decided by the control agent before this returns (`mechanism.md §4`).
    fn execute(&mut self, request: &RunRequest) -> Result<Observation, HostFault>;
}

/// Keeps a round's journal.
pub trait Store {
    /// Appends the entries and makes them durable together; when this returns they survive a crash.
    ///
    /// # Errors
    /// One line that names the file and what failed; the round abstains.
    fn append(&mut self, entries: &[Entry]) -> Result<(), String>;
}

/// What the chain says at the block of the submission.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChainView {
    /// Registered hotkeys and their slots.
    pub registered: BTreeMap<Hotkey, u16>,
    /// Hotkeys whose slot changed hands since the freeze.
    pub reregistered: BTreeSet<Hotkey>,
    /// Contributors that the subnet's owner recognises.
    pub contributors: Vec<Hotkey>,
    /// `MinAllowedWeights`.
    pub min_allowed_weights: u16,
    /// `MaxWeightsLimit`.
    pub max_weights_limit: u16,
    /// Version key the chain asks for.
    pub version_key: u64,
}

/// The weights of one round as they are signed. Its canonical bytes are [`WeightsPayload::canonical`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WeightsPayload {
    /// Subnet.
    pub netuid: u16,
    /// Version key.
    pub version_key: u64,
    /// Round (epoch) id.
    pub round: u64,
    /// Slots, ascending.
    pub uids: Vec<u16>,
    /// Wire values beside them.
    pub values: Vec<u16>,
    /// Spec id the vector was computed under.
    pub spec_id: Hash32,
    /// Digest of the round.
    pub round_digest: Hash32,
}

impl WeightsPayload {
    /// The bytes that are signed: the tag `assay/v1/weights`, then each field in order by the rule *Bytes* of
    /// `mechanism.md` (integers little endian, lists with their u32 length in front).
    #[must_use]
    pub fn canonical(&self) -> Vec<u8> {
        let tag = b"assay/v1/weights";
        let mut out = Vec::with_capacity(128 + 4 * self.uids.len());
        out.extend_from_slice(&length(tag.len()));
        out.extend_from_slice(tag);
        out.extend_from_slice(&u32::from(self.netuid).to_le_bytes());
        out.extend_from_slice(&self.version_key.to_le_bytes());
        out.extend_from_slice(&self.round.to_le_bytes());
        for list in [&self.uids, &self.values] {
            out.extend_from_slice(&length(list.len()));
            for item in list {
                out.extend_from_slice(&u32::from(*item).to_le_bytes());
            }
        }
        out.extend_from_slice(self.spec_id.as_bytes());
        out.extend_from_slice(self.round_digest.as_bytes());
        out
    }
}

/// A length as u32 little endian; longer lists than 2^32 do not exist here and saturate.
fn length(n: usize) -> [u8; 4] {
    u32::try_from(n).unwrap_or(u32::MAX).to_le_bytes()
}

/// A signed vector on its way to the chain.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SignedWeights {
    /// The signer.
    pub hotkey: Hotkey,
    /// What was signed.
    pub payload: WeightsPayload,
    /// Ed25519 signature over [`WeightsPayload::canonical`], 128 hex digits.
    pub signature: String,
}

/// The chain as the round sees it.
pub trait ChainPort {
    /// The state at the block in which a submission would land now.
    ///
    /// # Errors
    /// One line; the round abstains after retries.
    fn view(&self) -> Result<ChainView, String>;
    /// Hands the vector in.
    ///
    /// # Errors
    /// The chain's refusal, one line.
    fn submit(&mut self, weights: &SignedWeights) -> Result<(), String>;
    /// The weights that stand on chain for this validator: (uid, value), ascending.
    ///
    /// # Errors
    /// One line.
    fn read_back(&self, hotkey: &Hotkey) -> Result<Vec<(u16, u16)>, String>;
}

/// The signing key.
pub trait SignerPort {
    /// The key's SS58 text.
    fn hotkey(&self) -> Hotkey;
    /// Signs the payload's canonical bytes.
    ///
    /// # Errors
    /// One line; nothing was signed.
    fn sign(&mut self, payload: &WeightsPayload) -> Result<[u8; 64], String>;
}

/// What the scoring needs to know of a task. Read by the reduction only; never part of a request.
#[derive(Debug, Clone)]
pub struct TaskTruth {
    /// The task.
    pub task_ref: TaskRef,
    /// Its track.
    pub track: Track,
    /// The label.
    pub label: mechanism::label::Label,
    /// Paths of the artifact's files.
    pub files: Vec<String>,
}
