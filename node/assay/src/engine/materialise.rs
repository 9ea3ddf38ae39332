//! All bytes of a round, verified before its first run.

use super::agent::Agent;
use corpus::{Corpus, CorpusError};
use mechanism::ids::{Hash32, Hotkey, Pin, TaskRef};
use mechanism::spec::Spec;
use round::fault::AbstainReason;
use round::record::AgentRecord;
use runtime::Runtime;
use sandbox::Program;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Where an agent's bytes come from. Stands for fetching by hash.
pub(crate) type AgentPaths = BTreeMap<Hotkey, PathBuf>;

/// The verified bytes.
#[derive(Clone)]
pub(crate) struct Materials {
    /// What the sandbox starts, by pin; bundles are unpacked in the work folder.
    pub(crate) agents: Arc<BTreeMap<Pin, Program>>,
    /// Artifact folders by task.
    pub(crate) artifacts: Arc<BTreeMap<TaskRef, PathBuf>>,
    /// Normalised digest by hotkey.
    pub(crate) digests: BTreeMap<Hotkey, Hash32>,
    /// Why an agent's bytes cannot be had, by hotkey.
    pub(crate) unavailable: BTreeMap<Hotkey, String>,
}

/// Reads the agents and copies the artifacts to `work`, verifying every hash on the way.
pub(crate) fn materialise(
    spec: &Spec,
    corpus: &Corpus,
    runtime: &Runtime,
    paths: &AgentPaths,
    work: &Path,
    agents: &[AgentRecord],
    tasks: &[TaskRef],
) -> Result<Materials, (AbstainReason, String)> {
    let mut programs: BTreeMap<Pin, Program> = BTreeMap::new();
    let mut digest_by_pin: BTreeMap<Pin, Hash32> = BTreeMap::new();
    let mut digests = BTreeMap::new();
    let mut unavailable = BTreeMap::new();
    for agent in agents {
        let found = match paths.get(&agent.hotkey) {
            Some(path) => Agent::read_pinned(path, &agent.pin, spec)
                .and_then(|found| found.fits(agent.track).map(|()| found)),
            None => Err("nobody serves its bytes".to_owned()),
        };
        let found = match found {
            Ok(found) => found,
            Err(reason) => {
                unavailable.insert(agent.hotkey.clone(), reason);
                continue;
            }
        };
        let digest = match digest_by_pin.get(&agent.pin) {
            Some(digest) => *digest,
            None => {
                let folder = work.join(format!("b{:04}", programs.len()));
                let program = found
                    .program(&folder)
                    .map_err(|error| (AbstainReason::StoreUnavailable, error.to_string()))?;
                programs.insert(agent.pin.clone(), program);
                found
                    .digest(runtime)
                    .map_err(|error| (AbstainReason::SandboxUnavailable, error.to_string()))?
            }
        };
        digest_by_pin.insert(agent.pin.clone(), digest);
        digests.insert(agent.hotkey.clone(), digest);
    }
    Ok(Materials {
        agents: Arc::new(programs),
        artifacts: Arc::new(copy_artifacts(corpus, work, tasks)?),
        digests,
        unavailable,
    })
}

/// Verified copies of the tasks' artifacts under names that say nothing.
fn copy_artifacts(
    corpus: &Corpus,
    work: &Path,
    tasks: &[TaskRef],
) -> Result<BTreeMap<TaskRef, PathBuf>, (AbstainReason, String)> {
    let mut artifacts = BTreeMap::new();
    for (number, task_ref) in tasks.iter().enumerate() {
        let into = work.join(format!("a{number:04}"));
        corpus
            .materialise(task_ref, &into)
            .map_err(|error| (corpus_reason(&error), error.to_string()))?;
        artifacts.insert(task_ref.clone(), into);
    }
    Ok(artifacts)
}

/// Whose fault a failed copy is.
fn corpus_reason(error: &CorpusError) -> AbstainReason {
    if error.is_host_fault() {
        AbstainReason::StoreUnavailable
    } else {
        AbstainReason::CorpusCorrupt
    }
}
