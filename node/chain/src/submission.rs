//! Submissions: the order in which a signed vector is judged, and what stands on chain afterwards.

use crate::embedded::EmbeddedChain;
use crate::refusal::Refusal;
use crate::rules;
use mechanism::ids::Hotkey;
use round::ports::SignedWeights;
use serde::{Deserialize, Serialize};

/// A weight vector that stands on chain.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Accepted {
    /// The block it landed in.
    pub block: u64,
    /// What was submitted.
    pub weights: SignedWeights,
}

impl EmbeddedChain {
    /// Takes a signed vector into the last block. The payload that already stands there is accepted again as it stands.
    ///
    /// # Errors
    /// The first [`Refusal`]; nothing changed then.
    pub fn submit(&mut self, signed: &SignedWeights) -> Result<Accepted, Refusal> {
        let block = self.head();
        let payload = &signed.payload;
        rules::check_lengths(payload)?;
        let metagraph = self.metagraph(block);
        let Some(neuron) = metagraph.by_hotkey(&signed.hotkey) else {
            return Err(Refusal::UnknownHotkey(signed.hotkey.clone()));
        };
        rules::check_signature(signed)?;
        let genesis = &self.saved.genesis;
        if payload.netuid != genesis.netuid {
            return Err(Refusal::WrongSubnet {
                submitted: payload.netuid,
                expected: genesis.netuid,
            });
        }
        if !neuron.validator_permit {
            return Err(Refusal::NoPermit(signed.hotkey.clone()));
        }
        if payload.version_key < genesis.version_key {
            return Err(Refusal::StaleVersionKey {
                submitted: payload.version_key,
                required: genesis.version_key,
            });
        }
        if let Some(standing) = self.check_round(signed)? {
            return Ok(standing.clone());
        }
        rules::check_uids(payload, &metagraph)?;
        rules::check_weights(payload, genesis, metagraph.neurons.len())?;
        let accepted = Accepted {
            block,
            weights: signed.clone(),
        };
        let hotkey = signed.hotkey.clone();
        self.saved.weights.insert(hotkey, accepted.clone());
        Ok(accepted)
    }

    /// The round must have begun, follow the last accepted one and keep the rate; the same payload again is the standing one.
    fn check_round(&self, signed: &SignedWeights) -> Result<Option<&Accepted>, Refusal> {
        let round = signed.payload.round;
        if self.epoch(round).is_none() {
            return Err(Refusal::FutureRound { submitted: round });
        }
        let Some(standing) = self.saved.weights.get(&signed.hotkey) else {
            return Ok(None);
        };
        let accepted = standing.weights.payload.round;
        if round < accepted {
            return Err(Refusal::PastRound {
                submitted: round,
                accepted,
            });
        }
        if round == accepted {
            return if standing.weights.payload == signed.payload {
                Ok(Some(standing))
            } else {
                Err(Refusal::ConflictingPayload { round })
            };
        }
        let limit = self.saved.genesis.weights_rate_limit;
        let next_block = standing.block.saturating_add(limit);
        if self.head() < next_block {
            return Err(Refusal::RateLimit { limit, next_block });
        }
        Ok(None)
    }

    /// The vector that stands on chain for this hotkey.
    #[must_use]
    pub fn weights(&self, hotkey: &Hotkey) -> Option<&Accepted> {
        self.saved.weights.get(hotkey)
    }
}
