//! What a weight vector must be, whoever submits it.

use crate::genesis::Genesis;
use crate::metagraph::Metagraph;
use crate::refusal::Refusal;
use crate::ss58::decode_hotkey;
use ed25519_dalek::Signature;
use round::ports::{SignedWeights, WeightsPayload};

/// Whether the signature is the hotkey's over the payload's canonical bytes.
pub(crate) fn check_signature(signed: &SignedWeights) -> Result<(), Refusal> {
    let refuse = || Refusal::BadSignature(signed.hotkey.clone());
    let key = decode_hotkey(&signed.hotkey).map_err(|_| refuse())?;
    let mut bytes = [0u8; 64];
    hex::decode_to_slice(&signed.signature, &mut bytes).map_err(|_| refuse())?;
    // Strict: without it a weak key or a malleated signature would verify here and not elsewhere.
    key.verify_strict(&signed.payload.canonical(), &Signature::from_bytes(&bytes))
        .map_err(|_| refuse())
}

/// Whether each uid has one value.
pub(crate) fn check_lengths(payload: &WeightsPayload) -> Result<(), Refusal> {
    let (uids, values) = (payload.uids.len(), payload.values.len());
    if uids == values {
        Ok(())
    } else {
        Err(Refusal::LengthMismatch { uids, values })
    }
}

/// Whether the uids are registered, each once, in ascending order.
pub(crate) fn check_uids(payload: &WeightsPayload, metagraph: &Metagraph) -> Result<(), Refusal> {
    let mut seen = std::collections::BTreeSet::new();
    if let Some(twice) = payload.uids.iter().find(|uid| !seen.insert(**uid)) {
        return Err(Refusal::DuplicateUid(*twice));
    }
    if let Some(pair) = payload.uids.windows(2).find(|pair| pair[0] > pair[1]) {
        return Err(Refusal::UidOrder(pair[1]));
    }
    match payload
        .uids
        .iter()
        .find(|uid| !metagraph.neurons.contains_key(uid))
    {
        Some(unknown) => Err(Refusal::UnknownUid(*unknown)),
        None => Ok(()),
    }
}

/// Whether there are enough weights and none is too large.
///
/// The limit is on the share of the exact weights, which the wire values round: every registered uid may have lost half
/// a unit of the sum (a dropped zero included). Where all weights are equal there is no vector with a smaller maximum.
pub(crate) fn check_weights(
    payload: &WeightsPayload,
    genesis: &Genesis,
    registered: usize,
) -> Result<(), Refusal> {
    let weights = || payload.uids.iter().zip(&payload.values);
    let found = payload.values.iter().filter(|value| **value > 0).count();
    let required = usize::from(genesis.min_allowed_weights).max(1);
    if found < required {
        return Err(Refusal::TooFewWeights { found, required });
    }
    let limit = genesis.max_weights_limit;
    let sum: u64 = payload.values.iter().map(|value| u64::from(*value)).sum();
    let largest = weights().max_by_key(|(_, value)| **value);
    let positive_equal = || {
        let mut positive = payload.values.iter().filter(|value| **value > 0);
        let first = positive.next();
        positive.all(|value| Some(value) == first)
    };
    let above = |value: u16| {
        2 * u64::from(value) * u64::from(u16::MAX)
            > u64::from(limit) * (2 * sum + registered as u64)
    };
    match largest {
        Some((uid, value)) if limit < u16::MAX && above(*value) && !positive_equal() => {
            Err(Refusal::MaxWeightExceeded {
                uid: *uid,
                value: *value,
                sum,
                limit,
            })
        }
        _ => Ok(()),
    }
}
