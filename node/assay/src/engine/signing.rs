//! The local key as the round's signer.

use mechanism::ids::Hotkey;
use round::ports::{SignerPort, WeightsPayload};
use signer::Keypair;

/// A key in this process.
pub(crate) struct LocalSigner(pub(crate) Keypair);

impl SignerPort for LocalSigner {
    fn hotkey(&self) -> Hotkey {
        self.0.hotkey()
    }

    fn sign(&mut self, payload: &WeightsPayload) -> Result<[u8; 64], String> {
        Ok(self.0.sign(&payload.canonical()))
    }
}
