//! What goes into the machine and what comes out of it.

use crate::fault::{AbstainReason, HostFault, RetryPolicy};
use crate::ports::{ChainView, RunRequest, SignedWeights, TaskTruth, WeightsPayload};
use crate::record::{AgentRecord, Entry, RunRecord, RuntimeNote};
use mechanism::draw::PoolTask;
use mechanism::ids::{Hash32, Hotkey, TaskRef};
use mechanism::participants::Participant;
use mechanism::spec::Spec;
use mechanism::track::Track;
use std::collections::{BTreeMap, BTreeSet};

/// How far a round goes once its runs are done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Goal {
    /// To the signed vector on chain.
    Weights,
    /// To the scores of these tracks and no further: what a miner does offline.
    Scores,
}

/// Everything a round starts from.
pub struct Setup {
    /// How far it goes.
    pub goal: Goal,
    /// The tracks that are drawn and run: all of them in a round.
    pub tracks: BTreeSet<Track>,
    /// The rules.
    pub spec: Spec,
    /// Version of this node.
    pub node_version: String,
    /// Corpus root hash.
    pub corpus_root: Hash32,
    /// The runtime.
    pub runtime: RuntimeNote,
    /// Subnet.
    pub netuid: u16,
    /// Round id.
    pub round: u64,
    /// The validator's hotkey.
    pub validator: Hotkey,
    /// Hash of the seed block.
    pub seed: Hash32,
    /// Its number.
    pub seed_block: u64,
    /// The round secret.
    pub secret: Hash32,
    /// Frozen participants by track.
    pub participants: BTreeMap<Track, Vec<Participant>>,
    /// The corpus's tasks by track.
    pub pools: BTreeMap<Track, Vec<PoolTask>>,
    /// Labels and file lists.
    pub truth: BTreeMap<TaskRef, TaskTruth>,
    /// Smoothing state before this round; `None` when there is none.
    pub previous: Option<BTreeMap<Hotkey, u64>>,
    /// Display names.
    pub names: BTreeMap<Hotkey, String>,
    /// Retries of infrastructure faults.
    pub retry: RetryPolicy,
}

/// What the outside tells the machine.
#[derive(Debug)]
pub enum Input {
    /// All entries up to this number are durable.
    Persisted {
        /// Number of the last durable entry.
        up_to: u64,
    },
    /// All bytes are there and verified, save those of the agents named.
    Materialised {
        /// Normalised digest by hotkey.
        digests: BTreeMap<Hotkey, Hash32>,
        /// Reason by hotkey of agents whose bytes cannot be had.
        unavailable: BTreeMap<Hotkey, String>,
    },
    /// A slot waits for work.
    SlotFree,
    /// A run ended.
    RunEnded {
        /// Its number in the plan.
        index: usize,
        /// The judged record, or the fault.
        result: Result<Box<RunRecord>, HostFault>,
    },
    /// The pause before a retry is over.
    RetryDue {
        /// The run's number in the plan.
        index: usize,
    },
    /// The chain's state for the submission.
    Chain(Box<ChainView>),
    /// The payload was signed.
    Signed(SignedWeights),
    /// The chain took the vector or refused it.
    Submitted(Result<(), String>),
    /// What stands on chain.
    ReadBack(Vec<(u16, u16)>),
    /// Something that the round depends on failed for good.
    Failed {
        /// Why.
        reason: AbstainReason,
        /// One line.
        detail: String,
    },
}

/// What the machine asks of the outside.
#[derive(Debug)]
pub enum Effect {
    /// Make the entry durable, in this order, then say [`Input::Persisted`].
    Persist {
        /// Number of the entry, counted from 1.
        seq: u64,
        /// The entry.
        entry: Box<Entry>,
    },
    /// Fetch and verify all bytes of these agents and tasks.
    Materialise {
        /// The agents.
        agents: Vec<AgentRecord>,
        /// The tasks.
        tasks: Vec<TaskRef>,
    },
    /// Hand the run to the slot that waits.
    Execute {
        /// Its number in the plan.
        index: usize,
        /// The request.
        request: Box<RunRequest>,
    },
    /// Say [`Input::RetryDue`] after a pause.
    RetryAfter {
        /// The run's number in the plan.
        index: usize,
        /// The pause.
        pause_ms: u64,
    },
    /// No run will be handed out any more: the slots may go.
    NoMoreRuns,
    /// Read the chain for the submission.
    ReadChain,
    /// Sign the payload.
    Sign(WeightsPayload),
    /// Submit the signed vector.
    Submit(SignedWeights),
    /// Read the weights back.
    ReadBack,
    /// The round is over.
    Finished,
}
