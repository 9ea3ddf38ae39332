//! The validator's key: an ed25519 pair, its SS58 hotkey and the encrypted file that keeps it.
//!
//! This crate signs whatever bytes it is given. Whether they may be signed (one payload per key, subnet and round) is
//! decided, and made durable, before it is asked.
#![forbid(unsafe_code)]

mod error;
mod keypair;
pub mod keystore;
mod sealed;
pub mod ss58;

pub use error::SignerError;
pub use keypair::{Keypair, verify};
