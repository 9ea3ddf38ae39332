//! The round's chain port on the embedded chain.

use crate::embedded::EmbeddedChain;
use mechanism::ids::Hotkey;
use round::ports::{ChainPort, ChainView, SignedWeights};

impl ChainPort for EmbeddedChain {
    fn view(&self) -> Result<ChainView, String> {
        let metagraph = self.metagraph(self.head());
        let freeze = self.current_epoch().map_or(0, |epoch| epoch.freeze_block);
        let genesis = &self.saved.genesis;
        let neurons = metagraph.neurons.values();
        Ok(ChainView {
            registered: neurons.clone().map(|n| (n.hotkey.clone(), n.uid)).collect(),
            reregistered: neurons
                .filter(|n| n.registered_at > freeze)
                .map(|n| n.hotkey.clone())
                .collect(),
            contributors: genesis.contributors.clone(),
            min_allowed_weights: genesis.min_allowed_weights,
            max_weights_limit: genesis.max_weights_limit,
            version_key: genesis.version_key,
        })
    }

    fn submit(&mut self, weights: &SignedWeights) -> Result<(), String> {
        EmbeddedChain::submit(self, weights)
            .map(drop)
            .map_err(|refusal| refusal.to_string())
    }

    fn read_back(&self, hotkey: &Hotkey) -> Result<Vec<(u16, u16)>, String> {
        let accepted = self
            .weights(hotkey)
            .ok_or_else(|| format!("no weights of {hotkey} stand on chain; submit them first"))?;
        let payload = &accepted.weights.payload;
        let pairs = payload
            .uids
            .iter()
            .copied()
            .zip(payload.values.iter().copied());
        Ok(pairs.collect())
    }
}
