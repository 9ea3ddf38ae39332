//! Who is registered, at any block.

use mechanism::ids::Hotkey;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// One registered neuron.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Neuron {
    /// Slot.
    pub uid: u16,
    /// SS58 text of the key.
    pub hotkey: Hotkey,
    /// Stake, in the chain's smallest unit.
    pub stake: u64,
    /// Whether it may set weights.
    pub validator_permit: bool,
    /// Block of its registration.
    pub registered_at: u64,
}

/// The registered neurons at one block.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Metagraph {
    /// The block.
    pub block: u64,
    /// Neurons by uid.
    pub neurons: BTreeMap<u16, Neuron>,
}

impl Metagraph {
    /// The neuron with this hotkey.
    #[must_use]
    pub fn by_hotkey(&self, hotkey: &Hotkey) -> Option<&Neuron> {
        self.neurons.values().find(|n| &n.hotkey == hotkey)
    }
}

/// A slot that changed hands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Change {
    pub(crate) block: u64,
    pub(crate) uid: u16,
    /// `None`: the slot is empty from here on.
    pub(crate) neuron: Option<Neuron>,
}

/// Replays the changes up to and including block `at`.
pub(crate) fn replay(changes: &[Change], at: u64) -> Metagraph {
    let mut neurons = BTreeMap::new();
    for change in changes.iter().filter(|c| c.block <= at) {
        match &change.neuron {
            Some(neuron) => neurons.insert(change.uid, neuron.clone()),
            None => neurons.remove(&change.uid),
        };
    }
    Metagraph { block: at, neurons }
}
