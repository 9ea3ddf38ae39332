//! A small subnet with dev keys.

use blake2::{Blake2b512, Digest};
use chain::{Commitment, EmbeddedChain, Genesis, GenesisNeuron};
use ed25519_dalek::{Signer, SigningKey};
use mechanism::ids::{Hash32, Hotkey, Pin};
use mechanism::track::Track;
use round::ports::{SignedWeights, WeightsPayload};

pub(crate) fn key(n: u8) -> SigningKey {
    SigningKey::from_bytes(&[n; 32])
}

pub(crate) fn hotkey(n: u8) -> Hotkey {
    let mut bytes = vec![42];
    bytes.extend(key(n).verifying_key().as_bytes());
    let sum = Blake2b512::new()
        .chain_update(b"SS58PRE")
        .chain_update(&bytes)
        .finalize();
    bytes.extend(&sum[..2]);
    Hotkey::new(bs58::encode(bytes).into_string())
}

fn neuron(n: u8, permit: bool) -> GenesisNeuron {
    GenesisNeuron {
        name: format!("n{n}"),
        hotkey: hotkey(n),
        uid: u16::from(n),
        stake: 1_000,
        permit,
    }
}

pub(crate) fn commitment(n: u8, block: u64) -> Commitment {
    Commitment {
        hotkey: hotkey(n),
        track: Track::Skills,
        pin: Pin::blake3_of(&[n]),
        block,
    }
}

/// Validators 0 (permit) and 1 (none), miners 2 to 5, epochs of 10 blocks.
pub(crate) fn genesis() -> Genesis {
    Genesis {
        netuid: 7,
        tempo: 10,
        seed: Hash32([1; 32]),
        round_seed: None,
        validators: vec![neuron(0, true), neuron(1, false)],
        miners: (2..6).map(|n| neuron(n, false)).collect(),
        commitments: vec![commitment(3, 8), commitment(2, 2), commitment(4, 12)],
        contributors: vec![hotkey(2)],
        min_allowed_weights: 2,
        max_weights_limit: u16::MAX,
        version_key: 5,
        weights_rate_limit: 3,
    }
}

/// A chain in its first epoch.
pub(crate) fn chain_of(genesis: Genesis) -> EmbeddedChain {
    let mut chain = EmbeddedChain::genesis(genesis).unwrap();
    chain.advance_epoch();
    chain
}

pub(crate) fn payload() -> WeightsPayload {
    WeightsPayload {
        netuid: 7,
        version_key: 5,
        round: 0,
        uids: vec![2, 3, 4],
        values: vec![65535, 40000, 20000],
        spec_id: Hash32([2; 32]),
        round_digest: Hash32([3; 32]),
    }
}

pub(crate) fn signed(n: u8, payload: WeightsPayload) -> SignedWeights {
    let signature = key(n).sign(&payload.canonical());
    SignedWeights {
        hotkey: hotkey(n),
        payload,
        signature: hex::encode(signature.to_bytes()),
    }
}
