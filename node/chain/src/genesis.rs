//! How an embedded chain begins.

use crate::ss58::{Ss58Error, decode_hotkey};
use mechanism::ids::{Hash32, Hotkey};
use mechanism::participants::Commitment;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The first state and the fixed parameters of a chain.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Genesis {
    /// Subnet.
    pub netuid: u16,
    /// Blocks per epoch, at least 1.
    pub tempo: u64,
    /// What every block hash derives from.
    pub seed: Hash32,
    /// Hash of the first epoch's seed block, to repeat a round; a real chain has no such thing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub round_seed: Option<Hash32>,
    /// Neurons that may set weights, as a rule.
    pub validators: Vec<GenesisNeuron>,
    /// Neurons that commit agents.
    pub miners: Vec<GenesisNeuron>,
    /// Commitments; each becomes visible at its block.
    pub commitments: Vec<Commitment>,
    /// Contributors that the subnet's owner recognises.
    #[serde(default)]
    pub contributors: Vec<Hotkey>,
    /// Fewest non-zero weights of a submission.
    pub min_allowed_weights: u16,
    /// Largest share of one weight, in 1/65535 of the sum; 65535 sets no limit.
    pub max_weights_limit: u16,
    /// Lowest version key that is accepted.
    pub version_key: u64,
    /// Blocks between two submissions of one hotkey; 0 sets no limit.
    #[serde(default)]
    pub weights_rate_limit: u64,
}

/// A neuron that is registered from block 0 on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GenesisNeuron {
    /// Name for people.
    pub name: String,
    /// SS58 text of the key.
    pub hotkey: Hotkey,
    /// Slot.
    pub uid: u16,
    /// Stake, in the chain's smallest unit.
    pub stake: u64,
    /// Whether it may set weights.
    pub permit: bool,
}

/// A genesis that no chain can begin with.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GenesisError {
    /// An epoch must have a block.
    #[error("genesis: tempo is 0; give an epoch at least 1 block")]
    Tempo,
    /// A hotkey is no key.
    #[error("genesis: {0}")]
    Hotkey(#[from] Ss58Error),
    /// Two neurons with one slot.
    #[error("genesis: uid {0} is given twice; give each neuron its own")]
    Uid(u16),
    /// One hotkey in two slots.
    #[error("genesis: hotkey {0} is registered twice; register it once")]
    Twice(Hotkey),
    /// A commitment of nobody.
    #[error("genesis: hotkey {0} has a commitment and is not registered; register it as a miner")]
    Unregistered(Hotkey),
}

impl Genesis {
    /// Validators and miners.
    pub fn neurons(&self) -> impl Iterator<Item = &GenesisNeuron> {
        self.validators.iter().chain(&self.miners)
    }

    /// Whether a chain can begin with it.
    ///
    /// # Errors
    /// The first [`GenesisError`].
    pub fn check(&self) -> Result<(), GenesisError> {
        if self.tempo == 0 {
            return Err(GenesisError::Tempo);
        }
        let mut uids = BTreeSet::new();
        let mut hotkeys = BTreeSet::new();
        for neuron in self.neurons() {
            decode_hotkey(&neuron.hotkey)?;
            if !uids.insert(neuron.uid) {
                return Err(GenesisError::Uid(neuron.uid));
            }
            if !hotkeys.insert(&neuron.hotkey) {
                return Err(GenesisError::Twice(neuron.hotkey.clone()));
            }
        }
        let stranger = self
            .commitments
            .iter()
            .find(|c| !hotkeys.contains(&c.hotkey));
        match stranger {
            Some(commitment) => Err(GenesisError::Unregistered(commitment.hotkey.clone())),
            None => Ok(()),
        }
    }
}
