//! The embedded chain's state and everything that changes it.

use crate::blocks::{Blocks, Epoch};
use crate::genesis::{Genesis, GenesisError};
use crate::metagraph::{Change, Metagraph, Neuron, replay};
use crate::ss58::{Ss58Error, decode_hotkey};
use crate::submission::Accepted;
use mechanism::ids::{Hash32, Hotkey, Pin};
use mechanism::participants::Commitment;
use mechanism::track::Track;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A saved chain with more blocks is taken for a damaged file: hashes are recomputed when it is read.
const MAX_SAVED_HEAD: u64 = 1 << 24;

/// The chain cannot be read, or refuses a change that is no submission.
#[derive(Debug, thiserror::Error)]
pub enum ChainError {
    /// The genesis is unfit.
    #[error(transparent)]
    Genesis(#[from] GenesisError),
    /// A hotkey is no key.
    #[error(transparent)]
    Hotkey(#[from] Ss58Error),
    /// The saved state is no chain.
    #[error("chain state: {0}; remove the state to begin from genesis")]
    State(String),
    /// The hotkey is not registered.
    #[error("hotkey {0} is not registered on the subnet; register it first")]
    Unregistered(Hotkey),
    /// The hotkey holds another slot.
    #[error("hotkey {hotkey} holds uid {uid} already; empty that slot first")]
    Registered {
        /// The hotkey.
        hotkey: Hotkey,
        /// Its slot.
        uid: u16,
    },
}

/// A development chain in memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmbeddedChain {
    pub(crate) saved: Saved,
    blocks: Blocks,
}

/// What is serialised.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Saved {
    pub(crate) genesis: Genesis,
    head: u64,
    head_hash: Hash32,
    changes: Vec<Change>,
    /// In chain order.
    commitments: Vec<Commitment>,
    /// The latest accepted vector of each hotkey.
    pub(crate) weights: BTreeMap<Hotkey, Accepted>,
}

impl EmbeddedChain {
    /// The chain at block 0.
    ///
    /// # Errors
    /// [`GenesisError`].
    pub fn genesis(genesis: Genesis) -> Result<Self, GenesisError> {
        genesis.check()?;
        let changes = genesis.neurons().map(|neuron| Change {
            block: 0,
            uid: neuron.uid,
            neuron: Some(Neuron {
                uid: neuron.uid,
                hotkey: neuron.hotkey.clone(),
                stake: neuron.stake,
                validator_permit: neuron.permit,
                registered_at: 0,
            }),
        });
        let changes = changes.collect();
        let mut commitments = genesis.commitments.clone();
        // Stable: within a block the order of the genesis is the chain's order.
        commitments.sort_by_key(|commitment| commitment.block);
        let blocks = Blocks::up_to(&genesis, 0);
        let saved = Saved {
            head: 0,
            head_hash: blocks.hash(0).unwrap_or(genesis.seed),
            genesis,
            changes,
            commitments,
            weights: BTreeMap::new(),
        };
        Ok(EmbeddedChain { saved, blocks })
    }

    /// Reads what [`EmbeddedChain::to_json`] wrote.
    ///
    /// # Errors
    /// [`ChainError::State`] when it is no chain or its head's hash is not that of its genesis, [`ChainError::Genesis`].
    pub fn from_json(text: &str) -> Result<Self, ChainError> {
        let saved: Saved =
            serde_json::from_str(text).map_err(|error| ChainError::State(error.to_string()))?;
        saved.genesis.check()?;
        if saved.head > MAX_SAVED_HEAD {
            return Err(ChainError::State(format!(
                "head {} is above {MAX_SAVED_HEAD}",
                saved.head
            )));
        }
        let blocks = Blocks::up_to(&saved.genesis, saved.head);
        if blocks.hash(saved.head) != Some(saved.head_hash) {
            return Err(ChainError::State(format!(
                "block {} does not have the hash {}",
                saved.head, saved.head_hash
            )));
        }
        Ok(EmbeddedChain { saved, blocks })
    }

    /// The whole state, for [`EmbeddedChain::from_json`].
    ///
    /// # Errors
    /// [`ChainError::State`] when the state cannot be written as JSON.
    pub fn to_json(&self) -> Result<String, ChainError> {
        serde_json::to_string_pretty(&self.saved).map_err(|e| ChainError::State(e.to_string()))
    }

