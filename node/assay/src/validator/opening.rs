//! Where a round begins: afresh from the chain, or from its journal.

use crate::engine::session::{commitments, common};
use crate::host::Host;
use chain::{EmbeddedChain, Epoch};
use mechanism::ids::{Hash32, Hotkey};
use mechanism::participants;
use mechanism::spec::Spec;
use mechanism::track::Track;
use mechanism::weights::{Units, state_from_chain};
use round::machine::{Effect, Goal, ResumeError, Round, Setup};
use round::record::Entry;
use std::collections::BTreeMap;

/// What every round of this validator shares.
pub(crate) struct Standing<'a> {
    pub(crate) host: &'a Host,
    pub(crate) spec: &'a Spec,
    pub(crate) validator: Hotkey,
    pub(crate) names: BTreeMap<Hotkey, String>,
}

impl Standing<'_> {
    /// A new round on this epoch.
    pub(crate) fn begin(
        &self,
        chain: &EmbeddedChain,
        epoch: Epoch,
        secret: Hash32,
        previous: Option<Units>,
    ) -> (Round, Vec<Effect>) {
        Round::open(self.setup(chain, epoch, secret, previous))
    }

    /// The round that the journal was left in.
    ///
    /// # Errors
    /// The journal is not of a round that this node, spec and corpus can finish.
    pub(crate) fn resume(
        &self,
        chain: &EmbeddedChain,
        previous: Option<Units>,
        entries: Vec<Entry>,
    ) -> Result<(Round, Vec<Effect>), ResumeError> {
        let Some(Entry::Opened { opening, secret }) = entries.first() else {
            return Err(ResumeError::NotOpened);
        };
        let epoch = Epoch {
            id: opening.round,
            freeze_block: opening.freeze_block,
            seed_block: opening.seed_block,
            seed: opening.seed,
        };
        let setup = self.setup(chain, epoch, *secret, previous);
        Round::resume(setup, entries)
    }

    fn setup(
        &self,
        chain: &EmbeddedChain,
        epoch: Epoch,
        secret: Hash32,
        previous: Option<Units>,
    ) -> Setup {
        Setup {
            goal: Goal::Weights,
            tracks: Track::ALL.into_iter().collect(),
            netuid: chain.parameters().netuid,
            round: epoch.id,
            validator: self.validator.clone(),
            seed: epoch.seed,
            seed_block: epoch.seed_block,
            secret,
            participants: participants::freeze(epoch.freeze_block, &commitments(chain)),
            previous: previous.or_else(|| self.own_weights(chain)),
            names: self.names.clone(),
            ..common(self.host, self.spec)
        }
    }

    /// The state of a validator that has none: its own weights on chain (`mechanism.md §8`).
    fn own_weights(&self, chain: &EmbeddedChain) -> Option<Units> {
        let accepted = chain.weights(&self.validator)?;
        let metagraph = chain.metagraph(chain.head());
        let payload = &accepted.weights.payload;
        let by_hotkey = payload
            .uids
            .iter()
            .zip(&payload.values)
            .filter_map(|(uid, value)| {
                let neuron = metagraph.neurons.get(uid)?;
                Some((neuron.hotkey.clone(), *value))
            })
            .collect();
        state_from_chain(self.spec, &by_hotkey)
    }
}
