//! Block hashes and epochs of the embedded chain.
//!
//! `hash(0) = BLAKE3("assay/v1/chain/genesis" || seed || netuid)`, `hash(n) = BLAKE3("assay/v1/chain/block" || hash(n - 1) || n)`
//! by the rule *Bytes* of `mechanism.md` (n as u64). Epoch e has its seed block at `(e + 1) * tempo`; a `round_seed` of
//! the genesis takes the place of the first epoch's seed block hash, and later blocks build on it.

use crate::genesis::Genesis;
use mechanism::bytes::Fields;
use mechanism::ids::Hash32;
use serde::{Deserialize, Serialize};

/// One round's place on the chain (`mechanism.md §2`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Epoch {
    /// Counted from 0; the round id.
    pub id: u64,
    /// The block before the seed block: later commitments and registrations do not take part.
    pub freeze_block: u64,
    /// The block whose hash is the round's seed.
    pub seed_block: u64,
    /// That hash.
    pub seed: Hash32,
}

/// The hashes of all blocks so far; never serialised, always recomputed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Blocks {
    hashes: Vec<Hash32>,
    tempo: u64,
    round_seed: Option<Hash32>,
}

impl Blocks {
    /// The chain from block 0 up to and including `head`.
    pub(crate) fn up_to(genesis: &Genesis, head: u64) -> Self {
        let first = Fields::new()
            .text("assay/v1/chain/genesis")
            .hash32(&genesis.seed)
            .u32(u32::from(genesis.netuid))
            .hash();
        let mut blocks = Blocks {
            hashes: vec![first],
            tempo: genesis.tempo,
            round_seed: genesis.round_seed,
        };
        while blocks.head() < head {
            blocks.append();
        }
        blocks
    }

    /// Number of the last block.
    pub(crate) fn head(&self) -> u64 {
        self.hashes.len() as u64 - 1
    }

    /// Adds a block and returns its number.
    pub(crate) fn append(&mut self) -> u64 {
        let number = self.hashes.len() as u64;
        let hash = match (self.round_seed, self.hashes.last()) {
            (Some(seed), _) if number == self.tempo => seed,
            (_, parent) => Fields::new()
                .text("assay/v1/chain/block")
                .hash32(parent.unwrap_or(&Hash32([0; 32])))
                .u64(number)
                .hash(),
        };
        self.hashes.push(hash);
        number
    }

    /// The block's hash; `None` for one that does not exist yet.
    pub(crate) fn hash(&self, number: u64) -> Option<Hash32> {
        let index = usize::try_from(number).ok()?;
        self.hashes.get(index).copied()
    }

    /// The epoch with this id, once its seed block exists.
    pub(crate) fn epoch(&self, id: u64) -> Option<Epoch> {
        let seed_block = id.checked_add(1)?.checked_mul(self.tempo)?;
        Some(Epoch {
            id,
            freeze_block: seed_block - 1,
            seed_block,
            seed: self.hash(seed_block)?,
        })
    }

    /// The latest epoch whose seed block exists.
    pub(crate) fn current_epoch(&self) -> Option<Epoch> {
        (self.head() / self.tempo)
            .checked_sub(1)
            .and_then(|id| self.epoch(id))
    }
}