    /// The parameters it began with.
    #[must_use]
    pub const fn parameters(&self) -> &Genesis {
        &self.saved.genesis
    }

    /// Number of the last block.
    #[must_use]
    pub fn head(&self) -> u64 {
        self.blocks.head()
    }

    /// Hash of a block; `None` for one that does not exist yet.
    #[must_use]
    pub fn block_hash(&self, number: u64) -> Option<Hash32> {
        self.blocks.hash(number)
    }

    /// Adds a block and returns its number.
    pub fn advance(&mut self) -> u64 {
        let head = self.blocks.append();
        self.saved.head = head;
        self.saved.head_hash = self.blocks.hash(head).unwrap_or(self.saved.head_hash);
        head
    }

    /// Adds blocks up to the next epoch's seed block and returns that epoch.
    pub fn advance_epoch(&mut self) -> Epoch {
        let before = self.head() / self.saved.genesis.tempo;
        loop {
            self.advance();
            if let Some(epoch) = self.blocks.epoch(before) {
                return epoch;
            }
        }
    }

    /// The epoch with this id, once its seed block exists.
    #[must_use]
    pub fn epoch(&self, id: u64) -> Option<Epoch> {
        self.blocks.epoch(id)
    }

    /// The latest epoch whose seed block exists; `None` before the first.
    #[must_use]
    pub fn current_epoch(&self) -> Option<Epoch> {
        self.blocks.current_epoch()
    }

    /// Who is registered after block `at`.
    #[must_use]
    pub fn metagraph(&self, at: u64) -> Metagraph {
        replay(&self.saved.changes, at)
    }

    /// Every commitment up to the last block, in chain order.
    #[must_use]
    pub fn commitments(&self) -> Vec<Commitment> {
        let head = self.head();
        let visible = |commitment: &&Commitment| commitment.block <= head;
        self.saved
            .commitments
            .iter()
            .filter(visible)
            .cloned()
            .collect()
    }

    /// Commits an agent in the last block.
    ///
    /// # Errors
    /// [`ChainError::Unregistered`].
    pub fn commit(&mut self, hotkey: &Hotkey, track: Track, pin: Pin) -> Result<(), ChainError> {
        let block = self.head();
        if self.metagraph(block).by_hotkey(hotkey).is_none() {
            return Err(ChainError::Unregistered(hotkey.clone()));
        }
        let at = self.saved.commitments.partition_point(|c| c.block <= block);
        let commitment = Commitment {
            hotkey: hotkey.clone(),
            track,
            pin,
            block,
        };
        self.saved.commitments.insert(at, commitment);
        Ok(())
    }

    /// Gives a slot to a hotkey in the last block; whoever else held it is no longer registered and loses its weights.
    /// For the slot's own hotkey this sets stake and permit, and its registration block stays.
    ///
    /// # Errors
    /// [`ChainError::Hotkey`], [`ChainError::Registered`] when the hotkey holds another slot.
    pub fn register(
        &mut self,
        uid: u16,
        hotkey: &Hotkey,
        stake: u64,
        validator_permit: bool,
    ) -> Result<(), ChainError> {
        decode_hotkey(hotkey)?;
        let block = self.head();
        let metagraph = self.metagraph(block);
        let holder = metagraph.by_hotkey(hotkey);
        if let Some(holder) = holder.filter(|holder| holder.uid != uid) {
            return Err(ChainError::Registered {
                hotkey: hotkey.clone(),
                uid: holder.uid,
            });
        }
        let neuron = Neuron {
            uid,
            hotkey: hotkey.clone(),
            stake,
            validator_permit,
            registered_at: holder.map_or(block, |holder| holder.registered_at),
        };
        self.change(uid, Some(neuron));
        Ok(())
    }

    /// Empties a slot in the last block; its holder loses its weights.
    pub fn deregister(&mut self, uid: u16) {
        self.change(uid, None);
    }

    fn change(&mut self, uid: u16, neuron: Option<Neuron>) {
        let block = self.head();
        if let Some(before) = self.metagraph(block).neurons.get(&uid)
            && neuron.as_ref().map(|n| &n.hotkey) != Some(&before.hotkey)
        {
            self.saved.weights.remove(&before.hotkey);
        }
        self.saved.changes.push(Change { block, uid, neuron });
    }
}
