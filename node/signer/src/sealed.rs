//! The keystore's content: a seed encrypted under a password.
//!
//! Argon2id makes the key from the password, XChaCha20-Poly1305 encrypts. Everything else in the file is
//! authenticated with it, so that neither the hotkey nor a parameter can be exchanged unnoticed.

use argon2::{Algorithm, Argon2, Params, Version};
use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use mechanism::ids::Hotkey;
use serde::{Deserialize, Serialize};
use zeroize::Zeroizing;

use crate::error::SignerError;
use crate::keypair::Keypair;

const FORMAT: u32 = 1;
const KDF: &str = "argon2id";
const CIPHER: &str = "xchacha20poly1305";

/// RFC 9106 §4, second recommended option, with one lane: 64 MiB and three passes.
const MEMORY_KIB: u32 = 64 << 10;
const PASSES: u32 = 3;
const LANES: u32 = 1;
/// Upper bounds for a file made elsewhere: opening it must not exhaust the host.
const MOST_MEMORY_KIB: u32 = 1 << 20;
const MOST_PASSES: u32 = 32;
const MOST_LANES: u32 = 16;

/// The JSON document of a keystore file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Sealed {
    version: u32,
    /// The public half, so that a key can be shown without the password.
    pub(crate) hotkey: Hotkey,
    kdf: Kdf,
    cipher: String,
    /// 24 bytes, hex.
    nonce: String,
    /// The seed and the authentication tag, hex.
    ciphertext: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Kdf {
    name: String,
    memory_kib: u32,
    passes: u32,
    lanes: u32,
    /// 16 bytes, hex.
    salt: String,
}

/// Why a sealed seed does not open; the file's name is added by whoever read it.
#[derive(Debug)]
pub(crate) enum OpenError {
    Format(String),
    Password,
    Derivation(argon2::Error),
}

impl Sealed {
    /// Encrypts the pair's seed.
    pub(crate) fn seal(pair: &Keypair, password: &[u8]) -> Result<Self, SignerError> {
        if password.is_empty() {
            return Err(SignerError::EmptyPassword);
        }
        let (mut salt, mut nonce) = ([0u8; 16], [0u8; 24]);
        getrandom::fill(&mut salt).map_err(SignerError::Random)?;
        getrandom::fill(&mut nonce).map_err(SignerError::Random)?;
        let kdf = Kdf {
            name: KDF.to_owned(),
            memory_kib: MEMORY_KIB,
            passes: PASSES,
            lanes: LANES,
            salt: hex::encode(salt),
        };
        let mut sealed = Self {
            version: FORMAT,
            hotkey: pair.hotkey(),
            kdf,
            cipher: CIPHER.to_owned(),
            nonce: hex::encode(nonce),
            ciphertext: String::new(),
        };
        let key = sealed
            .kdf
            .derive(password, &salt)
            .map_err(SignerError::Derivation)?;
        let seed = pair.seed();
        let associated = sealed.associated();
        let payload = Payload {
            msg: seed.as_slice(),
            aad: &associated,
        };
        let cipher = XChaCha20Poly1305::new(&(*key).into());
        let bytes = cipher
            .encrypt(&XNonce::from(nonce), payload)
            .map_err(|_| SignerError::Encryption)?;
        sealed.ciphertext = hex::encode(bytes);
        Ok(sealed)
    }

    /// Decrypts the pair.
    pub(crate) fn open(&self, password: &[u8]) -> Result<Keypair, OpenError> {
        self.check()?;
        let salt: [u8; 16] = from_hex("salt", &self.kdf.salt)?;
        let nonce: [u8; 24] = from_hex("nonce", &self.nonce)?;
        let ciphertext: [u8; 48] = from_hex("ciphertext", &self.ciphertext)?;
        let key = self
            .kdf
            .derive(password, &salt)
            .map_err(OpenError::Derivation)?;
        let associated = self.associated();
        let payload = Payload {
            msg: &ciphertext,
            aad: &associated,
        };
        let cipher = XChaCha20Poly1305::new(&(*key).into());
        let opened = cipher
            .decrypt(&XNonce::from(nonce), payload)
            .map_err(|_| OpenError::Password)?;
        let opened = Zeroizing::new(opened);
        let seed: &[u8; 32] = opened.first_chunk().ok_or(OpenError::Password)?;
        let pair = Keypair::from_seed(seed);
        if pair.hotkey() == self.hotkey {
            return Ok(pair);
        }
        Err(OpenError::Format(format!(
            "it holds the key of {}, not of {}",
            pair.hotkey(),
            self.hotkey
        )))
    }

