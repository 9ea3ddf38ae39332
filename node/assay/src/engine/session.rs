//! A whole round or a score, from prepared host, spec and commitments to the finished state machine.

use super::control::Control;
use super::driver::{Wiring, drive};
use super::materialise::AgentPaths;
use super::signing::LocalSigner;
use super::store::{FileStore, NoStore};
use crate::error::{CliError, CliResult};
use crate::host::Host;
use crate::output::progress::Progress;
use chain::EmbeddedChain;
use mechanism::ids::{Hash32, Hotkey, Pin, TaskRef};
use mechanism::participants::{self, Participant};
use mechanism::spec::Spec;
use mechanism::track::Track;
use mechanism::weights::Units;
use round::fault::RetryPolicy;
use round::machine::{Goal, Round, Setup};
use round::ports::{ChainPort, SignerPort, TaskTruth};
use round::record::RoundRecord;
use signer::Keypair;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// What a round needs beside the host.
pub(crate) struct RoundInputs<'a> {
    pub(crate) spec: &'a Spec,
    pub(crate) chain: &'a mut EmbeddedChain,
    pub(crate) key: Keypair,
    pub(crate) secret: Hash32,
    pub(crate) names: BTreeMap<Hotkey, String>,
    pub(crate) agents: AgentPaths,
    /// Smoothing state before the round.
    pub(crate) previous: Option<Units>,
    /// The round's folder.
    pub(crate) dir: PathBuf,
}

/// A finished round.
pub(crate) struct Finished {
    pub(crate) record: RoundRecord,
    pub(crate) path: PathBuf,
}

/// Runs one round on the next epoch of the embedded chain.
pub(crate) fn run_round(host: &Host, inputs: RoundInputs<'_>) -> CliResult<Finished> {
    let epoch = inputs.chain.advance_epoch();
    let mut signer = LocalSigner(inputs.key);
    let setup = Setup {
        goal: Goal::Weights,
        tracks: Track::ALL.into_iter().collect(),
        netuid: inputs.chain.parameters().netuid,
        round: epoch.id,
        validator: signer.hotkey(),
        seed: epoch.seed,
        seed_block: epoch.seed_block,
        secret: inputs.secret,
        participants: participants::freeze(epoch.freeze_block, &commitments(inputs.chain)),
        previous: inputs.previous,
        names: inputs.names,
        ..common(host, inputs.spec)
    };
    let mut store = FileStore::create(&inputs.dir).map_err(CliError::infrastructure)?;
    let mut source = host.source(inputs.spec, inputs.agents)?;
    let mut progress = Progress::new("runs");
    let chain: &mut dyn ChainPort = inputs.chain;
    let (round, _) = drive(
        Round::open(setup),
        Wiring {
            control: &Control::default(),
            store: &mut store,
            source: &mut source,
            chain: Some((chain, &mut signer)),
            progress: &mut |done, planned| progress.update(done, planned),
        },
    );
    let record = round.record();
    let path = store
        .write_record(&record)
        .map_err(CliError::infrastructure)?;
    Ok(Finished { record, path })
}

/// The chain's commitments in the mechanism's words.
pub(crate) fn commitments(chain: &EmbeddedChain) -> Vec<participants::Commitment> {
    chain
        .commitments()
        .into_iter()
        .map(|commitment| participants::Commitment {
            hotkey: commitment.hotkey,
            track: commitment.track,
            pin: commitment.pin,
            block: commitment.block,
        })
        .collect()
}

/// What a score needs beside the host.
pub(crate) struct ScoreInputs<'a> {
    pub(crate) spec: &'a Spec,
    pub(crate) track: Track,
    pub(crate) agent: &'a Path,
    pub(crate) pin: Pin,
    pub(crate) seed: Hash32,
    pub(crate) secret: Hash32,
    pub(crate) validator: Hotkey,
}

/// Scores one agent on one track: a round of its own that stops before the chain.
pub(crate) fn run_score(host: &Host, inputs: &ScoreInputs<'_>) -> CliResult<Round> {
    let hotkey = Keypair::dev("score").hotkey();
    let participant = Participant {
        hotkey: hotkey.clone(),
        pin: inputs.pin.clone(),
        commit_block: 0,
    };
    let setup = Setup {
        goal: Goal::Scores,
        tracks: BTreeSet::from([inputs.track]),
        validator: inputs.validator.clone(),
        seed: inputs.seed,
        secret: inputs.secret,
        participants: BTreeMap::from([(inputs.track, vec![participant])]),
        ..common(host, inputs.spec)
    };
    let agents = BTreeMap::from([(hotkey, inputs.agent.to_owned())]);
    let mut source = host.source(inputs.spec, agents)?;
    let mut progress = Progress::new("runs");
    let (round, _) = drive(
        Round::open(setup),
        Wiring {
            control: &Control::default(),
            store: &mut NoStore,
            source: &mut source,
            chain: None,
            progress: &mut |done, planned| progress.update(done, planned),
        },
    );
    Ok(round)
}

/// The parts of a setup that come from host and spec alone.
pub(crate) fn common(host: &Host, spec: &Spec) -> Setup {
    let mut pools: BTreeMap<Track, Vec<_>> = BTreeMap::new();
    let mut truth: BTreeMap<TaskRef, TaskTruth> = BTreeMap::new();
    for track in Track::ALL {
        pools.insert(track, host.corpus.pool(track));
    }
    for task in host.corpus.tasks() {
        truth.insert(
            task.task_ref.clone(),
            TaskTruth {
                task_ref: task.task_ref.clone(),
                track: task.track,
                label: task.label.clone(),
                files: task.files.iter().map(|file| file.path.clone()).collect(),
            },
        );
    }
    Setup {
        goal: Goal::Scores,
        tracks: BTreeSet::new(),
        spec: spec.clone(),
        node_version: env!("CARGO_PKG_VERSION").to_owned(),
        corpus_root: host.corpus.root(),
        runtime: host.bench.runtime_note(),
        netuid: 0,
        round: 0,
        validator: Hotkey::new(""),
        seed: Hash32([0; 32]),
        seed_block: 0,
        secret: Hash32([0; 32]),
        participants: BTreeMap::new(),
        pools,
        truth,
        previous: None,
        names: BTreeMap::new(),
        retry: RetryPolicy::default(),
    }
}
