//! All bytes of a round, verified before its first run.

use corpus::{Corpus, CorpusError};
use mechanism::copies::{AgentFile, Token};
use mechanism::ids::{Hash32, Hotkey, Pin, TaskRef};
use mechanism::spec::Spec;
use round::fault::AbstainReason;
use round::record::AgentRecord;
use runtime::Runtime;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Where an agent's bytes come from. Stands for fetching by hash.
pub(crate) type AgentPaths = BTreeMap<Hotkey, PathBuf>;

/// The verified bytes.
#[derive(Clone)]
pub(crate) struct Materials {
    /// Agent files by pin.
    pub(crate) agents: Arc<BTreeMap<Pin, Vec<u8>>>,
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
    let mut bytes_by_pin = BTreeMap::new();
    let mut digest_by_pin: BTreeMap<Pin, Hash32> = BTreeMap::new();
    let mut digests = BTreeMap::new();
    let mut unavailable = BTreeMap::new();
    for agent in agents {
        let found = match paths.get(&agent.hotkey) {
            Some(path) => read_agent(path, &agent.pin, spec.limits.agent_file_bytes),
            None => Err("nobody serves its bytes".to_owned()),
        };
        match found {
            Ok(bytes) => {
                let digest = match digest_by_pin.get(&agent.pin) {
                    Some(digest) => *digest,
                    None => {
                        let tokens = runtime::tokens(runtime, &bytes).map_err(|error| {
                            (AbstainReason::SandboxUnavailable, error.to_string())
                        })?;
                        let digest = agent_file(tokens, &bytes).normalised_digest();
                        digest_by_pin.insert(agent.pin.clone(), digest);
                        digest
                    }
                };
                digests.insert(agent.hotkey.clone(), digest);
                bytes_by_pin.insert(agent.pin.clone(), bytes);
            }
            Err(reason) => {
                unavailable.insert(agent.hotkey.clone(), reason);
            }
        }
    }
    Ok(Materials {
        agents: Arc::new(bytes_by_pin),
        artifacts: Arc::new(copy_artifacts(corpus, work, tasks)?),
        digests,
        unavailable,
    })
}

/// A file as the rule on copies looks at it.
fn agent_file(tokens: Option<Vec<(String, String)>>, bytes: &[u8]) -> AgentFile {
    match tokens {
        Some(tokens) => AgentFile::Tokens(
            tokens
                .into_iter()
                .map(|(kind, text)| Token { kind, text })
                .collect(),
        ),
        None => AgentFile::Bytes(bytes.to_vec()),
    }
}

/// Reads one agent file within its limit and checks its pin.
pub(crate) fn read_agent(path: &Path, pin: &Pin, limit: u64) -> Result<Vec<u8>, String> {
    let bytes = read_limited(path, limit)?;
    let found = pin_like(pin, &bytes);
    if found != pin.as_str() {
        return Err(format!(
            "{}: its hash is {found}, not the pinned {pin}; take the file that was committed, or commit this one",
            path.display()
        ));
    }
    Ok(bytes)
}

/// The pin's text of these bytes under the hash function that `pin` names.
fn pin_like(pin: &Pin, bytes: &[u8]) -> String {
    use sha2::{Digest, Sha256};
    if pin.as_str().starts_with("sha256:") {
        return format!("sha256:{}", hex::encode(Sha256::digest(bytes)));
    }
    Pin::blake3_of(bytes).to_string()
}

/// Reads a regular file of at most `limit` bytes.
pub(crate) fn read_limited(path: &Path, limit: u64) -> Result<Vec<u8>, String> {
    use std::io::Read;
    let cannot = |error: std::io::Error| {
        format!(
            "cannot read {}: {error}; an agent is a Python file that this user may read",
            path.display()
        )
    };
    let meta = std::fs::metadata(path).map_err(cannot)?;
    if !meta.is_file() {
        return Err(format!(
            "{} is not a regular file; an agent is one Python file",
            path.display()
        ));
    }
    let mut bytes = Vec::new();
    std::fs::File::open(path)
        .and_then(|file| file.take(limit + 1).read_to_end(&mut bytes))
        .map_err(cannot)?;
    if bytes.len() as u64 > limit {
        return Err(format!(
            "{}: {} bytes, an agent file has at most {limit}; make it smaller",
            path.display(),
            meta.len()
        ));
    }
    Ok(bytes)
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