    fn check(&self) -> Result<(), OpenError> {
        let kdf = &self.kdf;
        let reason = if self.version != FORMAT {
            format!("its version is {}, this node reads {FORMAT}", self.version)
        } else if kdf.name != KDF || self.cipher != CIPHER {
            format!(
                "it uses {} and {}, this node reads {KDF} and {CIPHER}",
                kdf.name, self.cipher
            )
        } else if kdf.memory_kib > MOST_MEMORY_KIB
            || kdf.passes > MOST_PASSES
            || kdf.lanes > MOST_LANES
        {
            "its key derivation would exhaust this host".to_owned()
        } else {
            return Ok(());
        };
        Err(OpenError::Format(reason))
    }

    /// Everything but nonce and ciphertext, one field a line.
    fn associated(&self) -> Vec<u8> {
        let Kdf {
            name,
            memory_kib,
            passes,
            lanes,
            salt,
        } = &self.kdf;
        let (version, hotkey, cipher) = (self.version, &self.hotkey, &self.cipher);
        format!("assay/v1/keystore\n{version}\n{hotkey}\n{name}\n{memory_kib}\n{passes}\n{lanes}\n{salt}\n{cipher}\n")
            .into_bytes()
    }
}

impl Kdf {
    fn derive(&self, password: &[u8], salt: &[u8]) -> Result<Zeroizing<[u8; 32]>, argon2::Error> {
        let params = Params::new(self.memory_kib, self.passes, self.lanes, Some(32))?;
        let mut key = Zeroizing::new([0; 32]);
        Argon2::new(Algorithm::Argon2id, Version::V0x13, params).hash_password_into(
            password,
            salt,
            key.as_mut(),
        )?;
        Ok(key)
    }
}

fn from_hex<const N: usize>(field: &str, text: &str) -> Result<[u8; N], OpenError> {
    let mut bytes = [0; N];
    hex::decode_to_slice(text, &mut bytes)
        .map_err(|_| OpenError::Format(format!("its {field} is not {N} bytes in hex")))?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_field_is_authenticated() {
        let pair = Keypair::dev("a");
        let sealed = Sealed::seal(&pair, b"secret").unwrap();
        assert_eq!(sealed.open(b"secret").unwrap().public(), pair.public());
        let changes: [fn(&mut Sealed); 5] = [
            |s| s.hotkey = Keypair::dev("b").hotkey(),
            |s| s.kdf.passes = 2,
            |s| s.kdf.salt = "00".repeat(16),
            |s| s.nonce = "00".repeat(24),
            |s| {
                s.ciphertext.replace_range(
                    ..2,
                    if s.ciphertext.starts_with("00") {
                        "01"
                    } else {
                        "00"
                    },
                )
            },
        ];
        for (index, change) in changes.iter().enumerate() {
            let mut changed = sealed.clone();
            change(&mut changed);
            assert!(
                matches!(changed.open(b"secret"), Err(OpenError::Password)),
                "change {index}"
            );
        }
    }

    #[test]
    fn what_cannot_be_a_keystore_is_refused_before_any_work() {
        let sealed = Sealed::seal(&Keypair::dev("a"), b"secret").unwrap();
        let changes: [fn(&mut Sealed); 8] = [
            |s| s.version = 2,
            |s| s.kdf.name = "scrypt".to_owned(),
            |s| s.cipher = "none".to_owned(),
            |s| s.kdf.memory_kib = u32::MAX,
            |s| s.kdf.passes = u32::MAX,
            |s| s.kdf.lanes = u32::MAX,
            |s| s.kdf.salt.clear(),
            |s| s.ciphertext.push_str("00"),
        ];
        for (index, change) in changes.iter().enumerate() {
            let mut changed = sealed.clone();
            change(&mut changed);
            assert!(
                matches!(changed.open(b"secret"), Err(OpenError::Format(_))),
                "change {index}"
            );
        }
    }

    #[test]
    fn two_seals_of_one_key_share_nothing_secret() {
        let pair = Keypair::dev("a");
        let (one, two) = (
            Sealed::seal(&pair, b"secret").unwrap(),
            Sealed::seal(&pair, b"secret").unwrap(),
        );
        assert!(
            one.kdf.salt != two.kdf.salt
                && one.nonce != two.nonce
                && one.ciphertext != two.ciphertext
        );
    }
}
