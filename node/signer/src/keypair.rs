//! The ed25519 pair of a hotkey.

use std::fmt;

use ed25519_dalek::{Signature, Signer, SigningKey, VerifyingKey};
use mechanism::ids::Hotkey;
use zeroize::Zeroizing;

use crate::error::SignerError;
use crate::ss58;

/// Derivation context of development keys.
const DEV_CONTEXT: &str = "assay/v1/dev-key";

/// A signing key. The secret is wiped when it is dropped and never printed.
pub struct Keypair {
    key: SigningKey,
}

impl Keypair {
    /// A new key from the operating system's random source.
    ///
    /// # Errors
    /// The operating system gave no random bytes.
    pub fn generate() -> Result<Self, SignerError> {
        let mut seed = Zeroizing::new([0; 32]);
        getrandom::fill(seed.as_mut()).map_err(SignerError::Random)?;
        Ok(Self::from_seed(&seed))
    }

    /// The key of a 32-byte seed (RFC 8032 calls it the private key).
    #[must_use]
    pub fn from_seed(seed: &[u8; 32]) -> Self {
        Self {
            key: SigningKey::from_bytes(seed),
        }
    }

    /// The development key of that name, the same everywhere. Everybody can compute it: it protects nothing and has no
    /// place outside the embedded chain.
    #[must_use]
    pub fn dev(name: &str) -> Self {
        let seed = Zeroizing::new(blake3::derive_key(DEV_CONTEXT, name.as_bytes()));
        Self::from_seed(&seed)
    }

    /// The seed, for a keystore or an export that the operator asked for.
    #[must_use]
    pub fn seed(&self) -> Zeroizing<[u8; 32]> {
        Zeroizing::new(self.key.to_bytes())
    }

    /// The public key.
    #[must_use]
    pub fn public(&self) -> [u8; 32] {
        self.key.verifying_key().to_bytes()
    }

    /// The public key as SS58 text.
    #[must_use]
    pub fn hotkey(&self) -> Hotkey {
        ss58::encode(&self.public())
    }

    /// The signature over these bytes; what is signed carries its own domain label.
    #[must_use]
    pub fn sign(&self, message: &[u8]) -> [u8; 64] {
        self.key.sign(message).to_bytes()
    }
}

impl fmt::Debug for Keypair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Keypair({}, secret withheld)", self.hotkey())
    }
}

/// Checks a signature by the strict rules, under which every validator gives the same answer: canonical encodings only,
/// no key and no signature point of small order.
///
/// # Errors
/// The hotkey is no SS58 text, its key is unusable, or the signature does not fit.
pub fn verify(hotkey: &Hotkey, message: &[u8], signature: &[u8; 64]) -> Result<(), SignerError> {
    let unusable = || SignerError::WeakKey(hotkey.to_string());
    let key = VerifyingKey::from_bytes(&ss58::decode(hotkey)?).map_err(|_| unusable())?;
    if key.is_weak() {
        return Err(unusable());
    }
    key.verify_strict(message, &Signature::from_bytes(signature))
        .map_err(|_| SignerError::Signature(hotkey.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes<const N: usize>(text: &str) -> [u8; N] {
        hex::decode(text).unwrap().try_into().unwrap()
    }

    /// RFC 8032 §7.1, TEST 1 to 3: seed, public key, message, signature.
    const RFC_8032: [(&str, &str, &str, &str); 3] = [
        (
            "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
            "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
            "",
            "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
        ),
        (
            "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
            "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
            "72",
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
        ),
        (
            "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
            "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
            "af82",
            "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
        ),
    ];

    #[test]
    fn the_vectors_of_rfc_8032_hold() {
        for (seed, public, message, signature) in RFC_8032 {
            let pair = Keypair::from_seed(&bytes(seed));
            let message = hex::decode(message).unwrap();
            assert_eq!(pair.public(), bytes::<32>(public));
            assert_eq!(pair.sign(&message), bytes::<64>(signature));
            verify(&pair.hotkey(), &message, &bytes(signature)).unwrap();
        }
    }

    #[test]
    fn another_message_key_or_signature_is_refused() {
        let (pair, other) = (Keypair::dev("a"), Keypair::dev("b"));
        let signature = pair.sign(b"weights");
        let mut flipped = signature;
        flipped[0] ^= 1;
        for (key, message, signature) in [
            (&pair, b"weightz".as_slice(), &signature),
            (&other, b"weights".as_slice(), &signature),
            (&pair, b"weights".as_slice(), &flipped),
        ] {
            let result = verify(&key.hotkey(), message, signature);
            assert!(
                matches!(result, Err(SignerError::Signature(_))),
                "{result:?}"
            );
        }
    }

    #[test]
    fn a_signature_with_a_scalar_beyond_the_order_is_refused() {
        // S + L verifies under lax rules and would be a second signature over the same bytes.
        let order = bytes::<32>("edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010");
        let pair = Keypair::dev("a");
        let mut signature = pair.sign(b"weights");
        let mut carry = 0u16;
        for (byte, added) in signature[32..].iter_mut().zip(order) {
            carry += u16::from(*byte) + u16::from(added);
            *byte = (carry & 0xff) as u8;
            carry >>= 8;
        }
        assert!(verify(&pair.hotkey(), b"weights", &signature).is_err());
    }

    #[test]
    fn keys_of_small_order_and_no_points_are_refused() {
        // The neutral element: with it, the all-neutral signature fits every message under lax rules.
        let mut neutral = [0u8; 32];
        neutral[0] = 1;
        let mut signature = [0u8; 64];
        signature[0] = 1;
        let mut no_point = [0u8; 32];
        no_point[0] = 2;
        for public in [neutral, no_point] {
            let result = verify(&ss58::encode(&public), b"anything", &signature);
            assert!(matches!(result, Err(SignerError::WeakKey(_))), "{result:?}");
        }
    }

    #[test]
    fn development_keys_are_fixed_and_differ_by_name() {
        let frozen = "5GAKSquUQ7cGoZyi6RAWurdYJXKJF6KmXxoaF5BHYGUADeyK";
        assert_eq!(Keypair::dev("validator-0").hotkey().as_str(), frozen);
        assert_ne!(
            Keypair::dev("validator-1").public(),
            Keypair::dev("validator-0").public()
        );
    }

    #[test]
    fn generated_keys_differ() {
        assert_ne!(
            Keypair::generate().unwrap().public(),
            Keypair::generate().unwrap().public()
        );
    }

    #[test]
    fn the_secret_is_not_printed() {
        let pair = Keypair::dev("a");
        let text = format!("{pair:?}");
        assert!(text.contains(pair.hotkey().as_str()));
        let seed = hex::encode(pair.seed().as_slice());
        assert!(!text.contains(&seed) && !text.contains(&format!("{:?}", *pair.seed())));
    }
}
