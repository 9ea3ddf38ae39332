//! The registry of agents that stands for the chain's commitments, and the embedded subnet made from it.

mod sync;

use crate::engine::materialise::AgentPaths;
use crate::error::{CliError, CliResult};
use chain::{Commitment, EmbeddedChain, Genesis, GenesisNeuron};
use mechanism::ids::{Hash32, Hotkey, Pin};
use mechanism::track::Track;
use serde::Deserialize;
use signer::Keypair;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The only version of the file that this binary reads.
const VERSION: u32 = 1;
/// Blocks per epoch of the embedded chain.
const TEMPO: u64 = 360;
/// Subnet number of the embedded chain.
pub(crate) const NETUID: u16 = 1;
/// Version key of the embedded chain.
const VERSION_KEY: u64 = 1;
/// Stake of the validator and of a miner, in the chain's smallest unit.
const STAKE: [u64; 2] = [1_000_000_000_000, 1_000_000_000];

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    version: u32,
    agents: Vec<Entry>,
    /// Names of agents that the subnet's owner recognises as contributors.
    #[serde(default)]
    contributors: Vec<String>,
}

/// One committed agent.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Entry {
    /// Display name; the dev hotkey derives from it.
    pub(crate) name: String,
    /// Agent file, relative to the registry's folder.
    pub(crate) file: PathBuf,
    /// Track.
    pub(crate) track: Track,
    /// Pin.
    pub(crate) pin: Pin,
    /// Block of the commitment.
    pub(crate) commit_block: u64,
}

/// A registry file, checked.
pub(crate) struct Registry {
    entries: Vec<Entry>,
    contributors: Vec<String>,
    folder: PathBuf,
}

impl Registry {
    /// Reads a registry file.
    pub(crate) fn read(path: &Path) -> CliResult<Self> {
        let shown = path.display();
        let text = std::fs::read_to_string(path)
            .map_err(|error| CliError::usage(format!(
                "cannot read the registry {shown}: {error}; it is a JSON file like agents/registry.json of the corpus"
            )))?;
        let file: File = serde_json::from_str(&text).map_err(|error| {
            CliError::usage(format!("registry {shown}: {error}; correct that place"))
        })?;
        if file.version != VERSION {
            return Err(CliError::usage(format!(
                "registry {shown}: version {} is unknown; this binary reads version {VERSION}",
                file.version
            )));
        }
        let mut seen = BTreeMap::new();
        for entry in &file.agents {
            if seen.insert(entry.name.as_str(), ()).is_some() {
                return Err(CliError::usage(format!(
                    "registry {shown}: the name '{}' stands twice; give each agent its own",
                    entry.name
                )));
            }
            if entry.commit_block >= TEMPO {
                return Err(CliError::usage(format!(
                    "registry {shown}: {}: commit_block {} is after the freeze at block {}; take a lower one",
                    entry.name,
                    entry.commit_block,
                    TEMPO - 1
                )));
            }
        }
        if let Some(name) = file
            .contributors
            .iter()
            .find(|name| !seen.contains_key(name.as_str()))
        {
            return Err(CliError::usage(format!(
                "registry {shown}: contributor '{name}' is no agent of it; add the agent or take the name out"
            )));
        }
        Ok(Registry {
            entries: file.agents,
            contributors: file.contributors,
            folder: path.parent().map(Path::to_owned).unwrap_or_default(),
        })
    }

    /// Display names by hotkey.
    pub(crate) fn names(&self) -> BTreeMap<Hotkey, String> {
        self.entries
            .iter()
            .map(|entry| (dev_hotkey(&entry.name), entry.name.clone()))
            .collect()
    }

    /// Where each hotkey's agent file lies.
    pub(crate) fn paths(&self) -> AgentPaths {
        self.entries
            .iter()
            .map(|entry| (dev_hotkey(&entry.name), self.folder.join(&entry.file)))
            .collect()
    }

    /// The embedded chain at block 0: the validator on uid 0, the agents' dev hotkeys behind it.
    pub(crate) fn chain(&self, validator: &Hotkey, seed: Hash32) -> CliResult<EmbeddedChain> {
        let miners = (1u16..)
            .zip(&self.entries)
            .map(|(uid, entry)| GenesisNeuron {
                name: entry.name.clone(),
                hotkey: dev_hotkey(&entry.name),
                uid,
                stake: STAKE[1],
                permit: false,
            })
            .collect();
        let commitments = self
            .entries
            .iter()
            .map(|entry| Commitment {
                hotkey: dev_hotkey(&entry.name),
                track: entry.track,
                pin: entry.pin.clone(),
                block: entry.commit_block,
            })
            .collect();
        EmbeddedChain::genesis(Genesis {
            netuid: NETUID,
            tempo: TEMPO,
            seed,
            round_seed: Some(seed),
            validators: vec![GenesisNeuron {
                name: "validator".to_owned(),
                hotkey: validator.clone(),
                uid: 0,
                stake: STAKE[0],
                permit: true,
            }],
            miners,
            commitments,
            contributors: self
                .contributors
                .iter()
                .map(|name| dev_hotkey(name))
                .collect(),
            min_allowed_weights: 1,
            max_weights_limit: u16::MAX,
            version_key: VERSION_KEY,
            weights_rate_limit: 0,
        })
        .map_err(CliError::usage)
    }
}

/// The hotkey of the development key with this name.
fn dev_hotkey(name: &str) -> Hotkey {
    Keypair::dev(name).hotkey()
}
