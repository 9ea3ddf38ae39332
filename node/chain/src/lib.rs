//! The chain port: an embedded development chain that keeps the rules a subnet's chain enforces.
//!
//! Pure state in memory, nothing but JSON goes in or out: no clock, no file, no socket. Blocks come when the caller
//! advances the chain, so a round on it can be repeated exactly.
//!
//! ```text
//! genesis -> advance .. -> epoch e: seed block (e + 1) * tempo, freeze block right before it
//!         -> commitments, metagraph at the freeze block -> signed weights -> read-back
//! ```
#![forbid(unsafe_code)]

mod blocks;
mod embedded;
mod genesis;
mod metagraph;
mod port;
mod refusal;
mod rules;
mod ss58;
mod submission;

pub use blocks::Epoch;
pub use embedded::{ChainError, EmbeddedChain};
pub use genesis::{Genesis, GenesisError, GenesisNeuron};
pub use mechanism::participants::Commitment;
pub use metagraph::{Metagraph, Neuron};
pub use refusal::Refusal;
pub use ss58::{Ss58Error, decode_hotkey};
pub use submission::Accepted;
